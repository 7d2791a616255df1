"""NP915: every object file below ``kubernetes/`` is listed in one stage, and every stage in the top level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from netplan.model.stages import GITOPS, KINDS, STAGES, folder_of, qualified
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.tree import ObjectTree

_ROOT = "kubernetes/"
_INDEX = "kustomization.yaml"
_WHOLE = f"{_ROOT}{_INDEX}"
_FOLDERS = tuple(stage.folder for stage in STAGES)


Misplaced = tuple[str, str]
"""Path of an artifact, and what is wrong with its stage."""


def objects(tree: ObjectTree) -> list[Thing]:
    """What a kustomization could list."""
    return [
        o
        for o in tree.things
        if o.file.startswith(_ROOT) and not o.file.endswith(f"/{_INDEX}")
        if folder_of(o.file) not in GITOPS
    ]


def listed(tree: ObjectTree, things: list[Thing]) -> Iterator[Misplaced]:
    """Every object file is listed in one stage, the first in which its kind is known, and every stage is
    listed in the top-level kustomization.

    **Why.** A file that is not listed is not applied; one that is listed but missing makes the whole
    build fail. An object whose CRD comes with a later stage is rejected, and Flux then applies nothing of
    its stage.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** kubectl.docs.kubernetes.io/references/kustomize/kustomization/resource;
    kubernetes.io/docs/tasks/extend-kubernetes/custom-resources: a CRD is there before objects of its kind.
    """
    indexes = {o.file: o for o in tree.things if o.file.endswith(f"/{_INDEX}")}
    folders: dict[str, list[Thing]] = defaultdict(list)
    for thing in things:
        folders[folder_of(thing.file)].append(thing)
    for folder, inside in sorted(folders.items()):
        yield from _placed(folder, inside)
        yield from _complete(indexes, f"{_ROOT}{folder}/", inside)
    stages = [folder for folder in _FOLDERS if folder in folders]
    whole = indexes.get(_WHOLE)
    if whole is None:
        yield things[0].file, f"there is no {_WHOLE} to list its stage"
    elif whole.body["resources"] != stages:
        given = ", ".join(whole.body["resources"])
        yield whole.file, f"$.resources is {given}; the stages are {', '.join(stages)}"


def _placed(folder: str, things: Sequence[Thing]) -> Iterator[Misplaced]:
    for thing in things:
        placement = KINDS.get(qualified(thing.api_version, thing.kind))
        if placement is None:
            yield thing.file, f"{thing} is of a kind that has no stage"
        elif placement.stage.folder != folder:
            yield thing.file, f"{thing} belongs to stage {placement.stage.folder}"


def _complete(indexes: Mapping[str, Thing], folder: str, things: Sequence[Thing]) -> Iterator[Misplaced]:
    paths = {thing.file for thing in things}
    index = indexes.get(f"{folder}{_INDEX}")
    if index is None:
        yield things[0].file, f"there is no {folder}{_INDEX} to list it"
        return
    resources = {f"{folder}{entry}" for entry in index.body["resources"]}
    for path in sorted(paths - resources):
        yield index.file, f"$.resources does not list {path}"
    for path in sorted(resources - paths):
        yield index.file, f"$.resources lists {path}, which contains no object"
