"""``netplan import`` folds cables between switches over the ports of a leaf and over leaves, and each entry
means the cables that the dumps have."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

import pytest

from netplan.model.ranges import expand
from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_tiers import link

Cables = list[tuple[int, int, int, int]]
"""Leaf, port of the leaf, spine, port of the spine."""


def cabled(cables: Iterable[tuple[int, int, int, int]]) -> list[dict[str, str]]:
    site = Bare()
    for leaf, port, spine, far in cables:
        link(site, f"leaf-{leaf}", f"Ethernet{8 * port}", f"spine-{spine}", f"Ethernet{8 * far}")
    return [row for row in data(site.imported())["links"] if "switches" in row]


def meant(rows: Iterable[dict[str, str]]) -> set[tuple[str, ...]]:
    """As ``netplan/resolve`` reads an entry."""
    found = set[tuple[str, ...]]()
    for row in rows:
        lower = product(expand(row["switches"]), expand(row["ports"]))
        upper = product(expand(row["to"]), expand(row["to_ports"]))
        found |= {(*one, *other) for one, other in zip(lower, upper, strict=True)}
    return found


IN_ORDER: Cables = [
    (n, 16 + 2 * s + k, s, 2 * (n - 1) + k) for n in range(1, 5) for s in (1, 2) for k in (0, 1)
]
"""Two parallel cables of each leaf to each spine, leaf by leaf on the spine."""
BY_PORT: Cables = [(n, 16 + 2 * s + k, s, 4 * k + n - 1) for n in range(1, 5) for s in (1, 2) for k in (0, 1)]
"""First cables of all leaves, then the second ones."""
CROSSED: Cables = [(n, 16 + s, s, (4 - n)) for n in range(1, 5) for s in (1, 2)]
"""Leaves in descending order."""
ONE_ODD: Cables = [(n, port, s, far + 40 * (n == 2)) for n, port, s, far in IN_ORDER]
"""The second leaf elsewhere on the spines."""


@pytest.mark.parametrize(
    ("cables", "entries"), [(IN_ORDER, 2), (BY_PORT, 4), (CROSSED, 8), (ONE_ODD, 6), (IN_ORDER[:1], 1)]
)
def test_entries_mean_the_cables_of_the_dumps(cables: Cables, entries: int) -> None:
    rows = cabled(cables)
    wanted = {
        (f"leaf-{leaf}", f"Ethernet{8 * port}", f"spine-{spine}", f"Ethernet{8 * far}")
        for leaf, port, spine, far in cables
    }
    assert meant(rows) == wanted
    assert len(rows) == entries


def test_leaves_whose_ports_go_on_in_order_are_one_entry() -> None:
    first, second = cabled(IN_ORDER)
    assert (first["switches"], first["ports"]) == ("leaf-[1-4]", "Ethernet[144-152/8]")
    assert (first["to"], first["to_ports"]) == ("spine-1", "Ethernet[0-56/8]")
    assert second["to"] == "spine-2"
