"""How a problem in an artifact is reported."""

from __future__ import annotations

from netplan.diagnostics import Diagnostic, Path, Severity
from netplan.model.artifact import Artifact


def problem(code: str, artifact: Artifact, message: str) -> Diagnostic:
    """A diagnostic at the inventory entity the artifact comes from."""
    entity = artifact.entities[0] if artifact.entities else ""
    at: Path = tuple(entity.split(".", 1)) if entity else ()
    hint = "this is a bug in netplan: report it with the inventory"
    return Diagnostic(code, Severity.ERROR, at, f"{artifact.path}: {message}", hint)
