"""Reduce the edits of a large tree to one of each kind: ports with the same kind of peer, hosts of one type
at an end of it and in its middle, leaves, line numbers. Keys with a meaning of their own, such as code points
and queues, stay separate."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from tests.edits.plan import Edit

_NUMBERED = (
    (re.compile(r"^(leave out|change) \d+(?=: )"), r"\1 #"),
    (re.compile(r"\d+(\.\d+){3}"), "IP"),
    (re.compile(r"\b[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.\d"), "PCI"),
    (re.compile(r"\b(Vlan|leaf-|spine-|rail|roce|ens|net|mlx5_)\d+"), r"\1#"),
    (re.compile(r"(?<= / )\d+(?= / )"), "#"),
)
_PORT = re.compile(r"\bEthernet\d+\b")
_HOST = re.compile(r"\bgpu-\d+\b")
_ITEM = re.compile(r"^(leave out|change) (\d+) / ")
Kinds = Callable[[str, str], str]


def one_of_each(edits: Iterable[Edit], tree: Mapping[str, str]) -> Iterator[Edit]:
    """The first edit of each kind."""
    site = json.loads(tree["site.json"])
    seen: set[tuple[str, str]] = set()
    for edit in edits:
        shape = _path(site, edit.file), _shape(site, edit, tree[edit.file])
        if shape not in seen:
            seen.add(shape)
            yield edit


def _path(site: Mapping[str, Any], path: str) -> str:
    return _masked(_HOST.sub(lambda host: _type(site, host[0]), path))


def _shape(site: Mapping[str, Any], edit: Edit, text: str) -> str:
    name = edit.name
    if edit.file.endswith(".patch.json") and (item := _ITEM.match(name)):
        operation = _operations(text)[int(item[2])]
        name = f"{item[1]} {operation['op']} {operation['path']} / {name[item.end() :]}"
    ports = _ports(site, edit, name)
    name = _PORT.sub(lambda port: ports.get(port[0], "port"), name)
    return _masked(_HOST.sub(lambda host: _type(site, host[0]), name))


def _ports(site: Mapping[str, Any], edit: Edit, name: str) -> Mapping[str, str]:
    """Port -> peer, for the switch whose file is edited."""
    found = re.search(r"\b(leaf|spine)-\d+\b", f"{edit.file} {name}")
    cables = site["cables"].get(found[0], {}) if found else {}
    return {port: _peer(site, cable) for port, cable in cables.items()}


def _peer(site: Mapping[str, Any], cable: Mapping[str, Any]) -> str:
    return _type(site, cable["host"]) if "host" in cable else f"{cable['switch'].partition('-')[0]} port"


def _type(site: Mapping[str, Any], host: str) -> str:
    """With its place: commands that judge hosts alike once may look at the first or the last one."""
    if host not in site["hosts"]:
        return "host"
    kind = site["hosts"][host]["type"]
    alike = [name for name, other in site["hosts"].items() if other["type"] == kind]
    return f"{kind} {'end' if host in (alike[0], alike[-1]) else 'middle'}"


@lru_cache(maxsize=32)
def _operations(text: str) -> Any:
    return json.loads(text)


def _masked(text: str) -> str:
    for pattern, instead in _NUMBERED:
        text = pattern.sub(instead, text)
    return text
