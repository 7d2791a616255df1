"""``netplan import`` of Junos: statements of configuration groups count where the groups are applied."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.reading.switches import read_switch
from netplan.reading.switches.junos_groups import with_groups
from tests.test_import import data, refused, todo_lines
from tests.test_import_fabric import stretched_dumps

IRB = "interfaces irb unit {unit} family inet address 10.1.{rail}.254/24"
GATEWAYS = [IRB.format(unit=100 + rail, rail=rail) for rail in (0, 1)]
VLANS = [f"set vlans rail{n} vlan-id {100 + n}\nset vlans rail{n} l3-interface irb.{100 + n}" for n in (0, 1)]
PORT = "set interfaces et-0/0/{port} unit 0 family ethernet-switching vlan members rail{rail}"
ACCESS = "set interfaces et-0/0/{} unit 0 family ethernet-switching interface-mode access"
PORTS = [f"{ACCESS.format(rail)}\n{PORT.format(port=rail, rail=rail)}" for rail in (0, 1)]


def imported(*lines: str) -> Imported:
    """Two leaves with both rails; ``lines``: of the first one."""
    texts = stretched_dumps()
    for leaf in (1, 2):
        del texts[f"leaf-{leaf}.json"]
        own = lines if leaf == 1 else ()
        head = ("set version 23.4R2", f"set system host-name leaf-{leaf}", *VLANS, *PORTS)
        texts[f"leaf-{leaf}.conf.txt"] = "\n".join((*head, *own, ""))
        for port in (0, 1):
            name = f"gpu-{leaf}.json"
            texts[name] = texts[name].replace(f'"Ethernet{4 * port}"', f'"et-0/0/{port}"')
    return import_texts(texts, "site")


def rails(*lines: str) -> dict[str, Any]:
    result = imported(*lines)
    assert set(todo_lines(result.text)) == refused(result.text)
    found: dict[str, Any] = data(result)["rails"]
    return found


@pytest.mark.parametrize("apply", ["set apply-groups G", "set interfaces irb apply-groups [ G H ]"])
def test_a_gateway_of_an_applied_group_is_the_leafs(apply: str) -> None:
    """As without a group."""
    group = [f"set groups G {line}" for line in GATEWAYS]
    own = imported(*(f"set {line}" for line in GATEWAYS))
    found = imported(*group, apply)
    assert rails(*group, apply) == data(own)["rails"]
    assert "gateway_owner" not in data(found)["rails"]
    assert "gateway: last # leaf-1.conf.txt:" in found.text
    assert [str(each) for each in found.remarks if "configuration groups" in str(each)] == []


def test_a_group_that_nothing_applies_is_no_configuration() -> None:
    group = [f"set groups G {line}" for line in GATEWAYS]
    result = imported(*group)
    assert data(result)["rails"]["gateway_owner"] == "external"
    assert any("groups G: configuration groups are not read" in str(each) for each in result.remarks)


@pytest.mark.parametrize("more", ["set groups G when chassis mx240", "set groups G apply-groups H"])
def test_a_gateway_of_a_group_that_is_not_read_is_asked(more: str) -> None:
    found = imported(*(f"set groups G {line}" for line in GATEWAYS), "set apply-groups G", more)
    assert data(found)["rails"]["gateway_owner"] == "TODO"
    (line,) = [text for text in found.text.splitlines() if text.startswith("  gateway_owner:")]
    assert "leaf-1 has a group that is not read: set groups G interfaces irb unit 100" in line


@pytest.mark.parametrize("off", ["groups G", "apply-groups G", "apply-groups"])
def test_an_inactive_group_is_no_configuration(off: str) -> None:
    group = [f"set groups G {line}" for line in GATEWAYS]
    assert rails(*group, "set apply-groups G", f"deactivate {off}")["gateway_owner"] == "external"


def test_a_group_of_one_routing_engine_is_not_read() -> None:
    group = [f"set groups re0 {line}" for line in GATEWAYS]
    assert rails(*group, "set apply-groups re0")["gateway_owner"] == "TODO"


CONFIGURED = """\
set groups G interfaces <et-*> mtu 9216
set groups G vlans v vlan-id 7
set groups G interfaces irb unit 7 family inet address 10.7.0.1/24
set groups H interfaces <et-*> mtu 1500
set groups H interfaces <et-*> unit <*> family ethernet-switching vlan members v
set apply-groups G
set interfaces apply-groups H
set interfaces et-0/0/1 mtu 4000
set interfaces et-0/0/2 unit 0 description x
set interfaces et-0/0/3 apply-groups-except H
set interfaces et-0/0/3 speed 100g
"""


def test_wildcards_precedence_and_exceptions() -> None:
    """The inner place counts before the outer one, and what the configuration states before both."""
    found = with_groups("juniper-junos", CONFIGURED)
    numbered = [*zip(found.numbers, found.text.split("\n"), strict=True)]
    assert [line for number, line in numbered if number == 1] == ["set interfaces et-0/0/3 mtu 9216"]
    assert [line for number, line in numbered if number == 4] == ["set interfaces et-0/0/2 mtu 1500"]
    members = "set interfaces et-0/0/2 unit 0 family ethernet-switching vlan members v"
    assert [line for number, line in numbered if number == 5] == [members]
    assert "set vlans v vlan-id 7" in found.text
    assert found.line(len(found.numbers)) == CONFIGURED.count("\n") + 1


def test_the_reader_has_what_a_group_states_with_its_line() -> None:
    """So ``validate --rendered``, ``trace`` and ``diff --running`` have it."""
    read = read_switch("leaf", "juniper-junos", {"interfaces.txt": CONFIGURED})
    assert {port: own.ip_mtu for port, own in read.ports.items()} == {
        "et-0/0/1": 4000 - 18,
        "et-0/0/2": 1500 - 18,
        "et-0/0/3": 9216 - 18,
    }
    assert read.vlans == {7}
    assert read.line(CONFIGURED, "port-mtu", "et-0/0/2") == 4


def test_other_texts_stay_as_they_are() -> None:
    assert with_groups("arista-eos", CONFIGURED).text == CONFIGURED
    alone = CONFIGURED.replace("apply-groups", "description")
    assert with_groups("juniper-junos", alone).text == alone


RE0 = ("set groups re0 system host-name leaf-9", "set apply-groups re0")
RE1 = ("set groups re1 system host-name leaf-8", "set apply-groups re1")


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        (RE0, "leaf-9"),
        ((RE0[0], RE1[0], "set apply-groups [ re0 re1 ]".replace("re1", "re2")), "leaf-9"),
        ((*RE0, RE1[0].replace("8", "9"), RE1[1]), "leaf-9"),
        ((*RE0, *RE1), "own"),
        (RE0[:1], "own"),
        ((*RE0, "deactivate apply-groups re0"), "own"),
        ((*RE0, "set system host-name leaf-7"), "leaf-7"),
        ((), "own"),
    ],
)
def test_a_host_name_in_the_group_of_a_routing_engine(lines: tuple[str, ...], name: str) -> None:
    """Else the switch has the name of its file, without what tells its content."""
    text = "\n".join(("set version 23.4R2", *lines, *VLANS, *PORTS, ""))
    result = import_texts({"dumps/own.cfg": text}, "site")
    assert result.site.every("switch") == [(name,)]
    told = [
        str(each) for each in result.remarks if "Routing Engines are named leaf-9 and leaf-8" in str(each)
    ]
    assert len(told) == (lines == (*RE0, *RE1))
