"""NP5xx, second part: which HCAs a network uses and how it selects them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from netplan.checks.registry import Finding, check
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, Host, HostType


class Taken(NamedTuple):
    """An HCA that a network uses on nodes of a host type."""

    network: Network
    host_type: HostType
    hca: Hca

    @property
    def name(self) -> str:
        return f"{self.hca.name} of {self.host_type.name}"


def makes_vfs(hca: Hca) -> bool:
    """Whether the node creates virtual functions on an HCA for its pods."""
    return hca.use == "vf" and not hca.virtual


def takes(network: Network, host_type: HostType, hca: Hca) -> bool:
    """Whether pods of a network get their device from this HCA."""
    named = (not network.hcas or hca.name in network.hcas) and (hca.rail is not None or not network.per_rail)
    placed = host_type.node and (not network.host_types or host_type in network.host_types)
    by_use = network.takes == "any" or makes_vfs(hca) == (network.takes == "vf")
    return hca.for_pods and network.takes != "mount" and named and placed and by_use


def _taken(fabric: Fabric) -> Iterator[Taken]:
    for network in fabric.networks:
        for host_type in fabric.host_types:
            for hca in host_type.hcas:
                if takes(network, host_type, hca):
                    yield Taken(network, host_type, hca)


def _taken_count(fabric: Fabric) -> int:
    return sum(1 for _ in _taken(fabric))


@check("NP520", "VF range outside the VFs of an HCA", on=Fabric, counts=_taken_count)
def vf_range_unfit(fabric: Fabric) -> Iterator[Finding]:
    """A network with `vf_range` uses the VFs of that range on every HCA, numbered from 0 to vfs - 1.

    **Why.** The operator rejects the policy; a device plugin finds fewer devices than planned.
    **Fix.** Correct `vf_range` or `vfs`; the SR-IOV operator takes a range only with the interface's name.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e2001 pkg/webhook/validate.go
    """
    by_name = fabric.cluster.owners.of_devices.node_policies
    for taken in _taken(fabric):
        network, hca = taken.network, taken.hca
        if network.vf_range is None or not makes_vfs(hca) or not hca.vfs:  # NP504: no vfs
            continue
        at, text = (*network.at, "vf_range"), "{}-{}".format(*network.vf_range)
        if network.vf_range[1] >= hca.vfs:
            what = f"network {network.name} uses VFs {text}, but {taken.name} has 0-{hca.vfs - 1}"
            yield Finding(at, what, "correct vf_range or vfs")
        elif by_name and hca.netdev is None:
            what = (
                f"network {network.name} selects VFs {text} by interface name, but {taken.name} has no netdev"
            )
            yield Finding(at, what, "state netdev of the HCA")


@check("NP523", "HCA without a PCI address or name to select it by", on=Fabric, counts=_taken_count)
def unselectable(fabric: Fabric) -> Iterator[Finding]:
    """Device plugins and policies select an HCA by its PCI address or interface name; a shared HCA by
    name only.

    **Why.** Without either the selector would match every HCA of the node, including front-end and storage.
    **Fix.** State `pci` (and `netdev` if HCAs are shared); in a virtual machine, `virtual: true`.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md, Network devices
    selectors; Mellanox/k8s-rdma-shared-dev-plugin 410b0f3 README.md, Devices Selectors
    """
    for taken in _taken(fabric):
        network, hca = taken.network, taken.hca
        shared = network.shared
        hidden = hca.virtual and network.by_mode.verbs_only
        if hca.netdev is None and not hidden and (shared or (hca.pci is None and not hca.virtual)):
            missing, wanted = (
                ("no netdev", "its name") if shared else ("neither pci nor netdev", "one of them")
            )
            what = (
                f"{taken.name} has {missing}, but {network.mode} network {network.name} selects it by "
                f"{wanted}"
            )
            yield Finding(hca.at, what, f"state {'netdev' if shared else 'pci'}")


@check("NP525", "HCA that the SR-IOV operator cannot advertise", on=Fabric, counts=_taken_count)
def not_for_operator(fabric: Fabric) -> Iterator[Finding]:
    """The operator advertises virtual functions that its policies create; numVfs 0 is refused.

    **Why.** It advertises no resource for whole HCAs or for functions inside a virtual machine.
    **Fix.** Let nic-cluster-policy or manual own the device plugin, or give pods VFs.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e2001 pkg/webhook/validate.go, numVfs
    """
    if not fabric.cluster.owners.of_devices.node_policies:
        return
    foreign: dict[str, list[Taken]] = {}
    for taken in _taken(fabric):
        if not taken.network.shared and not makes_vfs(taken.hca):
            foreign.setdefault(taken.network.name, []).append(taken)
    for first, *others in foreign.values():
        kind = "a function inside a virtual machine" if first.hca.virtual else "a whole HCA"
        more = f" ({len(others) + 1} such HCAs)" if others else ""
        what = (
            f"network {first.network.name} takes {first.name}, {kind}{more}; but the operator advertises "
            "VFs only"
        )
        hint = "set owners.device_plugin to nic-cluster-policy or manual"
        if fabric.cluster.owners.of_vfs.policies:  # NP511 rules out any other owner
            hint += " and owners.vfs to host"
        yield Finding((*first.network.at, "mode"), what, hint)


@check("NP526", "PCI address of different HCAs within a host type", on=Fabric, counts=_taken_count)
def pci_of_other_hca(fabric: Fabric) -> Iterator[Finding]:
    """A resource selects an HCA by all the PCI addresses it has on hosts of its type.

    **Why.** On a host where the address belongs to another HCA, that one is selected too: a pod gets the
    wrong rail.
    **Fix.** Give hosts with other PCI slots a host type of their own.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md, Network devices selectors
    (pciAddresses and rootDevices; one list for all nodes)
    """
    first = {
        (t.name, h.pci): (h.name, f"host type {t.name}") for t in fabric.host_types for h in t.hcas if h.pci
    }
    for host in fabric.hosts:
        kind = host.type.name
        for name, own in host.hcas.items():
            if own.pci is None:
                continue
            other, where = first.setdefault((kind, own.pci), (name, host.name))
            if other != name and _pci(host, other) != own.pci:
                what = f"PCI address {own.pci} is {name} on {host.name} and {other} on {where}"
                yield Finding((*own.at, "pci"), what, f"give {host.name} a host type of its own")


def _pci(host: Host, name: str) -> str | None:
    """The PCI address of an HCA on a host, or None."""
    own, hca = host.hcas.get(name), host.type.hca(name)
    return own.pci if own is not None and own.pci else hca.pci if hca is not None else None


@check("NP527", "interface name differs between hosts", on=Fabric, counts=_taken_count)
def name_differs(fabric: Fabric) -> Iterator[Finding]:
    """An attachment names one master, and a selector by name holds for all hosts of the type.

    **Why.** Hosts with another name lack the resource, or their pods' interfaces are on the wrong HCA.
    **Fix.** Give the ports one name everywhere (systemd.link), or each host type a network.
    **Source.** k8snetworkplumbingwg/multus-cni issue 744; openshift/sriov-network-operator issue 863
    """
    masters: dict[tuple[str, int | None], tuple[str, str | None]] = {}
    for network, host_type, hca in _taken(fabric):
        shared = network.shared
        if network.by_mode.sharing == "always":
            here = (host_type.name, hca.netdev)
            kind, name = masters.setdefault((network.name, hca.rail if network.per_rail else None), here)
            if name != hca.netdev and kind != host_type.name:
                there = f"{hca.netdev} on {host_type.name}"
                what = f"network {network.name} has master {name} on {kind} and {there}"
                yield Finding(
                    (*hca.at, "netdev"),
                    what,
                    "give the ports one name, or each host type a network of its own",
                )
        for host in fabric.hosts if shared or hca.pci is None or network.vf_range else ():
            own = host.hcas.get(hca.name) if host.type.name == host_type.name else None
            if own is not None and own.netdev not in (None, hca.netdev):
                wanted = f"network {network.name} selects it as {hca.netdev}"
                what = f"{hca.name} is {own.netdev} on {host.name}, {wanted}"
                yield Finding((*own.at, "netdev"), what, f"name it {hca.netdev} on {host.name} too")
