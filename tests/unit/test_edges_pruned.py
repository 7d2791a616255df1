"""Facts of one line each, at their edge: what is left out of an inventory that the schema rejects."""

from __future__ import annotations

import json

import pytest
import yaml

from netplan.diagnostics import Path
from netplan.resolve.prune import prune
from tests.factories import merged
from tests.overlay import base_data


@pytest.mark.parametrize(
    ("over", "wrong", "refused", "unknown"),
    [
        ("", ("hosts", "gpu-[1-2]", "type"), ["hosts.gpu-1", "hosts.gpu-2", "hosts.gpu-[1-2]"], []),
        ("", ("hosts", "gpu-[1-2]"), ["hosts.gpu-1", "hosts.gpu-2", "hosts.gpu-[1-2]"], []),
        ("hosts: {'gpu-[1-': {}}", ("hosts", "gpu-[1-"), ["hosts.gpu-[1-"], []),
        ("", ("networks", "rail", "mode"), ["networks.rail"], []),
        ("vlans: {v: {id: 9999}}", ("vlans", "v", "id"), ["vlans.v.id"], []),
        ("", ("links", 1, "cable_m"), ["links.1"], []),
        ("accept: [{check: NP1, at: a, reason: 1}]", ("accept", 0, "reason"), ["accept.0.reason"], []),
        (
            "accept: [{check: NP1, at: a, reason: b}]",
            ("accept", 0, "check"),
            ["accept.0", "accept"],
            ["accept"],
        ),
        ("accept: [{check: NP1, at: a, reason: b}]", ("accept", 0, "at"), ["accept.0", "accept"], ["accept"]),
        (
            "accept: [{check: 1, at: a, reason: b}]",
            ("accept", 0, "reason"),
            ["accept.0", "accept"],
            ["accept"],
        ),
        ("accept: [x]", ("accept", 0), ["accept.0", "accept"], ["accept"]),
        ("catalog: {hcas: {m: {}}}", ("catalog", "hcas", "m", "vendor"), ["HCA models.m"], []),
        ("catalog: {switches: {m: {}}}", ("catalog", "switches", "m"), ["switch models.m"], []),
        (
            "catalog: {hcas: 1}",
            ("catalog", "hcas"),
            ["HCA models", "catalog", "switch models"],
            ["HCA models", "catalog", "switch models"],
        ),
        ("", ("fabric", "qos", "classes"), ["qos"], ["qos"]),
        ("", ("fabric", "mtu"), ["mtu"], ["mtu"]),
        (
            "",
            ("fabric", "type"),
            ["adaptive_routing", "arp", "cross_rail", "fabric", "mtu", "partition", "qos", "type"],
            ["adaptive_routing", "arp", "cross_rail", "fabric", "mtu", "partition", "qos", "type"],
        ),
        ("", ("links",), ["host_links", "links", "switch_links"], ["host_links", "links", "switch_links"]),
        ("", ("underlay", "uplinks"), ["underlay"], ["underlay"]),
        ("", ("site",), ["site"], ["site"]),
    ],
)
def test_what_is_left_out(over: str, wrong: Path, refused: list[str], unknown: list[str]) -> None:
    data = merged(base_data(""), yaml.safe_load(over) or {})
    before = json.dumps(data)
    pruned = prune(data, [wrong])
    assert sorted(".".join(map(str, place)) for place in pruned.refused) == sorted(refused)
    assert sorted(pruned.unknown) == unknown
    assert json.dumps(data) == before, "the document stays as it is"


def test_a_key_that_is_unknown_may_be_any_section_that_is_missing() -> None:
    data = {name: value for name, value in base_data("").items() if name not in ("rails", "underlay")}
    pruned = prune({**data, "rials": {}}, [("rials",)])
    assert {"rails", "underlay", "vlans", "subnets"} <= pruned.unknown
    assert not {"hosts", "links", "networks"} & pruned.unknown
    assert "rials" not in pruned.data


def test_a_vlan_whose_id_is_wrong_gets_a_free_one() -> None:
    vlans = {"a": {"id": 4000}, "b": {"id": "x"}, "c": {"id": 3999}, "d": None}
    pruned = prune({**base_data(""), "vlans": vlans}, [("vlans", "b", "id"), ("vlans", "d")])
    assert [vlan["id"] for vlan in pruned.data["vlans"].values()] == [4000, 3998, 3999, 3997]


def test_items_of_a_list_keep_their_places() -> None:
    links = [{"cable_m": "x"}, *base_data("")["links"]]
    pruned = prune({**base_data(""), "links": links}, [("links", 0, "cable_m")])
    assert pruned.data["links"] == [{}, *base_data("")["links"]]
    accept = [{"check": "NP101", "at": "hosts", "reason": 1, "until": "never"}, {"check": 1}]
    pruned = prune({**base_data(""), "accept": accept}, [("accept", 0, "reason"), ("accept", 1, "check")])
    assert pruned.data["accept"] == [{"check": "NP101", "at": "hosts", "reason": "as stated"}, {}]


def test_a_document_that_is_none_is_all_stand_ins() -> None:
    pruned = prune("text", [()])
    assert dict(pruned.data)["fabric"] == {"type": "roce"}
    assert {"hosts", "rails", "mtu", "host_links"} <= pruned.unknown


def test_a_section_that_is_gone_is_not_looked_into() -> None:
    """Its own mistake comes first, those below it are about what is no longer there."""
    pruned = prune(base_data(""), [("hosts",), ("hosts", "gpu-[1-2]", "type")])
    assert sorted(map(str, pruned.refused)) == ["('hosts',)"]
