"""Switches that LLDP calls by another name than their own configuration, such as one from before a rename.

LLDP's chassis ID is the MAC address of DEVICE_METADATA on SONiC, and its management address the one of
MGMT_INTERFACE: they tell whose a name is, as MAC addresses do for hosts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Kind, Said, Site, by_short_name, place
from netplan.importing.lldp import Heard, Neighbour
from netplan.importing.other_names import OtherNames
from netplan.importing.routed_links import ROUTED
from netplan.model.ranges import gathered
from netplan.model.values import natural

_NAMED: tuple[Kind, ...] = ("switch", "node")
_OTHERS = frozenset({"heard", "seen", "recorded", "device_type"})
"""Fields of switches that come from other sources than their configuration."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """``word``: for the MAC address or management address that the switch states."""

    switch: str
    word: str
    said: Said


def other_switch_names(heard: Iterable[Heard], site: Site) -> OtherNames:
    """Name in LLDP -> name in the configuration. What several switches state, such as the MAC address of a
    template, tells nothing."""
    owners = {ident: mine[0] for ident, mine in _owners(site).items() if len(mine) == 1}
    found: dict[str, dict[str, tuple[Neighbour, _Owner]]] = {}
    for neighbour in _unknown(heard, site):
        for owner in filter(None, map(owners.get, neighbour.ids)):
            found.setdefault(neighbour.system, {}).setdefault(owner.switch, (neighbour, owner))
    single = {name: mine for name, mine in found.items() if len(mine) == 1}
    joined = {name: next(iter(mine)) for name, mine in single.items()}
    return OtherNames(joined, tuple(_note(name, found[name]) for name in sorted(found, key=natural)))


def _unknown(heard: Iterable[Heard], site: Site) -> Iterator[Neighbour]:
    """Those with a name that no dump is of."""
    names = [of[0] for kind in _NAMED for of in site.every(kind)]
    known = {*by_short_name(names)} | {*names}
    for neighbour in (neighbour for one in heard for neighbour in one.neighbours):
        own = {neighbour.system, neighbour.system.partition(".")[0]}
        if neighbour.system and known.isdisjoint(own):
            yield neighbour


def _owners(site: Site) -> dict[str, list[_Owner]]:
    found: dict[str, list[_Owner]] = {}
    for of in site.every("switch"):
        if (mac := site.said("switch", of, "mac")) is not None:
            found.setdefault(str(mac.value).lower(), []).append(_Owner(of[0], "chassis ID", mac))
        for address, said in site.prefixed("switch", of, "mgmt/"):
            found.setdefault(address, []).append(_Owner(of[0], "management address", said))
    return found


def _note(name: str, found: Mapping[str, tuple[Neighbour, _Owner]]) -> str:
    rows = [
        f"{owner.word} {owner.said.value} ({place(heard.at)}) is that of {switch} ({place(owner.said.at)})"
        for switch, (heard, owner) in found.items()
    ]
    if len(rows) == 1:
        return f"LLDP has another name for switch {next(iter(found))}, {name}: its {rows[0]}"
    return f"{name} of LLDP is not joined with a switch: its {', its '.join(rows)}; dump these switches again"


def with_names(parts: Iterable[Heard], names: Mapping[str, str]) -> tuple[Heard, ...]:
    """What was heard, with the names of the configurations."""
    if not names:
        return tuple(parts)
    return tuple(
        replace(
            one,
            speaker=tuple(names.get(name, name) for name in one.speaker),
            neighbours=tuple(
                replace(each, system=names.get(each.system, each.system)) for each in one.neighbours
            ),
        )
        for one in parts
    )


def strangers(site: Site, cables: Iterable[Cable]) -> Iterator[str]:
    """Switches with a configuration that no cable reaches beside switches with cables and no configuration:
    two names of the same ones, or dumps that are missing."""
    own = {of[0] for of in site.every("switch") if site.fields("switch", of).keys() - _OTHERS}
    cables = [*cables]
    reached = _reached(site, cables)
    alone, bare = (sorted(names, key=natural) for names in (own - reached, reached - own))
    if alone and bare:
        first = next(cable for cable in cables if {*bare}.intersection(_ends(cable)))
        where = place(next(iter(site.fields("switch", (alone[0],)).values())).at)
        yield (
            f"switches with a configuration whose cables to hosts no LLDP or record has: {gathered(alone)} "
            f"({where}); switches with such cables and no configuration: {gathered(bare)} "
            f"({place(first.said.at)}); if they are the same, dump LLDP again or rename them in the files, "
            "else add the missing dumps"
        )


def _reached(site: Site, cables: Iterable[Cable]) -> set[str]:
    """Switches that neighbour tables or records have, and those behind routed links of theirs, as spines."""
    found: set[str] = set()
    routed: dict[str, list[str]] = {}
    for cable in cables:
        if site.said("port", (cable.switch, cable.port), ROUTED) is None:
            found.update(_ends(cable))
        else:
            routed.setdefault(cable.switch, []).append(cable.far[0])  # both ends have the cable
    behind = [*found]
    while behind:
        more = {*routed.get(behind.pop(), ())} - found
        found |= more
        behind += more
    return found


def _ends(cable: Cable) -> tuple[str, ...]:
    return (cable.switch, cable.far[0]) if cable.kind == SWITCH else (cable.switch,)
