"""Names of objects that an API server refuses, for NP752."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.model.values import DNS_SUBDOMAIN
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import templated

_WORKLOADS = frozenset(
    {
        *(("", kind) for kind in ("Pod", "ConfigMap", "ReplicationController")),
        *(("apps", kind) for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")),
        *(("batch", kind) for kind in ("Job", "CronJob")),
    }
)
_LONGEST = 253
"""DNS_SUBDOMAIN and this: also of custom resources (kubernetes/kubernetes 054d429d
staging/src/k8s.io/apiextensions-apiserver/pkg/registry/customresource/validator.go, NameIsDNSSubdomain)."""
_STAND_IN = re.compile(r"[A-Z]{2}|[<>\s*?{}]|[-_]name\Z|\A\Z")
"""pod-INDEX, pod-{}, job_name, `*`, an empty one: somebody has still to write it."""


def name_faults(thing: Thing, defined: bool) -> Iterator[FieldFault]:
    """``defined``: whether its kind is one of netplan's lists of custom resources."""
    name = thing.metadata.get("name")
    if not isinstance(name, str) or not (defined or (thing.group, thing.kind) in _WORKLOADS):
        return
    if thing.partial or templated(name) or _STAND_IN.search(name):
        return
    if len(name) > _LONGEST or not DNS_SUBDOMAIN.fullmatch(name):
        shown = name if len(name) <= _LONGEST else f"{name[:40]}..., {len(name)} characters"
        message = f"metadata.name is {shown}, no DNS name in lower-case letters"
        yield FieldFault(("metadata", "name"), message, _hint(name))


def _hint(name: str) -> str:
    settled = re.sub(r"[^a-z0-9.-]+", "-", name.lower()).strip("-.")
    usable = len(name) <= _LONGEST and DNS_SUBDOMAIN.fullmatch(settled)
    return f"write {settled}" if usable else "use letters a to z, digits, - and . between them"
