"""FEC and auto-negotiation of ports, which ``links`` have for both ends of a cable."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import fabric_dumps
from tests.test_import import FILES, data


@cache
def dumps() -> dict[str, str]:
    return fabric_dumps(FILES)


def with_ports(fields: Mapping[str, Mapping[str, str]]) -> Imported:
    """The dumps with more fields on all ports of switches whose names begin so."""
    texts = dict(dumps())
    for file in [file for file in texts if file.startswith(("leaf", "spine")) and file.endswith(".json")]:
        tables: dict[str, Any] = json.loads(texts[file])
        for port in tables["PORT"].values():
            for name in (name for name in fields if file.startswith(name)):
                port.update(fields[name])
        texts[file] = json.dumps(tables, indent=4)
    return import_texts(texts, "site")


def stated(result: Imported) -> list[dict[str, Any]]:
    links = data(result)["links"]
    return [{key: link[key] for key in ("fec", "autoneg") if key in link} for link in links]


@pytest.mark.parametrize(
    ("fields", "wanted"),
    [
        ({"fec": "rs"}, {"fec": "rs"}),
        ({"fec": "none", "autoneg": "off"}, {"fec": "none", "autoneg": False}),
        ({"fec": "auto", "autoneg": "on"}, {"fec": "auto", "autoneg": True}),
        ({"fec": "auto"}, {}),  # the default of the port, which it keeps
        ({}, {}),
    ],
)
def test_settings_of_ports_are_those_of_the_links(fields: dict[str, str], wanted: dict[str, Any]) -> None:
    found = stated(with_ports({"": fields}))
    assert found == [wanted] * len(found)
    assert len(found) > 1


@pytest.mark.parametrize(("port", "told"), [("Ethernet124", True), ("PortChannel1", False)])
def test_a_routed_port_with_nothing_behind_it_is_told(port: str, told: bool) -> None:
    tables: dict[str, Any] = json.loads(dumps()["leaf-1.json"])
    tables["INTERFACE"][f"{port}|10.44.0.0/31"] = {}
    result = import_texts({**dumps(), "leaf-1.json": json.dumps(tables, indent=4)}, "site")
    found = [str(remark) for remark in result.remarks if "the other end" in str(remark)]
    assert [
        f"address of leaf-1 {port} '10.44.0.0/31': no dump has the other end" in each for each in found
    ] == [True] * told


def uplinks(result: Imported) -> list[dict[str, Any]]:
    return [link for link in data(result)["links"] if "switches" in link]


def test_ends_that_differ_are_a_contradiction() -> None:
    result = with_ports({"leaf": {"fec": "rs"}, "spine": {"fec": "none"}})
    assert [link for link in uplinks(result) if "fec" in link] == []
    (told,) = [str(conflict) for conflict in result.conflicts]
    assert told.startswith("leaf-1 Ethernet80 to spine-1 Ethernet0, fec: rs (leaf-1.json:")
    assert "or none (spine-1.json:" in told
    assert told.endswith(" more)")


def test_a_setting_of_one_end_alone_is_not_stated_for_both() -> None:
    result = with_ports({"leaf": {"fec": "rs"}})
    assert [link for link in uplinks(result) if "fec" in link] == []
    assert result.conflicts == ()


EOS = """! Command: show running-config
! device: spine-1 (DCS-7060X6-64PE, EOS-4.33.1F)
!
hostname spine-1
!
interface Ethernet1/1
   mtu 9214
   no switchport
"""


@pytest.mark.parametrize(("nos", "kept"), [("eos", False), ("sonic", True)])
def test_settings_that_netplan_writes_at_one_end_alone_are_told(nos: str, kept: bool) -> None:
    """``links`` state them for both ends: NP802 for EOS."""
    port = {"speed": "400000", "mtu": "9216", "fec": "rs", "admin_status": "up"}
    other = EOS if nos == "eos" else switch_of("spine-1", "Ethernet1/1", port)
    neighbour = {"Ethernet0": {"name": "spine-1", "port": "Ethernet1/1"}}
    own = switch_of("leaf-1", "Ethernet0", port, DEVICE_NEIGHBOR=neighbour)
    result = import_texts({"leaf-1.json": own, "spine-1.txt": other}, "site")
    (link,) = data(result)["links"]
    assert ({"fec", "admin_status"} <= link.keys()) == kept
    told = [str(remark) for remark in result.remarks if "both ports keep theirs" in remark.text]
    why = "links state it for both ends, and netplan writes none for arista-eos; both ports keep theirs"
    words = [f"fec of leaf-1 Ethernet0 'rs': {why}", f"admin_status of leaf-1 Ethernet0 'up': {why}"]
    assert [each.partition(": ")[2] for each in told] == ([] if kept else words)


def switch_of(name: str, port: str, fields: Mapping[str, str], **tables: Any) -> str:
    local = {"localhost": {"hostname": name, "hwsku": "ACS-MSN4700"}}
    return json.dumps({"DEVICE_METADATA": local, "PORT": {port: fields}, **tables}, indent=1)
