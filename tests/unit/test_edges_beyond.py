"""Edge cases, one fact per case: the path between two switches, and devices that no network names."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.graph.kubernetes.trainer import _template as runtime_template
from netplan.rules.kubernetes.plugin_configs import plugin_config
from netplan.trace import Tabulator
from netplan.trace.devices import _several as several
from netplan.trace.path import Paths
from netplan.trace.pod_nics import Interfaces, _beyond
from tests.unit.some import but, some
from tests.unit.test_edges_gather import of, things

PATHS: Any = Paths
BEYOND: Any = _beyond
HOST: Any = some(name="gpu-1", type="gpu")
TRUNKS = {
    "a": [("1", ("b", "1")), ("2", ("c", "1"))],
    "b": [("1", ("a", "1")), ("2", ("d", "1"))],
    "c": [("1", ("a", "2")), ("2", ("d", "2"))],
    "d": [("1", ("b", "2")), ("2", ("c", "2")), ("3", ("e", "1"))],
    "e": [("1", ("d", "3"))],
}


@pytest.mark.parametrize(
    ("start", "to", "way"),
    [
        ("a", "a", []),
        ("a", "b", [("a", "1", ("b", "1"))]),
        ("a", "c", [("a", "2", ("c", "1"))]),
        ("a", "d", [("a", "1", ("b", "1")), ("b", "2", ("d", "1"))]),
        ("a", "e", [("a", "1", ("b", "1")), ("b", "2", ("d", "1")), ("d", "3", ("e", "1"))]),
        ("e", "a", [("e", "1", ("d", "3")), ("d", "1", ("b", "2")), ("b", "1", ("a", "1"))]),
    ],
)
def test_the_shortest_way_over_trunks(start: str, to: str, way: Any) -> None:
    fabric = some(trunks=lambda switch, vlan: TRUNKS[switch] if vlan == 7 else [])
    assert PATHS._trunk_way(some(fabric=fabric), start, to, 7) == way


@pytest.mark.parametrize(
    ("back", "expected"),
    [((7, None), True), ((8, None), False), ((7, "p"), False), (None, False)],
)
def test_a_reverse_path_leads_back_where_the_packet_came_from(back: Any, expected: bool) -> None:
    asked: list[Any] = []

    def connected(switch: str, source: Any) -> Any:
        asked.append((switch, source))
        return None if back is None else some(vlan=back[0], port=back[1])

    paths: Any = some(fabric=some(connected=connected))
    router: Any = some(switch="leaf", vlan=7, port=None)
    chosen = some(space=some(decide=lambda dst, src, oif: some(src=f"{dst} {src} {oif}")))
    request: Any = some(src="own", dst="far", oif="net1", sender=chosen)
    assert PATHS._expected(paths, request, router) is expected
    assert PATHS._expected(paths, but(request, src=None), router) is expected
    assert asked == [("leaf", "own"), ("leaf", "far None net1")]


def test_a_packet_without_a_source_has_no_reverse_path() -> None:
    paths: Any = some(fabric=some(connected=lambda *_: some(vlan=7, port=None)))
    request: Any = some(
        src=None, dst="far", oif=None, sender=some(space=some(decide=lambda *_: some(src=None)))
    )
    assert not PATHS._expected(paths, request, some(switch="leaf", vlan=7, port=None))


EFA = "EFA: the cloud carries it, by security groups and placement that no file states"


@pytest.mark.parametrize(
    ("resource", "links", "said"),
    [
        ("vpc.amazonaws.com/efa", ("infiniband",), EFA),
        ("a/b", ("ethernet",), "no file says what the devices of a/b are connected to"),
        ("a/b", (), "no file says what the devices of a/b are connected to"),
    ],
)
def test_what_carries_devices_without_a_network(resource: str, links: Any, said: str) -> None:
    site: Any = some(facts=some(links={"gpu": links}))
    assert BEYOND(site, some(type="gpu"), resource) == said


def test_devices_of_infiniband_are_carried_by_its_subnet_manager() -> None:
    site: Any = some(facts=some(links={"gpu": ("ethernet", "infiniband")}))
    assert "subnet manager" in BEYOND(site, some(type="gpu"), "a/b")
    assert "no file" in BEYOND(site, some(type="cpu"), "a/b")


def test_devices_of_a_pod_without_networks() -> None:
    limits = {"nvidia.com/gpu": 8, "rdma/hca": 2, "vpc.amazonaws.com/efa": 1}
    workload: Any = some(limits=limits, verbs_mounted=False, file="pod.yaml")
    pod: Any = Interfaces(some(facts=some(links={})), workload, some(type="gpu"))
    found = [(nic.name, nic.rail, nic.beyond == EFA) for nic in pod.plain_devices()]
    assert found == [("hca0", 0, False), ("hca1", 1, False), ("efa0", 0, True)]
    pod.workload = but(workload, limits={}, verbs_mounted=True)
    assert [(nic.name, nic.rail, nic.beyond == EFA) for nic in pod.plain_devices()] == [("verbs0", 0, False)]


def offer(name: str, count: int | None, made: int | None = None, shared: bool | None = None) -> Any:
    config = None if shared is None else some(shared=shared)
    hca = some(name=name)
    return some(hca=hca, fit=some(count=count), made=made, producer=some(config=config), at="a.yaml:1")


SEVERAL = (
    "resource r has devices of a, b of gpu-1 (a.yaml:1), a pod asks for {}: "
    "which of them it gets is not stated"
)


@pytest.mark.parametrize(
    ("taken", "asked", "said"),
    [
        ([offer("a", 1)], 1, False),
        ([offer("a", 1), offer("b", 1)], 1, True),
        ([offer("a", 1), offer("b", 1)], 2, False),
        ([offer("a", 4), offer("b", 4)], 8, False),
        ([offer("a", 4), offer("b", 4)], 7, True),
        ([offer("a", None), offer("b", None)], 2, False),
        ([offer("a", None), offer("b", None)], 1, True),
        ([offer("a", None, made=4), offer("b", 1)], 9, True),
        ([offer("a", 1, shared=True), offer("b", 1)], 1, False),
        ([offer("a", 1, shared=False), offer("b", 1, shared=False)], 1, True),
    ],
)
def test_a_resource_of_several_ports(taken: list[Any], asked: int, said: bool) -> None:
    found = list(several("r", taken, some(name="gpu-1"), asked))
    assert found == [SEVERAL.format(asked)] * said


def hca(**change: Any) -> Any:
    return but(some(name="roce0", pci="18:00.0", netdev="ens1", switch="", port=""), **change)


def port_of(**change: Any) -> Any:
    plain = some(addresses=(), ecn={}, pfc=None, trust=None, headroom_m=None, qos=None, gbps=100, fec=None)
    return but(plain, autoneg=None, up=True, tagged=(), untagged=1, ip_mtu=9000, **change)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ({}, {}, True),
        ({"pci": "3b:00.0"}, {}, False),
        ({"netdev": "ens2"}, {}, False),
        ({"name": "roce1"}, {}, False),
        ({"switch": "gone"}, {}, False),
        ({"switch": "leaf", "port": "a"}, {"switch": "leaf", "port": "b"}, True),
        ({"switch": "leaf", "port": "a"}, {"switch": "leaf", "port": "slow"}, False),
        ({"switch": "leaf", "port": "a"}, {"switch": "leaf", "port": "gone"}, False),
        ({"switch": "leaf", "port": "gone"}, {"switch": "leaf", "port": "none"}, True),
    ],
)
def test_ports_of_hosts_that_are_alike(one: Any, other: Any, alike: bool) -> None:
    leaf = some(ports={"a": port_of(), "b": port_of(), "slow": port_of(gbps=40)})
    tabulator: Any = some(
        site=some(fabric=some(switches={"leaf": leaf})),
        _mtu=lambda *_: 9000,
        _usual_mtu=lambda *_: 9000,
        _disputed=lambda _: "",
    )
    first, second = (
        Tabulator._port_signature(tabulator, HOST, hca(**change), False, frozenset())
        for change in (one, other)
    )
    assert isinstance(first, tuple)
    assert (first == second) is alike


@pytest.mark.parametrize(("own", "mtu"), [(True, 1500), (False, 9000)])
def test_the_mtu_of_a_host_is_that_of_its_own_files_if_it_has_some(own: bool, mtu: int) -> None:
    tabulator: Any = some(
        site=some(fabric=some(switches={})),
        _mtu=lambda *_: 1500,
        _usual_mtu=lambda *_: 9000,
        _disputed=lambda _: "",
    )
    assert Tabulator._port_signature(tabulator, HOST, hca(), own, frozenset())[-1] == mtu


@pytest.mark.parametrize(("rails", "rail"), [({}, None), ({"net1": (3, ())}, 3), ({"net2": (3, ())}, None)])
def test_a_network_that_is_configured_on_the_nodes(rails: Any, rail: int | None) -> None:
    workload: Any = some(routes=some(rails=rails), file="pod.yaml")
    thing = some(file="a.yaml", source=lambda path: some(line=7))
    network: Any = some(name="rail0", thing=thing)
    nic = Interfaces(some(), workload, some()).unwritten("net1", network)
    text = "the CNI configuration of rail0 is in no file (a.yaml:7)"
    assert (nic.name, nic.rail, nic.beyond) == ("net1", rail, text)


OTHER = "metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: other}}, "
STEP = "metadata: {labels: {trainer.kubeflow.org/trainjob-ancestor-step: trainer}}, "


@pytest.mark.parametrize(
    ("jobs", "pod"),
    [
        (["{template: {spec: {template: {a: 1}}}}"], {"a": 1}),
        (["{template: {spec: {template: {a: 1}}}}", "{template: {spec: {template: {a: 2}}}}"], None),
        (
            [
                "{template: {spec: {template: {a: 1}}}}",
                f"{{template: {{{STEP}spec: {{template: {{a: 2}}}}}}}}",
            ],
            {"a": 2},
        ),
        ([f"{{template: {{{OTHER}spec: {{template: {{a: 1}}}}}}}}"], {"a": 1}),
        ([], None),
    ],
)  # fmt: skip
def test_the_pod_of_a_runtime_is_that_of_its_training_step(jobs: list[str], pod: Any) -> None:
    spec = f"{{template: {{spec: {{replicatedJobs: [{', '.join(jobs)}]}}}}}}"
    cluster = things({"a.yaml": of("TrainingRuntime", "trainer.kubeflow.org/v1alpha1", spec)})
    assert runtime_template(cluster.tree.things[0]) == pod


def plugin(key: str, *entries: dict[str, Any]) -> list[str]:
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "n"}}
    data = {"config.json": json.dumps({key: list(entries)})}
    cluster = things({"a.json": json.dumps({**body, "data": data})})
    return [each.message for each in plugin_config(cluster, cluster.configs[0])]


def test_pods_share_devices_that_two_entries_of_a_shared_plugin_select() -> None:
    one, other = ({"resourceName": name, "selectors": {"ifNames": ["ens1"]}} for name in "ab")
    assert plugin("configList", one, other) == []
    assert plugin("resourceList", one, other) == [
        "b selects the same devices as a, which comes first and takes them all"
    ]
    assert plugin("configList", one, one) == ["resource a appears 2 times"]
    assert plugin("configList", {**one, "selectors": {"drivers": ["mlx5_ib"], "pfNames": ["a", "a"]}}) == []
