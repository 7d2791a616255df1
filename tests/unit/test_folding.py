"""Table rows whose numbers count up together become one row, without losing or inventing anything."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from netplan.model.folding import folded
from netplan.model.ranges import expand

PORTS = st.builds("{}{}".format, st.sampled_from(["Ethernet", "swp", "1/"]), st.integers(0, 20))
PEERS = st.builds(
    "{}-{:03} roce{}".format, st.sampled_from(["gpu", "db"]), st.integers(0, 12), st.integers(0, 2)
)


def rows(*texts: tuple[str, ...]) -> list[tuple[tuple[str, ...], int]]:
    return [(row.texts, row.count) for row in folded(("", text) for text in texts)]


def test_ports_to_hosts_are_one_row() -> None:
    ports = [(f"Ethernet{4 * n}", f"gpu-{n + 1:03} roce0", "100") for n in range(16)]
    assert rows(*ports) == [(("Ethernet[0-60/4]", "gpu-[001-016] roce0", "100"), 16)]


def test_a_gap_ends_a_row() -> None:
    assert rows(("swp1", "a1"), ("swp2", "a2"), ("swp4", "a4"), ("swp5", "a5")) == [
        (("swp[1-2]", "a[1-2]"), 2),
        (("swp[4-5]", "a[4-5]"), 2),
    ]


def test_two_numbers_that_change_are_two_rows() -> None:
    assert rows(("1/1",), ("2/2",)) == [(("1/1",), 1), (("2/2",), 1)]


def test_names_that_lose_their_zeros_are_two_rows() -> None:
    assert rows(("gpu-009",), ("gpu-10",)) == [(("gpu-009",), 1), (("gpu-10",), 1)]
    assert rows(("swp9",), ("swp10",)) == [(("swp[9-10]",), 2)]


def test_another_key_is_another_row() -> None:
    assert [row.count for row in folded([("host", ("swp1",)), ("uplink", ("swp2",))])] == [1, 1]


@given(st.lists(st.tuples(PORTS, PEERS), max_size=30))
def test_unfolding_gives_the_rows_back(table: list[tuple[str, str]]) -> None:
    unfolded: list[tuple[str, ...]] = []
    for row in folded(("", texts) for texts in table):
        columns = [expand(text) for text in row.texts]
        assert {len(column) for column in columns} <= {1, row.count}
        unfolded += zip(*(c if len(c) == row.count else c * row.count for c in columns), strict=True)
    assert unfolded == table
