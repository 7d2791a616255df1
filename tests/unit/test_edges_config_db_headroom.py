"""Edge cases, one fact per case: headroom of lossless groups in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from tests.sonic_corpus import texts
from tests.unit.test_edges_config_db import ONE_LESS, Told, check

SHORT = "pg_lossless_100000_5m_profile"
DYNAMIC = {"DEVICE_METADATA": {"localhost": {"buffer_model": "dynamic"}}}


def profile(**fields: str | None) -> dict[str, Any]:
    return {"BUFFER_PROFILE": {SHORT: fields}}


def group(*ports: str, profile: str | None = None) -> dict[str, Any]:
    row = None if profile is None else {"profile": profile}
    return {"BUFFER_PG": {f"{port}|3-4": row for port in ports}}


def cable(port: str = "Ethernet0", length: str | None = None) -> dict[str, Any]:
    return {"CABLE_LENGTH": {"AZURE": {port: length}}}


LOSSY = f"but profile {SHORT} of its priority group has no xoff: it is lossy"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        (
            profile(xoff="0"),
            [
                (
                    "BUFFER_PG.Ethernet0|3-4.profile",
                    f"for priority 3, 4 of Ethernet0, Ethernet4, Ethernet8 and 2 more, {LOSSY}",
                )
            ],
        ),
        (
            profile(xoff=None) | ONE_LESS,
            [
                ("BUFFER_PG.Ethernet0|3-4.profile", f"for priority 3 of Ethernet0, {LOSSY}"),
                ("BUFFER_PG.Ethernet4|3-4.profile", "for priority 3, 4 of Ethernet4, Ethernet8, Ethernet12"),
            ],
        ),
        (group("Ethernet0"), []),
        (
            group("Ethernet0") | DYNAMIC,
            [
                (
                    "PORT_QOS_MAP.Ethernet0.pfc_enable",
                    "for priority 3, 4 of Ethernet0, but the dynamic buffer model needs a BUFFER_PG row",
                )
            ],
        ),
        (
            group("Ethernet0", "Ethernet4", profile="NULL"),
            [
                (
                    "BUFFER_PG.Ethernet0|3-4.profile",
                    "for priority 3, 4 of Ethernet0, Ethernet4, but its priority group has profile NULL",
                )
            ],
        ),
        (group("Ethernet0", profile="NULL") | DYNAMIC, []),
        (profile(xoff="0", headroom_type="dynamic"), []),
    ],
)
def test_a_priority_with_pfc_has_headroom(change: dict[str, Any], said: Told) -> None:
    check("NP883", change, said)


@pytest.mark.parametrize(
    ("row", "more", "said"),
    [
        ({"profile": "NULL"}, {}, []),
        (
            {"profile": "NULL"},
            {"DEVICE_METADATA": {"localhost": {"buffer_model": "traditional"}}},
            ["PFC is on for priority 3, 4 of Ethernet0, but its priority group has profile NULL"],
        ),
        ({"profile": "NULL"}, DYNAMIC, []),
        ({"profile": "gone"}, {"BUFFER_PROFILE": {}}, []),
        ({"profile": "p"}, {"BUFFER_PROFILE": {"p": {"xoff": "9"}}}, []),
        (
            {"profile": "p"},
            {"BUFFER_PROFILE": {"p": {}}},
            ["PFC is on for priority 3, 4 of Ethernet0, but profile p of its priority group has no xoff"],
        ),
    ],
)
def test_a_part_without_its_buffer_model_may_use_either(
    row: dict[str, str], more: dict[str, Any], said: list[str]
) -> None:
    part = {"PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}}, "BUFFER_PG": {"Ethernet0|3-4": row}, **more}
    found = [d.message for d in judge_texts(texts({"part.json": part})).diagnostics if d.code == "NP883"]
    assert len(found) == len(said), found
    assert all(text.startswith(start) for text, start in zip(found, said, strict=True))


MADE = group("Ethernet0", "Ethernet4")
"""buffermgrd makes the profiles of these two."""
NO_CABLE = "PORT_QOS_MAP.Ethernet0.pfc_enable"
ASKED = group("Ethernet0", profile="NULL") | DYNAMIC


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (MADE, []),
        (
            MADE | cable(),
            [("PORT_QOS_MAP.Ethernet0.pfc_enable", "Ethernet0 has PFC on, but CABLE_LENGTH has")],
        ),
        (
            MADE | {"CABLE_LENGTH": {"AZURE": {"Ethernet0": None, "Ethernet4": None}}},
            [(NO_CABLE, "Ethernet0, Ethernet4 have PFC on, but CABLE_LENGTH has no entry")],
        ),
        (MADE | cable(length="0m"), [("CABLE_LENGTH.AZURE.Ethernet0", "but CABLE_LENGTH is 0m")]),
        (
            MADE | cable(length="50m"),
            [("CABLE_LENGTH.AZURE.Ethernet0", "of ACS-MSN2700 has 5, 40, 300 m only")],
        ),
        (MADE | cable(length="long"), []),
        (
            MADE | {"PORT": {"Ethernet0": {"speed": "7000"}}},
            [("CABLE_LENGTH.AZURE.Ethernet0", "the lossless table of ACS-MSN2700 has no row at 7 Gb/s")],
        ),
        (MADE | cable(length="50m") | {"PORT": {"Ethernet0": {"speed": None}}}, []),
        (MADE | cable(length="50m") | {"DEVICE_METADATA": {"localhost": {"hwsku": "My-SKU"}}}, []),
        (ASKED | cable(length="50m"), []),
        (ASKED | cable(length="0m"), [("CABLE_LENGTH.AZURE.Ethernet0", "but CABLE_LENGTH is 0m")]),
        (ASKED | cable(), [(NO_CABLE, "but CABLE_LENGTH has no entry for it")]),
    ],
)
def test_a_group_that_buffermgrd_sizes_has_a_cable_length(change: dict[str, Any], said: Told) -> None:
    check("NP884", change, said)


AT = f"BUFFER_PROFILE.{SHORT}.xoff"
SHARED = {"DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"over_subscribe_ratio": "2"}}}
HOSTS_4 = "Ethernet0, Ethernet4, Ethernet8 and 2 more"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (profile(xoff="30720", size="30720"), []),
        (profile(xoff="30719"), [(AT, f"of {HOSTS_4} has xoff 30,719; 100 Gb/s and 5 m need 30,720 bytes")]),
        (cable(length="4m"), []),
        (cable(length="6m"), [(AT, "of Ethernet0 is made for 5 m, CABLE_LENGTH of the port is 6 m")]),
        (cable("Ethernet20", "5m"), []),
        (
            {"PORT": {"Ethernet0": {"speed": "40000"}}},
            [(AT, "of Ethernet0 is made for 100 Gb/s, the port has 40 Gb/s")],
        ),
        (cable() | profile(xoff="30719"), [(AT, "of Ethernet4, Ethernet8, Ethernet12 and 1 more has xoff")]),
        (
            cable() | profile(xoff="9730"),
            [
                (
                    AT,
                    "Ethernet0 has xoff 9,730; 100 Gb/s and 5 m hold 9,731 bytes in one frame and the cable",
                ),
                (AT, "of Ethernet4, Ethernet8, Ethernet12 and 1 more has xoff 9,730"),
            ],
        ),
        (
            {"PORT": {"Ethernet0": {"speed": None}}} | profile(xoff="9730"),
            [
                (
                    AT,
                    "Ethernet0 has xoff 9,730; 100 Gb/s and 5 m hold 9,731 bytes in one frame and the cable",
                ),
                (AT, "of Ethernet4, Ethernet8, Ethernet12 and 1 more has xoff 9,730"),
            ],
        ),
        (
            profile(size="30719"),
            [(AT, "has size 30719, less than its xoff 30720, but pool ingress_lossless_pool has no shared")],
        ),
        (profile(size="30719") | {"BUFFER_POOL": {"ingress_lossless_pool": {"xoff": "90000"}}}, []),
        (profile(size=None), []),
        (profile(size="30719", pool="gone"), []),
        (
            profile(size="30719")
            | {"DEFAULT_LOSSLESS_BUFFER_PARAMETER": {"AZURE": {"over_subscribe_ratio": "2"}}},
            [],
        ),
    ],
)
def test_the_headroom_of_a_profile_suits_the_ports_that_use_it(change: dict[str, Any], said: Told) -> None:
    check("NP885", change, said)
