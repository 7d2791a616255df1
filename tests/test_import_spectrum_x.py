"""Spectrum-X: cluster-config.yaml of k8s-launch-kit with such a profile, and the objects that it generates.
Settings without an inventory key are reported with their place. Formats: profiles/spectrum-x and
spectrum-x-ra2.1 of NVIDIA/k8s-launch-kit 25247774, 18f0eed8, 2ba344de."""

from __future__ import annotations

import re

from netplan.importing.run import Imported, import_texts
from tests.test_import import data, refused, todo_lines

CONFIG = """networkOperator: {selectedRelease: "26.4", namespace: nvidia-network-operator}
spectrumX: {nicType: "1023", overlay: none, netdevPrefix: "eth_r%rail_id%"}
profile:
  fabric: ethernet
  multirail: true
  spectrumX:
    enable: true
    version: RA2.2
    multiplaneMode: hwplb
    numberOfPlanes: 2
clusterConfig:
- identifier: b300
  linkType: Ethernet
  workerNodes: [gpu-1, gpu-2]
  nodeSelector: {nvidia.kubernetes-launch-kit.machine: b300}
  pfs:
  - {deviceID: "1023", pciAddress: "0000:19:00.0", networkInterface: ens1, traffic: east-west, rail: 0}
  - {deviceID: "1023", pciAddress: "0000:3b:00.0", networkInterface: ens2, traffic: east-west, rail: 1}
  - {deviceID: "101f", pciAddress: "0000:9d:00.0", networkInterface: ens9, traffic: north-south}
"""
RAILS = """apiVersion: spectrumx.net.nvidia.com/v1alpha2
kind: SpectrumXRailPoolConfig
metadata: {name: rails-b300, namespace: nvidia-network-operator}
spec:
  draEnabled: false
  nodeSelector: {nvidia.kubernetes-launch-kit.machine: b300}
  networkNamespace: default
  numVfs: 1
  railTopology:
  - {name: rail0, nicSelector: {pfNames: [ens1, ens1p1]}, cidrPoolRef: rail-0, mtu: 9216}
  - {name: rail1, nicSelector: {pfNames: [ens2, ens2p1]}, cidrPoolRef: rail-1, mtu: 9216}
"""
POOL = """apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: CIDRPool
metadata: {{name: rail-{rail}, namespace: nvidia-network-operator}}
spec:
  cidr: 10.{rail}.0.0/16
  gatewayIndex: 0
  perNodeNetworkPrefix: 31
  perNodeExclusions: [{{startIndex: 1, endIndex: 1}}]
  routes: [{{dst: 10.0.0.0/8}}]
  staticAllocations:
  - {{gateway: 10.{rail}.0.0, nodeName: gpu-1, prefix: 10.{rail}.0.0/31}}
  - {{gateway: 10.{rail}.0.2, nodeName: gpu-2, prefix: 10.{rail}.0.2/31}}
"""
TEMPLATE = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicConfigurationTemplate
metadata: {name: spectrum-x-configuration, namespace: nvidia-network-operator}
spec:
  nicSelector: {nicType: "1023"}
  template:
    numVfs: 1
    linkType: Ethernet
    spectrumXOptimized: {enabled: true, version: RA2.2, multiplaneMode: hwplb, numberOfPlanes: 2}
