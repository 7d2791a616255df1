"""Changes for SONiC, applied to a model of a SONiC switch."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from netplan.changes.commands import Change, Files, form_of
from netplan.model.ranges import expand
from netplan.reading.switches import read_switch
from tests.changes.sites import EDITS, EXCLUSIVE, OFTEN, QUICK, files, pairs, settings_of
from tests.changes.sonic_switch import FOREIGN, SonicSwitch, differences
from tests.sonic_yang import ConfigDb, merged, yanglint

_FORM = form_of("sonic")
assert _FORM is not None
FORM = _FORM
STOCK = {"0-2": "q_lossy_profile", "3-4": "egress_lossless_profile", "5-6": "q_lossy_profile"}


DYNAMIC = {"switch_types__leaf__buffer_model": "dynamic"}


def switch(states: tuple[Files, Files], *, planted: bool) -> SonicSwitch:
    """A switch with the ports of all states and, in the dynamic buffer model, the image's priority groups."""
    ports = {
        port for state in states for port in json.loads(state.get("interfaces.json", "{}")).get("PORT", {})
    }
    dynamic = any('"buffer_model": "dynamic"' in state.get("roce.json", "") for state in states)
    return SonicSwitch(sorted(ports), STOCK, planted=planted, dynamic=dynamic)


def rolled_out(states: tuple[Files, Files], state: Files, *, planted: bool) -> SonicSwitch:
    box = switch(states, planted=planted)
    box.rollout(state)
    return box


def stays(change: Change) -> set[tuple[str, str, str]]:
    """(table, key, field) of settings that the manual steps report as staying."""
    found: set[tuple[str, str, str]] = set()
    for text in change.by_hand:
        match = re.match(r"(?:(\w+) of )?(\w+)\|(.+?) stays as it is: ", text)
        if match:
            keys = [name for part in match[3].split(", ") for name in expand(part)]
            found |= {(match[2], key, match[1] or "") for key in keys}
    return found


def proved(old: Files, new: Files, *, planted: bool) -> tuple[SonicSwitch, SonicSwitch]:
    """The change and its reverse lead there and back; returns the switch after each."""
    there = rolled_out((old, new), old, planted=planted)
    change = FORM.change(old, new)
    there.apply(change)
    wanted = rolled_out((old, new), new, planted=planted)
    assert unsaid(differences(there.db, wanted.db), change) == set()
    agree(there, wanted, change)
    back = rolled_out((old, new), new, planted=planted)
    again = FORM.change(new, old)
    back.apply(again)
    wanted = rolled_out((old, new), old, planted=planted)
    assert unsaid(differences(back.db, wanted.db), again) == set()
    agree(back, wanted, again)
    for box in (there, back):
        assert box.twice() == []
        assert not planted or differences(merged(box.db, FOREIGN), box.db) == set()
    return there, back


def agree(box: SonicSwitch, wanted: SonicSwitch, change: Change) -> None:
    """Kernel settings and FRR match."""
    assert settings_of(box.files.get("arp.conf", "")) == settings_of(
        wanted.files.get("arp.conf", "")
    ) or told(change, "sysctl.d")
    if not told(change, "gets another owner") and not told(change, "apply host-links.conf again"):
        assert (box.frr.router, box.frr.lines) == (wanted.frr.router, wanted.frr.lines)


def unsaid(found: set[tuple[str, str, str]], change: Change) -> set[tuple[str, str, str]]:
    said = stays(change)
    return {each for each in found if each not in said and (*each[:2], "") not in said}


def told(change: Change, word: str) -> bool:
    return any(word in text for text in change.by_hand)


SONIC = (("base", "frr-split", "frrcfgd"),)
NAMES = [name for name in EDITS if name != "base"]


