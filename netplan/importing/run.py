"""One run: from texts to facts to the inventory's text."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from netplan.diagnostics import Diagnostic
from netplan.importing.fabrics_beside import (
    beside_remarks,
    fabrics_beside,
    files_of,
    without_switches,
)
from netplan.importing.facts import Remark, Site
from netplan.importing.facts import folded as folded_remarks
from netplan.importing.folded import Folded, cabled, folded_site, seated
from netplan.importing.gather import Gathered, gather
from netplan.importing.network_names import renamed_networks
from netplan.importing.other_switches import strangers
from netplan.importing.page import head_of, page, sections
from netplan.importing.rdma_mode import rdma_conflicts
from netplan.importing.remarked import Doubt, doubts, remarks_of
from netplan.importing.spelling import spelling_notes
from netplan.importing.switches import model_conflicts
from netplan.importing.text import TODO
from netplan.importing.uncabled import uncabled
from netplan.importing.workloads_page import name_remarks
from netplan.model.document import Places, SourceMap


@dataclass(frozen=True, slots=True)
class Imported:
    """``text``: the inventory, from ``site`` and ``folded``. ``notes``: how names were joined. ``beside``:
    switches of other fabrics, of which it has nothing.

    ``clusters``: why the dumps are not of one cluster, so that the inventory is of none; empty if they are.
    ``broken``: why files were not read; ``unread``: files without anything of use. ``objects``: files of
    Kubernetes objects; ``configs``: switch -> files of its running configuration; ``texts``: of the files, as
    they were read."""

    text: str
    site: Site
    folded: Folded
    beside: frozenset[str]
    conflicts: tuple[Doubt, ...]
    notes: tuple[str, ...]
    remarks: tuple[Remark, ...]
    problems: tuple[Diagnostic, ...]
    clusters: str
    broken: tuple[str, ...]
    unread: tuple[str, ...]
    objects: tuple[str, ...]
    configs: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    hosts: int
    host_types: int
    empty: bool
    sources: SourceMap

    @property
    def todos(self) -> int:
        return sum(f"{TODO}:" in text for text in self.text.splitlines() if not text.startswith("#"))


@dataclass(frozen=True, slots=True)
class _Read:
    gathered: Gathered
    folded: Folded
    beside: frozenset[str]
    sources: SourceMap


def _read(texts: Mapping[str, str], kept: Collection[str]) -> _Read:
    gathered, places = _gathered(texts)
    seats = seated(gathered.site, *cabled(gathered, places))
    folded = folded_site(gathered.site, seats)
    beside = fabrics_beside(gathered.site, folded, kept)
    if not beside:
        return _Read(gathered, folded, beside, places.sources)
    left = files_of(gathered, beside)
    again, places = _gathered({file: text for file, text in texts.items() if file not in left})
    cabled(again, places)
    again.site = without_switches(again.site, beside)
    again.idle += left
    again.broken = gathered.broken
    again.remarks += beside_remarks(gathered.site, beside)
    return _Read(again, folded_site(again.site, seats), beside, places.sources)


def _gathered(texts: Mapping[str, str]) -> tuple[Gathered, Places]:
    places = Places(SourceMap())
    gathered = gather(texts, places)
    gathered.site.note([*rdma_conflicts(gathered.site), *model_conflicts(gathered.site)])
    return gathered, places


def import_texts(
    texts: Mapping[str, str],
    name: str = "",
    broken: tuple[str, ...] = (),
    skipped: tuple[str, ...] = (),
    kept: Collection[str] = (),
) -> Imported:
    """``name``: of the site; ``broken``: why other files were not read; ``skipped``: files of no known kind;
    ``kept``: switches that are not left out with a fabric beside that of the rails. Never raises because of a
    text's content."""
    read = _read(texts, kept)
    gathered, folded = read.gathered, read.folded
    gathered.notes[:0] = skipped
    broken = (*broken, *gathered.broken)
    gathered.remarks += remarks_of(gathered.site, folded)
    single = sections(gathered.site, folded)
    if not folded.beyond:
        gathered.remarks += renamed_networks(folded.rows, folded.cards, folded.cables, single["rails"])
        gathered.remarks += name_remarks(folded.workloads)
    missing = uncabled(folded.cards, folded.cables)
    gathered.notes += [str(missing)] if missing is not None else []
    gathered.notes += strangers(gathered.site, folded.cables)
    gathered.notes += spelling_notes(gathered.spelled, gathered.site)
    conflicts = tuple(doubts(gathered.site, folded))
    return Imported(
        text=page(gathered.site, folded, single, name, head_of(folded, gathered, single, conflicts, broken)),
        site=gathered.site,
        folded=folded,
        beside=read.beside,
        conflicts=conflicts,
        notes=tuple(gathered.notes),
        remarks=folded_remarks(gathered.remarks),
        problems=tuple(gathered.problems),
        clusters=gathered.clusters,
        broken=broken,
        unread=gathered.unread(texts, broken),
        objects=tuple(gathered.objects),
        configs=gathered.configs,
        texts=gathered.texts,
        hosts=sum(len(kind.nodes) for kind in folded.kinds),
        host_types=len(folded.kinds),
        empty=gathered.site.empty,
        sources=read.sources,
    )
