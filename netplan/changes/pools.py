"""Addresses that a pool assigns to pods although a switch has them: an old gateway that exists beside the new
one.

nv-ipam skips the current gateway and exclusions of a pool, nothing else (Mellanox/nvidia-k8s-ipam 3ce4a34
pkg/ipam-node/allocator/allocator.go, Next).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from netaddr import AddrFormatError, IPAddress, IPNetwork

from netplan.changes.ends import Ends
from netplan.changes.objects import bodies
from netplan.changes.sides import Side
from netplan.changes.state import End, State, Version
from netplan.graph.subnets import interfaces_of
from netplan.model.values import parse_network
from netplan.reading.kubernetes.objects import inside, listing, mapping

_KIND = "IPPool"


@dataclass(frozen=True, slots=True)
class _Pool:
    """``kept``: (first, last) addresses that the pool does not assign."""

    name: str
    subnet: IPNetwork
    kept: tuple[tuple[int, int], ...]

    def gives(self, address: IPAddress) -> bool:
        number = int(address)
        inner = self.subnet.version == address.version and self.subnet.first < number < self.subnet.last
        return inner and not any(first <= number <= last for first, last in self.kept)


class Pools:
    """Pools of both ends, read on first use."""

    def __init__(self, ends: Ends) -> None:
        self._ends = ends

    def given_twice(self, state: State) -> Iterator[str]:
        """Pools that overlap addresses a switch has in a state, but not in the end the objects belong to."""
        for name in self._ends.differing:
            usual = self._addresses(name, state.objects)
            for address in [each for each in self._addresses(name, state.version(name)) if each not in usual]:
                for pool in self._of[state.objects]:
                    if pool.gives(address):
                        yield f"IPPool {pool.name} gives {address} to a pod, {name} has it"

    def _addresses(self, name: str, version: Version) -> tuple[IPAddress, ...]:
        if not self._ends.files(name, version):
            return ()
        return tuple(each.address.ip for each in interfaces_of(self._ends.read(name, version)))

    @cached_property
    def _of(self) -> dict[End, list[_Pool]]:
        return {"old": list(_pools(self._ends.old)), "new": list(_pools(self._ends.new))}


def _pools(side: Side) -> Iterator[_Pool]:
    paths = {p for p, text in side.texts.items() if p.startswith("kubernetes/") and _KIND in text}
    for (kind, _, name), body in bodies(side, paths).items():
        subnet = parse_network(str(inside(body, ("spec", "subnet")))) if kind == _KIND else None
        if subnet is not None:
            yield _Pool(name, subnet.cidr, tuple(_kept(mapping(body.get("spec")))))


def _kept(spec: dict[str, Any]) -> Iterator[tuple[int, int]]:
    rows = [mapping(row) for row in listing(spec.get("exclusions"))]
    spans = [(row.get("startIP"), row.get("endIP")) for row in rows]
    spans.append((spec.get("gateway"), spec.get("gateway")))
    for first, last in spans:
        try:
            yield int(IPAddress(str(first))), int(IPAddress(str(last)))
        except (AddrFormatError, ValueError):
            continue
