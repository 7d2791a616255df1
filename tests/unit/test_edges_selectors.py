"""Edge cases, one fact per case: device selectors, and how findings describe them."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import selectors
from tests.unit.some import but, some
from tests.unit.test_edges_hcas import GPU, fabric, hca, host, kind, own


@pytest.mark.parametrize(
    ("selector", "vf", "selected"),
    [
        ("ens1", 0, True),
        ("ens2", 0, False),
        ("ens1#1-2", 0, False),
        ("ens1#1-2", 1, True),
        ("ens1#1-2", 2, True),
        ("ens1#1-2", 3, False),
        ("ens1#1-2", None, True),
        ("ens2#1-2", None, False),
    ],
)
def test_a_selector_has_a_range_of_vfs(selector: str, vf: int | None, selected: bool) -> None:
    assert selectors._in_range(selector, "ens1", vf) is selected


EMPTY = some(
    vendors=(),
    devices=(),
    link_types=(),
    if_names=(),
    pci_addresses=(),
    pf_names=(),
    root_devices=(),
    host_type="gpu",
)


@pytest.mark.parametrize(
    ("selector", "vf", "pcis", "selected"),
    [
        ({}, 0, {"18"}, True),
        ({"vendors": ("15b3",)}, 0, {"18"}, True),
        ({"vendors": ("1d0f",)}, 0, {"18"}, False),
        ({"devices": ("1018",)}, 0, {"18"}, True),
        ({"devices": ("1017",)}, 0, {"18"}, False),
        ({"link_types": ("ether",)}, 0, {"18"}, True),
        ({"link_types": ("infiniband",)}, 0, {"18"}, False),
        ({"if_names": ("ens1",)}, 0, {"18"}, True),
        ({"if_names": ("ens2",)}, 0, {"18"}, False),
        ({"pci_addresses": ("18",)}, None, {"18"}, True),
        ({"pci_addresses": ("18",)}, 0, {"18"}, False),
        ({"pci_addresses": ("18",)}, None, {"19"}, False),
        ({"pf_names": ("ens2", "ens1#0-1")}, 1, {"18"}, True),
        ({"pf_names": ("ens2", "ens1#0-1")}, 2, {"18"}, False),
        ({"root_devices": ("17", "18#0-1")}, 1, {"3b", "18"}, True),
        ({"root_devices": ("17", "18#0-1")}, 1, set(), False),
        ({"vendors": ("15b3",), "if_names": ("ens2",)}, 0, {"18"}, False),
    ],
)
def test_a_selector_selects_by_all_that_it_states(selector: Any, vf: Any, pcis: Any, selected: bool) -> None:
    assert selectors._selects(but(EMPTY, **selector), hca(netdev="ens1"), vf, pcis) is selected


def test_device_ids_functions_and_addresses_of_an_hca() -> None:
    assert selectors._device_ids(hca()) == {"1018"}
    assert selectors._device_ids(hca(use="pf")) == {"1017"}
    assert selectors._device_ids(hca(virtual=True)) == {"1017", "1018"}
    assert selectors._functions(hca(vfs=2)) == [0, 1]
    assert selectors._functions(hca(use="pf")) == [None]
    hosts = [host("h", GPU, a=own(pci="99"), b=own())]
    found = selectors._addresses(fabric(GPU, kind(hca("c"), name="cpu"), hosts=hosts))
    assert found == {("gpu", "a"): {"18", "99"}, ("gpu", "b"): {"3b"}, ("cpu", "c"): set()}


@pytest.mark.parametrize(
    ("functions", "text"),
    [
        ({("a", None)}, "a"),
        ({("b", 1), ("a", 2)}, "VF 2 of a"),
        ({("a", 3), ("a", 1), ("b", 0)}, "VFs 1-3 of a"),
        ({("a", 0)}, "VF 0 of a"),
    ],
)
def test_functions_in_words(functions: Any, text: str) -> None:
    assert selectors._listed(functions) == text


@pytest.mark.parametrize(
    ("selector", "types", "text", "hint"),
    [
        ({"root_devices": ("a",)}, (), "PCI address a", "set owners"),
        ({"pci_addresses": ("b",)}, ("x",), "PCI address b", "name both host types, or set"),
        ({"root_devices": ("a",), "pci_addresses": ("b",)}, (), "PCI address a, b", "set owners"),
        ({"pf_names": ("a",), "if_names": ("b",)}, (), "interface name a, b", "state pci"),
        ({"link_types": ("ether",)}, ("x",), "link type ether", "state pci"),
        ({"pf_names": ("a",), "link_types": ("e",)}, (), "interface name a and link type e", "state pci"),
    ],
)
def test_a_selector_in_words(selector: Any, types: Any, text: str, hint: str) -> None:
    given = but(EMPTY, **selector)
    assert selectors._described(given) == text
    assert selectors._way_out(some(host_types=types), given).startswith(hint)
