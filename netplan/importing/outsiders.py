"""Devices beyond the fabric, such as a firewall on a routed port of a border leaf or an edge router on the
spines: no dump is of them, fewer leaves have them than have the spines, or spines alone, and their BGP
sessions are with another AS, or there are none."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Remark, Said, Site, place
from netplan.importing.front_ends import is_known
from netplan.importing.link_sessions import addresses_of, expected_asns
from netplan.model.ranges import gathered
from netplan.model.values import natural

_LEFT = "it is left out as no part of the fabric; if it is a switch of it, add its configuration"


def outsiders(site: Site, cables: Iterable[Cable]) -> dict[str, str]:
    """Device -> why it is none of the fabric."""
    cables = [*cables]
    leaves = {cable.switch for cable in cables if cable.kind == CARD}
    above: dict[str, list[Cable]] = {}
    for cable in cables:
        if cable.kind == SWITCH and cable.switch in leaves and cable.far[0] not in leaves:
            above.setdefault(cable.far[0], []).append(cable)
    found = {name: _why(site, name, above) for name in above if not is_known(site, (name,))}
    found |= {name: _above_spines(site, own, leaves) for name, own in _on_spines(site, cables, leaves, above)}
    return {name: why for name, why in found.items() if why}


def _on_spines(
    site: Site, cables: Iterable[Cable], leaves: Container[str], above: Mapping[str, Sequence[Cable]]
) -> Iterator[tuple[str, list[Cable]]]:
    """Devices without a dump that spines alone have."""
    found: dict[str, list[Cable]] = {}
    for cable in cables:
        if cable.kind == SWITCH and cable.switch in above and is_known(site, (cable.switch,)):
            found.setdefault(cable.far[0], []).append(cable)
    for name, own in found.items():
        if name not in above and name not in leaves and not is_known(site, (name,)):
            yield name, own


def _above_spines(site: Site, own: Sequence[Cable], leaves: Iterable[str]) -> str:
    """Why it is no leaf without a dump: those count up with the others, as leaves to come would."""
    numbers = [asn for leaf in leaves if (asn := site.number("switch", (leaf,), "asn")) is not None]
    mine = [said for _, said in expected_asns(site, own)]
    if not numbers:
        return ""
    last = max(numbers) + len(numbers)
    if mine:
        inside = any(isinstance(said.value, int) and min(numbers) <= said.value <= last for said in mine)
        of_leaves = f"leaves are in AS {min(numbers)} to {max(numbers)}"
        return "" if inside else f"BGP expects AS {mine[0].value} there ({place(mine[0].at)}), {of_leaves}"
    return _without_bgp(site, own)


def _without_bgp(site: Site, own: Iterable[Cable]) -> str:
    bare = all(addresses_of(site, cable) and not _is_unnumbered(site, cable) for cable in own)
    return "no BGP neighbour is on its links" if bare else ""


def _why(site: Site, name: str, above: Mapping[str, Sequence[Cable]]) -> str:
    own = above[name]
    usual = [each for each in above.values() if len(_leaves(each)) > len(_leaves(own))]
    spines = _asns(site, usual)
    mine = [said for _, said in expected_asns(site, own)]
    if not spines or {said.value for said in mine} & spines.keys():
        return ""
    if mine:
        first = next(iter(spines.values()))
        there = f"spines are in AS {first.value} ({place(first.at)})"
        return f"BGP expects AS {mine[0].value} there ({place(mine[0].at)}), {there}"
    return _without_bgp(site, own)


def _leaves(cables: Iterable[Cable]) -> set[str]:
    return {cable.switch for cable in cables}


def _asns(site: Site, usual: Iterable[Sequence[Cable]]) -> dict[object, Said]:
    """AS numbers that leaves expect of spines."""
    heard = (said for cables in usual for _, said in expected_asns(site, cables))
    return {said.value: said for said in reversed([*heard])}


def _is_unnumbered(site: Site, cable: Cable) -> bool:
    return site.said("switch", (cable.switch,), f"unnumbered/{cable.port}") is not None


def outsider_remarks(found: Mapping[str, str], cables: Iterable[Cable]) -> Iterator[Remark]:
    """``cables``: those that are left out."""
    own: dict[str, list[Cable]] = {}
    for cable in cables:
        if cable.kind == SWITCH and cable.far[0] in found:
            own.setdefault(cable.far[0], []).append(cable)
    for name, mine in own.items():
        ports = gathered(sorted((f"{each.switch} {each.port}" for each in mine), key=natural))
        yield Remark(mine[0].said.at, f"{name} on {ports}: no dump is of it, and {found[name]}; {_LEFT}")
