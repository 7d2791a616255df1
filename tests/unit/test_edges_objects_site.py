"""Edge cases, one fact per case: objects beside a site.json, subnets of a pod, and variables of jobs."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.checks.test_foreign import texts_of
from tests.overlay import CHECKS
from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import Objects, said
from tests.unit.test_edges_objects_networks import MACVLAN, NV, OF_RAIL, rail, taking
from tests.unit.test_edges_rules import named, nic_template, pool, vf_policy

SITE: dict[str, Any] = json.loads(texts_of(CHECKS / "NP699/good-labels.yaml")["site.json"])
"""A host gpu-1 with the label gpu=h100, and an HCA ens1f0 at 0000:18:00.0."""


def beside_site(
    *given: dict[str, Any], hosts: dict[str, Any] | None = None, **hca: Any
) -> dict[str, Objects]:
    kind = SITE["host_types"]["h100"]
    roce0 = {key: value for key, value in (kind["hcas"]["roce0"] | hca).items() if value is not None}
    types = {"h100": {**kind, "hcas": {"roce0": roce0}}}
    site = {**SITE, "host_types": types} | ({} if hosts is None else {"hosts": hosts})
    return {"a.yaml": [*given], "site.json": [site]}


def on_nodes(labels: dict[str, str], **selector: Any) -> dict[str, Any]:
    return vf_policy(nodeSelector=labels, nicSelector={"vendor": "15b3", **selector})


H100 = {"gpu": "h100"}


def interfaces(*prefixes: str, kind: str = "macvlan", chained: str = "", **spec: Any) -> Objects:
    """A pod with a network for each prefix."""
    more = [{"type": chained}] if chained else []
    nets = [
        rail({"type": kind, "master": "eth7"}, *more, name=f"n{n}", type="whereabouts", range=prefix)
        for n, prefix in enumerate(prefixes)
    ]
    return [*nets, pod(",".join(f"n{n}" for n in range(len(prefixes))), **spec)]


def running(command: str, *env: dict[str, Any], **worker: Any) -> dict[str, Any]:
    """An MPIJob whose launcher runs a command, and whose workers have an environment."""

    def role(container: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"template": {"spec": {"containers": [{"name": "a", "image": "b", **container}]}}, **more}

    roles = {
        "Launcher": role({"command": ["sh", "-c", command]}),
        "Worker": role({"env": [*env]}, replicas=2),
    }
    return {
        "apiVersion": "kubeflow.org/v2beta1",
        "kind": "MPIJob",
        "metadata": {"name": "j", "namespace": "apps"},
        "spec": {"mpiReplicaSpecs": roles},
    }


def var(name: str, value: str = "1") -> dict[str, str]:
    return {"name": name, "value": value}


def marking(value: str, name: str = "NCCL_IB_TC", init: bool = False) -> dict[str, Any]:
    own = {"name": "a", "image": "b", "env": [var(name, value)]}
    return pod("", initContainers=[own]) if init else pod("", containers=[own])


def nic(pfc: str = "0,0,0,1,0,0,0,0", trust: str = "dscp", name: str = "x") -> dict[str, Any]:
    roce = {"enabled": True, "qos": {"trust": trust, "pfc": pfc}}
    return named(nic_template(roceOptimized=roce), name)


def allowed(*capabilities: str, **security: Any) -> Objects:
    """A container that may do this."""
    context = {**security, **({"capabilities": {"add": [*capabilities]}} if capabilities else {})}
    return [{"name": "a", "image": "b", "securityContext": context}]


NET = "10.0.0.0/24"


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP699", beside_site(on_nodes(H100, pfNames=["ens1f0#0-3"]), OF_RAIL), []),
        (
            "NP699",
            beside_site(on_nodes({"gpu": "h200"}, pfNames=["ens1f0"]), OF_RAIL),
            ["spec.nodeSelector: it is for nodes with gpu=h200, which no host of site.json has"],
        ),
        (
            "NP699",
            beside_site(on_nodes({"gpu": "h200", "zone": "a"}, pfNames=["ens1f0"]), taking("", 1)),
            ["spec.nodeSelector: it is for nodes with gpu=h200, zone=a, which no host of site.json has"],
        ),
        ("NP699", beside_site(on_nodes({"zone": "a"}, pfNames=["ens1f0"]), OF_RAIL), []),
        ("NP699", beside_site(on_nodes({"gpu": "${GPU}"}, pfNames=["ens1f0"]), OF_RAIL), []),
        ("NP699", beside_site(on_nodes({"gpu": "h200"}, pfNames=["ens1f0"])), []),
        ("NP699", beside_site(on_nodes({"gpu": "h200"}, pfNames=["ens1f0"]), OF_RAIL, hosts={}), []),
        (
            "NP699",
            beside_site(on_nodes(H100, pfNames=["ens2f0"]), OF_RAIL),
            ["spec.nicSelector: ens2f0 is not the interface of any HCA of its hosts (they have ens1f0)"],
        ),
        ("NP699", beside_site(on_nodes(H100, pfNames=["ens2f0", "ens1f0"]), OF_RAIL), []),
        (
            "NP699",
            beside_site(on_nodes(H100, pfNames=["a", "b", "c", "d", "e"]), OF_RAIL),
            [
                (
                    "spec.nicSelector: a, b, c, d is not the interface of any HCA of its hosts (they "
                    "have ens1f0)"
                )
            ],
        ),
        (
            "NP699",
            beside_site(on_nodes(H100, rootDevices=["0000:19:00.0"]), OF_RAIL),
            [
                (
                    "spec.nicSelector: 0000:19:00.0 is not the PCI address of any HCA of its hosts (they "
                    "have 0000:18:00.0)"
                )
            ],
        ),
        ("NP699", beside_site(on_nodes(H100, rootDevices=["0000:18:00.0"]), OF_RAIL), []),
        ("NP699", beside_site(on_nodes(H100, pfNames=["ens2f0"]), OF_RAIL, netdev=None), []),
        (
            "NP699",
            beside_site(on_nodes(H100, pfNames=["ens2f0"], rootDevices=["0000:19:00.0"]), OF_RAIL),
            [
                (
                    "spec.nicSelector: 0000:19:00.0 is not the PCI address of any HCA of its hosts (they "
                    "have 0000:18:00.0)"
                ),
                "spec.nicSelector: ens2f0 is not the interface of any HCA of its hosts (they have ens1f0)",
            ],
        ),
        ("NP699", [on_nodes({"gpu": "h200"}), OF_RAIL], []),
        ("NP633", beside_site(on_nodes(H100), OF_RAIL, taking("rail", nodeSelector=H100)), []),
        (
            "NP633",
            beside_site(on_nodes(H100), OF_RAIL, taking("rail", nodeSelector={"gpu": "h200", "zone": "a"})),
            ["spec.nodeSelector: no host of site.json has the labels gpu=h200, zone=a"],
        ),
        (
            "NP633",
            beside_site(OF_RAIL, pod("rail", nodeSelector={"gpu": "h200"})),
            ["spec.nodeSelector: no host of site.json has the labels gpu=h200"],
        ),
        (
            "NP633",
            beside_site(on_nodes(H100), taking("", nodeSelector={"gpu": "h200"})),
            ["spec.nodeSelector: no host of site.json has the labels gpu=h200"],
        ),
        ("NP633", beside_site(on_nodes(H100), OF_RAIL, pod("", nodeSelector={"gpu": "h200"})), []),
        ("NP633", beside_site(on_nodes(H100), OF_RAIL, taking("rail")), []),
        ("NP633", beside_site(OF_RAIL, pod("rail", nodeSelector={"gpu": "h200"}), hosts={}), []),
    ],
)
def test_policies_and_pods_fit_hosts_of_the_site(code: str, given: Any, told: list[str]) -> None:
    """A label that the site does not state may have any value."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP677",
            interfaces(NET, NET),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n1, without source-based routing"
                )
            ],
        ),
        (
            "NP677",
            interfaces(NET, "10.0.0.0/25"),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n1, without source-based routing"
                )
            ],
        ),
        ("NP677", interfaces(NET, "10.0.1.0/24"), []),
        (
            "NP677",
            interfaces(NET, NET, NET),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n1, without source-based routing"
                )
            ],
        ),
        (
            "NP677",
            interfaces(NET, "fd00::/64", NET),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net3 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n2, without source-based routing"
                )
            ],
        ),
        ("NP677", interfaces(NET, NET, chained="sbr"), []),
        (
            "NP677",
            interfaces(NET, NET, chained="tuning"),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n1, without source-based routing"
                )
            ],
        ),
        ("NP677", interfaces(NET, NET, kind="bridge"), []),
        ("NP677", interfaces(NET, NET, containers=allowed(privileged=True)), []),
        ("NP677", interfaces(NET, NET, containers=allowed("NET_ADMIN")), []),
        (
            "NP677",
            interfaces(NET, NET, containers=allowed("IPC_LOCK")),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/n0 and apps/n1, without source-based routing"
                )
            ],
        ),
        ("NP677", interfaces(NET, NET, initContainers=allowed("CAP_NET_ADMIN")), []),
        (
            "NP677",
            [rail(MACVLAN, type="whereabouts", range=NET), pod("rail,rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, both on apps/rail, without source-based routing"
                )
            ],
        ),
        ("NP677", [rail(MACVLAN, type="whereabouts", range=NET), pod("rail@a,rail@a")], []),
        (
            "NP677",
            [rail(MACVLAN, **NV), rail(MACVLAN, name="two", **NV), named(pool(), "p"), pod("rail,two")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 and net2 have addresses of "
                    "10.0.0.0/24, on apps/rail and apps/two, without source-based routing"
                )
            ],
        ),
        (
            "NP677",
            [
                vf_policy(deviceType="vfio-pci"),
                rail({"type": "sriov"}, of="openshift.io/rail", type="whereabouts", range=NET),
                pod("rail,rail"),
            ],
            [],
        ),
    ],
)
def test_interfaces_of_a_pod_are_in_subnets_of_their_own(code: str, given: Any, told: list[str]) -> None:
    """Unless the pod may set routes itself."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP426",
            [running("mpirun -np 2 x", var("NCCL_IB_TC"))],
            [
                (
                    "spec.mpiReplicaSpecs.Worker.template.spec.containers.0.env.0.name: mpirun does not "
                    "pass on NCCL_IB_TC, which Worker sets"
                )
            ],
        ),
        ("NP426", [running("mpirun -x NCCL_IB_TC -np 2 x", var("NCCL_IB_TC"))], []),
        (
            "NP426",
            [running("mpirun -x NCCL_IB_TC_X -np 2 x", var("NCCL_IB_TC"))],
            [
                (
                    "spec.mpiReplicaSpecs.Worker.template.spec.containers.0.env.0.name: mpirun does not "
                    "pass on NCCL_IB_TC, which Worker sets"
                )
            ],
        ),
        ("NP426", [running("srun x", var("NCCL_IB_TC"))], []),
        (
            "NP426",
            [
                running(
                    "mpirun x", var("UCX_TLS"), var("FI_PROVIDER"), var("RCCL_X"), var("NCCL_A"), var("OTHER")
                )
            ],
            [
                (
                    "spec.mpiReplicaSpecs.Worker.template.spec.containers.0.env.0.name: mpirun does not "
                    "pass on UCX_TLS, FI_PROVIDER, RCCL_X and 1 more, which Worker sets"
                )
            ],
        ),
        ("NP426", [running("mpirun x", var("MYNCCL_A"), var("nccl_a"), var("NCCL_a"))], []),
    ],
)
def test_mpirun_passes_on_what_workers_set(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP417", [marking("106"), nic()], []),
        ("NP417", [marking("104"), nic()], []),
        ("NP417", [marking("103"), nic()], []),
        (
            "NP417",
            [marking("95"), nic()],
            [
                (
                    "spec.containers.0.env.0: NCCL_IB_TC is 95, DSCP 23; NicConfigurationTemplate apps/x "
                    "at a.yaml:26:3 keeps 24, 25, 26, 27, 28, 29, 30, 31 lossless"
                )
            ],
        ),
        (
            "NP417",
            [marking("256"), nic()],
            ["spec.containers.0.env.0: NCCL_IB_TC is 256, but a byte is 0 to 255"],
        ),
        (
            "NP417",
            [marking("255"), nic()],
            [
                (
                    "spec.containers.0.env.0: NCCL_IB_TC is 255, DSCP 63; NicConfigurationTemplate "
                    "apps/x at a.yaml:26:3 keeps 24, 25, 26, 27, 28, 29, 30, 31 lossless"
                )
            ],
        ),
        (
            "NP417",
            [marking("0", init=True), nic()],
            [
                (
                    "spec.initContainers.0.env.0: NCCL_IB_TC is 0, DSCP 0; NicConfigurationTemplate "
                    "apps/x at a.yaml:29:3 keeps 24, 25, 26, 27, 28, 29, 30, 31 lossless"
                )
            ],
        ),
        ("NP417", [marking("0", "OTHER_TC"), nic()], []),
        ("NP417", [marking("0"), nic(trust="pcp")], []),
        ("NP417", [marking("0"), nic(), nic("1,0,0,0,0,0,0,0", name="y")], []),
        (
            "NP417",
            [marking("0"), nic("0,0,0,0,0,0,0,0")],
            [
                (
                    "spec.containers.0.env.0: NCCL_IB_TC is 0, DSCP 0; NicConfigurationTemplate apps/x "
                    "at a.yaml:26:3 keeps none lossless"
                )
            ],
        ),
        (
            "NP417",
            [marking("0"), nic("0,1,1,0,0,0,0,0")],
            [
                (
                    "spec.containers.0.env.0: NCCL_IB_TC is 0, DSCP 0; NicConfigurationTemplate apps/x "
                    "at a.yaml:26:3 keeps 8, 9, 10, 11, 12, 13, 14, 15 lossless"
                )
            ],
        ),
    ],
)
def test_pods_mark_what_nics_keep_lossless(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
