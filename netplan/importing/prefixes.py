"""Recorded prefixes of VLANs that are not those of the VLAN interfaces."""

from __future__ import annotations

from collections.abc import Iterator

from netaddr import IPNetwork

from netplan.importing.facts import Contradiction, Remark, Said, Site, first_faults, not_taken, place
from netplan.model.values import parse_network

Svi = tuple[str, str, Said, IPNetwork]
"""Switch, address, where, network."""
_NOWHERE = "no VLAN interface in the dumps is in it, and others of its VLAN are"


def prefix_clashes(site: Site) -> Iterator[Contradiction]:
    """The first of each VLAN: a prefix that overlaps the network of a VLAN interface and is not it."""
    yield from first_faults(_overlapping(site))


def _overlapping(site: Site) -> Iterator[tuple[object, str]]:
    for _, text in other_prefixes(site):
        yield "prefix", text


def other_prefixes(site: Site) -> Iterator[tuple[Said, str]]:
    """The interface's address of each, and both."""
    for text, said, prefix, own in _prefixes(site):
        for switch, address, at, network in own:
            if _overlaps(network, prefix):
                here = f"VLAN {said.value} has prefix {text} ({place(said.at)})"
                yield at, f"{here}, its interface on {switch} {address} ({place(at.at)})"
                break


def lone_prefixes(site: Site) -> Iterator[Remark]:
    """Of VLANs whose interfaces are all in other networks."""
    for text, said, prefix, own in _prefixes(site):
        if not any(_overlaps(network, prefix) for *_, network in own):
            yield not_taken(said.at, f"prefix of VLAN {said.value}", text, _NOWHERE)


def _prefixes(site: Site) -> Iterator[tuple[str, Said, IPNetwork, list[Svi]]]:
    """Those that no interface of their VLAN has, where it has any."""
    interfaces = _interfaces(site)
    for of in site.every("prefix"):
        said, prefix = site.said("prefix", of, "vlan"), parse_network(of[0])
        own = interfaces.get(str(said.value), []) if said is not None else []
        if said is None or prefix is None or not own:
            continue
        if all(network != prefix.cidr for *_, network in own):
            yield of[0], said, prefix.cidr, own


def _interfaces(site: Site) -> dict[str, list[Svi]]:
    """VLAN -> its interfaces."""
    found: dict[str, list[Svi]] = {}
    for switch, vlan in site.every("svi"):
        for address, said in site.prefixed("svi", (switch, vlan), "address/"):
            if (network := parse_network(address)) is not None:
                found.setdefault(vlan, []).append((switch, address, said, network.cidr))
    return found


def _overlaps(one: IPNetwork, other: IPNetwork) -> bool:
    return bool(one in other or other in one)
