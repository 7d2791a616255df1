"""Rules between switches: both ends of each link, and values that must be unique in the fabric."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from netplan.graph.config_db.chains import TABLES, Chain, pfc_chains
from netplan.graph.config_db.links import DbTopology, End, Link
from netplan.graph.config_db.sessions import Unanswered, sessions, unanswered
from netplan.model.values import natural, parse_network
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, with_others
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
        if a.pfc is not None and b.pfc is not None and a.pfc != b.pfc:
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


def _priorities(end: End) -> str:
    return f"priority {','.join(map(str, end.pfc))}" if end.pfc else "no priority"


@rule(
    "NP897",
    "speed, MTU, FEC or autonegotiation mismatch on a link",
    on=DbTopology,
    counts=lambda f: len(f.links),
)
def link_ends(fabric: DbTopology) -> Iterator[RowFinding]:
    """The ports at both ends of a link state different speeds, MTUs, FEC modes or autonegotiation.

    **Why.** With a speed or FEC mismatch the link does not come up; nor does a copper link of which one end
    waits for the pages of the other. With an MTU mismatch link and BGP
    come up, but full-size RDMA writes are dropped on the way from the larger to the smaller MTU.

    **Fix.** Use the same values at both ends. A port without `mtu` has 9100.

    **Source.** IEEE 802.3 clauses 91 and 74 (FEC), 73 (autonegotiation); sonic-port.yang;
    sonic-net/sonic-swss cfgmgr/portmgr.h.
    """
    groups: dict[tuple[DbSwitch, DbSwitch, str, object, object], list[Link]] = {}
    for link in fabric.links:
        for name in ("speed", "mtu", "fec", "autoneg"):
            one, other = getattr(link.a, name), getattr(link.b, name)
            if one is not None and other is not None and one != other:
                groups.setdefault((link.a.switch, link.b.switch, name, one, other), []).append(link)
    for (_, _, name, one, other), links in groups.items():
        a, b = links[0].a, links[0].b
        message = f"{name} of {a} is {one}, of {b} at {b.where('PORT', name)} {other}{_more(links)}"
        yield RowFinding(a.spot("PORT", name), message, f"write the same {name} at both ends")


def _chained(fabric: DbTopology) -> int:
    return sum(len(_usual(switch)) for switch in fabric.switches) if len(fabric.switches) > 1 else 0


@rule("NP898", "DSCP lossless on one switch but not on the next", on=DbTopology, counts=_chained)
def chains(fabric: DbTopology) -> Iterator[RowFinding]:
    """The same DSCP is in a lossless class on one switch and in another class, or none, on a second.
    Compared are the two ends of a link whose PFC priorities agree or, for switches without a common link,
    the majority.

    **Why.** Lossless is a property of the whole path: a single hop that maps DSCP 26 to class 1 drops it,
    however well all others are configured.

    **Fix.** Use the same DSCP_TO_TC_MAP and queue maps on all switches.

    **Source.** sonic-net/sonic-buildimage files/build_templates/qos_config.j2 (stock: DSCP 26 is in class 1).
    """
    told: set[tuple[DbSwitch, str, DbSwitch, str]] = set()
    joined: set[DbSwitch] = set()
    for link in fabric.links:
        joined |= {link.a.switch, link.b.switch}
        a, b = link.a.chain, link.b.chain
        if a and b and a.complete and b.complete and a.pfc == b.pfc and a.lossless != b.lossless:
            key = (a.switch, a.row, b.switch, b.row)
            if key not in told:
                told.add(key)
                yield _difference(a, b, f"{link.a}", f"{link.b}")
    yield from _apart([switch for switch in fabric.switches if switch not in joined], fabric)


def _apart(alone: list[DbSwitch], fabric: DbTopology) -> Iterator[RowFinding]:
    """Compares each switch without a link to any other with what most switches have."""
    usual = [(switch, chain) for switch in fabric.switches for chain in _usual(switch)]
    if len(usual) < 2:
        return
    counts = Counter(tuple(sorted(chain.lossless.items())) for _, chain in usual)
    most = counts.most_common()[0][0]
    model = next(chain for _, chain in usual if tuple(sorted(chain.lossless.items())) == most)
    for switch, chain in usual:
        if switch in alone and chain.lossless != model.lossless:
            yield _difference(chain, model, switch.name, model.switch.name)


def _usual(switch: DbSwitch) -> list[Chain]:
    """The chain of the switch's PFC ports if all have the same, else empty."""
    found = [chain for chain in pfc_chains(switch) if chain.complete]
    return found if len({tuple(chain.lossless.items()) for chain in found}) == 1 else []


