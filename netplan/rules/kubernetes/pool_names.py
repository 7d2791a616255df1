"""NP759: references of networks and pods to address pools."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator, Mapping

from netplan.diagnostics import Path
from netplan.graph.kubernetes.attachments import apart
from netplan.graph.kubernetes.cluster import POOL_TYPES, ObjectGraph, Pod, pool_names
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.registry import ObjectFinding, rule


@dataclass(frozen=True, slots=True)
class PoolUse:
    """A place that names a pool, of nv-ipam or Spiderpool, by its type. ``at``: of the IPAM, or of the
    annotation; ``keys``: those that the IPAM states, none for an annotation."""

    thing: Thing
    at: Path
    kind: str
    name: str
    keys: frozenset[str] = frozenset()


def _pool_uses(cluster: ObjectGraph) -> list[PoolUse]:
    return cluster.once("uses of pools", lambda: _find_uses(cluster))


def _find_uses(cluster: ObjectGraph) -> list[PoolUse]:
    found = [
        PoolUse(network.thing, at, kind, name, frozenset(ipam))
        for network in cluster.networks
        for at, ipam in network.ipams
        for kind, name in pool_names(network, ipam)
    ]
    return found + [use for pod in cluster.pods for use in _of_annotations(pod)]


_ANNOTATIONS = ("ipam.spidernet.io/ippool", "ipam.spidernet.io/ippools")


def _of_annotations(pod: Pod) -> Iterator[PoolUse]:
    """Pools of Spiderpool that a pod asks for (spidernet-io/spiderpool a7fbd3b docs/reference/annotation.md);
    a name may be a pattern."""
    for key in _ANNOTATIONS:
        try:
            stated = json.loads(str(pod.annotations.get(key) or "[]"))
        except ValueError:
            continue
        rows = [mapping(row) for row in (stated if isinstance(stated, list) else [stated])]
        named = (name for row in rows for family in ("ipv4", "ipv6") for name in listing(row.get(family)))
        for name in named:
            if isinstance(name, str) and not templated(name) and not set("*?[") & set(name):
                yield PoolUse(pod.thing, (*pod.path, "metadata", "annotations", key), "spiderpool", name)


@rule("NP759", "pool that does not exist", on=_pool_uses, between=True)
def pools_exist(cluster: ObjectGraph, use: PoolUse) -> Iterator[ObjectFinding]:
    """nv-ipam looks up a pool by type and name; the default type is ippool. Spiderpool looks it up by name,
    which a network or the annotation of a pod gives. It is a note in files of others where each pool is in
    another folder, beside a network on it, and none has a similar name: they may be other setups.

    **Why.** Pods wait for an address forever.
    **Fix.** Use poolName and poolType of an existing pool.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, pkg/cni/types/types.go; spidernet-io/spiderpool
    a7fbd3b2 pkg/ipam/allocate.go.
    """
    spider = use.kind == "spiderpool"
    pools, renamed = cluster.once(("pools", spider), lambda: _pools_of(cluster, spider))
    undecided = renamed or use.thing.file in cluster.tree.renamed or not (pools or cluster.whole)
    if undecided or (use.kind, use.name) in pools:
        return
    near = _has_near(use.name, [name for _, name in pools])
    if not (use.keys or cluster.whole or near):
        return  # the pod's pool may be made elsewhere
    key, message, hint = _no_pool(pools, use.kind, use.name)
    unsure = not near and _are_of_other_setups(cluster, pools, use)
    yield ObjectFinding(use.thing, _place(use, key), message, hint, unsure=unsure)


def _place(use: PoolUse, key: str) -> Path:
    stated = next((k for k in (key, "poolName") if k in use.keys), "type")
    return (*use.at, stated) if use.keys else use.at


def _are_of_other_setups(cluster: ObjectGraph, pools: Mapping[tuple[str, str], Thing], use: PoolUse) -> bool:
    """Whether each pool is in another folder, beside a network that takes addresses from it."""
    uses = ((pools.get((each.kind, each.name)), each.thing) for each in _pool_uses(cluster))
    used = {id(pool) for pool, thing in uses if pool is not None and apart(thing, pool) <= 0}
    return all(id(pool) in used and apart(use.thing, pool) > 0 for pool in pools.values())


def _has_near(name: str, there: list[str]) -> bool:
    """Whether there is a similar name with the same numbers: rail1 is another pool than rail0."""
    numbers = re.findall(r"\d+", name)
    return any(re.findall(r"\d+", near) == numbers for near in difflib.get_close_matches(name, there))


def _pools_of(cluster: ObjectGraph, spider: bool) -> tuple[dict[tuple[str, str], Thing], bool]:
    """The pools of Spiderpool or of nv-ipam, and whether their names are still to change."""
    pools = {key: p for key, p in cluster.pools.items() if (key[0] == "spiderpool") is spider}
    renamed = any(pool.file in cluster.tree.renamed for pool in pools.values())
    return pools, renamed or any(templated(name) for _, name in pools)


def _no_pool(pools: dict[tuple[str, str], Thing], kind: str, name: str) -> tuple[str, str, str]:
    """The key to change, the message, and the hint."""
    other = next((p for (_, n), p in pools.items() if n == name), None)
    if other is not None:
        message = f"poolType is {kind}, {name} is of kind {other.kind}"
        return "poolType", message, f'write "poolType": "{POOL_TYPES[other.kind]}"'
    close = difflib.get_close_matches(name, [n for _, n in pools])
    known = ", ".join(sorted(n for _, n in pools)[:8]) or "none"
    hint = f"did you mean {' or '.join(close)}?" if close else f"pools here: {known}"
    return "poolName", f"{kind} {name} is not in the directory", hint
