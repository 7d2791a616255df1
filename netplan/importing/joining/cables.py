"""Switches and cables: what is new, what differs, what no dump shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from netplan.catalog import switch_rows
from netplan.importing.cable_lengths import HEADROOM, RECORD
from netplan.importing.cabling import CARD, Cable, heard_name
from netplan.importing.cards import Card
from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.joining.hosts import cards_by_node, dumped_nodes
from netplan.importing.joining.known import Change, Known, Word, stated
from netplan.importing.joining.records import record_changes
from netplan.importing.joining.renamed import OF_RECORD, planned_loopback
from netplan.importing.names import first_of
from netplan.importing.shared_ports import shared_cables
from netplan.importing.switches import SwitchRow, frr_mode_of, frr_modes, recorded_nos, usual_router_id
from netplan.model.folding import folded
from netplan.model.hardware import Switch, SwitchType
from netplan.model.ranges import gathered
from netplan.model.releases import is_release
from netplan.model.values import natural, parse_address

End = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A statement about a cable. ``texts``: switch, port, and what differs from cable to cable; ``form``: the
    sentence, with placeholders for the texts after the port and for the dump's place."""

    word: Word
    form: str
    texts: tuple[str, ...]
    at: str


def end_names(known: Known, cards: Iterable[Card]) -> dict[Of, str]:
    """Card of a host of the inventory -> its HCA."""
    found: dict[Of, str] = {}
    for name, mine in cards_by_node(cards).items():
        if (host := known.hosts.get(name)) is not None:
            found |= {card.of: hca for hca, card in known.names(host, mine).items()}
    return found


def cable_changes(known: Known, site: Site, cables: Sequence[Cable], names: Mapping[Of, str]) -> list[Change]:
    """Cables that count up together are one change. ``names``: card -> HCA, for known and new hosts."""
    rows = [row for cable in _once(cables) for row in _of_cable(known, site, cable, names)]
    places = {(row.word, row.form, row.texts): row.at for row in rows}
    by_form: dict[tuple[Word, str], list[_Row]] = {}
    for row in rows:
        by_form.setdefault((row.word, row.form), []).append(row)
    found = []
    for (word, form), alike in by_form.items():
        runs = [run.texts for run in folded((form, row.texts) for row in alike)]
        runs.sort(key=lambda texts: (natural(texts[1]), natural(texts[0])))
        for run in folded((form, texts) for texts in runs):  # fold ports, then switches
            switch, port, *rest = run.texts
            first = tuple(map(first_of, run.texts))
            what = form.format(*rest, at=places.get((word, form, first), places[word, form, alike[0].texts]))
            found.append(Change(word, f"cable of {switch} {port}", what))
    parts = {(cable.far[0], names[cable.far]) for cable in shared_cables(site) if cable.far in names}
    return [*found, *_unseen(known, site, cables), *record_changes(known, site, cables, parts)]


def _once(cables: Sequence[Cable]) -> Iterator[Cable]:
    """Drops the second view of a cable between switches, which both ends show."""
    seen = {(cable.switch, cable.port) for cable in cables}
    for cable in cables:
        own = (cable.switch, cable.port)
        if cable.kind == CARD or cable.far not in seen or own < cable.far:
            yield cable


def is_new(known: Known, cable: Cable, names: Mapping[Of, str]) -> bool:
    """Whether neither end has a cable in the inventory."""
    far = _far(cable, names)
    own = (cable.switch, cable.port)
    return (
        far is not None
        and cable.doubt is None
        and own not in known.ports
        and far not in known.ends
        and (far[0] == CARD or far[1:] not in known.ports)
    )


def _far(cable: Cable, names: Mapping[Of, str]) -> End | None:
    """None if it is not an HCA of an inventory."""
    if cable.kind != CARD:
        return (cable.kind, cable.far[0], cable.far[1])
    name = names.get(cable.far)
    return None if name is None else (CARD, cable.far[0], name)


