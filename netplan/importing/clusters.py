"""Dumps of two clusters among the files: one finding in place of all that contradicts itself.

An object keeps its ``metadata.uid`` for its lifetime (Kubernetes documentation, Object Names and IDs). One
that is the same in both says one cluster; a node, or the Namespace kube-system, that has another says two.
Where no object tells, they are two if neither has a node of the other and an object of the same name differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import PurePath
from typing import Any

from netplan.importing.facts import place
from netplan.model.ranges import gathered
from netplan.model.values import natural
from netplan.reading.kubernetes.objects import Thing

_Key = tuple[str, str, str, str]
_PAIRS = 1000
"""Pairs of dumps that are compared: it bounds the work that a dump can cause."""
_WAY_OUT = "import them one by one, each with the switches of its nodes"
_KINDS = frozenset(
    {
        "NicClusterPolicy",
        "SriovOperatorConfig",
        "SriovNetworkNodePolicy",
        "IPPool",
        "CIDRPool",
        "SriovNetwork",
    }
    | {"SriovIBNetwork", "HostDeviceNetwork", "MacvlanNetwork", "IPoIBNetwork", "NetworkAttachmentDefinition"}
)
"""Objects that people make, and that last."""


@dataclass(slots=True)
class _Dump:
    """A file, or the files of a folder."""

    nodes: dict[str, Thing] = field(default_factory=dict)
    objects: dict[_Key, Thing] = field(default_factory=dict)

    def add(self, thing: Thing) -> None:
        if thing.kind == "Node" and not thing.group:
            self.nodes.setdefault(thing.name, thing)
        if _is_lasting(thing):
            self.objects.setdefault(_key(thing), thing)


def two_clusters(things: Iterable[Thing]) -> str:
    """Which files, and what differs; empty for one cluster."""
    known = [thing for thing in things if thing.name and _is_lasting(thing)]
    for unit in (_file, _folder):
        dumps: dict[str, _Dump] = {}
        for thing in known:
            dumps.setdefault(unit(thing), _Dump()).add(thing)
        for one, other in islice(_pairs(dumps), _PAIRS):
            if (pair := _differing(dumps[one], dumps[other])) is not None:
                return _told((one, dumps[one]), (other, dumps[other]), pair)
    return ""


def _file(thing: Thing) -> str:
    return thing.file


def _folder(thing: Thing) -> str:
    return str(PurePath(thing.file).parent)


def _is_lasting(thing: Thing) -> bool:
    return thing.kind in ("Node", *_KINDS) or (thing.kind, thing.name) == ("Namespace", "kube-system")


def _key(thing: Thing) -> _Key:
    namespace = thing.metadata.get("namespace")
    return thing.group, thing.kind, str(namespace or ""), thing.name


def _uid(thing: Thing) -> str:
    uid = thing.metadata.get("uid")
    return uid if isinstance(uid, str) else ""


def _pairs(dumps: Mapping[str, _Dump]) -> Iterator[tuple[str, str]]:
    """Those in which an object has another uid or content than in the first that has it, each once."""
    first: dict[_Key, str] = {}
    seen = set[tuple[str, str]]()
    for name, dump in dumps.items():
        for key, thing in dump.objects.items():
            before = first.setdefault(key, name)
            pair = (before, name)
            if before != name and pair not in seen and _differs(dumps[before].objects[key], thing):
                seen.add(pair)
                yield pair


def _differs(one: Thing, other: Thing) -> bool:
    uids = {_uid(one), _uid(other)} - {""}
    if len(uids) > 1 or one.kind == "Node":
        return len(uids) > 1
    return one.spec != other.spec


def _differing(one: _Dump, other: _Dump) -> tuple[Thing, Thing] | None:
    """The first object that tells them apart; None if they are, or may be, of one cluster."""
    common = [(one.objects[key], other.objects[key]) for key in one.objects.keys() & other.objects.keys()]
    if any(_uid(mine) and _uid(mine) == _uid(his) for mine, his in common):
        return None
    different = sorted((pair for pair in common if _differs(*pair)), key=_rank)
    apart = one.nodes and other.nodes and one.nodes.keys().isdisjoint(other.nodes)
    sure = different and different[0][0].kind in ("Node", "Namespace")
    return different[0] if sure or (different and apart) else None


def _rank(pair: tuple[Thing, Thing]) -> tuple[int, object, _Key]:
    """Namespace and nodes first, then what a cluster has once."""
    kinds = ("Namespace", "Node", "NicClusterPolicy", "SriovOperatorConfig")
    kind = pair[0].kind
    return kinds.index(kind) if kind in kinds else len(kinds), natural(pair[0].name), _key(pair[0])


def _told(one: tuple[str, _Dump], other: tuple[str, _Dump], pair: tuple[Thing, Thing]) -> str:
    what = " and ".join(f"{name}{_nodes(dump)}" for name, dump in (one, other))
    path, values = _value(*pair)
    shown = " or ".join(
        f"{value} ({place(thing.source(path))})" for value, thing in zip(values, pair, strict=True)
    )
    return f"{what} are of two clusters: {pair[0].kind} {pair[0].name}, {'.'.join(path)}: {shown}; {_WAY_OUT}"


def _nodes(dump: _Dump) -> str:
    return f" (nodes {gathered(sorted(dump.nodes, key=natural))})" if dump.nodes else ""


def _value(one: Thing, other: Thing) -> tuple[tuple[str, ...], tuple[str, str]]:
    """The first field that differs, and its values."""
    uids = (_uid(one), _uid(other))
    if all(uids) and uids[0] != uids[1]:
        return ("metadata", "uid"), uids
    path: tuple[str, ...] = ("spec",)
    mine: Any = one.spec
    his: Any = other.spec
    while isinstance(mine, dict) and isinstance(his, dict):
        key = next(key for key in (*mine, *his) if mine.get(key) != his.get(key))
        path, mine, his = (*path, str(key)), mine.get(key), his.get(key)
    return path, (_shown(mine), _shown(his))


def _shown(value: object) -> str:
    return str(value)[:80] if value is not None else "nothing"
