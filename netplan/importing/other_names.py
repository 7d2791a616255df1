"""Hosts that LLDP calls by another name than the cluster: with a prefix, a suffix or other letters.

The MAC address in the port ID tells whose a name is. Where one rule turns the names of several nodes into
those that are heard, it is the site's way to name hosts and no contradiction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from netplan.diagnostics import Source
from netplan.importing.cards import Card
from netplan.importing.facts import Site, by_short_name, place
from netplan.importing.lldp import Heard, Neighbour
from netplan.model.ranges import gathered

_TRIED = 8
"""Names by which a rule is looked for where no MAC address tells."""
Ports = dict[str, list[Neighbour]]


@dataclass(frozen=True, slots=True)
class NameRule:
    """The longer name is ``before``, the shorter name, ``behind``. ``heard``: the name that is heard is the
    longer one."""

    before: str
    behind: str
    heard: bool

    def node(self, name: str) -> str:
        """The node that is called so; empty if the rule gives none."""
        short = _short(name)
        if not self.heard:
            return f"{self.before}{short}{self.behind}"
        end = len(short) - len(self.behind)
        fits = short.startswith(self.before) and short.endswith(self.behind) and end > len(self.before)
        return short[len(self.before) : end] if fits else ""

    def __str__(self) -> str:
        parts = (("prefix", self.before), ("suffix", self.behind))
        words = [f"the {word} {part}" for word, part in parts if part]
        if not words:
            return "in other letters (upper and lower case)"
        return f"{'with' if self.heard else 'without'} {' and '.join(words)}"


@dataclass(frozen=True, slots=True)
class OtherNames:
    """``nodes``: name in LLDP -> node. ``notes``: what was joined, and by which rule."""

    nodes: Mapping[str, str]
    notes: tuple[str, ...]


def other_names(heard: Iterable[Heard], site: Site, cards: Iterable[Card]) -> OtherNames:
    nodes = by_short_name(of[0] for of in site.every("node"))
    switches = by_short_name(of[0] for of in site.every("switch"))
    ports, named = _unknown(heard, nodes, switches)
    if not ports:
        return OtherNames({}, ())
    cards = [*cards]
    owners = _owners(ports, cards)
    lower = {_short(name): name for name in nodes.values()}
    rules = _rules(owners, named) if owners else _guessed(ports, lower, cards)
    found: dict[str, str] = {}
    notes = []
    for rule in rules:
        mine = _following(rule, (name for name in ports if name not in found), lower, owners)
        mine = {name: node for name, node in mine.items() if node not in named}
        found |= mine
        notes += [_note(mine, ports, str(rule))] if mine else []
    if not rules and not named and 1 < len(owners) == len(_single(owners)):
        found = owners
        notes.append(_note(found, ports, "matched by MAC address"))
    return OtherNames(found, tuple(notes))


def _following(
    rule: NameRule, names: Iterable[str], nodes: Mapping[str, str], owners: Mapping[str, str]
) -> dict[str, str]:
    """Name -> node by the rule, unless the MAC address says another one."""
    found = {name: nodes.get(rule.node(name), "") for name in names}
    return _single({name: node for name, node in found.items() if node and owners.get(name, node) == node})


def _unknown(
    heard: Iterable[Heard], nodes: Mapping[str, str], switches: Mapping[str, str]
) -> tuple[Ports, frozenset[str]]:
    """What switches hear under names of no dump, and the nodes that they hear under their own."""
    ports: Ports = {}
    named: set[str] = set()
    for one in heard:
        if not one.table and not any(name in switches for name in one.speaker):
            continue
        for neighbour in one.neighbours:
            names = (neighbour.system, neighbour.system.partition(".")[0])
            node = next((nodes[name] for name in names if name in nodes), "")
            if node:
                named.add(node)
            elif neighbour.system and not any(name in switches for name in names):
                ports.setdefault(neighbour.system, []).append(neighbour)
    return ports, frozenset(named)


def _owners(ports: Ports, cards: Iterable[Card]) -> dict[str, str]:
    """Name -> the node that has the MAC addresses of all its ports that state one."""
    by_mac: dict[str, set[str]] = {}
    for card in cards:
        by_mac.setdefault(card.text("mac"), set()).add(card.node)
    by_mac.pop("", None)
    found: dict[str, str] = {}
    for system, rows in ports.items():
        seen = [by_mac[name.lower()] for row in rows for name in row.names if name.lower() in by_mac]
        every = set[str]().union(*seen)
        if len(every) == 1:
            found[system] = every.pop()
    return found


def _rules(owners: Mapping[str, str], named: frozenset[str]) -> list[NameRule]:
    """Those that several names follow, or the only one; the most frequent first."""
    counts = Counter(rule for name, node in owners.items() if (rule := _rule(node, name)) is not None)
    alone = len(owners) == 1 and not named
    return [rule for rule, times in counts.most_common() if times > 1 or alone]


def _guessed(ports: Ports, nodes: Mapping[str, str], cards: Iterable[Card]) -> list[NameRule]:
    """Without MAC addresses: the one rule by which at least two names are nodes that have all the interfaces
    which are heard."""
    own: dict[str, set[str]] = {}
    for card in cards:
        own.setdefault(card.node, set()).add(card.text("netdev"))
    tried = {_rule(node, name) for name in islice(ports, _TRIED) for node in nodes}
    fitting = []
    for rule in filter(None, tried):
        mine = {name: nodes[node] for name in ports if (node := rule.node(name)) in nodes}
        whole = all(own.get(node, set()).intersection(r.names) for n, node in mine.items() for r in ports[n])
        if len(mine) > 1 and len(_single(mine)) == len(mine) and whole:
            fitting.append(rule)
    return fitting if len(fitting) == 1 else []


def _rule(node: str, name: str) -> NameRule | None:
    one, other = _short(node), _short(name)
    heard = one in other
    short, long = (one, other) if heard else (other, one)
    before, there, behind = long.partition(short)
    return NameRule(before, behind, heard) if there and short else None


def _short(name: str) -> str:
    return name.partition(".")[0].lower()


def _single(found: Mapping[str, str]) -> dict[str, str]:
    """Without nodes that two names lead to."""
    times = Counter(found.values())
    return {name: node for name, node in found.items() if times[node] == 1}


def _note(found: Mapping[str, str], ports: Ports, how: str) -> str:
    name, node = next(iter(found.items()))
    at: Source = ports[name][0].at
    whom = gathered(sorted(found.values()))
    return f"LLDP has other names for {whom}, {how}: {node} is {name} ({place(at)})"
