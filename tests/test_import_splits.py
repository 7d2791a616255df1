"""Physical ports that a switch splits: the parts' speed is held against the cards and the other end of the
cable, and a split that netplan would write otherwise is told."""

from __future__ import annotations

import json

import pytest

from netplan.importing.joining.join import join
from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.inventories import text_of


def nvue(split: str, *lines: str, model: str = "SN5600") -> str:
    head = f"- header:\n    model: {model}\n    version: Cumulus Linux 5.11.1\n- set:\n    interface:\n"
    whole = f"      swp1:\n        link:\n          breakout:\n            {split}\n"
    parts = "".join(f"      swp1s{n}:\n        link:\n          mtu: 9216\n" for n in (0, 1))
    return head + whole + parts + "".join(lines) + "    system:\n      hostname: leaf-1\n"


COMMANDS = """\
nv set interface swp1 link breakout 4x200G
nv set interface swp1s0 link mtu 9216
nv set system hostname leaf-1
"""
FLOW = [
    {"header": {"model": "SN5600"}},
    {
        "set": {
            "system": {"hostname": "leaf-1"},
            "interface": {
                "swp1": {"link": {"breakout": {"4x200G": {}}}},
                "swp1s0": {"link": {"mtu": 9216}},
            },
        }
    },
]
NXOS = """\
!Command: show running-config
version 10.4(3)
hostname leaf-1
interface breakout module 1 port 1-2 map 200g-4x
interface Ethernet1/1/1
  mtu 9216
"""
JUNOS = """\
set version 23.4R2
set system host-name leaf-1
set interfaces et-0/0/1 number-of-sub-ports 4
set interfaces et-0/0/1 speed 200g
set interfaces et-0/0/1:0 mtu 9216
"""
CHASSIS = """\
set version 23.4R2
set system host-name leaf-1
set chassis fpc 0 pic 0 port 1 number-of-sub-ports 4
set chassis fpc 0 pic 0 port 1 speed 200g
set interfaces et-0/0/1:0 mtu 9216
"""
EOS = """\
! Command: show running-config
! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)
hostname leaf-1
interface Ethernet1/1
   speed 200g-2
interface Ethernet1/5
   speed 200g-2
"""


def cabled(text: str, *ports: str, file: str = "leaf-1.cfg") -> Imported:
    """Hosts with a card of 400 Gbit/s on ports of a leaf, and the leaf's configuration."""
    objects, rows = [], ["switch,port,peer_kind,peer,peer_port"]
    for number, port in enumerate(ports, 1):
        name = f"gpu-{number}"
        objects += [node(name, {"a": "b"}, 8), node_state(name, [interface("0000:18:00.0", "ens1", 400)])]
        rows.append(f"leaf-1,{port},host,{name},ens1")
    return import_texts({"x.yaml": listed(objects), "cables.csv": "\n".join(rows) + "\n", file: text})


def clashes(result: Imported) -> list[str]:
    return [str(each) for each in result.conflicts if "Gbit/s" in str(each)]


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.remarks if "breakout" in each.text]


@pytest.mark.parametrize(
    ("text", "port", "line"),
    [
        (nvue("4x200G: {}"), "swp1s0", 9),
        (COMMANDS, "swp1s0", 1),
        (json.dumps(FLOW, indent=1), "swp1s0", 16),
        (NXOS, "Ethernet1/1/1", 4),
        (JUNOS, "et-0/0/1:0", 3),
        (CHASSIS, "et-0/0/1:0", 3),
    ],
)
def test_a_part_is_slower_than_its_card(text: str, port: str, line: int) -> None:
    result = cabled(text, port)
    (clash,) = clashes(result)
    assert clash.startswith("gpu-1 ens1 runs at 400 Gbit/s (x.yaml:")
    assert clash.endswith(f"; leaf-1 {port}, its port, is set to 200 Gbit/s (leaf-1.cfg:{line})")
    (line_told,) = told(result)
    parent = port.partition("s0")[0] if port.startswith("swp") else port[: -len("/1")]
    why = "netplan writes 2x, the smallest with all cabled parts"
    assert line_told == f"leaf-1.cfg:{line}: leaf-1 {parent} breakout 4x200G: {why}"


