"""Cables between switches whose other end two sources state differently: one entry of ``links``, with TODO at
what is open and the place of each statement."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import import_texts
from netplan.pipeline import compile_texts
from tests.inventories import text_of
from tests.test_import import data

Row = dict[str, object]
ASKED = "sources disagree: "


def config(name: str, neighbours: dict[str, str]) -> str:
    """A config_db with recorded neighbours: port -> ``switch port``."""
    rows = {port: dict(zip(("name", "port"), far.split(), strict=True)) for port, far in neighbours.items()}
    ports = {f"Ethernet{4 * n}": {"lanes": f"{4 * n}", "speed": "100000"} for n in range(4)}
    local = {"hostname": name, "hwsku": "ACS-MSN2700"}
    tables = {"DEVICE_METADATA": {"localhost": local}, "PORT": ports, "DEVICE_NEIGHBOR": rows}
    return json.dumps(tables, indent=1)


def links(**neighbours: dict[str, str]) -> tuple[list[Row], list[str]]:
    """Entries, and the comments behind them. ``neighbours``: switch -> its records."""
    texts = {f"{name}.json": config(name.replace("_", "-"), rows) for name, rows in neighbours.items()}
    result = import_texts(texts, "site")
    entries = [line for line in result.text.splitlines() if line.startswith("  - {switches: ")]
    rows: list[Row] = data(result)["links"]
    assert len(rows) == len(entries)
    return rows, [line.partition(" # ")[2] for line in entries]


UP = {"leaf_2": {"Ethernet0": "spine-1 Ethernet12"}}


def test_the_port_at_the_far_end_is_open() -> None:
    rows, comments = links(
        leaf_1={"Ethernet0": "spine-1 Ethernet0"}, spine_1={"Ethernet8": "leaf-1 Ethernet0"}, **UP
    )
    assert rows[1] == {
        "switches": "leaf-1",
        "ports": "Ethernet0",
        "to": "spine-1",
        "to_ports": "TODO",
        "speed_gbps": 100,
        "cable_m": "TODO",
    }
    assert comments[1].startswith(f"TODO: to_ports, as {ASKED}spine-1 Ethernet0 (leaf_1.json:")
    assert " or spine-1 Ethernet8 (spine_1.json:" in comments[1]
    assert comments[1].endswith("; TODO: cable_m, the length of the cable")
    assert len(rows) == 2


def test_the_switch_at_the_far_end_is_open() -> None:
    rows, comments = links(
        leaf_1={"Ethernet0": "spine-1 Ethernet0"}, spine_2={"Ethernet0": "leaf-1 Ethernet0"}, spine_1={}
    )
    assert [(row["switches"], row["ports"], row["to"], row["to_ports"]) for row in rows] == [
        ("leaf-1", "Ethernet0", "TODO", "TODO")
    ]
    assert comments[0].startswith(f"TODO: to, to_ports, as {ASKED}spine-1 Ethernet0 (")


def test_two_ports_claim_one() -> None:
    rows, comments = links(
        leaf_1={"Ethernet0": "spine-1 Ethernet0", "Ethernet4": "spine-1 Ethernet0"}, spine_1={}
    )
    ends = ("leaf-1", "TODO", "spine-1", "Ethernet0")
    assert [(row["switches"], row["ports"], row["to"], row["to_ports"]) for row in rows] == [ends]
    assert comments[0].startswith(f"TODO: ports, as {ASKED}leaf-1 Ethernet0 (leaf_1.json:")


def test_crossed_cables_are_one_entry_for_each_lower_port() -> None:
    rows, _ = links(
        leaf_1={"Ethernet0": "spine-1 Ethernet0", "Ethernet4": "spine-1 Ethernet4"},
        spine_1={"Ethernet0": "leaf-1 Ethernet4", "Ethernet4": "leaf-1 Ethernet0"},
    )
    assert [(row["ports"], row["to"], row["to_ports"]) for row in rows] == [
        ("Ethernet0", "spine-1", "TODO"),
        ("Ethernet4", "spine-1", "TODO"),
    ]


def test_ends_that_agree_are_no_question() -> None:
    rows, comments = links(
        leaf_1={"Ethernet0": "spine-1 Ethernet0"}, spine_1={"Ethernet0": "leaf-1 Ethernet0"}
    )
    assert [row["to_ports"] for row in rows] == ["Ethernet0"]
    assert ASKED not in comments[0]


@pytest.mark.parametrize(
    ("entry", "code"),
    [("to: spine-1, to_ports: TODO", "NP823"), ("to: TODO, to_ports: Ethernet0", "NP014")],
)
def test_validate_refuses_what_is_open(entry: str, code: str) -> None:
    link = f"  - {{switches: leaf-1, ports: Ethernet256, {entry}, speed_gbps: 100, cable_m: 40}}\n"
    found = compile_texts({"site.yaml": text_of("iei-rocev2").replace("links:\n", f"links:\n{link}")})
    assert [d.code for d in found.diagnostics if "TODO" in d.message and d.code in (code,)] == [code]
