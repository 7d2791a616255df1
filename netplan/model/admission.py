"""Versions of the MutatingAdmissionPolicy API, and what a policy can no longer change in a pod.

Sources: kubernetes/enhancements keps/sig-api-machinery/3962-mutating-admission-policies/kep.yaml (alpha 1.32,
beta 1.34, stable 1.36); kubernetes.io, Mutating Admission Policy: the feature gate is off before 1.36.
"""

from __future__ import annotations

GROUP = "admissionregistration.k8s.io"
LABEL = "netplan/workload"
"""Label of a pod with the name of the workload whose rails it should get."""

VERSIONS = (((1, 36), "v1"), ((1, 34), "v1beta1"), ((1, 32), "v1alpha1"))
"""First Kubernetes release -> API version, newest first."""

FILLED_IN = (
    "automountServiceAccountToken",
    "dnsPolicy",
    "enableServiceLinks",
    "preemptionPolicy",
    "priority",
    "priorityClassName",
    "schedulerName",
    "serviceAccount",
    "serviceAccountName",
    "terminationGracePeriodSeconds",
)
"""Pod fields that are set or have been read before policies run: by defaults (kubernetes/kubernetes 023f88a3
pkg/apis/core/v1/defaults.go, SetDefaults_Pod and SetDefaults_PodSpec; ``serviceAccount`` repeats
``serviceAccountName``, conversion.go), and by the admission plugins ServiceAccount and Priority
(plugin/pkg/admission/serviceaccount/admission.go, Admit and shouldAutomount; priority/admission.go), which
run first (pkg/kubeapiserver/options/plugins.go)."""


def api_version(kubernetes: tuple[int, int] | None) -> str | None:
    """``apiVersion`` of the policy; None if that Kubernetes has none, or its release is not stated."""
    found = (v for since, v in VERSIONS if kubernetes is not None and kubernetes >= since)
    version = next(found, None)
    return f"{GROUP}/{version}" if version is not None else None
