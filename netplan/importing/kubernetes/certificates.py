"""Whether a cluster has cert-manager, by any of its objects: cert-manager/cert-manager, deploy/crds, and the
labels of deploy/charts/cert-manager/templates/deployment.yaml."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Fact
from netplan.importing.kubernetes.objects import Reader

CERT_MANAGER = "present/cert-manager"
"""Field of the cluster."""
GROUP = "cert-manager.io"
_LABEL = ("metadata", "labels", "app.kubernetes.io/instance")


def certificate_facts(read: Reader) -> Iterator[Fact]:
    """Of an object of its own group."""
    yield read.fact("cluster", (), CERT_MANAGER, True, "kind")


def crd_facts(read: Reader) -> Iterator[Fact]:
    if read.thing.name.endswith(f".{GROUP}"):
        yield read.fact("cluster", (), CERT_MANAGER, True, "metadata", "name")


def pod_facts(read: Reader) -> Iterator[Fact]:
    if read.text(*_LABEL) == "cert-manager":
        yield read.fact("cluster", (), CERT_MANAGER, True, *_LABEL)
