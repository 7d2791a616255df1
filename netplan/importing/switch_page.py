"""The sections ``switch_types``, ``switches`` and ``links``."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.catalog import switch_rows
from netplan.importing.cable_lengths import length_of
from netplan.importing.cabling import CARD, Cable
from netplan.importing.facts import Of, Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.names import folded
from netplan.importing.port_clashes import speeds_of
from netplan.importing.port_settings import settings_of
from netplan.importing.routed_links import origin
from netplan.importing.splits import SPLIT, parts_of
from netplan.importing.switches import (
    SwitchRow,
    ids_of_what,
)
from netplan.importing.text import (
    TODO,
    Entry,
    block,
    clash,
    comment,
    line,
    todo,
    told,
)
from netplan.model import folding
from netplan.model.inventory_text import flow
from netplan.model.values import natural

_OF_TYPE = {"nos_version": "nos_version", "hwsku": "model", "buffer_model": "buffer_model"}
_ASK_MODEL = {"sonic": "show platform summary", "cumulus-nvue": "nv show platform"}
"""NOS -> the command that prints the model, where ``show version`` does not: sonic-net/sonic-mgmt
tests/platform_tests/cli/test_show_platform.py (test_show_platform_summary: HwSKU), docs.nvidia.com, NVUE
Command Reference, Platform. ``show version`` of EOS, NX-OS and Junos: networktocode/ntc-templates 1d30a7c6,
2878f8ee, 299d87de, <platform>_show_version.textfsm. For other NOSes it is unconfirmed."""
_MODES = {"split": "split", "split-unified": "split"}
_SPEEDS = frozenset({10, 25, 40, 50, 100, 200, 400, 800})
Key = tuple[object, ...]
Row = tuple[Key, tuple[str, ...]]
Links = list[tuple[Mapping[str, object], str]]


def switch_type_lines(site: Site, rows: Sequence[SwitchRow]) -> list[str]:
    types = _types(rows)
    lines = [text for name, row in types.items() for text in _type(site, name, row)]
    return ["switch_types:", *lines] if lines else []


def _is_dynamic(row: SwitchRow) -> bool:
    model = row.fields.get("buffer_model")
    return model is not None and model.value == "dynamic"


def _shape(row: SwitchRow) -> Key:
    names = ("nos", "nos_version", "hwsku", "device_type", "buffer_model", "routing_mode", "framework")
    small = row.fields.get("small_packet_percentage") if _is_dynamic(row) else None
    stated = (row.fields[name].value if name in row.fields else "" for name in names)
    return (row.mtu, small and small.value, *stated)


def _types(rows: Iterable[SwitchRow]) -> dict[str, SwitchRow]:
    """Name of a type -> its first switch."""
    found: dict[Key, SwitchRow] = {}
    for row in rows:
        found.setdefault(_shape(row), row)
    named: dict[str, SwitchRow] = {}
    for row in found.values():
        name = row.model or "unknown"
        named[name if name not in named else f"{name}-{len(named) + 1}"] = row
    return named


def _type(site: Site, name: str, row: SwitchRow) -> list[str]:
    fields, nos = row.fields, row.fields.get("nos")
    asked = todo("network operating system", "show version")
    entries = {"nos": told(nos) if nos else asked, "model": _model(row)}
    if release := fields.get("nos_version"):
        entries["nos_version"] = told(release)
    if (model := fields.get("buffer_model")) and model.value in ("dynamic", "traditional"):
        entries["buffer_model"] = told(model)
    if (small := fields.get("small_packet_percentage")) is not None and _is_dynamic(row):
        entries["small_packet_percentage"] = told(small)
    if row.mtu is not None:
        entries["port_mtu"] = Entry(row.mtu, "most of its ports")
    entries |= _frr_mode(row)
    for conflict in site.about("switch", (row.name,)):
        if conflict.field in _OF_TYPE:
            entries[_OF_TYPE[conflict.field]] = clash(conflict)
    return block(1, name, entries)


def _model(row: SwitchRow) -> Entry:
    sku = row.fields.get("hwsku") or row.fields.get("device_type")
    if row.model and sku:
        return Entry(row.model, f"{sku.value}, {place(sku.at)}")
    nos = row.fields.get("nos")
    asked = _ASK_MODEL.get(str(nos.value) if nos else "", "show version")
    where = f"{sku.value} ({place(sku.at)})" if sku else asked
    return todo("a model of netplan explain models, or of catalog.switches", where)


def _frr_mode(row: SwitchRow) -> dict[str, Entry]:
    """If it is stated; the image's default is left out."""
    mode, framework = row.fields.get("routing_mode"), row.fields.get("framework")
    if mode is not None and mode.value in _MODES:
        return {"frr_mode": Entry(_MODES[str(mode.value)], place(mode.at))}
    if framework is not None and framework.value == "true":
        return {"frr_mode": Entry("frrcfgd", place(framework.at))}
    return {}


