"""The loader's fuzzer finds, saves and reports a planted bug."""

from __future__ import annotations

import sys
import time
from itertools import islice
from pathlib import Path

import pytest

from tools import fuzz_loader


def soon(seconds: float = 20) -> float:
    return time.monotonic() + seconds


def test_the_corpus_is_what_the_loader_takes():
    texts = fuzz_loader.corpus()
    assert len(texts) > 100
    for text in texts[:20]:
        fuzz_loader.attempt(fuzz_loader.load, text)


def test_a_planted_bug_is_found():
    """Only a changed text reaches it: no text of the corpus has an anchor."""

    def fragile(text: str) -> None:
        if "&a " in text:
            raise RecursionError("planted")

    with pytest.raises(fuzz_loader.CrashError) as found:
        list(fuzz_loader.guided(fragile, ["a: 1\n"], soon(), seed=1))
    assert "&a " in found.value.text
    assert "RecursionError: planted" in found.value.why


def test_a_slow_text_is_found():
    def slow(text: str) -> None:
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            pass

    with pytest.raises(fuzz_loader.CrashError, match=r"took 0\.\d s"):
        fuzz_loader.attempt(slow, "a: 1\n", limit=0.1)


def test_texts_that_reach_new_lines_join_the_corpus():
    """Starting from a single mapping, the fuzzer reaches lines about lists, anchors and errors."""
    fuzz_loader.load("version: 1\n")  # so that imports do not count
    trials = fuzz_loader.guided(fuzz_loader.load, ["version: 1\n"], soon(), seed=1)
    assert len(list(islice(trials, 6))) == 6


def test_coverage_counts_lines_of_netplan_only():
    coverage = fuzz_loader.Coverage()
    with coverage:
        fuzz_loader.load("a: [1\n")
    assert {Path(name).parts[-2] for name, _ in coverage.lines} >= {"yaml12", "netplan"}
    assert all("/netplan/" in name for name, _ in coverage.lines)
    before = len(coverage.lines)
    with coverage:
        fuzz_loader.load("a: &x [*x]\n")
    assert len(coverage.lines) > before


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    def main(*arguments: str) -> int:
        words = ["fuzz_loader.py", "--own", "--crashes", str(tmp_path / "crashes"), *arguments]
        monkeypatch.setattr(sys, "argv", words)
        return fuzz_loader.main()

    return main


def test_a_run_without_crashes(run, tmp_path: Path, capsys):
    assert run("--seconds", "1") == 0
    assert " texts tried, " in capsys.readouterr().out
    assert not (tmp_path / "crashes").exists()


def test_a_crash_is_saved_and_fails_the_run(run, monkeypatch, tmp_path: Path, capsys):
    def broken(text: str) -> None:
        raise KeyError(text[:1] + "\ud800")

    monkeypatch.setattr(fuzz_loader, "load", broken)
    assert run("--seconds", "5") == 1
    (saved,) = (tmp_path / "crashes").glob("*.yaml")
    assert saved.read_text() in fuzz_loader.corpus()
    assert "KeyError" in saved.with_suffix(".txt").read_text()
    assert str(saved) in capsys.readouterr().err
