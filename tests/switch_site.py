"""A small site to plan switches for: the fabric of an inventory, resolved, planned and rendered.

Base: 16 hosts with 4 rails, one SN2700 leaf per rail, two spines, SONiC throughout.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from netplan.catalog import hca_rows, operator_releases, switch_rows, with_defaults
from netplan.model.addresses import AddressPlan
from netplan.model.codes import Problems
from netplan.model.fabric import Fabric
from netplan.model.nos import NosProfile
from netplan.model.qos import QosPlan
from netplan.model.switch_ports import PortVlans
from netplan.model.switching import SwitchPlan
from netplan.nos import available, load_nos
from netplan.plan.addresses import plan_addresses
from netplan.plan.qos import plan_qos
from netplan.plan.switch_ports import PortKey
from netplan.plan.switches import plan_switches
from netplan.render.switches import render_switches
from netplan.resolve import resolve
from netplan.resolve.hosts import hca_model
from netplan.resolve.switches import switch_model

INVENTORY = """
version: 1
site: test
cluster:
  distribution: kubernetes
  primary_network: {cni: calico, interface: eth0}
  owners: {vfs: host, device_plugin: manual, nads: netplan, nic_qos: host}
  rdma_mode: exclusive
fabric:
  type: roce
  mtu: 9000
  qos:
    trust: dscp
    classes:
      roce:
        dscp: 26
        priority: 3
        lossless: true
        bandwidth_percent: 50
        ecn: {kmin_bytes: 100000, kmax_bytes: 1500000}
      cnp: {dscp: 48, priority: 6, scheduling: strict}
    pfc_watchdog: {}
  arp: {timeout_seconds: 60}
underlay: {leaf_asn: 4200000100+, spine_asn: 4200000001, loopbacks: 172.31.255.0/24, uplinks: 172.31.0.0/22}
rails: {count: 4, segment: leaf, vlan_ids: 100-103, supernets: [172.16.0.0/20], prefixes: [24]}
host_types:
  gpu:
    gpus: 8
    hcas:
      roce[0-3]: {model: connectx-5, netdev: "ens1f[0-3]", rail: 0, speed_gbps: 100, use: vf, vfs: 8}
hosts:
  gpu-[001-016]: {type: gpu, id: 1}
switch_types:
  leaf: {nos: sonic, model: msn2700, buffer_model: traditional, host_table: 32768, port_mtu: 9216}
switches:
  leaf-[1-4]: {type: leaf, id: 1, role: leaf}
  spine-[1-2]: {type: leaf, id: 101, role: spine}
links:
  - {hosts: "gpu-[001-016]", hca: roce0, switch: leaf-1, ports: "Ethernet[0-60/4]", cable_m: 5}
  - {hosts: "gpu-[001-016]", hca: roce1, switch: leaf-2, ports: "Ethernet[0-60/4]", cable_m: 5}
  - {hosts: "gpu-[001-016]", hca: roce2, switch: leaf-3, ports: "Ethernet[0-60/4]", cable_m: 5}
  - {hosts: "gpu-[001-016]", hca: roce3, switch: leaf-4, ports: "Ethernet[0-60/4]", cable_m: 5}
  - {switches: leaf-1, ports: "Ethernet[64-76/4]", to: spine-1, to_ports: "Ethernet[0-12/4]", cable_m: 40}
  - {switches: leaf-2, ports: "Ethernet[64-76/4]", to: spine-1, to_ports: "Ethernet[16-28/4]", cable_m: 40}
  - {switches: leaf-3, ports: "Ethernet[64-76/4]", to: spine-1, to_ports: "Ethernet[32-44/4]", cable_m: 40}
  - {switches: leaf-4, ports: "Ethernet[64-76/4]", to: spine-1, to_ports: "Ethernet[48-60/4]", cable_m: 40}
  - {switches: leaf-1, ports: "Ethernet[80-92/4]", to: spine-2, to_ports: "Ethernet[0-12/4]", cable_m: 40}
  - {switches: leaf-2, ports: "Ethernet[80-92/4]", to: spine-2, to_ports: "Ethernet[16-28/4]", cable_m: 40}
  - {switches: leaf-3, ports: "Ethernet[80-92/4]", to: spine-2, to_ports: "Ethernet[32-44/4]", cable_m: 40}
  - {switches: leaf-4, ports: "Ethernet[80-92/4]", to: spine-2, to_ports: "Ethernet[48-60/4]", cable_m: 40}
networks:
  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [training], resource: per-rail}
"""


@dataclass(frozen=True, slots=True)
class Site:
    fabric: Fabric
    addresses: AddressPlan
    qos: QosPlan | None
    nos: Mapping[str, NosProfile]
    switches: tuple[SwitchPlan, ...]

    def switch(self, name: str) -> SwitchPlan:
        return next(s for s in self.switches if s.name == name)

    def files(self, switch: str) -> dict[str, str]:
        """File name -> text."""
        artifacts = render_switches([self.switch(switch)], self.nos, self.fabric.site)
        return {artifact.path.rsplit("/", 1)[1]: artifact.text for artifact in artifacts}


@cache
def _inventory() -> Any:
    return yaml.safe_load(INVENTORY)


@cache
def profiles() -> dict[str, NosProfile]:
    found, problems = load_nos(dict.fromkeys(available(), ()))
    assert problems == []
    return found


def inventory(**changes: Any) -> dict[str, Any]:
    """The inventory with values set by path, ``__`` between keys: ``fabric__mtu=4200``; None deletes."""
    data = deepcopy(_inventory())
    for path, value in changes.items():
        *above, last = path.split("__")
        target = data
        for key in above:
            target = target[key]
        if value is None:
            del target[last]
        else:
            target[last] = value
    return data


def fabric_of(data: Mapping[str, Any]) -> Fabric:
    own = with_defaults("switches", data.get("catalog", {}).get("switches", {}))
    switches = {**switch_rows(), **own}
    resolved = resolve(
        data,
        {name: hca_model(name, row) for name, row in hca_rows().items()},
        {name: switch_model(name, row) for name, row in switches.items()},
        available(),
        operator_releases(),
    )
    assert not resolved.problems
    return resolved.fabric


def site(**changes: Any) -> Site:
    """The planned site; VFs are tagged with their rail's VLAN."""
    return planned(fabric_of(inventory(**changes)))


def planned(fabric: Fabric, vlans: Mapping[PortKey, PortVlans] | None = None) -> Site:
    """``vlans``: of ports that carry something else than their rail's tagged VLAN."""
    problems = Problems()
    addresses = plan_addresses(fabric, problems)
    assert problems.found == []
    qos = plan_qos(fabric.qos) if fabric.qos else None
    tagged = {
        key: PortVlans((uses[0].segment.vlan,), None)
        for key, uses in addresses.port_uses.items()
        if uses[0].segment.vlan is not None
    }
    switches = plan_switches(fabric, addresses, qos, profiles(), {**tagged, **(vlans or {})})
    return Site(fabric, addresses, qos, profiles(), switches)
