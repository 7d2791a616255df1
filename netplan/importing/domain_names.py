"""Names of hosts and switches in records, tables of cables and files of hosts: with a domain that other files
lack, or without theirs, also in other letters (upper and lower case)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from netplan.model.values import natural
from netplan.report import few

_SHOWN = 4


class DomainNames:
    """``known``: names that other files have. Of two domains with one name, none is meant."""

    def __init__(self, known: Iterable[str]) -> None:
        self._full = {*known}
        self._short: dict[str, set[str]] = {}
        for name in self._full:
            self._short.setdefault(_short(name), set()).add(name)

    def of(self, written: str) -> str:
        """The name of other files that is this one, if exactly one of both has a domain; else as written."""
        alike = self._short.get(_short(written), set())
        if written in self._full or len(alike) != 1:
            return written
        (known,) = alike
        return known if ("." in written) != ("." in known) else written

    def joined(self, written: Iterable[str]) -> dict[str, str]:
        """Name -> that of other files, where it is another one. Of two that would be one, none is joined."""
        names = {name: self.of(name) for name in written if name}
        holders = Counter(names.values())
        return {name: known for name, known in names.items() if known != name and holders[known] == 1}


def domain_notes(called: Mapping[str, str]) -> Iterator[str]:
    if called:
        shown = [f"{name} is {called[name]}" for name in sorted(called, key=natural)]
        yield f"names that have a domain in the record or in the other files alone: {few(shown, _SHOWN)}"


def _short(name: str) -> str:
    return name.partition(".")[0].lower()
