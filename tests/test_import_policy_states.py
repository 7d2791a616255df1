"""Policies against the states of nodes: link type, and the cards that a policy selects."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import_accepted import Object, policy

PCI = "0000:18:00.0"
CHOSEN: Object = {"pfNames": ["ibp24s0"]}


def imported(spec: Object, planned: Object | None = None) -> Imported:
    """Two nodes with an InfiniBand card each. ``planned``: of the spec of their states."""
    objects: list[Object] = []
    for name in ("gpu-1", "gpu-2"):
        card = {**interface(PCI, "ibp24s0", 400, 8, device="1021"), "linkType": "IB", "mtu": 2044}
        state = node_state(name, [card])
        state["metadata"]["namespace"] = "nvidia-network-operator"
        group = {"resourceName": "rail", "policyName": "rail", "vfRange": "0-7", "isRdma": True}
        own = {"pciAddress": PCI, "numVfs": 8, "vfGroups": [group], **(planned or {})}
        state["spec"] = {"interfaces": [own]}
        objects += [node(name, {"a": "b"}, 8), state]
    return import_texts({"x.yaml": listed([*objects, policy(**spec)])}, "site")


LINKS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "policy": ({"nicSelector": CHOSEN, "linkType": "ETH"}, {}),
    "state": ({"nicSelector": CHOSEN}, {"linkType": "ETH"}),
}


@pytest.mark.parametrize("where", LINKS)
def test_a_link_type_that_the_operator_sets_is_held_against_the_card(where: str) -> None:
    result = imported(*LINKS[where])
    found = [str(each) for each in result.conflicts]
    assert found
    assert all(each.startswith("card gpu-") and "link: infiniband (x.yaml:" in each for each in found)
    assert all(" or ethernet (x.yaml:" in each for each in found)
    (row,) = [line for line in result.text.splitlines() if "pci:" in line]
    assert "link: TODO" in row
    assert "  type: infiniband" in result.text


def test_link_types_that_agree_are_no_contradiction() -> None:
    assert imported({"nicSelector": CHOSEN, "linkType": "ib"}, {"linkType": "IB"}).conflicts == ()


@pytest.mark.parametrize(
    "selector", [{"pfNames": ["ens9f9"]}, {"rootDevices": ["0000:19:00.0"]}, {"deviceID": "1017"}]
)
def test_a_policy_that_selects_other_cards_than_the_states_that_name_it(selector: Object) -> None:
    (conflict,) = imported({"nicSelector": selector}).conflicts
    text = str(conflict)
    assert text.startswith(f"card gpu-1 {PCI} has resource rail of policy rail by its node's state (x.yaml:")
    assert ", which selects other cards (x.yaml:" in text
    assert text.endswith("(and 1 more)")


@pytest.mark.parametrize(
    "selector",
    [{"pfNames": ["ibp24s0#0-7"]}, {"rootDevices": [PCI]}, {"deviceID": "1021"}, {"vendor": "15b3"}],
)
def test_a_policy_that_selects_the_card_is_no_contradiction(selector: Object) -> None:
    assert imported({"nicSelector": selector}).conflicts == ()


def test_a_selector_that_netplan_does_not_read_contradicts_nothing() -> None:
    assert imported({"nicSelector": {"netFilter": "openstack/NetworkID:x"}}).conflicts == ()
