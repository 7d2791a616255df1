"""What of the fabric's QoS netplan can set on a NIC, and why it cannot set the rest."""

from __future__ import annotations

from typing import Final

from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, HostType, NicDriver

OPERATOR: Final = "nic-configuration-operator"


def in_question(fabric: Fabric, host_type: HostType, hca: Hca) -> bool:
    """Whether the inventory sets the QoS of a port: an RDMA port of a node, not of a hypervisor."""
    ours = host_type.node and hca.for_pods and not hca.virtual
    return ours and fabric.type == "roce" and fabric.qos is not None and hca.link == "ethernet"


def qos_gap(fabric: Fabric, host_type: HostType, hca: Hca) -> str | None:
    """Why neither a script nor an operator sets the QoS of a port; None if one does."""
    model, driver = hca.model, hca.model.driver
    if driver is None:
        return f"no source for the QoS of PCI device {model.vendor}:{model.pf_id}"
    if fabric.cluster.owners.nic_qos == OPERATOR:
        return None if driver.operator else f"the {OPERATOR} sets NVIDIA NICs only"
    if driver.script is None:
        return driver.unwritten
    return _class_gap(fabric, driver) or _host_gap(host_type, driver)


def _class_gap(fabric: Fabric, driver: NicDriver) -> str | None:
    qos = fabric.qos
    if qos is None:
        return None
    if qos.trust not in driver.trust:
        return f"its script has trust {' or '.join(driver.trust)} only, fabric.qos.trust is {qos.trust}"
    names = [c.name for c in qos.lossless]
    if driver.shared_only and len(names) != driver.lossless:
        return f"its script has one lossless class, fabric.qos has {', '.join(names) or 'none'}"
    strict = [c.name for c in qos.lossless if c.scheduling == "strict"]
    if driver.shared_only and strict:
        return f"its script has no strict lossless class, {strict[0]} is one"
    return None


def _host_gap(host_type: HostType, driver: NicDriver) -> str | None:
    """A tool that configures all cards of a host must not find a card there that carries something else."""
    for other in host_type.hcas if driver.whole_host else ():
        if other.model.driver == driver and not other.for_pods:
            return f"its tool sets all cards of a host, and {other.name} has use {other.use}"
    return None