@pytest.mark.parametrize(
    ("split", "model", "said"),
    [
        ("4x: {}", "SN5600", "leaf-1 swp1s0, its port, has breakout 4x (leaf-1.cfg:9), at most 200 Gbit/s"),
        (
            "4x:\n              lanes-per-port: 2",
            "SN5600",
            "has breakout 4x (leaf-1.cfg:9), at most 200 Gbit/s",
        ),
        ("2x: {}", "SN5600", ""),
        ("4x: {}", "SN9999", ""),  # its speed is not known
    ],
)
def test_a_split_without_a_speed_has_the_share_of_the_port(split: str, model: str, said: str) -> None:
    found = clashes(cabled(nvue(split, model=model), "swp1s0", "swp1s1"))
    assert [said in each for each in found] == [True] * bool(said)


def test_a_speed_of_the_part_goes_before_that_of_the_split() -> None:
    text = nvue("4x200G: {}").replace("mtu: 9216", "speed: 400G", 1)
    assert clashes(cabled(text, "swp1s0")) == []


@pytest.mark.parametrize(
    ("text", "ports", "splits"),
    [
        (nvue("2x400G: {}"), ("swp1s0",), ""),
        (nvue("4x200G: {}"), ("swp1s0", "swp1s3"), ""),
        (nvue("4x200G: {}"), (), ""),
        (nvue("8x100G: {}"), ("swp1s0", "swp1s2"), "leaf-1 swp1 breakout 8x100G: netplan writes 4x"),
        (EOS, ("Ethernet1/1", "Ethernet1/5"), "leaf-1 Ethernet1 breakout 4x200G: netplan writes 2x"),
        (EOS, ("Ethernet1/1",), "leaf-1 Ethernet1 breakout 4x200G: netplan writes no breakout"),
        (EOS, ("Ethernet1/1", "Ethernet1/3"), "leaf-1 Ethernet1 breakout 4x200G: netplan writes no breakout"),
    ],
)
def test_the_parts_that_have_cables_are_the_split(text: str, ports: tuple[str, ...], splits: str) -> None:
    found = told(cabled(text, *ports))
    assert [splits in each for each in found] == [True] * bool(splits)


def test_config_db_states_the_split() -> None:
    """netplan leaves the split to SONiC: its speed is that of PORT, and only the inventory may differ."""
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "ACS-MSN2700"}},
        "PORT": {"Ethernet0": {"lanes": "0", "speed": "25000"}},
        "BREAKOUT_CFG": {"Ethernet0": {"brkout_mode": "4x25G[10G]"}, "Ethernet4": {"brkout_mode": "1x100G"},
                         "Ethernet8": {"brkout_mode": "2x50G(2)+1x25G(1)"}},
    }  # fmt: skip
    site = cabled(json.dumps(tables), "Ethernet0", file="leaf-1.json").site
    splits = [(of, site.said("port", of, "split")) for of in site.every("port")]
    assert [(of, said.value) for of, said in splits if said is not None] == [
        (("leaf-1", "Ethernet0"), "4x25G")
    ]


def test_a_split_that_the_inventory_has_otherwise() -> None:
    inventory = text_of("superpod-h100")
    result = compile_texts({"site.yaml": inventory}, upto="plan")
    assert result.fabric is not None
    assert result.document is not None
    assert result.plan is not None
    leaf = next(each for each in result.plan.switches if each.breakouts)
    port = leaf.breakouts[0]
    lines = [
        f"nv set interface {port.name} link breakout {port.parts * 2}x",
        f"nv set system hostname {leaf.name}",
    ]
    imported = import_texts(
        {"a.txt": "\n".join([*lines, f"nv set interface {port.name}s0 link mtu 9216", ""])}
    )
    changes = [str(each) for each in join(imported, result.fabric, result.document, result.plan).changes]
    what = f"breakout: {port.parts}x{port.part_gbps}G (planned) or {port.parts * 2}x (a.txt:1)"
    assert f"{leaf.name} {port.name}: {what}" in changes
