"""Ports of every switch as rows of the page; ports that count up together are one row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.model.folding import folded
from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan
from netplan.page.places import Lines, Marks

KINDS = ("host", "uplink", "downlink", "peer")
FIELDS = (
    "ports", "peers", "peer_ports", "rails", "carries", "peer_address",
    "count", "kind", "gbps", "metres", "mtu", "pfc", "headroom", "size", "line", "mark",
)  # fmt: skip
"""Columns of a row; the first six are texts with ranges."""


class Cables:
    """Switch port -> what is at the other end."""

    def __init__(self, plan: Plan, lines: Lines, marks: Marks) -> None:
        self._lines, self._marks = lines, marks
        self._peers: dict[tuple[str, str], tuple[str, str]] = {}
        for link in plan.fabric.host_links:
            self._peers[link.switch.name, link.port] = (link.host.name, link.hca.name)
        for cable in plan.fabric.switch_links:
            self._peers[cable.lower.name, cable.lower_port] = (cable.upper.name, cable.upper_port)
            self._peers[cable.upper.name, cable.upper_port] = (cable.lower.name, cable.lower_port)
        self._addresses = {
            (routed.link.switch.name, routed.link.port): " ".join(map(str, routed.host_addresses))
            for routed in plan.addresses.host_links
        }

    def rows(self, switch: SwitchPlan) -> list[list[Any]]:
        return [[*run.texts, run.count, *run.key] for run in folded(self._ports(switch))]

    def _ports(self, switch: SwitchPlan) -> Iterator[tuple[tuple[Any, ...], tuple[str, ...]]]:
        for port in switch.ports:
            peer, peer_port = self._peers[switch.name, port.name]
            texts = (
                port.name,
                peer,
                peer_port,
                "" if port.rail is None else str(port.rail),
                _carries(port),
                self._addresses.get((switch.name, port.name), ""),
            )
            yield self._key(switch, port, peer), texts

    def _key(self, switch: SwitchPlan, port: SwitchPort, peer: str) -> tuple[Any, ...]:
        room = port.headroom
        own: Path = port.at
        return (
            KINDS.index(port.kind),
            port.speed_gbps,
            port.cable_m,
            port.mtu,
            ",".join(map(str, port.pfc)),
            room.xoff if room else 0,
            room.reserved if room else 0,
            self._lines.of_path(own[:2]),
            self._marks.at(own, ("switches", switch.name), ("switches", peer), ("hosts", peer)),
        )


def _carries(port: SwitchPort) -> str:
    if port.addresses:
        return " ".join(map(str, port.addresses))
    untagged = [f"{vlan} untagged" for vlan in port.untagged]
    return ", ".join([*map(str, port.tagged), *untagged])
