"""Bandwidth and ports of a switch and its rails, as its README reports them."""

from __future__ import annotations

from netplan.model.switching import Computed
from tests.split_site import split_site
from tests.switch_site import Site, site


def number(planned: Site, switch: str, name: str) -> Computed:
    return next(c for c in planned.switch(switch).totals if c.name == name)


def test_a_leaf_with_sixteen_down_and_eight_up() -> None:
    planned = site()
    assert number(planned, "leaf-1", "bandwidth down").value == 1600
    assert number(planned, "leaf-1", "bandwidth up").value == 800
    over = number(planned, "leaf-1", "oversubscription")
    assert (over.value, over.unit) == (200, "%")


def test_a_spine_has_nothing_above_to_compare_with() -> None:
    names = [c.name for c in site().switch("spine-1").totals]
    assert "bandwidth down" in names
    assert not {"bandwidth up", "oversubscription"} & set(names)


def test_rails_of_one_leaf_are_counted_apart() -> None:
    links = [
        {
            "hosts": "gpu-[001-004]",
            "hca": "roce[0-1]",
            "switch": "leaf-1",
            "ports": "Ethernet[0-28/4]",
            "cable_m": 5,
        },
        {
            "hosts": "gpu-[005-006]",
            "hca": "roce1",
            "switch": "leaf-1",
            "ports": "Ethernet[32-36/4]",
            "cable_m": 5,
        },
        {
            "switches": "leaf-1",
            "ports": "Ethernet[64-76/4]",
            "to": "spine-1",
            "to_ports": "Ethernet[0-12/4]",
            "cable_m": 40,
        },
    ]
    planned = site(links=links)
    assert number(planned, "leaf-1", "bandwidth down, rail 0").value == 400
    assert number(planned, "leaf-1", "bandwidth down, rail 1").value == 600


def test_parts_of_a_port_count_once() -> None:
    free = number(split_site("cumulus-nvue"), "leaf-1", "physical ports free")
    assert (free.value, free.inputs) == (48, "64 ports")


def test_links_between_leaves_count_as_up_on_both() -> None:
    links = [
        {
            "hosts": "gpu-[001-004]",
            "hca": "roce0",
            "switch": "leaf-1",
            "ports": "Ethernet[0-12/4]",
            "cable_m": 5,
        },
        {
            "hosts": "gpu-[001-004]",
            "hca": "roce1",
            "switch": "leaf-2",
            "ports": "Ethernet[0-12/4]",
            "cable_m": 5,
        },
        {
            "switches": "leaf-1",
            "ports": "Ethernet[64-68/4]",
            "to": "leaf-2",
            "to_ports": "Ethernet[64-68/4]",
            "cable_m": 5,
        },
    ]
    planned = site(links=links)
    for name in ("leaf-1", "leaf-2"):
        assert number(planned, name, "oversubscription").value == 200
        assert [p.kind for p in planned.switch(name).ports][-2:] == ["peer", "peer"]
        assert len(planned.switch(name).neighbours) == 2
