"""NP756 to NP761, NP796: names that one object takes from another."""

from __future__ import annotations

import difflib
import posixpath
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import Cluster, Network, Plugin, Pod
from netplan.reading.kubernetes.objects import Thing, listing, mapping, templated
from netplan.reading.kubernetes.selections import pod_selections
from netplan.rules.kubernetes.registry import Finding, rule
from netplan.verify.cluster import ANY
from netplan.verify.naming import FOREIGN

OTHERS = (
    "nvidia.com/gpu", "nvidia.com/mig-", "amd.com/", "gpu.intel.com/", "habana.ai/", "google.com/",
    "cloud-tpus.google.com/", "aws.amazon.com/", "vpc.amazonaws.com/", "devices.kubevirt.io/",
    "smarter-devices/",
    "aliyun.com/", "huawei.com/", "qat.intel.com/", "sgx.intel.com/", "xilinx.com/", "kubernetes.io/",
    "ephemeral-storage", "squat.ai/", "github.com/", "tencent.com/", "volcengine.com/", "ib.aws/",
)  # fmt: skip
"""Beginnings of resources that other device plugins advertise."""


@dataclass(frozen=True, slots=True)
class Want:
    """A place that names a resource."""

    thing: Thing
    at: Path
    resource: str
    on_network: bool


def wanted(cluster: Cluster) -> list[Want]:
    found = [Want(n.thing, n.resource_at, n.resource, True) for n in cluster.networks if n.resource]
    for pod in cluster.pods:
        for at, container in chain(pod.containers(), pod.containers("initContainers")):
            for part in ("limits", "requests"):
                names = mapping(mapping(container.get("resources")).get(part))
                found += [
                    Want(pod.thing, (*at, "resources", part, name), name, False)
                    for name in names
                    if "/" in name
                    and not name.startswith(OTHERS)
                    and name not in FOREIGN
                    and not templated(name)
                ]
    return found


def _near(cluster: Cluster, want: Want) -> str:
    """What of the produced resources was meant: another prefix, or nearly the name."""
    prefix, _, name = want.resource.rpartition("/")
    other = [made for made in cluster.made if made.rpartition("/")[2] == name]
    if other:
        return other[0]
    names = {made.rpartition("/")[2]: made for made in cluster.made}
    close = difflib.get_close_matches(name, list(names), n=1, cutoff=0.75)
    made = names[close[0]] if close else ""
    return made if made.rpartition("/")[0] in (prefix, ANY) or prefix == ANY else ""


@rule("NP757", "a resource that nothing produces", on=wanted)
def unproduced(cluster: Cluster, want: Want) -> Iterator[Finding]:
    """A resource has one full name, prefix/name, in three places: policy or plugin configuration, NAD, pod.

    **Why.** Nothing in the cluster compares them. A pod that asks for a name nobody produces stays Pending; a
    NAD with such a name gets no device, and its plugin fails: "VF pci addr is required". The prefix differs
    between components: intel.com, openshift.io, nvidia.com, rdma.
    **Fix.** Write the name that is produced, with its prefix.
    **Source.** sriov-network-device-plugin README.md and #189, #223, #261, #490; multus-cni
    docs/how-to-use.md; the charts' resourcePrefix.
    """
    if not cluster.producers(want.resource):
        near = _near(cluster, want)
        if near and not (near.startswith("*/") and want.resource.endswith(near[1:])):
            producer = cluster.made[near]
            message = f"{want.resource} is not produced here; {producer} produces {near}"
            yield Finding(
                want.thing, want.at, message, f"write {near.removeprefix('*/')}, or rename what produces it"
            )


@rule("NP756", "a name that is not in the directory", on=wanted, severity=Severity.INFO)
def elsewhere(cluster: Cluster, want: Want) -> Iterator[Finding]:
    """What a name stands for is not in the directory, and nothing in it is near.

    **Why.** It may be defined in another repository, or by hand. What depends on it was not checked.
    **Fix.** Add what defines it to the directory, or accept that it is not checked.
    **Source.** Arithmetic on the files: the names that they define and those that they use.
    """
    if want.on_network and not cluster.producers(want.resource) and not _near(cluster, want):
        message = f"{want.resource.removeprefix('*/')} is not produced by anything in the directory"
        yield Finding(want.thing, want.at, message, "add its policy or device plugin to the directory")


