"""Edge cases, one fact per case: whether a port and the far end of its cable come up together."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.trace.model import Fault, Verdict
from netplan.trace.physical import link_faults
from tests.unit.some import but, some

PORT = some(gbps=None, fec="", autoneg="")
FAR = ("two", "q")


def fabric(near: Any, other: Any = None, cable: int = 400, far: tuple[str, str] | None = FAR) -> Any:
    """Port ``p`` of ``one`` on port ``q`` of ``two``; ``other``: None if ``two`` does not configure it."""
    peers = {("one", "p"): far, FAR: ("one", "p") if far else None}
    return some(
        switches={"one": some(ports={"p": near}), "two": some(ports={"q": other} if other else {})},
        cables=some(speed_gbps=lambda switch, port: cable, peer=lambda switch, port: peers[switch, port]),
        at_port=lambda switch, port, fact: f"{switch} {fact}",
    )


@pytest.mark.parametrize(
    ("stated", "cable", "said"),
    [
        (None, 400, []),
        (400, 400, []),
        (100, 0, []),
        (
            100,
            400,
            ["one p has a speed of 100 Gb/s (one port-speed), its cable 400 Gb/s (site.json)"],
        ),
        (
            400,
            100,
            ["one p has a speed of 400 Gb/s (one port-speed), its cable 100 Gb/s (site.json)"],
        ),
    ],
)
def test_a_port_has_the_speed_of_its_cable(stated: int | None, cable: int, said: list[str]) -> None:
    found = list(link_faults(fabric(but(PORT, gbps=stated), cable=cable, far=None), "one", "p"))
    assert found == [Fault(Verdict.LOST, text) for text in said]


@pytest.mark.parametrize(
    ("fec", "cable", "told"),
    [
        ("none", 100, True),
        ("fc", 100, True),
        ("none", 400, True),
        ("none", 99, False),
        ("none", 0, False),
        ("rs", 400, False),
        ("auto", 400, False),
        ("", 400, False),
    ],
)
def test_fec_other_than_rs_is_told_where_no_file_states_that_of_the_peer(
    fec: str, cable: int, told: bool
) -> None:
    """RS-FEC is that of IEEE 802.3 at 100 Gb/s and above (clauses 91, 119, 134)."""
    text = f"FEC of one p is {fec} (one port-fec); no file states that of its peer"
    found = list(link_faults(fabric(but(PORT, fec=fec), cable=cable, far=None), "one", "p"))
    assert found == [Fault(Verdict.UNPROVED, text)] * told


def test_nothing_is_said_of_a_far_end_that_its_switch_does_not_configure() -> None:
    assert list(link_faults(fabric(but(PORT, fec="none")), "one", "p")) == []


@pytest.mark.parametrize(
    ("near", "far", "verdict", "said"),
    [
        ({}, {}, None, ""),
        ({"fec": "rs"}, {"fec": "rs"}, None, ""),
        (
            {"fec": "rs"},
            {"fec": "none"},
            Verdict.LOST,
            "FEC of one p is rs (one port-fec), FEC of two q is none (two port-fec)",
        ),
        (
            {"fec": "rs"},
            {},
            Verdict.UNPROVED,
            "FEC of one p is rs (one port-fec), that of two q is not stated",
        ),
        (
            {},
            {"fec": "rs"},
            Verdict.UNPROVED,
            "FEC of two q is rs (two port-fec), that of one p is not stated",
        ),
        ({"fec": "auto"}, {"fec": "rs"}, None, ""),
        ({"fec": "rs"}, {"fec": "auto"}, None, ""),
        ({"fec": "auto"}, {}, None, ""),
        ({"autoneg": "on"}, {"autoneg": "on"}, None, ""),
        (
            {"autoneg": "on"},
            {"autoneg": "off"},
            Verdict.UNPROVED,
            "auto-negotiation of one p is on (one port-autoneg), "
            "auto-negotiation of two q is off (two port-autoneg)",
        ),
        (
            {},
            {"autoneg": "off"},
            Verdict.UNPROVED,
            "auto-negotiation of two q is off (two port-autoneg), that of one p is not stated",
        ),
    ],
)
def test_both_ends_of_a_link_are_set_alike(
    near: dict[str, str], far: dict[str, str], verdict: Verdict | None, said: str
) -> None:
    """Whichever end is asked about: the fault is the same, and is reported once."""
    given = fabric(but(PORT, **near), but(PORT, **far))
    wanted = [] if verdict is None else [Fault(verdict, said)]
    assert list(link_faults(given, "one", "p")) == wanted
    assert list(link_faults(given, "two", "q")) == wanted


def test_fec_and_negotiation_are_told_each() -> None:
    given = fabric(but(PORT, fec="auto", autoneg="on"), but(PORT, fec="rs", autoneg="off"))
    assert [fault.text.partition(" of ")[0] for fault in link_faults(given, "one", "p")] == [
        "auto-negotiation"
    ]
    given = fabric(but(PORT, fec="none", autoneg="on"), but(PORT, fec="rs", autoneg="off"))
    assert [fault.verdict for fault in link_faults(given, "one", "p")] == [Verdict.LOST, Verdict.UNPROVED]
