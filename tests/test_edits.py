"""Every value and line of a tree is removed or changed once: a command detects it, or a row states why not.

``tests/edits/<family>.yaml`` has the rows; ``python -m tests.edits FAMILY`` lists edits without one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import yaml

from tests.edits.decided import (
    FAMILIES,
    FOLDER,
    counted,
    edits,
    family,
    noticed,
    unnoticed,
    without_twin,
)
from tests.edits.judges import JUDGES
from tests.edits.site import BOXES, rendered

SAMPLE = 12
"""Number of edits per family in the quick tests."""
EVERY = 9


@pytest.mark.parametrize("name", FAMILIES)
def test_a_sample_of_edits_is_noticed_or_decided(name: str) -> None:
    of = family(name)
    made = list(of.edits())
    left = unnoticed(of, made[:: len(made) // SAMPLE])
    assert len(made) > 200
    if not of.undecided:
        assert [str(edit) for edit in left if not of.rows(edit)] == []


@pytest.mark.full
@pytest.mark.parametrize("name", FAMILIES)
def test_every_edit_is_noticed_or_decided(name: str, request: pytest.FixtureRequest) -> None:
    of = family(name)
    every = 1 if request.config.getoption("--nightly") else of.every
    made = list(of.edits())[::every]
    left = unnoticed(of, made)
    undecided = [str(edit) for edit in left if not of.rows(edit)]
    assert len(undecided) <= of.undecided, undecided
    if every == 1:
        assert [str(row) for row in of.decided if not any(row.takes(edit) for edit in left)] == []
    if of.undecided:
        return
    counts = counted(of, made, left)
    if every == 1:  # survivors are clustered: a sample does not show their share
        assert 100 * counts["survivors"] <= of.most * (counts["made"] - counts["harmless"])
        assert counts == of.counts, f"python -m tests.edits {name} --write"


UNDOING = [
    ("arista-eos", "interfaces.txt", "no ip routing"),
    ("arista-eos", "interfaces.txt", "default interface Ethernet9/1"),
    ("cisco-nxos", "interfaces.txt", "no feature bgp"),
    ("cisco-nxos", "interfaces.txt", "interface Ethernet1/9\n  vrf member RED"),
    ("juniper-junos", "interfaces.txt", "deactivate protocols bgp"),
    ("juniper-junos", "roce.txt", "delete class-of-service"),
    ("cumulus-nvue", "interfaces.txt", "nv unset interface swp1"),
]
"""Lines that negate others and that netplan does not render."""


@pytest.mark.parametrize(("nos", "file", "line"), UNDOING)
def test_a_line_that_nothing_takes_leaves_it_unproved(nos: str, file: str, line: str) -> None:
    path = f"switches/leaf-1/{file}"
    said = judged(nos, path, f"{rendered(nos)[path]}{line}\n")
    last = line.splitlines()[-1].strip()
    assert any(text.startswith(path) and text.endswith(f" is not read: {last}") for text in said), said


REPEATED = [
    (nos, file, row["lines"], row["verdict"])
    for nos, files in yaml.safe_load((FOLDER / "more" / "repeated.yaml").read_text(encoding="utf-8")).items()
    for file, rows in files.items()
    for row in rows
]


@pytest.mark.parametrize(("nos", "file", "line", "verdict"), REPEATED)
def test_a_later_line_holds_or_nothing_is_proved(nos: str, file: str, line: str, verdict: str) -> None:
    path = f"switches/leaf-1/{file}"
    said = judged(nos, path, f"{rendered(nos)[path]}{line}\n")
    assert {each.split()[1] for each in said if each.startswith("training: ")} == {verdict}, said


ENGINEER = yaml.safe_load((FOLDER / "more" / "engineer.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", ENGINEER, ids=lambda case: f"{case['nos']}: {case['says'][:70]}")
def test_an_edit_of_an_engineer_is_not_proved(case: Mapping[str, str]) -> None:
    path = f"switches/{case['switch']}/{case['file']}"
    tree = without_twin(case["nos"], path)
    before = tree[path]
    after = f"{before}{case['add']}\n" if "add" in case else before.replace(case["text"], case["other"], 1)
    assert after != before
    said = JUDGES["trace"]({**tree, path: after})
    assert {each.split()[1] for each in said if each.startswith("training: ")} == {case["verdict"]}
    assert any(each.startswith(case["says"]) for each in said - JUDGES["trace"](tree)), said


@pytest.mark.parametrize("nos", sorted(BOXES))
def test_the_trees_that_are_edited_are_proved(nos: str) -> None:
    """With one of NVUE's two equivalent files, no line states the MTU of a VLAN interface."""
    tree = without_twin(nos, "switches/leaf-1/interfaces.txt")
    found = {each for each in JUDGES["trace"](tree) if each.startswith("training: ")}
    assert found == {f"training: {'UNPROVED' if nos == 'cumulus-nvue' else 'DELIVERED'} "}


