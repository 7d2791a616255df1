"""Check config_db.json files of SONiC switches, of any origin, against SONiC's models and each other.

``netplan validate --config-db``. Reading order: ``reading.config_db``: ``scan`` (JSON with positions),
``forms`` (tables, a dump of redis, ASICs), ``read`` (which files are one switch), ``switch`` (its tables);
``graph.config_db``: ``chains`` (QoS of a port), ``headroom hardware`` (what a port needs), ``links``;
``rules.config_db``: ``registry`` (how a rule is declared), ``texts references absent values models rows
interfaces`` (what a row holds), ``chain agreement groups queue_buffers buffers lossless pools queues ports``
(QoS of one switch), ``fabric identities links`` (several).

A file may be a switch's full configuration or a part of it. What a part does not state is not judged, since
the switch may have it; comparisons that were skipped are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from netplan.diagnostics import Diagnostic
from netplan.graph.config_db.links import DbTopology
from netplan.model.document import Document, Places, SourceMap
from netplan.reading.config_db.read import switches_of, texts_of
from netplan.reading.config_db.scan import Scanned
from netplan.reading.config_db.switch import DbSwitch, listed
from netplan.records import dataclass
from netplan.rules.config_db.consequences import without_consequences, without_placeholders
from netplan.rules.config_db.registry import RULES, run_rules
from netplan.rules.config_db.texts import File

__all__ = ["RULES", "Judged", "judge", "judge_texts"]


@dataclass(frozen=True, slots=True)
class Judged:
    """``document``: provides source lines only. ``checked``: code -> number of subjects examined.
    ``skipped``: sentences about what was not done."""

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
    """As ``judge``, for texts in memory (file name -> text); never raises."""
    places = Places(SourceMap())
    files, others, switches = switches_of(named, places, mends=True)
    if progress:
        progress(f"checking {len(switches):,} switches")
    together = DbTopology(switches, places.sources)
    subjects = [*(File(file, places) for file in files), *switches, together]
    found, checked = run_rules(subjects, places.sources)

    def again(mended: Sequence[DbSwitch]) -> Sequence[Diagnostic]:
        return run_rules([*mended, DbTopology(mended, places.sources)], places.sources)[0]

    found, unfilled = without_placeholders(without_consequences(found, switches, again))
    document = Document(None, tuple(found), places.sources.names, None, places)
    notes = [
        *_unread(files),
        *_others(others),
        *unfilled,
        *_forms(files),
        *_parts(switches),
        *_of_broadcom(switches),
        *together.uncompared(),
    ]
    names = tuple(switch.name for switch in switches)
    return Judged(tuple(found), document, names, checked, tuple(notes))


def _unread(files: Sequence[Scanned]) -> list[str]:
    names = [file.name for file in files if not isinstance(file.data, dict)]
    return [f"{listed(names)} not checked further: not readable"] if names else []


def _others(names: Sequence[str]) -> list[str]:
    return [f"{listed(names)} skipped: no config_db table in it"] if names else []


def _forms(files: Sequence[Scanned]) -> list[str]:
    """Notes on files that are not a plain object of tables, and how they were interpreted."""
    forms: dict[str, list[str]] = {}
    for file in files:
        if file.note:
            forms.setdefault(file.note, []).append(file.name)
    return [f"{listed(names)}: {note}" for note, names in forms.items()]


def _of_broadcom(switches: Sequence[DbSwitch]) -> list[str]:
    names = [switch.name for switch in switches if switch.of_broadcom]
    why = "tables of Broadcom's Enterprise SONiC, errors about one such switch alone are notes"
    return [f"{listed(names)}: {why}"] if names else []


def _parts(switches: Sequence[DbSwitch]) -> list[str]:
    parts = [switch.name for switch in switches if not switch.whole]
    if not parts:
        return []
    return [f"{listed(parts)}: only part of a config_db, values it does not state were not checked"]
