"""NP756, NP757: resource names, in the three places that must agree."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import ANY, SRIOV, ObjectGraph
from netplan.graph.kubernetes.producers import nameless
from netplan.graph.kubernetes.sole_makers import maker_of_prefix, sole_maker
from netplan.report import and_more
from netplan.rules.kubernetes.misnamed_resources import Misnamed, misnamed, near
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.wanted_resources import Want, is_first, misspelt_resource, wanted


def _shown(full: str, beside: str) -> str:
    """A resource name; if its own prefix is not known, with the prefix of ``beside``."""
    prefix, _, name = full.rpartition("/")
    prefix = beside.rpartition("/")[0] if prefix == ANY else prefix
    return name if prefix == ANY else f"{prefix}/{name}"


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
    if want.thing.runs or not is_first(cluster, want):
        return
    if right := misspelt_resource(want.resource):
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
        want.resource.rpartition("/")[0] in _prefixes(cluster) and not misspelt_resource(want.resource)
    )
    if not known or nameless(cluster) or not is_first(cluster, want):
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
