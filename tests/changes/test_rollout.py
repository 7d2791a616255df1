"""The first rollout of a SONiC switch: from the factory-default rows to the planned ones, and back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from netplan.changes.commands import Change, Files, Running, form_of
from tests.changes.sites import files
from tests.changes.sonic_switch import SonicSwitch, differences
from tests.changes.test_config_db import judged, unsaid
from tests.cli_runs import netplan
from tests.inventories import text_of
from tests.sonic_stock import stock
from tests.sonic_yang import ConfigDb, merged, yanglint

pytestmark = pytest.mark.yang

SKU = "ACS-MSN2700"


def factory(planned: Files) -> ConfigDb:
    """Factory default of a leaf, as the image generates it: an address and a BGP neighbour on each port
    (sonic-net/sonic-buildimage 086b03b, src/sonic-config-engine config_samples.py
    generate_t1_sample_config)."""
    names = sorted(json.loads(planned["interfaces.json"])["PORT"], key=lambda name: int(name[8:]))
    box = stock(SKU, [*names, "Ethernet248"])
    box["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65100"
    for row in box["PORT"].values():
        row["mtu"] = "9100"
    box |= {"LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.1.0.1/32": {}}}
    box |= {"INTERFACE": {}, "BGP_NEIGHBOR": {}}
    for index, name in enumerate([*names, "Ethernet248"]):
        box["INTERFACE"] |= {name: {}, f"{name}|10.0.0.{2 * index}/31": {}}
        neighbour = {"asn": "65200", "name": f"ARISTA{index:02}T0", "local_addr": f"10.0.0.{2 * index}"}
        box["BGP_NEIGHBOR"][f"10.0.0.{2 * index + 1}"] = neighbour
    return box


def rollout(box: ConfigDb, planned: Files) -> tuple[Running, Change, Change]:
    form = form_of("sonic")
    assert form is not None
    found = form.running(json.dumps(box), planned)
    assert found is not None
    return found, found.form.change(found.old, found.new), found.form.change(found.new, found.old)


def switch(box: ConfigDb) -> SonicSwitch:
    made = SonicSwitch([], {}, planted=False, dynamic=False)
    made.db = json.loads(json.dumps(box))
    return made


EDITS: dict[str, dict[str, Any]] = {
    "vlan": {},
    "routed": {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None},
    "no qos": {"fabric__qos": None},
}


@pytest.mark.parametrize("name", EDITS)
def test_from_the_factory_and_back(name: str) -> None:
    """Ports of a VLAN lose their addresses, all other factory-default rows stay, and the rollback restores
    all of them. Every step passes SONiC's YANG models."""
    planned = files("sonic", EDITS[name])
    box = factory(planned)
    found, change, back = rollout(box, planned)
    there = switch(box)
    for part in change.parts:
        there.part(part)
        assert yanglint(judged(there.db)) == [], part.text
    goal = merged(json.loads(planned["interfaces.json"]), json.loads(planned.get("roce.json", "{}")))
    assert differences(merged(there.db, goal), there.db) == set(), "all that is planned is there"
    members = {key.partition("|")[2] for key in goal.get("VLAN_MEMBER", {})}
    lost = {each for each in differences(box, merged(there.db, box)) if each[0] not in there.db}
    assert not lost
    gone = {(table, key) for table in box for key in box[table] if key not in there.db.get(table, {})}
    ports = {key.partition("|")[0] for table, key in gone if table == "INTERFACE"}
    assert ports == members
    assert {table for table, _ in gone} <= {"INTERFACE", "BUFFER_QUEUE"}
    assert bool(found.in_the_way) == bool(members)
    there.apply(back)
    left = unsaid(differences(box, there.db), back)
    assert not {each for each in left if each[0] != "BUFFER_PG"}


