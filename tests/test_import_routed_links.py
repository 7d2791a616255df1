"""``netplan import`` of uplinks that no neighbour table has: both ends of one /31, or one end and BGP."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported
from tests.test_import import data
from tests.test_import_overlay import line_of
from tests.test_import_underlay import SPINE, Tables, imported, leaf, place_of

ADDRESSES = ("10.254.0.1/31", "10.254.0.3/31")


def leaves(asn: str = "65000") -> list[Tables]:
    return [
        leaf(
            number,
            f"10.254.0.{2 * number - 2}/31",
            DEVICE_NEIGHBOR={},
            BGP_NEIGHBOR={f"10.254.0.{2 * number - 1}": {"asn": asn, "name": "spine-1"}},
        )
        for number in (1, 2)
    ]


def spine(*addresses: str, port: str = "Ethernet{}") -> Tables:
    ports = {port.format(4 * number): address for number, address in enumerate(addresses, 1)}
    return {
        **SPINE,
        "PORT": {name: {"speed": "100000"} for name in ports},
        "INTERFACE": {f"{name}|{address}": {} for name, address in ports.items()},
    }


def uplinks(result: Imported) -> list[str]:
    return [line for line in result.text.splitlines() if "to: spine-1" in line]


def test_both_ends_of_a_network_are_a_cable() -> None:
    result = imported(leaves(), spine(*ADDRESSES))
    own = place_of(leaves()[0], "10.254.0.0/31", "leaf-1.json")
    far = place_of(spine(*ADDRESSES), "10.254.0.1/31", "spine-1.json")
    (first,) = uplinks(result)
    assert 'switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[4-8/4]",' in first
    assert f"from the network 10.254.0.0/31 on both ports, in no neighbour table; {own} and {far}" in first
    found = data(result)
    assert found["switches"]["spine-1"]["role"] == "spine"
    assert (found["underlay"]["uplinks"], found["underlay"]["spine_asn"]) == ("10.254.0.0/30", 65000)


@pytest.mark.parametrize(
    "far",
    [
        spine(),
        spine("10.254.0.1/24", "10.254.0.3/24"),
        spine("10.254.0.0/31", "10.254.0.2/31"),
        spine(*ADDRESSES, port="PortChannel{}"),
        spine(*ADDRESSES, "10.254.0.1/31", "10.254.0.3/31"),
    ],
)
def test_one_end_alone_is_shown_with_its_neighbour(far: Tables) -> None:
    """No port, another network, one address twice, a bundle, and three ends are no cable."""
    result = imported(leaves(), far)
    assert uplinks(result) == []
    at, asn = (place_of(leaves()[0], text, "leaf-1.json") for text in ("10.254.0.0/31", '"65000"'))
    wanted = f"leaf-1 Ethernet64 10.254.0.0/31 ({at}) to spine-1 10.254.0.1, AS number 65000 ({asn})"
    assert wanted in line_of(result, "uplinks")


def test_an_end_that_expects_another_as_number_is_told() -> None:
    result = imported(leaves("65009"), spine(*ADDRESSES))
    assert uplinks(result) == []
    told = [str(each) for each in result.remarks if "not taken as a cable" in each.text]
    assert len(told) == 2
    assert (
        "leaf-1 Ethernet64 and spine-1 Ethernet4 are the ends of 10.254.0.0/31, but leaf-1 expects" in told[0]
    )
    assert "AS number 65009 (leaf-1.json:" in told[0]
    assert "spine-1 has 65000 (spine-1.json:" in told[0]


def test_two_ends_of_which_one_expects_another_as_number_contradict_each_other() -> None:
    """The leaf expects what the spine has, so it is their cable."""
    far = spine(*ADDRESSES)
    far["BGP_NEIGHBOR"] = {"10.254.0.0": {"asn": "65999"}, "10.254.0.2": {"asn": "65102"}}
    result = imported(leaves(), far)
    assert len(uplinks(result)) == 1
    found = data(result)["underlay"]
    assert (found["uplinks"], found["leaf_asn"]) == ("10.254.0.0/30", "TODO")
    (conflict,) = map(str, result.conflicts)
    assert conflict.startswith("spine-1 expects AS 65999 of leaf-1 Ethernet64 (spine-1.json:")
    assert "leaf-1 has AS " in conflict


def test_a_recorded_neighbour_counts_more_than_addresses() -> None:
    """The record has the leaf's port on another port of the spine."""
    own = leaves()
    own[0]["DEVICE_NEIGHBOR"] = {"Ethernet64": {"name": "spine-1", "port": "Ethernet8"}}
    first, *_ = uplinks(imported(own, spine(*ADDRESSES)))
    assert "to_ports: Ethernet8," in first
    assert "neighbour table" not in first
