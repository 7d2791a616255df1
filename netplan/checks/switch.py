"""NP8xx, first part: buffers and neighbour table of a switch."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan, first_of_each

FULL = 0.7
"""Share of a neighbour table that may be planned: hash tables collide before they are full. A rule of thumb,
no source."""

PERCENT = 100


def _switch_count(plan: Plan) -> int:
    return len(plan.switches)


def _lossless_count(plan: Plan) -> int:
    return sum(len(switch.lossless_ports) for switch in plan.switches)


def _type(switch: SwitchPlan) -> str:
    return switch.type.name


def _nos(switch: SwitchPlan) -> str:
    return switch.nos


def _once_per_link(plan: Plan) -> Iterator[tuple[SwitchPlan, SwitchPort]]:
    """One lossless port per link of the inventory and switch type: the members of a range are alike."""
    seen: set[tuple[Path, str]] = set()
    for switch in plan.switches:
        for port in switch.lossless_ports:
            if (port.at, switch.type.name) not in seen:
                seen.add((port.at, switch.type.name))
                yield switch, port


@check("NP805", "no headroom is known for a lossless port", on=Plan, counts=_lossless_count)
def headroom_missing(plan: Plan) -> Iterator[Finding]:
    """PFC needs room for what is on the way when it pauses the sender; it depends on speed and cable.

    **Why.** SONiC gives a port whose speed and length are not in the table no lossless buffer at all, and
    says so only in its log: packets drop under load.
    **Fix.** Correct cable_m or speed_gbps, or use the other buffer model.
    **Source.** sonic-net/sonic-swss cfgmgr/buffermgr.cpp; sonic-net/sonic-mgmt issue 20422
    """
    for switch, port in _once_per_link(plan):
        if port.missing:
            listed = f"lengths that exist: {', '.join(map(str, port.lengths))} m" if port.lengths else ""
            hint = listed or "use another buffer_model, model or speed, or a shorter cable"
            yield Finding(port.at, f"{switch.name} {port.name}: {port.missing}", hint)


@check(
    "NP806",
    "a cable length between two rows of the table",
    on=Plan,
    counts=_lossless_count,
    severity=Severity.INFO,
)
def cable_between_rows(plan: Plan) -> Iterator[Finding]:
    """The next longer row is configured.

    **Why.** SONiC looks the length up exactly; the longer row only costs buffer.
    **Fix.** Nothing.
    **Source.** sonic-net/sonic-swss cfgmgr/buffermgr.cpp
    """
    for switch, port in _once_per_link(plan):
        if port.headroom and port.headroom.cable_m != port.cable_m:
            below = max((n for n in port.lengths if n < port.cable_m), default=0)
            rows = (
                f"between {below} and {port.headroom.cable_m} m"
                if below
                else f"below {port.headroom.cable_m} m"
            )
            what = f"{switch.name} {port.name}: cable of {port.cable_m} m is {rows}"
            yield Finding(port.at, what, f"nothing to do: {port.headroom.cable_m} m is configured")


@check(
    "NP807",
    "lossless headroom does not fit the buffer",
    on=Plan,
    counts=lambda plan: sum(bool(s.buffers.total) for s in plan.switches),
)
def pool_too_small(plan: Plan) -> Iterator[Finding]:
    """Every lossless priority of every port reserves its headroom beside the ingress pool of the SKU.

    **Why.** Pool and headroom are the same memory. What does not fit is refused, and the last ports have PFC
    without headroom; in the dynamic model nothing is left to share.
    **Fix.** Shorten cables, use one lossless class, or a model with more buffer.
    **Source.** sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md (headroom is no part of the
    ingress pool); buffers_defaults_t0.j2 and _t1.j2 of the SKU in sonic-net/sonic-buildimage
    """
    for switch in plan.switches:
        buffers = switch.buffers
        if buffers.total and buffers.reserved > buffers.room:
            beside = f" beside its ingress pool of {buffers.pool}" if buffers.pool else ""
            has = f"{switch.sku} has {buffers.room}{beside}"
            what = f"{switch.name} reserves {buffers.reserved} bytes for lossless priorities, {has}"
            yield Finding(switch.at, what, "use fewer lossless classes or shorter cables")


@check("NP808", "the NOS does not run on the switch's ASIC", on=Plan, counts=_switch_count)
def asic_unknown(plan: Plan) -> Iterator[Finding]:
    """Buffers, maps and units depend on the ASIC.

    **Why.** What is emitted would be for another chip.
    **Fix.** Correct the model, its asic in catalog.switches, or the nos.
    **Source.** sonic-net/sonic-swss e6b0c5b cfgmgr/buffer_headroom_mellanox.lua and pg_profile_lookup.ini of
    the SKUs (SONiC); arista.com/en/um-eos/eos-quality-of-service; CumulusNetworks/docs,
    Forwarding-Table-Size-and-Profiles.md; H3C RDMA technical reference 6W100; Huawei EDOC1100345000;
    juniper.net, QFX5200 configuration essentials.
    """
    for switch in first_of_each((s for s in plan.switches if not s.asic_known), _type):
        kind = switch.type
        what = f"{kind.nos} has no data for {kind.model.asic}, the ASIC of {kind.model.name}"
        yield Finding((*kind.at, "model"), what, "correct model or nos of the switch type")


def _table(switch: SwitchPlan) -> int:
    """Entries the switch can hold: the ASIC's and, where it counts, the kernel's; 0 when neither is known."""
    kernel = (switch.arp.gc_thresh if switch.arp.enabled else switch.arp.gc_shipped)[2:]
    known = [size for size in (switch.demand.host_table, *kernel) if size]
    return min(known, default=0)


@check("NP809", "the neighbour table is too small", on=Plan, counts=_switch_count)
def neighbour_table_full(plan: Plan) -> Iterator[Finding]:
    """A gateway holds one entry per address behind it, and those of pods that ended until they age out.

    **Why.** Entries that do not fit are not installed: some pods cannot be reached, others can.
    **Fix.** Use fewer VFs, more leaves, segment host, or a forwarding profile with more hosts; then state
    host_table.
    **Source.** sonic-net/sonic-buildimage issues 2189 and 4885
    """
    for switch in plan.switches:
        table, need = _table(switch), switch.demand.total
        if table and need > FULL * table:
            usable = int(FULL * table)
            what = f"{switch.name} needs {need} neighbour entries, {usable} of its {table} can be planned"
            routed = f"rails.segment host, with which it needs {switch.demand.routed}"
            hint = f"use fewer VFs, or {routed}; or state a larger host_table"
            yield Finding(switch.at, what, hint)


@check(
    "NP810", "the kernel's neighbour limit is raised", on=Plan, counts=_switch_count, severity=Severity.INFO
)
def kernel_limit_raised(plan: Plan) -> Iterator[Finding]:
    """The kernel of the switch drops entries above gc_thresh3, however large the ASIC's table is.

    **Why.** The shipped limit is below what this leaf needs.
    **Fix.** Apply arp.conf before the hosts come up.
    **Source.** sonic-net/sonic-buildimage files/image_config/sysctl/90-sonic.conf
    """
    for switch in plan.switches:
        planned, shipped = switch.arp.gc_thresh, switch.arp.gc_shipped
        if switch.arp.enabled and planned[2:] != shipped[2:]:
            what = f"{switch.name}: gc_thresh3 is raised from {shipped[2]} to {planned[2]} entries"
            yield Finding(switch.at, what, "apply arp.conf before the hosts come up")


def _stated_queues(plan: Plan) -> int:
    return sum(bool(switch.type.queue_bytes) for switch in plan.switches)


@check("NP843", "a queue size that ECN thresholds do not fit", on=Plan, counts=_stated_queues)
def queue_bytes_unfit(plan: Plan) -> Iterator[Finding]:
    """ECN in percent needs the size of the queue, and both thresholds lie below it.

    **Why.** A level of 100 percent or more is refused or never marks; on a NOS that takes bytes or cells the
    key changes nothing.
    **Fix.** State the size as the switch has it, lower the threshold, or remove queue_bytes.
    **Source.** Juniper statement fill-level: percent of the memory of the queue, the last level not 100
    """
    for switch in first_of_each((s for s in plan.switches if s.type.queue_bytes), _type):
        at, size = (*switch.type.at, "queue_bytes"), switch.type.queue_bytes
        if not switch.qos.queue_bytes or not switch.qos.marking:
            why = "has no queue with ECN" if switch.qos.queue_bytes else "takes no ECN threshold in percent"
            what = f"queue_bytes of switch type {switch.type.name} is {size}, but "
            yield Finding(at, f"{what}{switch.name} ({switch.nos}) {why}", "remove queue_bytes")
        for queue in switch.qos.marking if switch.qos.queue_bytes else ():
            if queue.ecn[0].kmax >= PERCENT:
                what = f"ECN of queue {queue.number} ends at {queue.ecn[0].kmax_bytes} bytes, "
                what += f"queue_bytes of switch type {switch.type.name} is {size}"
                yield Finding(at, what, "correct queue_bytes, or lower kmax_bytes of the class")


@check(
    "NP811",
    "the size of the neighbour table is not known",
    on=Plan,
    counts=_switch_count,
    severity=Severity.WARNING,
)
def neighbour_table_unknown(plan: Plan) -> Iterator[Finding]:
    """The same ASIC has 8,000 to 147,000 entries, by SKU and forwarding profile.

    **Why.** netplan cannot tell whether the addresses behind a leaf fit.
    **Fix.** Read it on the switch and state host_table of the switch type.
    **Source.** sonic-net/sonic-buildimage device/*/*.config.bcm
    """
    for switch in first_of_each((s for s in plan.switches if not s.demand.host_table), _type):
        what = f"host_table of switch type {switch.type.name} ({switch.type.model.name}) is not known"
        yield Finding(switch.type.at, what, "state host_table")


@check(
    "NP812",
    "an ARP age the NOS cannot have",
    on=Plan,
    counts=lambda plan: sum(s.arp.enabled for s in plan.switches),
)
def arp_age_out_of_range(plan: Plan) -> Iterator[Finding]:
    """Ages have bounds and a granularity.

    **Why.** The command is refused and the default, up to four hours, stays.
    **Fix.** Take a fabric.arp.timeout_seconds that every leaf's NOS can have.
    **Source.** aristanetworks/avd 3cac535c (EOS, 60 to 65535 s); netascode.cisco.com, data model nxos, device
    arp (to 28800 s); juniper.net, statement aging-timer (1 to 240 min); HPE 10500 command reference, arp
    timer aging (60 to 86400 s); Huawei EDOC1100345000 (30 to 86400 s).
    """
    at = ("fabric", "arp", "timeout_seconds")
    for switch in first_of_each((s for s in plan.switches if s.arp.enabled), _nos):
        arp, limits = switch.arp, switch.limits
        if arp.age < limits.arp_min or (limits.arp_max and arp.age > limits.arp_max):
            bounds = f"{limits.arp_min} to {limits.arp_max}"
            what = f"ARP age {arp.age} {arp.unit} is outside {bounds} of {switch.nos}"
            yield Finding(at, what, "take an age within these bounds")
        elif arp.unit == "min" and arp.seconds % 60:
            what = f"{switch.nos} counts ARP ages in minutes, {arp.seconds} s become {arp.age} min"
            yield Finding(at, what, "take a multiple of 60")


def _mac_aged(plan: Plan) -> list[SwitchPlan]:
    """One switch of each NOS that is told a MAC age."""
    told = (s for s in plan.switches if s.arp.mac_wanted and s.arp.mac_wanted == s.arp.mac_seconds)
    return list(first_of_each(told, _nos))


@check(
    "NP845",
    "a MAC age the NOS cannot have",
    on=Plan,
    counts=lambda plan: len(_mac_aged(plan)),
)
def mac_age_out_of_range(plan: Plan) -> Iterator[Finding]:
    """MAC ages have bounds.

    **Why.** The command is refused, the default of 300 s stays, and ARP entries outlive MAC entries.
    **Fix.** Take a fabric.arp.mac_timeout_seconds that every leaf's NOS can have.
    **Source.** aristanetworks/avd 3cac535c, mac_address_table (to 1000000 s); CumulusNetworks/docs
    0186b96e, nvue-reference, Bridge.md (to 65535 s); juniper.net, statement global-mac-table-aging-time; HPE
    5700 layer 2 command reference 5998-5602R, mac-address timer aging; Huawei EDOC1100345000 (60 to 1000000
    s).
    """
    for switch in _mac_aged(plan):
        age, limits = switch.arp.mac_wanted, switch.limits
        if age < limits.mac_min or (limits.mac_max and age > limits.mac_max):
            bounds = f"{limits.mac_min} to {limits.mac_max} s"
            what = f"MAC age {age} s is outside {bounds} of {switch.nos}"
            yield Finding(("fabric", "arp", "mac_timeout_seconds"), what, "take an age within these bounds")


@check(
    "NP844",
    "PFC watchdog times the switch cannot have",
    on=Plan,
    counts=lambda plan: sum(bool(s.watchdog.step_ms or s.watchdog.unfit) for s in plan.switches),
)
def watchdog_unfit(plan: Plan) -> Iterator[Finding]:
    """Some ASICs count watchdog times in steps, and only so many of them.

    **Why.** The command is refused, and the switch keeps the times it was shipped with.
    **Fix.** Take times that the steps of every switch lead to, or another switch model.
    **Source.** Huawei EDOC1100345000, deadlock-detect and deadlock-recovery: steps of 10, 100, 500 or 1000 ms
    by model.
    """
    for switch in first_of_each((s for s in plan.switches if s.watchdog.unfit), _type):
        what = f"PFC watchdog of {switch.name} ({switch.type.model.asic}): {switch.watchdog.unfit}"
        yield Finding(("fabric", "qos", "pfc_watchdog"), what, "take times within these bounds")


@check(
    "NP813",
    "ARP entries outlive MAC entries",
    on=Plan,
    counts=lambda plan: sum(bool(s.arp.enabled and s.arp.mac_seconds) for s in plan.switches),
    severity=Severity.WARNING,
)
def arp_outlives_mac(plan: Plan) -> Iterator[Finding]:
    """A packet whose next hop is known but whose MAC has aged out is flooded.

    **Why.** Flooded lossless traffic goes to every port, upwards too, and can close a PFC deadlock.
    **Fix.** Keep fabric.arp.timeout_seconds at or below the MAC age.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016
    """
    for switch in first_of_each((s for s in plan.switches if s.arp.enabled), _nos):
        arp = switch.arp
        if arp.mac_seconds and arp.seconds > arp.mac_seconds and "mac_age" not in switch.lacking:
            what = f"ARP age {arp.seconds} s is above the MAC age {arp.mac_seconds} s of {switch.nos}"
            yield Finding(("fabric", "arp"), what, f"lower timeout_seconds to {arp.mac_seconds}")
