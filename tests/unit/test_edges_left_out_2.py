"""Facts of one line each, at their edge: a problem of an inventory, told once, and what is left beside it."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.checks import REGISTRY
from netplan.pipeline import compile_texts
from netplan.resolve import expand, links
from netplan.resolve.prune import prune
from tests.factories import merged
from tests.overlay import base_data
from tests.unit.test_edges_resolved import HCA, OWN, of_type, over, rails, resolved, said

NICS = "host_types.gpu.hcas."


@pytest.mark.parametrize(
    ("hcas", "problems"),
    [
        (f"nic[0-1]: {{rail: 0}}; nic0: {{{HCA}}}", ["NP105 nic[0-1]"]),
        ("nic[0-1]: {rail: 0}; nic0: {absent: true}", ["NP105 nic[0-1]"]),
        ("nic[0-2]: {rail: 0}; nic1: {numa: 1}", ["NP105 nic[0-2]"]),
        (f"nic[0-1]: {{rail: 0, model: cx}}; nic0: {{{HCA}}}", ["NP101 nic[0-1].model"]),
        (f"nic[0-2]: {{rail: 0, model: cx}}; nic1: {{{HCA}}}", ["NP101 nic[0-2].model"]),
        ("nic[0-1]: {rail: 0, model: cx}; nic1: {model: cy}", ["NP101 nic[0-1].model", "NP101 nic1.model"]),
        (f"nic[0-1]: {{{HCA}, netdev: 'e[1-3]'}}; nic0: {{netdev: e7}}", ["NP104 nic[0-1].netdev"]),
        (f"nic[0-1]: {{{HCA}, netdev: 'e[1-3]'}}; nic0: {{absent: true}}", ["NP104 nic[0-1].netdev"]),
        (f"nic[0-1]: {{{HCA}, netdev: 'e[1-2]'}}; nic0: {{netdev: e7}}", []),
    ],
)
def test_what_a_range_lacks_is_told_once_even_if_its_first_member_has_it(
    hcas: str, problems: list[str]
) -> None:
    found = of_type(hcas)
    assert [f"{code} {at.removeprefix(NICS)}" for code, at, _ in said(found)] == problems


def test_a_host_type_with_an_hca_without_a_model_is_judged_no_further() -> None:
    assert ("host_types", "gpu") in of_type("nic0: {rail: 0}").left_out
    assert ("host_types", "gpu") not in of_type(f"nic0: {{{HCA}}}").left_out


def test_ranges_that_share_several_names_are_told_once() -> None:
    found = resolved(over("hosts", "gpu-[1-4]: {type: gpu}; gpu-[3-6]: {type: gpu}"))
    assert [(code, at) for code, at, _ in said(found)] == [("NP103", "hosts.gpu-[3-6]")]


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        ("hosts: {'gpu-[1-2]': null, 'a-[1-2]': {type: gpu}, 'b-[1-2]': {type: gpu}}", "hosts"),
        ("host_types: {gpu: {hcas: {'a[0-1]': {rail: 0}, 'b[0-1]': {rail: 2}}}}", "host_types"),
    ],
)
def test_a_section_with_too_many_names_is_judged_no_further(
    text: str, refused: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(expand, "MAX_NAMES", 3)
    found = resolved(f"links: null\n{text}")
    assert [(code, at.split(".")[0]) for code, at, _ in said(found)] == [("NP102", refused)]
    assert (refused,) in found.left_out


def test_links_stand_beside_one_that_the_schema_refuses() -> None:
    found = resolved("", (("links", 0, "cable_m"),)).fabric
    assert (len(found.host_links), len(found.switch_links)) == (0, 2)


def test_after_too_many_cables_links_are_judged_no_further(monkeypatch: Any) -> None:
    monkeypatch.setattr(links, "MAX_CABLES", 3)
    found = resolved("")
    assert [(code, at) for code, at, _ in said(found)] == [("NP102", "links.1")]
    assert ("links",) in found.left_out


LINK = {"hosts": "gpu-1", "hca": "roce0", "switch": "leaf-1", "ports": "Ethernet0", "cable_m": 5}


@pytest.mark.parametrize(
    ("change", "told", "place"),
    [
        ({"hca": "roce9"}, "links.0.hca", ("host_types", "gpu", "hcas", "roce9")),
        ({"hosts": "gpu-9"}, "links.0.hosts", ("hosts", "gpu-9")),
        ({"switch": "leaf-9"}, "links.0.switch", ("switches", "leaf-9")),
    ],
)
def test_a_link_that_names_what_is_not_there(
    change: dict[str, str], told: str, place: tuple[str, ...]
) -> None:
    found = resolved(yaml.safe_dump({"links": [LINK | change]}))
    assert [(code, at) for code, at, _ in said(found)] == [("NP101", told)]
    assert place in found.left_out
    assert found.fabric.host_links == ()


@pytest.mark.parametrize(
    ("switches", "problems", "left"),
    [
        ("leaf-1: {type: none, role: leaf}", [("NP101", "switches.leaf-1.type")], ""),
        ("leaf-0: {type: sn2700, role: leaf}", [("NP105", "switches.leaf-0")], ""),
        (
            "leaf-0: {type: sn2700, role: leaf}; z-1: {type: sn2700, role: leaf}",
            [("NP105", "switches.leaf-0")],
            "z-1",
        ),
    ],
)
def test_a_cable_to_a_refused_switch_is_no_second_problem(
    switches: str, problems: list[tuple[str, str]], left: str
) -> None:
    name = switches.partition(":")[0]
    data = yaml.safe_load(over("switches", switches)) | {"links": [LINK | {"switch": name}]}
    found = resolved(yaml.safe_dump(data))
    assert [(code, at) for code, at, _ in said(found)] == problems
    assert " ".join(s.name for s in found.fabric.switches) == left


def test_a_switch_type_stands_beside_one_of_an_unknown_model() -> None:
    types = "switch_types: {a: {nos: sonic, model: none}}"
    found = resolved(types)
    assert [(code, at) for code, at, _ in said(found)] == [("NP101", "switch_types.a.model")]
    assert {s.type.name for s in found.fabric.switches} == {"sn2700"}


@pytest.mark.parametrize(
    "text",
    [
        f"{OWN}, rail_networks: [x, 10.1.0.0/24]",
        f"{OWN}, rail_networks: [10.0.0.0/24, x]",
        f"{OWN}, rail_networks: [[10.0.0.0/24, 10.2.0.0/24], 10.1.0.0/24]",
        f"{OWN}, rail_networks: [10.0.0.0/24, 'fd00::/48']",
        "supernets: [x]",
        "prefixes: [21]",
        "supernets: [172.16.0.0/20, 10.0.0.0/20], prefixes: [24, 24], rail_prefixes: [22, 22]",
    ],
)
def test_no_rail_has_networks_where_those_of_one_are_wrong(text: str) -> None:
    found = rails(text)
    assert said(found)
    assert found.fabric.rails is not None
    assert found.fabric.rails.rail_networks == ()


def test_missing_vlans_of_rails_are_counted_on_from_the_highest() -> None:
    found = rails("count: 4, vlan_ids: [9, 3]")
    assert found.fabric.rails is not None
    assert found.fabric.rails.vlan_ids == (9, 3, 10, 11)


def test_what_is_below_a_section_that_is_gone_does_not_end_the_search() -> None:
    wrong = [("hosts",), ("hosts", "gpu-[1-2]", "type"), ("networks", "rail", "mode")]
    assert ("networks", "rail") in prune(base_data(""), wrong).refused


def test_a_wrong_vlan_has_a_stand_in_where_every_id_is_taken() -> None:
    vlans: dict[str, Any] = {f"v{number}": {"id": number} for number in range(3, 4001)}
    pruned = prune({**base_data(""), "vlans": {**vlans, "w": {"id": "x"}}}, [("vlans", "w", "id")])
    assert pruned.data["vlans"]["w"] == {"id": 4000}


@pytest.mark.parametrize("over", ["fabric: {mtu: x}", "hosts: {gpu-1: {hcas: {roce9: {}}}}"])
def test_every_check_is_run_or_counted_as_left_out(over: str) -> None:
    data = merged(base_data(""), yaml.safe_load(over))
    result = compile_texts({"site.yaml": yaml.safe_dump(data)})
    (left,) = (int(text.rpartition("(")[2].rstrip(")")) for text in result.skipped if "not run" in text)
    assert left > 1
    assert left + len(REGISTRY.keys() & result.checked.keys()) == len(REGISTRY)
