"""What is told of ports, VLANs and sessions of switches, in one place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from netplan.importing.cabling import Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Remark, Site
from netplan.importing.gateway_owner import gateway_clashes
from netplan.importing.host_ports import host_sessions, without_address
from netplan.importing.hosts import HostKind
from netplan.importing.leaf_interfaces import without_interface
from netplan.importing.lone_vlans import lone_vlans
from netplan.importing.networks import NetworkRow
from netplan.importing.odd_ports import odd_ports
from netplan.importing.pool_interfaces import pool_faults
from netplan.importing.port_settings import disabled_ports, unlike_ends, unwritten_settings
from netplan.importing.prefixes import lone_prefixes, prefix_clashes
from netplan.importing.second_addresses import address_clashes, second_addresses
from netplan.importing.sessions import link_clashes, outside_sessions, session_clashes
from netplan.importing.unlike_mtus import unlike_mtus
from netplan.importing.unlike_tagging import tagged_alone, unlike_tagging


def port_remarks(
    site: Site,
    rows: Sequence[NetworkRow],
    kinds: Sequence[HostKind],
    cards: Sequence[Card],
    cables: Sequence[Cable],
) -> Iterator[Remark]:
    return chain(
        tagged_alone(site, rows, kinds),
        lone_vlans(site, cards, cables),
        disabled_ports(site, cables),
        unwritten_settings(site, cables),
        lone_prefixes(site),
        odd_ports(site, cables),
        host_sessions(site, cables),
        outside_sessions(site),
        second_addresses(site),
    )


def port_doubts(
    site: Site,
    rows: Sequence[NetworkRow],
    kinds: Sequence[HostKind],
    cards: Sequence[Card],
    cables: Sequence[Cable],
) -> Iterator[Contradiction]:
    return chain(
        unlike_tagging(site, rows, kinds),
        unlike_ends(site, cables),
        session_clashes(site, cables),
        link_clashes(site, cables),
        unlike_mtus(site, cables),
        without_interface(site, cards),
        prefix_clashes(site),
        gateway_clashes(site),
        pool_faults(site, rows, cards),
        without_address(site, cards, cables),
        address_clashes(site),
    )
