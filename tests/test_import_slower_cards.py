"""``netplan import`` of hosts without VFs: slower cards without a cable, beside those on the leaves, are no
rails."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_fabric import neighbour

RAILS = ("0000:18:00.0", "0000:9a:00.0")
FRONT = ("0000:2a:00.0", "0000:2a:00.1")


def hcas(heard: dict[str, str], front_gbps: int = 25, device: str = "101f", leaf: bool = True) -> list[str]:
    """Names of the HCAs of two hosts. ``leaf``: with its configuration; ``heard``: netdev -> switch."""
    objects: list[Any] = []
    ports = {f"ens{rail}": f"Ethernet{8 * rail}" for rail in range(2)}
    texts = {}
    for name in ("gpu-1", "gpu-2"):
        cards = [interface(pci, f"ens{rail}", 100) for rail, pci in enumerate(RAILS)]
        cards += [interface(pci, f"eno{n}", front_gbps, device=device) for n, pci in enumerate(FRONT)]
        objects += [node(name, {"a": "b"}, 8), node_state(name, cards)]
        seen = [{card: neighbour(f"leaf-{name[-1]}", port)} for card, port in ports.items()]
        seen += [{card: neighbour(switch, f"Ethernet{name[-1]}")} for card, switch in heard.items()]
        texts[f"{name}.lldp.json"] = json.dumps({"lldp": {"interface": seen}})
        if leaf:
            metadata = {"localhost": {"hostname": f"leaf-{name[-1]}", "hwsku": "ACS-MSN2700"}}
            own = {port: {"speed": "100000"} for port in (*ports.values(), "Ethernet1", "Ethernet2")}
            tables = {"DEVICE_METADATA": metadata, "PORT": own}
            texts[f"leaf-{name[-1]}.json"] = json.dumps(tables)
    result = import_texts({"x.yaml": listed(objects), **texts}, "site")
    (kind,) = data(result)["host_types"].values()
    return [name for name, row in kind["hcas"].items() if "use" in row]


@pytest.mark.parametrize("heard", [{}, {"eno0": "tor-a"}])
def test_they_are_of_the_front_end(heard: dict[str, str]) -> None:
    """Whether a switch is heard on them that no dump is of, or none."""
    assert hcas(heard) == ["roce[0-1]", "front-end2", "front-end3"]


@pytest.mark.parametrize(
    "case",
    [
        {"front_gbps": 100},
        {"device": "1017"},
        {"leaf": False},
        {"heard": {"eno0": "leaf-1", "eno1": "leaf-2"}},
    ],
)
def test_others_have_proposed_rails(case: dict[str, Any]) -> None:
    """As fast as those on the leaves, of their model, beside leaves that no dump is of, or on a leaf."""
    assert hcas(**{"heard": {}, **case}) == ["roce[0-3]"]
