"""``netplan import``: what hosts hear, switches of their front end, ids where loopbacks are missing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.dumped_site import interface, listed, nic_device, node, node_state
from tests.test_import import data
from tests.test_import_bystanders import policy
from tests.test_import_lldp import EOS
from tests.test_import_tiers import line, link, with_spines

RAILS = [interface(f"0000:{bus}:00.0", f"ens{n}", 100) for n, bus in enumerate(("18", "29"), 1)]
FRONT = interface("0000:3b:00.0", "eno1", 25, device="101f")


def heard(port: str, switch: str, far: str) -> dict[str, Any]:
    """An interface of ``lldpctl -f json``."""
    chassis = {switch: {"capability": [{"type": "Bridge", "enabled": True}]}}
    return {port: {"chassis": chassis, "port": {"id": {"type": "ifname", "value": far}}}}


def site(*more: dict[str, Any], texts: dict[str, str] | None = None) -> Imported:
    """A host that hears leaf-1 and leaf-2 on its rails and tor-a on its front end."""
    rows = [heard("ens1", "leaf-1", "Ethernet1"), heard("ens2", "leaf-2", "Ethernet1")]
    lldp = {"lldp": {"interface": [*rows, heard("eno1", "tor-a", "Ethernet1"), *more]}}
    objects = [policy("ens1", "ens2"), node("gpu-1", {}, 8), node_state("gpu-1", [*RAILS, FRONT])]
    own = {"x.yaml": listed(objects), "gpu-1.lldp.json": json.dumps(lldp)}
    return import_texts({**own, **(texts or {})}, "site")


def test_a_switch_that_only_front_end_cards_hear_is_left_out_and_told() -> None:
    result = site()
    assert [*data(result)["switches"]] == ["leaf-[1-2]"]
    assert "tor-a" not in str(data(result)["links"])
    (told,) = (remark.text for remark in result.remarks if "tor-a" in remark.text)
    assert told.startswith(
        "switch tor-a of gpu-1: only front-end cards have cables to it and no dump is of it"
    )


TABLE = """LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet9    {}          Ethernet9       BR            up
--------------------------------------------------
Total entries displayed:  1
"""
KEPT: dict[str, dict[str, str]] = {
    "its configuration": {"tor.txt": EOS.replace("leaf-1", "tor-a") + "interface Ethernet1\n"},
    "its own neighbours": {"tor-a.txt": TABLE.format("leaf-1")},
}


@pytest.mark.parametrize("case", KEPT)
def test_a_front_end_switch_that_a_dump_is_of_stays(case: str) -> None:
    assert "tor-a" in str(data(site(texts=KEPT[case]))["switches"])


STATE = node_state("gpu-1", RAILS)
DEVICE = nic_device("gpu-1", "0000:18:00.0", "ens1")


@pytest.mark.parametrize("shown", [STATE, DEVICE])
def test_neighbours_of_a_host_that_its_cards_alone_show(shown: dict[str, Any]) -> None:
    """kubectl was asked for the states of the NICs and not for the nodes."""
    lldp = {"lldp": {"interface": [heard("ens1", "leaf-1", "Ethernet1")]}}
    result = import_texts({"x.yaml": listed([shown]), "gpu-1.lldp.json": json.dumps(lldp)}, "site")
    (first, *_) = data(result)["links"]
    assert (first["hosts"], first["switch"]) == ("gpu-1", "leaf-1")
    assert (result.remarks, result.unread) == ((), ())


def of_record(model: str) -> dict[str, str]:
    """NetBox has tor-a as a switch of that model."""
    api = "https://netbox.example.com/api/dcim"
    role = {"id": 1, "url": f"{api}/device-roles/1/", "name": "switch", "slug": "switch"}
    kind = {"id": 2, "url": f"{api}/device-types/2/", "model": model, "slug": model.lower()}
    device = {"id": 3, "url": f"{api}/devices/3/", "name": "tor-a", "role": role, "device_type": kind}
    return {"devices.json": json.dumps([device])}


@pytest.mark.parametrize(("model", "stays"), [("SN4700", True), ("DCS-7010TX", False)])
def test_a_recorded_front_end_switch_stays_with_a_model_of_the_catalog(model: str, stays: bool) -> None:
    result = site(texts=of_record(model))
    assert ("tor-a" in str(data(result)["switches"])) == stays
    assert any("tor-a" in remark.text for remark in result.remarks) != stays


def test_a_switch_that_rails_hear_too_stays() -> None:
    result = site(heard("ens2", "tor-a", "Ethernet2"))
    assert "tor-a" in str(data(result)["switches"])


def numbered(loopbacks: dict[str, str]) -> Imported:
    """Four leaves and a spine, with the loopbacks of some."""
    found = with_spines(Bare())
    for name, address in loopbacks.items():
        found.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|{address}/32": {}}
    return found.imported()


CASES: dict[str, tuple[dict[str, str], list[int]]] = {
    "all but one leaf": ({"leaf-1": "1", "leaf-2": "2", "leaf-3": "3", "spine-1": "9"}, [1, 2, 3, 4, 9]),
    "the first leaf is missing": ({"leaf-2": "12", "leaf-3": "13", "leaf-4": "14"}, [3, 4, 5, 6, 101]),
    "one leaf": ({"leaf-3": "3"}, [1, 2, 3, 4, 101]),
    "taken by another": ({"leaf-1": "1", "leaf-2": "2", "leaf-3": "3", "spine-1": "4"}, [1, 2, 3, 5, 4]),
}


@pytest.mark.parametrize("case", CASES)
def test_loopbacks_of_some_switches_give_the_ids_of_these(case: str) -> None:
    loopbacks, expected = CASES[case]
    result = numbered({name: f"10.255.0.{number}" for name, number in loopbacks.items()})
    ids = {row.name: row.id for row in result.folded.switches}
    assert [*ids.values()] == expected
    assert ", whose loopback no dump has, " in line(result, "switches: #")
    assert data(result)["underlay"]["loopbacks"] == "TODO"


def test_names_without_numbers_have_the_next_ids() -> None:
    found = with_spines(Bare())
    found.leaves["leaf-1"]["LOOPBACK_INTERFACE"] = {"Loopback0|10.255.0.1/32": {}}
    link(found, "leaf-1", "Ethernet136", "core", "Ethernet0")
    ids = {row.name: row.id for row in found.imported().folded.switches}
    assert ids == {"core": 102, "leaf-1": 1, "leaf-2": 2, "leaf-3": 3, "leaf-4": 4, "spine-1": 101}
