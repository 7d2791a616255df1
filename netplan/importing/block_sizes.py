"""``block_size`` of networks: the blocks of pools that netplan did not create. Another size would move the
block of every node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.networks import NetworkRow
from netplan.importing.text import INEXPRESSIBLE, Entry, clash, listed, todo, told


def block_size_entry(site: Site, row: NetworkRow, rows: Sequence[NetworkRow]) -> Mapping[str, Entry]:
    """Of networks that draw on one pool each has a part of its blocks."""
    pools: dict[Of, Said] = {}
    for of in ((name,) for name in _pools(row)):
        if site.said("pool", of, "ours") is not None:
            continue
        if (conflict := site.conflict("pool", of, "block_size")) is not None:
            return {"block_size": clash(conflict)}
        if (said := site.said("pool", of, "block_size")) is not None:
            pools[of] = said
    if not pools:
        return {}
    first = next(iter(pools.values()))
    if len({said.value for said in pools.values()}) > 1:
        seen = listed(f"{of[0]} {said.value} ({place(said.at)})" for of, said in pools.items())
        what = f"{INEXPRESSIBLE}: pools of one network with blocks of several sizes"
        return {"block_size": todo(what, f"{seen}; any size moves the blocks of the other pools")}
    sharing = [other for other in rows if _pools(other).keys() & _pools(row)]
    return {"block_size": told(first) if len(sharing) == 1 else _part(row, sharing, first)}


def _pools(row: NetworkRow) -> dict[str, None]:
    """In the order of its parts."""
    return {name: None for part in row.parts if (name := part.text("pool"))}


def _part(row: NetworkRow, sharing: Sequence[NetworkRow], size: Said) -> Entry:
    """As many addresses as the network has VFs, and a like part of the rest; the parts add up to the pool's
    block, which is all that netplan writes of them."""
    names, where = listed(other.name for other in sharing), place(size.at)
    least = [_vfs(other) for other in sharing]
    rest = int(str(size.value)) - sum(least)
    if rest < 0 or len({frozenset(_pools(other)) for other in sharing}) > 1:
        what = f"part of the blocks of {size.value} addresses that {names} share"
        return todo(what, f"the parts add up to {size.value}, {where}")
    index = next(number for number, other in enumerate(sharing) if other is row)
    more = rest // len(sharing) + (index < rest % len(sharing))
    return Entry(least[index] + more, f"part of {size.value}, shared by {names}; {where}")


def _vfs(row: NetworkRow) -> int:
    """VFs of each PF that are the network's, as far as a range says it, else one."""
    first, _, last = row.first.text("vf_range").partition("-")
    return int(last) - int(first) + 1 if first.isdigit() and last.isdigit() else 1
