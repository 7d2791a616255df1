"""Edge cases, one fact per case: pools of addresses, and VFs that two owners hand out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import nv_pool, pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_objects_networks import MACVLAN, NV, deployed, rail
from tests.unit.test_edges_objects_operators import (
    FIRST,
    FIRST_TWO,
    HIGH,
    LOW,
    configured,
    entry,
    filtered,
    label,
    term,
    without_gateway,
)
from tests.unit.test_edges_rules import cidr, named, pool, ranged, vf_policy


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP778", [pool(subnet="10.0.0.0/31", perNodeBlockSize=1, gateway="10.0.0.0")], []),
        (
            "NP778",
            [pool(subnet="10.0.0.0/30", perNodeBlockSize=1, gateway="10.0.0.0")],
            ["spec.gateway: gateway 10.0.0.0 is the address of 10.0.0.0/30 itself"],
        ),
        ("NP778", [pool(routes=[{"dst": "10.9.0.0/16"}])], []),
        (
            "NP778",
            [pool(gateway=None, routes=[{"dst": "10.9.0.0/16"}])],
            ["spec.routes: routes needs gateway"],
        ),
        (
            "NP778",
            [without_gateway(routes=[{"dst": "10.9.0.0/16"}], defaultGateway=True)],
            ["spec.routes: routes needs gateway", "spec.defaultGateway: defaultGateway needs gateway"],
        ),
        (
            "NP778",
            [pool(routes=[{"dst": "fd00::/64"}, {"dst": "x"}, {"dst": "0.0.0.0/0"}])],
            [
                "spec.routes.0: route fd00::/64 is not of the family of 10.0.0.0/24",
                "spec.routes.1: 'x' does not appear to be an IPv4 or IPv6 network",
            ],
        ),
        (
            "NP778",
            [pool(routes=[{"dst": "0.0.0.0/0"}], defaultGateway=True)],
            ["spec.routes.0: route 0.0.0.0/0 is what defaultGateway sets"],
        ),
        ("NP778", [pool(subnet="x")], ["spec: 'x' does not appear to be an IPv4 or IPv6 network"]),
        ("NP778", [cidr(routes=[{"dst": "10.9.0.0/16"}])], []),
    ],
)
def test_numbers_of_a_pool(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP779",
            [pool(), named(pool(subnet="10.0.0.128/25", gateway="10.0.0.129"), "y")],
            ["spec.subnet: 10.0.0.128 and more are also in IPPool apps/x at a.yaml:6:1"],
        ),
        ("NP779", [pool(), named(pool(subnet="10.0.1.0/24", gateway="10.0.1.1"), "y")], []),
        (
            "NP779",
            [
                *(named(pool(subnet=f"10.0.{n}.0/24", gateway=f"10.0.{n}.1"), f"p{n:02}") for n in range(10)),
                named(pool(subnet="10.0.9.0/25", gateway="10.0.9.1"), "y"),
            ],
            ["spec.subnet: 10.0.9.0 and more are also in IPPool apps/y at a.yaml:106:1"],
        ),
        (
            "NP779",
            [pool(), named(pool(), "y"), named(pool(), "z")],
            [
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/x at a.yaml:6:1",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/x at a.yaml:6:1, and in 1 more",
            ],
        ),
        ("NP779", [pool(), named(cidr(), "y")], []),
        (
            "NP779",
            [
                pool(),
                named(cidr(), "y"),
                rail(MACVLAN, type="nv-ipam", poolName="x"),
                rail(MACVLAN, name="two", type="nv-ipam", poolName="y", poolType="cidrpool"),
            ],
            ["spec.cidr: 10.0.0.0 and more are also in IPPool apps/x at a.yaml:6:1"],
        ),
        (
            "NP779",
            [pool(), named(pool(exclusions=[LOW]), "y")],
            ["spec.subnet: 10.0.0.100 and more are also in IPPool apps/x at a.yaml:6:1"],
        ),
        ("NP779", [pool(exclusions=[HIGH]), named(pool(exclusions=[LOW]), "y")], []),
        (
            "NP779",
            [named(pool(), f"p{n}") for n in range(10)],
            [
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 1 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 2 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 3 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 4 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 5 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 6 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 7 more",
                "spec.subnet: 10.0.0.0 and more are also in IPPool apps/p0 at a.yaml:6:1, and in 7 more",
            ],
        ),
    ],
)
def test_pools_with_the_same_addresses(code: str, given: Any, told: list[str]) -> None:
    """Of kinds that networks use side by side."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP780", [nv_pool("p"), rail(MACVLAN, **NV), deployed("rail", 256)], []),
        (
            "NP780",
            [nv_pool("p"), rail(MACVLAN, **NV), deployed("rail", 257)],
            ["spec.template: 257 pods on apps/rail use addresses from IPPool apps/p, which has 256"],
        ),
        (
            "NP780",
            [
                named(pool(subnet="10.0.0.0/30", perNodeBlockSize=1), "p"),
                rail(MACVLAN, **NV),
                deployed("rail", 4),
            ],
            [],
        ),
        (
            "NP780",
            [
                named(pool(subnet="10.0.0.0/30", perNodeBlockSize=1, exclusions=[FIRST_TWO]), "p"),
                rail(MACVLAN, **NV),
                deployed("rail", 3),
            ],
            ["spec.template: 3 pods on apps/rail use addresses from IPPool apps/p, which has 2"],
        ),
        (
            "NP780",
            [
                named(pool(subnet="10.0.0.0/32", perNodeBlockSize=1, exclusions=[FIRST]), "p"),
                rail(MACVLAN, **NV),
                pod("rail"),
            ],
            [": 1 pod on apps/rail uses addresses from IPPool apps/p, which has 0"],
        ),
        ("NP780", [ranged(range="10.0.0.0/29"), deployed("rail", 6)], []),
        (
            "NP780",
            [ranged(range="10.0.0.0/29"), deployed("rail", 7)],
            ["spec.template: 7 pods on apps/rail use addresses from range 10.0.0.0/29, which has 6"],
        ),
        (
            "NP780",
            [ranged(range="10.0.0.0/24", ipRanges=[{"range": "10.0.1.0/30"}]), deployed("rail", 3)],
            ["spec.template: 3 pods on apps/rail use addresses from range 10.0.1.0/30, which has 2"],
        ),
        (
            "NP780",
            [ranged(range="10.0.0.0/24", ipRanges=[{"range": "10.0.1.0/30"}]), deployed("rail", None)],
            [],
        ),
    ],
)
def test_a_pool_has_an_address_for_each_pod(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP731",
            [filtered(pfNames=["ens1"]), vf_policy()],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfNames: VFs of ens1 are also handed out by "
                    "SriovNetworkNodePolicy apps/x at a.yaml:22:3"
                )
            ],
        ),
        ("NP731", [filtered(pfNames=["ens2"]), vf_policy()], []),
        (
            "NP731",
            [filtered(pfNames=["ens1"]), configured(entry(selectors={"pfNames": ["ens1#0-3"]}))],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfNames: VFs of ens1 are also handed out by "
                    "ConfigMap devices at a.yaml:17:16"
                )
            ],
        ),
        (
            "NP731",
            [
                filtered(pfNames=["ens1", "ens2", "ens0"]),
                configured(entry(selectors=[{"pfNames": ["ens3"]}, {"pfNames": ["ens2", "ens1"]}])),
            ],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfNames: VFs of ens1, ens2 are also handed out by "
                    "ConfigMap devices at a.yaml:19:16"
                )
            ],
        ),
        ("NP731", [filtered(pfNames=["ens1"]), configured(entry(), shared=True)], []),
        (
            "NP731",
            [
                filtered(pfPciAddresses=["0000:18:00.0"]),
                vf_policy(nicSelector={"rootDevices": ["0000:18:00.0"]}),
            ],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfPciAddresses: VFs of 0000:18:00.0 are also "
                    "handed out by SriovNetworkNodePolicy apps/x at a.yaml:22:3"
                )
            ],
        ),
        (
            "NP731",
            [
                filtered(pciAddresses=["0000:18:00.2"]),
                configured(entry(selectors={"pciAddresses": ["0000:18:00.2"]})),
            ],
            [
                (
                    "spec.configs.0.resourceFilters.0.pciAddresses: VFs of 0000:18:00.2 are also handed "
                    "out by ConfigMap devices at a.yaml:17:16"
                )
            ],
        ),
        (
            "NP731",
            [filtered(nodes=term(label("a", "b")), pfNames=["ens1"]), vf_policy()],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfNames: VFs of ens1 are also handed out by "
                    "SriovNetworkNodePolicy apps/x at a.yaml:29:3"
                )
            ],
        ),
        ("NP731", [filtered(nodes=term(label("a", "c")), pfNames=["ens1"]), vf_policy()], []),
        ("NP731", [filtered(nodes=term(label("a", "b", "c")), pfNames=["ens1"]), vf_policy()], []),
        (
            "NP731",
            [filtered(nodes=term(label("a", "b", operator="NotIn")), pfNames=["ens1"]), vf_policy()],
            [],
        ),
        (
            "NP731",
            [filtered(nodes=term(label("a", "b"), matchFields=[{}]), pfNames=["ens1"]), vf_policy()],
            [],
        ),
        ("NP731", [filtered(pfNames=["ens1"]), filtered("other", pfNames=["ens1"])], []),
        ("NP731", [filtered(pfNames=["${X}"]), vf_policy(nicSelector={"pfNames": ["${X}"]})], []),
        (
            "NP731",
            [
                filtered(nodes=term(label("a", "b")), pfNames=["ens1"]),
                named(vf_policy(nodeSelector={"a": "c"}), "y"),
                vf_policy(),
            ],
            [
                (
                    "spec.configs.0.resourceFilters.0.pfNames: VFs of ens1 are also handed out by "
                    "SriovNetworkNodePolicy apps/x at a.yaml:44:3"
                )
            ],
        ),
    ],
)
def test_a_vf_has_one_owner_on_a_node(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
