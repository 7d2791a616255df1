"""config_db.json files of SONiC switches, whoever wrote them, held against SONiC's models and each other.

Reading order: ``scan`` (JSON with positions), ``read`` (which files are one switch), ``switch`` (its tables),
``rules`` (how a rule is declared), ``texts references values rows`` (shape), ``chains chain buffers
lossless pools queues ports`` (QoS of one switch), ``links fabric`` (several switches).

A file may be all of a switch's configuration or a part of it. What a part does not state is not judged, since
the switch may have it; what was not compared is said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from netplan.diagnostics import Diagnostic
from netplan.model.document import Document, Places, SourceMap
from netplan.sonicdb import (  # noqa: F401  importing a module registers its rules
    buffers,
    chain,
    fabric,
    lossless,
    pools,
    ports,
    queues,
    references,
    rows,
    texts,
    values,
)
from netplan.sonicdb.links import Fabric
from netplan.sonicdb.read import switches_of, texts_of
from netplan.sonicdb.rules import RULES, run_rules
from netplan.sonicdb.scan import Scanned
from netplan.sonicdb.switch import Switch, listed
from netplan.sonicdb.texts import File

__all__ = ["RULES", "Judged", "judge", "judge_texts"]


@dataclass(frozen=True, slots=True)
class Judged:
    """``document``: for the lines of the files only. ``checked``: things looked at, by code. ``skipped``:
    what was not done."""

    diagnostics: tuple[Diagnostic, ...]
    document: Document
    switches: tuple[str, ...]
    checked: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[str, ...] = ()


def judge(inputs: Sequence[str], progress: Callable[[str], None] | None = None) -> Judged:
    """Check the config_db files ``inputs`` (files, folders of ``*.json``, ``-``). Raises load.InputError."""
    if progress:
        progress("reading config_db files")
    return judge_texts(texts_of(inputs), progress)


def judge_texts(named: Mapping[str, str], progress: Callable[[str], None] | None = None) -> Judged:
    """The same on texts in memory: file name -> text; never raises."""
    places = Places(SourceMap())
    files, others, switches = switches_of(named, places)
    if progress:
        progress(f"checking {len(switches):,} switches")
    together = Fabric(switches, places.sources)
    subjects = [*(File(file, places) for file in files), *switches, together]
    found, checked = run_rules(subjects, places.sources)
    document = Document(None, tuple(found), places.sources.names, None, places)
    notes = [*_unread(files), *_others(others), *_parts(switches), *together.uncompared()]
    names = tuple(switch.name for switch in switches)
    return Judged(tuple(found), document, names, checked, tuple(notes))


def _unread(files: Sequence[Scanned]) -> list[str]:
    names = [file.name for file in files if not isinstance(file.data, dict)]
    return [f"{listed(names)} not checked further: not readable"] if names else []


def _others(names: Sequence[str]) -> list[str]:
    return [f"{listed(names)} left out: no table of a config_db in it"] if names else []


def _parts(switches: Sequence[Switch]) -> list[str]:
    parts = [switch.name for switch in switches if not switch.whole]
    if not parts:
        return []
    return [f"{listed(parts)}: only part of a config_db, what it leaves to the switch was not judged"]
