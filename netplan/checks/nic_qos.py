"""NP535: what an operator can set of the QoS of NICs."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric
from netplan.model.qos import nic_priority


def _by_operator(fabric: Fabric) -> int:
    named = fabric.cluster.owners.nic_qos == "nic-configuration-operator"
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
