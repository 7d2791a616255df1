"""NP901: every YAML and JSON text parses, and below ``kubernetes/`` and ``pods/`` holds objects only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact, KnownArtifact
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.json_texts import check_json
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import Thing, is_object
from netplan.reading.kubernetes.tree import ObjectTree
from netplan.records import dataclass
from netplan.verify.forms import read_alike, things_of
from netplan.verify.problems import problem


@dataclass(frozen=True, slots=True)
class Read:
    """``tree``: the objects and Helm values. ``artifacts``: by path. ``routes``: the routes.yaml of each
    workload, wrapped as objects to keep their places. ``parsed``: number of files. ``strange``: problems
    of texts that do parse."""

    tree: ObjectTree
    artifacts: Mapping[str, Artifact]
    routes: tuple[Thing, ...]
    problems: tuple[Diagnostic, ...]
    parsed: int
    strange: tuple[Diagnostic, ...] = ()


def read(artifacts: Sequence[Artifact], each: bool = True) -> Read:
    """The parsed files and the problems of their texts. ``each``: parse every file by itself, so that
    every place is exact."""
    reader = _Reader()
    files = [a for a in artifacts if a.path.endswith((".yaml", ".yml", ".json"))]
    yaml = ((a.path, a.text) for a in files if not a.path.endswith(".json"))
    known = {} if each else read_alike(yaml, reader.places)
    for artifact in files:
        if artifact.path.endswith(".json"):
            reader.json(artifact)
        else:
            reader.yaml(artifact, known.get(artifact.path))
    tree = ObjectTree(
        tuple(reader.things), tuple(reader.values), reader.places, frozenset(a.path for a in files)
    )
    by_path = {artifact.path: artifact for artifact in artifacts}
    problems = (*reader.found, *reader.strange)
    return Read(tree, by_path, tuple(reader.routes), problems, len(files), tuple(reader.strange))


class _Reader:
    def __init__(self) -> None:
        self.places = Places(SourceMap())
        self.things: list[Thing] = []
        self.values: list[Thing] = []
        self.routes: list[Thing] = []
        self.found: list[Diagnostic] = []
        self.strange: list[Diagnostic] = []
        self._read: set[str] = set()
        """JSON texts already read: switches of one kind share files, and each distinct text is parsed
        once."""

    def _report(self, artifact: Artifact, message: str) -> None:
        self.found.append(problem("NP901", artifact, message))

    def _misfit(self, artifact: Artifact, message: str) -> None:
        self.strange.append(problem("NP901", artifact, message))

    def yaml(self, artifact: Artifact, known: list[Thing] | None) -> None:
        """``known``: the file's documents, if they are known already."""
        if known is None:
            parsed = parse(artifact.path, artifact.text, self.places)
            for wrong in parsed.problems:
                self._report(artifact, f"{wrong.message} ({wrong.code})")
            known = things_of(artifact.path, parsed, self.places)
        if known is not None:
            self._documents(artifact, known)

    def json(self, artifact: Artifact) -> None:
        if isinstance(artifact, KnownArtifact) or artifact.text in self._read:
            return
        try:
            check_json(artifact.text)
        except ValueError as error:
            self._report(artifact, str(error))
        else:
            self._read.add(artifact.text)

    def _documents(self, artifact: Artifact, found: Sequence[Thing]) -> None:
        if artifact.path.endswith("/values.yaml"):
            if len(found) != 1 or not isinstance(found[0].body, dict):
                self._misfit(artifact, "Helm takes one mapping of values")
            self.values += (thing for thing in found if isinstance(thing.body, dict))
        elif _holds_objects(artifact.path):
            if not found:
                self._misfit(artifact, "contains no object")
            for number, thing in enumerate(found, 1):
                if is_object(thing.body):
                    self.things.append(thing)
                else:
                    self._misfit(artifact, f"document {number} is not an object with apiVersion and kind")
        elif artifact.path.endswith("/routes.yaml"):
            self.routes += (thing for thing in found if isinstance(thing.body, dict))


def _holds_objects(path: str) -> bool:
    top, *rest = path.split("/")
    return top == "kubernetes" or (top == "pods" and rest[-1] != "routes.yaml")
