"""Files of one switch in many states: the base site of a NOS with fixed and random edits."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from netplan.changes.commands import Files
from tests.nos_site import ECN, nos_site
from tests.switch_site import Site, inventory, site

OFTEN = int(os.environ.get("NETPLAN_PAIRS", "20"))
"""Number of random pairs of states per full test; make fuzz runs a thousand."""
QUICK = 8
PAGES = ("README.md", "cabling.csv")
NOSES: Mapping[str, tuple[str, str]] = {
    "cumulus-nvue": ("swp", "spectrum-3"),
    "juniper-junos": ("et-0/0/", "tomahawk5"),
}
"""NOS -> (port name before its number, ASIC); the base site itself is SONiC."""

_ROCE: dict[str, Any] = {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50, "ecn": ECN}
_CNP: dict[str, Any] = {"dscp": 48, "priority": 6, "scheduling": "strict"}
_STORE: dict[str, Any] = {"dscp": 34, "priority": 4, "bandwidth_percent": 20, "ecn": ECN}


def classes(**changed: Any) -> dict[str, Any]:
    return {
        "fabric__qos__classes": {"roce": _ROCE | {"bandwidth_percent": 40}, "store": _STORE, "cnp": _CNP}
        | changed
    }


EDITS: Mapping[str, dict[str, Any]] = {
    "base": {},
    "vlan": {"rails__vlan_ids": "300-303"},
    "vlan-and-subnet": {"rails__vlan_ids": "300-303", "rails__supernets": ["172.20.0.0/20"]},
    "subnet-split": {"rails__prefixes": [25]},
    "mtu": {"fabric__mtu": 4200, "switch_types__leaf__port_mtu": 4400},
    "store-lossy": classes(),
    "store-lossless": classes(store=_STORE | {"lossless": True}),
    "other-priority": {"fabric__qos__classes": {"roce": _ROCE | {"priority": 5}, "cnp": _CNP}},
    "dscp": {"fabric__qos__classes": {"roce": _ROCE | {"dscp": 28}, "cnp": _CNP}},
    "pcp": {"fabric__qos__trust": "pcp"},
    "all-lossy": {"fabric__qos__classes": {"roce": _ROCE | {"lossless": False}, "cnp": _CNP}},
    "no-qos": {"fabric__qos": None},
    "no-watchdog": {"fabric__qos__pfc_watchdog": None},
    "asn": {"underlay__leaf_asn": "4200000300+"},
    "spine-asn": {"underlay__spine_asn": 4200000009},
    "loopback": {"underlay__loopbacks": "172.31.254.0/24"},
    "routed-hosts": {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None},
    "stretched": {"underlay": None, "rails__segment": "stretched", "rails__gateway": "none"},
    "ipv6": {"rails__supernets": ["172.16.0.0/20", "fd00:10::/48"], "rails__prefixes": [24, 64]},
    "no-arp": {"fabric__arp": None},
    "fewer-hosts": {"_hosts": 4},
    "frr-split": {"switch_types__leaf__frr_mode": "split"},
    "frrcfgd": {"switch_types__leaf__frr_mode": "frrcfgd"},
    "one-rail-less": {"_rails": 3},
}
"""Edit -> changes to the base site. ``_hosts`` and ``_rails``: how many of them are cabled."""


EXCLUSIVE = ("routed-hosts", "stretched", "pcp")
"""Edits whose old and new port configuration cannot coexist."""


@cache
def _made(nos: str, key: str) -> Site:
    changes = dict(_known[key])
    hosts, rails = changes.pop("_hosts", 5), changes.pop("_rails", 4)
    if nos == "sonic":
        links = [dict(link) for link in inventory()["links"]]
        numbers = f"[0-{(hosts - 1) * 4}/4]"
        prefix = "Ethernet"
    else:
        prefix, numbers = NOSES[nos][0], f"[1-{hosts}]"
        links = [dict(link) for link in inventory_of(nos)]
    for link in links:
        if "hosts" in link:
            link |= {"hosts": f"gpu-[001-{hosts:03}]", "ports": prefix + numbers}
    gone = {f"leaf-{number}" for number in range(rails + 1, 5)}
    if gone:
        links = [link for link in links if not gone & {link.get("switch"), link.get("switches")}]
        changes |= {"rails__count": rails}
        changes |= {"rails__vlan_ids": "100-102"} if "rails__vlan_ids" not in changes else {}
        hca = {
            "model": "connectx-5",
            "netdev": f"ens1f[0-{rails - 1}]",
            "rail": 0,
            "speed_gbps": 100,
            "use": "vf",
            "vfs": 8,
        }
        changes |= {"host_types__gpu__hcas": {f"roce[0-{rails - 1}]": hca}}
        changes |= {"switches": {f"leaf-[1-{rails}]": _LEAF, "spine-[1-2]": _SPINE}}
    changes |= {"links": links, "hosts": {f"gpu-[001-{hosts:03}]": {"type": "gpu", "id": 1}}}
    return site(**changes) if nos == "sonic" else nos_site(nos, *NOSES[nos], **changes)


_LEAF = {"type": "leaf", "id": 1, "role": "leaf"}
_SPINE = {"type": "leaf", "id": 101, "role": "spine"}
_known: dict[str, dict[str, Any]] = {}


def inventory_of(nos: str) -> list[dict[str, Any]]:
    """Links of the base site of a NOS, as ``nos_site`` has them."""
    port = NOSES[nos][0]
    links: list[dict[str, Any]] = []
    for leaf in range(1, 5):
        host = {"hosts": "", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(host | {"ports": "", "cable_m": 5})
        for number, uplinks in ((1, "[17-20]"), (2, "[21-24]")):
            up = {"switches": f"leaf-{leaf}", "ports": port + uplinks, "to": f"spine-{number}"}
            links.append(up | {"to_ports": f"{port}[{leaf * 4 - 3}-{leaf * 4}]", "cable_m": 40})
    return links


def files(nos: str, changes: Mapping[str, Any], switch: str = "leaf-1") -> Files:
    """Files of one switch of the site, as ``diff`` compares them."""
    key = repr(sorted(changes.items()))
    _known[key] = dict(changes)
    found = _made(nos, key)
    if all(each.name != switch for each in found.switches):
        return {}
    return {name: text for name, text in found.files(switch).items() if name not in PAGES}


def settings_of(text: str) -> set[str]:
    """Settings of a sysctl file."""
    return {line for line in text.splitlines() if line and not line.startswith("#")}


_KNOBS: tuple[tuple[str, ...], ...] = (
    ("base", "vlan", "vlan-and-subnet", "subnet-split", "routed-hosts", "ipv6"),
    ("base", "mtu"),
    (
        "base",
        "store-lossy",
        "store-lossless",
        "other-priority",
        "dscp",
        "pcp",
        "all-lossy",
        "no-qos",
        "no-watchdog",
    ),
    ("base", "asn", "spine-asn", "loopback"),
    ("base", "no-arp"),
    ("base", "fewer-hosts"),
)


@st.composite
def changes(draw: st.DrawFn, more: Sequence[Sequence[str]]) -> dict[str, Any]:
    """One edit of each kind, combined."""
    found: dict[str, Any] = {}
    for knob in (*_KNOBS, *more):
        found |= EDITS[draw(st.sampled_from(knob))]
    return found


def pairs(*more: Sequence[str]) -> st.SearchStrategy[tuple[str, dict[str, Any], dict[str, Any]]]:
    """A switch and two states of its site. ``more``: additional kinds of edits for the NOS."""
    return st.tuples(st.sampled_from(("leaf-1", "leaf-2", "spine-1")), changes(more), changes(more))
