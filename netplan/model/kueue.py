"""What Kueue needs: quotas by host type, and the queues of the workloads."""

from __future__ import annotations

from netplan.model.hardware import Labels
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KueueFlavor:
    """Nodes of one host type; ``quotas``: (resource, quantity), the same resources in every flavor."""

    name: str
    node_labels: Labels
    quotas: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalQueue:
    name: str
    namespace: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KueuePlan:
    """``version``: of the API group. ``covered``: resources under the quota, at most ``limit``.

    ``excluded``: prefixes of resource names that Kueue's Configuration can exclude from the quota instead;
    ``by_exclusion``: it must, because the quota does not cover them.
    """

    version: str
    cluster_queue: str
    covered: tuple[str, ...]
    limit: int
    flavors: tuple[KueueFlavor, ...]
    queues: tuple[LocalQueue, ...]
    excluded: tuple[str, ...]
    by_exclusion: bool
