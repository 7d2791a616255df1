"""The sections ``switch_types`` and ``switches``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from netplan.importing.cabling import Cable, is_listed
from netplan.importing.facts import Conflict, Site, place
from netplan.importing.hostless_leaves import Seen
from netplan.importing.names import first_of
from netplan.importing.switch_ids import ids_of
from netplan.importing.switches import (
    PLATFORM,
    SwitchRow,
    frr_mode_of,
    frr_modes,
    model_conflict,
    recorded_nos,
    usual_router_id,
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
from netplan.importing.tiers import CLASH, roles_told
from netplan.importing.twice import router_id_of_another
from netplan.importing.unlike_mtus import SHIPPED_MTU, mtu_questions
from netplan.model import folding
from netplan.model.inventory_schema import schema_at
from netplan.model.inventory_text import flow

_OF_TYPE = {
    "nos_version": "nos_version",
    "hwsku": "model",
    "model": "model",
    "device_type": "model",
    "buffer_model": "buffer_model",
}
_ASK_MODEL = {"sonic": "show platform summary", "cumulus-nvue": "nv show platform"}
"""NOS -> the command that prints the model, where ``show version`` does not: sonic-net/sonic-mgmt
tests/platform_tests/cli/test_show_platform.py (test_show_platform_summary: HwSKU), docs.nvidia.com, NVUE
Command Reference, Platform. ``show version`` of EOS, NX-OS and Junos: networktocode/ntc-templates 1d30a7c6,
2878f8ee, 299d87de, <platform>_show_version.textfsm. For other NOSes it is unconfirmed."""
Key = tuple[object, ...]


def switch_type_lines(
    site: Site, rows: Sequence[SwitchRow], of_links: bool = False, cables: Iterable[Cable] = ()
) -> list[str]:
    """``of_links``: leaves announce the networks of links to hosts."""
    types, asked, mtus = _types(rows), mtu_questions(site, rows, cables), dict[Key, str]()
    asked = {each.of[0]: str(each) for each in site.conflicts if _is_port_mtu(each)} | {**asked}
    for row in (row for row in rows if row.name in asked):
        mtus.setdefault(_shape(row), asked[row.name])
    leaves = {_shape(row) for row in rows if of_links and row.role == "leaf" and "asn" in row.fields}
    lines = [
        text
        for name, row in types.items()
        for text in _type(site, name, row, _shape(row) in leaves, mtus.get(_shape(row), ""))
    ]
    return ["switch_types:", *lines] if lines else []


def _is_dynamic(row: SwitchRow) -> bool:
    model = row.fields.get("buffer_model")
    return model is not None and model.value == "dynamic"


def _shape(row: SwitchRow) -> Key:
    names = (
        "nos",
        PLATFORM,
        "nos_version",
        "hwsku",
        "device_type",
        "buffer_model",
        "routing_mode",
        "framework",
    )
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


def _type(site: Site, name: str, row: SwitchRow, announces: bool, mtus: str) -> list[str]:
    """``mtus``: why the MTU of its ports is not known, empty if it is."""
    fields, nos = row.fields, row.fields.get("nos")
    entries = {"nos": told(nos) if nos else _of_record(row), "model": _model(row)}
    if release := fields.get("nos_version"):
        entries["nos_version"] = told(release)
    if (model := fields.get("buffer_model")) and model.value in ("dynamic", "traditional"):
        entries["buffer_model"] = told(model)
    if (small := fields.get("small_packet_percentage")) is not None and _is_dynamic(row):
        entries["small_packet_percentage"] = told(small)
    if (mtu := _port_mtu(site, row, mtus)) is not None:
        entries["port_mtu"] = mtu
    entries |= (_lost_links(row) if announces else {}) or _frr_mode(row)
    for conflict in (*site.about("switch", (row.name,)), *model_conflict(site, row.name)):
        if conflict.field in _OF_TYPE:
            entries[_OF_TYPE[conflict.field]] = clash(conflict)
    return block(1, name, entries)


def _is_port_mtu(conflict: Conflict) -> bool:
    return (conflict.kind, conflict.field) == ("port", "mtu")


def _port_mtu(site: Site, row: SwitchRow, mtus: str) -> Entry | None:
    if row.mtu is not None:
        asked = todo(f"decide, sources disagree: {mtus}", f"most of its ports have {row.mtu}")
        return asked if mtus else Entry(row.mtu, "most of its ports")
    nos, ports = row.fields.get("nos"), site.every("port")
    if nos is None or not any(of[0] == row.name and is_listed(site, of) for of in ports):
        return None
    return _shipped_mtu(str(nos.value), row.name)


def _shipped_mtu(nos: str, name: str) -> Entry:
    """Of a switch whose ports state none."""
    if (mtu := SHIPPED_MTU.get(nos)) is not None:
        return Entry(mtu, f"no port of {name} states one: as {nos} ships it")
    usual = schema_at("switch_types", "*", "port_mtu")["default"]
    return todo(f"MTU of the ports; without the key netplan plans {usual}", f"no port of {name} states one")


def _of_record(row: SwitchRow) -> Entry:
    platform, nos = row.fields.get(PLATFORM), recorded_nos(row.fields)
    if platform is None:
        return todo("network operating system", "show version")
    where = f"platform {platform.value}, {place(platform.at)}"
    return todo("network operating system", where) if nos is None else Entry(nos.value, where)


def _model(row: SwitchRow) -> Entry:
    sku = row.fields.get("hwsku") or row.fields.get("device_type")
    if row.model and sku:
        return Entry(row.model, f"{sku.value}, {place(sku.at)}")
    nos = row.fields.get("nos")
    asked = _ASK_MODEL.get(str(nos.value) if nos else "", "show version")
    where = f"{sku.value} ({place(sku.at)})" if sku else asked
    return todo("a model of netplan explain models, or of catalog.switches", where)


def _lost_links(row: SwitchRow) -> dict[str, Entry]:
    """The question of an owner of FRR's configuration that drops the lines by which links are announced."""
    said, modes = frr_mode_of(row), frr_modes(row)
    if not modes:
        return {}
    mode = next((each for each in modes if said is not None and each.name == said.value), modes[0])
    if mode.bgp != "rows":
        return {}
    where = f"{mode.name} today{f', {place(said.at)}' if said is not None else ''}"
    others = " or ".join(each.name for each in modes if each.bgp != "rows")
    what = f"{others}, once the switches run it; {mode.name} drops the lines that announce links of hosts"
    return {"frr_mode": todo(what, where)}


