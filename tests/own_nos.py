"""A site's NOS folder: the example of docs/nos-folder.md, and inventories that use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from tests.inventories import text_of

PAGE = Path(__file__).resolve().parent.parent / "docs" / "nos-folder.md"
_FILE = re.compile(r"^`nos/acme/([\w.]+)`(?:(?!^```).)*?^```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = "acme"
SITE = text_of("minimal").replace("nos: sonic", "nos: acme", 1)


@cache
def example() -> Mapping[str, str]:
    """File name -> text."""
    return dict(_FILE.findall(PAGE.read_text(encoding="utf-8")))


def written(directory: Path, files: Mapping[str, str | None] = {}, name: str = NAME) -> Path:
    """A directory with the example as folder ``name``; ``files`` replaces files, None removes one."""
    folder = directory / name
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in {**example(), **files}.items():
        if text is not None:
            (folder / file).write_text(text, encoding="utf-8")
    return directory


def edited(file: str, old: str, new: str) -> dict[str, str | None]:
    """A file of the example with one change."""
    assert example()[file].count(old) == 1
    return {file: example()[file].replace(old, new)}
