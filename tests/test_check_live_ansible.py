"""``check-live``: text of machines within answers of Ansible."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.live_host_site import live as of_hosts
from tests.live_host_site import told as told_of_hosts
from tests.live_leaf import changed, shown
from tests.test_check_live import live
from tests.test_check_live_json import live as of_json
from tests.test_check_live_json import outputs
from tests.test_check_live_sessions import OPER, WRONG

STATUS, VLANS = "show interfaces status", "show vlan brief"
DOWN = changed(STATUS, "up ", "down ")


def answer(machine: str, data: Any, indent: int | None = 4) -> str:
    return f"TASK [debug] ****\nok: [{machine}] => {json.dumps(data, indent=indent)}\n\n"


def hops(text: str) -> list[str]:
    return [one.claim.hop.name for one in live({"play.log": text}).wrong]


DATA = [
    {"out.stdout_lines": DOWN.split("\n")},
    {"out.stdout": DOWN},
    {"msg": DOWN},
    {"msg": DOWN.split("\n")},
    {"out.stdout": [shown(VLANS), DOWN]},
    {"out.stdout_lines": [shown(VLANS).split("\n"), DOWN.split("\n")]},
    {"changed": True, "cmd": STATUS, "stdout": DOWN, "stdout_lines": DOWN.split("\n"), "rc": 0},
    {"out": {"changed": True, "cmd": [*STATUS.split()], "stdout": DOWN, "rc": 0}, "changed": False},
]


@pytest.mark.parametrize("data", DATA)
@pytest.mark.parametrize("indent", [4, None])
def test_text_is_of_the_machine_in_the_title(data: Any, indent: int | None) -> None:
    assert hops(answer("leaf-1", data, indent)) == ["leaf-1"]
    assert hops(answer("leaf-1", data, indent) + answer("core-77", data, indent)) == ["leaf-1"]
    assert hops(answer("core-77", data, indent)) == []


def test_the_line_of_a_list_is_told() -> None:
    text = answer("leaf-1", DATA[0])
    (wrong,) = live({"play.log": text}).wrong
    assert wrong.at is not None
    assert "down" in text.split("\n")[wrong.at.line - 1]


@pytest.mark.parametrize(
    "cmd", ["ssh core-77 show interfaces status", "cat /tmp/x", ["ssh", "core-77", STATUS]]
)
def test_the_command_of_the_answer_counts(cmd: Any) -> None:
    assert hops(answer("leaf-1", {"changed": True, "cmd": cmd, "stdout": DOWN})) == []
    other = {"changed": True, "cmd": f"ssh leaf-1 {STATUS}", "stdout": DOWN}
    assert hops(answer("leaf-2", other)) == ["leaf-1"]


def test_text_of_a_command_that_ran_elsewhere_is_of_nobody() -> None:
    said = {"changed": True, "cmd": "ip -d -j addr", "stdout": WRONG, "rc": 0}
    text = answer("gpu-001", said, None).replace("gpu-001]", "gpu-001 -> localhost]")
    assert of_hosts({"gpu-001.txt": text}).judged == ()


def test_a_file_that_is_one_answer_is_of_the_machine_in_its_name() -> None:
    for data in DATA[-2:]:
        assert len(live({"leaf-1.json": json.dumps(data)}).wrong) == 1
        assert live({"x.json": json.dumps(data)}).wrong == ()


def test_json_in_text_and_in_lists_of_lines() -> None:
    said = {"changed": True, "cmd": ["ip", "-d", "-j", "addr"], "stdout": WRONG, "rc": 0}
    assert told_of_hosts(of_hosts({"play.log": answer("gpu-001", said, None)})) == [OPER]
    ports = json.loads(outputs("leaf-4")["leaf-4-ports.json"])
    found = of_json({"play.log": answer("leaf-4", {"out.stdout_lines": [ports]})})
    assert (found.wrong, any(one.outcome == "ok" for one in found.judged)) == ((), True)


@pytest.mark.parametrize(
    "data", [{"out.stdout": "text"}, {"msg": "all\nis well"}, {"msg": []}, {"stdout": ""}]
)
def test_any_other_text_says_nothing(data: Any) -> None:
    assert live({"leaf-1.txt": answer("leaf-1", data)}).judged == ()
