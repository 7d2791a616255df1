"""NP205 finds the same pairs as comparing every range with every other."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from netaddr import IPNetwork

from netplan.checks.addressing import _overlapping
from netplan.model.values import overlap

NETWORKS = st.builds(
    lambda bits, length: IPNetwork(f"{bits >> 24}.{bits >> 16 & 255}.0.0/{length}").cidr,
    st.integers(0, 2**32 - 1),
    st.integers(0, 8) | st.integers(8, 32),
) | st.sampled_from([IPNetwork("fd00::/8"), IPNetwork("fd00::/64"), IPNetwork("::/0")])


@given(st.lists(NETWORKS, max_size=12))
def test_every_pair_once_and_in_order(networks: list[IPNetwork]) -> None:
    ranges = [(str(index), network, ()) for index, network in enumerate(networks)]
    assert [*_overlapping(ranges)] == [(a, b) for a, b in combinations(ranges, 2) if overlap(a[1], b[1])]
