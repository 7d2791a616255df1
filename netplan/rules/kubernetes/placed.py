"""NP695: pods on nodes on which nothing makes their devices."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.kubernetes.cluster import ObjectGraph, Pod
from netplan.graph.kubernetes.producers import Producer, producers_of
from netplan.reading.kubernetes.objects import mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _selecting(cluster: ObjectGraph) -> list[Pod]:
    """Where hosts are known, NP633 says on which a pod fits."""
    if cluster.site is not None:
        return []
    chosen = (pod for pod in cluster.pods if mapping(pod.spec.get("nodeSelector")) and not pod.thing.runs)
    return [pod for pod in chosen if pod.resources()]


@rule("NP695", "pod on nodes without its devices", on=_selecting, between=True)
def placed(cluster: ObjectGraph, pod: Pod) -> Iterator[ObjectFinding]:
    """Everything in the directory that makes a resource selects nodes by a label, and the pod that requests
    the resource selects another value of that label.

    **Why.** No node has both values: the pod stays Pending.
    **Fix.** Use the same value, or extend the policy to the nodes of the pod.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go (Selected: nodeSelector
    of the policy); kubernetes/kubernetes 5ae369a0 pkg/scheduler/framework/plugins/nodeaffinity (nodeSelector
    of the pod).
    """
    wanted = mapping(pod.spec.get("nodeSelector"))
    for resource in sorted(pod.resources()):
        found = [p for p in producers_of(cluster, resource) if cluster.together(pod.thing, p.thing)]
        others = [(producer, _other(producer, wanted)) for producer in found]
        if others and all(key for _, key in others):
            producer, key = others[0]
            at = (*pod.path, "spec", "nodeSelector", key)
            message = (
                f"{key} is {wanted[key]}, but {producer} makes {resource} where it is {producer.labels[key]}"
            )
            yield ObjectFinding(pod.thing, at, message, f"write {producer.labels[key]}, or extend the policy")
            return


def _other(producer: Producer, wanted: dict[str, object]) -> str:
    """A label of which producer and pod select different values; empty if there is none."""
    for key, value in producer.labels.items():
        both = (value, wanted.get(key, value))
        if both[0] != both[1] and not any(map(templated, both)):
            return key
    return ""
