"""Blocks of a module (runs of statements that are entered together), and marks that record when they run.

A block begins with a body and after each compound statement, so what follows ``if x: return`` is a block of
its own. Code at module and class level is not: importing runs it. A lambda is a block.
"""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType
from typing import Any

MARK = "__netplan_block__"
_COMPOUND = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Block:
    """``body[start:end]`` of a function, or the lambda."""

    body: list[ast.stmt]
    start: int
    end: int
    of_lambda: ast.Lambda | None = None


def blocks(tree: ast.Module) -> list[Block]:
    """In text order, which is also their numbering."""
    found: list[Block] = []
    _below(tree, False, found)
    return found


def _below(node: ast.AST, in_function: bool, found: list[Block]) -> None:
    if isinstance(node, ast.Lambda):
        found.append(Block([], 0, 0, node))
    inside = isinstance(node, _FUNCTIONS) or (in_function and not isinstance(node, ast.ClassDef))
    for _, value in ast.iter_fields(node):
        if inside and isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            found.extend(_runs(value))
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                _below(child, inside, found)


def _runs(body: list[ast.stmt]) -> Iterator[Block]:
    start = 0
    for number, statement in enumerate(body):
        if isinstance(statement, _COMPOUND) or number == len(body) - 1:
            yield Block(body, start, number + 1)
            start = number + 1


def marked(tree: ast.Module, first: int) -> ast.Module:
    """The tree with a mark in front of each block, numbered from ``first``. Modifies ``tree``."""
    every = list(enumerate(blocks(tree), first))
    for number, block in reversed(every):  # later runs of a body first, so that positions stay valid
        if block.of_lambda is None:
            block.body.insert(_after_docstring(block), ast.Expr(_mark(number)))
        else:
            pair = ast.Tuple([_mark(number), block.of_lambda.body], ast.Load())
            block.of_lambda.body = ast.Subscript(pair, ast.Constant(1), ast.Load())
    return ast.fix_missing_locations(tree)


def compiled(data: bytes, path: str, first: int) -> CodeType:
    """The module's code with marks."""
    code: CodeType = compile(marked(ast.parse(data), first), path, "exec", dont_inherit=True)
    return code


def _after_docstring(block: Block) -> int:
    first = block.body[block.start]
    text = (
        first.value.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None
    )
    return block.start + int(isinstance(text, str))


def _mark(number: int) -> ast.Call:
    return ast.Call(ast.Name(MARK, ast.Load()), [ast.Constant(number)], [])


class Numbers:
    """Block numbers of all files and templates: each file's first number, and the total.

    A template counts as one block.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.first: dict[str, int] = {}
        self.size = 0
        for path in sorted([*root.glob("netplan/**/*.py"), *root.glob("templates/**/*.j2")]):
            self.first[path.relative_to(root).as_posix()] = self.size
            python = path.suffix == ".py"
            self.size += len(blocks(ast.parse(path.read_bytes()))) if python else 1

    def of_file(self, path: str) -> range:
        names = list(self.first)
        after = names.index(path) + 1
        return range(self.first[path], self.first[names[after]] if after < len(names) else self.size)


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, first: int) -> None:
        super().__init__(name, path)
        self._first = first

    def get_code(self, fullname: str) -> CodeType:
        return compiled(Path(self.path).read_bytes(), self.path, self._first)


class Marking(MetaPathFinder):
    """Imports netplan's modules with marks, and records which templates run."""

    def __init__(self, numbers: Numbers, hit: Callable[[int], object]) -> None:
        self._numbers, self._hit = numbers, hit

    def install(self) -> None:
        setattr(builtins, MARK, self._hit)
        sys.meta_path.insert(0, self)
        self._watch_templates()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] != "netplan":
            return None
        spec = PathFinder.find_spec(fullname, path)
        if spec is None or spec.origin is None or not spec.origin.endswith(".py"):
            return spec
        name = Path(spec.origin).relative_to(self._numbers.root).as_posix()
        spec.loader = _Loader(fullname, spec.origin, self._numbers.first[name])
        return spec

    def _watch_templates(self) -> None:
        from jinja2 import Template

        made: Any = Template._from_namespace
        numbers = {str(self._numbers.root / name): number for name, number in self._numbers.first.items()}

        def watched(cls: Any, environment: Any, namespace: Any, global_names: Any) -> Any:
            template = made.__func__(cls, environment, namespace, global_names)
            number, run = numbers.get(str(template.filename)), template.root_render_func

            def root(context: Any, *missing: Any) -> Any:
                if number is not None:
                    self._hit(number)
                return run(context, *missing)

            template.root_render_func = root
            return template

        Template._from_namespace = classmethod(watched)  # type: ignore[method-assign, assignment]