def _frr_mode(row: SwitchRow) -> dict[str, Entry]:
    """If it is stated; the image's default is left out."""
    said, others = frr_mode_of(row), frr_modes(row)[1:]
    stated = said is not None and said.value in {each.name for each in others}
    return {"frr_mode": told(said)} if said is not None and stated else {}


def switch_lines(
    site: Site, rows: Sequence[SwitchRow], cables: Iterable[Cable], hostless: Mapping[str, Seen]
) -> list[str]:
    types = {_shape(row): name for name, row in _types(rows).items()}
    comments = roles_told(rows, cables, hostless)
    keyed = [
        (
            (types[_shape(row)], row.role, comments.get(row.name, ("", ""))[0]),
            (row.name, str(row.id), _router_id(site, row)),
        )
        for row in rows
    ]
    runs = folding.folded(keyed)
    if any("/" in text for run in runs for text in run.texts if "[" in text):  # ids count up by one
        runs = [single for entry in keyed for single in folding.folded([entry])]
    lines = []
    for run in runs:
        kind, role, told_as = run.key
        first = int(run.texts[1].strip("[").partition("-")[0])
        values: dict[str, object] = {
            "type": kind,
            "id": first,
            "role": TODO if told_as == CLASH else role or TODO,
        }
        if run.texts[2]:
            values["router_id"] = first_of(run.texts[2])
        of = first_of(run.texts[0])
        asked = "; ".join(filter(None, (comments.get(of, ("", ""))[1], _shared_id(site, of))))
        lines.append(line(1, run.texts[0], Entry(flow(values), asked)))
    reason = comment(f"ids: {ids_of(site, {row.name: row.role for row in rows}).what}")
    return [f"switches:{reason}", *lines] if lines else []


def _shared_id(site: Site, name: str) -> str:
    """The question about a router ID that another switch has."""
    other, own = router_id_of_another(site, (name,)), site.said("switch", (name,), "router_id")
    if other is None or own is None:
        return ""
    seen = f"{own.value} ({place(own.at)}) is that of {other[0]} too ({place(other[1].at)})"
    return f"{TODO}: a router ID of its own; {seen}"


def _router_id(site: Site, row: SwitchRow) -> str:
    """Empty where it is the loopback, as netplan works it out."""
    own = row.fields.get("router_id")
    if router_id_of_another(site, (row.name,)) is not None:
        return TODO
    return "" if own is None or own.value == usual_router_id(row) else str(own.value)
