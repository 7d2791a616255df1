"""One run: from texts to facts to the inventory's text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from netplan.diagnostics import Diagnostic
from netplan.importing.facts import Remark, Site
from netplan.importing.facts import folded as folded_remarks
from netplan.importing.folded import Folded, joined
from netplan.importing.gather import gather
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
    """``text``: the inventory, from ``site`` and ``folded``. ``notes``: how names were joined.

    ``clusters``: why the dumps are not of one cluster, so that the inventory is of none; empty if they are.
    ``broken``: why files were not read; ``unread``: files without anything of use. ``objects``: files of
    Kubernetes objects; ``configs``: switch -> files of its running configuration; ``texts``: of the files, as
    they were read."""

    text: str
    site: Site
    folded: Folded
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


def import_texts(
    texts: Mapping[str, str], name: str = "", broken: tuple[str, ...] = (), skipped: tuple[str, ...] = ()
) -> Imported:
    """``name``: of the site; ``broken``: why other files were not read; ``skipped``: files of no known kind.
    Never raises because of a text's content."""
    places = Places(SourceMap())
    gathered = gather(texts, places)
    gathered.notes += skipped
    broken = (*broken, *gathered.broken)
    gathered.site.note([*rdma_conflicts(gathered.site), *model_conflicts(gathered.site)])
    folded = joined(gathered, places)
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
        sources=places.sources,
    )
