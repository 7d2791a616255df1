"""Remove what the schema rejected, so that the rest can still be resolved and checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from netplan.diagnostics import Path
from netplan.model.inventory_schema import inventory_schema
from netplan.model.ranges import RangeError, expand

_MAPS = ("vlans", "subnets", "host_types", "hosts", "switch_types", "switches", "networks", "workloads")
_LISTS = ("links", "accept")
_MODELS = {"hcas": "HCA models", "switches": "switch models"}
"""Catalog section -> section name under which ``resolve`` records its refused models."""
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "fabric": ("type", "mtu", "cross_rail", "adaptive_routing", "qos", "arp", "partition"),
    "links": ("host_links", "switch_links"),
    "catalog": tuple(_MODELS.values()),
}
"""Section -> what becomes unknown without it, including fields of the fabric."""
_PARTS = frozenset(_FIELDS["fabric"][1:])
"""Keys of ``fabric`` that can be dropped individually; a wrong ``type`` invalidates the whole section."""
_STAND_INS: Mapping[str, Any] = {
    "version": 1,
    "site": "site",
    "cluster": {"primary_network": {"cni": "calico", "interface": "eth0"}},
    "fabric": {"type": "roce"},
    "host_types": {},
    "hosts": {},
}
"""Placeholders for sections that resolving requires; no check reads them."""
_FREE = range(4000, 2, -1)
"""Candidate VLAN IDs to replace an invalid one."""


class Pruned(NamedTuple):
    """``refused``: entities left out. ``unknown``: fabric fields whose sections were dropped or changed."""

    data: Mapping[str, Any]
    refused: frozenset[Path]
    unknown: frozenset[str]


def prune(data: Any, wrong: Iterable[Path]) -> Pruned:
    """Drop the smallest unit around each place in ``wrong``, the places that the schema rejected."""
    out = {name: _copy(value) for name, value in data.items()} if isinstance(data, dict) else {}
    refused: set[Path] = set()
    unknown: set[str] = set()
    for path in wrong:
        part, below = str(path[0]) if path else "", path[1:]
        if below and part not in out:
            continue  # the whole section was dropped already
        if below and part in _MAPS:
            refused.update(_without(out, part, str(below[0])))
        elif below and part in _LISTS:
            refused.add(_item(out, path, unknown))
        elif part == "catalog" and len(below) > 1:
            out[part] = out[part] | {below[0]: _less(out[part].get(below[0], {}), below[1])}
            refused.add((_MODELS[str(below[0])], str(below[1])))
        elif part == "fabric" and not _PARTS.isdisjoint(below):
            out[part] = _less(out[part], below[0])
            unknown.add(str(below[0]))
        else:
            unknown.update(_sections(out, part))
    return _completed(out, refused, unknown)


def _copy(value: Any) -> Any:
    """A shallow copy, so that entries can be removed without touching the input."""
    return dict(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value


def _less(mapping: Any, key: Any) -> Any:
    return {name: value for name, value in mapping.items() if name != key}


def _without(out: dict[str, Any], section: str, name: str) -> set[Path]:
    """Remove an entity. A VLAN gets a free id instead, so that its subnets can still be resolved."""
    if section == "vlans":
        out[section][name] = {"id": _free(out[section])}
        return {("vlans", name, "id")}
    out[section].pop(name, None)
    try:
        return {(section, name), *((section, member) for member in expand(name))}
    except RangeError:
        return {(section, name)}


def _free(vlans: Mapping[str, Any]) -> int:
    taken = {v["id"] for v in vlans.values() if isinstance(v, dict) and isinstance(v.get("id"), int)}
    return next((number for number in _FREE if number not in taken), _FREE[0])


def _item(out: dict[str, Any], path: Path, unknown: set[str]) -> Path:
    """Blank a list item, so that the others keep their indexes. An ``accept`` entry with a valid check and
    place still covers its findings."""
    section, index = str(path[0]), path[1]
    item = out[section][index]
    covers = section == "accept" and _covers(item) and {"check", "at"}.isdisjoint(path[2:])
    entry = {"check": item["check"], "at": item["at"], "reason": "as stated"} if covers else {}
    out[section][index] = entry
    if section == "accept" and not covers:
        unknown.add(section)
    return (section, index, "reason") if covers else (section, index)


def _covers(item: Any) -> bool:
    """Whether an ``accept`` entry states which finding it covers."""
    return isinstance(item, dict) and isinstance(item.get("check"), str) and isinstance(item.get("at"), str)


def _sections(out: dict[str, Any], part: str) -> list[str]:
    """Drop a section that is wrong as a whole, and return it. For an unknown key: every section missing from
    the document, since the key may be a typo of any."""
    known = inventory_schema()["properties"]
    names = [part] if part in known else [name for name in known if name not in out]
    for name in names:
        out.pop(name, None)
    return names


def _completed(out: dict[str, Any], refused: set[Path], unknown: set[str]) -> Pruned:
    """The pruned document, with a stand-in for each mandatory section that is missing."""
    known = inventory_schema()["properties"]
    fields = unknown | {field for name in unknown for field in _FIELDS.get(name, ())}
    refused.update((name,) for name in fields)
    data = {name: out[name] for name in known if name in out}
    return Pruned(dict(_STAND_INS) | data, frozenset(refused), frozenset(fields))
