"""Nodes: labels, GPUs, the version of Kubernetes and the distribution.

Fields: OpenAPI document of Kubernetes, io.k8s.api.core.v1.NodeStatus (capacity: name -> quantity as text) and
NodeSystemInfo (kubeletVersion). RKE2 and K3s put their own release behind a plus: tags of rancher/rke2
(v1.32.3+rke2r1) and k3s-io/k3s (v1.32.3+k3s1), EKS behind a hyphen (v1.29.0-eks-5e0fdde beside providerID
aws:///..., in nodes that issues show; no manual has the form). Other suffixes are not interpreted. EFA
devices: the resource of aws/eks-charts stable/aws-efa-k8s-device-plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.catalog import is_gpu
from netplan.importing.facts import Fact, Remark
from netplan.importing.kubernetes.objects import Reader
from netplan.importing.resource_prefixes import CAPACITY
from netplan.importing.virtual import EFA

_VERSION = re.compile(r"v(1\.[0-9]{1,2})\.[0-9]+(.*)")
_DISTRIBUTIONS = (("+rke2", "rke2"), ("+k3s", "k3s"), ("-eks-", "eks"))
_OPENSHIFT = "node.openshift.io/os_id"
"""A label of every node of OpenShift 4 (openshift/insights-operator 8494b69b
docs/insights-archive-sample/config/node)."""
_EFA = "vpc.amazonaws.com/efa"
_MOST, _MOST_PARTS = 64, 65536
"""EFA devices; GPUs, parts and replicas of them, of which an inventory has fewer."""


def node_facts(read: Reader) -> Iterator[Fact | Remark]:
    of = (read.thing.name,)
    yield read.fact("node", of, "there", True, "metadata", "name")
    yield from read.labels("node", of, "metadata", "labels")
    yield from _counts(read, of)
    yield from _version(read, of)
    if cidr := read.network("spec", "podCIDR"):
        yield read.fact("node", of, "pod_cidr", cidr, "spec", "podCIDR")


def _counts(read: Reader, of: tuple[str, ...]) -> Iterator[Fact]:
    """GPUs, EFA devices and other resources; a node whose device plugin is gone has 0 of them."""
    for name in read.names("status", "capacity"):
        field = EFA if name == _EFA else f"gpus/{name}" if is_gpu(name) else ""
        if not field and "/" in name:
            yield read.fact("node", of, f"{CAPACITY}{name}", True, "status", "capacity", name)
        most = _MOST if field == EFA else _MOST_PARTS
        if field and (count := read.number("status", "capacity", name, most=most)):
            yield read.fact("node", of, field, count, "status", "capacity", name)


def _version(read: Reader, of: tuple[str, ...]) -> Iterator[Fact]:
    path = ("status", "nodeInfo", "kubeletVersion")
    text = read.text(*path)
    found = _VERSION.fullmatch(text)
    if found is None:
        if text:
            read.refuse("not a version such as v1.32.3", *path)
        return
    yield read.fact("node", of, "version", found[1], *path)
    named = (name for mark, name in _DISTRIBUTIONS if found[2].startswith(mark))
    own = "openshift" if _OPENSHIFT in read.names("metadata", "labels") else ""
    distribution = own or next(named, "" if found[2] else "kubernetes")
    if distribution:
        yield read.fact("node", of, "distribution", distribution, *path)
