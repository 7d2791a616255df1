"""What the person who applies the Kubernetes part has to know: charts, order, namespaces, preconditions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStep:
    """One Helm chart: ``values`` is its file below ``kubernetes/``; ``version`` is empty when none is
    stated."""

    chart: str
    namespace: str
    version: str
    values: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewResource:
    name: str
    plugin: str
    owner: str
    per_node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """``facts``: (what, value, what follows) rows about the cluster. ``present``: what must be installed
    already.

    ``namespaces``: those objects are created in, without those that every cluster has.
    """

    facts: tuple[tuple[str, str, str], ...]
    present: tuple[str, ...]
    charts: tuple[ChartStep, ...]
    namespaces: tuple[str, ...]
    resources: tuple[OverviewResource, ...]
    dra_driver: str | None
