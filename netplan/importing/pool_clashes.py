"""What dumps say otherwise of one pool, or one of them lacks: a question at the key that it goes to."""

from __future__ import annotations

from collections.abc import Iterable

from netplan.importing.facts import Conflict, Site
from netplan.importing.networks import NetworkRow
from netplan.importing.text import TODO, Entry, clash


def pools_of(rows: Iterable[NetworkRow]) -> list[str]:
    """Those of networks, each once."""
    return [*dict.fromkeys(pool for row in rows for part in row.parts for pool in part.pools)]


def pool_clash(site: Site, pools: Iterable[str], field: str) -> Entry | None:
    """``field``: or the first part of it, such as ``excluded/``, whose rest is a part of the question."""
    found = (conflict for pool in pools for conflict in site.about("pool", (pool,), field))
    conflict = next((each for each in found if each.field == field or field.endswith("/")), None)
    return None if conflict is None else _asked(conflict, field)


def _asked(conflict: Conflict, field: str) -> Entry:
    if conflict.field == field:
        return clash(conflict)
    return Entry(TODO, f"{TODO}: decide, sources disagree: {conflict}")
