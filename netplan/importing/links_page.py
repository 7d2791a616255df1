"""The section ``links``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.catalog import switch_rows
from netplan.importing.cable_lengths import length_of
from netplan.importing.cabling import CARD, SWITCH, Cable
from netplan.importing.facts import Conflict, Of, Said, Site, place, texts_in
from netplan.importing.hosts import HostKind
from netplan.importing.names import first_of, folded
from netplan.importing.port_clashes import has_unsure_speed
from netplan.importing.port_settings import is_enabled, settings_of
from netplan.importing.routed_links import origin
from netplan.importing.splits import SPLIT, parts_of
from netplan.importing.switches import SwitchRow
from netplan.importing.text import TODO, clash, comment
from netplan.importing.uplink_rows import Uplink, uplink_rows
from netplan.model.inventory_text import flow
from netplan.model.values import natural

_SPEEDS = frozenset({10, 25, 40, 50, 100, 200, 400, 800})
Key = tuple[object, ...]
Row = tuple[Key, tuple[str, ...]]
Link = tuple[Mapping[str, object], str]
"""Values of an entry, and what its comment asks."""
Links = list[Link]


def link_lines(
    site: Site, cables: Sequence[Cable], names: Mapping[Of, str], rows: Sequence[SwitchRow]
) -> list[str]:
    """``names``: card -> HCA."""
    sure = [cable for cable in cables if cable.doubt is None and not cable.shared]
    hosts = [c for c in sure if c.kind == CARD and c.far in names]
    told = {(cable.switch, cable.port): origin(site, cable) for cable in sure}
    entries = [*_host_links(site, hosts, names), *_switch_links(site, _upward(sure, rows), rows)]
    noted = [(values, "; ".join(filter(None, (note, _told(values, told))))) for values, note in entries]
    noted += _doubtful(site, cables, rows)
    lines = [f"  - {flow(values).text}{comment(note)}" for values, note in noted]
    return ["links:", *lines] if lines or any(cable.shared for cable in cables) else []


def hca_names(kinds: Iterable[HostKind]) -> dict[Of, str]:
    every = ((kind, card_row) for kind in kinds for card_row in kind.own.values())
    return {card.of: name for kind, row in every for card, name in zip(row, kind.names, strict=True)}


def _upward(cables: Iterable[Cable], rows: Iterable[SwitchRow]) -> list[Cable]:
    """Cables between switches, each from its lower side."""
    leaves = {row.name for row in rows if row.role == "leaf"}
    return [cable for cable in cables if cable.kind != CARD and _is_lower(cable, leaves)]


def _told(values: Mapping[str, object], told: Mapping[tuple[str, str], str]) -> str:
    """Where the first cable of a row is stated."""
    ends = [str(values.get("switch") or values.get("switches")), str(values["ports"])]
    return told.get((first_of(ends[0]), first_of(ends[1])), "")


def _is_lower(cable: Cable, leaves: set[str]) -> bool:
    """Both ends show a cable between switches; the leaf's view counts, else the first."""
    mine, other = cable.switch in leaves, cable.far[0] in leaves
    return mine if mine != other else (cable.switch, cable.port) < cable.far


def _settings(site: Site, cable: Cable) -> tuple[object, ...]:
    """Cable length, whether the port is enabled, FEC and auto-negotiation."""
    metres = length_of(site, cable)
    length = metres.value if metres is not None else TODO
    return (length, is_enabled(site, cable), *settings_of(site, cable))


def _stated(values: dict[str, object], settings: Sequence[object]) -> tuple[Mapping[str, object], str]:
    metres, up, fec, negotiates = settings[:4]
    values["cable_m"] = metres
    if fec:
        values["fec"] = fec
    if negotiates is not None:
        values["autoneg"] = negotiates
    if up:
        values["admin_status"] = "up"
    return values, f"{TODO}: cable_m, the length of the cable" if metres == TODO else ""


def _host_links(site: Site, cables: Iterable[Cable], names: Mapping[Of, str]) -> Links:
    """Folds consecutive hosts on consecutive ports; then HCAs whose switches count up with them; then the
    HCAs of one host."""
    single: list[Row] = []
    ordered = sorted(cables, key=lambda c: (natural(names[c.far]), natural(c.switch), natural(c.far[0])))
    for cable in ordered:
        speed = TODO if has_unsure_speed(site, cable) else ""
        key = (names[cable.far], cable.switch, *_settings(site, cable), speed)
        single.append((key, (cable.far[0], cable.port)))
    runs = [((*run.texts, *run.key[2:]), (str(run.key[0]), str(run.key[1]))) for run in folded(single)]
    runs.sort(key=lambda run: (natural(str(run[0][0])), natural(str(run[0][1])), natural(run[1][0])))
    series = [(run.key, run.texts) for run in folded(runs)]
    lone = [((key[0], s, *key[2:]), (hca, str(key[1]))) for key, (hca, s) in series if _is_one(key, hca)]
    rest = [(key, texts) for key, texts in series if not _is_one(key, texts[0])]
    lone.sort(key=lambda row: (natural(str(row[0][0])), natural(str(row[0][1])), natural(row[1][0])))
    rest += [
        ((run.key[0], run.texts[1], *run.key[2:]), (run.texts[0], str(run.key[1]))) for run in folded(lone)
    ]
    rest.sort(key=lambda row: (natural(str(row[0][0])), natural(row[1][0])))
    return [
        _with_speed({"hosts": key[0], "hca": hca, "switch": switch, "ports": key[1]}, key)
        for key, (hca, switch) in rest
    ]


