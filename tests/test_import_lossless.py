"""``netplan import`` of lossless classes whose PFC priority is another number than their queue."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_eos_classes import classes, comment, told
from tests.test_import_fabric import fabric_with
from tests.test_import_other_classes import commands
from tests.test_import_rewritten import imported, leaf
from tests.test_import_text import running

NXOS, EOS, JUNOS = "leaf-5", "leaf-4", "leaf-6"
OF_3 = (
    "one number for class, PFC priority and queue; with another than 3 set the PFC priority of the hosts too"
)


def edited(switch: str, *edits: tuple[str, str]) -> Imported:
    text = running(switch)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return import_texts({"leaf.txt": text}, "site")


def lines(result: Imported) -> list[str]:
    (text,) = result.texts.values()
    return text.splitlines()


def juniper() -> Imported:
    """As Juniper/jvd 005ab34 data_center/aidc/aiml_multitenancy_backend, leaf1_qfx5240-64od.conf: CNPs in
    queue 3, data in queue 4 with PFC priority 3."""
    return edited(
        JUNOS,
        ("class netplan-3 queue-num 3", "class netplan-3 queue-num 4"),
        ("class netplan-6 queue-num 6", "class netplan-6 queue-num 3"),
        ("flow-control-queue 3", "flow-control-queue 4"),
    )


def arista() -> Imported:
    old = "qos map traffic-class 3 to tx-queue 3\nqos map traffic-class 6 to tx-queue 6\n"
    new = "qos map traffic-class 3 to tx-queue 4\nqos map traffic-class 6 to tx-queue 3\n"
    return edited(EOS, (old, new))


def nvue() -> Imported:
    qos = "nv set qos"
    return commands(
        f"{qos} mapping default-global trust l3",
        f"{qos} mapping default-global dscp 26 switch-priority 3",
        f"{qos} mapping default-global dscp 48 switch-priority 6",
        f"{qos} egress-queue-mapping default-global switch-priority 3 traffic-class 4",
        f"{qos} egress-queue-mapping default-global switch-priority 6 traffic-class 3",
        f"{qos} pfc default-global switch-priority 3",
    )


def sonic(**more: object) -> Imported:
    """As in Juniper's design; ``more``: other fields of the port."""
    maps = {"dscp_to_tc_map": "A", "pfc_enable": "3", "pfc_to_pg_map": "A", "pfc_to_queue_map": "A"}
    return imported(
        leaf(
            PORT_QOS_MAP={"Ethernet0": {**maps, "tc_to_pg_map": "A", **more}},
            DSCP_TO_TC_MAP={"A": {"26": "4", "48": "3"}},
            TC_TO_PRIORITY_GROUP_MAP={"A": {"3": "0", "4": "4"}},
            PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"A": {"3": "4"}},
            MAP_PFC_PRIORITY_TO_QUEUE={"A": {"3": "4"}},
        )
    )


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (juniper(), "queue-num 4 no-loss pfc-priority 3"),
        (arista(), "qos map traffic-class 3 to tx-queue 4"),
        (nvue(), "switch-priority 3 traffic-class 4"),
        (sonic(), "pfc_to_pg_map"),
        (sonic(pfc_to_pg_map=""), "pfc_to_pg_map"),
    ],
)
def test_a_pfc_priority_that_is_not_the_queue_is_asked_at_both_classes(result: Imported, says: str) -> None:
    found = classes(result)
    assert {name: (each["dscp"], each["priority"]) for name, each in found.items()} == {
        "roce": (26, "TODO"),
        "cnp": (48, "TODO"),
    }
    assert [name for name, each in found.items() if "lossless" in each] == ["roce"]
    own, other = comment(result, OF_3), comment(result, "3 is the PFC priority of class 4")
    assert "PFC priority 3, queue 4 (" in own
    assert {of.rpartition(":")[2].rstrip(")") for of in (own, other)} == {str(line(result, says))}


def line(result: Imported, part: str) -> int:
    return next(number for number, text in enumerate(lines(result), 1) if part in text)


POINT = "011010 pfc mru 9118"


@pytest.mark.parametrize(
    ("edits", "missing"),
    [
        ([("no-loss pfc-priority 3", "no-loss")], ["pfc-priority"]),
        ([("no-loss pfc-priority 3", "pfc-priority 3")], ["no-loss"]),
        ([(POINT, "011011 pfc mru 9118")], ["pfc of its code point"]),
        (
            [("no-loss pfc-priority 3", "no-loss"), (POINT, "011011 pfc mru 9118")],
            ["pfc-priority", "pfc of"],
        ),
    ],
)
def test_a_class_of_junos_with_some_lines_of_pfc_is_asked(
    edits: list[tuple[str, str]], missing: list[str]
) -> None:
    """juniper.net, statement class (Forwarding Classes): ``no-loss`` and ``pfc-priority`` are options."""
    result = edited(JUNOS, *edits)
    roce = classes(result)["roce"]
    assert (roce["dscp"], roce["lossless"]) == (26, "TODO")
    assert line_of(result.text, "lossless: TODO") in refused(result.text)
    why = comment(result, "lossless: TODO")
    assert [part for part in missing if f"no {part}" not in why] == []
    assert f"(leaf.txt:{line(result, 'netplan-3 queue-num 3')})" in why


def test_a_class_of_junos_that_two_leaves_have_otherwise() -> None:
    text = running(JUNOS)
    other = text.replace("host-name leaf-6", "host-name leaf-7").replace("no-loss pfc-priority 3", "no-loss")
    assert other != text
    result = import_texts({"leaf.txt": text, "leaf-7.txt": other}, "site")
    (said,) = (str(each) for each in result.conflicts if "PFC by" in str(each))
    assert said.startswith("traffic class 3, PFC by pfc-priority: true (leaf.txt:")
    assert classes(result)["roce"]["lossless"] == "TODO"


