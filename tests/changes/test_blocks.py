"""Changes for block CLIs, entered line by line into a model of the CLI that knows nothing of change.yaml."""

from __future__ import annotations

import os
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from netplan.changes.commands import Change, Files, Form, form_of
from netplan.changes.steps import Step, steps
from netplan.model.readback import ReadSwitch
from netplan.reading.switches import read_switch
from tests.changes import block_sites, comware, eos, nxos, onyx, os10, vrp
from tests.changes.block_sites import EDITS, files, states
from tests.changes.cli import State
from tests.switch_site import profiles
from tests.vendors.sites import PORTS

NEEDS = {"ipv6": "ipv6", "pcp": "pcp_trust", "store lossless": "qos_map"}
"""Edit -> NOS feature that its plan requires."""
MODELS: Mapping[str, ModuleType] = {
    "arista-eos": eos,
    "cisco-nxos": nxos,
    "huawei-vrp": vrp,
    "h3c-comware": comware,
    "dell-os10": os10,
    "onyx": onyx,
}
EDITED = [
    (nos, edit)
    for nos in MODELS
    for edit in EDITS
    if edit != "base" and (edit not in NEEDS or profiles()[nos].supports[NEEDS[edit]] == "")
]
SAME = [Step("unread")]
KEPT = ("asn", "feature-added", "port-added")
"""Steps for lines that stay because others may use them: routing process, empty BGP block, enabled port."""


def form(nos: str) -> Form:
    found = form_of(nos)
    assert found is not None
    return found


def loaded(nos: str, shown: Files, state: State | None = None) -> State:
    return MODELS[nos].CLI.run(shown.values(), state, strict=False)


def applied(nos: str, state: State, change: Change) -> State:
    return MODELS[nos].CLI.run([part.text for part in change.parts], state)


def read(nos: str, shown: Files) -> ReadSwitch:
    return read_switch("leaf-1", nos, shown, asic=PORTS[nos][1])


def running(nos: str, state: State) -> ReadSwitch:
    """The model's state, read back as a running configuration."""
    return read(nos, {"interfaces.txt": MODELS[nos].CLI.shown(state)})


def proved(nos: str, old: Files, new: Files) -> None:
    """The change and its reverse leave nothing behind, and the changed switch reads back as the new files."""
    forward, back = form(nos).change(old, new), form(nos).change(new, old)
    start, goal = loaded(nos, old), loaded(nos, new)
    there = applied(nos, start, forward)
    assert there.flat() == goal.flat()
    assert_told(there.kept - goal.kept, forward)
    unlike = steps(running(nos, goal), running(nos, there))
    assert [step for step in unlike if step.kind not in KEPT or not forward.by_hand] in ([], SAME)
    here = applied(nos, there, back)
    assert here.flat() == start.flat()
    assert_told(here.kept - start.kept, back)


def assert_told(stays: set[tuple[str, ...]], change: Change) -> None:
    """Shared lines that stay on the switch are reported."""
    for *_, line in stays:
        assert any(f"`{line}`" in said for said in change.by_hand), line


TRUE = ("ports differ in", "roce.txt: trust of")
"""Correct findings of the readers: removed ports keep their queues, and a class that matches DSCP and PCP
until the old match is removed trusts both. A wave with such a state is not used."""


def both_proved(nos: str, old: Files, new: Files) -> None:
    """The merged state has everything new and nothing that neither side has; the readers find no problem in
    it. Factory defaults keep the old files' value if the new files do not set them."""
    shown = form(nos).both(old, new)
    start, goal, merged = loaded(nos, old), loaded(nos, new), loaded(nos, shown)
    assert goal.flat().items() - merged.flat().items() <= loaded(nos, {}).flat().items()
    assert (merged.flat().items() - goal.flat().items()) <= start.flat().items()
    assert shown.keys() == {**old, **new}.keys()
    problems = [each for each in read(nos, shown).problems if not each.startswith(TRUE)]
    assert set(problems) <= {*read(nos, old).problems, *read(nos, new).problems}
    if old.keys() == new.keys():
        assert list(MODELS[nos].faults(merged)) == []


@pytest.mark.parametrize("nos", MODELS)
def test_what_the_model_runs_is_what_is_read_of_the_files(nos: str) -> None:
    shown = files(nos, {})
    assert steps(read(nos, shown), running(nos, loaded(nos, shown))) == SAME


@pytest.mark.sample(12)
@pytest.mark.parametrize(("nos", "edit"), EDITED)
@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
def test_an_edit_there_and_back(nos: str, switch: str, edit: str) -> None:
    proved(nos, files(nos, {}, switch), files(nos, EDITS[edit], switch))


@pytest.mark.sample(6)
@pytest.mark.parametrize(("nos", "edit"), EDITED)
def test_both_at_once(nos: str, edit: str) -> None:
    old, new = files(nos, {}), files(nos, EDITS[edit])
    both_proved(nos, old, new)
    both_proved(nos, new, old)


def test_a_queue_that_becomes_strict_has_no_ecn_beside() -> None:
    """NX-OS assigns strict queues from 7 down: a queue that had ECN there loses it first."""
    strict = {"dscp": 34, "priority": 4, "scheduling": "strict"}
    roce = block_sites.EDITS["other priority"]["fabric__qos__classes"]["roce"]
    cnp = {"dscp": 48, "priority": 6, "scheduling": "strict"}
    old = {"fabric__qos__classes": {"roce": roce, "cnp": cnp}}
    new = {"fabric__qos__classes": {"roce": roce | {"priority": 3}, "store": strict, "cnp": cnp}}
    for switch in ("leaf-1", "spine-1"):
        random_pair("cisco-nxos", old, new, switch)


