"""Trees that netplan rendered, in a folder of dumps: they say what is planned, not what runs."""

from __future__ import annotations

import re
from pathlib import Path

_MANIFEST = re.compile(r'\A\{\s*"format": [0-9]+,\s*"site": "')
_HEAD = 400


def rendered_below(given: str) -> list[Path]:
    """Directories with netplan's manifest and ``site.json``; not the folder itself, of which somebody
    means the files."""
    root = Path(given)
    if given in ("", "-") or not root.is_dir():
        return []
    found = (path.parent for path in sorted(root.rglob("manifest.json")) if path.parent != root)
    return [path for path in found if (path / "site.json").is_file() and _is_ours(path / "manifest.json")]


def _is_ours(manifest: Path) -> bool:
    try:
        with manifest.open(encoding="utf-8", errors="replace") as file:
            return _MANIFEST.match(file.read(_HEAD)) is not None
    except OSError:
        return False


def is_below(name: str, folders: list[Path]) -> bool:
    return any(folder in Path(name).parents for folder in folders)
