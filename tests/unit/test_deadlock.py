"""The search for cyclic buffer dependencies, on fabrics with a known answer."""

from __future__ import annotations

import time
from collections.abc import Iterable
from itertools import combinations, product
from typing import Any

import pytest

from netplan.checks.deadlock import EFFORT_MAX, cyclic_buffers, find_circle, neighbours, next_hops
from tests.switch_site import fabric_of, inventory

SPINE_AS = 65000


def pairs(*names: str) -> list[frozenset[str]]:
    return [frozenset(name.split("-")) for name in names]


def ring(size: int) -> list[frozenset[str]]:
    return [frozenset((f"l{n}", f"l{(n + 1) % size}")) for n in range(size)]


def clos(leaves: int, spines: int) -> list[frozenset[str]]:
    return [frozenset((f"l{a}", f"s{b}")) for a, b in product(range(leaves), range(spines))]


def asns(links: Iterable[frozenset[str]]) -> dict[str, int]:
    """AS numbers as in the plan: spines share one, leaves have one each."""
    names = {name for pair in links for name in pair}
    return {name: SPINE_AS if name.startswith("s") else 1 + int(name[1:]) for name in names}


def leaves(links: Iterable[frozenset[str]]) -> list[str]:
    return sorted({name for pair in links for name in pair if name.startswith("l")})


def circle(links: list[frozenset[str]], numbers: dict[str, int] | None = None) -> tuple[str, ...]:
    return find_circle(neighbours(links), leaves(links), asns(links) if numbers is None else numbers)


@pytest.mark.parametrize("size", [4, 5, 6, 9])
def test_a_ring_has_a_circle(size: int) -> None:
    """Paths of two hops around the ring from every switch: each link waits for the next one."""
    found = circle(ring(size))
    assert len(found) == size
    assert found[0] == "l0"
    assert all(frozenset(two) in ring(size) for two in zip(found, (*found[1:], found[0]), strict=True))


def test_a_ring_of_three_has_none() -> None:
    """Every switch is one hop away; after a link failure, the ring is a line."""
    assert circle(ring(3)) == ()
    assert all(circle([k for k in ring(3) if k != failed]) == () for failed in ring(3))


@pytest.mark.parametrize(
    "links", [pairs("l0-l1"), pairs("l0-l1", "l1-l2", "l2-l3"), pairs("l0-l3", "l1-l3", "l2-l3")]
)
def test_a_tree_has_none(links: list[frozenset[str]]) -> None:
    assert circle(links) == ()


@pytest.mark.parametrize(("count", "spines"), [(2, 1), (3, 2), (4, 3), (5, 4)])
def test_the_search_agrees_with_the_proof_by_tiers(count: int, spines: int) -> None:
    """A Clos fabric has no cycle, even if any one or two links fail."""
    links = clos(count, spines)
    assert circle(links) == ()
    for failed in [*combinations(links, 1), *combinations(links, 2)]:
        assert circle([k for k in links if k not in failed]) == ()


def test_the_proof_is_the_as_plan() -> None:
    """With a different AS number per spine, traffic goes down and up again after link failures."""
    cut = [
        k
        for k in clos(4, 4)
        if k not in pairs("l0-s1", "l0-s2", "l1-s2", "l1-s3", "l2-s3", "l2-s0", "l3-s0", "l3-s1")
    ]
    own = {name: number for number, name in enumerate(sorted({n for k in cut for n in k}), 1)}
    assert circle(cut, own) != ()
    assert circle(cut) == ()


def test_spines_refuse_a_second_spine() -> None:
    """l1 lost its link to s0: s0 has no path to l1, and l0 uses only s1."""
    links = [k for k in clos(3, 2) if k != frozenset(("l1", "s0"))]
    hops = next_hops(neighbours(links), "l1", asns(links))
    assert hops == {"l1": (), "s1": ("l1",), "l0": ("s1",), "l2": ("s1",)}


def test_all_equal_next_hops_count() -> None:
    assert next_hops(neighbours(ring(4)), "l0", {}) == {
        "l0": (),
        "l1": ("l0",),
        "l3": ("l0",),
        "l2": ("l1", "l3"),
    }


