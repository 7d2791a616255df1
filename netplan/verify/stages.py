"""NP915: every object file below ``kubernetes/`` is in one stage, and each stage in the whole."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.model.stages import GITOPS, KINDS, STAGES, folder_of, qualified
from netplan.verify.cluster import Cluster
from netplan.verify.tree import Finding, Object, Tree

_ROOT = "kubernetes/"
_INDEX = "kustomization.yaml"
_WHOLE = f"{_ROOT}{_INDEX}"
_FOLDERS = tuple(stage.folder for stage in STAGES)


def listings(cluster: Cluster) -> Sequence[Tree]:
    """The tree, if it has anything a kustomization could list."""
    return [cluster.tree] if _objects(cluster.tree) else []


def _objects(tree: Tree) -> list[Object]:
    return [
        o
        for o in tree.objects
        if o.artifact.path.startswith(_ROOT) and not o.artifact.path.endswith(f"/{_INDEX}")
        if folder_of(o.artifact.path) not in GITOPS
    ]


def listed(_: Cluster, tree: Tree) -> Iterator[Finding]:
    """Every object file is in one stage, the first in which its kind is known, and each stage in the whole.

    **Why.** A file that is not listed is not applied; one that is listed and not there fails the whole build.
    An object whose CRD comes with a later stage is refused, and Flux then applies nothing of its stage.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** kubectl.docs.kubernetes.io/references/kustomize/kustomization/resource;
    kubernetes.io/docs/tasks/extend-kubernetes/custom-resources: a CRD is there before objects of its kind.
    """
    indexes = {o.artifact.path: o for o in tree.objects if o.artifact.path.endswith(f"/{_INDEX}")}
    folders: dict[str, list[Object]] = defaultdict(list)
    for thing in _objects(tree):
        folders[folder_of(thing.artifact.path)].append(thing)
    for folder, things in sorted(folders.items()):
        yield from _placed(folder, things)
        yield from _complete(indexes, f"{_ROOT}{folder}/", things)
    stages = [folder for folder in _FOLDERS if folder in folders]
    whole = indexes.get(_WHOLE)
    if whole is None:
        yield Finding(_objects(tree)[0].artifact, f"there is no {_WHOLE} to list its stage")
    elif whole.body["resources"] != stages:
        given = ", ".join(whole.body["resources"])
        yield Finding(whole.artifact, f"$.resources is {given}; the stages are {', '.join(stages)}")


def _placed(folder: str, things: Iterable[Object]) -> Iterator[Finding]:
    for thing in things:
        placement = KINDS.get(qualified(thing.api_version, thing.kind))
        if placement is None:
            yield Finding(thing.artifact, f"{thing} is of a kind that has no stage")
        elif placement.stage.folder != folder:
            yield Finding(thing.artifact, f"{thing} belongs into stage {placement.stage.folder}")


def _complete(indexes: Mapping[str, Object], folder: str, things: Sequence[Object]) -> Iterator[Finding]:
    paths = {thing.artifact.path for thing in things}
    index = indexes.get(f"{folder}{_INDEX}")
    if index is None:
        yield Finding(things[0].artifact, f"there is no {folder}{_INDEX} to list it")
        return
    resources = {f"{folder}{entry}" for entry in index.body["resources"]}
    for path in sorted(paths - resources):
        yield Finding(index.artifact, f"$.resources does not list {path}")
    for path in sorted(resources - paths):
        yield Finding(index.artifact, f"$.resources lists {path}, which holds no object")
