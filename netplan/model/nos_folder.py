"""Where a NOS comes from: a folder that ships, or one of a site."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from netplan.printable import printable
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NosFolder:
    """A folder with a nos.yaml. ``texts``: of a site's own folder, file name -> text: its files are not
    trusted, and read once; None for one that ships."""

    name: str
    path: Path
    texts: Mapping[str, str] | None = None

    @property
    def own(self) -> bool:
        return self.texts is not None

    @property
    def notice(self) -> str:
        """Of a site's own folder, for READMEs."""
        return (
            f"Rendered by the site's own NOS folder `{self.name}` (`--nos-dir`), not by netplan's templates."
        )

    def file(self, name: str) -> str:
        """As messages name it."""
        return printable((self.path / name).as_posix())
