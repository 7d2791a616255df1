"""Edge cases, one fact per case: what trace derives from a pod of a rendered site, by direct calls."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.node_selection import of_pod
from netplan.graph.kubernetes.selections import read_selections
from netplan.model.cabling import COLUMNS
from netplan.model.site import SiteHca
from netplan.trace.asked import card_faults, unasked
from netplan.trace.environment import environment
from netplan.trace.isolation import isolation
from netplan.trace.model import Verdict
from netplan.trace.pod_fields import pod_fields
from netplan.trace.routes import Routes
from netplan.trace.site import PodNetwork, TraceWorkload
from netplan.trace.wiring import _devices as device_faults
from netplan.trace.wiring import _missing as missing
from tests.unit.edges import things
from tests.unit.test_trace_addresses import host, network, site

FILE = "pods/job/pod.yaml"


def workload(
    main: dict[str, Any] | None = None,
    init: dict[str, Any] | None = None,
    annotations: dict[str, str] | None = None,
    **spec: Any,
) -> TraceWorkload:
    containers = {"containers": [{"name": "main", **(main or {})}, *spec.pop("more", ())]}
    inits = {"initContainers": [{"name": "init", **init}]} if init is not None else {}
    meta = {"name": "job", "namespace": "apps", "annotations": annotations or {}}
    whole = {"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": {**containers, **inits, **spec}}
    (pod,) = things({FILE: yaml.safe_dump(whole, sort_keys=False)}).pods
    return TraceWorkload(
        name="job",
        pod=pod,
        attachments=(),
        selection=of_pod(pod.spec),
        container=pod.containers()[0],
        routes=Routes("pods/job/routes.yaml", None),
    )


def env(**values: str) -> TraceWorkload:
    return workload({"env": [{"name": name, "value": value} for name, value in values.items()]})


RAILS = ("eth0", "rail0", "rail1")


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        ({}, None),
        ({"NCCL_IB_DISABLE": "0"}, None),
        ({"NCCL_IB_DISABLE": ""}, None),
        ({"NCCL_IB_DISABLE": "1"}, Verdict.WRONG_RAIL),
        ({"NCCL_NET": "IB"}, None),
        ({"NCCL_NET": "Socket"}, Verdict.WRONG_RAIL),
        ({"UCX_TLS": "rc,cuda_copy"}, None),
        ({"UCX_TLS": "tcp,rc_x"}, None),
        ({"UCX_TLS": "^tcp"}, None),
        ({"UCX_TLS": "tcp,sm"}, Verdict.WRONG_RAIL),
        ({"NCCL_IB_GID_INDEX": "3"}, None),
        ({"NCCL_IB_GID_INDEX": "-1"}, None),
        ({"NCCL_IB_GID_INDEX": "2"}, Verdict.UNPROVED),
        ({"UCX_IB_GID_INDEX": "auto"}, None),
        ({"UCX_IB_GID_INDEX": "-1"}, Verdict.UNPROVED),
        ({"NCCL_IB_ROCE_VERSION_NUM": "2"}, None),
        ({"NCCL_IB_ROCE_VERSION_NUM": "1"}, Verdict.LOST),
        ({"NCCL_SOCKET_IFNAME": "eth"}, None),
        ({"NCCL_SOCKET_IFNAME": "=eth0"}, None),
        ({"NCCL_SOCKET_IFNAME": "=eth"}, Verdict.LOST),
        ({"NCCL_SOCKET_IFNAME": "ens,eth0"}, None),
        ({"NCCL_SOCKET_IFNAME": "ens,"}, Verdict.LOST),
        ({"NCCL_SOCKET_IFNAME": "^eth,rail"}, Verdict.LOST),
        ({"NCCL_SOCKET_IFNAME": "^rail"}, None),
        ({"NCCL_SOCKET_IFNAME": "^=eth0,rail0"}, None),
        ({"NCCL_SOCKET_IFNAME": "^=eth0,rail0,rail1"}, Verdict.LOST),
        ({"NCCL_IB_HCA": "mlx5_0"}, None),
        ({"NCCL_IB_HCA": "^mlx5_0"}, Verdict.UNPROVED),
    ],
)
def test_a_variable_decides_whether_rails_are_used(values: dict[str, str], verdict: Verdict | None) -> None:
    found = list(environment(env(**values), RAILS))
    assert [each.verdict for each in found] == ([] if verdict is None else [verdict])
    assert all(f"({FILE}:" in each.text and all(name in each.text for name in values) for each in found)
    assert list(environment(env(**values), RAILS[:1])) == []


def said(given: TraceWorkload) -> list[str]:
    return [each.text for each in pod_fields(given)]


def of(uid: Any = None, **more: Any) -> dict[str, Any]:
    return {"securityContext": ({} if uid is None else {"runAsUser": uid}) | more}


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ({"os": {"name": "windows"}}, "os {'name': 'windows'} of job: it runs on no Linux node"),
        ({"os": {"name": "linux"}}, None),
        ({"hostUsers": False}, "hostUsers false of job: its capabilities do not count"),
        ({"hostUsers": True}, None),
        ({"hostNetwork": True}, "hostNetwork true of job: Multus attaches nothing"),
        ({"hostNetwork": False}, None),
        (
            {"schedulerName": "mine"},
            "schedulerName mine of job: no file says whether a scheduler",
        ),
        ({"schedulerName": "volcano"}, None),
        ({"runtimeClassName": "kata"}, "runtimeClassName kata of job: no file says whether that runtime"),
        ({"runtimeClassName": "nvidia"}, None),
        ({"schedulingGates": [{"name": "x"}]}, "schedulingGates [{'name': 'x'}] of job: it is not scheduled"),
        ({"schedulingGates": []}, None),
        (of(1000), "runAsUser 1000 of job: IPC_LOCK is not effective for another user than root"),
        (of(0), None),
        (of(runAsNonRoot=True), "runAsNonRoot true of job: IPC_LOCK"),
        (of(runAsNonRoot=False), None),
        (of(sysctls=[{"name": "net.core.x", "value": "1"}]), "sysctl net.core.x=1 of job: what it does"),
        (of(sysctls=[{"name": "kernel.shm", "value": "1"}]), None),
        ({"main": of(1000)}, "runAsUser 1000 of job"),
        ({"main": of(0), **of(1000)}, None),
        ({"main": of(privileged=True)}, None),
        ({"main": of(1000, privileged=True)}, "runAsUser 1000 of job"),
        ({"main": of(privileged=True), **of(1000)}, "runAsUser 1000 of job"),
        (
            {"annotations": {"v1.multus-cni.io/default-network": "x"}},
            "annotation v1.multus-cni.io/default-network x",
        ),
        ({"annotations": {"example.com/owner": "x"}}, None),
        (
            {"annotations": {"k8s.v1.cni.cncf.io/networks": '[{"name": "r", "mac": "02:00:00:00:00:01"}]'}},
            "mac of r of job",
        ),
        ({"annotations": {"k8s.v1.cni.cncf.io/networks": '[{"name": "r", "interface": "net1"}]'}}, None),
    ],
)
def test_a_field_of_a_pod_is_harmless_or_said(spec: dict[str, Any], wanted: str | None) -> None:
    found = said(workload(**spec))
    assert len(found) == (wanted is not None), found
    assert all(text.startswith(str(wanted)) and f"({FILE}:" in text for text in found), found


def test_a_second_container_that_asks_for_devices_is_named() -> None:
    asks = {"resources": {"limits": {"nvidia.com/rail": 1, "cpu": 1}}}
    assert said(workload(asks, more=[{"name": "side", "resources": {"limits": {"nvidia.com/gpu": 1}}}])) == []
    (text,) = said(workload(asks, more=[{"name": "side", **asks}]))
    assert text.startswith("container side of job asks for nvidia.com/rail too: which of the pod's devices")


def test_a_peer_that_no_file_has_is_said_once() -> None:
    row = dict.fromkeys(COLUMNS, "1") | {"peer": "ghost"}
    lines = [",".join(COLUMNS), *(",".join(row.values()) for _ in range(2))]
    here = site()
    found = [each.text for each in unasked(here.facts, {"switches/leaf-1/cabling.csv": "\n".join(lines)})]
    assert [text for text in found if "cable" in text] == [
        "switches/leaf-1/cabling.csv:2 has a cable to ghost, which is in no row of site.json"
    ]
    assert any(
        text.startswith("switches/leaf-1/ has files, but site.json has no such switch") for text in found
    )


@pytest.mark.parametrize(
    ("mode", "chained", "verdict"),
    [
        ("options ib_core netns_mode=0\n", True, None),
        ("options ib_core netns_mode=0\n", False, Verdict.LOST),
        ("options ib_core netns_mode=1\n", True, Verdict.LOST),
        ("options ib_core netns_mode=1\n", False, None),
        ("", True, Verdict.UNPROVED),
        ("", False, None),
    ],
)
def test_a_device_moves_where_devices_are_exclusive(
    mode: str, chained: bool, verdict: Verdict | None
) -> None:
    text = network({"type": "static"})
    if chained:
        inner = '{"type": "host-device"}, {"type": "rdma"}'
        text = (
            text[: text.index("'")]
            + f'\'{{"cniVersion": "1.0.0", "name": "rail", "plugins": [{inner}]}}\'}}\n'
        )
    cluster = things({"kubernetes/0.yaml": text})
    texts = {"hosts/gpu/modprobe.d/rdma.conf": mode} if mode else {}
    found = list(isolation(texts, cluster, host(0), cluster.networks[0], "x"))
    assert [each.verdict for each in found] == ([] if verdict is None else [verdict])


@pytest.mark.parametrize(
    ("text", "names", "wrong"),
    [
        ('[{"name": "a"}, {"name": "d", "interface": "x"}]', ["a", "d"], []),
        ('[{"name": "a"}, {"namespace": "c"}, {"name": "d"}]', ["a", "d"], ["element 1 has no name"]),
        (
            '[{"name": "a"}, {"name": "b", "namespace": 7}, {"name": "d"}]',
            ["a", "d"],
            ["element 1: namespace and interface are text"],
        ),
        ('{"name": "a"}', [], ["it is JSON but not a list"]),
    ],
)
def test_elements_that_are_none_are_passed_over(text: str, names: list[str], wrong: list[str]) -> None:
    found, said = read_selections((), text)
    assert ([each.name for each in found], said) == (names, wrong)


def test_a_folder_with_nothing_but_a_readme_is_no_host_switch_or_pod() -> None:
    here = site()
    texts = dict.fromkeys(("hosts/a/README.md", "pods/README", "hosts/b/x.link", "switches/c/roce.json"), "")
    assert [each.text for each in unasked(here.facts, texts)] == [
        "hosts/b/ has files, but site.json has no such host",
        "switches/c/ has files, but site.json has no such switch",
    ]
    asked = replace(here.facts, workloads=("one", "two"))
    assert [each.text for each in unasked(asked, {"pods/two/pod.yaml": "", "pods/three/pod.yaml": ""})] == [
        "site.json has workload one, but pods/one/ does not exist",
        "pods/three/ has files, but site.json has no such workload",
    ]


@pytest.mark.parametrize(
    ("model", "link", "use", "kind", "said"),
    [
        ("connectx-7", "infiniband", "vf", "ib-sriov", None),
        ("connectx-7", "ethernet", "", "sriov", None),
        ("connectx-7", "ethernet", "front-end", "host-device", None),
        (
            "connectx-7",
            "ethernet",
            "front-end",
            "sriov",
            "is for use as front-end (site.json), pods take its VFs by sriov",
        ),
        (
            "connectx-7",
            "infiniband",
            "pf",
            "ib-sriov",
            "is for use as pf (site.json), pods take its VFs by ib-sriov",
        ),
        (
            "connectx-7",
            "infiniband",
            "vf",
            "sriov",
            "is infiniband (site.json), plugin sriov is for Ethernet",
        ),
        (
            "connectx-4-lx",
            "infiniband",
            "vf",
            "ib-sriov",
            "is infiniband (site.json), a connectx-4-lx is ethernet",
        ),
        ("unknown", "infiniband", "vf", "ib-sriov", None),
        ("connectx-4-lx", "", "vf", "sriov", None),
    ],
)
def test_a_port_is_used_as_the_site_says(
    model: str, link: str, use: str, kind: str, said: str | None
) -> None:
    hca = SiteHca(name="roce0", rail=0, pci=None, netdev=None, model=model, link=link, use=use)
    found = [each.text for each in card_faults(hca, kind, "node-0")]
    assert found == ([] if said is None else [f"roce0 of node-0 {said}"])


ENTRY = {"interface": "net1", "rail": 0, "routes": [{"to": "10.1.0.0/16", "via": "10.0.0.1"}]}


def routed(given: TraceWorkload, *entries: Any) -> TraceWorkload:
    text = yaml.safe_dump(
        {"apiVersion": "v1", "kind": "Routes", "interfaces": list(entries)}, sort_keys=False
    )
    file = given.routes.file
    thing: Any = SimpleNamespace(
        body=yaml.safe_load(text), source=lambda path: SimpleNamespace(line=len(path))
    )
    return replace(given, routes=Routes(file, thing))


def nic(name: str, rail: int | None = 0, known: bool = True) -> Any:
    return SimpleNamespace(name=name, rail=rail, hca=host(0, "0000:19:00.0").hcas[0] if known else None)


def test_interfaces_are_those_that_the_routes_list() -> None:
    given = routed(workload(), ENTRY)
    assert [f.text for f in missing(given, {"net1": nic("net1")})] == []
    (fault,) = missing(given, {})
    assert fault.verdict is Verdict.LOST
    assert fault.text.startswith(f"pods of job have no interface net1 ({FILE}:")
    assert fault.text.endswith("which pods/job/routes.yaml:3 lists")
    (fault,) = missing(given, {"net1": nic("net1"), "net2": nic("net2", 1)})
    assert fault.verdict is Verdict.UNPROVED
    assert fault.text.startswith("net2 of job is on rail 1 (")
    assert fault.text.endswith("pods/job/routes.yaml does not list it")
    for other in (nic("net2", None), nic("net2", 1, known=False)):
        assert [*missing(given, {"net1": nic("net1"), "net2": other})] == []
    assert [*missing(workload(), {"net2": nic("net2", 1)})] == []


@pytest.mark.parametrize(
    ("asked", "taken", "found"), [(2, 2, False), (1, 2, True), (0, 1, True), (2, 1, False)]
)
def test_a_pod_asks_for_a_device_for_each_attachment(asked: int, taken: int, found: bool) -> None:
    cluster = things({"kubernetes/0.yaml": network({"type": "static"})})
    (rail,) = cluster.networks
    limits = {"nvidia.com/rail": asked} if asked else {"cpu": 1}
    given = replace(
        workload({"resources": {"limits": limits}}),
        attachments=tuple(PodNetwork(f"net{n}", "apps/rail", rail) for n in range(taken)),
    )
    texts = [each.text for each in device_faults(given, cluster)]
    start = f"pods of job ask for {asked} of nvidia.com/rail, their networks take {taken} ({FILE}:11)"
    assert texts == ([start] if found else [])


@pytest.mark.parametrize(
    ("interfaces", "judged"), [(("eth0",), False), (("eth0", "rail0"), True), (RAILS, True)]
)
def test_variables_matter_to_a_pod_with_a_rail(interfaces: tuple[str, ...], judged: bool) -> None:
    assert bool(list(environment(env(NCCL_IB_DISABLE="1"), interfaces))) is judged
