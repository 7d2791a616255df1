"""Edge cases, one fact per case: the pods of a TrainJob, and the addresses that a network supplies."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.supplies import supplies_of
from netplan.graph.kubernetes.trainer import train_jobs
from tests.unit.edges import things
from tests.unit.test_edges_asked import nv_pool, spider
from tests.unit.test_edges_objects_networks import MACVLAN, rail
from tests.unit.test_edges_objects_rest import GPU, runtime, training
from tests.unit.test_edges_objects_routes import spidered
from tests.unit.test_edges_rules import named

OWN, FOR_ALL = "TrainingRuntime", "ClusterTrainingRuntime"
ASKED, REFERRED = ("spec", "trainer", "resourcesPerNode"), ("spec", "runtimeRef")


def graph(*given: dict[str, Any]) -> Any:
    return things({"kubernetes/a.yaml": yaml.safe_dump_all(given, sort_keys=False)})


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ([training()], [(ASKED, f"{FOR_ALL} r", True)]),
        ([training(), runtime({})], [(ASKED, "", True)]),
        ([training(kind=OWN), runtime({}, OWN)], [(ASKED, "", True)]),
        ([training(kind=OWN), runtime({})], [(ASKED, f"{OWN} r", True)]),
        ([training(), named(runtime({}), "other")], [(ASKED, f"{FOR_ALL} r", True)]),
        ([training(None), named(runtime({}), "other")], []),
        ([training(None)], []),
        ([training({"limits": {}})], []),
        ([training({"limits": {}, "requests": {}}), runtime({})], [(REFERRED, "", False)]),
        ([training(None), runtime({})], [(REFERRED, "", False)]),
        ([training(None, OWN), runtime({}, OWN)], []),
        ([training(None, OWN)], []),
    ],
)
def test_a_train_job_is_a_pod_where_it_states_resources_or_its_runtime_is_here(
    given: list[dict[str, Any]], found: list[Any]
) -> None:
    """A TrainingRuntime of its namespace is a pod template itself."""
    jobs = train_jobs(graph(*given))
    assert [(job.at, job.unseen, job.alone is not None) for job in jobs] == found


def test_the_pod_of_a_train_job_has_the_containers_of_its_runtime_and_what_it_asks_for() -> None:
    (job,) = train_jobs(graph(training(), runtime({"a": "b"})))
    containers = job.pod.template["spec"]["containers"]
    assert [each.get("resources") for each in containers] == [None, GPU]
    assert {each["name"] for each in containers} == {"node"}
    assert job.pod.annotations == {"a": "b"}
    assert job.alone is not None
    assert [each["resources"] for each in job.alone.template["spec"]["containers"]] == [GPU]


def supplied(network: dict[str, Any], *beside: dict[str, Any]) -> list[Any]:
    cluster = graph(network, *beside)
    found = supplies_of(cluster, cluster.networks[0])
    return [
        (
            s.source,
            str(s.subnet or "-"),
            s.gateway,
            [(way.to, way.via) for way in s.ways],
            dict(s.facts),
            s.absent,
        )
        for s in found
    ]


WAY = {"dst": "10.0.0.0/8"}
LONG = [f"10.0.0.{number}/32" for number in range(9)]


@pytest.mark.parametrize(
    ("ipam", "found"),
    [
        ({"type": "dhcp"}, [("dhcp", "-", "", [], {}, False)]),
        (
            {"type": "whereabouts", "range": "10.0.0.0/24"},
            [("whereabouts 10.0.0.0/24", "10.0.0.0/24", "", [], {}, False)],
        ),
        (
            {
                "type": "whereabouts",
                "range": "10.0.0.5-10.0.0.9/24",
                "gateway": "10.0.0.1",
                "routes": [WAY, {"gw": "x"}],
            },
            [
                (
                    "whereabouts 10.0.0.5-10.0.0.9/24",
                    "10.0.0.0/24",
                    "10.0.0.1",
                    [("10.0.0.0/8", "")],
                    {},
                    False,
                )
            ],
        ),
        ({"type": "whereabouts", "range": ""}, []),
        ({"type": "whereabouts", "range": 7}, []),
        ({"type": "whereabouts", "range": "x"}, [("whereabouts x", "-", "", [], {}, False)]),
        (
            {"type": "whereabouts", "range": "10.0.0.0/24", "exclude": LONG, "range_start": "10.0.0.9"},
            [
                (
                    "whereabouts 10.0.0.0/24",
                    "10.0.0.0/24",
                    "",
                    [],
                    {"range_start": "10.0.0.9", "exclude": " ".join(LONG[:8])},
                    False,
                )
            ],
        ),
        (
            {"type": "whereabouts", "range": "10.0.0.0/24", "ipRanges": [{"range": "fd00::/64"}, {}, 7]},
            [
                ("whereabouts 10.0.0.0/24", "10.0.0.0/24", "", [], {}, False),
                ("whereabouts fd00::/64", "fd00::/64", "", [], {}, False),
            ],
        ),
        (
            {"type": "host-local", "subnet": "10.0.0.0/24", "rangeStart": "10.0.0.5", "rangeEnd": ""},
            [("host-local 10.0.0.0/24", "10.0.0.0/24", "", [], {"rangeStart": "10.0.0.5"}, False)],
        ),
        (
            {"type": "host-local", "ranges": [[{"subnet": "10.0.1.0/24", "gateway": "10.0.1.1"}], [{}]]},
            [
                ("host-local 10.0.1.0/24", "10.0.1.0/24", "10.0.1.1", [], {}, False),
                ("host-local ", "-", "", [], {}, False),
            ],
        ),
        ({"type": "static"}, [("static", "-", "", [], {}, False)]),
        (
            {"type": "static", "addresses": [{"address": "10.0.0.2/24", "gateway": "10.0.0.1"}]},
            [("static 10.0.0.2/24", "10.0.0.0/24", "10.0.0.1", [], {}, False)],
        ),
        (
            {"type": "nv-ipam", "poolName": "p,q"},
            [
                ("IPPool apps/p", "10.0.0.0/24", "10.0.0.1", [], {"perNodeBlockSize": "8"}, False),
                ("ippool q", "-", "", [], {}, True),
            ],
        ),
        (
            {
                "type": "nv-ipam",
                "poolName": "c",
                "poolType": "cidrpool",
                "routes": [{**WAY, "gw": "10.0.0.9"}],
            },
            [
                (
                    "CIDRPool apps/c",
                    "10.0.0.0/16",
                    "",
                    [("10.0.0.0/8", "10.0.0.9")],
                    {"perNodeNetworkPrefix": "24"},
                    False,
                )
            ],
        ),
    ],
)
def test_where_a_network_gets_its_addresses(ipam: dict[str, Any], found: list[Any]) -> None:
    assert supplied(rail(MACVLAN, **ipam), nv_pool("p"), nv_pool("c", "CIDRPool")) == found


def test_a_pool_brings_its_routes_and_its_default() -> None:
    pool = nv_pool("p")
    pool["spec"] |= {"routes": [WAY], "defaultGateway": True}
    ((*_, ways, facts, _),) = supplied(rail(MACVLAN, type="nv-ipam", poolName="p"), pool)
    assert (ways, facts) == ([("10.0.0.0/8", ""), ("default", "")], {"perNodeBlockSize": "8"})


def test_pools_of_spiderpool_state_their_addresses() -> None:
    one = named(spider(gateway="10.0.0.1", ips=["10.0.0.5-10.0.0.9"], vlan=7), "p")
    ((source, subnet, gateway, _, facts, _),) = supplied(spidered(), one)
    assert (source, subnet, gateway) == ("SpiderIPPool p", "10.0.0.0/24", "10.0.0.1")
    assert facts == {"ips": "10.0.0.5-10.0.0.9", "vlan": "7"}
