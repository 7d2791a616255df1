"""NP817: addresses that have to be on an interface of the switch, or in a subnet of one, and are not."""

from __future__ import annotations

from collections.abc import Iterator

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Severity
from netplan.model.values import parse_address, parse_network
from netplan.reading.config_db.switch import DbSwitch
from netplan.rules.config_db.interfaces import ROUTED
from netplan.rules.config_db.registry import RowFinding, rule

_TABLES = (*ROUTED, "LOOPBACK_INTERFACE", "MGMT_INTERFACE", "VOQ_INBAND_INTERFACE")


def _stated(switch: DbSwitch) -> int:
    return sum(1 for _ in _gateways(switch)) + sum(1 for _ in _sources(switch))


@rule("NP817", "address outside the switch's subnets", on=DbSwitch, counts=_stated, severity=Severity.WARNING)
def elsewhere(switch: DbSwitch) -> Iterator[RowFinding]:
    """`gwaddr` of a management interface is in no subnet of that interface, whose addresses have their
    prefix lengths (else NP878); or, in a complete configuration,
    `src_ip` of a VXLAN tunnel is on no interface of the switch.

    **Why.** Linux refuses a default route over a gateway that the interface does not reach, so the switch has
    no management access from other subnets after the next reload. The other VTEPs send to `src_ip`, and an
    address on no interface is in no route that the switch announces.

    **Fix.** Write a gateway of the subnet; use the address of a loopback as `src_ip`.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/image_config/interfaces/interfaces.j2 (`ip route add
    default via`); Linux net/ipv4/fib_semantics.c ("Nexthop has invalid gateway"); sonic-net/SONiC 98de38f
    doc/vxlan/Vxlan_hld.md (`SRC_IP`: "lpbk address for tunnel term"), doc/vxlan/EVPN/EVPN_VXLAN_HLD.md (`show
    vxlan interface` prints the loopback).
    """
    for key, gateway, subnets in _gateways(switch):
        if subnets and not any(gateway in net for net in subnets):
            name = key.partition("|")[0]
            have = ", ".join(str(net) for net in subnets)
            message = f"gateway {gateway} of {name} is in no subnet of it, which is in {have}"
            at = switch.spot("MGMT_INTERFACE", key, "gwaddr")
            yield RowFinding(at, message, "write a gateway of the subnet")
    own = {net.ip for table in _TABLES for net in _networks(switch, table)}
    for key, source in _sources(switch):
        if own and source not in own:
            message = f"src_ip {source} of VXLAN_TUNNEL {key} is on no interface of {switch.name}"
            at = switch.spot("VXLAN_TUNNEL", key, "src_ip")
            yield RowFinding(at, message, "use the address of a loopback, or add it to one")


def _gateways(switch: DbSwitch) -> Iterator[tuple[str, IPAddress, list[IPNetwork]]]:
    """Rows with a gateway, and the subnets of the family that the interface has."""
    for key in switch.keys("MGMT_INTERFACE"):
        gateway = parse_address(switch.text("MGMT_INTERFACE", key, "gwaddr") or "")
        if gateway is None or gateway.is_link_local():
            continue
        name = key.partition("|")[0]
        if any(_is_bare(other, name, gateway.version) for other in switch.keys("MGMT_INTERFACE")):
            continue  # NP878
        nets = [net for net in _networks(switch, "MGMT_INTERFACE", name) if net.version == gateway.version]
        yield key, gateway, nets


def _is_bare(key: str, name: str, version: int) -> bool:
    """Whether a key gives this interface an address of this family without its prefix length."""
    owner, _, prefix = key.partition("|")
    address = parse_address(prefix) if owner == name else None
    return address is not None and address.version == version


def _sources(switch: DbSwitch) -> Iterator[tuple[str, IPAddress]]:
    for key in switch.keys("VXLAN_TUNNEL") if switch.whole else ():
        source = parse_address(switch.text("VXLAN_TUNNEL", key, "src_ip") or "")
        if source is not None:
            yield key, source


def _networks(switch: DbSwitch, table: str, name: str = "") -> Iterator[IPNetwork]:
    """A length that is not stated is that of a host address."""
    for key in switch.keys(table):
        owner, bar, prefix = key.partition("|")
        network = parse_network(prefix) if bar and name in ("", owner) else None
        if network is not None:
            yield network
        elif bar and (address := parse_address(prefix)) is not None and name in ("", owner):
            yield IPNetwork(address)
