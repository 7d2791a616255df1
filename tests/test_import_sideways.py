"""``netplan import``: cables between two leaves, as of a pair with MLAG, are told and not taken."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

PCI = ("0000:18:00.0", "0000:3b:00.0")
UP = ["leaf-1,swp60,switch,spine-1,swp1,,", "leaf-2,swp60,switch,spine-1,swp2,,"]
PEER = "leaf-1,swp50,switch,leaf-2,swp50,,"
LAGS = "nv set system hostname {}\nnv set interface swp50 link mtu 9216\n{}"


def site(*switches: str, lag: bool = False) -> Imported:
    """Two hosts on both leaves. ``switches``: rows between switches."""
    rows = ["switch,port,peer_kind,peer,peer_port,netdev,cable_m", *switches]
    objects = []
    for number in (1, 2):
        name = f"gpu-{number}"
        objects += [node(name, {"k": "a"}, 8)]
        objects += [node_state(name, [interface(pci, f"ens{n}", 100) for n, pci in enumerate(PCI)])]
        rows += [f"leaf-{n + 1},swp{number},host,{name},x,ens{n},5" for n in range(2)]
    texts = {"k.yaml": listed(objects), "cables.csv": "\n".join(rows) + "\n"}
    for leaf in ("leaf-1", "leaf-2"):
        own = "nv set interface peerlink bond member swp50\n" if lag else ""
        texts[f"{leaf}.txt"] = LAGS.format(
            leaf, "".join(f"nv set interface swp{n} link mtu 9216\n" for n in (1, 2, 60)) + own
        )
    return import_texts(texts, "site")


def between(result: Imported) -> list[str]:
    return [f"{each['switches']} {each['to']}" for each in data(result)["links"] if "to" in each]


@pytest.mark.parametrize("lag", [False, True])
def test_a_cable_between_two_leaves_below_spines_is_told(lag: bool) -> None:
    result = site(*UP, PEER, lag=lag)
    assert between(result) == ["leaf-[1-2] spine-1"]
    (told,) = [each.text for each in result.remarks if "between two leaves" in each.text]
    assert told == (
        "leaf-1 swp50 to leaf-2 swp50: a cable between two leaves is not taken,"
        " those of an inventory lead up to spines"
    )


@pytest.mark.parametrize(("lag", "left"), [(False, ["leaf-1 leaf-2"]), (True, [])])
def test_without_a_spine_only_ports_of_a_lag_show_that_neither_is_one(lag: bool, left: list[str]) -> None:
    """A spine may have hosts of its own, such as storage."""
    assert between(site(PEER, lag=lag)) == left


def test_a_cable_between_two_spines_is_told() -> None:
    spines = ["leaf-1,swp60,switch,spine-1,swp1,,", "leaf-2,swp60,switch,spine-2,swp2,,"]
    result = site(*spines, "spine-1,swp50,switch,spine-2,swp50,,")
    assert between(result) == ["leaf-1 spine-1", "leaf-2 spine-2"]
    (told,) = [each.text for each in result.remarks if "between two" in each.text]
    assert told == (
        "spine-1 swp50 to spine-2 swp50: a cable between two spines is not taken,"
        " those of an inventory lead up to spines"
    )


def test_a_cable_to_a_third_tier_is_none_between_two_spines() -> None:
    result = site(*UP, "spine-1,swp50,switch,core-1,swp1,,")
    assert between(result) == ["core-1 spine-1", "leaf-[1-2] spine-1"]
