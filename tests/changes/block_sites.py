"""Files of switches with a block CLI: the base site of a NOS with fixed and random edits."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st

from netplan.changes.commands import Files
from tests.nos_site import ECN, nos_site
from tests.switch_site import Site
from tests.vendors.sites import PORTS

_ROCE: dict[str, Any] = {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 50, "ecn": ECN}
_CNP: dict[str, Any] = {"dscp": 48, "priority": 6, "scheduling": "strict"}
_STORE: dict[str, Any] = {"dscp": 34, "priority": 4, "bandwidth_percent": 20, "ecn": ECN}


def _classes(**classes: Mapping[str, Any] | None) -> dict[str, Any]:
    base: dict[str, Any] = {"roce": _ROCE | {"bandwidth_percent": 40}, "store": _STORE, "cnp": _CNP}
    return {"fabric__qos__classes": {name: row for name, row in (base | classes).items() if row is not None}}


def _without(key: str, row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}


EDITS: Mapping[str, dict[str, Any]] = {
    "base": {},
    "vlan": {"rails__vlan_ids": "300-303"},
    "vlans shifted": {"rails__vlan_ids": "101-104"},
    "vlan and subnet": {"rails__vlan_ids": "300-303", "rails__supernets": ["172.20.0.0/20"]},
    "subnet": {"rails__supernets": ["172.20.0.0/20"]},
    "mtu": {"fabric__mtu": 4200, "switch_types__leaf__port_mtu": 4400},
    "store lossy": _classes(),
    "store lossless": _classes(store=_STORE | {"lossless": True}),
    "store strict": _classes(
        store=_without("bandwidth_percent", _without("ecn", _STORE)) | {"scheduling": "strict"}
    ),
    "other priority": _classes(roce=_ROCE | {"priority": 5}, store=None),
    "dscp": _classes(roce=_ROCE | {"dscp": 28}, store=None),
    "dscp swapped": _classes(roce=_ROCE | {"dscp": 34, "bandwidth_percent": 40}, store=_STORE | {"dscp": 26}),
    "no loss left": _classes(roce=_ROCE | {"lossless": False}, store=None),
    "pcp": {"fabric__qos__trust": "pcp"},
    "no qos": {"fabric__qos": None},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "as": {"underlay__leaf_asn": "4200000300+"},
    "spine as": {"underlay__spine_asn": 4200000009},
    "loopback": {"underlay__loopbacks": "172.31.254.0/24"},
    "uplinks": {"underlay__uplinks": "172.31.8.0/22"},
    "routed hosts": {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None},
    "stretched": {"underlay": None, "rails__segment": "stretched", "rails__gateway": "none"},
    "ipv6": {"rails__supernets": ["172.16.0.0/20", "fd00:10::/48"], "rails__prefixes": [24, 64]},
    "no ages": {"fabric__arp": None},
    "mac age": {"fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 300}},
    "fewer hosts": {"_hosts": 12},
    "other uplinks": {"_uplinks": 2},
}
"""Edit -> changes to the base site. ``_hosts``: how many are cabled; ``_uplinks``: ports to each spine."""
KNOBS: tuple[tuple[str, ...], ...] = (
    ("base", "vlan", "vlans shifted", "vlan and subnet", "subnet", "routed hosts"),
    ("base", "mtu"),
    (
        "base",
        "store lossy",
        "store lossless",
        "store strict",
        "other priority",
        "dscp",
        "dscp swapped",
        "no loss left",
    ),
    ("base", "no watchdog", "no qos"),
    ("base", "as", "spine as", "loopback"),
    ("base", "no ages", "mac age"),
    ("base", "fewer hosts"),
    ("base", "other uplinks"),
)


def files(nos: str, changes: Mapping[str, Any], switch: str = "leaf-1") -> Files:
    """Files of one switch of the site."""
    found = _site(nos, repr(sorted(changes.items())), _Hidden(changes))
    return {name: text for name, text in found.files(switch).items() if name != "README.md"}


class _Hidden:
    """Changes as a cached argument that always compares equal: another argument identifies them."""

    def __init__(self, changes: Mapping[str, Any]) -> None:
        self.changes = dict(changes)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hidden)

    def __hash__(self) -> int:
        return 0


@cache
def _site(nos: str, key: str, hidden: _Hidden) -> Site:
    changes = dict(hidden.changes)
    hosts, uplinks = changes.pop("_hosts", 16), changes.pop("_uplinks", 4)
    port, asic = PORTS[nos]
    links: list[dict[str, Any]] = []
    for leaf in range(1, 5):
        host = {"hosts": f"gpu-[001-{hosts:03}]", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(host | {"ports": f"{port}[1-{hosts}]", "cable_m": 5})
        for number in (1, 2):
            first, at = 13 + 4 * number, leaf * 4 - 3
            up = {"switches": f"leaf-{leaf}", "ports": f"{port}[{first}-{first + uplinks - 1}]"}
            links.append(
                up | {"to": f"spine-{number}", "to_ports": f"{port}[{at}-{at + uplinks - 1}]", "cable_m": 40}
            )
    changes |= {"links": links, "hosts": {f"gpu-[001-{hosts:03}]": {"type": "gpu", "id": 1}}}
    return nos_site(nos, port, asic, **changes)


@st.composite
def states(draw: st.DrawFn) -> dict[str, Any]:
    """One edit of each kind, combined."""
    found: dict[str, Any] = {}
    for knob in KNOBS:
        edit = EDITS[draw(st.sampled_from(knob))]
        if not (
            edit.get("fabric__qos", found.get("fabric__qos", "")) is None
            and "fabric__qos__classes" in {**found, **edit}
        ):
            found |= edit
    if "fabric__qos" in found:
        found = {key: value for key, value in found.items() if not key.startswith("fabric__qos__")}
    return found
