"""NP5xx: each check on the smallest change that breaks it, and on the closest one that does not."""

from __future__ import annotations

import pytest

from netplan.checks import owners, rdma
from netplan.checks.registry import REGISTRY, Finding
from netplan.diagnostics import dotted
from tests.factories import fabric_from
from tests.unit.host_inventory import ROCE


def findings(code: str, over: str = "") -> list[Finding]:
    return list(REGISTRY[code].run(fabric_from(ROCE, over)))


def hca(name: str, values: str) -> str:
    return f"host_types: {{gpu: {{hcas: {{{name}: {{{values}}}}}}}}}"


def host(name: str, hca_name: str, values: str) -> str:
    return f"hosts: {{{name}: {{hcas: {{{hca_name}: {{{values}}}}}}}}}"


def macs(first: str, second: str) -> str:
    one, two = (f"{{hcas: {{{hca}: {{mac: {mac}}}}}}}" for hca, mac in (("roce0", first), ("roce1", second)))
    return f"hosts: {{gpu-01: {one}, gpu-02: {two}}}"


MAC, OTHER_MAC = "'02:00:00:00:00:01'", "'02:00:00:00:00:02'"
SPARE = "model: connectx-5, pci: '0000:af:00.0', speed_gbps: 100, use: pf"

BAD = [
    (
        "NP501",
        hca("roce1", "pci: '0000:18:00.0'"),
        "host_types.gpu.hcas.roce1.pci",
        "roce0 and roce1 of host type gpu both have PCI address",
    ),
    (
        "NP501",
        host("gpu-02", "roce1", "pci: '0000:18:00.0'"),
        "hosts.gpu-02.hcas.roce1.pci",
        "roce0 and roce1 of host gpu-02 both have PCI address",
    ),
    (
        "NP502",
        macs(MAC, MAC),
        "hosts.gpu-02.hcas.roce1.mac",
        "roce0 of gpu-01 and roce1 of gpu-02 both have MAC address",
    ),
    (
        "NP503",
        hca("roce0", "vfs: 128"),
        "host_types.gpu.hcas.roce0.vfs",
        "has 128 VFs, connectx-5 has at most 127",
    ),
    ("NP504", hca("roce0", "vfs: null"), "host_types.gpu.hcas.roce0.use", "has use vf and no vfs"),
    ("NP504", hca("roce0", "use: pf"), "host_types.gpu.hcas.roce0.vfs", "has 8 VFs and use pf"),
    ("NP505", hca("roce0", "speed_gbps: 200"), "host_types.gpu.hcas.roce0.speed_gbps", "runs at 200 Gb/s"),
    (
        "NP506",
        hca("roce0", "link: infiniband"),
        "host_types.gpu.hcas.roce0.link",
        "fabric.type roce runs over ethernet",
    ),
    ("NP506", hca("fe0", "link: infiniband"), "host_types.gpu.hcas.fe0.link", "connectx-4-lx has ethernet"),
    (
        "NP507",
        hca("roce0", "virtual: true"),
        "host_types.gpu.hcas.roce0.vfs",
        "is virtual and has 8 VFs to create",
    ),
    (
        "NP508",
        hca("roce1", "netdev: rail0"),
        "host_types.gpu.hcas.roce1.netdev",
        "roce0 and roce1 of host type gpu both have interface rail0",
    ),
    ("NP508", hca("fe0", "netdev: rail0"), "host_types.gpu.hcas.roce0.netdev", "interface rail0"),
    (
        "NP508",
        host("gpu-01", "roce1", "netdev: rail0"),
        "hosts.gpu-01.hcas.roce1.netdev",
        "of host gpu-01 both",
    ),
    (
        "NP508",
        "host_types: {gpu: {hcas: {roce0: {rdma_device: mlx5_0}, st0: {rdma_device: mlx5_0}}}}",
        "host_types.gpu.hcas.st0.rdma_device",
        "roce0 and st0 of host type gpu both have RDMA device mlx5_0",
    ),
    ("NP509", hca("roce1", "rail: 2"), "host_types.gpu.hcas.roce1.rail", "on rail 2, rails.count is 2"),
    ("NP509", hca("roce1", "rail: 0"), "host_types.gpu.hcas.roce1.rail", "rail 0 has roce0 and roce1 of gpu"),
    ("NP509", hca("roce2", SPARE), "host_types.gpu.hcas.roce2", "is for pods and has no rail"),
    (
        "NP509",
        "rails: null\nnetworks: null\nworkloads: null\n" + hca("roce1", "rail: null"),
        "host_types.gpu.hcas.roce0.rail",
        "rails.count is 0",
    ),
    (
        "NP510",
        "host_types: {gpu: {hcas: {roce0: {rail: 1}, roce1: {rail: 0}}}}",
        "host_types.gpu.hcas",
        "the HCAs of host type gpu are on rails 1, 0",
    ),
    (
        "NP510",
        host("gpu-02", "roce1", "pci: '0000:01:00.0'"),
        "hosts.gpu-02.hcas",
        "HCAs of gpu-02 are on rails 1, 0",
    ),
    (
        "NP511",
        "cluster: {owners: {vfs: sriov-network-operator}}",
        "cluster.owners.device_plugin",
        "owners.device_plugin is manual",
    ),
    (
        "NP511",
        "cluster: {owners: {vfs: none}}",
        "cluster.owners.vfs",
        "roce0 of gpu is bare metal with use vf (2 such HCAs)",
    ),
    (
        "NP512",
        host("gpu-01", "roce0", "mac: '01:00:5e:00:00:01'"),
        "hosts.gpu-01.hcas.roce0.mac",
        "01 is odd",
    ),
    ("NP513", "hosts: {gpu: {type: gpu, id: 9}}", "hosts.gpu", "would share the directory hosts/gpu"),
    (
        "NP514",
        hca("roce1", "netdev: null"),
        "host_types.gpu.hcas.roce1",
        "owners.vfs is host, but roce1 of gpu has no netdev",
    ),
]

