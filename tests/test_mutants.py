"""``make mutants``: its mutants, the tests it selects, and its verdicts on a small product."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

import pytest

from tools.mutants.__main__ import JUDGED, ROOT, named_in
from tools.mutants.blocks import MARK, Numbers, blocks, marked
from tools.mutants.changes import Mutant, mutants, sample
from tools.mutants.known import Known, gone, known
from tools.mutants.order import Order, Seen, importers
from tools.mutants.reach import Measured, Reach
from tools.mutants.runner import Runner, Sums, likely
from tools.mutants.worker import Outcome, Verdict, first_within, in_turn, pairs

OVER = [f"netplan/{name}" for name in JUDGED]

CODE = """\
@dataclass(frozen=True)
class C: pass
@lru_cache(maxsize=64)
def f(a: int, b):
    if a:
        print(b)
    for c in [d for d in zip(b, b, strict=True) if d]:
        if any(c):
            continue
        b[0] = c
    return 1 < a <= 3 and not b, f"{a == 1}"
"""
TEMPLATE = """\
{% if a %}
mtu 9000 {{ a.b }}
{% endif %}
"""
PLANTED = """\
m.py:5: a -> (not (a))
m.py:6: print(b) -> pass
m.py:7: d -> True
m.py:8: any(c) -> (not (any(c)))
m.py:8: any -> all
m.py:9: continue -> break
m.py:10: b[0] = c -> pass
m.py:10: 0 -> 1
m.py:11: return 1 < a <= 3 and not b, f"{a == 1}" -> return None
m.py:11: 1 < a <= 3 and not b -> (1 < a <= 3 or not b)
m.py:11: 1 < a <= 3 -> (1 <= a <= 3)
m.py:11: 1 < a <= 3 -> (1 < a < 3)
m.py:11: 1 -> 2
m.py:11: 3 -> 4
m.py:11: not b -> (b)
t.j2:1: {% if a %} -> {% if not (a) %}
t.j2:2: mtu 9000 {{ a.b }} -> nothing
t.j2:2: 9000 -> 9001
"""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name, text in (("netplan/m.py", CODE), ("templates/t.j2", TEMPLATE)):
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text)
    return tmp_path


@cache
def every() -> list[Mutant]:
    return mutants(ROOT, OVER)


def test_what_is_changed(copy: Path):
    found = "".join(f"{mutant}\n" for mutant in mutants(copy, ["netplan", "templates"]))
    assert found.replace("netplan/", "").replace("templates/", "") == PLANTED
    assert mutants(copy, ["templates/t.j2", "netplan/other"]) == mutants(copy, ["templates"])
    assert mutants(copy, ["net"]) == []


def test_a_mutant_is_code_and_other_code():
    for mutant in every()[::300]:
        data = (ROOT / mutant.path).read_bytes()
        assert data[mutant.start : mutant.end].decode() == mutant.was != mutant.text, mutant
        compile(mutant.planted(data), mutant.path, "exec")


def test_a_mutant_has_the_same_key_after_edits_elsewhere(copy: Path):
    before = {mutant.key for mutant in mutants(copy, ["netplan"])}
    (copy / "netplan/m.py").write_text(f"X = 1\n\n\n{CODE}")
    after = {mutant.key for mutant in mutants(copy, ["netplan"])}
    assert after - before == {("netplan/m.py", "", "X = 1", "1 -> 2")}
    assert before < after
    assert ("netplan/m.py", "f", "if any(c):", "any -> all") in before


def test_survivors_of_an_earlier_run_can_be_run_again():
    first, *others = every()[:200:2]
    said = [f"survived 3 tests: {first}  (f)", f"killed 1 s  {others[0]}  tests/t.py::x", f"{others[1]}"]
    assert set(named_in("\n".join(said), every())) == {
        m for m in every() if str(m) in map(str, [first, *others[:2]])
    }
    assert named_in(f"{first}0", every()) == []


def test_blocks_of_a_function():
    """What follows a compound statement is a block of its own; a module has none, a lambda is one."""
    tree = ast.parse(
        'X = [lambda: 1]\ndef f(a):\n    """Text."""\n    if a:\n        return 1\n    return 2\n'
    )
    found = [[part.lineno for part in block.body[block.start : block.end]] for block in blocks(tree)]
    assert found == [[], [3, 4], [6], [5]]
    text = ast.unparse(marked(tree, 10))
    assert text == (
        f'X = [lambda: ({MARK}(10), 1)[1]]\n\ndef f(a):\n    """Text."""\n    {MARK}(11)\n    if a:\n'
        f"        {MARK}(13)\n        return 1\n    {MARK}(12)\n    return 2"
    )


def test_a_sample_has_every_part_in_proportion():
    chosen = sample(every(), 300, 1)
    assert len(set(chosen)) == 300
    for area in {mutant.area for mutant in every()}:
        share, drawn = (sum(m.area == area for m in some) / len(some) for some in (every(), chosen))
        assert abs(share - drawn) < 1 / 300, area
    assert chosen == sample(every(), 300, 1) != sample(every(), 300, 2)


def reach(test: str, *reached: int, seconds: float = 1.0) -> Reach:
    return Reach(test, seconds, sum(1 << number for number in reached))


def test_the_closest_test_comes_first_and_every_function_has_its_turn(copy: Path):
    mutant = next(m for m in mutants(copy, ["netplan"]) if m.was == "print(b)")
    numbers = Numbers(copy)
    assert mutant.block is not None
    here = numbers.first["netplan/m.py"] + mutant.block
    first, last = numbers.of_file("netplan/m.py")[0], numbers.of_file("netplan/m.py")[-1]
    tests = (
        reach("t.py::wide[a]", here, first, last, seconds=2),
        reach("t.py::wide[b]", here, first, last),
        reach("t.py::narrow", here),
        reach("t.py::elsewhere", numbers.first["templates/t.j2"]),
    )
    order = Order(numbers, Measured(tests, (), 0, 0))
    assert [test.test for test in order.tests(mutant)] == ["t.py::wide[b]", "t.py::narrow", "t.py::wide[a]"]


def test_a_turn_is_as_long_for_quick_cases_as_for_slow_ones(copy: Path):
    mutant = next(m for m in mutants(copy, ["netplan"]) if m.was == "print(b)")
    numbers = Numbers(copy)
    assert mutant.block is not None
    here = numbers.first["netplan/m.py"] + mutant.block
    slow = (reach("t.py::slow[a]", here, here - 1, seconds=0.25), reach("t.py::late[b]", here, seconds=0.15))
    rows = [reach(f"t.py::row[{number}]", here, seconds=0.03) for number in range(5)]
    order = Order(numbers, Measured((*slow, *rows), (), 0, 0)).tests(mutant)
    assert [test.test.partition("::")[2] for test in order] == [
        "row[0]", "row[1]", "row[2]", "row[3]", "row[4]", "late[b]", "slow[a]",
    ]  # fmt: skip


def test_cases_of_a_code_that_the_file_names_come_before_others(copy: Path):
    mutant = next(m for m in mutants(copy, ["netplan"]) if m.was == "print(b)")
    numbers = Numbers(copy)
    assert mutant.block is not None
    here = numbers.first["netplan/m.py"] + mutant.block
    names = ("t.py::site", "t.py::good[NP305-good-mtu]", "t.py::good[NP306-good-mtu]")
    measured = Measured(tuple(reach(name, here, here - 1) for name in names), (), 0, 0)
    order = Order(numbers, measured, {}, {"netplan/m.py": frozenset({"NP306"})})
    assert order.tests(mutant)[0].test == "t.py::good[NP306-good-mtu]"


def test_tests_that_import_the_file_come_before_others(copy: Path):
    mutant = next(m for m in mutants(copy, ["netplan"]) if m.was == "print(b)")
    numbers = Numbers(copy)
    assert mutant.block is not None
    here = numbers.first["netplan/m.py"] + mutant.block
    (copy / "tests").mkdir(exist_ok=True)
    (copy / "tests/test_m.py").write_text("from netplan.m import f\n")
    names = ("tests/test_a.py::a", "tests/test_m.py::m")
    measured = Measured(tuple(reach(name, here) for name in names), (), 0, 0)
    order = Order(numbers, measured, importers(copy))
    assert [test.test for test in order.tests(mutant)] == ["tests/test_m.py::m", "tests/test_a.py::a"]


def test_what_runs_at_import_is_for_the_tests_of_who_imports_it(tmp_path: Path):
    texts = {"a.py": "X = 1\n", "b.py": "from netplan.a import X\ndef f():\n    return X\n",
             "c.py": "def g():\n    return 2\n"}  # fmt: skip
    (tmp_path / "netplan").mkdir()
    for name, text in texts.items():
        (tmp_path / "netplan" / name).write_text(text)
    numbers = Numbers(tmp_path)
    tests = (reach("t.py::f", numbers.first["netplan/b.py"]), reach("t.py::g", numbers.first["netplan/c.py"]))
    order = Order(numbers, Measured(tests, (), 0, 0), importers(tmp_path))
    (mutant,) = mutants(tmp_path, ["netplan/a.py"])
    assert [test.test for test in order.tests(mutant)] == ["t.py::f"]


def test_a_constant_is_for_the_tests_of_the_blocks_that_use_it(tmp_path: Path):
    texts = {
        "a.py": "X = 1\nY = {X: 2}\ndef f():\n    return 7\ndef g():\n    return Y\n"
        "class C:\n    x: int = 3\ndef h(n=4):\n    return n\n",
        "b.py": "from netplan.a import C, h\ndef f(c):\n    return C()\ndef g():\n    return h()\n",
    }
    (tmp_path / "netplan").mkdir()
    for name, text in texts.items():
        (tmp_path / "netplan" / name).write_text(text)
    numbers = Numbers(tmp_path)
    first = numbers.first
    blocks = [*numbers.of_file("netplan/a.py"), *numbers.of_file("netplan/b.py")]
    tests = tuple(reach(f"t.py::{number}", number, seconds=0.01) for number in blocks)
    order = Order(numbers, Measured(tests, (), 0, 0), importers(tmp_path))
    nearest = {m.was: order.tests(m)[0].test for m in mutants(tmp_path, ["netplan/a.py"]) if m.was in "1234"}
    uses = {"1": first["netplan/a.py"] + 1, "2": first["netplan/a.py"] + 1}
    uses |= {"3": first["netplan/b.py"], "4": first["netplan/b.py"] + 1}
    assert nearest == {number: f"t.py::{block}" for number, block in uses.items()}


def test_the_code_that_takes_the_place_of_another():
    """After a change in one function, the others are still paired with themselves, although they moved."""
    texts = (
        f"def f():\n    return {value}\ndef g():\n    return 2\n" for value in ("(1 +\n        1)", "None")
    )
    before, after = (compile(text, "m.py", "exec") for text in texts)
    names = [(old.co_name, new.co_name, new.co_consts) for old, new in pairs(before, after)]
    assert names[1:] == [("f", "f", (None,)), ("g", "g", (None, 2))]


def test_tests_are_measured_the_best_first_and_every_function_in_turn():
    names = [
        "tests/b.py::x[1]",
        "tests/b.py::x[2]",
        "tests/b.py::y",
        "tests/a/c.py::z[1]",
        "tests/a/c.py::z[2]",
    ]
    assert in_turn(names, ["tests/a", "tests"]) == [*names[3:], names[0], names[2], names[1]]
    assert in_turn(names, ["tests"]) == [names[0], names[2], names[3], names[1], names[4]]


MUTANT = Mutant("netplan/m.py", 1, 0, 1, "a", "b", "f", "a")


@pytest.mark.parametrize(("seconds", "names"), [(0.5, ["a"]), (3.0, ["a", "b"]), (60.0, ["a", "b", "c"])])
def test_a_new_process_gets_what_it_can_run_in_time(seconds: float, names: list[str]):
    assert first_within([("a", 1.0), ("b", 2.0), ("c", 3.0)], seconds) == names


def test_the_sum():
    other = Mutant("netplan/m.py", 2, 0, 1, "c", "d", "f", "c")
    listed = {other.key: Known(other.key, "the same")}
    sums = Sums(listed, least=95)
    for _ in range(19):
        sums.add(MUTANT, Verdict(Outcome.KILLED, "t"))
    sums.add(other, Verdict(Outcome.SURVIVED))
    assert (sums.percent, sums.same, sums.status) == (100.0, 1, 0)
    sums.add(MUTANT, Verdict(Outcome.UNFINISHED, ran=3))
    assert (sums.percent, sums.status) == (95.0, 0)
    assert next(iter(sums.lines())) == "unfinished 3 tests: netplan/m.py:1: a -> b  (f)"
    sums.add(MUTANT, Verdict(Outcome.SURVIVED))
    assert sums.status == 1


def test_a_listed_mutant_that_is_killed_or_gone_is_reported():
    entry = Known(MUTANT.key, "the same")
    sums = Sums({entry.key: entry}, least=0)
    sums.add(MUTANT, Verdict(Outcome.KILLED, "t.py::x"))
    assert sums.status == 1
    assert sums.wrong == ["listed as equivalent, but killed by t.py::x: netplan/m.py f: a -> b in 'a'"]
    assert gone([entry], [MUTANT]) == []
    assert gone([entry], []) == [entry]


def test_the_list_names_mutants_that_are_there():
    assert gone(known(), mutants(ROOT, ["netplan", "templates"])) == []
    assert all(len(entry.why) > 20 for entry in known())


def test_likely():
    """By hand: (0.95 + 0.0064) / 1.0128 = 0.9443, plus or minus 1.96 * 0.0130 / 1.0128 = 0.0252."""
    low, high = likely(285, 300)
    assert (round(low, 2), round(high, 2)) == (91.92, 96.95)
    assert likely(0, 0) == (0.0, 100.0)


PRODUCT = {
    "netplan/__init__.py": "",
    "netplan/m.py": """\
