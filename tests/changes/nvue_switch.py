"""A model of a Cumulus switch that takes ``nv set`` and ``nv unset``: a tree whose list entries may be empty.

It is independent of the product: which words take a value is stated here, from the NVUE reference.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from typing import Any

import yaml

from netplan.changes.commands import Change, Files

Tree = dict[str, Any]
VALUES = re.compile(
    "mtu|ageing|untagged|access|enable|state|autonomous-system|router-id|remote-as|mode|cable-length|trust|ecn"
    "|bw-percent|min-threshold|max-threshold|probability|polling-interval|robustness|hash-seed|dcbx-pfc-tlv"
    "|extended-nexthop|description"
)
ENTRIES = [r"interface \S+ bridge domain \S+", r"interface vlan\d+", r"vrf \S+ router bgp neighbor \S+"]
"""Entries that have a meaning even if empty; other empty entries count as absent."""
FOREIGN = """
nv set interface swp63 link mtu 1500
nv set interface swp63 bridge domain br_default access 3999
nv set interface swp1 description mine
nv set bridge domain br_default vlan 3999
nv set interface vlan3999 ip address 192.0.2.1/24
nv set vrf default router bgp neighbor 192.0.2.2 remote-as 64999
nv set qos congestion-control default-global traffic-class 1 ecn enable
"""


class RefusedError(Exception):
    """NVUE rejects it."""


class NvueSwitch:
    def __init__(self, *, planted: bool) -> None:
        self.tree: Tree = {}
        self.files: dict[str, str] = {}
        if planted:
            self.lines(FOREIGN)

    def rollout(self, files: Files) -> None:
        """Apply the YAML files with ``nv config patch``."""
        for name in ("interfaces.yaml", "roce.yaml"):
            for item in yaml.safe_load(files.get(name, "[]")) or []:
                patch(self.tree, implied_gone(texts(item["set"])))
        self.files = {"arp.conf": files["arp.conf"]} if "arp.conf" in files else {}

    def apply(self, change: Change) -> None:
        for part in change.parts:
            if part.apply.startswith("sh -e {file}"):
                self.lines(part.text)
            else:
                assert "/etc/sysctl.d/" in part.apply
                self.files["arp.conf"] = part.text

    def lines(self, text: str) -> None:
        for line in text.splitlines():
            if line and not line.startswith("#"):
                program, verb, *words = shlex.split(line)
                assert program == "nv"
                if verb == "set":
                    self.put(words)
                elif verb == "unset":
                    self.unset(words)
                else:
                    raise RefusedError(line)

    def put(self, words: list[str]) -> None:
        for path in spread(words):
            tree = self.tree
            *above, last = path
            value = VALUES.fullmatch(above[-1]) or is_value(path)
            for word in above[:-1] if value else above:
                tree = tree.setdefault(word, {})
                if not isinstance(tree, dict):
                    raise RefusedError(f"{word} has a value: {' '.join(path)}")
            if value:
                tree[above[-1]] = last
            else:
                tree.setdefault(last, {})

    def unset(self, path: list[str]) -> None:
        trees = [self.tree]
        for word in path[:-1]:
            if not isinstance(trees[-1].get(word), dict):
                raise RefusedError(f"not there: {' '.join(path)}")
            trees.append(trees[-1][word])
        if path[-1] not in trees[-1]:
            raise RefusedError(f"not there: {' '.join(path)}")
        del trees[-1][path[-1]]
        for end in range(len(path) - 1, 0, -1):
            said = " ".join(path[:end])
            if trees[end] or any(re.fullmatch(entry, said) for entry in ENTRIES):
                break
            del trees[end - 1][path[end - 1]]

    def twice(self) -> list[str]:
        """Addresses on more than one interface."""
        found = [
            address
            for interface in self.tree.get("interface", {}).values()
            for family in ("ip", "ipv4", "ipv6")
            for address in interface.get(family, {}).get("address", {})
        ]
        return sorted({one for one in found if found.count(one) > 1})


def is_value(path: list[str]) -> bool:
    """Whether a word is a value here: some words are a list in one place and a setting in another."""
    said = " ".join(path[:-1])
    return bool(
        re.fullmatch(r"bridge domain \S+ type", said)
        or re.fullmatch(r"qos mapping \S+ (dscp|pcp) \S+ switch-priority", said)
        or re.fullmatch(r"qos egress-queue-mapping \S+ switch-priority \S+ traffic-class", said)
    )


def spread(words: list[str]) -> Iterator[list[str]]:
    """The commands of a line whose lists have commas, one per member."""
    for number, word in enumerate(words):
        if "," in word:
            for one in word.split(","):
                yield from spread([*words[:number], one, *words[number + 1 :]])
            return
    yield words


def texts(value: Any) -> Any:
    """Keys and values as text, as on a command line."""
    if isinstance(value, dict):
        return {str(key): texts(item) for key, item in value.items()}
    return str(value)


def implied_gone(tree: Tree) -> Tree:
    """The tree without what no command states: types, and the VLAN of an interface named after it."""
    for name, interface in tree.get("interface", {}).items():
        interface.pop("type", None)
        if name.startswith("vlan"):
            interface.pop("vlan", None)
    neighbours = tree.get("vrf", {}).get("default", {}).get("router", {}).get("bgp", {}).get("neighbor", {})
    for neighbour in neighbours.values():
        neighbour.pop("type", None)
    return tree


def patch(tree: Tree, over: Tree) -> None:
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(tree.get(key), dict):
            patch(tree[key], value)
        else:
            tree[key] = value


def said(tree: Tree, at: str = "") -> set[str]:
    """Every setting and entry, one line each."""
    found: set[str] = set()
    for key, value in tree.items():
        path = f"{at} {key}".strip()
        if not isinstance(value, dict):
            found.add(f"{path} = {value}")
        else:
            found |= said(value, path) or {path}
    return found
