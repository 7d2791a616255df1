"""``netplan import`` of ranges of ports of Junos (juniper.net, Interface Ranges for Physical Interfaces)."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts

HEAD = "set version 23.4R2-S3.9-EVO\nset system host-name leaf-1\nset vlans rail0 vlan-id 101\n"
RANGE, SWITCHING = "set interfaces interface-range", "unit 0 family ethernet-switching"


def imported(*lines: str) -> Imported:
    return import_texts({"leaf-1.txt": HEAD + "\n".join(lines) + "\n"}, "site")


def hosts(*members: str, more: tuple[str, ...] = ()) -> Imported:
    own = [f"{RANGE} HOSTS {member}" for member in members]
    own += [f"{RANGE} HOSTS mtu 9216", f"{RANGE} HOSTS {SWITCHING} interface-mode access"]
    return imported(*more, *own, f"{RANGE} HOSTS {SWITCHING} vlan members rail0")


def vlans(result: Imported) -> dict[str, object]:
    ports = {of[1]: result.site.said("port", of, "access") for of in result.site.every("port")}
    return {port: said.value for port, said in ports.items() if said is not None}


@pytest.mark.parametrize(
    ("members", "ports"),
    [
        (["member-range et-0/0/0 to et-0/0/2"], ["et-0/0/0", "et-0/0/1", "et-0/0/2"]),
        (["member et-0/0/7", "member et-0/0/9"], ["et-0/0/7", "et-0/0/9"]),
        (['member "et-0/0/[1-2]"'], ["et-0/0/1", "et-0/0/2"]),
        (["member et-0/0/[1,4]"], ["et-0/0/1", "et-0/0/4"]),
        (["member-range et-0/0/3:0 to et-0/0/3:1"], ["et-0/0/3:0", "et-0/0/3:1"]),
    ],
)
def test_lines_of_a_range_are_those_of_its_ports(members: list[str], ports: list[str]) -> None:
    result = hosts(*members)
    assert vlans(result) == dict.fromkeys(ports, 101)
    assert [each for each in map(str, result.remarks) if "range of ports" in each] == []
    said = result.site.said("port", ("leaf-1", ports[-1]), "mtu")
    assert said is not None
    lines = (HEAD + "\n").splitlines()
    assert (said.value, said.at.line) == (9216, len(lines) - 1 + len(members) + 1)


def test_a_pattern_is_of_the_ports_that_have_lines_of_their_own() -> None:
    more = ("set interfaces et-0/0/4 description a", "set interfaces et-1/0/4 description b")
    assert vlans(hosts("member et-0/0/*", more=more)) == {"et-0/0/4": 101}


def test_a_line_of_the_port_itself_wins() -> None:
    result = hosts("member et-0/0/4", more=("set interfaces et-0/0/4 mtu 1500",))
    assert result.site.number("port", ("leaf-1", "et-0/0/4"), "mtu") == 1500
    assert vlans(result) == {"et-0/0/4": 101}


def test_a_range_without_a_known_port_is_told() -> None:
    (told,) = (
        each for each in map(str, hosts("member-range et-0/0/0 to et-1/0/2").remarks) if "range" in each
    )
    assert told.startswith("leaf-1.txt:4: leaf-1: lines of HOSTS, a range of ports, are not read")
