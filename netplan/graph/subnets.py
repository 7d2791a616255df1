"""Routed interfaces of one switch with overlapping subnets: which one serves an address is undefined.

Arista EOS and Cisco NX-OS refuse the second address while the first is there; so does orchagent of SONiC,
which then retries (sonic-net/sonic-swss e6b0c5b orchagent/intfsorch.cpp); Linux takes both.
"""

from __future__ import annotations

from collections.abc import Iterator

from netaddr import IPNetwork

from netplan.model.readback import ReadSwitch
from netplan.model.values import InterfaceAddress
from netplan.records import dataclass

_NESTED = 256
"""Enclosing subnets that are remembered: a file may nest any number."""


@dataclass(frozen=True, slots=True)
class Interface:
    """``vlan`` if it is an SVI, else ``port``."""

    vlan: int | None
    port: str
    address: InterfaceAddress

    @property
    def name(self) -> str:
        return self.port if self.vlan is None else f"Vlan{self.vlan}"

    @property
    def network(self) -> IPNetwork:
        ip = self.address.ip
        return IPNetwork((int(ip), self.address.prefixlen), version=ip.version).cidr

    def __str__(self) -> str:
        return f"{self.name} ({self.address})"


@dataclass(frozen=True, slots=True)
class Shared:
    """Two interfaces with equal or nested subnets; ``first`` in the order of the files."""

    first: Interface
    second: Interface

    def has(self, vlan: int | None, port: str | None) -> bool:
        return any((each.vlan, each.port) == (vlan, port or "") for each in (self.first, self.second))

    def __str__(self) -> str:
        return f"{self.second} is in one subnet with {self.first}"


def interfaces_of(read: ReadSwitch) -> Iterator[Interface]:
    """SVIs, then routed ports, in the order of the files."""
    for vlan, svi in read.vlan_interfaces.items():
        yield from (Interface(vlan, "", address) for address in svi.addresses)
    for port in read.ports.values():
        yield from (Interface(None, port.name, address) for address in port.addresses)


def shared_subnets(read: ReadSwitch) -> tuple[Shared, ...]:
    """Each pair once; ignores addresses of the same interface and link-local ones."""
    order = {each: place for place, each in enumerate(interfaces_of(read))}
    routed = [each for each in order if not each.network.is_link_local()]
    around: list[tuple[Interface, IPNetwork]] = []
    found: dict[tuple[str, str], Shared] = {}
    networks = {each: each.network for each in routed}
    for one in sorted(routed, key=lambda each: _place(networks[each])):
        network = networks[one]
        around = [(outer, wide) for outer, wide in around if _holds(wide, network)]
        for outer, _ in around:
            if outer.name != one.name:
                first, second = sorted((outer, one), key=order.__getitem__)
                found.setdefault((first.name, second.name), Shared(first, second))
        if len(around) < _NESTED:
            around.append((one, network))
    return tuple(found.values())


def _place(network: IPNetwork) -> tuple[int, int, int]:
    """Sort key: an outer subnet comes before those nested in it."""
    return network.version, network.first, -network.last


def _holds(wide: IPNetwork, network: IPNetwork) -> bool:
    return wide.version == network.version and wide.last >= network.last
