"""``netplan import``: a value that a record has otherwise than the switch or the host is TODO."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import fabric_dumps
from tests.test_import import FILES, refused, todo_lines
from tests.test_import_record import NetBox, recorded
from tests.test_import_record_ports import names_of, of, port


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
