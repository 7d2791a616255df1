"""NP5xx: HCAs, virtual functions and their owners."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, Host, HostHca, HostType

LINK_OF_FABRIC = {"roce": "ethernet", "efa": "ethernet", "pvrdma": "ethernet", "infiniband": "infiniband"}


def _hcas(fabric: Fabric) -> Iterator[tuple[HostType, Hca]]:
    return ((t, h) for t in fabric.host_types for h in t.hcas)


def _own(fabric: Fabric) -> Iterator[tuple[Host, str, HostHca]]:
    return ((host, name, own) for host in fabric.hosts for name, own in host.hcas.items())


def _hca_count(fabric: Fabric) -> int:
    return sum(len(t.hcas) for t in fabric.host_types)


@once
def _mac_count(fabric: Fabric) -> int:
    return len([own for host in fabric.hosts for own in host.hcas.values() if own.mac is not None])


Stated = tuple[str | None, ...]
"""(host type, HCAs of the host, the value stated for each); only the host type for the type itself."""


def _owners(fabric: Fabric, key: str) -> Iterator[tuple[Stated, HostType, Host | None]]:
    """(values, host type, host) of host types and of hosts that state a field; equal values have equal
    findings."""
    for host_type in fabric.host_types:
        yield (host_type.name,), host_type, None
    for host in fabric.hosts:
        values = [getattr(own, key) for own in host.hcas.values()]
        if any(values):
            yield (host.type.name, *host.hcas, *values), host.type, host


def _values(key: str, host_type: HostType, host: Host | None) -> Iterator[tuple[str, str, Path]]:
    """(HCA, value, place) of one text field; the value of ``host`` overrides that of its type."""
    for hca in host_type.hcas:
        own = host.hcas.get(hca.name) if host else None
        if own is not None and getattr(own, key) is not None:
            yield hca.name, getattr(own, key), (*own.at, key)
        elif getattr(hca, key) is not None:
            yield hca.name, getattr(hca, key), (*hca.at, key)


def _shared(fabric: Fabric, key: str, word: str, hint: str) -> Iterator[Finding]:
    """Two HCAs with one value of a field, on a host type or on a host that states the field."""
    fine: set[Stated] = set()
    for stated, host_type, host in _owners(fabric, key):
        if stated in fine:
            continue
        values = list(_values(key, host_type, host))
        first: dict[str, str] = {}
        for hca, value, at in values:
            other = first.setdefault(value, hca)
            if other != hca:
                who = f"host {host.name}" if host else f"host type {host_type.name}"
                yield Finding(at, f"{other} and {hca} of {who} both have {word} {value}", hint)
        if len(first) == len(values):
            fine.add(stated)


@check("NP501", "HCAs of a host share a PCI address", on=Fabric, counts=_hca_count)
def shared_pci(fabric: Fabric) -> Iterator[Finding]:
    """A PCI address names one function of one device.

    **Why.** Device plugins, VF policies and interface names select by PCI address: both entries would be
    one port.
    **Fix.** Compare with `lspci -D` on the host and correct one of the two.
    **Source.** k8snetworkplumbingwg/sriov-network-operator, SriovNetworkNodePolicy nicSelector.rootDevices.
    """
    yield from _shared(
        fabric, "pci", "PCI address", "check with `lspci -D` on the host and correct one of them"
    )


@check("NP502", "duplicate MAC address", on=Fabric, counts=_mac_count)
def shared_mac(fabric: Fabric) -> Iterator[Finding]:
    """A permanent MAC address belongs to one port.

    **Why.** A host would name the wrong port, and within a segment the address would flap between two
    switch ports.
    **Fix.** Compare with `ip link` on both hosts.
    **Source.** IEEE 802; systemd.link(5) PermanentMACAddress=.
    """
    first: dict[str, tuple[str, str]] = {}
    if len({own.mac for host in fabric.hosts for own in host.hcas.values() if own.mac}) == _mac_count(fabric):
        return  # no address twice, as it should be: the search for both places takes four times as long
    for host, hca, own in _own(fabric):
        if own.mac is not None:
            here = (hca, host.name)
            other = first.setdefault(own.mac, here)
            if other != here:
                what = f"{' of '.join(other)} and {' of '.join(here)} both have MAC address {own.mac}"
                yield Finding(
                    (*own.at, "mac"), what, "check with `ip link` on the hosts and correct one of them"
                )


@check("NP503", "more virtual functions than the HCA supports", on=Fabric, counts=_hca_count)
def too_many_vfs(fabric: Fabric) -> Iterator[Finding]:
    """The number of VFs per physical function is limited.

    **Why.** The driver rejects the number as a whole, so the port gets no VFs at all.
    **Fix.** Lower `vfs`, or state a model with the card's real limit in `catalog.hcas`.
    **Source.** NVIDIA firmware release notes of ConnectX-6 Dx to ConnectX-8 and BlueField-2, VF Network
    Function Limitations; MLNX_OFED 4.5-1.0.1.0, changes and new features. For other models no data sheet
    was found; the family's limit of 127 is used.
    """
    for host_type, hca in _hcas(fabric):
        if hca.vfs > hca.model.max_vfs:
            most = hca.model.max_vfs
            what = f"{hca.name} of {host_type.name} has {hca.vfs} VFs, {hca.model.name} has at most {most}"
            yield Finding((*hca.at, "vfs"), what, f"lower vfs to {most}, or add a model to catalog.hcas")


@check("NP504", "use and vfs contradict each other", on=Fabric, counts=_hca_count)
def use_without_vfs(fabric: Fabric) -> Iterator[Finding]:
    """`use: vf` gives virtual functions to pods, so there must be some; other uses have none.

    **Why.** A port without VFs gives an empty resource and pods stay Pending; unused VFs hide a mistake.
    **Fix.** State `vfs` with `use: vf`, and only there.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin issues 189, 340 and 386.
    """
    for host_type, hca in _hcas(fabric):
        if hca.use == "vf" and hca.vfs == 0 and not hca.virtual:
            what = f"{hca.name} of {host_type.name} has use vf and no vfs"
            yield Finding((*hca.at, "use"), what, "state vfs; 1 if one pod uses the whole node")
        elif hca.use != "vf" and hca.vfs:
            what = f"{hca.name} of {host_type.name} has {hca.vfs} VFs and use {hca.use}"
            yield Finding((*hca.at, "vfs"), what, "set use: vf or remove vfs")


@check("NP505", "speed not supported by the HCA model", on=Fabric, counts=_hca_count)
def unknown_speed(fabric: Fabric) -> Iterator[Finding]:
    """A port runs only at speeds its model supports.

    **Why.** Headroom, ECN thresholds and the switch port's speed follow from this number.
    **Fix.** Correct `speed_gbps` or `model`; state a newer model in `catalog.hcas`.
    **Source.** docs.nvidia.com: MLNX_OFED 5.2 introduction, MLNX_EN 24.10-3.2.5.0 release notes, WinOF-2
    25.1.50020 supported adapter cards; of a model stated in the inventory its own `source`.
    """
    for host_type, hca in _hcas(fabric):
        if hca.speed_gbps not in hca.model.speeds_gbps:
            speeds = ", ".join(map(str, hca.model.speeds_gbps))
            what = (
                f"{hca.name} of {host_type.name} runs at {hca.speed_gbps} Gb/s, {hca.model.name} supports "
                f"{speeds}"
            )
            yield Finding((*hca.at, "speed_gbps"), what, "correct speed_gbps or model")


@check("NP506", "wrong link layer", on=Fabric, counts=_hca_count)
def wrong_link(fabric: Fabric) -> Iterator[Finding]:
    """The model must support the link layer; for pods it must also be that of the fabric.

    **Why.** An Ethernet-only card never joins a subnet manager, and an InfiniBand port has no VLAN or PFC.
    **Fix.** Correct `link`, `model` or `fabric.type`; front-end and storage HCAs may differ from the fabric.
    **Source.** docs.nvidia.com: MLNX_OFED 5.2 introduction, MLNX_EN 24.10-3.2.5.0 release notes, WinOF-2
    25.1.50020 supported adapter cards; of a model stated in the inventory its own `source`.
    """
    wanted = LINK_OF_FABRIC[fabric.type]
    for host_type, hca in _hcas(fabric):
        name = f"{hca.name} of {host_type.name}"
        if hca.link not in hca.model.links:
            what = f"{name} is {hca.link}, {hca.model.name} has {' and '.join(hca.model.links)}"
            yield Finding((*hca.at, "link"), what, "correct link or model")
        elif hca.for_pods and hca.link != wanted:
            what = f"{name} is {hca.link}, fabric.type {fabric.type} runs over {wanted}"
            yield Finding((*hca.at, "link"), what, "correct link or fabric.type")


@check("NP507", "virtual functions on a virtual HCA", on=Fabric, counts=_hca_count)
def vfs_of_virtual(fabric: Fabric) -> Iterator[Finding]:
    """A virtual machine sees one function and cannot make VFs of it.

    **Why.** The policy or file that should create them fails on every node.
    **Fix.** Remove `vfs`, or remove `virtual: true` if the node owns the physical function.
    **Source.** k8snetworkplumbingwg/sriov-network-device-plugin issues 340, 386.
    """
    for host_type, hca in _hcas(fabric):
        if hca.virtual and hca.vfs:
            what = f"{hca.name} of {host_type.name} is virtual and has {hca.vfs} VFs to create"
            yield Finding((*hca.at, "vfs"), what, "remove vfs or virtual: true")


@check("NP508", "HCAs of a host share a device name", on=Fabric, counts=_hca_count)
def shared_name(fabric: Fabric) -> Iterator[Finding]:
    """Interface and RDMA device names are unique on a host.

    **Why.** systemd-udevd gives the name to only one of them; selectors by name then match one port
    instead of two.
    **Fix.** Compare with `rdma link` on the host.
    **Source.** systemd.link(5) Name=.
    """
    hint = "check with `rdma link` on the host and correct one of them"
    yield from _shared(fabric, "netdev", "interface", hint)
    yield from _shared(fabric, "rdma_device", "RDMA device", hint)


@check("NP509", "HCA on no rail", on=Fabric, counts=_hca_count)
def rail_of_hca(fabric: Fabric) -> Iterator[Finding]:
    """In a fabric with rails, every HCA for pods is on one of them, and a host has one HCA per rail.

    **Why.** VLAN, subnet, pool and routing table follow from the rail; a second HCA would need the same
    addresses.
    **Fix.** State `rail` (0 to count - 1), or name the HCA in a network with its own subnet.
    **Source.** docs.nvidia.com, InfiniBand Cluster Bring-up Procedure, Setting the InfiniBand Cluster
    Topology; juniper.net, JVD AI data center with Apstra, Rail Optimized Fabric: rail N connects the GPU in
    position N of every server.
    """
    count = fabric.rails.count if fabric.rails else 0
    elsewhere = {hca for n in fabric.networks if not n.per_rail for hca in n.hcas}
    for host_type in fabric.host_types:
        taken: dict[int, str] = {}
        for hca in (h for h in host_type.hcas if h.for_pods):
            name, at = f"{hca.name} of {host_type.name}", (*hca.at, "rail")
            if hca.rail is None:
                if count and host_type.node and hca.name not in elsewhere:
                    yield Finding(
                        hca.at, f"{name} is for pods and has no rail", f"state rail: 0 to {count - 1}"
                    )
            elif hca.rail >= count:
                yield Finding(
                    at, f"{name} is on rail {hca.rail}, rails.count is {count}", "correct rail or rails.count"
                )
            elif (other := taken.setdefault(hca.rail, hca.name)) != hca.name:
                yield Finding(
                    at,
                    f"rail {hca.rail} has {other} and {hca.name} of {host_type.name}",
                    "put each on a rail of its own",
                )


def _pci_order(host_type: HostType, host: Host | None) -> list[tuple[str, int]]:
    """(PCI address, rail) of the rail HCAs."""
    pci = {hca: value for hca, value, _ in _values("pci", host_type, host)}
    rails = ((h.name, h.rail) for h in host_type.hcas if h.for_pods and h.rail is not None)
    return [(pci[name], rail) for name, rail in rails if name in pci]


@check("NP510", "rail order differs from PCI order", on=Fabric, counts=_hca_count, severity=Severity.WARNING)
def rails_against_pci(fabric: Fabric) -> Iterator[Finding]:
    """Rails should be numbered in PCI order of the HCAs, on every host.

    **Why.** NCCL 2.29.7 and later orders devices by PCI path, so a different order pairs different rails.
    **Fix.** Renumber the rails in PCI order (and cable them so), or set NCCL_IB_DEVICE_PCI_ORDER=0.
    **Source.** NVIDIA/nccl, NCCL_IB_DEVICE_PCI_ORDER (default 1 since 2.29.7).
    """
    fine: set[Stated] = set()
    for stated, host_type, host in _owners(fabric, "pci"):
        if stated in fine:
            continue
        rails = [rail for _, rail in sorted(_pci_order(host_type, host))]
        if rails == sorted(rails):
            fine.add(stated)
        else:
            at, who = (host.at, host.name) if host else (host_type.at, f"host type {host_type.name}")
            what = f"in PCI order, the HCAs of {who} are on rails {', '.join(map(str, rails))}"
            yield Finding((*at, "hcas"), what, "number the rails in PCI order")


@check("NP512", "multicast MAC address", on=Fabric, counts=_mac_count)
def multicast_mac(fabric: Fabric) -> Iterator[Finding]:
    """The lowest bit of the first byte marks a group address, which no port can have.

    **Why.** No port has the address, so the .link file never matches and the port is not renamed.
    **Fix.** Copy the address from `ip link` on the host.
    **Source.** IEEE 802, individual/group bit.
    """
    for host, hca, own in _own(fabric):
        if own.mac is not None and int(own.mac[:2], 16) & 1:
            what = f"MAC {own.mac} of {hca} of {host.name} is a multicast address: {own.mac[:2]} is odd"
            yield Finding((*own.at, "mac"), what, "copy the address from `ip link` on the host")


def _named(fabric: Fabric) -> int:
    return sum(h.named for h in fabric.hosts)


@check("NP513", "host named like a host type", on=Fabric, counts=_named)
def host_named_as_type(fabric: Fabric) -> Iterator[Finding]:
    """The files of a host type, and those of a single host, go into a directory of that name.

    **Why.** The host's own files would mix with those of the host type.
    **Fix.** Rename the host type.
    **Source.** netplan's own rule: files of a host and of a host type each go into a directory of that name.
    """
    types = {t.name for t in fabric.host_types}
    for host in fabric.hosts:
        if host.named and host.name in types:
            what = f"host {host.name} and host type {host.name} would share the directory hosts/{host.name}"
            yield Finding(host.at, what, "rename the host type")
