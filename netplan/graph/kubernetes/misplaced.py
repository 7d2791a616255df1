"""Networks that nobody names, where pods name one that is missing: the network is at fault, not each pod."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from netplan.diagnostics import Path
from netplan.graph.kubernetes.askers import Asker, askers
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.records import dataclass

Missing = tuple[str | None, str]
"""Namespace and name under which pods look for a network."""


NEAR = 0.7
"""Similarity of names from which one is taken for the other misspelt."""
_DIGITS = re.compile(r"\d+")
"""rail1 is not a misspelt rail0."""


@dataclass(frozen=True, slots=True)
class Misplaced:
    """A network, and who means it but names another; ``at``: the key that is wrong."""

    network: Nad
    at: Path
    askers: list[Asker]


def misplaced(cluster: ObjectGraph) -> dict[Missing, Misplaced]:
    return cluster.once("misplaced", lambda: _misplaced(cluster))


def _misplaced(cluster: ObjectGraph) -> dict[Missing, Misplaced]:
    missing, named = _names(cluster)
    free = [n for n in cluster.networks if n.namespace and id(n) not in named]
    found: dict[Missing, Misplaced] = {}
    for (namespace, name), those in missing.items() if free else ():
        meant = _meant(cluster, free, namespace, name) if namespace else None
        if meant is not None and (len(those) > 1 or _stray(cluster, meant, namespace)):
            found[namespace, name] = Misplaced(meant, _wrong_key(meant, name), those)
    return found


def _names(cluster: ObjectGraph) -> tuple[dict[Missing, list[Asker]], set[int]]:
    """The names of networks that are not here with those that use them, and the networks in use."""
    missing: dict[Missing, dict[int, Asker]] = {}
    named: set[int] = set()
    for asker in askers(cluster):
        for selection in asker.selections or () if not asker.replaced else ():
            key = selection.namespace or asker.namespace, selection.name
            there = cluster.named(*key)
            named.update(map(id, there))
            if not there:
                missing.setdefault(key, {})[id(asker)] = asker
    return {key: [*those.values()] for key, those in missing.items()}, named


def _wrong_key(network: Nad, name: str) -> Path:
    if network.name != name:
        return ("metadata", "name")
    return (
        ("spec", "networkNamespace")
        if "networkNamespace" in network.thing.spec
        else ("metadata", "namespace")
    )


def _meant(cluster: ObjectGraph, free: list[Nad], namespace: str, name: str) -> Nad | None:
    """The only network that no pod names and that has this name elsewhere, where no pod is, else a similar
    name in this namespace; None if another network has the name too."""
    same = [network for network in cluster.networks if network.name == name]
    if same:
        moved = (n for n in same if n in free and not _inhabited(cluster, n.namespace))
        return _only(n for n in moved if _states_its_namespace(n))
    here = [n for n in free if n.namespace == namespace and _DIGITS.sub("", n.name) != _DIGITS.sub("", name)]
    close = difflib.get_close_matches(name, [network.name for network in here], n=2, cutoff=NEAR)
    return _only(network for network in here if network.name in close)


def _states_its_namespace(network: Nad) -> bool:
    """Not where a kustomization gives it: the network cannot be moved by its own text."""
    stated = network.thing.metadata.get("namespace"), network.thing.spec.get("networkNamespace")
    return network.namespace in stated or network.thing.kind != "NetworkAttachmentDefinition"


def _only(found: Iterable[Nad]) -> Nad | None:
    networks = [*found]
    return networks[0] if len({str(network) for network in networks}) == 1 else None


def _inhabited(cluster: ObjectGraph, namespace: str | None) -> bool:
    spaces = cluster.once("namespaces of pods", lambda: _spaces(cluster))
    return namespace in spaces or None in spaces


def _spaces(cluster: ObjectGraph) -> set[str | None]:
    """Those of pods, None if that of one is not known, and of what else asks for networks."""
    others = {asker.namespace for asker in askers(cluster) if asker.pod is None}
    return {pod.thing.namespace for pod in cluster.pods} | (others - {None})


def _stray(cluster: ObjectGraph, network: Nad, namespace: str | None) -> bool:
    """Whether the pods' namespace is an object of the directory, and that of the network is not."""
    spaces = {thing.name for thing in cluster.of("", "Namespace")}
    return namespace in spaces and network.namespace not in spaces
