"""Print a directory as a tree; used by ``make demo``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path


def tree(directory: Path, indent: str = "") -> Iterator[str]:
    """Lines of the tree, folders first, names in order."""
    entries = sorted(directory.iterdir(), key=lambda p: (p.is_file(), p.name))
    for index, entry in enumerate(entries):
        last = index == len(entries) - 1
        yield f"{indent}{'`-- ' if last else '|-- '}{entry.name}{'/' if entry.is_dir() else ''}"
        if entry.is_dir():
            yield from tree(entry, indent + ("    " if last else "|   "))


if __name__ == "__main__":
    top = Path(sys.argv[1])
    print(f"{top}/")
    print("\n".join(tree(top)))
