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


@pytest.mark.parametrize(
    ("nos", "head", "ports"),
    [
        ("arista-eos", "Ethernet1-3", ["Ethernet1", "Ethernet2", "Ethernet3"]),
        ("arista-eos", "Et1/1-3/1", ["Ethernet1/1", "Ethernet2/1", "Ethernet3/1"]),
        ("arista-eos", "ethernet 7/1-3,9/1", ["Ethernet7/1", "Ethernet7/2", "Ethernet7/3", "Ethernet9/1"]),
        ("cisco-nxos", "Ethernet1/1-2, Ethernet1/9", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/9"]),
        ("cisco-nxos", "e1/1-3", ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]),
    ],
)
def test_a_block_of_a_range_is_one_of_each_port(nos: str, head: str, ports: list[str]) -> None:
    """Each value has the line of the range; what a port has itself below comes last."""
    text = f"{COMMANDS[nos]}hostname leaf-1\ninterface {head}\n  mtu 9214\n!\nvlan 7\n"
    site = import_texts({"leaf.cfg": text}, "site").site
    at = text.splitlines().index("  mtu 9214") + 1
    found = {of[1]: site.fields("port", of) for of in site.every("port")}
    assert [*found] == ports
    assert {(each["mtu"].value, each["mtu"].at.line) for each in found.values()} == {(9214, at)}


@pytest.mark.parametrize("head", ["Ethernet1/1-2/4", "Ethernet1-", "Port-Channel1-4"])
def test_other_heads_stay_as_they_are(head: str) -> None:
    text = f"{COMMANDS['arista-eos']}hostname leaf-1\ninterface {head}\n  mtu 9214\n"
    result = import_texts({"leaf.cfg": text}, "site")
    site = result.site
    told = [
        str(each)
        for each in result.remarks
        if f"lines of {head}, a range of ports, are not read" in str(each)
    ]
    assert [each.partition(":")[0] for each in told] == ["leaf.cfg"]
    assert not [of for of in site.every("port") if "Ethernet" in of[1] and "-" not in of[1]]


COMMANDS = {
    "arista-eos": "! Command: show startup-config\n",
    "cisco-nxos": "!Command: show startup-config\nversion 10.4(3)\n",
}
