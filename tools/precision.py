"""Precision of rules about files written by others: ``python tools/precision.py``; with ``--check`` only
compare.

``tests/foreign/*.yaml`` list what was judged: repository, commit and path of a file, and for each finding its
code, its text, the verdict (right, wrong, arguable) and why. An entry without a code is a file without
findings. ``first_looks.yaml`` counts what was right on the first look at a sample. The tables are between two
marks in docs/foreign.md.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from netplan.diagnostics import Severity
from netplan.explain import entries

ROOT = Path(__file__).resolve().parent.parent
LISTS = ROOT / "tests" / "foreign"
LOOKS = LISTS / "first_looks.yaml"
PAGE = ROOT / "docs" / "foreign.md"
TITLES = {"config_db": "config_db files", "kubernetes": "Kubernetes objects"}
"""Name of a list -> heading of its table."""
VERDICTS = ("right", "arguable", "wrong")
JUDGED = (Severity.ERROR, Severity.WARNING)
"""Severities that are decided on a first look."""
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


@dataclass(frozen=True, slots=True)
class Causes:
    """What one rule said in one sample on the first look. ``severity``: that of the rule then."""

    code: str
    severity: Severity
    verdicts: Counter[str]


@dataclass(frozen=True, slots=True)
class Look:
    """The first look at one sample."""

    sample: str
    kind: str
    commit: str
    files: int
    repositories: int
    causes: Sequence[Causes]

    def of(self, severity: Severity) -> Counter[str]:
        return _sum(one.verdicts for one in self.causes if one.severity is severity)


def looks() -> list[Look]:
    return [
        Look(
            row["sample"],
            row["list"],
            row["commit"],
            row["files"],
            row["repositories"],
            _causes(row["rules"]),
        )
        for row in rows_of(LOOKS)
    ]


def _causes(rows: Sequence[Mapping[str, Any]]) -> list[Causes]:
    return [
        Causes(
            row["code"],
            Severity[row["severity"].upper()],
            Counter({verdict: row[verdict] for verdict in VERDICTS}),
        )
        for row in rows
    ]


def _sum(counts: Iterable[Counter[str]]) -> Counter[str]:
    return sum(counts, Counter())


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
    lines = [BEGIN, "", *_looks(looks())]
    for judged in lists():
        lines += ["", *_table(judged)]
    return "\n".join([*lines, "", END])


def _looks(found: Sequence[Look]) -> Iterator[str]:
    errors = [look.of(Severity.ERROR) for look in found]
    yield "### First looks"
    yield ""
    yield (
        "Errors on files that nobody had looked at, by causes (a cause counts once, however many findings it "
        f"gives): {_right_of(_sum(errors))} were right, in the last sample {_right_of(errors[-1])}. "
        "The samples are in order, and the rules were mended where the commit changes: "
        "`tests/foreign/first_looks.yaml`."
    )
    yield ""
    yield "| sample | files and folders | repositories | netplan | errors right | warnings right |"
    yield "|---|---|---|---|---|---|"
    for look in found:
        cells = [
            f"{look.sample}, {TITLES[look.kind]}",
            str(look.files),
            str(look.repositories),
            look.commit[:8],
            *(_right_of(look.of(severity)) for severity in JUDGED),
        ]
        yield f"| {' | '.join(cells)} |"
    yield ""
    yield from _wrong(found)


def _wrong(found: Sequence[Look]) -> Iterator[str]:
    """Rules that were wrong or arguable on a first look; one with two severities has two rows."""
    known, counts = entries(), dict[tuple[str, Severity], Counter[str]]()
    for one in (one for look in found for one in look.causes):
        counts[one.code, one.severity] = counts.get((one.code, one.severity), Counter()) + one.verdicts
    yield "Rules that were wrong or arguable on a first look, in causes, with their severity then and now:"
    yield ""
    yield "| rule | then | now | right | arguable | wrong |"
    yield "|---|---|---|---|---|---|"
    for (code, severity), verdicts in sorted(counts.items()):
        if verdicts["wrong"] or verdicts["arguable"]:
            numbers = (str(verdicts[verdict]) for verdict in VERDICTS)
            cells = [code, _name(severity), _name(known[code].elsewhere), *numbers]
            yield f"| {' | '.join(cells)} |"


def _name(severity: Severity) -> str:
    return {Severity.INFO: "note"}.get(severity, severity.name.lower())


def _right_of(counts: Counter[str]) -> str:
    """``24 of 40``, arguable ones among the 40; with the share, unless there are too few for one."""
    share = f" ({100 * counts['right'] / counts.total():.0f} %)" if counts.total() >= LEAST else ""
    return f"{counts['right']} of {counts.total()}{share}" if counts else "none"


def _table(judged: Judged) -> Iterator[str]:
    known = entries()
    yield f"### {TITLES[judged.name]}"
    yield ""
    yield (
        f"{judged.files:,} files and folders of {judged.repositories} public repositories, "
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
            _name(severity),
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
