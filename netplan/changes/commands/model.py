"""What brings one switch from one state of its files to another."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Protocol

Files = Mapping[str, str]
"""Name below ``switches/<name>/`` -> content, as ``files_of`` gives them: no README, no cabling."""


@dataclass(frozen=True, slots=True)
class Part:
    """One file that is applied.

    ``suffix``: what its name ends with (``json``, ``txt``, ``yaml``). ``apply``: the command that applies it,
    ``{file}`` in place of its name. ``before``: commands to give first, such as a checkpoint. ``{wave}`` in
    both: a name that no other change has. ``source``: of both.
    """

    suffix: str
    text: str
    apply: str
    before: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """``parts``: in the order to apply; none where nothing differs.

    ``by_hand``: what no file does: shared with others (a feature switch), or refused by the switch.
    ``confirm``: forms in ``parts`` that no source confirms, a sentence each.
    """

    parts: tuple[Part, ...]
    by_hand: tuple[str, ...]
    confirm: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """``old``: what a running configuration has of the planned settings, as files; ``new``: the planned files
    that it can hold. ``in_the_way``: settings of nobody's plan in ``old`` that cannot be beside planned ones,
    each with who says so. ``by_hand``: what that leaves behind. ``cleared``: what
    runs, without what is in the way; empty where nothing is. ``form``: that knows what else runs."""

    old: Files
    new: Files
    form: Form
    in_the_way: tuple[tuple[str, str], ...]
    by_hand: tuple[str, ...] = ()
    cleared: str = ""


class Form(Protocol):
    """How the files of one NOS are changed. Both functions are total: any two states of rendered files."""

    def change(self, old: Files, new: Files) -> Change:
        """What is to be applied to a switch that runs ``old`` so that it runs ``new``. What ``old`` does not
        have is never removed. The way back is ``change(new, old)``."""

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        """``new`` laid over ``old`` with nothing removed: what the switch runs once ``new`` is applied and
        before what is gone is removed. A setting that has one value has that of ``new``, but for the DSCPs
        that are ``held``: they are mapped as in ``old``. In the form of the rendered files, so that every
        reader of those reads it."""

    def running(self, text: str, planned: Files) -> Running | None:
        """From a running configuration to the planned files; None where no commands come from one."""
