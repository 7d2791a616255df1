"""Tables of config_db that matter to the rails and that no inventory has: each is told once for a switch.

Fields: sonic-net/sonic-buildimage 086b03bd src/sonic-yang-models/yang-models, sonic-portchannel.yang,
sonic-mclag.yang, sonic-vrf.yang, sonic-static-route.yang, sonic-acl.yang, sonic-vxlan.yang,
sonic-bgp-peerrange.yang, sonic-vlan-sub-interface.yang, sonic-interface.yang (unnumbered), sonic-neigh.yang,
sonic-storm-control.yang, sonic-dhcpv4-relay.yang, sonic-dhcpv6-relay.yang (DHCP_RELAY), sonic-hash.yang,
sonic-vlan.yang (dhcp_servers, dhcpv6_servers, proxy_arp), sonic-port.yang (pfc_asym),
sonic-device_metadata.yang (default_pfcwd_status); SAG:
sonic-net/sonic-utilities tests/sag_test.py, with VLAN_INTERFACE static_anycast_gateway.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Remark
from netplan.importing.sonic.switches import SwitchReader
from netplan.importing.switch_lags import LAG, LAG_LEFT, OF_LAG

_NO_KEY = "the inventory has no key for it"
SHARED_LEFT = "the address is a gateway alone: an inventory has it on one switch"
_LEFT: Mapping[str, str] = {
    "PORTCHANNEL_MEMBER": LAG_LEFT,
    "MCLAG_DOMAIN": "the inventory has no pair of switches with common LAGs",
    "VRF": "addresses are taken, the VRF is not",
    "STATIC_ROUTE": _NO_KEY,
    "BGP_PEER_RANGE": _NO_KEY,
    "ACL_TABLE": _NO_KEY,
    "VXLAN_TUNNEL": _NO_KEY,
    "VXLAN_TUNNEL_MAP": _NO_KEY,
    "VXLAN_EVPN_NVO": _NO_KEY,
    "VLAN_SUB_INTERFACE": _NO_KEY,
    "SAG": SHARED_LEFT,
    "VRRP": SHARED_LEFT,
    "DHCP_RELAY": _NO_KEY,
    "DHCPV4_RELAY": _NO_KEY,
    "PORT_STORM_CONTROL": _NO_KEY,
    "SWITCH_HASH": _NO_KEY,
    "NEIGH": "if a host has the address, state it in rails.reserved, so that no pool gives it out",
}
_FIELDS: Mapping[str, Mapping[str, frozenset[str]]] = {
    "VLAN": {"dhcp_servers": frozenset({""}), "dhcpv6_servers": frozenset({""})},
    "VLAN_INTERFACE": {"proxy_arp": frozenset({"", "disabled"})},
    "DEVICE_METADATA": {"default_pfcwd_status": frozenset({"", "disable"})},
    "PORT": {"pfc_asym": frozenset({"", "off"})},
}
"""Table -> field -> values that change nothing."""
_OWN_ACL = "CTRLPLANE"
"""Type of the ACLs that protect the switch's own services."""


def left_tables(read: SwitchReader) -> Iterator[Fact | Remark]:
    for key in read.switch.keys("PORTCHANNEL_MEMBER"):
        lag, _, own = key.rpartition("|")
        port = (*read.of, own)
        yield read.fact("port", port, LAG, True, "PORTCHANNEL_MEMBER", key)
        yield read.fact("port", port, OF_LAG, lag, "PORTCHANNEL_MEMBER", key)
    for table, why in _LEFT.items():
        rows = [
            key
            for key in read.switch.keys(table)
            if read.switch.text(table, key, "type") != _OWN_ACL or table != "ACL_TABLE"
        ]
        if rows:
            at = read.switch.sources.source(read.switch.spot(table, rows[0]).offset)
            more = f" (and {len(rows) - 1} more of it)" if len(rows) > 1 else ""
            text = f"{read.of[0]}: {table} {rows[0]}{more}: {why}"
            yield Remark(at, text, alike=table)
    yield from _unnumbered(read)
    yield from _fields(read)


def _fields(read: SwitchReader) -> Iterator[Remark]:
    """The first row of each field, with the number of the others."""
    for table, fields in _FIELDS.items():
        for field, idle in fields.items():
            texts = {key: read.switch.text(table, key, field) or "" for key in read.switch.keys(table)}
            rows = [key for key, text in texts.items() if text not in idle]
            if rows:
                at = read.switch.sources.source(read.switch.spot(table, rows[0], field).offset)
                more = f" (and {len(rows) - 1} more of it)" if len(rows) > 1 else ""
                what = f"{table} {rows[0]}{more} {field} {texts[rows[0]]}"
                yield Remark(at, f"{read.of[0]}: {what}: {_NO_KEY}", alike=f"{table} {field}")


def _unnumbered(read: SwitchReader) -> Iterator[Remark]:
    for port in read.switch.keys("INTERFACE"):
        if lender := read.switch.text("INTERFACE", port, "unnumbered"):
            at = read.switch.sources.source(read.switch.spot("INTERFACE", port).offset)
            why = f"unnumbered {lender}: {_NO_KEY}"
            yield Remark(at, f"{read.of[0]}: INTERFACE {port} {why}", alike=why)
