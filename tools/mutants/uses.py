"""Blocks that use what a line outside functions states: a constant, the default of a field or argument."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tools.mutants.blocks import blocks


def stated(tree: ast.Module, line: int) -> set[str]:
    """Names that hold what the line says: those it binds, its class, and constants made from them."""
    names = {name for each in _statements(tree.body, line) for name in _bound(each)}
    constants = [each for each in tree.body if isinstance(each, ast.Assign | ast.AnnAssign)]
    while more := {n for each in constants if _mentions(each, names) for n in _bound(each)} - names:
        names |= more
    return names


def using(tree: ast.Module, names: set[str]) -> list[int]:
    """Numbers of the blocks of a file that mention one of the names."""
    found = []
    for number, block in enumerate(blocks(tree)):
        parts = [block.of_lambda] if block.of_lambda else block.body[block.start : block.end]
        if any(_mentions(part, names) for part in parts):
            found.append(number)
    return found


def _statements(body: list[ast.stmt], line: int) -> list[ast.stmt]:
    """The statement with the line; of a class the class and the statement in it."""
    for each in body:
        if each.lineno <= line <= (each.end_lineno or each.lineno):
            return [each, *_statements(each.body, line)] if isinstance(each, ast.ClassDef) else [each]
    return []


def _bound(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    yield from (target.id for target in targets if isinstance(target, ast.Name))


def _mentions(part: ast.AST, names: set[str]) -> bool:
    for node in ast.walk(part):
        named = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None)
        if named in names:
            return True
    return False
