"""Precision of rules about files written by others: ``python tools/precision.py``; with ``--check`` only
compare.

``tests/foreign/*.yaml`` list what was judged: repository, commit and path of a file, and for each finding its
code, its text, the verdict (right, wrong, arguable) and why. An entry without a code is a file without
findings. The tables are between two marks in docs/foreign.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from netplan.diagnostics import Severity
from netplan.explain import entries

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests" / "foreign"
PAGE = ROOT / "docs" / "foreign.md"
TITLES = {"config_db": "config_db files", "kubernetes": "Kubernetes objects"}
"""Name of a list -> heading of its table."""
VERDICTS = ("right", "arguable", "wrong")
BEGIN = "<!-- precision: made by tools/precision.py; do not edit -->"
END = "<!-- /precision -->"
LEAST = 20
"""Fewest decided findings for a share to mean anything."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One decided finding. ``file``: repository and path; ``held``: judged after the rules were finished."""

    code: str
    file: tuple[str, str]
    verdict: str
    held: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """One list. ``files``: all files that were run, also those without findings."""

    name: str
    files: int
    repositories: int
    verdicts: Sequence[Verdict]

    def by_code(self) -> Mapping[str, list[Verdict]]:
        found: dict[str, list[Verdict]] = {}
        for one in sorted(self.verdicts, key=lambda one: one.code):
            found.setdefault(one.code, []).append(one)
        return found


def lists() -> list[Judged]:
    return [_read(path) for path in sorted(LISTS.glob("*.yaml")) if path.stem in TITLES]


def rows_of(path: Path) -> list[dict[str, Any]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader is ten times as fast
    rows: list[dict[str, Any]] = yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506
    return rows


def _read(path: Path) -> Judged:
    rows = rows_of(path)
    files = {(row["repository"], row["path"]) for row in rows}
    verdicts = [
        Verdict(row["code"], (row["repository"], row["path"]), row["verdict"], bool(row.get("held")))
        for row in rows
        if "code" in row
    ]
    return Judged(path.stem, len(files), len({repository for repository, _ in files}), verdicts)


def share(verdicts: Sequence[Verdict], severity: Severity) -> float:
    """The share that is right; arguable counts as wrong for errors, and half otherwise."""
    counts = Counter(one.verdict for one in verdicts)
    arguable = 0.0 if severity is Severity.ERROR else counts["arguable"] / 2
    return (counts["right"] + arguable) / len(verdicts)


def section() -> str:
    lines = [BEGIN]
    for judged in lists():
        lines += ["", *_table(judged)]
    return "\n".join([*lines, "", END])


def _table(judged: Judged) -> Iterator[str]:
    known = entries()
    yield f"### {TITLES[judged.name]}"
    yield ""
    yield (
        f"{judged.files} files and folders of {judged.repositories} public repositories, "
        f"{len(judged.verdicts)} findings decided (at most five for a rule and file): "
        f"`tests/foreign/{judged.name}.yaml`."
    )
    yield ""
    yield "| rule | severity | files | decided | right | arguable | wrong | precision |"
    yield "|---|---|---|---|---|---|---|---|"
    for code, verdicts in judged.by_code().items():
        severity = known[code].elsewhere
        counts = Counter(one.verdict for one in verdicts)
        cells = [
            code,
            {Severity.INFO: "note"}.get(severity, severity.name.lower()),
            str(len({one.file for one in verdicts})),
            str(len(verdicts)),
            *(str(counts[verdict]) for verdict in VERDICTS),
            f"{100 * share(verdicts, severity):.0f} %",
        ]
        yield f"| {' | '.join(cells)} |"


def page_text(old: str) -> str:
    """The page with its section updated."""
    before, begin, rest = old.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE}: the marks {BEGIN!r} and {END!r} are not in it")
    return f"{before}{section()}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--check", action="store_true", help="write nothing; fail when the page is out of date"
    )
    check = parser.parse_args().check
    old = PAGE.read_text(encoding="utf-8")
    new = page_text(old)
    if new == old:
        return 0
    if not check:
        PAGE.write_text(new, encoding="utf-8")
    print(f"docs/{PAGE.name}: {'out of date, run python tools/precision.py' if check else 'written'}")
    return int(check)


if __name__ == "__main__":
    sys.exit(main())
