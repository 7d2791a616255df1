"""``netplan trace --rendered`` on files not rendered by netplan: each pod's attachments, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.cli_runs import json_report, netplan

OPERATOR = """\
sriov-network-operator:
  operator:
    resourcePrefix: nvidia.com
"""

POLICY = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail%(n)s, namespace: operators}
spec:
  resourceName: rail%(n)s
  numVfs: 8
  mtu: 9000
  linkType: eth
  isRdma: true
  nodeSelector: {gpu: h100}
  nicSelector: {vendor: 15b3, pfNames: [ens%(n)sf0]}
---
"""
NETWORK = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: rail%(n)s, namespace: operators}
spec:
  networkNamespace: train
  resourceName: rail%(n)s
  vlan: 10%(n)s
  ipam: '{"type": "nv-ipam", "poolName": "rail%(n)s", "poolType": "ippool"}'
  metaPlugins: '{"type": "rdma"}, {"type": "tuning", "mtu": 9000}, {"type": "sbr"}'
---
"""
POOL = """\
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: rail%(n)s, namespace: operators}
spec:
  subnet: 10.%(n)s.0.0/24
  gateway: 10.%(n)s.0.1
  perNodeBlockSize: 8
---
"""
POD = """\
apiVersion: v1
kind: Pod
metadata:
  name: %(name)s
  namespace: train
  annotations:
    k8s.v1.cni.cncf.io/networks: >-
      [{"name": "rail1", "interface": "net1"}, {"name": "rail2", "interface": "net2"}]
spec:
  containers:
    - name: main
      image: registry.example/train:1
      securityContext: {capabilities: {add: [IPC_LOCK]}}
      env:
        - {name: NCCL_IB_TC, value: "106"}
        - {name: NCCL_IB_GID_INDEX, value: "3"}
      resources:
        limits: {nvidia.com/gpu: 8, nvidia.com/rail1: 1, nvidia.com/rail2: 1}
---
"""
FILES = {
    "values.yaml": OPERATOR,
    "policies.yaml": POLICY % {"n": 1} + POLICY % {"n": 2},
    "networks.yaml": NETWORK % {"n": 1} + NETWORK % {"n": 2},
    "pools.yaml": POOL % {"n": 1} + POOL % {"n": 2},
    "pods.yaml": POD % {"name": "one"} + POD % {"name": "two"},
}
STATES = """\
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodeState
metadata: {name: gpu-1, namespace: operators}
status:
  interfaces:
    - {name: ens1f0, pciAddress: "0000:18:00.0", vendor: "15b3", deviceID: "1021", mtu: 9000, linkType: ETH,
       numVfs: 8, totalvfs: 16}
    - {name: eno1, pciAddress: "0000:02:00.0", vendor: "8086", deviceID: "1563", mtu: 1500}
