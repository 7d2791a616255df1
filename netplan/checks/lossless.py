"""NP420 to NP424, NP835: safeguards that keep lossless traffic from taking down the network or routing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan
from netplan.model.qos_classes import QosClass
from netplan.model.ranges import gathered

CONTROL_DSCP = 48
"""CS6, with which BGP implementations mark their packets (RFC 4594 section 3.2; FRRouting bgpd/bgp_network.c,
IPTOS_PREC_INTERNETCONTROL)."""

CONTROL_DSCPS = {CONTROL_DSCP: "which BGP has", 56: "which is for network control"}


def _lossless_switches(plan: Plan) -> list[str]:
    return [switch.name for switch in plan.switches if switch.lossless_ports]


@check(
    "NP420",
    "lossless class without a PFC watchdog",
    on=Plan,
    counts=lambda plan: len(_lossless_switches(plan)),
    severity=Severity.WARNING,
    about="switches",
)
def no_watchdog(plan: Plan) -> Iterator[Finding]:
    """The watchdog drops the packets of a queue that has been paused for too long.

    **Why.** One NIC that sends pause frames without end stops its switch port, then the uplinks, then
    every host whose traffic crosses them. Only a watchdog ends such a storm.
    **Fix.** State `fabric.qos.pfc_watchdog`; `{}` takes its defaults.
    **Source.** Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016, section 4.3; sonic-net/SONiC
    wiki, PFC Watchdog
    """
    qos, switches = plan.fabric.qos, _lossless_switches(plan)
    if qos is not None and qos.watchdog is None and switches:
        names = ", ".join(c.name for c in qos.lossless)
        what = f"class {names} is lossless on {gathered(switches)}, but there is no pfc_watchdog"
        hint = "add pfc_watchdog: {poll_ms: 200, detection_ms: 200, restoration_ms: 2000}"
        yield Finding(qos.at, what, hint)


def _speakers(plan: Plan) -> list[str]:
    """Switches with BGP sessions over ports that classify traffic."""
    found = []
    for switch in plan.switches:
        sessions = {neighbour.port for neighbour in switch.neighbours}
        if switch.qos.queues and any(port.name in sessions for port in switch.rdma_ports):
            found.append(switch.name)
    return found


@check(
    "NP421",
    "BGP without a queue of its own",
    on=Plan,
    counts=lambda plan: len(_speakers(plan)),
    severity=Severity.INFO,
    about="switches",
)
def shared_control_queue(plan: Plan) -> Iterator[Finding]:
    """BGP uses DSCP 48 (CS6), also the usual code point of CNPs, so both are in the same class.

    **Why.** Sharing a strict queue with CNPs, keepalives are delayed by a flood of them; without a class
    BGP is best effort. A session that times out withdraws all routes over its link.
    **Fix.** Give CNPs another code point and control traffic a class of its own, if the NOS has
    configurable maps: `cnp: {dscp: 50, priority: 6, scheduling: strict}` and `control: {dscp: 48,
    priority: 7, scheduling: strict}`.
    **Source.** RFC 4594 section 3.2; CumulusNetworks/docs 1ffba627 cumulus-linux-514,
    RDMA-over-Converged-Ethernet-RoCE.md (CNP: DSCP 48, priority 6, strict)
    """
    qos, speakers = plan.fabric.qos, _speakers(plan)
    if qos is None or qos.trust != "dscp" or not speakers:
        return
    owner = next((c for c in qos.classes if c.dscp == CONTROL_DSCP), None)
    on = f"on {gathered(speakers)}"
    separate = "give CNPs dscp: 50, and add control: {dscp: 48, priority: 7, scheduling: strict}"
    if owner is None:
        what = f"BGP (DSCP 48) is in no class, so it is best effort {on}"
        yield Finding((*qos.at, "classes"), what, "add control: {dscp: 48, priority: 7, scheduling: strict}")
    elif owner is qos.cnp:
        queue = f"{owner.scheduling} queue {owner.priority}"
        yield Finding((*owner.at, "dscp"), f"CNPs and BGP, both DSCP 48, share {queue} {on}", separate)


def _lossless(fabric: Fabric) -> tuple[QosClass, ...]:
    return fabric.qos.lossless if fabric.qos is not None else ()


def _by_dscp(fabric: Fabric) -> tuple[QosClass, ...]:
    """Lossless classes that switches classify by DSCP. NP407 reports a lossless class cnp, NP401 a DSCP in
    two classes."""
    qos = fabric.qos
    if qos is None or qos.trust != "dscp":
        return ()
    shared = Counter(c.dscp for c in qos.classes)
    return tuple(c for c in qos.lossless if c is not qos.cnp and shared[c.dscp] == 1)


@check(
    "NP422",
    "lossless class with strict scheduling",
    on=Fabric,
    counts=lambda fabric: len(_lossless(fabric)),
    severity=Severity.WARNING,
)
def lossless_strict(fabric: Fabric) -> Iterator[Finding]:
    """Data that is always served first leaves the other classes only what it does not use.

    **Why.** RDMA fills a link: while it runs, best effort (SSH, storage, ARP) gets nothing, and
    bandwidth_percent of the class has no effect.
    **Fix.** Set `scheduling: dwrr` with a bandwidth_percent; strict is for CNPs and control traffic.
    **Source.** IEEE 802.1Q 8.6.8.1 (strict priority); CumulusNetworks/docs 1ffba627
    cumulus-linux-514, RDMA-over-Converged-Ethernet-RoCE.md, and NVIDIA Onyx user manual 3.10.4100, RoCE
    Commands, show roce (lossless data has a weight of 50 %, CNPs are strict)
    """
    for c in _lossless(fabric):
        if c.scheduling == "strict" and (fabric.qos is None or c is not fabric.qos.cnp):
            what = f"class {c.name} is lossless and strict, so all other classes starve while it has data"
            yield Finding((*c.at, "scheduling"), what, "set scheduling: dwrr and a bandwidth_percent")


@check(
    "NP423",
    "control traffic in a lossless class",
    on=Fabric,
    counts=lambda fabric: len(_by_dscp(fabric)),
    severity=Severity.WARNING,
)
def control_in_lossless(fabric: Fabric) -> Iterator[Finding]:
    """Routers mark BGP with DSCP 48 (CS6); 56 (CS7) is reserved for network control.

    **Why.** Keepalives are paused with the data: in a PFC storm sessions time out and their routes are
    withdrawn.
    **Fix.** Give the class another DSCP, such as 26.
    **Source.** RFC 4594 section 3.2; RFC 2474 section 4.2.2.2
    """
    for c in _by_dscp(fabric):
        if c.dscp in CONTROL_DSCPS:
            what = f"lossless class {c.name} has DSCP {c.dscp}, {CONTROL_DSCPS[c.dscp]}"
            yield Finding((*c.at, "dscp"), what, "set another dscp, such as 26")


@check(
    "NP424",
    "unmarked traffic in a lossless class",
    on=Fabric,
    counts=lambda fabric: len(_by_dscp(fabric)),
    severity=Severity.WARNING,
)
def unmarked_lossless(fabric: Fabric) -> Iterator[Finding]:
    """Every application that does not mark its traffic sends DSCP 0.

    **Why.** SSH, storage and image pulls become lossless: their congestion pauses whole links, and TCP no
    longer sees drops to slow down.
    **Fix.** Give the class a DSCP of its own, such as 26, with which the NICs then mark RDMA.
    **Source.** RFC 2474 section 4.1 (default behaviour, 000000)
    """
    for c in _by_dscp(fabric):
        if c.dscp == 0:
            what = f"lossless class {c.name} has DSCP 0, so all unmarked traffic is lossless"
            yield Finding((*c.at, "dscp"), what, "give the class a dscp of its own, such as 26")


@check(
    "NP835",
    "PFC watchdog times that the switch changes",
    on=Plan,
    counts=lambda plan: sum(switch.watchdog.enabled for switch in plan.switches),
    severity=Severity.INFO,
    about="switches",
)
def watchdog_changed(plan: Plan) -> Iterator[Finding]:
    """A switch may count polls, round to its own unit, or have no command for one of the times.

    **Why.** The watchdog acts on a queue, or restores it, at a different time than the inventory says.
    **Fix.** State times that every switch supports, or none; the switch's README shows the times in effect.
    **Source.** cisco.com, Nexus 9000 NX-OS 10.5 QoS guide, Configuring Priority Flow Control (polls of 100
    ms); juniper.net, cos-pfc-watchdog-configure (polls); CumulusNetworks/docs 0d142afe cumulus-linux-514,
    Quality-of-Service/_index.md, pfc-watchdog (polls); Huawei EDOC1100345000, deadlock-detect.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for switch in plan.switches:
        by_hand = any(gap.feature == "pfc_watchdog" for gap in switch.unconfirmed)
        for change in switch.watchdog.changed if not by_hand else ():
            found.setdefault(change, []).append(switch.name)
    for (time, text), names in found.items():
        what = f"PFC watchdog of {gathered(names)}: {text}"
        yield Finding(
            ("fabric", "qos", "pfc_watchdog", time), what, "see the times in effect in the switch's README"
        )
