"""Which fields an object has: one that lacks them in another dump of it contradicts this one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netplan.importing.facts import WHOLE, Fact, Kind, Of, Remark
from netplan.importing.kubernetes.objects import Path, Reader

Subject = tuple[Kind, Of]
COMPARED: tuple[Kind, ...] = ("network", "pool")
_OF_NODES = ("on/", "static/", "gateway/", "selector/", "selects/", "ours")
"""Fields of a pool that change with the nodes, or with who applied it."""


def whole_facts(
    read: Reader, fields: Mapping[Subject, Iterable[str]], kind: str, path: Path
) -> Iterator[Fact]:
    for (what, of), names in fields.items():
        stated = tuple(name for name in names if not name.startswith(_OF_NODES))
        yield read.fact(what, of, f"{WHOLE}{kind}", stated, *path)


def with_fields(
    read: Reader, found: Iterable[Fact | Remark], kind: str, path: Path
) -> Iterator[Fact | Remark]:
    """The facts, then the fields that networks and pools have of them. What an object lacks is not known if a
    text in it is not readable; no VLAN and no limit are the same as 0."""
    fields: dict[Subject, dict[str, None]] = {}
    for each in found:
        if isinstance(each, Fact) and each.kind in COMPARED and each.value != 0:
            fields.setdefault((each.kind, each.of), {})[each.field] = None
        yield each
    if not read.thing.faults:
        yield from whole_facts(read, fields, kind, path)