def test_a_pfc_cos_of_nxos_that_is_not_the_qos_group() -> None:
    result = edited(NXOS, ("pause pfc-cos 3", "pause pfc-cos 4"))
    roce = classes(result)["roce"]
    assert (roce["dscp"], roce["priority"], roce["lossless"]) == (26, "TODO", True)
    assert f"PFC priority 4, queue 3 (leaf.txt:{line(result, 'pause pfc-cos')})" in result.text
    assert line_of(result.text, "priority: TODO") in refused(result.text)


def test_two_priorities_of_one_class() -> None:
    """A row of the map for each: the class has no number that is both."""
    result = imported(
        leaf(
            PORT_QOS_MAP={"Ethernet0": {"pfc_enable": "3,4", "pfc_to_pg_map": "A"}},
            PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"A": {"3": "4"}},
        )
    )
    assert classes(result)["roce"]["priority"] == "TODO"


def test_switches_that_differ_in_the_priority_contradict_each_other() -> None:
    of = {"Ethernet0": {"pfc_enable": "3,2", "pfc_to_pg_map": "A"}}
    one = leaf(PORT_QOS_MAP=of, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"A": {"3": "4", "2": "2"}})
    other = leaf("leaf-2", PORT_QOS_MAP=of, PFC_PRIORITY_TO_PRIORITY_GROUP_MAP={"A": {"2": "4", "3": "3"}})
    result = imported(one, other)
    (said,) = map(str, result.conflicts)
    assert [name for name in ("leaf-1.json:", "leaf-2.json:") if name not in said] == []


def test_switches_that_have_one_code_point_in_two_classes_contradict_each_other() -> None:
    """Leaves that map DSCP 26 to class 3, and others that map it to class 4."""
    switches = [
        leaf(
            f"leaf-{number}",
            PORT_QOS_MAP={"Ethernet0": {"dscp_to_tc_map": "A", "pfc_enable": queue}},
            DSCP_TO_TC_MAP={"A": {"26": queue}},
        )
        for number, queue in ((1, "3"), (2, "4"))
    ]
    result = imported(*switches)
    (said,) = map(str, result.conflicts)
    assert said.startswith("DSCP 26 is in class 3 (leaf-1.json:")
    assert " and 4 (leaf-2.json:" in said
    assert [each["dscp"] for each in classes(result).values()] == ["TODO", "TODO"]
    assert imported(switches[0]).conflicts == ()


@pytest.mark.parametrize(
    ("options", "times"),
    [
        ([""], (100, 200, 200)),
        ([" detection 5"], (100, 500, 200)),
        ([" poll-interval 300", " recovery 1000"], (300, 600, 1000)),
        ([" watchdog-action drop"], (100, 200, 200)),
    ],
)
def test_times_that_a_watchdog_of_junos_leaves_to_it(options: list[str], times: tuple[int, ...]) -> None:
    result = watchdog(options)
    keys = ("poll_ms", "detection_ms", "restoration_ms")
    assert data(result)["fabric"]["qos"]["pfc_watchdog"] == dict(zip(keys, times, strict=True))
    (said,) = told(result, "pfc-watchdog leaves")
    assert "to Junos: taken as its defaults" in said


def watchdog(options: list[str]) -> Imported:
    text = running(JUNOS)
    own = [each for each in text.splitlines() if " pfc-watchdog" in each]
    profiles = dict.fromkeys(each.partition(" pfc-watchdog")[0] for each in own)
    kept = [each for each in text.splitlines() if each not in own]
    kept += [f"{profile} pfc-watchdog{option}" for profile in profiles for option in options]
    return import_texts({"leaf.txt": "\n".join(kept) + "\n"}, "site")


@pytest.mark.parametrize("options", [[], ["-x"], [" watchdog-action forward"]])
def test_without_a_watchdog_that_drops_there_is_none(options: list[str]) -> None:
    assert "pfc_watchdog" not in data(watchdog(options))["fabric"]["qos"]


def moved(switch: str, tables: Any) -> None:
    """Class 3 in queue 4, with what the queue has."""
    del switch
    for table in ("TC_TO_QUEUE_MAP", "MAP_PFC_PRIORITY_TO_QUEUE"):
        for row in tables.get(table, {}).values():
            row["3"] = "4"
    queues = tables.get("QUEUE", {})
    tables["QUEUE"] = {key.replace("|3", "|4"): row for key, row in queues.items()}


def test_a_class_of_sonic_has_marking_and_share_of_its_queue() -> None:
    before, after = data(fabric_with(lambda *_: None)), data(fabric_with(moved))
    own, other = (each["fabric"]["qos"]["classes"] for each in (before, after))
    (name,) = (name for name, row in own.items() if row.get("lossless"))
    assert other[name] == own[name] | {"priority": "TODO"}
    assert {"ecn", "bandwidth_percent"} <= own[name].keys()


def test_a_queue_of_sonic_with_marking_and_no_class_is_told() -> None:
    def change(switch: str, tables: Any) -> None:
        moved(switch, tables)
        for port in [key for key in tables["QUEUE"] if key.endswith("|4")]:
            tables["QUEUE"][port.replace("|4", "|3")] = tables["QUEUE"][port]

    told_of = [str(each) for each in fabric_with(change).remarks]
    assert any("no class is in this queue" in each for each in told_of)
