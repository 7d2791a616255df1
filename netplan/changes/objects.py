"""Kubernetes objects of two renders: which are new, gone or changed, and what nodes and pods notice of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_network
from itertools import takewhile
from typing import Any

from netplan.changes.effects import ADDED, ELSEWHERE, GONE, LESS, WIDER, Effects
from netplan.changes.model import ChangeKind, Effect, Touched
from netplan.changes.sides import Side
from netplan.model.artifact import Artifact
from netplan.model.ranges import gathered
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.reading.kubernetes.objects import Thing, inside
from netplan.reading.kubernetes.tree import ObjectTree
from netplan.verify.read import read

_TOP = "kubernetes/"
LEFT_OUT = frozenset(
    {"Kustomization", "Application", "HelmRelease", "HelmRepository", "GitRepository", "Component"}
)
"""Kinds that only list files; changes in the files are reported for the objects in them."""
_CONFIG = ("spec", "config")
_MOST = 48
Key = tuple[str, str, str]
"""Kind, namespace, name."""
Objects = Mapping[Key, Thing]
Value = tuple[str, Any, Any]
"""(dotted field, old value, new value); None for a value that does not exist."""


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """``effect`` of the ``fields`` of one object."""

    key: Key
    what: str
    effect: Effect
    where: str
    kind: ChangeKind


def object_effects(changes: Iterable[ObjectChange]) -> Iterator[Touched]:
    """One row for objects of a kind with the same change."""
    groups: dict[tuple[str, str, Effect, str, ChangeKind], list[str]] = {}
    for change in changes:
        row = (change.key[0], change.what, change.effect, change.where, change.kind)
        groups.setdefault(row, []).append(name_of(change.key))
    for (kind, what, effect, where, how), names in groups.items():
        yield Touched("kubernetes", f"{kind} {gathered(names)}", what, effect, where, how)


def object_changes(
    before: Mapping[Key, Any], after: Mapping[Key, Any], facts: SiteFacts, effects: Effects
) -> Iterator[ObjectChange]:
    """Changes between the bodies of objects. ``facts``: of the new site."""
    for key in sorted({*before, *after}, key=lambda key: tuple(map(natural, key))):
        if before.get(key) != after.get(key) and key[0] not in LEFT_OUT:
            yield from _of_object(key, before.get(key), after.get(key), facts, effects)


def chart_effects(sites: tuple[SiteFacts, SiteFacts], effects: Effects) -> Iterator[Touched]:
    """Operators of another release: the chart that installs their CRDs is not an object of the tree."""
    before, after = (side.releases for side in sites)
    for name in effects.chart_names:
        was, now = before.get(name), after.get(name)
        if was and now and was != now:
            effect = effects.of_chart(name, natural(now) < natural(was))
            yield Touched("kubernetes", f"chart of {name.replace('_', '-')}", f"{was} -> {now}", effect)


def name_of(key: Key) -> str:
    return f"{key[1]}/{key[2]}" if key[1] else key[2]


def objects(old: Side, new: Side) -> tuple[Objects, Objects]:
    """Objects of the files that differ."""
    paths = {*old.texts, *new.texts}
    unlike = {p for p in paths if p.startswith(_TOP) and old.texts.get(p) != new.texts.get(p)}
    return _things(old, unlike), _things(new, unlike)


def bodies(side: Side, paths: set[str]) -> dict[Key, Any]:
    return {key: thing.body for key, thing in _things(side, paths).items()}


def _things(side: Side, paths: set[str]) -> Objects:
    return {key_of(thing): thing for thing in tree_of(side, paths).things}


def tree_of(side: Side, paths: set[str]) -> ObjectTree:
    files = [Artifact(p, side.texts[p], "kubernetes") for p in sorted(paths) if p in side.texts]
    return read(files).tree


def key_of(thing: Thing) -> Key:
    return thing.kind, thing.namespace or "", thing.name


def _of_object(key: Key, old: Any, new: Any, facts: SiteFacts, effects: Effects) -> Iterator[ObjectChange]:
    if old is None or new is None:
        kind: ChangeKind = "new" if old is None else "gone"
        effect = effects.of_object(key[0], ADDED if old is None else GONE)
        yield ObjectChange(key, kind, effect, _nodes(new if old is None else old, facts), kind)
        return
    by_effect: dict[Effect, list[Value]] = {}
    how = _pool_row(old, new)
    pool = effects.stated(key[0], how)
    for field, was, now in _fields(old, new):
        effect = effects.of_object(key[0], field)
        if pool is not None and effect.word == "readdressed" and (how == ELSEWHERE or field in _RANGES):
            effect = pool
        by_effect.setdefault(effect, []).append((field, was, now))
        less = effects.stated(key[0], f"{field} {LESS}") if _is_less(now, was) else None
        if less is not None:
            by_effect.setdefault(less, []).append((field, was, now))
    for effect, values in by_effect.items():
        yield ObjectChange(key, _listed(values), effect, _nodes(new, facts), "changed")


def _is_less(one: Any, other: Any) -> bool:
    return type(one) is type(other) is int and one < other


def _fields(old: Any, new: Any, at: tuple[str, ...] = ()) -> Iterator[Value]:
    """Lists are compared as a whole, JSON texts by field."""
    if old == new:
        return
    if at == _CONFIG:
        old, new = _opened(old), _opened(new)
    if isinstance(old, dict) and isinstance(new, dict):
        for key in dict.fromkeys([*old, *new]):
            yield from _fields(old.get(key), new.get(key), (*at, str(key)))
    elif _named(old) and _named(new):
        yield from _of_nodes(old, new, at)
    elif _alike(old, new):
        for index, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _fields(one, other, (*at, str(index)))
    else:
        yield ".".join(at), old, new


_NODE = "nodeName"


def _named(value: Any) -> bool:
    """Whether it is a list with an entry for each node."""
    return isinstance(value, list) and all(isinstance(each, dict) and _NODE in each for each in value)


def _of_nodes(old: Any, new: Any, at: tuple[str, ...]) -> Iterator[Value]:
    """Differences by node, because an entry concerns one node only."""
    before, after = ({str(each[_NODE]): each for each in side} for side in (old, new))
    for node in dict.fromkeys([*before, *after]):
        if node in before and node in after:
            yield from _fields(before[node], after[node], (*at, node))
        else:
            sign = ADDED if node in after else GONE
            yield ".".join((*at, sign)), before.get(node), after.get(node)


_RANGES = ("spec.subnet", "spec.cidr")


def _pool_row(old: Any, new: Any) -> str:
    """The row for how a pool's addresses relate to the old ones: no address is assigned twice if all old ones
    are gone, or all are where they were."""
    for field in _RANGES:
        one, other = (_network(inside(body, tuple(field.split(".")))) for body in (old, new))
        if one is None or other is None or one == other:
            continue
        if one.version != other.version or not one.overlaps(other):
            return ELSEWHERE
        return WIDER if one[0] == other[0] and one.prefixlen > other.prefixlen else ""
    return ""


def _network(value: Any) -> IPv4Network | IPv6Network | None:
    try:
        return ip_network(str(value), strict=False)
    except ValueError:
        return None


def _alike(old: Any, new: Any) -> bool:
    """Whether to compare the entries: lists of maps, of equal length."""
    both = isinstance(old, list) and isinstance(new, list) and len(old) == len(new)
    return both and all(isinstance(each, dict) for each in (*old, *new))


def _opened(value: Any) -> Any:
    try:
        return json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return value


def _listed(values: list[Value]) -> str:
    shown = [f"{field} {said(was, now)} -> {said(now, was)}" for field, was, now in values[:_SHOWN]]
    rest = len(values) - _SHOWN
    return ", ".join(shown) + (f" and {rest} more" if rest > 0 else "")


_SHOWN = 3


def said(value: Any, beside: Any = None) -> str:
    """A value as text; a long one begins shortly before it differs from ``beside``."""
    if value is None:
        return "nothing"
    text, other = _text(value), _text(beside)
    if len(text) <= _MOST:
        return text
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(text, other, strict=False)))
    start = max(0, same - _BEFORE) if beside is not None else 0
    head = "..." if start else ""
    rest = text[start:]
    room = _MOST - len(head)
    return head + (rest if len(rest) <= room else f"{rest[: room - 3]}...")


_BEFORE = 12
"""Characters shown before the first difference of a long value."""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _nodes(body: Any, facts: SiteFacts) -> str:
    """The nodes that an object's nodeSelector matches; empty without one."""
    spec = body.get("spec")
    selector = spec.get("nodeSelector") if isinstance(spec, dict) else None
    if not isinstance(selector, dict) or "nodeSelectorTerms" in selector:
        return ""
    labels = {str(key): str(value) for key, value in selector.items()}
    hosts = [host.name for host in facts.hosts if host.has(labels)]
    return f"{len(hosts)} nodes: {gathered(hosts)}" if hosts else "no node"
