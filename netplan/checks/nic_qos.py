"""NP535, NP540 to NP543: what sets the QoS of NICs, and what it cannot set."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostType
from netplan.model.nic_qos import OPERATOR, in_question, qos_gap
from netplan.model.qos import nic_priority

_OWNER: Path = ("cluster", "owners", "nic_qos")


def _by_operator(fabric: Fabric) -> int:
    named = fabric.cluster.owners.nic_qos == OPERATOR
    dscp = fabric.qos is not None and fabric.qos.trust == "dscp" and fabric.type == "roce"
    return len(fabric.qos.classes) if named and dscp and fabric.qos is not None else 0


@check("NP535", "the operator cannot give a class its priority on NICs", on=Fabric, counts=_by_operator)
def operators_priority(fabric: Fabric) -> Iterator[Finding]:
    """A NicConfigurationTemplate sets PFC by priority, and leaves the NIC's map of code points as it is:
    DSCP / 8.

    **Why.** The NIC pauses and sends the class in another priority than the fabric: its packets are dropped
    where switches pause the priority that the class has there.
    **Fix.** Give the class a DSCP from 8 times its priority up, or set `owners.nic_qos: host`, which writes
    the map.
    **Source.** CRD nicconfigurationtemplates of Mellanox/nic-configuration-operator (qos has no map); what
    mlnx_qos prints (att/netarbiter nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md).
    """
    for c in fabric.qos.classes if fabric.qos is not None and _by_operator(fabric) else ():
        own = nic_priority(c.dscp)
        if c.lossless and c.priority != own:
            what = f"class {c.name} has dscp {c.dscp} and priority {c.priority}, NICs give it priority {own}"
            first = 8 * c.priority
            hint = f"use a dscp from {first} to {first + 7}, or set cluster.owners.nic_qos: host"
            yield Finding((*c.at, "priority"), what, hint)


def _nics(fabric: Fabric) -> list[tuple[HostType, Hca]]:
    """RDMA ports whose QoS is the inventory's to set."""
    return [(kind, h) for kind in fabric.host_types for h in kind.hcas if in_question(fabric, kind, h)]


def _unset(fabric: Fabric) -> dict[Path, str]:
    """Ports whose QoS nothing sets: place and reason."""
    found = {(*h.at, "model"): qos_gap(fabric, kind, h) for kind, h in _nics(fabric)}
    return {at: gap for at, gap in found.items() if gap is not None}


@check("NP540", "the QoS of a NIC is not written", on=Fabric, counts=lambda fabric: len(_nics(fabric)))
def nic_without_qos(fabric: Fabric) -> Iterator[Finding]:
    """Trust, PFC, ETS, ECN and the DSCP of CNPs are set by a script per driver, or by NVIDIA's operator.

    **Why.** A NIC without them sends RDMA in a queue that drops, pauses the wrong priority or none, and does
    not slow down at ECN marks.
    **Fix.** Use a NIC or classes that a script is written for, or set this one up by other means and accept
    the finding.
    **Source.** spidernet-io/spiderpool docs/example/qos/rdma-qos.sh and Mellanox/mlnx-tools python/mlnx_qos
    (NVIDIA); ROCm/mori env_setup.sh (Broadcom and AMD). For Intel and other NICs no source says how.
    """
    hint = "use a NIC or classes that a script is written for, or set it by other means and accept this"
    for kind, hca in _nics(fabric):
        gap = qos_gap(fabric, kind, hca)
        if gap is not None:
            what = f"{kind.name} {hca.name} is a {hca.model.name}, its QoS is not written: {gap}"
            yield Finding((*hca.at, "model"), what, hint)


@check(
    "NP541",
    "nothing tells NICs of adaptive routing",
    on=Fabric,
    counts=lambda fabric: int(fabric.adaptive_routing and fabric.type == "roce"),
)
def nic_keeps_order(fabric: Fabric) -> Iterator[Finding]:
    """NVIDIA NICs place packets in any order only after a register is set, which each boot loses.

    **Why.** A NIC that waits for the order takes every overtaken packet for lost and has it sent again.
    **Fix.** Set `owners.nic_qos: host` and state `fabric.qos`: the NIC QoS script then sets the register.
    **Source.** Mellanox/nic-configuration-operator (adaptive routing is under runtimeConfig, in its
    Spectrum-X profiles only); register ROCE_ACCL, field adaptive_routing_forced_en.
    """
    if not fabric.adaptive_routing or fabric.type != "roce":
        return
    if fabric.qos is None:
        what = "fabric.adaptive_routing is true, without fabric.qos no script tells NICs"
        yield Finding(("fabric", "adaptive_routing"), what, "state fabric.qos")
        return
    if fabric.cluster.owners.nic_qos == OPERATOR:
        what = f"fabric.adaptive_routing is true, nic_qos is {OPERATOR}, whose template does not tell NICs"
        yield Finding(_OWNER, what, "set it to host, or set ROCE_ACCL at boot by other means and accept this")
        return
    unset = _unset(fabric)
    for kind, hca in _nics(fabric):
        driver, at = hca.model.driver, (*hca.at, "model")
        if hca.model.out_of_order and at not in unset and driver and not driver.adaptive_routing:
            what = f"{kind.name} {hca.name} is a {hca.model.name}, no script tells it of adaptive routing"
            yield Finding(at, what, "set it up by other means and accept this, or turn adaptive routing off")


