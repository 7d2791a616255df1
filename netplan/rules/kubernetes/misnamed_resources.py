"""Which produced resource a name means that nothing produces, and which is misnamed where it is produced."""

from __future__ import annotations

import re
from collections.abc import Collection

from netplan.diagnostics import Path
from netplan.graph.kubernetes.attachments import pods_of
from netplan.graph.kubernetes.chart_values import resources_of_values
from netplan.graph.kubernetes.cluster import ANY, ObjectGraph, same_resource
from netplan.graph.kubernetes.producers import producers_of
from netplan.graph.kubernetes.sole_makers import MACVTAP
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass
from netplan.rules.kubernetes.alike import likeliest
from netplan.rules.kubernetes.wanted_resources import Want, wanted

_DIGITS = re.compile(r"\d+")


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
