"""Edge cases, one fact per case: ports of nodes and producers of a resource, as a chain states them."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.producers import producers_of
from netplan.trace.chains.devices import all_named, ports_of, producer_lines
from tests.unit.edges import things
from tests.unit.test_edges_chains import nad, pod, steps
from tests.unit.test_edges_rules import vf_policy

PORT = {"name": "ens1", "pciAddress": "0000:19:00.0", "vendor": "15b3", "deviceID": "1021"}


def state(*ports: Any, node: str = "n1") -> dict[str, Any]:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkNodeState",
        "metadata": {"name": node, "namespace": "apps"},
        "spec": {},
        "status": {"interfaces": list(ports)},
    }


def cluster(*objects: dict[str, Any]) -> ObjectGraph:
    return things({"kubernetes/a.yaml": yaml.safe_dump_all(objects, sort_keys=False)})


def said(*objects: dict[str, Any], names: tuple[str, ...] = ("ens1",)) -> list[str]:
    return [line.text for line in ports_of(cluster(*objects), names=names)]


@pytest.mark.parametrize(
    ("more", "end"),
    [
        ({}, ""),
        ({"mtu": 9000}, ", MTU 9000"),
        ({"mtu": None, "linkType": "", "linkSpeed": "400000 Mb/s"}, ", speed 400000 Mb/s"),
        ({"linkType": "ETH", "mtu": 1500}, ", MTU 1500, linkType ETH"),
        ({"totalvfs": 16, "numVfs": 8}, ", 8 of 16 VFs"),
        ({"totalvfs": 16}, ", 0 of 16 VFs"),
        ({"numVfs": 8}, ""),
    ],
)
def test_what_a_node_states_of_a_port(more: dict[str, Any], end: str) -> None:
    assert said(state({**PORT, **more})) == [f"node n1: ens1 0000:19:00.0{end}"]


def test_a_port_stands_at_its_own_line() -> None:
    (line,) = ports_of(cluster(state("odd", {"name": "ens0"}, PORT)), names=("ens1",))
    (first,) = ports_of(cluster(state(PORT)), names=("ens1",))
    assert first.place.startswith("kubernetes/a.yaml:")
    assert int(line.place.rpartition(":")[2]) == int(first.place.rpartition(":")[2]) + 2


@pytest.mark.parametrize(
    ("number", "lines"),
    [(0, []), (4, ["n0", "n1", "n2", "n3"]), (5, ["n0", "n1", "n2", "n3", "and 1 more ports of nodes"])],
)
def test_the_first_four_ports_are_listed(number: int, lines: list[str]) -> None:
    found = said(*(state(PORT, node=f"n{n}") for n in range(number)))
    assert [text.removeprefix("node ").partition(":")[0] for text in found] == lines


def test_ports_of_other_names_and_states_without_ports_are_left_out() -> None:
    assert said(state({**PORT, "name": "ens2"}), state(node="n2")) == []
    assert said(state(PORT), names=()) == []


def produced(*objects: dict[str, Any]) -> list[str]:
    graph = cluster(*objects)
    lines, _ = producer_lines(graph, producers_of(graph, "openshift.io/rail"))
    return [line.text for line in lines]


def policies(number: int) -> list[dict[str, Any]]:
    every = [vf_policy(nicSelector={"vendor": "8086"}) for _ in range(number)]
    for index, each in enumerate(every):
        each["metadata"] = {"name": f"p{index}", "namespace": "apps"}
    return every


@pytest.mark.parametrize(("number", "more"), [(4, []), (5, ["and 1 more that produce it"])])
def test_the_first_four_producers_are_listed(number: int, more: list[str]) -> None:
    found = produced(*policies(number))
    assert len(found) == 4 + len(more)
    assert found[4:] == more


def test_a_producer_is_told_with_the_ports_that_it_selects() -> None:
    selector = {"vendor": "15b3", "pfNames": ["ens1#0-3"]}
    policy = vf_policy(nicSelector=selector, nodeSelector={"gpu": "h100", "x": "${X}"}, mtu=9000)
    found = produced(policy, state(PORT), state({**PORT, "vendor": "8086"}, node="n2"))
    assert found == [
        "SriovNetworkNodePolicy apps/x: vendor 15b3, pfNames ens1#0-3, numVfs 8, mtu 9000; nodes gpu=h100",
        "node n1: ens1 0000:19:00.0",
    ]


@pytest.mark.parametrize(
    ("selector", "port", "taken"),
    [
        ({"vendor": "15b3"}, {}, True),
        ({"vendor": "15b3", "deviceID": "1021"}, {}, True),
        ({"vendor": "15b3", "deviceID": "1018"}, {}, False),
        ({"deviceID": "1021"}, {}, True),
        ({"pfNames": ["ens1"]}, {}, True),
        ({"pfNames": ["alt1"]}, {"altNames": ["alt1"]}, True),
        ({"pfNames": ["ens2"]}, {}, False),
        ({"rootDevices": ["0000:19:00.0"]}, {}, True),
        ({"rootDevices": ["0000:1a:00.0"]}, {}, False),
        ({"rootDevices": ["0000:1A:00.0"]}, {"pciAddress": "0000:1A:00.0"}, True),
        ({"vendor": "15b3", "rootDevices": ["0000:1a:00.0"]}, {}, False),
        ({"vendor": "15b3", "pfNames": ["ens2"]}, {}, False),
        ({"pfNames": ["ens1"], "rootDevices": ["0000:1a:00.0"]}, {}, False),
        ({"netFilter": "x"}, {}, False),
    ],
)
def test_all_that_a_selector_states_must_fit(
    selector: dict[str, Any], port: dict[str, Any], taken: bool
) -> None:
    """sriov-network-operator 249e200 api/v1/helper.go, SriovNetworkNicSelector.Selected."""
    found = produced(vf_policy(nicSelector=selector), state({**PORT, **port}))
    assert len(found) == 1 + taken


def pool_config(mode: Any) -> dict[str, Any]:
    return {
        "apiVersion": "sriovnetwork.openshift.io/v1",
        "kind": "SriovNetworkPoolConfig",
        "metadata": {"name": "pool", "namespace": "apps"},
        "spec": {"rdmaMode": mode},
    }


@pytest.mark.parametrize(
    ("mode", "lines"),
    [
        ("exclusive", ["SriovNetworkPoolConfig apps/pool: RDMA mode exclusive"]),
        ("", []),
        (None, []),
        (7, []),
    ],
)
def test_the_rdma_mode_of_the_nodes_goes_with_a_resource(mode: Any, lines: list[str]) -> None:
    assert produced(vf_policy(), pool_config(mode))[1:] == lines


@pytest.mark.parametrize(
    ("selectors", "states", "named"),
    [
        ([{"pfNames": ["ens1"]}], [], True),
        ([{"vendor": "15b3"}], [], False),
        ([{"vendor": "15b3"}], [state(PORT)], True),
        ([{"vendor": "8086"}], [state(PORT)], False),
        ([{"pfNames": ["ens1"]}, {"vendor": "8086"}], [state(PORT)], False),
    ],
)
def test_producers_name_their_ports_or_the_state_of_a_node_does(
    selectors: list[dict[str, Any]], states: list[dict[str, Any]], named: bool
) -> None:
    every = policies(len(selectors))
    for policy, selector in zip(every, selectors, strict=True):
        policy["spec"]["nicSelector"] = selector
    graph = cluster(*every, *states)
    assert all_named(graph, producers_of(graph, "openshift.io/rail")) is named


def test_the_master_of_a_network_is_looked_up_on_the_nodes() -> None:
    lines, _ = steps(pod(networks="rail"), nad(master="ens1"), state({**PORT, "mtu": 9000}))["device"]
    assert lines == ["master ens1", "node n1: ens1 0000:19:00.0, MTU 9000"]
