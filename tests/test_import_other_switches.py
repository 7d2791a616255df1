"""``netplan import``: switches that LLDP calls otherwise than their own configuration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data
from tests.test_import_fabric import stretched_dumps

MACS = ("50:6b:4b:00:00:01", "50:6b:4b:00:00:02")
Ids = tuple[str, str]
"""MAC address and management address of a switch."""
OWN = ((MACS[0], "10.20.1.1"), (MACS[1], "10.20.1.2"))
NONE = ("", "")


def chassis(form: str, name: str, mac: str, address: str) -> dict[str, Any]:
    if form == "json0":
        return {
            "name": [{"value": name}],
            "id": [{"type": "mac", "value": mac}] if mac else [],
            "mgmt-ip": [{"value": address}] if address else [],
        }
    inner = {"id": {"type": "mac", "value": mac.upper()}} if mac else {"id": {"type": "local", "value": "x"}}
    return {name: {**inner, **({"mgmt-ip": ["fe80::1", address]} if address else {})}}


def texts(heard: tuple[Ids, Ids], own: tuple[Ids, Ids] = OWN, form: str = "json") -> dict[str, str]:
    """Hosts call leaf-1 and leaf-2 by the names of old-1 and old-2."""
    found = stretched_dumps()
    for number, ((mac, address), (own_mac, own_address)) in enumerate(zip(heard, own, strict=True), 1):
        tables = json.loads(found[f"leaf-{number}.json"])
        if own_mac:
            tables["DEVICE_METADATA"]["localhost"]["mac"] = own_mac
        if own_address:
            tables["MGMT_INTERFACE"] = {f"eth0|{own_address}/24": {}}
        found[f"leaf-{number}.json"] = json.dumps(tables, indent=1)
        found[f"gpu-{number}.json"] = table(form, f"old-{number}", mac, address)
    return found


def table(form: str, name: str, mac: str, address: str) -> str:
    if form == "text":
        rows = (
            f"Interface:    ens{n + 1}, via: LLDP\n  Chassis:\n    ChassisID:    mac {mac}\n"
            f"    SysName:      {name}\n    MgmtIP:       {address}\n    MgmtIP:       fe80::1\n"
            f"    Capability:   Bridge, on\n  Port:\n    PortID:       ifname Ethernet{4 * n}\n"
            for n in range(2)
        )
        return "LLDP neighbors:\n" + "".join(rows)
    entries: list[dict[str, Any]] = []
    for n in range(2):
        switching = [{"type": "Bridge", "enabled": True}]
        far = chassis(form, name, mac, address)
        for one in (far, *far.values()):
            if isinstance(one, dict) and "id" in one:
                one["capability"] = switching
        port: Any = {"id": {"type": "ifname", "value": f"Ethernet{4 * n}"}}
        body = {"chassis": far, "port": port}
        entries.append({"name": f"ens{n + 1}", **body} if form == "json0" else {f"ens{n + 1}": body})
    return json.dumps({"lldp": {"interface": entries}}, indent=1)


def strangers(result: Imported) -> list[str]:
    return [note for note in result.notes if note.startswith("switches with a configuration whose")]


@pytest.mark.parametrize("form", ["json", "json0", "text"])
@pytest.mark.parametrize(
    ("heard", "own", "word"),
    [
        (OWN, OWN, "chassis ID 50:6b:4b:00:00:01"),
        (((MACS[0], ""), (MACS[1], "")), OWN, "chassis ID 50:6b:4b:00:00:01"),
        (OWN, (("", "10.20.1.1"), ("", "10.20.1.2")), "management address 10.20.1.1"),
    ],
)
def test_the_mac_or_management_address_tells_whose_a_name_is(
    heard: tuple[Ids, Ids], own: tuple[Ids, Ids], word: str, form: str
) -> None:
    files = texts(heard, own, form)
    result = import_texts(files, "site")
    first, second = result.notes
    assert first.startswith(f"LLDP has another name for switch leaf-1, old-1: its {word} (gpu-1.json:")
    line = int(first.rpartition(":")[2].rstrip(")"))
    assert f") is that of leaf-1 (leaf-1.json:{line})" in first
    assert word.rpartition(" ")[2] in files["leaf-1.json"].splitlines()[line - 1]
    assert "switch leaf-2, old-2: " in second
    assert f"# {first}\n" in result.text
    found = data(result)
    assert {name: row["role"] for name, row in found["switches"].items()} == {"leaf-[1-2]": "leaf"}
    assert [row["switch"] for row in found["links"]] == ["leaf-1", "leaf-2"]


@pytest.mark.parametrize(
    ("heard", "own"),
    [((NONE, NONE), OWN), (OWN, (NONE, NONE)), (OWN, ((MACS[0], ""), (MACS[0], "")))],
)
def test_both_sets_are_named_where_nothing_joins(heard: tuple[Ids, Ids], own: tuple[Ids, Ids]) -> None:
    """A MAC address that both configurations have, of a template, is of neither."""
    result = import_texts(texts(heard, own), "site")
    assert len(result.notes) == 1
    (note,) = strangers(result)
    assert "no LLDP or record has: leaf-[1-2] (leaf-1.json:" in note
    assert "switches with such cables and no configuration: old-[1-2] (gpu-1.json:" in note


def test_identities_of_two_switches_are_told() -> None:
    """The chassis ID of one and the management address of the other."""
    crossed = ((MACS[0], "10.20.1.2"), (MACS[1], "10.20.1.2"))
    result = import_texts(texts(crossed), "site")
    first, second, _ = result.notes
    assert first.startswith("old-1 of LLDP is not joined with a switch: its chassis ID 50:6b:4b:00:00:01 (")
    assert "its management address 10.20.1.2 (gpu-1.json:" in first
    assert second.startswith("LLDP has another name for switch leaf-2, old-2: its chassis ID")


def test_a_missing_configuration_alone_needs_no_note() -> None:
    files = stretched_dumps()
    assert import_texts(files, "site").notes == ()
    del files["leaf-2.json"]
    assert strangers(import_texts(files, "site")) == []
