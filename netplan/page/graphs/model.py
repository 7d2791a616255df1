"""The drawn topology, independent of the format: nodes with tier and position, and lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from netplan.model.hardware import Host
from netplan.model.plan import Plan
from netplan.model.ranges import gathered
from netplan.page.topology import FabricPod, Topology, blocks, rails_of
from netplan.records import dataclass

Tier = Literal["spine", "leaf", "pod", "host"]
FILLS: Mapping[Tier, str] = {"spine": "#dcebfa", "leaf": "#eef1f4", "pod": "#eef1f4", "host": "#ffffff"}
LINE, TEXT = "#4c5a67", "#17202a"
FRAMES: Mapping[Tier, str] = {"spine": "#0b5cad", "leaf": LINE, "pod": LINE, "host": LINE}
"""Colours of nodes: fill, and frame if the format shows tiers by it."""
MOST_LEAVES = 64
"""Up to this many leaves each is a node, unless the user chooses the detail."""
NODE_HIGH, GAP = 44, 12
"""Pixels, for formats with positions."""
_LETTER, _LEAST, _MOST = 6.2, 56, 150
"""Pixels: width of a letter of size 11; least and most width of a node."""
_TIER = 150
_ASPECT = 6
"""Gap between tiers: a number of pixels, or this fraction of the width."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """``id``: letters and digits only. ``lines``: of its label. ``x``, ``y``: upper left corner."""

    id: str
    tier: Tier
    lines: tuple[str, ...]
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Edge:
    """Cables drawn as one line; ``gbps``: their speeds, the most frequent first."""

    lower: str
    upper: str
    cables: int
    gbps: tuple[int, ...]

    @property
    def label(self) -> str:
        return f"{self.cables} x {'/'.join(map(str, self.gbps))}G"


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """``high``, ``wide``: of the whole drawing; ``node_wide``: of each node."""

    name: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    wide: int
    high: int
    node_wide: int


def graph_of(plan: Plan, detail: str | None) -> Graph:
    topology = Topology(plan)
    leaves = sum(len(pod.leaves) for pod in topology.pods)
    wanted = detail or ("switches" if leaves <= MOST_LEAVES else "pods")
    return _Maker(plan, topology, wanted).graph()


class _Maker:
    def __init__(self, plan: Plan, topology: Topology, detail: str) -> None:
        self._plan, self._topology, self._detail = plan, topology, detail
        self._rails = rails_of(plan.fabric.host_links)
        self._ids: dict[tuple[Tier, str], str] = {}
        self._node_of: dict[tuple[str, str], str] = {}
        self._tiers: dict[Tier, list[tuple[str, tuple[str, ...]]]] = {
            "spine": [],
            "pod": [],
            "leaf": [],
            "host": [],
        }

    def graph(self) -> Graph:
        for spine in self._topology.spines:
            self._add("spine", spine.name, (spine.name, spine.type.model.name), [("switch", spine.name)])
        for pod in self._topology.pods:
            self._of_pod(pod)
        nodes, wide, high, each = self._placed()
        return Graph(
            name=self._plan.fabric.site,
            nodes=nodes,
            edges=tuple(self._edges()),
            wide=wide,
            high=high,
            node_wide=each,
        )

    def _of_pod(self, pod: FabricPod) -> None:
        if self._detail == "pods":
            inside = [("switch", s.name) for s in pod.leaves] + [("host", h.name) for h in pod.hosts]
            self._add("pod", pod.name, tuple(_pod_lines(pod)), inside)
            return
        for leaf in pod.leaves:
            rails = self._rails.get(leaf.name, ())
            said = f"rail {rails[0]}" if len(rails) == 1 else leaf.type.model.name
            self._add("leaf", leaf.name, (leaf.name, said), [("switch", leaf.name)])
        if self._detail == "hosts":
            for host in pod.hosts:
                self._add("host", host.name, (host.name, host.type.name), [("host", host.name)])
            return
        for kind, hosts in blocks(pod.hosts):
            lines = (gathered(h.name for h in hosts), _counted(kind, hosts))
            self._add("host", f"{pod.name} {kind}", lines, [("host", h.name) for h in hosts])

    def _add(self, tier: Tier, name: str, lines: tuple[str, ...], inside: list[tuple[str, str]]) -> None:
        number = f"{tier}{len(self._tiers[tier]) + 1}"
        self._tiers[tier].append((number, lines))
        self._node_of |= dict.fromkeys(inside, number)

    def _edges(self) -> Iterator[Edge]:
        speeds: dict[tuple[str, str], Counter[int]] = {}
        for lower, upper, gbps in self._cables():
            if lower != upper:
                speeds.setdefault((lower, upper), Counter())[gbps] += 1
        for (lower, upper), found in speeds.items():
            ordered = tuple(gbps for gbps, _ in sorted(found.items(), key=lambda each: (-each[1], -each[0])))
            yield Edge(lower, upper, found.total(), ordered)

    def _cables(self) -> Iterator[tuple[str, str, int]]:
        ports = {(s.name, p.name): p.speed_gbps for s in self._plan.switches for p in s.ports}
        for cable in self._plan.fabric.switch_links:
            ends = self._node_of["switch", cable.lower.name], self._node_of["switch", cable.upper.name]
            yield (*ends, ports[cable.lower.name, cable.lower_port])
        for link in self._plan.fabric.host_links:
            ends = self._node_of["host", link.host.name], self._node_of["switch", link.switch.name]
            yield (*ends, link.hca.speed_gbps)

    def _placed(self) -> tuple[tuple[Node, ...], int, int, int]:
        """Tiers one above the other; each row spans the width, so that hosts are below their leaves."""
        used = [(tier, those) for tier, those in self._tiers.items() if those]
        longest = max((len(line) for _, those in used for _, lines in those for line in lines), default=0)
        node = int(min(_MOST, max(_LEAST, longest * _LETTER + 14)))
        wide = max((min(len(those), _row(tier)) for tier, those in used), default=1) * (node + GAP)
        found: list[Node] = []
        y = 0
        for tier, those in used:
            per_row = _row(tier)
            for start in range(0, len(those), per_row):
                row = those[start : start + per_row]
                for index, (number, lines) in enumerate(row):
                    x = (2 * index + 1) * wide // (2 * len(row)) - node // 2
                    found.append(Node(id=number, tier=tier, lines=lines, x=x, y=y))
                y += NODE_HIGH + GAP
            y += max(_TIER, wide // _ASPECT) - NODE_HIGH - GAP
        high = max((each.y for each in found), default=0) + NODE_HIGH
        return tuple(found), wide, high, node


def _row(tier: Tier) -> int:
    """Nodes per row; leaves are all in one row, so that lines between tiers stay clear."""
    return {"spine": 1000, "leaf": 1000, "pod": 16, "host": 32}[tier]


def _pod_lines(pod: FabricPod) -> Iterator[str]:
    yield pod.name
    if pod.leaves:
        yield gathered(leaf.name for leaf in pod.leaves)
    yield from (_counted(kind, hosts) for kind, hosts in blocks(pod.hosts))


def _counted(kind: str, hosts: tuple[Host, ...]) -> str:
    return f"{sum(host.count for host in hosts)} x {kind}"
