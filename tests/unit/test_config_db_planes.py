"""NP875: planes of a fabric use the same subnets on purpose, and never meet at layer 3."""

from __future__ import annotations

import json

import pytest

from netplan.config_db import judge_texts

Switches = dict[str, list[str]]
PLANES: Switches = {
    "p0-leaf": ["10.0.0.0/31", "10.9.0.0/31"],
    "p0-spine": ["10.0.0.1/31"],
    "p1-leaf": ["10.0.0.0/31", "10.9.0.0/31"],
    "p1-spine": ["10.0.0.1/31"],
}
"""Two leaves with hosts in the same subnet, each behind a spine of its own."""


def repeated(switches: Switches, loopbacks: bool = True) -> list[str]:
    """Messages of NP875. ``loopbacks``: each switch has its own."""
    texts = {}
    for number, (name, prefixes) in enumerate(switches.items(), 1):
        ports = [f"Ethernet{4 * port}" for port in range(len(prefixes))]
        keys = [*ports, *(f"{port}|{prefix}" for port, prefix in zip(ports, prefixes, strict=True))]
        own = f"Loopback0|10.255.0.{number if loopbacks else 1}/32"
        tables = {
            "DEVICE_METADATA": {"localhost": {"hostname": name}},
            "PORT": {port: {"lanes": port.removeprefix("Ethernet")} for port in ports},
            "INTERFACE": {key: dict[str, str]() for key in keys},
            "LOOPBACK_INTERFACE": {key: dict[str, str]() for key in ("Loopback0", own)},
        }
        texts[f"{name}.json"] = json.dumps(tables)
    return [each.message for each in judge_texts(texts).diagnostics if each.code == "NP875"]


def test_planes_with_the_same_subnets_are_no_copies() -> None:
    assert repeated(PLANES) == []


@pytest.mark.parametrize("name", ["p0-spine", "p1-spine"])
def test_two_switches_before_one_far_end_are_copies(name: str) -> None:
    """The spine of one plane is missing, so both leaves are on the link of the other one."""
    found = repeated({other: ips for other, ips in PLANES.items() if other != name})
    assert [each.partition(" at ")[0] for each in found] == [
        "address 10.0.0.0 of p1-leaf is also that of p0-leaf"
    ]
    assert found[0].endswith(", and 1 more address of a port is on both")


def test_switches_without_a_far_end_are_copies() -> None:
    leaves = {name: ips for name, ips in PLANES.items() if "leaf" in name}
    (found,) = repeated(leaves)
    assert found.endswith(", and 1 more address of a port is on both")


def test_two_switches_at_both_ends_of_a_subnet_are_copies() -> None:
    """Each is cabled to itself, as in a lab."""
    both = ["10.0.0.0/31", "10.0.0.1/31"]
    (found,) = repeated({"a": both, "b": both})
    assert found.endswith(", and 1 more address of a port is on both")


def test_loopbacks_are_compared_in_planes_too() -> None:
    found = repeated(PLANES, loopbacks=False)
    assert len(found) == 3
    assert all(each.startswith("address 10.255.0.1 of ") for each in found)


def test_only_switches_of_such_planes_are_excused() -> None:
    """A third leaf without a spine of its own repeats an address by mistake."""
    found = repeated({**PLANES, "p2-leaf": ["10.9.0.0/31"]})
    assert [each.partition(" at ")[0] for each in found] == [
        "address 10.9.0.0 of p2-leaf is also that of p0-leaf"
    ]
