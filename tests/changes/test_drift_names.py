"""Profiles, policies, maps and groups of other names than netplan's are compared with those that they are
used in the place of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, drift
from netplan.changes.ran import Ran
from netplan.changes.switches import files_of
from netplan.nos import shipped
from tests.changes.test_drift_lines import edits
from tests.test_diff import running, vendors

_COS = "set class-of-service "
NAMED: Mapping[str, Sequence[str]] = {
    "leaf-4": (r"qos profile (\S+)",),
    "leaf-5": (
        r"policy-map type (?:qos|network-qos|queuing) (\S+)",
        r"class-map type qos match-any (\S+)",
    ),
    "leaf-6": (
        rf"{_COS}(?:scheduler-maps|schedulers|drop-profiles|congestion-notification-profile) (\S+)",
        rf"{_COS}classifiers dscp (\S+)",
        rf"{_COS}forwarding-classes class (\S+)",
        r"set protocols bgp group (\S+)",
        r"set policy-options policy-statement (\S+)",
    ),
    "leaf-7": (
        r"(?:policy|class)-map type (?:network-qos|queuing) (\S+)",
        r"wred (\S+)",
        r"qos-map traffic-class (\S+)",
        r"trust (?:dscp|dot1p)-map (\S+)",
    ),
    "leaf-8": (r"qos wred queue table (\S+)",),
    "leaf-9": (r"diffserv domain (\S+)", r"drop-profile (\S+)"),
}
"""Switch -> lines that define what a site may name as it likes."""


def told(name: str, text: str) -> Drift:
    return drift(vendors(), facts_of(vendors()), {name: Ran(name, text)}, shipped())


def said(name: str, text: str) -> list[str]:
    return [one.change for one in told(name, text).found]


def planned(name: str) -> str:
    return running(facts_of(vendors()).switches[name].nos, files_of(vendors(), name))


def other(name: str) -> str:
    """What runs as planned, with other names."""
    text = planned(name)
    names = {each for form in NAMED[name] for each in re.findall(rf"(?m)^{form}", text)}
    assert names
    for number, each in enumerate(sorted(names, key=len, reverse=True)):
        text = re.sub(rf"(?<![\w-]){re.escape(each)}(?![\w-])", f"SITE_{number}", text)
    return text


@pytest.mark.parametrize("name", NAMED)
def test_other_names_alone_are_as_planned(name: str) -> None:
    found = told(name, other(name))
    assert (found.found, found.notes) == ((), told(name, planned(name)).notes)


@pytest.mark.parametrize("name", NAMED)
def test_an_edit_of_any_line_is_told_with_other_names(name: str) -> None:
    before = told(name, other(name))
    edited = [*edits(facts_of(vendors()).switches[name].nos, other(name))]
    assert len(edited) > 60
    assert [what for what, text in edited if told(name, text) == before] == []


def edited(name: str, *changes: tuple[str, str]) -> str:
    text = other(name)
    for pattern, new in changes:
        text, times = re.subn(pattern, new, text)
        assert times, pattern
    return text


CASES = [
    ("leaf-4", (r"(?m)^   (uc-tx-queue 3)$", r"   \1\n      shape rate 1000000"),
     "not planned: qos profile SITE_0 / uc-tx-queue 3: shape rate 1000000", "shape rate"),
    ("leaf-5", (r"(c-8q-nq3\n +)mtu 9100", r"\1mtu 1500"),
     "policy-map type network-qos SITE_1 / class type network-qos c-8q-nq3: mtu 1500 -> mtu 9100",
     "mtu 1500"),
    ("leaf-6", (r"(set protocols bgp group SITE_\d+) type external", r"\g<0>\n\1 hold-time 3"),
     "not planned: protocols bgp group SITE_8: hold-time 3", "hold-time 3"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "change", "what", "stands"), CASES)
def test_what_differs_is_told_with_the_name_that_runs(
    name: str, change: tuple[str, str], what: str, stands: str
) -> None:
    text = edited(name, change)
    places = {one.change: one.place for one in told(name, text).found}
    assert what in places, places
    assert stands in text.split("\n")[int(places[what].rpartition(":")[2]) - 1]


def test_each_of_two_profiles_that_ports_use_is_compared() -> None:
    """One port has a profile of its own, which alone is shaped."""
    text = planned("leaf-4")
    profile = re.search(r"(?ms)^qos profile (\S+)\n.*?(?=^\S)", text)
    assert profile is not None
    shaped = re.sub(r"(?m)^   uc-tx-queue 3$", r"\g<0>\n      shape rate 5", profile[0])
    text = re.sub(rf"service-profile {profile[1]}\b", "service-profile ODD", text, count=1)
    text += "\n" + shaped.replace(f"qos profile {profile[1]}", "qos profile ODD")
    assert said("leaf-4", text) == ["not planned: qos profile ODD / uc-tx-queue 3: shape rate 5"]


def test_a_profile_that_no_planned_port_uses_is_not_compared() -> None:
    text = other("leaf-4") + "\nqos profile UNUSED\n   uc-tx-queue 3\n      shape rate 5\n"
    assert said("leaf-4", text) == []


def test_a_profile_of_the_planned_name_is_not_compared_where_another_one_is_used() -> None:
    text = planned("leaf-4")
    profile = re.search(r"(?ms)^qos profile (\S+)\n.*?(?=^\S)", text)
    assert profile is not None
    text = re.sub(rf"service-profile {profile[1]}\b", "service-profile SITE", text)
    text += "\n" + profile[0].replace(f"qos profile {profile[1]}", "qos profile SITE")
    idle = re.sub(r"(?m)^   uc-tx-queue 3$", r"\g<0>\n      shape rate 5", profile[0])
    assert said("leaf-4", text.replace(profile[0], idle, 1)) == []


def test_classes_of_a_map_belong_together_by_what_they_do() -> None:
    """Junos: a class more, whose name comes first, with a scheduler of its own."""
    new = [
        "forwarding-classes class aaa queue-num 1",
        "schedulers aaa transmit-rate percent 5",
        "scheduler-maps SITE_8 forwarding-class aaa scheduler aaa",
    ]
    text = edited("leaf-6", (r"\A", "".join(f"{_COS}{line}\n" for line in new)))
    assert re.search(r"(?m)^set class-of-service scheduler-maps SITE_8 forwarding-class SITE_", text)
    assert said("leaf-6", text) == [
        "scheduling strict 6, 0 has weight 50, 1 has weight 5, 3 has weight 50"
        " -> strict 6, 0 has weight 50, 3 has weight 50 on all 8 ports"
    ]
