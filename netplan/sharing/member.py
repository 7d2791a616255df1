"""One cluster of a fabric, and where it states what."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from netplan.diagnostics import Diagnostic, Path, Severity, Source
from netplan.model.document import Document
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan
from netplan.model.written import Written
from netplan.write.parts import CLUSTERS


@dataclass(frozen=True, eq=False)
class Member:
    """An inventory compiled with the fabric's files, whose names are ``shared``."""

    fabric: Fabric
    plan: Plan
    document: Document
    shared: frozenset[str]

    @property
    def site(self) -> str:
        return self.fabric.site

    def of_itself(self, path: Path) -> Path:
        """A path of this inventory, made unique among all clusters."""
        return (CLUSTERS, self.site, *path)

    def source(self, path: Path) -> Source | None:
        return self._written.locate(path)

    @cached_property
    def _written(self) -> Written:
        return Written(self.document)

    def alone_states(self, path: Path) -> bool:
        """Whether a thing stands in its own files, not in the fabric's."""
        source = self.source(path)
        return source is None or source.file not in self.shared

    def there(self, path: Path) -> str:
        """For messages about another cluster: ``train (clusters/train.yaml:30:5)``."""
        return f"{self.site} ({self.source(path)})"

    def finding(self, code: str, path: Path, message: str, hint: str) -> Diagnostic:
        return Diagnostic(code, Severity.ERROR, path, message, hint, self.source(path))
