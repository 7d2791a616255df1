"""``netplan import``: BGP sessions between loopbacks, in place of those on the uplinks."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported
from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_tiers import with_spines


def fabric(on_ports: bool, on_loopbacks: bool) -> Imported:
    """Two leaves and a spine, with these sessions at both ends of each link."""
    site = with_spines(Bare(rails=2))
    spine = site.leaves["spine-1"]
    loopbacks = {"spine-1": "10.255.0.101", "leaf-1": "10.255.0.1", "leaf-2": "10.255.0.2"}
    for name, own in loopbacks.items():
        tables = site.leaves[name]
        tables["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "65000" if name == "spine-1" else f"6510{own[-1]}"
        tables["LOOPBACK_INTERFACE"] = {f"Loopback0|{own}/32": {}}
        tables["INTERFACE"], tables["BGP_NEIGHBOR"] = {}, {}
    for rail in range(2):
        name = f"leaf-{rail + 1}"
        leaf, near, far = site.leaves[name], f"172.31.0.{2 * rail}", f"172.31.0.{2 * rail + 1}"
        leaf["INTERFACE"][f"Ethernet128|{near}/31"] = {}
        spine["INTERFACE"][f"Ethernet{8 * rail}|{far}/31"] = {}
        ends = [(far, near)] * on_ports + [(loopbacks["spine-1"], loopbacks[name])] * on_loopbacks
        for up, down in ends:
            leaf["BGP_NEIGHBOR"][up] = {"asn": "65000"}
            spine["BGP_NEIGHBOR"][down] = {"asn": f"6510{rail + 1}"}
    return site.imported()


@pytest.mark.parametrize(
    ("on_ports", "on_loopbacks", "asked"), [(True, False, False), (False, True, True), (True, True, False)]
)
def test_sessions_between_loopbacks_alone_are_asked_about(
    on_ports: bool, on_loopbacks: bool, asked: bool
) -> None:
    """Beside those of the ports they are an overlay's."""
    result = fabric(on_ports, on_loopbacks)
    assert (data(result)["underlay"]["uplinks"] == "TODO") == asked
    for line in result.text.splitlines() if asked else ():
        if line.startswith("  uplinks: TODO"):
            assert (
                "BGP sessions between loopbacks, netplan has one on each uplink; state 172.31.0.0/30, "
                in line
            )
            assert "leaf-1 neighbour 10.255.0.101 (leaf-1.json:" in line


def test_an_ipv6_neighbour_is_read_in_any_form() -> None:
    site = with_spines(Bare(rails=1))
    leaf, spine = site.leaves["leaf-1"], site.leaves["spine-1"]
    for tables, asn in ((leaf, "65101"), (spine, "65000")):
        tables["DEVICE_METADATA"]["localhost"]["bgp_asn"] = asn
    leaf["INTERFACE"], spine["INTERFACE"] = (
        {"Ethernet128|fd00:254::/127": {}},
        {"Ethernet0|fd00:254::1/127": {}},
    )
    leaf["BGP_NEIGHBOR"] = {"FD00:254::1": {"asn": "65000"}}
    spine["BGP_NEIGHBOR"] = {"fd00:254::0": {"asn": "65101"}}
    assert [str(each) for each in site.imported().conflicts] == []
