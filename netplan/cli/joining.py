"""``netplan import --into``: compares dumps with an existing inventory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping, Set
from typing import TYPE_CHECKING

from netplan.cli.running import could_not_run, nos_folders_read, tell_findings, tell_summary
from netplan.cli.terminal import Manner, on_terminal, progress, put_lines, tell
from netplan.printable import printable
from netplan.records import dataclass

if TYPE_CHECKING:
    from netplan.changes.drift import Drift
    from netplan.changes.ran import Ran
    from netplan.changes.sides import Side
    from netplan.importing.run import Imported
    from netplan.model.site import SiteFacts
    from netplan.nos import NosLibrary
    from netplan.pipeline import Result

WITH_ERRORS = 2
_STATED = "what the dumps state of hosts, cables, networks and switches matches"
_NOT_RUN = "which has errors; what runs is not compared"


@dataclass(frozen=True, slots=True)
class Against:
    """The inventory, its overlays and NOS folders, as given. ``again``: the import with switches that are not
    left out."""

    name: str
    overlays: tuple[str, ...]
    nos_dir: str | None
    again: Callable[[Collection[str]], Imported]


def joined(imported: Imported, given: Against, output: str, quiet: bool) -> tuple[int, Imported]:
    """Returns 1 if anything differs, 2 if the inventory has errors, and the import with all of its
    switches."""
    from netplan import pipeline
    from netplan.changes.sides import Side
    from netplan.importing.joining.join import join

    with could_not_run(), progress() as stage:
        options = pipeline.Options(nos_dir=given.nos_dir, overlays=given.overlays)
        result = pipeline.run([given.name], options, progress=stage)
    if result.fabric is None or result.document is None:
        _tell_errors(result, given, "nothing compared")
        return WITH_ERRORS, imported
    imported = _with_known(imported, given, {switch.name for switch in result.fabric.switches})
    found = join(imported, result.fabric, result.document, result.plan)
    drift = None
    if result.artifacts:
        side = Side(given.name, {a.path: a.text for a in result.artifacts}, result.document)
        drift = _drift(imported, side, given)
    else:
        _tell_errors(result, given, "not compared with running configurations")
    shown = [printable(line) for line in found.lines()]
    if shown or not quiet:
        name = printable(given.name)
        match = _match(imported, drift, name) if result.artifacts else f"{_STATED} {name}, {_NOT_RUN}"
        put_lines(shown or [match])
    _put_drift(drift, quiet)
    if output != "-":
        _write(found.text, output)
    differs = bool(shown) or (drift is not None and bool(drift.found))
    return int(differs) if result.artifacts else WITH_ERRORS, imported


def _with_known(imported: Imported, given: Against, names: Set[str]) -> Imported:
    """With the fabrics beside that of the rails of which the inventory has a switch."""
    return imported if imported.beside.isdisjoint(names) else given.again(names)


def _match(imported: Imported, drift: Drift | None, name: str) -> str:
    """The first line, where the inventory states what the dumps do."""
    ran = "; what runs is not what it renders" if drift is not None and drift.found else ""
    if imported.conflicts:
        return f"where the dumps agree with each other, they match {name}{ran}"
    if ran:
        return f"{_STATED} {name}{ran}"
    return f"the dumps match {name}"


def _tell_errors(result: Result, given: Against, left: str) -> None:
    manner = Manner("text", False, True, "auto")
    tell_findings(result, manner)
    tell_summary(result, manner, left)
    tell(f"{printable(given.name)} has errors\n")


def _write(text: str, output: str) -> None:
    from netplan.cli.importing import write_new

    if not text:
        tell(f"no new host, switch or cable: {printable(output)} was not written\n")
        return
    write_new(text, output)
    tell(f"wrote {printable(output)}: what is new; validate it together with the inventory\n")


def _drift(imported: Imported, side: Side, given: Against) -> Drift | None:
    """For the inventory's switches whose configuration was read, and for objects; None if there is
    neither."""
    from netplan.changes.compare import facts_of
    from netplan.changes.drift import Drift
    from netplan.model.values import natural
    from netplan.nos import shipped

    library = shipped() if given.nos_dir is None else nos_folders_read(given.nos_dir).library
    with could_not_run(), progress() as stage:
        stage("comparing with running configurations")
        facts = facts_of(side)
        ran, notes = _running(imported)
        found = Drift((), (), tuple(notes))
        for name in sorted(ran.keys() & facts.switches.keys(), key=natural):
            found = found.beside(_switch_drift(side, facts, (name, ran[name]), library))
        objects = {name: imported.texts[name] for name in imported.objects}
        if imported.objects:
            found = found.beside(_objects_drift(side, facts, objects))
    return found if found.compared or found.notes else None


def _switch_drift(side: Side, facts: SiteFacts, one: tuple[str, Ran], library: NosLibrary) -> Drift:
    """A note if its configuration cannot be compared, such as a part of it or a dump of redis: others still
    can."""
    from netplan.changes.drift import Drift, drift
    from netplan.load import InputError

    name, ran = one
    try:
        return drift(side, facts, {name: ran}, library)
    except InputError as error:
        return Drift((), (), (f"{name} not compared with what it runs: {error}",))


def _objects_drift(side: Side, facts: SiteFacts, objects: Mapping[str, str]) -> Drift:
    """A note if they cannot be compared: switches still can."""
    from netplan.changes.drift import Drift
    from netplan.changes.drift_objects import objects_drift
    from netplan.load import InputError

    try:
        return objects_drift(side, facts, objects, "the dumps")
    except InputError as error:
        return Drift((), (), (f"Kubernetes objects not compared: {error}",))


def _running(imported: Imported) -> tuple[dict[str, Ran], list[str]]:
    """Switch -> its configuration; a note for a switch that is in several files."""
    from netplan.changes.ran import Ran

    ran: dict[str, Ran] = {}
    notes: list[str] = []
    for name, files in imported.configs.items():
        if len(files) == 1:
            ran[name] = Ran(files[0], imported.texts[files[0]])
        else:
            notes.append(f"{name} not compared with its running configuration: it is in {', '.join(files)}")
    return ran, notes


def _put_drift(drift: Drift | None, quiet: bool) -> None:
    from netplan.changes import show

    if drift is None or (quiet and not drift.found):
        return
    put_lines(show.drift_lines(drift, on_terminal(sys.stdout)))
