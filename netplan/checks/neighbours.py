"""NP809 to NP813, NP845: size of a switch's neighbour table, ageing of ARP and MAC entries."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan, first_of_each_nos, first_of_each_type

FULL = 0.7
"""Highest planned utilization of a neighbour table: hash tables collide before they are full. A rule of
thumb, no source."""


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


def _table(switch: SwitchPlan) -> int:
    """Entries the switch can hold: the limit of the ASIC and, if it applies, the kernel; 0 if unknown."""
    kernel = (switch.arp.gc_thresh if switch.arp.enabled else switch.arp.gc_shipped)[2:]
    known = [size for size in (switch.demand.host_table, *kernel) if size]
    return min(known, default=0)


@check("NP809", "neighbour table too small", on=Plan, counts=_switch_count, about="switches")
def neighbour_table_full(plan: Plan) -> Iterator[Finding]:
    """A gateway holds one entry per address behind it, including those of finished pods until they age out.

    **Why.** Entries that do not fit are not installed, so some pods are unreachable.
    **Fix.** Use fewer VFs, more leaves, segment host, or a forwarding profile with more hosts; then state
    host_table.
    **Source.** sonic-net/sonic-buildimage issues 2189 and 4885
    """
    for switch in plan.switches:
        table, need = _table(switch), switch.demand.total
        if table and need > FULL * table:
            usable = int(FULL * table)
            what = (
                f"{switch.name} needs {need} neighbour entries, at most {usable} of its {table} may be used"
            )
            routed = f"rails.segment: host, with which it needs {switch.demand.routed}"
            hint = f"use fewer VFs, or {routed}; or state a larger host_table"
            yield Finding(switch.at, what, hint)


@check(
    "NP810",
    "kernel neighbour limit raised",
    on=Plan,
    counts=_switch_count,
    severity=Severity.INFO,
    about="switches",
)
def kernel_limit_raised(plan: Plan) -> Iterator[Finding]:
    """The switch kernel drops entries above gc_thresh3, however large the ASIC's table is.

    **Why.** The default limit is below what this leaf needs.
    **Fix.** Apply arp.conf before the hosts come up.
    **Source.** sonic-net/sonic-buildimage 086b03bd files/image_config/sysctl/90-sonic.conf
    """
    for switch in plan.switches:
        planned, shipped = switch.arp.gc_thresh, switch.arp.gc_shipped
        if switch.arp.enabled and planned[2:] != shipped[2:]:
            what = f"{switch.name}: gc_thresh3 is raised from {shipped[2]:,} to {planned[2]:,} entries"
            yield Finding(switch.at, what, "apply arp.conf before the hosts come up")


@check(
    "NP811",
    "size of the neighbour table unknown",
    on=Plan,
    counts=_switch_count,
    severity=Severity.WARNING,
    about="switches",
)
def neighbour_table_unknown(plan: Plan) -> Iterator[Finding]:
    """The same ASIC has 8,000 to 147,000 entries, depending on SKU and forwarding profile.

    **Why.** netplan cannot tell whether the addresses behind a leaf fit.
    **Fix.** Look it up on the switch and state `host_table` of the switch type.
    **Source.** sonic-net/sonic-buildimage 086b03bd device/*/*.config.bcm
    """
    for switch in first_of_each_type(s for s in plan.switches if not s.demand.host_table):
        what = f"host_table of switch type {switch.type.name} ({switch.type.model.name}) is not known"
        yield Finding(switch.type.at, what, "state host_table")


@check(
    "NP812",
    "ARP age not supported by the NOS",
    on=Plan,
    counts=lambda plan: sum(s.arp.enabled for s in plan.switches),
    about="switches",
)
def arp_age_out_of_range(plan: Plan) -> Iterator[Finding]:
    """Ages have bounds and a granularity.

    **Why.** The command is rejected and the default, up to four hours, stays in place.
    **Fix.** Use a fabric.arp.timeout_seconds that the NOS of every leaf supports.
    **Source.** aristanetworks/avd 3cac535c (EOS, 60 to 65535 s); netascode.cisco.com, data model nxos, device
    arp (to 28800 s); juniper.net, statement aging-timer (1 to 240 min); HPE 10500 command reference, arp
    timer aging (60 to 86400 s); Huawei EDOC1100345000 (30 to 86400 s).
    """
    at = ("fabric", "arp", "timeout_seconds")
    for switch in first_of_each_nos(s for s in plan.switches if s.arp.enabled):
        arp, limits = switch.arp, switch.limits
        if arp.age < limits.arp_min or (limits.arp_max and arp.age > limits.arp_max):
            bounds = f"{limits.arp_min} to {limits.arp_max}"
            what = f"ARP age {arp.age} {arp.unit} is outside {bounds}, the range of {switch.nos}"
            yield Finding(at, what, "use an age within this range")
        elif arp.unit == "min" and arp.seconds % 60:
            what = f"{switch.nos} counts ARP ages in minutes, {arp.seconds:,} s become {arp.age} min"
            yield Finding(at, what, "use a multiple of 60")


def _mac_aged(plan: Plan) -> list[SwitchPlan]:
    """One switch of each NOS for which a MAC ageing time is configured."""
    told = (s for s in plan.switches if s.arp.mac_wanted and s.arp.mac_wanted == s.arp.mac_seconds)
    return list(first_of_each_nos(told))


@check(
    "NP845",
    "MAC age not supported by the NOS",
    on=Plan,
    counts=lambda plan: len(_mac_aged(plan)),
    about="switches",
)
def mac_age_out_of_range(plan: Plan) -> Iterator[Finding]:
    """MAC ages have bounds.

    **Why.** The command is rejected, the default of 300 s stays, and ARP entries outlive MAC entries.
    **Fix.** Use a fabric.arp.mac_timeout_seconds that the NOS of every leaf supports.
    **Source.** aristanetworks/avd 3cac535c, mac_address_table (to 1000000 s); CumulusNetworks/docs
    0186b96e, nvue-reference, Bridge.md (to 65535 s); juniper.net, statement global-mac-table-aging-time; HPE
    5700 layer 2 command reference 5998-5602R, mac-address timer aging; Huawei EDOC1100345000 (60 to 1000000
    s).
    """
    for switch in _mac_aged(plan):
        age, limits = switch.arp.mac_wanted, switch.limits
        if age < limits.mac_min or (limits.mac_max and age > limits.mac_max):
            bounds = f"{limits.mac_min:,} to {limits.mac_max:,} s"
            what = f"MAC age {age:,} s is outside {bounds}, the range of {switch.nos}"
            yield Finding(("fabric", "arp", "mac_timeout_seconds"), what, "use an age within this range")


@check(
    "NP813",
    "ARP entries outlive MAC entries",
    on=Plan,
    counts=lambda plan: sum(bool(s.arp.enabled and s.arp.mac_seconds) for s in plan.switches),
    severity=Severity.WARNING,
    about="switches",
)
def arp_outlives_mac(plan: Plan) -> Iterator[Finding]:
    """A packet is flooded if its next hop is known but the MAC address has aged out.

    **Why.** Flooded lossless traffic goes to every port, including uplinks, and can close a PFC deadlock.
    **Fix.** Keep fabric.arp.timeout_seconds at or below the MAC age.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016
    """
    for switch in first_of_each_nos(s for s in plan.switches if s.arp.enabled):
        arp = switch.arp
        if arp.mac_seconds and arp.seconds > arp.mac_seconds and "mac_age" not in switch.lacking:
            what = f"ARP age {arp.seconds:,} s is above the MAC age {arp.mac_seconds:,} s of {switch.nos}"
            yield Finding(("fabric", "arp"), what, f"lower timeout_seconds to {arp.mac_seconds}")
