"""NP901: every YAML and JSON text parses, and below ``kubernetes/`` and ``pods/`` holds objects only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.load import ObjectTree, thing_of
from netplan.reading.kubernetes.objects import Thing, is_object, parse_json, read_texts
from netplan.records import dataclass
from netplan.verify.forms import Forms
from netplan.verify.problems import problem


@dataclass(frozen=True, slots=True)
class Read:
    """``tree``: the objects and Helm values. ``artifacts``: by path. ``routes``: the routes.yaml of each
    workload, in the form of an object for the places in it. ``parsed``: number of files. ``strange``: the
    problems of those texts that parse."""

    tree: ObjectTree
    artifacts: Mapping[str, Artifact]
    routes: tuple[Thing, ...]
    problems: tuple[Diagnostic, ...]
    parsed: int
    strange: tuple[Diagnostic, ...] = ()


def read(artifacts: Sequence[Artifact], each: bool = True) -> Read:
    """The parsed files and the problems of their texts. ``each``: every file is parsed by itself, so that
    every place is its own."""
    reader = _Reader(each)
    files = [a for a in artifacts if a.path.endswith((".yaml", ".yml", ".json"))]
    for artifact in files:
        reader.file(artifact)
    for thing in reader.things:
        read_texts(thing)
    tree = ObjectTree(
        tuple(reader.things), tuple(reader.values), reader.places, frozenset(a.path for a in files)
    )
    by_path = {artifact.path: artifact for artifact in artifacts}
    problems = (*reader.found, *reader.strange)
    return Read(tree, by_path, tuple(reader.routes), problems, len(files), tuple(reader.strange))


class _Reader:
    def __init__(self, each: bool) -> None:
        self.places = Places(SourceMap())
        self.forms = None if each else Forms(self.places)
        self.things: list[Thing] = []
        self.values: list[Thing] = []
        self.routes: list[Thing] = []
        self.found: list[Diagnostic] = []
        self.strange: list[Diagnostic] = []
        self.json: set[str] = set()
        """Texts that are JSON: switches of one kind share files, and each distinct text is read once."""

    def _report(self, artifact: Artifact, message: str) -> None:
        self.found.append(problem("NP901", artifact, message))

    def _misfit(self, artifact: Artifact, message: str) -> None:
        self.strange.append(problem("NP901", artifact, message))

    def file(self, artifact: Artifact) -> None:
        if artifact.path.endswith(".json"):
            self._json(artifact)
            return
        if self.forms is None:
            parsed = parse(artifact.path, artifact.text, self.places)
        else:
            parsed = self.forms.parsed(artifact.path, artifact.text)
        for wrong in parsed.problems:
            self._report(artifact, f"{wrong.message} ({wrong.code})")
        if not parsed.problems:
            self._documents(artifact, parsed.documents)

    def _json(self, artifact: Artifact) -> None:
        if artifact.text in self.json:
            return
        try:
            parse_json(artifact.text)
        except ValueError as error:
            self._report(artifact, str(error))
        else:
            self.json.add(artifact.text)

    def _documents(self, artifact: Artifact, documents: Iterable[tuple[Any, int]]) -> None:
        found = [(thing_of(body, artifact.path, at, self.places), body) for body, at in documents]
        if artifact.path.endswith("/values.yaml"):
            if len(found) != 1 or not isinstance(found[0][1], dict):
                self._misfit(artifact, "Helm takes one mapping of values")
            self.values += (thing for thing, body in found if isinstance(body, dict))
        elif _holds_objects(artifact.path):
            if not found:
                self._misfit(artifact, "contains no object")
            for number, (thing, body) in enumerate(found, 1):
                if is_object(body):
                    self.things.append(thing)
                else:
                    self._misfit(artifact, f"document {number} is not an object with apiVersion and kind")
        elif artifact.path.endswith("/routes.yaml"):
            self.routes += (thing for thing, body in found if isinstance(body, dict))


def _holds_objects(path: str) -> bool:
    top, *rest = path.split("/")
    return top == "kubernetes" or (top == "pods" and rest[-1] != "routes.yaml")
