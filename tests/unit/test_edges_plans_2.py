"""Facts of one line each, at their edge: parts of the plan of a whole inventory."""

from __future__ import annotations

from netplan.checks.unbound import not_in_main
from netplan.model.plan import Plan
from netplan.plan import make_plan
from tests.factories import fabric_from
from tests.overlay import CHECKS
from tests.switch_site import profiles

BASE = (CHECKS / "base.yaml").read_text(encoding="utf-8")

TWO_TYPES = """
host_types:
  old:
    gpus: 8
    node_selector: {example.com/host-type: old}
    hcas: {roce1: {model: connectx-5, netdev: ens2f0, rail: 1, speed_gbps: 100, use: vf, vfs: 4}}
hosts: {gpu-3: {type: old}}
workloads: {train: {hosts: [gpu, old]}}
"""


def plan_of(over: str) -> Plan:
    plan, problems = make_plan(fabric_from(BASE, over), profiles())
    assert not problems
    return plan


def test_a_pod_has_interfaces_on_the_rails_that_all_its_host_types_have() -> None:
    (workload,) = plan_of(TWO_TYPES).workloads
    assert [nic.attachment.rail for nic in workload.nics] == [1]


def test_files_without_a_place_on_the_host_are_not_delivered() -> None:
    plan = plan_of("cluster: {host_delivery: {ansible: true}}")
    assert plan.delivery is not None
    (kind,) = plan.delivery.types
    planned = {f"gpu/{file.path}": file.destination for host in plan.hosts for file in host.files}
    assert planned["gpu/firmware-commands.txt"] is None
    assert dict(kind.files.files).keys() == {path for path, place in planned.items() if place is not None}


def test_sockets_that_leave_on_the_pod_network_are_told_once_for_both_families() -> None:
    families = "{supernets: [172.16.0.0/20, 'fd00:16::/48'], rail_prefixes: [22, 56], prefixes: [24, 64]}"
    plan = plan_of(f"{{rails: {families}, workloads: {{train: {{unbound_traffic: true}}}}}}")
    assert len(list(not_in_main(plan))) == 1


def test_hosts_that_are_only_counted_are_in_no_group_of_ansible() -> None:
    plan = plan_of("cluster: {host_delivery: {ansible: true}}\nhosts: {pool-1: {type: gpu, count: 3}}")
    assert plan.delivery is not None
    assert plan.delivery.types[0].hosts == ("gpu-1", "gpu-2")
