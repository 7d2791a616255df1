"""NP689, NP754: versions of APIs that are not served, or by old releases only."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.reading.kubernetes.objects import Thing
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.shape import defined, definitions_of, given, old_version

_VERSION = re.compile(r"v(\d+)(?:(alpha|beta)(\d+))?\Z")
_OF_OTHERS = {("kubeflow.org", "MPIJob", "v1")}
"""Versions served by another project's CRD of the same name: training-operator has MPIJob v1."""
_SERVED_UNTIL = {
    ("kubeflow.org", "MPIJob", "v1alpha1"): "mpi-operator v0.2.1",
    ("kubeflow.org", "MPIJob", "v1alpha2"): "mpi-operator v0.3.0",
}
"""Versions of the CRDs of old releases -> the last one with it in its deploy/ (kubeflow/mpi-operator)."""


def _age(version: str) -> tuple[int, int, int]:
    """Sort key for Kubernetes' order of API versions (kubernetes.io, versions in
    CustomResourceDefinitions)."""
    match = _VERSION.match(version)
    if not match:
        return (0, 0, 0)
    return (int(match[1]), {"alpha": 1, "beta": 2, None: 3}[match[2]], int(match[3] or 0))


@rule("NP754", "API version not served", on=defined)
def version(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """A kind is served in the versions its CRD names.

    **Why.** The object is rejected: no matches for kind in version.
    **Fix.** Use the version named, and check the fields against it.
    **Source.** The CRDs of the kind; kubernetes/website 0443319b
    content/en/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definition-versioning.md
    """
    have = thing.api_version.rpartition("/")[2]
    definitions = definitions_of(cluster, thing)
    known = sorted({v for d in definitions for v in d.versions}, key=_age)
    old = old_version(thing)
    if old and not given(definitions):
        message = f"{thing.api_version} is from an old release"
        yield ObjectFinding(thing, ("apiVersion",), message, f"write {thing.group}/{old}")
    elif _elsewhere(thing) and not given(definitions):
        return
    elif have not in known and (given(definitions) or _is_slip(have, known)):
        message = f"{thing.kind} has no version {have}"
        yield ObjectFinding(thing, ("apiVersion",), message, f"write {thing.group}/{known[-1]}", breaks=True)


def _is_slip(have: str, known: Sequence[str]) -> bool:
    """Whether it is older than all, or a known one misspelt; v2autoscale is a version of a fork
    (miner46er/mpi-operator 77cc3619 deploy/v2autoscale)."""
    if _VERSION.match(have):
        return _age(have) < _age(known[0])
    return bool(difflib.get_close_matches(have, known, 1, 0.8))


def _elsewhere(thing: Thing) -> bool:
    """Whether another CRD serves the version: that of another project, or of an old release (NP689)."""
    return _key(thing) in _OF_OTHERS or _key(thing) in _SERVED_UNTIL


def _key(thing: Thing) -> tuple[str, str, str]:
    return thing.group, thing.kind, thing.api_version.rpartition("/")[2]


def _with_older(cluster: ObjectGraph) -> list[Thing]:
    kinds = {key[:2] for key in _SERVED_UNTIL}
    return [t for t in defined(cluster) if (t.group, t.kind) in kinds]


@rule("NP689", "API version of an old release", on=_with_older, severity=Severity.INFO)
def of_old_release(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """The CRD of an old release of the operator serves the version, that of a recent one does not.

    **Why.** In a cluster with a recent operator the object is rejected: no matches for kind in version.
    **Fix.** Use the version named, or install the old release; `--crds` says which the cluster has.
    **Source.** kubeflow/mpi-operator, tags v0.2.1 and v0.3.0, deploy/.
    """
    until, definitions = _SERVED_UNTIL.get(_key(thing)), definitions_of(cluster, thing)
    if until is not None and not given(definitions):
        newest = max((v for d in definitions for v in d.versions), key=_age)
        message = f"{thing.api_version} is served by {until} and older only"
        yield ObjectFinding(thing, ("apiVersion",), message, f"write {thing.group}/{newest} for a recent one")
