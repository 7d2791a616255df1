"""Subnet of a rail on each leaf: by the leaf's id, or by its position among the rail's leaves."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from netplan.load import load_texts
from netplan.model.codes import Problems
from netplan.pipeline import compile_texts
from netplan.plan.rail_segments import rail_segments
from tests.cli_runs import netplan
from tests.factories import fabric_from
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.overlay import CHECKS, base_data

Ids = Mapping[int, Sequence[int]]
"""Rail -> ids of the leaves that its cables end on."""


def inventory(leaves: Ids, numbering: str, first_subnet: int = 0) -> str:
    """An inventory in which each leaf has one rail and its own host."""
    over: dict[str, Any] = {
        "rails": {
            "supernets": ["10.0.0.0/8"],
            "rail_prefixes": [16],
            "numbering": numbering,
            "first_subnet": first_subnet,
        },
        "hosts": {"gpu-[1-2]": None, "gpu-[001-400]": {"type": "gpu"}},
        "switches": {
            "leaf-[1-2]": None,
            "leaf-[001-250]": {"type": "sn2700", "role": "leaf"},
            "spine-1": {"id": 900},
        },
        "links": [
            {
                "hosts": f"gpu-{leaf:03}",
                "hca": f"roce{rail}",
                "switch": f"leaf-{leaf:03}",
                "ports": "Ethernet0",
                "cable_m": 5,
            }
            for rail, ids in leaves.items()
            for leaf in ids
        ],
    }
    return json.dumps(over)


def subnets(
    leaves: Ids, numbering: str = "position", first_subnet: int = 0
) -> dict[tuple[int | None, str | None], str]:
    fabric = fabric_from((CHECKS / "base.yaml").read_text(), inventory(leaves, numbering, first_subnet))
    problems = Problems()
    found = {(s.rail, s.leaf): str(s.subnets[0].network) for s in rail_segments(fabric, problems)}
    assert not problems.found
    return found


@pytest.mark.parametrize(
    ("numbering", "numbers"),
    [("id", {0: [0, 2, 4], 1: [1, 3, 5]}), ("position", {0: [0, 1, 2], 1: [0, 1, 2]})],
)
def test_a_leaf_for_each_rail(numbering: str, numbers: Ids) -> None:
    """Two rails on six leaves, one rail per leaf: by id, every second subnet of a rail is unused."""
    leaves = {0: [1, 3, 5], 1: [2, 4, 6]}
    assert subnets(leaves, numbering) == {
        (rail, f"leaf-{leaf:03}"): f"10.{rail}.{number}.0/24"
        for rail, ids in leaves.items()
        for leaf, number in zip(ids, numbers[rail], strict=True)
    }


def test_a_leaf_of_several_rails_has_its_position_on_each() -> None:
    found = subnets({0: [1, 2, 3], 1: [2, 3]})
    assert [found[rail, "leaf-003"] for rail in (0, 1)] == ["10.0.2.0/24", "10.1.1.0/24"]


def test_inventories_on_one_fabric_number_apart_by_id_only() -> None:
    """Two clusters with the same supernets, one on leaf 1 and the other on leaf 3."""
    by_position = [subnets({0: [leaf]})[0, f"leaf-00{leaf}"] for leaf in (1, 3)]
    by_id = [subnets({0: [leaf]}, "id")[0, f"leaf-00{leaf}"] for leaf in (1, 3)]
    assert by_position == ["10.0.0.0/24", "10.0.0.0/24"]
    assert by_id == ["10.0.0.0/24", "10.0.2.0/24"]


LEAVES = st.lists(st.integers(1, 200), min_size=1, max_size=6, unique=True).map(sorted)


@settings(max_examples=25, deadline=None)
@given(mine=LEAVES, other=LEAVES, new=st.integers(1, 50), data=st.data())
def test_what_a_leaf_more_and_a_leaf_less_move(
    mine: list[int], other: list[int], new: int, data: st.DataObject
) -> None:
    """A new last leaf, or one of another rail, moves nothing; removing one moves its rail's later leaves."""
    before = subnets({0: mine, 1: other})
    longer = subnets({0: [*mine, max(mine) + new], 1: other})
    assert before.items() <= longer.items()
    other_longer = subnets({0: mine, 1: sorted({*other, new})})
    assert {k: v for k, v in before.items() if k[0] == 0}.items() <= other_longer.items()
    gone = data.draw(st.sampled_from(mine))
    rest = subnets({0: [leaf for leaf in mine if leaf != gone], 1: other})
    moved = {leaf for rail, leaf in before if rail == 0 and before[rail, leaf] != rest.get((rail, leaf))}
    if len(mine) > 1:
        assert moved == {f"leaf-{leaf:03}" for leaf in mine if leaf >= gone}
    assert {k: v for k, v in before.items() if k[0] == 1}.items() <= rest.items()


