"""A document without what the schema refused: the rest is resolved and checked all the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from netplan.diagnostics import Path
from netplan.model.inventory_schema import inventory_schema
from netplan.model.ranges import RangeError, expand

_MAPS = ("vlans", "subnets", "host_types", "hosts", "switch_types", "switches", "networks", "workloads")
_LISTS = ("links", "accept")
_MODELS = {"hcas": "HCA models", "switches": "switch models"}
"""Sections of the catalog, with the word ``resolve`` refuses their names under."""
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "fabric": ("type", "mtu", "cross_rail", "adaptive_routing", "qos", "arp", "partition"),
    "links": ("host_links", "switch_links"),
    "catalog": tuple(_MODELS.values()),
}
"""Section -> what is not known without it, fields of the fabric among them."""
_PARTS = frozenset(_FIELDS["fabric"][1:])
"""Keys of the section ``fabric`` that are left out one by one; without its type it is wrong as a whole."""
_STAND_INS: Mapping[str, Any] = {
    "version": 1,
    "site": "site",
    "cluster": {"primary_network": {"cni": "calico", "interface": "eth0"}},
    "fabric": {"type": "roce"},
    "host_types": {},
    "hosts": {},
}
"""In the place of a section that nothing can be resolved without; no check reads it."""
_FREE = range(4000, 2, -1)
"""VLAN ids that stand in for a wrong one."""


class Pruned(NamedTuple):
    """``refused``: entities left out; ``unknown``: fields of the fabric whose sections are not as written."""

    data: Mapping[str, Any]
    refused: frozenset[Path]
    unknown: frozenset[str]


def prune(data: Any, wrong: Iterable[Path]) -> Pruned:
    """``wrong``: places of what the schema refused."""
    out = {name: _copy(value) for name, value in data.items()} if isinstance(data, dict) else {}
    refused: set[Path] = set()
    unknown: set[str] = set()
    for path in wrong:
        part, below = str(path[0]) if path else "", path[1:]
        if below and part not in out:
            continue  # all of it is left out
        if below and part in _MAPS:
            refused.update(_without(out, part, str(below[0])))
        elif below and part in _LISTS:
            refused.add(_item(out, path, unknown))
        elif part == "catalog" and len(below) > 1:
            out[part] = out[part] | {below[0]: _less(out[part].get(below[0], {}), below[1])}
            refused.add((_MODELS[str(below[0])], str(below[1])))
        elif part == "fabric" and not _PARTS.isdisjoint(below[:1]):
            out[part] = _less(out[part], below[0])
            unknown.add(str(below[0]))
        else:
            unknown.update(_sections(out, part))
    return _completed(out, refused, unknown)


def _copy(value: Any) -> Any:
    """Its own entries, so that they can be taken out of it."""
    return dict(value) if isinstance(value, dict) else list(value) if isinstance(value, list) else value


def _less(mapping: Any, key: Any) -> Any:
    return {name: value for name, value in mapping.items() if name != key}


def _without(out: dict[str, Any], section: str, name: str) -> set[Path]:
    """Take an entity out. Of a VLAN another id stands in, so that what is in it goes on."""
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
    """Take an item out of a list, where the others keep their places. What an entry of ``accept`` covers
    stays covered, if it says what."""
    section, index = str(path[0]), path[1]
    item = out[section][index]
    covers = section == "accept" and _covers(item) and path[2:3] not in (("check",), ("at",))
    entry = {"check": item["check"], "at": item["at"], "reason": "as stated"} if covers else {}
    out[section][index] = entry
    if section == "accept" and not covers:
        unknown.add(section)
    return (section, index, "reason") if covers else (section, index)


def _covers(item: Any) -> bool:
    """Whether an entry of ``accept`` says which finding it is about."""
    return isinstance(item, dict) and isinstance(item.get("check"), str) and isinstance(item.get("at"), str)


def _sections(out: dict[str, Any], part: str) -> list[str]:
    """The section that is wrong as a whole; where a key is no section, those it may have been meant for."""
    known = inventory_schema()["properties"]
    names = [part] if part in known else [name for name in known if name not in out]
    for name in names:
        out.pop(name, None)
    return names


def _completed(out: dict[str, Any], refused: set[Path], unknown: set[str]) -> Pruned:
    """With a stand-in for each section that every inventory has."""
    known = inventory_schema()["properties"]
    fields = unknown | {field for name in unknown for field in _FIELDS.get(name, ())}
    refused.update((name,) for name in fields)
    data = {name: out[name] for name in known if name in out}
    return Pruned(dict(_STAND_INS) | data, frozenset(refused), frozenset(fields))
