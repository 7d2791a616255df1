"""``netplan import``: a value that a record has otherwise than the switch or the host is TODO."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import fabric_dumps
from tests.test_import import FILES, refused, todo_lines
from tests.test_import_record import NetBox, recorded
from tests.test_import_record_ports import address, interface, names_of, of, port


def with_configs(box: NetBox) -> Imported:
    configs = {name: text for name, text in fabric_dumps(FILES).items() if name.startswith(("leaf", "spine"))}
    return import_texts({**of(box), **configs}, "site")


def line_of(result: Imported, key: str) -> str:
    return next(line for line in result.text.splitlines() if line.strip().startswith(f"{key}: TODO"))


def model(box: NetBox) -> None:
    box.known["dcim/devices", "spine-2"]["device_type"] = {"model": "SN5600", "slug": "sn5600"}


def port_mtu(box: NetBox) -> None:
    port(box, "leaf-3", "Ethernet0")["mtu"] = 1500


def card_mtu(box: NetBox) -> None:
    port(box, "gpu-001", names_of(box, "gpu-001")[0])["mtu"] = 1500


@pytest.mark.parametrize(
    ("change", "key", "seen"),
    [
        (model, "model", "ACS-MSN2700 (spine-2.json:"),
        (port_mtu, "port_mtu", "port leaf-3 Ethernet0, mtu: 9216 (leaf-3.json:"),
        (card_mtu, "mtu", "9000 (states.json:"),
    ],
)
def test_the_value_is_asked_with_both_places(change: object, key: str, seen: str) -> None:
    box = recorded()
    assert callable(change)
    change(box)
    result = with_configs(box)
    line = line_of(result, key)
    assert f"TODO # TODO: decide, sources disagree: {seen}" in line
    assert "(dcim-" in line
    assert refused(result.text) >= set(todo_lines(result.text))


def svi_address(box: NetBox) -> None:
    interface(box, "leaf-1", "Vlan100", "virtual")
    address(box, "leaf-1", "Vlan100", "172.16.0.254/24")


def prefix(box: NetBox) -> None:
    vlan = box.brief(box.known["ipam/vlans", "100"], "vid", "name")
    box.new("ipam/prefixes", "other", prefix="172.16.0.0/25", vlan=vlan)


@pytest.mark.parametrize(
    ("change", "key", "seen"),
    [
        (svi_address, "gateway", "leaf-1 VLAN 100, address: 172.16.0.1/24 (leaf-1.json:"),
        (prefix, "supernets", "VLAN 100 has prefix 172.16.0.0/25 (ipam-prefixes.json:"),
    ],
)
def test_addresses_and_prefixes_of_record_that_do_not_run_are_asked(
    change: object, key: str, seen: str
) -> None:
    box = recorded()
    assert callable(change)
    change(box)
    line = line_of(with_configs(box), key)
    assert "sources disagree" in line
    assert seen in line


def platform(box: NetBox) -> None:
    box.known["dcim/devices", "leaf-2"]["platform"] = {"id": 9, "name": "Cumulus Linux", "slug": "cumulus"}


def mac(box: NetBox) -> None:
    port(box, "gpu-001", names_of(box, "gpu-001")[0])["mac_address"] = "AA:BB:CC:00:00:01"


def server(box: NetBox) -> None:
    box.known["dcim/devices", "leaf-2"] |= {
        "role": {"slug": "server"},
        "device_type": {"model": "X", "slug": "x"},
    }


def spine(box: NetBox) -> None:
    box.known["dcim/devices", "leaf-2"]["role"] = {"id": 7, "name": "Spine", "slug": "spine"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (platform, "switch leaf-2, nos: sonic (leaf-2.json:"),
        (mac, "gpu-001 ens1f0, MAC address: "),
        (server, "leaf-2 is a host of record (dcim-devices.json:"),
        (spine, "switch leaf-2, role: leaf by its cables ("),
    ],
)
def test_platforms_addresses_and_roles_of_record_that_others_contradict_are_told(
    change: object, said: str
) -> None:
    box = recorded()
    assert callable(change)
    assert not any(str(each).startswith(said) for each in with_configs(box).conflicts)
    change(box)
    (found,) = (text for each in with_configs(box).conflicts if (text := str(each)).startswith(said))
    assert "(dcim-" in found


def test_a_role_of_record_that_cables_contradict_is_asked() -> None:
    box = recorded()
    spine(box)
    result = with_configs(box)
    (line,) = (text for text in result.text.splitlines() if text.startswith("  leaf-2: "))
    assert "role: TODO" in line
    assert "TODO: role, as sources disagree: leaf by its cables (" in line
    assert refused(result.text) >= set(todo_lines(result.text))


def test_a_port_whose_vlan_two_sources_state_otherwise_is_not_without_one() -> None:
    """Two dumps of leaf-1, of two times."""
    configs = fabric_dumps(FILES)
    tables = json.loads(configs["leaf-1.json"])
    members = tables["VLAN_MEMBER"]
    at = next(key for key in members if key.endswith("|Ethernet64"))
    members["Vlan999|Ethernet64"] = members.pop(at)
    texts = {**of(recorded()), **configs, "old/leaf-1.json": json.dumps(tables, indent=1)}
    result = import_texts(texts, "site")
    assert [str(each) for each in result.conflicts if "in no VLAN" in str(each)] == []
    line = line_of(result, "vlan_ids")
    assert "sources disagree: port leaf-1 Ethernet64, access: 100 (leaf-1.json:" in line
    assert line.endswith("; other ports have 100-103")
