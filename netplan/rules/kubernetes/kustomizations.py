"""NP690, NP796: what a kustomization lists."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, listing, templated
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _indexes(cluster: ObjectGraph) -> list[Thing]:
    return list(cluster.tree.kustomizations.values())


@rule("NP796", "kustomization lists a missing file", on=_indexes)
def listed(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """``resources``, ``components`` and ``patches`` name files and directories relative to the kustomization.

    **Why.** One missing file makes the whole build fail, and nothing is applied.
    **Fix.** Correct the path or add the file.
    **Source.** kubernetes-sigs/kustomize d3d9215 api/internal/target/kusttarget.go (accumulateResources).
    """
    folder = posixpath.dirname(kustomization.file)
    for key in ("resources", "components", "patchesStrategicMerge"):
        for index, entry in enumerate(listing(kustomization.body.get(key))):
            if not isinstance(entry, str) or not _is_path(entry):
                continue
            path = posixpath.normpath(posixpath.join(folder, entry))
            if _below(path, cluster) and not _there(path, cluster):
                yield ObjectFinding(
                    kustomization, (key, index), f"{entry} is not there", "correct the path, or add it"
                )


def _is_path(entry: str) -> bool:
    """Whether an entry names a local file or folder, rather than a URL or an inline patch."""
    local = entry.startswith((".", "/")) or entry.endswith((".yaml", ".yml", ".json"))
    return local and not templated(entry) and not any(mark in entry for mark in "?:")


def _there(path: str, cluster: ObjectGraph) -> bool:
    folders = {posixpath.dirname(path) for path in cluster.tree.paths}
    return path in cluster.tree.paths or any(f == path or f.startswith(f"{path}/") for f in folders)


def _below(path: str, cluster: ObjectGraph) -> bool:
    """Whether a path is inside the directory that was read; nothing is known about paths outside it."""
    if path.startswith(".."):
        return False
    return path.startswith(f"{cluster.tree.base}/") if cluster.tree.base else not path.startswith("/")


@rule("NP690", "kustomization lists an object twice", on=_indexes)
def listed_twice(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """Each object may be listed only once in a kustomization.

    **Why.** The build fails and nothing is applied: may not add resource with an already registered id.
    **Fix.** Remove one of the two, or turn it into a patch.
    **Source.** kubernetes-sigs/kustomize dd55d1e api/resmap/reswrangler.go (already registered id).
    """
    folder = posixpath.dirname(kustomization.file)
    entries = [e for e in listing(kustomization.body.get("resources")) if isinstance(e, str) and _is_path(e)]
    files = {posixpath.normpath(posixpath.join(folder, entry)) for entry in entries}
    seen: dict[str, Thing] = {}
    for thing in cluster.tree.things if kustomization.kind != "Component" else ():
        if thing.file not in files or not thing.name:
            continue
        first = seen.setdefault(
            f"{thing.group} {thing.kind} {thing.metadata.get('namespace')} {thing.name}", thing
        )
        if first is not thing:
            message = (
                f"it is also at {first.source(('metadata', 'name'))}, and {kustomization.file} lists both"
            )
            yield ObjectFinding(thing, ("metadata", "name"), message, "remove one of the two")
