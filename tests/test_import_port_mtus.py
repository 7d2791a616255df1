"""``netplan import``: ports that state no MTU have that of their NOS, which an inventory replaces."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, line_of, refused
from tests.test_import_rewritten import imported, leaf
from tests.test_import_text import running

ASKED = "TODO: MTU of the ports; without the key netplan plans 9216; no port of {} states one"


def port_mtu(result: Imported) -> Any:
    (kind,) = data(result)["switch_types"].values()
    return kind.get("port_mtu")


@pytest.mark.parametrize("switch", ["leaf-4", "leaf-5", "leaf-6"])
def test_a_switch_whose_ports_state_none_is_asked(switch: str) -> None:
    text = re.sub(r"(?m)^(?:set interfaces (?:et-\S+|irb) | +)mtu [0-9]+\n", "", running(switch))
    result = import_texts({"leaf.txt": text}, "site")
    assert port_mtu(result) == "TODO"
    assert ASKED.format(switch) in result.text
    assert line_of(result.text, "port_mtu: ") in refused(result.text)


def test_a_sonic_switch_whose_ports_state_none_is_asked() -> None:
    tables = leaf()
    for port in tables["PORT"].values():
        del port["mtu"]
    assert port_mtu(imported(tables)) == "TODO"


def test_ports_of_cumulus_have_the_mtu_that_it_ships() -> None:
    text = re.sub(r'(?m)^ *"mtu": [0-9]+,?\n', "", running("leaf-2"))
    result = import_texts({"leaf.json": re.sub(r",(\s*\})", r"\1", text)}, "site")
    assert port_mtu(result) == 9216
    assert "no port of leaf-2 states one: as cumulus-nvue ships it" in result.text


def test_a_switch_of_which_only_neighbours_tell_is_not_asked() -> None:
    tables = leaf(DEVICE_NEIGHBOR={"Ethernet0": {"name": "spine-1", "port": "Ethernet4"}})
    kinds = data(imported(tables))["switch_types"]
    assert "port_mtu" not in kinds.get("unknown", {})


def test_a_cabled_port_without_one_beside_others_is_told() -> None:
    near, far = leaf(), leaf("spine-1")
    del near["PORT"]["Ethernet4"]["mtu"]
    near["DEVICE_NEIGHBOR"] = {"Ethernet4": {"name": "spine-1", "port": "Ethernet0"}}
    (told,) = (remark.text for remark in imported(near, far).remarks if "MTU" in remark.text)
    assert told == "no MTU stated on leaf-1 Ethernet4: port_mtu is 9216, for all ports of the switch"
