"""Edge cases, one fact per case: switches, and what is planned for them, by direct calls."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.checks.rails import empty_rail
from netplan.graph.kubernetes.selections import read_selections
from netplan.graph.qos import chain_of, serves_first
from netplan.plan.switch_watchdog import plan_watchdog
from netplan.plan.verdicts import neighbours_verdict
from netplan.plan.workloads import _interface as interface_of
from netplan.reading.switches import read_switch
from netplan.resolve.networks import _vf_range as vf_range
from netplan.trace import Tabulator
from netplan.trace.chains.devices import _said as said_of
from netplan.trace.copies import _has_gpus as has_gpus
from netplan.trace.units import Use, host_faults
from tests.switch_site import profiles
from tests.test_diff import with_qos
from tests.unit.edges import things
from tests.unit.test_trace_addresses import host
from tests.unit.test_trace_faults import site as faulty
from tests.unit.test_trace_faults import swap
from tests.vendors.sites import PORTS


def test_a_vlan_interface_without_an_age_of_neighbours_is_not_proved() -> None:
    path = "switches/leaf-5/arp.txt"
    planted = faulty("multi-vendor", {path: swap("  ip arp timeout 300\n", "", 1)})
    found = Tabulator(planted).matrix(planted.workloads["training"])
    said = {note for cell in found.cells for note in cell.notes}
    line = "ip arp timeout under interface Vlan104"
    wanted = f"the ageing time of neighbours of leaf-5 VLAN 104 is not stated; {line}"
    assert any(text.startswith(wanted) for text in said)


def test_a_switch_has_the_vfs_behind_each_cable_as_neighbours() -> None:
    """Thirteen cables, six of them to HCAs with four VFs."""
    demand = faulty("kitchen-sink", {}).fabric.wanted.demand
    assert demand == {"leaf-1": 13 - 6 + 6 * 4, "spine-1": 4}


def test_an_own_address_of_bgp_that_no_interface_has_is_named_with_its_line() -> None:
    path = "switches/leaf-1/interfaces.json"
    planted = swap('"local_addr": "172.31.0.0"', '"local_addr": "172.31.9.9"')
    said = faulty("iei-rocev2", {path: planted}).bgp.sessions.refused("leaf-1")
    wanted = "leaf-1 has no interface with 172.31.9.9, its own address towards 172.31.0.1"
    assert [text.partition(" (")[0] for text in said] == [wanted]
    assert f"({path}:" in said[0]


@pytest.mark.parametrize(("strict", "first"), [({6}, True), ({5}, False), (set(), False)])
def test_a_dscp_is_served_first_where_its_queue_is_strict(strict: set[int], first: bool) -> None:
    read = with_qos(queues={48: frozenset({6})}, strict=frozenset(strict))
    assert serves_first(read, 48) is first
    assert not serves_first(read, 26)


def test_ages_that_differ_are_told() -> None:
    lines = "interface Vlan{}\n  ip arp timeout {}\n"
    for second, told in ((300, False), (600, True)):
        text = lines.format(100, 300) + lines.format(200, second)
        found = read_switch("leaf-1", "cisco-nxos", {"arp.txt": text}, asic=PORTS["cisco-nxos"][1])
        assert found.arp_seconds == second
        assert any("ages of neighbours differ: 300, 600 s" in said for said in found.problems) is told


def test_without_a_plan_of_qos_there_is_no_watchdog() -> None:
    assert plan_watchdog(None, profiles()["sonic"], None).enabled is False


@pytest.mark.parametrize(("table", "said"), [(99, "exceeds"), (100, "fits"), (0, "not judged")])
def test_a_table_that_is_just_full_fits(table: int, said: str) -> None:
    demand: Any = SimpleNamespace(total=100, host_table=table)
    assert neighbours_verdict(demand).startswith(said)


def test_an_hca_that_pods_do_not_use_is_on_no_rail_of_theirs() -> None:
    hcas = [SimpleNamespace(rail=number, for_pods=number == 0) for number in range(2)]
    rails = SimpleNamespace(count=2, at=("rails",))
    fabric: Any = SimpleNamespace(rails=rails, host_types=[SimpleNamespace(hcas=hcas)])
    assert [each.message for each in empty_rail(fabric)] == ["no HCA is on rail 1 of 2"]


@pytest.mark.parametrize(("length", "taken"), [(15, True), (16, False)])
def test_an_interface_of_a_pod_has_a_name_of_fifteen_characters(length: int, taken: bool) -> None:
    """IFNAMSIZ - 1 (linux/if.h)."""
    name = "x" * length
    attachment: Any = SimpleNamespace(rail=None, network=SimpleNamespace(name=name))
    assert interface_of(attachment, 3, set()) == (name if taken else "net3")


def test_networkd_removes_routes_where_it_configures_some_port() -> None:
    one, two = host(0, "0000:19:00.0", "0000:1a:00.0").hcas
    texts = {"hosts/gpu/20-hca-0.network": "[Match]\nName=ens1f0np0\n"}
    uses = tuple(Use(hca, 0, made=False) for hca in (one, two))
    here = replace(host(0), hcas=(one, two))
    assert any("networkd removes routes" in fault.text for fault in host_faults(texts, here, uses))
    assert not any("networkd removes routes" in fault.text for fault in host_faults({}, here, uses))


def test_labels_that_a_template_fills_in_are_not_told() -> None:
    producer: Any = SimpleNamespace(selected=(), settings=(), labels={"gpu": "{{ kind }}", "zone": "a"})
    assert said_of(producer) == "no selector; nodes zone=a"


def test_a_list_of_networks_is_json_by_any_of_its_marks() -> None:
    assert read_selections((), "[]") == ([], [])
    assert [each.name for each in read_selections((), "rail-0, b/rail-1@net2")[0]] == ["rail-0", "rail-1"]


@pytest.mark.parametrize(("limits", "gpus"), [({"nvidia.com/gpu": 1}, True), ({"nvidia.com/rail": 1}, False)])
def test_a_pod_with_gpus(limits: dict[str, int], gpus: bool) -> None:
    spec = {"containers": [{"name": "proxy"}, {"name": "job", "resources": {"limits": limits}}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}
    (found,) = things({"kubernetes/pod.yaml": yaml.safe_dump(pod)}).pods
    assert has_gpus(found) is gpus


@pytest.mark.parametrize(("text", "codes"), [("3-3", []), ("0-3", []), ("3-0", ["NP102"])])
def test_a_range_of_one_vf_is_one(text: str, codes: list[str]) -> None:
    context: Any = SimpleNamespace(problems=SimpleNamespace(add=lambda code, *_: told.append(code)))
    told: list[str] = []
    vf_range(text, (), context)
    assert told == codes


@pytest.mark.parametrize(("queues", "one"), [({3}, 3), ({3, 4}, None), (set(), None)])
def test_a_dscp_is_in_one_queue_or_in_none_that_is_known(queues: set[int], one: int | None) -> None:
    read = with_qos(queues={26: frozenset(queues)})
    port = next(iter(read.ports))
    assert chain_of(read, port, "").queue(26)[0] == one
