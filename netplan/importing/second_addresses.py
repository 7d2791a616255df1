"""Addresses of VLAN interfaces and ports that two files state differently, and second ones of one network."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import (
    Contradiction,
    Kind,
    Of,
    Remark,
    Said,
    Site,
    first_faults,
    not_taken,
    place,
)
from netplan.model.values import parse_network

_WHY = "an inventory has one address of a VLAN interface in a network"


def address_clashes(site: Site) -> Iterator[Contradiction]:
    """The first of VLAN interfaces, and of ports."""
    yield from first_faults(_clashes(site))


def _clashes(site: Site) -> Iterator[tuple[object, str]]:
    for kind, _one, _other, text in clashing(site):
        yield kind, text


def clashing(site: Site) -> Iterator[tuple[Kind, Said, Said, str]]:
    """The two addresses of each, of different files."""
    kinds: tuple[Kind, ...] = ("svi", "port")
    for kind in kinds:
        for of in site.every(kind):
            by_file = _by_file(site, kind, of)
            for version in (4, 6):
                own = [said for file in by_file.values() if (said := file.get(version)) is not None]
                others = [said for said in own[1:] if own[0].keys().isdisjoint(said)]
                if others:
                    one, other = next(iter(own[0].values())), next(iter(others[0].values()))
                    values = f"{one.value} ({place(one.at)}) or {other.value} ({place(other.at)})"
                    whose = (" VLAN " if kind == "svi" else " ").join(of)
                    yield kind, one, other, f"{whose}, address: {values}"


def _by_file(site: Site, kind: Kind, of: Of) -> dict[str, dict[int, dict[str, Said]]]:
    """File -> IP version -> address -> where."""
    found: dict[str, dict[int, dict[str, Said]]] = {}
    for text, said in site.prefixed(kind, of, "address/"):
        network = parse_network(text)
        if network is not None and not network.is_link_local():
            own = found.setdefault(said.at.file, {}).setdefault(network.version, {})
            own[text.partition("/")[0]] = said
    return found


def second_addresses(site: Site) -> Iterator[Remark]:
    """In a network of which the interface has one already, in the same file."""
    for of in site.every("svi"):
        seen: dict[tuple[str, str], Said] = {}
        for text, said in site.prefixed("svi", of, "address/"):
            network = parse_network(text)
            if network is not None and seen.setdefault((said.at.file, str(network.cidr)), said) is not said:
                told = not_taken(said.at, f"second address of {' VLAN '.join(of)}", text, _WHY)
                yield Remark(told.at, told.text, alike=_WHY)