def _with_speed(values: dict[str, object], key: Key) -> Link:
    """``key``: behind two names the settings and, last, a speed, TODO where sources disagree."""
    if key[-1] in (*_SPEEDS, TODO):
        values["speed_gbps"] = key[-1]
    row, note = _stated(values, key[2:])
    asked = f"{TODO}: speed_gbps, as sources disagree" if key[-1] == TODO else ""
    return row, "; ".join(filter(None, (note, asked)))


def _is_one(key: Key, hca: str) -> bool:
    """Whether a row is a single cable."""
    return not any("[" in str(text) for text in (key[0], key[1], hca))


_PART = re.compile(r"(.*[0-9])(?:s|:)[0-9]+")
"""Part of a split port: ``swp33s0`` of NVUE, ``et-0/0/1:0`` of Junos."""


class _Speeds:
    """Speeds of ports between switches: as stated, else a split port's share of the model's highest speed."""

    def __init__(self, site: Site, rows: Iterable[SwitchRow]) -> None:
        self._site = site
        models = switch_rows()
        self._most = {r.name: max(models[r.model]["speeds_gbps"]) for r in rows if r.model in models}
        bases = ((of[0], match[1]) for of in site.every("port") if (match := _PART.fullmatch(of[1])))
        self._parts = Counter(bases)

    def of(self, switch: str, port: str) -> int:
        """In Gb/s, 0 if left to the model."""
        stated = self._site.number("port", (switch, port), "speed")
        part = _PART.fullmatch(port)
        if stated or part is None or switch not in self._most:
            return (stated or 0) // 1000
        split = self._site.said("port", (switch, part[1]), SPLIT)
        count = max(self._parts[switch, part[1]], parts_of(split)[0] if split is not None else 0)
        return int(self._most[switch]) // next(parts for parts in (2, 4, 8, 16, count) if parts >= count)


def _switch_links(site: Site, cables: Iterable[Cable], switches: Iterable[SwitchRow]) -> Links:
    speeds = _Speeds(site, switches)
    uplinks = []
    for cable in cables:
        speed = TODO if has_unsure_speed(site, cable) else speeds.of(cable.switch, cable.port)
        uplinks.append(Uplink(cable.switch, cable.port, cable.far, (*_settings(site, cable), speed)))
    return [
        _with_speed(
            {"switches": row.switches, "ports": row.ports, "to": row.to, "to_ports": row.to_ports},
            (row.switches, row.to, *row.settings),
        )
        for row in uplink_rows(uplinks)
    ]


def _doubtful(site: Site, cables: Iterable[Cable], rows: Sequence[SwitchRow]) -> Iterator[Link]:
    """Cables on which sources disagree, each contradiction once. An end that is a host or a switch is asked
    for as a host: the schema takes no TODO there."""
    doubted: dict[Of, Cable] = {
        (cable.switch, cable.port): cable for cable in cables if cable.doubt is not None
    }
    doubts = {cable.doubt.of: cable.doubt for cable in doubted.values() if cable.doubt is not None}
    between: dict[Of, Conflict] = {
        of: doubt for of, doubt in doubts.items() if _is_between(doubt) and of in doubted
    }
    yield from _open_links(site, doubted, between, rows)
    for of, cable in doubted.items():
        doubt = cable.doubt
        seen_elsewhere = cable.kind == SWITCH and doubt is not None and doubt.of != of
        if doubt is not None and doubt.of not in between and not seen_elsewhere:
            values: dict[str, object] = {"hosts": TODO, "hca": TODO, "switch": of[0], "ports": of[1]}
            yield _stated(values, _settings(site, cable))[0], clash(doubt).comment


def _is_between(doubt: Conflict) -> bool:
    """Whether it is about which port of a switch is at the other end of a switch's port."""
    return doubt.kind == "port" and all(_end(said) for said in (doubt.one, doubt.other))


def _end(said: Said) -> Of:
    """The switch and the port that a neighbour names; empty for a card."""
    value = texts_in(said.value)
    return value[1:] if len(value) == 3 and value[0] == SWITCH else ()


def _open_links(
    site: Site, cables: Mapping[Of, Cable], doubts: Mapping[Of, Conflict], rows: Sequence[SwitchRow]
) -> Iterator[Link]:
    """An entry for each port whose other end is open. One whose ends all have an entry needs none."""
    leaves = {row.name for row in rows if row.role == "leaf"}
    speeds, written = _Speeds(site, rows), set[Of]()
    for of in sorted(doubts, key=lambda of: (of[0] not in leaves, natural(of[0]), natural(of[1]))):
        said = (doubts[of].one, doubts[of].other)
        ends = [_end(each) for each in said]
        if written.issuperset(ends):
            continue
        written.add(of)
        switches = {switch for switch, _ in ends}
        far = (switches.pop() if len(switches) == 1 else TODO, TODO)
        near, names = _is_lower(cables[of], leaves), ("switches", "ports", "to", "to_ports")
        values: dict[str, object] = dict(zip(names, (*of, *far) if near else (*far, *of), strict=True))
        if (speed := speeds.of(*of)) in _SPEEDS:
            values["speed_gbps"] = speed
        stated, note = _stated(values, _settings(site, cables[of]))
        asked = ", ".join(name for name, value in values.items() if value == TODO and name != "cable_m")
        seen = " or ".join(f"{' '.join(_end(each))} ({place(each.at)})" for each in said)
        yield stated, "; ".join(filter(None, (f"{TODO}: {asked}, as sources disagree: {seen}", note)))
