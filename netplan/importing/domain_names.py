"""Names of hosts and switches in tables of cables and files of hosts: with a domain that other files lack, or
without theirs, also in other letters (upper and lower case)."""

from __future__ import annotations

from collections.abc import Iterable


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


def _short(name: str) -> str:
    return name.partition(".")[0].lower()
