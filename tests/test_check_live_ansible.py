"""``check-live``: text of machines within answers of Ansible."""

from __future__ import annotations

import json
import textwrap
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


def of_yaml(machine: str, data: str) -> str:
    """As ansible-core 2.14 prints it with ``callback_result_format = yaml``."""
    return f"ok: [{machine}] => \n{textwrap.indent(data, '    ')}\n\nTASK [next] ***\n"


TEXT = textwrap.indent("\n".join(line.rstrip() for line in DOWN.split("\n")), "    ")
ONE_BY_ONE = "\n".join(f"- '{line}'" for line in DOWN.split("\n"))
YAML = [
    f"out.stdout: |4-\n{TEXT}",
    f"changed: true\ncmd: {STATUS}\nrc: 0\nstdout: |4-\n{TEXT}\nstdout_lines: <omitted>",
    f"out.stdout_lines:\n{ONE_BY_ONE}",
    f"out:\n    changed: true\n    cmd: {STATUS}\n    stdout: |4-\n{textwrap.indent(TEXT, '    ')}",
    f"msg: |4-\n{TEXT}",
]


@pytest.mark.parametrize("data", YAML)
def test_yaml_below_a_title_is_of_its_machine(data: str) -> None:
    text = of_yaml("leaf-1", data)
    (wrong,) = live({"play.log": text}).wrong
    assert wrong.claim.hop.name == "leaf-1"
    assert wrong.at is not None
    assert "down" in text.split("\n")[wrong.at.line - 1]
    assert hops(of_yaml("leaf-1", data) + of_yaml("core-77", data)) == ["leaf-1"]
    assert hops(of_yaml("core-77", data)) == []


def test_yaml_of_another_machine_or_too_large_says_nothing() -> None:
    far = of_yaml("leaf-1", YAML[1].replace(f"cmd: {STATUS}", f"cmd: ssh core-77 {STATUS}"))
    assert hops(far) == []
    for title in ("ok: [leaf-1 -> core-77] => ", "ok: [leaf-1] => (item=core-77) => "):
        assert hops(of_yaml("leaf-1", YAML[0]).replace("ok: [leaf-1] => ", title)) == []
    aliases = of_yaml("leaf-1", f"x: &a |4-\n{TEXT}\nout.stdout_lines: [{', '.join(['*a'] * 99)}]")
    assert hops(aliases) == []
    assert hops(of_yaml("leaf-1", "out.stdout: [*nothing")) == []


def test_the_answer_in_one_line_is_of_its_machine() -> None:
    text = DOWN.replace("\n", "\\n")
    for behind in ("", " (stderr) Warning: Permanently added 'leaf-1'"):
        assert hops(f"leaf-1 | CHANGED | rc=0 | (stdout) {text}{behind}\n") == ["leaf-1"]
        assert hops(f"core-77 | CHANGED | rc=0 | (stdout) {text}{behind}\n") == []
