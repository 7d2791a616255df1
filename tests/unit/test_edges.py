"""Facts of one line each, at their edge: what is read, judged and planned, asked directly."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.checks.rails import empty_rail
from netplan.config_db import judge_texts
from netplan.diagnostics import Severity
from netplan.graph.config_db.chains import numbers
from netplan.graph.kubernetes.alternatives import alternatives
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.supplies import supplies_of
from netplan.graph.qos import Proof, serves_first
from netplan.load import InputError
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.others import rendered_texts
from netplan.pipeline import compile_texts
from netplan.plan.switch_watchdog import plan_watchdog
from netplan.plan.verdicts import neighbours_verdict
from netplan.plan.workloads import _interface as interface_of
from netplan.reading.config_db.read import switches_of, texts_of
from netplan.reading.kubernetes.files import read_directory
from netplan.reading.switches import read_switch
from netplan.rules.kubernetes.pool_numbers import cidr_pool_problems
from netplan.rules.kubernetes.rails import _for_rdma as for_rdma
from netplan.rules.kubernetes.sites import _open as open_hosts
from netplan.trace import Tabulator
from netplan.trace.chains.draw import _alike as alike
from netplan.trace.chains.model import Doubt
from netplan.trace.copies import _container as container_of
from netplan.trace.exclusions import pool_blocks
from netplan.trace.linux import KernelRoute, Namespace
from netplan.trace.units import Use, host_faults
from netplan.verify.read import read
from tests.factories import merged
from tests.overlay import base_data
from tests.switch_site import profiles
from tests.test_diff import with_qos
from tests.unit.test_trace_addresses import NV_IPAM, POOL, given, host, network
from tests.unit.test_trace_faults import site as faulty
from tests.unit.test_trace_faults import swap
from tests.vendors.sites import PORTS

# config_db


def test_hidden_files_and_folders_are_not_read(tmp_path: Path) -> None:
    for name in ("leaf-1.json", ".leaf-2.json", ".old/leaf-3.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert [Path(name).name for name in texts_of([str(tmp_path)])] == ["leaf-1.json"]


def test_why_a_file_cannot_be_read_is_said_once(tmp_path: Path) -> None:
    name = str(tmp_path / "missing.json")
    with pytest.raises(InputError) as said:
        texts_of([name])
    assert (
        str(said.value) == f"{name!r} cannot be read (No such file or directory); check path and permissions"
    )


def switch(tables: dict[str, Any]) -> Any:
    *_, switches = switches_of({"leaf-1.json": json.dumps(tables)}, Places(SourceMap()))
    return switches[0]


def test_entries_of_a_map_that_are_no_numbers_are_left_out() -> None:
    row = {"3": "4", "x": "5", "6": "y", "NULL": "NULL"}
    assert numbers(switch({"DSCP_TO_TC_MAP": {"ROCE": row}}), "DSCP_TO_TC_MAP", "ROCE") == {3: 4}


def test_a_list_in_a_dump_of_redis_is_a_list() -> None:
    rows = {"VLAN|Vlan100": {"type": "hash", "value": {"vlanid": "100", "members@": "Ethernet0,Ethernet4"}}}
    dumped = {"CONFIG_DB": {**rows, "PORT|Ethernet0": {"type": "hash", "value": {"mtu": "9100"}}}}
    found = switch(dumped)
    assert found.row("VLAN", "Vlan100").fields == {"vlanid": "100", "members": ("Ethernet0", "Ethernet4")}
    assert found.text("PORT", "Ethernet0", "mtu") == "9100"


@pytest.mark.parametrize(("version", "wrong"), [("version_3_0_0", False), ("version_3_0_1", True)])
def test_words_of_old_images_are_taken_up_to_their_version(version: str, wrong: bool) -> None:
    """sonic-utilities db_migrator.py, version_3_0_0: autoneg 0 and 1 become off and on."""
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}},
        "VERSIONS": {"DATABASE": {"VERSION": version}},
        "PORT": {"Ethernet0": {"lanes": "1", "autoneg": "1"}},
    }
    found = judge_texts({"leaf-1.json": json.dumps(tables)}).diagnostics
    assert any("autoneg" in each.message for each in found) is wrong


@pytest.mark.parametrize(("ports", "told"), [(7, False), (8, True)])
def test_one_port_of_eight_with_other_pfc_is_told(ports: int, told: bool) -> None:
    bound = {"dscp_to_tc_map": "A", "tc_to_queue_map": "A", "tc_to_pg_map": "A"}
    rows = {f"Ethernet{4 * n}": {**bound, "pfc_enable": "3" if n else "4"} for n in range(ports)}
    text = json.dumps({"PORT_QOS_MAP": rows})
    assert ("NP894" in {each.code for each in judge_texts({"part.json": text}).diagnostics}) is told


# Kubernetes


def things(texts: dict[str, str]) -> ObjectGraph:
    files = [Artifact(name, text, "kubernetes") for name, text in texts.items()]
    return cluster_of(read(files).tree, {}, whole=True)


def config_map(value: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, namespace: b}}\ndata: {{x: {value}}}\n"


def test_files_that_say_otherwise_of_one_object_are_alternatives() -> None:
    one, two = (f"kubernetes/{name}.yaml" for name in ("one", "two"))
    unlike = things({one: config_map("y"), two: config_map("z")})
    assert alternatives(unlike) == {one, two}
    assert alternatives(things({one: config_map("y"), two: config_map("y")})) == frozenset()
    alone = things({one: config_map("y") + "---\n" + config_map("z")})
    assert alternatives(alone) == frozenset()


def test_values_of_a_chart_that_are_no_mapping_are_no_values() -> None:
    assert read([Artifact("kubernetes/chart/values.yaml", "- a\n", "kubernetes")]).tree.values == ()


def test_entries_of_a_kustomization_that_are_no_text_are_no_files() -> None:
    """What is listed twice is looked for among the others."""
    text = (
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [{a: b}, 3, one.yaml]\n"
    )
    twice = config_map("y") + "---\n" + config_map("z")
    found = rendered_texts({"kustomization.yaml": text, "one.yaml": twice}).diagnostics
    assert "NP690" in {each.code for each in found}


def test_a_file_of_more_than_32_mib_is_large(tmp_path: Path) -> None:
    for name, size in (("fits.yaml", 32 * 2**20), ("large.yaml", 32 * 2**20 + 1)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    found = read_directory(str(tmp_path))
    assert [Path(name).name for name in found.large] == ["large.yaml"]
    assert [Path(name).name for name in found.texts] == ["fits.yaml"]


def test_a_network_with_addresses_of_its_own_lacks_no_pool() -> None:
    ipam = {"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}]]}
    cluster = things({"kubernetes/0.yaml": network(ipam)})
    assert [each.absent for each in supplies_of(cluster, cluster.networks[0])] == [False]
    cluster = things({"kubernetes/0.yaml": network(NV_IPAM)})
    assert [each.absent for each in supplies_of(cluster, cluster.networks[0])] == [True]


def test_one_other_length_of_all_static_prefixes_is_one_finding() -> None:
    static = [{"nodeName": f"n{n}", "prefix": f"10.0.0.{128 * n}/25"} for n in range(2)]
    spec = {"cidr": "10.0.0.0/16", "perNodeNetworkPrefix": 24, "staticAllocations": static}
    assert [path for path, _ in cidr_pool_problems(spec)] == [("spec", "perNodeNetworkPrefix")]


def test_a_pool_may_be_written_with_host_bits() -> None:
    """nv-ipam masks the subnet (pkg/ip, ParseCIDR)."""
    pool = "{subnet: 10.0.0.7/24, perNodeBlockSize: 8, gateway: 10.0.0.1}"
    ipam = {"type": "nv-ipam", "poolName": "pool", "poolType": "ippool"}
    texts = [network(ipam), POOL.format(kind="IPPool", spec=pool)]
    assert given(texts, 1, 0)[0][0].endswith("/24")


# pods


def test_rules_of_one_priority_are_deleted_and_no_others() -> None:
    space = Namespace()
    for priority in (10, 20):
        space.add_rule(None, 100 + priority, priority)
    space.del_rules(10)
    assert [rule.priority for rule in space.rules] == [20]


def test_a_route_of_another_metric_is_not_replaced() -> None:
    space = Namespace()
    routes = [KernelRoute(dst=ip_network("10.0.0.0/8"), dev="net1", metric=metric) for metric in (0, 100)]
    for route in routes:
        space.replace_route(route)
    assert sorted(route.metric for route in space.table(254)) == [0, 100]


def test_the_container_with_devices_is_compared_whatever_it_asks_for_beside() -> None:
    asks = {"resources": {"limits": {"cpu": 8, "nvidia.com/rail": 1}}}
    spec = {"containers": [{"name": "proxy"}, {"name": "job", **asks}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}
    (found,) = things({"kubernetes/pod.yaml": yaml.safe_dump(pod)}).pods
    assert container_of(found)[1]["name"] == "job"


def test_containers_that_are_none_are_left_out_and_keep_the_place_of_others() -> None:
    spec = {"containers": [3, {"name": "job"}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "b"}, "spec": spec}
    (found,) = things({"kubernetes/pod.yaml": yaml.safe_dump(pod)}).pods
    assert [(path[-1], container) for path, container in found.containers()] == [(1, {"name": "job"})]


@pytest.mark.parametrize(
    ("resource", "chain", "moves"),
    [
        ("nvidia.com/rail", "host-device", False),
        ("nvidia.com/RDMA_rail", "host-device", True),
        ("", "host-device", False),
        ("nvidia.com/rail", "ib-sriov", True),
    ],
)
def test_a_network_is_for_rdma_by_its_plugins_or_the_name_of_its_resource(
    resource: str, chain: str, moves: bool
) -> None:
    text = network({"type": "static"}).replace('"host-device"', f'"{chain}"')
    named = "annotations: {k8s.v1.cni.cncf.io/resourceName: nvidia.com/rail}"
    changed = text.replace(
        named, f"annotations: {{k8s.v1.cni.cncf.io/resourceName: {resource}}}" if resource else ""
    )
    assert for_rdma(things({"kubernetes/0.yaml": changed}).networks[0]) is moves


@pytest.mark.parametrize(
    ("namespace", "found"), [("apps", "apps"), ("", "default"), ("{{ x }}", None), (7, "default")]
)
def test_the_namespace_of_a_generated_network(namespace: Any, found: str | None) -> None:
    """Of the Network Operator's kinds: networkNamespace, else default; unknown where a template has it."""
    spec = {"networkNamespace": namespace, "master": "ens1f0", "ipam": "{}"}
    made = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "a"}}
    cluster = things({"kubernetes/0.yaml": yaml.safe_dump(made | {"spec": spec})})
    assert [each.namespace for each in cluster.networks] == [found]