def test_what_is_so_as_shipped_stays_as_the_old_files_have_it() -> None:
    """VRP pauses priority 3 by default; the old files set only 5, the new ones nothing."""
    old = {
        "fabric__qos__classes": {"roce": block_sites.EDITS["other priority"]["fabric__qos__classes"]["roce"]}
    }
    both_proved("huawei-vrp", *(files("huawei-vrp", edit, "leaf-2") for edit in (old, {"fabric__qos": None})))


def test_a_bridged_port_that_is_left_has_no_other_mtu_than_the_system() -> None:
    """NX-OS: a port that the new files do not mention keeps the old system MTU in no state."""
    random_pair(
        "cisco-nxos", {"switch_types__leaf__port_mtu": 4400, "fabric__mtu": 4200}, {"_hosts": 2}, "leaf-1"
    )


@pytest.mark.parametrize("nos", MODELS)
def test_the_same_is_no_change(nos: str) -> None:
    shown = files(nos, {})
    assert form(nos).change(shown, shown) == Change((), (), ())
    assert form(nos).both(shown, shown) == shown


def test_what_is_a_comment_alone_is_changed_by_hand() -> None:
    """No source confirms a command for the ARP age of Onyx."""
    shown = files("onyx", {})
    changed = {**shown, "arp.txt": shown["arp.txt"].replace("timeout 60", "timeout 90")}
    said = form("onyx").change(shown, changed)
    assert (said.parts, said.by_hand) == (
        (),
        (
            "confirm on the switch: interface ethernet 1/[17-24] ip arp timeout 90",
            "confirm on the switch: interface vlan 100 ip arp timeout 90",
        ),
    )


LOSES = {"as": "bgp ", "routed hosts": ""}
"""Edit -> block in which lines configured by others cannot stay; "": a port whose mode changes."""


@pytest.mark.parametrize(
    "edit", ["vlan", "vlan and subnet", "dscp", "no qos", "fewer hosts", "stretched", *LOSES]
)
@pytest.mark.parametrize("nos", MODELS)
def test_lines_of_others_stay(nos: str, edit: str) -> None:
    old, new = files(nos, {}), files(nos, EDITS[edit])
    asn = read(nos, old).asn
    plain = loaded(nos, old)
    planted = MODELS[nos].CLI.run([MODELS[nos].FOREIGN.format(asn=asn)], plain, strict=False)
    foreign = {path: value for path, value in planted.flat().items() if plain.flat().get(path) != value}
    assert len(foreign) > 5
    change = form(nos).change(old, new)
    left = applied(nos, planted, change).flat()
    lost = {path for path, value in foreign.items() if left.get(path) != value}
    if edit in LOSES:
        assert lost
        assert all(path[0].removeprefix("port ").startswith(LOSES[edit] or PORTS[nos][0]) for path in lost)
        assert any("enter them again" in said for said in change.by_hand)
    else:
        assert lost == set()
        assert left == {**loaded(nos, new).flat(), **foreign}


@pytest.mark.parametrize(
    ("nos", "name"), [("arista-eos", "store lossless"), ("cisco-nxos", "vlan"), ("huawei-vrp", "as")]
)
def test_it_reads_well(golden_tree: Any, nos: str, name: str) -> None:
    few = {"_hosts": 2, "_uplinks": 1}
    change = form(nos).change(files(nos, few), files(nos, few | EDITS[name]))
    parts = [f"# {'; '.join((*part.before, part.apply))}\n{part.text}\n" for part in change.parts]
    said = [f"by hand: {text}\n" for text in change.by_hand] + [f"{text}\n" for text in change.confirm]
    golden_tree(f"changes/{nos}-{name.replace(' ', '-')}", {"change.txt": "".join([*parts, *said])})


def random_pair(nos: str, old: dict[str, Any], new: dict[str, Any], switch: str) -> None:
    pair = files(nos, old, switch), files(nos, new, switch)
    proved(nos, *pair)
    both_proved(nos, *pair)


PAIRS = int(os.environ.get("NETPLAN_PAIRS", "4"))
"""Random pairs per NOS; `make fuzz` runs a thousand."""
RANDOM: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": list(HealthCheck),
    "derandomize": True,
    "phases": [Phase.generate],
}


@pytest.mark.parametrize("nos", MODELS)
@settings(max_examples=1, **RANDOM)
@given(old=states(), new=states(), switch=st.sampled_from(["leaf-1", "leaf-2", "spine-1"]))
def test_any_two_states(nos: str, old: dict[str, Any], new: dict[str, Any], switch: str) -> None:
    random_pair(nos, old, new, switch)


@pytest.mark.full
@pytest.mark.parametrize("nos", MODELS)
@settings(max_examples=PAIRS, **RANDOM)
@given(old=states(), new=states(), switch=st.sampled_from(["leaf-1", "leaf-2", "spine-1"]))
def test_any_two_states_often(nos: str, old: dict[str, Any], new: dict[str, Any], switch: str) -> None:
    random_pair(nos, old, new, switch)


@pytest.mark.parametrize("nos", MODELS)
def test_a_line_that_no_row_knows_is_changed_too(nos: str) -> None:
    """It never crashes, and its command is marked to be confirmed."""
    change = form(nos).change({"interfaces.txt": "strange line\n"}, {"interfaces.txt": "odd\n  inner 5\n"})
    assert "strange line" in change.parts[0].text
    assert any("strange line" in said for said in change.confirm)
    assert form(nos).change({}, {}) == Change((), (), ())
    assert form(nos).both({}, {}) == {}
