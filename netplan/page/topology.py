"""Hosts, switches and cables as drawn: tiers, and pods of leaves with the hosts behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from netplan.model.hardware import Host, HostLink, Switch
from netplan.model.plan import Plan
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricPod:
    """Leaves and the hosts cabled to them; one of the two may be empty. ``name``: as drawn."""

    name: str
    leaves: tuple[Switch, ...]
    hosts: tuple[Host, ...]


class Topology:
    """Topology of a plan. A switch with hosts is in a pod, whatever its role; other non-leaves are above."""

    def __init__(self, plan: Plan) -> None:
        self.fabric = plan.fabric

    @cached_property
    def _low(self) -> frozenset[str]:
        cabled = {link.switch.name for link in self.fabric.host_links}
        return frozenset(s.name for s in self.fabric.switches if s.role == "leaf" or s.name in cabled)

    @property
    def spines(self) -> tuple[Switch, ...]:
        return tuple(s for s in self.fabric.switches if s.name not in self._low)

    @cached_property
    def pods(self) -> tuple[FabricPod, ...]:
        """In the order of their first leaf; hosts without cables last, by type."""
        together = _joined(self.fabric.host_links)
        leaves: dict[str, list[Switch]] = {}
        hosts: dict[str, list[Host]] = {}
        for switch in self.fabric.switches:
            if switch.name in self._low:
                leaves.setdefault(together.get(f"s {switch.name}", switch.name), []).append(switch)
        for host in self.fabric.hosts:
            key = together.get(f"h {host.name}")
            hosts.setdefault(f"t {host.type.name}" if key is None else key, []).append(host)
        keys = dict.fromkeys([*leaves, *hosts])
        return tuple(
            FabricPod(
                name=key[2:] if key.startswith("t ") else f"pod {number}",
                leaves=tuple(leaves.get(key, ())),
                hosts=tuple(hosts.get(key, ())),
            )
            for number, key in enumerate(keys, 1)
        )

    @cached_property
    def pod_of(self) -> Mapping[tuple[str, str], int]:
        """(host or switch, name) -> index of its pod."""
        found: dict[tuple[str, str], int] = {}
        for index, pod in enumerate(self.pods):
            found |= {("switch", leaf.name): index for leaf in pod.leaves}
            found |= {("host", host.name): index for host in pod.hosts}
        return found


def rails_of(links: tuple[HostLink, ...]) -> dict[str, tuple[int, ...]]:
    """Switch -> rails that end on it."""
    found: dict[str, set[int]] = {}
    for link in links:
        if link.hca.rail is not None:
            found.setdefault(link.switch.name, set()).add(link.hca.rail)
    return {name: tuple(sorted(rails)) for name, rails in found.items()}


def _joined(links: tuple[HostLink, ...]) -> dict[str, str]:
    """Host or switch -> the first switch of its pod."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        parent.setdefault(name, name)
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for link in links:
        parent[root(f"h {link.host.name}")] = root(f"s {link.switch.name}")
    return {name: root(name) for name in list(parent)}


def blocks(hosts: tuple[Host, ...]) -> Iterator[tuple[str, tuple[Host, ...]]]:
    """Hosts of a pod by type."""
    by_type: dict[str, list[Host]] = {}
    for host in hosts:
        by_type.setdefault(host.type.name, []).append(host)
    yield from ((name, tuple(those)) for name, those in by_type.items())
