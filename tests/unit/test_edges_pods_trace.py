"""Facts of one line each, at their edge: what trace asks of a pod of a rendered site, asked directly."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_address, ip_network
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
from netplan.trace.exclusions import pool_blocks, prefix_room, range_left
from netplan.trace.isolation import isolation
from netplan.trace.linux import Namespace, Owned
from netplan.trace.model import Verdict
from netplan.trace.pod_fields import pod_fields
from netplan.trace.routes import Routes
from netplan.trace.shell import ScriptError, changes_routes, run_script, unread
from netplan.trace.site import Attachment, TraceWorkload
from netplan.trace.wiring import _beside as beside
from netplan.trace.wiring import _devices as device_faults
from netplan.trace.wiring import _missing as missing
from netplan.trace.wiring import _script as script_faults
from tests.unit.edges import things
from tests.unit.test_trace_addresses import POOL, host, network, site

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


SCRIPT = "set -eu\nip -4 route replace default via 10.0.0.1 dev net1 table 7\n"
ADMIN = {"securityContext": {"runAsUser": 0, "capabilities": {"add": ["NET_ADMIN"]}}}


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        ({}, None),
        ({"command": ["bash", "-c", SCRIPT]}, None),
        ({"command": ["python", "-c", SCRIPT]}, f"{FILE}:18: python -c is not sh -c"),
        ({"command": ["sh", "-e", SCRIPT]}, "sh -e is not sh -c"),
        ({"securityContext": {"runAsUser": 0}}, "has no NET_ADMIN"),
        ({"securityContext": {"runAsUser": 0, "privileged": True}}, None),
        ({"securityContext": {"capabilities": {"add": ["NET_ADMIN"]}}}, "is not told to run as user 0"),
        ({"securityContext": {"runAsUser": 1, "privileged": True}}, "is not told to run as user 0"),
        ({"command": ["sh", "-c", SCRIPT + "ip link set net1 down\n"]}, "is not read: ip link set net1 down"),
    ],
)
def test_a_script_is_run_with_its_rights(change: dict[str, Any], wanted: str | None) -> None:
    found = list(script_faults(workload(init={"command": ["sh", "-c", SCRIPT], **ADMIN, **change})))
    assert len(found) == (wanted is not None), found
    assert all(str(wanted).partition("18")[2] in each.text or str(wanted) in each.text for each in found), (
        found
    )


def test_a_script_stands_beside_the_pod_as_the_pod_runs_it() -> None:
    path = "pods/job/rail-routes.sh"
    runs = workload(init={"command": ["sh", "-c", SCRIPT]})
    assert list(beside(runs, {})) == []
    assert list(beside(runs, {path: SCRIPT})) == []
    (text,) = (each.text for each in beside(runs, {path: SCRIPT.replace("10.0.0.1", "10.0.0.2")}))
    assert text.endswith("runs another script than pods/job/rail-routes.sh, from line 2 on")
    (text,) = (each.text for each in beside(workload(), {path: SCRIPT}))
    assert text == f"no init container of {FILE} runs {path}"


def test_a_text_of_several_lines_that_changes_routes_is_a_script() -> None:
    assert changes_routes(SCRIPT)
    assert not changes_routes(SCRIPT.splitlines()[1])
    assert not changes_routes("set -eu\nip route show\n")


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("ip -4 route replace default dev net1", True),
        ("ip -4 route del default dev net1", True),
        ("ip -4 rule add from 10.0.0.1 lookup 7 pref 9", True),
        ("ip -4 rule flush", False),
        ("ip -4 route add default dev net1", False),
        ("ip -4 route show", True),
        ("ip neigh show", True),
        ("ip link set net1 up", False),
        ("echo x > /proc/sys/y", True),
        ("a=1 b=2", True),
        ("a=1 run", False),
        ("[ x = y ] || fail z", True),
        ("[ x = y ] || exit 1", False),
        ("fail", True),
        ("done", True),
        ("for x; do", True),
        ("while read -r x; do", True),
        ("own=$(address 4 net1)", True),
        ('set -- $(link "$own" first)', True),
        ("echo 'x", False),
        ("| cat", False),
    ],
)
def test_a_line_of_a_script_is_known_or_not_read(line: str, known: bool) -> None:
    text = f"fail() {{\n  exit 1\n}}\n{line}\n"
    assert list(unread(text)) == ([] if known else [(4, line)])


def space_of(own: str = "10.0.0.4/24") -> Namespace:
    space = Namespace()
    ip, _, length = own.partition("/")
    prefix = ip_network(f"{ip}/{length}", strict=False)
    space.addresses["net1"] = (Owned(ip=ip_address(ip), prefix=prefix, gateway=None),)
    return space


LINKED = """\
own=$(address 4 net1)
set -- $(link "$own" {end})
ip -4 route replace default via $2 dev net1 table 7 metric 5
ip -4 route replace unreachable $1 table 8
ip -4 rule add from 10.0.0.4 lookup 7 pref 100
"""


@pytest.mark.parametrize(
    ("own", "end", "via"),
    [
        ("10.0.0.4/24", "first", "10.0.0.1"),
        ("10.0.0.4/24", "last", "10.0.0.254"),
        ("10.0.0.5/31", "first", "10.0.0.4"),
        ("10.0.0.5/31", "last", "10.0.0.4"),
        ("10.0.0.5/30", "last", "10.0.0.6"),
    ],
)
def test_a_script_works_out_the_far_end_of_a_link(own: str, end: str, via: str) -> None:
    space = space_of(own)
    run_script(LINKED.format(end=end), space)
    (route,) = space.table(7)
    assert (str(route.via), route.dev, route.metric) == (via, "net1", 5)
    (none,) = space.table(8)
    assert (str(none.dst), none.dev) == (str(ip_network(own, strict=False)), None)
    assert [(str(rule.source), rule.table, rule.priority) for rule in space.rules] == [
        ("10.0.0.4/32", 7, 100)
    ]


def test_a_script_deletes_and_flushes_what_it_names() -> None:
    space = space_of()
    run_script(LINKED.format(end="first") + "ip -4 rule del pref 100\n", space)
    assert list(space.rules) == []
    run_script("ip -4 route del default via 10.0.0.2 dev net1 table 7\n", space)
    assert len(space.table(7)) == 1
    run_script("ip -4 route del default via 10.0.0.1 dev net1 table 7\n", space)
    assert len(space.table(7)) == 0
    run_script("ip -4 route flush table 8\n", space)
    assert len(space.table(8)) == 0
    with pytest.raises(ScriptError, match="net1 has no IPv6 address"):
        run_script("own=$(address 6 net1)\n", space)
    with pytest.raises(ScriptError, match="not understood: ip -4 route replace default via x dev net1"):
        run_script("ip -4 route replace default via x dev net1\n", space)


def test_a_function_runs_its_loop_over_what_shift_leaves() -> None:
    text = """\