def _annotated(cluster: Cluster) -> list[Pod]:
    return [pod for pod in cluster.pods if pod_selections(pod) is not None]


@rule("NP758", "a pod names a network that does not exist", on=_annotated)
def networks_exist(cluster: Cluster, pod: Pod) -> Iterator[Finding]:
    """Multus looks a network up by namespace and name; without a namespace, in that of the pod.

    **Why.** The pod does not start: cannot find a network-attachment-definition.
    **Fix.** Write namespace/name of a NAD that exists, or create it in that namespace.
    **Source.** multus-cni pkg/k8sclient/k8sclient.go; k8snetworkplumbingwg/multus-cni#337, #277.
    """
    if cluster.tree.renamed:
        return
    for selection in pod_selections(pod) or ():
        namespace = selection.namespace or pod.thing.namespace
        if templated(selection.name) or templated(namespace) or cluster.named(namespace, selection.name):
            continue
        where = f"{namespace}/{selection.name}" if namespace else selection.name
        hint = _network_hint(cluster, namespace, selection.name)
        if hint:
            yield Finding(pod.thing, selection.at, f"network {where} does not exist here", hint)


def _network_hint(cluster: Cluster, namespace: str | None, name: str) -> str:
    """Empty where the directory does not say that the network is missing."""
    same = [n for n in cluster.networks if n.name == name]
    if same:
        return f"write {same[0]}, or create it in {namespace}"
    there = [n for n in cluster.networks if namespace in (None, n.namespace)]
    close = difflib.get_close_matches(name, [n.name for n in there], n=1)
    known = ", ".join(sorted({n.name for n in there})[:8])
    if close:
        return f"did you mean {close[0]}?"
    return f"networks of that namespace: {known}" if there else ""


def _pool_users(cluster: Cluster) -> list[tuple[Network, Plugin]]:
    return [(n, (at, i)) for n in cluster.networks for at, i in n.ipams if i.get("type") == "nv-ipam"]


def pool_names(network: Network, ipam: dict[str, object]) -> Iterator[tuple[str, str]]:
    """(poolType, name) in lower case and as it is; the defaults are the plugin's
    (Mellanox/nvidia-k8s-ipam v0.4.0 pkg/cni/types/types.go)."""
    kind = str(ipam.get("poolType") or "ippool").lower()
    for name in str(ipam.get("poolName") or network.name).split(","):
        if not templated(name):
            yield kind, name.strip()


@rule("NP759", "a network names a pool that does not exist", on=_pool_users)
def pools_exist(cluster: Cluster, user: tuple[Network, Plugin]) -> Iterator[Finding]:
    """nv-ipam finds a pool by its type and name; the type is ippool where none is written.

    **Why.** A pod of the network waits for an address for ever.
    **Fix.** Write poolName and poolType of a pool that exists.
    **Source.** Mellanox/nvidia-k8s-ipam README.md, pkg/cni/types/types.go.
    """
    network, (at, ipam) = user
    pools = {(p.kind.lower(), p.name): p for p in cluster.pools}
    for kind, name in pool_names(network, ipam):
        if (kind, name) in pools or not pools or cluster.tree.renamed:
            continue
        key = "poolName" if "poolName" in ipam else "type"
        other = next((p for (_, n), p in pools.items() if n == name), None)
        if other is not None:
            message = f"poolType is {kind}, {name} is of kind {other.kind}"
            key = "poolType" if "poolType" in ipam else key
            yield Finding(network.thing, (*at, key), message, f'write "poolType": "{other.kind.lower()}"')
        else:
            known = ", ".join(sorted(n for _, n in pools)[:8])
            message = f"{kind} {name} does not exist here"
            close = difflib.get_close_matches(name, [n for _, n in pools], n=1)
            hint = f"did you mean {close[0]}?" if close else f"pools here: {known}"
            yield Finding(network.thing, (*at, key), message, hint)


