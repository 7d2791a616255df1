"""Edge cases, one fact per case: rows of a config_db that others name, and names of namespaces that a plan
uses."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.plan.overview import _namespaces as namespaces
from netplan.rules.config_db.references import dangling
from tests.unit.some import but, some
from tests.unit.test_edges_readers import switches, whole


def part(**tables: Any) -> dict[str, Any]:
    """A file without PORT rows, which leaves the rest to the switch."""
    return {"DEVICE_METADATA": {"localhost": {"hostname": "leaf"}}, **tables}


def version(text: str) -> dict[str, Any]:
    return {"VERSIONS": {"DATABASE": {"VERSION": text}}}


def said(given: dict[str, Any]) -> list[str]:
    (leaf,) = switches(leaf=given).values()
    return [each.message for each in dangling(leaf)]


OLD: dict[str, Any] = {
    "BUFFER_PG": {"Ethernet0|3": {"profile": "[BUFFER_PROFILE|a]"}},
    "BUFFER_PROFILE": {"a": {"pool": "[BUFFER_POOL|p]", "size": "9216"}},
    "BUFFER_POOL": {"p": {"size": "1"}},
}
NULL = {"Ethernet0|4": {"profile": "NULL"}, "Ethernet0|5": {"profile": ""}}
NEW = {"Ethernet0|4": {"profile": "a"}}
TARGETS = {
    "tc_to_queue_map": "TC_TO_QUEUE_MAP",
    "dscp_to_tc_map": "DSCP_TO_TC_MAP",
    "tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP",
    "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE",
}
MAPS = {name: f"[{target}|a]" for name, target in TARGETS.items()}
BRACKETS = "in the bracketed form of images before 202111"


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, None),
        ({"BUFFER_PG": {**OLD["BUFFER_PG"], **NULL}}, None),
        (
            {"BUFFER_PG": {**OLD["BUFFER_PG"], **NEW}},
            "profile of BUFFER_PG Ethernet0|4 is a, without the brackets that 2 others have",
        ),
        ({"BUFFER_PG": NEW, "BUFFER_PROFILE": {"a": {"pool": "p"}}}, None),
        (
            {**version("version_3_0_3")},
            f"profile of BUFFER_PG Ethernet0|3 is [BUFFER_PROFILE|a], {BRACKETS}, and 1 more reference is",
        ),
        *(
            (
                {
                    **version("version_3_0_3"),
                    "PORT_QOS_MAP": {"Ethernet0": {first: f"[{TARGETS[first]}|a]", **MAPS}},
                },
                f"{first} of PORT_QOS_MAP Ethernet0 is [{TARGETS[first]}|a], {BRACKETS}, and 5 more",
            )
            for first in TARGETS
        ),
        (version("version_3_0_2"), None),
        ({**version("version_3_0_2"), "BUFFER_PG": {**OLD["BUFFER_PG"], **NEW}}, None),
        ({**version("version_3_0_3"), "BUFFER_PG": NEW, "BUFFER_PROFILE": {"a": {"pool": "p"}}}, None),
    ],
)
def test_brackets_are_those_of_old_images(more: dict[str, Any], told: str | None) -> None:
    """db_migrator removes them from a file before version 3.0.3, or without a version."""
    texts = [text for text in said(part(**{**OLD, **more})) if "bracket" in text]
    assert len(texts) == (told is not None)
    assert all(text.startswith(str(told)) for text in texts)


PORTS = {"PORT": {"Ethernet0": {"lanes": "1"}, "Ethernet4": {"lanes": "2"}}}


@pytest.mark.parametrize(
    ("tables", "found"),
    [
        ({"QUEUE": {"Ethernet0|3": {"scheduler": "s"}}, "SCHEDULER": {"s": {"type": "STRICT"}}}, []),
        (
            {"QUEUE": {"Ethernet0|3": {"scheduler": "s"}}, "SCHEDULER": {"t": {}}},
            ["scheduler of QUEUE Ethernet0|3 is s, but SCHEDULER has no such row"],
        ),
        (
            {"QUEUE": {"Ethernet0|3": {"scheduler": "s"}, "Ethernet4|3": {"scheduler": "s"}}},
            ["scheduler of QUEUE Ethernet0|3, Ethernet4|3 is s, but SCHEDULER has no such row"],
        ),
        (
            {"QUEUE": {"Ethernet8|3": {"weight": "1"}}},
            ["key Ethernet8|3 of QUEUE names Ethernet8, but PORT has no such row"],
        ),
        (
            {"QUEUE": {"Ethernet8|3": {}, "Ethernet8|4": {}, "Ethernet0|3": {}}},
            ["2 keys, the first Ethernet8|3, of QUEUE name Ethernet8, but PORT has no such row"],
        ),
        ({"QUEUE": {"CPU|3": {}}, "PORT_QOS_MAP": {"global": {}}, "PFC_WD": {"GLOBAL": {}}}, []),
        (
            {"PORT_QOS_MAP": {"GLOBAL": {}}},
            ["key GLOBAL of PORT_QOS_MAP names GLOBAL, but PORT has no such row"],
        ),
        ({"QUEUE": {"leaf|asic0|Ethernet99|3": {}}}, []),
        (
            {"QUEUE": {"leaf|asic0|Ethernet99|3": {}, "Ethernet99|3": {}}},
            ["key Ethernet99|3 of QUEUE names Ethernet99, but PORT has no such row"],
        ),
        ({"VLAN": {"Vlan2": {}}, "VLAN_MEMBER": {"Vlan2|Ethernet0": {}}}, []),
        (
            {"VLAN": {"Vlan2": {}}, "VLAN_MEMBER": {"Vlan3|Ethernet0": {}}},
            ["key Vlan3|Ethernet0 of VLAN_MEMBER names Vlan3, but VLAN has no such row"],
        ),
        (
            {"VLAN": {"Vlan2": {}}, "VLAN_MEMBER": {"Vlan2|PortChannel1": {}}},
            [
                "key Vlan2|PortChannel1 of VLAN_MEMBER names PortChannel1, "
                "but PORT or PORTCHANNEL has no such row"
            ],
        ),
        (
            {
                "VLAN": {"Vlan2": {}},
                "VLAN_MEMBER": {"Vlan2|PortChannel1": {}},
                "PORTCHANNEL": {"PortChannel1": {}},
            },
            [],
        ),
        ({"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}}}, []),
        (
            {"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet8": "5m"}}},
            ["CABLE_LENGTH AZURE has a length for Ethernet8, but PORT has no such row"],
        ),
        (
            {
                "BUFFER_PORT_INGRESS_PROFILE_LIST": {"Ethernet0": {"profile_list": "a, b"}},
                "BUFFER_PROFILE": {"a": {}},
            },
            [
                "profile_list of BUFFER_PORT_INGRESS_PROFILE_LIST Ethernet0 is b, "
                "but BUFFER_PROFILE has no such row"
            ],
        ),
        ({"BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "NULL"}}}, []),
        (
            {"BUFFER_PG": {"Ethernet0,Ethernet8|3": {"profile": "NULL"}}},
            ["key Ethernet0,Ethernet8|3 of BUFFER_PG names several ports, the form of old images"],
        ),
        (
            {"BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "NULL"}}, **version("version_3_0_3")},
            ["key Ethernet0,Ethernet4|3 of BUFFER_PG names several ports, the form of old images"],
        ),
        ({"BUFFER_PG": {"Ethernet0,Ethernet4|3": {"profile": "NULL"}}, **version("version_3_0_2")}, []),
    ],
)
def test_a_row_that_another_names_is_there(tables: dict[str, Any], found: list[str]) -> None:
    """HOST|ASIC|PORT|QUEUE of a chassis names ports of other line cards."""
    assert said(whole("leaf") | PORTS | tables) == found


@pytest.mark.parametrize(
    ("tables", "found"),
    [
        ({"QUEUE": {"Ethernet0|3": {"scheduler": "s"}}}, []),
        (
            {"QUEUE": {"Ethernet0|3": {"scheduler": "s"}}, "SCHEDULER": {}},
            ["scheduler of QUEUE Ethernet0|3 is s, but SCHEDULER has no such row"],
        ),
        ({"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}}, []),
        ({"CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}, "PORT": {"Ethernet4": {"mtu": "9100"}}}, []),
    ],
)
def test_a_partial_file_tells_of_the_tables_it_has_but_ports(
    tables: dict[str, Any], found: list[str]
) -> None:
    assert said(part(**tables)) == found


ATTACHMENT = some(namespaces=("apps",), owner_kind="SriovNetwork", object_namespace="operator")
PLAN = some(attachments=(), policies=(), pool_configs=(), pools=(), nic_templates=())


@pytest.mark.parametrize(
    ("facts", "found"),
    [
        ({}, ("work",)),
        ({"attachments": (ATTACHMENT,)}, ("apps", "operator", "work")),
        (
            {"attachments": (but(ATTACHMENT, owner_kind="SriovIBNetwork"),)},
            ("apps", "operator", "work"),
        ),
        ({"attachments": (but(ATTACHMENT, owner_kind="NetworkAttachmentDefinition"),)}, ("apps", "work")),
        ({"policies": (some(namespace="p"),)}, ("p", "work")),
        ({"pool_configs": (some(namespace="c"),)}, ("c", "work")),
        ({"pools": (some(namespace="i"),)}, ("i", "work")),
        ({"nic_templates": (some(namespace="t"),)}, ("t", "work")),
        ({"pools": (some(namespace="kube-system"), some(namespace="default"))}, ("work",)),
    ],
)
def test_namespaces_that_a_plan_uses(facts: dict[str, Any], found: tuple[str, ...]) -> None:
    fabric = some(workloads=(some(namespace="work"),))
    assert namespaces(fabric, but(PLAN, **facts)) == found