def test_one_way_without_its_own_as_is_enough() -> None:
    """Of two equal ways from l3 one has the AS of l4, which takes the other and tells l5 of that one only."""
    links = neighbours(pairs("l0-l1", "l0-l2", "l1-l3", "l2-l3", "l3-l4", "l4-l5"))
    numbers = {"l0": 1, "l1": 2, "l2": 3, "l3": 4, "l4": 2, "l5": 3}
    assert next_hops(links, "l0", numbers)["l4"] == ("l3",)
    assert "l5" not in next_hops(links, "l0", numbers)
    assert next_hops(links, "l0", {**numbers, "l5": 5})["l5"] == ("l4",)
    assert "l4" not in next_hops(links, "l0", {**numbers, "l2": 2})


def ring_site(size: int, **changes: Any) -> Any:
    """Leaves in a ring, four hosts on each."""
    links: list[dict[str, Any]] = [
        {
            "hosts": "gpu-[001-016]",
            "hca": f"roce{n}",
            "switch": f"leaf-{n + 1}",
            "ports": "Ethernet[0-60/4]",
            "cable_m": 5,
        }
        for n in range(4)
    ]
    for n in range(1, size + 1):
        up = {"switches": f"leaf-{n}", "ports": "Ethernet64", "to": f"leaf-{n % size + 1}"}
        links.append(up | {"to_ports": "Ethernet68", "cable_m": 40})
    switches = {f"leaf-[1-{size}]": {"type": "leaf", "id": 1, "role": "leaf"}}
    return fabric_of(inventory(links=links, switches=switches, **changes))


def test_the_message_names_the_circle() -> None:
    (finding,) = cyclic_buffers(ring_site(4))
    assert finding.message == ("cyclic buffer dependency: leaf-1 -> leaf-2 -> leaf-3 -> leaf-4 -> leaf-1")


def test_without_pfc_nothing_waits() -> None:
    assert list(cyclic_buffers(ring_site(4, fabric__qos=None))) == []


def test_a_circle_that_only_a_failure_closes() -> None:
    """A ring of four with one chord: when the chord fails, the two leaves use the ring again."""
    fabric = ring_site(4)
    chord: Any = {
        "switches": "leaf-1",
        "ports": "Ethernet72",
        "to": "leaf-3",
        "to_ports": "Ethernet72",
        "cable_m": 5,
    }
    other: Any = {
        "switches": "leaf-2",
        "ports": "Ethernet72",
        "to": "leaf-4",
        "to_ports": "Ethernet72",
        "cable_m": 5,
    }
    cables = [
        {
            "switches": k.lower.name,
            "ports": k.lower_port,
            "to": k.upper.name,
            "to_ports": k.upper_port,
            "cable_m": 5,
        }
        for k in fabric.switch_links
    ]
    hosts: list[Any] = [
        {
            "hosts": "gpu-[001-016]",
            "hca": f"roce{n}",
            "switch": f"leaf-{n + 1}",
            "ports": "Ethernet[0-60/4]",
            "cable_m": 5,
        }
        for n in range(4)
    ]
    switches = {"leaf-[1-4]": {"type": "leaf", "id": 1, "role": "leaf"}}
    mesh = fabric_of(inventory(links=[*hosts, *cables, chord, other], switches=switches))
    assert list(cyclic_buffers(mesh)) == []
    one_chord = fabric_of(inventory(links=[*hosts, *cables, chord], switches=switches))
    (finding,) = cyclic_buffers(one_chord)
    assert finding.message.startswith("cyclic buffer dependency when the link leaf-1 - leaf-3 fails: ")
    second: Any = {**chord, "ports": "Ethernet76", "to_ports": "Ethernet76"}
    doubled = fabric_of(inventory(links=[*hosts, *cables, chord, second], switches=switches))
    assert list(cyclic_buffers(doubled)) == [], "one of two cables carries on for the other"


def test_the_largest_search_is_bounded() -> None:
    """The maximum number of steps takes seconds, not minutes: 100 leaves in a line, any link may fail."""
    line = [frozenset((f"l{n}", f"l{n + 1}")) for n in range(99)]
    assert len(line) * 100 * (len(line) + 1) <= EFFORT_MAX
    begin = time.process_time()
    for failed in (None, *line[:10]):
        assert circle([k for k in line if k != failed]) == ()
    assert time.process_time() - begin < 5