def test_marks_that_begin_after_pfc_are_not_proved() -> None:
    """On an ACS-MSN3700, a priority group that is congested alone sends XOFF at 11,622,400 / 2 bytes."""
    tree = dict(rendered("sonic"))
    tree["site.json"] = tree["site.json"].replace("[100000, 400000]", "[6000000, 8000000]")
    for path in [path for path in tree if path.endswith("roce.json")]:
        text = tree[path].replace('_min_threshold": "100000"', '_min_threshold": "6000000"')
        tree[path] = text.replace('_max_threshold": "400000"', '_max_threshold": "8000000"')
    said = JUDGES["trace"](tree)
    assert "training: UNPROVED " in said
    start = "ECN of queue 3 of leaf-1 Ethernet0 begins at 6,000,000 bytes, PFC at 5,811,200 already"
    assert any(each.startswith(start) for each in said)


CASES = FOLDER / "cases"
"""Per NOS: edits and the resulting messages of trace."""


def cases() -> Iterator[Any]:
    for path in sorted(CASES.glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield pytest.param(path.stem, case, id=f"{path.stem}: {case['other'][:60]}")


@pytest.mark.parametrize(("nos", "case"), list(cases()))
def test_trace_says_what_is_wrong(nos: str, case: Mapping[str, str]) -> None:
    path = f"switches/leaf-1/{case['file']}"
    before = rendered(nos)[path]
    assert case["text"] in before
    said = judged(nos, path, before.replace(case["text"], case["other"], 1))
    assert any(each.startswith(case["says"]) and f"{path}:" in each for each in said), said


@pytest.mark.parametrize(
    ("file", "table", "row", "what"),
    [
        ("interfaces.json", "ACL_RULE", {"a|b": {"PACKET_ACTION": "DROP"}}, "ACL_RULE.a|b.PACKET_ACTION"),
        ("roce.json", "PORT", {"Ethernet0": {"tpid": "0x88A8"}}, "PORT.Ethernet0.tpid"),
    ],
)
def test_a_row_that_nothing_takes_leaves_it_unproved(file: str, table: str, row: Any, what: str) -> None:
    path = f"switches/leaf-1/{file}"
    data = json.loads(rendered("sonic")[path])
    data[table] = data.get(table, {}) | row
    said = judged("sonic", path, json.dumps(data))
    assert f"{path}: {what} is not read" in said


def test_an_operation_that_netplan_does_not_write_leaves_it_unproved() -> None:
    path = "switches/leaf-1/buffers.patch.json"
    more = {"op": "replace", "path": "/PORT/Ethernet0/admin_status", "value": "down"}
    said = judged("sonic", path, json.dumps([*json.loads(rendered("sonic")[path]), more]))
    assert f"{path}: replace PORT.Ethernet0.admin_status is not read" in said


def test_a_loopback_among_the_addresses_of_pods_draws_their_packets() -> None:
    """A loopback's connected route takes precedence over BGP: the switch keeps the packets for that pod."""
    path = "switches/leaf-1/interfaces.json"
    text = rendered("sonic")[path]
    said: set[str] = set()
    for last in range(1, 60):
        said |= judged("sonic", path, text.replace("172.31.255.1/32", f"172.16.5.{last}/32"))
    assert any(" keeps packets for 172.16.5." in each for each in said), said


def judged(nos: str, path: str, text: str) -> set[str]:
    """Messages of trace that the unchanged tree does not have, without counts."""
    tree = rendered(nos)
    found = JUDGES["trace"]({**tree, path: text}) - JUDGES["trace"](tree)
    return {each.partition(" (and ")[0] for each in found}


@pytest.mark.parametrize("start", ["site.json", "pods/training/routes.yaml", "kubernetes/30-networks/"])
def test_no_edit_ends_in_a_crash(start: str) -> None:
    made = list(edits("sonic", start))[::EVERY]
    assert len(made) >= 5
    assert any(noticed("sonic", edit) for edit in made)
