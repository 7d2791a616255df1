"""Addresses that hosts have, and that pools of the inventory would give to pods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from netaddr import IPNetwork

from netplan.importing.cards import Card
from netplan.importing.facts import Site, place
from netplan.importing.host_addresses import HostAddress, host_addresses
from netplan.importing.joining.known import Change, Known
from netplan.model.addresses import Segment, SegmentSubnet
from netplan.model.plan import Plan


def address_changes(known: Known, site: Site, cards: Iterable[Card], plan: Plan) -> Iterator[Change]:
    """Those of one subnet are one change."""
    found: dict[str, list[HostAddress]] = {}
    subnets = [*_given_out(plan)]
    for each in host_addresses(site, cards):
        for segment, subnet in subnets:
            if each.ip == subnet.gateway or each.ip not in subnet.network:
                continue  # no pool gives out a gateway: that two have it is told elsewhere
            if not plan.addresses.taken.within(IPNetwork(each.ip)):
                found.setdefault(segment.name, []).append(each)
    rails = {segment.name: segment.rail for segment, _ in subnets}
    for name, own in found.items():
        more = f" and {len(own) - 1:,} more" if len(own) > 1 else ""
        where = ("rails", "reserved") if rails[name] is not None else ("subnets", name, "exclude")
        what = f"may give out {own[0].ip} of {own[0].owner} ({place(own[0].said.at)}){more}"
        yield Change(
            "differs", f"pool of {name}", f"{what}; {'.'.join(where)} ({known.at(where)}) does not list it"
        )


def _given_out(plan: Plan) -> Iterator[tuple[Segment, SegmentSubnet]]:
    """Subnets whose addresses pods get; of links each end follows from the id of its host."""
    segments = {a.segment.name: a.segment for a in plan.kubernetes.attachments if a.segment and a.addressed}
    for segment in segments.values():
        for subnet in () if segment.host_prefixes else segment.subnets:
            yield segment, subnet