@check(
    "NP542",
    "nic_pfc_stall_ms does not reach a NIC",
    on=Fabric,
    counts=lambda fabric: int(fabric.qos is not None and fabric.qos.nic_pfc_stall_ms is not None),
)
def stall_unset(fabric: Fabric) -> Iterator[Finding]:
    """Drivers with ethtool's tunable pfc-prevention-tout stop a pause storm of their own NIC.

    **Why.** A NIC without it pauses its leaf port as long as its host hangs, and the pause spreads.
    **Fix.** Use a NIC whose driver has it, a time within its bounds, or leave the key out.
    **Source.** ethtool(8), --set-tunable; torvalds/linux mlx5 en_ethtool.c, 80 to 8000 ms; bnxt_en, ice and
    ionic have no such tunable.
    """
    wanted = fabric.qos.nic_pfc_stall_ms if fabric.qos is not None else None
    at: Path = ("fabric", "qos", "nic_pfc_stall_ms")
    if wanted is None or not _nics(fabric):
        return
    if fabric.cluster.owners.nic_qos == OPERATOR:
        what = f"nic_pfc_stall_ms is {wanted}, nic_qos is {OPERATOR}, which does not set it"
        yield Finding(at, what, "remove it, or set cluster.owners.nic_qos: host")
        return
    unset = _unset(fabric)
    for kind, hca in _nics(fabric):
        driver = hca.model.driver
        if driver is None or (*hca.at, "model") in unset:
            continue
        if driver.stall_ms is None:
            what = (
                f"nic_pfc_stall_ms is {wanted}, the driver of {kind.name} {hca.name} ({driver.name}) has none"
            )
            yield Finding((*hca.at, "model"), what, "accept this, or leave nic_pfc_stall_ms out")
        elif not driver.stall_ms[0] <= wanted <= driver.stall_ms[1]:
            least, most = driver.stall_ms
            what = f"nic_pfc_stall_ms is {wanted}, {driver.name} takes {least} to {most}"
            yield Finding(at, what, f"use a value from {least} to {most}")
            return


def _container_driver(fabric: Fabric) -> str | None:
    operator = fabric.cluster.network_operator
    return operator.ofed_version if operator is not None else None


@check(
    "NP543",
    "the driver container discards the QoS that the host sets",
    on=Fabric,
    counts=lambda fabric: len(_nics(fabric)) if _container_driver(fabric) else 0,
)
def discarded_by_container(fabric: Fabric) -> Iterator[Finding]:
    """rdma-nic-qos.service runs at boot, before any pod; the driver container reloads the NIC's driver later.

    **Why.** The files that its script writes below `ecn/` are the container's driver's, so the unit fails at
    boot; and when the container reloads the driver, trust, PFC and ETS are lost. NICs send RDMA without flow
    control, and nothing reports it.
    **Fix.** Set `owners.nic_qos: nic-configuration-operator`, which sets NICs after the driver has loaded, or
    install DOCA-OFED on the hosts and leave `ofed_version` out.
    **Source.** Mellanox/ofed-docker README.md (the container reloads the kernel modules); Mellanox/mlnx-tools
    (ecn/ is of the MLNX_OFED driver).
    """
    version = _container_driver(fabric)
    if version is None or fabric.cluster.owners.nic_qos != "host":
        return
    names = [
        f"{kind.name} {hca.name}"
        for kind, hca in _nics(fabric)
        if hca.model.driver is not None and hca.model.driver.mlxconfig and qos_gap(fabric, kind, hca) is None
    ]
    if names:
        driver = f"driver container {version} reloads the driver of {names[0]}"
        hint = f"set it to {OPERATOR}, or leave ofed_version out and install DOCA-OFED on the hosts"
        yield Finding(_OWNER, f"nic_qos is host, but the {driver} after boot", hint)
