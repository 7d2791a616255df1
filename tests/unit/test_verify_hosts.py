"""NP312 and NP417: pods versus the configuration of their nodes, with one planted fault each."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.pipeline import compile_texts
from netplan.verify import verify
from tests.inventories import compiled, text_of
from tests.unit.rendered_tree import (
    EXTRA,
    JOB,
    POD,
    POLICIES,
    RAILS,
    STORAGE,
    Change,
    an_object,
    both,
    config,
    put,
    verified,
)

LINK = "hosts/gpu/10-roce0.link"
SCRIPT = "hosts/gpu/rdma-nic-qos.sh"
TEMPLATE = "kubernetes/40-device-plugins/network-operator/nic-template-gpu.yaml"
QOS = "mlnx_qos -i x --pfc {pfc}\nmlnx_qos -i x --dscp2prio set,26,3 --dscp2prio set,48,6\n"
LOSSLESS = {SCRIPT: QOS.format(pfc="0,0,0,1,0,0,0,0")}


def marked(name: str, value: str) -> Change:
    return put(POD, "spec", "containers", 0, "env", value=[{"name": name, "value": value}])


def template(pfc: str) -> Change:
    qos = {"trust": "dscp", "pfc": pfc, "tos": 106}
    spec = {
        "nodeSelector": {"example.com/type": "gpu"},
        "nicSelector": {"nicType": "1021"},
        "resetToDefault": False,
        "template": {"numVfs": 8, "linkType": "Ethernet", "roceOptimized": {"enabled": True, "qos": qos}},
    }
    kind = "NicConfigurationTemplate"

    def change(tree: Any) -> None:
        tree[TEMPLATE] = [an_object("configuration.net.nvidia.com/v1alpha1", kind, "gpu", "operator", spec)]
        stage, _, file = TEMPLATE.partition("/network-operator/")
        tree[f"{stage}/kustomization.yaml"][0]["resources"].append(f"network-operator/{file}")

    return change


POD_NAME = f"{POD}: Pod training/train"

BROKEN = [
    pytest.param(
        put(POLICIES, 1, "spec", "mtu", value=4200), {}, "NP312",
        f"{RAILS}: NetworkAttachmentDefinition training/rail-1: MTU 9000 is above 4200 of "
        f"SriovNetworkNodePolicy operator/rail-1 at {POLICIES}:37:3",
        id="policy below the pods",
    ),
    pytest.param(
        put(POLICIES, 1, "spec", "mtu", value=9000), {LINK: "[Link]\nMTUBytes=8999\n"}, "NP312",
        f"{EXTRA}: SriovNetwork operator/extra: MTU 9000 is above 8999 of {LINK}:2",
        id="link file one byte below",
    ),
    pytest.param(
        config(STORAGE, lambda c: c["plugins"][0].update(mtu=9001)),
        {LINK: "[Link]\nMTUBytes=9000\n"}, "NP312",
        f"{STORAGE}: NetworkAttachmentDefinition training/storage: MTU 9001 is above 9000 of {LINK}:2",
        id="macvlan above its master",
    ),
    pytest.param(
        marked("NCCL_IB_TC", "104"), {SCRIPT: QOS.format(pfc="0,0,0,0,1,0,0,0")}, "NP417",
        f"{POD_NAME}: NCCL_IB_TC is 104, DSCP 26; {SCRIPT} keeps none lossless",
        id="PFC on another priority",
    ),
    pytest.param(
        marked("UCX_IB_TRAFFIC_CLASS", "192"), LOSSLESS, "NP417",
        f"{POD_NAME}: UCX_IB_TRAFFIC_CLASS is 192, DSCP 48; {SCRIPT} keeps 26 lossless",
        id="class of the CNPs",
    ),
    pytest.param(
        marked("NCCL_IB_TC", "256"), LOSSLESS, "NP417",
        f"{POD_NAME}: NCCL_IB_TC is 256, but a byte is 0 to 255",
        id="no byte",
    ),
    pytest.param(
        both(template("0,0,0,0,1,0,0,0"), marked("NCCL_IB_TC", "106")), {}, "NP417",
        f"{POD_NAME}: NCCL_IB_TC is 106, DSCP 26; NicConfigurationTemplate operator/gpu at {TEMPLATE}:12:3 "
        "keeps 32, 33, 34, 35, 36, 37, 38, 39 lossless",
        id="template of another class",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("change", "texts", "code", "message"), BROKEN)
def test_a_fault_is_found(change: Change, texts: dict[str, str], code: str, message: str):
    found = verified(change, texts).diagnostics
    assert message in [d.message for d in found]
    assert {d.code for d in found} == {code}


RIGHT = [
    pytest.param(put(POLICIES, 1, "spec", "mtu", value=9001), {}, id="a larger MTU below"),
    pytest.param(marked("NCCL_IB_TC", "107"), LOSSLESS, id="another ECN bit"),
    pytest.param(marked("NCCL_IB_TC", "0"), {}, id="no file sets the NICs"),
    pytest.param(
        both(template("0,0,0,1,0,0,0,0"), marked("NCCL_IB_TC", "106")), {}, id="the template's class"
    ),
    pytest.param(both(template("0,0,0,1,1,0,0,0"), marked("NCCL_IB_TC", "138")), {}, id="its second class"),
]


@pytest.mark.parametrize(("change", "texts"), RIGHT)
def test_beside_it_nothing_is(change: Change, texts: dict[str, str]):
    assert verified(change, texts).diagnostics == ()


def test_pods_of_jobs_are_looked_at():
    env = [{"name": "NCCL_IB_TC", "value": "0"}]
    place = ("spec", "mpiReplicaSpecs", "Worker", "template", "spec", "containers", 0, "env")
    (found,) = verified(put(JOB, *place, value=env), LOSSLESS).diagnostics
    assert found.code == "NP417"
    assert found.message.startswith(f"{JOB}: MPIJob training/train-nccl-test: NCCL_IB_TC is 0")


def test_one_other_dscp_in_a_rendered_script_is_found():
    artifacts = [
        a if not a.path.endswith("rdma-nic-qos.sh") else type(a)(
            path=a.path, text=a.text.replace("set,26,3", "set,26,0"), kind=a.kind, entities=a.entities
        )
        for a in compiled("iei-rocev2").artifacts
    ]  # fmt: skip
    assert {d.code for d in verify(artifacts).diagnostics} == {"NP417"}


@pytest.mark.parametrize("dscp", [0, 1, 26, 40, 63])
def test_every_dscp_of_an_inventory_reaches_the_nics(dscp: int):
    text = text_of("minimal").replace("dscp: 26", f"dscp: {dscp}")
    result = compile_texts({"site.yaml": text})
    assert result.checked["NP417"] == 6
    assert "NP417" not in {d.code for d in result.diagnostics}