"""
STEPS = ["attachment", "network", "resource", "device", "vlan", "mtu", "addresses", "routes"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "gitops"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


def edit(path: Path, old: str, new: str, count: int = 1) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def pods(tree: Path, *ends: str) -> tuple[int, list[dict]]:
    status, out, _ = netplan("trace", "--format", "json", "--rendered", str(tree), *ends)
    return status, json_report(out)["chains"]["pods"]


def steps(pod: dict, interface: str | None = None) -> dict[str, dict]:
    each = pod if interface is None else next(i for i in pod["interfaces"] if i["name"] == interface)
    return {step["step"]: step for step in each["steps"]}


def doubts(found: Iterable[dict]) -> str:
    return "\n".join(f"{d['proof']}: {d['text']} ({d['place']})" for step in found for d in step["doubts"])


def test_every_step_of_whole_files_is_proved_and_the_way_is_not(tree: Path) -> None:
    status, (one, _) = pods(tree)
    assert (status, one["proof"], one["place"]) == (0, "not proved", "pods.yaml:1")
    assert one["traffic_class"] == 106
    for interface in one["interfaces"]:
        assert [step["step"] for step in interface["steps"]] == STEPS
        assert {step["proof"] for step in interface["steps"]} == {"proved"}
    net1 = steps(one, "net1")
    said = {name: [line["text"] for line in step["states"]] for name, step in net1.items()}
    assert said["network"] == [
        "SriovNetwork operators/rail1, makes NAD train/rail1: sriov, rdma, tuning, sbr"
    ]
    assert said["resource"] == ["nvidia.com/rail1, the pod asks for 1"]
    assert said["device"] == [
        "SriovNetworkNodePolicy operators/rail1: vendor 15b3, pfNames ens1f0, numVfs 8, mtu 9000, "
        "linkType eth, isRdma true; nodes gpu=h100"
    ]
    assert said["vlan"] == ["vlan 101"]
    assert said["mtu"] == ["9000 of tuning", "9000 of SriovNetworkNodePolicy operators/rail1"]
    assert said["addresses"] == ["IPPool operators/rail1 10.1.0.0/24, gateway 10.1.0.1, perNodeBlockSize 8"]
    assert said["routes"] == [
        "sbr: routes of the interface in a table of their own, for its source addresses"
    ]
    assert net1["device"]["states"][0]["place"] == "policies.yaml:1"
    assert net1["vlan"]["states"][0]["place"] == "networks.yaml:7"


def test_as_text(tree: Path) -> None:
    status, out, err = netplan("trace", "--rendered", str(tree))
    assert (status, err) == (0, "")
    assert out.startswith(
        "Pod train/one (pods.yaml:1): not proved\n  the same for Pod train/two (pods.yaml:20)\n"
    )
    assert "    + vlan         vlan 101 (networks.yaml:7)\n" in out
    assert "NCCL_IB_TC=106 (DSCP 26) (pods.yaml:15)" in out
    assert out.endswith(
        "not seen: no site.json: hosts, cabling and switches are unknown, so no path is proved\n"
    )
    status, out, _ = netplan("trace", "--rendered", str(tree), "--matrix")
    assert status == 0
    assert (
        "  Pod train/two net2  +    +           +        +         +       +     +    +          +\n" in out
    )
    status, out, _ = netplan("trace", "--color", "always", "--rendered", str(tree))
    assert "\x1b[32m+\x1b[m network" in out


def test_strict_asks_for_a_proof_that_no_such_file_gives(tree: Path) -> None:
    assert netplan("trace", "--strict", "--rendered", str(tree))[0] == 1
    assert netplan("trace", "--quiet", "--rendered", str(tree)) == (0, "", "")


@pytest.mark.parametrize(
    ("file", "old", "new", "step", "said"),
    [
        ("networks.yaml", "vlan: 102", "vlan: 103\n  vlanQoS: 9", "vlan", "vlanQoS"),
        (
            "networks.yaml",
            "resourceName: rail2",
            "resourceName: rial2",
            "resource",
            "nothing produces nvidia.com/rial2",
        ),
        (
            "networks.yaml",
            '"poolName": "rail2"',
            '"poolName": "rail3"',
            "addresses",
            "rail3 is not in the directory",
        ),
        ("networks.yaml", '"tuning"', '"tunning"', "network", "there is no plugin tunning"),
        ("pools.yaml", "gateway: 10.2.0.1", "gateway: 10.3.0.1", "addresses", "gateway 10.3.0.1 is outside"),
        ("policies.yaml", "linkType: eth", "linkType: ib", "resource", "sriov needs linkType eth"),
        ("policies.yaml", "mtu: 9000", "mtu: 1500", "mtu", "MTU 9000 is above 1500"),
        ("policies.yaml", "numVfs: 8", "numVfs: 0", "device", "numVfs is 0"),
    ],
)
def test_what_contradicts_refutes_its_step(
    tree: Path, file: str, old: str, new: str, step: str, said: str
) -> None:
    """Only on one rail: the steps of the other stay proved."""
    text = (tree / file).read_text()
    at = text.rindex(old)
    (tree / file).write_text(text[:at] + new + text[at + len(old) :])
    status, (one, _) = pods(tree)
    assert (status, one["proof"]) == (1, "refuted")
    found = steps(one, "net2")
    assert found[step]["proof"] == "refuted", doubts(found.values())
    assert said in doubts([found[step]])
    assert f"({file.split('.')[0]}" in doubts([found[step]]) or "networks.yaml:" in doubts([found[step]])
    assert {each["proof"] for each in steps(one, "net1").values()} == {"proved"}


def test_two_rails_in_one_subnet(tree: Path) -> None:
    """Without source-based rules, such as those of ``sbr``."""
    edit(tree / "pools.yaml", "subnet: 10.2.0.0/24", "subnet: 10.1.0.0/16")
    edit(tree / "pools.yaml", "gateway: 10.2.0.1", "gateway: 10.1.9.1")
    assert "NP677" not in netplan("trace", "--rendered", str(tree))[1]
    edit(tree / "networks.yaml", ', {"type": "sbr"}', "", 2)
    status, out, _ = netplan("trace", "--rendered", str(tree))
    assert status == 1
    assert "refuted NP677: Pod train/one: net1 and net2 have addresses of 10.1.0.0/24" in out


@pytest.mark.parametrize(("file", "proof"), [("policies.yaml", "refuted"), ("a.yaml", "not proved")])
def test_policies_that_may_be_steps_or_samples_refute_nothing(tree: Path, file: str, proof: str) -> None:
    """NP786 is a note where two policies for one port are in files of which nothing says that both apply."""
    second = (
        (POLICY % {"n": 1})
        .replace("name: rail1,", "name: zzz,")
        .replace("resourceName: rail1", "resourceName: zzz")
    )
    kept = (tree / file).read_text() if (tree / file).exists() else ""
    (tree / file).write_text(second + kept)
    found = doubts(steps(pods(tree)[1][0], "net1").values())
    assert f"{proof} NP786" in netplan("trace", "--rendered", str(tree))[1], found


def test_what_a_dump_says_of_nodes(tree: Path) -> None:
    edit(tree / "policies.yaml", "vendor: 15b3, pfNames: [ens1f0]", 'vendor: "15b3", deviceID: "1021"')
    found = steps(pods(tree)[1][0], "net1")["device"]
    assert found["proof"] == "not proved"
    assert "it selects a kind of NIC, but no file says which ports those are" in doubts([found])
    (tree / "states.yaml").write_text(STATES)
    found = steps(pods(tree)[1][0], "net1")["device"]
    assert (found["proof"], len(found["states"])) == ("proved", 2)
    said = "node gpu-1: ens1f0 0000:18:00.0, MTU 9000, linkType ETH, 8 of 16 VFs"
    assert found["states"][1] == {"text": said, "place": "states.yaml:6"}


def test_what_is_installed_from_elsewhere_is_not_seen(tree: Path) -> None:
    release = (
        "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: jobs, namespace: train}\n"
    )
    (tree / "release.yaml").write_text(f"{release}spec: {{chart: {{spec: {{chart: jobs}}}}}}\n")
    assert "what 1 HelmRelease install was not seen" in netplan("trace", "--rendered", str(tree))[1]


def test_standard_input(tree: Path) -> None:
    text = "".join(path.read_text() for path in sorted(tree.glob("*.yaml")) if path.name != "values.yaml")
    status, out, _ = netplan("trace", "--rendered", "-", "pod/two", input=text)
    assert status == 0
    assert "+ addresses    IPPool operators/rail1 10.1.0.0/24" in out


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"rail2", "interface"', '"rial2", "interface"', "network train/rial2 is not in the directory"),
        ("nvidia.com/rail2: 1", "nvidia.com/rail2: 1, nvidia.com/rail1: 1.5", "1.5 of nvidia.com/rail1"),
        ("nvidia.com/rail1: 1, ", "", "1 attachment needs nvidia.com/rail1"),
        ('value: "3"', "value: 3", "is 3, not text"),
        ('"net2"', '"net1"', "interface net1 is of rail2 and of rail1"),
    ],
)
def test_what_contradicts_in_a_pod_refutes_the_pod(tree: Path, old: str, new: str, said: str) -> None:
    edit(tree / "pods.yaml", old, new)
    if new.endswith("1.5"):
        edit(tree / "pods.yaml", "nvidia.com/rail1: 1, ", "")
    status, (one, two) = pods(tree)
    assert (status, one["proof"], two["proof"]) == (1, "refuted", "not proved")
    every = [*one["steps"], *(step for i in one["interfaces"] for step in i["steps"])]
    assert said in doubts(step for step in every if step["proof"] == "refuted")


@pytest.mark.parametrize(
    ("file", "step", "said"),
    [
        ("values.yaml", "resource", "no file says that the prefix is nvidia.com: chart value resourcePrefix"),
        ("policies.yaml", "resource", "nothing in the files produces nvidia.com/rail1"),
        ("networks.yaml", "attachment", "the files have no such network"),
        ("pools.yaml", "addresses", "ippool rail1 is not in the files"),
    ],
)
def test_what_is_not_here_is_not_proved(tree: Path, file: str, step: str, said: str) -> None:
    (tree / file).unlink()
    status, (one, _) = pods(tree)
    found = steps(one, "net1")
    assert (status, found[step]["proof"]) == (0, "not proved")
    assert said in doubts([found[step]])


def test_one_pod_and_two_beside_each_other(tree: Path) -> None:
    status, found = pods(tree, "train/two")
    assert [pod["name"] for pod in found] == ["Pod train/two"]
    status, out, _ = netplan("trace", "--rendered", str(tree), "train/one", "pod/two")
    assert status == 0
    assert "  net2 -> net2\n    + network        the same, train/rail2 (networks.yaml:11)\n" in out
    assert "    + vlan           the same, 102\n    + subnet         the same, 10.2.0.0/24\n" in out
    assert "  + traffic class  the same, 106 (DSCP 26)\n" in out


def test_two_pods_that_do_not_meet(tree: Path) -> None:
    """One is on a different network, in another VLAN of the same subnet, with another MTU and class."""
    other = (NETWORK % {"n": 1}).replace("name: rail1", "name: other", 1).replace("vlan: 101", "vlan: 777")
    (tree / "other.yaml").write_text(other.replace('"mtu": 9000', '"mtu": 1500'))
    text = (tree / "pods.yaml").read_text()
    first, second = text.split("---\n")[:2]
    second = second.replace('"rail1"', '"other"').replace('"106"', '"104"')
    (tree / "pods.yaml").write_text(f"{first}---\n{second}")
    status, out, _ = netplan("trace", "--format", "json", "--rendered", str(tree), "pod/one", "pod/two")
    compared = json_report(out)["chains"]["compared"]
    assert (status, compared["proof"]) == (1, "refuted")
    rows = {row["name"]: (row["proof"], row["says"]) for row in compared["interfaces"][0]["rows"]}
    assert rows["vlan"] == ("refuted", "101 and 777, in one subnet: neither reaches the other")
    assert rows["mtu"][0] == "refuted"
    assert rows["mtu"][1].startswith("9000 and 1500: packets above 1,500 bytes")
    assert rows["subnet"] == ("proved", "the same, 10.1.0.0/24")
    assert compared["rows"][0]["proof"] == "not proved"
    assert compared["rows"][0]["says"].startswith("106 (DSCP 26) and 104 (DSCP 26)")


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        (("train/thre",), "there is no pod train/thre with an attachment"),
        (("pod/tow",), "did you mean pod/two? there are pod/one, pod/two"),
        (("training@gpu-1/0", "pod/one"), "without site.json, an end is written NAMESPACE/NAME or KIND/NAME"),
    ],
)
def test_an_end_that_is_not_there(tree: Path, ends: tuple[str, ...], said: str) -> None:
    status, out, err = netplan("trace", "--rendered", str(tree), *ends)
    assert (status, out) == (2, "")
    assert said in err


def test_several_pods_of_one_name(tree: Path) -> None:
    worker = "\n".join(f"          {line}" for line in (POD % {"name": "x"}).splitlines()[2:-1])
    roles = "".join(
        f"      {role}:\n        replicas: 1\n        template:\n{worker}\n"
        for role in ("Launcher", "Worker")
    )
    head = "apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nmetadata: {name: nccl, namespace: train}\nspec:\n"
    (tree / "job.yaml").write_text(f"{head}  mpiReplicaSpecs:\n{roles}")
    status, _, err = netplan("trace", "--rendered", str(tree), "mpijob/nccl")
    assert status == 2
    assert "mpijob/nccl matches several pods: mpijob/nccl/Launcher (job.yaml:" in err
    status, found = pods(tree, "MPIJob/nccl/Worker")
    assert (status, [pod["name"] for pod in found]) == (0, ["MPIJob train/nccl Worker"])


def test_nothing_to_follow(tree: Path) -> None:
    for pod in ("pods.yaml",):
        text = (tree / pod).read_text()
        (tree / pod).write_text("\n".join(line for line in text.splitlines() if "networks:" not in line))
    edit(tree / "pods.yaml", "nvidia.com/rail1: 1, nvidia.com/rail2: 1", "", 2)
    status, out, err = netplan("trace", "--rendered", str(tree), "--matrix")
    assert (status, out) == (2, "")
    assert "no pod with an attachment found: 8 objects read (2 SriovNetwork, 2 Pod, " in err
    assert "2 pods, none with a network or a device of theirs" in err
    status, _, err = netplan("trace", "--rendered", str(tree / "policies.yaml"))
    assert status == 2
    assert "no pod" in err


def test_what_goes_with_an_inventory_only(tree: Path) -> None:
    status, _, err = netplan("trace", "--rendered", str(tree), "--matrix", "--workload", "train")
    assert status == 2
    assert "require an inventory or a directory netplan rendered" in err


def test_a_policy_whose_resource_is_null_is_the_reason_that_nothing_produces_it(tree: Path) -> None:
    edit(tree / "policies.yaml", "resourceName: rail1", "resourceName: null")
    status, (one, _) = pods(tree)
    resource = steps(one, "net1")["resource"]
    assert (status, resource["proof"]) == (1, "refuted")
    assert "refuted: SriovNetworkNodePolicy operators/rail1: resourceName is required and null" in doubts(
        [resource]
    )
    assert "NP756" not in {doubt.get("code") for doubt in resource["doubts"]}
    assert steps(one, "net2")["resource"]["proof"] == "proved"
