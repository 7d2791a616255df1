"""Turns all config_db files of a run into facts; files of one switch belong together whatever their names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Diagnostic, Severity
from netplan.importing.facts import Fact, Remark
from netplan.importing.odd_ports import odd_facts
from netplan.importing.sonic.left import left_tables
from netplan.importing.sonic.qos import qos_facts
from netplan.importing.sonic.rewritten import tell_rewritten
from netplan.importing.sonic.switches import SwitchReader, switch_facts
from netplan.importing.unlike_classes import runs_facts
from netplan.importing.unreached import unreached
from netplan.importing.virtual_gateways import shared_in_tables
from netplan.importing.weights import weight_sums
from netplan.model.document import Places
from netplan.reading.config_db.read import switches_of
from netplan.reading.config_db.scan import Problem
from netplan.reading.switches import read_switch

_FILE = "interfaces.json"
"""The file of netplan as which a config_db is read: tables are known by their names."""


def _code(problem: Problem) -> str:
    """The code that validate --config-db uses: a repeated key, or invalid JSON."""
    return "NP871" if problem.repeated else "NP870"


def diagnostics(problems: Iterable[Problem], places: Places) -> Iterator[Diagnostic]:
    for p in problems:
        yield Diagnostic(_code(p), Severity.ERROR, (), p.message, p.hint, places.sources.source(p.offset))


@dataclass(frozen=True, slots=True)
class ReadSwitches:
    """``files``: switch -> its files."""

    facts: tuple[Fact | Remark, ...]
    problems: tuple[Diagnostic, ...]
    files: Mapping[str, tuple[str, ...]]

    @property
    def used(self) -> frozenset[str]:
        return frozenset(name for names in self.files.values() for name in names)


def read_config_db(texts: Mapping[str, str], places: Places) -> ReadSwitches:
    files, _, switches = switches_of(texts, places)
    problems = [p for file in files for p in diagnostics(file.problems, places)]
    said = [fact for s in switches for fact in _facts(SwitchReader(s), texts)]
    of: dict[str, tuple[str, ...]] = {}
    for s in switches:  # two, where files of one switch are whole each
        name = s.hostname or s.name
        of[name] = (*of.get(name, ()), *(f.name for f in s.files))
    return ReadSwitches(tuple(said), tuple(problems), of)


def _facts(read: SwitchReader, texts: Mapping[str, str]) -> Iterator[Fact | Remark]:
    yield from switch_facts(read)
    classes = [*qos_facts(read)]
    yield from (*classes, *weight_sums(classes), *runs_facts(read.of[0], classes))
    yield from unreached(read.of[0], classes, shipped={})
    yield from shared_in_tables(read)
    tell_rewritten(read)
    yield from read.refused
    yield from left_tables(read)
    if len(names := [file.name for file in read.switch.files]) == 1 and names[0] in texts:
        text = texts[names[0]]
        yield from odd_facts(read_switch(read.of[0], "sonic", {_FILE: text}), text, names[0])
