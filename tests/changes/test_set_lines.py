"""Changes for Junos, applied to a model of a Junos switch."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from netplan.changes.commands import Change, Files, form_of
from netplan.reading.switches import read_switch
from tests.changes.junos_switch import JunosSwitch, RefusedError
from tests.changes.sites import EDITS, EXCLUSIVE, OFTEN, QUICK, files, pairs
from tests.junos_yang import judge

NOS = "juniper-junos"
_FORM = form_of(NOS)
assert _FORM is not None
FORM = _FORM
NAMES = [name for name in EDITS if name not in ("base", "frr-split", "frrcfgd")]


def rolled_out(state: Files, *, planted: bool = True) -> JunosSwitch:
    box = JunosSwitch(planted=planted)
    box.rollout(state)
    return box


def kept(line: str, change: Change) -> bool:
    """Whether the manual steps report that a line stays."""
    return any(line in text.partition(" stays as it is: ")[0].split(", ") for text in change.by_hand)


def proved(old: Files, new: Files) -> None:
    box, wanted = rolled_out(old), rolled_out(new)
    change = FORM.change(old, new)
    box.apply(change)
    assert {line for line in box.said() ^ wanted.said() if not kept(line, change)} == set()
    assert JunosSwitch(planted=True).said() <= box.said()


@pytest.mark.sample(8)
@pytest.mark.parametrize("where", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("name", NAMES)
def test_an_edit_there_and_back(name: str, where: str) -> None:
    old, new = files(NOS, {}, where), files(NOS, EDITS[name], where)
    proved(old, new)
    proved(new, old)


@given(pairs())
@settings(max_examples=QUICK, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_two_states(pair: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    where, one, other = pair
    proved(files(NOS, one, where), files(NOS, other, where))


@given(pairs())
@settings(max_examples=OFTEN, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.full
def test_any_two_states_often(pair: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    where, one, other = pair
    proved(files(NOS, one, where), files(NOS, other, where))


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in EXCLUSIVE])
def test_both_is_what_the_additions_make(name: str) -> None:
    """An entry that is deleted and set again counts as entirely new."""
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for before, after in ((old, new), (new, old)):
        box = rolled_out(before, planted=False)
        there = rolled_out(after, planted=False).entries
        for part in FORM.change(before, after).parts:
            lines = part.text.splitlines()
            anew = [line for line in lines if line.startswith("delete ") and refilled(line, there, lines)]
            box.load("\n".join([*anew, *(line for line in lines if line.startswith("set "))]))
        assert box.said() == rolled_out(FORM.both(before, after), planted=False).said()


def refilled(line: str, there: set[str], lines: list[str]) -> bool:
    path = line.removeprefix("delete ")
    return path in there and any(each.startswith(f"set {path} ") for each in lines)


@pytest.mark.yang
@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["vlan", "routed-hosts", "store-lossless", "no-qos", "stretched"])
def test_the_result_passes_the_model(name: str) -> None:
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for before, after in ((old, new), (new, old)):
        box = rolled_out(before, planted=False)
        change = FORM.change(before, after)
        box.apply(change)
        sets = [line for part in change.parts for line in part.text.splitlines() if line.startswith("set ")]
        assert not sets or judge(sets).errors == []
        assert judge([f"set {line}" for line in plain(box)]).errors == []


def plain(box: JunosSwitch) -> list[str]:
    """Statements as Junos shows them; those that the model splits, as they were entered."""
    lines = {line for line in box.said() if not line.startswith("entry ")}
    return sorted(line for line in lines if " interpolate " not in line)


def test_of_two_states_that_are_the_same_there_is_nothing_to_do() -> None:
    state = files(NOS, {})
    assert FORM.change(state, state) == Change((), (), ())
    assert FORM.both(state, state) == state


def test_a_switch_refuses_what_is_not_there() -> None:
    with pytest.raises(RefusedError, match="statement not found"):
        JunosSwitch(planted=True).load("delete vlans v1\n")


def test_it_reads_well(golden_tree: Any) -> None:
    change = FORM.change(files(NOS, {}), files(NOS, EDITS["vlan"]))
    text = "".join(f"# {part.apply}\n{part.text}" for part in change.parts)
    golden_tree("changes/junos-vlan", {"change.txt": text})


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NAMES)
def test_both_reads_without_problems(name: str) -> None:
    """A prefix that the old files announce stays announced until it is removed."""
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for both in (FORM.both(old, new), FORM.both(new, old)):
        problems = read_switch("leaf-1", NOS, both, asic="tomahawk5").problems
        assert [text for text in problems if not text.endswith("no interface has it")] == []
