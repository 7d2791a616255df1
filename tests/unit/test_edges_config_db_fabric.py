"""Edge cases, one fact per case: what config_db rules find between the switches of a small fabric."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts, unlinked
from tests.unit.test_edges_config_db import azure

Changes = dict[str, dict[str, Any] | None]
"""Switch -> what changes in its file; None: its file is not given."""


def between(code: str, changes: Changes) -> list[str]:
    files = {name.removesuffix(".json"): data for name, data in small().items()}
    for number in (3, 4, 5):
        if f"leaf-{number}" in changes:
            files[f"leaf-{number}"] = unlinked(f"leaf-{number}", number)
    given = {f"{name}.json": merged(data, changes.get(name, {})) for name, data in files.items()}
    given = {name: data for name, data in given.items() if data is not None}
    found = [each for each in judge_texts(texts(given)).diagnostics if each.code == code]
    said = [f"{str(d.source).partition('.json')[0]} {'.'.join(map(str, d.path))}: {d.message}" for d in found]
    return [re.sub(r"json:\d+:\d+", "json", text) for text in said]


LOSSY_26 = azure("DSCP_TO_TC_MAP", _26="1")
"""DSCP 26 is no longer lossless."""
OTHER_26 = azure("DSCP_TO_TC_MAP", _26="4")
NINE = {"DSCP_TO_TC_MAP": {"AZURE": {str(dscp): "3" for dscp in range(35, 44)}}}

ALONE: Changes = {"leaf-1": None, "leaf-2": None, "spine-1": None}


def port(name: str = "Ethernet20", **fields: str | None) -> dict[str, Any]:
    return {"PORT": {name: fields}}


def qos(*names: str, **fields: str | None) -> dict[str, Any]:
    return {"PORT_QOS_MAP": dict.fromkeys(names or ["Ethernet20"], fields)}


def local(**fields: str | None) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": fields}}


def neighbour(**fields: str | None) -> dict[str, Any]:
    return {"DEVICE_NEIGHBOR": {"Ethernet20": fields}}


@pytest.mark.parametrize(
    ("code", "changes", "told"),
    [
        ("NP898", {}, []),
        (
            "NP898",
            {"leaf-1": LOSSY_26},
            [
                (
                    "leaf-1 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at leaf-1 Ethernet20, lossless by "
                    "PFC priority 3 at spine-1 Ethernet0 (spine-1.json)"
                )
            ],
        ),
        (
            "NP898",
            {"spine-1": LOSSY_26},
            [
                (
                    "spine-1 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at spine-1 Ethernet0, lossless by PFC "
                    "priority 3 at leaf-1 Ethernet20 (leaf-1.json), and 1 more map differs from it so"
                )
            ],
        ),
        (
            "NP898",
            {"leaf-1": OTHER_26},
            [
                (
                    "leaf-1 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossless by PFC priority 4 at leaf-1 "
                    "Ethernet20, lossless by PFC priority 3 at spine-1 Ethernet0 (spine-1.json)"
                )
            ],
        ),
        (
            "NP898",
            {"leaf-1": NINE},
            [
                (
                    "leaf-1 DSCP_TO_TC_MAP.AZURE.35: DSCP 35, 36, 37, 38, 39, 40, 41, 42 and 1 more: "
                    "lossless by PFC priority 3 at leaf-1 Ethernet20, lossy at spine-1 Ethernet0 "
                    "(spine-1.json)"
                )
            ],
        ),
        ("NP898", {"leaf-1": LOSSY_26 | qos("Ethernet20", "Ethernet24", pfc_enable="3")}, []),
        ("NP898", {"leaf-1": LOSSY_26 | qos("Ethernet20", "Ethernet24", tc_to_pg_map=None)}, []),
        (
            "NP898",
            {"leaf-3": LOSSY_26},
            [
                (
                    "leaf-3 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at leaf-3, lossless by PFC priority "
                    "3 at leaf-1 (leaf-1.json)"
                )
            ],
        ),
        (
            "NP898",
            {"leaf-3": LOSSY_26, "spine-1": None, "leaf-1": None},
            [
                (
                    "leaf-3 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at leaf-3, lossless by PFC priority "
                    "3 at leaf-2 (leaf-2.json)"
                )
            ],
        ),
        (
            "NP898",
            {"leaf-3": LOSSY_26, "leaf-4": {}, "leaf-5": {}, **ALONE},
            [
                (
                    "leaf-3 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at leaf-3, lossless by PFC priority "
                    "3 at leaf-4 (leaf-4.json)"
                )
            ],
        ),
        ("NP898", {"leaf-3": LOSSY_26, **ALONE}, []),
        (
            "NP898",
            {"leaf-3": LOSSY_26, "leaf-4": LOSSY_26, "leaf-5": {}, **ALONE},
            [
                (
                    "leaf-5 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossless by PFC priority 3 at leaf-5, "
                    "lossy at leaf-3 (leaf-3.json)"
                )
            ],
        ),
        ("NP898", {"leaf-3": LOSSY_26 | qos("Ethernet0", pfc_enable="3")}, []),
        (
            "NP898",
            {"leaf-3": LOSSY_26 | qos("Ethernet0", tc_to_pg_map=None)},
            [
                (
                    "leaf-3 DSCP_TO_TC_MAP.AZURE.26: DSCP 26: lossy at leaf-3, lossless by PFC priority "
                    "3 at leaf-1 (leaf-1.json)"
                )
            ],
        ),
        ("NP898", {"leaf-3": LOSSY_26 | qos(*[f"Ethernet{4 * n}" for n in range(7)], tc_to_pg_map=None)}, []),
    ],
)
def test_a_dscp_is_lossless_on_the_whole_path(code: str, changes: Changes, told: list[str]) -> None:
    """A switch without a link to the others is compared with most of them."""
    assert between(code, changes) == told


@pytest.mark.parametrize(
    ("code", "changes", "told"),
    [
        ("NP896", {}, []),
        (
            "NP896",
            {"leaf-1": qos(pfc_enable="3")},
            [
                (
                    "leaf-1 PORT_QOS_MAP.Ethernet20.pfc_enable: leaf-1 Ethernet20 has PFC on for "
                    "priority 3, spine-1 Ethernet0 at spine-1.json for priority 3,4"
                )
            ],
        ),
        (
            "NP896",
            {"leaf-1": qos("Ethernet20", "Ethernet24", pfc_enable="3")},
            [
                (
                    "leaf-1 PORT_QOS_MAP.Ethernet20.pfc_enable: leaf-1 Ethernet20 has PFC on for "
                    "priority 3, spine-1 Ethernet0 at spine-1.json for priority 3,4 (and 1 more link of "
                    "these two)"
                )
            ],
        ),
        (
            "NP896",
            {"leaf-1": qos("Ethernet20", "Ethernet24", pfc_enable=None)},
            [
                (
                    "leaf-1 PORT_QOS_MAP.Ethernet20: leaf-1 Ethernet20 has PFC on for no priority, "
                    "spine-1 Ethernet0 at spine-1.json for priority 3,4 (and 1 more link of these two)"
                )
            ],
        ),
        (
            "NP896",
            {"leaf-1": {"PORT_QOS_MAP": {"Ethernet20": None}}},
            [
                (
                    "leaf-1 PORT.Ethernet20: leaf-1 Ethernet20 has PFC on for no priority, spine-1 "
                    "Ethernet0 at spine-1.json for priority 3,4"
                )
            ],
        ),
        (
            "NP896",
            {"leaf-1": {"PORT_QOS_MAP": None}},
            [
                (
                    "leaf-1 PORT.Ethernet20: leaf-1 Ethernet20 has PFC on for no priority, spine-1 "
                    "Ethernet0 at spine-1.json for priority 3,4 (and 1 more link of these two)"
                )
            ],
        ),
        (
            "NP896",
            {"spine-1": qos("Ethernet0", pfc_enable="4")},
            [
                (
                    "leaf-1 PORT_QOS_MAP.Ethernet20.pfc_enable: leaf-1 Ethernet20 has PFC on for "
                    "priority 3,4, spine-1 Ethernet0 at spine-1.json for priority 4"
                )
            ],
        ),
        (
            "NP896",
            {"spine-1": qos("Ethernet0", "Ethernet4", "Ethernet8", pfc_enable="3")},
            [
                (
                    "leaf-1 PORT_QOS_MAP.Ethernet20.pfc_enable: leaf-1 Ethernet20 has PFC on for "
                    "priority 3,4, spine-1 Ethernet0 at spine-1.json for priority 3 (and 1 more link of "
                    "these two)"
                ),
                (
                    "leaf-2 PORT_QOS_MAP.Ethernet20.pfc_enable: leaf-2 Ethernet20 has PFC on for "
                    "priority 3,4, spine-1 Ethernet8 at spine-1.json for priority 3"
                ),
            ],
        ),
        ("NP897", {}, []),
        (
            "NP897",
            {"leaf-1": port(mtu=None)},
            [
                (
                    "leaf-1 PORT.Ethernet20: mtu of leaf-1 Ethernet20 is 9100, of spine-1 Ethernet0 at "
                    "spine-1.json 9216"
                )
            ],
        ),
        (
            "NP897",
            {"leaf-1": port(mtu="9100")},
            [
                (
                    "leaf-1 PORT.Ethernet20.mtu: mtu of leaf-1 Ethernet20 is 9100, of spine-1 Ethernet0 "
                    "at spine-1.json 9216"
                )
            ],
        ),
        (
            "NP897",
            {"leaf-1": {"PORT": {"Ethernet20": {"mtu": "9100"}, "Ethernet24": {"mtu": "9100"}}}},
            [
                (
                    "leaf-1 PORT.Ethernet20.mtu: mtu of leaf-1 Ethernet20 is 9100, of spine-1 Ethernet0 "
                    "at spine-1.json 9216 (and 1 more link of these two)"
                )
            ],
        ),
        (
            "NP897",
            {"leaf-1": port(speed="40000", fec="none")},
            [
                (
                    "leaf-1 PORT.Ethernet20.speed: speed of leaf-1 Ethernet20 is 40000, of spine-1 "
                    "Ethernet0 at spine-1.json 100000"
                ),
                (
                    "leaf-1 PORT.Ethernet20.fec: fec of leaf-1 Ethernet20 is none, of spine-1 Ethernet0 "
                    "at spine-1.json rs"
                ),
            ],
        ),
        ("NP897", {"leaf-1": port(fec="auto")}, []),
        ("NP897", {"leaf-1": port(fec=None, speed=None)}, []),
        (
            "NP897",
            {"spine-1": port("Ethernet0", fec="fc")},
            [
                (
                    "leaf-1 PORT.Ethernet20.fec: fec of leaf-1 Ethernet20 is rs, of spine-1 Ethernet0 at "
                    "spine-1.json fc"
                )
            ],
        ),
        (
            "NP897",
            {
                "leaf-1": {
                    "PORTCHANNEL": {"PortChannel1": {"mtu": "9100"}},
                    "PORTCHANNEL_MEMBER": {"PortChannel1|Ethernet20": {}},
                }
            },
            [
                (
                    "leaf-1 PORT.Ethernet20.mtu: mtu of leaf-1 Ethernet20 is 9100, of spine-1 Ethernet0 "
                    "at spine-1.json 9216"
                )
            ],
        ),
        ("NP868", {}, []),
        (
            "NP868",
            {"leaf-1": port(admin_status="down")},
            [
                (
                    "leaf-1 PORT.Ethernet20.admin_status: leaf-1 Ethernet20 is down, on the link leaf-1 "
                    "Ethernet20 to spine-1 Ethernet0"
                )
            ],
        ),
        (
            "NP868",
            {"leaf-1": port(admin_status=None)},
            [
                (
                    "leaf-1 PORT.Ethernet20: leaf-1 Ethernet20 has no admin_status, which means down, on "
                    "the link leaf-1 Ethernet20 to spine-1 Ethernet0"
                )
            ],
        ),
        (
            "NP868",
            {"leaf-1": port(admin_status="down"), "spine-1": port("Ethernet0", admin_status="down")},
            [
                (
                    "leaf-1 PORT.Ethernet20.admin_status: leaf-1 Ethernet20 is down and spine-1 "
                    "Ethernet0 is down, on the link leaf-1 Ethernet20 to spine-1 Ethernet0"
                )
            ],
        ),
        (
            "NP868",
            {
                "leaf-1": {
                    "PORT": {"Ethernet20": {"admin_status": "down"}, "Ethernet24": {"admin_status": "down"}}
                }
            },
            [
                (
                    "leaf-1 PORT.Ethernet20.admin_status: leaf-1 Ethernet20 is down, on the link leaf-1 "
                    "Ethernet20 to spine-1 Ethernet0, and 1 more link of these two is"
                )
            ],
        ),
        (
            "NP868",
            {"spine-1": port("Ethernet0", admin_status=None)},
            [
                (
                    "spine-1 PORT.Ethernet0: spine-1 Ethernet0 has no admin_status, which means down, on "
                    "the link leaf-1 Ethernet20 to spine-1 Ethernet0"
                )
            ],
        ),
    ],
)
def test_both_ends_of_a_link_agree(code: str, changes: Changes, told: list[str]) -> None:
    assert between(code, changes) == told