install() {
  dev=$2
  shift 2
  for prefix; do
    ip -4 route replace $prefix dev $dev table 7
  done
}
show() {
  ip route show
}
install 4 net1 10.1.0.0/16 10.2.0.0/16
show $9
"""
    space = space_of()
    run_script(text, space)
    assert [str(route.dst) for route in space.table(7)] == ["10.2.0.0/16", "10.1.0.0/16"]


def pool(kind: str, **spec: Any) -> Any:
    text = POOL.format(kind=kind, spec=yaml.safe_dump(spec, default_flow_style=True).strip())
    return things({"kubernetes/0.yaml": text}).of("nv-ipam.nvidia.com", kind)[0]


def spans(*pairs: tuple[int, int]) -> list[dict[str, str]]:
    return [{"startIP": f"10.0.0.{one}", "endIP": f"10.0.0.{two}"} for one, two in pairs]


@pytest.mark.parametrize(
    ("excluded", "nodes", "pods", "said"),
    [
        ([], 31, 8, None),
        (spans((1, 8)), 31, 8, (Verdict.LOST, "leave blocks for 30 nodes, 31 have its labels")),
        (spans((1, 8)), 30, 8, None),
        (spans((1, 1)), 2, 8, (Verdict.UNPROVED, "leave 7 addresses of some block, a node has 8 pods")),
        (spans((1, 1)), 2, 7, None),
        (spans((1, 1), (9, 9)), 2, 8, (Verdict.LOST, "leave 7 addresses of a block, a node has 8 pods")),
        (
            spans((1, 1), (9, 10)),
            2,
            7,
            (Verdict.UNPROVED, "leave 6 addresses of some block, a node has 7 pods"),
        ),
    ],
)
def test_exclusions_leave_blocks_of_a_pool(
    excluded: list[Any], nodes: int, pods: int, said: tuple[Verdict, str] | None
) -> None:
    given = pool(
        "IPPool", subnet="10.0.0.0/24", perNodeBlockSize=8, gateway="10.0.0.254", exclusions=excluded
    )
    found = [(each.verdict, each.text.partition(") ")[2]) for each in pool_blocks(given, nodes, pods)]
    assert found == ([] if said is None else [said])


@pytest.mark.parametrize(("pods", "found"), [(6, 0), (7, 1)])
def test_exclusions_of_each_block_count_from_its_first_address(pods: int, found: int) -> None:
    own = [{"startIndex": 0, "endIndex": 1}]
    given = pool("IPPool", subnet="10.0.0.0/24", perNodeBlockSize=8, perNodeExclusions=own)
    assert len(list(pool_blocks(given, 2, pods))) == found


@pytest.mark.parametrize(
    ("spec", "nodes", "pods", "wanted"),
    [
        ({}, 4, 6, None),
        ({}, 4, 7, (Verdict.LOST, "leaves 6 addresses of the /29 of a node, node-0 has 7 pods")),
        ({"gatewayIndex": 1}, 4, 5, None),
        (
            {"gatewayIndex": 1},
            4,
            6,
            (Verdict.LOST, "leaves 5 addresses of the /29 of a node, node-0 has 6 pods"),
        ),
        ({"gatewayIndex": 0}, 4, 6, None),
        ({"perNodeExclusions": [{"startIndex": 1, "endIndex": 2}]}, 4, 4, None),
        (
            {"perNodeExclusions": [{"startIndex": 1, "endIndex": 2}]},
            4,
            5,
            (Verdict.LOST, "leaves 4 addresses of the /29 of a node, node-0 has 5 pods"),
        ),
        ({"exclusions": spans((9, 10))}, 4, 4, None),
        (
            {"exclusions": spans((9, 10))},
            4,
            5,
            (
                Verdict.UNPROVED,
                "leaves 4 addresses of 10.0.0.8/29; a node may have it, and node-0 has 5 pods",
            ),
        ),
        ({"exclusions": spans((8, 15))}, 4, 6, None),
        ({"exclusions": spans((33, 33))}, 3, 6, None),
        (
            {"exclusions": spans((33, 33))},
            4,
            6,
            (
                Verdict.UNPROVED,
                "leaves 5 addresses of 10.0.0.32/29; a node may have it, and node-0 has 6 pods",
            ),
        ),
    ],
)
def test_exclusions_leave_addresses_of_a_prefix(
    spec: dict[str, Any], nodes: int, pods: int, wanted: tuple[Verdict, str] | None
) -> None:
    given = pool("CIDRPool", cidr="10.0.0.0/24", perNodeNetworkPrefix=29, **spec)
    found = [(f.verdict, f.text.partition(") ")[2]) for f in prefix_room(given, "node-0", nodes, pods)]
    assert found == ([] if wanted is None else [wanted])


@pytest.mark.parametrize(
    ("gateway", "pods", "found"), [("10.0.0.9", 5, 0), ("10.0.0.9", 6, 1), ("", 6, 0), ("", 7, 1)]
)
def test_a_prefix_that_is_stated_for_a_node_has_its_own_gateway(gateway: str, pods: int, found: int) -> None:
    row = {"nodeName": "node-0", "prefix": "10.0.0.8/29"} | ({"gateway": gateway} if gateway else {})
    given = pool("CIDRPool", cidr="10.0.0.0/24", perNodeNetworkPrefix=29, staticAllocations=[row])
    faults = list(prefix_room(given, "node-0", 2, pods))
    assert len(faults) == found
    assert all(f"addresses of 10.0.0.8/29, node-0 has {pods} pods" in each.text for each in faults)


@pytest.mark.parametrize(("pods", "found"), [(252, 0), (253, 1)])
def test_what_whereabouts_excludes_is_not_given(pods: int, found: int) -> None:
    ipam = {"type": "whereabouts", "range": "10.0.0.0/24", "exclude": ["10.0.0.2/31", "fd00::/64"]}
    (given,) = things({"kubernetes/0.yaml": network(ipam)}).networks
    faults = list(range_left(given, pods))
    assert len(faults) == found
    assert all(each.text.endswith(f"leaves 252 addresses of 10.0.0.0/24 for {pods} pods") for each in faults)
    (other,) = things({"kubernetes/0.yaml": network(ipam | {"type": "host-local"})}).networks
    assert list(range_left(other, 300)) == []


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
        attachments=tuple(Attachment(f"net{n}", "apps/rail", rail) for n in range(taken)),
    )
    texts = [each.text for each in device_faults(given, cluster)]
    start = f"pods of job ask for {asked} of nvidia.com/rail, their networks take {taken} ({FILE}:11)"
    assert texts == ([start] if found else [])


@pytest.mark.parametrize(("space", "told"), [("10.9.0.0/16", 1), ("10.0.0.0/24", 0)])
def test_an_exclusion_outside_of_a_pool_touches_no_prefix(space: str, told: int) -> None:
    given = pool("CIDRPool", cidr=space, perNodeNetworkPrefix=29, exclusions=spans((9, 9)))
    assert len(list(prefix_room(given, "node-0", 4, 6))) == 1 - told


def test_a_subnet_of_two_addresses_has_both() -> None:
    """RFC 3021."""
    given = pool("IPPool", subnet="10.0.0.0/31", perNodeBlockSize=1, exclusions=spans((1, 1)))
    assert list(pool_blocks(given, 1, 1)) == []
    assert len(list(pool_blocks(given, 2, 1))) == 1
    last = pool("IPPool", subnet="10.0.0.0/29", perNodeBlockSize=2, exclusions=spans((9, 9)))
    assert list(pool_blocks(last, 3, 2)) == []
    assert len(list(pool_blocks(last, 4, 2))) == 1
    six = pool(
        "IPPool",
        subnet="fd00::/125",
        perNodeBlockSize=7,
        exclusions=[{"startIP": "fd01::", "endIP": "fd01::"}],
    )
    assert list(pool_blocks(six, 1, 7)) == []


@pytest.mark.parametrize(("last", "found"), [("fd00::fe", 1), ("fd00::ff", 1), ("fd00::100", 0)])
def test_the_last_address_of_a_pool_is_in_it(last: str, found: int) -> None:
    """IPv6 has no broadcast address."""
    rows = [{"startIP": last, "endIP": last}]
    given = pool("CIDRPool", cidr="fd00::/120", perNodeNetworkPrefix=125, exclusions=rows)
    assert len(list(prefix_room(given, "node-0", 32, 7))) == found
