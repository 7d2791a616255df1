"""Bridges and VLAN interfaces of NVUE that are called otherwise than netplan calls them, ``br_default`` and
``vlan100``: names are free (CumulusNetworks/docs 05e49539, VLAN-aware Bridge Mode; NVUE reference, nv set
interface <interface-id> vlan). And ports of which it states nothing but that they are there, as of uplinks
without addresses (unifabric-io/nvair-cli examples/simple)."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Of, Remark, Said, Site
from netplan.reading.switches.places import Matched, matched
from netplan.reading.switches.rules import Rules

BRIDGE = "bridge"
"""Field of a port: the bridge that it is in, if that is not br_default."""
_MEMBER = r"nv set interface <port> bridge domain (?!br_default( |$))<bridge>( .+)?"
_VLAN = r"nv set interface (?!vlan[0-9]+ )<who> vlan <vlan>"
_SUB = "nv set interface <who> base-interface .+"
_BARE = "nv set interface <port> type swp"
_ADDRESS = r"nv set interface (?!vlan[0-9]+ )<who> (ip|ipv4|ipv6) address <address>"


def named_otherwise(rules: Rules, name: str, text: str, file: str) -> Iterator[Fact | Remark]:
    if rules.nos.name != "cumulus-nvue":
        return
    lines = [*matched(rules, text, (_MEMBER, _VLAN, _SUB, _ADDRESS, _BARE))]
    for line in lines:
        if line.pattern == _BARE:
            yield Fact("port", (name, str(line.values["port"])), "there", True, _at(file, line))
    yield from _bridges(name, [line for line in lines if line.pattern == _MEMBER], file)
    subs = {line.values["who"] for line in lines if line.pattern == _SUB}
    vlans = {line.values["who"]: line for line in lines if line.pattern == _VLAN}
    for who in subs & vlans.keys():
        del vlans[who]
    for line in lines:
        if line.pattern == _ADDRESS and line.values["who"] in vlans:
            address, vlan = str(line.values["address"]), str(vlans[line.values["who"]].values["vlan"])
            yield Fact("svi", (name, vlan), f"address/{address}", address, _at(file, line))
    for who, line in vlans.items():
        why = "netplan calls it otherwise, its addresses are taken"
        what = f"{name}: {who} is the interface of VLAN {line.values['vlan']}: {why}"
        yield Remark(_at(file, line), what, alike=why)


def _at(file: str, line: Matched) -> Source:
    return Source(file, line.line or 1, 1)


def _bridges(name: str, lines: list[Matched], file: str) -> Iterator[Fact | Remark]:
    ports: dict[object, dict[object, Matched]] = {}
    for line in lines:
        ports.setdefault(line.values["bridge"], {}).setdefault(line.values["port"], line)
    for bridge, own in ports.items():
        for port, line in own.items():
            yield Fact("port", (name, str(port)), BRIDGE, str(bridge), _at(file, line))
        port, first = next(iter(own.items()))
        more = f" ({len(own) - 1} more of this kind)" if len(own) > 1 else ""
        what = f"{port} is in bridge {bridge}: only VLANs of br_default are taken{more}"
        yield Remark(_at(file, first), f"{name}: {what}", alike=f"bridge {bridge}")


def in_bridge(site: Site, port: Of) -> Said | None:
    return site.said("port", port, BRIDGE)
