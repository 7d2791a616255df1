"""Rules between switches: both ends of each link, and the neighbours that they name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.graph.config_db.links import DbTopology, End, Link
from netplan.graph.config_db.sessions import DbSession, Unanswered, sessions, unanswered
from netplan.reading.config_db.switch import DbSwitch, with_others
from netplan.rules.config_db.queue_buffers import lossy_queues
from netplan.rules.config_db.registry import RowFinding, rule


def _compared(fabric: DbTopology) -> int:
    return sum(link.a.pfc is not None and link.b.pfc is not None for link in fabric.links)


def _more(links: Sequence[Link]) -> str:
    """`` (and 3 more links of these two)``"""
    rest = len(links) - 1
    return f" (and {rest} more link{'s' if rest > 1 else ''} of these two)" if rest else ""


@rule("NP896", "PFC mismatch on a link", on=DbTopology, counts=_compared)
def pfc_ends(fabric: DbTopology) -> Iterator[RowFinding]:
    """Two switches joined by a link enable PFC for different priorities on it.

    **Why.** If only one end has a priority enabled, the other ignores its pause frames and keeps sending
    into a full buffer: packets of the lossless class are dropped at this hop.

    **Fix.** Use the same `pfc_enable` at both ends and on every hop.

    **Source.** IEEE 802.1Qbb; H3C PFC configuration guide (both ends and every port of the path).
    """
    groups: dict[tuple[DbSwitch, DbSwitch, object, object], list[Link]] = {}
    for link in fabric.links:
        a, b = link.a, link.b
        if (
            a.pfc is not None
            and b.pfc is not None
            and a.pfc != b.pfc
            and not (_strays(a, b) or _strays(b, a))
        ):
            groups.setdefault((a.switch, b.switch, a.pfc, b.pfc), []).append(link)
    for links in groups.values():
        a, b = links[0].a, links[0].b
        message = (
            f"{a} has PFC on for {_priorities(a)}, {b} at {b.where('PORT_QOS_MAP', 'pfc_enable')} "
            f"for {_priorities(b)}{_more(links)}"
        )
        yield RowFinding(
            a.spot("PORT_QOS_MAP", "pfc_enable"), message, "write the same pfc_enable at both ends"
        )


def _strays(end: End, other: End) -> bool:
    """Whether an end has a priority that the other does not, and NP857 or NP883 says that its queue drops."""
    chain, queues = end.chain, lossy_queues(end.switch)
    extra = set(end.pfc or ()) - set(other.pfc or ())
    return chain is not None and any((end.port, chain.queue_of(one)) in queues for one in extra)


def _priorities(end: End) -> str:
    return f"priority {','.join(map(str, end.pfc))}" if end.pfc else "no priority"


@rule(
    "NP897",
    "speed, MTU, FEC or autonegotiation mismatch on a link",
    on=DbTopology,
    counts=lambda f: len(f.links),
)
def link_ends(fabric: DbTopology) -> Iterator[RowFinding]:
    """The ports at both ends of a link state different speeds, MTUs, FEC modes or autonegotiation. Two ends
    that negotiate agree on speed and FEC themselves.

    **Why.** With a speed or FEC mismatch the link does not come up; nor does a copper link of which one end
    waits for the pages of the other. With an MTU mismatch link and BGP
    come up, but what is larger than the smaller MTU is dropped there.

    **Fix.** Use the same values at both ends. A port without `mtu` has 9100.

    **Source.** IEEE 802.3 clauses 91 and 74 (FEC), 73 (autonegotiation); sonic-port.yang;
    sonic-net/sonic-swss e6b0c5b5 cfgmgr/portmgr.h.
    """
    groups: dict[tuple[DbSwitch, DbSwitch, str, object, object], list[Link]] = {}
    for link in fabric.links:
        agreed = link.a.autoneg == link.b.autoneg == "on"
        for name in ("mtu", "autoneg") if agreed else ("speed", "mtu", "fec", "autoneg"):
            one, other = getattr(link.a, name), getattr(link.b, name)
            if one is not None and other is not None and one != other:
                groups.setdefault((link.a.switch, link.b.switch, name, one, other), []).append(link)
    for (_, _, name, one, other), links in groups.items():
        a, b = links[0].a, links[0].b
        message = f"{name} of {a} is {one}, of {b} at {b.where('PORT', name)} {other}{_more(links)}"
        yield RowFinding(a.spot("PORT", name), message, f"write the same {name} at both ends")


def _said(fabric: DbTopology) -> int:
    return sum(claim.known for claim in fabric.claims) + sum(1 for _ in sessions(fabric))


@rule("NP899", "neighbour tables disagree", on=DbTopology, counts=_said)
def neighbours(fabric: DbTopology) -> Iterator[RowFinding]:
    """DEVICE_NEIGHBOR of one switch names a port that the neighbour does not have (a note if its ports are
    named in another way: `Ethernet0`, `Eth1/1`), or whose own row points elsewhere; or BGP_NEIGHBOR states a
    different AS number from that of the switch with the address; or that switch, which is given completely,
    has no BGP_NEIGHBOR for this one.

    **Why.** The cable is in a different port than documented, so every value that follows from it
    (headroom, watchdog, session) belongs to the wrong link. A session with the wrong AS number, or that
    only one end has, never comes up.

    **Fix.** Check `show lldp table`, then correct the row that is wrong; add the row that is missing.

    **Source.** sonic-device_neighbor.yang, sonic-bgp-neighbor.yang; RFC 4271 section 6.2 (bad peer AS);
    FRRouting bgpd/bgp_network.c (bgp_accept closes a connection of no configured peer or listen range).
    """
    told: set[tuple[str, str]] = set()
    for claim in fabric.claims:
        if claim.known and claim.there is None:
            told.add(claim.key)
            message = f"{claim.end} points to {claim.name} {claim.port}, which {claim.name} does not have"
            hint = "correct the port, or the PORT table of the neighbour"
            if not claim.alike:
                hint = "write the name that the port has in the PORT table of the neighbour"
            yield RowFinding(claim.spot, message, hint, not claim.alike)
    for claim in fabric.claims:
        back = fabric.answer(claim)
        # One wrong row contradicts two right ones; it is reported with the first of them.
        if back and not back.meets(claim) and not told & {claim.key, back.key}:
            told |= {claim.key, back.key}
            where = back.end.switch.where(back.spot)
            message = (
                f"{claim.end} points to {claim.there}, which points to {back.name} {back.port} at {where}"
            )
            yield RowFinding(claim.spot, message, "check `show lldp table` and correct the row that is wrong")
    yield from _wrong_as(fabric)
    yield from _at_one_end(fabric)


def _wrong_as(fabric: DbTopology) -> Iterator[RowFinding]:
    """Where several switches expect one other number of a switch, and none its own, that number is to
    blame."""
    of: dict[DbSwitch, list[DbSession]] = {}
    for one in sessions(fabric):
        of.setdefault(one.owner, []).append(one)
    for owner, expected in of.items():
        wrong = [one for one in expected if one.stated != one.own]
        several = len({one.switch.name for one in wrong}) > 1 and len({one.stated for one in wrong}) == 1
        if several and len(wrong) == len(expected):
            yield _own_as(owner, wrong)
        else:
            yield from map(_expected_as, wrong)


def _own_as(owner: DbSwitch, wrong: Sequence[DbSession]) -> RowFinding:
    first, at = wrong[0], wrong[0].at
    where = first.switch.where(first.switch.spot("BGP_NEIGHBOR", first.key, "asn"))
    more = with_others(len(wrong) - 1, "session does", "sessions do")
    message = f"{owner.name} has AS {first.own}, {first.switch.name} expects {first.stated} at {where}{more}"
    return RowFinding(at, message, f"write {first.stated}, or correct asn of the neighbours")


def _expected_as(one: DbSession) -> RowFinding:
    owner = one.owner
    where = owner.where(one.at)
    message = f"{one.switch.name} expects AS {one.stated} at {one.key}"
    at = one.switch.spot("BGP_NEIGHBOR", one.key, "asn")
    message = f"{message}, but {owner.name} has AS {one.own} at {where}"
    return RowFinding(at, message, f"write {one.own}, or correct {one.at.path[-1]} of {owner.name}")


def _at_one_end(fabric: DbTopology) -> Iterator[RowFinding]:
    alike: dict[tuple[DbSwitch, DbSwitch], list[Unanswered]] = {}
    for one in unanswered(fabric):
        alike.setdefault((one.switch, one.owner), []).append(one)
    for (switch, owner), found in alike.items():
        first = found[0]
        more = with_others(len(found) - 1, "session is at one end only", "sessions are at one end only")
        where = owner.where(owner.spot("BGP_NEIGHBOR"))
        message = (
            f"{switch.name} has BGP_NEIGHBOR {first.key}, an address of {owner.name}, which has no "
            f"BGP_NEIGHBOR {first.back} at {where}{more}"
        )
        at = switch.spot("BGP_NEIGHBOR", first.key)
        yield RowFinding(at, message, f"add BGP_NEIGHBOR {first.back} to {owner.name}, or remove the row")
