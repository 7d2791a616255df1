"""Names that a NicInterfaceNameTemplate gives to the ports of its nodes.

Mellanox/nic-configuration-operator api/v1alpha1/nicinterfacenametemplate_types.go and
internal/controller/nicinterfacenametemplate_controller.go (calculateNicRailAndPlaneIndices): an item of
``railPciAddresses`` is a rail, an address in it a NIC; all numbers begin with 0, those of planes with each
rail. NVIDIA/k8s-launch-kit writes one for each group of nodes whose policies select by the new names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Remark, Site
from netplan.importing.kubernetes.nics import MOST_RAILS
from netplan.importing.kubernetes.objects import Path, Reader, no_address, pci_of

_FIELDS = {"netDevicePrefix": "netdev", "rdmaDevicePrefix": "rdma_device"}
_KEPT = "taken are its names; netplan does not write the object, so keep it where policies select by them"
_MOST_PORTS = 8
"""Functions of a PCI device."""


def template_facts(read: Reader) -> Iterator[Fact | Remark]:
    """A subject for each port: the template and the PCI address."""
    yield Remark(read.at("kind"), f"{read.thing}: {_KEPT}", alike=f"{read.thing.kind}: {_KEPT}")
    listed = read.value("spec", "railPciAddresses")
    ports = read.number("spec", "pfsPerNic", least=1, most=_MOST_PORTS) or 1
    for each in _FIELDS:
        read.text("spec", each)
    nic = 0
    for rail in range(min(len(listed), MOST_RAILS) if isinstance(listed, list) else 0):
        at: Path = ("spec", "railPciAddresses", rail)
        slots: list[str] = []
        for index, text in enumerate(read.texts(*at)):
            pci = pci_of(text)
            if not pci:
                yield no_address(text, read.at(*at, index))
            elif (slot := pci.rpartition(".")[0]) not in slots:
                slots.append(slot)
                yield from _ports(read, (*at, index), pci, (nic, rail, (len(slots) - 1) * ports), ports)
                nic += 1
    yield from read.labels("template", (read.thing.name,), "spec", "nodeSelector")


def _ports(read: Reader, at: Path, pci: str, numbers: tuple[int, int, int], ports: int) -> Iterator[Fact]:
    """``pci``: of one of the ports. ``numbers``: NIC, rail and first plane."""
    nic, rail, first = numbers
    slot, _, own = pci.rpartition(".")
    for function in range(ports) if ports > 1 else (int(own),):
        plane = first + (function if ports > 1 else 0)
        of = (read.thing.name, f"{slot}.{function}")
        for key, field in _FIELDS.items():
            name = read.text("spec", key)
            for mark, number in (("nic_id", nic), ("plane_id", plane), ("rail_id", rail)):
                name = name.replace(f"%{mark}%", str(number))
            if name and "%" not in name:
                yield read.fact("template", of, field, name, *at)


def template_names(site: Site) -> list[Fact | Remark]:
    """Names of cards that no dump names, and one line for each template that names a port otherwise than a
    dump does. A node that several templates select keeps its names, as in the operator."""
    mine = {node: names[0] for node, names in _templates_of_nodes(site).items() if len(names) == 1}
    unlike = (each for node, name in mine.items() for each in _unlike(site, node, name))
    return [*unlike, *_named_ports(site, mine)]


def _named_ports(site: Site, mine: Mapping[str, str]) -> Iterator[Fact]:
    """``mine``: node -> the template that names its ports."""
    for node, pci in site.every("card"):
        for field in _FIELDS.values() if node in mine else ():
            named = site.said("template", (mine[node], pci), field)
            known = site.said("card", (node, pci), field) or site.conflict("card", (node, pci), field)
            if named is not None and known is None:
                yield Fact("card", (node, pci), field, named.value, named.at)


def _templates_of_nodes(site: Site) -> dict[str, list[str]]:
    """Node -> templates. A node of which no dump has labels is not known to be selected."""
    names = {of[0] for of in site.every("template")}
    wanted = {name: dict(site.prefixed("template", (name,), "label/")) for name in sorted(names)}
    found: dict[str, list[str]] = {}
    for of in site.every("node"):
        own = {key: said.value for key, said in site.prefixed("node", of, "label/")}
        found[of[0]] = [
            name
            for name, labels in wanted.items()
            if all(own.get(key) == said.value for key, said in labels.items())
        ]
    return found


def _unlike(site: Site, node: str, name: str) -> Iterator[Remark]:
    for template, *address in site.every("template"):
        named = site.said("template", (template, *address), "netdev") if template == name else None
        stated = site.text("card", (node, *address), "netdev") if address else ""
        if named is not None and stated and stated != named.value:
            why = "it does not run yet, or the dump is older; the name of the dump is taken"
            text = f"NicInterfaceNameTemplate {name} names {address[0]} {named.value}, not {stated}: {why}"
            yield Remark(named.at, f"{node}: {text}", alike=f"{name}: {why}")
