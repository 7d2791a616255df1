"""Shared state of the ``resolve`` builders: the catalogs and the problem list."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import TypeVar

from netaddr import IPAddress, IPNetwork

from netplan.diagnostics import Path
from netplan.model.codes import Problems
from netplan.model.hardware import HcaModel, SwitchModel
from netplan.model.operator_releases import OperatorReleases
from netplan.model.ranges import RangeError, expand
from netplan.model.values import InterfaceAddress, has_host_bits, parse_address, parse_network
from netplan.records import dataclass

T = TypeVar("T")
NOWHERE = IPNetwork("0.0.0.0/32")
"""Placeholder for a network that does not parse, until the entity that contains it is left out."""


@dataclass(frozen=True, slots=True)
class Context:
    problems: Problems
    hca_models: Mapping[str, HcaModel]
    switch_models: Mapping[str, SwitchModel]
    nos_names: Collection[str]
    operators: OperatorReleases
    absent: set[Path] = field(default_factory=set)
    """Holes in ranges, such as ``("hosts", "gpu-005")``; ranges that reference these names skip them."""
    refused: set[Path] = field(default_factory=set)
    """Entities already reported at their definition, such as ``("switches", "leaf-1")``; references to them
    are not errors. A whole section, such as ``("networks",)``, if its names are unknown."""
    partial: set[Path] = field(default_factory=set)
    """Entities kept although they reference something refused or missing; the reference is dropped."""
    told: set[tuple[str, Path]] = field(default_factory=set)
    """(code, place) of problems that the members of a range share."""

    def first(self, code: str, path: Path) -> bool:
        """Whether no earlier member of a range had this problem, which is at one place for all of them."""
        new = (code, path) not in self.told
        self.told.add((code, path))
        return new

    def knows(self, path: Path, kind: str, name: str, known: Collection[str], section: str) -> bool:
        """Whether the section defines ``name``. Reports NP101 if not, unless the name was already refused."""
        if name in known:
            return True
        self.partial.update((path, (section, name)))
        if not self.is_refused(section, name):
            self.problems.unknown(path, kind, name, known)
        return False

    def is_refused(self, section: str, name: str) -> bool:
        return (section, name) in self.refused or (section,) in self.refused

    def whole(self, section: str, built: Mapping[str, T]) -> dict[str, T]:
        """Drop the section's entities that have a problem or a dangling reference; mark them refused."""
        paths = {*self.partial, *(d.path for d in self.problems.found)}
        self.refused.update(path[:2] for path in paths if len(path) > 1 and path[0] == section)
        return {name: value for name, value in built.items() if (section, name) not in self.refused}

    def network(self, text: str, path: Path) -> IPNetwork:
        """A network without host bits (NP201, NP202)."""
        network = parse_network(text)
        if network is None:
            self.problems.add(
                "NP201", path, f"{text} is not a network", "write it as 172.16.0.0/24 or fd00::/64"
            )
            return NOWHERE
        if has_host_bits(network):
            self.problems.add("NP202", path, f"{text} has host bits", f"write {network.cidr}")
        return network.cidr

    def address(self, text: str, path: Path) -> IPAddress:
        """An address (NP201)."""
        address = parse_address(text)
        if address is None:
            self.problems.add("NP201", path, f"{text} is not an address", "write it as 172.16.0.1 or fd00::1")
            return NOWHERE.ip
        return address

    def interface(self, text: str, path: Path) -> InterfaceAddress:
        """An address with the prefix length of its subnet (NP201)."""
        network = parse_network(text)
        if network is None:
            self.problems.add(
                "NP201", path, f"{text} is not an address with prefix length", "write it as 172.16.0.1/24"
            )
            return InterfaceAddress(NOWHERE.ip, 32)
        return InterfaceAddress(network.ip, network.prefixlen)

    def names(self, text: str, path: Path) -> tuple[str, ...]:
        """Expand a range such as ``gpu-[001-128]``; empty, with NP102, if it does not expand."""
        if "[" not in text and "]" not in text:
            return (text,)
        try:
            return expand(text)
        except RangeError as error:
            self.problems.add("NP102", path, str(error), "write it as gpu-[001-128] or Ethernet[0-124/4]")
            return ()
