"""Edge cases, one fact per case: what rules about foreign objects look at, and what they leave out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_objects_networks import MACVLAN, mode, rail
from tests.unit.test_edges_rules import vf_policy

TRAINER = "trainer.kubeflow.org/v1alpha1"
GPU = {"limits": {"nvidia.com/gpu": 8}}


def arping(name: str, *chained: dict[str, Any], **sysctl: Any) -> dict[str, Any]:
    """A network whose interfaces answer ARP, with sysctls of a tuning plugin."""
    tuning = [{"type": "tuning", "sysctl": sysctl}] if sysctl else []
    return rail(MACVLAN, *tuning, *chained, name=name, type="whereabouts", range="10.0.0.0/24")


def conf(name: str, value: Any, part: str = "IFNAME") -> dict[str, Any]:
    return {f"net.ipv4.conf.{part}.{name}": value}


QUIET = {**conf("arp_ignore", "1"), **conf("arp_announce", "2"), **conf("rp_filter", "0")}


def runtime(annotations: dict[str, str], kind: str = "ClusterTrainingRuntime") -> dict[str, Any]:
    inner = {
        "metadata": {"annotations": annotations},
        "spec": {"containers": [{"name": "node", "image": "a"}]},
    }
    jobs = [{"name": "node", "template": {"spec": {"template": inner}}}]
    meta = {"name": "r"} | ({"namespace": "apps"} if kind == "TrainingRuntime" else {})
    return {
        "apiVersion": TRAINER,
        "kind": kind,
        "metadata": meta,
        "spec": {"template": {"spec": {"replicatedJobs": jobs}}},
    }


def training(asked: Any = GPU, kind: str = "ClusterTrainingRuntime") -> dict[str, Any]:
    spec: dict[str, Any] = {"runtimeRef": {"name": "r", "kind": kind}, "trainer": {"numNodes": 2}}
    spec["trainer"] |= {"resourcesPerNode": asked} if asked else {}
    return {
        "apiVersion": TRAINER,
        "kind": "TrainJob",
        "metadata": {"name": "j", "namespace": "apps"},
        "spec": spec,
    }


def workflow(annotations: dict[str, str]) -> dict[str, Any]:
    own = {
        "name": "t",
        "metadata": {"annotations": annotations},
        "container": {"image": "a", "resources": GPU},
    }
    meta = {"name": "w", "namespace": "apps"}
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Workflow",
        "metadata": meta,
        "spec": {"templates": [own]},
    }


def wrapped(annotations: dict[str, str]) -> dict[str, Any]:
    """A kind whose controller may pass its annotations on."""
    inner = {"metadata": {}, "spec": {"containers": [{"name": "a", "image": "b"}]}}
    meta = {"name": "w", "namespace": "apps", "annotations": annotations}
    return {"apiVersion": "example.com/v1", "kind": "Cluster", "metadata": meta, "spec": {"template": inner}}


WRONG = {"k8s.v1.cni.cncf.io/network": "rail"}
OF_POD = [{"name": key.replace("IFNAME", "all"), "value": value} for key, value in QUIET.items()]
SLASHED = {key.replace(".", "/"): value for key, value in QUIET.items()}
OTHER_KIND = rail({"type": "ipvlan"}, name="two", type="whereabouts", range="10.0.0.0/24")
OPERATOR = [mode("exclusive"), vf_policy(isRdma=True)]
MPIRUN = {"template": {"spec": {"containers": [{"name": "a", "command": ["mpirun"]}]}}}


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP529", [arping("one"), arping("two"), pod("one,two")], []),
        ("NP529", [arping("one", **{"net.core.somaxconn": "9"}), arping("two"), pod("one,two")], []),
        ("NP529", [arping("one", **QUIET), arping("two", **QUIET), pod("one,two")], []),
        ("NP529", [arping("one", **QUIET), pod("one")], []),
        ("NP529", [arping("one", **conf("arp_ignore", "0")), pod("one")], []),
        (
            "NP529",
            [
                arping("one", **(QUIET | conf("arp_ignore", "${A}"))),
                arping("two", **conf("arp_ignore", "0")),
                pod("one,two"),
            ],
            [],
        ),
        (
            "NP529",
            [arping("one", **QUIET), arping("two", **(QUIET | conf("arp_ignore", "2"))), pod("one,two")],
            [],
        ),
        (
            "NP529",
            [
                arping("one", **QUIET),
                arping("two", **(QUIET | conf("rp_filter", "1"))),
                pod("one@net1,two@net2"),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net2 (NetworkAttachmentDefinition "
                    "apps/two) sets rp_filter to 1 in all and the interface, it takes 0 or 2"
                )
            ],
        ),
        (
            "NP529",
            [arping("one", **QUIET), arping("two", **(QUIET | conf("rp_filter", "2"))), pod("one,two")],
            [],
        ),
        (
            "NP529",
            [
                arping("one", **QUIET),
                arping("two", **(QUIET | conf("rp_filter", "1", "all"))),
                pod("one,two"),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net1 (NetworkAttachmentDefinition "
                    "apps/one) sets rp_filter to 1 in all and the interface, it takes 0 or 2"
                ),
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net2 (NetworkAttachmentDefinition "
                    "apps/two) sets rp_filter to 1 in all and the interface, it takes 0 or 2"
                ),
            ],
        ),
        (
            "NP529",
            [arping("one", **QUIET), arping("two", **(QUIET | conf("arp_filter", "1"))), pod("one,two")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net2 (NetworkAttachmentDefinition "
                    "apps/two) sets arp_filter"
                )
            ],
        ),
        (
            "NP529",
            [arping("one", **QUIET), arping("two", **(QUIET | conf("arp_filter", "0"))), pod("one,two")],
            [],
        ),
        (
            "NP529",
            [
                arping("one", **QUIET),
                arping("two", {"type": "sbr"}, **(QUIET | conf("arp_filter", "1"))),
                pod("one,two"),
            ],
            [],
        ),
        (
            "NP529",
            [
                arping("one", **QUIET),
                arping("two", **(QUIET | conf("arp_filter", "1"))),
                pod("one,two@x,two@y"),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: x, y (NetworkAttachmentDefinition "
                    "apps/two) set arp_filter"
                )
            ],
        ),
        ("NP529", [arping("one", **QUIET), OTHER_KIND, pod("one,two")], []),
        ("NP529", [arping("one", **QUIET), rail(MACVLAN, name="two"), pod("one,two")], []),
        (
            "NP529",
            [arping("one", **QUIET), arping("two"), pod("one,two", securityContext={"sysctls": OF_POD})],
            [],
        ),
        (
            "NP529",
            [arping("one", **QUIET), arping("two", **(QUIET | conf("arp_ignore", "1000"))), pod("one,two")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: net2 (NetworkAttachmentDefinition "
                    "apps/two) does not set arp_ignore in all and the interface, it takes 1 or 2"
                )
            ],
        ),
        ("NP529", [arping("one", **QUIET), arping("two", **SLASHED), pod("one,two")], []),
        (
            "NP529",
            [
                arping("one", **(QUIET | conf("arp_ignore", "_ARP_"))),
                arping("two", **conf("arp_ignore", "0")),
                pod("one,two"),
            ],
            [],
        ),
    ],
)
def test_rails_of_a_pod_answer_arp_for_themselves(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told
