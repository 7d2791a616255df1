"""``netplan import`` of the classes of an EOS configuration as sites write it: without a map of queues, with
thresholds in other units (ROCm/rocm-docs, RoCE guide, Arista switches; aristanetworks/avd, qos_profiles)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data

HEAD = """\
! Command: show running-config
! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)
!
hostname leaf-1
!
"""
PROFILE = """\
qos profile ROCE
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
{rank}      bandwidth percent 60
      random-detect ecn minimum-threshold {low} {unit} maximum-threshold {high} {unit}{rest}
   !
   uc-tx-queue 6
      priority strict
!
interface Ethernet1/1
   service-profile ROCE
!
{maps}end
"""
RANK = "      no priority\n"
MAPS = "qos map dscp 26 to traffic-class 3\nqos map dscp 48 to traffic-class 6\n"
OTHERS = " ".join(str(point) for point in range(64) if point not in (26, 48))
FULL = f"{MAPS}qos map dscp {OTHERS} to traffic-class 0\n"
REST = " max-mark-probability 5 weight 0"


def leaf(low: int = 150, high: int = 1500, unit: str = "kbytes", **parts: str) -> Imported:
    form = {"rank": RANK, "maps": MAPS, "rest": REST, **parts}
    return import_texts({"leaf-1.txt": HEAD + PROFILE.format(low=low, high=high, unit=unit, **form)})


def classes(result: Imported) -> Any:
    return data(result)["fabric"]["qos"]["classes"]


def comment(result: Imported, part: str) -> str:
    (line,) = (line for line in result.text.splitlines() if part in line)
    return line.partition("#")[2]


def test_shares_of_queues_that_the_map_that_eos_ships_may_lead_to_count() -> None:
    other = "   uc-tx-queue 5\n      no priority\n      bandwidth percent 60\n"
    found = leaf(rest=f"{REST}\n{other.rstrip()}")
    assert classes(found)["roce"]["bandwidth_percent"] == 50
    assert classes(found)["tc5"] == {"dscp": "TODO", "priority": 5, "bandwidth_percent": 50}
    assert told(found, "weights of queues without packets") == []


def told(result: Imported, part: str) -> list[str]:
    return [str(remark) for remark in result.remarks if part in str(remark)]


def test_classes_without_a_map_of_queues() -> None:
    result = leaf(maps=FULL)
    assert classes(result) == {
        "roce": {
            "dscp": 26,
            "priority": 3,
            "lossless": True,
            "bandwidth_percent": 60,
            "ecn": {"kmin_bytes": 150000, "kmax_bytes": 1500000, "probability_percent": 5},
        },
        "cnp": {"dscp": 48, "priority": 6, "scheduling": "strict"},
    }
    lines = (HEAD + PROFILE.format(low=1, high=2, unit="x", rank=RANK, maps=MAPS, rest=REST)).splitlines()
    at = lines.index("qos map dscp 26 to traffic-class 3") + 1
    assert comment(result, "dscp: 26").strip() == f"leaf-1.txt:{at}"
    shipped = "no line maps class 3 to a queue: tx-queue 3, as EOS ships it; show qos maps"
    assert comment(result, "priority: 3").strip() == f"{shipped}; leaf-1.txt:{at}"
    assert "kbytes taken as 1,000 bytes each, not confirmed" in comment(result, "ecn: {")


@pytest.mark.parametrize(
    ("low", "high", "unit"), [(150000, 1500000, "bytes"), (150, 1500, "kbytes"), (1, 2, "mbytes")]
)
@pytest.mark.parametrize("rest", ["", " max-mark-probability 5", REST])
def test_units_of_thresholds(low: int, high: int, unit: str, rest: str) -> None:
    found = leaf(low, high, unit, rest=rest)
    size = {"bytes": 1, "kbytes": 10**3, "mbytes": 10**6}[unit]
    wanted = {"kmin_bytes": low * size, "kmax_bytes": high * size}
    assert classes(found)["roce"]["ecn"] == wanted | ({"probability_percent": 5} if rest else {})
    assert ("not confirmed" in comment(found, "ecn: {")) == (unit != "bytes")


@pytest.mark.parametrize("unit", ["segments", "milliseconds"])
def test_a_unit_without_a_size_is_asked_for(unit: str) -> None:
    result = leaf(2000, 10000, unit)
    assert classes(result)["roce"]["ecn"] == "TODO"
    assert f"2000 to 10000 {unit} (leaf-1.txt:14)" in comment(result, "ecn: TODO")


def test_a_share_of_a_strict_queue_is_told() -> None:
    result = leaf(rank="")
    assert "bandwidth_percent" not in classes(result)["roce"]
    (line,) = told(result, "bandwidth percent")
    assert line.startswith("leaf-1.txt:12: bandwidth percent of tx-queue 3 '60': without \"no priority\"")
    assert told(leaf(), "bandwidth percent") == []


def test_a_queue_that_the_shipped_map_fills_is_a_class() -> None:
    result = leaf(maps="qos map dscp 26 to traffic-class 3\n")
    assert classes(result)["tc6"] == {"dscp": "TODO", "priority": 6, "scheduling": "strict"}
    lines = result.text.splitlines()
    (dscp,) = (line for above, line in pairwise(lines) if above.strip() == "tc6:")
    assert "code points without a line follow the map as shipped: show qos maps" in dscp


SHIPPED = "code points without a line follow the map as shipped: show qos maps; leaf-1.txt:"


@pytest.mark.parametrize(
    ("maps", "own"), [(MAPS, {"roce": "26 (", "cnp": "48 ("}), ("", {"roce": "", "tc6": ""})]
)
def test_code_points_of_a_class_that_follow_the_shipped_map_are_asked(maps: str, own: dict[str, str]) -> None:
    """The first render moves them to class 0, with some lines of a map and with none."""
    result = leaf(maps=maps)
    assert {name: row["dscp"] for name, row in classes(result).items()} == dict.fromkeys(own, "TODO")
    lines = [line for line in result.text.splitlines() if SHIPPED in line]
    for line, number, point in zip(lines, (3, 6), own.values(), strict=True):
        asked = f"TODO: the one DSCP of class {number}; all others become best effort; {point}"
        assert asked in line
    assert told(result, "queue 6") == []


def test_a_queue_to_which_no_code_point_leads_is_told() -> None:
    every = " ".join(str(point) for point in range(64) if point != 26)
    maps = f"qos map dscp {every} to traffic-class 0\nqos map dscp 26 to traffic-class 3\n"
    result = leaf(maps=maps)
    assert set(classes(result)) == {"roce"}
    (line,) = told(result, "queue 6")
    assert line.endswith(
        "leaf-1: queue 6 is strict, but no line that is read maps a code point to it: not taken"
    )


def test_a_map_of_queues_counts() -> None:
    result = leaf(maps=f"{FULL}qos map traffic-class 3 to tx-queue 4\n")
    assert classes(result)["roce"] == {"dscp": 26, "priority": "TODO", "lossless": True}
    assert "PFC priority 3, queue 4 (leaf-1.txt:25)" in comment(result, "priority: TODO")
    assert comment(result, "dscp: 48").strip() == "leaf-1.txt:23"


def test_a_drop_precedence_is_no_other_class() -> None:
    result = leaf(maps=FULL.replace("class 3", "class 3 drop-precedence 1"))
    assert classes(result)["roce"]["dscp"] == 26


def test_classes_that_are_not_taken_are_named() -> None:
    port = "interface Ethernet2/1\n   priority-flow-control on\n!\npolicy-map type quality-of-service P\n"
    result = leaf(maps=MAPS + port)
    (line,) = told(result, "QoS lines of its own")
    assert line == "leaf-1.txt:24: leaf-1: Ethernet2/1 has QoS lines of its own, which are not taken"
    assert told(result, "policy maps are not taken")


@pytest.mark.parametrize(
    "line",
    [
        "no priority-flow-control",
        "qos trust cos",
        "no qos trust",
        "tx-queue 3",
        "service-policy type qos input P",
    ],
)
def test_qos_lines_of_a_port_are_named(line: str) -> None:
    port = f"interface Ethernet2/1\n   mtu 9214\n   {line}\n!\n"
    (said,) = told(leaf(maps=MAPS + port), "QoS lines of its own")
    assert said == "leaf-1.txt:24: leaf-1: Ethernet2/1 has QoS lines of its own, which are not taken"


OWN = PROFILE.replace("qos profile ROCE\n", "interface Ethernet1/1\n").replace(
    "interface Ethernet1/1\n   service-profile ROCE\n!\n{maps}", "{maps}"
)
"""The same on the port itself (aristanetworks/avd add7ddf9, eos_cli_config_gen, ethernet-interfaces.j2)."""


def own(*edits: tuple[str, str]) -> Imported:
    text = OWN.format(low=150, high=1500, unit="kbytes", rank=RANK, maps=MAPS, rest=REST)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return import_texts({"leaf-1.txt": HEAD + text})


def test_lines_of_a_port_without_a_profile() -> None:
    assert classes(own()) == classes(leaf())
    assert told(own(), "QoS lines") == []


def test_lines_of_a_port_beside_its_profile_are_named() -> None:
    line = "interface Ethernet1/1\n   priority-flow-control priority 4 no-drop\n   service-profile ROCE\n"
    text = PROFILE.format(low=150, high=1500, unit="kbytes", rank=RANK, maps=MAPS, rest=REST)
    text = text.replace("interface Ethernet1/1\n   service-profile ROCE\n", line)
    result = import_texts({"leaf-1.txt": HEAD + text})
    assert "Ethernet1/1 has QoS lines beside its qos profile" in told(result, "QoS lines")[0]
    assert classes(result)["roce"] == classes(leaf())["roce"]


@pytest.mark.parametrize("result", [own(("   priority-flow-control on\n", ""))])
def test_a_priority_without_pfc_on_the_port_is_asked(result: Imported) -> None:
    assert classes(result)["roce"]["lossless"] == "TODO"
    assert "priority-flow-control priority 3 no-drop (leaf-1.txt:" in comment(result, "lossless: TODO")


def test_ports_that_state_no_trust_are_asked_what_they_classify_by() -> None:
    """As shipped a switched port of EOS trusts CoS, and the map of DSCP does nothing."""
    text = (HEAD + PROFILE).format(low=150, high=1500, unit="kbytes", rank=RANK, maps=MAPS, rest=REST)
    bare = text.replace("   qos trust dscp\n", "")
    qos = data(import_texts({"leaf-1.txt": bare}))["fabric"]["qos"]
    assert qos["trust"] == "TODO"
    assert (
        "leaf-1 Ethernet1/1 states none and trusts CoS as shipped" in import_texts({"leaf-1.txt": bare}).text
    )
    assert "trust" not in data(leaf())["fabric"]["qos"]
