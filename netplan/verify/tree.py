"""The artifacts as parsed objects, and how a problem in one is reported."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.artifact import Artifact

Place = tuple[str | int, ...]
"""Keys that lead to a value inside an object: ``("spec", "config")``."""


@dataclass(frozen=True, slots=True)
class Object:
    """One Kubernetes object. ``embedded``: the JSON texts in it, parsed, by their place."""

    artifact: Artifact
    body: dict[str, Any]
    embedded: Mapping[Place, Any]

    @property
    def api_version(self) -> str:
        return str(self.body["apiVersion"])

    @property
    def kind(self) -> str:
        return str(self.body["kind"])

    @property
    def name(self) -> str:
        return self._metadata("name")

    @property
    def namespace(self) -> str:
        """Empty for a cluster-scoped object."""
        return self._metadata("namespace")

    def _metadata(self, key: str) -> str:
        metadata = self.body.get("metadata")
        return str(metadata.get(key, "")) if isinstance(metadata, dict) else ""

    @property
    def spec(self) -> dict[str, Any]:
        """Of an object that passed its schema."""
        spec: dict[str, Any] = self.body["spec"]
        return spec

    def __str__(self) -> str:
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return f"{self.kind} {name}".strip()


@dataclass(frozen=True, slots=True)
class Tree:
    """``values``: Helm values by path; ``routes``: the routes.yaml of each workload."""

    artifacts: tuple[Artifact, ...]
    objects: tuple[Object, ...]
    values: Mapping[str, dict[str, Any]]
    routes: tuple[tuple[Artifact, dict[str, Any]], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found. ``message`` goes on after the artifact's path: object, place in it, what clashes."""

    artifact: Artifact
    message: str


def json_path(place: Place) -> str:
    """``("data", "config.json")`` -> ``$.data["config.json"]``"""
    return "$" + "".join(_step(key) for key in place)


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f'["{key}"]'


def problem(code: str, artifact: Artifact, message: str) -> Diagnostic:
    """A diagnostic at the inventory entity the artifact comes from."""
    entity = artifact.entities[0] if artifact.entities else ""
    at: Path = tuple(entity.split(".", 1)) if entity else ()
    hint = "this is a bug in netplan: report it with the inventory"
    return Diagnostic(code, Severity.ERROR, at, f"{artifact.path}: {message}", hint)
