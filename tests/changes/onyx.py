"""Onyx commands for ``cli``. Each line repeats the block it belongs to; an address is added to the existing
ones."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.changes.cli import (
    Cli,
    Form,
    State,
    interfaces_have_vlans,
    members_exist,
    one_network_once,
    only_one,
)
from tests.changes.vrp import one_value

PORT, SVI, BGP = r"(?:port|loopback) [^ ]*", r"svi \d+", "bgp [^/]*"
ANY = f"(?:{PORT}|{SVI})"
HEADER = re.compile(
    r"(interface (?:ethernet|vlan|loopback) \S+|vlan \d+|router bgp \d+ vrf default)(?: (.+))?"
)
CLASSES = r"ets \d|ecn \d"


def has_one(key: str):
    def refused(state: State, path: tuple[str, ...], line: str) -> str:
        wanted = key.format(*line.split())
        return f"{wanted} is there already" if wanted in state.objects[path] else ""

    return refused


def profile_wipes(state: State, path: tuple[str, ...], line: str) -> str:
    """The profile sets its own weights and thresholds on every port."""
    if state.objects[()].get("roce") != line:
        for keys in state.objects.values():
            for key in [key for key in keys if re.fullmatch(CLASSES, key)]:
                del keys[key]
    return ""


FORMS = [
    Form("", "(?:lldp|protocol bgp|ip routing vrf default)", keeps=True),
    Form("", "roce (lossless|lossy)", sets="roce", refused=profile_wipes),
    Form("", "no roce", unsets=["roce"]),
    *one_value("", r"mac-address-table aging-time \d+", "mac", "no mac-address-table aging-time"),
    *one_value("", r"ip route (\S+) .+", "route {1}", "no ip route (.+)"),
    Form("", r"vlan (\d+)", opens="vlan {1}"),
    Form("", r"no vlan (\d+)", ends="vlan {1}"),
    *one_value("vlan .*", r"name (\S+)", "name", "no name"),
    Form("", r"interface vlan (\d+)", opens="svi {1}"),
    Form("", r"no interface vlan (\d+)", ends="svi {1}"),
    Form("", r"interface loopback (\d+)", opens="loopback {1}", whole=False, keeps=True),
    Form("", r"interface ethernet (\S+)", opens="port {1}", whole=False),
    *one_value(PORT, r"mtu \d+ force", "mtu", "no mtu"),
    *one_value(PORT, "description .+", "description", "no description"),
    Form(ANY, r"ip address (\S+)", sets="address", refused=has_one("address")),
    Form(ANY, "no ip address", unsets=["address"]),
    Form(PORT, "no switchport force", sets="mode", wipes=["access", "vlans:.*"]),
    Form(PORT, "switchport force", unsets=["mode"], wipes=["address"]),
    Form(PORT, "switchport mode access", sets="mode", value=None, wipes=["vlans:.*", "address"]),
    Form(PORT, "switchport mode (trunk|hybrid)", sets="mode", wipes=["access", "vlans:.*", "address"]),
    *one_value(PORT, r"switchport access vlan (\d+)", "access", "no switchport access vlan"),
    Form(
        PORT,
        r"switchport (trunk|hybrid) allowed-vlan add (\d+)",
        adds="vlans:{2}",
        value="switchport {1} allowed-vlan add #",
    ),
    Form(PORT, r"switchport (?:trunk|hybrid) allowed-vlan remove (\d+)", takes="vlans:{1}"),
    *one_value(
        PORT, r"traffic-class (\d) dcb ets (?:strict|wrr \d+)", "ets {1}", r"no traffic-class (\d) dcb ets"
    ),
    *one_value(
        PORT,
        r"traffic-class (\d) congestion-control .+",
        "ecn {1}",
        r"no traffic-class (\d) congestion-control",
    ),
    Form("", r"router bgp (\d+) vrf default", opens="bgp {1}", whole=False, keeps=True),
    Form("", r"no router bgp (\d+) vrf default", ends="bgp {1}"),
    *one_value(BGP, "router-id .+ force", "router-id", "no router-id"),
    *one_value(BGP, r"maximum-paths \d+", "paths", "no maximum-paths"),
    Form(BGP, r"neighbor (\S+) remote-as (\d+)", sets="neighbor {1}", refused=has_one("neighbor {1}")),
    Form(BGP, r"no neighbor (\S+) remote-as (\d+)", unsets=["neighbor {1}"]),
    *one_value(BGP, r"network (\S+ \S+)", "network {1}", r"no network (\S+ \S+)"),
]


def modes(state: State) -> Iterator[str]:
    for path, keys in state.objects.items():
        if not path or not path[0].startswith("port"):
            continue
        mode = keys.get("mode", "")
        listed = any(key.startswith("vlans:") for key in keys)
        if (listed and not re.search("trunk|hybrid", mode)) or (
            "address" in keys and mode != "no switchport force"
        ):
            yield f"{path[0]} is no such port"


def vlan(number: str) -> tuple[str, ...]:
    return (f"vlan {number}",)


def weights(state: State) -> Iterator[str]:
    """The weights of a port add up to at most 100."""
    for path, keys in state.objects.items():
        given = [
            int(value.split()[-1]) for key, value in keys.items() if key.startswith("ets") and "wrr" in value
        ]
        if sum(given) > 100:
            yield f"{path[0]} gives away {sum(given)} %"


RULES = [
    one_network_once,
    members_exist(vlan),
    interfaces_have_vlans("svi ", vlan),
    modes,
    weights,
    only_one("bgp "),
]


def flat(line: str) -> tuple[str, str]:
    match = HEADER.fullmatch(line)
    return (match[1], match[2] or "") if match else (line, "")


CLI = Cli(FORMS, RULES, comment="##", leave="exit", flat=flat)


def faults(state: State) -> Iterator[str]:
    for rule in RULES:
        yield from rule(state)


FOREIGN = """
vlan 999
exit
vlan 999 name others
interface vlan 999
exit
interface vlan 999 ip address 192.0.2.1/24
interface ethernet 1/1 switchport trunk allowed-vlan add 999
interface ethernet 1/60 description others
ip route 198.51.100.0/24 192.0.2.9
router bgp {asn} vrf default neighbor 192.0.2.9 remote-as 65000
"""
"""Lines configured by others. ``{{asn}}``: the switch's own AS number."""