@pytest.mark.parametrize(
    ("labels", "names"), [({"gpu": "h100"}, "a"), ({"gpu": "{{ x }}"}, "ab"), ({"gpu": 7}, "ab")]
)
def test_hosts_are_ruled_out_by_labels_that_are_stated(labels: dict[str, Any], names: str) -> None:
    hosts = tuple(
        replace(host(0), name=name, labels={"gpu": gpu}) for name, gpu in (("a", "h100"), ("b", "b200"))
    )
    assert "".join(each.name for each in open_hosts(hosts, labels)) == names


def test_a_block_that_an_exclusion_just_covers_is_passed_over() -> None:
    """nv-ipam, getNextNonExcludedCandidates: the next node gets the block behind the exclusion."""
    spec = {"subnet": "10.0.0.0/24", "perNodeBlockSize": 8, "gateway": "10.0.0.254"}
    for last, lost in (("10.0.0.8", 0), ("10.0.0.7", 1)):
        excluded = [{"startIP": "10.0.0.1", "endIP": last}]
        text = POOL.format(kind="IPPool", spec=json.dumps(spec | {"exclusions": excluded}))
        (pool,) = things({"kubernetes/0.yaml": text}).of("nv-ipam.nvidia.com", "IPPool")
        assert len(list(pool_blocks(pool, 2, 8))) == lost


