"""Which findings may be set aside, and which entry of ``accept`` or option does so."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from netplan.diagnostics import Path, Severity, dotted
from netplan.model.codes import CODES
from netplan.model.fabric import Acceptance

_ALWAYS = frozenset("019")
"""Areas of loading and schema, identity and references, artifacts: later stages rely on them."""
_UNREADABLE = frozenset({"NP870"})
"""What makes a config_db file unreadable: nothing else could be said of it."""
_OWN_PLACE = frozenset({"NP802", "NP832"})
"""Accepted at exactly their place: an entry above it would cover abilities that go missing later."""


def can_be_set_aside(code: str, severity: Severity) -> bool:
    """Not for what stages find, nor for errors of identity, loading and artifacts."""
    return severity is not Severity.ERROR or not (code in CODES or code in _UNREADABLE or code[2] in _ALWAYS)


@dataclass(frozen=True, slots=True)
class Selection:
    """What is reported and counts: codes or beginnings of codes; no ``select`` is all, ``ignore`` wins."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def keeps(self, code: str, severity: Severity) -> bool:
        if not can_be_set_aside(code, severity):
            return True
        return code.startswith(self.select or ("NP",)) and not (self.ignore and code.startswith(self.ignore))


EVERYTHING = Selection()


class Acceptances:
    """The entries of ``accept``, found by the findings they cover."""

    def __init__(self, entries: Iterable[Acceptance]) -> None:
        self._at: dict[tuple[str, str], list[Acceptance]] = {}
        for entry in entries:
            self._at.setdefault((entry.check, entry.at), []).append(entry)

    def covering(self, code: str, at: Path) -> list[Acceptance]:
        """An entry holds for its entity and everything below it, one at ``.`` for the whole inventory; those
        of ``_OWN_PLACE`` for their place only."""
        if not self._at:
            return []
        if code in _OWN_PLACE:
            return self._at.get((code, dotted(at)), [])
        places = [".", *(dotted(at[:n]) for n in range(1, len(at) + 1))]
        return [entry for place in places for entry in self._at.get((code, place), ())]
