"""Facts of one line each, at their edge: which devices of a port a selector takes.

ConnectX-7: vendor 15b3, PF 1021, VFs 101e (https://pci-ids.ucw.cz).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from netplan.model.site import SiteHca
from netplan.trace.selecting import Fit, SelectablePort, catalog_has, fit, vfs_named

HCA = SiteHca(name="roce0", rail=0, pci="0000:19:00.0", netdev="ens1f0", link="ethernet", model="connectx-7")
BARE = replace(HCA, pci=None, netdev=None, link="", model="odd")
EFA = replace(HCA, model="efa")


@pytest.mark.parametrize(
    ("given", "vfs", "found"),
    [
        ({}, 8, Fit("", (), 8)),
        ({}, 0, Fit("", (), 1)),
        ({}, None, Fit("", (), None)),
        ({"isRdma": False, "needVhostNet": True}, 8, Fit("", (), 8)),
        ({"vendors": []}, 8, Fit("", (), 8)),
        ({"vendors": ["15b3"]}, 8, Fit("", (), 8)),
        ({"vendors": ["8086"]}, 8, Fit("vendors")),
        ({"vendor": "15b3"}, 8, Fit("", (), 8)),
        ({"devices": ["101e"]}, 8, Fit("", (), 8)),
        ({"devices": ["1021"]}, 8, Fit("devices")),
        ({"devices": ["1021"]}, 0, Fit("", (), 1)),
        ({"devices": ["101e"]}, 0, Fit("devices")),
        ({"devices": ["1021"]}, None, Fit("", (), None)),
        ({"devices": ["101e"]}, None, Fit("", (), None)),
        ({"devices": ["1018"]}, None, Fit("devices")),
        ({"drivers": ["mlx5_core"]}, 8, Fit("", (), 8)),
        ({"drivers": ["iavf"]}, 8, Fit("drivers")),
        ({"linkTypes": ["ether"]}, 8, Fit("", (), 8)),
        ({"linkTypes": ["infiniband"]}, 8, Fit("linkTypes")),
        ({"pfNames": ["ens1f0"]}, 8, Fit("", (), 8)),
        ({"pfNames": ["ens1f1"]}, 8, Fit("pfNames")),
        ({"pfNames": ["ens1f0#0-3"]}, 8, Fit("", (), 4)),
        ({"pfNames": ["ens1f0#0-3,7"]}, 8, Fit("", (), 5)),
        ({"pfNames": ["ens1f0#3"]}, 8, Fit("", (), 1)),
        ({"pfNames": ["ens1f0#7"]}, 8, Fit("", (), 1)),
        ({"pfNames": ["ens1f0#8"]}, 8, Fit("pfNames", (), 0)),
        ({"pfNames": ["ens1f0#6-9"]}, 8, Fit("", (), 2)),
        ({"pfNames": ["ens1f0#6-9"]}, None, Fit("", (), 4)),
        ({"pfNames": ["ens1f0#x"]}, 8, Fit("pfNames", (), 0)),
        ({"pfNames": ["ens9#0-1", "ens1f0"]}, 8, Fit("", (), 8)),
        ({"pfNames": ["ens9#0-1", "ens1f0#0-2"]}, 8, Fit("", (), 3)),
        ({"rootDevices": ["0000:19:00.0#2-3"]}, 8, Fit("", (), 2)),
        ({"rootDevices": ["0000:1A:00.0"]}, 8, Fit("rootDevices")),
        ({"pciAddresses": ["0000:19:00.0"]}, 8, Fit("pciAddresses")),
        ({"pciAddresses": ["0000:19:00.0"]}, 0, Fit("", (), 1)),
        ({"pciAddresses": ["0000:19:00.0"]}, None, Fit("", (), 1)),
        ({"pciAddresses": ["0000:1a:00.0"]}, 8, Fit("pciAddresses")),
        ({"acpiIndexes": ["101"]}, 8, Fit("", ("acpiIndexes",), 8)),
        ({"acpiIndexes": ["101"], "vendors": ["8086"]}, 8, Fit("vendors")),
    ],
)
def test_what_a_selector_takes_of_a_port(given: dict[str, Any], vfs: int | None, found: Fit) -> None:
    assert fit(SelectablePort(HCA, vfs), given) == found


@pytest.mark.parametrize(
    ("given", "vfs", "found"),
    [
        ({"deviceID": "1021"}, 8, Fit("", (), 8)),
        ({"deviceID": "101e"}, 8, Fit("deviceID")),
        ({"deviceID": "1021", "vendor": "15b3", "pfNames": ["ens1f0#0-3"]}, 8, Fit("", (), 4)),
    ],
)
def test_a_policy_selects_the_physical_function(given: dict[str, Any], vfs: int, found: Fit) -> None:
    assert fit(SelectablePort(HCA, vfs, policy=True), given) == found


@pytest.mark.parametrize(
    "given",
    [
        {"vendors": ["15b3"]},
        {"devices": ["101e"]},
        {"drivers": ["mlx5_core"]},
        {"linkTypes": ["ether"]},
        {"pfNames": ["ens1f0"]},
        {"rootDevices": ["0000:19:00.0"]},
        {"pciAddresses": ["0000:19:00.0"]},
    ],
)
def test_what_no_file_says_of_a_port_is_unknown(given: dict[str, Any]) -> None:
    assert fit(SelectablePort(BARE, 8), given).unknown == (*given,)


def test_a_card_without_virtual_functions_has_one_id() -> None:
    assert fit(SelectablePort(EFA, 0), {"devices": ["efa0"], "vendors": ["1d0f"]}) == Fit("", (), 1)
    assert fit(SelectablePort(EFA, None), {"devices": ["efa0"]}) == Fit("", (), None)
    assert fit(SelectablePort(EFA, 0), {"drivers": ["efa"]}).unknown == ("drivers",)


@pytest.mark.parametrize(
    ("key", "said"),
    [("vendors", "15b3"), ("vendor", "15b3"), ("devices", "1021, 101e"), ("pfNames", ""), ("odd", "")],
)
def test_what_the_catalog_has_of_a_card(key: str, said: str) -> None:
    assert catalog_has(HCA, key) == said
    assert catalog_has(BARE, key) == ""


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, None),
        ({"pfNames": ["ens1f0"]}, None),
        ({"pfNames": ["ens1f0#0-2"]}, {0, 1, 2}),
        ({"pfNames": "ens1f0#5"}, {5}),
        ({"pfNames": ["ens9#0-2"]}, None),
        ({"rootDevices": ["0000:19:00.0#1,4-5"]}, {1, 4, 5}),
        ({"rootDevices": ["0000:19:00.0#5-4"]}, set()),
    ],
)
def test_virtual_functions_that_a_selector_names(given: dict[str, Any], named: set[int] | None) -> None:
    assert vfs_named(HCA, given) == named
