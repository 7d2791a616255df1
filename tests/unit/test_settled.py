"""Which of several lines about one setting applies (``single`` of readback.yaml), and notes about others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from netplan.model.readback import ReadSwitch
from netplan.nos import available, shipped, switch_folder
from netplan.reading.switches import read_switch
from netplan.reading.switches.files import tables_of
from netplan.reading.switches.rules import rules_of
from netplan.reading.switches.settled import single_of

EOS = "vlan 100\nvlan 200\nvlan 300\ninterface Ethernet1\n   mtu 9214\n   switchport mode trunk\n"
LIST = "   switchport trunk allowed vlan "


def eos(text: str, **files: str) -> ReadSwitch:
    return read_switch("x", "arista-eos", {"interfaces.txt": text, **files})


@pytest.mark.parametrize(
    ("lines", "carried"),
    [
        ([], {100, 200, 300}),
        (["100"], {100}),
        (["100", "200"], {200}),
        (["100", "add 200"], {100, 200}),
        (["100,200", "remove 100"], {200}),
        (["100", "none"], set()),
        (["none", "add 300"], {300}),
        (["remove 100"], set()),
        (["100-200", "add 300", "remove 101-199"], {100, 200, 300}),
    ],
)
def test_a_list_of_vlans_is_set_added_to_and_taken_from(lines: list[str], carried: set[int]) -> None:
    read = eos(EOS + "".join(f"{LIST}{line}\n" for line in lines))
    assert read.ports["Ethernet1"].tagged == carried
    assert read.unread == ()


def test_the_last_of_several_values_holds() -> None:
    read = eos(f"{EOS}interface Ethernet1\n   mtu 1500\n   switchport access vlan 200\n")
    assert (read.ports["Ethernet1"].ip_mtu, read.ports["Ethernet1"].untagged) == (1500, None)
    back = eos(f"{EOS}interface Ethernet1\n   switchport access vlan 200\n   switchport mode access\n")
    assert (back.ports["Ethernet1"].untagged, back.ports["Ethernet1"].tagged) == (200, frozenset())
    shut = eos(f"{EOS}   shutdown\n"), eos(f"{EOS}   shutdown\n   no shutdown\n")
    assert [read.ports["Ethernet1"].up for read in shut] == [False, True]


def test_a_routed_port_has_no_vlans() -> None:
    read = eos(f"{EOS}{LIST}100\n   no switchport\n   ip address 10.0.0.0/31\n")
    assert (read.ports["Ethernet1"].tagged, len(read.ports["Ethernet1"].addresses)) == (frozenset(), 1)


def test_two_files_that_state_one_thing_otherwise_are_named() -> None:
    again = "interface Ethernet1\n   mtu 1500\n"
    read = eos(EOS, **{"roce.txt": again})
    assert "roce.txt: mtu <mtu> of Ethernet1 is stated in interfaces.txt too, otherwise" in read.problems
    assert not any("otherwise" in said for said in eos(EOS, **{"roce.txt": EOS}).problems)


@pytest.mark.parametrize(
    ("nos", "text", "said"),
    [
        (
            "arista-eos",
            "router bgp 1\nrouter bgp 2\n",
            "AS number is 1 and 2 (interfaces.txt:1, interfaces.txt:2)",
        ),
        ("arista-eos", "interface Ethernet1\n   mtu 9300\n", "Ethernet1 has MTU 9300; the NOS takes 9214"),
        (
            "arista-eos",
            "router bgp 1\n   network 10.0.0.0/24\n",
            "10.0.0.0/24 is announced, but no interface",
        ),
        (
            "cisco-nxos",
            "interface Ethernet1/1\n  switchport mode trunk\n  switchport trunk allowed vlan 2\n",
            "Ethernet1/1 has VLANs, but no line makes it a switch port",
        ),
        (
            "cisco-nxos",
            "system jumbomtu 9216\ninterface Ethernet1/1\n  switchport\n  mtu 9000\n",
            "Ethernet1/1 switches and has MTU 9000; it takes 1500 or the system's, 9216",
        ),
    ],
)
def test_what_cannot_hold_is_named(nos: str, text: str, said: str) -> None:
    read = read_switch("x", nos, {"interfaces.txt": text})
    assert any(each.startswith(f"interfaces.txt: {said}") for each in (*read.problems, *read.refused))


def test_a_name_that_nothing_defines_is_named() -> None:
    text = "set interfaces et-0/0/1 unit 0 family ethernet-switching vlan members v7\n"
    read = read_switch("x", "juniper-junos", {"interfaces.txt": text})
    line = "set interfaces <port> unit 0 family ethernet-switching vlan members <name>"
    assert f"interfaces.txt: v7 is used but nothing defines it: {line}" in read.problems
    both = {"interfaces.txt": f"{text}set vlans v7 vlan-id 7\n"}
    assert not any("v7" in said for said in read_switch("x", "juniper-junos", both).problems)


def test_a_line_at_another_place_is_not_read() -> None:
    assert eos("interface Ethernet1\n   mtu 9214\n").unread == ()
    assert eos("vlan 100\n   mtu 9214\n").unread == ("interfaces.txt: line 2 is not read: mtu 9214",)
    assert eos("   no dcbx mode\n").unread == ("interfaces.txt: line 1 is not read: no dcbx mode",)
    assert eos("interface Ethernet1\n   exit\n").unread == ()


def items(nos: str, key: str) -> Iterator[Any]:
    path = switch_folder() / nos / "readback.yaml"
    yield from yaml.safe_load(path.read_text(encoding="utf-8")).get(key, ())


@pytest.mark.parametrize("nos", available())
def test_what_is_replaced_is_of_use(nos: str) -> None:
    """A form in ``single`` that no fact uses replaces one that a fact uses."""
    rules = rules_of(nos, shipped())
    assert rules is not None
    used = {pattern for sources in rules.facts.values() for each in sources for pattern in each.patterns}
    idle = [item["lines"] for item in items(nos, "single") if not used & set(item["lines"])]
    assert idle == []


@pytest.mark.parametrize("nos", ["arista-eos", "cisco-nxos", "juniper-junos"])
def test_what_is_known_and_not_followed_has_its_reason(nos: str) -> None:
    for key in ("idle", "unfollowed"):
        assert all(len(item["why"]) > 20 for item in items(nos, key))


def test_values_that_stay_beside_each_other_are_told() -> None:
    """A Junos port with two classifiers, which are a list in Juniper's model."""
    port = "set class-of-service interfaces et-0/0/1 unit 0 classifiers dscp "
    made = "".join(
        f"set class-of-service classifiers dscp {name} forwarding-class best-effort loss-priority low "
        f"code-points [ {bits} ]\n"
        for name, bits in (("a", "000001"), ("b", "000010"))
    )

    def unread(*names: str) -> tuple[str, ...]:
        text = made + "".join(f"{port}{name}\n" for name in names)
        return read_switch("x", "juniper-junos", {"roce.txt": text}).unread

    assert not unread("a")
    assert not unread("a", "a")
    (said,) = unread("a", "b")
    assert "lines 3 and 4 state" in said


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ({"by": ["port"], "lines": ["mtu <mtu>"]}, "no port in mtu <mtu>"),
        (
            {"by": ["port"], "lines": ["<port> vlan <vlan*>"], "add": ["<port> more <mtu>"]},
            "<port> more <mtu> lacks the columns of <port> vlan <vlan*>",
        ),
    ],
)
def test_forms_that_cannot_replace_each_other_are_refused(data: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        single_of({"add": [], "remove": [], "beside": False, **data})


def test_rows_of_one_line_are_one_statement() -> None:
    """The members of a list in one line do not replace each other."""
    rules = rules_of("arista-eos", shipped())
    assert rules is not None
    text = f"interface Ethernet1\n{LIST}100,200\n"
    pattern = "interface <port> / switchport trunk allowed vlan <vlan*>"
    assert len(tables_of(rules, "interfaces.txt", text).tables[pattern].rows) == 2


def test_a_wildcard_of_junos_is_of_ports_without_a_line_of_their_own() -> None:
    """Lines beside it stay."""
    begin, bits = "set class-of-service", {"all": "011010", "own": "011011"}
    lines = [
        "set interfaces et-0/0/0 mtu 9216",
        "set interfaces et-0/0/1 mtu 9216",
        f"{begin} interfaces et-* unit * classifiers dscp all",
        f"{begin} interfaces et-0/0/1 unit 0 classifiers dscp own",
        f"{begin} forwarding-classes class rdma queue-num 3 no-loss pfc-priority 3",
    ]
    for name, point in bits.items():
        lines += [
            f"{begin} classifiers dscp {name} forwarding-class rdma loss-priority low code-points {point}"
        ]
    read = read_switch("x", "juniper-junos", {"interfaces.txt": "\n".join(lines)})
    seen = {name: [*port.qos.queues] for name, port in read.ports.items()}
    assert seen == {"et-0/0/0": [0b011010], "et-0/0/1": [0b011011]}
