"""SONiC: the same configuration in other rows and fields than netplan writes, and what only looks the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, drift, running_files
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
    "a VLAN that is up": every("VLAN", admin_status="up"),
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
