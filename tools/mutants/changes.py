"""The possible mutants, and samples of them. A mutant in code knows its block."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.blocks import blocks

TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
COUNTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
"""``+`` between texts becomes an error, so any test that reaches it notices."""
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}
_CONDITION = re.compile(r"(\{%-? *(?:el)?if )(.+?)( *-?%\})")
_NUMBER = re.compile(r"(?<![\w{.:/-])\d+(?![\w}.:/-])")
Change = tuple[ast.expr | ast.stmt, str]
"""(node to replace, new text)"""


@dataclass(frozen=True, order=True)
class Mutant:
    """Replaces ``was`` at [start:end] of the file's bytes with ``text``.

    ``function``: qualified name, empty at module level; ``source``: the line it begins in; ``block``: its
    number within the file, None for code that importing runs.
    """

    path: str
    line: int
    start: int
    end: int
    was: str
    text: str
    function: str = ""
    source: str = ""
    block: int | None = None

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {_short(self.was)} -> {_short(self.text)}"

    @property
    def area(self) -> str:
        parts = self.path.split("/")
        return "/".join(parts[: 3 if parts[:2] == ["templates", "switch"] else 2])

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Stays the same after edits elsewhere in the file."""
        return self.path, self.function, self.source, f"{_short(self.was)} -> {_short(self.text)}"

    def planted(self, data: bytes) -> bytes:
        return data[: self.start] + self.text.encode() + data[self.end :]

    def original(self, planted: bytes) -> bytes:
        end = self.start + len(self.text.encode())
        return planted[: self.start] + self.was.encode() + planted[end:]


def _short(text: str) -> str:
    line = " ".join(text.split()) or "nothing"
    return line if len(line) <= 60 else f"{line[:57]}..."


def mutants(root: Path, over: Iterable[str]) -> list[Mutant]:
    """All mutants below the paths ``over``, in order."""
    prefixes = tuple(f"{name.rstrip('/')}" for name in over)
    found: list[Mutant] = []
    for path in sorted([*root.glob("netplan/**/*.py"), *root.glob("templates/**/*.j2")]):
        name = path.relative_to(root).as_posix()
        if any(name == prefix or name.startswith(f"{prefix}/") for prefix in prefixes):
            data = path.read_bytes()
            found += _Python(name, data).mutants() if path.suffix == ".py" else _of_template(name, data)
    return found


def sample(every: Sequence[Mutant], count: int, seed: int) -> list[Mutant]:
    """A sample of each area in proportion to its mutants; shuffled across areas, so that a part of it is a
    sample too."""
    areas: dict[str, list[Mutant]] = {}
    for mutant in every:
        areas.setdefault(mutant.area, []).append(mutant)
    chance = random.Random(seed)
    count = min(count, len(every))
    shares = {name: count * len(pile) / len(every) for name, pile in sorted(areas.items())}
    quota = {name: int(share) for name, share in shares.items()}
    by_rest = sorted(shares, key=lambda name: (quota[name] - shares[name], name))
    for name in by_rest[: count - sum(quota.values())]:
        quota[name] += 1
    chosen = [mutant for name in shares for mutant in chance.sample(areas[name], quota[name])]
    chance.shuffle(chosen)
    return chosen


class _Python:
    """Mutants of one module."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name, self.data, self.tree = name, data, ast.parse(data)
        self.lines = data.splitlines(keepends=True)
        self.begins = [0]
        for line in self.lines:
            self.begins.append(self.begins[-1] + len(line))
        self.block_of: dict[int, int] = {}
        for number, block in enumerate(blocks(self.tree)):
            for part in block.body[block.start : block.end]:
                self.block_of[id(part)] = number
            if block.of_lambda is not None:
                self.block_of[id(block.of_lambda.body)] = number

    def mutants(self) -> Iterator[Mutant]:
        yield from self._below(self.tree, "", None)

    def _below(self, node: ast.AST, function: str, block: int | None) -> Iterator[Mutant]:
        """All mutants below a node, except in f-strings: before Python 3.12 their parts have no positions."""
        if isinstance(node, ast.JoinedStr):
            return
        block = self.block_of.get(id(node), block)
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            function = f"{function}.{node.name}".lstrip(".")
        for part, text in _changes(node):
            yield self._mutant(part, text, function, block)
        for below in _run_by_tests(node):
            yield from self._below(below, function, block)

    def _mutant(self, part: ast.expr | ast.stmt, text: str, function: str, block: int | None) -> Mutant:
        assert part.end_lineno is not None
        assert part.end_col_offset is not None
        start = self.begins[part.lineno - 1] + part.col_offset
        end = self.begins[part.end_lineno - 1] + part.end_col_offset
        was, source = self.data[start:end].decode(), self.lines[part.lineno - 1].decode().strip()
        return Mutant(self.name, part.lineno, start, end, was, text, function, source, block)


def _run_by_tests(node: ast.AST) -> Iterator[ast.AST]:
    """Child nodes, except those that no test can detect: annotations and other hints for type checkers
    (``frozen`` of a dataclass); cache sizes, as computing something again breaks nothing; ``strict`` of
    ``zip``, which asserts that two lists have equal lengths where they always have."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            parts = value if isinstance(value, list) else [value]
            yield from (part for part in parts if isinstance(part, ast.AST) and not _unseen(part))


