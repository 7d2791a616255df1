"""Facts of one line each, at their edge: what a pod lacks of what its workload needs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.asking import Asking, gpu_pods
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.needs import Need
from netplan.rules.kubernetes.lacks import has_rails, lack_of
from tests.unit.edges import things
from tests.unit.test_edges_asked import attachment
from tests.unit.test_edges_objects_networks import rail

GPUS = {"nvidia.com/gpu": 8}
NODES: Any = SimpleNamespace()


def container(limits: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {"name": "main", "image": "a", "resources": {"limits": {**GPUS, **(limits or {})}}, **more}


def asking(
    *containers: dict[str, Any],
    networks: str = "",
    beside: Any = (),
    namespace: str | None = "apps",
    **spec: Any,
) -> tuple[ObjectGraph, Asking]:
    """``beside``: other objects; ``namespace``: None if the pod states none."""
    notes = {"k8s.v1.cni.cncf.io/networks": networks} if networks else {}
    meta = {"name": "train", "annotations": notes} | ({"namespace": namespace} if namespace else {})
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": meta,
        "spec": {"containers": list(containers) or [container()], **spec},
    }
    cluster = things({"kubernetes/pod.yaml": yaml.safe_dump_all([pod, *beside])})
    (found,) = gpu_pods(cluster)
    return cluster, found


def need(**parts: Any) -> Need:
    plain: dict[str, Any] = {
        "workload": "train", "namespace": "apps", "gpus": 8, "limits": (), "networks": (), "devices": (),
        "claim": None, "host_paths": (), "scripted": (), "nodes": NODES,
    }  # fmt: skip
    return Need(**{**plain, **parts})


TWO = (("apps", "rail-0"), ("apps", "rail-1"))
BOTH = "rail-0@rail0,rail-1@rail1"
RAIL = (("rdma/rail", 2),)
VERBS = {"name": "verbs", "hostPath": {"path": "/dev/infiniband"}}
OTHER = {"name": "data", "hostPath": {"path": "/data"}}
MOUNTED: dict[str, Any] = {"volumeMounts": [{"name": "verbs", "mountPath": "/dev/infiniband"}]}
ADMIN: dict[str, Any] = {"securityContext": {"capabilities": {"add": ["NET_ADMIN"]}}}
SCRIPTED = (("apps", "rail-0", "rail0"), ("apps", "rail-1", "rail1"))
SIDE: dict[str, Any] = {"name": "side", "image": "b", "resources": {"limits": {"rdma/rail": 2}}}
CLAIM = {"name": "rails", "resourceClaimTemplateName": "t"}
HERE = [attachment("rail-0"), attachment("rail-1")]
COUNTED = [rail(name=name, of="rdma/rail") for name in ("rail-0", "rail-1")]
INJECTED = (("openshift.io/rail", 2),)
TWO_DEVICES = (("rdma/rail", 2), ("rdma/two", 1))
TAKES: dict[str, Any] = {"resources": {"limits": GPUS, "claims": [{"name": "rails"}]}}


@pytest.mark.parametrize(
    ("pod", "of", "parts", "weight"),
    [
        (asking(), {}, (), 0),
        (asking(networks=BOTH), {"networks": TWO}, (), 0),
        (asking(networks="rail-0"), {"networks": TWO}, ("1 of 2 networks attached, apps/rail-1 missing",), 2),
        (asking(), {"networks": TWO}, ("0 of 2 networks attached, apps/rail-0, apps/rail-1 missing",), 3),
        (
            asking(networks="other/rail-0,rail-1"),
            {"networks": TWO},
            ("1 of 2 networks attached, apps/rail-0 missing",),
            2,
        ),
        (
            asking(networks=BOTH, hostNetwork=True),
            {"networks": TWO},
            ("hostNetwork: Multus attaches none of its 2 networks",),
            3,
        ),
        (asking(networks="rail-$N"), {"networks": TWO}, (), 0),
        (asking(networks='[{"name": "rail-$N"}]'), {"networks": TWO}, (), 0),
        (asking(networks="Rail-0,rail-1"), {"networks": TWO}, (), 0),
        (asking(networks=BOTH, namespace=None), {"networks": TWO}, (), 0),
        (asking(networks="rial-0", beside=HERE), {"networks": TWO}, (), 0),
        (
            asking(networks="other/rial-0", beside=HERE),
            {"networks": TWO},
            ("0 of 2 networks attached, apps/rail-0, apps/rail-1 missing",),
            3,
        ),
        (
            asking(networks="rail-0", beside=HERE),
            {"networks": TWO},
            ("1 of 2 networks attached, apps/rail-1 missing",),
            2,
        ),
        (asking(networks=BOTH), {"networks": TWO, "devices": INJECTED}, (), 0),
        (
            asking(networks=BOTH),
            {"networks": TWO, "devices": (*INJECTED, ("rdma/two", 1))},
            ("0 of 1 rdma/two",),
            1,
        ),
        (asking(networks=BOTH), {"devices": INJECTED}, ("0 of 2 openshift.io/rail",), 1),
        (asking(networks=BOTH), {"networks": TWO, "devices": RAIL}, ("0 of 2 rdma/rail",), 1),
        (
            asking(container({"openshift.io/rail": 1}), networks=BOTH),
            {"networks": TWO, "devices": INJECTED},
            ("1 of 2 openshift.io/rail",),
            1,
        ),
        (
            asking(networks="rail-0"),
            {"networks": TWO, "devices": INJECTED},
            ("1 of 2 networks attached, apps/rail-1 missing", "0 of 2 openshift.io/rail"),
            3,
        ),
        (asking(networks=BOTH, beside=COUNTED), {"networks": TWO, "devices": RAIL}, (), 0),
        (asking(container({"rdma/rail": 2})), {"devices": TWO_DEVICES}, ("0 of 1 rdma/two",), 1),
        (
            asking(container({"rdma/rail": 2, "rdma/two": "$N"})),
            {"devices": (*TWO_DEVICES, ("rdma/three", 1))},
            ("0 of 1 rdma/three",),
            1,
        ),
        (
            asking(container({"rdma/rail": 1}), container({"rdma/rail": 1, "rdma/two": 1}, name="b")),
            {"devices": TWO_DEVICES},
            (),
            0,
        ),
        (
            asking(container({"rdma/rail": 2}), container(name="b")),
            {"devices": RAIL},
            ("container b has the GPUs and 0 of 2 rdma/rail",),
            1,
        ),
        (
            asking(
                container({"rdma/rail": 2}),
                {"name": "side", "image": "b", "resources": {"limits": {"rdma/two": 1}}},
            ),
            {"devices": TWO_DEVICES},
            ("container main has the GPUs and 0 of 1 rdma/two",),
            1,
        ),
        (asking(container({"rdma/rail": 2})), {"devices": RAIL}, (), 0),
        (asking(container({"rdma/rail": 1})), {"devices": RAIL}, ("1 of 2 rdma/rail",), 1),
        (asking(), {"devices": RAIL}, ("0 of 2 rdma/rail",), 1),
        (asking(container({"rdma/rail": "$N"})), {"devices": RAIL}, (), 0),
        (
            asking(container(), SIDE),
            {"devices": RAIL},
            ("container main has the GPUs and 0 of 2 rdma/rail",),
            1,
        ),
        (asking(container({"rdma/rail": 2}), SIDE), {"devices": RAIL}, (), 0),
        (asking(), {"claim": "t"}, ("no claim of template t",), 1),
        (asking(container(**TAKES), resourceClaims=[CLAIM]), {"claim": "t"}, (), 0),
        (
            asking(resourceClaims=[CLAIM]),
            {"claim": "t"},
            ("container main has the GPUs but not the claim of template t",),
            1,
        ),
        (asking(resourceClaims=[{"name": "rails", "resourceClaimName": "c"}]), {"claim": "t"}, (), 0),
        (
            asking(resourceClaims=[{"name": "rails", "resourceClaimTemplateName": "u"}]),
            {"claim": "t"},
            ("no claim of template t",),
            1,
        ),
        (asking(), {"host_paths": ("/dev/infiniband",)}, ("no volume of /dev/infiniband",), 1),
        (asking(volumes=[OTHER]), {"host_paths": ("/dev/infiniband",)}, ("no volume of /dev/infiniband",), 1),
        (
            asking(volumes=[OTHER, VERBS]),
            {"host_paths": ("/dev/infiniband",)},
            ("container main has the GPUs but does not mount /dev/infiniband",),
            1,
        ),
        (asking(container(**MOUNTED), volumes=[OTHER, VERBS]), {"host_paths": ("/dev/infiniband",)}, (), 0),
        (
            asking(container(volumeMounts=[{"name": "data"}]), volumes=[OTHER, VERBS]),
            {"host_paths": ("/dev/infiniband",)},
            ("container main has the GPUs but does not mount /dev/infiniband",),
            1,
        ),
        (asking(container(**ADMIN), networks=BOTH), {"networks": TWO, "scripted": SCRIPTED}, (), 0),
        (
            asking(networks=BOTH),
            {"networks": TWO, "scripted": SCRIPTED},
            ("no init container rail-routes, which installs its routes",),
            1,
        ),
        (
            asking(container(**ADMIN), networks="rail-0@rail0,rail-1@net9"),
            {"networks": TWO, "scripted": SCRIPTED},
            ("apps/rail-1 is net9, not rail1",),
            1,
        ),
        (
            asking(container(**ADMIN), networks="rail-0,rail-1@rail1"),
            {"networks": TWO, "scripted": SCRIPTED},
            ("apps/rail-0 is net1 or the like, not rail0",),
            1,
        ),
        (
            asking(initContainers=[{"name": "any", "securityContext": {"privileged": True}}], networks=BOTH),
            {"networks": TWO, "scripted": SCRIPTED},
            (),
            0,
        ),
    ],
)
def test_what_a_pod_lacks(
    pod: tuple[ObjectGraph, Asking], of: dict[str, Any], parts: tuple[str, ...], weight: int
) -> None:
    lack = lack_of(*pod, need(**of))
    assert (lack.parts, lack.weight) == (parts, weight)
    assert lack.of_networks is (len(parts) == 1 and "networks" in parts[0])


@pytest.mark.parametrize(
    ("pod", "rails"),
    [
        (asking(), False),
        (asking(networks="rail-0"), True),
        (asking(container({"rdma/ib": 1})), True),
        (asking(container({"vpc.amazonaws.com/efa": 4})), True),
        (asking(container({"example.com/fpga": 1})), False),
        (asking(resourceClaims=[CLAIM]), True),
    ],
)
def test_a_pod_with_rails(pod: tuple[ObjectGraph, Asking], rails: bool) -> None:
    assert has_rails(*pod) is rails
