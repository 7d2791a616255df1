"""A running CONFIG_DB with the planned files loaded over it, judged as `validate --config-db` does."""

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
"""Files of one folder are those of the one switch in it that has a name: a dump of some tables has none."""


@dataclass(frozen=True, slots=True)
class MadeWrong:
    """``file``: the planned one, empty for what runs; ``line`` is 0 where the finding has no place."""

    text: str
    file: str
    line: int


def made_wrong(running: str, cleared: str, planned: Mapping[str, str]) -> Iterator[MadeWrong]:
    """What is wrong with both together and not with ``running`` alone, nor gone where it is ``cleared``: what
    runs without what is in the way, empty where nothing is."""
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
    """Without lines: they are others in what is ``cleared``."""
    return found.code, _LINES.sub("", found.message)


def _judged(texts: Mapping[str, str]) -> list[Diagnostic]:
    found = judge_texts({f"{_FOLDER}{name}": text for name, text in texts.items()}).diagnostics
    return [each for each in found if each.severity >= Severity.WARNING]
