"""NP5xx, third part: whether resource selectors match exactly the devices they are for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.checks.sriov import makes_vfs, takes
from netplan.model.claims import DRANET, SRIOV_DRIVER
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, HostType
from netplan.model.kubernetes import DeviceSelector, Resource
from netplan.model.plan import Plan

_LINK_WORDS = {"ethernet": "ether", "infiniband": "infiniband"}
"""Link layer -> ``linkTypes`` word (k8snetworkplumbingwg/sriov-network-device-plugin README.md)."""

Function = tuple[str, int | None]
"""(HCA, VF number); None in place of the VF number for the PF itself."""

Addresses = Mapping[tuple[str, str], set[str]]
"""(host type, HCA) -> its PCI addresses on all hosts of the type."""


def _resource_count(plan: Plan) -> int:
    return len(plan.kubernetes.resources)


def _functions(hca: Hca) -> list[int | None]:
    """The functions of an HCA that a device plugin sees: its VFs, or the PF if it has none."""
    return list(range(hca.vfs)) if makes_vfs(hca) else [None]


def _in_range(wanted: str, name: str | None, vf: int | None) -> bool:
    """Whether ``name#first-last`` covers a VF; without a range, it covers all VFs."""
    found, _, text = wanted.partition("#")
    if found != name:
        return False
    first, _, last = text.partition("-")
    return not text or vf is None or int(first) <= vf <= int(last)


@once
def _addresses(fabric: Fabric) -> Addresses:
    out: dict[tuple[str, str], set[str]] = {
        (kind.name, hca.name): {hca.pci} if hca.pci else set()
        for kind in fabric.host_types
        for hca in kind.hcas
    }
    for host in fabric.hosts:
        kind = host.type.name
        for name, own in host.hcas.items():
            if own.pci:
                out[kind, name].add(own.pci)
    return out


def _device_ids(hca: Hca) -> set[str | None]:
    """Possible PCI device IDs: VF or PF. In a virtual machine both, as the inventory does not say which."""
    ids = (hca.model.vf_id, hca.model.pf_id)
    return set(ids) if hca.virtual else {ids[0] if hca.use == "vf" else ids[1]}


def _selects(selector: DeviceSelector, hca: Hca, vf: int | None, pcis: set[str]) -> bool:
    """The device plugin's rule: every criterion that is set must match, each by any of its values."""
    devices = _device_ids(hca)
    kinds = (
        (selector.vendors, hca.model.vendor in selector.vendors),
        (selector.devices, not devices.isdisjoint(selector.devices)),
        (selector.link_types, _LINK_WORDS[hca.link] in selector.link_types),
        (selector.if_names, hca.netdev in selector.if_names),
        (selector.pci_addresses, vf is None and not pcis.isdisjoint(selector.pci_addresses)),
        (selector.pf_names, any(_in_range(w, hca.netdev, vf) for w in selector.pf_names)),
        (selector.root_devices, any(_in_range(w, pci, vf) for w in selector.root_devices for pci in pcis)),
    )
    return all(matches for given, matches in kinds if given)


def _expanded(selector: DeviceSelector, host_type: HostType, addresses: Addresses) -> list[Function]:
    """Functions on a node of a host type that a selector matches."""
    return [
        (hca.name, vf)
        for hca in host_type.hcas
        for vf in _functions(hca)
        if _selects(selector, hca, vf, addresses[host_type.name, hca.name])
    ]


def _network(plan: Plan, resource: Resource) -> Network:
    return next(n for n in plan.fabric.networks if n.name == resource.network)


def _wanted(plan: Plan, resource: Resource, host_type: HostType) -> set[str]:
    """Names of the HCAs that a resource should advertise on a host type."""
    network = _network(plan, resource)
    return {
        h.name
        for h in host_type.hcas
        if takes(network, host_type, h) and (not resource.rails or h.rail in resource.rails)
    }


def _own(plan: Plan, resource: Resource, addresses: Addresses) -> Iterator[tuple[HostType, set[Function]]]:
    """For each host type of a resource, the functions that it should advertise and its selector matches."""
    types = {t.name: t for t in plan.fabric.host_types}
    for selector in resource.selectors:
        host_type = types[selector.host_type]
        wanted = _wanted(plan, resource, host_type)
        yield host_type, {f for f in _expanded(selector, host_type, addresses) if f[0] in wanted}


def _listed(functions: set[Function]) -> str:
    """The first HCA of a set as text: ``VFs 0-3 of roce0``, ``VF 2 of roce0`` or ``roce0``."""
    name = min(hca for hca, _ in functions)
    vfs = sorted(vf for hca, vf in functions if hca == name and vf is not None)
    if not vfs:
        return name
    return f"VF {vfs[0]} of {name}" if len(vfs) == 1 else f"VFs {vfs[0]}-{vfs[-1]} of {name}"


