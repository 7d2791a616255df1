"""A switch from its config_db: identity, ports, VLANs, addresses, recorded neighbours.

Tables and fields: sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models, and
tests/files/sample_config_db.json there. Every value is a text. BGP configured in FRR's own files is not in
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Kind, Of, Remark, Value, not_taken
from netplan.importing.splits import SPLIT, sonic_split
from netplan.model.values import LAST_VLAN, parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch, whole_number

_LOCAL: Mapping[str, str] = {
    "hwsku": "hwsku",
    "platform": "platform",
    "bgp_asn": "asn",
    "bgp_router_id": "router_id",
    "buffer_model": "buffer_model",
    "docker_routing_config_mode": "routing_mode",
    "mac": "mac",
    "frr_mgmt_framework_config": "framework",
}
_PORT = ("alias", "speed", "mtu", "admin_status", "fec", "autoneg")
_SMALL = "small_packet_percentage"
_NUMBERS = frozenset({"asn", "speed", "mtu", _SMALL})
ONE_ADDRESS = "a second address; the inventory has one of a VLAN interface"
ONE_LOOPBACK = "the inventory has one loopback address for each switch"
_NOTHING = frozenset({"", "None"})
"""SONiC's minigraph writes None where a switch has no AS number (src/sonic-config-engine/minigraph.py)."""


class SwitchReader:
    """How the modules of this folder read one switch. ``refused``: values that cannot be taken."""

    def __init__(self, switch: DbSwitch) -> None:
        self.switch = switch
        self.of = (switch.hostname or switch.name,)
        self.refused: list[Remark] = []

    def refuse(self, value: object, why: str, *spot: str) -> None:
        """Say that a value, or a part of it or of its key, is not taken."""
        at = self.switch.sources.source(self.switch.spot(*spot).offset)
        what = " ".join((spot[0], *spot[2:]))
        self.refused.append(not_taken(at, what, value, why))

    def number(self, *spot: str, most: int = 2**64) -> int | None:
        """The field as a whole number; others are refused."""
        table, key, field = spot
        text = self.switch.text(table, key, field)
        return None if text is None else self.whole(text, *spot, most=most)

    def whole(self, text: str, *spot: str, most: int = 2**64) -> int | None:
        if text in _NOTHING:
            return None
        number = whole_number(text)
        if number is None or number > most:
            self.refuse(text, "not a whole number" + (f" from 0 to {most:,}" if most < 2**64 else ""), *spot)
            return None
        return number

    def vlan(self, text: str, *spot: str) -> int | None:
        """The number of ``Vlan100``."""
        number = whole_number(text.removeprefix("Vlan"))
        if number is None or not 0 < number <= LAST_VLAN:
            self.refuse(text, f"not a VLAN ID from 1 to {LAST_VLAN:,}", *spot)
            return None
        return number

    def interface(self, text: str, *spot: str) -> bool:
        """Whether it is an address with its length; a key without one is not an address at all."""
        if "/" not in text:
            return False
        if parse_network(text) is None:
            self.refuse(text, "not an address such as 10.0.0.1/31", *spot)
            return False
        return True

    def fact(self, kind: Kind, of: Of, field: str, value: Value, *spot: str) -> Fact:
        """``spot``: table, row and field of the value."""
        at = self.switch.sources.source(self.switch.spot(*spot).offset)
        return Fact(kind, of, field, value, at)

    def stated(self, kind: Kind, of: Of, name: str, *spot: str) -> Iterator[Fact]:
        """The field if it exists; as a number if it is one."""
        value: Value | None = self.number(*spot) if name in _NUMBERS else self.switch.text(*spot)
        if value is not None and value != "":
            yield self.fact(kind, of, name, value, *spot)


def switch_facts(read: SwitchReader) -> Iterator[Fact]:
    switch = read.switch
    table = "DEVICE_METADATA" if switch.has("DEVICE_METADATA") else "PORT"
    yield read.fact("switch", read.of, "nos", "sonic", table)
    for field, name in _LOCAL.items():
        yield from read.stated("switch", read.of, name, "DEVICE_METADATA", "localhost", field)
    yield from read.stated("switch", read.of, "asn", "BGP_GLOBALS", "default", "local_asn")
    yield from read.stated("switch", read.of, "router_id", "BGP_GLOBALS", "default", "router_id")
    for key in switch.keys("LOSSLESS_TRAFFIC_PATTERN"):
        yield from read.stated("switch", read.of, _SMALL, "LOSSLESS_TRAFFIC_PATTERN", key, _SMALL)
    yield from _loopback(read)
    for key in read.switch.keys("MGMT_INTERFACE"):
        address = key.partition("|")[2].partition("/")[0]
        if parse_address(address) is not None:
            yield read.fact("switch", read.of, f"mgmt/{address}", address, "MGMT_INTERFACE", key)
    for port in switch.ports:
        of = (*read.of, port)
        for name in _PORT:
            yield from read.stated("port", of, name, "PORT", port, name)
    yield from _splits(read)
    yield from _cables(read)
    yield from _members(read)
    yield from _addresses(read)
    yield from _vnis(read)
    yield from _sessions(read)


def _loopback(read: SwitchReader) -> Iterator[Fact]:
    """The first host address on Loopback0; others are told."""
    table, taken = "LOOPBACK_INTERFACE", False
    for key in read.switch.keys(table):
        name, _, address = key.partition("|")
        ip, _, length = address.partition("/")
        if not read.interface(address, table, key):
            continue
        if name == "Loopback0" and length in ("32", "128") and not taken:
            taken = True
            yield read.fact("switch", read.of, "loopback", ip, table, key)
        else:
            read.refuse(f"{name} {address}", ONE_LOOPBACK, table, key)


