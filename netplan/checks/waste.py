"""NP311, NP416, NP831: what works, and costs more than was meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, QosClass
from netplan.model.plan import Plan
from netplan.model.ranges import gathered

ROCE_STEPS = (1024, 2048, 4096)
"""Path MTUs of InfiniBand and RoCE above what every Ethernet carries."""

ROCE_HEADERS = 96
"""GRH 40, UDP 8, BTH 12, XRC 4, AtomicETH 28, ICRC 4: torvalds/linux include/rdma/ib_addr.h, iboe_get_mtu."""


@check(
    "NP311",
    "an MTU just below a step of RoCE",
    on=Fabric,
    counts=lambda fabric: int(fabric.type in ("roce", "pvrdma")),
    severity=Severity.WARNING,
)
def mtu_below_step(fabric: Fabric) -> Iterator[Finding]:
    """RoCE sends packets of 1024, 2048 or 4096 bytes, and its headers go on top of them.

    **Why.** An MTU that has room for the payload and not for the headers halves every packet.
    **Fix.** Raise `fabric.mtu` by the bytes named; 4200 is usual for 4096, 9000 covers everything.
    **Source.** torvalds/linux include/rdma/ib_addr.h, iboe_get_mtu
    """
    for step in ROCE_STEPS if fabric.type in ("roce", "pvrdma") else ():
        if step <= fabric.mtu < step + ROCE_HEADERS:
            what = (
                f"fabric.mtu {fabric.mtu} gives RoCE packets of {step // 2} bytes; "
                f"{step} and their headers need {step + ROCE_HEADERS}"
            )
            yield Finding(("fabric", "mtu"), what, f"set fabric.mtu to {step + ROCE_HEADERS} or more")


def _lossless(fabric: Fabric) -> tuple[QosClass, ...]:
    """Lossless classes, where only networks of pods can use them and each says which one it uses.

    A lossless class for CNPs is NP407's.
    """
    elsewhere = any(hca.use == "storage" for kind in fabric.host_types for hca in kind.hcas)
    unstated = not fabric.networks or any(n.traffic_class is None for n in fabric.networks)
    lossless = fabric.qos.lossless if fabric.qos is not None else ()
    told = len(lossless) > 2  # NP403 has these
    return () if elsewhere or unstated or told else tuple(c for c in lossless if c.name != "cnp")


@check(
    "NP416",
    "a lossless class that no network uses",
    on=Fabric,
    counts=lambda fabric: len(_lossless(fabric)),
    severity=Severity.WARNING,
)
def unused_lossless(fabric: Fabric) -> Iterator[Finding]:
    """Every lossless class takes a full set of headroom on every port of every switch.

    **Why.** With two classes planned and one used, half the headroom is kept free for nothing.
    **Fix.** Name the class in `traffic_class` of a network, make it `lossless: false`, or remove it.
    **Source.** buffers_defaults_t0.j2 and _t1.j2 of the SKU in sonic-net/sonic-buildimage
    """
    used = {n.traffic_class.name for n in fabric.networks if n.traffic_class is not None}
    for c in _lossless(fabric):
        if c.name not in used:
            names = ", ".join(sorted(used))
            what = f"class {c.name} is lossless, and the networks use {names} only"
            yield Finding(c.at, what, "name it in traffic_class of a network, or set lossless: false")


def _bandwidth(plan: Plan) -> dict[str, tuple[int, int]]:
    """Leaf -> Gb/s towards hosts and towards spines, of those with both; none where leaves are linked."""
    found: dict[str, tuple[int, int]] = {}
    if any(link.upper.role == "leaf" for link in plan.fabric.switch_links):
        return found
    for switch in plan.switches:
        down = sum(port.speed_gbps for port in switch.ports if port.kind == "host")
        up = sum(port.speed_gbps for port in switch.ports if port.kind == "uplink")
        if down and up:
            found[switch.name] = (down, up)
    return found


@check(
    "NP831",
    "a leaf has less bandwidth up than its peers",
    on=Plan,
    counts=lambda plan: len(_bandwidth(plan)),
    severity=Severity.WARNING,
)
def narrow_leaf(plan: Plan) -> Iterator[Finding]:
    """Leaves have as much bandwidth to the spines as most of their peers, or fewer hosts to share it.

    **Why.** A collective is as slow as its slowest flow: hosts of the one leaf with fewer uplinks hold back
    every job they are in.
    **Fix.** Add the missing links; accept the finding where the leaf's hosts need less.
    **Source.** Facts, switches F.3: ratio of the sums of port speeds, links equal on every leaf
    """
    bandwidth = _bandwidth(plan)
    if not bandwidth:
        return
    ups = Counter(up for _, up in bandwidth.values())
    usual = max(ups, key=lambda up: (ups[up], up))
    peers = [name for name, (_, up) in bandwidth.items() if up == usual]
    worst = max([Fraction(1), *(Fraction(*bandwidth[name]) for name in peers)])
    narrow: dict[tuple[int, int], list[str]] = defaultdict(list)
    for name, (down, up) in bandwidth.items():
        if up < usual and Fraction(down, up) > worst:
            narrow[down, up].append(name)
    places = {switch.name: switch.at for switch in plan.switches}
    for (down, up), names in narrow.items():
        has = f"{gathered(names)} {'has' if len(names) == 1 else 'have'} {down} Gb/s down and {up} up"
        what = f"{has}, {gathered(peers)} {'has' if len(peers) == 1 else 'have'} {usual} up"
        yield Finding(places[names[0]], what, "add the missing links to the spines")