@dataclass(frozen=True, slots=True)
class Identity:
    """What an API server tells objects apart by, and the objects that have it."""

    name: str
    things: tuple[Thing, ...]


def identities(cluster: Cluster) -> list[Identity]:
    found: dict[str, list[Thing]] = defaultdict(list)
    for thing in cluster.tree.things:
        if thing.name:
            found[f"{thing.group} {thing}"].append(thing)
    return [Identity(name, tuple(things)) for name, things in found.items()]


@rule("NP760", "an object twice", on=identities, severity=Severity.WARNING)
def unique(_: Cluster, identity: Identity) -> Iterator[Finding]:
    """Two objects of one kind have one namespace and name, and differ.

    **Why.** The one that is applied last replaces the other. If they belong to two clusters, all rules
    between objects see both clusters as one.
    **Fix.** Remove one; give each cluster its own directory and run of `--rendered`.
    **Source.** kubernetes.io/docs/concepts/overview/working-with-objects/names.
    """
    first, *others = identity.things
    for other in others:
        if other.body != first.body:
            place = first.source(("metadata", "name"))
            message = f"it is at {place} too, with other content"
            yield Finding(other, ("metadata", "name"), message, "remove one, or name one cluster's directory")


def _operator_networks(cluster: Cluster) -> list[Network]:
    return [n for n in cluster.networks if n.thing.kind != "NetworkAttachmentDefinition"]


@rule("NP761", "a NAD of the name an operator generates", on=_operator_networks)
def two_owners(cluster: Cluster, network: Network) -> Iterator[Finding]:
    """An operator generates a NAD of its object's name; one that it did not make it does not touch.

    **Why.** The network that was described never appears; pods get the other one.
    **Fix.** Remove one of the two, or rename it.
    **Source.** sriov-network-operator controllers/generic_network_controller.go.
    """
    earlier = True
    for other in cluster.networks:
        earlier = earlier and other is not network
        same = (other.namespace, other.name) == (network.namespace, network.name) and other.namespace
        if not same or other is network or other.thing.owned or str(other.thing) == str(network.thing):
            continue
        if other.thing.kind == "NetworkAttachmentDefinition" or earlier:
            message = f"it generates NAD {network}, which is also {other.thing} at {other.thing.source(())}"
            yield Finding(network.thing, ("metadata", "name"), message, "remove or rename one of the two")


def _indexes(cluster: Cluster) -> list[Thing]:
    return list(cluster.tree.kustomizations.values())


@rule("NP796", "a kustomization lists a file that is not there", on=_indexes)
def listed(cluster: Cluster, kustomization: Thing) -> Iterator[Finding]:
    """``resources``, ``components`` and ``patches`` name files and directories relative to the kustomization.

    **Why.** One missing file fails the whole build, and nothing is applied.
    **Fix.** Correct the path or add the file.
    **Source.** kubectl.docs.kubernetes.io/references/kustomize/kustomization/resource.
    """
    folder = posixpath.dirname(kustomization.file)
    folders = {posixpath.dirname(path) for path in cluster.tree.paths}
    for key in ("resources", "components", "patchesStrategicMerge"):
        for index, entry in enumerate(listing(kustomization.body.get(key))):
            if (
                not isinstance(entry, str)
                or "://" in entry
                or "?" in entry
                or ":" in entry
                or templated(entry)
            ):
                continue
            path = posixpath.normpath(posixpath.join(folder, entry))
            known = path in cluster.tree.paths or any(f == path or f.startswith(f"{path}/") for f in folders)
            local = entry.startswith((".", "/")) or entry.endswith((".yaml", ".yml", ".json"))
            if not known and local and not path.startswith("..") and _below(path, cluster):
                yield Finding(
                    kustomization, (key, index), f"{entry} is not there", "correct the path, or add it"
                )


def _below(path: str, cluster: Cluster) -> bool:
    """Whether a path is in the directory that was read; of what is outside nothing is known."""
    return path.startswith(f"{cluster.tree.base}/") if cluster.tree.base else not path.startswith("/")
