"""NP311, NP416: settings that work but waste packet size or buffer."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric
from netplan.model.qos_classes import QosClass

ROCE_STEPS = (1024, 2048, 4096)
"""InfiniBand and RoCE path MTUs too large for some Ethernet MTUs."""

ROCE_HEADERS = 96
"""GRH 40, UDP 8, BTH 12, XRC 4, AtomicETH 28, ICRC 4: torvalds/linux include/rdma/ib_addr.h, iboe_get_mtu."""


@check(
    "NP311",
    "MTU just below a RoCE packet size",
    on=Fabric,
    counts=lambda fabric: int(fabric.type in ("roce", "pvrdma")),
    severity=Severity.WARNING,
)
def mtu_below_step(fabric: Fabric) -> Iterator[Finding]:
    """RoCE sends packets of 1,024, 2,048 or 4,096 bytes plus headers.

    **Why.** An MTU with room for the payload but not the headers halves the size of every packet.
    **Fix.** Raise `fabric.mtu` to the value named; 4200 is usual for packets of 4,096 bytes, 9000 fits
    every size.
    **Source.** torvalds/linux bd0ab5ef include/rdma/ib_addr.h, iboe_get_mtu
    """
    for step in ROCE_STEPS if fabric.type in ("roce", "pvrdma") else ():
        if step <= fabric.mtu < step + ROCE_HEADERS:
            what = (
                f"fabric.mtu {fabric.mtu} gives RoCE packets of {step // 2:,} bytes; "
                f"{step:,} bytes and headers need {step + ROCE_HEADERS}"
            )
            yield Finding(("fabric", "mtu"), what, f"set fabric.mtu to {step + ROCE_HEADERS} or more")


def _lossless(fabric: Fabric) -> tuple[QosClass, ...]:
    """Lossless classes, if only pod networks can use them and each network states its class; else ().

    NP407 reports a lossless class for CNPs.
    """
    elsewhere = any(hca.use == "storage" for kind in fabric.host_types for hca in kind.hcas)
    unstated = not fabric.networks or any(n.traffic_class is None for n in fabric.networks)
    lossless = fabric.qos.lossless if fabric.qos is not None else ()
    told = len(lossless) > 2  # reported by NP403
    return () if elsewhere or unstated or told else tuple(c for c in lossless if c.name != "cnp")


@check(
    "NP416",
    "lossless class that no network uses",
    on=Fabric,
    counts=lambda fabric: len(_lossless(fabric)),
    severity=Severity.WARNING,
)
def unused_lossless(fabric: Fabric) -> Iterator[Finding]:
    """Every lossless class takes a full set of headroom on every port of every switch.

    **Why.** With two classes configured and one used, half of the headroom is reserved for nothing.
    **Fix.** Name the class in `traffic_class` of a network, make it `lossless: false`, or remove it.
    **Source.** buffers_defaults_t0.j2 and _t1.j2 of the SKU in sonic-net/sonic-buildimage
    """
    used = {n.traffic_class.name for n in fabric.networks if n.traffic_class is not None}
    for c in _lossless(fabric):
        if c.name not in used:
            names = ", ".join(sorted(used))
            what = f"class {c.name} is lossless, but the networks use only {names}"
            yield Finding(c.at, what, "name it in traffic_class of a network, or set lossless: false")
