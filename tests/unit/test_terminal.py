"""When output is coloured, and the status line of long work."""

from __future__ import annotations

import io
import time

import pytest

from netplan.cli import terminal
from netplan.cli.terminal import Manner, on_terminal, progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("color", "stream", "environment", "colored"),
    [
        ("auto", Terminal(), {}, True),
        ("auto", Terminal(), {"NO_COLOR": ""}, True),
        ("auto", Terminal(), {"NO_COLOR": "1"}, False),
        ("auto", Terminal(), {"TERM": "dumb"}, False),
        ("auto", io.StringIO(), {}, False),
        ("always", io.StringIO(), {"NO_COLOR": "1", "TERM": "dumb"}, True),
        ("never", Terminal(), {}, False),
    ],
    ids=["terminal", "no-color-empty", "no-color", "dumb", "pipe", "always", "never"],
)
def test_colour(monkeypatch, color, stream, environment, colored):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Manner("text", strict=False, quiet=False, color=color).colored(stream) is colored


def terminal_as_standard_error(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Call it in the test itself: pytest restores its own stream between set-up and test."""
    monkeypatch.setenv("TERM", "xterm")
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    return stream


def test_short_work_shows_no_progress(monkeypatch):
    screen = terminal_as_standard_error(monkeypatch)
    with progress() as stage:
        stage("planning 3 hosts")
    assert screen.getvalue() == ""


def test_long_work_shows_the_stage_in_place_and_clears_it(monkeypatch):
    screen = terminal_as_standard_error(monkeypatch)
    monkeypatch.setattr(terminal, "PROGRESS_AFTER_SECONDS", 0)
    with progress() as stage:
        stage("planning 12,500 hosts")
        deadline = time.monotonic() + 5
        while not screen.getvalue() and time.monotonic() < deadline:
            time.sleep(0.001)
        stage("rendering")
    assert screen.getvalue() == "\r\x1b[Kplanning 12,500 hosts ...\r\x1b[Krendering ...\r\x1b[K"


def test_a_pipe_gets_no_progress(monkeypatch):
    pipe = io.StringIO()
    monkeypatch.setattr("sys.stderr", pipe)
    monkeypatch.setattr(terminal, "PROGRESS_AFTER_SECONDS", 0)
    with progress() as stage:
        stage("planning 12,500 hosts")
        time.sleep(0.05)
        stage("rendering")
    assert pipe.getvalue() == ""


def test_a_dumb_terminal_is_none(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    assert not on_terminal(Terminal())
