"""NP875: values that have to be unique among switches."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.graph.config_db.links import DbTopology
from netplan.model.values import natural, parse_network
from netplan.reading.config_db.switch import DbSwitch, Spot, with_others
from netplan.rules.config_db.registry import RowFinding, rule


def _identities(fabric: DbTopology) -> int:
    """Those that are compared: with other switches, or between the files of one hostname."""
    several = len(fabric.switches) > 1
    compared = (switch for switch in fabric.switches if several or len(switch.files) > 1)
    return sum(1 for switch in compared for _ in _own(switch))


@rule("NP875", "duplicate switch identity", on=DbTopology, counts=_identities)
def duplicates(fabric: DbTopology) -> Iterator[RowFinding]:
    """Two switches have the same router ID, address of Loopback0, address of a routed port, or MAC; or files
    with one hostname come from two switches. Two switches of an MCLAG pair may share a VTEP and its address.
    Where one has a hostname that images come with, or several states are given, it is a note.

    **Why.** BGP drops routes that carry its own router ID; traffic to a shared loopback reaches either
    switch. It happens when the configuration of one switch is copied to another.

    **Fix.** Give each switch its own values.

    **Source.** RFC 4271 section 4.2 (BGP identifier), RFC 6286.
    """
    first: dict[tuple[str, str], tuple[DbSwitch, Spot]] = {}
    same: Same = {}
    subnets = _subnets(fabric)
    for switch in sorted(fabric.switches, key=lambda each: each.is_unnamed):  # of stock names last
        yield from _two_in_one(switch)
        for what, value, spot in _own(switch):
            one = first.setdefault((what, value), (switch, spot))
            apart = one[0].hostname != switch.hostname and not _are_asics(one[0], switch)  # the same: NP861
            of_port = spot.path[:1] == ("INTERFACE",)
            meant = _in_planes(subnets, one[0], switch) if of_port else _share_vtep(one[0], switch, value)
            if apart and not meant:
                kind = ("address", "address") if of_port else (what, value)
                same.setdefault((one[0], switch, *kind), []).append((value, one[1], spot))
    yield from _told(fabric, same)


Same = dict[tuple[DbSwitch, DbSwitch, str, str], list[tuple[str, Spot, Spot]]]
"""Two switches and what both have -> the values, and where each has it."""


def _told(fabric: DbTopology, same: Same) -> Iterator[RowFinding]:
    expected, states = _expected(fabric) if same else {}, {name for name, _ in fabric.states}
    for (one_switch, other_switch, what, _), found in same.items():
        value, there, here = found[0]
        if _support(one_switch, value, expected) < _support(other_switch, value, expected):
            one_switch, other_switch, there, here = other_switch, one_switch, here, there
        where = one_switch.where(there)
        message = f"{what} {value} of {other_switch.name} is also that of {one_switch.name} at {where}"
        more = with_others(len(found) - 1, "address of a port is on both", "addresses of ports are on both")
        stock, hint = one_switch.is_unnamed or other_switch.is_unnamed, "give each switch its own value"
        if stock and what == "MAC":
            more, hint = ": two states of one switch", "pass only one state"
        several = not states.isdisjoint((one_switch.hostname, other_switch.hostname))
        yield RowFinding(here, f"{message}{more}", hint, stock or several)


def _expected(fabric: DbTopology) -> Mapping[str, set[str | None]]:
    """Address -> AS numbers that neighbours expect there."""
    found: dict[str, set[str | None]] = {}
    for switch in fabric.switches:
        for key in switch.rows("BGP_NEIGHBOR"):
            found.setdefault(key.rpartition("|")[2], set()).add(switch.text("BGP_NEIGHBOR", key, "asn"))
    return found


def _support(switch: DbSwitch, value: str, expected: Mapping[str, set[str | None]]) -> int:
    """How much else speaks for a value: the router ID, neighbours that expect the switch there. Of two
    switches the one with less has it by mistake, else the second."""
    is_expected = switch.local.get("bgp_asn") in expected.get(value, ())
    return (switch.local.get("bgp_router_id") == value) + is_expected


def _share_vtep(one: DbSwitch, other: DbSwitch, address: str) -> bool:
    """Whether two switches of a pair are one VTEP, with an address of both."""
    pair = one.rows("MCLAG_DOMAIN") and other.rows("MCLAG_DOMAIN")
    return bool(pair) and all(
        any(switch.text("VXLAN_TUNNEL", key, "src_ip") == address for key in switch.rows("VXLAN_TUNNEL"))
        for switch in (one, other)
    )


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
        if text and not (name == "mac" and len(set(text.split(":"))) == 1):  # a stand-in: aa:aa:aa:aa:aa:aa
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
