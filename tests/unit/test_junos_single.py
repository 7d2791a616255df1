"""Junos statements with a single value: netplan's list compared with Juniper's own model."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest

from netplan.nos import shipped
from netplan.reading.switches.files import tables_of
from netplan.reading.switches.rules import Rules, rules_of
from tests.junos_yang import alone, judge, judge_all

pytestmark = pytest.mark.yang

PORT, UNIT, COS = "set interfaces et-0/0/0", "set interfaces et-0/0/0 unit 0", "set class-of-service"
CNP, WATCHDOG = (
    f"{COS} congestion-notification-profile p",
    f"{COS} congestion-notification-profile p pfc-watchdog",
)
CLASS, CURVE = (
    f"{COS} forwarding-classes class c queue-num 3",
    f"{COS} drop-profiles d interpolate fill-level",
)
DROP = f"{COS} schedulers s drop-profile-map loss-priority any protocol any drop-profile"
LINES = [
    (f"{PORT} mtu", "9000", "1500"),
    (f"{PORT} speed", "100g", "400g"),
    (f"{PORT} native-vlan-id", "1", "2"),
    (f"{UNIT} family inet mtu", "9000", "1500"),
    (f"{UNIT} family inet6 mtu", "9000", "1500"),
    (f"{UNIT} family ethernet-switching interface-mode", "access", "trunk"),
    ("set vlans v100 vlan-id", "1", "2"),
    ("set vlans v100 l3-interface", "irb.1", "irb.2"),
    ("set interfaces irb mtu", "9000", "1500"),
    ("set interfaces irb unit 1 family inet mtu", "9000", "1500"),
    ("set interfaces irb unit 1 family inet6 mtu", "9000", "1500"),
    ("set routing-options autonomous-system", "1", "2"),
    ("set routing-options router-id", "10.0.0.1", "10.0.0.2"),
    ("set protocols bgp group g neighbor 10.0.0.1 peer-as", "1", "2"),
    ("set policy-options policy-statement p term t then", "accept", "reject"),
    (f"{COS} forwarding-classes class c queue-num", "3", "4"),
    (f"{CLASS} no-loss pfc-priority", "3", "4"),
    (f"{COS} interfaces et-0/0/0 scheduler-map", "a", "b"),
    (f"{COS} interfaces et-0/0/0 congestion-notification-profile", "a", "b"),
    (f"{COS} interfaces et-0/0/0 unit 0 classifiers dscp", "a", "b"),
    (f"{CNP} input cable-length", "10", "20"),
    (f"{CNP} input dscp code-point 011010 pfc mru", "9118", "1500"),
    (f"{CNP} input ieee-802.1 code-point 011 pfc mru", "9118", "1500"),
    (f"{CNP} output ieee-802.1 code-point 011 flow-control-queue", "3", "4"),
    (f"{COS} scheduler-maps m forwarding-class c scheduler", "a", "b"),
    (DROP, "a", "b"),
    (f"{COS} schedulers s priority", "strict-high", "low"),
    (f"{COS} schedulers s transmit-rate percent", "10", "20"),
    (CURVE, "[ 5 55 ] drop-probability [ 0 20 ]", "[ 6 66 ] drop-probability [ 0 30 ]"),
    (f"{WATCHDOG} watchdog-action", "drop", "forward"),
    (f"{WATCHDOG} poll-interval", "100", "200"),
    (f"{WATCHDOG} detection", "10", "20"),
    (f"{WATCHDOG} recovery", "100", "200"),
    ("set system arp aging-timer", "5", "6"),
]
"""(statement, two of its values)."""


def junos() -> Rules:
    found = rules_of("juniper-junos", shipped())
    assert found is not None
    return found


@cache
def errors() -> Mapping[str, list[str]]:
    """Errors of each line alone, from one run of yanglint."""
    lines = [f"{statement} {value}" for statement, *values in LINES for value in values]
    return {line: found.errors for line, found in judge_all({line: [line] for line in lines}).items()}


def replaced(statement: str, one: str, other: str) -> bool:
    """Whether, in the model, only the second value remains or both together are rejected."""
    first, second = f"{statement} {one}", f"{statement} {other}"
    assert not errors()[first] + errors()[second]
    return alone([first, second]) == alone([second]) or bool(judge([first, second]).errors)


@pytest.mark.parametrize(("statement", "one", "other"), LINES, ids=[line[0] for line in LINES])
def test_a_statement_has_one_value_where_the_model_says_so(statement: str, one: str, other: str) -> None:
    rules = junos()
    taken = tables_of(rules, "a.txt", f"{statement} {one}\n").tables
    own = [single for single in rules.singles if {part.pattern for part in single.parts} & taken.keys()]
    assert own
    assert {not single.beside for single in own} == {replaced(statement, one, other)}


def test_every_statement_of_one_value_is_compared() -> None:
    rules = junos()
    text = "".join(f"{statement} {value}\n" for statement, *values in LINES for value in values)
    taken = tables_of(rules, "a.txt", text).tables.keys()
    assert [s.name for s in rules.singles if not {part.pattern for part in s.parts} & taken] == []
