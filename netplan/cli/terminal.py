"""Reporting options shared by commands, and terminal output."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import StringIO
from threading import Lock, Timer
from typing import IO, Any

import click

from netplan.records import dataclass

FORMATS = ("text", "json", "sarif", "junit", "github", "gitlab")
PLAIN_FORMATS = FORMATS[:2]
"""For commands that show values, which the formats of CI systems cannot express."""
PROGRESS_AFTER_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Manner:
    """How to report: ``form`` is one of FORMATS, ``color`` is auto, always or never."""

    form: str
    strict: bool
    quiet: bool
    color: str

    def colored(self, stream: IO[str]) -> bool:
        """Whether to colour output to ``stream``; https://no-color.org lets an option override."""
        if self.color != "auto":
            return self.color == "always"
        return not os.environ.get("NO_COLOR") and on_terminal(stream)


def reporting(formats: tuple[str, ...]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the reporting options to a command, which receives them as ``manner``."""
    return functools.partial(_reporting, formats)


def _reporting(formats: tuple[str, ...], command: Callable[..., int]) -> Callable[..., int]:
    @click.option(
        "--format", "form", type=click.Choice(formats), default="text", help="Report format. [text]"
    )
    @click.option("--strict", is_flag=True, help="Treat warnings as errors.")
    @click.option("--quiet", "-q", is_flag=True, help="Print only findings that make the run fail.")
    @click.option(
        "--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Use colours. [auto]"
    )
    @functools.wraps(command)
    def with_manner(form: str, strict: bool, quiet: bool, color: str, **arguments: Any) -> int:
        return command(manner=Manner(form, strict, quiet, color), **arguments)

    return with_manner


def put(text: str) -> None:
    """Write a result to standard output, completely."""
    sys.stdout.write(text)
    sys.stdout.flush()


def put_lines(lines: Iterable[str]) -> None:
    """Write a result line by line; ``lines`` have no line feeds."""
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()


def tell(text: str) -> None:
    """Write a message to standard error."""
    sys.stderr.write(text)
    sys.stderr.flush()


def survive_any_stream() -> None:
    """Closed streams swallow text; characters that the locale cannot encode are escaped."""
    sys.stdout = sys.stdout or StringIO()
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure:
            reconfigure(errors="backslashreplace")


def on_terminal(stream: IO[str]) -> bool:
    return stream.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress() -> Iterator[Callable[[str], None]]:
    """A function to call at the start of each stage; on a terminal, it shows the stage after one second."""
    if not on_terminal(sys.stderr):
        yield lambda stage: None
        return
    shown = _StatusLine(sys.stderr)
    timer = Timer(PROGRESS_AFTER_SECONDS, shown.open)
    timer.daemon = True
    timer.start()
    try:
        yield shown.stage
    finally:
        timer.cancel()
        shown.close()


class _StatusLine:
    """A line that is overwritten; used by the timer's thread and the main thread."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = Lock()
        self._stage = ""
        self._open = self._closed = False

    def stage(self, name: str) -> None:
        with self._lock:
            self._stage = name
            self._write()

    def open(self) -> None:
        with self._lock:
            self._open = not self._closed
            self._write()

    def close(self) -> None:
        with self._lock:
            if self._open:
                self._stream.write("\r\x1b[K")
            self._open, self._closed = False, True

    def _write(self) -> None:
        if self._open and self._stage:
            self._stream.write(f"\r\x1b[K{self._stage} ...")
            self._stream.flush()
