"""Edge cases, one fact per case: what is told about the QoS of a port on a lossless path."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.graph.site_qos import mapped, unlike_site
from netplan.model.readback import Implied, Stand, Steps
from tests.unit.test_edges_qos import ONE_TO_ONE, SITE, chain, classes, numbers


def hop(change: dict[str, Any]) -> list[str]:
    answer = chain(**change).lossless(26, 40, 100)
    return [f"{answer.priority}", *(f"{each.proof.name} {each.text}" for each in answer.doubts)]


def control(change: dict[str, Any]) -> list[str]:
    return [f"{each.proof.name} {each.text}" for each in chain(**change).control(48, first=True)]


def unlike(change: dict[str, Any]) -> list[str]:
    """``site``: what the site states."""
    own = {key: value for key, value in change.items() if key != "site"}
    given, site = chain(**own), change.get("site", SITE)
    return [f"{each.proof.name} {each.text}" for each in unlike_site(given, site, mapped(given, site))]


def queues(**change: int) -> dict[int, frozenset[int]]:
    """Code points that are in other queues."""
    return ONE_TO_ONE | {int(key.removeprefix("_")): numbers(queue) for key, queue in change.items()}


def told(*facts: str) -> frozenset[str]:
    return frozenset(facts)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, ["3"]),
        (
            {"trust": "pcp"},
            ["None", "OPEN the queue of DSCP 26 at leaf-1 Ethernet0 is not stated (comment to confirm)"],
        ),
        ({"trust": None}, ["None", "REFUTED leaf-1 Ethernet0 does not classify by DSCP (f/)"]),
        (
            {"comments": told("qos_map"), "qos_queues": {}},
            ["None", "OPEN the queue of DSCP 26 at leaf-1 Ethernet0 is not stated (comment to confirm)"],
        ),
        (
            {"comments": told("dscp_trust")},
            ["3", "OPEN PFC of leaf-1 Ethernet0 by DSCP is not stated (comment to confirm)"],
        ),
        (
            {"comments": told("pfc_watchdog"), "qos_watchdog": numbers()},
            [
                "3",
                "OPEN a PFC watchdog for priority 3 of leaf-1 Ethernet0 is not stated (comment to confirm)",
            ],
        ),
        (
            {"comments": told("headroom"), "headroom_m": None, "implied": {"headroom": Implied("x")}},
            [
                "3",
                (
                    "OPEN the cable length that its headroom is for of leaf-1 Ethernet0 is not stated "
                    "(comment to confirm)"
                ),
            ],
        ),
        ({"qos_queues": {}}, ["None", "REFUTED leaf-1 Ethernet0 states no queue for DSCP 26 (f/)"]),
        (
            {"qos_queues": {26: numbers(4, 3)}},
            ["None", "OPEN DSCP 26 is in queues 3, 4 of leaf-1 Ethernet0 (f/)"],
        ),
        ({"qos_pfc": numbers()}, ["None", "REFUTED leaf-1 Ethernet0 states no PFC (f/)"]),
        (
            {"qos_pfc": numbers(), "comments": told("pfc")},
            ["None", "OPEN PFC of leaf-1 Ethernet0 is not stated (comment to confirm)"],
        ),
        (
            {"qos_pfc": numbers(4), "qos_pfc_queues": {4: numbers(4)}},
            ["None", "REFUTED DSCP 26 lands in queue 3 of leaf-1 Ethernet0, which has PFC for 4 only (f/)"],
        ),
        (
            {"qos_pfc": numbers(5, 4), "qos_pfc_queues": {4: numbers(4), 5: numbers(6)}},
            [
                "None",
                (
                    "REFUTED DSCP 26 lands in queue 3 of leaf-1 Ethernet0, which no PFC frame for 4, 5 "
                    "stops (f/)"
                ),
            ],
        ),
        (
            {"qos_pfc_queues": {}},
            [
                "None",
                (
                    "OPEN which queue a received PFC frame stops of leaf-1 Ethernet0 is not stated, and "
                    "netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {
                "qos_pfc": numbers(3, 2),
                "qos_pfc_queues": {2: numbers(3), 3: numbers(3)},
                "qos_pfc_groups": {2: numbers(3), 3: numbers(3)},
            },
            [
                "2",
                (
                    "OPEN a PFC watchdog for priority 2 of leaf-1 Ethernet0 is not stated, and netplan "
                    "knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {
                "qos_pfc": numbers(3, 2),
                "qos_pfc_queues": {2: numbers(3), 3: numbers(3)},
                "qos_pfc_groups": {2: numbers(2), 3: numbers(3)},
            },
            ["3"],
        ),
        (
            {
                "qos_pfc": numbers(4, 3),
                "qos_pfc_queues": {3: numbers(3), 4: numbers(4)},
                "qos_pfc_groups": {3: numbers(4), 4: numbers(3)},
            },
            [
                "3",
                (
                    "REFUTED DSCP 26 waits in priority group 3 of leaf-1 Ethernet0, which sends PFC for "
                    "4 only: its queue stops for 3 (f/)"
                ),
            ],
        ),
        (
            {"qos_groups": {}},
            [
                "3",
                (
                    "OPEN the priority group of DSCP 26 of leaf-1 Ethernet0 is not stated, and netplan "
                    "knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_groups": {26: numbers(4)}, "qos_buffers": numbers(4)},
            [
                "3",
                (
                    "REFUTED DSCP 26 waits in priority group 4 of leaf-1 Ethernet0, which sends no PFC: "
                    "its queue stops for 3 (f/)"
                ),
            ],
        ),
        (
            {"qos_groups": {26: numbers(4)}, "qos_lossy_buffers": numbers(4)},
            [
                "3",
                (
                    "REFUTED DSCP 26 waits in priority group 4 of leaf-1 Ethernet0, which sends no PFC: "
                    "its queue stops for 3 (f/)"
                ),
                "REFUTED priority group 4 of leaf-1 Ethernet0 has a lossy buffer (f/)",
            ],
        ),
        (
            {"qos_pfc_groups": {}},
            [
                "3",
                (
                    "OPEN the priority group of PFC priority 3 of leaf-1 Ethernet0 is not stated, and "
                    "netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_pfc_again": numbers(4), "told": told("pfc-again")},
            ["3", "OPEN PFC of leaf-1 Ethernet0 is for 3 (f/) and for 4 (f/)"],
        ),
        (
            {"qos_pfc_again": numbers(), "told": told("pfc-again")},
            ["3", "OPEN PFC of leaf-1 Ethernet0 is for 3 (f/) and for none (f/)"],
        ),
        (
            {"qos_fixed": False, "states": told("pfc-fixed")},
            [
                "3",
                (
                    "OPEN PFC regardless of what the peer offers by DCBX of leaf-1 Ethernet0 is not "
                    "stated, and netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_buffers": numbers(4)},
            [
                "3",
                (
                    "OPEN a lossless buffer of priority group 3 of leaf-1 Ethernet0 is not stated, and "
                    "netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_queue_buffers": numbers()},
            [
                "3",
                (
                    "OPEN a lossless buffer of queue 3 of leaf-1 Ethernet0 is not stated, and netplan "
                    "knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_lossy_queues": numbers(3)},
            ["3", "REFUTED queue 3 of leaf-1 Ethernet0 has a lossy buffer (f/)"],
        ),
        (
            {"headroom_m": 39},
            ["3", "REFUTED the headroom of leaf-1 Ethernet0 is for 39 m, its cable is 40 m long (f/)"],
        ),
        ({"headroom_m": 40}, ["3"]),
        (
            {"headroom_m": None},
            [
                "3",
                (
                    "OPEN the cable length that its headroom is for of leaf-1 Ethernet0 is not stated, "
                    "and netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"lengths": {100: numbers(5, 300)}},
            [
                "3",
                (
                    "REFUTED the headroom of leaf-1 Ethernet0 is for 40 m; at 100 Gb/s its table lists "
                    "5, 300 m only, so no lossless buffer is created (f/)"
                ),
            ],
        ),
        ({"lengths": {100: numbers(5, 300)}, "headroom_m": 300}, ["3"]),
        (
            {"lengths": {100: numbers(5, 300)}, "headroom_m": None},
            [
                "3",
                (
                    "OPEN the cable length that its headroom is for of leaf-1 Ethernet0 is not stated, "
                    "and netplan knows no line of its NOS that states it"
                ),
            ],
        ),
        ({"qos_unmarked": numbers(3)}, ["3", "REFUTED ECN of queue 3 of leaf-1 Ethernet0 never marks (f/)"]),
        (
            {"qos_marking": numbers()},
            [
                "3",
                (
                    "OPEN ECN of queue 3 of leaf-1 Ethernet0 is not stated, and netplan knows no line of "
                    "its NOS that states it"
                ),
            ],
        ),
        (
            {"qos_unwatched": numbers(3)},
            ["3", "REFUTED the PFC watchdog of leaf-1 Ethernet0 does not end a storm (f/)"],
        ),
        (
            {"qos_watchdog": numbers()},
            [
                "3",
                (
                    "OPEN a PFC watchdog for priority 3 of leaf-1 Ethernet0 is not stated, and netplan "
                    "knows no line of its NOS that states it"
                ),
            ],
        ),
        (
            {"pools": {(100, 40): (1_000, 0)}, "ecn": {3: (500, 600)}},
            ["3", "OPEN ECN of queue 3 of leaf-1 Ethernet0 begins at 500 bytes, PFC at 500 already (f/)"],
        ),
        ({"pools": {(100, 40): (1_000, 0)}, "ecn": {3: (499, 600)}}, ["3"]),
        (
            {
                "pools": {(100, 0): (1_000, 0)},
                "ecn": {3: (500, 600)},
                "headroom_m": None,
                "implied": {"headroom": Implied("x")},
            },
            ["3", "OPEN ECN of queue 3 of leaf-1 Ethernet0 begins at 500 bytes, PFC at 500 already (f/)"],
        ),
        ({"pools": {(200, 40): (1_000, 0)}, "ecn": {3: (500, 600)}}, ["3"]),
        ({"pools": {(100, 40): (1_000, 0)}, "ecn": {}}, ["3"]),
    ],
)
def test_what_keeps_a_port_from_being_a_lossless_hop(change: dict[str, Any], said: list[str]) -> None:
    """The PFC priority, then each doubt."""
    assert hop(change) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        (
            {"qos_strict": numbers()},
            [
                (
                    "REFUTED CNPs, DSCP 48, land in queue 6 of leaf-1 Ethernet0, which is not strict, "
                    "unlike on other switches (f/)"
                )
            ],
        ),
        (
            {"qos_pfc": numbers(6)},
            ["REFUTED CNPs, DSCP 48, land in queue 6 of leaf-1 Ethernet0, which PFC stops (f/)"],
        ),
        ({"qos_pfc": numbers(3), "qos_pfc_queues": {}}, []),
        (
            {"qos_pfc": numbers(3), "qos_pfc_queues": {3: numbers(6)}},
            ["REFUTED CNPs, DSCP 48, land in queue 6 of leaf-1 Ethernet0, which PFC stops (f/)"],
        ),
        ({"qos_queues": {}}, ["REFUTED leaf-1 Ethernet0 states no queue for DSCP 48 (f/)"]),
    ],
)
def test_what_congestion_notifications_wait_for(change: dict[str, Any], said: list[str]) -> None:
    assert control(change) == said


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, []),
        (
            {"qos_queues": queues(_10=3)},
            [
                (
                    "UNLIKE DSCP 10, in no class of site.json, is in queue 3 of leaf-1 Ethernet0: that "
                    "of class roce (f/)"
                )
            ],
        ),
        (
            {"qos_queues": queues(_10=5, _11=5, _20=5)},
            [
                (
                    "UNLIKE DSCP 10-11,20, in no class of site.json, are in queue 5 of leaf-1 Ethernet0: "
                    "best effort is in queue 0 (f/)"
                )
            ],
        ),
        (
            {"qos_queues": queues(_10=6)},
            [
                (
                    "UNLIKE DSCP 10, in no class of site.json, is in queue 6 of leaf-1 Ethernet0: that "
                    "of class cnp (f/)"
                )
            ],
        ),
        ({"qos_queues": {26: numbers(3), 48: numbers(6)}}, []),
        (
            {
                "qos_queues": {26: numbers(0), 48: numbers(6), 1: numbers(0), 2: numbers(1)},
                "qos_weights": {0: numbers(50)},
            },
            [
                (
                    "UNLIKE DSCP 1, in no class of site.json, is in queue 0 of leaf-1 Ethernet0: that of "
                    "class roce (f/)"
                ),
                (
                    "UNLIKE DSCP 2, in no class of site.json, is in queue 1 of leaf-1 Ethernet0: best "
                    "effort is in queue 0 (f/)"
                ),
                (
                    "OPEN how likely ECN marks in queue 0 of leaf-1 Ethernet0 is not stated; ecn would "
                    "prove it (f/q)"
                ),
            ],
        ),
        (
            {
                "qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d not in (10, 11)},
                "stands": {"dscp-rest": Stand("q", "x")},
            },
            [
                (
                    "OPEN the queue of DSCP 10-11, in no class of site.json, of leaf-1 Ethernet0 is not "
                    "stated; x would prove it (f/q)"
                )
            ],
        ),
        ({"qos_queues": queues(_10=5), "steps": Steps(ecn_bytes=10, watchdog_ms=100, eighths=True)}, []),
        (
            {"qos_groups": queues(_10=3)},
            [("UNLIKE DSCP 10 in priority group 3 of leaf-1 Ethernet0, which is lossless for DSCP 26 (f/)")],
        ),
        (
            {"qos_groups": queues(_10=3, _11=3, _5=3)},
            [
                (
                    "UNLIKE DSCP 5,10-11 in priority group 3 of leaf-1 Ethernet0, which is lossless for "
                    "DSCP 26 (f/)"
                )
            ],
        ),
        ({"qos_groups": queues(_10=3), "steps": Steps(ecn_bytes=10, watchdog_ms=100, eighths=True)}, []),
        (
            {"qos_groups": queues(_10=5), "implied": {"buffer-lossy": Implied("x", numbers(7))}},
            [
                (
                    "OPEN a buffer for DSCP 10 in priority group 5 of leaf-1 Ethernet0 is not stated, "
                    "and netplan knows no line of its NOS that states it"
                )
            ],
        ),
        ({"qos_groups": {10: numbers(4, 5), 26: numbers(3)}}, []),
        (
            {"qos_strict": numbers()},
            ["UNLIKE queue 6 of leaf-1 Ethernet0, cnp, is not strict, unlike site.json (f/)"],
        ),
        (
            {"qos_strict": numbers(3, 6)},
            ["UNLIKE queue 3 of leaf-1 Ethernet0, roce, is strict, unlike site.json (f/)"],
        ),
        (
            {"qos_weights": {3: numbers(49), 0: numbers(51)}},
            [
                (
                    "UNLIKE weights of leaf-1 Ethernet0 are 51 for queue 0, 49 for queue 3; site.json "
                    "has percent 50 for queue 0, 50 for queue 3 (f/)"
                )
            ],
        ),
        (
            {"qos_weights": {3: numbers(50)}},
            [
                (
                    "OPEN the share of queue 0 of leaf-1 Ethernet0 is not stated, and netplan knows no "
                    "line of its NOS that states it"
                )
            ],
        ),
        (
            {"qos_weights": {0: numbers(50)}},
            [
                (
                    "OPEN the share of queue 3 of leaf-1 Ethernet0 is not stated, and netplan knows no "
                    "line of its NOS that states it"
                )
            ],
        ),
        (
            {
                "qos_weights": {3: numbers(1), 0: numbers(1)},
                "site": replace(SITE, classes=classes(bandwidth_percent=0), best_effort_percent=0),
            },
            [],
        ),
        ({"qos_shares": {3: numbers(50), 0: numbers(40, 50)}}, []),
        (
            {"qos_shares": {3: numbers(50), 0: numbers(40, 51)}},
            ["OPEN the shares of leaf-1 Ethernet0 are 101 % together (f/)"],
        ),
        (
            {"qos_shares": {6: numbers(10), 3: numbers(1)}, "qos_strict": numbers(3, 6)},
            [
                "UNLIKE queue 3 of leaf-1 Ethernet0, roce, is strict, unlike site.json (f/)",
                "OPEN queue 3 of leaf-1 Ethernet0 is strict and has a share of the rest (f/)",
                "OPEN queue 6 of leaf-1 Ethernet0 is strict and has a share of the rest (f/)",
            ],
        ),
        (
            {"ecn": {3: (90, 400)}},
            [
                (
                    "UNLIKE ECN of queue 3 of leaf-1 Ethernet0 marks from 90 to 400 bytes; site.json has "
                    "100 to 400 for class roce (f/)"
                )
            ],
        ),
        ({"ecn": {3: (91, 409)}}, []),
        (
            {"ecn": {3: (1_000, 4_000)}},
            [
                (
                    "UNLIKE ECN of queue 3 of leaf-1 Ethernet0 marks from 1,000 to 4,000 bytes; "
                    "site.json has 100 to 400 for class roce (f/)"
                )
            ],
        ),
        (
            {"qos_ecn_percent": {3: numbers(9)}},
            [
                (
                    "UNLIKE ECN of queue 3 of leaf-1 Ethernet0 marks 9 % at its upper threshold; "
                    "site.json has 10 % for class roce (f/q)"
                )
            ],
        ),
        (
            {"qos_ecn_percent": {}},
            [
                (
                    "OPEN how likely ECN marks in queue 3 of leaf-1 Ethernet0 is not stated; ecn would "
                    "prove it (f/q)"
                )
            ],
        ),
        (
            {"site": replace(SITE, classes=classes(ecn=False, ecn_bytes=None))},
            ["OPEN queue 3 of leaf-1 Ethernet0 marks ECN, but site.json has none for class roce (f/)"],
        ),
        (
            {"site": replace(SITE, watchdog=None)},
            ["OPEN leaf-1 Ethernet0 has a PFC watchdog, but site.json has none (f/q)"],
        ),
        ({"site": replace(SITE, watchdog=None), "qos_detection_ms": numbers()}, []),
        (
            {"qos_detection_ms": numbers(300)},
            ["UNLIKE the PFC watchdog of leaf-1 Ethernet0 acts after 300 ms; site.json has 200 ms (f/)"],
        ),
        (
            {"qos_detection_ms": numbers(101, 3_000)},
            [("UNLIKE the PFC watchdog of leaf-1 Ethernet0 acts after 3,000 ms; site.json has 200 ms (f/)")],
        ),
        (
            {"qos_detection_ms": numbers()},
            [
                (
                    "OPEN how long the PFC watchdog waits (detection) of leaf-1 Ethernet0 is not stated; "
                    "wd would prove it (f/q)"
                )
            ],
        ),
        (
            {"qos_restoration_ms": numbers(1_900)},
            [
                (
                    "UNLIKE the PFC watchdog of leaf-1 Ethernet0 gives up after 1,900 ms; site.json has "
                    "2,000 ms (f/)"
                )
            ],
        ),
        (
            {"qos_restoration_ms": numbers()},
            [
                (
                    "OPEN how long the PFC watchdog waits (restoration) of leaf-1 Ethernet0 is not "
                    "stated; wr would prove it (f/q)"
                )
            ],
        ),
        ({"qos_detection_ms": numbers(), "stands": {}}, []),
        ({"qos_groups": queues(_10=6)}, []),
    ],
)
def test_what_a_port_has_unlike_its_site(change: dict[str, Any], said: list[str]) -> None:
    assert unlike(change) == said


def test_without_a_cable_and_a_speed_no_headroom_is_too_short() -> None:
    given = chain(headroom_m=0, lengths={1: numbers(5)})
    assert given.lossless(26).doubts == ()
    assert [each.fact for each in given.lossless(26, 1).doubts] == ["headroom"]
    assert [each.fact for each in given.lossless(26, 0, 1).doubts] == ["headroom"]


CNP_SHARES = replace(
    SITE,
    classes=tuple(
        replace(each, strict=False, bandwidth_percent=p)
        for each, p in zip(SITE.classes, (50, 25), strict=True)
    ),
    best_effort_percent=25,
)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d != 48}}, []),
        (
            {"qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d != 26}, "qos_weights": {0: numbers(9)}},
            [],
        ),
        (
            {
                "qos_queues": {d: q for d, q in ONE_TO_ONE.items() if d != 26},
                "qos_weights": {0: numbers(9)},
                "site": replace(SITE, classes=(SITE.classes[0], replace(SITE.classes[1], ecn_percent=5))),
                "qos_ecn_percent": {6: numbers(4)},
            },
            [
                (
                    "UNLIKE ECN of queue 6 of leaf-1 Ethernet0 marks 4 % at its upper threshold; site.json "
                    "has 5 % for class cnp (f/q)"
                )
            ],
        ),
        (
            {
                "qos_weights": {3: numbers(1), 0: numbers(100)},
                "site": replace(SITE, classes=classes(bandwidth_percent=0), best_effort_percent=100),
            },
            [],
        ),
        (
            {
                "qos_strict": numbers(),
                "qos_weights": {3: numbers(50), 6: numbers(25), 0: numbers(25)},
                "site": CNP_SHARES,
            },
            [],
        ),
        (
            {
                "qos_strict": numbers(),
                "qos_weights": {3: numbers(50), 6: numbers(20), 0: numbers(30)},
                "site": CNP_SHARES,
            },
            [
                (
                    "UNLIKE weights of leaf-1 Ethernet0 are 30 for queue 0, 50 for queue 3, 20 for queue 6; "
                    "site.json has percent 25 for queue 0, 50 for queue 3, 25 for queue 6 (f/)"
                )
            ],
        ),
        (
            {
                "site": replace(
                    SITE,
                    classes=(
                        replace(SITE.classes[0], ecn_percent=None),
                        replace(SITE.classes[1], ecn_percent=5),
                    ),
                ),
                "qos_ecn_percent": {6: numbers(4)},
            },
            [
                (
                    "UNLIKE ECN of queue 6 of leaf-1 Ethernet0 marks 4 % at its upper threshold; site.json "
                    "has 5 % for class cnp (f/q)"
                )
            ],
        ),
    ],
)
def test_classes_are_compared_one_by_one(change: dict[str, Any], said: list[str]) -> None:
    """A class whose code point has no queue is told elsewhere."""
    assert unlike(change) == said
