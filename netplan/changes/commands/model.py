"""What takes one switch from one state of its files to another."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

Files = Mapping[str, str]
"""Name below ``switches/<name>/`` -> content, from ``files_of``: without README and cabling."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file to apply.

    ``suffix``: file type (``json``, ``txt``, ``yaml``). ``apply``: the command, ``{file}`` for its name.
    ``before``: commands to enter first, such as a checkpoint. ``{wave}`` in both: a name no other change has.
    ``source``: of both.
    """

    suffix: str
    text: str
    apply: str
    before: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Change:
    """``parts``: in the order of application; none if nothing differs.

    ``by_hand``: what no file does, because it is shared (a feature switch) or the switch refuses it.
    ``confirm``: a sentence for each form in ``parts`` that no source confirms.
    """

    parts: tuple[Part, ...]
    by_hand: tuple[str, ...]
    confirm: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Running:
    """``old``: the planned settings as they run, as files; ``new``: the planned files the configuration can
    contain. ``in_the_way``: unplanned settings in ``old`` that cannot coexist with planned ones, with the
    source. ``by_hand``: what they leave behind. ``cleared``: the running configuration without what is in the
    way; empty if nothing is. ``form``: the form that knows what else runs. ``notes``: what to know about
    what runs, beside the differences."""

    old: Files
    new: Files
    form: Form
    in_the_way: tuple[tuple[str, str], ...]
    by_hand: tuple[str, ...] = ()
    cleared: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stated:
    """One setting as a text states it.

    ``levels``: what the readers of the NOS read: its header lines, and the line itself. ``kind``: the same
    for settings that differ only in what they are about, which is ``at``; empty for the switch. ``text``:
    what is set there. ``block``: the entry that it is in, or opens; empty for none. ``own``: whether that is
    netplan's alone, or the setting keeps netplan's there from taking effect. ``number``: of its line, 0 where
    only ``Form.line`` finds it. ``implied``: the NOS sets it itself where it is not stated. ``undoes``: what
    the lines begin with of which it changes the effect, if netplan writes some; such a setting is told though
    it is in no entry of netplan's."""

    levels: tuple[str, ...]
    kind: str
    at: str
    text: str
    block: str
    own: bool
    number: int = 0
    implied: bool = False
    undoes: str = ""


@dataclass(frozen=True, slots=True)
class InPlace:
    """``found``: as if it ran under the planned name: key there -> the key of the setting that runs, and that
    setting. ``gone``: keys of settings that run, and that this stands for or that are not in use."""

    found: Mapping[Hashable, tuple[Hashable, Stated]]
    gone: Set[Hashable] = frozenset()


def without_lines(text: str, numbers: Collection[int]) -> str:
    return "\n".join(line for number, line in enumerate(text.split("\n"), start=1) if number not in numbers)


class Form(Protocol):
    """How the files of a NOS are changed. Both functions work for any two states of rendered files.
    ``hides``: whether a running configuration leaves out what has its default value; ``negate``: the word in
    front of a line that sets the opposite, if it shows such lines."""

    @property
    def hides(self) -> bool: ...

    @property
    def negate(self) -> str: ...

    def change(self, old: Files, new: Files) -> Change:
        """What to apply to a switch that runs ``old`` so that it runs ``new``. Never removes anything that is
        not in ``old``. The way back is ``change(new, old)``."""

    def both(self, old: Files, new: Files, held: Collection[int] = ()) -> Files:
        """``new`` merged into ``old`` without removals: what the switch runs after ``new`` is applied and
        before old settings are removed. Single-valued settings have the value of ``new``, except that the
        ``held`` DSCPs are mapped as in ``old``. In the form of rendered files, so that their readers can read
        it."""

    def running(self, text: str, planned: Files) -> Running | None:
        """What leads from a running configuration to the planned files; None if commands cannot be derived
        from one."""

    def stated(self, files: Files) -> Mapping[Hashable, Stated]:
        """The settings of planned files, or of a running configuration, by a key that does not depend on the
        value."""

    def in_place(
        self, runs: Mapping[Hashable, Stated], planned: Mapping[Hashable, Stated], text: str
    ) -> Sequence[InPlace]:
        """What runs in entries of other names that are used where the plan uses its own; several if several
        run in the place of one. ``runs``: the settings of ``text``."""

    def line(self, text: str, one: Stated) -> int:
        """The line of ``text``, from 1, that states a setting of it; 0 if it is not found."""

    def without(self, files: Files, keys: Set[Hashable]) -> Files:
        """Files without these settings, by the keys of ``stated``."""