def test_from_a_switch_that_never_had_qos_and_back() -> None:
    """If a table of the dump has only planned rows, the rollback removes the table: a patch must not leave
    one empty."""
    planned = files("sonic", {})
    whole = factory(planned)
    qos = json.loads(planned["roce.json"]).keys() - {"DEVICE_METADATA", "DSCP_TO_TC_MAP"}
    box = {table: rows for table, rows in whole.items() if table not in qos}
    assert qos & whole.keys()
    _, change, back = rollout(box, planned)
    there = switch(box)
    there.apply(change)
    there.apply(back)
    left = unsaid(differences(box, there.db), back)
    assert not {each for each in left if not each[0].startswith("BUFFER_")}


def test_neighbours_whose_address_goes_are_named() -> None:
    planned = files("sonic", {})
    found = rollout(factory(planned), planned)[0]
    assert any("10.0.0.[1-9/2]" in said and "bgp remove neighbor" in said for said in found.by_hand)
    assert any(
        said.startswith("INTERFACE|Ethernet[0-16/4]|10.0.0.[0-8/2]/31") for said, _ in found.in_the_way
    )


def test_what_is_there_already_is_not_done_again() -> None:
    planned = files("sonic", {})
    box = factory(planned)
    there = switch(box)
    there.apply(rollout(box, planned)[1])
    _, change, _ = rollout(there.db, planned)
    assert change.parts == ()


def test_the_command_writes_it(tmp_path: Path) -> None:
    site, dump, out = tmp_path / "site.yaml", tmp_path / "leaf-1.json", tmp_path / "out"
    site.write_text(text_of("minimal"))
    _, shown, _ = netplan("render", str(site), "-o", str(tmp_path / "tree"))
    folder = tmp_path / "tree" / "switches" / "leaf-1"
    dump.write_text(json.dumps(factory({p.name: p.read_text() for p in folder.iterdir()}), indent=4))
    status, shown, _ = netplan("diff", str(site), "--running", f"leaf-1={dump}", "-o", str(out))
    assert status == 1
    assert "must be removed: INTERFACE|" in shown
    written = {path.name for path in (out / "switches" / "leaf-1").iterdir()}
    assert {"README.md", "change-1.json", "rollback-1.json"} <= written
    assert "sudo config apply-patch change-1.json" in (out / "switches/leaf-1/README.md").read_text()


def test_a_port_of_a_vlan_leaves_its_port_channel() -> None:
    planned = files("sonic", {})
    box = factory(planned)
    name = min(json.loads(planned["interfaces.json"])["VLAN_MEMBER"]).partition("|")[2]
    box |= {
        "PORTCHANNEL": {"PortChannel1": {"admin_status": "up"}},
        "PORTCHANNEL_MEMBER": {f"PortChannel1|{name}": {}},
    }
    found, change, _ = rollout(box, planned)
    assert f"PORTCHANNEL_MEMBER|PortChannel1|{name}" in {said for said, _ in found.in_the_way}
    assert not json.loads(found.cleared)["PORTCHANNEL_MEMBER"]
    there = switch(box)
    there.apply(change)
    assert not there.db.get("PORTCHANNEL_MEMBER")
    assert yanglint(judged(there.db)) == []


def test_buffers_that_were_never_loaded_are_left_and_said() -> None:
    planned = files("sonic", {})
    box = {name: rows for name, rows in factory(planned).items() if not name.startswith("BUFFER_")}
    found, change, back = rollout(box, planned)
    assert any("`sudo config qos reload`, then compare a new dump" in said for said in found.by_hand)
    there = switch(box)
    there.apply(change)
    there.apply(back)


def test_what_goes_is_no_finding_of_the_plan_over_it(tmp_path: Path) -> None:
    """Addresses of ports that join a VLAN are reported only as obstacles to the change."""
    site, dump = tmp_path / "site.yaml", tmp_path / "leaf-1.json"
    site.write_text(text_of("minimal"))
    netplan("render", str(site), "-o", str(tmp_path / "tree"))
    folder = tmp_path / "tree" / "switches" / "leaf-1"
    dump.write_text(json.dumps(factory({p.name: p.read_text() for p in folder.iterdir()}), indent=4))
    _, shown, _ = netplan("diff", str(site), "--running", f"leaf-1={dump}")
    assert "must be removed: INTERFACE|" in shown
    assert "NP877" not in shown
