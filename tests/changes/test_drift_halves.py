"""What runs in part, or shut down, is not said to be missing: the row names what it lacks, with its line."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drifted, drift
from netplan.changes.ran import Ran
from netplan.changes.sides import Side
from netplan.changes.switches import files_of
from netplan.nos import shipped
from tests.test_diff import running, vendors
from tests.unit.test_sonic_bgp import rendered

Tables = dict[str, dict[str, Any]]


def _no_maps(tables: Tables) -> None:
    for row in tables["BGP_NEIGHBOR_AF"].values():
        del row["route_map_in"], row["route_map_out"]


def _no_map_rows(tables: Tables) -> None:
    del tables["ROUTE_MAP"]


def _no_outward_map(tables: Tables) -> None:
    del next(iter(tables["BGP_NEIGHBOR_AF"].values()))["route_map_out"]


def _other_owner(tables: Tables) -> None:
    tables["DEVICE_METADATA"]["localhost"]["frr_mgmt_framework_config"] = "true"


def _shut(tables: Tables) -> None:
    next(iter(tables["BGP_NEIGHBOR"].values()))["admin_status"] = "down"


def _no_neighbour(tables: Tables) -> None:
    del tables["BGP_NEIGHBOR"]["172.31.0.1"]


def _no_asn(tables: Tables) -> None:
    del tables["DEVICE_METADATA"]["localhost"]["bgp_asn"]


def _watchdog(tables: Tables) -> None:
    for row in tables["PORT_QOS_MAP"].values():
        row.pop("pfcwd_sw_enable", None)


@pytest.mark.parametrize(
    ("mode", "edit", "said", "stands"),
    [
        ("frrcfgd", _no_maps, "BGP neighbour incomplete: 172.31.0.1 (it is there, but without "
         "BGP_NEIGHBOR_AF route_map_in, route_map_out)", '"asn": '),
        ("frrcfgd", _no_outward_map, "BGP neighbour incomplete: 172.31.0.1 (it is there, but without "
         "BGP_NEIGHBOR_AF route_map_out)", '"asn": '),
        ("frrcfgd", _no_map_rows, "BGP neighbour incomplete: 172.31.0.1 (it is there, but without "
         "ROUTE_MAP route_operation = permit, route_operation = permit)", '"asn": '),
        ("bgpcfgd", _other_owner, "BGP neighbour incomplete: 172.31.0.1 (it is there, but not read "
         "because of DEVICE_METADATA frr_mgmt_framework_config = true)", '"asn": '),
        ("bgpcfgd", _other_owner, "AS number not stated -> 4200000100 (it is there, but not read because of "
         "DEVICE_METADATA frr_mgmt_framework_config = true)", '"bgp_asn": '),
        ("bgpcfgd", _shut, "BGP neighbour shut down: 172.31.0.1", '"admin_status": "down"'),
        ("bgpcfgd", _no_neighbour, "BGP neighbour missing: 172.31.0.1", ""),
        ("bgpcfgd", _no_asn, "not announced: 172.31.255.1/32 (it is there, but without "
         "DEVICE_METADATA bgp_asn)", '"Loopback0|172.31.255.1/32"'),
        ("bgpcfgd", _watchdog, "PFC watchdog none, detection 200 ms, restoration 2000 ms -> 3, detection "
         "200 ms, restoration 2000 ms (it is there, but without PORT_QOS_MAP pfcwd_sw_enable) "
         "on all 16 ports",
         '"detection_time": '),
    ],
)  # fmt: skip
def test_sonic(mode: str, edit: Callable[[Tables], None], said: str, stands: str) -> None:
    """``stands``: begins or ends the line that the row names; empty for the file alone."""
    result = rendered(mode)
    side = Side("x", {a.path: a.text for a in result.artifacts}, result.document)
    tables = json.loads(running("sonic", files_of(side, "leaf-1")))
    edit(tables)
    text = json.dumps(tables, indent=2)
    assert_told(side, "leaf-1", text, said, stands)


@pytest.mark.parametrize(
    ("leaf", "old", "said", "stands"),
    [
        ("leaf-4", "   no switchport\n", "but without no switchport)", "ip address "),
        ("leaf-4", "   switchport mode trunk\n", "but without switchport mode trunk)", "allowed vlan"),
    ],
)  # fmt: skip
def test_commands(leaf: str, old: str, said: str, stands: str) -> None:
    """Of EOS, where one line without the other does nothing."""
    text = running("arista-eos", files_of(vendors(), leaf)).replace(old, "")
    mine = [each for each in found(vendors(), leaf, text) if said in each.change]
    assert mine, found(vendors(), leaf, text)
    assert all(stands in _line(text, each) for each in mine)


def found(side: Side, name: str, text: str) -> tuple[Drifted, ...]:
    return drift(side, facts_of(side), {name: Ran("dump", text)}, shipped()).found


def assert_told(side: Side, name: str, text: str, said: str, stands: str) -> None:
    rows: Mapping[str, Drifted] = {each.change: each for each in found(side, name, text)}
    assert said in rows, "\n".join(rows)
    if stands:
        assert stands in _line(text, rows[said])
    else:
        assert rows[said].place == "dump"


def _line(text: str, row: Drifted) -> str:
    return text.splitlines()[int(row.place.rpartition(":")[2]) - 1]
