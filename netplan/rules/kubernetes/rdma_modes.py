"""NP696, NP795: the rdma plugin and the RDMA mode of the nodes."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import SRIOV, Nad, ObjectGraph, same_resource
from netplan.reading.kubernetes.objects import CONFIG, META, inside, mapping
from netplan.rules.kubernetes.networks import networks
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.shape import is_misnamed


def _rdma_modes(cluster: ObjectGraph) -> set[str]:
    return {str(t.spec.get("rdmaMode")) for t in cluster.of(SRIOV, "SriovNetworkPoolConfig")}


def _on_its_nodes(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether the nodes of the network may be those of a pool: its policies select no other value of a
    label."""
    pools = cluster.of(SRIOV, "SriovNetworkPoolConfig")
    chosen = [mapping(inside(pool.spec, ("nodeSelector", "matchLabels"))) for pool in pools]
    nodes = [mapping(policy.spec.get("nodeSelector")) for policy in cluster.policies_of(network)]
    both = [(own, labels) for own in nodes for labels in chosen]
    return not both or any(all(own.get(k, v) == v for k, v in labels.items()) for own, labels in both)


def _exclusive(cluster: ObjectGraph) -> list[Nad]:
    """Networks of RDMA-capable Ethernet VFs, if all nodes of the tree are in exclusive RDMA mode."""
    rdma = [
        f"{cluster.prefix}/{p.spec.get('resourceName')}"
        for p in cluster.policies
        if p.spec.get("isRdma") is True
    ]
    if _rdma_modes(cluster) != {"exclusive"}:
        return []
    return [
        n
        for n in networks(cluster)
        if n.types[0] == "sriov" and n.resource and any(same_resource(n.resource, r) for r in rdma)
        if _on_its_nodes(cluster, n)
    ]


@rule("NP795", "RDMA device left on the node", on=_exclusive, severity=Severity.WARNING)
def moved(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """In exclusive mode an RDMA device is visible in one network namespace; the rdma plugin moves it to
    the pod.

    **Why.** The pod has the interface and the device file but no RDMA device: ibv_devinfo is empty.
    **Fix.** Chain `{"type": "rdma"}` after the interface's plugin.
    **Source.** k8snetworkplumbingwg/rdma-cni 449bfbc cmd/rdma/main.go;
    k8snetworkplumbingwg/sriov-network-operator 249e200 doc/rdma-configuration.md.
    """
    if "rdma" not in network.types and not is_misnamed(cluster, network.thing, ("spec",)):
        at = CONFIG if network.thing.kind == "NetworkAttachmentDefinition" else META
        message = "its nodes are in RDMA mode exclusive, but rdma is not in the chain"
        yield ObjectFinding(network.thing, at, message, 'chain {"type": "rdma"}')


def _moving(cluster: ObjectGraph) -> list[Nad]:
    """Networks with the rdma plugin, if all nodes of the tree have one RDMA mode."""
    if len(_rdma_modes(cluster)) != 1:
        return []
    moving = [n for n in networks(cluster) if "rdma" in n.types and n.types[0] == "sriov"]
    return [n for n in moving if _on_its_nodes(cluster, n)]


@rule("NP696", "rdma plugin on nodes in shared mode", on=_moving, severity=Severity.WARNING)
def not_movable(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """The rdma plugin moves an RDMA device to the pod, which the kernel does in exclusive mode only.

    **Why.** The pod does not start: the plugin fails where the mode is shared.
    **Fix.** Set `rdmaMode: exclusive`, or remove the plugin from the chain.
    **Source.** k8snetworkplumbingwg/rdma-cni 449bfbc cmd/rdma/main.go (ensureRdmaSystemMode).
    """
    if _rdma_modes(cluster) != {"shared"}:
        return
    at = next(at for at, plugin in network.plugins if plugin.get("type") == "rdma")
    message = "its nodes are in RDMA mode shared, and rdma is in the chain"
    yield ObjectFinding(network.thing, at, message, "set rdmaMode: exclusive, or remove the plugin")
