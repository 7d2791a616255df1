"""Which MAC addresses of a host's functions are their own.

sysfs ``address``, ``address`` of ``ip link`` and ``serial`` of lshw (lyonel/lshw ad4f7aa src/core/network.cc,
SIOCGIFHWADDR) are the present one: that of its bond on a port of one (torvalds/linux
drivers/net/bonding/bond_main.c, bond_enslave), or one that somebody set. ``permaddr`` of ``ip -d link``,
printed where the two differ (iproute2/iproute2 ip/ipaddress.c, print_linkinfo), is the function's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from netplan.importing.bare.rows import PERMANENT, PRESENT_MAC, Row

Placed = tuple[str, Row]
"""A PCI address, and what a file says of its function."""
_FIELDS = frozenset((PERMANENT, PRESENT_MAC))


def all_macs(rows: Iterable[Placed]) -> Iterator[Placed]:
    """The rows, those of MAC addresses as ``mac``."""
    return ((pci, replace(row, field="mac") if row.field in _FIELDS else row) for pci, row in rows)


@dataclass(frozen=True, slots=True)
class _Shown:
    """``present``: (function, address); ``shared``: on how many functions an address is; ``owned``: functions
    whose own address is known; ``doubted``: those whose present address may be another one's."""

    present: frozenset[tuple[str, Any]]
    shared: Mapping[Any, int]
    owned: frozenset[str]
    doubted: frozenset[str]

    def is_own(self, pci: str, row: Row, elsewhere: object) -> bool:
        """``elsewhere``: what other sources have, which may be the present one."""
        if pci not in self.doubted:
            return True
        if (pci, elsewhere) in self.present:
            return False
        return row.field == PERMANENT or (pci not in self.owned and self.shared[row.value] == 1)


def _shown(rows: Sequence[Placed]) -> _Shown:
    present = frozenset((pci, row.value) for pci, row in rows if row.field == PRESENT_MAC)
    shared = Counter(value for _, value in present)
    owned = frozenset(pci for pci, row in rows if row.field == PERMANENT)
    in_bonds = {pci for pci, row in rows if row.field == "bond"}
    doubted = owned | in_bonds | {pci for pci, value in present if shared[value] > 1}
    return _Shown(present, shared, owned, doubted)


def with_own_macs(rows: Iterable[Placed], elsewhere: Mapping[str, object]) -> Iterator[Placed]:
    """The rows, those of MAC addresses as ``mac`` and without those that are not the function's own.
    ``elsewhere``: function -> the address that other sources have."""
    every = [*rows]
    shown = _shown(every)
    own = (
        (pci, row)
        for pci, row in every
        if row.field not in _FIELDS or shown.is_own(pci, row, elsewhere.get(pci))
    )
    yield from all_macs(own)
