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
    return [f"{name} {row['use']}" for name, row in kind["hcas"].items() if "use" in row]


@pytest.mark.parametrize("heard", [{}, {"eno0": "tor-a"}])
def test_they_are_of_the_front_end(heard: dict[str, str]) -> None:
    """Whether a switch is heard on them that no dump is of, or none."""
    assert hcas(heard) == ["roce[0-1] pf", "front-end2 front-end", "front-end3 front-end"]


@pytest.mark.parametrize(
    "case",
    [
        {"leaf": False},
        {"front_gbps": 200, "device": "101b"},
        {"heard": {"eno0": "leaf-1", "eno1": "leaf-2"}},
    ],
)
def test_others_have_proposed_rails(case: dict[str, Any]) -> None:
    """Beside leaves that no dump is of, faster, or on a leaf."""
    assert hcas(**{"heard": {}, **case}) == ["roce[0-3] pf"]


@pytest.mark.parametrize(
    "case", [{"front_gbps": 100}, {"device": "1017"}, {"device": "1017", "front_gbps": 100}]
)
def test_cards_like_those_on_the_leaves_are_asked_for(case: dict[str, Any]) -> None:
    """As fast as those on the leaves, or of their model, without a cable on any host: storage, or a rail."""
    assert hcas(**{"heard": {}, **case}) == ["roce[0-1] pf", "front-end2 TODO", "front-end3 TODO"]


def by_addresses(far: str = "10.64.0.1") -> Any:
    """A host with an address on its card, and a leaf with the other one of the /31, without LLDP."""
    cards = [interface(RAILS[0], "ens0", 100), interface(FRONT[0], "eno0", 25, device="101f")]
    own: dict[str, Any] = {"ifindex": 2, "ifname": "ens0", "mtu": 9000, "link_type": "ether"}
    own["addr_info"] = [{"family": "inet", "local": far, "prefixlen": 31, "scope": "global"}]
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1", "hwsku": "ACS-MSN2700"}},
        "PORT": {"Ethernet8": {"speed": "100000"}},
        "INTERFACE": {"Ethernet8": {}, "Ethernet8|10.64.0.0/31": {}},
    }
    objects = listed([node("gpu-1", {"a": "b"}, 8), node_state("gpu-1", cards)])
    texts = {"x.yaml": objects, "gpu-1/ip-addr.json": json.dumps([own]), "leaf-1.json": json.dumps(tables)}
    return import_texts(texts, "site")


def test_the_two_ends_of_a_link_network_are_a_cable_of_a_card() -> None:
    result = by_addresses()
    (link,) = data(result)["links"]
    assert (link["hosts"], link["switch"], link["ports"]) == ("gpu-1", "leaf-1", "Ethernet8")
    assert data(result)["switches"]["leaf-1"]["role"] == "leaf"
    assert data(result)["rails"]["count"] == 1
    assert "from the network 10.64.0.0/31 on both ports, in no neighbour table; leaf-1.json:" in result.text


@pytest.mark.parametrize("far", ["10.64.0.0", "10.64.0.3"])
def test_equal_addresses_and_other_networks_are_no_cable(far: str) -> None:
    assert "links" not in data(by_addresses(far))
