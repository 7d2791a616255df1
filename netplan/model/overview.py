"""What the person who applies the Kubernetes part needs to know: charts, order, namespaces, preconditions."""

from __future__ import annotations

from netplan.diagnostics import Path
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """What must exist before charts and objects are applied.

    ``program``: its name in ``cluster.present``, None for a setting of something that is there anyway.
    ``why``: what needs it. ``settings``: how it must be configured, empty for nothing special. ``stated``:
    the inventory says that it is there.
    """

    program: str | None
    name: str
    why: str
    settings: str = ""
    stated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Surplus:
    """A program that would be installed twice, or that nothing needs; ``why`` is a whole sentence."""

    at: Path
    why: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStep:
    """One Helm chart. ``values``: its file below ``kubernetes/``; ``version``: empty if not stated.

    ``after``: charts of this site to install before it; ``needs``: programs of ``cluster.present`` it
    requires. ``reason``: for its place in the order, empty if it has none. ``then``: a command to run after
    its installation, ``because`` of what.
    """

    chart: str
    namespace: str
    version: str
    values: str
    after: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    reason: str = ""
    then: str = ""
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceSecurity:
    """The lowest Pod Security level that a namespace's pods pass: privileged or baseline.

    ``by_memlock``: only IPC_LOCK keeps it from baseline.
    """

    namespace: str
    level: str
    why: str
    by_memlock: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChange:
    """What a change of ``what`` does to nodes, and to how many ``at_once``."""

    what: str
    effect: str
    at_once: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewResource:
    name: str
    plugin: str
    owner: str
    per_node: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """``facts``: (what, value, consequence) rows about the cluster. ``prerequisites``: what must exist
    already, ``surplus``: what exists needlessly. ``charts``: in order of installation.

    ``namespaces``: those of the objects, without those that every cluster has.
    """

    facts: tuple[tuple[str, str, str], ...]
    prerequisites: tuple[Prerequisite, ...]
    surplus: tuple[Surplus, ...]
    charts: tuple[ChartStep, ...]
    namespaces: tuple[str, ...]
    security: tuple[NamespaceSecurity, ...]
    changes: tuple[NodeChange, ...]
    resources: tuple[OverviewResource, ...]
    dra_driver: str | None
