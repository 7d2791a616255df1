"""Where a NOS comes from: a shipped folder, or a site's own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from netplan.printable import printable
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NosFolder:
    """A folder with a nos.yaml. ``texts``: file name -> text of a site's own folder, whose files are
    untrusted and read once; None for a shipped one."""

    name: str
    path: Path
    texts: Mapping[str, str] | None = None

    @property
    def own(self) -> bool:
        return self.texts is not None

    @property
    def notice(self) -> str:
        """A notice for READMEs if the folder is a site's own."""
        return (
            f"Rendered by the site's own NOS folder `{self.name}` (`--nos-dir`), not by netplan's templates."
        )

    def file(self, name: str) -> str:
        """The file's name in messages."""
        return printable((self.path / name).as_posix())
