"""NP686, NP690, NP796: what a kustomization lists."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.ignored import is_ignored
from netplan.reading.kubernetes.objects import Thing, inside, listing, templated
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _indexes(cluster: ObjectGraph) -> list[Thing]:
    return list(cluster.tree.kustomizations.values())


_LISTS = ("resources", "components", "patchesStrategicMerge")


@rule("NP796", "kustomization lists a missing file", on=_indexes)
def listed(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """``resources``, ``components`` and ``patches`` name files and directories relative to the kustomization.

    **Why.** One missing file makes the whole build fail, and nothing is applied.
    **Fix.** Correct the path or add the file.
    **Source.** kubernetes-sigs/kustomize d3d9215 api/internal/target/kusttarget.go (accumulateResources).
    """
    if _why_written(cluster, kustomization):
        return
    for at, entry, path in _missing(cluster, kustomization):
        if not is_ignored(path, cluster.tree.ignores):
            yield ObjectFinding(kustomization, at, f"{entry} is not there", "correct the path, or add it")


@rule("NP686", "kustomization lists a file that is written later", on=_indexes, severity=Severity.INFO)
def written(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """A listed file is not in the directory, but something else seems to write it: ``.gitignore`` names it,
    or none of the listed files is there. Or nothing in the directory builds the kustomization: none above it
    names its folder, nor does an object of Flux or Argo CD.

    **Why.** Certificates, secrets and generated files are not in a repository. Until they are there, the
    build fails.
    **Fix.** Write the file before the build, or delete a kustomization that nothing builds.
    **Source.** git-scm.com/docs/gitignore; kubernetes-sigs/kustomize d3d9215
    api/internal/target/kusttarget.go (accumulateResources).
    """
    why = _why_written(cluster, kustomization)
    for at, entry, path in _missing(cluster, kustomization):
        ignored = "; .gitignore leaves it out" if is_ignored(path, cluster.tree.ignores) else ""
        if why or ignored:
            message = f"{entry} is not there{why or ignored}"
            yield ObjectFinding(kustomization, at, message, "write it before the build")
            if why:
                return


def _why_written(cluster: ObjectGraph, kustomization: Thing) -> str:
    """Why a missing file may be no mistake of its path."""
    entries = list(_entries(cluster, kustomization))
    if len(entries) > 1 and not any(_there(path, cluster) for _, _, path in entries):
        return ", nor is any other file of this kustomization"
    return "" if _is_built(cluster, kustomization) else "; no kustomization or GitOps object builds this one"


def _is_built(cluster: ObjectGraph, kustomization: Thing) -> bool:
    """Whether something names its folder, or nothing above it could."""
    folder = posixpath.dirname(kustomization.file)
    above = [each for each in cluster.tree.kustomizations if each != folder and _is_below(folder, each)]
    return not above or any(_names(path, folder) for path in _built(cluster))


def _is_below(path: str, folder: str) -> bool:
    return not folder or path.startswith(f"{folder}/")


def _names(path: str, folder: str) -> bool:
    return folder == path or folder.endswith(f"/{path}")


def _built(cluster: ObjectGraph) -> frozenset[str]:
    """Folders that a kustomization lists, as given, and those of Flux and Argo CD, from the root of their
    repository."""

    def make() -> frozenset[str]:
        found: set[str] = set()
        for folder, each in cluster.tree.kustomizations.items():
            named = (e for key in ("resources", "components", "bases") for e in listing(each.body.get(key)))
            found |= {posixpath.normpath(posixpath.join(folder, e)) for e in named if isinstance(e, str)}
        for thing in cluster.tree.things:
            paths = (inside(thing.spec, at) for at in _SOURCES.get((thing.group, thing.kind), ()))
            found |= {posixpath.normpath(p).lstrip("./") for p in paths if isinstance(p, str)}
        return frozenset(found - {""})

    return cluster.once("built folders", make)


_SOURCES = {
    ("kustomize.toolkit.fluxcd.io", "Kustomization"): (("path",),),
    ("argoproj.io", "Application"): (("source", "path"),),
    ("argoproj.io", "ApplicationSet"): (("template", "spec", "source", "path"),),
}
"""Kind -> where it names the folder to build."""
Entry = tuple[Path, str, str]
"""Place, text and path of an entry."""


def _entries(cluster: ObjectGraph, kustomization: Thing) -> Iterator[Entry]:
    """Files and folders within the directory that was read; nothing is known about others."""
    folder = posixpath.dirname(kustomization.file)
    for key in _LISTS:
        for index, entry in enumerate(listing(kustomization.body.get(key))):
            if isinstance(entry, str) and _is_path(entry):
                path = posixpath.normpath(posixpath.join(folder, entry))
                if _below(path, cluster):
                    yield (key, index), entry, path


def _missing(cluster: ObjectGraph, kustomization: Thing) -> Iterator[Entry]:
    return (each for each in _entries(cluster, kustomization) if not _there(each[2], cluster))


def _is_path(entry: str) -> bool:
    """Whether an entry names a local file or folder, rather than a URL or an inline patch."""
    local = entry.startswith((".", "/")) or entry.endswith((".yaml", ".yml", ".json"))
    return local and not templated(entry) and not any(mark in entry for mark in "?:")


def _there(path: str, cluster: ObjectGraph) -> bool:
    """Also what was not read: hidden, too large, a link, below a folder of copied sources."""
    tree = cluster.tree
    if path in tree.paths or path in tree.names:
        return True
    if any(name.startswith(f"{path}/") for name in tree.paths):
        return True
    parts = path.split("/")
    known = ("/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))
    nearest = next((folder for folder in known if folder in tree.names), "")
    return bool(nearest) and not any(name.startswith(f"{nearest}/") for name in tree.names)


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
