"""What policies and the SR-IOV operator's configuration state is kept, asked or told: the next render changes
none of it without a word."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data
from tests.test_import_accepted import SRIOV, Object, made, policy

PCI = "0000:18:00.0"


def imported(*objects: Object, planned: int | None = None) -> Imported:
    """Two nodes with 8 VFs each. ``planned``: numVfs of the spec of their states."""
    nodes: list[Object] = []
    for name in ("gpu-1", "gpu-2"):
        state = node_state(name, [interface(PCI, "ens1", 100, 8)])
        state["metadata"]["namespace"] = "nvidia-network-operator"
        if planned is not None:
            state["spec"] = {"interfaces": [{"pciAddress": PCI, "numVfs": planned}]}
        nodes += [node(name, {"a": "b"}, 8), state]
    return import_texts({"x.yaml": listed([*nodes, *objects])}, "site")


def of_policies(result: Imported) -> list[str]:
    """What is said of fields of policies; no network asks for their resources, which is said too."""
    return [str(remark) for remark in result.remarks if "SriovNetworkNodePolicy" in str(remark)]


def line_at(result: Imported, number: int) -> str:
    return result.texts["x.yaml"].splitlines()[number - 1].strip()


@pytest.mark.parametrize(("spec", "stated"), [({"isRdma": None}, "not set"), ({"isRdma": False}, "false")])
def test_a_policy_without_rdma_is_told(spec: dict[str, Any], stated: str) -> None:
    result = imported(policy(**spec))
    (remark,) = of_policies(result)
    assert f"SriovNetworkNodePolicy spec.isRdma is {stated}: netplan writes true" in str(remark)
    assert of_policies(imported(policy())) == []


def test_policies_of_one_resource_that_are_told_alike_are_one_line() -> None:
    result = imported(policy(isRdma=False), policy(isRdma=False, resourceName="other"))
    (remark,) = of_policies(result)
    assert str(remark).endswith("rdma plugin (and 1 more)")


def test_vfs_of_other_owners_are_asked_with_both_places() -> None:
    result = imported(policy(externallyManaged=True), policy(resourceName="other"))
    owner = next(line for line in result.text.splitlines() if line.startswith("    vfs: "))
    assert "vfs: TODO # TODO: sriov-network-operator or host" in owner
    (conflict,) = result.conflicts
    assert str(conflict).startswith("the cluster, externallyManaged: true (x.yaml:")
    places = [int(part.partition(")")[0]) for part in owner.split("x.yaml:")[1:]]
    assert [line_at(result, number) for number in places] == ["externallyManaged: true", "spec:"]


@pytest.mark.parametrize(("outside", "owner"), [(True, "host"), (False, "sriov-network-operator")])
def test_vfs_of_one_owner_are_its_own(outside: bool, owner: str) -> None:
    specs = (policy(externallyManaged=outside), policy(externallyManaged=outside, resourceName="other"))
    result = imported(*specs)
    assert (data(result)["cluster"]["owners"]["vfs"], result.conflicts) == (owner, ())


def test_a_policy_with_other_vfs_than_the_states_of_its_nodes_is_one_question() -> None:
    """Either dump is old."""
    result = imported(policy(numVfs=4), planned=8)
    (row,) = (kind["hcas"]["roce0"] for kind in data(result)["host_types"].values())
    assert row["vfs"] == "TODO"
    (conflict,) = result.conflicts
    text = str(conflict)
    assert text.startswith(f"card gpu-1 {PCI}, numVfs: 8 (x.yaml:")
    assert text.endswith("(and 1 more)")
    places = [int(part.partition(")")[0]) for part in text.split("x.yaml:")[1:]]
    assert [line_at(result, number) for number in places] == ["numVfs: 8", "numVfs: 4"]


def test_a_policy_with_the_vfs_of_the_states_is_no_question() -> None:
    result = imported(policy(numVfs=6), policy(numVfs=8, resourceName="other"), planned=8)
    assert result.conflicts == ()


def operated(**spec: Any) -> Imported:
    driver = {"ofedDriver": {"image": "doca-driver", "repository": "nvcr.io", "version": "26.4"}}
    cluster = made("mellanox.com/v1alpha1", "NicClusterPolicy", "nic-cluster-policy", **driver)
    return imported(policy(), cluster, made(SRIOV, "SriovOperatorConfig", "default", **spec))


def test_dranet_beside_policies_is_asked() -> None:
    """It publishes devices wherever it runs; pods may ask for those of the policies all the same."""
    spec = {"driver": "dra.net", "nodeName": "gpu-1", "devices": []}
    result = imported(policy(), made("resource.k8s.io/v1", "ResourceSlice", "gpu-1-net", **spec))
    (line,) = [line for line in result.text.splitlines() if "    device_plugin:" in line]
    assert "TODO: dranet if pods claim their rails from it, else sriov-network-operator" in line
    assert line.count("x.yaml:") == 2
    alone = import_texts({"x.yaml": listed([made("resource.k8s.io/v1", "ResourceSlice", "s", **spec)])}, "s")
    assert data(alone)["cluster"]["owners"]["device_plugin"] == "dranet"


WEBHOOKS = ("enableInjector", "enableOperatorWebhook")


@pytest.mark.parametrize(("on", "key"), [(True, True), (False, None)])
def test_webhooks_of_the_operator_stay_as_they_are(on: bool, key: bool | None) -> None:
    result = operated(**dict.fromkeys(WEBHOOKS, on))
    assert data(result)["cluster"]["network_operator"].get("admission_webhooks") is key
    assert data(operated())["cluster"]["network_operator"].get("admission_webhooks") is None


OPENSHIFT = "openshift-sriov-network-operator"
CERTIFICATES = [
    made("cert-manager.io/v1", "Certificate", "c"),
    made("apiextensions.k8s.io/v1", "CustomResourceDefinition", "certificates.cert-manager.io"),
]


def test_webhooks_without_a_sign_of_cert_manager_are_asked() -> None:
    result = operated(**dict.fromkeys(WEBHOOKS, True))
    assert data(result)["cluster"]["present"] == "TODO"
    assert "[cert-manager], which admission_webhooks needs, or remove both keys" in result.text


@pytest.mark.parametrize("sign", CERTIFICATES, ids=lambda sign: str(sign["kind"]))
def test_cert_manager_is_known_by_its_objects(sign: dict[str, Any]) -> None:
    texts = dict(operated(**dict.fromkeys(WEBHOOKS, True)).texts)
    result = import_texts({**texts, "c.yaml": listed([sign])}, "site")
    assert data(result)["cluster"]["present"] == ["cert-manager"]


def test_webhooks_of_an_operator_of_its_own_are_none_of_the_network_operators() -> None:
    """As on OpenShift, where the service CA gives it certificates."""
    own = made("nv-ipam.nvidia.com/v1alpha1", "IPPool", "p", subnet="10.1.0.0/24")
    own["metadata"]["namespace"] = "nvidia-network-operator"
    texts = dict(operated(**dict.fromkeys(WEBHOOKS, True)).texts)
    texts = {name: text.replace("nvidia-network-operator", OPENSHIFT) for name, text in texts.items()}
    cluster = data(import_texts({**texts, "p.yaml": listed([own])}, "site"))["cluster"]
    assert cluster["sriov_operator"]["namespace"] == OPENSHIFT
    assert ("admission_webhooks" in cluster["network_operator"], "present" in cluster) == (False, False)


def test_two_sriov_operators_are_asked() -> None:
    other = policy(resourceName="store")
    other["metadata"]["namespace"] = "sriov-network-operator"
    result = imported(policy(), other)
    assert data(result)["cluster"]["sriov_operator"]["namespace"] == "TODO"
    (line,) = [line for line in result.text.splitlines() if "two SR-IOV operators" in line]
    assert line.count("x.yaml:") == 2


@pytest.mark.parametrize("name", WEBHOOKS)
def test_one_webhook_without_the_other_is_asked(name: str) -> None:
    """The chart has one value for both."""
    result = operated(**{name: True})
    (line,) = [line for line in result.text.splitlines() if "admission_webhooks" in line]
    assert "admission_webhooks: TODO # TODO: true or false, for the injector and the webhook together" in line


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"logLevel": 1}, "SriovOperatorConfig spec.logLevel '1'"),
        ({"configDaemonNodeSelector": {"pool": "gpu"}}, 'spec.configDaemonNodeSelector \'{"pool": "gpu"}\''),
        ({"logLevel": 2, "configDaemonNodeSelector": {"kubernetes.io/os": "linux"}}, ""),
    ],
)
def test_values_of_the_chart_that_netplan_does_not_write_are_told(spec: dict[str, Any], told: str) -> None:
    found = [str(remark) for remark in operated(**spec).remarks if "SriovOperatorConfig" in str(remark)]
    assert len(found) == bool(told)
    assert all(told in text for text in found)


@pytest.mark.parametrize(
    ("link", "told"), [("ib", ["SriovNetworkNodePolicy spec.mtu '4092': "]), ("eth", []), (None, [])]
)
def test_the_mtu_of_infiniband_vfs_is_told(link: str | None, told: list[str]) -> None:
    """Policies for them are rendered without one."""
    spec = {"linkType": link} if link else {}
    remarks = map(str, imported(policy(mtu=4092, **spec)).remarks)
    found = [text for text in remarks if "spec.mtu" in text]
    assert [part in text for part, text in zip(told, found, strict=True)] == [True] * len(told)


STATIC = {"type": "static", "addresses": [{"address": "10.0.0.10/24"}]}


@pytest.mark.parametrize(
    ("ipam", "told"), [(STATIC, 0), ({"type": "nv-ipam", "poolName": "p"}, 1), ({"type": "host-local"}, 1)]
)
def test_pods_that_may_ask_for_addresses_are_told_where_netplan_lets_none(
    ipam: dict[str, Any], told: int
) -> None:
    stated = {"ipam": json.dumps(ipam), "capabilities": json.dumps({"ips": True})}
    network = made(SRIOV, "SriovNetwork", "a", networkNamespace="a", resourceName="rail", **stated)
    found = [str(remark) for remark in imported(policy(), network).remarks]
    assert len([text for text in found if "capabilities" in text]) == told


def of_pools(*names: str, gateway: str = "10.1.0.1") -> Imported:
    """A network with these pools, of which there is p."""
    spec = {"subnet": "10.1.0.0/24", "gateway": gateway, "perNodeBlockSize": 8}
    pool = made("nv-ipam.nvidia.com/v1alpha1", "IPPool", "p", **spec)
    ipam = json.dumps({"type": "nv-ipam", "poolName": ",".join(names)})
    network = made(SRIOV, "SriovNetwork", "a-0", networkNamespace="a", resourceName="rail", ipam=ipam)
    return imported(policy(), network, pool)


def told_of(result: Imported) -> list[str]:
    """Without what a rollout adds."""
    return [str(remark) for remark in result.remarks if "netplan adds" not in remark.text]


def test_a_second_pool_that_no_dump_has_is_told() -> None:
    assert told_of(of_pools("p")) == []
    for names in (("p", "other"), ("other", "p")):
        (remark,) = told_of(of_pools(*names))
        assert "pool of network a/a-0 'other': it is in no dump" in remark


def test_an_address_is_read_in_any_of_its_forms() -> None:
    forms = ("FD00:16:0000::1", "fd00:16:0::1")
    found = {of_pools("p", gateway=form).site.text("pool", ("p",), "gateway") for form in forms}
    assert found == {"fd00:16::1"}


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ({"logLevel": "debug"}, ["spec.logLevel 'debug'"]),
        ({"logFile": "/var/log/sriov.log"}, ["spec.logFile '/var/log/sriov.log'"]),
        ({"logLevel": "info"}, []),
    ],
)
def test_where_a_network_logs_is_told(spec: dict[str, Any], told: list[str]) -> None:
    network = made(SRIOV, "SriovNetwork", "a-0", networkNamespace="a", resourceName="rail", **spec)
    found = told_of(imported(policy(), network))
    assert [part in text for part, text in zip(told, found, strict=True)] == [True] * len(told)
