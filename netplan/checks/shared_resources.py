"""NP602: one resource with devices of several rails."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.hardware import Host
from netplan.model.kubernetes import Attachment, Resource
from netplan.model.plan import Plan
from netplan.model.workloads import WorkloadPlan

SORTS_DEVICES = (4, 3, 0)
"""The only Multus release that sorts a pod's device IDs: commit 1f27f0e3 (pull request 1481) is only in tag
v4.3.0; pull request 1540 reverts it (k8snetworkplumbingwg/multus-cni)."""


@check(
    "NP602",
    "one resource for several rails gives pods the wrong device",
    on=Plan,
    counts=lambda plan: len(plan.kubernetes.resources),
)
def shared_resource(plan: Plan) -> Iterator[Finding]:
    """The attachment of each rail needs the HCA of that rail; devices of one resource come in any order.

    **Why.** Multus assigns the devices of a resource in the order the kubelet lists them, and the kubelet
    lists them from a Go map, in a different order for each pod. Interfaces get the address and VLAN of
    another rail, and nothing reports it. Only Multus 4.3.0 sorts them by PCI address; the pod must then
    take all of them, one per PF, in rail order.
    **Fix.** Set `resource: per-rail` on the network, or state `cluster.cni_plugins.multus` where it is 4.3.0.
    **Source.** k8snetworkplumbingwg/multus-cni 95a09323 pkg/k8sclient/k8sclient.go
    (entry.DeviceIDs[entry.Index]), pkg/types/types.go of v4.3.0 (SortDeviceIDs), pull requests 1481 and 1540;
    kubernetes/kubernetes 77c5be48 pkg/kubelet/cm/container_manager.go,
    containerDevicesFromResourceDeviceInstances.
    """
    sorts = plan.fabric.cluster.cni_plugins.multus == SORTS_DEVICES
    for resource in plan.kubernetes.resources:
        attached = [a for a in plan.kubernetes.attachments if a.resource == resource]
        if resource.plugin != "sriov" or len(resource.rails) < 2 or not attached:
            continue
        if not sorts:
            yield _any_order(plan, resource, attached)
        else:
            yield from _dealt_wrongly(plan, resource, attached)


def _any_order(plan: Plan, resource: Resource, attached: list[Attachment]) -> Finding:
    stated = plan.fabric.cluster.cni_plugins.multus
    multus = "Multus" if stated is None else f"Multus {'.'.join(map(str, stated))}"
    rails, network = ", ".join(map(str, resource.rails)), attached[0].network
    what = (
        f"resource {resource.full_name} serves rails {rails}, but {multus} hands out its devices in any order"
    )
    hint = f"set resource: per-rail on network {network.name}"
    if stated is None:
        hint += ", or state cluster.cni_plugins.multus where it is 4.3.0, which sorts them"
    return Finding((*network.at, "resource"), what, hint)


def _dealt_wrongly(plan: Plan, resource: Resource, attached: list[Attachment]) -> Iterator[Finding]:
    rails, network = ", ".join(map(str, resource.rails)), attached[0].network
    for w in plan.workloads:
        if not any(nic.attachment.resource == resource for nic in w.nics):
            continue
        for place, why in _wrong_dealing(w, resource):
            what = f"resource {resource.full_name} serves rails {rails}, but {why} on {place}"
            yield Finding(
                (*network.at, "resource"), what, f"set resource: per-rail on network {network.name}"
            )


def _wrong_dealing(w: WorkloadPlan, resource: Resource) -> Iterator[tuple[str, str]]:
    """(host type or host, reason) where pods may get the devices of wrong rails; the first host per type."""
    count = next(d.count for d in w.devices if d.resource == resource.full_name)
    for kind in w.workload.host_types:
        have = resource.per_node.get(kind.name, count)
        if have != count:
            yield kind.name, f"a pod of {w.name} uses {count} of {have} devices"
    seen: set[str] = set()
    for host in w.workload.hosts:
        why = _pci_order(host, resource)
        if why and host.type.name not in seen:
            seen.add(host.type.name)
            yield host.name, why


def _pci_order(host: Host, resource: Resource) -> str:
    """Why PCI order is not rail order, or "". Addresses sort as text: all have the same width."""
    found = []
    for hca in host.type.hcas:
        if hca.for_pods and hca.rail in resource.rails:
            own = host.hcas.get(hca.name)
            pci = (own.pci if own else None) or hca.pci
            if pci is None:
                return f"the PCI address of {hca.name} is not stated"
            found.append((pci.lower(), hca.rail))
    rails = [rail for _, rail in sorted(found)]
    in_order = rails == sorted(rails)
    return "" if in_order else f"PCI order gives rails {', '.join(map(str, rails))}"
