"""``netplan import``: switches on no rail among the dumps, such as an OOB switch, a ToR or a border leaf."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_eos_classes import classes
from tests.test_import_front_ends import of_record
from tests.test_import_tiers import link, with_spines
from tests.test_import_unlike_classes import marking, told

QOS = ("DSCP_TO_TC_MAP", "TC_TO_QUEUE_MAP", "PORT_QOS_MAP", "SCHEDULER", "QUEUE", "WRED_PROFILE")
CLASSED = ("leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1")
OOB = """! Command: show running-config
! device: {name} (DCS-7010TX-48, EOS-4.31.2F)
hostname {name}
vlan 10
interface Ethernet1
   switchport access vlan 10
"""


def fabric() -> Bare:
    """Leaves and a spine with all settings, loopbacks and AS numbers."""
    found = with_spines(Bare())
    for number, name in enumerate(CLASSED, 1):
        own, port = marking(name), next(iter(found.leaves[name]["PORT"]))
        for table in QOS:
            rows = own[table].items()
            found.leaves[name][table] = {key.replace("Ethernet0", port): row for key, row in rows}
        at = 101 if name == "spine-1" else number
        found.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|10.255.0.{at}/32": {}}
        asn = 65100 if name == "spine-1" else 65100 + number
        found.leaves[name]["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(asn)
    return found


def with_text(**texts: str) -> Imported:
    files = {f"{name}.cfg": text for name, text in texts.items()}
    return import_texts({**fabric().texts(), **files}, "site")


def beside(result: Imported) -> list[str]:
    return [each.text for each in result.remarks if "it is not compared with them" in each.text]


def border() -> Imported:
    site = fabric()
    link(site, "border-1", "Ethernet128", "spine-1", "Ethernet192")
    return site.imported()


def front_end() -> Imported:
    """A switch of a card that is on no rail."""
    site = fabric()
    link(site, "tor-1", "Ethernet0", "nas-1", "e0a")
    site.leaves.pop("nas-1")
    return site.imported()


@pytest.mark.parametrize("case", ["oob1", "border-1", "tor-1"])
def test_a_switch_on_no_rail_is_told_and_the_values_stay(case: str) -> None:
    result = {
        "oob1": lambda: with_text(oob1=OOB.format(name="oob1")),
        "border-1": border,
        "tor-1": front_end,
    }[case]()
    assert told(result) == []
    assert result.conflicts == ()
    (remark,) = beside(result)
    assert remark.startswith(f"{case} without ")
    for what in ("PFC of class 3", "ECN of class 3", "a strict queue of class 6"):
        assert what in remark
    found = classes(result)
    assert (found["roce"]["lossless"], found["cnp"]["scheduling"]) == (True, "strict")
    assert found["roce"]["ecn"]["kmin_bytes"] == 150000


@pytest.mark.parametrize("name", ["leaf-2", "spine-1"])
def test_a_switch_on_rails_is_still_compared(name: str) -> None:
    site = fabric()
    site.leaves[name].pop("PORT_QOS_MAP")
    result = site.imported()
    assert any("PFC of class 3" in line and f"{name} (" in line for line in told(result))
    assert classes(result)["roce"]["lossless"] == "TODO"
    assert beside(result) == []


def test_what_a_switch_on_no_rail_alone_has_is_asked() -> None:
    """netplan would write it to all."""
    site = fabric()
    link(site, "border-1", "Ethernet128", "spine-1", "Ethernet192")
    watched = {"Ethernet128": {"action": "drop", "detection_time": "200", "restoration_time": "200"}}
    site.leaves["border-1"]["PFC_WD"] = watched
    result = site.imported()
    assert any(line.startswith("border-1 (") and "a PFC watchdog" in line for line in told(result))
    assert "  pfc_watchdog: TODO" in result.text


def test_a_third_tier_between_pods_is_compared() -> None:
    site = Bare()
    for rail in range(4):
        link(site, f"leaf-{rail + 1}", "Ethernet128", f"spine-{rail // 2 + 1}", f"Ethernet{8 * rail}")
    for number in (1, 2):
        link(site, f"spine-{number}", "Ethernet240", "core-1", f"Ethernet{8 * number}")
        link(site, f"spine-{number}", "Ethernet248", f"edge-{number}", "Ethernet0")
    on_rails = site.imported().folded.on_rails
    assert on_rails == {"leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2", "core-1"}


OTHERS = {
    "its configuration": {"oob1.cfg": OOB.format(name="oob1")},
    "a record": {
        "devices.json": json.dumps(json.loads(of_record("DCS-7010TX")["devices.json"])).replace(
            "tor-a", "oob1"
        )
    },
    "a record of a model of the catalog": of_record("SN4700"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_switch_without_a_loopback_moves_no_ids(case: str) -> None:
    alone = data(fabric().imported())
    result = import_texts({**fabric().texts(), **OTHERS[case]}, "site")
    found = data(result)
    assert found["underlay"] == alone["underlay"]
    assert (found["underlay"]["leaf_asn"], found["underlay"]["loopbacks"]) == ("65101+", "10.255.0.0/25")
    ids = {row.name: row.id for row in result.folded.switches}
    assert [ids.pop(name) for name in CLASSED] == [1, 2, 3, 4, 101]
    assert [*ids.values()] == [102]
    assert result.conflicts == ()


def test_a_switch_of_an_open_role_takes_no_id_of_others_without_loopbacks() -> None:
    site = with_spines(Bare())
    result = import_texts({**site.texts(), "bmc1.cfg": OOB.format(name="bmc1")}, "site")
    ids = {row.name: row.id for row in result.folded.switches}
    assert [ids[name] for name in CLASSED] == [1, 2, 3, 4, 101]
    assert ids["bmc1"] == 102
