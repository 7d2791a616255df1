"""``netplan import``: a port of which a record has the cable to a card hears something that no dump has."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_fabric import neighbour

HOSTS = [f"gpu-{number}" for number in range(1, 5)]


def site(heard: dict[str, str]) -> Imported:
    """Hosts on the ports of leaf-1, as the table has them. ``heard``: port -> host."""
    objects = [each for name in HOSTS for each in (node(name, {"k": "a"}, 8), state(name))]
    rows = [f"leaf-1,swp{n},host,{name},x,ens0,5" for n, name in enumerate(HOSTS, 1)]
    lldp = [{port: neighbour(name, "ens0", capability=[])} for port, name in heard.items()]
    return import_texts(
        {
            "k.yaml": listed(objects),
            "cables.csv": "\n".join(["switch,port,peer_kind,peer,peer_port,netdev,cable_m", *rows, ""]),
            "leaf-1.lldp.json": json.dumps({"lldp": {"interface": lldp}}),
        },
        "site",
    )


def state(name: str) -> dict[str, object]:
    return node_state(name, [interface("0000:18:00.0", "ens0", 100)])


def test_a_host_of_no_dump_on_a_recorded_port_is_a_contradiction() -> None:
    result = site({"swp1": "gpu-1", "swp2": "gpu-9"})
    (told,) = map(str, result.conflicts)
    assert told == (
        "port leaf-1 swp2, peer: card, gpu-2, 0000:18:00.0 (cables.csv:3)"
        " or card, gpu-9, ens0 (leaf-1.lldp.json:1)"
    )
    (open_end,) = [each for each in data(result)["links"] if each["ports"] == "swp2"]
    assert open_end["hosts"] == open_end["hca"] == "TODO"


@pytest.mark.parametrize(
    "heard",
    [
        {"swp1": "gpu-1"},
        {"swp1": "gpu-1", "swp5": "gpu-9"},
        {f"swp{n}": f"dpu-{9 * n}" for n in (1, 2, 4)},
    ],
)
def test_other_neighbours_contradict_no_record(heard: dict[str, str]) -> None:
    """Those that the record does not have, and where none of the cards is heard: agents of DPUs."""
    assert site(heard).conflicts == ()


def live(heard: dict[str, str]) -> list[str]:
    """Contradictions where the hosts hear the ports, and no table has them. ``heard``: by the switch."""
    texts = dict(site(heard).texts)
    del texts["cables.csv"]
    for number, name in enumerate(HOSTS, 1):
        lldp = {"interface": [{"ens0": neighbour("leaf-1", f"swp{number}")}]}
        texts[f"{name}.lldp.json"] = json.dumps({"lldp": lldp})
    return [str(each) for each in import_texts(texts, "site").conflicts]


@pytest.mark.parametrize("heard", [{"swp2": "gpu-9"}, {"swp1": "gpu-1", "swp2": "gpu-9"}])
def test_two_ends_that_hear_otherwise_contradict_each_other(heard: dict[str, str]) -> None:
    (told,) = live(heard)
    assert told.startswith("port leaf-1 swp2, peer: card, gpu-2, 0000:18:00.0 (gpu-2.lldp.json:1)")
    assert told.endswith(" or card, gpu-9, ens0 (leaf-1.lldp.json:1)")


@pytest.mark.parametrize("heard", [{"swp2": "gpu-2"}, {f"swp{n}": f"dpu-{9 * n}" for n in (1, 2, 4)}])
def test_ends_that_agree_and_agents_of_dpus_on_most_ports_contradict_nothing(heard: dict[str, str]) -> None:
    assert live(heard) == []
