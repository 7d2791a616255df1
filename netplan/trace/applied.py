"""Which files below ``kubernetes/`` are applied: those that the kustomization of their stage lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from netplan.graph.kubernetes.cluster import SRIOV_DRA, ObjectGraph
from netplan.reading.kubernetes.objects import Thing, listing
from netplan.reading.kubernetes.tree import ObjectTree
from netplan.trace.model import Fault, Verdict
from netplan.trace.refused import Refused
from netplan.verify.stages import objects

_INDEX = "kustomization.yaml"
_ROOT = "kubernetes"


def unapplied(tree: ObjectTree, refused: Sequence[Refused] = ()) -> tuple[Fault, ...]:
    """Files that no kustomization lists, entries without a file, and what the top kustomization leaves out, a
    stage or a file. The last are only "not proved": GitOps tools and README.md apply the stages one by one
    (kubectl.docs.kubernetes.io/references/kustomize/kustomization/resource). A file whose objects are
    refused is there all the same; a refused kustomization gives its own reason."""
    gone = replace(tree, things=tuple(each.thing for each in refused))
    things = [*objects(tree), *objects(gone)]
    indexes = {thing.file: thing for thing in tree.things if thing.file.endswith(f"/{_INDEX}")}
    below = {"/".join(thing.file.split("/")[:2]) for thing in things}
    folders = sorted(below - {thing.file for thing in things})
    found: list[Fault] = []
    unread = {each.thing.file: each.text for each in refused}
    for folder in folders:
        if (index := f"{folder}/{_INDEX}") in unread:
            found.append(Fault(Verdict.LOST, unread[index]))
        else:
            found += _stage(folder, indexes, things)
    return (*found, *_whole(indexes, below))


def _stage(folder: str, indexes: Mapping[str, Thing], things: list[Thing]) -> Iterator[Fault]:
    files = {thing.file for thing in things if thing.file.startswith(f"{folder}/")}
    index = indexes.get(f"{folder}/{_INDEX}")
    if index is None:
        yield Fault(Verdict.LOST, f"there is no {folder}/{_INDEX}: nothing of the stage is applied")
        return
    listed = _entries(index)
    for file in sorted(files - listed.keys()):
        yield Fault(Verdict.LOST, f"{file} is not applied: {index.file} does not list it")
    for file, line in listed.items():
        if file not in files:
            text = f"{index.file}:{line} lists {file}, which does not exist: nothing of the stage is applied"
            yield Fault(Verdict.LOST, text)


def _whole(indexes: Mapping[str, Thing], below: set[str]) -> Iterator[Fault]:
    whole = indexes.get(f"{_ROOT}/{_INDEX}")
    if whole is None:
        return
    listed = _entries(whole)
    for name in sorted(below - listed.keys()):
        text = f"{name} is not listed in {whole.file}: applying the whole tree leaves it out"
        yield Fault(Verdict.UNPROVED, text)
    for name, line in listed.items():
        if name not in below:
            text = f"{whole.file}:{line} lists {name}, which does not exist: the whole tree is not applied"
            yield Fault(Verdict.UNPROVED, text)


def _entries(index: Thing) -> dict[str, int]:
    """Path -> line."""
    folder = index.file.removesuffix(_INDEX)
    entries = enumerate(listing(index.body.get("resources")))
    return {f"{folder}{entry}": index.source(("resources", i)).line for i, entry in entries}


def namespace_faults(cluster: ObjectGraph, refused: Sequence[Refused] = ()) -> Iterator[Fault]:
    """Objects whose namespace no file creates, in a tree whose files create some; that of the SR-IOV DRA
    driver comes with its chart."""
    made = {thing.name for thing in cluster.of("", "Namespace")}
    made |= {each.thing.name for each in refused if each.thing.kind == "Namespace"}
    seen: set[str] = set()
    for thing in objects(cluster.tree):
        space = thing.namespace
        kept = (
            space is None or space in made or space in seen or space == "default" or thing.group == SRIOV_DRA
        )
        if not made or kept or space is None or space.startswith("kube-"):
            continue
        seen.add(space)
        said = f"{thing} is in namespace {space} ({_namespace_at(thing)})"
        text = f"{said}, which no Namespace of kubernetes/ makes"
        yield Fault(Verdict.UNPROVED, text)


def _namespace_at(thing: Thing) -> str:
    return f"{thing.file}:{thing.source(('metadata', 'namespace')).line}"
