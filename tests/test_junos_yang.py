"""Juniper's own model judges every ``set`` line of the Junos output, comments that could be one included."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from tests.inventories import compiled, outputs
from tests.junos_yang import OUTSIDE, candidates, judge, judge_all
from tests.nos_site import nos_site, with_vlans
from tests.split_site import split_site
from tests.switch_site import Site
from tests.vendors.sites import MIXED, PORTS, VARIANTS, variant_site
from tests.vendors.test_grammar import UNSUPPORTED

pytestmark = pytest.mark.yang

NOS = "juniper-junos"
DUAL = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}
CHANGES: Mapping[str, Mapping[str, Any]] = {
    "no native VLAN": {},
    "ECN": {"switch_types__leaf__queue_bytes": 2_000_000},
    "IPv6": DUAL,
    "IPv6 uplinks": DUAL | {"underlay__uplinks": "fd01::/112"},
    "adaptive routing": {"fabric__adaptive_routing": True},
    "queue 7": {"fabric__qos__classes__cnp": {"dscp": 56, "priority": 7, "scheduling": "strict"}},
}
SWITCHES = ("leaf-1", "spine-1")
TEXTS = {"interfaces.txt", "roce.txt", "arp.txt"}


def _sites() -> dict[str, Site]:
    """The variants of the grammar have a native VLAN on their first port."""
    sites = {v: variant_site(NOS, v) for v in VARIANTS if (NOS, v) not in UNSUPPORTED}
    sites |= {name: nos_site(NOS, *PORTS[NOS], **change) for name, change in CHANGES.items()}
    return sites | {"breakout": split_site(NOS), "breakout in four": split_site(NOS, speed=100)}


SITES = _sites()


def _rendered(files: Mapping[str, str]) -> list[str]:
    """Every line that is or could be a statement; other lines say nothing about Junos' syntax."""
    lines = [line for name in sorted(files) if name in TEXTS for line in candidates(files[name])]
    told = [line for name in files if name in TEXTS for line in files[name].splitlines()]
    assert len(lines) == sum("set " in line for line in told)
    assert sum(line.startswith("set ") for line in told) > len(lines) / 2
    return lines


def test_every_line_of_every_site_is_in_the_model() -> None:
    switches = {f"{name}, {switch}": (site, switch) for name, site in SITES.items() for switch in SWITCHES}
    lines = {label: _rendered(site.files(switch)) for label, (site, switch) in switches.items()}
    found = judge_all(lines)
    assert {label: one.errors for label, one in found.items() if one.errors} == {}
    assert list(found) == list(switches)
    for label, (site, switch) in switches.items():
        one = found[label]
        assert len(one.judged) + len(one.outside) == len(lines[label])
        assert len(one.judged) >= 2 * len(site.switch(switch).ports)
        assert {line.split()[1] for line in one.outside} <= set(OUTSIDE)


def test_a_mistake_in_one_of_many_is_found_there() -> None:
    found = judge_all({"a": ["set vlans v1 vlan-id 1"], "b": ["set vlans v1 vlanid 1"], "c": []})
    assert [name for name, one in found.items() if one.errors] == ["b", "c"]


def test_the_leaf_of_the_multi_vendor_inventory() -> None:
    prefix = "switches/leaf-6/"
    tree = outputs(compiled("multi-vendor"))
    files = {path.removeprefix(prefix): text for path, text in tree.items() if path.startswith(prefix)}
    assert set(files) >= TEXTS
    lines = _rendered(files)
    found = judge(lines)
    assert found.errors == []
    assert len(found.judged) + len(found.outside) == len(lines)
    assert [line for line in found.judged if "explicit-congestion-notification" in line]
    assert [line.partition(" hash-seed")[0] for line in found.outside] == [
        "set forwarding-options enhanced-hash-key"
    ]


def test_the_sites_have_what_the_model_is_to_judge() -> None:
    """A statement that no site renders would not be validated."""
    lines = {line for name in SITES for line in _rendered(SITES[name].files("leaf-1"))}
    for words in (
        " native-vlan-id 300",
        " interface-mode access",
        " number-of-sub-ports 2",
        " family inet6 address",
        " family inet6 unicast",
        " extended-nexthop",
        " fill-level [ 5 75 ]",
        " fill-level [ 5 55 ]",
        " pfc-watchdog watchdog-action drop",
        " no-auto-negotiation",
        " gratuitous-arp-reply",
        " global-mac-table-aging-time",
        " forwarding-class network-control scheduler netplan-7",
        " forwarding-class network-control scheduler netplan-control",
        " ecmp-dlb per-packet",
    ):
        assert [line for line in lines if f"{words} " in f"{line} "], words


