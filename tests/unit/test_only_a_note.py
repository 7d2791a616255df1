"""What is only a note in a directory of others: each part may be right by itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Severity
from tests.cli_runs import netplan
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import MAP, Objects, findings, index
from tests.unit.test_edges_objects_networks import operated, rail, taking
from tests.unit.test_edges_rules import nad, named, thing, vf_policy

NIC = "configuration.net.nvidia.com/v1alpha1"
SRIOV = "sriovnetwork.openshift.io/v1"
DEVICE: dict[str, Any] = {"type": "sriov", "vlan": 7}
WHEREABOUTS: dict[str, Any] = {"type": "whereabouts", "range": "10.0.0.0/24"}


def tuned(name: str, link: str) -> dict[str, Any]:
    own = {"numVfs": 8, "linkType": link}
    return thing(NIC, "NicConfigurationTemplate", name, nicSelector={"nicType": "1021"}, template=own)


def policy_of(namespace: str, name: str) -> dict[str, Any]:
    return {**vf_policy(), "metadata": {"name": name, "namespace": namespace}}


def nodes(name: str, **own: Any) -> dict[str, Any]:
    chosen = {"matchLabels": {"a": "b"}}
    return thing(SRIOV, "SriovNetworkPoolConfig", name, nodeSelector=chosen, **own)


def of_tenant(name: str, vlan: int, **ipam: Any) -> dict[str, Any]:
    given = nad({"type": "macvlan", "master": f"bond0.{vlan}", "ipam": {**WHEREABOUTS, **ipam}})
    given["metadata"] = {"name": name, "namespace": name}
    return given


def on(prefix: str, name: str) -> Objects:
    """A network and a pod of it, with a resource under a prefix."""
    network = named(rail(of=f"{prefix}/rail"), name)
    limits = {"resources": {"limits": {f"{prefix}/rail": "1"}}}
    return [network, named(pod(name, containers=[{"name": "a", "image": "b", **limits}]), name)]


def routed(name: str, **ipam: Any) -> dict[str, Any]:
    return named(rail({"type": "sriov", "ipam": {**WHEREABOUTS, **ipam}}, {"type": "sbr"}, of="x/y"), name)


TWO_TEMPLATES = [[tuned("roce", "Ethernet")], [tuned("ib", "Infiniband")]]
TWO_POOLS = [[nodes("rdma", rdmaMode="exclusive")], [nodes("drain", maxUnavailable=1)]]
NVIDIA = [policy_of("nvidia-network-operator", "a"), policy_of("nvidia-network-operator", "b")]
TWO_OPERATORS = [NVIDIA, [policy_of("sriov-network-operator", "c")]]
STRAYED = [NVIDIA, [policy_of("apps", "c")]]
TWO_WAYS = [[operated()], [named(rail(of="openshift.io/rail"), "rail")]]
MADE = '{"configList": [{"resourceName": "fabric", "rdmaHcaMax": 63}]}'
MAKER = thing(
    "mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy", rdmaSharedDevicePlugin={"config": MADE}
)
LIMITS = {"limits": {"rdma/hca_shared_devices_a": "1"}}
ASKING = pod("", containers=[{"name": "a", "image": "b", "resources": LIMITS}])


FLAT = [routed("r0"), routed("r1")]


def files(own: list[Objects], *, folders: bool = False, built: bool = False) -> dict[str, Objects]:
    names = [f"{number}/a.yaml" if folders else f"{number}.yaml" for number, _ in enumerate(own)]
    found = dict(zip(names, own, strict=True))
    return {"kustomization.yaml": [index(*names)], **found} if built else found


@pytest.mark.parametrize(
    ("code", "given", "severity"),
    [
        ("NP794", files(TWO_TEMPLATES), Severity.INFO),
        ("NP794", files(TWO_TEMPLATES, built=True), Severity.WARNING),
        ("NP794", files([[*TWO_TEMPLATES[0], *TWO_TEMPLATES[1]]]), Severity.WARNING),
        ("NP790", files(TWO_POOLS), Severity.INFO),
        ("NP790", files(TWO_POOLS, built=True), Severity.ERROR),
        ("NP790", files([[*TWO_POOLS[0], *TWO_POOLS[1]]]), Severity.ERROR),
        ("NP755", files(TWO_OPERATORS), Severity.INFO),
        ("NP755", files(TWO_OPERATORS, built=True), Severity.WARNING),
        ("NP755", files(STRAYED), Severity.WARNING),
        ("NP761", files(TWO_WAYS, folders=True), Severity.INFO),
        ("NP761", files(TWO_WAYS), Severity.WARNING),
        ("NP670", files([[of_tenant("a", 20), of_tenant("b", 30)]]), Severity.INFO),
        ("NP670", files([[of_tenant("a", 20), of_tenant("b", 30, gateway="10.0.0.1")]]), Severity.WARNING),
        ("NP773", files([FLAT]), Severity.INFO),
        ("NP773", files([FLAT[:1]]), Severity.WARNING),
        ("NP773", files([[*FLAT, routed("r2", range="10.1.0.0/24")]]), Severity.WARNING),
        ("NP669", files([[vf_policy()], on("a.io", "a"), on("b.io", "b")], folders=True), Severity.INFO),
        ("NP669", files([[vf_policy(), *on("a.io", "a"), *on("b.io", "b")]]), Severity.WARNING),
        ("NP757", {"operator/a.yaml": [MAKER], "apps/a.yaml": [ASKING]}, Severity.INFO),
        ("NP757", {"a.yaml": [MAKER], "apps/a.yaml": [ASKING]}, Severity.WARNING),
        ("NP757", files([[MAKER], [ASKING]], folders=True, built=True), Severity.WARNING),
        ("NP798", files([[nad({"type": "sriov", "master": "eth1"})]]), Severity.INFO),
        ("NP798", files([[nad({"type": "sriov", "if0": "eth1"})]]), Severity.INFO),
        ("NP798", files([[nad({"type": "sriov", "master": "eth1", "mode": "bridge"})]]), Severity.ERROR),
        ("NP798", files([[nad({"type": "host-device", "master": "eth1"})]]), Severity.ERROR),
    ],
)
def test_what_may_be_right_by_itself_is_a_note(
    code: str, given: dict[str, Objects], severity: Severity
) -> None:
    assert {each.severity for each in findings(code, given)} == {severity}


def test_standard_input_is_one_setup() -> None:
    text = yaml.safe_dump_all([each for own in TWO_POOLS for each in own])
    _, out, _ = netplan("validate", "--format", "json", "--rendered", "-", input=text)
    told = [each for each in json.loads(out)["diagnostics"] if each["code"] == "NP790"]
    assert [each["severity"] for each in told] == ["error"]


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("resources:\n  - ./cloudflared/ks.yaml\n", {"NP796"}),
        ("resources:\n  - ./cloudflared/ks.yaml\n  # - ./cloudflare-dns/ks.yaml\n", {"NP688"}),
        ("resources:\n  - ./cloudflared/ks.yaml\n  - ./cloudflare-dns/ks.yaml\n", {"NP688"}),
        ("resources:\n  - ./cloudflared/ks.yaml\n  - ./cloudflare-dns/other.yaml\n", {"NP796"}),
    ],
)
def test_a_similar_name_that_the_kustomization_names_itself_is_another_one(
    text: str, codes: set[str], tmp_path: Path
) -> None:
    (tmp_path / "kustomization.yaml").write_text(text)
    (tmp_path / "cloudflare-dns").mkdir()
    for name in ("ks", "other"):
        (tmp_path / "cloudflare-dns" / f"{name}.yaml").write_text(yaml.safe_dump(named({**MAP}, name)))
    _, out, _ = netplan("validate", "--format", "json", "--rendered", str(tmp_path))
    assert {each["code"] for each in json.loads(out)["diagnostics"]} == codes


TUNED = {"type": "tuning", "sysctl": {"net.ipv4.conf.IFNAME.arp_ignore": "1"}}


def in_subnet(name: str, *more: dict[str, Any], rdma: bool = True) -> dict[str, Any]:
    chained = [{"type": "rdma"}] if rdma else []
    return named(rail({"type": "sriov", "ipam": WHEREABOUTS}, *chained, *more, of=f"x/{name}"), name)


def of_other_subnet(name: str) -> dict[str, Any]:
    own = {"type": "sriov", "ipam": {**WHEREABOUTS, "range": "10.1.0.0/24"}}
    return named(rail(own, {"type": "rdma"}, of=f"x/{name}"), name)


@pytest.mark.parametrize(
    ("networks", "pod_spec", "severities"),
    [
        ([in_subnet("r0"), in_subnet("r1")], {}, [Severity.INFO]),
        ([in_subnet("r0", {"type": "sbr"}), in_subnet("r1", {"type": "sbr"})], {}, [Severity.INFO]),
        ([in_subnet("r0"), in_subnet("r1", rdma=False)], {}, []),
        ([in_subnet("r0"), of_other_subnet("r1")], {}, []),
        ([in_subnet("r0"), in_subnet("r1")], {"securityContext": {"privileged": True}}, []),
        ([in_subnet("r0", TUNED), in_subnet("r1")], {}, [Severity.WARNING] * 5),
    ],
)
def test_rails_in_one_subnet_without_arp_settings(
    networks: Objects, pod_spec: dict[str, Any], severities: list[Severity]
) -> None:
    own = {"name": "a", "image": "b", **pod_spec}
    found = findings("NP529", [*networks, pod("r0,r1", containers=[own])])
    assert [each.severity for each in found] == severities


RUNS = {"phase": "Running"}


@pytest.mark.parametrize(
    ("code", "given"),
    [
        ("NP758", [named(rail(of="x/y"), "rail-0"), pod("rial-0")]),
        ("NP763", [named(rail(of="x/y"), "rail-0"), pod("rail-0")]),
        ("NP757", [vf_policy(), *on("a.io", "a")[:1], taking("a", resource="a.io/rial")]),
        (
            "NP695",
            [
                vf_policy(nodeSelector={"a": "1"}),
                taking("", resource="nvidia.com/rail", nodeSelector={"a": "2"}),
            ],
        ),
        ("NP730", [pod("", resourceClaims=[{"name": "a"}])]),
    ],
)
def test_a_pod_that_runs_has_what_it_asked_for(code: str, given: Objects) -> None:
    *others, one = given
    assert findings(code, given)
    assert not findings(code, [*others, {**one, "status": RUNS}])


LIVE = {"uid": "7c6e2d0a-0b6f-4f5e-9a53-3f6f0d2c1b8e", "resourceVersion": "417"}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP752", {**vf_policy(), "spec": {**vf_policy()["spec"], "numVfs": "8"}}, False),
        ("NP750", {**vf_policy(), "spec": {**vf_policy()["spec"], "numVf": 8}}, True),
        ("NP764", taking("", 1, "x/y", limits={"x/z": "0.5"}), False),
        ("NP752", nad({"type": "macvlan", "master": "eth1", "mtu": "9000"}), True),
    ],
)
def test_what_an_api_server_took_it_does_not_refuse(code: str, given: dict[str, Any], told: bool) -> None:
    assert findings(code, [given])
    live = {**given, "metadata": {**given["metadata"], **LIVE}}
    assert bool(findings(code, [live])) is told
