"""The planter of faults: every fault is one, a sample has every part, and what finds it is told."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

import pytest

from tools.faults import FULL, QUICK, ROOT, Fault, ended, faults, found_by, judged, sample

CODE = """\
def f(a, b):
    if a:
        print(b)
    return a < 3 and not b, f"{a == 1}"
"""
TEMPLATE = """\
{% if a %}
mtu 9000 {{ a.b }}
{% endif %}
"""
PLANTED = """\
m.py:2: a -> (not (a))
m.py:3: print(b) -> pass
m.py:4: a < 3 and not b -> (a < 3 or not b)
m.py:4: a < 3 -> a <= 3
m.py:4: 3 -> 4
m.py:4: not b -> (b)
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
def every() -> list[Fault]:
    return faults(ROOT)


def test_what_is_planted(copy: Path):
    found = "".join(f"{fault}\n" for fault in faults(copy))
    assert found.replace("netplan/", "").replace("templates/", "") == PLANTED


def test_planted_code_is_code_and_other_code():
    for fault in every()[::200]:
        data = (ROOT / fault.path).read_bytes()
        assert data[fault.start : fault.end].decode() == fault.was != fault.text, fault
        if fault.path.endswith(".py"):
            compile(fault.planted(data), fault.path, "exec")


def test_a_sample_is_the_same_and_has_every_part():
    areas = {fault.area for fault in every()}
    assert {"netplan/plan", "netplan/checks", "templates/switch/sonic", "templates/pod"} <= areas
    chosen = sample(every(), len(areas), 1)
    assert {fault.area for fault in chosen} == areas
    assert chosen == sample(every(), len(areas), 1) == sample(every(), 60, 1)[: len(areas)]
    assert chosen != sample(every(), len(areas), 2)


def test_the_sum_says_what_finds_the_faults(copy: Path, capsys: pytest.CaptureFixture[str]):
    """The quick test sees the code, the full one the number of the template, none its condition."""

    def run(expression: str) -> str:
        code, template = (copy / "netplan/m.py").read_text(), (copy / "templates/t.j2").read_text()
        return "q" * (code != CODE) if expression == QUICK else "f" * ("9000" not in template)

    assert judged(faults(copy), copy, run) == 0
    assert capsys.readouterr().out.splitlines()[-1] == (
        "9 faults: the quick tests find 6, only the full ones 2, none 1"
    )
    assert ((copy / "netplan/m.py").read_text(), (copy / "templates/t.j2").read_text()) == (CODE, TEMPLATE)


def test_tests_that_fail_without_a_fault_end_it(copy: Path, capsys: pytest.CaptureFixture[str]):
    assert judged(faults(copy), copy, lambda expression: "t" * (expression == FULL)) == 2
    assert capsys.readouterr() == ("", "fails without a fault: t\n")


def test_the_file_is_whole_again_when_a_run_breaks_off(copy: Path):
    def run(_: str) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        found_by(faults(copy)[0], copy, run)
    assert (copy / "netplan/m.py").read_text() == CODE


def test_a_run_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """With what it started: the output ends only when nobody holds it any more."""
    monkeypatch.setattr("tools.faults.SECONDS", 0.5)
    began = time.monotonic()
    status, _ = ended(["sh", "-c", "sleep 60 & wait"], tmp_path, {"PATH": "/usr/bin:/bin"})
    assert status == -9
    assert time.monotonic() - began < 50