def test_several_like_it_are_counted_and_one_alone_is_not() -> None:
    doubts = [Doubt(proof=Proof.OPEN, text=f"VF {number} has no rail") for number in range(3)]
    assert [text.endswith(" (and 2 like it)") for text, _ in alike(doubts)] == [True]
    assert ["like it" in text for text, _ in alike(doubts[:1])] == [False]


def test_what_a_network_says_of_its_host_types_is_not_said_again_of_the_workload() -> None:
    """NP663 or NP710 name the network that is to be on hosts without an HCA for it; NP607 is for others."""
    front = "{model: connectx-5, netdev: eno1, speed_gbps: 25, use: front-end}"
    text = f"""
host_types:
  cpu: {{gpus: 8, node_selector: {{example.com/host-type: cpu}}, hcas: {{front: {front}}}}}
hosts: {{cpu-1: {{type: cpu}}}}
workloads: {{train: {{hosts: [gpu, cpu]}}}}
"""
    assert codes(text) & {"NP607", "NP663", "NP710"} == {"NP607"}
    named = codes(f"{text}networks: {{rail: {{hosts: [gpu, cpu]}}}}\n") & {"NP607", "NP663", "NP710"}
    assert named
    assert "NP607" not in named


def codes(text: str) -> set[str]:
    data = merged(base_data(""), yaml.safe_load(text))
    result = compile_texts({"case.yaml": yaml.safe_dump(data)})
    return {each.code for each in result.diagnostics if each.severity is Severity.ERROR}


# switches


def test_a_vlan_interface_without_an_age_of_neighbours_is_not_proved() -> None:
    path = "switches/leaf-5/arp.txt"
    planted = faulty("multi-vendor", {path: swap("  ip arp timeout 300\n", "", 1)})
    found = Tabulator(planted).matrix(planted.workloads["training"])
    said = {note for cell in found.cells for note in cell.notes}
    wanted = "the age of neighbours of leaf-5 VLAN 104 is not stated; ip arp timeout under interface Vlan104"
    assert any(text.startswith(wanted) for text in said)


def test_a_switch_has_the_vfs_behind_each_cable_as_neighbours() -> None:
    """Thirteen cables, six of them to HCAs with four VFs."""
    demand = faulty("kitchen-sink", {}).fabric.wanted.demand
    assert demand == {"leaf-1": 13 - 6 + 6 * 4, "spine-1": 4}


def test_an_own_address_of_bgp_that_no_interface_has_is_named_with_its_line() -> None:
    path = "switches/leaf-1/interfaces.json"
    planted = swap('"local_addr": "172.31.0.0"', '"local_addr": "172.31.9.9"')
    said = faulty("iei-rocev2", {path: planted}).bgp.refused("leaf-1")
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