@pytest.mark.sample(8)
@pytest.mark.parametrize("where", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("name", NAMES)
def test_an_edit_there_and_back(name: str, where: str) -> None:
    old, new = files("sonic", {}, where), files("sonic", EDITS[name], where)
    for planted in (False, True):
        proved(old, new, planted=planted)


@pytest.mark.parametrize(
    "name", ["other-priority", "store-lossless", "all-lossy", "no-qos", "fewer-hosts", "vlan"]
)
def test_dynamic_buffers_there_and_back(name: str) -> None:
    proved(files("sonic", DYNAMIC), files("sonic", DYNAMIC | EDITS[name]), planted=True)


@given(pairs(*SONIC))
@settings(max_examples=QUICK, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_two_states(pair: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    where, one, other = pair
    proved(files("sonic", one, where), files("sonic", other, where), planted=True)


@given(pairs(*SONIC))
@settings(max_examples=OFTEN, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.full
def test_any_two_states_often(pair: tuple[str, dict[str, Any], dict[str, Any]]) -> None:
    where, one, other = pair
    proved(files("sonic", one, where), files("sonic", other, where), planted=where != "spine-1")


def test_it_reads_well(golden_tree: Any) -> None:
    """A VLAN and its subnet are renumbered, and a host is added."""
    for name, old, new in (("vlan", "base", "vlan"), ("host", "fewer-hosts", "base")):
        change = FORM.change(files("sonic", EDITS[old]), files("sonic", EDITS[new]))
        parts = (f"# {' && '.join((*part.before, part.apply))}\n{part.text}\n" for part in change.parts)
        by_hand = (f"by hand: {text}\n" for text in change.by_hand)
        golden_tree(f"changes/sonic-{name}", {"change.txt": "".join([*parts, *by_hand])})


@pytest.mark.parametrize(
    ("old", "new", "restarts"),
    [
        pytest.param(
            "Vlan100|10.0.0.1/24", "Vlan300|10.0.0.1/24", False, id="the same network by another VLAN"
        ),
        pytest.param(
            "Vlan100|10.0.0.1/24", "Vlan100|10.0.0.2/24", False, id="another address of the network"
        ),
        pytest.param("Vlan100|10.0.0.1/24", "Vlan100|10.0.0.1/25", True, id="another prefix length"),
        pytest.param("Vlan100|10.0.0.1/24", "Vlan300|10.0.1.1/24", True, id="another network"),
        pytest.param("Vlan100|fd00::1/64", "Vlan100|fd00:0:0:1::1/64", True, id="another network of IPv6"),
    ],
)
def test_bgp_is_restarted_for_other_networks_alone(old: str, new: str, restarts: bool) -> None:
    """bgpd.main.conf.j2 writes ``network`` for each row of VLAN_INTERFACE, regardless of the VLAN."""
    change = FORM.change(*(_announcing(row) for row in (old, new)))
    assert any("systemctl restart bgp" in text for text in change.by_hand) is restarts


def _announcing(row: str) -> Files:
    tables = {
        "DEVICE_METADATA": {"localhost": {"bgp_asn": "65001"}},
        "VLAN": {row.partition("|")[0]: {"vlanid": row.partition("|")[0][4:]}},
        "VLAN_INTERFACE": {row.partition("|")[0]: {}, row: {}},
    }
    return {"interfaces.json": json.dumps(tables)}


DYNAMIC_ROWS = {"DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}}}


@pytest.mark.parametrize(("old", "new"), [("3-4", "3"), ("3", "3-4"), ("3-4", "4"), ("4", "3-4")])
def test_a_range_of_priority_groups_is_never_beside_another_of_its_numbers(old: str, new: str) -> None:
    """bufferorch resets each priority group of a deleted row, even if another row has it."""
    before, after = (
        {"roce.json": json.dumps(DYNAMIC_ROWS | {"BUFFER_PG": {f"Ethernet0|{one}": {"profile": "NULL"}}})}
        for one in (old, new)
    )
    texts = [part.text for part in FORM.change(before, after).parts]
    gone = next(n for n, text in enumerate(texts) if f'"path": "/BUFFER_PG/Ethernet0|{old}"' in text)
    come = next(n for n, text in enumerate(texts) if f'"Ethernet0|{new}": {{"profile": "NULL"}}' in text)
    assert gone < come
    wider = {f"Ethernet0|{max(old, new, key=len)}"}
    assert json.loads(FORM.both(before, after)["roce.json"])["BUFFER_PG"].keys() == wider


@pytest.mark.parametrize("new", ["10.0.0.254/24", "10.0.0.1/23"])
def test_an_interface_has_one_address_of_a_subnet_in_every_state(new: str) -> None:
    """Of two overlapping addresses, intfsorch uses only the first, even on the same interface."""
    before, after = (_announcing(f"Vlan100|{address}") for address in ("10.0.0.1/24", new))
    both = json.loads(FORM.both(before, after)["interfaces.json"])
    assert both["VLAN_INTERFACE"].keys() == {"Vlan100", f"Vlan100|{new}"}


ODD = [
    "",
    "{",
    "[]",
    "null",
    '{"VLAN": []}',
    '{"VLAN": {"Vlan1": 3}}',
    "\x00",
    "[[[",
    "- set: 3",
    "- set: {a: {b: }}",
]
ODD_PATCHES = [
    '[{"op": "add", "path": "/BUFFER_QUEUE/Ethernet0|3"}]',
    '[{"op": "add", "path": "/A/b/c", "value": {"x": 1}}, {"op": "replace", "path": "/A", "value": "x"}, 3]',
    '[{"path": "/BUFFER_QUEUE/x|9999999999999999999999-1", "op": "remove"}]',
    '{"op": "add"}',
]


@pytest.mark.parametrize("nos", ["sonic", "cumulus-nvue", "juniper-junos"])
def test_files_of_any_kind_are_no_traceback(nos: str) -> None:
    form = form_of(nos)
    assert form is not None
    good = files(nos, {})
    for name in good:
        for text in (*ODD, *ODD_PATCHES):
            odd = {**good, name: text}
            for old, new in ((good, odd), (odd, {name: text})):
                form.change(old, new)
                form.both(old, new)


INSTEAD = (*EXCLUSIVE, "subnet-split")
"""Also edits that replace an address by another one in the same subnet."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", [name for name in NAMES if name not in INSTEAD])
def test_both_is_what_the_additions_make(name: str) -> None:
    old, new = files("sonic", {}), files("sonic", EDITS[name])
    for before, after in ((old, new), (new, old)):
        box = rolled_out((old, new), before, planted=True)
        state = tables(after)
        for part in FORM.change(before, after).parts:
            if part.apply.startswith("sudo config load"):
                box.part(part)
            elif part.apply.startswith("sudo config apply-patch"):
                box.patch([op for op in json.loads(part.text) if stated(op, state)])
        wanted = rolled_out((old, new), FORM.both(before, after), planted=True)
        left = differences(box.db, wanted.db)
        assert {each for each in left if not each[0].startswith("BUFFER_")} == set()


def tables(state: Files) -> ConfigDb:
    return merged(json.loads(state["interfaces.json"]), json.loads(state.get("roce.json", "{}")))


def stated(op: Mapping[str, Any], state: ConfigDb) -> bool:
    """Whether the new files set it."""
    if op["op"] not in ("add", "replace"):
        return False
    table, key, *field = (part.replace("~1", "/") for part in op["path"].split("/")[1:])
    row = state.get(table, {}).get(key)
    return row is not None and (not field or field[0] in row)


JUDGED = [
    "vlan",
    "routed-hosts",
    "asn",
    "pcp",
    "store-lossless",
    "no-qos",
    "fewer-hosts",
    "stretched",
    "subnet-split",
]


@pytest.mark.yang
@pytest.mark.sample(2)
@pytest.mark.parametrize("name", JUDGED)
def test_each_step_passes_the_models(name: str) -> None:
    old, new = files("sonic", {}), files("sonic", EDITS[name])
    for before, after in ((old, new), (new, old)):
        box = rolled_out((old, new), before, planted=False)
        for part in FORM.change(before, after).parts:
            box.part(part)
            assert yanglint(judged(box.db)) == [], part.text


def judged(db: ConfigDb) -> ConfigDb:
    """CONFIG_DB without the buffer tables, for which this switch has no pools."""
    return {table: rows for table, rows in db.items() if not table.startswith("BUFFER_")}


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", NAMES)
def test_both_reads_without_problems(name: str) -> None:
    """A prefix that the old files announce stays announced until it is removed."""
    old, new = files("sonic", {}), files("sonic", EDITS[name])
    for both in (FORM.both(old, new), FORM.both(new, old)):
        problems = read_switch("leaf-1", "sonic", both, asic="").problems
        assert [text for text in problems if not text.endswith("no interface has it")] == []
