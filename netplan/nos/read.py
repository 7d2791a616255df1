"""Read a YAML file of a NOS folder: parse it, validate it against its schema and fill in defaults."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.codes import Problems
from netplan.model.document import Document, Places, SourceMap
from netplan.model.inventory_schema import packaged_schema
from netplan.nos.faults import Around, faults_of
from netplan.strict import Test, compiled, explain, fill, validator
from netplan.yaml12 import parse

FILE = "nos.yaml"
SCHEMA = "nos.schema.json"
MAX_SHOWN = 100
"""Maximum number of schema errors reported per file."""


class DataFile:
    """``data``: None if the file cannot be used. ``problems``: all with one code, each with its source."""

    def __init__(self, name: str, text: str, schema: str, code: str, sources: SourceMap) -> None:
        places = Places(sources)
        parsed = parse(name, text, places)
        self._name, self._code = name, code
        self._document = Document(parsed.data, (), (name,), parsed.root, places)
        self.problems = [
            Diagnostic(code, Severity.ERROR, d.path, d.message, f"correct {name}", d.source)
            for d in parsed.problems
        ]
        self.data: Any = None
        if not self.problems:
            for d in _broken(schema, parsed.data):
                self.add(d.path, d.message, d.hint)
        if not self.problems:
            self.data = fill(parsed.data, packaged_schema(schema))

    def add(self, path: Path, message: str, hint: str = "") -> None:
        source = self._document.locate(path)
        self.problems.append(
            Diagnostic(self._code, Severity.ERROR, path, message, hint or f"correct {self._name}", source)
        )


def _broken(schema: str, data: Any) -> list[Diagnostic]:
    problems = Problems()
    if _accepts(schema)(data):
        return []
    for error in islice(_validator(schema).iter_errors(data), MAX_SHOWN):
        explain(problems, error)
    return problems.found


@cache
def _accepts(schema: str) -> Test:
    return compiled(packaged_schema(schema))


@cache
def _validator(schema: str) -> Any:
    return validator(packaged_schema(schema))


def read_nos(
    name: str, text: str, sources: SourceMap, around: Around | None = None
) -> tuple[Any, list[Diagnostic]]:
    """The data of a nos.yaml and its problems (NP801). ``around``: as for ``faults_of``."""
    file = DataFile(name, text, SCHEMA, "NP801", sources)
    for path, message in faults_of(file.data, around) if file.data is not None else ():
        file.add(path, message)
    return file.data, file.problems