PLANTED: Mapping[str, tuple[str, str, str]] = {
    "a statement misspelt": ("class-of-service schedulers", "class-of-servic schedulers", "class-of-servic"),
    "a keyword misspelt": ("explicit-congestion-notification", "explicit-congestion", "explicit-congestion"),
    "an unknown leaf": ("pfc-priority 3", "pfc-prio 3", "pfc-prio"),
    "a value outside an enumeration": ("interface-mode trunk", "interface-mode tagged", '"tagged"'),
    "a percentage above 100": ("transmit-rate percent 50", "transmit-rate percent 101", '"101"'),
    "a native VLAN above 4094": ("native-vlan-id 300", "native-vlan-id 4096", '"4096"'),
    "an ARP age above 240 minutes": ("aging-timer 1", "aging-timer 241", '"241"'),
    "a PFC priority above 7": ("pfc-priority 3", "pfc-priority 8", '"8"'),
    "a word where a number belongs": ("poll-interval 200", "poll-interval soon", '"soon"'),
    "a statement under the wrong parent": ("irb unit 100 family", "irb family", '"family"'),
    "a watchdog outside its profile": (
        "congestion-notification-profile netplan-5m pfc-watchdog",
        "pfc-watchdog",
        '"pfc-watchdog"',
    ),
    "a value missing": ("drop-profile netplan-3", "drop-profile", "drop-profile takes a value and has none"),
    "a list without its key": ("lldp interface et-0/0/1", "lldp interface", "interface takes a name"),
    "a policy's verdict missing": ("term own then accept", "term own then", "then takes a statement"),
    "a second value": ("peer-as 4200000001", "peer-as [ 1 2 ]", "peer-as takes one value and has 2"),
    "DCBX that would negotiate": ("no-auto-negotiation", "no-negotiation", "no-negotiation"),
    "a MAC age that is not a number": (
        "global-mac-table-aging-time 1800",
        "global-mac-table-aging-time long",
        '"long"',
    ),
    "another gratuitous statement": ("gratuitous-arp-reply", "gratuitous-arp", '"gratuitous-arp"'),
    "an address family that is none": ("family inet6 unicast", "family ipv6 unicast", '"ipv6"'),
    "a scheduler map in another place": (
        "scheduler-maps netplan",
        "scheduler-map netplan",
        '"scheduler-map"',
    ),
    "a classifier of a kind that is none": ("classifiers dscp netplan", "classifiers pcp netplan", '"pcp"'),
    "a level twice": ("fill-level [ 5 75 ]", "fill-level [ 5 5 ]", "Duplicate instance"),
}
"""Mistake -> (words in the first matching line, replacement, text in the error)."""


EVERYTHING = {
    **CHANGES["ECN"],
    **CHANGES["IPv6 uplinks"],
    "fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 1800},
}


def _planted(old: str, new: str) -> list[str]:
    """Only the lines of the statement with the mistake, so that fewer models are loaded."""
    planned = with_vlans(nos_site(NOS, *PORTS[NOS], **EVERYTHING), MIXED)
    lines = _rendered(planned.files("leaf-1"))
    at = next(n for n, line in enumerate(lines) if f" {old} " in f"{line} ")
    wrong = f"{lines[at]} ".replace(f" {old} ", f" {new} ").rstrip()
    same = lines[at].split()[1]
    return [wrong if n == at else line for n, line in enumerate(lines) if line.split()[1] == same]


@pytest.mark.parametrize("what", PLANTED)
def test_a_planted_mistake_is_refused(what: str) -> None:
    old, new, named = PLANTED[what]
    errors = judge(_planted(old, new)).errors
    assert errors
    assert named in "\n".join(errors)


def test_the_same_lines_without_a_mistake_are_accepted() -> None:
    assert judge(_planted("cable-length 5", "cable-length 5")).errors == []


def test_most_mistakes_are_refused_by_the_model_itself() -> None:
    refused = [
        what
        for what, (old, new, _) in PLANTED.items()
        if any(e.startswith("yanglint: libyang err") for e in judge(_planted(old, new)).errors)
    ]
    assert len(refused) >= 8


@pytest.mark.parametrize(
    "lines",
    [[], ["delete protocols lldp"], ["set"], ["set forwarding-options enhanced-hash-key hash-seed 10"]],
)
def test_a_judge_that_looked_at_nothing_fails(lines: list[str]) -> None:
    assert judge(lines).errors


def test_what_the_model_does_not_check() -> None:
    """Strings that the model does not restrict; the grammar and the unit tests cover them."""
    assert judge(["set vlans v1 vlan-id 9999"]).errors == []
    assert judge(["set class-of-service schedulers s priority highest"]).errors == []