def _of_cable(known: Known, site: Site, cable: Cable, names: Mapping[Of, str]) -> Iterator[_Row]:
    far, at = _far(cable, names), place(cable.said.at)
    if far is None or cable.doubt is not None:
        return
    own, shown = (cable.switch, cable.port), f"{far[1]} {far[2]}"
    before = known.ports.get(own)
    if before is None:
        if is_new(known, cable, names):
            yield _Row("new", "to {} ({at})", (*own, shown), at)
        elif (there := known.ends.get(far)) is not None:
            stated = known.written_at(known.ports[there][1])
            form = f"to {{}}, which is on {{}} ({_braced(stated)}) in the inventory ({{at}})"
            yield _Row("differs", form, (*own, shown, " ".join(there)), at)
        return
    end, path, metres = before
    stated = _braced(known.written_at(path))
    if end != far:
        yield _Row("differs", f"to {{}} ({stated}) or to {{}} ({{at}})", (*own, " ".join(end[1:]), shown), at)
    said = site.said("port", own, RECORD)
    if said is not None and said.value != metres:
        yield _Row("differs", f"cable_m: {metres} ({stated}) or {said.value} ({{at}})", own, place(said.at))
    room = site.said("port", own, HEADROOM)
    if room is not None and isinstance(room.value, int) and metres > room.value:
        form = f"cable_m: {metres} ({stated}), its headroom is for {room.value} m ({{at}})"
        yield _Row("differs", form, own, place(room.at))


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _unseen(known: Known, site: Site, cables: Iterable[Cable]) -> Iterator[Change]:
    """Cables of the inventory that no dump shows although it shows their switch or host."""
    seen = {(cable.switch, cable.port) for cable in cables}
    heard_nodes, switches = (
        {of[0] for of in site.every(kind) if site.said(kind, of, "heard")} for kind in ("node", "switch")
    )
    groups: dict[tuple[str, str], list[str]] = {}
    for (switch, port), (end, path, _) in known.ports.items():
        if (switch, port) in seen:
            continue
        heard = switch in switches or (end[0] == CARD and end[1] in heard_nodes)
        other = site.said("port", (switch, port), "hears")
        if other is not None and isinstance(other.value, tuple):
            there = f"{heard_name(other.value)} ({place(other.at)})"
            what = f"to {end[1]} {end[2]} ({known.written_at(path)}) or to {there}"
            if not _is_end(known, site, end, other.value):
                yield Change("differs", f"cable of {switch} {port}", what)
        elif heard and end[1:] not in seen:
            groups.setdefault((switch, known.written_at(path)), []).append(port)
    for (switch, at), ports in groups.items():
        yield Change("gone", f"cable of {switch} {gathered(sorted(ports, key=natural))}", f"not heard ({at})")


def _is_end(known: Known, site: Site, end: End, heard: tuple[str, ...]) -> bool:
    """Whether the system and a name of its port are the host and its HCA, whose card no dump has. Without
    names in the inventory only of a host that its neighbours alone still show."""
    host = known.hosts.get(end[1]) if end[0] == CARD else None
    hca = host.type.hca(end[2]) if host is not None else None
    if host is None or hca is None or host.name not in (heard[0], heard[0].partition(".")[0]):
        return False
    names = {text.lower() for text in stated(host, hca).values()}
    if host.name not in dumped_nodes(site):
        return not names or not names.isdisjoint(name.lower() for name in heard[1:])
    return not names.isdisjoint(name.lower() for name in heard[1:]) and not _has_card(site, host.name, heard)


def _has_card(site: Site, node: str, names: Iterable[str]) -> bool:
    """One of another model than the inventory's."""
    own = (of for of in site.every("card") if of[0] == node)
    return any(site.text("card", of, field) in names for of in own for field in ("netdev", "mac"))


def switch_changes(
    known: Known, site: Site, rows: Sequence[SwitchRow], names: Mapping[str, str]
) -> Iterator[Change]:
    """``names``: in the dumps -> in the inventory, of switches that have two."""
    for row in rows:
        switch = known.switches.get(names.get(row.name, row.name))
        at = place(next(iter(row.fields.values())).at)
        if row.name in names and switch is not None:
            stated, loopback = (
                known.at(("switches", switch.name)),
                site.said("switch", (row.name,), "loopback"),
            )
            by = f"; both have loopback {loopback.value}" if loopback is not None else ""
            what = f"name: {switch.name} ({stated}) or {row.name} ({at}){by}"
            yield Change("differs", f"switch {switch.name}", what)
        if switch is None:
            yield Change("new", f"switch {row.name}", f"{row.model or 'model unknown'} ({at})")
        else:
            yield from _of_switch(known, row, switch.type)
            yield from _of_router(known, row, switch)
            yield from _of_frr(known, row, switch)
    read = {names.get(row.name, row.name) for row in rows if row.fields.keys() - OF_RECORD}
    yield from _releases(known, rows, names)
    absent = [name for name in known.switches if name not in read] if read else []
    if absent:
        yield Change("gone", f"switch {gathered(absent)}", "no dump covers it")