GOOD = [
    ("NP501", host("gpu-02", "roce1", "pci: '0000:19:00.0'")),
    (
        "NP502",
        macs(MAC, OTHER_MAC),
    ),
    ("NP503", hca("roce0", "vfs: 127")),
    ("NP504", hca("roce0", "virtual: true, vfs: null")),
    ("NP505", hca("roce0", "speed_gbps: 25")),
    ("NP506", hca("st0", "link: infiniband")),
    ("NP507", hca("roce0", "virtual: true, vfs: null")),
    ("NP508", host("gpu-01", "roce1", "netdev: rail9")),
    ("NP509", hca("roce2", SPARE) + "\nnetworks: {spare: {mode: host-device, hcas: [roce2]}}"),
    ("NP510", hca("roce1", "pci: '0000:18:00.1'")),
    ("NP511", "cluster: {owners: {vfs: sriov-network-operator, device_plugin: sriov-network-operator}}"),
    ("NP512", host("gpu-01", "roce0", "mac: '02:00:5e:00:00:01'")),
    ("NP513", "hosts: {gpus: {type: gpu, count: 4}}"),
    ("NP514", "cluster: {owners: {vfs: hypervisor}}\n" + hca("roce1", "netdev: null, virtual: true")),
]


@pytest.mark.parametrize(("code", "over", "at", "words"), BAD, ids=[f"{c[0]}-{i}" for i, c in enumerate(BAD)])
def test_finding(code: str, over: str, at: str, words: str) -> None:
    (finding,) = findings(code, over)
    assert dotted(finding.at) == at
    assert words in finding.message
    assert finding.hint


@pytest.mark.parametrize(("code", "over"), GOOD, ids=[c[0] for c in GOOD])
def test_nearest_neighbour_is_accepted(code: str, over: str) -> None:
    assert findings(code, over) == []


@pytest.mark.parametrize("code", sorted({c[0] for c in BAD}))
def test_base_inventory_is_accepted(code: str) -> None:
    assert findings(code) == []


@pytest.mark.parametrize("code", sorted({c[0] for c in BAD}))
def test_explanation_has_its_paragraphs(code: str) -> None:
    text = REGISTRY[code].explanation
    assert [word for word in ("**Why.**", "**Fix.**", "**Source.**") if word not in text] == []


def test_every_check_of_the_module_has_a_case() -> None:
    own = {code for code, c in REGISTRY.items() if c.run.__module__ in (owners.__name__, rdma.__name__)}
    assert own == {c[0] for c in BAD} == {c[0] for c in GOOD}
