"""The range of the rails holds no network of something else, which ``validate`` would refuse (NP205)."""

from __future__ import annotations

import pytest
from netaddr import IPNetwork

from netplan.importing.numbering import rail_space
from tests.test_import import data, filled
from tests.test_import_beside import errors, imported, network, policy

SEEN = {(rail, 0): IPNetwork(f"192.168.{rail}.0/24") for rail in range(3)}
PARTS = [str(network) for network in SEEN.values()]


@pytest.mark.parametrize(
    ("others", "key", "networks"),
    [
        ([], "supernets", ["192.168.0.0/22"]),
        (["192.168.4.0/24"], "supernets", ["192.168.0.0/22"]),
        (["192.168.3.0/24"], "rail_networks", PARTS),
        (["192.168.3.7/32"], "rail_networks", PARTS),
        (["192.168.1.0/25"], "supernets", ["192.168.0.0/22"]),
        (["192.168.1.0/25", "192.168.3.0/24"], "rail_networks", PARTS),
        (["fd00::/8"], "supernets", ["192.168.0.0/22"]),
    ],
)
def test_which_range_the_rails_have_beside_others(others: list[str], key: str, networks: list[str]) -> None:
    found = rail_space([SEEN], 3, [*map(IPNetwork, others)])
    assert found is not None
    assert (found[1].key, [*map(str, found[1].networks)]) == (key, networks)


@pytest.mark.parametrize(
    ("subnet", "stated"),
    [("10.9.3.0/24", "rail_networks"), ("10.9.4.0/24", "supernets"), ("10.9.3.128/26", "rail_networks")],
)
def test_a_storage_beside_the_rails_overlaps_nothing(subnet: str, stated: str) -> None:
    store = {"type": "whereabouts", "range": subnet}
    result = imported(
        policy("store", "0000:18:00.0", "#6-7"), network("storage", "store", 50, store), span="#0-5"
    )
    assert stated in data(result)["rails"]
    text = filled(result.text.replace("gateway_owner: TODO #", "gateway_owner: external #"))
    assert [each for each in errors(text) if each.startswith("NP205")] == []
