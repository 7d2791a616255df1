"""``check-live``: a list of outputs of one switch, without anything around them."""

from __future__ import annotations

import json
from itertools import permutations
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.test_check_live_json import live, outputs

JSON = {
    name: {
        each.rpartition("-")[2][:-5]: json.loads(text)
        for each, text in outputs(name).items()
        if "json" in each
    }
    for name in ("leaf-2", "leaf-4", "leaf-5", "leaf-6")
}

del JSON["leaf-2"]["lldp"]  # of lldpctl


def listed(name: str, given: list[Any], indent: int | None = 1) -> Live:
    return live({name: json.dumps(given, indent=indent) + "\n"})


def right(found: Live) -> set[tuple[str, str, str, str]]:
    assert found.wrong == ()
    shown = (one.claim for one in found.judged if one.found)
    return {(one.hop.name, one.kind, one.subject, one.field) for one in shown}


@pytest.mark.parametrize("name", JSON)
def test_a_list_is_read_as_each_output_alone(name: str) -> None:
    alone = {f"{name}-{each}.json": json.dumps(data) for each, data in JSON[name].items()}
    expected = right(live(alone))
    assert len(expected) > 50
    for indent in (1, None):
        found = listed(f"{name}.json", list(JSON[name].values()), indent)
        assert (right(found), found.unread) == (expected, ())


@pytest.mark.parametrize("name", JSON)
def test_also_of_one_output_and_in_any_order(name: str) -> None:
    for each, data in JSON[name].items():
        alone = right(live({f"{name}.json": json.dumps(data)}))
        assert (each, right(listed(f"{name}.json", [data]))) == (each, alone)
    for both in permutations(list(JSON[name].values())[:3], 2):
        assert right(listed(f"{name}.json", list(both)))


def changed(data: Any, before: str, after: str) -> Any:
    text = json.dumps(data)
    assert before in text
    return json.loads(text.replace(before, after))


EOS, NXOS = JSON["leaf-4"], JSON["leaf-5"]
DOWN = changed(EOS["ports"], '"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"')
OTHER = changed(EOS["bgp"], '"routerId": "', '"routerId": "1')


@pytest.mark.parametrize(
    "given",
    [
        *([DOWN, EOS["ports"]], [DOWN, DOWN], [EOS["vlans"], DOWN, EOS["ports"]], [DOWN, {}], [DOWN, "x"]),
        *(
            [DOWN, {"hostname": "leaf-9"}],
            [DOWN, {"hostname": "leaf-5", "fqdn": "x"}],
            [DOWN, {"a": 1}],
            [[DOWN]],
        ),
        *([DOWN, NXOS["vlans"]], [DOWN, None], [EOS["lldp"], DOWN, EOS["lldp"]], [EOS["bgp"], OTHER, DOWN]),
        *([DOWN] * 101, [DOWN, [EOS["vlans"]]], [DOWN, {"hostname": "core-77"}, EOS["vlans"]]),
    ],
)
def test_a_list_that_may_be_of_several_machines_says_nothing(given: list[Any]) -> None:
    for name in ("leaf-4.json", "x.json"):
        found = listed(name, given)
        assert [one for one in found.judged if one.found] == []


def test_it_is_of_the_switch_that_speaks() -> None:
    text = json.dumps([DOWN, EOS["vlans"]])
    assert listed("x.json", [DOWN, EOS["vlans"]]).wrong == ()
    assert {one.claim.hop.name for one in live({"x.log": f"== leaf-4 ==\n{text}\n"}).wrong} == {"leaf-4"}
    for above in ("leaf-4# show interfaces | json", "leaf-4# cat x.json", "core-77# ", "== core-77 =="):
        assert live({"leaf-4.log": f"{above}\n{text}\nleaf-4# \n"}).wrong == ()


def test_summaries_of_both_versions_are_of_one_router() -> None:
    assert listed("leaf-4.json", [EOS["bgp"], EOS["bgp"], DOWN]).wrong
