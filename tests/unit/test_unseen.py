"""Problems found with inventories written from the documentation alone."""

from __future__ import annotations

import pytest

from netplan.pipeline import Result, compile_texts
from tests.inventories import outputs
from tests.unit.host_inventory import ROCE, artifacts, settings

HOLES = """
version: 1
site: holes
cluster: {primary_network: {cni: calico}, owners: {vfs: host}}
fabric:
  type: roce
  qos: {classes: {roce: {dscp: 26, priority: 3, lossless: true, bandwidth_percent: 50}}}
rails: {count: 2, segment: leaf, vlan_ids: 100-101, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  gpu:
    node_selector: {kind: gpu}
    hcas:
      roce0: {model: connectx-5, pci: "0000:18:00.0", netdev: rail0, rail: 0, use: vf, vfs: 2}
      roce1: {model: connectx-5, pci: "0000:3b:00.0", netdev: rail1, rail: 1, use: vf, vfs: 2}
hosts:
  gpu-[01-04]: {type: gpu}
  gpu-02: {absent: true}
switch_types:
  sn: {nos: sonic, model: msn2700}
switches:
  leaf-[1-2]: {type: sn, role: leaf}
  spine-[1-3]: {type: sn, role: spine, id: 101}
  spine-2: {absent: true}
links:
  - {hosts: "gpu-[01-04]", hca: "roce[0-1]", switch: "leaf-[1-2]", ports: "Ethernet[0-12/4]", cable_m: 5}
  - {switches: leaf-1, ports: "Ethernet[64-72/4]", to: "spine-[1-3]", to_ports: Ethernet0, cable_m: 5}
networks:
  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [train]}
workloads:
  train: {namespace: train, hosts: ["gpu-[01-04]"], networks: [rail], nodes: 3}
"""

STRETCHED = HOLES.replace("segment: leaf", "segment: stretched").replace(
    'hca: "roce[0-1]", switch: "leaf-[1-2]", ports: "Ethernet[0-12/4]"',
    'hca: "roce[0-1]", switch: leaf-1, ports: "Ethernet[0-28/4]"',
)


def built(text: str) -> Result:
    return compile_texts({"site.yaml": text})


def test_a_hole_in_a_range_of_hosts_keeps_its_port() -> None:
    fabric = built(HOLES).fabric
    assert fabric is not None
    assert [(k.host.name, k.port) for k in fabric.host_links if k.switch.name == "leaf-2"] == [
        ("gpu-01", "Ethernet0"),
        ("gpu-03", "Ethernet8"),
        ("gpu-04", "Ethernet12"),
    ]


def test_a_hole_in_a_range_of_switches_keeps_its_port() -> None:
    fabric = built(HOLES).fabric
    assert fabric is not None
    assert [(k.lower_port, k.upper.name) for k in fabric.switch_links] == [
        ("Ethernet64", "spine-1"),
        ("Ethernet72", "spine-3"),
    ]


def test_a_workload_runs_on_what_its_range_has() -> None:
    fabric = built(HOLES).fabric
    assert fabric is not None
    assert [h.name for h in fabric.workloads[0].hosts] == ["gpu-01", "gpu-03", "gpu-04"]


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        ('hosts: ["gpu-[01-04]"]', "hosts: [gpu-02]"),
        ('to: "spine-[1-3]"', "to: spine-2"),
        ('hosts: "gpu-[01-04]"', 'hosts: "gpu-[01-05]"'),
    ],
)
def test_an_absent_one_named_alone_and_one_that_never_was_are_unknown(written: str, instead: str) -> None:
    before = {d.code for d in built(HOLES).diagnostics}
    found = [d.code for d in built(HOLES.replace(written, instead)).diagnostics]
    assert [code for code in found if code not in before] == ["NP101"]


def mtu_lines(path: str, over: str) -> list[str]:
    return [line for line in settings(artifacts(over=over)[path]) if line.startswith("MTUBytes")]


MASTER = """
cluster: {owners: {vfs: none}}
host_types: {gpu: {hcas: {roce0: {pci: null, use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}}
networks: {rail: {mode: macvlan, routing: none}}
"""


def test_a_master_without_a_link_file_gets_its_mtu_from_networkd() -> None:
    assert mtu_lines("gpu/20-roce0.network", MASTER) == ["MTUBytes=9000"]


def test_a_link_file_states_the_mtu_alone() -> None:
    assert mtu_lines("gpu/20-roce1.network", MASTER) == []
    assert mtu_lines("gpu/10-roce1.link", MASTER) == ["MTUBytes=9000"]


def test_the_operator_that_makes_the_vfs_sets_the_mtu() -> None:
    over = "cluster: {owners: {vfs: sriov-network-operator}}\nhost_types: {gpu: {hcas: {roce0: {pci: null}}}}"
    assert mtu_lines("gpu/20-roce0.network", over) == []


def test_an_rdma_device_is_stated_beside_a_mac_that_a_file_carries() -> None:
    over = 'hosts: {gpu-01: {hcas: {roce0: {mac: "b8:59:9f:00:00:01", rdma_device: mlx5_9}}}}'
    files = artifacts(ROCE, over)
    assert "PermanentMACAddress=b8:59:9f:00:00:01" in settings(files["gpu-01/10-roce0.link"])
    assert "| roce0 | RDMA device | mlx5_9 |" in files["gpu-01/README.md"].text
    assert "MAC" not in files["gpu-01/README.md"].text


def test_a_stretched_rail_routes_to_the_very_subnets_of_the_other_rails() -> None:
    """UCX 1.20.1 and newer compares prefix lengths across all routing tables of the pod."""
    text = STRETCHED.replace("namespaces: [train]", "namespaces: [train], routing: sbr")
    pool = outputs(built(text))["kubernetes/30-networks/ipam/rail0.yaml"]
    routes = [line.split()[-1] for line in pool.splitlines() if "dst:" in line]
    assert routes == ["172.16.0.0/21", "172.16.8.0/21", "172.16.8.0/24"]


INFINIBAND = """
version: 1
site: ib
cluster:
  primary_network: {cni: calico}
  owners: {vfs: sriov-network-operator, device_plugin: sriov-network-operator}
  network_operator: {release: "26.4"}
fabric: {type: infiniband, mtu: 2044}
host_types:
  dgx:
    node_selector: {kind: dgx}
    hcas:
      ib0: {model: connectx-7, pci: "0000:18:00.0", netdev: ibs0, use: vf, vfs: 2}
hosts:
  dgx-[1-2]: {type: dgx}
networks:
  ib: {mode: ib-sriov, namespaces: [train], pkey: "0x0012"}
workloads:
  train: {namespace: train, hosts: [dgx], networks: [ib]}
"""


@pytest.mark.parametrize(
    ("text", "named"), [(INFINIBAND, True), (INFINIBAND.replace(', pkey: "0x0012"', ""), False)]
)
def test_a_partition_needs_ib_kubernetes(text: str, named: bool) -> None:
    """ib-sriov-cni does nothing with the P_Key itself."""
    assert ("ib-kubernetes" in outputs(built(text))["kubernetes/README.md"]) is named