def _unseen(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    called = node.func if isinstance(node, ast.Call) else None
    return isinstance(called, ast.Name) and called.id in ("dataclass", "lru_cache")


def _changes(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.stmt):
        yield from _of_statement(node)
    elif isinstance(node, ast.Compare | ast.BoolOp | ast.UnaryOp | ast.BinOp):
        yield from _of_operator(node)
    elif isinstance(node, ast.Constant):
        yield from _of_constant(node)
    elif isinstance(node, ast.Call):
        yield from _of_call(node)
    elif isinstance(node, ast.IfExp):
        yield from _denied(node.test)
    elif isinstance(node, ast.comprehension):
        yield from ((test, "True") for test in node.ifs)


def _of_constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node.value, int):
        yield node, str(node.value + 1)


def _of_call(node: ast.Call) -> Iterator[Change]:
    if isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield node.func, CALLED[node.func.id]


def _of_statement(node: ast.stmt) -> Iterator[Change]:
    if isinstance(node, ast.If | ast.While):
        yield from _denied(node.test)
    elif _left_out(node):
        yield node, "pass"
    elif isinstance(node, ast.Return) and node.value is not None:
        if not isinstance(node.value, ast.Constant | ast.Compare | ast.BoolOp):
            yield node, "return None"
    elif isinstance(node, ast.Continue):
        yield node, "break"
    elif isinstance(node, ast.Break):
        yield node, "continue"


def _left_out(node: ast.stmt) -> bool:
    """Whether a statement may be removed: of assignments, those to attributes and items, which leave an older
    value; removing one to a name only raises an error."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call | ast.Yield | ast.YieldFrom)
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Subscript | ast.Attribute)
    return isinstance(node, ast.AugAssign)


def _denied(test: ast.expr) -> Iterator[Change]:
    """Negations of a condition; comparisons and ``not`` are turned elsewhere."""
    if not isinstance(test, ast.Compare | ast.UnaryOp):
        yield test, f"(not ({ast.unparse(test)}))"


def _of_operator(node: ast.Compare | ast.BoolOp | ast.UnaryOp | ast.BinOp) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for number, sign in enumerate(node.ops):
            signs = [*node.ops[:number], TURNED[type(sign)](), *node.ops[number + 1 :]]
            yield node, f"({ast.unparse(ast.Compare(node.left, signs, node.comparators))})"
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, f"({ast.unparse(ast.BoolOp(other, node.values))})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node, f"({ast.unparse(node.operand)})"
    elif isinstance(node, ast.BinOp) and (counted := COUNTED.get(type(node.op))):
        yield node, f"({ast.unparse(ast.BinOp(node.left, counted(), node.right))})"


def _of_template(name: str, data: bytes) -> Iterator[Mutant]:
    start = 0
    for number, line in enumerate(data.splitlines(keepends=True), 1):
        text = line.decode()
        for found in _CONDITION.finditer(text):
            yield _in_line(name, number, start, text, found, f"{found[1]}not ({found[2]}){found[3]}")
        if "{%" not in text and "{#" not in text and text.strip():
            yield Mutant(name, number, start, start + len(line), text, "", source=text.strip(), block=0)
            for found in _NUMBER.finditer(text):
                yield _in_line(name, number, start, text, found, str(int(found[0]) + 1))
        start += len(line)


def _in_line(name: str, number: int, start: int, line: str, found: re.Match[str], text: str) -> Mutant:
    begin = start + len(line[: found.start()].encode())
    end = begin + len(found[0].encode())
    return Mutant(name, number, begin, end, found[0], text, source=line.strip(), block=0)