@check("NP521", "networks claim the same device", on=Plan, counts=_resource_count)
def taken_twice(plan: Plan) -> Iterator[Finding]:
    """A virtual function or a whole HCA belongs to one resource; only the RDMA-shared plugin shares HCAs.

    **Why.** The plugin gives a device to the first resource that matches, so the other lacks it; an HCA
    that moves into a pod is gone for the pods that share it.
    **Fix.** Give the networks VF ranges that do not overlap, or different HCAs (`hcas`, `hosts`).
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 cmd/sriovdp/manager.go;
    openshift/sriov-network-operator issue 727
    """
    addresses = _addresses(plan.fabric)
    taken: dict[str, list[tuple[Resource, set[Function]]]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    for resource in plan.kubernetes.resources:
        for host_type, functions in _own(plan, resource, addresses):
            for other, theirs in taken[host_type.name]:
                pair, both = (other.network, resource.network), functions & theirs
                shared = {other.plugin, resource.plugin} == {"rdma-shared"}
                if both and not shared and pair not in seen and other.network != resource.network:
                    seen.add(pair)
                    what = f"networks {pair[0]} and {pair[1]} both use {_listed(both)} on {host_type.name}"
                    at = _network(plan, resource).at
                    yield Finding(at, what, "give them VF ranges that do not overlap, or other HCAs")
            taken[host_type.name].append((resource, functions))


@check("NP522", "selector matches an HCA of another network", on=Plan, counts=_resource_count)
def selects_too_much(plan: Plan) -> Iterator[Finding]:
    """One configuration serves all nodes, so each selector is tried on every host type.

    **Why.** Pods get a device on the wrong rail, or the front-end port of the node.
    **Fix.** State `pci` of the HCAs, give host types with other slots one network, or let the SR-IOV operator
    own the device plugin, whose configuration is per node.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md, selectors;
    cmd/sriovdp/manager.go: first match wins
    """
    addresses = _addresses(plan.fabric)
    types = {t.name: t for t in plan.fabric.host_types}
    # NP729 checks DRANET, whose claims name the devices on the workload's hosts
    for resource in (r for r in plan.kubernetes.resources if r.plugin != DRANET):
        wanted = {t.name: _wanted(plan, resource, t) for t in plan.fabric.host_types if t.node}
        for selector in resource.selectors:
            for host_type in (t for t in plan.fabric.host_types if t.node):
                if host_type.name != selector.host_type and _on_its_nodes(
                    plan.fabric, resource, types[selector.host_type]
                ):
                    continue
                found = {hca for hca, _ in _expanded(selector, host_type, addresses)} - wanted[host_type.name]
                if found:
                    by = f"by {_described(selector)} on {selector.host_type}"
                    also = f"{min(found)} on {host_type.name}"
                    what = f"resource {resource.name} selects {by}, which is also {also}"
                    network = _network(plan, resource)
                    yield Finding(network.at, what, _way_out(network, selector))


def _on_its_nodes(fabric: Fabric, resource: Resource, host_type: HostType) -> bool:
    """Whether a selector applies only to nodes of its host type: by a policy's node selector or by per-node
    configuration."""
    if resource.plugin == SRIOV_DRIVER:
        return bool(host_type.node_selector)
    return resource.plugin == "sriov" and fabric.cluster.owners.of_devices.node_policies


def _way_out(network: Network, selector: DeviceSelector) -> str:
    if not (selector.root_devices or selector.pci_addresses):
        return "state pci of the HCAs, or name both host types"
    if network.host_types:
        return "name both host types, or set owners.device_plugin: sriov-network-operator"
    return "set owners.device_plugin: sriov-network-operator, or state netdev instead of pci"


def _described(selector: DeviceSelector) -> str:
    """Criteria of a selector and their values, as text."""
    kinds = {
        "PCI address": (*selector.root_devices, *selector.pci_addresses),
        "interface name": (*selector.pf_names, *selector.if_names),
        "link type": selector.link_types,
    }
    return " and ".join(f"{kind} {', '.join(values)}" for kind, values in kinds.items() if values)


@check("NP524", "resource selected by PCI address and by name", on=Plan, counts=_resource_count)
def mixed_selectors(plan: Plan) -> Iterator[Finding]:
    """All HCAs of a resource on a node are selected by PCI address, or all by interface name.

    **Why.** The SR-IOV operator merges the policies of a resource into one selector whose criteria must
    all match, so mixed ones match nothing. A device plugin's list of names leaves out HCAs without one.
    **Fix.** State `pci` of all HCAs of the network.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e2001
    controllers/sriovnetworknodepolicy_controller.go
    """
    addresses = _addresses(plan.fabric)
    for resource in plan.kubernetes.resources:
        for host_type, functions in _own(plan, resource, addresses):
            kinds = {
                bool(p.root_devices)
                for p in plan.kubernetes.policies
                if (p.host_type, p.resource_name) == (host_type.name, resource.name)
            }
            lost = _wanted(plan, resource, host_type) - {hca for hca, _ in functions}
            if len(kinds) > 1 or lost:
                who = min(lost) if lost else "some HCAs"
                what = (
                    f"resource {resource.name} selects {who} of {host_type.name} differently from the others"
                )
                yield Finding(_network(plan, resource).at, what, "state pci of all HCAs of the network")
