"""Which MAC addresses of a host's functions are their own.

sysfs ``address``, ``address`` of ``ip link`` and ``serial`` of lshw (lyonel/lshw ad4f7aa src/core/network.cc,
SIOCGIFHWADDR) are the present one: that of its bond on a port of one (torvalds/linux
drivers/net/bonding/bond_main.c, bond_enslave), or one that somebody set. ``permaddr`` of ``ip -d link``,
printed where the two differ (iproute2/iproute2 ip/ipaddress.c, print_linkinfo), is the function's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from netplan.importing.bare.rows import PERMANENT, PRESENT_MAC, Row

Placed = tuple[str, Row]
"""A PCI address, and what a file says of its function."""
_FIELDS = frozenset((PERMANENT, PRESENT_MAC))


def all_macs(rows: Iterable[Placed]) -> Iterator[Placed]:
    """The rows, those of MAC addresses as ``mac``."""
    return ((pci, replace(row, field="mac") if row.field in _FIELDS else row) for pci, row in rows)


def with_own_macs(rows: Iterable[Placed], elsewhere: Mapping[str, object]) -> Iterator[Placed]:
    """The rows, those of MAC addresses as ``mac`` and without those that are not the function's own.
    ``elsewhere``: what other sources have, which may be the present one."""
    rows = [*rows]
    present = {(pci, row.value) for pci, row in rows if row.field == PRESENT_MAC}
    shared = Counter(value for _, value in present)
    owned = {pci for pci, row in rows if row.field == PERMANENT}
    other = {pci for pci, row in rows if row.field in ("bond", PERMANENT)}
    other |= {pci for pci, value in present if shared[value] > 1}

    def is_own(pci: str, row: Row) -> bool:
        if pci not in other:
            return True
        if (pci, elsewhere.get(pci)) in present:
            return False
        return row.field == PERMANENT or (pci not in owned and shared[row.value] == 1)

    yield from all_macs((pci, row) for pci, row in rows if row.field not in _FIELDS or is_own(pci, row))
