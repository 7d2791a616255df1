"""``validate --rendered``: files that are templates, incomplete or not Kubernetes objects are not judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from netplan.diagnostics import Severity
from netplan.load import InputError
from netplan.others import rendered_texts, run_rendered

POLICY = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail0, namespace: sriov-network-operator}
spec:
  nodeSelector: {example.com/gpu: "yes"}
  resourceName: rail0
  numVfs: 8
  nicSelector: {vendor: "15b3", pfNames: [ens1f0np0]}
"""
NAD = """apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata:
  name: rail0
  namespace: training
  annotations: {k8s.v1.cni.cncf.io/resourceName: openshift.io/rail0}
spec:
  config: '{"cniVersion": "1.0.0", "name": "rail0", "type": "sriov"}'
"""
POD = """apiVersion: v1
kind: Pod
metadata: {name: a, namespace: training, annotations: {k8s.v1.cni.cncf.io/networks: NETWORKS}}
spec:
  containers:
  - {name: a, image: b, resources: {limits: {openshift.io/rail0: "1"}}}
"""
IPOIB = """apiVersion: mellanox.com/v1alpha1
kind: IPoIBNetwork
metadata: {name: ib0}
spec:
  master: ibs1
  ipam: |
    {"type": "nv-ipam", "poolName": "ib"}"""
OTHER = "---\napiVersion: k8s.cni.cncf.io/v1\nkind: NetworkAttachmentDefinition\n"
CLAIMING = """apiVersion: v1
kind: Pod
metadata: {name: a, namespace: training}
spec:
  resourceClaims: [{name: channel, resourceClaimTemplateName: channel-0}]
  containers: [{name: a, image: b, resources: {claims: [{name: channel}]}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: channel-1, namespace: training}
spec: {spec: {devices: {requests: [{name: a, exactly: {deviceClassName: gpu.nvidia.com}}]}}}
"""
DOMAIN = """---
apiVersion: resource.nvidia.com/v1beta1
kind: ComputeDomain
metadata: {name: domain, namespace: training}
spec: {numNodes: 2, channel: {resourceClaimTemplate: {name: channel-0}}}
"""


def said(texts: dict[str, str]) -> set[str]:
    return {d.code for d in rendered_texts(texts).diagnostics if d.severity > Severity.INFO}


