"""Names of hosts and switches with capitals or underscores, which an inventory does not have: they are
written in lower case, with hyphens. Names of hosts are the same in either case (RFC 4343), and netplan
renders none into a configuration."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.importing.facts import Fact, Site
from netplan.importing.lldp import Heard, Neighbour
from netplan.model.values import natural
from netplan.report import few

_WRITTEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PLAIN = re.compile(r"[a-z0-9][a-z0-9.-]*")
_NAMED = frozenset({"node", "card", "switch", "port", "svi"})
"""Kinds of facts whose subject begins with the name of a host or switch."""
_FAR = ("record", "shared/")
"""Fields whose value begins with one."""
_SHOWN = 4


def spellings(site: Site, heard: Iterable[Heard]) -> dict[str, str]:
    """Name -> how an inventory has it, for those that it cannot have as they are. Two names that would be one
    are left, unless they differ in case alone."""
    found: dict[str, list[str]] = {}
    for name in filter(_WRITTEN.fullmatch, _names(site, heard)):
        found.setdefault(name.lower().replace("_", "-"), []).append(name)
    spelled = {}
    for plain, names in found.items():
        if len({name.lower() for name in names}) == 1 and _PLAIN.fullmatch(plain):
            spelled.update({name: plain for name in names if name != plain})
    return spelled


def _names(site: Site, heard: Iterable[Heard]) -> set[str]:
    """Those of switches that only neighbours name too; other names of a host are joined by rules of their
    own."""
    known = {of[0] for kind in ("node", "switch") for of in site.every(kind)}
    lower = {name.lower() for name in known}
    for one in heard:
        for system in (each.system for each in one.neighbours if each.switching):
            head = system.partition(".")[0]
            known.update({head, system} if head.lower() not in lower else ())
    return known


def spelling_notes(spelled: Mapping[str, str], site: Site) -> Iterator[str]:
    """Of names that the inventory has."""
    own = {of[0] for kind in ("node", "switch") for of in site.every(kind)}
    used = sorted((old for old, new in spelled.items() if new in own), key=natural)
    if used:
        shown = few([f"{old} is {spelled[old]}" for old in used], _SHOWN)
        yield f"names of an inventory are in lower case, with hyphens: {shown}"


def respelled(site: Site, spelled: Mapping[str, str]) -> Site:
    return site.rewritten(lambda fact: _fact(fact, spelled))


def _fact(fact: Fact, spelled: Mapping[str, str]) -> Fact:
    if fact.kind not in _NAMED:
        return fact
    of, value = (spelled.get(fact.of[0], fact.of[0]), *fact.of[1:]), fact.value
    if fact.field.startswith(_FAR) and isinstance(value, tuple) and value:
        value = (respell(value[0], spelled), *value[1:])
    return replace(fact, of=of, value=value)


def respell(name: str, spelled: Mapping[str, str]) -> str:
    """Also of a name with its domain."""
    head, dot, rest = name.partition(".")
    return spelled.get(name) or (f"{spelled[head]}{dot}{rest}" if head in spelled else name)


def heard_as(heard: Sequence[Heard], spelled: Mapping[str, str]) -> tuple[Heard, ...]:
    return tuple(
        replace(
            one,
            speaker=tuple(respell(name, spelled) for name in one.speaker),
            neighbours=tuple(_neighbour(each, spelled) for each in one.neighbours),
        )
        for one in heard
    )


def _neighbour(one: Neighbour, spelled: Mapping[str, str]) -> Neighbour:
    return replace(one, system=respell(one.system, spelled))
