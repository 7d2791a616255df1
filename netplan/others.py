"""Check files netplan did not write, alone or together with an inventory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from netplan.model.acceptance import EVERYTHING, Selection
from netplan.model.document import Document, Places, SourceMap
from netplan.model.plan import Plan
from netplan.result import Result, place

if TYPE_CHECKING:
    from netplan.config_db import Judged
    from netplan.rendered import Checked


def check_config_db(
    inputs: Sequence[str],
    *,
    selection: Selection = EVERYTHING,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Check config_db files of SONiC switches, of any origin. Raises load.InputError."""
    from netplan import config_db

    return _result_of(config_db.judge(inputs, progress), selection)


def run_rendered(
    given: str,
    crds: str | None = None,
    *,
    site: Result | None = None,
    selection: Selection = EVERYTHING,
    progress: Callable[[str], None] | None = None,
) -> Result:
    """Check Kubernetes YAML of any origin: a directory, or ``-`` for standard input.

    ``site``: result for an inventory; pods are compared with its workloads, and its findings are reported
    too. Raises load.InputError.
    """
    from netplan import rendered

    if progress is not None:
        progress("reading Kubernetes objects")
    found = _result_of(rendered.check_input(given, crds, _sound_plan(site)), selection)
    return found if site is None else _together(site, found)


def rendered_texts(
    texts: Mapping[str, str], crds: Mapping[str, str] | None = None, *, site: Result | None = None
) -> Result:
    """As ``run_rendered``, for texts in memory (file name -> text)."""
    from netplan import rendered

    found = _result_of(rendered.check_texts(texts, crds, plan=_sound_plan(site)), EVERYTHING)
    return found if site is None else _together(site, found)


def _sound_plan(site: Result | None) -> Plan | None:
    """The plan to compare pods with; None if the inventory has errors."""
    return None if site is None or not site.artifacts else site.plan


def _together(site: Result, objects: Result) -> Result:
    """Combine the results for an inventory and for foreign objects into one."""
    documents = [d for d in (site.document, objects.document) if d is not None]
    sources = SourceMap.joined([d.places.sources for d in documents])
    undone = () if site.artifacts else ("pods were not compared with the workloads",)
    return replace(
        site,
        diagnostics=tuple(sorted(dict.fromkeys((*site.diagnostics, *objects.diagnostics)), key=place)),
        document=Document(None, (), sources.names, None, Places(sources)),
        checked=dict(sorted({**site.checked, **objects.checked}.items())),
        not_applicable=tuple(sorted((*site.not_applicable, *objects.not_applicable))),
        left_out=(*site.left_out, *objects.left_out),
        skipped=(*site.skipped, *undone, *objects.skipped),
    )


def _result_of(found: Checked | Judged, selection: Selection) -> Result:
    ordered = sorted(dict.fromkeys(found.diagnostics), key=place)
    kept = tuple(d for d in ordered if selection.keeps(d.code, d.severity))
    return Result(
        diagnostics=kept,
        document=found.document,
        checked=dict(sorted(found.checked.items())),
        not_applicable=tuple(sorted(code for code, n in found.checked.items() if not n)),
        left_out=tuple(d for d in ordered if not selection.keeps(d.code, d.severity)),
        skipped=found.skipped,
    )