@settings(max_examples=10, deadline=None)
@given(leaves=LEAVES, seed=st.randoms())
def test_the_order_of_the_cables_does_not_matter(leaves: list[int], seed: Any) -> None:
    shuffled = seed.sample(leaves, len(leaves))
    assert subnets({0: leaves}) == subnets({0: shuffled})


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SHIPPED)
def test_numbering_by_id_is_what_inventories_without_the_key_have(name: str) -> None:
    data = copy.deepcopy(load_texts({f"{name}.yaml": text_of(name)}).data)
    if "rails" not in data:
        pytest.skip("it has no rails")
    data["rails"]["numbering"] = "id"
    assert outputs(compile_texts({"inventory.yaml": json.dumps(data)})) == outputs(compiled(name))


UNRELATED = (
    "site: other",
    "fabric: {mtu: 4200}",
    "fabric: {qos: {classes: {roce: {dscp: 34}}}}",
    "underlay: {loopbacks: 172.31.250.0/24}",
    "rails: {vlan_ids: 200-203}",
    "rails: {reserved: [172.16.3.0-172.16.3.255]}",
    "hosts: {gpu-003: {absent: true}}",
    "hosts: {gpu-001: {labels: {rack: r1}}}",
    "switches: {'spine-[1-2]': {router_id: 172.31.250.101}}",
    "switch_types: {sn2700: {host_table: 16000}}",
    "workloads: {large-model: null, training: {nodes: 2}}",
    "networks: {card: null}\nworkloads: {large-model: null}",
)
"""Overlays of iei-rocev2 that do not affect the placement of subnets."""


@pytest.mark.parametrize("numbering", ["id", "position"])
@settings(max_examples=6, deadline=None)
@given(overlays=st.lists(st.sampled_from(UNRELATED), min_size=1, max_size=4, unique=True))
def test_unrelated_overlays_move_no_subnet(numbering: str, overlays: list[str]) -> None:
    found = []
    for laid in ([], overlays):
        over = [{f"{n}.yaml": t} for n, t in enumerate([f"rails: {{numbering: {numbering}}}", *laid])]
        document = load_texts({"site.yaml": text_of("iei-rocev2")}, over)
        fabric = fabric_from(json.dumps(document.data))
        segments = rail_segments(fabric, Problems())
        found.append([(s.name, [(str(n.network), n.gateway) for n in s.subnets]) for s in segments])
    assert found[0] == found[1]


def racks() -> str:
    """Two racks, each with one leaf for each of two rails."""
    data = copy.deepcopy(base_data(""))
    hosts = {rack: f"gpu-[{2 * rack + 1}-{2 * rack + 2}]" for rack in (0, 1)}
    data["hosts"] = {name: {"type": "gpu", "labels": {"rack": f"r{rack}"}} for rack, name in hosts.items()}
    data["switches"] = {"leaf-[1-4]": {"type": "sn2700", "role": "leaf"}, **data["switches"]}
    del data["switches"]["leaf-[1-2]"]
    data["rails"]["rail_prefixes"] = [21]
    down, up = data["links"]
    data["links"] = [
        *(
            down | {"hosts": name, "switch": f"leaf-[{2 * rack + 1}-{2 * rack + 2}]"}
            for rack, name in hosts.items()
        ),
        up | {"switches": "leaf-[1-4]", "to_ports": "Ethernet[0-12/4]"},
    ]
    train = data["workloads"].pop("train")
    data["workloads"] = {f"train-{rack}": train | {"hosts": [name]} for rack, name in hosts.items()}
    return json.dumps(data)


def switch_over(folder: Path, text: str) -> Any:
    (folder / "site.yaml").write_text(text)
    (folder / "over.yaml").write_text("rails: {numbering: position}\n")
    site = str(folder / "site.yaml")
    status, out, err = netplan(
        "diff", site, site, "--overlay", str(folder / "over.yaml"), "--format", "json", "-q"
    )
    assert status == 1, err
    return json.loads(out)


def pools(diff: Any) -> set[tuple[str, str]]:
    """(objects, change) of pools whose subnet moves."""
    changes = ((e["target"], e["change"]) for e in diff["diff"]["effects"])
    return {found for found in changes if found[1].startswith("spec.subnet")}


