"""No function has more than fifteen branches, counted as radon does: with ``and`` and ``or``, conditional
expressions and the filters of comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from radon.complexity import cc_visit

ROOT = Path(__file__).resolve().parent.parent
MOST = 15

FIELDS = 8
"""A call with this many named arguments creates an object; its fields are one line each, no conditions."""


def sources() -> Iterator[tuple[str, str]]:
    for folder in ("netplan", "tools", "benchmarks"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix().removeprefix("netplan/"), path.read_text(encoding="utf-8")


def conditional(text: str) -> Iterator[str]:
    """Names of objects with many fields of which one is a conditional expression."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or len(node.keywords) < FIELDS:
            continue
        if any(isinstance(keyword.value, ast.IfExp) for keyword in node.keywords):
            yield ast.unparse(node.func)


def test_no_function_has_more_branches() -> None:
    blocks = [(name, block) for name, text in sources() for block in cc_visit(text) if block.letter != "C"]
    assert {f"{name} {block.fullname}" for name, block in blocks if block.complexity > MOST} == set()


def test_no_object_is_made_with_conditions() -> None:
    assert {f"{name} {made}" for name, text in sources() for made in conditional(text)} == set()


def test_what_is_a_condition() -> None:
    fields = ", ".join(f"f{i}=0" for i in range(FIELDS - 1))
    assert list(conditional(f"Thing({fields}, last=1 if x else 2)")) == ["Thing"]
    assert list(conditional(f"Thing({fields}, last=x or 2)")) == []
    assert list(conditional("Thing(last=1 if x else 2)")) == []


def test_what_counts() -> None:
    """A plain function counts 1; every branch adds 1."""
    text = """
def branches(a, b, xs):
    found = [x for x in xs if x]
    if a and b or not xs:
        return found if a else b
    return found
"""
    (block,) = cc_visit(text)
    assert block.complexity == 1 + len(("for", "if x", "if a", "and", "or", "if a else"))
