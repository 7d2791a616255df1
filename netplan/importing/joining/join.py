"""One run of ``import --into``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from netplan.importing.cards import bare_names
from netplan.importing.joining.additions import additions, bare_changes, new_hosts, new_names
from netplan.importing.joining.aliases import as_known
from netplan.importing.joining.cables import cable_changes, switch_changes
from netplan.importing.joining.drivers import driver_changes
from netplan.importing.joining.host_addresses import address_changes
from netplan.importing.joining.hosts import host_changes
from netplan.importing.joining.known import Change, Known, Word
from netplan.importing.joining.mtus import mtu_changes
from netplan.importing.joining.networks import network_changes, node_changes
from netplan.importing.joining.ports import port_changes
from netplan.importing.joining.renamed import renamed_switches, with_names
from netplan.importing.joining.sections import section_changes
from netplan.importing.joining.splits import split_changes
from netplan.importing.joining.workloads import new_workloads, stated_workloads, workload_changes
from netplan.importing.page import sections
from netplan.importing.run import Imported
from netplan.model.document import Document
from netplan.model.fabric import Fabric
from netplan.model.plan import Plan

HEADS: dict[Word, str] = {
    "new": "New: not in the inventory",
    "differs": "Differs: the inventory says one thing, a dump another",
    "gone": "Not shown: in the inventory, in no dump",
}


@dataclass(frozen=True, slots=True)
class Joined:
    """``text``: an inventory file with what is new, empty if nothing is."""

    changes: tuple[Change, ...]
    text: str

    def lines(self) -> Iterator[str]:
        for word, head in HEADS.items():
            mine = [change for change in self.changes if change.word == word]
            if mine:
                yield head
                yield from (f"  {change}" for change in mine)


def join(imported: Imported, fabric: Fabric, document: Document, plan: Plan | None) -> Joined:
    """``fabric``: resolved from ``document``, without errors. ``plan``: None if it cannot be made."""
    site, folded, known = imported.site, imported.folded, Known(fabric, document)
    hosts = new_hosts(known, site, folded.cards)
    names = new_names(known, hosts, folded.cards)
    other = renamed_switches(known, site, folded.switches)
    every = [*folded.cables, *(cable for cable in folded.front_end if cable.switch in known.switches)]
    every += (cable for cable in folded.outward if {cable.switch, cable.far[0]} <= known.switches.keys())
    whole = [cable for cable in every if not cable.shared]
    cables = with_names(as_known(known, site, whole, names), other)
    own = [row for row in folded.switches if row.name not in other]
    single = sections(site, folded)
    workloads = stated_workloads(known, site, folded, plan) if plan is not None else []
    changes = [
        *hosts.changes(known, site),
        *bare_changes(known, site, bare_names(site, folded.cards, folded.strange)),
        *host_changes(known, site, folded.cards),
        *switch_changes(known, site, folded.switches, other),
        *cable_changes(known, site, cables, names),
        *section_changes(known, single),
        *driver_changes(known, site),
        *mtu_changes(known, folded.cards, folded.rows, single["fabric"]),
        *node_changes(known, site),
        *(network_changes(known, site, folded.rows, plan, imported.objects) if plan is not None else ()),
        *workload_changes(known, workloads),
        *(address_changes(known, site, folded.cards, plan) if plan is not None else ()),
        *(split_changes(site, plan, other) if plan is not None else ()),
        *(port_changes(site, plan, imported.configs, other) if plan is not None else ()),
    ]
    return Joined(
        tuple(changes), additions(known, site, folded.cards, cables, own, new_workloads(known, workloads))
    )