def switch_lines(site: Site, rows: Sequence[SwitchRow]) -> list[str]:
    types = {_shape(row): name for name, row in _types(rows).items()}
    keyed = [((types[_shape(row)], row.role), (row.name, str(row.id), _router_id(row))) for row in rows]
    runs = folding.folded(keyed)
    if any("/" in text for run in runs for text in run.texts if "[" in text):  # ids count up by one
        runs = [single for entry in keyed for single in folding.folded([entry])]
    lines = []
    for run in runs:
        kind, role = run.key
        first = int(run.texts[1].strip("[").partition("-")[0])
        values: dict[str, object] = {"type": kind, "id": first, "role": role or TODO}
        if run.texts[2]:
            values["router_id"] = _first(run.texts[2])
        asked = "" if role else f"{TODO}: leaf or spine; no cable in the dumps shows which"
        lines.append(line(1, run.texts[0], Entry(flow(values), asked)))
    reason = comment(f"ids: {ids_of_what(site, [row.name for row in rows])}")
    return [f"switches:{reason}", *lines] if lines else []


def _router_id(row: SwitchRow) -> str:
    """Empty where it is the loopback, as netplan works it out."""
    own, loopback = (row.fields.get(name) for name in ("router_id", "loopback"))
    return "" if own is None or (loopback is not None and own.value == loopback.value) else str(own.value)


def link_lines(
    site: Site, cables: Sequence[Cable], names: Mapping[Of, str], rows: Sequence[SwitchRow]
) -> list[str]:
    """``names``: card -> HCA."""
    sure = [cable for cable in cables if cable.doubt is None]
    hosts = [c for c in sure if c.kind == CARD and c.far in names]
    told = {(cable.switch, cable.port): origin(site, cable) for cable in sure}
    entries = [*_host_links(site, hosts, names), *_switch_links(site, _upward(sure, rows), rows)]
    noted = [(values, "; ".join(filter(None, (note, _told(values, told))))) for values, note in entries]
    noted += _doubtful(site, cables)
    lines = [f"  - {flow(values).text}{comment(note)}" for values, note in noted]
    return ["links:", *lines] if lines else []


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
    return told.get((_first(ends[0]), _first(ends[1])), "")


def _first(text: str) -> str:
    """``Ethernet[0-60/4]`` -> ``Ethernet0``"""
    return re.sub(r"\[([0-9]+)-[0-9]+(?:/[0-9]+)?\]", r"\1", text)


def _is_lower(cable: Cable, leaves: set[str]) -> bool:
    """Both ends show a cable between switches; the leaf's view counts, else the first."""
    mine, other = cable.switch in leaves, cable.far[0] in leaves
    return mine if mine != other else (cable.switch, cable.port) < cable.far


def _settings(site: Site, cable: Cable) -> tuple[object, ...]:
    """Cable length, whether the port is enabled, FEC and auto-negotiation."""
    metres = length_of(site, cable)
    up = site.text("port", (cable.switch, cable.port), "admin_status") == "up"
    return (metres.value if metres is not None else TODO, up, *settings_of(site, cable))


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
        key = (names[cable.far], cable.switch, *_settings(site, cable))
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
        _stated({"hosts": key[0], "hca": hca, "switch": switch, "ports": key[1]}, key[2:])
        for key, (hca, switch) in rest
    ]


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
    rows, speeds = [], _Speeds(site, switches)
    for cable in cables:
        speed = TODO if speeds_of(site, cable) else speeds.of(cable.switch, cable.port)
        key = (cable.switch, cable.far[0], *_settings(site, cable), speed)
        rows.append((key, (cable.port, cable.far[1])))
    rows.sort(key=lambda row: (natural(str(row[0][0])), natural(str(row[0][1])), natural(row[1][0])))
    found: Links = []
    for run in folded(rows):
        ports, far = run.texts
        values: dict[str, object] = {
            "switches": run.key[0],
            "ports": ports,
            "to": run.key[1],
            "to_ports": far,
        }
        if run.key[-1] in (*_SPEEDS, TODO):
            values["speed_gbps"] = run.key[-1]
        row, note = _stated(values, run.key[2:])
        asked = f"{TODO}: speed_gbps, as sources disagree" if run.key[-1] == TODO else ""
        found.append((row, "; ".join(filter(None, (note, asked)))))
    return found


def _doubtful(site: Site, cables: Iterable[Cable]) -> Iterator[tuple[Mapping[str, object], str]]:
    """Cables on which the ends disagree, as comments: the schema takes no TODO for a host."""
    for cable in cables:
        if cable.doubt is not None:
            values: dict[str, object] = {
                "hosts": TODO,
                "hca": TODO,
                "switch": cable.switch,
                "ports": cable.port,
            }
            stated, _ = _stated(values, _settings(site, cable))
            yield stated, clash(cable.doubt).comment
