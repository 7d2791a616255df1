"""Signs of a running configuration without the head of ``show running-config``: lines that one NOS alone has.
No single line decides: a text has three signs of one NOS and none of another.

EOS: aristanetworks/avd 3cac535c, intended/configs of examples and molecule; ipspace/netlab 771eeee6
netsim/install/libvirt/eos.txt; Cray-HPE/canu 817e30ff tests/data/golden_configs, sw-edge-001.cfg. NX-OS:
napalm-automation/napalm ee70e634 test/nxos/nxos/initial.conf; batfish/batfish cba18733, testconfigs of
cisco_nxos. RANCID's first line: VendorConfigurationFormatDetector.java there. Files of other vendors there,
IOS and IOS XR too, have two signs at most. NVUE: ``nvue_list``; its keys: CumulusNetworks/docs,
cumulus-linux-515, NVUE-CLI.md, nv set.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import islice
from typing import Any

from netplan import json_text
from netplan.model.document import Places, SourceMap
from netplan.reading.switches.nvue_list import PARTS, top_keys
from netplan.yaml12 import parse

_ENOUGH, _FEW = 3, 2
_LINES: Mapping[str, Mapping[str, str]] = {
    "arista-eos": {
        "blocks indented by three blanks": (
            r"^interface (?:Ethernet|Port-Channel|Vlan|Management|Loopback)[0-9/.]+\n   (?=[a-z])"
        ),
        "interface Ethernet without a slot": r"^interface Ethernet[1-9][0-9]*\n   (?=[a-z])",
        "interface Management": r"^interface Management[0-9/]+$",
        "interface Port-Channel": r"^interface Port-Channel[0-9.]+$",
        "interface Vxlan1": r"^interface Vxlan1$",
        "transceiver qsfp default-mode": r"^transceiver qsfp default-mode ",
        "service routing protocols model": r"^service routing protocols model ",
        "vrf instance": r"^vrf instance \S+$",
        "no aaa root": r"^no (?:aaa root|enable password)$",
        "ip virtual-router mac-address": r"^ip virtual-router mac-address ",
        "mlag configuration": r"^mlag configuration$",
        "daemon": r"^daemon \w+$",
        "management api": r"^management (?:api|ssh|console|telnet|security|cvx)\b",
        "spanning-tree mode": r"^spanning-tree mode (?:mstp|none)$",
        "neighbor peer group": r"^   neighbor \S+ peer group\b",
        "maximum-paths ecmp": r"^   maximum-paths [0-9]+ ecmp [0-9]+$",
        "ip routing": r"^ip routing(?: vrf \S+)?$",
        "vlan internal": r"^(?:vlan internal (?:order|allocation) |switchport default mode )",
        "hardware": (
            r"^(?:queue-monitor length|hardware (?:tcam|counter)|priority-flow-control (?:all|pause))\b"
        ),
        "qos map": r"^qos (?:map (?:dscp|cos|traffic-class) |profile \S+$)",
        "username": r"^username \S+ (?:privilege [0-9]+ )?(?:role \S+ )?(?:secret sha512 |ssh-key )",
        "!RANCID-CONTENT-TYPE": r"^!RANCID-CONTENT-TYPE: arista$",
    },
    "cisco-nxos": {
        "blocks indented by two blanks": (
            r"^interface (?:Ethernet|port-channel|Vlan|loopback)[0-9/.]+\n  (?=[a-z])"
        ),
        "interface loopback": r"^interface loopback[0-9]+$",
        "interface mgmt0": r"^interface mgmt0$",
        "interface nve1": r"^interface nve1$",
        "feature": r"^feature [a-z]",
        "vdc": r"^vdc \S+ id [0-9]+",
        "vrf context": r"^vrf context \S+$",
        "vrf member": r"^  vrf member ",
        "switchname": r"^switchname ",
        "version": r"^version [0-9]+\.[0-9]+\([^)\n]*\)\S*(?: Bios:version[^\n]*)?$",
        "boot nxos": r"^boot (?:nxos|kickstart|system) bootflash:",
        "copp profile": r"^copp profile ",
        "vpc": r"^(?:vpc domain |  vpc (?:peer-link|[0-9]+)$)",
        "network-admin": r"^snmp-server user \S+ network-admin ",
        "nxapi": r"^nxapi ",
        "network-qos": r"^(?:class-map|policy-map) type (?:network-qos|queuing) ",
        "icam": r"^(?:no password strength-check|icam monitor|cfs eth distribute)\b",
        "!RANCID-CONTENT-TYPE": r"^!RANCID-CONTENT-TYPE: cisco-nx$",
    },
}
_SIGNS = {
    nos: {name: re.compile(line, re.MULTILINE) for name, line in lines.items()}
    for nos, lines in _LINES.items()
}
_BEGIN = re.compile(r"^(?:hostname|switchname|interface) \S+", re.MULTILINE)
_HEAD, _PART = 20_000, 1_000_000
"""Characters in which a configuration has begun, and those in which its signs are looked for."""
NVUE = "cumulus-nvue"
_KEYS = PARTS | {"acl", "bridge", "evpn", "interface", "maintenance", "mlag", "nve"}
_KEYS |= {"platform", "qos", "router", "service", "system", "vrf"}
_FIRST = re.compile(r"""\ufeff?(?:\s|\#[^\n]*\n|---[^\n]*\n)*\{?\s*['"]?([A-Za-z-]+)['"]?\s*:""")
"""The first key, so that a large file of another kind is not read for its keys."""
_INTERFACE = re.compile(r"(?:eth0|lo|peerlink|(?:swp|vlan|bond)[0-9][0-9a-z,-]*)(?:[_,.-].*)?")
_TREE: Mapping[str, tuple[str, ...]] = {
    "bridge domain": ("bridge", "domain"),
    "system hostname": ("system", "hostname"),
    "vrf default": ("vrf", "default"),
    "vrf mgmt": ("vrf", "mgmt"),
    "router bgp": ("router", "bgp"),
    "qos roce": ("qos", "roce"),
}


@lru_cache(maxsize=256)
def signs_of(text: str) -> Mapping[str, tuple[str, ...]]:
    """NOS -> its signs in the text, those without any left out."""
    if not _BEGIN.search(text[:_HEAD]):
        return {}
    part = text[:_PART]
    found = {
        nos: tuple(name for name, line in signs.items() if line.search(part)) for nos, signs in _SIGNS.items()
    }
    return {nos: names for nos, names in found.items() if names}


def nos_of(text: str) -> str:
    """Empty where the signs are too few, or of two NOSes."""
    signs = signs_of(text)
    if len(signs) == 1:
        nos, names = next(iter(signs.items()))
        return nos if len(names) >= _ENOUGH else ""
    return NVUE if not signs and is_nvue(text) else ""


@lru_cache(maxsize=256)
def is_nvue(text: str) -> bool:
    """One object with keys of NVUE alone and two of its signs."""
    first = _FIRST.match(text)
    if first is None or first[1] not in _KEYS or not top_keys(text) or other_keys(text):
        return False
    if text.lstrip().startswith("{"):
        data = json_text.loads(text)
    else:
        data = parse("", text, Places(SourceMap())).data
    return isinstance(data, dict) and len([*islice(_nvue_signs(data), _FEW)]) == _FEW


def other_keys(text: str) -> list[str]:
    """Of one object: those that NVUE does not have."""
    return [key for key in top_keys(text) if key not in _KEYS]


def _nvue_signs(data: Mapping[str, Any]) -> Iterator[str]:
    header, tree = data.get("header"), data.get("set", data)
    if isinstance(header, dict) and str(header.get("nvue-api-version", "")).startswith("nvue"):
        yield "header"
    interfaces = _below(tree, ("interface",))
    if isinstance(interfaces, dict) and any(_INTERFACE.fullmatch(str(name)) for name in interfaces):
        yield "interface"
    yield from (name for name, path in _TREE.items() if _below(tree, path) is not None)


def _below(tree: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        tree = tree.get(key) if isinstance(tree, dict) else None
    return tree
