"""``check-live``: NX-OS and Cumulus hear SONiC switches, whose port ID is an alias and whose description is
the port's name (sonic-net/sonic-buildimage 676ac5e7 dockers/docker-lldp/lldpmgrd)."""

from __future__ import annotations

import re

import pytest

from netplan.diagnostics import Source
from netplan.importing.lldp import Neighbour
from netplan.live.far_ends import FarEnds
from tests.test_check_live_json import live, outputs, plan, told

NEIGHBOURS = {
    "leaf-5-lldp.json": (r'"port_id": "(Ethernet[0-9]+)"', '"port_id": "{}", "port_desc": "{}"'),
    "leaf-2-lldp.json": (r'"name": "(Ethernet[0-9]+)"', '"name": "{}", "description": "{}"'),
}
"""File -> the ID of a SONiC port, and what takes its place."""


def heard(file: str, alias: str, description: str) -> str:
    """Both with the port's name as ``{}``."""
    shape, form = NEIGHBOURS[file]
    text = outputs(file[:6])[file]
    return re.sub(shape, lambda port: form.format(alias.format(port[1]), description.format(port[1])), text)


@pytest.mark.parametrize("file", NEIGHBOURS)
@pytest.mark.parametrize("alias", ["etp9", "Ethernet9", "{}"])
def test_the_description_of_a_sonic_port_is_its_name(file: str, alias: str) -> None:
    found = live({file: heard(file, alias, "{}")})
    assert found.wrong == ()
    assert {one.claim.kind for one in found.not_seen}.isdisjoint({"lldp"})
    other = live({file: heard(file, alias, "Ethernet200")})
    assert [line.partition(", ")[2] for line in told(other)] == [
        *["spine-1 Ethernet200"] * 2,
        *["spine-2 Ethernet200"] * 2,
    ]


@pytest.mark.parametrize("file", NEIGHBOURS)
def test_a_sonic_port_with_an_alias_and_a_free_text_is_not_seen(file: str) -> None:
    found = live({file: heard(file, "etp9", "to the leaf")})
    assert found.wrong == ()
    assert len([one for one in found.not_seen if one.claim.kind == "lldp"]) == 4


def test_the_description_of_any_other_port_is_free_text() -> None:
    one = Neighbour("1", "leaf-5", ("Eth1/9",), True, Source("x", 1, 1), description="Eth1/17")
    assert FarEnds(plan()).names(one) == ("Eth1/9",)
