"""NP535, NP540 to NP543: what configures QoS on the NICs, and its limits."""

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


@check("NP535", "class priority that the operator cannot set on NICs", on=Fabric, counts=_by_operator)
def operators_priority(fabric: Fabric) -> Iterator[Finding]:
    """A NicConfigurationTemplate sets PFC by priority and leaves the NIC's default DSCP map, DSCP / 8, in
    place.

    **Why.** The NIC uses a different priority for the class than the fabric does, so it ignores the pause
    frames of the switches and packets are dropped.
    **Fix.** Give the class a DSCP from 8 x priority to 8 x priority + 7, or set `owners.nic_qos: host`,
    which writes the map.
    **Source.** CRD nicconfigurationtemplates of Mellanox/nic-configuration-operator (qos has no map); what
    mlnx_qos prints (att/netarbiter 2c2682e6 nvmf/OUTPUTSAMPLE.setup-nic-lossless-layer3.sh.md).
    """
    for c in fabric.qos.classes if fabric.qos is not None and _by_operator(fabric) else ():
        own = nic_priority(c.dscp)
        if c.lossless and c.priority != own:
            what = (
                f"class {c.name} has dscp {c.dscp} and priority {c.priority}, but NICs map that DSCP "
                f"to priority {own}"
            )
            first = 8 * c.priority
            hint = f"use a dscp from {first} to {first + 7}, or set cluster.owners.nic_qos: host"
            yield Finding((*c.at, "priority"), what, hint)


def _nics(fabric: Fabric) -> list[tuple[HostType, Hca]]:
    """RDMA ports whose QoS the inventory configures."""
    return [(kind, h) for kind in fabric.host_types for h in kind.hcas if in_question(fabric, kind, h)]


def _unset(fabric: Fabric) -> dict[Path, str]:
    """Ports on which nothing configures QoS: place -> reason."""
    found = {(*h.at, "model"): qos_gap(fabric, kind, h) for kind, h in _nics(fabric)}
    return {at: gap for at, gap in found.items() if gap is not None}


@check("NP540", "NIC QoS not configured", on=Fabric, counts=lambda fabric: len(_nics(fabric)))
def nic_without_qos(fabric: Fabric) -> Iterator[Finding]:
    """Trust, PFC, ETS, ECN and the DSCP of CNPs are set by a script for the NIC's driver, or by NVIDIA's
    operator.

    **Why.** Without them a NIC sends RDMA in a lossy queue, pauses the wrong priority or none, and does
    not slow down at ECN marks.
    **Fix.** Use a NIC and classes that a script supports, or configure this NIC by other means and accept
    the finding.
    **Source.** spidernet-io/spiderpool a7fbd3b2 docs/example/qos/rdma-qos.sh and Mellanox/mlnx-tools 8fbfd9cf
    python/mlnx_qos (NVIDIA); lykeioner/driver bnxt_re/bnxt_setupcc.sh (Broadcom); AMD ROCm documentation,
    Network configuration for performance optimization (AMD). For Intel and other NICs no source says how.
    """
    hint = (
        "use a NIC and classes that a script supports, or configure it by other means and accept this finding"
    )
    for kind, hca in _nics(fabric):
        gap = qos_gap(fabric, kind, hca)
        if gap is not None:
            what = f"{kind.name} {hca.name} is a {hca.model.name}, its QoS is not configured: {gap}"
            yield Finding((*hca.at, "model"), what, hint)


@check(
    "NP541",
    "adaptive routing not enabled on NICs",
    on=Fabric,
    counts=lambda fabric: int(fabric.adaptive_routing and fabric.type == "roce"),
)
def nic_keeps_order(fabric: Fabric) -> Iterator[Finding]:
    """NVIDIA NICs accept out-of-order packets only after a register is set, and the setting is lost at
    each boot.

    **Why.** A NIC that expects packets in order treats every overtaken packet as lost and requests it again.
    **Fix.** Set `owners.nic_qos: host` and state `fabric.qos`: the NIC QoS script then sets the register.
    **Source.** Mellanox/nic-configuration-operator (adaptive routing is under runtimeConfig, in its
    Spectrum-X profiles only); register ROCE_ACCL, field adaptive_routing_forced_en.
    """
    if not fabric.adaptive_routing or fabric.type != "roce":
        return
    if fabric.qos is None:
        what = "fabric.adaptive_routing is true, but without fabric.qos no script enables it on NICs"
        yield Finding(("fabric", "adaptive_routing"), what, "state fabric.qos")
        return
    if fabric.cluster.owners.nic_qos == OPERATOR:
        what = (
            f"fabric.adaptive_routing is true, nic_qos is {OPERATOR}, whose template does not enable "
            "it on NICs"
        )
        yield Finding(
            _OWNER, what, "set it to host, or set ROCE_ACCL at boot by other means and accept this finding"
        )
        return
    unset = _unset(fabric)
    for kind, hca in _nics(fabric):
        driver, at = hca.model.driver, (*hca.at, "model")
        if hca.model.out_of_order and at not in unset and driver and not driver.adaptive_routing:
            what = f"{kind.name} {hca.name} is a {hca.model.name}, no script enables adaptive routing on it"
            yield Finding(
                at, what, "enable it by other means and accept this finding, or turn adaptive routing off"
            )


@check(
    "NP542",
    "nic_pfc_stall_ms not applied to a NIC",
    on=Fabric,
    counts=lambda fabric: int(fabric.qos is not None and fabric.qos.nic_pfc_stall_ms is not None),
)
def stall_unset(fabric: Fabric) -> Iterator[Finding]:
    """Drivers with the ethtool tunable pfc-prevention-tout stop a pause storm of their own NIC.

    **Why.** A NIC without it pauses its leaf port for as long as its host hangs, and the pause spreads.
    **Fix.** Use a NIC whose driver has it and a time within its bounds, or remove the key.
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
                f"nic_pfc_stall_ms is {wanted}, the driver of {kind.name} {hca.name} ({driver.name}) does "
                "not support it"
            )
            yield Finding((*hca.at, "model"), what, "accept this finding, or remove nic_pfc_stall_ms")
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
    "driver container discards the host's NIC QoS",
    on=Fabric,
    counts=lambda fabric: len(_nics(fabric)) if _container_driver(fabric) else 0,
)
def discarded_by_container(fabric: Fabric) -> Iterator[Finding]:
    """rdma-nic-qos.service runs at boot, before any pod; the driver container reloads the NIC driver later.

    **Why.** The `ecn/` files that the unit's script writes exist only with the container's driver, so the
    unit fails at boot; and when the container reloads the driver, trust, PFC and ETS are lost. NICs then
    send RDMA without flow control, and nothing reports it.
    **Fix.** Set `owners.nic_qos: nic-configuration-operator`, which sets NICs after the driver has loaded, or
    install DOCA-OFED on the hosts and leave `ofed_version` out.
    **Source.** Mellanox/ofed-docker 424738ec README.md (the container reloads the kernel modules);
    Mellanox/mlnx-tools (ecn/ is of the MLNX_OFED driver).
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
