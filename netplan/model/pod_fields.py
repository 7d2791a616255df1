"""Fields of the pod spec that netplan decides; all others are the site's to state below ``extra``."""

from __future__ import annotations

from collections.abc import Mapping

_IMAGE = "netplan writes it: state image, container, env and test of the workload"
_NAMED = "netplan writes it with the kind of job"
_PLACED = "hosts of the workload decide it: label them in hosts.X.labels or host_types.X.node_selector"

OWN: Mapping[str, str] = {
    "containers": _IMAGE,
    "initContainers": "netplan writes the one for rail routes; others belong into the job's own file",
    "ephemeralContainers": "Kubernetes takes it for running pods only",
    "volumes": "netplan writes /dev/shm and the verbs devices; others belong into the job's own file",
    "resourceClaims": "netplan writes the claim of the rails",
    "resources": "state gpus, cpus and memory_mib of the workload",
    "overhead": "the RuntimeClass sets it",
    "restartPolicy": _NAMED,
    "hostname": _NAMED,
    "hostnameOverride": _NAMED,
    "setHostnameAsFQDN": _NAMED,
    "subdomain": _NAMED,
    "runtimeClassName": "state runtime_class of the workload",
    "nodeSelector": _PLACED,
    "nodeName": _PLACED,
    "hostNetwork": "a pod in the host's network namespace gets no rails: use a network of mode host-path",
}
"""Field -> where its value comes from, as a hint for whoever states it."""
