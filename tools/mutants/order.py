"""Which tests run for a mutant, and in which order."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from tools.mutants.blocks import Numbers
from tools.mutants.changes import Mutant
from tools.mutants.reach import Measured, Reach
from tools.mutants.uses import stated, using

NEAR = 4
"""Blocks before and after the mutant's that count: a test that reaches more of them is about this code."""
TURN = 0.1
"""Seconds of processor time. Turns of one case each, whatever it takes, would spend the time for a mutant on
slow tests, before the tenth row of a table that takes 2 ms."""

CODE = re.compile(r"NP\d{3}")


class Seen(Enum):
    """When a block first runs."""

    IMPORTING = "importing"
    COLLECTING = "collecting"
    LATER = "later"


@dataclass
class Order:
    """``importers``: file -> files that import it, of netplan and of its tests. ``codes``: file -> finding
    codes it names."""

    numbers: Numbers
    measured: Measured
    importers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    codes: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def tests(self, mutant: Mutant) -> list[Reach]:
        """Tests that reach the block: the test functions in turn, each with as many cases as fit into
        ``TURN``, the closest first; so the time goes to many quick tests before one slow test. First in a
        turn are tests of files that import this one, and cases about a code that it names: every inventory
        runs every check.

        Code that runs at import is reached by all tests of the module and of its importers; the closest are
        those of the blocks that use what its line states.
        """
        here = self.numbers.of_file(mutant.path)
        file = _mask(here)
        if mutant.block is None:
            wanted = file | self._of_importers(mutant.path)
            near = self._using(mutant) or wanted
        else:
            block = here[mutant.block]
            near = _mask(range(max(here.start, block - NEAR), min(here.stop, block + NEAR + 1)))
            wanted = 1 << block
            if wanted & self.measured.at_import:
                wanted |= file | self._of_importers(mutant.path)
        reaching = [test for test in self.measured.tests if test.reached & wanted]
        codes = self.codes.get(mutant.path, frozenset())
        direct = self.importers.get(mutant.path, frozenset())

        def about(test: Reach) -> bool:
            return test.file in direct or not codes.isdisjoint(CODE.findall(test.test))

        reaching.sort(key=lambda test: (not about(test), _closeness(test, near, file)))
        spent: defaultdict[str, float] = defaultdict(float)
        turns = []
        for place, test in enumerate(reaching):
            spent[test.function] += test.seconds
            turns.append((int(spent[test.function] / TURN), place))
        return [reaching[place] for _, place in sorted(turns)]

    def seen(self, mutant: Mutant) -> Seen:
        """If importing or collecting has already run the block, changing it in a worker is too late."""
        if mutant.block is None:
            return Seen.IMPORTING
        block = self.numbers.of_file(mutant.path)[mutant.block]
        if self.measured.at_import >> block & 1:
            return Seen.IMPORTING
        return Seen.COLLECTING if self.measured.at_collection >> block & 1 else Seen.LATER

    def _using(self, mutant: Mutant) -> int:
        """Blocks of the file and its importers that use what a line outside functions states."""
        trees = {name: self._tree(name) for name in (mutant.path, *self._importing(mutant.path))}
        names = stated(trees[mutant.path], mutant.line)
        firsts = ((self.numbers.first[name], tree) for name, tree in trees.items())
        return sum(1 << first + number for first, tree in firsts for number in using(tree, names))

    def _tree(self, path: str) -> ast.Module:
        return ast.parse((self.numbers.root / path).read_bytes())

    def _of_importers(self, path: str) -> int:
        return sum(_mask(self.numbers.of_file(name)) for name in self._importing(path))

    def _importing(self, path: str) -> list[str]:
        return [name for name in self.importers.get(path, ()) if name in self.numbers.first]


def _mask(numbers: range) -> int:
    return (1 << numbers.stop) - (1 << numbers.start)


def _closeness(test: Reach, near: int, file: int) -> tuple[int, float, int, int]:
    """Sort key, closest first: most neighbouring blocks reached, then fastest, as a fast test is about little
    else."""
    others = (test.reached & ~file).bit_count()
    return (
        -(test.reached & near).bit_count(),
        round(test.seconds, 1),
        others,
        -(test.reached & file).bit_count(),
    )


def importers(root: Path) -> dict[str, frozenset[str]]:
    """File -> files of netplan and of its tests that import it, or a name from it."""
    found: dict[str, set[str]] = {}
    for path in sorted([*root.glob("netplan/**/*.py"), *root.glob("tests/**/*.py")]):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                base = name.replace(".", "/")
                for file in (f"{base}.py", f"{base}/__init__.py"):
                    found.setdefault(file, set()).add(path.relative_to(root).as_posix())
    return {name: frozenset(files) for name, files in found.items()}


def named_codes(root: Path) -> dict[str, frozenset[str]]:
    """File of netplan -> finding codes in it."""
    files = ((path, path.read_text(encoding="utf-8")) for path in sorted(root.glob("netplan/**/*.py")))
    return {path.relative_to(root).as_posix(): frozenset(CODE.findall(text)) for path, text in files}
