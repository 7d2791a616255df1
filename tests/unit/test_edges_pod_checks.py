"""Edge cases, one fact per case: workloads and their nodes, at both sides of conditions."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import mixed_types, pod_devices, workloads
from netplan.model.modes import MODES, ModeName
from netplan.model.routes import ROUTINGS, RoutingName
from tests.unit.some import but, said, some

AT = ("workloads", "w")
GPU, CPU = some(name="gpu", gpus=8, hcas=()), some(name="cpu", gpus=0, hcas=())
NET: Any = some(
    name="n", mode="sriov", takes="vf", shared=False, at=("networks", "n"), namespaces=(), host_types=(),
    hcas=(), by_mode=some(attached=True, moves=False, verbs_only=False), per_rail=True, subnet=None,
)  # fmt: skip
WORK: Any = some(
    name="w", at=AT, gpus=8, pods_per_node=1, host_types=(GPU,), hosts=(1,), networks=(NET,), devices={},
    nodes=2, namespace="apps", hugepages_2mi_mib=None, memory_mib=None, cpus=None,
)  # fmt: skip


def device(count: int, **per_node: int) -> Any:
    return some(count=count, resource="rdma/n", network="n", per_node=per_node)


def planned(work: Any = WORK, *devices: Any, **more: Any) -> Any:
    place = some(unplaced=(), nodes=2, unlabelled=())
    facts: dict[str, Any] = {"placement": place, "jobs": (), "devices": devices, **more}
    return some(name=work.name, workload=work, **facts)


def site(*found: Any, **fabric: Any) -> Any:
    return some(workloads=found, fabric=some(**{"type": "roce", **fabric}))


@pytest.mark.parametrize(
    ("work", "devices", "found"),
    [
        ({}, [], []),
        ({"pods_per_node": 2, "gpus": 4}, [], []),
        ({"pods_per_node": 2, "gpus": 5}, [], ["2 pods of w with 5 GPUs each exceed the 8 of gpu"]),
        ({"hosts": (), "gpus": 9}, [], []),
        ({"host_types": (GPU, CPU)}, [], ["1 pods of w with 8 GPUs each exceed the 0 of cpu"]),
        ({}, [device(8, gpu=8)], []),
        ({}, [device(9, gpu=8)], ["1 pods of w with 9 rdma/n each exceed the 8 of gpu"]),
        ({"pods_per_node": 2, "gpus": 1}, [device(4, gpu=8)], []),
        (
            {"pods_per_node": 2, "gpus": 1},
            [device(5, gpu=8)],
            ["2 pods of w with 5 rdma/n each exceed the 8 of gpu"],
        ),
        ({}, [device(9)], []),
        ({"gpus": 0, "host_types": (GPU, CPU)}, [device(3, gpu=4, cpu=2)], ["1 pods of w with 3 rdma/n each "
          "exceed the 2 of cpu"]),
        ({"gpus": 0, "host_types": (CPU, GPU)}, [device(3, gpu=2)], ["1 pods of w with 3 rdma/n each exceed "
          "the 2 of gpu"]),
        (
            {},
            [device(9, gpu=8), device(7, gpu=6)],
            [
                "1 pods of w with 9 rdma/n each exceed the 8 of gpu",
                "1 pods of w with 7 rdma/n each exceed the 6 of gpu",
            ],
        ),
    ],
)  # fmt: skip
def test_pods_of_a_node_ask_for_what_it_has(
    work: dict[str, Any], devices: list[Any], found: list[str]
) -> None:
    assert said(workloads.too_much(site(planned(but(WORK, **work), *devices)))) == found


VF, PF, VIRTUAL = some(use="vf", virtual=False), some(use="pf", virtual=False), some(use="vf", virtual=True)


@pytest.mark.parametrize(
    ("network", "stated", "hcas", "room", "place", "hint"),
    [
        ({}, {"n": 2}, [VF], 1, ("devices", "n"), "lower devices.n or pods_per_node"),
        ({}, {"m": 2}, [VF], 1, ("pods_per_node",), "lower pods_per_node or raise vfs of the HCAs"),
        ({}, {}, [PF, VF], 1, ("pods_per_node",), "lower pods_per_node or raise vfs of the HCAs"),
        ({}, {}, [PF], 1, ("pods_per_node",), "lower pods_per_node or add the HCAs"),
        ({}, {}, [VIRTUAL], 1, ("pods_per_node",), "lower pods_per_node or add the HCAs"),
        ({}, {}, [], 1, ("pods_per_node",), "lower pods_per_node or add the HCAs"),
        ({"shared": True}, {}, [VF], 1, ("pods_per_node",), "lower pods_per_node or raise share_max of n"),
        ({"takes": "any"}, {}, [VF], 1, ("pods_per_node",), "lower pods_per_node or state devices: {n: 1}"),
        ({"takes": "any"}, {}, [PF], 0, ("pods_per_node",), "lower pods_per_node or add the HCAs"),
    ],
)
def test_where_fewer_devices_are_stated(
    network: dict[str, Any], stated: dict[str, int], hcas: list[Any], room: int, place: Any, hint: str
) -> None:
    work = but(WORK, networks=(but(NET, name="other", shared=True), but(NET, **network)), devices=stated)
    assert workloads._too_many(work, device(2), but(GPU, hcas=hcas), room) == ((*AT, *place), hint)


@pytest.mark.parametrize(("nodes", "told"), [(1, 0), (2, 0), (3, 1)])
def test_a_job_has_a_node_for_each_pod(nodes: int, told: int) -> None:
    text = f"a job of w takes {nodes} nodes, but it has 2 hosts"
    assert said(workloads.too_few_nodes(site(planned(but(WORK, nodes=nodes))))) == [text] * told


@pytest.mark.parametrize(
    ("namespaces", "namespace", "attached", "told"),
    [
        ((), "default", True, 0),
        ((), "apps", True, 1),
        (("apps",), "apps", True, 0),
        (("x", "apps"), "apps", True, 0),
        (("apps",), "default", True, 1),
        ((), "apps", False, 0),
    ],
)
def test_an_attachment_is_in_the_namespace_of_its_pods(
    namespaces: tuple[str, ...], namespace: str, attached: bool, told: int
) -> None:
    network = but(NET, namespaces=namespaces, by_mode=some(attached=attached))
    fabric: Any = some(workloads=[but(WORK, networks=[network], namespace=namespace)])
    assert len(list(workloads.missing_namespace(fabric))) == told
    assert workloads._used_count(fabric) == 1


@pytest.mark.parametrize(
    ("unplaced", "mixed", "told"), [((), None, 0), (("a", "b"), None, 1), (("a", "b"), ("x", "y"), 0)]
)
def test_hosts_of_several_leaf_groups(
    monkeypatch: pytest.MonkeyPatch, unplaced: tuple[str, ...], mixed: Any, told: int
) -> None:
    monkeypatch.setattr(workloads, "uneven", lambda _, network: mixed if network.name == "odd" else None)
    work = but(WORK, networks=(NET, but(NET, name="odd")))
    place = some(unplaced=unplaced)
    text = "w has hosts in leaf groups a, b, but its attachments are those of a"
    assert said(workloads.several_groups(site(planned(work, placement=place)))) == [text] * told


PLAIN_HCA = some(name="h", for_pods=True)


@pytest.mark.parametrize(
    ("network", "per_node", "told"),
    [
        ({}, ["gpu", "cpu"], 0),
        ({}, ["gpu"], 1),
        ({}, [], 0),
        ({"host_types": (CPU,)}, ["gpu"], 0),
        ({"host_types": (GPU,)}, ["gpu"], 1),
        ({"hcas": ("h",)}, ["gpu"], 1),
        ({"hcas": ("own",)}, ["gpu"], 0),
        ({"takes": "mount"}, [], 1),
    ],
)
def test_hosts_that_do_not_carry_a_network(network: dict[str, Any], per_node: list[str], told: int) -> None:
    gpu = but(GPU, hcas=(but(PLAIN_HCA, for_pods=False), PLAIN_HCA))
    cpu = but(CPU, hcas=(some(name="own", for_pods=False),))
    named = {"gpu": gpu, "cpu": cpu}
    given = {**network, "host_types": tuple(named[t.name] for t in network.get("host_types", ()))}
    net = but(NET, **given)
    resources = [some(network="n", per_node=per_node), some(network="other", per_node=["cpu"])]
    subject = site(planned(but(WORK, networks=(net,), host_types=(gpu, cpu))), host_types=(gpu, cpu))
    found = workloads.not_carried(but(subject, kubernetes=some(resources=resources)))
    assert said(found) == ["host type cpu has no HCA for sriov network n"] * told


@pytest.mark.parametrize(
    ("pages", "memory", "cpus", "told"),
    [
        (None, None, None, 0),
        (0, None, None, 1),
        (5120, None, None, 1),
        (5120, 1, None, 0),
        (5120, None, 1, 0),
    ],
)
def test_huge_pages_need_cpu_or_memory(pages: Any, memory: Any, cpus: Any, told: int) -> None:
    fabric: Any = some(workloads=[but(WORK, hugepages_2mi_mib=pages, memory_mib=memory, cpus=cpus)])
    assert len(list(workloads.huge_pages_alone(fabric))) == told
    for kind in ("efa", "roce"):
        subject: Any = but(fabric, type=kind)
        assert len(list(workloads.no_huge_pages(subject))) == (kind == "efa" and pages is None)
        assert workloads._efa_workloads(subject) == (kind == "efa")


@pytest.mark.parametrize(
    ("rails", "text"),
    [((0,), "0"), ((0, 1), "0-1"), ((0, 2), "0, 2"), ((2, 3, 4), "2-4"), ((), ""), ((0, 1, 3), "0, 1, 3")],
)
def test_rails_as_text(rails: tuple[int, ...], text: str) -> None:
    assert mixed_types._listed(rails) == text


def efa_host(name: str, zone: str | None) -> Any:
    return some(name=name, zone=zone)


@pytest.mark.parametrize(
    ("zones", "kinds", "found"),
    [
        (["a", "a", None], ["p5.48xlarge"], []),
        (["a", "b"], [], ["w has hosts in the availability zones a (h0) and b (h1), which EFA"]),
        (["b", "a", "c"], [], ["w has hosts in the availability zones a (h1) and b (h0) and 1 more, which"]),
        ([], ["p4d.24xlarge", "p4de.24xlarge", "dl1.24xlarge"], []),
        ([], ["p5.48xlarge", "g5.8xlarge", None], []),
        (
            [],
            ["p5.48xlarge", "p4d.24xlarge"],
            ["hosts of w cannot reach each other: t1 is p4d.24xlarge and t0"],
        ),
        ([], ["p4d.24xlarge", None], []),
    ],
)
def test_nodes_that_efa_connects(zones: list[Any], kinds: list[Any], found: list[str]) -> None:
    types = [some(name=f"t{number}", instance_type=kind, hcas=()) for number, kind in enumerate(kinds)]
    hosts = [efa_host(f"h{number}", zone) for number, zone in enumerate(zones)]
    work = but(WORK, host_types=types, hosts=hosts)
    fabric: Any = some(type="efa", workloads=[work])
    texts = said(mixed_types.out_of_reach(fabric))
    assert len(texts) == len(found)
    assert all(text.startswith(each) for text, each in zip(texts, found, strict=True))
    assert not list(mixed_types.out_of_reach(but(fabric, type="roce")))


@pytest.mark.parametrize(
    ("kind", "families", "told"),
    [("roce", 1, 2), ("roce", 2, 2), ("efa", 1, 2), ("efa", 2, 1)],
)
def test_workloads_that_another_check_divides_are_not_compared(
    monkeypatch: pytest.MonkeyPatch, kind: str, families: int, told: int
) -> None:
    monkeypatch.setattr(mixed_types, "_families", lambda work: range(families if work.name == "w" else 1))
    monkeypatch.setattr(mixed_types, "uneven", lambda _, network: ("x", "y") if network.name == "n" else None)
    networks = (but(NET, name="even"), NET)
    both = [but(WORK, networks=networks), but(WORK, name="v", networks=networks)]
    fabric: Any = some(type=kind, workloads=both)
    assert len(list(mixed_types.counts_differ(fabric))) == told


@pytest.mark.parametrize(
    ("family", "network", "routing", "ipam", "told"),
    [
        ("host-device", "n", "sbr", "whereabouts", 1),
        ("host-device", "n", "script", "whereabouts", 0),
        ("host-device", "n", "sbr", "nv-ipam", 0),
        ("sriov", "n", "sbr", "whereabouts", 0),
    ],
)
def test_an_address_that_nothing_announces(
    family: ModeName, network: str, routing: RoutingName, ipam: str, told: int
) -> None:
    net = but(NET, mode=family, by_mode=MODES[family], by_routing=ROUTINGS[routing], name=network, ipam=ipam)
    fabric: Any = some(networks=[net])
    assert len(list(pod_devices.unannounced(fabric))) == told


def hca(name: str) -> Any:
    return some(name=name)


@pytest.mark.parametrize(
    ("kind", "verbs", "beside", "found"),
    [
        ("roce", "a b", "a b", None),
        ("roce", "a b", "a", "b"),
        ("roce", "a b", "", "a"),
        ("roce", "", "a", None),
        ("infiniband", "a", "", None),
    ],
)
def test_a_device_has_its_interface_in_the_pod(
    monkeypatch: pytest.MonkeyPatch, kind: str, verbs: str, beside: str, found: str | None
) -> None:
    monkeypatch.setattr(pod_devices, "takes", lambda network, _, hca: hca.name in network.has.split())
    only = but(NET, mode="device-only", by_mode=MODES["device-only"], has=verbs)
    work = but(WORK, networks=(only, but(NET, has=beside)), host_types=(but(GPU, hcas=(hca("a"), hca("b"))),))
    fabric: Any = some(type=kind, workloads=[work])
    text = f"pods of w get {found} of gpu from device-only network n, but no interface of it"
    assert said(pod_devices.device_without_interface(fabric)) == ([text] if found else [])


@pytest.mark.parametrize(
    ("cni", "address", "node", "told"),
    [("calico", "10.0.0.1/24", True, 1), ("cilium", "10.0.0.1/24", True, 0), ("calico", None, True, 0),
     ("calico", "10.0.0.1/24", False, 0)],
)  # fmt: skip
def test_calico_may_take_an_address_of_a_node(cni: str, address: Any, node: bool, told: int) -> None:
    own = some(address=address, at=("hosts", "h"))
    host = some(name="h", type=some(node=node), hcas={"none": some(address=None), "a": own, "b": own})
    fabric: Any = some(cluster=some(primary_network=some(cni=cni)), hosts=[host, host])
    assert len(list(pod_devices.calico_autodetection(fabric))) == told
