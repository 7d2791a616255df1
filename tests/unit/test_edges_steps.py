"""Facts of one line each, at their edge: steps of an attachment, and the keys that each of them rests on."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.trace.chains.model import Step
from netplan.trace.chains.steps import _Interface as Interface
from netplan.verify.schemas import json_path
from tests.unit.edges import things

POOL = {
    "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
    "kind": "IPPool",
    "metadata": {"name": "p", "namespace": "n"},
    "spec": {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.1"},
}


def interface(main: dict[str, Any], *more: dict[str, Any], pool: dict[str, Any] = POOL) -> Interface:
    config = {"cniVersion": "1.0.0", "name": "a", "plugins": [main, *more]}
    nad = {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {"config": json.dumps(config)},
    }
    cluster = things({"kubernetes/a.yaml": yaml.safe_dump_all([nad, pool])})
    (network,) = cluster.networks
    return Interface(cluster, network)


def rests(step: Step | None) -> str:
    """Places of a step; of the network's configuration from its plugins on."""
    if step is None:
        return "none"
    short = {"NetworkAttachmentDefinition": "", "IPPool": "pool "}
    places = [f"{short[s.thing.kind]}{json_path(s.path)}" for s in step.subjects]
    return ", ".join(place.replace("$.spec.config.plugins", "").replace("pool $", "pool") for place in places)


NV = {"type": "nv-ipam", "poolName": "p"}
WHEREABOUTS = {"type": "whereabouts", "range": "10.0.0.0/24"}
MACVLAN = {"type": "macvlan", "master": "eth1"}
SRIOV = {"type": "sriov", "deviceID": "0000:19:00.0"}


@pytest.mark.parametrize(
    ("plugins", "step", "found"),
    [
        ([{**MACVLAN, "ipam": NV}], "routes", "[0].ipam.routes, pool.spec.routes, pool.spec.defaultGateway"),
        ([{**MACVLAN, "ipam": WHEREABOUTS}], "routes", "[0].ipam.routes"),
        ([{**MACVLAN, "ipam": {}}], "routes", ""),
        (
            [{**MACVLAN, "ipam": WHEREABOUTS}, {"type": "tuning"}, {"type": "sbr"}],
            "routes",
            "[0].ipam.routes, [2]",
        ),
        ([{**MACVLAN, "ipam": {}}, {"type": "vrf"}, {"type": "route-override"}], "routes", "[1], [2]"),
        ([{**MACVLAN, "ipam": NV}], "addresses", "[0].ipam, pool"),
        ([{**MACVLAN, "ipam": WHEREABOUTS}], "addresses", "[0].ipam"),
        ([MACVLAN], "device", "[0].master"),
        ([{"type": "host-device", "device": "eth1"}], "device", "[0].device"),
        ([MACVLAN, {"type": "tuning", "mtu": 9000}], "mtu", "[1].mtu"),
        ([{**MACVLAN, "mtu": 1500}], "mtu", "[0].mtu"),
        ([{**MACVLAN, "mtu": 1500}, {"type": "tuning", "mtu": 9000}], "mtu", "[1].mtu, [0].mtu"),
        (
            [{**SRIOV, "vlan": 100}],
            "vlan",
            "[0].vlan, [0].vlanId, [0].pkey, [0].vlanQoS, [0].vlanProto, [0].trunk",
        ),
    ],
)
def test_keys_that_a_step_rests_on(plugins: list[dict[str, Any]], step: str, found: str) -> None:
    """What a rule finds at one of them is told with the step."""
    assert rests(getattr(interface(*plugins), f"_{step}")()) == found


@pytest.mark.parametrize(
    ("plugins", "spec", "lines"),
    [
        ([{**MACVLAN, "ipam": NV}], {}, ["on-link only: gateway 10.0.0.1 is in no route"]),
        (
            [{**MACVLAN, "ipam": NV}, {"type": "sbr"}],
            {},
            ["sbr: routes of the interface in a table of their own, for its source addresses"],
        ),
        ([{**MACVLAN, "ipam": NV}], {"defaultGateway": True}, ["default via gateway 10.0.0.1"]),
        (
            [{**MACVLAN, "ipam": NV}],
            {"routes": [{"dst": "10.9.0.0/16"}, {"dst": "10.8.0.0/16"}]},
            ["10.9.0.0/16, 10.8.0.0/16 via gateway 10.0.0.1"],
        ),
        ([{**MACVLAN, "ipam": WHEREABOUTS}], {}, ["on-link only"]),
        (
            [{**MACVLAN, "ipam": {**WHEREABOUTS, "routes": [{"dst": "10.9.0.0/16", "gw": "10.0.0.7"}]}}],
            {},
            ["10.9.0.0/16 via 10.0.0.7"],
        ),
        ([{**MACVLAN, "ipam": {}}, {"type": "vrf"}], {}, ["vrf: the interface is in a VRF of its own"]),
    ],
)
def test_routes_of_an_interface(
    plugins: list[dict[str, Any]], spec: dict[str, Any], lines: list[str]
) -> None:
    pool = {**POOL, "spec": {**POOL["spec"], **spec}}  # type: ignore[dict-item]
    assert [line.text for line in interface(*plugins, pool=pool)._routes().lines] == lines
