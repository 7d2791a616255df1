"""``netplan import``: hosts that LLDP calls by another name than the cluster."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from netplan.model.inventory_schema import schema_at
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_lldp import EOS, eos_detail

PORT = "!\ninterface Ethernet{}/1\n   mtu 9214\n   switchport access vlan 100\n"


def site(nodes: list[str], heard: list[str], macs: bool = True, bridge: bool = False) -> Imported:
    """Nodes on ports 1 and up of a leaf, which hears those names; ``macs``: the port IDs are MAC addresses,
    else interface names."""
    objects: list[Any] = []
    table: dict[str, Any] = {}
    config = EOS
    for number, (name, system) in enumerate(zip(nodes, heard, strict=True), start=1):
        mac = f"b8:59:9f:00:00:{number:02x}"
        objects += [
            node(name, {"kind": "a"}, 8),
            node_state(name, [interface("0000:18:00.0", "ens1", 100, mac=mac)]),
        ]
        config += PORT.format(number)
        kind, ident = ("macAddress", mac) if macs else ("interfaceName", "ens1")
        table |= eos_detail(f"Ethernet{number}/1", system, kind, ident, "", bridge)
    texts = {"leaf-1.cfg.txt": config, "leaf-1.json": json.dumps({"lldpNeighbors": table})}
    return import_texts({"nodes.yaml": listed(objects), **texts}, "site")


GPUS = [f"gpu-{number}" for number in range(1, 5)]
CASES = {
    "prefix": ([f"rack7-{name}" for name in GPUS], "with the prefix rack7-: gpu-1 is rack7-gpu-1"),
    "suffix": ([f"{name}-oam.dc.example.com" for name in GPUS], "with the suffix -oam: "),
    "case": (
        [f"{name.upper()}.DC.example.com" for name in GPUS],
        "in other letters (upper and lower case): ",
    ),
    "numbers": ([f"pu-{number}" for number in range(1, 5)], "without the prefix g: gpu-1 is pu-1"),
}


@pytest.mark.parametrize("bridge", [False, True])
@pytest.mark.parametrize("macs", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_one_rule_for_all_names_is_one_note(case: str, macs: bool, bridge: bool) -> None:
    """``bridge``: a Kubernetes node may say that it forwards, and is no switch for that."""
    heard, wanted = CASES[case]
    result = site(GPUS, heard, macs, bridge)
    assert (result.conflicts, result.remarks) == ((), ())
    (note,) = result.notes
    assert note.startswith(f"LLDP has other names for gpu-[1-4], {wanted}")
    assert note.endswith(" (leaf-1.json:1)")
    assert f"# {note}" in result.text
    assert [row["hosts"] for row in data(result)["links"]] == ["gpu-[1-4]"]
    assert [*data(result)["switches"]] == ["leaf-1"]


def test_names_without_a_rule_are_joined_by_mac_address() -> None:
    names = ["alpha", "bravo", "charlie", "delta"]
    result = site(GPUS, names)
    assert (result.conflicts, result.remarks) == ((), ())
    (note,) = result.notes
    assert note.startswith("LLDP has other names for gpu-[1-4], matched by MAC address: gpu-1 is alpha (")
    without = site(GPUS, names, macs=False)
    assert without.notes == ()
    assert len(without.remarks) == 4


@pytest.mark.parametrize(
    ("heard", "notes"),
    [
        (["gpu-1", "gpu-2", "gpu-3", "server-9"], 0),
        (["x-gpu-1", "x-gpu-2", "x-gpu-3", "server-9"], 1),
        (["x-gpu-1", "x-gpu-2", "x-gpu-4", "x-gpu-3"], 1),
    ],
)
def test_only_names_that_break_the_rule_are_contradictions(heard: list[str], notes: int) -> None:
    """The last two swapped: the MAC addresses say other nodes than the rule."""
    result = site(GPUS, heard)
    assert len(result.notes) == notes
    swapped = heard[3] == "x-gpu-3"
    assert len(result.conflicts) == (2 if swapped else 1)
    assert all(", name: gpu-" in str(conflict) for conflict in result.conflicts)


def test_equal_names_need_no_note() -> None:
    for heard in (GPUS, [f"{name}.example.com" for name in GPUS]):
        result = site(GPUS, heard)
        assert (result.notes, result.conflicts, result.remarks) == ((), (), ())


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (["1001", "1002", "1003"], ["1[001-003]"]),
        (["8", "9", "10", "11"], ["8", "9", "1[0-1]"]),
        (["1a-1", "1a-2"], ["1a-[1-2]"]),
    ],
)
def test_no_name_of_the_inventory_begins_with_a_range(names: list[str], written: list[str]) -> None:
    result = site(names, names)
    found = data(result)
    assert sorted(found["hosts"]) == sorted(written)
    assert sorted(row["hosts"] for row in found["links"]) == sorted(written)
    pattern = re.compile(schema_at("hosts")["propertyNames"]["pattern"])
    assert all(pattern.fullmatch(name) for name in written)


TRUNK = (
    "!\ninterface Ethernet9/1\n   mtu 9214\n   switchport mode trunk\n   switchport trunk allowed vlan {}\n"
)
BEHIND = {
    "routed": ("!\ninterface Ethernet9/1\n   mtu 9214\n   no switchport\n", False),
    "access": (PORT.format(9), True),
    "trunk": (TRUNK.format("10,20"), True),
    "trunk with a native VLAN": (TRUNK.format("10,20") + "   switchport trunk native vlan 20\n", True),
    "trunk of some VLANs of hosts": (TRUNK.format("10,100"), True),
    "trunk of all VLANs of hosts": (TRUNK.format("10,100-101"), False),
}


@pytest.mark.parametrize("case", BEHIND)
def test_a_switch_behind_a_port_in_vlans_is_none_of_the_fabric(case: str) -> None:
    """Such as the switch of the BMCs: it has no dump, and a routed port, or a trunk with the VLANs of the
    hosts, would make it a spine."""
    port, apart = BEHIND[case]
    heard = {
        **eos_detail("Ethernet9/1", "bmc-sw-1", "interfaceName", "Gi0/1", "", True),
        **eos_detail("Ethernet1/1", "gpu-1", "interfaceName", "ens1", "", False),
        **eos_detail("Ethernet2/1", "gpu-1", "interfaceName", "ens2", "", False),
    }
    hosts = PORT.format(1) + PORT.format(2).replace("100", "101")
    cards = [interface("0000:18:00.0", "ens1", 100), interface("0000:29:00.0", "ens2", 100)]
    nodes = listed([node("gpu-1", {"kind": "a"}, 8), node_state("gpu-1", cards)])
    texts = {"nodes.yaml": nodes, "leaf-1.cfg.txt": EOS + hosts + port}
    result = import_texts({**texts, "leaf-1.json": json.dumps({"lldpNeighbors": heard})}, "site")
    assert (("bmc-sw-1",) in result.site.every("switch")) is not apart
    beside = ("of no rail and no network", "no MTU stated")
    told = [remark.text for remark in result.remarks if not any(part in remark.text for part in beside)]
    assert told == (
        ["leaf-1 Ethernet9/1 has bmc-sw-1 Gi0/1, which is neither a card nor a switch in the dumps"]
        if apart
        else []
    )


def test_a_name_of_thousands_of_digits_is_a_name_without_a_number() -> None:
    """More than Python turns into a number."""
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "9" * 5000}},
        "PORT": {"Ethernet0": {"lanes": "0"}},
    }
    assert "switches:" in import_texts({"leaf.json": json.dumps(tables)}, "site").text
