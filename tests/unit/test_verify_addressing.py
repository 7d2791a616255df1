"""NP913 and NP916: pools that do not fit, chains that route wrongly, and valid cases close to them."""

from __future__ import annotations

import pytest

from tests.unit.rendered_tree import EXTRA, POOL_0, POOL_1, RAILS, STORAGE, both, config, put, verified

DEFINITION = "NetworkAttachmentDefinition training"
RAIL_0 = f"{RAILS}: {DEFINITION}/rail-0"
DEFAULT = "its addresses come with a default route, {}, and nothing moves it"

BROKEN = [
    pytest.param(
        config(RAILS, lambda c: c["plugins"][0]["ipam"].update(poolName="rail-1")),
        "NP913",
        f"{RAIL_0}: poolType is ippool, rail-1 is of kind CIDRPool",
        id="pool of the other type",
    ),
    pytest.param(
        put(POOL_0, "spec", "gateway", value="172.16.1.1"),
        "NP913",
        f"{POOL_0}: IPPool operator/rail-0: gateway 172.16.1.1 is outside 172.16.0.0/24",
        id="gateway outside",
    ),
    pytest.param(
        put(POOL_1, "spec", "cidr", value="172.16.1.1/24"),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: 172.16.1.1/24 has host bits set",
        id="host bits",
    ),
    pytest.param(
        put(POOL_0, "spec", "exclusions", 0, "endIP", value="172.16.1.0"),
        "NP913",
        f"{POOL_0}: IPPool operator/rail-0: exclusion 172.16.0.9 to 172.16.1.0 is outside 172.16.0.0/24",
        id="exclusion outside",
    ),
    pytest.param(
        put(POOL_1, "spec", "perNodeNetworkPrefix", value=23),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: prefix length 23 does not fit into 172.16.1.0/24",
        id="part longer than the whole",
    ),
    pytest.param(
        put(POOL_1, "spec", "gatewayIndex", value=2),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: gatewayIndex 2 is not an address of a /31",
        id="gateway index outside",
    ),
    pytest.param(
        both(
            put(POOL_1, "spec", "perNodeNetworkPrefix", value=30),
            put(POOL_1, "spec", "staticAllocations", value=None),
        ),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: gatewayIndex 0 is not an address of a /30",
        id="network address as gateway",
    ),
    pytest.param(
        put(POOL_1, "spec", "staticAllocations", 0, "gateway", value="172.16.1.3"),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: gateway 172.16.1.3 of gpu-001 is outside 172.16.1.0/31",
        id="node's gateway outside",
    ),
    pytest.param(
        both(
            put(POOL_1, "spec", "staticAllocations", 0, "prefix", value="172.16.2.0/31"),
            put(POOL_1, "spec", "staticAllocations", 0, "gateway", value="172.16.2.0"),
        ),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: prefix 172.16.2.0/31 of gpu-001 is not a /31 of 172.16.1.0/24",
        id="node's part outside",
    ),
    pytest.param(
        put(POOL_1, "spec", "staticAllocations", 1, "nodeName", value="gpu-001"),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: gpu-001 has two prefixes",
        id="node twice",
    ),
    pytest.param(
        both(
            put(POOL_1, "spec", "staticAllocations", 1, "prefix", value="172.16.1.0/31"),
            put(POOL_1, "spec", "staticAllocations", 1, "gateway", value="172.16.1.0"),
        ),
        "NP913",
        f"{POOL_1}: CIDRPool operator/rail-1: prefix 172.16.1.0/31 is that of gpu-001 and of gpu-002",
        id="prefix twice",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"].append(c["plugins"].pop(1))),
        "NP916",
        f"{RAIL_0}: rdma comes after sbr",
        id="sbr not last",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"].insert(0, c["plugins"].pop())),
        "NP916",
        f"{RAIL_0}: the chain begins with sbr, which needs an existing interface",
        id="sbr first",
    ),
    pytest.param(
        config(RAILS, lambda c: c["plugins"].append({"type": "sbr"})),
        "NP916",
        f"{RAIL_0}: sbr is chained twice",
        id="sbr twice",
    ),
    pytest.param(
        put(EXTRA, "spec", "metaPlugins", value='{"type":"tuning","mtu":9000},{"type":"rdma"}'),
        "NP916",
        f"{EXTRA}: SriovNetwork operator/extra: rdma comes after tuning",
        id="rdma after tuning",
    ),
    pytest.param(
        config(STORAGE, lambda c: c["plugins"][0]["ipam"].update(routes=[{"dst": "0.0.0.0/0"}])),
        "NP916",
        f"{STORAGE}: {DEFINITION}/storage: {DEFAULT.format('0.0.0.0/0')}",
        id="default route",
    ),
    pytest.param(
        config(STORAGE, lambda c: c["plugins"][0]["ipam"].update(routes=[{"dst": "::/0"}])),
        "NP916",
        f"{STORAGE}: {DEFINITION}/storage: {DEFAULT.format('::/0')}",
        id="default route of IPv6",
    ),
    pytest.param(
        put(POOL_1, "spec", "routes", value=[{"dst": "0.0.0.0/0"}]),
        "NP916",
        f"{RAILS}: {DEFINITION}/rail-1: CIDRPool operator/rail-1 has a route to 0.0.0.0/0, "
        "and nothing moves the route",
        id="default route of a pool",
    ),
    pytest.param(
        put(EXTRA, "spec", "ipam", value='{"type":"host-local","ranges":[[{"subnet":"10.9.0.0/24"}]]}'),
        "NP916",
        f"{EXTRA}: SriovNetwork operator/extra: sbr is chained, but host-local states no gateway",
        id="sbr without gateway",
    ),
    pytest.param(
        put(POOL_1, "spec", "gatewayIndex", value=None),
        "NP916",
        f"{RAILS}: {DEFINITION}/rail-1: sbr is chained, "
        f"but CIDRPool operator/rail-1 at {POOL_1}:6:1 has no gateway",
        id="sbr on a pool without gateway",
    ),
]


@pytest.mark.parametrize(("change", "code", "message"), BROKEN)
def test_addresses_that_contradict_each_other(change, code, message):
    assert [(d.code, d.message) for d in verified(change).diagnostics] == [(code, message)]


LEGAL = [
    pytest.param(put(POOL_0, "spec", "gateway", value="172.16.0.254"), id="gateway at the end"),
    pytest.param(put(POOL_1, "spec", "gatewayIndex", value=1), id="second address of a /31"),
    pytest.param(
        both(
            put(POOL_1, "spec", "perNodeNetworkPrefix", value=30),
            put(POOL_1, "spec", "staticAllocations", value=None),
            put(POOL_1, "spec", "gatewayIndex", value=1),
        ),
        id="first host of a /30",
    ),
    pytest.param(
        both(
            lambda tree: tree[POOL_0][0]["spec"].pop("routes"),
            put(POOL_0, "spec", "gateway", value=None),
            config(RAILS, lambda c: c["plugins"].pop()),
        ),
        id="no gateway, no sbr",
    ),
    pytest.param(config(RAILS, lambda c: c["plugins"].pop(1)), id="chain without rdma"),
    pytest.param(
        config(STORAGE, lambda c: c["plugins"][0]["ipam"].update(routes=[{"dst": "10.0.0.0/8"}])),
        id="route that is no default",
    ),
    pytest.param(config(STORAGE, lambda c: c["plugins"][0].pop("ipam")), id="no addresses"),
]


@pytest.mark.parametrize("change", LEGAL)
def test_a_legal_neighbour(change):
    assert verified(change).diagnostics == ()
