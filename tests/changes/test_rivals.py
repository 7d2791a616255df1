"""Running objects that claim what planned ones claim too: ``netplan diff SITE --cluster DUMP`` lists them."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.changes.compare import facts_of
from netplan.changes.drift import Drift, Drifted
from netplan.changes.drift_objects import object_drift
from netplan.changes.objects import LEFT_OUT
from tests.changes.pairs import edited
from tests.cli_runs import netplan
from tests.inventories import FOLDER

NAME = "kitchen-sink"
Body = dict[str, Any]


@cache
def planned() -> str:
    texts = edited(NAME, {}).texts
    files = [t for p, t in texts.items() if p.startswith("kubernetes/") and p.endswith(".yaml")]
    found = [body for text in files for body in yaml.safe_load_all(text) if body]
    objects = [body for body in found if body.get("kind") not in LEFT_OUT and "apiVersion" in body]
    return str(yaml.safe_dump_all(objects, sort_keys=False))


def dumped(tmp_path: Path, others: list[Body]) -> str:
    """A folder with what is planned, running, and the others beside it."""
    (tmp_path / "planned.yaml").write_text(planned())
    (tmp_path / "others.yaml").write_text(yaml.safe_dump_all(others, sort_keys=False))
    return str(tmp_path)


def compared(tmp_path: Path, others: list[Body]) -> Drift:
    side = edited(NAME, {})
    return object_drift(side, facts_of(side), dumped(tmp_path, others))


def rows(tmp_path: Path, *others: Body) -> list[str]:
    return [f"{each.target} {each.change}" for each in compared(tmp_path, [*others]).found]


def made(kind: str, group: str, name: str, spec: Body) -> Body:
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, "namespace": "old"}, "spec": spec}


def ippool(name: str, subnet: str, **spec: Any) -> Body:
    return made("IPPool", "nv-ipam.nvidia.com/v1alpha1", name, {"subnet": subnet, **spec})


def nad(name: str, plugin: Body) -> Body:
    config = json.dumps({"cniVersion": "1.0.0", "plugins": [plugin]})
    return made("NetworkAttachmentDefinition", "k8s.cni.cncf.io/v1", name, {"config": config})


def policy(name: str, resource: str, nics: Body, nodes: Body | None = None) -> Body:
    spec = {"resourceName": resource, "numVfs": 8, "nicSelector": nics, "nodeSelector": nodes or {}}
    return made("SriovNetworkNodePolicy", "sriovnetwork.openshift.io/v1", name, spec)


def network(name: str, **spec: Any) -> Body:
    return made("SriovNetwork", "sriovnetwork.openshift.io/v1", name, spec)


def plugin_config(name: str, key: str, *entries: Body) -> Body:
    body = made("ConfigMap", "v1", name, {})
    return {**body, "data": {"config.json": json.dumps({key: [*entries]})}}


def selecting(**selectors: Any) -> Body:
    return {"resourceName": "x", "selectors": selectors}


def nodes(**selector: Any) -> Body:
    """A pool of nodes of the SR-IOV operator."""
    spec = {"maxUnavailable": 2, **({"nodeSelector": selector} if selector else {})}
    return made("SriovNetworkPoolConfig", "sriovnetwork.openshift.io/v1", "p", spec)


def template(nic: str, *pci: str) -> Body:
    spec = {"nodeSelector": {}, "nicSelector": {"nicType": nic, "pciAddresses": [*pci]}, "template": {}}
    return made("NicConfigurationTemplate", "configuration.net.nvidia.com/v1alpha1", "t", spec)


def of_type(*values: str) -> Body:
    return {"key": "example.com/host-type", "operator": "In", "values": [*values]}


def whereabouts(text: str, **keys: Any) -> Body:
    return {"type": "macvlan", "ipam": {"type": "whereabouts", "range": text, **keys}}


POOL = "nvidia-network-operator/rail0-leaf-1"
CIDRS = made("CIDRPool", "nv-ipam.nvidia.com/v1alpha1", "p", {"cidr": "172.16.0.0/16"})
LOCAL = {"type": "macvlan", "ipam": {"type": "host-local", "ranges": [[{"subnet": "172.24.0.0/24"}]]}}
TWICE = "remove first, or pods get addresses twice"
ONE = "remove first, the operator applies only one of two"
ALONE = {"enable_overlapping_ranges": False}
STORAGE = "planned NetworkAttachmentDefinition training/storage"
OPERATOR = "sriovnetwork.openshift.io/v1"
POOL_OF_NODES = "planned SriovNetworkPoolConfig sriov-network-operator/rdma-gpu-server"
OF_RAIL0 = "planned SriovNetworkNodePolicy sriov-network-operator/rail-gpu-server-roce0"


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (ippool("p", "172.16.0.0/24"), f"172.16.0.0/24, also of planned IPPool {POOL}: {TWICE}"),
        (ippool("p", "172.16.0.0/23"), f"172.16.0.0/23, overlapping planned IPPool {POOL}: {TWICE}"),
        (ippool("p", "fd00:16::/64"), f"fd00:16::/64, also of planned IPPool {POOL}-v6: {TWICE}"),
        (ippool("p", "fd00:16:0:0::/64"), f"fd00:16:0:0::/64, also of planned IPPool {POOL}-v6: {TWICE}"),
        (CIDRS, f"172.16.0.0/16, overlapping planned IPPool {POOL}, "),
        (nad("n", LOCAL), f"172.24.0.0/24, also of {STORAGE}: {TWICE}"),
        (nad("n", whereabouts("172.16.0.64/27")), f", overlapping planned IPPool {POOL}: {TWICE}"),
        (nad("n", whereabouts("172.24.0.0/24")), f"also of {STORAGE}: whereabouts gives no address twice"),
        (
            nad("n", whereabouts("172.24.0.0/24", **ALONE)),
            f"of {STORAGE}: whereabouts gives no address twice",
        ),
        (nad("n", whereabouts("172.24.0.0/25", **ALONE)), f"overlapping {STORAGE}: {TWICE}"),
        (nad("n", whereabouts("172.24.0.0/24", network_name="own")), f"of {STORAGE}: {TWICE}"),
        (
            network("storage", networkNamespace="training", resourceName="x"),
            f"NetworkAttachmentDefinition training/storage, also of {STORAGE}: remove first",
        ),
        (policy("p", "x", {"pfNames": ["rail0#0-3"]}), f"roce0, also of {OF_RAIL0}: {ONE}"),
        (policy("p", "x", {"pfNames": ["rail0#3-3"]}), f"VFs of roce0, also of {OF_RAIL0}: "),
        (policy("p", "x", {"deviceID": "1021"}), "VFs of ib0, also of planned SriovNetworkNodePolicy"),
        (policy("p", "rail_0", {"pfNames": ["other0"]}), f"resource rail_0, also of {OF_RAIL0}: "),
        (
            plugin_config("c", "resourceList", selecting(pfNames=["rail0#0-1"])),
            f"VFs of roce0, also of {OF_RAIL0}: remove first, or two device plugins",
        ),
        (
            plugin_config("c", "configList", selecting(ifNames=["store0"])),
            "RDMA devices of store, also of planned ConfigMap kube-system/rdma-devices: ",
        ),
        (nodes(), f", also of {POOL_OF_NODES}: remove first, the operator drains no node of two"),
        (nodes(matchLabels={"any": "where"}), f", also of {POOL_OF_NODES}"),
        (nodes(matchExpressions=[of_type("gpu-server")]), f", also of {POOL_OF_NODES}"),
        (
            template("101d"),
            "also of planned NicConfigurationTemplate nvidia-network-operator/gpu-server-example-nic-store, "
            "nvidia-network-operator/gpu-server-example-nic: remove first, the operator applies none of two",
        ),
        (
            template("1021", "0000:d8:00.0"),
            "NicConfigurationTemplate nvidia-network-operator/gpu-server-connectx-7:",
        ),
    ],
)
def test_what_claims_the_same_is_listed(tmp_path: Path, other: Body, said: str) -> None:
    (row,) = rows(tmp_path, other)
    assert said in row
    assert row.startswith(f"{other['kind']} old/{other['metadata']['name']} not planned: ")


RAIL0 = {"pfNames": ["rail0"]}
OUTSIDE = [
    {"startIP": "172.16.0.0", "endIP": "172.16.0.199"},
    {"startIP": "172.16.0.210", "endIP": "172.16.0.255"},
]


@pytest.mark.parametrize(
    "other",
    [
        ippool("p", "10.200.0.0/24"),
        ippool("p", "172.16.0.0/24", exclusions=OUTSIDE),  # it gives what the planned pool leaves out
        ippool("p", "no subnet"),
        made("IPPool", "crd.projectcalico.org/v1", "p", {"cidr": "172.16.0.0/16"}),
        nad("n", whereabouts("10.200.0.0/24")),
        nad("storage", {"type": "macvlan"}),
        network("storage", networkNamespace="elsewhere", resourceName="x"),
        policy("p", "x", {"pfNames": ["rail0#8-9"]}),
        policy("p", "x", {"pfNames": ["other0"]}),
        policy("p", "x", RAIL0, {"example.com/host-type": "another"}),
        policy("default", "", {}),  # the operator skips its own
        plugin_config("c", "configList", selecting(ifNames=["rail0"])),
        plugin_config("c", "resourceList", selecting(pfNames=["rail0#8-9"])),
        made("ConfigMap", "v1", "c", {}),
        nodes(matchExpressions=[of_type("another")]),
        made("SriovNetworkPoolConfig", OPERATOR, "ovs", {"ovsHardwareOffloadConfig": {"name": "worker"}}),
        template("1021", "0000:d9:00.0"),
        template("101b"),
    ],
)
def test_what_claims_nothing_planned_is_not(tmp_path: Path, other: Body) -> None:
    assert rows(tmp_path, other) == []


@pytest.mark.parametrize(
    "metadata",
    [
        {"ownerReferences": [{"kind": "SriovOperatorConfig", "name": "default"}]},
        {"annotations": {"sriovnetwork.openshift.io/owner-ref": "SriovNetwork/old/n"}},
    ],
)
def test_what_a_controller_made_goes_with_its_maker(tmp_path: Path, metadata: Body) -> None:
    other = nad("n", LOCAL)
    assert len(rows(tmp_path, other)) == 1
    other["metadata"] |= metadata
    assert rows(tmp_path, other) == []


def test_a_nad_without_owner_goes_with_the_network_that_makes_it(tmp_path: Path) -> None:
    maker = network("n", ipam=json.dumps(LOCAL["ipam"]), resourceName="x")
    found = rows(tmp_path, maker, nad("n", LOCAL))
    assert [row.partition(" not planned")[0] for row in found] == ["SriovNetwork old/n"]


def test_a_network_is_listed_with_the_pool_it_draws_from(tmp_path: Path) -> None:
    ipam = json.dumps({"type": "nv-ipam", "poolName": "p"})
    found = rows(tmp_path, ippool("p", "172.16.0.0/24"), network("n", ipam=ipam, resourceName="x"))
    assert len(found) == 2
    assert found[1].endswith("remove together with the pool it draws from")
    ours = json.dumps({"type": "nv-ipam", "poolName": "rail0-leaf-1"})
    assert rows(tmp_path, network("n", ipam=ours, resourceName="x")) == []


def test_labels_of_running_nodes_count(tmp_path: Path) -> None:
    """A label that no file states may be there, unless the node is shown without it."""
    worker = policy("p", "x", RAIL0, {"node-role.kubernetes.io/worker": ""})
    assert len(rows(tmp_path, worker)) == 1
    hosts = [host.name for host in facts_of(edited(NAME, {})).hosts]
    nodes: list[dict[str, Any]] = [
        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {}}} for name in hosts
    ]
    assert rows(tmp_path, worker, *copy.deepcopy(nodes)) == []
    for node in nodes:
        node["metadata"]["labels"]["node-role.kubernetes.io/worker"] = ""
    assert len(rows(tmp_path, worker, *nodes)) == 1


def test_another_site_in_the_cluster_is_listed(tmp_path: Path) -> None:
    other = ippool("p", "172.16.0.0/24")
    other["metadata"]["labels"] = {
        "app.kubernetes.io/managed-by": "netplan",
        "app.kubernetes.io/part-of": "another",
    }
    assert TWICE in rows(tmp_path, other)[0]


def test_many_alike_share_a_row(tmp_path: Path) -> None:
    few = compared(tmp_path, [ippool(f"p{number}", "172.16.0.0/24") for number in range(8)])
    assert len(few.found) == 8
    many = compared(tmp_path, [ippool(f"p{number}", "172.16.0.0/24") for number in range(9)])
    said = f"not planned: 172.16.0.0/24, also of planned IPPool {POOL}: {TWICE}"
    assert many.found == (Drifted("IPPool old/p[0-8]", said, many.found[0].place),)
    file, _, line = many.found[0].place.rpartition(":")
    assert "subnet: 172.16.0.0/24" in Path(file).read_text().splitlines()[int(line) - 1]


def test_a_kind_that_is_not_planned_is_printed(tmp_path: Path) -> None:
    dump = dumped(tmp_path, [CIDRS])
    status, out, _ = netplan("diff", str(FOLDER / f"{NAME}.yaml"), "--cluster", dump)
    assert status == 1
    assert "  CIDRPool\n    old/p not planned: 172.16.0.0/16, overlapping planned IPPool" in out


@pytest.mark.parametrize(("section", "listed"), [("ofedDriver", True), ("env", False)])
def test_a_node_policy_with_a_section_of_the_cluster_policy(
    tmp_path: Path, section: str, listed: bool
) -> None:
    """The operator refuses the second one, whatever nodes the first one selects."""
    spec = {"nodeSelector": {"example.com/group": "a"}, section: {"image": "doca-driver", "version": "1"}}
    body = made("NicNodePolicy", "mellanox.com/v1alpha1", "a", spec)
    del body["metadata"]["namespace"]
    said = [row for row in rows(tmp_path, body) if row.startswith("NicNodePolicy")]
    text = "not planned: ofedDriver, also of planned NicClusterPolicy nic-cluster-policy: remove first, the"
    assert [text in row for row in said] == [True] * listed
