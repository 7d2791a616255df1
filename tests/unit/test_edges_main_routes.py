"""Facts of one line each, at their edge: routes of a pod in table main, and what it probes."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.plan.pod_routes import _main_via, _switch_address
from tests.unit.some import some

PART, PART6 = IPNetwork("10.0.0.0/22"), IPNetwork("fd00::/48")


@pytest.mark.parametrize(
    ("kind", "rail", "own", "links", "via"),
    [
        ("leaf", 0, "10.0.1.0/24", (), (PART,)),
        ("leaf", 0, "fd00::/64", (), (PART6,)),
        ("leaf", 0, "10.0.0.0/22", (), ()),
        ("host", 0, "10.0.0.0/22", (31,), (PART,)),
        ("stretched", 0, "10.0.1.0/24", (), ()),
        ("leaf", None, "10.0.1.0/24", (), ()),
    ],
)
def test_the_whole_part_of_a_rail_is_routed_in_table_main(
    kind: str, rail: int | None, own: str, links: tuple[int, ...], via: tuple[IPNetwork, ...]
) -> None:
    rails: Any = some(segment=kind, rail_networks=[(PART, PART6)])
    assert _main_via(rails, some(rail=rail, host_prefixes=links), some(network=IPNetwork(own))) == via


@pytest.mark.parametrize(
    ("network", "link", "gateway", "address"),
    [
        ("10.0.0.0/24", None, "first", "10.0.0.1"),
        ("10.0.0.0/24", None, "last", "10.0.0.1"),
        ("10.0.0.0/24", 30, "first", "10.0.0.1"),
        ("10.0.0.0/24", 30, "last", "10.0.0.2"),
        ("10.0.0.0/24", 31, "last", "10.0.0.0"),
        ("10.0.0.0/31", None, "first", "10.0.0.0"),
        ("10.0.0.0/24", 16, "first", "10.0.0.0"),
    ],
)
def test_the_address_of_a_switch_that_is_probed(
    network: str, link: int | None, gateway: str, address: str
) -> None:
    assert str(_switch_address(IPNetwork(network), link, gateway)) == address
