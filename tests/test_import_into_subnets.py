"""``netplan import --into``: subnets of networks that are on no rail."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.dumped_site import listed
from tests.test_import import filled
from tests.test_import_beside import cluster, imported, network, policy
from tests.test_import_into import into, said

GATED = {
    "type": "whereabouts",
    "range": "172.31.0.0/24",
    "gateway": "172.31.0.1",
    "routes": [{"dst": "10.40.0.0/16"}],
}


def objects(vlan: int, ipam: dict[str, Any]) -> list[dict[str, Any]]:
    return [policy("store", "0000:18:00.0", "#6-7"), network("storage", "store", vlan, ipam)]


@cache
def stated() -> str:
    text = imported(*objects(50, GATED), span="#0-5").text
    return filled(text.replace("gateway_owner: TODO #", "gateway_owner: external #"))


@pytest.mark.parametrize(
    ("vlan", "changed", "wanted"),
    [
        (50, {}, []),
        (51, {}, ["vlan: 50 (site.yaml:{}) or VLAN 51 (dump.yaml:"]),
        (
            50,
            {"range": "172.30.0.0/24", "gateway": "172.30.0.1"},
            [
                "cidr: 172.31.0.0/24 (site.yaml:{}) or 172.30.0.0/24 (",
                "gateway: 172.31.0.1 (site.yaml:{}) or 172.30",
            ],
        ),
        (50, {"gateway": "172.31.0.2"}, ["gateway: 172.31.0.1 (site.yaml:{}) or 172.31.0.2 (dump.yaml:"]),
        (50, {"routes": []}, ["routes: 10.40.0.0/16 (site.yaml:{}) or none (dump.yaml:"]),
    ],
)
def test_what_differs_of_a_subnet_that_is_no_rails(
    vlan: int, changed: dict[str, Any], wanted: list[str]
) -> None:
    texts = {"dump.yaml": listed([*cluster(3, "#0-5"), *objects(vlan, {**GATED, **changed})])}
    rows = [row for row in said(into(stated(), texts), "differs") if "rails." not in row]
    lines = stated().splitlines()
    assert len(rows) == len(wanted)
    for row, part in zip(rows, wanted, strict=True):
        key = part.partition(":")[0]
        number = next(
            n
            for n, line in enumerate(lines, 1)
            if line.startswith(f"    {key}: ") and "gateway_o" not in line
        )
        assert row.startswith(f"subnet storage: {part.format(number)}"), row
