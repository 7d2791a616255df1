"""What the person who applies the Kubernetes part has to know: charts, order, namespaces, preconditions."""

from __future__ import annotations

from netplan.diagnostics import Path
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Prerequisite:
    """What must be there before the charts and objects are applied.

    ``program``: its name in ``cluster.present``, None for a setting of something that is there anyway.
    ``why``: what needs it. ``settings``: how it must be set up, empty for nothing special. ``stated``: the
    inventory says that it is there.
    """

    program: str | None
    name: str
    why: str
    settings: str = ""
    stated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Surplus:
    """A program that is to come from two sides, or that nothing needs; ``why`` is a whole sentence."""

    at: Path
    why: str
    hint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartStep:
    """One Helm chart: ``values`` is its file below ``kubernetes/``; ``version`` is empty when none is
    stated.

    ``after``: charts of this site that must be installed before; ``needs``: programs of ``cluster.present``
    that must be there. ``reason``: of this place in the order, empty where it has none. ``then``: a command
    to run once it is installed, ``because`` of what.
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
    """The lowest Pod Security level whose checks a namespace's pods pass: privileged or baseline.

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
    """``facts``: (what, value, what follows) rows about the cluster. ``prerequisites``: what must be there
    already, ``surplus`` what is there in vain. ``charts``: in the order of installation.

    ``namespaces``: those objects are created in, without those that every cluster has.
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