def test_diff_shows_what_a_switch_over_renumbers(tmp_path: Path) -> None:
    """Leaf 1 is the first leaf of rail 0 either way; leaf 2 becomes the first of rail 1."""
    diff = switch_over(tmp_path, (CHECKS / "base.yaml").read_text())
    moved = "spec.subnet 172.16.5.0/24 -> 172.16.4.0/24"
    assert pools(diff) == {("IPPool kube-system/rail1-leaf-2", moved)}
    assert diff["diff"]["order"]["name"] == "outward"


def test_a_subnet_that_another_leaf_had_takes_a_window(tmp_path: Path) -> None:
    """On rail 1, leaf 4 takes over leaf 2's subnet: no order keeps both connected."""
    diff = switch_over(tmp_path, racks())
    assert pools(diff) == {
        ("IPPool kube-system/rail0-leaf-3", "spec.subnet 172.16.2.0/24 -> 172.16.1.0/24"),
        ("IPPool kube-system/rail1-leaf-[2-4/2]", "spec.subnet 172.16.[9-11/2].0/24 -> 172.16.[8-9].0/24"),
    }
    assert diff["diff"]["order"]["name"] == "window"


@pytest.mark.parametrize("numbering", ["id", "position"])
def test_the_first_subnets_of_each_part_stay_free(numbering: str) -> None:
    leaves = {0: [1, 2], 1: [1, 2]}
    assert subnets(leaves, numbering, first_subnet=11) == {
        (rail, f"leaf-{leaf:03}"): f"10.{rail}.{leaf + 10}.0/24" for rail in (0, 1) for leaf in (1, 2)
    }


@pytest.mark.parametrize(("numbering", "ids"), [("id", [250]), ("position", [1, 2])])
def test_free_subnets_count_where_the_part_ends(numbering: str, ids: list[int]) -> None:
    """A part of 256 subnets: the last leaf has the last one, or none."""
    fits = 256 - (ids[-1] if numbering == "id" else len(ids))
    assert len(subnets({0: ids, 1: [1]}, numbering, fits)) == len(ids) + 1
    problems = Problems()
    base, over = (CHECKS / "base.yaml").read_text(), inventory({0: ids, 1: [1]}, numbering, fits + 1)
    rail_segments(fabric_from(base, over), problems)
    (found,) = problems.found
    assert found.code == "NP203"
    assert str(fits + 1) in found.message or "number 256" in found.message


def test_free_subnets_beyond_the_part_are_one_finding() -> None:
    problems = Problems()
    base, over = (CHECKS / "base.yaml").read_text(), inventory({0: [1, 2], 1: [3]}, "id", 256)
    assert rail_segments(fabric_from(base, over), problems) == ()
    (found,) = problems.found
    assert (found.code, found.path) == ("NP203", ("rails", "first_subnet"))
    assert "first_subnet 256 is past the end of 10.0.0.0/16 of rail 0, which has 256 subnets" in found.message


@pytest.mark.parametrize("segment", ["stretched", "leaf"])
def test_the_subnet_of_a_rail_without_leaves_is_the_first_that_is_not_free(segment: str) -> None:
    over = {"links": None, "rails": {"segment": segment, "first_subnet": 3}}
    fabric = fabric_from((CHECKS / "base.yaml").read_text(), json.dumps(over))
    found = rail_segments(fabric, Problems())
    assert [str(s.subnets[0].network) for s in found] == ["172.16.3.0/24", "172.16.7.0/24"]


def test_the_link_of_the_first_host_is_the_first_that_is_not_free() -> None:
    data = yaml.safe_load(text_of("l3-to-host"))
    plain = compile_texts({"site.yaml": yaml.safe_dump(data)}).plan
    data["rails"]["first_subnet"] = 5
    moved = compile_texts({"site.yaml": yaml.safe_dump(data)}).plan
    assert plain is not None
    assert moved is not None
    pairs = list(zip(plain.addresses.host_links, moved.addresses.host_links, strict=True))
    assert pairs
    for before, after in pairs:
        for old, new in zip(before.host_addresses, after.host_addresses, strict=True):
            width = 32 if old.ip.version == 4 else 128
            assert int(new.ip) - int(old.ip) == 5 << (width - old.prefixlen)


def test_free_subnets_beyond_the_parts_of_hosts_are_one_finding() -> None:
    data = yaml.safe_load(text_of("l3-to-host"))
    data["rails"]["first_subnet"] = 65535
    found = compile_texts({"site.yaml": yaml.safe_dump(data)}).diagnostics
    assert [(each.code, each.path) for each in found if each.severity == 2] == [
        ("NP203", ("rails", "first_subnet"))
    ]
