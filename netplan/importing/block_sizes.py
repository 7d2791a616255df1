"""``block_size`` of networks: the blocks of their pools, also of those that netplan created, maybe from an
inventory that stated it. Another size would move the block of every node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from netplan.importing.facts import Of, Said, Site, place
from netplan.importing.hosts import HostKind
from netplan.importing.networks import NetworkRow, hosts_of
from netplan.importing.text import INEXPRESSIBLE, Entry, clash, listed, todo, told


def block_size_entry(
    site: Site, row: NetworkRow, rows: Sequence[NetworkRow], kinds: Sequence[HostKind]
) -> Mapping[str, Entry]:
    """Of networks that draw on one pool on the same nodes each has a part of its blocks."""
    pools: dict[Of, Said] = {}
    for of in ((name,) for name in _pools(row)):
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
    return {"block_size": _part(row, _on_a_node(sharing, kinds), first)}


def _pools(row: NetworkRow) -> dict[str, None]:
    """In the order of its parts."""
    return {name: None for part in row.parts if (name := part.text("pool"))}


def _on_a_node(rows: Sequence[NetworkRow], kinds: Sequence[HostKind]) -> list[list[NetworkRow]]:
    """The networks that a node of each host type has, the most first. A network without a resource of its own
    is on all nodes."""
    types = {row.name: hosts_of(row, kinds) for row in rows}
    on = [[row for row in rows if not types[row.name] or kind.name in types[row.name]] for kind in kinds]
    return sorted(on or [[*rows]], key=len, reverse=True)


def _part(row: NetworkRow, nodes: Sequence[Sequence[NetworkRow]], size: Said) -> Entry:
    """Its part of the blocks of a pool, where networks share them. netplan writes the sum of those that a
    node has, of the host type with the largest."""
    beside = [own for own in nodes if any(other is row for other in own)]
    names = listed(dict.fromkeys(other.name for own in beside for other in own))
    parts, total, where = _parts(nodes, int(str(size.value))), size.value, place(size.at)
    unlike = {frozenset(_pools(other)) for own in beside for other in own}
    if parts is None or len(unlike) > 1:
        what = f"part of the blocks of {total} addresses that {names} share"
        return todo(what, f"the parts add up to {total}, {where}")
    if parts[row.name] == total:
        return told(size)
    return Entry(parts[row.name], f"part of {total}, shared by {names}; {where}")


def _parts(nodes: Sequence[Sequence[NetworkRow]], size: int) -> dict[str, int] | None:
    """Network -> as many addresses as it has VFs, and a like part of the rest of the block. None where a
    block has too few."""
    parts: dict[str, int] = {}
    for own in nodes:
        new = [row for row in own if row.name not in parts]
        rest = size - sum(parts.get(row.name) or _vfs(row) for row in own)
        if rest < 0:
            return None
        for index, row in enumerate(new):
            parts[row.name] = _vfs(row) + rest // len(new) + (index < rest % len(new))
    return parts


def _vfs(row: NetworkRow) -> int:
    """VFs of each PF that are the network's, as far as a range says it, else one."""
    first, _, last = row.first.text("vf_range").partition("-")
    return int(last) - int(first) + 1 if first.isdecimal() and last.isdecimal() else 1
