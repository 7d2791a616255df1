"""Several networks on one switch port, and subnets beside the rails: port, gateway, routing, pod and walk."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from netaddr import IPNetwork

from netplan.catalog import optic_rows
from netplan.model.inventory_schema import inventory_schema
from netplan.model.switch_ports import PortVlans
from netplan.model.switching import SwitchPlan
from netplan.pipeline import Result, compile_texts
from netplan.plan.port_vlans import plan_port_vlans
from netplan.trace import TracedSite, Verdict, Walks, walks_between
from tests.factories import merged
from tests.inventories import outputs
from tests.switch_site import fabric_of, inventory, planned

BASE = yaml.safe_load((Path(__file__).parent.parent / "checks" / "base.yaml").read_text())

TENANTS = """
rails: null
vlans: {red: {id: 100}, blue: {id: 300}}
subnets:
  red: {cidr: 172.24.0.0/24, vlan: red, gateway: 172.24.0.1}
  blue: {cidr: 172.25.0.0/24, vlan: blue, gateway: 172.25.0.1}
host_types:
  gpu: {hcas: {roce0: {rail: null}, roce1: null}}
links:
  - {hosts: "gpu-[1-2]", hca: roce0, switch: leaf-1, ports: "Ethernet[0-4/4]", cable_m: 5}
  - {switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
networks:
  rail: null
  red: {mode: sriov, hcas: [roce0], subnet: red, vf_range: 0-1, ipam: whereabouts, namespaces: [training]}
  blue: {mode: sriov, hosts: [gpu], subnet: blue, vf_range: 2-3, ipam: whereabouts, namespaces: [training]}
workloads:
  train: null
  red: {namespace: training, hosts: [gpu], networks: [red], image: "example.com/train:1"}
  blue: {namespace: training, hosts: [gpu], networks: [blue], image: "example.com/train:1"}
"""

STORAGE = """
vlans: {store-1: {id: 201}, store-2: {id: 202}}
subnets:
  store-1: {cidr: 172.24.1.0/24, vlan: store-1, gateway: 172.24.1.1, routes: [172.24.0.0/16]}
  store-2: {cidr: 172.24.2.0/24, vlan: store-2, gateway: 172.24.2.1, routes: [172.24.0.0/16]}
host_types:
  gpu: {node_selector: {example.com/host-type: gpu}}
  gpu-a:
    node_selector: {example.com/host-type: gpu-a}
    hcas: {a: {model: connectx-6-dx, pci: "0000:5e:00.0", netdev: ens3f0, speed_gbps: 100, use: pf}}
  gpu-b:
    node_selector: {example.com/host-type: gpu-b}
    hcas: {b: {model: connectx-6-dx, pci: "0000:5e:00.0", netdev: ens4f0, speed_gbps: 100, use: pf}}
hosts: {a-1: {type: gpu-a, id: 11}, b-1: {type: gpu-b, id: 12}}
links:
  - {hosts: "gpu-[1-2]", hca: "roce[0-1]", switch: "leaf-[1-2]", ports: "Ethernet[0-4/4]", cable_m: 5}
  - {hosts: a-1, hca: a, switch: leaf-1, ports: Ethernet8, cable_m: 5}
  - {hosts: b-1, hca: b, switch: leaf-2, ports: Ethernet8, cable_m: 5}
  - {switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "Ethernet[0-4/4]", cable_m: 40}
networks:
  rail: {hosts: [gpu]}
  store-1: {mode: macvlan, hcas: [a], subnet: store-1, ipam: IPAM, namespaces: [training]}
  store-2: {mode: macvlan, hcas: [b], subnet: store-2, ipam: IPAM, namespaces: [training]}
workloads:
  one: {namespace: training, hosts: [gpu-a], networks: [store-1], nodes: 1, image: "example.com/train:1"}
  two: {namespace: training, hosts: [gpu-b], networks: [store-2], nodes: 1, image: "example.com/train:1"}
"""


@cache
def compiled(over: str) -> Result:
    data = _without_rails(merged(BASE, yaml.safe_load(over)))
    result = compile_texts({"case.yaml": yaml.safe_dump(data, sort_keys=False)})
    assert not [d for d in result.diagnostics if d.severity.name != "INFO"], result.diagnostics
    return result


def _without_rails(data: dict[str, Any]) -> dict[str, Any]:
    for kind in data["host_types"].values():
        for hca in kind["hcas"].values():
            hca.pop("rail") if "rails" not in data and "rail" in hca else None
    return data


def switch(over: str, name: str) -> SwitchPlan:
    plan = compiled(over).plan
    assert plan is not None
    return next(s for s in plan.switches if s.name == name)


def walk(over: str, start: str, end: str) -> Walks:
    return walks_between(TracedSite(compiled(over).artifacts), start, end)


def test_a_port_carries_the_vlans_of_every_network_of_its_hca() -> None:
    port = next(p for p in switch(TENANTS, "leaf-1").ports if p.name == "Ethernet0")
    assert (port.tagged, port.untagged) == ((100, 300), ())
    rows = json.loads(outputs(compiled(TENANTS))["switches/leaf-1/interfaces.json"])["VLAN_MEMBER"]
    assert rows == {f"Vlan{v}|Ethernet{p}": {"tagging_mode": "tagged"} for v in (100, 300) for p in (0, 4)}


def test_every_tenants_gateway_is_on_the_leaf_and_announced() -> None:
    leaf = switch(TENANTS, "leaf-1")
    assert {v.id: [str(a) for a in v.addresses] for v in leaf.vlans} == {
        100: ["172.24.0.1/24"],
        300: ["172.25.0.1/24"],
    }
    assert {IPNetwork("172.24.0.0/24"), IPNetwork("172.25.0.0/24")} <= set(leaf.networks)
    assert not switch(TENANTS, "leaf-2").vlans
    assert leaf.demand.hosts == 8, "four VFs on each of two ports, whichever tenant has them"


def test_both_tenants_are_delivered_and_apart() -> None:
    """The device plugin selects VFs in the form 0000:18:00.0#0-1."""
    assert '"0000:18:00.0#0-1"' in "".join(outputs(compiled(TENANTS)).values())
    for name in ("red", "blue"):
        found = walk(TENANTS, f"{name}@gpu-1/{name}", f"{name}@gpu-2/{name}")
        assert not found.verdict.fails
    assert walk(TENANTS, "red@gpu-1/red", "blue@gpu-2/blue").verdict is Verdict.LOST


def test_pods_of_storage_subnets_reach_each_other_over_the_leaves() -> None:
    for ipam in ("whereabouts", "nv-ipam", "host-local"):
        over = STORAGE.replace("IPAM", ipam)
        assert not walk(over, "one@a-1/store-1", "two@b-1/store-2").verdict.fails, ipam


def test_without_routes_a_storage_pod_stays_in_its_subnet() -> None:
    over = STORAGE.replace("IPAM", "whereabouts").replace(", routes: [172.24.0.0/16]", "")
    assert walk(over, "one@a-1/store-1", "two@b-1/store-2").verdict.fails


def test_routes_come_with_the_addresses() -> None:
    files = outputs(compiled(STORAGE.replace("IPAM", "whereabouts")))
    nad = yaml.safe_load(files["kubernetes/30-networks/network-attachments/training/store-1.yaml"])
    ipam = json.loads(nad["spec"]["config"])["plugins"][0]["ipam"]
    assert ipam["routes"] == [{"dst": "172.24.0.0/16", "gw": "172.24.1.1"}]
    pool = yaml.safe_load(
        outputs(compiled(STORAGE.replace("IPAM", "nv-ipam")))["kubernetes/30-networks/ipam/store-1.yaml"]
    )
    assert (pool["spec"]["gateway"], pool["spec"]["routes"]) == ("172.24.1.1", [{"dst": "172.24.0.0/16"}])


def test_an_external_gateway_is_on_no_leaf() -> None:
    over = STORAGE.replace("IPAM", "whereabouts").replace(
        "gateway: 172.24.1.1", "gateway: 172.24.1.1, gateway_owner: external"
    )
    assert [v.addresses for v in switch(over, "leaf-1").vlans if v.id == 201] == [()]
    assert [d.code for d in compiled(over).diagnostics] == ["NP624"]
    assert (
        "172.24.1.1"
        in outputs(compiled(over))["kubernetes/30-networks/network-attachments/training/store-1.yaml"]
    )


def test_gateway_none_leaves_the_pool_without_one() -> None:
    over = STORAGE.replace("IPAM", "nv-ipam").replace(", routes: [172.24.0.0/16]", "")
    for number in (1, 2):
        over = over.replace(f"gateway: 172.24.{number}.1", "gateway: none")
    spec = yaml.safe_load(outputs(compiled(over))["kubernetes/30-networks/ipam/store-1.yaml"])["spec"]
    assert "gateway" not in spec
    assert not [a for v in switch(over, "leaf-1").vlans if v.id == 201 for a in v.addresses]


def test_the_schema_names_the_optics_of_the_catalog() -> None:
    properties = inventory_schema()["properties"]["links"]["items"]["properties"]
    assert properties["optic"]["enum"] == list(optic_rows())
    assert all(row["source"] and row["reach_m"] for row in optic_rows().values())


def test_a_host_in_the_subnet_has_the_routes_too() -> None:
    over = STORAGE.replace("IPAM", "whereabouts").replace(
        "a-1: {type: gpu-a, id: 11}", "a-1: {type: gpu-a, id: 11, hcas: {a: {address: 172.24.1.9/24}}}"
    )
    text = outputs(compiled(over))["hosts/a-1/20-a.network"]
    assert "[Route]\nDestination=172.24.0.0/16\nGateway=172.24.1.1\nPreferredSource=172.24.1.9\n" in text


def test_verbs_devices_alone_are_in_the_vlan_of_their_subnet() -> None:
    verbs = {"mode": "device-only", "subnet": "store"}
    data = inventory(networks__rail=verbs) | {
        "vlans": {"store": {"id": 200}},
        "subnets": {"store": {"cidr": "172.24.0.0/24", "vlan": "store"}},
    }
    port = ("leaf-1", "Ethernet0")
    assert plan_port_vlans(planned(fabric_of(data)).addresses)[port] == PortVlans((), 200)
    data["networks"]["vfs"] = {"for_each": "rails", "mode": "sriov"}
    assert plan_port_vlans(planned(fabric_of(data)).addresses)[port] == PortVlans((100,), None)
