"""Which findings may be set aside, and which ``accept`` entry or option does it."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.diagnostics import Path, Severity, dotted
from netplan.model.fabric import Acceptance
from netplan.model.rulebook import BOOK
from netplan.records import dataclass

_ALWAYS = frozenset("019")
"""Areas that later stages rely on: loading and schema, identity and references, artifacts."""


_LOADING = "NP0"


def can_be_set_aside(code: str, severity: Severity) -> bool:
    """Not findings of loading, nor errors of other stages, of identity and of artifacts."""
    if severity is not Severity.ERROR:
        return not code.startswith(_LOADING)
    rule = BOOK.get(code)
    never = rule is not None and (rule.kind == "stage" or rule.accepted == "never")
    return not never and code[2] not in _ALWAYS


@dataclass(frozen=True, slots=True)
class Selection:
    """Which findings are reported: codes or prefixes of codes. Without ``select`` all; ``ignore`` wins."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def keeps(self, code: str, severity: Severity) -> bool:
        if not can_be_set_aside(code, severity):
            return True
        return code.startswith(self.select or ("NP",)) and not (self.ignore and code.startswith(self.ignore))


EVERYTHING = Selection()


class Acceptances:
    """The entries of ``accept``, looked up by the findings they cover."""

    def __init__(self, entries: Iterable[Acceptance]) -> None:
        self._at: dict[tuple[str, str], list[Acceptance]] = {}
        for entry in entries:
            self._at.setdefault((entry.check, entry.at), []).append(entry)

    def covering(self, code: str, at: Path) -> list[Acceptance]:
        """An entry covers its entity and everything below it, one at ``.`` the whole inventory. For a rule
        accepted by place it covers that place only."""
        if not self._at:
            return []
        rule = BOOK.get(code)
        if rule is not None and rule.accepted == "place":
            return self._at.get((code, dotted(at)), [])
        places = [".", *(dotted(at[:n]) for n in range(1, len(at) + 1))]
        return [entry for place in places for entry in self._at.get((code, place), ())]
