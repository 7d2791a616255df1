"""Interfaces and networks of KubeVirt's machines, for NP752: they are paired by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.askers import KUBEVIRT, MACHINES
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.alike import likeliest


def unpaired(thing: Thing) -> Iterator[FieldFault]:
    """What the admission webhook refuses (kubevirt/kubevirt d923fdb8 pkg/network/admitter/netiface.go,
    validateInterfacesAssignedToNetworks, validateNetworksAssignedToInterfaces)."""
    place = MACHINES.get(thing.kind) if thing.group == KUBEVIRT else None
    if place is None or thing.partial:
        return
    interfaces: Path = (*place, "spec", "domain", "devices", "interfaces")
    networks: Path = (*place, "spec", "networks")
    named = {at: _names(thing, at) for at in (interfaces, networks)}
    if any(map(templated, (*named[interfaces].values(), *named[networks].values()))):
        return
    found = [*_missing(interfaces, named, networks, "network")]
    yield from found or _missing(networks, named, interfaces, "interface")


def _missing(at: Path, named: dict[Path, dict[int, Any]], other: Path, word: str) -> Iterator[FieldFault]:
    there = set(named[other].values())
    for index, name in named[at].items():
        if name not in there:
            close = likeliest(name, there, 0.6)
            hint = f"did you mean {' or '.join(close)}?" if close else f"write the {word} of that name"
            yield FieldFault((*at, index, "name"), f"there is no {word} {name}", hint)


def _names(thing: Thing, at: Path) -> dict[int, Any]:
    rows = ((index, mapping(row).get("name")) for index, row in enumerate(listing(inside(thing.body, at))))
    return {index: name for index, name in rows if isinstance(name, str)}