def _of_switch(known: Known, row: SwitchRow, kind: SwitchType) -> Iterator[Change]:
    model, nos = row.fields.get("hwsku") or row.fields.get("device_type"), row.fields.get("nos")
    nos = nos or recorded_nos(row.fields)
    pairs = (
        ("model", kind.model.name, row.model or _other_model(row, kind.model.name), model),
        ("nos", kind.nos, nos.value if nos else "", nos),
    )
    for name, before, value, said in pairs:
        if said is not None and value and value != before:
            at = known.at(("switch_types", kind.name, name))
            what = f"{name}: {before} ({at}) or {value} ({place(said.at)})"
            yield Change("differs", f"switch {row.name}", what)


def _other_model(row: SwitchRow, known: str) -> str:
    """What the switch itself reports as its model, where the catalog has none of that name. A record, and an
    inventory with a model of its own, may have another name for the same model."""
    sku, kind, release = (row.fields.get(name) for name in ("hwsku", "device_type", "nos_version"))
    if sku is None and kind is not None and release is not None and kind.at.file == release.at.file:
        sku = kind
    return str(sku.value) if sku is not None and known in switch_rows() else ""


def _of_frr(known: Known, row: SwitchRow, switch: Switch) -> Iterator[Change]:
    """Who owns FRR's configuration; a type need not state the default."""
    said, modes = frr_mode_of(row), frr_modes(row)
    planned = switch.type.frr_mode or (modes[0].name if modes else "")
    if said is not None and said.value != planned:
        at = known.at(("switch_types", switch.type.name, "frr_mode"))
        what = f"frr_mode: {planned} ({at}) or {said.value} ({place(said.at)})"
        yield Change("differs", f"switch {row.name}", what)


def _of_router(known: Known, row: SwitchRow, switch: Switch) -> Iterator[Change]:
    """A router ID that the inventory states otherwise, and a loopback. Without a router ID in the inventory
    it is the loopback, where that is of IPv4."""
    said, loopback = row.fields.get("router_id"), row.fields.get("loopback")
    planned = planned_loopback(known, switch)
    runs = parse_address(str(loopback.value)) if loopback is not None else None
    if loopback and runs and planned and runs.version == planned.version and runs != planned:
        made = f"of its id in {known.at(('underlay', 'loopbacks'))}"
        what = f"loopback: {planned} ({made}) or {loopback.value} ({place(loopback.at)})"
        yield Change("differs", f"switch {switch.name}", what)
    usual = planned if planned is not None and planned.version == 4 else usual_router_id(row)
    stated = str(switch.router_id or usual)
    if said is not None and stated and said.value != stated:
        at = known.at(("switches", switch.name))
        what = f"router_id: {stated} ({at}) or {said.value} ({place(said.at)})"
        yield Change("differs", f"switch {row.name}", what)


def _releases(known: Known, rows: Iterable[SwitchRow], names: Mapping[str, str]) -> Iterator[Change]:
    """Releases of the NOS that switches run and their types do not state; 5.15 is also 5.15.0."""
    found: dict[tuple[str, str, str], list[tuple[str, Said]]] = {}
    for row in rows:
        switch = known.switches.get(names.get(row.name, row.name))
        said = row.fields.get("nos_version")
        if switch is not None and said is not None:
            kind, runs = switch.type, str(said.value)
            if not kind.nos_version or not is_release(runs, kind.nos_version):
                found.setdefault((kind.name, kind.nos_version, runs), []).append((switch.name, said))
    for (kind_name, written, runs), mine in found.items():
        whom = f"switch {gathered(name for name, _ in mine)}"
        where = f"{runs} ({place(mine[0][1].at)})"
        if written:
            at = known.at(("switch_types", kind_name, "nos_version"))
            yield Change("differs", whom, f"nos_version: {written} ({at}) or {where}")
        else:
            yield Change("new", whom, f"nos_version: {where}")