SILENT = {
    "dollar and name": {"a.yaml": POLICY.replace("numVfs: 8", "numVfs: $vfs")},
    "dollar in a name": {"a.yaml": POLICY.replace("resourceName: rail0", "resourceName: rail$n")},
    "braces": {"a.yaml": POLICY.replace("numVfs: 8", "numVfs: '{{ vfs }}'")},
    "a NAD that a placeholder names": {
        "a.yaml": POLICY + "---\n" + NAD.replace("name: rail0\n", "name: rail$n\n", 1),
        "b.yaml": POD.replace("NETWORKS", "rail0"),
    },
    "a namespace that a placeholder names": {
        "a.yaml": POLICY + "---\n" + NAD.replace("namespace: training", "namespace: $NS"),
        "b.yaml": POD.replace("NETWORKS", "rail0"),
    },
    "a patch by its folder": {"a.yaml": POLICY, "overlays/x/patches/a.yaml": POLICY.replace("8", "'8'")},
    "a patch by its name": {"a.yaml": POLICY, "overlays/x/vfs-patch.yaml": POLICY.replace("8", "'8'")},
    "a patch by its directive": {
        "a.yaml": POLICY,
        "b.yaml": "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec:\n  containers:\n"
        "  - {name: a, $patch: delete, env: [{name: A, value: 1}]}\n",
    },
    "an operation as a patch": {
        "a.yaml": POLICY,
        "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "resources: [a.yaml]\npatches:\n- path: vfs.yaml\n  target: {kind: SriovNetworkNodePolicy}\n"
        "- patch: |\n    - {op: replace, path: /spec/numVfs, value: '8'}\n",
        "vfs.yaml": "- {op: add, path: /spec/mtu, value: 9000}\n",
    },
    "a template that a controller makes": {"a.yaml": CLAIMING + DOMAIN},
    "a bridge of OVS": {
        "a.yaml": NAD.replace("openshift.io/rail0", "ovs-cni.network.kubevirt.io/br1").replace(
            "sriov", "ovs"
        ),
        "b.yaml": POD.replace("NETWORKS", "rail0"),
        "c.yaml": POLICY,
    },
    "a network that a controller makes a NAD of": {
        "a.yaml": POLICY + "---\n" + NAD,
        "b.yaml": POD.replace("NETWORKS", "'rail0,storage'"),
        "c.yaml": "apiVersion: k8s.ovn.org/v1\nkind: UserDefinedNetwork\n"
        "metadata: {name: storage, namespace: training}\n"
        "spec: {topology: Layer2, layer2: {role: Secondary}}\n",
    },
    "a file of a build tool": {"a.yaml": POLICY, "b.yaml": NAD.replace("training", "@namespace@")},
    "a template's spec": {
        "a.yaml": POLICY.replace("name: rail0", "name: $name").partition("spec:")[0] + "spec: {}\n"
    },
    "a base that a patch beside it completes": {
        "a.yaml": POLICY.replace("  numVfs: 8\n", ""),
        "kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "resources: [a.yaml]\npatches:\n- target: {kind: SriovNetworkNodePolicy, name: rail0}\n"
        "  patch: |\n    - {op: add, path: /spec/numVfs, value: 8}\n",
    },
    "a base whose overlay is elsewhere": {
        "base/a.yaml": POLICY.replace("  numVfs: 8\n", ""),
        "base/kustomization.yaml": "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
        "resources: [a.yaml]\n",
    },
    "the next of several networks": {
        "a.yaml": POLICY + "---\n" + NAD.replace("  namespace: training\n", ""),
        "b.yaml": POD.replace("NETWORKS", "rail0"),
        "c.yaml": POD.replace("NETWORKS", "rail1")
        .replace("metadata: {name: a,", "metadata: {name: c,")
        .replace("rail0:", "rail1:"),
    },
    "the next of several resources": {
        "a.yaml": POLICY + "---\n" + NAD + "---\n" + NAD.replace("rail0", "rail1"),
        "b.yaml": POD.replace("NETWORKS", "rail0"),
    },
    "the end of a file": {"a.yaml": POLICY, "b.yaml": IPOIB, "c.yaml": IPOIB + "\n"},
    "CloudFormation": {
        "a.yaml": POLICY,
        "stack.yaml": "Resources:\n  Node:\n    Properties:\n      Name: !Sub '${A}-b'\n      Id: !Ref Id\n"
        "      UserData: |\n        apiVersion: v1\n        kind: Pod\n",
    },
    "two Deployments of a name": {
        "a.yaml": POLICY,
        **{
            f"{n}/b.yaml": f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: a, namespace: b}}\n"
            f"spec: {{replicas: {n}}}\n"
            for n in (1, 2)
        },
    },
}


@pytest.mark.parametrize("name", SILENT)
def test_not_judged(name: str) -> None:
    assert said(SILENT[name]) == set()


def test_without_the_controller_the_claim_is_wrong() -> None:
    assert said({"a.yaml": CLAIMING}) == {"NP730"}


def test_the_end_of_a_file_makes_no_other_object() -> None:
    assert "NP760" not in {d.code for d in rendered_texts(SILENT["the end of a file"]).diagnostics}


def test_alternatives_are_one_finding_for_the_set() -> None:
    texts = {f"{n}/a.yaml": POLICY.replace("numVfs: 8", f"numVfs: {n}") for n in (4, 8, 16)}
    (found,) = [d for d in rendered_texts(texts).diagnostics if d.code == "NP760"]
    assert found.message.endswith("it is also at 16/a.yaml:3:12, and 1 more, with other content")


