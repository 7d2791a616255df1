"""Edge cases, one fact per case: lossless queues and watchdog in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import PORTS, every, said_of

WRED, LOSSLESS = "AZURE_LOSSLESS", "pg_lossless_100000_5m_profile"


def wred(**fields: str | None) -> dict[str, Any]:
    return {"WRED_PROFILE": {WRED: fields}}


def queue(*numbers: int, **fields: str | None) -> dict[str, Any]:
    return {"QUEUE": {f"Ethernet0|{number}": fields for number in numbers}}


def local(**fields: str | None) -> dict[str, Any]:
    return {"DEVICE_METADATA": {"localhost": fields}}


def unwatched(*names: str) -> dict[str, Any]:
    return {"PFC_WD": dict.fromkeys(names)}


def selected(**fields: str | None) -> dict[str, Any]:
    return {"PORT_QOS_MAP": {"Ethernet0": fields}}


def version(text: str | None) -> dict[str, Any]:
    return {"PORT_QOS_MAP": every(pfcwd_sw_enable=None), "VERSIONS": {"DATABASE": {"VERSION": text}}}


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP887", {}, []),
        (
            "NP887",
            wred(ecn=None),
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS: WRED_PROFILE AZURE_LOSSLESS drops green packets "
                    "(ecn_none), and queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and 4 more are "
                    "lossless and bound to it at leaf-1.json"
                )
            ],
        ),
        (
            "NP887",
            wred(ecn="ecn_red"),
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS.ecn: WRED_PROFILE AZURE_LOSSLESS drops green packets "
                    "(ecn_red), and queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and 4 more are "
                    "lossless and bound to it at leaf-1.json"
                )
            ],
        ),
        ("NP887", wred(ecn="ecn_green_red"), []),
        ("NP887", wred(ecn=None, wred_green_enable="false"), []),
        (
            "NP887",
            wred(ecn=None) | queue(3, wred_profile=None),
            [
                (
                    "WRED_PROFILE.AZURE_LOSSLESS: WRED_PROFILE AZURE_LOSSLESS drops green packets "
                    "(ecn_none), and queue 4 of Ethernet0 is lossless and bound to it at leaf-1.json"
                ),
                (
                    "WRED_PROFILE.AZURE_LOSSLESS: WRED_PROFILE AZURE_LOSSLESS drops green packets "
                    "(ecn_none), and queues 3, 4 of Ethernet4, Ethernet8, Ethernet12 and 3 more are "
                    "lossless and bound to it at leaf-1.json"
                ),
            ],
        ),
        ("NP888", {}, []),
        ("NP888", wred(ecn=None), []),
        (
            "NP888",
            wred(ecn=None, wred_green_enable="false"),
            [
                (
                    "QUEUE.Ethernet0|3.wred_profile: queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and "
                    "4 more are lossless, but WRED_PROFILE AZURE_LOSSLESS marks nothing"
                )
            ],
        ),
        (
            "NP888",
            wred(wred_green_enable=None),
            [],
        ),
        ("NP888", wred(green_min_threshold="2290431"), []),
        (
            "NP888",
            wred(green_min_threshold="2290432"),
            [
                (
                    "QUEUE.Ethernet0|3.wred_profile: queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and "
                    "4 more are lossless, but WRED_PROFILE AZURE_LOSSLESS begins to mark at 2,290,432 "
                    "bytes; its priority group in pool ingress_lossless_pool of 4,580,864 bytes sends "
                    "XOFF at 2,290,432 or less"
                )
            ],
        ),
        ("NP888", wred(green_min_threshold=None), []),
        (
            "NP888",
            wred(green_min_threshold="9999999") | {"BUFFER_PROFILE": every(LOSSLESS, dynamic_th="8")},
            [],
        ),
        (
            "NP888",
            wred(green_min_threshold="9999999") | {"BUFFER_POOL": every("ingress_lossless_pool", size=None)},
            [],
        ),
        (
            "NP888",
            wred(green_min_threshold="4062651") | {"BUFFER_PROFILE": every(LOSSLESS, dynamic_th="3")},
            [],
        ),
        (
            "NP888",
            wred(green_min_threshold="17824") | {"BUFFER_PROFILE": every(LOSSLESS, dynamic_th="-8")},
            [
                (
                    "QUEUE.Ethernet0|3.wred_profile: queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and "
                    "4 more are lossless, but WRED_PROFILE AZURE_LOSSLESS begins to mark at 17,824 "
                    "bytes; its priority group in pool ingress_lossless_pool of 4,580,864 bytes sends "
                    "XOFF at 17,824 or less"
                )
            ],
        ),
        (
            "NP888",
            queue(3, wred_profile=None),
            ["QUEUE.Ethernet0|3: queue 3 of Ethernet0 is lossless, but no wred_profile is bound"],
        ),
        (
            "NP888",
            queue(3, 4, wred_profile=None),
            ["QUEUE.Ethernet0|3: queues 3, 4 of Ethernet0 are lossless, but no wred_profile is bound"],
        ),
        ("NP888", queue(3, wred_profile="gone"), []),
        (
            "NP888",
            {"QUEUE": {"Ethernet0|3": None}},
            [
                (
                    "PORT_QOS_MAP.Ethernet0.pfc_enable: queue 3 of Ethernet0 is lossless, but no "
                    "wred_profile is bound"
                )
            ],
        ),
    ],
)
def test_a_lossless_queue_marks_green_packets_before_pfc_pauses(
    code: str, change: dict[str, Any], said: list[str]
) -> None:
    """An alpha is a power of two from -8 to 7."""
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP889", {}, []),
        (
            "NP889",
            queue(3, scheduler=None),
            [
                (
                    "QUEUE.Ethernet0|3: queue 3 of Ethernet0 is lossless, and no scheduler is bound, "
                    "while other queues of the port have one"
                )
            ],
        ),
        (
            "NP889",
            queue(3, scheduler="scheduler.2"),
            [
                (
                    "QUEUE.Ethernet0|3.scheduler: queue 3 of Ethernet0 is lossless, and scheduler "
                    "scheduler.2 is STRICT"
                )
            ],
        ),
        ("NP889", queue(3, scheduler="gone"), []),
        (
            "NP889",
            {"SCHEDULER": {"scheduler.1": {"weight": None}}},
            [
                (
                    "QUEUE.Ethernet0|3.scheduler: queues 3, 4 of Ethernet0, Ethernet4, Ethernet8 and 4 "
                    "more are lossless, and scheduler scheduler.1 has no weight, which means weight 1"
                )
            ],
        ),
        ("NP889", queue(*range(7), scheduler=None), []),
        (
            "NP889",
            queue(*range(1, 7), scheduler=None),
            [
                (
                    "QUEUE.Ethernet0|3: queues 3, 4 of Ethernet0 are lossless, and no scheduler is "
                    "bound, while other queues of the port have one"
                )
            ],
        ),
        ("NP889", queue(*range(7), scheduler=None) | {"PORT_QOS_MAP": {}}, []),
    ],
)
def test_a_lossless_queue_has_a_weight(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP893", {}, []),
        (
            "NP893",
            unwatched("Ethernet0"),
            ["PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0 has PFC on, but no row in PFC_WD"],
        ),
        (
            "NP893",
            unwatched("Ethernet0") | local(default_pfcwd_status="disable"),
            ["PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0 has PFC on, but no row in PFC_WD"],
        ),
        (
            "NP893",
            unwatched("Ethernet0") | local(default_pfcwd_status="enable"),
            ["PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0 has PFC on, but no row in PFC_WD"],
        ),
        ("NP893", unwatched(*PORTS) | local(default_pfcwd_status="enable"), []),
        (
            "NP893",
            unwatched("Ethernet0")
            | local(default_pfcwd_status="enable")
            | {"DEVICE_NEIGHBOR": {"Ethernet0": None}},
            ["PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0 has PFC on, but no row in PFC_WD"],
        ),
        ("NP893", unwatched(*PORTS) | local(default_pfcwd_status="disable"), []),
        ("NP893", unwatched(*PORTS, "GLOBAL") | local(default_pfcwd_status="disable"), []),
        (
            "NP893",
            unwatched(*PORTS, "GLOBAL"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0, Ethernet4, Ethernet8 and 4 more have "
                    "PFC on, but no row in PFC_WD"
                )
            ],
        ),
        ("NP893", unwatched("GLOBAL"), ["PFC_WD: PFC_WD has no GLOBAL row with POLL_INTERVAL"]),
        (
            "NP893",
            {"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": None}}},
            ["PFC_WD: PFC_WD has no GLOBAL row with POLL_INTERVAL"],
        ),
        (
            "NP893",
            selected(pfcwd_sw_enable="3"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.pfcwd_sw_enable: Ethernet0 has PFC on for priority 4, which "
                    "pfcwd_sw_enable leaves out: its PFC_WD row has no effect there"
                )
            ],
        ),
        (
            "NP893",
            selected(pfcwd_sw_enable=None),
            [
                (
                    "PORT_QOS_MAP.Ethernet0: Ethernet0 has PFC on for priority 3,4, which "
                    "pfcwd_sw_enable leaves out: its PFC_WD row has no effect there"
                )
            ],
        ),
        (
            "NP893",
            selected(pfcwd_sw_enable=None) | unwatched("Ethernet0"),
            ["PORT_QOS_MAP.Ethernet0.pfc_enable: Ethernet0 has PFC on, but no row in PFC_WD"],
        ),
        ("NP893", version("version_3_0_4"), []),
        (
            "NP893",
            version("version_3_0_5"),
            [
                (
                    "PORT_QOS_MAP.Ethernet0: Ethernet0, Ethernet4, Ethernet8 and 4 more have PFC on for "
                    "priority 3,4, which pfcwd_sw_enable leaves out: its PFC_WD row has no effect there"
                )
            ],
        ),
        ("NP893", version(None), []),
    ],
)
def test_a_port_with_pfc_has_a_watchdog(code: str, change: dict[str, Any], said: list[str]) -> None:
    """A file of an image that had no pfcwd_sw_enable needs none."""
    assert said_of(code, change) == said
