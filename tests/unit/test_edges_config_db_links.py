"""Edge cases, one fact per case: which ports of given switches are linked, and what was not compared."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts, unlinked
from tests.unit.test_edges_config_db_fabric import ALONE, Changes, neighbour, port

PART: dict[str, Any] = {"DEVICE_METADATA": {"localhost": {"hostname": "spine-1"}}}
"""Of the spine: no ports and no QoS."""
NO_NEIGHBOURS = {"DEVICE_NEIGHBOR": None}
NO_SUBNETS = {"INTERFACE": None}


def given(changes: Changes, **parts: dict[str, Any]) -> dict[str, str]:
    """The fabric after changes, and parts of a config_db in place of a switch: ``spine_1``."""
    files = {name.removesuffix(".json"): data for name, data in small().items()}
    files |= {name: unlinked(name, int(name[-1])) for name in changes if name in ("leaf-3", "leaf-4")}
    found = {name: merged(data, changes.get(name, {})) for name, data in files.items()}
    found |= {name.replace("_", "-"): data for name, data in parts.items()}
    return texts({f"{name}.json": data for name, data in found.items() if data is not None})


def compared(changes: Changes, **parts: dict[str, Any]) -> list[Any]:
    """The number of links, of those with PFC and with states compared, and what was not compared."""
    judged = judge_texts(given(changes, **parts))
    links = [judged.checked[code] for code in ("NP897", "NP896", "NP868")]
    return [*links, *judged.skipped]


def linked(*ports: str, vrf: str = "") -> dict[str, Any]:
    """Addresses of a switch, as PORT|PREFIX."""
    rows: dict[str, Any] = {key: {} for key in ports}
    for key in ports:
        rows[key.partition("|")[0]] = {"vrf_name": vrf} if vrf else {}
    return {"INTERFACE": rows}


@pytest.mark.parametrize(
    ("changes", "parts", "found"),
    [
        (
            {},
            {},
            [
                4,
                4,
                4,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        ({"leaf-1": NO_NEIGHBOURS, "leaf-2": NO_NEIGHBOURS, "spine-1": NO_NEIGHBOURS}, {}, [4, 4, 4]),
        (
            {
                "leaf-1": NO_NEIGHBOURS | NO_SUBNETS,
                "leaf-2": NO_NEIGHBOURS | NO_SUBNETS,
                "spine-1": NO_NEIGHBOURS | NO_SUBNETS,
            },
            {},
            [
                0,
                0,
                0,
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        ({"leaf-1": NO_NEIGHBOURS | NO_SUBNETS, "leaf-2": None, "spine-1": None}, {}, [0, 0, 0]),
        (
            {"leaf-1": NO_SUBNETS, "leaf-2": NO_SUBNETS, "spine-1": NO_SUBNETS},
            {},
            [
                4,
                4,
                4,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {"leaf-1": NO_SUBNETS | NO_NEIGHBOURS, "leaf-2": NO_SUBNETS, "spine-1": NO_SUBNETS},
            {},
            [
                4,
                4,
                4,
                (
                    "5 links lead to switches or hosts not given (gpu-200, gpu-201, gpu-202 and 2 more), "
                    "not compared"
                ),
            ],
        ),
        (
            {"spine-1": None},
            {},
            [
                0,
                0,
                0,
                (
                    "14 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 8 "
                    "more), not compared"
                ),
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"spine-1": None, "leaf-2": None},
            {},
            [
                0,
                0,
                0,
                (
                    "7 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 3 more), "
                    "not compared"
                ),
            ],
        ),
        (
            {"leaf-1": neighbour(name="gone")},
            {},
            [
                4,
                4,
                4,
                (
                    "11 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 8 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {"leaf-1": neighbour(name=None)},
            {},
            [
                4,
                4,
                4,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {
                "leaf-1": neighbour(port="etp1") | NO_SUBNETS,
                "spine-1": NO_SUBNETS | NO_NEIGHBOURS,
                "leaf-2": NO_SUBNETS,
            },
            {},
            [
                4,
                4,
                4,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {
                "leaf-1": neighbour(port="etp99") | NO_SUBNETS,
                "spine-1": NO_SUBNETS | NO_NEIGHBOURS,
                "leaf-2": NO_SUBNETS,
            },
            {},
            [
                3,
                3,
                3,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {"leaf-1": NO_SUBNETS, "leaf-2": None},
            {"spine_1": PART},
            [
                2,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                (
                    "5 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 2 more), "
                    "not compared"
                ),
                "PFC of 2 links not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None},
            {"spine_1": PART | linked("Ethernet0|10.128.0.0/31", "Ethernet4|10.128.0.2/31")},
            [
                2,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                (
                    "5 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 2 more), "
                    "not compared"
                ),
                "PFC of 2 links not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None},
            {"spine_1": PART | {"PORT_QOS_MAP": {}}},
            [
                2,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                (
                    "5 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 2 more), "
                    "not compared"
                ),
                "PFC of 2 links not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS},
            {"spine_1": PART | linked("Ethernet0|10.128.0.0/31")},
            [
                1,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "PFC of 1 link not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS},
            {"spine_1": PART | linked("Ethernet0|10.128.0.0/31", vrf="Vrf1")},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|10.128.0.1/30")},
            {"spine_1": PART | linked("Ethernet0|10.128.0.2/30")},
            [
                1,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "PFC of 1 link not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|10.128.0.1/29")},
            {"spine_1": PART | linked("Ethernet0|10.128.0.2/29")},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|10.128.0.1/32")},
            {"spine_1": PART | linked("Ethernet0|10.128.0.1/32")},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|fd00::1/127")},
            {"spine_1": PART | linked("Ethernet0|fd00::/127")},
            [
                1,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "PFC of 1 link not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|fd00::1/126")},
            {"spine_1": PART | linked("Ethernet0|fd00::2/126")},
            [
                1,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "PFC of 1 link not compared: one end's files do not state it",
            ],
        ),
        (
            {"leaf-2": None, "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|fd00::1/125")},
            {"spine_1": PART | linked("Ethernet0|fd00::2/125")},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {
                "leaf-2": None,
                "leaf-1": NO_NEIGHBOURS | linked("Ethernet20|10.9.0.0/31", "Ethernet24|10.9.0.1/31"),
            },
            {"spine_1": PART},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"leaf-2": NO_NEIGHBOURS | linked("Ethernet20|10.128.0.1/31"), "leaf-1": NO_NEIGHBOURS},
            {"spine_1": PART | linked("Ethernet0|10.128.0.0/31")},
            [
                0,
                0,
                0,
                "spine-1: only part of a config_db, values it does not state were not checked",
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        (
            {"leaf-1": port(admin_status=None)},
            {},
            [
                4,
                4,
                4,
                (
                    "10 links lead to switches or hosts not given (gpu-100, gpu-101, gpu-102 and 7 "
                    "more), not compared"
                ),
            ],
        ),
        (
            {"leaf-3": {}, "leaf-4": {}, **ALONE},
            {},
            [
                0,
                0,
                0,
                "no link between the switches given, nothing compared: no DEVICE_NEIGHBOR, no shared /31",
            ],
        ),
        ({"leaf-3": {}, **ALONE}, {}, [0, 0, 0]),
    ],
)
def test_links_are_those_of_neighbour_tables_and_of_shared_subnets(
    changes: Changes, parts: dict[str, Any], found: list[Any]
) -> None:
    assert compared(changes, **parts) == found
