"""``netplan import`` of PFC watchdogs that run with times as NX-OS and NVUE ship them. The lines of NX-OS: a
script of Paresh Gupta that sets RoCE up (roce_enable.py); those of NVUE: CumulusNetworks/docs 05e49539,
nvue-reference/Set-and-Unset-Commands/QoS.md."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_eos_classes import comment
from tests.test_import_lossless import NXOS
from tests.test_import_text import running

DETECTION = "priority-flow-control watch-dog shutdown-multiplier "
RESTORATION = "priority-flow-control auto-restore multiplier "


def nxos(*without: str, name: str = "leaf-1") -> str:
    """``without``: beginnings of lines to leave out."""
    kept = [each for each in running(NXOS).splitlines() if not each.strip().startswith(without or ("-",))]
    return "\n".join(f"hostname {name}" if each.startswith("hostname ") else each for each in kept) + "\n"


def imported(*texts: str) -> Imported:
    return import_texts({f"{number}.txt": text for number, text in enumerate(texts)}, "site")


def test_nxos_without_times_is_asked() -> None:
    text = nxos(DETECTION, RESTORATION)
    result = imported(text)
    assert data(result)["fabric"]["qos"]["pfc_watchdog"] == "TODO"
    assert "the one that runs has the times as shipped (0.txt:" in comment(result, "pfc_watchdog: TODO")
    assert line_of(result.text, "pfc_watchdog: TODO") in refused(result.text)


@pytest.mark.parametrize(
    ("line", "key", "other"),
    [(DETECTION, "detection_ms", "restoration_ms"), (RESTORATION, "restoration_ms", "detection_ms")],
)
def test_one_time_without_a_line_is_asked(line: str, key: str, other: str) -> None:
    found = data(imported(nxos(line)))["fabric"]["qos"]["pfc_watchdog"]
    assert found[key] == "TODO"
    assert found[other] == data(imported(nxos()))["fabric"]["qos"]["pfc_watchdog"][other]


def test_a_switch_with_times_beside_one_without_is_a_contradiction() -> None:
    result = imported(nxos(), nxos(DETECTION, RESTORATION, name="leaf-2"))
    (told,) = (str(each) for each in result.conflicts if "pfc_watchdog" in str(each))
    assert told.startswith("detection_ms of pfc_watchdog: ")
    assert ", as shipped (1.txt:" in told
    assert set(data(result)["fabric"]["qos"]["pfc_watchdog"].values()) == {"TODO"}


def test_a_switch_without_a_watchdog_beside_one_with_times_as_shipped() -> None:
    bare = nxos(DETECTION, RESTORATION, "priority-flow-control watch-dog", name="spine-1")
    result = imported(nxos(DETECTION, RESTORATION), bare)
    assert any("leaf-1 (0.txt:" in str(each) and "a PFC watchdog" in str(each) for each in result.conflicts)
    assert "spine-1" in comment(result, "pfc_watchdog: TODO")


def test_no_watchdog_is_not_asked() -> None:
    result = imported(nxos(DETECTION, RESTORATION, "priority-flow-control watch-dog"))
    assert "pfc_watchdog" not in data(result)["fabric"]["qos"]


NVUE = """\
nv set system hostname leaf-1
nv set interface swp1 link mtu 9216
nv set qos roce
nv set interface swp1 qos pfc-watchdog state enable
"""
POLL = "nv set qos pfc-watchdog polling-interval 100\n"
ROBUST = "nv set qos pfc-watchdog robustness 3\n"


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("", "TODO"),
        (POLL, {"poll_ms": 100, "detection_ms": "TODO"}),
        (POLL + ROBUST, {"poll_ms": 100, "detection_ms": 300}),
    ],
)
def test_times_that_nvue_does_not_state(lines: str, found: object) -> None:
    assert data(imported(NVUE + lines))["fabric"]["qos"]["pfc_watchdog"] == found
