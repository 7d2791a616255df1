"""``netplan import``: devices beyond the fabric on routed ports of leaves, switches that no dump is of."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_front_ends import heard
from tests.test_import_seen_switches import FOOT, HEAD, row
from tests.test_import_tiers import line as line_with
from tests.test_import_tiers import link

PORT = "Ethernet160"
DEVICE = row(PORT, "fw-1", "ethernet1/21", "R", "to the border")


def fabric(rails: int = 4) -> Bare:
    """Four leaves and two spines in AS 65000, with sessions over each uplink."""
    site = Bare(rails=rails)
    for leaf in range(1, 5):
        name = f"leaf-{leaf}"
        for spine in (1, 2):
            port, far = f"Ethernet{120 + 8 * spine}", f"Ethernet{8 * leaf}"
            link(site, name, port, f"spine-{spine}", far)
            low = 4 * (leaf - 1) + 2 * (spine - 1)
            address(site, name, port, f"172.31.0.{low}/31", f"172.31.0.{low + 1}", 65000)
            address(site, f"spine-{spine}", far, f"172.31.0.{low + 1}/31", f"172.31.0.{low}", 65100 + leaf)
        own(site, name, 65100 + leaf, f"172.31.255.{leaf}")
    for spine in (1, 2):
        own(site, f"spine-{spine}", 65000, f"172.31.255.{100 + spine}")
    return site


def own(site: Bare, name: str, asn: int, loopback: str) -> None:
    site.leaves[name]["DEVICE_METADATA"]["localhost"]["bgp_asn"] = str(asn)
    site.leaves[name]["LOOPBACK_INTERFACE"] = {f"Loopback0|{loopback}/32": {}}


def address(site: Bare, name: str, port: str, at: str, far: str, asn: int | None) -> None:
    tables: dict[str, Any] = site.leaves[name]
    tables["PORT"].setdefault(port, {"speed": "400000", "mtu": "9216"})
    tables.setdefault("INTERFACE", {}).update({port: {}, f"{port}|{at}": {}})
    if asn is not None:
        tables.setdefault("BGP_NEIGHBOR", {})[far] = {"asn": str(asn)}


def site(
    asn: int | None,
    device: str = DEVICE,
    addressed: bool = True,
    leaves: tuple[int, ...] = (4,),
    kind: str = "leaf",
) -> Imported:
    """``asn``: the AS that the switches expect of the device, if any; ``leaves``: their numbers."""
    made = fabric()
    tables = {}
    for leaf in leaves:
        made.leaves[f"{kind}-{leaf}"]["PORT"][PORT] = {"speed": "400000", "mtu": "9216"}
        if addressed:
            address(made, f"{kind}-{leaf}", PORT, f"10.99.{leaf}.0/31", f"10.99.{leaf}.1", asn)
        tables[f"{kind}-{leaf}.lldp.txt"] = HEAD + device + FOOT
    return import_texts({**made.texts(), **tables}, "site")


FOUND = {"spine_asn": 65000, "loopbacks": "172.31.255.0/25", "leaf_asn": "65101+"}


@pytest.mark.parametrize("leaves", [(4,), (3, 4)])
@pytest.mark.parametrize(
    ("asn", "why"),
    [
        (64700, "BGP expects AS 64700 there (leaf-"),
        (None, "no BGP neighbour is on its links"),
    ],
)
def test_a_device_in_another_as_is_told_and_left_out(
    asn: int | None, why: str, leaves: tuple[int, ...]
) -> None:
    result = site(asn, leaves=leaves)
    assert {*data(result)["switches"]} == {"leaf-[1-4]", "spine-[1-2]"}
    assert {key: data(result)["underlay"][key] for key in FOUND} == FOUND
    assert "fw-1" not in str(data(result)["links"])
    (told,) = (remark.text for remark in result.remarks if "fw-1" in remark.text)
    ports = "leaf-4 Ethernet160" if leaves == (4,) else "leaf-3 Ethernet160, leaf-4 Ethernet160"
    assert told.startswith(f"fw-1 on {ports}: ")
    assert f"no dump is of it, and {why}" in told


@pytest.mark.parametrize("spines", [(1,), (1, 2)])
@pytest.mark.parametrize(
    ("asn", "why"),
    [
        (64512, r"BGP expects AS 64512 there \(spine-1.json:\d+\), leaves are in AS 65101 to 65104"),
        (None, "no BGP neighbour is on its links"),
    ],
)
def test_an_edge_router_on_the_spines_is_told_and_left_out(
    asn: int | None, why: str, spines: tuple[int, ...]
) -> None:
    result = site(asn, leaves=spines, kind="spine")
    assert {*data(result)["switches"]} == {"leaf-[1-4]", "spine-[1-2]"}
    assert {key: data(result)["underlay"][key] for key in FOUND} == FOUND
    assert "fw-1" not in str(data(result)["links"])
    (told,) = (remark.text for remark in result.remarks if remark.text.startswith("fw-1 on spine-1"))
    assert re.search(why, told)
    assert [str(each) for each in result.remarks if f"10.99.{spines[-1]}.0/31" in str(each)] != []


@pytest.mark.parametrize("asn", [65105, 65108])
def test_a_leaf_to_come_without_a_dump_is_asked_for(asn: int) -> None:
    result = site(asn, leaves=(1, 2), kind="spine")
    assert data(result)["switches"]["fw-1"]["role"] == "TODO"


KEPT: dict[str, dict[str, Any]] = {
    "the AS of the spines": {"asn": 65000},
    "a link without addresses": {"asn": None, "addressed": False},
    "as many leaves as a spine has": {"asn": 64700, "leaves": (1, 2, 3, 4)},
}


@pytest.mark.parametrize("case", KEPT)
def test_a_spine_that_no_dump_is_of_stays(case: str) -> None:
    result = site(**KEPT[case])
    assert "fw-1" in data(result)["switches"]


def test_a_switch_without_a_dump_or_uplinks_asks_nothing_of_the_underlay() -> None:
    """A ToR that hosts hear on cards of their own: the numbers of the others are theirs alone."""
    made = fabric(rails=5)
    del made.leaves["leaf-5"]
    lldp = {
        f"gpu-{host}.lldp.json": json.dumps(
            {"lldp": {"interface": [heard("ens58np0", "tor-1", f"Ethernet{host}")]}}
        )
        for host in range(1, 5)
    }
    result = import_texts({**made.texts(), **lldp}, "site")
    assert {*data(result)["switches"]} == {"leaf-[1-4]", "spine-[1-2]", "tor-1"}
    assert {key: data(result)["underlay"][key] for key in FOUND} == FOUND
    why = "; of tor-1 no dump has one, nor a cable to another switch"
    assert [line_with(result, f"  {key}: ").endswith(why) for key in ("leaf_asn", "loopbacks")] == [True] * 2
