"""Artifacts that are API objects: those that the stages' kustomizations list."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from netplan.krm.resource_list import Identity, identity_of
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.model.stages import KINDS, STAGES, Removal, folder_of, qualified
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.records import dataclass

_FOLDERS = frozenset(stage.folder for stage in STAGES)


@dataclass(frozen=True, slots=True)
class Produced:
    """``path``, ``index``: file of the output tree, and the document's number in it."""

    path: str
    index: int
    body: dict[str, Any]

    @property
    def shared(self) -> bool:
        """Whether an existing one stays as it is: a Namespace has other owners with labels of their own."""
        kind = KINDS[qualified(self.body["apiVersion"], self.body["kind"])]
        return kind.removal is Removal.NEVER

    @property
    def identity(self) -> Identity:
        metadata = self.body["metadata"]
        namespace = metadata.get("namespace", "")
        return identity_of(self.body["apiVersion"], self.body["kind"], namespace, metadata["name"])


def holds_objects(artifact: Artifact) -> bool:
    """In a stage, and not its kustomization."""
    path = artifact.path
    return (
        path.startswith("kubernetes/")
        and folder_of(path) in _FOLDERS
        and not path.endswith("/kustomization.yaml")
    )


def object_files(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """By stage, then by path: the order in which they are applied."""
    return sorted((a for a in artifacts if holds_objects(a)), key=lambda a: a.path)


def produced(artifacts: Sequence[Artifact]) -> Iterator[Produced]:
    places = Places(SourceMap())
    for artifact in object_files(artifacts):
        for index, (body, _) in enumerate(parse(artifact.path, artifact.text, places).documents):
            yield Produced(artifact.path, index, body)


def other_files(artifacts: Sequence[Artifact]) -> str:
    """Kinds of artifacts that are not objects, with numbers of files; empty if there are none."""
    kinds = Counter(a.kind for a in artifacts if not holds_objects(a))
    return ", ".join(f"{kind} {number:,}" for kind, number in sorted(kinds.items()))
