"""Ports that are down on the hosts of a type, as second ports of front-end NICs often are, hide no link."""

from __future__ import annotations

import pytest

from tests.test_import import data
from tests.test_import_speeds import DOWN, site, told

OTHERS = [f"gpu-{n}" for n in range(2, 6)]


@pytest.mark.parametrize("up", [[], ["gpu-3"], OTHERS[:2], OTHERS])
def test_a_slow_link_is_told_whatever_other_ports_are_down(up: list[str]) -> None:
    result = site({"gpu-1": (25, DOWN), **{name: (100, 100 if name in up else DOWN) for name in OTHERS}})
    (kind,) = data(result)["host_types"].values()
    assert {hca["speed_gbps"] for hca in kind["hcas"].values() if isinstance(hca.get("speed_gbps"), int)} == {
        100
    }
    (line,) = told(result)
    assert line.startswith("gpu-1 ens1 runs at 25 Gbit/s (x.yaml:")
    assert "; hosts like it run at 100 Gbit/s (x.yaml:" in line


def test_two_slow_hosts_with_another_slow_card_each() -> None:
    result = site({"gpu-1": (25, 100), "gpu-6": (100, 25), **dict.fromkeys(OTHERS, (100, 100))})
    assert len(data(result)["host_types"]) == 1
    (line,) = told(result)
    assert "ens1 runs at 25 Gbit/s" in line
    assert line.endswith("(and 1 more)")


def test_as_many_slow_hosts_as_others_are_a_type() -> None:
    slow, fast = ["gpu-1", "gpu-2", "gpu-3"], OTHERS[2:]
    result = site({**dict.fromkeys(slow, (25, DOWN)), **dict.fromkeys(fast, (100, DOWN))})
    assert len(data(result)["host_types"]) == 2
    assert told(result) == []
