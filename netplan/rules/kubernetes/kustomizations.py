"""NP688, NP690, NP796: what a kustomization lists."""

from __future__ import annotations

import difflib
import posixpath
import re
from collections.abc import Iterator, Mapping

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing, listing
from netplan.reading.kubernetes.passed_over import is_unused
from netplan.reading.kubernetes.placeholders import templated
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _indexes(cluster: ObjectGraph) -> list[Thing]:
    indexes = cluster.tree.kustomizations.values()
    return [index for index in indexes if not is_unused(index.file, cluster.tree.base)]


_LISTS = ("resources", "components", "patchesStrategicMerge")
_ALIKE = 0.8
_VARIANT = re.compile(r"[-_.0-9]")


@rule("NP796", "kustomization lists a missing file", on=_indexes, between=True)
def listed(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """``resources``, ``components`` and ``patches`` name files and directories relative to the kustomization.
    A similar name is there instead, of each that is missing.

    **Why.** One missing file makes the whole build fail, and nothing is applied.
    **Fix.** Correct the path.
    **Source.** kubernetes-sigs/kustomize d3d9215 api/internal/target/kusttarget.go (accumulateResources).
    """
    missing = [(e, _meant(e[2], kustomization, cluster)) for e in _missing(cluster, kustomization)]
    for (at, entry, _), close in missing if all(close for _, close in missing) else ():
        yield ObjectFinding(kustomization, at, f"{entry} is not there", f"did you mean {close}?")


@rule("NP688", "kustomization lists a file from elsewhere", on=_indexes, severity=Severity.INFO)
def elsewhere(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """A listed file is not in the directory, nor is one of a similar name; where several are missing, for one
    of them.

    **Why.** A script may write it before the build, as with certificates and downloaded manifests. Without it
    the build fails.
    **Fix.** Add the file, or have it written first.
    **Source.** kubernetes-sigs/kustomize d3d9215 api/internal/target/kusttarget.go (accumulateResources).
    """
    found = [*_missing(cluster, kustomization)]
    if all(_meant(path, kustomization, cluster) for _, _, path in found):  # NP796
        return
    for at, entry, _ in found[:1]:
        message = f"{entry} is not there{and_more(len(found) - 1, 'file')}"
        yield ObjectFinding(kustomization, at, message, "add it, or have it written before the build")


Entry = tuple[Path, str, str]
"""Place, text and path of an entry."""


def _missing(cluster: ObjectGraph, kustomization: Thing) -> Iterator[Entry]:
    """Within the directory that was read; nothing is known about paths outside it."""
    folder = posixpath.dirname(kustomization.file)
    for key in _LISTS:
        for index, entry in enumerate(listing(kustomization.body.get(key))):
            if isinstance(entry, str) and _is_path(entry):
                path = posixpath.normpath(posixpath.join(folder, entry))
                if _below(path, cluster) and not _there(path, cluster):
                    yield (key, index), entry, path


def _meant(path: str, kustomization: Thing, cluster: ObjectGraph) -> str:
    """The similar name that was surely meant: not one that the kustomization names itself, in its lists or in
    a comment."""
    folder, close, rest = _similar(path, cluster)
    here = posixpath.dirname(kustomization.file)
    words = re.split(r"""[\s"']+""", kustomization.places.sources.text(kustomization.file))
    named = {posixpath.normpath(posixpath.join(here, word)) for word in words if word}
    return "" if posixpath.normpath(posixpath.join(folder, close, rest)) in named else close


def _similar(path: str, cluster: ObjectGraph) -> tuple[str, str, str]:
    """Of the first part of the path that is missing, the name beside it that was surely meant, between what
    precedes and what follows it; a variant of the name (``images-arm64``, ``policy2``) was not."""
    known = _known(cluster)
    folder, name = posixpath.split(path)
    while folder and folder not in known and posixpath.dirname(folder) != folder:
        folder, name = posixpath.split(folder)
    rest = path[len(posixpath.join(folder, name)) :].lstrip("/")
    stem, ending = posixpath.splitext(name)
    beside = [each for each in known.get(folder, ()) if posixpath.splitext(each)[1] == ending]
    stems = {posixpath.splitext(each)[0]: each for each in sorted(beside)}
    close = (stems[each] for each in difflib.get_close_matches(stem, stems, 3, _ALIKE))
    meant = next((each for each in close if not _is_another(posixpath.splitext(each)[0], stem)), "")
    return folder, meant, rest


def _is_another(there: str, name: str) -> bool:
    """Whether it is a variant of the name, or lacks one of its numbers: edge1 is another site than edge3."""
    return _is_variant(there, name) or not {*re.findall("[0-9]+", name)} <= {*re.findall("[0-9]+", there)}


def _is_variant(one: str, other: str) -> bool:
    longer, shorter = sorted((one, other), key=len, reverse=True)
    if longer.startswith(shorter):
        return bool(_VARIANT.match(longer[len(shorter) :]))
    return re.sub("[0-9]+", "", one) == re.sub("[0-9]+", "", other)


def _known(cluster: ObjectGraph) -> Mapping[str, set[str]]:
    """Folder -> names in it."""

    def make() -> Mapping[str, set[str]]:
        found: dict[str, set[str]] = {}
        for name in cluster.tree.paths | cluster.tree.names:
            while name and posixpath.dirname(name) != name:
                folder, last = posixpath.split(name)
                found.setdefault(folder, set()).add(last)
                name = folder
        return found

    return cluster.once("names by folder", make)


def _is_path(entry: str) -> bool:
    """Whether an entry names a local file or folder, rather than a URL or an inline patch."""
    local = entry.startswith((".", "/")) or entry.endswith((".yaml", ".yml", ".json"))
    return local and not templated(entry) and not any(mark in entry for mark in "?:")


def _there(path: str, cluster: ObjectGraph) -> bool:
    """Also what was not read: hidden, too large, a link, below a folder of copied sources."""
    known = _known(cluster)
    folder, name = posixpath.split(path)
    while folder and folder not in known and posixpath.dirname(folder) != folder:
        if folder in cluster.tree.names:
            return True  # it was not entered
        folder, name = posixpath.split(folder)
    return posixpath.join(folder, name) == path and name in known.get(folder, ())


def _below(path: str, cluster: ObjectGraph) -> bool:
    """Whether a path is inside the directory that was read; nothing is known about paths outside it."""
    if path.startswith(".."):
        return False
    return path.startswith(f"{cluster.tree.base}/") if cluster.tree.base else not path.startswith("/")


@rule("NP690", "kustomization lists an object twice", on=_indexes)
def listed_twice(cluster: ObjectGraph, kustomization: Thing) -> Iterator[ObjectFinding]:
    """Each object may be listed only once in a kustomization; one of another API version is another object.
    Said once for two files.

    **Why.** The build fails and nothing is applied: may not add resource with an already registered id.
    **Fix.** Remove one of the two, or turn it into a patch.
    **Source.** kubernetes-sigs/kustomize dd55d1e api/resmap/reswrangler.go (already registered id),
    kyaml/resid/resid.go (ResId.Equals).
    """
    folder = posixpath.dirname(kustomization.file)
    entries = [e for e in listing(kustomization.body.get("resources")) if isinstance(e, str) and _is_path(e)]
    files = {posixpath.normpath(posixpath.join(folder, entry)) for entry in entries}
    seen: dict[str, Thing] = {}
    twice: dict[tuple[str, str], list[tuple[Thing, Thing]]] = {}
    for thing in cluster.tree.things if kustomization.kind != "Component" else ():
        if thing.file not in files or not thing.name:
            continue
        first = seen.setdefault(
            f"{thing.api_version} {thing.kind} {thing.metadata.get('namespace')} {thing.name}", thing
        )
        if first is not thing:
            twice.setdefault((thing.file, first.file), []).append((thing, first))
    for (thing, first), *others in twice.values():
        more, place = and_more(len(others), "object"), first.source(("metadata", "name"))
        message = f"it{more} is also at {place}, and {kustomization.file} lists both"
        yield ObjectFinding(thing, ("metadata", "name"), message, "remove one of the two")
