"""How many pods of a workload fit on a node."""

from __future__ import annotations

from netplan.catalog import is_gpu
from netplan.graph.kubernetes.producers import Producer, producers_of
from netplan.model.site import SiteHost
from netplan.reading.kubernetes.objects import listing, mapping
from netplan.trace.devices import is_policy
from netplan.trace.site import TracedSite, TraceWorkload


def pods_on(workload: TraceWorkload, host: SiteHost) -> int:
    """As many as the GPUs of a host allow; 1 if GPUs are not stated."""
    each = sum(count for name, count in workload.limits.items() if is_gpu(name))
    return max(host.gpus // each, 1) if each else 1


def shared_by_pods(site: TracedSite, workload: TraceWorkload) -> bool:
    """Whether two pods of the workload fit on one node: every device is one of several on its port."""
    networks = [each.network for each in workload.attachments if each.network is not None]
    if not networks or any(n.types[:1] == ["host-device"] for n in networks):
        return False
    made = [p for n in networks if n.resource for p in producers_of(site.cluster, n.resource)]
    return not any(_one_vf(producer) for producer in made)


def _one_vf(producer: Producer) -> bool:
    """Whether a policy gives the resource a single VF of a port."""
    chosen = [mapping(producer.thing.spec.get("nicSelector"))] if is_policy(producer) else []
    ports = [t for each in chosen for key in ("pfNames", "rootDevices") for t in listing(each.get(key))]
    spans = [str(port).partition("#")[2].partition("-") for port in ports]
    single = bool(spans) and all(mark and first == last for first, mark, last in spans)
    return bool(chosen) and (single or producer.thing.spec.get("numVfs") == 1)