def _splits(read: SwitchReader) -> Iterator[Fact]:
    for port in read.switch.keys("BREAKOUT_CFG"):
        spot = ("BREAKOUT_CFG", port, "brkout_mode")
        if split := sonic_split(read.switch.text(*spot) or ""):
            yield read.fact("port", (*read.of, port), SPLIT, split, *spot)


def _cables(read: SwitchReader) -> Iterator[Fact]:
    """Cable lengths of headroom, and the neighbours that somebody recorded."""
    for group in read.switch.keys("CABLE_LENGTH"):
        row = read.switch.row("CABLE_LENGTH", group)
        for port, text in (row.fields if row else {}).items():
            spot = ("CABLE_LENGTH", group, port)
            if metres := read.whole(str(text).removesuffix("m"), *spot):
                yield read.fact("port", (*read.of, port), "headroom_m", metres, "CABLE_LENGTH", group, port)
    for port in read.switch.keys("DEVICE_NEIGHBOR"):
        name = read.switch.text("DEVICE_NEIGHBOR", port, "name")
        far = read.switch.text("DEVICE_NEIGHBOR", port, "port")
        if name:
            of = (*read.of, port)
            yield read.fact("port", of, "record", (name, far or "", ""), "DEVICE_NEIGHBOR", port)


def _members(read: SwitchReader) -> Iterator[Fact]:
    """The VLANs of a port: tagged ones, and the untagged one."""
    tagged: dict[str, list[str]] = {}
    for key in read.switch.keys("VLAN_MEMBER"):
        vlan, _, port = key.partition("|")
        number = read.vlan(vlan, "VLAN_MEMBER", key)
        if number is None:
            continue
        if read.switch.text("VLAN_MEMBER", key, "tagging_mode") == "untagged":
            yield read.fact("port", (*read.of, port), "access", number, "VLAN_MEMBER", key)
        else:
            tagged.setdefault(port, []).append(str(number))
    for port, vlans in tagged.items():
        at = ("VLAN_MEMBER", f"Vlan{vlans[0]}|{port}")
        yield read.fact("port", (*read.of, port), "tagged", tuple(vlans), *at)


def _sessions(read: SwitchReader) -> Iterator[Fact]:
    """AS numbers of BGP neighbours, and interfaces whose neighbour has no address (BGP_NEIGHBOR
    ``default|Ethernet0``, ipv6_use_link_local_only of INTERFACE: sonic-bgp-neighbor.yang,
    sonic-interface.yang)."""
    table = "BGP_NEIGHBOR"
    for key in read.switch.keys(table):
        far = key.rpartition("|")[2]
        address = parse_address(far)
        if address is None:
            yield read.fact("switch", read.of, f"unnumbered/{far}", far, table, key)
            continue
        far = str(address)  # fd00:254::0 is fd00:254::
        spot = _remote_as(read, key)
        if (number := whole_number(read.switch.text(*spot))) is not None:
            yield read.fact("switch", read.of, f"neighbour/{far}", number, *spot)
            yield from read.stated("switch", read.of, f"neighbour-name/{far}", table, key, "name")
    for key in read.switch.keys("INTERFACE"):
        spot = ("INTERFACE", key, "ipv6_use_link_local_only")
        if read.switch.text(*spot) == "enable":
            yield read.fact("switch", read.of, f"unnumbered/{key}", key, *spot)


def _remote_as(read: SwitchReader, key: str) -> tuple[str, str, str]:
    """Where the AS number of a session stands: in its row, else in that of its peer group, which frrcfgd
    alone reads (sonic-net/sonic-buildimage 01dd09b6 frrcfgd.py, cmn_key_map and nbr_key_map)."""
    group = read.switch.text("BGP_NEIGHBOR", key, "peer_group_name")
    if group and not read.switch.text("BGP_NEIGHBOR", key, "asn"):
        return "BGP_PEER_GROUP", f"{key.rpartition('|')[0]}|{group}", "asn"
    return "BGP_NEIGHBOR", key, "asn"


def _vnis(read: SwitchReader) -> Iterator[Fact]:
    """VLANs that VXLAN carries over routed links. A map of a VRF has no VLAN."""
    table = "VXLAN_TUNNEL_MAP"
    for key in read.switch.keys(table):
        vlan, vni = (read.switch.text(table, key, field) for field in ("vlan", "vni"))
        if vlan and vni and (number := read.vlan(vlan, table, key, "vlan")) is not None:
            yield read.fact("svi", (*read.of, str(number)), "vni", vni, table, key, "vni")


def _addresses(read: SwitchReader) -> Iterator[Fact]:
    for key in read.switch.keys("VLAN_INTERFACE"):
        vlan, _, address = key.partition("|")
        number = read.vlan(vlan, "VLAN_INTERFACE", key)
        if number is None or not read.interface(address, "VLAN_INTERFACE", key):
            continue
        if read.switch.text("VLAN_INTERFACE", key, "secondary") == "true":  # sonic-vlan.yang
            read.refuse(address, ONE_ADDRESS, "VLAN_INTERFACE", key)
        else:
            of = (*read.of, str(number))
            yield read.fact("svi", of, f"address/{address}", address, "VLAN_INTERFACE", key)
    for table in ("INTERFACE", "PORTCHANNEL_INTERFACE"):
        for key in read.switch.keys(table):
            port, _, address = key.partition("|")
            if read.interface(address, table, key):
                yield read.fact("port", (*read.of, port), f"address/{address}", address, table, key)