def test_copied_sources_are_left_out_and_counted(tmp_path: Path) -> None:
    for folder in ("vendor/example.com/a", "mine"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "a.yaml").write_text(POLICY.replace("numVfs: 8", "numVfs: '8'"))
    result = run_rendered(str(tmp_path))
    assert [d.source.file for d in result.diagnostics if d.source] == [str(tmp_path / "mine/a.yaml")]
    assert [s for s in result.skipped if "1 folder of copied sources not read" in s]
    assert run_rendered(str(tmp_path / "vendor")).diagnostics


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("templates/a.yaml", "apiVersion: v1\n{{- if x }}\nkind: Pod\n", "1 template not read"),
        ("a.txt", "x", "it contains no"),
        ("b.yaml", "apiVersion: v1\na: !Ref b\n", "1 template not read"),
        ("c.yaml", "apiVersion: v1\nkind: Pod\na: |name-of-it|\n", "1 template not read"),
        ("values.yaml", "image: x\n", "1 file read; render the templates first"),
        ("kustomization.yaml", "resources: [https://example.com/x]\n", "1 file read; render the templates"),
    ],
)
def test_no_object_says_what_there_is(tmp_path: Path, name: str, text: str, words: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=words):
        run_rendered(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("values.yaml", "deployCR: true\nnvIpam: {deploy: true}\n", "NP792"),
        ("kustomization.yaml", "resources: [policy.yaml]\n", "NP688"),
    ],
)
def test_values_and_kustomizations_alone_are_judged_where_a_rule_finds_something(
    name: str, text: str, code: str
) -> None:
    assert [each.code for each in rendered_texts({name: text}).diagnostics] == [code]


def test_links_out_are_named_where_there_is_no_object(tmp_path: Path) -> None:
    (tmp_path / "tree").mkdir()
    (tmp_path / "a.yaml").write_text(POLICY)
    (tmp_path / "tree/a.yaml").symlink_to(tmp_path / "a.yaml")
    with pytest.raises(InputError, match="1 link out of the directory not followed"):
        run_rendered(str(tmp_path / "tree"))


CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Thing}
  versions:
  - name: v1
    served: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size, note]
            properties: {size: {type: integer}, note: {type: string, nullable: true}, free: {type: integer}}
"""


@pytest.mark.parametrize(
    ("spec", "messages"),
    [
        ("{size: null, note: a}", ["Thing b/a: size is required and null"]),
        ("{note: a}", ["Thing b/a: size is required and missing"]),
        ("{size: 1, note: null}", []),
        ("{size: 1, note: a, free: null}", []),
    ],
)
def test_null_in_a_required_field_with_crds(spec: str, messages: list[str]) -> None:
    text = f"apiVersion: example.com/v1\nkind: Thing\nmetadata: {{name: a, namespace: b}}\nspec: {spec}\n"
    found = rendered_texts({"x.yaml": text}, {"crd.yaml": CRD}).diagnostics
    assert [d.message for d in found] == messages


KEYS = ("network", "netwroks", "Networks", "nets")


@pytest.mark.parametrize("key", [*(f"k8s.v1.cni.cncf.io/{k}" for k in KEYS), "k8s.v1.cni.cncf.io.networks"])
def test_a_mistyped_networks_annotation(key: str) -> None:
    texts = {"a.yaml": POLICY + "---\n" + NAD, "b.yaml": POD.replace("NETWORKS", "rail0")}
    assert said(texts) == set()
    texts["b.yaml"] = texts["b.yaml"].replace("k8s.v1.cni.cncf.io/networks", key)
    assert said(texts) == {"NP747"}


def test_the_prefix_of_one_operator_is_one_finding() -> None:
    """The missing device is not reported as well: the name is its cause."""
    wrong = POD.replace("NETWORKS", "rail0").replace("openshift.io/rail0", "nvidia.com/rail0")
    assert said({"a.yaml": POLICY + "---\n" + NAD, "b.yaml": wrong}) == {"NP669"}


def test_seven_pools_in_one_range_are_one_finding_each() -> None:
    pool = "apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\nmetadata: {name: p%d, namespace: n}\n"
    pool += "spec: {subnet: 10.0.0.0/24, perNodeBlockSize: 8, gateway: 10.0.0.1}\n"
    found = rendered_texts({"a.yaml": "---\n".join(pool % n for n in range(7))}).diagnostics
    assert [d.code for d in found] == ["NP779"] * 6
    assert len({d.source for d in found}) == 6
