"""The base site of ``tests.switch_site`` on a NOS with its own port names, and helpers to read its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from netplan.model.nos import NosAsic, NosProfile
from netplan.model.switch_ports import PortVlans
from netplan.plan.switches import plan_switches
from tests.switch_site import Site, site

ROUTED_HOSTS: dict[str, Any] = {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None}
STRETCHED: dict[str, Any] = {"underlay": None, "rails__segment": "stretched", "rails__gateway": "none"}
ECN = {"kmin_bytes": 100000, "kmax_bytes": 1500000, "probability_percent": 20}
TWO_LOSSLESS: dict[str, Any] = {
    "fabric__qos__classes": {
        "roce": {"dscp": 26, "priority": 3, "lossless": True, "bandwidth_percent": 40, "ecn": ECN},
        "store": {"dscp": 34, "priority": 4, "lossless": True, "bandwidth_percent": 20, "ecn": ECN},
        "cnp": {"dscp": 48, "priority": 6, "scheduling": "strict"},
    }
}
BOX = {"ports": 64, "speeds_gbps": [100], "host_table": 16384, "source": "https://example.com/box"}


def nos_site(nos: str, port: str, asic: str, **changes: Any) -> Site:
    """The base site on ``nos``; ``port``: a port name without its last number, which counts from 1."""
    links: list[dict[str, Any]] = []
    for leaf in range(1, 5):
        host = {"hosts": "gpu-[001-016]", "hca": f"roce{leaf - 1}", "switch": f"leaf-{leaf}"}
        links.append(host | {"ports": f"{port}[1-16]", "cable_m": 5})
        for number, uplinks in ((1, "[17-20]"), (2, "[21-24]")):
            up = {"switches": f"leaf-{leaf}", "ports": port + uplinks, "to": f"spine-{number}"}
            links.append(up | {"to_ports": f"{port}[{leaf * 4 - 3}-{leaf * 4}]", "cable_m": 40})
    base = {
        "catalog": {"switches": {"box": BOX | {"asic": asic}}},
        "switch_types__leaf": {"nos": nos, "model": "box", "port_mtu": 9216},
        "links": links,
    }
    return site(**base | changes)


def with_vlans(base: Site, vlans: PortVlans) -> Site:
    """The site whose first host port has ``vlans`` instead of its rail's."""
    port = base.switch("leaf-1").ports[0].name
    return _planned_again(base, base.nos, {("leaf-1", port): vlans})


def with_asic(base: Site, nos: str, cell_bytes: int = 0, queue_bytes: int = 0) -> Site:
    """The site whose NOS knows only these sizes for every ASIC."""
    profile = base.nos[nos]
    asics: Mapping[str, NosAsic] = {
        name: replace(asic, cell_bytes=cell_bytes, queue_bytes=queue_bytes)
        for name, asic in profile.asics.items()
    }
    return _planned_again(base, {nos: replace(profile, asics=asics)}, {})


def _planned_again(
    base: Site, nos: Mapping[str, NosProfile], vlans: Mapping[tuple[str, str], PortVlans]
) -> Site:
    switches = plan_switches(base.fabric, base.addresses, base.qos, nos, vlans)
    return replace(base, nos=nos, switches=switches)


def commands(text: str, comment: str) -> list[str]:
    """Lines that are not comments, without indent."""
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith(comment)]


def context(text: str, header: str) -> list[str]:
    """The lines below ``header`` that are indented deeper, without indent."""
    lines = text.splitlines()
    start = next(n for n, line in enumerate(lines) if line.strip() == header)
    depth = _indent(lines[start])
    below: list[str] = []
    for line in lines[start + 1 :]:
        if _indent(line) <= depth:
            break
        below.append(line.strip())
    return below


def badly_indented(text: str) -> list[str]:
    """Lines more than one level deeper than the line above, empty lines, and lines with trailing spaces."""
    lines = text.splitlines()
    return [
        line
        for above, line in pairwise(["", *lines])
        if _indent(line) > _indent(above) + 1 or line != line.rstrip() or not line
    ]


def contexts(text: str, comment: str) -> int:
    """How often a line is deeper than the command above: each such context must be left once."""
    lines = [line for line in text.splitlines() if not line.lstrip().startswith(comment)]
    return sum(_indent(below) > _indent(above) for above, below in pairwise(lines))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
