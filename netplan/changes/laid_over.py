"""A running CONFIG_DB with the planned files loaded over it, checked like `validate --config-db` does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from netplan.config_db import judge_texts
from netplan.diagnostics import Diagnostic, Severity

_LINES = re.compile(r"(?<=\.json):\d+(:\d+)?")
_RUNNING = "00-running.json"
_FOLDER = "switch/"
_NAMED = '{"DEVICE_METADATA": {"localhost": {"hostname": "switch"}}}'
"""Names the switch: files in a folder belong to its one named switch, and a dump of a few tables has no
name."""


@dataclass(frozen=True, slots=True)
class MadeWrong:
    """``file``: the planned file, empty for the running configuration; ``line`` is 0 if the finding has no
    place."""

    text: str
    file: str
    line: int


def made_wrong(running: str, cleared: str, planned: Mapping[str, str]) -> Iterator[MadeWrong]:
    """Findings of both together that ``running`` alone does not have and that ``cleared`` does not remove.
    ``cleared``: the running configuration without what is in the way; empty if nothing is."""
    name = {} if '"hostname"' in running else {"name.json": _NAMED}
    own = {_RUNNING: running, **name}
    together = _judged(own | dict(planned))
    left = _judged({_RUNNING: cleared, **name, **planned}) if cleared else together
    wrong = set(map(_said, left)) - set(map(_said, _judged(own)))
    for each in together:
        if _said(each) in wrong:
            file = each.source.file.removeprefix(_FOLDER) if each.source else _RUNNING
            text = f"{each.severity.name.lower()} {each.code}: {each.message}"
            yield MadeWrong(text, "" if file == _RUNNING else file, each.source.line if each.source else 0)


def _said(found: Diagnostic) -> tuple[str, str]:
    """Code and text without line numbers, which differ in ``cleared``."""
    return found.code, _LINES.sub("", found.message)


def _judged(texts: Mapping[str, str]) -> list[Diagnostic]:
    found = judge_texts({f"{_FOLDER}{name}": text for name, text in texts.items()}).diagnostics
    return [each for each in found if each.severity >= Severity.WARNING]
