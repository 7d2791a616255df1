"""``netplan import --into``: the cable of a card that a host has lost is still that of the inventory."""

from __future__ import annotations

import json

import yaml

from tests.test_import_into import SITE, dumps, into, said


def without_card(netdev: str) -> dict[str, str]:
    """Neither the state nor the NIC operator has the card of gpu-003; its leaf still hears it."""
    texts = dict(dumps())
    states = json.loads(texts["states.json"])
    for state in states["items"]:
        if state["metadata"]["name"] == "gpu-003":
            cards = state["status"]["interfaces"]
            state["status"]["interfaces"] = [card for card in cards if card["name"] != netdev]
    devices = yaml.safe_load(texts["nicdevices.yaml"])["items"]
    nics = [each for each in devices if "gpu-003" not in json.dumps(each) or netdev not in json.dumps(each)]
    texts["nicdevices.yaml"] = yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": nics})
    return {**texts, "states.json": json.dumps(states, indent=1)}


def test_a_lost_card_is_told_and_its_cable_does_not_differ() -> None:
    found = into(SITE, without_card("ens1f0"))
    assert [row for row in said(found, "differs") if "cable" in row] == []
    (row,) = [row for row in said(found, "gone") if "gpu-003" in row]
    assert row.startswith("gpu-003 roce0: no card of the dumps matches it (site.yaml:")
