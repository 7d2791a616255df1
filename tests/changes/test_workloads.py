"""Workloads that a change affects: changed and removed ones; and hosts with other labels."""

from __future__ import annotations

import csv

import yaml

from netplan.changes.compare import difference, ends_of
from netplan.changes.ends import Ends
from netplan.changes.output import wave_files
from netplan.changes.sides import Side
from netplan.changes.wave import Course
from netplan.changes.waves import course
from netplan.pipeline import compile_texts
from tests.changes.pairs import edited, ends
from tests.inventories import text_of

NAME = "iei-rocev2"
LARGE = "    nodes: 4\n    image: example.com/train:1\n"


def without(workload: str) -> Side:
    data = yaml.safe_load(text_of(NAME))
    del data["workloads"][workload]
    result = compile_texts({f"{NAME}.yaml": yaml.safe_dump(data)})
    return Side(NAME, {a.path: a.text for a in result.artifacts}, result.document)


def kinds(way: Course) -> dict[str, tuple[str, ...]]:
    return {wave.kind: wave.targets for wave in way.waves}


def test_only_a_workload_that_changes_is_made_anew() -> None:
    both = ends_of(edited(NAME, {}), edited(NAME, {LARGE: LARGE.replace("train:1", "train:2")}))
    assert kinds(course(both)) == {"pods": ("large-model",)}
    assert [each.change for each in difference(both).effects if each.part == "pods"] == ["image"]


def test_a_network_that_changes_is_of_the_workloads_that_name_it() -> None:
    rail = "    mode: sriov\n    hosts: [nf5468m5]\n"
    both = ends_of(edited(NAME, {}), edited(NAME, {rail: rail + "    link_state: enable\n"}))
    assert both.applied.restarted == ("training",)


def test_jobs_of_a_workload_that_is_gone_are_deleted_first() -> None:
    both = ends_of(edited(NAME, {}), without("large-model"))
    way = course(both)
    assert way.waves[0].kind == "delete"
    assert kinds(way)["delete"] == ("large-model",)
    assert "pods" not in kinds(way)
    said = next(each.effect.what for each in difference(both).effects if each.part == "pods")
    assert said.startswith("delete its jobs first")


def test_a_workload_that_is_new_makes_no_other_anew() -> None:
    both = ends_of(without("large-model"), edited(NAME, {}))
    assert not {"delete", "stop", "pods"} & kinds(course(both)).keys()
    said = next(each.effect.what for each in difference(both).effects if each.part == "pods")
    assert said.startswith("its jobs can be started")


def test_labels_of_a_host_are_for_a_person() -> None:
    old = "gpu-007: {hcas:"
    both = ends_of(edited(NAME, {}), edited(NAME, {old: "gpu-007: {labels: {example.com/row: b}, hcas:"}))
    (row,) = [each for each in difference(both).effects if each.target == "gpu-007"]
    assert row.change == "label example.com/row none -> b"
    assert "kubectl label node" in row.effect.what


def nvue(both: Ends) -> tuple[str, ...]:
    name = next(name for name in both.differing if both.switch(name).nos == "cumulus-nvue")
    found = both.change(name, "old", "new")
    assert found is not None
    return found.by_hand


def test_an_nvue_apply_has_to_be_confirmed() -> None:
    assert any("within ten minutes" in text for text in nvue(ends("multi-vendor", "VLANs renumbered")))


def test_nodes_are_drained_before_cables_and_join_before_pods() -> None:
    way = course(ends("multi-vendor", "hosts moved"))
    found = [wave.kind for wave in way.waves]
    assert found.index("drain") < found.index("cables") < found.index("join")
    assert kinds(way)["drain"] == kinds(way)["join"]
    gone = kinds(course(ends("iei-rocev2", "a host removed")))
    assert "drain" in gone
    assert "join" not in gone


def test_a_switch_of_another_nos_has_whole_files_both_ways() -> None:
    both = ends("multi-vendor", "a leaf of another NOS")
    files = {artifact.path for artifact in wave_files(course(both), both)}
    (name,) = [name for name in both.differing if both.replaced(name)]
    folders = {path.partition("/")[2].rpartition("/")[0] for path in files}
    assert {f"switches/{name}", f"rollback/switches/{name}"} <= folders
    assert any(path.endswith(f"/switches/{name}/README.md") for path in files)


def test_every_cable_that_differs_is_listed() -> None:
    both = ends("multi-vendor", "hosts moved")
    (text,) = [a.text for a in wave_files(course(both), both) if a.path.endswith("/cables.csv")]
    rows = list(csv.DictReader(text.splitlines()))
    assert {row["before"].split()[0] for row in rows if row["before"]} & set(both.moved)
    assert all(row["before"] != row["after"] for row in rows)


def renamed() -> Ends:
    """A renamed network of the SR-IOV operator: other policies take the same VFs."""
    edits = {"\n  rail:\n": "\n  fast:\n", "resource_name: rail\n": "resource_name: fast\n"}
    new = edited("kitchen-sink", {**edits, "networks: [rail, ": "networks: [fast, "})
    return ends_of(edited("kitchen-sink", {}), new)


def test_policies_go_before_those_that_take_their_vfs() -> None:
    both = renamed()
    way = course(both)
    assert way.stopped == ("training",)
    found = [wave.kind for wave in way.waves]
    assert found.index("stop") < found.index("objects-clear") < found.index("objects") < found.index("start")
    texts = [a.text for a in wave_files(way, both) if a.path.count("/") == 2 and "/delete.yaml" in a.path]
    gone = [{each["kind"] for each in yaml.safe_load_all(text)} for text in texts]
    assert gone == [{"SriovNetworkNodePolicy"}, {"NetworkAttachmentDefinition"}]


def test_a_spine_that_goes_is_taken_out_of_routing_before_its_cables() -> None:
    edits = {"  spine-[1-2]: {": "  spine-1: {"}
    edits |= {line + "\n": "" for line in text_of("multi-vendor").splitlines() if " to: spine-2," in line}
    way = course(ends_of(edited("multi-vendor", {}), edited("multi-vendor", edits)))
    found = [wave.kind for wave in way.waves]
    assert found.index("isolate") < found.index("cables")
    assert kinds(way)["isolate"] == ("spine-2",)
    assert all(wave.targets != ("spine-2",) for wave in way.waves if wave.of_switches)
    (cables,) = [wave for wave in way.waves if wave.kind == "cables"]
    assert not any("drain" in each.effect.what for each in cables.hand)


def test_what_no_file_does_is_by_hand_in_the_wave_of_the_switch() -> None:
    way = course(ends("multi-vendor", "VLANs renumbered"))
    said = [each.effect.what for wave in way.waves if wave.of_switches for each in wave.hand]
    assert any(text.startswith("leaf-2: ") and "within ten minutes" in text for text in said)


def test_what_was_entered_by_hand_is_taken_back() -> None:
    both = ends_of(edited("multi-vendor", {}), edited("multi-vendor", {"    pfc_watchdog: {": "    # {"}))
    for name in ("leaf-7", "leaf-8"):
        there, back = both.change(name, "old", "new"), both.change(name, "new", "old")
        assert there is not None
        assert back is not None
        taken = [text for text in there.by_hand if text.startswith("take back what was entered for: ")]
        assert taken
        assert not any(text.startswith("take back") for text in back.by_hand)
