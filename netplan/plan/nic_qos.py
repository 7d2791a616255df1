"""NIC QoS and NIC firmware settings of a host, for the owners ``host``.

Sources: spidernet-io/spiderpool docs/example/qos/rdma-qos.sh (commands and sysfs files); Mellanox/mlnx-tools
python/mlnx_qos (``--trust`` and ``--dscp2prio`` exclude each other; ``--cable_len`` alone writes an empty PFC
mask; shares must be 0 for strict classes); torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c
``mlx5e_ets_init`` (priorities 0 and 1 start on each other's class).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from netplan.model.carrying import uses
from netplan.model.fabric import Fabric
from netplan.model.hardware import HostType
from netplan.model.hosts import (
    Firmware,
    FirmwareCard,
    NicClass,
    NicQos,
    NicQosDevice,
    NicScript,
    ScheduledPriority,
)
from netplan.model.nic_qos import qos_gap
from netplan.model.qos import QosPlan, TrafficClass
from netplan.plan.ecn import RULES
from netplan.plan.host_ports import HostPort
from netplan.plan.host_system import RUNTIME_UNITS

STRICT_LIMIT_GBPS = 10
"""Rate limit in Gb/s of a strict priority: nicctl refuses one without a limit, and AMD's own recipe has 10
(ROCm documentation, Network configuration for performance optimization)."""

_STARTS_PODS: Mapping[str, tuple[str, ...]] = {
    **{distribution: (unit,) for distribution, unit in RUNTIME_UNITS.items()},
    "openshift": ("crio", "kubelet"),
}
"""Distribution -> systemd units that start pods. OpenShift: openshift/machine-config-operator
templates/worker/01-worker-kubelet/_base/units/kubelet.service.yaml (Requires=crio.service)."""

ECN_BITS = 3
"""ECN bits of the traffic class byte; bnxt_re sets them itself (bnxt_setupcc.sh: default_roce_tos is DSCP <<
2)."""

LINK_TYPES = {"infiniband": 1, "ethernet": 2}
"""Values of LINK_TYPE_Px (docs.nvidia.com, MFT, "Using mlxconfig")."""

_PLAIN = re.compile(r"[A-Za-z0-9:_.]")


def plan_nic_qos(
    fabric: Fabric,
    host_type: HostType,
    ports: Iterable[HostPort],
    qos: QosPlan | None,
    cables: Mapping[tuple[str, str], int],
) -> NicQos | None:
    """NIC QoS of a host type; None unless the host owns it on RoCE. ``cables``: longest cable in metres by
    host type and HCA."""
    if qos is None or fabric.type != "roce" or fabric.cluster.owners.nic_qos != "host":
        return None
    scripts = tuple(_scripts(fabric, host_type, ports, qos, cables))
    if not scripts:
        return None
    by_dscp = qos.dscp_to_priority if qos.trust == "dscp" else ()
    stall_ms = fabric.qos.nic_pfc_stall_ms if fabric.qos else None
    return NicQos(
        trust=qos.trust,
        classes=tuple(_class(c) for c in qos.classes),
        pfc=qos.pfc_mask,
        dscp_to_priority=tuple(enumerate(by_dscp)),
        tsa=tuple("strict" if p in qos.strict else "ets" for p in range(8)),
        weights=qos.weights,
        scheduled=tuple(_scheduled(qos)),
        ecn_classes=tuple((c.priority, _marking(c)) for c in qos.classes if c.marked),
        cnp_dscp=qos.cnp_dscp,
        cnp_priority=qos.cnp_priority,
        stall_ms=stall_ms,
        adaptive_routing=fabric.adaptive_routing,
        scripts=scripts,
        wants=tuple(_units(scripts)),
        before=_STARTS_PODS[fabric.cluster.distribution],
    )


def _units(scripts: Iterable[NicScript]) -> Iterable[str]:
    return (device_unit(d.netdev) for script in scripts for d in script.devices if d.netdev)


def _class(c: TrafficClass) -> NicClass:
    return NicClass(dscp=c.dscp, priority=c.priority, lossless=c.lossless, weight=c.weight_percent)


def _scripts(
    fabric: Fabric,
    host_type: HostType,
    ports: Iterable[HostPort],
    qos: QosPlan,
    cables: Mapping[tuple[str, str], int],
) -> Iterable[NicScript]:
    """One script per driver, in the order of their first ports."""
    found: dict[str, list[NicQosDevice]] = defaultdict(list)
    files: dict[str, str] = {}
    for port in ports:
        hca, driver = port.hca, port.hca.model.driver
        placed = port.configurable and hca.link == "ethernet" and (hca.netdev or hca.pci)
        if not placed or driver is None or driver.script is None or qos_gap(fabric, host_type, hca):
            continue
        files[driver.name] = driver.script
        tos = _tos(fabric, host_type, port, qos)
        found[driver.name].append(
            NicQosDevice(
                hca=hca.name,
                netdev=hca.netdev,
                pci=hca.pci if hca.netdev is None else None,
                tos=tos,
                arguments=_ARGUMENTS[driver.name](
                    cables.get((host_type.name, hca.name)),
                    tos,
                    hca.model.out_of_order if fabric.adaptive_routing else None,
                ),
            )
        )
    for name, devices in found.items():
        yield NicScript(driver=name, file=files[name], devices=tuple(devices))


def _text(value: int | None) -> str:
    return "" if value is None else str(value)


def _mlx5(cable_m: int | None, tos: int | None, out_of_order: bool | None) -> tuple[str, ...]:
    asked = () if out_of_order is None else ("1" if out_of_order else "",)
    return _text(cable_m), _text(tos), *asked


_ARGUMENTS: Mapping[str, Callable[[int | None, int | None, bool | None], tuple[str, ...]]] = {
    "mlx5": _mlx5,
    "bnxt": lambda cable_m, tos, out_of_order: (_text(None if tos is None else tos & ~ECN_BITS),),
    "ionic": lambda cable_m, tos, out_of_order: (),
}
"""Driver -> arguments of its script's ``apply`` after the interface. Inputs: cable length in metres, traffic
class byte, and whether the NIC accepts packets out of order (None: no adaptive routing)."""


def _scheduled(qos: QosPlan) -> Iterable[ScheduledPriority]:
    for priority in sorted({0, *(c.priority for c in qos.classes)}):
        limit = STRICT_LIMIT_GBPS if priority in qos.strict else 0
        yield ScheduledPriority(priority=priority, weight=qos.weights[priority], limit_gbps=limit)


def _marking(traffic_class: TrafficClass) -> str:
    ecn = traffic_class.ecn
    if ecn is None:
        return f"by rule {traffic_class.ecn_rule}, {RULES[str(traffic_class.ecn_rule)].formula}"
    return f"from {ecn.kmin_bytes:,} to {ecn.kmax_bytes:,} bytes, {ecn.probability_percent} %"


def _tool_ports(ports: Iterable[HostPort]) -> Iterable[HostPort]:
    """Ports whose firmware is configured with mlxconfig."""
    return (p for p in ports if p.configurable and p.hca.model.driver and p.hca.model.driver.mlxconfig)


def _tos(fabric: Fabric, host_type: HostType, port: HostPort, qos: QosPlan) -> int | None:
    """Traffic class byte for all queue pairs of a port; None if its networks use several classes."""
    networks = [n for n in fabric.networks if uses(n, host_type, port.hca)]
    names = {n.traffic_class.name for n in networks if n.traffic_class}
    if not networks:
        names = {c.name for c in qos.classes if c.lossless}
    return qos.traffic_class(names.pop()).tos if len(names) == 1 else None


def device_unit(netdev: str) -> str:
    """Name of the interface's systemd device unit; every character but letters, digits and ``:_.`` becomes
    ``\\xNN``."""
    escaped = "".join(c if _PLAIN.match(c) else f"\\x{ord(c):02x}" for c in netdev)
    return f"sys-subsystem-net-devices-{escaped}.device"


def plan_firmware(fabric: Fabric, ports: Iterable[HostPort], qos: QosPlan | None) -> Firmware | None:
    """Firmware settings by card. None if an operator sets the firmware: two owners would overwrite each
    other."""
    owners = fabric.cluster.owners
    if owners.nic_qos != "host":
        return None
    wanted = list(_tool_ports(ports))
    cards: dict[str, list[HostPort]] = defaultdict(list)
    for port in wanted:
        if port.hca.pci is not None:
            cards[port.hca.pci.rpartition(".")[0]].append(port)
    planned = []
    for members in cards.values():
        members.sort(key=lambda p: p.hca.pci or "")
        by_port = (s for p in members for s in _port_settings(fabric, p, qos))
        settings = (*_vf_settings(fabric, members), *by_port)
        if settings:
            names = tuple(p.hca.name for p in members)
            planned.append(FirmwareCard(pci=members[0].hca.pci or "", hcas=names, settings=settings))
    unplaced = tuple(p.hca.name for p in wanted if p.hca.pci is None)
    return Firmware(cards=tuple(planned), unplaced=unplaced) if planned else None


def _vf_settings(fabric: Fabric, members: Sequence[HostPort]) -> tuple[str, ...]:
    """SR-IOV settings of a card. NUM_OF_VFS applies to all its ports, so it is the maximum over them."""
    most = max(p.hca.vfs if p.hca.use == "vf" else 0 for p in members)
    if not fabric.cluster.owners.of_vfs.files or most == 0:
        return ()
    return "SRIOV_EN=1", f"NUM_OF_VFS={most}"


def _port_settings(fabric: Fabric, port: HostPort, qos: QosPlan | None) -> Iterable[str]:
    """Settings of one port. PCI function 0 is port 1 of the card, function 1 port 2; no other function has
    numbered parameters."""
    function = int((port.hca.pci or "0").rpartition(".")[2])
    if function > 1:
        return
    number = function + 1
    if not fabric.cluster.owners.of_vfs.policies and len(port.hca.model.links) > 1:
        yield f"LINK_TYPE_P{number}={LINK_TYPES[port.hca.link]}"
    if fabric.type == "roce" and qos is not None and qos.cnp is not None:
        yield f"CNP_DSCP_P{number}={qos.cnp.dscp}"
        yield f"CNP_802P_PRIO_P{number}={qos.cnp.priority}"
