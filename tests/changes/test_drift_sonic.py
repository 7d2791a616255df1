"""SONiC: what sets the same as the planned rows in other rows and fields, and what only looks the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, drift
from netplan.changes.ran import running_files
from netplan.changes.switches import files_of
from netplan.nos import shipped
from tests.test_diff import running, vendors

LEAF = "leaf-3"
Tables = dict[str, dict[str, dict[str, Any]]]
Edit = Callable[[Tables], None]


def ran(tmp_path: Path, *edits: Edit) -> Drift:
    """``diff --running`` of the planned tables with these edits."""
    facts = facts_of(vendors())
    tables = json.loads(running("sonic", files_of(vendors(), LEAF)))
    for edit in edits:
        edit(tables)
    file = tmp_path / LEAF
    file.write_text(json.dumps(tables, indent=4))
    return drift(vendors(), facts, running_files((f"{LEAF}={file}",)), shipped())


def said(tmp_path: Path, *edits: Edit) -> list[str]:
    return [row.change for row in ran(tmp_path, *edits).found]


def every(table: str, **fields: Any) -> Edit:
    """These fields in every row of a table whose key has an address or a name, not in that of an interface
    alone."""

    def edit(tables: Tables) -> None:
        for key, row in tables[table].items():
            if not table.endswith("INTERFACE") or "|" in key:
                row.update(fields)

    return edit


def one(table: str, key: str, **fields: Any) -> Edit:
    return lambda tables: tables[table].setdefault(key, {}).update(fields)


NEIGHBOUR = "172.31.0.129"
AS_WITHOUT: dict[str, Edit] = {
    "every port is enabled": every("PORT", admin_status="up"),
    "scope and family of addresses of ports": every("INTERFACE", scope="global", family="IPv4"),
    "scope and family of addresses of VLANs": every("VLAN_INTERFACE", scope="global", family="IPv4"),
    "scope and family of the loopback": every("LOOPBACK_INTERFACE", scope="global", family="IPv4"),
    "a VLAN that is up, with the name of minigraph": every("VLAN", admin_status="up", alias="Vlan-a"),
    "members of a VLAN that have rows too": every("VLAN", members=["Ethernet0", "Ethernet4"]),
    "the same in one text": every("VLAN", members="Ethernet0,Ethernet4"),
    "timers of bgpd": every("BGP_NEIGHBOR", keepalive="60", holdtime="180"),
    "what minigraph writes of a neighbour": every("BGP_NEIGHBOR", nhopself="0", rrclient=0),
    "zone 0 of NAT": one("INTERFACE", "Ethernet64", nat_zone="0"),
}


@pytest.mark.parametrize("name", AS_WITHOUT)
def test_a_field_with_the_value_that_holds_without_it_is_no_difference(name: str, tmp_path: Path) -> None:
    assert said(tmp_path, AS_WITHOUT[name]) == []


TOLD: list[tuple[Edit, str]] = [
    (every("VLAN", admin_status="down"), "not planned: VLAN|Vlan102 admin_status: down"),
    (every("VLAN", members=["Ethernet0", "Ethernet40"]),
     "not planned: VLAN|Vlan102 members: Ethernet0,Ethernet40"),
    (one("BGP_NEIGHBOR", NEIGHBOUR, holdtime="10"), f"not planned: BGP_NEIGHBOR|{NEIGHBOUR} holdtime: 10"),
    (one("BGP_NEIGHBOR", NEIGHBOUR, rrclient="1"), f"not planned: BGP_NEIGHBOR|{NEIGHBOUR} rrclient: 1"),
    (one("INTERFACE", "Ethernet64", nat_zone="1"), "not planned: INTERFACE|Ethernet64 nat_zone: 1"),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "what"), TOLD)
def test_another_value_of_such_a_field_is_told(edit: Edit, what: str, tmp_path: Path) -> None:
    assert said(tmp_path, edit) == [what]


def test_a_port_that_is_down_and_that_the_plan_leaves_as_it_is_is_a_note(tmp_path: Path) -> None:
    found = ran(tmp_path, every("PORT", admin_status="up"), one("PORT", "Ethernet4", admin_status="down"))
    assert found.found == ()
    text = "shut down, and no planned line enables them: Ethernet4 ("
    place = next(note for note in found.notes if text in note).rpartition(":")[2].rstrip(")")
    assert '"down"' in (tmp_path / LEAF).read_text().splitlines()[int(place) - 1]


def in_brackets(tables: Tables) -> None:
    """References as images before 202111 write them."""
    maps = {"dscp_to_tc_map": "DSCP_TO_TC_MAP", "tc_to_queue_map": "TC_TO_QUEUE_MAP"}
    maps |= {"tc_to_pg_map": "TC_TO_PRIORITY_GROUP_MAP", "pfc_to_queue_map": "MAP_PFC_PRIORITY_TO_QUEUE"}
    maps |= {"pfc_to_pg_map": "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"}
    maps |= {"scheduler": "SCHEDULER", "wred_profile": "WRED_PROFILE", "profile": "BUFFER_PROFILE"}
    for table in ("PORT_QOS_MAP", "QUEUE", "BUFFER_QUEUE"):
        for row in tables[table].values():
            row.update({field: f"[{maps[field]}|{row[field]}]" for field in row.keys() & maps})


def of_several_ports(tables: Tables) -> None:
    """A row for all ports instead of one for each."""
    for table in ("PORT_QOS_MAP", "QUEUE", "BUFFER_QUEUE"):
        ports: dict[tuple[str, str], list[str]] = {}
        for key, row in tables[table].items():
            port, bar, number = key.partition("|")
            ports.setdefault((bar + number, json.dumps(row)), []).append(port)
        tables[table] = {",".join(names) + end: json.loads(row) for (end, row), names in ports.items()}


@pytest.mark.parametrize(
    ("edit", "note"),
    [(in_brackets, "references with table and brackets"), (of_several_ports, "a row of several ports")],
)
def test_rows_as_old_images_have_them_set_the_same(edit: Edit, note: str, tmp_path: Path) -> None:
    found = ran(tmp_path, edit)
    assert found.found == ()
    assert [each for each in found.notes if note in each]


def test_what_differs_in_a_row_of_several_ports_is_told_with_its_line(tmp_path: Path) -> None:
    def edit(tables: Tables) -> None:
        for row in tables["PORT_QOS_MAP"].values():
            if "pfc_enable" in row:
                row["pfc_enable"] = "4"

    (first,) = [row for row in ran(tmp_path, of_several_ports, edit).found if row.change.startswith("PFC ")]
    assert first.change == "PFC 4 -> 3 on all 8 ports"
    line = (tmp_path / LEAF).read_text().splitlines()[int(first.place.rpartition(":")[2]) - 1]
    assert line.strip().startswith('"Ethernet0,Ethernet4,')


def test_an_image_that_does_not_know_brackets_has_no_such_reference(tmp_path: Path) -> None:
    def newer(tables: Tables) -> None:
        tables["VERSIONS"] = {"DATABASE": {"VERSION": "version_202411_01"}}

    assert [row for row in said(tmp_path, in_brackets, newer) if row.startswith("ECN ")]


@pytest.mark.parametrize("mode", ["split", "split-unified"])
def test_an_frr_with_files_of_its_own_is_a_note(mode: str, tmp_path: Path) -> None:
    found = ran(tmp_path, one("DEVICE_METADATA", "localhost", docker_routing_config_mode=mode))
    assert [each for each in found.notes if "FRR starts from its own files" in each]


@pytest.mark.parametrize("mode", ["separated", "unified"])
def test_an_frr_that_is_generated_from_the_database_is_as_planned(mode: str, tmp_path: Path) -> None:
    found = ran(tmp_path, one("DEVICE_METADATA", "localhost", docker_routing_config_mode=mode))
    assert found.found == ()
    assert not [each for each in found.notes if "FRR" in each]


def test_a_value_that_differs_in_a_blank_is_in_quotes(tmp_path: Path) -> None:
    edit = one("PORT_QOS_MAP", "Ethernet0", pfc_enable="3 ")
    assert said(tmp_path, edit) == ['PORT_QOS_MAP|Ethernet0 pfc_enable: "3 " -> "3"']


def test_rows_of_many_ports_are_one_line(tmp_path: Path) -> None:
    def without(tables: Tables) -> None:
        tables["BUFFER_QUEUE"] = {key: row for key, row in tables["BUFFER_QUEUE"].items() if key[-2:] != "|4"}

    rows = [row for row in said(tmp_path, without) if row.startswith("missing: BUFFER_QUEUE")]
    assert rows == [
        "missing: BUFFER_QUEUE|Ethernet[0-12/4]|4",
        "missing: BUFFER_QUEUE|Ethernet[64-76/4]|4",
    ]
    other = [one("PORT_QOS_MAP", f"Ethernet{number}", pfc_to_pg_map="X") for number in (0, 4, 8)]
    assert "PORT_QOS_MAP|Ethernet[0-8/4] pfc_to_pg_map: X -> ROCE" in said(tmp_path, *other)
    of_two = "PORT_QOS_MAP|Ethernet0 pfc_to_pg_map, PORT_QOS_MAP|Ethernet4 pfc_to_pg_map: X -> ROCE"
    assert of_two in said(tmp_path, *other[:2])


def renamed(**fields: str) -> Edit:
    """The rows of QoS under other names. ``fields``: of every scheduler and WRED profile."""

    def edit(tables: Tables) -> None:
        names = ("SCHEDULER", "WRED_PROFILE", "DSCP_TO_TC_MAP", "MAP_PFC_PRIORITY_TO_QUEUE")
        for table in names:
            tables[table] = {f"OLD_{key}": row for key, row in tables[table].items()}
        for row in tables["QUEUE"].values():
            row.update({field: f"OLD_{value}" for field, value in row.items()})
        for row in tables["PORT_QOS_MAP"].values():
            maps = row.keys() & {"dscp_to_tc_map", "pfc_to_queue_map"}
            row.update({field: f"OLD_{row[field]}" for field in maps})
        for table, key, field in (("SCHEDULER", "ROCE_Q0", "pir"), ("WRED_PROFILE", "ROCE_Q3", "ecn")):
            if field in fields:
                tables[table][f"OLD_{key}"][field] = fields[field]
        if "queue" in fields:
            tables["MAP_PFC_PRIORITY_TO_QUEUE"]["OLD_ROCE"]["3"] = fields["queue"]

    return edit


def test_rows_under_other_names_with_the_same_fields_differ_in_name_alone(tmp_path: Path) -> None:
    rows = said(tmp_path, renamed())
    assert len(rows) == 1
    assert rows[0].endswith("pfc_to_queue_map: OLD_ROCE -> ROCE")


@pytest.mark.parametrize(
    ("fields", "what", "stands"),
    [
        ({"pir": "1000"}, "not planned: SCHEDULER|OLD_ROCE_Q0 pir: 1000", '"pir": "1000"'),
        ({"ecn": "ecn_green"}, "WRED_PROFILE|OLD_ROCE_Q3 ecn: ecn_green -> ecn_all", '"ecn_green"'),
        ({"queue": "4"}, "MAP_PFC_PRIORITY_TO_QUEUE|OLD_ROCE 3: 4 -> 3", '"3": "4"'),
    ],
)
def test_fields_of_a_row_that_ports_use_under_another_name_are_compared(
    fields: dict[str, str], what: str, stands: str, tmp_path: Path
) -> None:
    places = {row.change: row.place for row in ran(tmp_path, renamed(**fields)).found}
    assert what in places
    assert stands in (tmp_path / LEAF).read_text().splitlines()[int(places[what].rpartition(":")[2]) - 1]


def test_each_of_several_rows_that_ports_use_is_compared(tmp_path: Path) -> None:
    def edit(tables: Tables) -> None:
        key = next(key for key, row in tables["QUEUE"].items() if "scheduler" in row)
        tables["SCHEDULER"]["ODD"] = {**tables["SCHEDULER"][tables["QUEUE"][key]["scheduler"]], "pir": "9"}
        tables["QUEUE"][key]["scheduler"] = "ODD"

    assert said(tmp_path, edit) == ["not planned: SCHEDULER|ODD pir: 9"]


def test_a_code_point_in_a_map_of_another_name_is_told_once(tmp_path: Path) -> None:
    def edit(tables: Tables) -> None:
        tables["DSCP_TO_TC_MAP"]["OLD_ROCE"]["27"] = "3"

    rows = [row for row in said(tmp_path, renamed(), edit) if "27" in row]
    assert rows == [
        "queues of DSCP 27: 3 -> 0 on all 8 ports",
        "priority groups of DSCP 27: 3 -> 0 on all 8 ports",
    ]


def moved(tables: Tables) -> None:
    tables["VLAN_INTERFACE"]["Vlan102|172.16.66.2/24"] = tables["VLAN_INTERFACE"].pop(
        "Vlan102|172.16.66.1/24"
    )


@pytest.mark.parametrize(
    ("edit", "what"),
    [
        (one("INTERFACE", "Ethernet64|10.1.1.1/31"), "address not planned: 10.1.1.1/31 Ethernet64"),
        (one("LOOPBACK_INTERFACE", "Loopback1|10.9.9.9/32"), "address not planned: 10.9.9.9/32 loopback"),
        (moved, "address replaced: 172.16.66.2/24 -> 172.16.66.1/24 VLAN 102"),
    ],
)
def test_an_address_that_runs_is_told_with_its_line(edit: Edit, what: str, tmp_path: Path) -> None:
    places = {row.change: row.place for row in ran(tmp_path, edit).found}
    line = (tmp_path / LEAF).read_text().splitlines()[int(places[what].rpartition(":")[2]) - 1]
    assert what.split(": ")[1].split(" ")[0] in line
