"""``netplan import`` of hosts and switches whose names an inventory cannot have: capitals and underscores."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.test_import import data, refused, todo_lines

NOTE = "names of an inventory are in lower case, with hyphens: "


def renamed(*pairs: tuple[str, str], site: Bare | None = None) -> Imported:
    """The site with other names in texts and names of files."""
    texts = (site or Bare()).texts()
    for old, new in pairs:
        texts = {name.replace(old, new): text.replace(old, new) for name, text in texts.items()}
    return import_texts(texts, "site")


def notes(result: Imported) -> list[str]:
    return [note for note in result.notes if note.startswith(NOTE)]


def test_a_site_in_lower_case_has_no_note() -> None:
    assert notes(Bare().imported()) == []


@pytest.mark.parametrize("pair", [("leaf-", "LEAF_"), ("leaf-", "Leaf-"), ("gpu-", "GPU-"), ("gpu-", "Gpu_")])
def test_the_inventory_is_that_of_the_site_in_lower_case(pair: tuple[str, str]) -> None:
    result, plain = renamed(pair), Bare().imported()
    assert {**data(result), "host_types": 0} == {**data(plain), "host_types": 0}
    old, new = pair
    assert notes(result) == [f"{NOTE}{', '.join(f'{new}{n} is {old}{n}' for n in range(1, 5))}"]
    assert set(todo_lines(result.text)) == refused(result.text)


def test_files_that_differ_in_case_alone_are_of_one_host() -> None:
    texts = Bare().texts()
    texts["GPU-1.topo.txt"] = texts.pop("gpu-1.topo.txt")
    result = import_texts(texts, "site")
    assert data(result)["hosts"] == data(Bare().imported())["hosts"]
    assert notes(result) == [f"{NOTE}GPU-1 is gpu-1"]


def test_two_names_that_would_be_one_are_left() -> None:
    site = Bare(rails=2)
    site.leaves["leaf_1"] = site.leaves.pop("leaf-2")
    site.leaves["leaf_1"]["DEVICE_METADATA"]["localhost"]["hostname"] = "leaf_1"
    result = site.imported()
    assert {"leaf-1", "leaf_1"} <= data(result)["switches"].keys()
    assert notes(result) == []


def test_a_switch_that_only_its_neighbours_name() -> None:
    site, texts = Bare(), dict[str, str]()
    for rail in range(4):
        text = "LLDP neighbors:\nInterface:    Ethernet128, via: LLDP\n"
        text += "  Chassis:\n    ChassisID:    mac 00:00:00:00:00:01\n"
        text += "    SysName:      SPINE_1.dc.example\n    Capability:   Bridge, on\n"
        text += f"  Port:\n    PortID:       ifname Ethernet{8 * rail}\n"
        site.leaves[f"leaf-{rail + 1}"]["PORT"]["Ethernet128"] = {"speed": "400000", "mtu": "9216"}
        texts[f"leaf-{rail + 1}.lldp.txt"] = text
    result = import_texts({**site.texts(), **texts}, "site")
    assert any("spine-1" in name for name in data(result)["switches"])
    assert len(notes(result)) == 1


def test_a_record_that_writes_the_name_otherwise_is_of_the_same_switch() -> None:
    site = Bare()
    table = "switch,port,peer_kind,peer,peer_port,cable_m\n"
    table += "".join(f"LEAF-1,Ethernet{8 * n},host,gpu-{n + 1},ens18np0,7\n" for n in range(4))
    result = import_texts({**site.texts(), "cables.csv": table}, "site")
    assert (result.conflicts, [*data(result)["switches"]]) == ((), ["leaf-[1-4]"])
    assert data(result)["links"][0]["cable_m"] == 7
    assert json.dumps(data(result)).count("LEAF") == 0
