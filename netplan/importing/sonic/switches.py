"""A switch from its config_db: identity, ports, VLANs, addresses, recorded neighbours.

Tables and fields: sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models, and
tests/files/sample_config_db.json there. Every value is a text. BGP configured in FRR's own files is not in
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Kind, Of, Value
from netplan.model.values import parse_address
from netplan.reading.config_db.switch import DbSwitch, whole_number

_LOCAL: Mapping[str, str] = {
    "hwsku": "hwsku",
    "platform": "platform",
    "bgp_asn": "asn",
    "buffer_model": "buffer_model",
    "docker_routing_config_mode": "routing_mode",
    "frr_mgmt_framework_config": "framework",
}
_PORT = ("alias", "speed", "mtu", "admin_status")
_NUMBERS = frozenset({"asn", "speed", "mtu"})
_MOST_VLANS = 4094


class SwitchReader:
    """How the modules of this folder read one switch."""

    def __init__(self, switch: DbSwitch) -> None:
        self.switch = switch
        self.of = (switch.hostname or switch.name,)

    def fact(self, kind: Kind, of: Of, field: str, value: Value, *spot: str) -> Fact:
        """``spot``: table, row and field of the value."""
        at = self.switch.sources.source(self.switch.spot(*spot).offset)
        return Fact(kind, of, field, value, at)

    def stated(self, kind: Kind, of: Of, name: str, *spot: str) -> Iterator[Fact]:
        """The field if it exists; as a number if it is one."""
        table, key, field = spot
        text = self.switch.text(table, key, field)
        value: Value | None = whole_number(text) if name in _NUMBERS else text
        if value is not None and value != "":
            yield self.fact(kind, of, name, value, *spot)


def switch_facts(switch: DbSwitch) -> Iterator[Fact]:
    read = SwitchReader(switch)
    table = "DEVICE_METADATA" if switch.has("DEVICE_METADATA") else "PORT"
    yield read.fact("switch", read.of, "nos", "sonic", table)
    for field, name in _LOCAL.items():
        yield from read.stated("switch", read.of, name, "DEVICE_METADATA", "localhost", field)
    yield from read.stated("switch", read.of, "asn", "BGP_GLOBALS", "default", "local_asn")
    yield from _loopback(read)
    for port in switch.ports:
        of = (*read.of, port)
        for name in _PORT:
            yield from read.stated("port", of, name, "PORT", port, name)
    yield from _cables(read)
    yield from _members(read)
    yield from _addresses(read)


def _loopback(read: SwitchReader) -> Iterator[Fact]:
    """The first host address on Loopback0."""
    for key in read.switch.keys("LOOPBACK_INTERFACE"):
        name, _, address = key.partition("|")
        ip, _, length = address.partition("/")
        if name == "Loopback0" and length in ("32", "128") and parse_address(ip) is not None:
            yield read.fact("switch", read.of, "loopback", ip, "LOOPBACK_INTERFACE", key)
            return


def _cables(read: SwitchReader) -> Iterator[Fact]:
    """Cable lengths, and the neighbours that somebody recorded."""
    for group in read.switch.keys("CABLE_LENGTH"):
        row = read.switch.row("CABLE_LENGTH", group)
        for port, text in (row.fields if row else {}).items():
            metres = whole_number(text.removesuffix("m")) if isinstance(text, str) else None
            if metres:
                yield read.fact("port", (*read.of, port), "cable_m", metres, "CABLE_LENGTH", group, port)
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
        number = whole_number(vlan.removeprefix("Vlan"))
        if number is None or not 0 < number <= _MOST_VLANS:
            continue
        if read.switch.text("VLAN_MEMBER", key, "tagging_mode") == "untagged":
            yield read.fact("port", (*read.of, port), "access", number, "VLAN_MEMBER", key)
        else:
            tagged.setdefault(port, []).append(str(number))
    for port, vlans in tagged.items():
        at = ("VLAN_MEMBER", f"Vlan{vlans[0]}|{port}")
        yield read.fact("port", (*read.of, port), "tagged", tuple(vlans), *at)


def _addresses(read: SwitchReader) -> Iterator[Fact]:
    for key in read.switch.keys("VLAN_INTERFACE"):
        vlan, _, address = key.partition("|")
        number = whole_number(vlan.removeprefix("Vlan"))
        if number is not None and "/" in address:
            of = (*read.of, str(number))
            yield read.fact("svi", of, f"address/{address}", address, "VLAN_INTERFACE", key)
    for key in read.switch.keys("INTERFACE"):
        port, _, address = key.partition("|")
        if "/" in address:
            yield read.fact("port", (*read.of, port), f"address/{address}", address, "INTERFACE", key)
