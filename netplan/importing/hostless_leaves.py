"""Leaves without a host in the dumps: those of hosts whose LLDP was not read, or of hosts to come."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Of, Remark, Said, Site
from netplan.report import count, few

Seen = tuple[Of, Said]
"""Port and VLAN."""


def leaves_of_rails(
    rails: Mapping[Of, int],
    cables: Iterable[Cable],
    vlans: Mapping[int, Mapping[int, Said]],
    hostless: Mapping[str, Seen],
) -> dict[int, list[str]]:
    """Rail -> switches at the end of its cables; where some of its cards have no cable in the dumps, also
    leaves without a host in its VLANs. Others have no part in its numbering. ``vlans``: of the rails;
    ``hostless``: those leaves."""
    found: dict[int, list[str]] = {}
    own = [*cables]
    for cable in own:
        rail = rails.get(cable.far) if cable.kind == CARD and cable.doubt is None else None
        if rail is not None and cable.switch not in found.setdefault(rail, []):
            found[rail].append(cable.switch)
    uncabled = {rail for of, rail in rails.items() if of not in {cable.far for cable in own}}
    for name, (_, vlan) in hostless.items() if uncabled else ():
        for rail in sorted(rail for rail in uncabled if vlan.value in vlans.get(rail, {})):
            found.setdefault(rail, []).append(name)
    return found


def hostless_leaves(site: Site, cables: Sequence[Cable]) -> Mapping[str, Seen]:
    """Switch -> its first port, and the line, in a VLAN that hosts are in on other switches, or below
    spines in one whose interface it has. Ports between switches do not count: they carry such VLANs also
    in tiers above the leaves."""
    hosts = [(cable.switch, cable.port) for cable in cables if cable.kind == CARD]
    wanted = {vlan for of in hosts for vlan, _ in vlans_of_port(site, of)}
    leaves, between = {switch for switch, _ in hosts}, _between(cables)
    below = _below_spines(cables, leaves)
    found: dict[str, Seen] = {}
    for of in site.every("port"):
        if of[0] not in leaves and of[0] not in found and of not in between:
            of_hosts = _of_hosts(site, of, wanted, of[0] in below)
            found.update((of[0], (of, said)) for said in islice(of_hosts, 1))
    return found


def _of_hosts(site: Site, of: Of, wanted: Container[int], routed: bool) -> Iterator[Said]:
    """VLANs of a port that are of hosts. ``routed``: so are those whose interface its switch has."""
    for vlan, said in vlans_of_port(site, of):
        if vlan in wanted or (routed and any(site.prefixed("svi", (of[0], str(vlan)), "address/"))):
            yield Said(vlan, said.at)


def _below_spines(cables: Sequence[Cable], leaves: Container[str]) -> set[str]:
    """Switches with cables to those above the leaves, and to no leaf."""
    pairs = [(c.switch, c.far[0]) for c in cables if c.kind == SWITCH]
    pairs += [(far, near) for near, far in pairs]
    spines = {far for near, far in pairs if near in leaves and far not in leaves}
    return {near for near, far in pairs if far in spines} - spines


def hostless_remarks(
    site: Site, hostless: Mapping[str, Seen], leaves: Iterable[Sequence[str]]
) -> Iterator[Remark]:
    """Leaves of which the inventory has the uplinks alone. ``leaves``: of the rails."""
    on_rails = {name for own in leaves for name in own}
    for name, (_, said) in hostless.items():
        if name in on_rails:
            continue
        ports = [of for of in site.every("port") if of[0] == name and any(vlans_of_port(site, of))]
        svis = [
            f"VLAN {of[1]} {text}"
            for of in site.every("svi")
            if of[0] == name
            for text, _ in site.prefixed("svi", of, "address/")
        ]
        what = f"{name}: {count(len(ports), 'port')} in VLANs, interfaces {few(svis, 4) if svis else 'none'}"
        yield Remark(said.at, f"{what}: {_UPLINKS}", alike=_UPLINKS)


_UPLINKS = "no host on it is in the dumps, so the inventory has its uplinks alone"


def _between(cables: Iterable[Cable]) -> set[Of]:
    """Ports between switches."""
    pairs = (((cable.switch, cable.port), cable.far) for cable in cables if cable.kind == SWITCH)
    return {of for pair in pairs for of in pair}


def vlans_of_port(site: Site, of: Of) -> Iterator[tuple[int, Said]]:
    for field in ("access", "tagged"):
        if (said := site.said("port", of, field)) is not None:
            values = said.value if isinstance(said.value, tuple) else (said.value,)
            yield from ((int(str(value)), said) for value in values)
