"""Edge cases, one fact per case: variables that netplan derives for NCCL, UCX and libfabric, rule by rule."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.workloads import EnvVar
from netplan.plan import pod_env
from netplan.plan.device_env import device_list
from netplan.plan.flow_env import flows
from netplan.plan.gid_env import gid
from tests.unit.some import but, some

Shown = list[tuple[str, str | None]]


def shown(decisions: Any) -> Shown:
    """Names with their values; None for a variable that is left out."""
    return [(d.name, d.value if isinstance(d, EnvVar) else None) for d in decisions]


def why(decisions: Any) -> list[str]:
    return [decision.reason for decision in decisions]


HCA = some(name="roce0", use="pod", virtual=False, vf_rdma_prefix=None, rdma_device="mlx5_0")
TWO = (HCA, but(HCA, name="roce1", rdma_device="mlx5_1"))
VFS = tuple(but(hca, use="vf", vf_rdma_prefix=f"mlx5_{n}_") for n, hca in enumerate(TWO))
HOST = some(type=some(name="gpu"), hcas={})
NETWORK = some(shared=False, takes="one")
SUBJECT = some(
    fabric=some(type="roce", cluster=some(rdma_mode="shared")),
    hcas={"gpu": TWO},
    others=(),
    some=0,
    workload=some(hosts=(HOST,), networks=(NETWORK,), pods_per_node=1),
)


def devices(**facts: Any) -> Any:
    """A subject; facts named ``fabric_x`` and ``workload_x`` are of its fabric and workload."""
    own = {key: value for key, value in facts.items() if "_" not in key}
    fabric = {k.removeprefix("fabric_"): v for k, v in facts.items() if k.startswith("fabric_")}
    workload = {k.removeprefix("workload_"): v for k, v in facts.items() if k.startswith("workload_")}
    return but(
        SUBJECT, fabric=but(SUBJECT.fabric, **fabric), workload=but(SUBJECT.workload, **workload), **own
    )


NAMED = [("NCCL_IB_HCA", "=mlx5_0,mlx5_1"), ("UCX_NET_DEVICES", "mlx5_0:1,mlx5_1:1")]
OMITTED = [("NCCL_IB_HCA", None), ("UCX_NET_DEVICES", None)]
RENAMED = but(HOST, hcas={"roce1": some(rdma_device="mlx5_9")})
EXCLUSIVE = some(rdma_mode="exclusive")
MIXED = (TWO[0], but(TWO[1], use="vf"))


@pytest.mark.parametrize(
    ("facts", "found", "reason"),
    [
        ({}, NAMED, ""),
        ({"fabric_type": "infiniband"}, NAMED, ""),
        ({"fabric_type": "pvrdma"}, NAMED[:1], ""),
        ({"fabric_type": "efa"}, OMITTED[:1], "EFA is reached through libfabric"),
        ({"hcas": {"gpu": VFS}}, [("NCCL_IB_HCA", "mlx5_0_,mlx5_1_"), OMITTED[1]], ""),
        ({"hcas": {"gpu": VFS, "cpu": VFS}}, [("NCCL_IB_HCA", "mlx5_0_,mlx5_1_"), OMITTED[1]], ""),
        ({"hcas": {"gpu": VFS, "cpu": VFS[:1]}}, OMITTED, "of a VF has another name"),
        ({"hcas": {"gpu": (VFS[0], but(VFS[1], vf_rdma_prefix=None))}}, OMITTED, "of a VF has another name"),
        ({"hcas": {"gpu": (VFS[0], TWO[1])}}, OMITTED, "of a VF has another name"),
        ({"hcas": {"gpu": MIXED}}, OMITTED, "of a VF has another name"),
        ({"hcas": {"gpu": tuple(but(h, virtual=True) for h in MIXED)}}, NAMED, ""),
        ({"hcas": {"gpu": tuple(but(h, virtual=True) for h in VFS)}}, NAMED, ""),
        ({"fabric_cluster": EXCLUSIVE}, OMITTED, "rdma_mode is exclusive"),
        ({"fabric_cluster": EXCLUSIVE, "others": (NETWORK,)}, NAMED, ""),
        ({"others": (NETWORK,)}, NAMED, ""),
        ({"some": 1}, OMITTED, "a pod takes some of the HCAs"),
        ({"some": 2}, NAMED, ""),
        ({"workload_pods_per_node": 2}, OMITTED, "pods of one node take different devices"),
        (
            {"workload_pods_per_node": 2, "fabric_cluster": EXCLUSIVE, "others": (NETWORK,)},
            NAMED,
            "",
        ),
        ({"workload_pods_per_node": 2, "workload_networks": (but(NETWORK, shared=True),)}, NAMED, ""),
        ({"workload_pods_per_node": 2, "workload_networks": (but(NETWORK, takes="mount"),)}, NAMED, ""),
        (
            {"workload_pods_per_node": 2, "workload_networks": (but(NETWORK, shared=True), NETWORK)},
            OMITTED,
            "pods of one node take different devices",
        ),
        (
            {"workload_hosts": (RENAMED,)},
            [("NCCL_IB_HCA", "=mlx5_0,mlx5_9"), ("UCX_NET_DEVICES", "mlx5_0:1,mlx5_9:1")],
            "",
        ),
        ({"workload_hosts": (HOST, RENAMED)}, OMITTED, "other names from host to host"),
        ({"workload_hosts": (HOST, but(HOST, hcas={"roce0": some(rdma_device=None)}))}, NAMED, ""),
        ({"workload_hosts": ()}, OMITTED, "is not stated for every HCA"),
        ({"workload_hosts": (HOST, but(HOST, type=some(name="cpu")))}, NAMED, ""),
        ({"hcas": {"gpu": (TWO[0], but(TWO[1], rdma_device=None))}}, OMITTED, "is not stated for every HCA"),
        (
            {"hcas": {"gpu": (TWO[0], but(TWO[1], rdma_device=None))}, "workload_hosts": (RENAMED,)},
            [("NCCL_IB_HCA", "=mlx5_0,mlx5_9"), ("UCX_NET_DEVICES", "mlx5_0:1,mlx5_9:1")],
            "",
        ),
    ],
)
def test_devices_are_named_where_their_names_are_known(
    facts: dict[str, Any], found: Shown, reason: str
) -> None:
    decisions = list(device_list(devices(**facts)))
    assert shown(decisions) == found
    omitted = [d.reason for d in decisions if not isinstance(d, EnvVar) and "UCX takes whole" not in d.reason]
    assert all(reason in text for text in omitted)
    assert bool(reason) is bool(omitted)


def switch(role: str) -> Any:
    return some(role=role)


LINKS = (some(lower=switch("leaf"), upper=switch("spine")),) * 2
ECMP = some(type="roce", adaptive_routing=False, switch_links=LINKS)
BY_HASH = (
    "switches choose a path by a hash of addresses and UDP ports (seed 10 on leaf switches, seed 20 on spine"
)


@pytest.mark.parametrize(
    ("fabric", "queues", "split", "found", "reason"),
    [
        ({}, None, None, [], ""),
        (
            {},
            4,
            None,
            [("NCCL_IB_QPS_PER_CONNECTION", "4")],
            "4 queue pairs, each a flow of its own; " + BY_HASH,
        ),
        ({}, 1, None, [("NCCL_IB_QPS_PER_CONNECTION", "1")], "one queue pair, one flow; " + BY_HASH),
        ({}, 2, None, [("NCCL_IB_QPS_PER_CONNECTION", "2")], "2 queue pairs, each a flow of its own; "),
        (
            {},
            None,
            True,
            [("NCCL_IB_SPLIT_DATA_ON_QPS", "1")],
            "where a connection has several queue pairs, each message is split over them",
        ),
        (
            {},
            None,
            False,
            [("NCCL_IB_SPLIT_DATA_ON_QPS", "0")],
            "where a connection has several queue pairs, messages take them in turn",
        ),
        (
            {"type": "infiniband"},
            4,
            True,
            [("NCCL_IB_QPS_PER_CONNECTION", "4"), ("NCCL_IB_SPLIT_DATA_ON_QPS", "1")],
            "4 queue pairs, each a flow of its own; switches choose a path by destination, or by load",
        ),
        (
            {"adaptive_routing": True},
            4,
            None,
            [("NCCL_IB_QPS_PER_CONNECTION", "4")],
            "4 queue pairs, each a flow of its own; switches with adaptive routing choose a path for each",
        ),
        (
            {"switch_links": ()},
            4,
            None,
            [("NCCL_IB_QPS_PER_CONNECTION", "4")],
            "4 queue pairs, each a flow of its own; the inventory has no switch links to choose among",
        ),
        ({"type": "efa"}, 4, True, [], ""),
        ({"type": "pvrdma"}, 4, True, [], ""),
    ],
)
def test_flows_are_those_that_the_inventory_states(
    fabric: dict[str, Any], queues: int | None, split: bool | None, found: Shown, reason: str
) -> None:
    nccl = some(qps_per_connection=queues, split_data_on_qps=split)
    decisions = list(flows(some(fabric=but(ECMP, **fabric), workload=some(nccl=nccl))))
    assert shown(decisions) == found
    assert [text.startswith(reason) for text in why(decisions[:1])] == [True] * bool(found)


GID = "NCCL_IB_GID_INDEX"
FAMILY, UCX_GID = ("NCCL_IB_ADDR_FAMILY", "AF_INET6"), ("UCX_IB_GID_INDEX", "3")


@pytest.mark.parametrize(
    ("kind", "version", "gids", "families", "found", "reason"),
    [
        ("roce", None, {"pod"}, {4}, [(GID, None)], "nccl_version is not stated"),
        ("roce", (2, 20), {"pod"}, {4}, [(GID, "3")], "first IPv4 address is at 3"),
        ("roce", (2, 20, 9), {"pod"}, {4}, [(GID, "3")], "first IPv4 address is at 3"),
        ("roce", (2, 21), {"pod"}, {4}, [(GID, None)], "interface's IPv4 address itself"),
        ("roce", (2, 20), {"pod", "pf"}, {4}, [(GID, None)], "at another index in every pod"),
        ("roce", (2, 20), {"host"}, {4}, [(GID, None)], "its order is not the inventory's"),
        ("roce", (2, 20), {"host", "pf"}, {4}, [(GID, None)], "at another index in every pod"),
        ("roce", (2, 20), {"pod"}, {4, 6}, [(GID, "3")], "first IPv4 address is at 3"),
        ("roce", (2, 20), {"pod"}, {6}, [(GID, "3"), FAMILY, UCX_GID], "first IPv6 address is at 3"),
        ("roce", (2, 21), {"pod"}, {6}, [(GID, None), FAMILY, UCX_GID], "interface's IPv6 address itself"),
        ("roce", None, {"pf"}, {6}, [(GID, None), FAMILY, (UCX_GID[0], None)], "another index"),
        ("roce", None, {"host"}, {6}, [(GID, None), FAMILY, (UCX_GID[0], None)], "is the host's"),
        ("roce", None, {"pod"}, set(), [(GID, None)], "nccl_version is not stated"),
        ("infiniband", (2, 20), {"pod"}, {6}, [], ""),
    ],
)
def test_the_index_of_the_gid(
    kind: str, version: Any, gids: set[str], families: set[int], found: Shown, reason: str
) -> None:
    """NCCL 2.21 is the first that finds the RoCE v2 GID itself
    (docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_GID_INDEX)."""
    subject = some(fabric=some(type=kind), workload=some(nccl_version=version), gids=gids, families=families)
    decisions = list(gid(subject))
    assert shown(decisions) == found
    assert [reason in text for text in why(decisions[:1])] == [True] * bool(found)


DATA = some(name="rdma", tos=106, dscp=26, priority=3)
CONTROL = some(name="control", tos=194, dscp=48, priority=6)


def qos(trust: str = "dscp") -> Any:
    return some(trust=trust, traffic_class=lambda name: {"rdma": DATA, "control": CONTROL}[name])


def network(name: str | None = "rdma", **facts: Any) -> Any:
    traffic = some(name=name) if name else None
    return some(per_rail=True, membership=None, traffic_class=traffic, **facts)


def sending(*networks: Any, version: Any = None, fifo: Any = None, of: Any = None, kind: str = "roce") -> Any:
    workload = some(networks=networks, nccl_version=version, nccl=some(fifo_class=fifo))
    return some(fabric=some(type=kind), qos=of, workload=workload)


TC, UCX_TC = ("NCCL_IB_TC", "106"), ("UCX_IB_TRAFFIC_CLASS", "106")
NO_TC = [("NCCL_IB_TC", None), ("UCX_IB_TRAFFIC_CLASS", None)]
NO_FIFO, NO_SL = ("NCCL_IB_FIFO_TC", None), ("NCCL_IB_SL", None)


@pytest.mark.parametrize(
    ("subject", "found"),
    [
        (sending(network(), of=qos()), [TC, NO_FIFO, UCX_TC, NO_SL]),
        (
            sending(network(), of=qos("pcp")),
            [TC, NO_FIFO, UCX_TC, ("NCCL_IB_SL", "3"), ("UCX_IB_SL", "3")],
        ),
        (sending(network(), of=qos(), version=(2, 21, 5)), [TC, NO_FIFO, UCX_TC, NO_SL]),
        (
            sending(network(), of=qos(), version=(2, 22)),
            [TC, ("NCCL_IB_FIFO_TC", "106"), UCX_TC, NO_SL],
        ),
        (
            sending(network(), of=qos(), version=(2, 22), fifo=CONTROL),
            [TC, ("NCCL_IB_FIFO_TC", "194"), UCX_TC, NO_SL],
        ),
        (
            sending(network(), of=qos(), version=(2, 22), fifo=DATA),
            [TC, ("NCCL_IB_FIFO_TC", "106"), UCX_TC, NO_SL],
        ),
        (sending(network(), network(None), of=qos()), [TC, NO_FIFO, UCX_TC, NO_SL]),
        (sending(network(), network("control"), of=qos()), NO_TC),
        (sending(network(None), of=qos()), NO_TC),
        (sending(network()), NO_TC),
        (sending(network(None), kind="infiniband"), NO_TC),
        (sending(network(None), kind="efa"), NO_TC),
    ],
)
def test_the_traffic_class_of_a_pod(subject: Any, found: Shown) -> None:
    """NCCL_IB_FIFO_TC is in NVIDIA/nccl v2.22.3-1 src/transport/net_ib.cc, not in v2.21.5-1."""
    decisions = list(pod_env._qos_byte(subject))
    assert shown(decisions) == found
    assert all(why(decisions))


@pytest.mark.parametrize(
    ("rule", "facts", "found"),
    [
        (pod_env._cross_nic, {"cross_rail": "aligned", "rails": 2}, [("NCCL_CROSS_NIC", "0")]),
        (pod_env._cross_nic, {"cross_rail": "aligned", "rails": 1}, []),
        (pod_env._cross_nic, {"cross_rail": "any", "rails": 2}, [("NCCL_CROSS_NIC", None)]),
        (pod_env._cross_nic, {"cross_rail": "any", "rails": 1}, []),
        (pod_env._ucx_rails, {"type": "roce", "rails": 2}, [("UCX_MAX_RNDV_RAILS", "2")]),
        (pod_env._ucx_rails, {"type": "infiniband", "rails": 8}, [("UCX_MAX_RNDV_RAILS", "8")]),
        (pod_env._ucx_rails, {"type": "roce", "rails": 1}, []),
        (pod_env._ucx_rails, {"type": "efa", "rails": 2}, []),
        (pod_env._adaptive, {"adaptive_routing": False}, []),
        (pod_env._adaptive, {"adaptive_routing": True}, [("NCCL_IB_ADAPTIVE_ROUTING", None)]),
        (
            pod_env._adaptive,
            {"adaptive_routing": True, "version": (2, 15)},
            [("NCCL_IB_ADAPTIVE_ROUTING", None)],
        ),
        (
            pod_env._adaptive,
            {"adaptive_routing": True, "version": (2, 16)},
            [("NCCL_IB_ADAPTIVE_ROUTING", "1")],
        ),
        (
            pod_env._efa,
            {"type": "efa"},
            [
                ("FI_PROVIDER", "efa"),
                ("FI_EFA_USE_DEVICE_RDMA", "1"),
                ("RDMAV_FORK_SAFE", None),
                ("NCCL_PROTO", None),
            ],
        ),
        (pod_env._efa, {"type": "roce"}, []),
        (pod_env._pvrdma, {"type": "pvrdma"}, [("NCCL_IB_DISABLE", "0")]),
        (pod_env._pvrdma, {"type": "roce"}, []),
        (pod_env._defaults_that_fit, {"type": "efa"}, []),
        (
            pod_env._defaults_that_fit,
            {"type": "roce"},
            [("NCCL_IB_TIMEOUT", None), ("NCCL_NET_GDR_LEVEL", None)],
        ),
    ],
)
def test_rules_for_one_kind_of_fabric(rule: Any, facts: dict[str, Any], found: Shown) -> None:
    fabric = {key: facts[key] for key in facts.keys() - {"rails", "version"}}
    subject = some(
        fabric=some(**fabric), rails=facts.get("rails"), workload=some(nccl_version=facts.get("version"))
    )
    assert shown(rule(subject)) == found


@pytest.mark.parametrize(
    ("networks", "by"),
    [
        ([(None, None)], None),
        ([(None, 5)], "ib-kubernetes"),
        ([("full", None)], None),
        ([("limited", 5)], "the subnet manager"),
        ([(None, None), ("limited", None)], "the subnet manager"),
        ([(None, None), (None, 5)], "ib-kubernetes"),
    ],
)
def test_a_p_key_is_at_index_0(networks: list[tuple[str | None, int | None]], by: str | None) -> None:
    given = [some(membership=membership, pkey=pkey) for membership, pkey in networks]
    decisions = list(pod_env._partition(some(workload=some(networks=given))))
    assert shown(decisions) == [("NCCL_IB_PKEY", None)] * (by is not None)
    assert all(str(by) in text for text in why(decisions))


def test_bootstrap_runs_over_the_pod_network() -> None:
    cluster = some(primary_network=some(interface="eth0"))
    assert shown(pod_env._socket(some(fabric=some(cluster=cluster)))) == [("NCCL_SOCKET_IFNAME", "=eth0")]


ENV = EnvVar(name="NCCL_IB_TC", value="106", reason="derived", source="s")


@pytest.mark.parametrize(
    ("env", "reasons", "said"),
    [
        ({"NCCL_IB_TC": "96"}, {"NCCL_IB_TC": "older switches"}, "older switches; netplan derives 106"),
        ({"NCCL_IB_TC": "96"}, {}, "stated by the inventory"),
        ({"NCCL_DEBUG": "INFO"}, {"NCCL_DEBUG": "logs"}, "logs"),
        ({"NCCL_DEBUG": "INFO"}, {}, "stated by the inventory"),
    ],
)
def test_a_stated_variable_says_what_netplan_derives(
    env: dict[str, str], reasons: dict[str, str], said: str
) -> None:
    workload: Any = some(name="w", env=tuple(env.items()), env_reasons=tuple(reasons.items()))
    ((name, found),) = pod_env._stated(workload, {ENV.name: ENV}).items()
    assert (name, found.value) == next(iter(env.items()))
    assert (found.reason, found.source) == (said, "workloads.w.env")


@pytest.mark.parametrize(
    ("reads", "names"),
    [
        (None, ["NCCL_IB_TC", "UCX_X"]),
        (True, ["NCCL_IB_TC", "UCX_X", "OWN", "LEFT"]),
        (False, ["UCX_X", "NCCL_*", "OWN", "LEFT"]),
    ],
)
def test_a_library_that_reads_no_nccl_variables_gets_none(reads: bool | None, names: list[str]) -> None:
    vendor = some(
        sources=("s",),
        env=(("OWN", "1", "r"),),
        omitted=(("LEFT", "r"),),
        nccl_variables=reads,
        name="X",
        library="Y",
    )
    gpus = None if reads is None else some(gpu_vendor=vendor)
    given = [ENV, EnvVar(name="UCX_X", value="1", reason="", source="")]
    found = pod_env._for_library(given, some(gpu_type=gpus))  # type: ignore[arg-type]
    assert [decision.name for decision in found] == names
