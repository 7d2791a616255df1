"""The places that name a resource: networks, containers, annotations and claims."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from itertools import chain

from netplan.catalog import is_gpu
from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import BY_NAME
from netplan.graph.kubernetes.sole_makers import macvtap_names
from netplan.reading.kubernetes.objects import RESOURCE_ANNOTATION, Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.rules.kubernetes.claims import DRA, KINDS, devices_of, rows

_OTHERS = (
    "nvidia.com/gpu", "nvidia.com/mig-", "amd.com/", "gpu.intel.com/", "habana.ai/", "google.com/",
    "cloud-tpus.google.com/", "aws.amazon.com/", "vpc.amazonaws.com/", "devices.kubevirt.io/",
    "smarter-devices/",
    "aliyun.com/", "huawei.com/", "qat.intel.com/", "sgx.intel.com/", "xilinx.com/", "kubernetes.io/",
    "ephemeral-storage", "squat.ai/", "github.com/", "tencent.com/", "volcengine.com/", "ib.aws/",
)  # fmt: skip
"""Prefixes of resources that other device plugins advertise."""


@dataclass(frozen=True, slots=True)
class Want:
    """A place that names a resource."""

    thing: Thing
    at: Path
    resource: str
    on_network: bool


def wanted(cluster: ObjectGraph) -> list[Want]:
    return cluster.once("wanted", lambda: _wanted(cluster))


def _wanted(cluster: ObjectGraph) -> list[Want]:
    found = [Want(n.thing, n.resource_at, n.resource, True) for n in cluster.networks if n.resource]
    for pod in cluster.pods:
        for at, container in chain(pod.containers(), pod.containers("initContainers")):
            for part in ("limits", "requests"):
                names = mapping(mapping(container.get("resources")).get(part))
                found += [
                    Want(pod.thing, (*at, "resources", part, name), name, False)
                    for name in names
                    if "/" in name
                    and (misspelt_resource(name) or not name.startswith(_OTHERS))
                    and not is_gpu(name)
                    and not templated(name)
                ]
    if cluster.whole:
        return found
    place = ("metadata", "annotations", RESOURCE_ANNOTATION)
    found += [Want(nad, place, name, True) for nad, name in macvtap_names(cluster)]
    return [*found, *_of_claims(cluster)]


def _of_claims(cluster: ObjectGraph) -> Iterator[Want]:
    """Resources by whose name a claim selects its devices, as dra-driver-sriov and Multus do."""
    for claim in cluster.of(DRA, *KINDS.values()):
        at, devices = devices_of(claim)
        for index, request in rows(devices.get("requests")):
            inner: Path = ("exactly",) if "exactly" in request else ()
            place = (*at, "requests", index, *inner, "selectors")
            for number, selector in enumerate(listing(claim.get(*place))):
                text = inside(selector, ("cel", "expression"))
                found = BY_NAME.search(text) if isinstance(text, str) else None
                if found and "/" in found[1] and not templated(found[1]):
                    yield Want(claim, (*place, number, "cel", "expression"), found[1], False)


def is_first(cluster: ObjectGraph, want: Want) -> bool:
    """Whether no earlier place of the object names the resource: limits and requests of each container do."""

    def make() -> dict[tuple[int, str], Want]:
        found: dict[tuple[int, str], Want] = {}
        for each in wanted(cluster):
            found.setdefault((id(each.thing), each.resource), each)
        return found

    return cluster.once("first wanted", make)[id(want.thing), want.resource] is want


_FIXED = ("vpc.amazonaws.com/efa",)
"""Resources whose device plugin has no other name for them."""


def misspelt_resource(name: str) -> str:
    """The resource that a name of a prefix of ``_OTHERS`` surely means; empty if right, or not known."""
    for right in _FIXED:
        prefix, _, own = name.rpartition("/")
        if right.startswith(f"{prefix}/") and difflib.get_close_matches(
            own.lower(), [right.rpartition("/")[2]]
        ):
            return "" if name == right else right
    return ""
