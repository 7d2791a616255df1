"""Bugs found by reading public dumps; each excerpt is our own, with the same structure. docs/import.md lists
what was read."""

from __future__ import annotations

import pytest

from netplan.importing.lldp import read_json
from netplan.importing.run import Imported, import_texts
from netplan.model.document import Places, SourceMap
from tests.dumped_site import listed, node
from tests.test_import import data


def state(spec: str, *interfaces: str) -> Imported:
    head = "apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetworkNodeState\n"
    body = f"metadata: {{name: worker-1, namespace: openshift-sriov-network-operator}}\nspec: {{{spec}}}\n"
    rows = "".join(f"  - {{{row}}}\n" for row in interfaces)
    return import_texts({"state.yaml": f"{head}{body}status:\n  interfaces:\n{rows}"}, "site")


MELLANOX = 'deviceID: "1015", vendor: 15b3, driver: mlx5_core, linkSpeed: 25000 Mb/s, linkType: ETH, '
INTEL = 'deviceID: 158b, vendor: "8086", driver: i40e, linkSpeed: -1 Mb/s, linkType: ETH, totalvfs: 64, '
PLANNED = (
    "interfaces: [{name: ens5f0, numVfs: 6, pciAddress: 0000:86:00.0, vfGroups: [{resourceName: intel}]}]"
)


def test_a_state_whose_vfs_are_of_a_card_that_is_not_in_the_catalog() -> None:
    """The operator writes ``spec.interfaces`` from its policies, so it creates VFs, on whatever NIC."""
    rows = (
        MELLANOX + 'name: eno1, pciAddress: "0000:19:00.0"',
        INTEL + "name: ens5f0, pciAddress: 0000:86:00.0",
    )
    owners = data(state(PLANNED, *rows))["cluster"]["owners"]
    assert (owners["vfs"], owners["device_plugin"]) == ("sriov-network-operator", "sriov-network-operator")
    assert data(state("", *rows))["cluster"]["owners"]["vfs"] == "none"


BAY = """apiVersion: configuration.net.nvidia.com/v1alpha1
kind: NicDevice
metadata: {{name: node-1-1025-{number}, namespace: default}}
spec: {{}}
status:
  firmwareVersion: 82.48.1304
  networkBay: {{asic: {number}, peerPci: "0003:01:00.0"}}
  node: node-1
  ports: [{{networkInterface: {netdev}, pci: "{pci}", rdmaInterface: mlx5_{number}}}]
  serialNumber: MT2550601FH0
  type: "1025"
"""


def test_two_asics_of_a_connectx_9() -> None:
    """One serial number, two PCI domains; systemd's interface names show InfiniBand."""
    parts = [(0, "ibP1p3s0", "0001:03:00.0"), (1, "ibP3s6", "0003:01:00.0")]
    text = "---\n".join(BAY.format(number=n, netdev=name, pci=pci) for n, name, pci in parts)
    found = data(import_texts({"nics.yaml": text}, "site"))
    (kind,) = found["host_types"].values()
    assert found["fabric"]["type"] == "infiniband"
    assert [kind["hcas"][f"ib{n}"]["pci"] for n in range(2)] == ["0001:03:00.0", "0003:01:00.0"]
    ethernet = text.replace("ibP1p3s0", "enP1p3s0").replace("ibP3s6", "enP3s6")
    assert data(import_texts({"nics.yaml": ethernet}, "site"))["fabric"]["type"] == "TODO"


def test_a_node_of_openshift() -> None:
    own = node("worker-1", {"node.openshift.io/os_id": "rhcos"}, 8, "v1.20.0+df9c838")
    found = data(import_texts({"nodes.yaml": listed([own])}, "site"))
    assert found["cluster"]["distribution"] == "openshift"


CHASSIS = '{"leaf-1": {"id": {"type": "mac", "value": "44:38:39:ff:00:01"}}}'
PORT = '{"id": {"type": "ifname", "value": "swp1"}, "descr": "to-server"}'
ONE = f'{{"ens1": {{"via": "LLDP", "chassis": {CHASSIS}, "port": {PORT}}}}}'


@pytest.mark.parametrize(
    "text",
    [
        f'{{"lldp": {{"interface": {ONE}}}}}',
        f'{{"lldp": {{"interface": [{ONE}]}}}}',
        f'{{"lldp": [{{"interface": [{ONE}]}}]}}',
    ],
)
def test_forms_of_lldpctl(text: str) -> None:
    heard = read_json("gpu-1.lldp.json", text, Places(SourceMap()))
    assert [(n.port, n.system, n.names) for n in heard.neighbours] == [("ens1", "leaf-1", ("swp1",))]
