"""``netplan import`` of NX-OS whose policies have classes of the site's own names, as in Cisco's guide
(Nexus 9000 NX-OS 10.4 QoS guide, Configuring Network QoS, Configuring Queuing)."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_eos_classes import classes, comment, told
from tests.test_import_lossless import NXOS, edited
from tests.test_import_text import running

NETWORK, QUEUING = "class type network-qos c-8q-nq3", "class type queuing c-out-8q-q3"
PAUSE = "    pause pfc-cos 3\n"


def made(kind: str, name: str = "ROCE", match: str = "qos-group 3") -> tuple[str, str]:
    """The edit that adds a class map."""
    first = next(each for each in running(NXOS).splitlines() if each.startswith(f"policy-map type {kind} "))
    return f"{first}\n", f"class-map type {kind} match-any {name}\n  match {match}\n{first}\n"


@pytest.mark.parametrize(
    "edits",
    [
        [made("network-qos"), (NETWORK, "class type network-qos ROCE")],
        [made("network-qos"), (NETWORK, "class ROCE")],
        [(NETWORK, "class type network-qos c-nq3")],
        [made("queuing"), (QUEUING, "class type queuing ROCE")],
        [(QUEUING, "class type queuing c-out-q3")],
    ],
)
def test_a_class_of_another_name_is_that_of_its_qos_group(edits: list[tuple[str, str]]) -> None:
    result, usual = edited(NXOS, *edits), edited(NXOS)
    assert classes(result) == classes(usual)
    assert classes(result)["roce"]["lossless"] is True
    assert "ecn" in classes(result)["roce"]
    assert told(result, "not taken") == []


def test_a_class_whose_qos_group_no_class_map_states() -> None:
    result = edited(NXOS, (NETWORK, "class type network-qos ROCE"), (QUEUING, "class type queuing ROCE"))
    assert len(told(result, "no class map states its qos-group alone")) == 2
    assert classes(result)["roce"]["lossless"] == "TODO"
    assert "pause pfc-cos 3 (leaf.txt:" in comment(result, "lossless: TODO")


@pytest.mark.parametrize(
    "edit",
    [
        (PAUSE, "    pause pfc-cos 3 receive\n"),
        (PAUSE, "    pause no-drop\n"),
        ("  priority-flow-control mode on\n", "  priority-flow-control mode auto\n"),
    ],
)
def test_pause_of_which_no_lossless_class_follows_is_asked(edit: tuple[str, str]) -> None:
    result = edited(NXOS, edit)
    assert classes(result)["roce"]["lossless"] == "TODO"
    assert line_of(result.text, "lossless: TODO") in refused(result.text)
    assert "(leaf.txt:" in comment(result, "lossless: TODO")


def test_a_policy_that_the_system_does_not_use_asks_nothing() -> None:
    other = "policy-map type network-qos OLD\n  class type network-qos c-8q-nq5\n    pause pfc-cos 5\n"
    text = running(NXOS)
    result = import_texts(
        {"leaf.txt": text.replace("policy-map type network-qos", other + "policy-map type network-qos", 1)}
    )
    assert classes(result) == classes(edited(NXOS))


def test_a_share_of_another_kind_is_told() -> None:
    result = edited(NXOS, ("bandwidth remaining percent 50", "bandwidth percent 50"))
    assert told(result, "bandwidth percent of a queue '50'") != []
    assert "bandwidth_percent" not in classes(result)["roce"]


def test_leaves_of_which_one_has_no_pfc() -> None:
    text = running(NXOS)
    other = text.replace("hostname leaf-5", "hostname leaf-7").replace("mode on\n", "mode auto\n")
    result: Imported = import_texts({"leaf.txt": text, "leaf-7.txt": other})
    assert classes(result)["roce"]["lossless"] == "TODO"
    assert "; lossless elsewhere (leaf.txt:" in comment(result, "lossless: TODO")


def test_a_class_by_dscp_and_by_cos_goes_by_dscp() -> None:
    text = running(NXOS)
    match = next(each for each in text.splitlines() if each.strip().startswith("match dscp 26"))
    result = edited(NXOS, (match, f"{match}\n  match cos 3"))
    assert "trust" not in data(result)["fabric"]["qos"]
    assert classes(result) == classes(edited(NXOS))
    assert told(result, "match cos '3': beside match dscp") != []


def test_classes_by_cos_alone_are_trust_pcp() -> None:
    edits = ((each, "  match cos 3") for each in running(NXOS).splitlines() if "match dscp" in each)
    assert data(edited(NXOS, *dict(edits).items()))["fabric"]["qos"]["trust"] == "pcp"


def test_a_strict_queue_without_queue_7_is_told_once() -> None:
    """Its class is asked for scheduling; that netplan writes another level follows from nothing."""
    result = edited(NXOS, ("    priority level 1\n", "    bandwidth remaining percent 0\n"))
    assert told(result, "priority level of queue") == []
    assert len(told(result, "NX-OS takes strict queues from queue 7 downwards")) == 1
    assert classes(result)["cnp"]["scheduling"] == "TODO"


def test_a_queuing_policy_on_ports_alone_is_asked() -> None:
    policy = next(each for each in running(NXOS).splitlines() if "service-policy type queuing output" in each)
    ports = "  priority-flow-control mode on\n"
    result = edited(NXOS, (f"{policy}\n", ""), (ports, f"{ports}{policy}\n"))
    found, usual = classes(result), classes(edited(NXOS))
    asked = ("ecn", "scheduling", "bandwidth_percent")
    assert "ecn" in usual["roce"]
    for name, own in usual.items():
        assert found[name] == own | {key: "TODO" for key in asked if key in own}
    assert (
        f"of policy {policy.split()[-1]}, which ports have and system qos has not (leaf.txt:" in result.text
    )
