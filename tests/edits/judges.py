"""What each command reports about a tree, as sentences, so that an edit's new ones can be told apart.

A judge caches its result for the same files, and ``trace`` what it read from files that no edit changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from netplan.config_db import judge_texts
from netplan.diagnostics import Diagnostic, Severity
from netplan.model.artifact import Artifact
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteSwitch
from netplan.rendered import check_texts
from netplan.trace import Tabulator, TracedSite, TraceError

Texts = Mapping[str, str]
Said = frozenset[str]
_LINE = re.compile(r"(?<=[a-z]):\d+\b|(?<=: )line \d+ (?=is not read)")
_OF_OBJECTS = ("objects", "cluster", "unapplied", "allocations", "_pods", "workloads")
"""Attributes of a site that depend only on its objects and pods."""


class _Site(TracedSite):
    def read_switch(self, switch: SiteSwitch, texts: Texts) -> ReadSwitch:
        key = (switch, frozenset(texts.items()))
        if key not in _SWITCHES:
            _SWITCHES[key] = super().read_switch(switch, texts)
        return _SWITCHES[key]


_SWITCHES: dict[tuple[SiteSwitch, frozenset[tuple[str, str]]], ReadSwitch] = {}
_OBJECTS: dict[frozenset[tuple[str, str]], Mapping[str, Any]] = {}


def site_of(texts: Texts) -> TracedSite:
    site = _Site([Artifact(path=p, text=t, kind=p.partition("/")[0]) for p, t in texts.items()])
    objects = _below(texts, ("kubernetes/", "pods/"))
    if objects not in _OBJECTS:
        _forget()
        _OBJECTS[objects] = {name: getattr(site, name) for name in _OF_OBJECTS}
    vars(site).update(_OBJECTS[objects])
    return site


def _forget() -> None:
    """Clear the caches: of thousands of edits, hardly two have the same files."""
    for memory in (_OBJECTS, _SWITCHES):
        if len(memory) > 50:
            memory.clear()


def _below(
    texts: Texts, starts: tuple[str, ...], ends: tuple[str, ...] = ("",)
) -> frozenset[tuple[str, str]]:
    return frozenset((p, t) for p, t in texts.items() if p.startswith(starts) and p.endswith(ends))


def trace(texts: Texts) -> Said:
    """Verdicts that count, faults and notes of every rail to every rail."""
    return _traced(frozenset(texts.items()))


@lru_cache(maxsize=16)
def _traced(texts: frozenset[tuple[str, str]]) -> Said:
    _forget()
    try:
        site = site_of(dict(texts))
        tabulator = Tabulator(site)
        found = set()
        for workload in site.workloads.values():
            matrix = tabulator.matrix(workload)
            found.add(f"{workload.name}: {matrix.verdict.name} {matrix.missing}")
            for cell in matrix.cells:
                if cell.decides and cell.meant:
                    found |= {fault.text for fault in cell.faults} | set(cell.notes)
        return frozenset(found)
    except TraceError as error:
        return frozenset({str(error)})


def rendered(texts: Texts) -> Said:
    return _objects(_below(texts, ("kubernetes/", "pods/"), (".yaml",)))


@lru_cache(maxsize=16)
def _objects(texts: frozenset[tuple[str, str]]) -> Said:
    return _said(check_texts(dict(sorted(texts))).diagnostics)


def config_db(texts: Texts) -> Said:
    return _rows(_below(texts, ("switches/",), (".json",)))


@lru_cache(maxsize=16)
def _rows(texts: frozenset[tuple[str, str]]) -> Said:
    return _said(judge_texts(dict(sorted(texts))).diagnostics)


def _said(found: tuple[Diagnostic, ...]) -> Said:
    return frozenset(f"{d.code} {d.message}" for d in found if d.severity >= Severity.WARNING)


JUDGES: Mapping[str, Callable[[Texts], Said]] = {"trace": trace, "rendered": rendered, "config-db": config_db}


def placeless(said: Said) -> Said:
    """The sentences without line numbers: a removed line moves those below it, which is not a detection."""
    return frozenset(_LINE.sub("", text) for text in said)
