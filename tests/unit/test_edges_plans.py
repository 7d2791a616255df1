"""Edge cases, one fact per case: parts of the plan, and files that are compared with each other."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.checks.pools import too_few_addresses
from netplan.config_db import judge_texts
from netplan.graph.qos import chain_of as chain_of_port
from netplan.graph.site_qos import _watchdog as watchdog
from netplan.load import InputError
from netplan.model.readback import Steps
from netplan.plan import make_plan
from netplan.plan.switch_features import _stated_features as stated_features
from netplan.reading.config_db.read import MAX_BYTES, texts_of
from netplan.rules.kubernetes.rdma_modes import _exclusive as exclusive
from netplan.trace.chains.steps import _Interface as Interface
from netplan.trace.link import Ports
from tests.factories import fabric_from
from tests.overlay import CHECKS
from tests.sonic_corpus import small
from tests.test_diff import with_qos
from tests.unit.edges import things
from tests.unit.test_device_counts import VERBS, job

RAILS = """
rails: {count: 8, segment: stretched, supernets: [172.16.0.0/16], rail_prefixes: [20], prefixes: [24]}
host_types:
  wide: {hcas: {"ib[0-7]": {rail: 0}}}
  narrow: {hcas: {"ib[0-1]": {rail: 0}}}
networks: {verbs: {for_each: rails, hcas: ["ib[0-7]"], resource_name: null}}
workloads: {job: {hosts: [wide, narrow]}}
"""


def test_a_resource_of_one_rail_is_asked_for_where_all_host_types_have_the_rail() -> None:
    asked = [device.resource for device in job(VERBS, RAILS).devices]
    assert asked == ["intel.com/verbs_0", "intel.com/verbs_1"]


@pytest.mark.parametrize(("hosts", "by_cables"), [(8, False), (3000, True)])
def test_a_range_with_an_address_for_each_host_is_short_for_its_devices(hosts: int, by_cables: bool) -> None:
    """Fewer VFs help, unless the hosts alone exceed its addresses."""
    over = f"""
hosts: {{"gpu-[1-2]": null, "gpu-[0001-{hosts:04}]": {{type: gpu}}}}
links: null
subnets: {{small: {{cidr: 172.25.0.0/28}}}}
networks:
  rail: {{routing: null}}
  small: {{mode: sriov, subnet: small, ipam: whereabouts, hcas: [roce0], namespaces: [training]}}
"""
    plan, _ = make_plan(fabric_from((CHECKS / "base.yaml").read_text(encoding="utf-8"), over), {})
    (found,) = too_few_addresses(plan)
    (rests,) = found.rests or ()
    assert (("host_types", "gpu", "hcas", "roce0") not in rests) is by_cables


@pytest.mark.parametrize(("prefix", "compared"), [(31, True), (30, True), (29, False)])
def test_a_subnet_for_two_is_a_link(prefix: int, compared: bool) -> None:
    files = {}
    for number, name in enumerate(("leaf-1.json", "leaf-2.json")):
        data = small()[name]
        del data["DEVICE_NEIGHBOR"]
        data["INTERFACE"] = {"Ethernet0": {}, f"Ethernet0|10.9.0.{number + 1 - prefix // 31}/{prefix}": {}}
        files[name] = json.dumps(data)
    skipped = judge_texts(files).skipped
    assert any("no link between the switches given" in said for said in skipped) is not compared


@pytest.mark.parametrize(("address", "fact"), [("10.0.0.1", "entries"), ("fd00::1", "entries6")])
def test_a_table_of_neighbours_that_is_too_small_is_found_at_its_own_line(address: str, fact: str) -> None:
    ip = ip_address(address)
    fabric: Any = SimpleNamespace(
        switches={"leaf-1": SimpleNamespace(entries={ip.version: 5}, collected={})},
        wanted=SimpleNamespace(demand={"leaf-1": 6}),
        at=lambda *where: "/".join(map(str, where)),
    )
    interface: Any = SimpleNamespace(switch="leaf-1", ip=ip)
    (fault,) = Ports(fabric)._crowded(interface)
    assert f"(leaf-1/arp/{fact}/count/5)" in fault.text


@pytest.mark.parametrize(("mtu", "found"), [(0, []), (1, [1]), (9000, [9000]), (True, [])])
def test_an_mtu_of_a_network_is_a_number_above_zero(mtu: Any, found: list[int]) -> None:
    config = {"cniVersion": "1.0.0", "name": "a", "type": "macvlan", "mtu": mtu}
    nad = {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {"config": json.dumps(config)},
    }
    cluster = things({"kubernetes/nad.yaml": yaml.safe_dump(nad)})
    (network,) = cluster.networks
    assert [each[0] for each in Interface(cluster, network)._mtus()] == found


@pytest.mark.parametrize("key", ["fec", "autoneg", "admin_status"])
def test_a_setting_of_one_port_is_asked_for(key: str) -> None:
    nothing = {"fec": None, "autoneg": None, "admin_status": None}
    ports = [SimpleNamespace(settings=SimpleNamespace(**{**nothing, **own})) for own in ({key: "x"}, {})]
    plan: Any = SimpleNamespace(ports=ports, frr=SimpleNamespace(stated=False))
    assert stated_features(plan) == {"port_settings": f"{key} of links"}


@pytest.mark.parametrize(("rdma", "found"), [(True, 1), (False, 0)])
def test_a_network_whose_policy_is_not_for_rdma_needs_no_rdma_plugin(rdma: bool, found: int) -> None:
    config = json.dumps({"cniVersion": "1.0.0", "name": "a", "type": "sriov"})
    objects = [
        {"kind": "SriovNetworkPoolConfig", "spec": {"rdmaMode": "exclusive"}},
        {"kind": "SriovNetworkNodePolicy", "spec": {"resourceName": "rail", "isRdma": rdma}},
    ]
    group = {"apiVersion": "sriovnetwork.openshift.io/v1", "metadata": {"name": "a", "namespace": "b"}}
    named = {"k8s.v1.cni.cncf.io/resourceName": "openshift.io/rail"}
    nad = {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "a", "namespace": "b", "annotations": named},
        "spec": {"config": config},
    }
    texts = [yaml.safe_dump({**group, **each}) for each in objects]
    cluster = things({"kubernetes/a.yaml": "---\n".join([*texts, yaml.safe_dump(nad)])})
    assert len(exclusive(cluster)) == found


@pytest.mark.parametrize(("detection", "told"), [(200, False), (209, False), (210, True)])
def test_a_watchdog_may_wait_for_less_than_a_step_more(detection: int, told: bool) -> None:
    read = with_qos(detection_ms=frozenset({detection}), restoration_ms=frozenset({400}))
    chain = replace(chain_of_port(read, next(iter(read.ports)), ""), steps=Steps(watchdog_ms=10))
    site: Any = SimpleNamespace(watchdog=SimpleNamespace(detection_ms=200, restoration_ms=400))
    assert bool([each.text for each in watchdog(chain, site)]) is told


def test_a_file_that_is_too_large_is_told_its_limit(tmp_path: Path) -> None:
    large = tmp_path / "a.json"
    with large.open("wb") as stream:
        stream.truncate(MAX_BYTES + 1)
    with pytest.raises(InputError, match="more than 64 MiB; is it a config_db"):
        texts_of([str(large)])
