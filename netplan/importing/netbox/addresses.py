"""Recorded addresses and prefixes.

Roles of addresses: netbox-community/netbox 43fe81f netbox/ipam/choices.py, IPAddressRoleChoices.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from netplan.importing.cabling import is_management
from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.host_addresses import RECORDED
from netplan.importing.netbox.nics import Nic
from netplan.importing.netbox.objects import Object, Record, choice
from netplan.model.values import LAST_VLAN, parse_network, whole

_LINKS = "ipam/ip-address-to-interface"
_SHARED = "an address shared by several switches is not taken; state it as the gateway if hosts use it"
_OTHER_ROLES: Mapping[str, str] = {
    **dict.fromkeys(("vip", "vrrp", "hsrp", "glbp", "carp", "anycast"), _SHARED),
    "secondary": "an inventory has one address of each family on a VLAN interface",
}
"""Role of an address -> why it is not taken."""

_NOT_OWN = frozenset({"reserved", "slaac"})
"""Statuses of an address (netbox-community/netbox 43fe81f netbox/ipam/choices.py, IPAddressStatusChoices)."""


def _in_use(record: Record, model: str) -> Iterator[Object]:
    return (thing for thing in record.every(model) if record.status(thing) != "deprecated")


def _assigned(record: Record) -> Iterator[tuple[Object, tuple[str, str]]]:
    """Addresses with their interfaces: ``assigned_object``; in Nautobot ``interfaces`` of an address,
    or ``ip_addresses`` of an interface, or objects of their own (nautobot/nautobot 47325c5
    nautobot/ipam/api/serializers.py, nautobot/dcim/models/device_components.py)."""
    used = {id(address) for address in _in_use(record, "ipam/ip-addresses")}
    for address in record.every("ipam/ip-addresses"):
        for interface in (address.get("assigned_object"), *_listed(address.get("interfaces"))):
            if id(address) in used:
                yield address, record.end(interface)
    pairs = [(link.get("ip_address"), link.get("interface")) for link in record.every(_LINKS)]
    for interface in record.every("dcim/interfaces"):
        pairs += [(each, interface) for each in _listed(interface.get("ip_addresses"))]
    for reference, interface in pairs:
        address = record.other(reference)
        if id(address) in used:
            yield address, record.end(interface)


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def addresses(record: Record, switches: Container[str]) -> Iterator[Fact | Remark]:
    """Addresses of switches: loopbacks, VLAN interfaces, routed ports."""
    for address, (device, name) in _assigned(record):
        text = str(address.get("address") or "")
        ip, _, length = text.partition("/")
        if device not in switches or not name:
            continue
        if parse_network(text) is None:
            record.refuse(address, "address", text, "not an address such as 10.0.0.1/31")
            continue
        at, low = record.at(address, "address"), name.lower()
        if (role := choice(address.get("role"))) in _OTHER_ROLES:
            why = _OTHER_ROLES[role]
            yield Remark(at, f"{device} {name} {text} has role {role}: {why}", alike=f"role {role}: {why}")
            continue
        number = low.removeprefix("vlan-interface").removeprefix("vlan").removeprefix("irb.")
        if low.startswith(("lo", "loopback")):
            if length in ("32", "128"):
                yield Fact("switch", (device,), "loopback", ip, at)
        elif number != low and whole(number, 4) is not None:
            yield Fact("svi", (device, number), f"address/{text}", text, at)
        else:
            yield Fact("port", (device, name), f"address/{text}", text, at)


def prefixes(record: Record) -> Iterator[Fact]:
    for prefix in _in_use(record, "ipam/prefixes"):
        text, vid = str(prefix.get("prefix") or ""), record.number(prefix.get("vlan"), "vid", LAST_VLAN)
        if parse_network(text) is None:
            record.refuse(prefix, "prefix", text, "not a prefix such as 10.0.0.0/24")
        elif vid:
            yield Fact("prefix", (text,), "vlan", vid, record.at(prefix, "prefix"))


def host_addresses(record: Record, hosts: Container[str]) -> Iterator[Nic]:
    """A shared address, one that is kept for later and one that follows from a MAC address are none of the
    interface itself."""
    for address, (device, name) in _assigned(record):
        text = str(address.get("address") or "")
        network = parse_network(text)
        if device in hosts and name and network is not None:
            ip, at = text.partition("/")[0], record.at(address, "address")
            yield Nic(device, name, f"address/{ip}", network.prefixlen, at)
            shared = _OTHER_ROLES.get(choice(address.get("role"))) == _SHARED
            if not shared and record.status(address) not in _NOT_OWN:
                yield Nic(device, name, f"{RECORDED}{ip}", network.prefixlen, at)


def as_numbers(record: Record) -> Iterator[Remark]:
    """NetBox assigns them to sites and providers (netbox-community/netbox netbox/ipam/models/asns.py)."""
    why = "not taken, the record does not say which switch has it; configurations do"
    for thing in record.every("ipam/asns"):
        if (number := record.number(thing, "asn")) is not None:
            yield not_taken(record.at(thing, "asn"), "AS number", number, why)


def vrfs(record: Record, switches: Container[str]) -> Iterator[Remark]:
    """Of interfaces of switches, and of addresses on them, not of management; one line for each VRF."""
    things = [(thing, record.end(thing)) for thing in record.every("dcim/interfaces")]
    for thing, (device, name) in (*things, *_assigned(record)):
        vrf = record.name(thing.get("vrf"))
        out_of_band = thing.get("mgmt_only") is True or is_management(name)
        if vrf and name and device in switches and not out_of_band:
            what = f"{device} {name} is in VRF {vrf}: addresses are taken, the VRF is not"
            yield Remark(record.at(thing, "vrf"), what, alike=f"VRF {vrf}")
