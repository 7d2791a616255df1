"""Alternative files: only one of them is applied, since they define the same object differently."""

from __future__ import annotations

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing


def alternatives(cluster: ObjectGraph) -> frozenset[str]:
    """Files that define an object which another file defines differently."""

    def make() -> frozenset[str]:
        found: set[str] = set()
        seen: dict[tuple[str, str], Thing] = {}
        for thing in cluster.tree.things:
            first = seen.setdefault((thing.group, str(thing)), thing) if thing.name else thing
            if first.file != thing.file and first.body != thing.body:
                found |= {first.file, thing.file}
        return frozenset(found)

    return cluster.once("alternatives", make)


def together(cluster: ObjectGraph, one: Thing, other: Thing) -> bool:
    """Whether two objects are surely in the same cluster, so that a contradiction between them is real."""
    return cluster.whole or one.file == other.file or not {one.file, other.file} & alternatives(cluster)
