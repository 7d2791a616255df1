"""Edge cases, one fact per case: what rules about foreign objects look at, and what they leave out."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.others import rendered_texts
from tests.unit.test_edges_asked import pod, spider
from tests.unit.test_edges_objects import MAP, MULTUS, Objects, jobset, said, shared
from tests.unit.test_edges_objects_claims import by_claim, claim, request, template, using
from tests.unit.test_edges_objects_networks import MACVLAN, NV, OF_RAIL, SBR, operated, rail, taking
from tests.unit.test_edges_objects_operators import configured, entry
from tests.unit.test_edges_objects_pods import plugin
from tests.unit.test_edges_objects_rest import (
    MPIRUN,
    OPERATOR,
    QUIET,
    WRONG,
    arping,
    runtime,
    training,
    workflow,
    wrapped,
)
from tests.unit.test_edges_rules import job, named, nic_template, pool, thing, vf_policy

LEFT_OUT = frozenset({"NP685", "NP687", "NP692", "NP752", "NP754", "NP755", "NP758", "NP760", "NP797"})
"""Rules that look at every object or pod."""


def counted(given: Objects) -> str:
    """The rules that looked at something, with how many things if several: ``NP747x2``."""
    texts = {"a.yaml": yaml.safe_dump_all(given, sort_keys=False)}
    found = {code: many for code, many in rendered_texts(texts).checked.items() if code not in LEFT_OUT}
    return " ".join(f"{code}x{many}" if many > 1 else code for code, many in found.items() if many)


def workers(**worker: Any) -> dict[str, Any]:
    """An MPIJob with a launcher, and workers of these keys."""
    roles = {"Launcher": {"replicas": 1}, "Worker": worker or {"template": {}}}
    return thing("kubeflow.org/v2beta1", "MPIJob", mpiReplicaSpecs=roles)


SPECTRUM_X = thing(
    "spectrumx.nvidia.com/v1alpha2",
    "SpectrumXRailPoolConfig",
    railTopology=[{"name": "rail"}],
)
"""Its controller makes the resource rail and a network of that name."""


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP747",
            [runtime(WRONG), training()],
            [
                (
                    "spec.template.spec.replicatedJobs.0.template.spec.template.metadata.annotations."
                    "k8s.v1.cni.cncf.io/network: "
                    "Multus does not read k8s.v1.cni.cncf.io/network"
                )
            ],
        ),
        ("NP747", [runtime({MULTUS: "rail"}), training()], []),
        (
            "NP747",
            [workflow(WRONG)],
            [
                (
                    "spec.templates.0.metadata.annotations.k8s.v1.cni.cncf.io/network: Multus does not "
                    "read k8s.v1.cni.cncf.io/network"
                )
            ],
        ),
        ("NP747", [workflow({MULTUS: "rail"})], []),
        ("NP747", [wrapped({MULTUS: "rail"})], []),
        ("NP747", [wrapped(WRONG)], []),
        (
            "NP799",
            [
                shared(),
                taking("", resource="rdma/hca", hostNetwork=True),
                named(taking("", resource="rdma/hca"), "y"),
            ],
            [
                (
                    "spec.containers.0.resources.limits.rdma/hca: its containers request rdma/hca, but "
                    "no network is attached"
                )
            ],
        ),
    ],
)
def test_annotations_of_jobs_and_their_runtimes(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP769",
            [
                vf_policy(),
                OF_RAIL,
                rail(of="openshift.io/two", name="two"),
                rail(MACVLAN, name="three"),
                taking("two,three", 1, limits={"openshift.io/two": 1}),
            ],
            [],
        ),
        (
            "NP769",
            [
                vf_policy(),
                OF_RAIL,
                rail(of="openshift.io/two", name="two"),
                rail(MACVLAN, name="three"),
                taking("two", 1, limits={"openshift.io/two": 1}),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 1 of "
                    "openshift.io/rail, but 0 are attached"
                )
            ],
        ),
        ("NP763", [plugin("rail", {}), rail(of="a.com/rail"), taking("rail", 1, "intel.com/rail")], []),
        (
            "NP763",
            [rail(of="a.com/rail"), taking("rail", 1, "intel.com/rail")],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs a.com/rail, "
                    "but its containers request 0"
                )
            ],
        ),
        (
            "NP670",
            [
                rail({"type": "sriov", "vlan": 5}, **NV),
                rail({"type": "sriov"}, {"type": "tuning", "vlan": 6}, name="two", **NV),
            ],
            [],
        ),
        (
            "NP757",
            [
                thing(
                    "spectrumx.nvidia.com/v1alpha2",
                    "SpectrumXRailPoolConfig",
                    railTopology=[{"name": "rail"}],
                    networkNamespace="apps",
                ),
                taking("", resource="openshift.io/rial"),
            ],
            [
                (
                    "spec.containers.0.resources.limits.openshift.io/rial: nothing produces "
                    "openshift.io/rial; SpectrumXRailPoolConfig apps/x produces openshift.io/rail"
                )
            ],
        ),
        (
            "NP757",
            [
                vf_policy(resourceName="rail1"),
                rail(of="openshift.io/rail1", name="one"),
                taking("one", resource="openshift.io/rail1"),
                rail(of="openshift.io/rail2", name="two"),
                named(pod("two"), "asks-nothing"),
            ],
            [],
        ),
        (
            "NP732",
            [claim(request(), constraints=[7, {"requests": ["nic"]}])],
            [
                (
                    "spec.devices.constraints.1.requests.0: constraints is for request nic, but the "
                    "requests are gpu"
                )
            ],
        ),
        (
            "NP769",
            [
                vf_policy(),
                rail(MACVLAN, name="a"),
                OF_RAIL,
                rail(of="openshift.io/two", name="two"),
                taking("two", 1, limits={"openshift.io/two": 1}),
            ],
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 1 of "
                    "openshift.io/rail, but 0 are attached"
                )
            ],
        ),
        (
            "NP763",
            [
                configured(entry(resourcePrefix="intel.com")),
                rail(of="a.com/rail"),
                taking("rail", 1, "intel.com/rail"),
            ],
            [],
        ),
        (
            "NP763",
            [
                configured(entry(resourcePrefix="b.com")),
                rail(of="a.com/rail"),
                taking("rail", 1, "intel.com/rail"),
            ],
            [],
        ),
        ("NP768", [workers(maxReplicas=10)], []),  # of an operator that grows and shrinks jobs
        ("NP768", [workers()], ["spec.mpiReplicaSpecs.Worker.replicas: Worker has no replicas"]),
        ("NP672", [vf_policy(linkType="ib"), SPECTRUM_X], []),
        ("NP671", [vf_policy(), SPECTRUM_X], []),
    ],
)
def test_devices_and_names_beside_others(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP753", [operated(ipam='{"type": "dhcp", "type": "dhcp"}')], []),
        (
            "NP753",
            [operated(ipam='{"type": "dhcp", "type": "static"}')],
            ["spec.ipam: spec.ipam has a duplicate key 'type', of whose values only the last counts"],
        ),
        (
            "NP753",
            [operated(ipam='{"type": }', metaPlugins='{"type": }')],
            [
                "spec.ipam: spec.ipam is not valid JSON: Expecting value",
                "spec.metaPlugins: spec.metaPlugins is not valid JSON: Expecting value",
            ],
        ),
        (
            "NP753",
            [operated(ipam="""{"type": "it's"}""")],
            ["spec.ipam: spec.ipam has a single quote, which ends the text in the operator's template"],
        ),
        (
            "NP753",
            [operated(ipam='{"type": "a b"}')],
            [
                (
                    "spec.ipam: spec.ipam has white space inside a value, but the operator removes all "
                    "white space"
                )
            ],
        ),
        (
            "NP753",
            [operated(ipam='{"type": ["x", {"a": "b c"}]}')],
            [
                (
                    "spec.ipam: spec.ipam has white space inside a value, but the operator removes all "
                    "white space"
                )
            ],
        ),
        ("NP753", [operated(ipam='{"type": "ab"}', metaPlugins='{"type": "a b"}')], []),
        (
            "NP754",
            [{**pool(), "apiVersion": "nv-ipam.nvidia.com/v1alpha0"}],
            ["apiVersion: IPPool has no version v1alpha0"],
        ),
        ("NP754", [{**pool(), "apiVersion": "nv-ipam.nvidia.com/v1beta1"}], []),
        ("NP754", [{**pool(), "apiVersion": "nv-ipam.nvidia.com/v1"}], []),
        ("NP754", [{**job(), "apiVersion": "kubeflow.org/v1"}], []),
        (
            "NP754",
            [{**job(), "apiVersion": "kubeflow.org/v1alpha1"}],
            [],
        ),
        (
            "NP689",
            [{**job(), "apiVersion": "kubeflow.org/v1alpha1"}],
            ["apiVersion: kubeflow.org/v1alpha1 is served by mpi-operator v0.2.1 and older only"],
        ),
        ("NP689", [{**job(), "apiVersion": "kubeflow.org/v1"}], []),
        (
            "NP754",
            [{**vf_policy(), "apiVersion": "sriovnetwork.openshift.io/v1alpha1"}],
            ["apiVersion: SriovNetworkNodePolicy has no version v1alpha1"],
        ),
        (
            "NP754",
            [thing("spectrumx.nvidia.com/v1alpha1", "SpectrumXRailPoolConfig")],
            ["apiVersion: spectrumx.nvidia.com/v1alpha1 is from an old release"],
        ),
        (
            "NP752",
            [thing("spectrumx.nvidia.com/v1alpha1", "SpectrumXRailPoolConfig", cidrPoolRef="rail-0")],
            [],
        ),
        (
            "NP751",
            [thing("spectrumx.nvidia.com/v1alpha1", "SpectrumXRailPoolConfig", cidrPoolRef="rail-0")],
            [],
        ),
        ("NP795", [*OPERATOR, operated(metaPlugins='{"type": "rdma"')], []),
    ],
)
def test_texts_and_versions(code: str, given: Any, told: list[str]) -> None:
    """What follows from a broken text is not told."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("given", "looked_at"),
    [
        ([MAP], ""),
        ([pod("")], "NP747 NP750"),
        (
            [rail(), pod("rail")],
            "NP675 NP747 NP750x2 NP751x2 NP753 NP762 NP763 NP766 NP769 NP770 NP771 NP772 NP774 NP798",
        ),
        ([pod("rail")], "NP747 NP750 NP751 NP762 NP763 NP766 NP769"),
        (
            [named(MAP, "b"), pod("rail", "train", nodeSelector={"a": "b"})],
            "NP747 NP750 NP751 NP762 NP763 NP766 NP769",
        ),
        ([using(by_claim())], "NP730 NP745 NP747 NP750"),
        ([using(by_claim()), claim(request())], "NP730 NP732 NP744 NP745 NP747 NP750"),
        ([template(), template(name="u")], "NP732x2 NP744x2"),
        ([rail()], "NP675 NP691 NP750 NP751 NP753 NP770 NP771 NP774 NP798"),
        (
            [rail(MACVLAN, SBR, type="host-local", subnet="10.0.0.0/24")],
            "NP675 NP691 NP750 NP751 NP753 NP770 NP771 NP773 NP774 NP775 NP776 NP777",
        ),
        (
            [rail(MACVLAN, SBR, type="whereabouts", range="10.0.0.0/24", gateway="10.0.0.1")],
            "NP675 NP678 NP691 NP750 NP751 NP753 NP770 NP771 NP773 NP774 NP775 NP777 NP780",
        ),
        (
            [rail(MACVLAN, **NV), pool()],
            "NP675 NP691 NP750x2 NP751x2 NP753 NP759 NP770 NP771 NP774 NP775 NP778 NP779",
        ),
        ([OF_RAIL], "NP675 NP691 NP750 NP751 NP753 NP756 NP757 NP770 NP771 NP774 NP798"),
        ([vf_policy()], "NP673 NP674 NP750 NP751 NP781 NP782 NP783 NP784 NP785"),
        (
            [vf_policy(), OF_RAIL, taking("rail")],
            (
                "NP427 NP669x2 NP671 NP672 NP673 NP674 NP675 NP747 NP750x3 NP751x3 NP753 NP756x2 "
                "NP757x2 NP762 NP763 NP764 NP765 NP766 NP769 NP770 NP771 NP772 NP774 NP781 NP782 "
                "NP783 NP784 NP785 NP798"
            ),
        ),
        (
            [vf_policy(), rail({"type": "sriov", "vlan": 5, "vlanQoS": 3}, of="openshift.io/rail", **NV)],
            (
                "NP669 NP670 NP671 NP672 NP673 NP674 NP675 NP676 NP691 NP750x2 NP751x2 NP753 NP756 "
                "NP757 NP759 NP770 NP771 NP774 NP781 NP782 NP783 NP784 NP785 NP798"
            ),
        ),
        (
            [*OPERATOR, operated()],
            (
                "NP671 NP672 NP673 NP674 NP675 NP679 NP691 NP750x3 NP751x3 NP756 NP757 NP761 NP770 "
                "NP771 NP774 NP781 NP782 NP783 NP784 NP785 NP790 NP791 NP795"
            ),
        ),
        ([job()], "NP689 NP747x2 NP750 NP751 NP768"),
        (
            [{**job(), "spec": {"mpiReplicaSpecs": {"Launcher": MPIRUN}}}],
            "NP426 NP689 NP747 NP750 NP751 NP768",
        ),
        (
            [shared(), taking("", resource="rdma/hca")],
            "NP427 NP747 NP750x2 NP753 NP756 NP757 NP764 NP765 NP781 NP788 NP799",
        ),
        ([plugin("rail", {"pfNames": ["ens1"]})], "NP750 NP753 NP781 NP788"),
        (
            [arping("one", **QUIET), arping("two"), pod("one,two")],
            (
                "NP529 NP675x2 NP677 NP747 NP750x3 NP751x3 NP753x2 NP762 NP763 NP766 NP769 NP770x2 "
                "NP771x2 NP772x2 NP774x2 NP775x2 NP777x2 NP780x2"
            ),
        ),
        (
            [arping("one"), arping("two"), pod("one,two")],
            (
                "NP675x2 NP677 NP747 NP750x3 NP751x3 NP753x2 NP762 NP763 NP766 NP769 NP770x2 NP771x2 "
                "NP772x2 NP774x2 NP775x2 NP777x2 NP780x2"
            ),
        ),
        ([jobset({MULTUS: "rail"})], "NP747x3 NP750 NP751 NP762 NP763 NP766 NP769"),
        ([runtime({}), training()], "NP693 NP747"),
        ([training(None)], ""),
        ([nic_template()], "NP750 NP751 NP794"),
        (
            [rail(MACVLAN, type="spiderpool", default_ipv4_ippool=["p"]), named(spider(), "p")],
            "NP675 NP691 NP749 NP750 NP751 NP753 NP759 NP770 NP771 NP774 NP775 NP778",
        ),
    ],
)
def test_what_rules_look_at(given: Objects, looked_at: str) -> None:
    assert counted(given) == looked_at


@pytest.mark.parametrize(("networks", "number"), [("rail", 1), ("rail,two", 1), ("[]", 1), ("", 0)])
def test_pods_that_name_networks_are_looked_at(networks: str, number: int) -> None:
    texts = {"a.yaml": yaml.safe_dump_all([pod(networks), pod("", "other")])}
    checked = rendered_texts(texts).checked
    assert [checked[code] for code in ("NP692", "NP758", "NP762", "NP763")] == [number] * 4
