"""Cable-length limit of a NOS that sizes headroom by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.plan.buffers import port_headroom
from tests.switch_site import profiles, site


@pytest.mark.parametrize(
    ("cable_m", "missing"),
    [
        (100, ""),
        (101, "cisco-nxos sizes headroom for cables of up to 100 m, this one has 101 m"),
    ],
)
def test_nxos_sizes_cables_of_up_to_100_m(cable_m: int, missing: str) -> None:
    kind = replace(site().switch("leaf-1").type, nos="cisco-nxos")
    sized = port_headroom(kind, profiles()["cisco-nxos"], 100, cable_m)
    assert (sized.headroom, sized.missing) == (None, missing)


def test_without_a_limit_any_cable_is_the_noses_own_matter() -> None:
    kind = replace(site().switch("leaf-1").type, nos="arista-eos")
    assert port_headroom(kind, profiles()["arista-eos"], 100, 2000).missing == ""
