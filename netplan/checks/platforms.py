"""NP7xx, third part: rules for EFA, PVRDMA and InfiniBand partitions."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.checks.sriov import takes
from netplan.diagnostics import Severity
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import HostType
from netplan.model.workloads import collective_networks

PKEY_MIN, PKEY_MAX, FULL_BIT = 0x0001, 0x7FFE, 0x8000
"""The membership bit is not part of the P_Key number; 0x7fff is the default partition, 0 is invalid
(InfiniBand 10.9)."""


def _node_types(fabric: Fabric, kind: str) -> list[HostType]:
    """Host types with HCAs for pods, if the fabric is of this kind."""
    if fabric.type != kind:
        return []
    return [t for t in fabric.host_types if t.node and any(h.for_pods for h in t.hcas)]


def _networks(fabric: Fabric, kind: str) -> int:
    return len(fabric.networks) if fabric.type == kind else 0


@check("NP712", "EFA network with a network attachment", on=Fabric, counts=lambda f: _networks(f, "efa"))
def efa_mode(fabric: Fabric) -> Iterator[Finding]:
    """A pod gets an EFA device from its device plugin and nothing else: no interface, VLAN or address.

    **Why.** No CNI plugin can attach an EFA device to a pod, and its device plugin gives a device to only
    one pod.
    **Fix.** Set `mode: device-only`, without `share_max`.
    **Source.** aws-samples/aws-efa-eks 9d6557e1 README.md; docs.aws.amazon.com/eks, device-management-efa
    """
    for network in fabric.networks:
        if fabric.type == "efa" and network.mode != "device-only":
            what = f"network {network.name} has mode {network.mode}, pods get EFA devices with device-only"
            yield Finding((*network.at, "mode"), what, "set mode: device-only")
        elif fabric.type == "efa" and network.share_max is not None:
            what = (
                f"network {network.name} has share_max {network.share_max}, but an EFA device is for one pod"
            )
            hint = "remove share_max; set devices of the workload to the number per pod"
            yield Finding((*network.at, "share_max"), what, hint)


@check(
    "NP714", "EFA host type without an instance type", on=Fabric, counts=lambda f: len(_node_types(f, "efa"))
)
def efa_instance_type(fabric: Fabric) -> Iterator[Finding]:
    """The EFA device plugin runs only on the instance types listed for it.

    **Why.** Nodes of other types have no vpc.amazonaws.com/efa, and pods stay pending.
    **Fix.** State `instance_type`, such as p5.48xlarge.
    **Source.** aws/eks-charts 52396092 stable/aws-efa-k8s-device-plugin/values.yaml, supportedInstanceLabels
    """
    for host_type in _node_types(fabric, "efa"):
        if host_type.instance_type is None:
            what = f"host type {host_type.name} has EFA devices and no instance_type"
            yield Finding(host_type.at, what, "state instance_type")


@check(
    "NP721",
    "EFA outside EKS",
    on=Fabric,
    counts=lambda f: len(_node_types(f, "efa")),
    severity=Severity.WARNING,
)
def efa_distribution(fabric: Fabric) -> Iterator[Finding]:
    """For EFA, netplan writes the values of a chart made for EKS nodes.

    **Why.** Other distributions have different labels, taints and node images than the chart expects.
    **Fix.** Set `cluster.distribution: eks`, or compare the chart's node affinity with the nodes' labels.
    **Source.** aws/eks-charts 52396092 stable/aws-efa-k8s-device-plugin/templates/daemonset.yaml
    """
    if fabric.type == "efa" and fabric.cluster.distribution != "eks":
        what = f"fabric.type is efa and cluster.distribution {fabric.cluster.distribution}"
        yield Finding((*fabric.cluster.at, "distribution"), what, "set distribution: eks")


@check("NP713", "PVRDMA cannot do this", on=Fabric, counts=lambda f: len(_node_types(f, "pvrdma")))
def pvrdma(fabric: Fabric) -> Iterator[Finding]:
    """A virtual machine has one PVRDMA device, which has no VFs and cannot be moved into a pod.

    **Why.** A second device cannot be added, and no device plugin selects a function without an interface.
    **Fix.** Describe one HCA per virtual machine, and use `mode: host-path`.
    **Source.** knowledge.broadcom.com/external/article/328676; Mellanox/k8s-rdma-shared-dev-plugin
    410b0f3 pkg/resources/pci_net_device.go
    """
    for host_type in _node_types(fabric, "pvrdma"):
        hcas = [h.name for h in host_type.hcas if h.for_pods]
        if len(hcas) > 1:
            what = (
                f"host type {host_type.name} has {', '.join(hcas)}, but a virtual machine has one PVRDMA "
                "device"
            )
            yield Finding((*host_type.at, "hcas"), what, "keep one of them")
    for network in fabric.networks:
        if fabric.type == "pvrdma" and network.mode != "host-path":
            what = f"network {network.name} has mode {network.mode}, pods use PVRDMA with host-path"
            yield Finding((*network.at, "mode"), what, "set mode: host-path")


@check(
    "NP722",
    "virtual machine on an unknown host",
    on=Fabric,
    counts=lambda f: len(_node_types(f, "pvrdma")),
    severity=Severity.WARNING,
)
def vm_without_host(fabric: Fabric) -> Iterator[Finding]:
    """PVRDMA uses the HCA of the host that the virtual machine runs on.

    **Why.** Without the host netplan knows neither the cable nor the switch port behind the device.
    **Fix.** State `runs_on`, a host of a type with `node: false`.
    **Source.** docs.vmware.com, PVRDMA: the HCA is the uplink of the distributed switch
    """
    types = {t.name for t in _node_types(fabric, "pvrdma")}
    for host in fabric.hosts:
        if host.named and host.type.name in types and host.runs_on is None:
            yield Finding(host.at, f"virtual machine {host.name} has no runs_on", "state the host it runs on")


@check(
    "NP716",
    "P_Key is not a partition",
    on=Fabric,
    counts=lambda f: sum(n.pkey is not None for n in f.networks),
)
def pkey_out_of_range(fabric: Fabric) -> Iterator[Finding]:
    """A partition number has 15 bits; the top bit of a P_Key is the membership.

    **Why.** ib-kubernetes and UFM reject the key, and VFs join no partition.
    **Fix.** Use a number from 0x0001 to 0x7ffe; leave `pkey` out for the default partition, 0x7fff.
    **Source.** InfiniBand Architecture Specification 1.4, 10.9
    """
    for network in fabric.networks:
        if network.pkey is not None and not PKEY_MIN <= network.pkey <= PKEY_MAX:
            what = (
                f"network {network.name} has P_Key 0x{network.pkey:04x}, but partitions are 0x0001 to 0x7ffe"
            )
            number, hint = network.pkey - FULL_BIT, "use a number from 0x0001 to 0x7ffe"
            if PKEY_MIN <= number <= PKEY_MAX:
                hint = f'write pkey: "0x{number:04x}" and membership: full, which is what the top bit means'
            yield Finding((*network.at, "pkey"), what, hint)


def _memberships(fabric: Fabric) -> int:
    return sum(network.membership is not None for network in fabric.networks)


def _in_partition(fabric: Fabric, network: Network) -> bool:
    """Whether any HCA of a network is an InfiniBand port."""
    if network.takes == "mount":
        return fabric.type == "infiniband"
    return any(h.link == "infiniband" and takes(network, t, h) for t in fabric.host_types for h in t.hcas)


@check("NP666", "membership outside InfiniBand", on=Fabric, counts=_memberships)
def membership_without_partition(fabric: Fabric) -> Iterator[Finding]:
    """Partitions with full and limited members exist on InfiniBand only; on Ethernet use VLANs.

    **Why.** The key has no effect, though it reads as if these pods could not reach each other.
    **Fix.** Remove `membership`, or give the network a VLAN of its own.
    **Source.** InfiniBand Architecture Specification 1.4, 10.9
    """
    for network in fabric.networks:
        if network.membership is not None and not _in_partition(fabric, network):
            what = f"network {network.name} states membership {network.membership}, but has no InfiniBand HCA"
            yield Finding((*network.at, "membership"), what, "remove membership")


@check("NP665", "pods of a job are limited members", on=Fabric, counts=_memberships)
def limited_job(fabric: Fabric) -> Iterator[Finding]:
    """Limited members of a partition reach full members, not each other.

    **Why.** The pods of a job connect to each other, and every connection times out.
    **Fix.** Set `membership: full` for the networks of a job's collectives; limited members are clients of
    full ones.
    **Source.** docs.nvidia.com, UFM Enterprise REST API, PKey GUIDs: membership; InfiniBand Architecture
    Specification 1.4, 10.9
    """
    seen: set[str] = set()
    for w in fabric.workloads:
        networks = collective_networks(w) if w.nodes * w.pods_per_node > 1 else ()
        limited = [n for n in networks if n.membership == "limited" and _in_partition(fabric, n)]
        for network in limited if len(limited) == len(networks) else ():
            if network.name not in seen:
                seen.add(network.name)
                what = f"pods of {w.name} reach each other over network {network.name}, as limited members"
                yield Finding((*network.at, "membership"), what, "set membership: full")
