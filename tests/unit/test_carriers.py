"""Host types that carry a network: exactly the cluster nodes with a suitable HCA."""

from __future__ import annotations

from netplan.plan.devices import carriers
from tests.factories import fabric_from
from tests.overlay import CHECKS

OTHERS = """
host_types:
  hypervisor: {node: false, hcas: {roce0: {model: connectx-5, pci: "0000:18:00.0", rail: 0, use: vf, vfs: 4}}}
  login: {hcas: {fe0: {model: connectx-5, pci: "0000:18:00.0", use: front-end}}}
hosts:
  esx-1: {type: hypervisor}
  login-1: {type: login}
"""


def test_carriers_are_nodes_with_a_fitting_hca() -> None:
    fabric = fabric_from((CHECKS / "base.yaml").read_text(), OTHERS)
    assert {kind.name for kind in fabric.host_types} == {"gpu", "hypervisor", "login"}
    (network,) = fabric.networks
    assert [(c.host_type.name, len(c.hcas)) for c in carriers(network, fabric)] == [("gpu", 2)]
