"""Changes for Cumulus NVUE, applied to a model of an NVUE switch."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings

from netplan.changes.commands import Change, Files, form_of
from netplan.reading.switches import read_switch
from tests.changes.nvue_switch import NvueSwitch, implied_gone, patch, said, texts
from tests.changes.sites import EDITS, EXCLUSIVE, OFTEN, QUICK, files, pairs, settings_of

NOS = "cumulus-nvue"
_FORM = form_of(NOS)
assert _FORM is not None
FORM = _FORM
NAMES = [name for name in EDITS if name not in ("base", "frr-split", "frrcfgd")]


def rolled_out(state: Files, *, planted: bool = True) -> NvueSwitch:
    box = NvueSwitch(planted=planted)
    box.rollout(state)
    return box


def stays(change: Change) -> list[str]:
    return [text.partition(" stays as it is: ")[0] for text in change.by_hand if " stays as it is: " in text]


def proved(old: Files, new: Files) -> None:
    box, wanted = rolled_out(old), rolled_out(new)
    change = FORM.change(old, new)
    box.apply(change)
    left = {line for line in said(box.tree) ^ said(wanted.tree) if not kept(line, change)}
    assert left == set()
    assert settings_of(box.files.get("arp.conf", "")) == settings_of(wanted.files.get("arp.conf", "")) or any(
        "sysctl.d" in text for text in change.by_hand
    )
    assert box.twice() == []
    assert said(NvueSwitch(planted=True).tree) <= said(box.tree)


def kept(line: str, change: Change) -> bool:
    """Whether the manual steps report that a line stays."""
    path = line.partition(" = ")[0]
    return any(path in text.split(", ") for text in stays(change))


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
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for before, after in ((old, new), (new, old)):
        box = rolled_out(before, planted=False)
        for part in FORM.change(before, after).parts:
            if part.apply.startswith("sh -e"):
                box.lines("\n".join(line for line in part.text.splitlines() if line.startswith("nv set ")))
        both = FORM.both(before, after)
        assert said(box.tree) == said(rolled_out(both, planted=False).tree)


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", NAMES)
def test_both_says_the_same_in_yaml_and_in_commands(name: str) -> None:
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for both in (FORM.both(old, new), FORM.both(new, old)):
        for file in ("interfaces", "roce"):
            if f"{file}.yaml" not in both:
                continue
            commands = NvueSwitch(planted=False)
            commands.lines(both[f"{file}.txt"])
            tree: dict[str, Any] = {}
            for item in yaml.safe_load(both[f"{file}.yaml"]):
                patch(tree, implied_gone(texts(item["set"])))
            assert said(commands.tree) >= {line for line in said(tree) if " = " in line}
            assert {line for line in said(commands.tree) if " = " in line} <= said(tree)


def test_of_two_states_that_are_the_same_there_is_nothing_to_do() -> None:
    state = files(NOS, {})
    assert FORM.change(state, state) == Change((), (), ())
    assert (
        FORM.both(state, state) == FORM.both(state, {}) == state
        or rolled_out(FORM.both(state, state), planted=False).tree == rolled_out(state, planted=False).tree
    )


def test_words_of_others_are_quoted_for_the_shell() -> None:
    old = {"interfaces.yaml": "- set:\n    interface:\n      'swp1;reboot':\n        link: {mtu: 9216}\n"}
    (part,) = FORM.change(old, {}).parts
    assert part.text == "nv unset interface 'swp1;reboot' link mtu\n"


def test_it_reads_well(golden_tree: Any) -> None:
    change = FORM.change(files(NOS, {}), files(NOS, EDITS["vlan"]))
    text = "".join(f"# {part.apply}\n{part.text}" for part in change.parts)
    assert not re.search(r"nv unset (bridge domain br_default|interface swp\d+)$", text, re.M)
    golden_tree("changes/nvue-vlan", {"change.txt": text})


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NAMES)
def test_both_reads_without_problems(name: str) -> None:
    """A prefix that the old files announce stays announced until it is removed."""
    old, new = files(NOS, {}), files(NOS, EDITS[name])
    for both in (FORM.both(old, new), FORM.both(new, old)):
        problems = read_switch("leaf-1", NOS, both, asic="spectrum-3").problems
        assert [text for text in problems if not text.endswith("no interface has it")] == []
