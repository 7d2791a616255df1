"""NP756, NP757: resource names, in the three places that must agree."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator
from itertools import chain

from netplan.catalog import is_gpu
from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.attachments import pods_of
from netplan.graph.kubernetes.chart_values import resources_of_values
from netplan.graph.kubernetes.cluster import (
    ANY,
    SRIOV,
    ObjectGraph,
    same_resource,
)
from netplan.graph.kubernetes.gather import BY_NAME
from netplan.graph.kubernetes.producers import nameless, producers_of
from netplan.graph.kubernetes.sole_makers import (
    MACVTAP,
    macvtap_names,
    maker_of_prefix,
    sole_maker,
)
from netplan.reading.kubernetes.objects import RESOURCE_ANNOTATION, Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.alike import likeliest
from netplan.rules.kubernetes.claims import DRA, KINDS, devices_of, rows
from netplan.rules.kubernetes.registry import ObjectFinding, rule

OTHERS = (
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
                    and (_misspelt(name) or not name.startswith(OTHERS))
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


def _is_first(cluster: ObjectGraph, want: Want) -> bool:
    """Whether no earlier place of the object names the resource: limits and requests of each container do."""

    def make() -> dict[tuple[int, str], Want]:
        found: dict[tuple[int, str], Want] = {}
        for each in wanted(cluster):
            found.setdefault((id(each.thing), each.resource), each)
        return found

    return cluster.once("first wanted", make)[id(want.thing), want.resource] is want


_FIXED = ("vpc.amazonaws.com/efa",)
"""Resources whose device plugin has no other name for them."""


def _misspelt(name: str) -> str:
    """The resource that a name of a prefix of ``OTHERS`` surely means; empty if it is right, or not known."""
    for right in _FIXED:
        prefix, _, own = name.rpartition("/")
        if right.startswith(f"{prefix}/") and difflib.get_close_matches(
            own.lower(), [right.rpartition("/")[2]]
        ):
            return "" if name == right else right
    return ""


def near(cluster: ObjectGraph, want: Want) -> str:
    """The produced resource that was probably meant: same name with another prefix, or a similar name."""
    prefix, _, name = want.resource.rpartition("/")
    if prefix == MACVTAP.rstrip("/"):
        return ""
    beside = _beside(cluster, want.thing) if name not in cluster.tree.loose else ()
    other = [made for made in beside if made.rpartition("/")[2] == name]
    if other:
        return other[0]
    names = {made.rpartition("/")[2]: made for made in beside}
    close = likeliest(name, names, 0.75)
    made = names[close[0]] if close else ""
    if made.rpartition("/")[0] not in (prefix, ANY) and prefix != ANY:
        return ""
    if cluster.whole or not made or not _taken(cluster, made):
        return made
    return _near_taken(cluster, want, made)


def _near_taken(cluster: ObjectGraph, want: Want, made: str) -> str:
    """The resource that was probably meant, if one of a similar name has its users."""
    name, beside = want.resource.rpartition("/")[2], _beside(cluster, want.thing)
    free = {full.rpartition("/")[2]: full for full in _unused(cluster) if full in beside}
    other = likeliest(name, free, 0.6)
    if other:
        return free[other[0]]
    return made if _pods_ask(cluster, want, made) or not _is_of_series(made, want.resource) else ""


def _is_of_series(one: str, other: str) -> bool:
    one, other = (_DIGITS.sub("", name.rpartition("/")[2]) for name in (one, other))
    return one == other


def _pods_ask(cluster: ObjectGraph, want: Want, made: str) -> bool:
    """Whether the pods of a network all request a resource, and none the one that the network names."""
    pods = pods_of(cluster, want.thing) if want.on_network else []
    return bool(pods) and all(pod.asked(made) and not pod.asked(want.resource) for pod in pods)


def is_misnamed_resource(cluster: ObjectGraph, resource: str) -> bool:
    """Whether NP757 reports the name of a resource, where a network or policy states it."""

    def make() -> frozenset[str]:
        wants = (want for want in wanted(cluster) if want.on_network)
        return frozenset(w.resource for w in wants if not cluster.producers(w.resource) and near(cluster, w))

    return resource in cluster.once("misnamed resources", make)


def _beside(cluster: ObjectGraph, thing: Thing) -> Collection[str]:
    """The resources that are produced wherever the object is."""

    def make() -> list[str]:
        return [
            name
            for name in cluster.made
            if any(cluster.beside(thing, producer.thing) for producer in producers_of(cluster, name))
        ]

    side = cluster.alternatives.side(thing)
    return cluster.once(("made beside", side), make) if cluster.alternatives.folders else cluster.made


@dataclass(frozen=True, slots=True)
class Misnamed:
    """A resource that nothing names, and the places that name another in its stead; ``at``: its own name."""

    made: str
    thing: Thing
    at: Path
    wants: list[Want]


def misnamed(cluster: ObjectGraph) -> dict[str, Misnamed]:
    """Resources under a wrong name where they are produced, by the name that several objects use."""
    return cluster.once("misnamed", lambda: _misnamed(cluster))


def _misnamed(cluster: ObjectGraph) -> dict[str, Misnamed]:
    by_meant: dict[str, list[Want]] = {}
    for want in wanted(cluster):
        if not cluster.producers(want.resource) and (meant := near(cluster, want)):
            by_meant.setdefault(meant, []).append(want)
    found: dict[str, Misnamed] = {}
    for made, wants in by_meant.items():
        names = {want.resource.rpartition("/")[2] for want in wants}
        if len(names) == 1 and len({id(w.thing) for w in wants}) > 1 and not _taken(cluster, made):
            found[names.pop()] = Misnamed(made, *_producer(cluster, made), wants)
    return found


def _producer(cluster: ObjectGraph, made: str) -> tuple[Thing, Path]:
    """Who produces a resource, and where it is named."""
    for config in cluster.configs:
        for at, entry in config.entries:
            if config.full(entry) == made and config.thing is cluster.made[made]:
                return config.thing, (*at, "resourceName")
    thing = cluster.made[made]
    named = (at for name, at in resources_of_values(thing) if name == made)
    return thing, next(named, ("spec", "resourceName"))


def _shown(full: str, beside: str) -> str:
    """A resource name; if its own prefix is not known, with the prefix of ``beside``."""
    prefix, _, name = full.rpartition("/")
    prefix = beside.rpartition("/")[0] if prefix == ANY else prefix
    return name if prefix == ANY else f"{prefix}/{name}"


_DIGITS = re.compile(r"\d+")


def _taken(cluster: ObjectGraph, made: str) -> bool:
    """Whether some place already names the produced resource: rail1 is then not a misspelt rail0."""

    def make() -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for want in wanted(cluster):
            found.setdefault(want.resource.rpartition("/")[2], set()).add(want.resource)
        return found

    named = cluster.once("wanted by name", make)
    return any(same_resource(name, made) for name in named.get(made.rpartition("/")[2], ()))


def _unused(cluster: ObjectGraph) -> list[str]:
    """Resources that are produced but named by no network or pod."""
    return cluster.once("unused", lambda: [made for made in cluster.made if not _taken(cluster, made)])


@rule("NP757", "resource that nothing produces", on=wanted, between=True)
def unproduced(cluster: ObjectGraph, want: Want) -> Iterator[ObjectFinding]:
    """A resource has one full name, prefix/name, in three places: policy or plugin configuration, NAD, pod.
    Where several objects use the same other name, what produces the resource is named. Helm values of the
    NVIDIA Network Operator up to 24.7 produce resources too. A name like no other is told where the
    directory has the one maker of its prefix: the NicClusterPolicy or those values (rdma/), the configuration
    of macvtap's device plugin. Where that is neither in the folder nor in the one above, it is a note.

    **Why.** Nothing in the cluster compares them. A pod that requests a name nothing produces stays
    Pending; a NAD with such a name gets no device, and its plugin fails: "VF pci addr is required". The
    prefix differs between components: intel.com, openshift.io, nvidia.com, rdma.
    **Fix.** Use the name that is produced, with its prefix.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go (the annotation is the
    key of the pod's devices); k8snetworkplumbingwg/sriov-network-device-plugin 40b6f507 README.md and
    #189, #223, #261, #490; k8snetworkplumbingwg/multus-cni 95a0932 docs/how-to-use.md; the charts'
    resourcePrefix; aws-samples/aws-efa-eks 9d6557e README.md (vpc.amazonaws.com/efa);
    kubevirt/macvtap-cni 0122d4d pkg/deviceplugin/lister.go.
    """
    if want.thing.runs or not _is_first(cluster, want):
        return
    if right := _misspelt(want.resource):
        message = f"nothing produces {want.resource}; the device plugin's name is {right}"
        yield ObjectFinding(want.thing, want.at, message, f"write {right}")
        return
    if cluster.producers(want.resource) or nameless(cluster):  # NP752 tells a policy without a name
        return
    meant = near(cluster, want)
    other = misnamed(cluster).get(want.resource.rpartition("/")[2])
    if other is not None and other.made == meant:
        if want is other.wants[0]:
            yield _of_producer(other)
    elif meant and not (meant.startswith("*/") and want.resource.endswith(meant[1:])):
        name, made = (_shown(full, want.resource) for full in (want.resource, meant))
        message = f"nothing produces {name}; {cluster.made[meant]} produces {made}"
        hint = f"write {made}, or rename what produces it"
        yield ObjectFinding(want.thing, want.at, message, hint)
    else:
        yield from _like_none(cluster, want)


def _like_none(cluster: ObjectGraph, want: Want) -> Iterator[ObjectFinding]:
    """Of a name that is like none of those produced."""
    maker = sole_maker(cluster, want.resource)
    if cluster.whole:
        known = ", ".join(sorted(cluster.made)[:8]) or "none"
        message = f"nothing in the directory produces {want.resource} (produced: {known})"
        yield ObjectFinding(want.thing, want.at, message, "write one that is produced")
    elif maker is not None:
        message = f"nothing produces {want.resource}; {maker.thing} produces {', '.join(maker.names[:8])}"
        unsure = not (maker.is_near(want.thing) or cluster.joined(maker.thing, want.thing))
        hint = "write a name that is produced, or add this one there"
        yield ObjectFinding(want.thing, want.at, message, hint, unsure=unsure)


def _of_producer(misnamed: Misnamed) -> ObjectFinding:
    first = next((want for want in misnamed.wants if not want.resource.startswith(ANY)), misnamed.wants[0])
    name, made = _shown(first.resource, misnamed.made), _shown(misnamed.made, first.resource)
    others = and_more(len({id(want.thing) for want in misnamed.wants}) - 1, "object")
    message = f"nothing names {made}, but {first.thing}{others} names {name}, which nothing produces"
    return ObjectFinding(
        misnamed.thing, misnamed.at, message, f"produce {name}, or write {made} in all of them"
    )


@rule("NP756", "name not in the directory", on=wanted, severity=Severity.INFO)
def elsewhere(cluster: ObjectGraph, want: Want) -> Iterator[ObjectFinding]:
    """The object that a name refers to is not in the directory, nor is one with a similar name: the resource
    of a network, or that of a pod under the prefix of a device plugin whose configuration is here.

    **Why.** It may be defined in another repository or created by hand. What depends on it was not checked.
    **Fix.** Add its definition to the directory to have it checked.
    **Source.** Arithmetic on the files: the names that they define and those that they use.
    """
    known = want.on_network or (
        want.resource.rpartition("/")[0] in _prefixes(cluster) and not _misspelt(want.resource)
    )
    if not known or nameless(cluster) or not _is_first(cluster, want):
        return
    if not cluster.producers(want.resource) and not _elsewhere_said(cluster, want):
        message = f"nothing in the directory produces {want.resource.removeprefix('*/')}"
        yield ObjectFinding(want.thing, want.at, message, "add its policy or device plugin to the directory")


def _prefixes(cluster: ObjectGraph) -> set[str]:
    """Those of the device plugins whose configuration is in the directory."""

    def make() -> set[str]:
        entries = ((config, entry) for config in cluster.configs for _, entry in config.entries)
        return {config.full(entry).rpartition("/")[0] for config, entry in entries} - {ANY}

    return cluster.once("prefixes of plugins", make)


def _elsewhere_said(cluster: ObjectGraph, want: Want) -> bool:
    """Whether another rule reports it: NP757 similar names; NP679 networks of the operator whose policies
    are here."""
    return bool(near(cluster, want) or maker_of_prefix(cluster, want.resource)) or (
        want.thing.group == SRIOV and any(p.spec.get("resourceName") for p in cluster.policies)
    )
