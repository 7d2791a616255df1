"""For tools that generate files of the repository; with ``--check`` they only compare."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def renew(root: Path, texts: Iterable[tuple[str, str]], purpose: str, advice: str) -> int:
    """Exit status of a tool that generates ``texts``: (path below ``root``, text). Prints which files were
    out of date.

    ``purpose``: its help; ``advice``: the command that brings a file up to date."""
    parser = argparse.ArgumentParser(description=purpose)
    parser.add_argument("--check", action="store_true", help="write nothing; fail when a file is out of date")
    check = parser.parse_args().check
    old = []
    for name, text in texts:
        path = root / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        old.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in old:
        print(f"{root.name}/{name}: {f'out of date, {advice}' if check else 'written'}")
    return int(check and bool(old))


def make(target: Path, text: Callable[[Path], str], arguments: list[str]) -> int:
    """Exit code; ``text`` gets the folder that NETPLAN_UPSTREAM names."""
    made = text(Path(os.environ.get("NETPLAN_UPSTREAM") or ROOT / "../shared/upstream"))
    if "--check" in arguments:
        return int(made != target.read_text(encoding="utf-8"))
    target.write_text(made, encoding="utf-8")
    return 0
