"""Answer a ``render`` from the cache if nothing changed since the previous run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import asdict, dataclass
from io import StringIO
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

import click

from netplan.cli.counting import Counting
from netplan.cli.terminal import Manner, progress, put, tell

if TYPE_CHECKING:
    from netplan.write import Memory, Said


_OFF = "netplan.no_cache"


def _switch_off(ctx: click.Context, param: click.Parameter, given: bool) -> None:
    ctx.meta[_OFF] = given


no_cache = click.option(
    "--no-cache",
    is_flag=True,
    expose_value=False,
    callback=_switch_off,
    help="Compile and read every file of DIR even if nothing changed since the last run.",
)
"""The option for commands that use `Recall`."""


@dataclass(slots=True)
class Recall:
    """The cached state of the output directory, and the request it answers (without --check)."""

    memory: Memory | None = None
    question: str | None = None
    ask: Callable[[], str | None] = lambda: None

    @classmethod
    def of(
        cls, inventory: Sequence[str], output: str, only: Sequence[str], counted: Counting, manner: Manner
    ) -> Recall:
        from netplan.question import question
        from netplan.write import remembered

        memory = None if click.get_current_context().meta.get(_OFF) else remembered(Path(output))
        if memory is None:
            return cls()
        colors = [manner.colored(stream) for stream in (sys.stdout, sys.stderr)]
        options = {"output": output, "only": only, "colors": colors, **asdict(counted), **asdict(manner)}
        data = (counted.release_data, counted.nos_dir, *counted.files)

        def ask() -> str | None:
            return question(inventory, options, data)

        return cls(memory, ask(), ask)

    def answered(self, check: bool) -> bool:
        """Print what this command printed last time, if that is still valid."""
        if self.memory is None or self.question is None:
            return False
        with progress() as stage:
            stage(f"comparing {len(self.memory.files):,} files")
            said = self.memory.answer(f"{self.question} {check}", stage)
        for where, text in said or ():
            (put if where == "out" else tell)(text)
        return said is not None

    def keep(self, report: Callable[[bool], None]) -> None:
        """Remember what ``report`` prints about the directory as it is now, with and without --check; nothing
        if the inventory changed during the run."""
        if self.memory is not None and self.question is not None and self.question == self.ask():
            self.memory.keep({f"{self.question} {check}": _said(report, check) for check in (False, True)})


def _said(report: Callable[[bool], None], check: bool) -> tuple[Said, ...]:
    said: list[Said] = []
    with redirect_stdout(_Kept(sys.stdout, "out", said)), redirect_stderr(_Kept(sys.stderr, "err", said)):
        report(check)
    runs = groupby(said, key=itemgetter(0))
    return tuple((where, "".join(text for _, text in parts)) for where, parts in runs)


class _Kept(StringIO):
    """Records what is written, in order with the other stream; claims to be a terminal if the real one is."""

    def __init__(self, stream: IO[str], name: Literal["out", "err"], said: list[Said]) -> None:
        super().__init__()
        self._terminal, self._name, self._kept = stream.isatty(), name, said

    def isatty(self) -> bool:
        return self._terminal

    def write(self, text: str) -> int:
        self._kept.append((self._name, text))
        return len(text)
