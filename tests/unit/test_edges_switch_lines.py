"""Edge cases: lines of a switch that state one thing twice, of several ports, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan.model.readback import ReadSwitch
from netplan.pipeline import read_nos_dir
from netplan.reading.switches import read_switch
from netplan.reading.switches.lines import Node, Reader
from tests.own_nos import NAME, edited, written


def leaf(nos: str, text: str, file: str = "interfaces.txt") -> ReadSwitch:
    return read_switch("leaf-1", nos, {file: text})


NEIGHBOUR = "  neighbor {}\n    remote-as {}\n    address-family ipv4 unicast\n"


def test_two_as_numbers_of_a_neighbour_are_told_with_the_line_of_each() -> None:
    """Not with that of another neighbour of the same AS, nor with another line of the neighbour."""
    rows = (("10.0.0.1", 65002), ("10.0.0.3", 65003), ("10.0.0.1", 65003))
    text = "router bgp 65001\n" + "".join(NEIGHBOUR.format(*row) for row in rows)
    said = "AS of BGP neighbour 10.0.0.1 is 65002 and 65003 (interfaces.txt:3, interfaces.txt:9)"
    assert leaf("cisco-nxos", text).problems == (f"interfaces.txt: {said}",)


@pytest.mark.parametrize(
    ("word", "ports"),
    [
        ("swp1", ["swp1"]),
        ("swp1,2", ["swp1", "swp2"]),
        ("swp1-2", ["swp1", "swp2"]),
        ("swp1-2s0-1", ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]),
        ("swp1,swp3-4", ["swp1", "swp3", "swp4"]),
        ("swp2-1", []),
        ("swp1-5000", []),
        ("1-2", []),
        ("swp1,lo", []),
    ],
)
def test_one_word_of_nvue_names_several_ports(word: str, ports: list[str]) -> None:
    found = leaf("cumulus-nvue", f"nv set interface {word} link mtu 9216\n").ports
    assert {name: port.ip_mtu for name, port in found.items()} == dict.fromkeys(ports, 9216)


@pytest.mark.parametrize(
    ("idle", "unread"),
    [
        ("", ()),
        (
            'idle:\n  - {lines: ["banner .+"], why: shown to people only}\n',
            ("ports.txt: line 2 is not read: strange line",),
        ),
    ],
)
def test_a_folder_says_which_lines_are_strange_once_it_says_which_are_not(
    tmp_path: Path, idle: str, unread: tuple[str, ...]
) -> None:
    library = read_nos_dir(
        str(written(tmp_path, edited("readback.yaml", "implied:", f"{idle}implied:")))
    ).library
    text = "port Ethernet1 mtu 9000\nstrange line\nbanner of the day\n"
    found = read_switch("leaf-1", NAME, {"ports.txt": text}, library)
    assert {name: port.ip_mtu for name, port in found.ports.items()} == {"Ethernet1": 9000}
    assert (found.unread, found.problems) == (unread, ())


def test_an_optional_column_states_a_row_only_where_it_is_there() -> None:
    root = Node()
    root.below("a( <x:number>)?", "", {}).ends.append("a")
    reader = Reader(root)
    reader.text([(1, "a"), (2, "a 7")], ("#",), Node())
    assert reader.rows == {"a": [(7,)]}


def test_a_file_that_every_switch_of_a_nos_has_is_missed() -> None:
    assert leaf("arista-eos", "", "roce.txt").problems == ("interfaces.txt: the file is missing",)
    assert leaf("arista-eos", "").problems == ()


def test_ports_that_put_one_dscp_into_different_queues_are_told() -> None:
    lines = ["class-map type qos match-any ROCE", "  match dscp 26"]
    for name, queue in (("A", 3), ("B", 4)):
        lines += [f"policy-map type qos {name}", "  class ROCE", f"    set qos-group {queue}"]
    for port, name in ((1, "A"), (2, "B"), (3, "A")):
        lines += [f"interface Ethernet1/{port}", f"  service-policy type qos input {name}"]
    found = leaf("cisco-nxos", "\n".join(lines), "roce.txt")
    assert "DSCP 26 is in queue 3 and in queue 4" in found.problems
    assert found.queues[26] == 3


def test_a_setting_in_yaml_knows_its_line() -> None:
    text = "- set:\n    interface:\n      swp1:\n        link:\n          mtu: 9216\n"
    found = leaf("cumulus-nvue", text, "interfaces.yaml")
    assert found.ports["swp1"].ip_mtu == 9216
    assert found.line(text, "port-mtu", "swp1") == 5


def test_a_row_knows_its_line_also_behind_a_field_of_its_name() -> None:
    text = '{"PORT": {\n "Ethernet0": {\n  "Ethernet4": "x", "mtu": "1500"},\n "Ethernet4": {"mtu": "9100"}}}'
    found = leaf("sonic", text, "interfaces.json")
    assert found.where(text, "port", "port", "Ethernet4") == 4
    assert found.line(text, "port-mtu", "Ethernet4") == 4
