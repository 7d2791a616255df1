"""Plant faults and see which tests find them: ``python tools/faults.py --count 30``

A fault is one small change of one place of ``netplan/`` or ``templates/``: a comparison turned, a condition
denied, a number one higher, a statement or a line left out. The sample is the same for the same files and
seed, and takes from every part of the product in turn. Each fault goes alone into a copy of the repository;
there the quick tests run, and where they all pass the full ones. What no test finds is a gap, or a change
that means the same: read those.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 1800.0
"""For one run of tests; a fault that makes them go on longer is found."""
LEFT_OUT = (".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
QUICK, FULL = "not full", "full"
LIKELY = ("tests/checks", "tests/test_references.py", "tests/vendors")

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_CONDITION = re.compile(r"(\{%-? *(?:el)?if )(.+?)( *-?%\})")
_NUMBER = re.compile(r"(?<![\w{.:/-])\d+(?![\w}.:/-])")


@dataclass(frozen=True, order=True)
class Fault:
    """``text`` stands at [start:end] of the file's bytes instead of ``was``."""

    path: str
    line: int
    start: int
    end: int
    was: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {_short(self.was)} -> {_short(self.text)}"

    @property
    def area(self) -> str:
        parts = self.path.split("/")
        return "/".join(parts[: 3 if parts[:2] == ["templates", "switch"] else 2])

    def planted(self, data: bytes) -> bytes:
        return data[: self.start] + self.text.encode() + data[self.end :]


def _short(text: str) -> str:
    line = " ".join(text.split()) or "nothing"
    return line if len(line) <= 60 else f"{line[:57]}..."


def faults(root: Path) -> list[Fault]:
    """Every fault there is, in order."""
    found: list[Fault] = []
    for path in sorted([*root.glob("netplan/**/*.py"), *root.glob("templates/**/*.j2")]):
        name, data = path.relative_to(root).as_posix(), path.read_bytes()
        found += _of_python(name, data) if path.suffix == ".py" else _of_template(name, data)
    return found


def sample(every: Sequence[Fault], count: int, seed: int) -> list[Fault]:
    """From each area in turn, as long as it has any."""
    areas: dict[str, list[Fault]] = {}
    for fault in every:
        areas.setdefault(fault.area, []).append(fault)
    chance = random.Random(seed)
    piles = [chance.sample(pile, len(pile)) for _, pile in sorted(areas.items())]
    chance.shuffle(piles)
    turns = [
        pile[turn] for turn in range(max(map(len, piles), default=0)) for pile in piles if turn < len(pile)
    ]
    return turns[:count]


def _of_python(name: str, data: bytes) -> Iterator[Fault]:
    begins = [0]
    for line in data.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    for node in _walk(ast.parse(data)):
        for part, text in _changes(node):
            assert part.end_lineno is not None
            assert part.end_col_offset is not None
            start = begins[part.lineno - 1] + part.col_offset
            end = begins[part.end_lineno - 1] + part.end_col_offset
            yield Fault(name, part.lineno, start, end, data[start:end].decode(), text)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    """All below, but f-strings, whose parts have no places of their own before Python 3.12."""
    if not isinstance(node, ast.JoinedStr):
        yield node
        for below in ast.iter_child_nodes(node):
            yield from _walk(below)


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    """What is replaced, by what text."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield node, ast.unparse(ast.Compare(node.left, [TURNED[type(node.ops[0])]()], node.comparators))
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, f"({ast.unparse(ast.BoolOp(other, node.values))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield node, str(node.value + 1)
    elif isinstance(node, ast.If | ast.IfExp) and not isinstance(node.test, ast.Compare | ast.UnaryOp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom):
        yield node, "pass"


def _of_template(name: str, data: bytes) -> Iterator[Fault]:
    start = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        text = line.decode()
        for found in _CONDITION.finditer(text):
            yield _in_line(name, number, start, text, found, f"{found[1]}not ({found[2]}){found[3]}")
        if "{%" not in text and "{#" not in text and text.strip():
            yield Fault(name, number, start, start + len(line), text, "")
            for found in _NUMBER.finditer(text):
                yield _in_line(name, number, start, text, found, str(int(found[0]) + 1))
        start += len(line)


def _in_line(name: str, number: int, start: int, line: str, found: re.Match[str], text: str) -> Fault:
    begin = start + len(line[: found.start()].encode())
    return Fault(name, number, begin, begin + len(found[0].encode()), found[0], text)


Run = Callable[[str], str]
"""Runs the tests of a ``-m`` expression: the first that fails, "" where all pass."""


def found_by(fault: Fault, copy: Path, run: Run) -> tuple[str, str]:
    """Which set of tests finds a fault, or none, and the test."""
    path = copy / fault.path
    before = path.read_bytes()
    path.write_bytes(fault.planted(before))
    try:
        for name, expression in (("quick", QUICK), ("full", FULL)):
            if test := run(expression):
                return name, test
    finally:
        path.write_bytes(before)
    return "none", ""


def pytest_in(copy: Path, jobs: str) -> Run:
    """The tests that find most come first, alone: they take a tenth of the time."""
    upstream = os.environ.get("NETPLAN_UPSTREAM") or str(ROOT / "../shared/upstream")
    environment = {**os.environ, "NETPLAN_UPSTREAM": str(Path(upstream).resolve()), "NETPLAN_REQUIRE": ""}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-n", jobs]
    command += ["--dist", "loadgroup", "-m"]

    def run(expression: str) -> str:
        for paths in (LIKELY, ()) if expression == QUICK else ((),):
            status, said = ended([*command, expression, *paths], copy, environment)
            if status != 0:
                failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
                return failed[1] if failed else f"pytest ended with {status}"
        return ""

    return run


def ended(command: Sequence[str], folder: Path, environment: dict[str, str]) -> tuple[int, str]:
    """Exit status and output; after SECONDS all of its processes are ended."""
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            said, _ = process.communicate()
        return process.returncode, said


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=30, help="how many faults [30]")
    parser.add_argument("--first", type=int, default=0, help="leave out so many of the sample [0]")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes other faults [1]")
    parser.add_argument("--jobs", default="auto", help="processes of pytest-xdist [auto]")
    parser.add_argument("--list", action="store_true", help="name the faults and run nothing")
    arguments = parser.parse_args()
    chosen = sample(faults(ROOT), arguments.first + arguments.count, arguments.seed)[arguments.first :]
    if arguments.list:
        print(*chosen, sep="\n")
        return 0
    with tempfile.TemporaryDirectory(prefix="netplan-faults-") as folder:
        copy = Path(folder) / "netplan"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
        return judged(chosen, copy, pytest_in(copy, arguments.jobs))


def judged(chosen: Sequence[Fault], copy: Path, run: Run) -> int:
    """Print what finds each fault, and the sum. The tests must pass without one."""
    for expression in (QUICK, FULL):
        if test := run(expression):
            print(f"fails without a fault: {test}", file=sys.stderr)
            return 2
    sums: Counter[str] = Counter()
    for fault in chosen:
        started = time.monotonic()
        name, test = found_by(fault, copy, run)
        sums[name] += 1
        print(f"{name:5} {time.monotonic() - started:5.0f} s  {fault}  {test}", flush=True)
    print(
        f"{len(chosen)} faults: the quick tests find {sums['quick']}, only the full ones {sums['full']},"
        f" none {sums['none']}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