"""
NETWORK = """apiVersion: sriovnetwork.openshift.io/v1
kind: OVSNetwork
metadata: {name: rail-0, namespace: nvidia-network-operator}
spec: {resourceName: rail_0, interfaceType: dpdk, networkNamespace: default, mtu: 9216}
"""


def generated() -> Imported:
    pools = {f"60-cidrpool-{rail}.yaml": POOL.format(rail=rail) for rail in range(2)}
    texts = {"config.yaml": CONFIG, "80.yaml": RAILS, "30.yaml": TEMPLATE, "55.yaml": NETWORK, **pools}
    return import_texts(texts, "site")


def test_what_the_profile_says_of_hosts_and_owners() -> None:
    result = import_texts({"config.yaml": CONFIG}, "site")
    found = data(result)
    (kind,) = found["host_types"].values()
    assert kind["hcas"]["roce[0-1]"]["vfs"] == 1
    assert [kind["hcas"][f"roce{n}"]["netdev"] for n in range(2)] == ["ens1", "ens2"]
    assert kind["hcas"]["front-end2"]["use"] == "front-end"
    assert found["cluster"]["owners"]["vfs"] == "sriov-network-operator"
    assert found["cluster"]["owners"]["nic_qos"] == "nic-configuration-operator"
    assert found["fabric"]["type"] == "roce"
    assert "networks" not in found
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_what_no_key_has_is_told_with_its_place() -> None:
    result = import_texts({"config.yaml": CONFIG}, "site")
    told = [(remark.at.line, remark.text.partition(" of ")[0][:40]) for remark in result.remarks]
    assert told == [(6, "a Spectrum-X profile: its pods use OVS n"), (10, "2 PFs are planes")]


def test_the_generated_folder_gives_pools_and_mtu() -> None:
    """A prefix per node means segment: host; rails are those of the configuration."""
    result = generated()
    found = data(result)
    assert result.conflicts == ()
    assert found["rails"]["segment"] == "host"
    assert found["rails"]["supernets"] == ["10.0.0.0/15"]
    assert (found["rails"]["rail_prefixes"], found["rails"]["prefixes"]) == ([16], [31])
    assert found["fabric"]["mtu"] == 9216
    assert found["cluster"]["owners"]["device_plugin"] == "sriov-network-operator"


def test_each_object_without_a_word_is_told() -> None:
    told = {(remark.at.file, remark.at.line): remark.text for remark in generated().remarks}
    assert [place for place in told if place[0] != "config.yaml"] == [
        ("80.yaml", 2),
        ("80.yaml", 10),
        ("80.yaml", 11),
        ("30.yaml", 9),
        ("30.yaml", 7),
        ("30.yaml", 8),
        ("55.yaml", 2),
        ("60-cidrpool-0.yaml", 8),
        ("60-cidrpool-0.yaml", 9),
        ("60-cidrpool-0.yaml", 10),
    ]
    assert told["80.yaml", 10].startswith("ens1, ens1p1 of rail0 are planes of one rail")
    assert "Spectrum-X RA2.2" in told["30.yaml", 9]
    assert "OVS network" in told["55.yaml", 2]


def test_claims_in_place_of_a_device_plugin() -> None:
    """draEnabled defaults to true."""
    result = import_texts(
        {"config.yaml": CONFIG, "80.yaml": RAILS.replace("  draEnabled: false\n", "")}, "site"
    )
    assert data(result)["cluster"]["owners"]["device_plugin"] == "dra-driver-sriov"


def test_the_form_of_26_1_has_its_rails_in_policies() -> None:
    """v1alpha1 of RA2.1 names a policy and a pool: nothing in it is silently lost."""
    glue = """apiVersion: spectrumx.nvidia.com/v1alpha1
kind: SpectrumXRailPoolConfig
metadata: {name: rail-0, namespace: nvidia-network-operator}
spec: {multiplaneMode: none, sriovNetworkNodePolicyRef: rail-0, cidrPoolRef: rail-0}
"""
    policy = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail-0, namespace: nvidia-network-operator}
spec: {numVfs: 1, mtu: 9216, nicSelector: {pfNames: [ens1]}, resourceName: rail_0, isRdma: true}
"""
    result = import_texts({"config.yaml": CONFIG, "50.yaml": policy, "80.yaml": glue}, "site")
    assert [remark.text for remark in result.remarks if remark.at.file == "80.yaml"] != []
    assert data(result)["cluster"]["owners"]["device_plugin"] == "sriov-network-operator"


def test_the_second_plane_of_a_rail_is_on_no_rail() -> None:
    """Both PFs have the rail's number, and pods get the first one."""
    names = 'pciAddress: "0000:19:00.1", networkInterface: ens1p1'
    plane = f'  - {{deviceID: "1023", {names}, traffic: east-west, rail: 0}}\n'
    text = CONFIG.replace("enable: true", "enable: false") + plane
    result = import_texts({"config.yaml": text, "80.yaml": RAILS}, "site")
    (kind,) = data(result)["host_types"].values()
    assert kind["hcas"]["roce[0-1]"]["use"] == "vf"
    assert [kind["hcas"][f"roce{n}"]["netdev"] for n in range(2)] == ["ens1", "ens2"]
    assert kind["hcas"]["front-end2"]["netdev"] == "ens1p1"
    (line,) = [line for line in result.text.splitlines() if "front-end2:" in line]
    assert "a further PF of rail 0, on which an inventory has one HCA" in line


def test_an_index_outside_of_the_prefixes_is_a_question() -> None:
    """It is no address of a link, and none at all where it is large."""
    for index in ("7", "4294967295"):
        text = re.sub(r"gateway: \S+, ", "", POOL).replace("gatewayIndex: 0", f"gatewayIndex: {index}")
        pools = {f"60-{rail}.yaml": text.format(rail=rail) for rail in range(2)}
        result = import_texts({"config.yaml": CONFIG, "80.yaml": RAILS, "55.yaml": NETWORK, **pools}, "site")
        (line,) = [line for line in result.text.splitlines() if line.startswith("  gateway:")]
        assert line.startswith(
            "  gateway: TODO # TODO: an inventory cannot express this: switches with another"
        )
        assert f"rail-0 gpu-1 {index} (60-0.yaml:" in line
