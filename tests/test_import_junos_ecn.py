"""ECN, PFC and its watchdog of a QFX: fill levels are percentages of a queue whose size no line states."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.inventories import compiled, outputs
from tests.test_import import data

LEVELS = "interpolate fill-level [ 5 50 ] drop-probability [ 0 20 ]"


def running(old: str = "", new: str = "") -> Imported:
    """The files that netplan renders for a QFX, as its running configuration."""
    tree = outputs(compiled("multi-vendor"))
    name = next(
        path.split("/")[1] for path in sorted(tree) if LEVELS in tree[path] and path.endswith("roce.txt")
    )
    text = "".join(tree[f"switches/{name}/{file}"] for file in ("interfaces.txt", "roce.txt"))
    head = f"set version 23.4R2-S3-EVO\nset system host-name {name}\n"
    return import_texts({"qfx.txt": (head + text).replace(old or head, new or head)}, "site")


def line_of(result: Imported, name: str) -> str:
    (line,) = [line.strip() for line in result.text.splitlines() if line.strip().startswith(f"{name}:")]
    return line


def test_fill_levels_are_asked_in_bytes() -> None:
    line = line_of(running(), "ecn")
    assert line.startswith("ecn: TODO # TODO: thresholds of ECN in bytes")
    assert "fill levels 5 and 50 percent of the queue, at 20 percent (qfx.txt:" in line


@pytest.mark.parametrize(
    "edit",
    [
        ("explicit-congestion-notification", "shaping-rate 1g"),
        ("drop-profile-map loss-priority any", "other loss-priority any"),
    ],
)
def test_a_queue_that_does_not_mark_has_no_question(edit: tuple[str, str]) -> None:
    assert "ecn" not in data(running(*edit))["fabric"]["qos"]["classes"]["roce"]


def test_times_of_the_watchdog_have_their_lines() -> None:
    result = running()
    lines = result.texts["qfx.txt"].splitlines()
    for name in ("poll_ms", "detection_ms", "restoration_ms"):
        number = int(line_of(result, name).rpartition("qfx.txt:")[2])
        assert "congestion-notification-profile" in lines[number - 1]
    assert data(result)["fabric"]["qos"]["pfc_watchdog"] == {
        "poll_ms": 100,
        "detection_ms": 200,
        "restoration_ms": 2000,
    }


def test_pfc_without_mru_is_lossless() -> None:
    """As in Juniper's own designs (Juniper/jvd 005ab34 leaf1_qfx5240-64od.conf)."""
    line = next(line for line in running().texts["qfx.txt"].splitlines() if "code-point 011010 pfc" in line)
    result = running(f" mru{line.partition(' mru')[2]}\n", "\n")
    classes, with_mru = (data(each)["fabric"]["qos"]["classes"] for each in (result, running()))
    assert classes == with_mru
    assert classes["roce"]["lossless"] is True
    told = [remark.text for remark in result.remarks if "mru" in remark.text]
    assert told == ["pfc without mru: netplan writes the MTU of the ports (and 1 more)"]
