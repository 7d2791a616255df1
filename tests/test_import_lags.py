"""``netplan import``: rails whose leaf ports are in LAGs, to hosts with LACP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines
from tests.test_import_leaves import PAIRS, site


def bundled(move: str = "") -> Imported:
    """Each port in a LAG, which has the VLAN in its place. ``move``: the number of leaf-1's VLANs and
    addresses elsewhere."""
    texts = dict(site(PAIRS).texts)
    for name in ("leaf-1.db.json", "leaf-2.db.json"):
        tables: dict[str, Any] = json.loads(texts[name])
        members = [key.split("|") for key in tables["VLAN_MEMBER"]]
        lags = {port: f"PortChannel{number}" for number, (_, port) in enumerate(members)}
        tables["PORTCHANNEL_MEMBER"] = {f"{lag}|{port}": {} for port, lag in lags.items()}
        tables["VLAN_MEMBER"] = {f"{vlan}|{lags[port]}": {} for vlan, port in members}
        text = json.dumps(tables, indent=1)
        texts[name] = text.replace("10.1.", f"{move}.") if move else text
    return import_texts(texts, "site")


def test_the_vlan_of_a_rail_in_lags_is_asked_with_a_port() -> None:
    result = bundled()
    assert data(result)["rails"]["vlan_ids"] == "TODO"
    (line,) = [each for each in result.text.splitlines() if each.startswith("  vlan_ids")]
    assert "rail 0: leaf-1 Ethernet0 is in a LAG (leaf-1.db.json:" in line
    assert refused(result.text) >= set(todo_lines(result.text))


def test_the_gateways_of_a_rail_in_lags_are_the_leaves() -> None:
    """No port has the rail's VLAN, but a VLAN interface has the gateway of the rail's pool."""
    rails = data(bundled())["rails"]
    assert (rails["supernets"], rails["gateway"]) == (["10.1.0.0/21"], "first")
    assert "gateway_owner" not in rails


@pytest.mark.parametrize(("move", "owner"), [("10.1.", None), ("10.9", "external")])
def test_gateways_are_external_where_no_vlan_interface_is_in_their_subnets(
    move: str, owner: str | None
) -> None:
    rails = data(bundled(move.rstrip(".")))["rails"]
    assert rails.get("gateway_owner") == owner


def test_a_gateway_beside_a_vlan_interface_of_its_subnet_is_asked_for() -> None:
    """The leaves have .2, the pools say .1."""
    texts = dict(bundled().texts)
    moved = {name: text.replace(".1/24", ".2/24") for name, text in texts.items() if ".db." in name}
    result = import_texts({**texts, **moved}, "site")
    assert "gateway_owner: TODO # TODO: leaf or external; leaf-1 has 10.1.0.2/24 on VLAN 100" in result.text


def test_a_vlan_interface_in_another_network_than_the_pool_is_a_contradiction() -> None:
    texts = dict(site(PAIRS).texts)
    texts["leaf-1.db.json"] = texts["leaf-1.db.json"].replace("10.1.0.1/24", "10.1.0.1/23")
    (told,) = [str(each) for each in import_texts(texts, "site").conflicts if "gateway" in str(each)]
    assert told.startswith("leaf-1 VLAN 100 has 10.1.0.1/23 (leaf-1.db.json:")
    assert "; pool p0-1, whose gateway that is, has 10.1.0.0/24 (k.yaml:" in told
    assert site(PAIRS).conflicts == ()