def _difference(a: Chain, b: Chain, here: str, there: str) -> RowFinding:
    marks = sorted(
        mark for mark in a.lossless.keys() | b.lossless.keys() if a.lossless.get(mark) != b.lossless.get(mark)
    )
    mark = marks[0]
    shown = listed([str(one) for one in marks], 8)
    other = b.switch.where(_mark_spot(b, mark))
    message = f"{a.marks} {shown}: {_class(a, mark)} at {here}, {_class(b, mark)} at {there} ({other})"
    return RowFinding(_mark_spot(a, mark), message, "map the same values to the same class on all switches")


def _class(chain: Chain, mark: int) -> str:
    priority = chain.lossless.get(mark)
    return "lossy" if priority is None else f"lossless by PFC priority {priority}"


def _mark_spot(chain: Chain, mark: int) -> Spot:
    field = "dscp_to_tc_map" if "dscp_to_tc_map" in chain.maps else "dot1p_to_tc_map"
    return chain.switch.spot(TABLES[field], chain.names[field], str(mark))


def _said(fabric: DbTopology) -> int:
    return sum(claim.known for claim in fabric.claims) + sum(1 for _ in sessions(fabric))


@rule("NP899", "neighbour tables disagree", on=DbTopology, counts=_said)
def neighbours(fabric: DbTopology) -> Iterator[RowFinding]:
    """DEVICE_NEIGHBOR of one switch names a port that the neighbour does not have, or whose own row
    points elsewhere; or BGP_NEIGHBOR states a different AS number from that of the switch with the
    address; or that switch, which is given completely, has no BGP_NEIGHBOR for this one.

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
            yield RowFinding(claim.spot, message, "correct the port, or the PORT table of the neighbour")
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
    for one in sessions(fabric):
        if one.stated != one.own:
            owner = one.owner
            where = owner.where(owner.spot("DEVICE_METADATA", "localhost", "bgp_asn"))
            message = f"{one.switch.name} expects AS {one.stated} at {one.key}"
            yield RowFinding(
                one.switch.spot("BGP_NEIGHBOR", one.key, "asn"),
                f"{message}, but {owner.name} has AS {one.own} at {where}",
                f"write {one.own}, or correct bgp_asn",
            )


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


def _identities(fabric: DbTopology) -> int:
    """Those that are compared: with other switches, or between the files of one hostname."""
    several = len(fabric.switches) > 1
    compared = (switch for switch in fabric.switches if several or len(switch.files) > 1)
    return sum(1 for switch in compared for _ in _own(switch))


@rule("NP875", "duplicate switch identity", on=DbTopology, counts=_identities)
def duplicates(fabric: DbTopology) -> Iterator[RowFinding]:
    """Two switches have the same router ID, address of Loopback0, address of a routed port, or MAC; or files
    with one hostname come from two switches.

    **Why.** BGP drops routes that carry its own router ID; traffic to a shared loopback reaches either
    switch. It happens when the configuration of one switch is copied to another.

    **Fix.** Give each switch its own values.

    **Source.** RFC 4271 section 4.2 (BGP identifier), RFC 6286.
    """
    first: dict[tuple[str, str], tuple[DbSwitch, Spot]] = {}
    subnets = _subnets(fabric)
    for switch in fabric.switches:
        yield from _two_in_one(switch)
        for what, value, spot in _own(switch):
            one = first.setdefault((what, value), (switch, spot))
            apart = one[0].hostname != switch.hostname and not _are_asics(one[0], switch)  # the same: NP861
            of_port = spot.path[:1] == ("INTERFACE",)
            if apart and not (of_port and _in_planes(subnets, one[0], switch)):
                other = one[0].where(one[1])
                message = f"{what} {value} of {switch.name} is also that of {one[0].name} at {other}"
                yield RowFinding(spot, message, "give each switch its own value")


def _are_asics(one: DbSwitch, other: DbSwitch) -> bool:
    """Whether both are namespaces of one switch: parts of one file."""
    return not {file.name for file in one.files}.isdisjoint(file.name for file in other.files)


_PAIR = 2
Ends = Mapping[str, frozenset[str]]
"""Address of a subnet -> switches with it on a routed port."""


def _subnets(fabric: DbTopology) -> Mapping[str, list[Ends]]:
    """Switch -> subnets of its routed ports that have two ends."""
    found: dict[str, dict[str, set[str]]] = {}
    for switch in fabric.switches:
        for key in switch.rows("INTERFACE"):
            network = parse_network(key.partition("|")[2]) if "|" in key else None
            if network is not None:
                own = found.setdefault(str(network.cidr), {}).setdefault(str(network.ip), set())
                own.add(switch.hostname or switch.name)
    of: dict[str, list[Ends]] = {}
    for rows in found.values():
        ends = {address: frozenset(names) for address, names in rows.items()}
        for name in frozenset().union(*ends.values()) if len(ends) == _PAIR else ():
            of.setdefault(name, []).append(ends)
    return of


def _in_planes(subnets: Mapping[str, list[Ends]], one: DbSwitch, other: DbSwitch) -> bool:
    """Whether two switches are in planes that use the same subnets: both are at one end of a link, and each
    has a switch of its own at the other end."""
    names = {one.hostname or one.name, other.hostname or other.name}
    for ends in subnets.get(other.hostname or other.name, ()):
        far = [at for at in ends.values() if not names <= at]
        if len(far) == 1 and len(far[0]) > 1:
            return True
    return False


def _own(switch: DbSwitch) -> Iterator[tuple[str, str, Spot]]:
    for name, what in (("bgp_router_id", "router ID"), ("mac", "MAC")):
        text = switch.text("DEVICE_METADATA", "localhost", name)
        if text:
            yield what, text.lower(), switch.spot("DEVICE_METADATA", "localhost", name)
    for table in ("LOOPBACK_INTERFACE", "INTERFACE"):
        for key in sorted(switch.rows(table), key=natural):
            name, _, prefix = key.partition("|")
            network = parse_network(prefix) if prefix else None
            if network is None or switch.text(table, name, "vrf_name"):
                continue
            if name == "Loopback0" or (table == "INTERFACE" and not network.ip.is_link_local()):
                yield "address", str(network.ip), switch.spot(table, key)


def _two_in_one(switch: DbSwitch) -> Iterator[RowFinding]:
    """Merged files that state different MAC addresses of the switch."""
    found: dict[str, Spot] = {}
    for file in switch.files:
        local = file.data.get("DEVICE_METADATA", {})
        local = local.get("localhost") if isinstance(local, dict) else None
        entry = switch.places.child(local, "mac") if isinstance(local, dict) else None
        if entry and isinstance(entry[0], str):
            found.setdefault(entry[0].lower(), Spot(entry[1], ("DEVICE_METADATA", "localhost", "mac")))
    if len(found) > 1:
        (one, at), (other, second) = list(found.items())[:2]
        message = (
            f"files of hostname {switch.name} have MAC {other} here and {one} at {switch.where(at)}: "
            f"two switches with the same name, or two states of one switch"
        )
        yield RowFinding(second, message, "correct the hostname, or pass only one state")