from functools import cache

@cache
def doubled(n):
    return n + n

def bounded(n):
    if n > 9:
        return 9
    return n

def forever(n):
    while n < 3:
        n += 1
    return n

def unseen(n):
    return n * 2

class Base:
    def __init__(self):
        self.kept = True

class Derived(Base):
    def __init__(self):
        super().__init__()
""",
    "tests/__init__.py": "",
    "tests/test_a.py": """\
from netplan.m import Derived, bounded, doubled, forever

def test_first_asks():
    assert doubled(3) is not None

def test_bounded():
    assert bounded(20) == 9
    assert bounded(1) == 1

def test_forever():
    assert forever(0) == 3

def test_derived():
    assert Derived().kept
""",
    "tests/test_b.py": """\
from netplan.m import doubled

def test_second_asks():
    assert doubled(3) == 6
""",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
}


@pytest.fixture
def product(tmp_path: Path) -> Path:
    for name, text in PRODUCT.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    shutil.copytree(ROOT / "tools/mutants", tmp_path / "tools/mutants")
    (tmp_path / "tools/__init__.py").write_text("")
    (tmp_path / "tools/mutants/equivalent.yaml").write_text("[]\n")
    run = tmp_path / "tools/mutants/worker.py"
    run.write_text(re.sub(r"AT_LEAST = 10, 20\.0", "AT_LEAST = 10, 0.5", run.read_text()))
    return tmp_path


def test_a_small_product(product: Path):
    """A cached result counts for each test that uses it; an endless loop is killed; a method that closes over
    less than before is judged; sources do not change."""
    command = [sys.executable, "-m", "tools.mutants", "--over", "netplan", "--jobs", "1", "--seconds", "10"]
    environment = {**os.environ, "PYTHONPATH": str(product)}
    done = subprocess.run(command, cwd=product, env=environment, capture_output=True, text=True, timeout=120)
    lines = [re.sub(r" +\d+ s  ", " ", line) for line in done.stdout.splitlines()]
    assert "killed netplan/m.py:5: n + n -> (n - n)  tests/test_b.py::test_second_asks" in lines, done
    assert "timed out netplan/m.py:14: n += 1 -> pass  " in lines
    assert "survived 1 tests: netplan/m.py:8: n > 9 -> (n >= 9)  (bounded)" in lines
    assert "survived 0 tests: netplan/m.py:18: n * 2 -> (n // 2)  (unseen)" in lines
    assert "killed netplan/m.py:26: super().__init__() -> pass  tests/test_a.py::test_derived" in lines
    assert lines[-2].endswith(", equivalent 0")
    assert done.returncode == 1
    assert (product / "netplan/m.py").read_text() == PRODUCT["netplan/m.py"]


class _Worker:
    """Fails ``shaky`` with or without a mutant, and ``real`` only with one."""

    def __init__(self) -> None:
        self.end, other = Pipe()
        self.thread = Thread(target=self.serve, args=(other,))
        self.thread.start()

    def serve(self, orders: Connection) -> None:
        while (task := orders.recv()) is not None:
            names = [name for name, _ in task.tests]
            failing = [
                name for name in names if name == "shaky" or (name == "real" and task.mutant is not None)
            ]
            orders.send(Verdict(Outcome.KILLED, failing[0]) if failing else Verdict(Outcome.SURVIVED))


@pytest.mark.parametrize(
    ("names", "outcome", "killer"),
    [(["shaky", "real"], Outcome.KILLED, "real"), (["shaky", "good"], Outcome.SURVIVED, "")],
)
def test_a_test_that_fails_alone_says_nothing(names: list[str], outcome: Outcome, killer: str):
    worker = _Worker()
    runner = Runner(lambda _: [reach(name, 1) for name in names], lambda _: Seen.LATER, 1)
    ((mutant, verdict, _),) = runner.verdicts([MUTANT], [worker.end])
    worker.end.send(None)
    worker.thread.join()
    assert (mutant, verdict.outcome, verdict.test) == (MUTANT, outcome, killer)
