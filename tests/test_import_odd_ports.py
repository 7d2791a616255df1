"""Ports with other classes than most ports of their switch are told: netplan writes the same to all."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.inventories import compiled, outputs
from tests.test_import_rewritten_lines import JUNOS, NXOS, running
from tests.test_import_splits import cabled

Tables = dict[str, Any]
WHY = "differs from most ports with classes; netplan writes one setting for all RDMA ports"


def told(text: str, port: str, file: str = "leaf-1.cfg") -> list[str]:
    """Of a switch whose ``port`` has a cable."""
    return [each.text for each in cabled(text, port, file=file).remarks if "most ports with" in each.text]


@pytest.mark.parametrize(
    ("nos", "port", "old", "new", "words"),
    [
        (NXOS, "Ethernet1/1", "  priority-flow-control watch-dog-interval on\n", "", "PFC watchdog"),
        (NXOS, "Ethernet1/1", "  priority-flow-control mode on\n", "", "PFC"),
        (NXOS, "Ethernet1/1", "  service-policy type qos input NETPLAN-CLASSIFY\n", "",
         "queues of DSCP, trust"),
        (NXOS, "Ethernet1/1", "  mtu 9100\n", "  mtu 9000\n", ""),
        (JUNOS, "et-0/0/1", "interfaces et-0/0/1 scheduler-map netplan\n", "interfaces et-0/0/1 x y\n",
         "scheduling, ECN"),
    ],
)  # fmt: skip
def test_a_port_with_other_lines(nos: str, port: str, old: str, new: str, words: str) -> None:
    head, _, rest = running(nos).rpartition(f"interface {port}\n") if nos == NXOS else ("", "", running(nos))
    text = head + (f"interface {port}\n" if head else "") + rest.replace(old, new, 1)
    text = text.replace("hostname leaf-5", "hostname leaf-1").replace("host-name leaf-6", "host-name leaf-1")
    found = told(text, port)
    assert [line.startswith(f"{words} of leaf-1 {port} ") for line in found] == [True] * bool(words)
    assert all(line.endswith(WHY) for line in found)


def without_watchdog(tables: Tables, port: str) -> None:
    del tables["PFC_WD"][port]


def without_marking(tables: Tables, port: str) -> None:
    del tables["QUEUE"][f"{port}|3"]["wred_profile"]


def without_scheduler(tables: Tables, port: str) -> None:
    del tables["QUEUE"][f"{port}|6"]


def without_classes(tables: Tables, port: str) -> None:
    for table in ("PORT_QOS_MAP", "PFC_WD", "QUEUE"):
        tables[table] = {key: row for key, row in tables[table].items() if key.split("|")[0] != port}


def as_it_is(tables: Tables, port: str) -> None:
    pass


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (without_watchdog, "PFC watchdog"),
        (without_marking, "ECN"),
        (without_scheduler, "scheduling"),
        (without_classes, "PFC, queues of DSCP, "),
        (as_it_is, ""),
    ],
)
def test_a_port_of_sonic_with_other_rows(change: Callable[[Tables, str], None], words: str) -> None:
    tree, tables = outputs(compiled("iei-rocev2")), dict[str, Any]()
    for file in ("interfaces.json", "roce.json"):
        for table, rows in json.loads(tree[f"switches/leaf-1/{file}"]).items():
            for key, row in rows.items():
                tables.setdefault(table, {}).setdefault(key, {}).update(row)
    tables["DEVICE_METADATA"]["localhost"] |= {"hostname": "leaf-1", "hwsku": "ACS-MSN2700"}
    change(tables, "Ethernet4")
    text = json.dumps(tables, indent=1)
    found = told(text, "Ethernet4", "leaf-1.json")
    assert [line.startswith(words) for line in found] == [True] * bool(words)
    assert all(" of leaf-1 Ethernet4 " in line for line in found)
    assert told(text, "Ethernet8", "leaf-1.json") == []  # that of another port
