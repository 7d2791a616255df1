"""Build the manual in build/manual: ``python tools/manual.py``; ``--check`` only judges pages and links.

Pages are staged with the files that they link to, at their paths in the repository, so that a relative link
works in a checkout, on the repository's web page and in the manual. Exit status 1 if a page of ``docs/`` is
not in the navigation of ``mkdocs.yml``, the navigation names a missing page, or a link has no target file or
heading (Zensical, strict).
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from netplan.model.inventory_schema import schema_text

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]\n]*\]\((?P<target>[^()\s#]+)(?:#[^()\s]*)?\)")
FENCE = re.compile(r"^( *)(```+).*?^\1\2 *$", re.DOTALL | re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
ELSEWHERE = ("https://", "http://", "mailto:")


def listed(entries: Any) -> Iterator[str]:
    """Pages of a navigation, in order."""
    if isinstance(entries, str):
        yield entries
    else:
        for below in entries.values() if isinstance(entries, dict) else entries:
            yield from listed(below)


def targets(page: Path) -> Iterator[str]:
    """Files that a page links to, as written in its links; links in code do not count."""
    text = CODE.sub("", FENCE.sub("", page.read_text(encoding="utf-8")))
    for found in LINK.finditer(text):
        if not found["target"].startswith(ELSEWHERE):
            yield found["target"]


def reached(root: Path, pages: set[str], problems: list[str]) -> set[str]:
    """``pages`` and all files that they link to, directly or through other pages; paths below ``root``."""
    found, queue = set(pages), sorted(pages)
    while queue:
        page = queue.pop()
        if not page.endswith(".md"):
            continue
        for target in targets(root / page):
            path = (root / page).parent.joinpath(target).resolve()
            if not path.is_relative_to(root) or not path.is_file():
                problems.append(f"{page}: {target} is not a file of the repository")
            elif (name := str(path.relative_to(root))) not in found:
                found.add(name)
                queue.append(name)
    return found


def staged(root: Path, problems: list[str]) -> set[str]:
    """Files of the manual; their problems are added to ``problems``."""
    configuration = yaml.safe_load((root / "mkdocs.yml").read_text(encoding="utf-8"))
    navigation = list(listed(configuration["nav"]))
    problems += [
        f"mkdocs.yml: {page} is twice in nav"
        for page in sorted(set(navigation))
        if navigation.count(page) > 1
    ]
    problems += [f"mkdocs.yml: {page} is not there" for page in navigation if not (root / page).is_file()]
    problems += [
        f"mkdocs.yml: {page} is left out by Zensical, which makes an index page of it; link to it instead"
        for page in navigation
        if page.endswith("/README.md")
    ]
    docs = {str(path.relative_to(root)) for path in (root / "docs").rglob("*.md")}
    problems += [f"{page}: not in nav of mkdocs.yml" for page in sorted(docs - set(navigation))]
    return reached(root, {page for page in docs | set(navigation) if (root / page).is_file()}, problems)


def build(root: Path, files: set[str]) -> int:
    """Stage ``files`` and run Zensical in strict mode; returns its exit status."""
    source = root / "build" / "manual-source"
    shutil.rmtree(source, ignore_errors=True)
    for name in sorted(files):
        place = source / name
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(root / name, place)
    command = [
        str(Path(sys.executable).parent / "zensical"),
        "build",
        "--clean",
        "--strict",
        "-f",
        "mkdocs.yml",
    ]
    done = subprocess.run(
        command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    if done.returncode:
        print(done.stdout.partition("Traceback")[0])
    return done.returncode


def publish_schema(site: Path) -> None:
    """Copy the schema to the path in its ``$id``, below the site's root: one URL per vocabulary version."""
    text = schema_text()
    place = site / json.loads(text)["$id"].partition(".dev/")[2]
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text, encoding="utf-8")


def main(root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="pages and links only; nothing is built")
    check = parser.parse_args().check
    problems: list[str] = []
    files = staged(root, problems)
    for problem in problems:
        print(problem)
    if problems or check:
        return int(bool(problems))
    if build(root, files):
        return 1
    publish_schema(root / "build" / "manual")
    return 0


if __name__ == "__main__":
    sys.exit(main())
