"""The text of an inventory, from what was joined."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from netplan.importing.cluster_page import cluster_section
from netplan.importing.fabric_page import cross_rail, fabric_section, network_lines
from netplan.importing.facts import Site
from netplan.importing.facts import folded as folded_remarks
from netplan.importing.folded import Folded
from netplan.importing.gather import Gathered
from netplan.importing.hosts_page import host_lines, host_type_lines
from netplan.importing.leaf_labels import leaf_labels
from netplan.importing.links_page import hca_names, link_lines
from netplan.importing.rail_page import host_ids, rail_section
from netplan.importing.remarked import Doubt
from netplan.importing.shared_ports import shared_lines
from netplan.importing.subnets_page import subnet_lines
from netplan.importing.switch_ages import unseen_ages
from netplan.importing.switch_page import switch_lines, switch_type_lines
from netplan.importing.text import TODO, Entry, Section, block, comment, line, listed, todo
from netplan.importing.uncabled import uncabled, uncabled_lines
from netplan.importing.underlay_page import underlay_section
from netplan.importing.workloads_page import workload_lines

SCHEMA = "# yaml-language-server: $schema=inventory.schema.json"
_SHOWN = 12


def sections(site: Site, folded: Folded) -> Mapping[str, Section]:
    """The single-instance sections of the inventory."""
    cards, rows, switches, cables = folded.cards, folded.rows, folded.switches, folded.cables
    rails = rail_section(site, folded)
    if folded.beyond:  # the rails of one fabric are none of the other
        rails = {"count": rails["count"]}
    return {
        "cluster": cluster_section(site, cards, rows),
        "fabric": {**fabric_section(site, folded), **cross_rail(rails)},
        "underlay": underlay_section(site, switches, cables, folded.on_rails),
        "rails": rails,
    }


def page(site: Site, folded: Folded, single: Mapping[str, Section], name: str, head: list[str]) -> str:
    rows, kinds = folded.rows, folded.kinds
    of_leaf = "segment" not in single["rails"]
    labels = leaf_labels(site, folded.cards, folded.cables, rows) if of_leaf else {}
    segment, ids = single["rails"].get("segment"), host_ids(folded.cards, folded.links)
    of_hosts = isinstance(segment, Entry) and segment.value == "host"
    named = Entry(name) if name else todo("name of the site", "lower-case letters, digits and hyphens")
    parts = [
        ["version: 1", line(0, "site", named)],
        *(block(0, key, section) for key, section in single.items()),
        [] if folded.beyond else subnet_lines(site, rows, folded.cards),
        host_type_lines(site, kinds, folded.strange),
        host_lines(site, kinds, labels, ids),
        switch_type_lines(site, folded.switches, of_hosts, folded.cables),
        switch_lines(site, folded.switches, folded.cables, folded.hostless),
        _links(site, folded),
        [] if folded.beyond else _networks(site, folded),
        [] if folded.beyond else workload_lines(folded.workloads),
    ]
    body = "\n\n".join("\n".join(lines) for lines in parts if lines)
    return "\n".join(head) + "\n" + body + "\n"


def _networks(site: Site, folded: Folded) -> list[str]:
    at_work = {name for row in folded.workloads for name in row.networks}
    return network_lines(site, folded.rows, folded.kinds, folded.cards, folded.crossed, at_work)


def _links(site: Site, folded: Folded) -> list[str]:
    names = hca_names(folded.kinds)
    lines = link_lines(site, folded.cables, names, folded.switches)
    lines += shared_lines(site, folded.cables, names)
    missing = uncabled(folded.cards, folded.cables)
    return [*lines, *uncabled_lines(missing, names)] if missing is not None else lines


def head_of(
    folded: Folded,
    gathered: Gathered,
    single: Mapping[str, Section],
    conflicts: Iterable[Doubt],
    broken: Iterable[str],
) -> list[str]:
    site = gathered.site
    lines = [
        "Written by netplan import. The comment behind a value names its source, file:line. A value that no",
        f"file states is {TODO}; netplan validate reports each: fill it in, or remove an optional key.",
        f"Read: {listed(gathered.useful)}.",
    ]
    used = {card.node for card in folded.cards}
    left = [of[0] for of in site.every("node") if of[0] not in used]
    if left:
        lines.append(f"Nodes without an HCA of the catalog, left out: {listed(left)}.")
    if folded.switches and "qos" in single["fabric"] and "arp" not in single["fabric"]:
        lines.append(unseen_ages(folded.switches))
    told = [f"Not read: {each}" for each in broken]
    told += [f"Two fabrics: {folded.beyond}"] if folded.beyond else []
    told += [f"Sources disagree: {conflict}" for conflict in conflicts]
    told += gathered.notes
    told += [f"Not taken: {remark}" for remark in folded_remarks(gathered.remarks)]
    if len(told) > _SHOWN:
        told = [*told[:_SHOWN], f"And {len(told) - _SHOWN} more; netplan import prints them all."]
    return [SCHEMA, "#", *(comment(text).strip() for text in (*lines, *told))]
