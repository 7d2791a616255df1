"""What an import says beside the inventory: sources that disagree, and what was not taken."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.added_settings import added_settings
from netplan.importing.bonds import bond_remarks, bonds_of, strange_masters
from netplan.importing.cable_lengths import other_headroom, short_headroom
from netplan.importing.cards import bare_nodes, idle_resources
from netplan.importing.contradictions import folded_conflicts
from netplan.importing.crossed import Crossed, without
from netplan.importing.facts import Conflict, Contradiction, Remark, Site
from netplan.importing.firmware import unlike_firmware
from netplan.importing.folded import Folded
from netplan.importing.front_ends import front_end_remarks
from netplan.importing.host_addresses import stray_addresses
from netplan.importing.images import other_releases
from netplan.importing.leaf_networks import NoVlan, without_vlan
from netplan.importing.left_components import left_components
from netplan.importing.lost_resources import lost_resources
from netplan.importing.machines_page import lost_shares
from netplan.importing.misplaced import misplaced_addresses
from netplan.importing.mtu_page import other_mtus
from netplan.importing.old_dumps import other_policies, other_vfs, stale_states
from netplan.importing.other_vlans import other_port_mtus, other_vlans
from netplan.importing.outsiders import outsider_remarks
from netplan.importing.overlaps import pool_overlaps
from netplan.importing.pools_page import pool_remarks
from netplan.importing.port_clashes import port_clashes
from netplan.importing.port_words import port_doubts, port_remarks
from netplan.importing.qos_page import other_best_effort, other_points, switches_beside, unlike_switches
from netplan.importing.rail_links import lost_prefixes, other_ranges
from netplan.importing.rail_page import lone_subnets, rail_networks
from netplan.importing.record_clashes import record_clashes
from netplan.importing.resource_prefixes import other_prefixes
from netplan.importing.routed_links import lone_ends
from netplan.importing.shipped_watchdog import unlike_times
from netplan.importing.sideways import sideways_remarks
from netplan.importing.splits import Splits, other_splits, split_clashes
from netplan.importing.stated_dscps import lost_points
from netplan.importing.twice import addresses_twice
from netplan.importing.underlay_page import without_uplinks
from netplan.importing.unlike_rails import unlike_rails
from netplan.importing.vlans import VlanClash, vlan_clashes

Doubt = Conflict | Crossed | Contradiction | NoVlan | VlanClash


def remarks_of(site: Site, folded: Folded) -> Iterator[Remark]:
    """What the inventory does not have of the files, by what is said of it."""
    yield from pool_remarks(site, folded.rows, folded.links is not None)
    bonds = {of for of, *_ in bonds_of(site, folded.cards)}
    yield from idle_resources(site, folded.cards, bonds)
    yield from lost_resources(site, folded.rows, folded.cards, bonds)
    yield from bond_remarks(site, folded.cards)
    yield from strange_masters(site, folded.cards)
    yield from bare_nodes(site, folded.cards, folded.strange)
    yield from other_prefixes(site, folded.cards)
    yield from lost_shares(site, folded.rows, folded.cards)
    yield from other_vfs(site, folded.cards)
    yield from unlike_firmware(folded.cards)
    yield from left_components(site, folded.rows, folded.cards)
    yield from added_settings(site, () if folded.beyond else folded.rows)
    yield from other_ranges(folded.links, folded.cards)
    yield from lost_prefixes(site, folded.links, folded.cables)
    seen = rail_networks(site, folded)
    yield from stray_addresses(site, folded.cards, seen)
    yield from without_uplinks(site, folded.switches, folded.cables)
    yield from lone_ends(site, folded.cables)
    yield from other_headroom(site)
    yield from other_vlans(site, folded.cards, folded.links is not None)
    yield from other_port_mtus(site, folded.switches, folded.cables)
    yield from port_remarks(site, folded.rows, folded.kinds, folded.cards, folded.cables)
    yield from sideways_remarks(folded.sideways, folded.switches)
    yield from front_end_remarks(folded.front_end)
    yield from outsider_remarks(folded.outside, folded.outward)
    yield from other_best_effort(site)
    yield from switches_beside(site, folded.switches, folded.on_rails)
    yield from lost_points(site)
    yield from lone_subnets(site, folded)
    yield from other_splits(Splits(site, folded.switches, folded.cables))
    if not folded.beyond:
        yield from other_mtus(site, folded.cards, folded.rows)


def doubts(site: Site, folded: Folded) -> Iterator[Doubt]:
    cards = without(folded.cards, folded.crossed)
    yield from folded_conflicts(site)
    yield from folded.crossed
    yield from without_vlan(site, cards)
    yield from vlan_clashes(site, folded.rows, cards)
    yield from other_policies(site, folded.cards)
    yield from stale_states(site, folded.cards)
    yield from port_clashes(site, folded.cards, folded.cables)
    yield from split_clashes(site, Splits(site, folded.switches, folded.cables), folded.cards)
    yield from short_headroom(site)
    yield from port_doubts(site, folded.rows, folded.kinds, cards, folded.cables)
    yield from pool_overlaps(site, folded.rows)
    yield from addresses_twice(site, folded.cards)
    yield from misplaced_addresses(folded.cards)
    yield from unlike_rails(folded.cards)
    yield from other_releases(site)
    yield from other_points(site)
    yield from unlike_switches(site, folded.switches, folded.on_rails)
    yield from unlike_times(site)
    yield from record_clashes(site, folded.switches, folded.cables)
