"""NP692, NP758, NP760, NP761: references by name from one object to another."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.alternatives import judged
from netplan.graph.kubernetes.askers import Asker, askers
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph
from netplan.graph.kubernetes.misplaced import NEAR, Misplaced, misplaced
from netplan.graph.kubernetes.selections import NetworkSelection
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.alike import likeliest, same_words, unnumbered
from netplan.rules.kubernetes.homes import are_of_two_operators, is_refused
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_NUMBER = re.compile(r"\d")


def _asking(cluster: ObjectGraph) -> list[Asker]:
    return [asker for asker in askers(cluster) if asker.selections is not None and not asker.replaced]


@rule("NP692", "network not in the directory", on=_asking, severity=Severity.INFO)
def networks_elsewhere(cluster: ObjectGraph, asker: Asker) -> Iterator[ObjectFinding]:
    """Other networks of the namespace are in the directory, but not this one, nor one with a similar name.

    **Why.** It may be defined in another repository or created by hand. If it does not exist, the pod
    does not start.
    **Fix.** Add it to the directory, or use the name of a network that is there.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go (networks are looked up
    by namespace and name).
    """
    for selection, namespace in _unknown(cluster, asker):
        there = sorted(
            {n.name for n in cluster.networks if namespace is not None and n.namespace == namespace}
        )
        if there and not _network_hint(cluster, asker.thing, namespace, selection.name):
            message = f"network {namespace}/{selection.name} is not in the directory"
            yield ObjectFinding(
                asker.thing, selection.at, message, f"networks of that namespace: {', '.join(there[:8])}"
            )


def _unknown(cluster: ObjectGraph, asker: Asker) -> Iterator[tuple[NetworkSelection, str | None]]:
    """References to networks that are not here, each with its namespace, None where that is not final."""
    decided = asker.thing.runs or asker.thing.file in cluster.tree.renamed
    if decided or not cluster.once("final names", lambda: _are_final(cluster)):
        return
    there = _attached(asker)
    for selection in asker.selections or ():
        namespace = selection.namespace or asker.namespace
        if not cluster.named(namespace, selection.name) and f"{namespace}/{selection.name}" not in there:
            yield selection, namespace


_STATUS = ("k8s.v1.cni.cncf.io/network-status", "k8s.v1.cni.cncf.io/networks-status")


def _attached(asker: Asker) -> frozenset[str]:
    """Networks that Multus attached to a pod of a running cluster, as namespace/name
    (k8snetworkplumbingwg/multi-net-spec v1.3, 5.2: network status)."""
    texts = (asker.annotations.get(key) for key in _STATUS)
    return frozenset(name for text in texts for name in re.findall(r'"name":\s*"([^"]+)"', str(text)))


def _are_final(cluster: ObjectGraph) -> bool:
    """Whether no network name has placeholders, or is changed by a kustomization."""
    renamed = cluster.tree.renamed
    return not any(templated(each.name) or each.thing.file in renamed for each in cluster.networks)


@rule("NP758", "pod names a network that does not exist", on=_asking, between=True)
def networks_exist(cluster: ObjectGraph, asker: Asker) -> Iterator[ObjectFinding]:
    """Multus looks up a network by namespace and name; the default is the pod's namespace. Where several pods
    miss a network and one that no pod names has a similar name or another namespace, that one is named.

    **Why.** The pod does not start: cannot find a network-attachment-definition.
    **Fix.** Use namespace/name of an existing NAD, or create it in that namespace.
    **Source.** k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go;
    k8snetworkplumbingwg/multus-cni#337, #277.
    """
    for selection, namespace in _unknown(cluster, asker):
        where = f"{namespace}/{selection.name}" if namespace else selection.name
        hint = _network_hint(cluster, asker.thing, namespace, selection.name)
        strayed = misplaced(cluster).get((namespace, selection.name))
        if hint and strayed is not None:
            yield from (
                [_of_network(strayed, selection.name, namespace)] if strayed.askers[0] is asker else ()
            )
        elif hint:
            yield ObjectFinding(asker.thing, selection.at, f"network {where} is not in the directory", hint)


def _of_network(strayed: Misplaced, name: str, namespace: str | None) -> ObjectFinding:
    network, (first, *others) = strayed.network, strayed.askers
    noun = "pod" if all(each.pod for each in others) else "object"
    pods = f"{first.thing}{and_more(len(others), noun)}"
    if network.name == name:
        message = f"no pod uses it in {network.namespace}, but {pods} looks for it in {namespace}"
        hint = f"write {namespace}, or name {network} in the pods"
    else:
        message = f"no pod names it, but {pods} names {namespace}/{name}, which is not in the directory"
        hint = f"write {name}, or name {network.name} in the pods"
    return ObjectFinding(network.thing, strayed.at, message, hint)


def _network_hint(cluster: ObjectGraph, thing: Thing, namespace: str | None, name: str) -> str:
    """A hint; empty if the directory does not prove that the network is missing."""
    beside = _beside(cluster, thing)
    same = [n for n in beside if n.name == name]
    if same:
        return f"write {same[0]}, or create it in {namespace}"
    there = [n for n in beside if namespace is None or n.namespace in (None, namespace)]
    close = likeliest(name, (n.name for n in there), NEAR)
    if close and all(_is_meant(cluster, namespace, each, name) for each in close):
        return f"did you mean {_listed(close, [n.name for n in there])}?"
    known = ", ".join(sorted({n.name for n in there})[:8])
    return f"networks of that namespace: {known or 'none'}" if cluster.whole else ""


_LISTED = 8


def _listed(close: list[str], there: Iterable[str]) -> str:
    """Names of which any may be meant: of several that differ by their number, all of the series."""
    series = {unnumbered(each) for each in close} if len(close) > 1 else set()
    names = sorted({*close, *(each for each in there if unnumbered(each) in series)})
    more = [f"one of {len(names) - _LISTED} more"] if len(names) > _LISTED + 1 else []
    return " or ".join([*(names[:_LISTED] if more else names), *more])


def _beside(cluster: ObjectGraph, thing: Thing) -> list[Nad]:
    return [network for network in cluster.networks if cluster.beside(thing, network.thing)]


def _whole_namespace(cluster: ObjectGraph, namespace: str | None) -> bool:
    """Whether the networks of a namespace are here: some of them state it."""
    return cluster.whole or (
        namespace is not None and any(n.namespace == namespace for n in cluster.networks)
    )


def _is_meant(cluster: ObjectGraph, namespace: str | None, there: str, name: str) -> bool:
    """Whether another network was meant: in a namespace whose networks are here, one that no pod names; else
    one whose words are alike. One with another word (static, ipam-static) may be defined elsewhere. So may
    one with other numbers, but for such a namespace where a pod names both; and in any other, one that a pod
    names beside it with another number, or none."""
    if cluster.whole or (_whole_namespace(cluster, namespace) and there not in _named_by_pods(cluster)):
        return True
    if not _same_words(there, name):
        return False
    numbers = [re.findall(r"\d+", each) for each in (there, name)]
    both = any({there, name} <= names for names in _named_together(cluster))
    if _whole_namespace(cluster, namespace) and (both or numbers[0] == numbers[1]):
        return True
    of_series = both and unnumbered(there) == unnumbered(name)
    return not of_series and _is_single(cluster, there, name)


def _is_single(cluster: ObjectGraph, there: str, name: str) -> bool:
    """Whether neither name is of a series: one with a number of its own (net, net-v6) may be defined
    elsewhere, and so may the next member (rail1 after rail0), or the first one of those
    with numbers, of which others are elsewhere too."""
    numbered = bool(_NUMBER.search(name)) and not _NUMBER.search(there)
    first = unnumbered(there) == name and _has_more(cluster, there)
    return not numbered and not first and not _is_next(cluster, there, name)


def _has_more(cluster: ObjectGraph, there: str) -> bool:
    """Whether pods name a network that is not here, and differs by its number from one that is."""
    missing = _named_by_pods(cluster) - {network.name for network in cluster.networks}
    return any(unnumbered(each) == unnumbered(there) for each in missing if _NUMBER.search(each))


def _same_words(one: str, other: str) -> bool:
    """Whether two names have as many words, each of them alike; a single letter or a dash more is a slip."""
    if re.sub(r"[-_.]", "", one) == re.sub(r"[-_.]", "", other):
        return True
    words, others = sorted((_words(one), _words(other)), key=len)
    if len(words) < len(others):
        others = [word for word in others if len(word) > 1]
    return same_words(words, others)


def _words(name: str) -> list[str]:
    return [word for word in re.split(r"[-_.]", name) if not word.isdecimal()]


def _is_next(cluster: ObjectGraph, there: str, name: str) -> bool:
    """Whether a name is the next of a series (rail1 after rail0) whose other member is in use."""
    row = unnumbered(name) != name and unnumbered(name) == unnumbered(there)
    return row and there in _named_by_pods(cluster)


def _named_together(cluster: ObjectGraph) -> frozenset[frozenset[str]]:
    """Names of networks that one pod names, for each different annotation."""

    def make() -> frozenset[frozenset[str]]:
        return frozenset(frozenset(s.name for s in each.selections or ()) for each in askers(cluster))

    return cluster.once("networks that pods name together", make)


def _named_by_pods(cluster: ObjectGraph) -> frozenset[str]:
    return cluster.once("networks that pods name", lambda: frozenset[str]().union(*_named_together(cluster)))


@dataclass(frozen=True, slots=True)
class Identity:
    """What an API server identifies an object by, and the objects that share it."""

    name: str
    things: tuple[Thing, ...]


def identities(cluster: ObjectGraph) -> list[Identity]:
    """Identities of kinds that are checked here; in netplan's own tree, of all kinds."""
    found: dict[str, list[Thing]] = defaultdict(list)
    for thing in cluster.tree.things:
        if thing.name and (cluster.whole or judged(thing)) and not templated(thing.name):
            found[f"{thing.group} {thing}"].append(thing)
    return [Identity(name, tuple(things)) for name, things in found.items()]


@rule("NP760", "duplicate object", on=identities, severity=Severity.INFO)
def unique(cluster: ObjectGraph, identity: Identity) -> Iterator[ObjectFinding]:
    """Two different objects have the same kind, namespace and name.

    **Why.** The one applied last replaces the other. Even if they belong to two clusters, or only one of
    them is applied, rules across objects see them as one.
    **Fix.** Remove one; give each cluster its own directory and run `--rendered` on each.
    **Source.** kubernetes.io/docs/concepts/overview/working-with-objects/names.
    """
    first, *others = identity.things
    others = [other for other in others if cluster.whole or not _alike(other.body, first.body)]
    if others:
        more = f", and {len(others) - 1} more" if len(others) > 1 else ""
        content = ", with other content" if others[0].body != first.body else ""
        message = f"it is also at {first.source(('metadata', 'name'))}{more}{content}"
        hint = "remove one, or name the directory of one cluster"
        yield ObjectFinding(others[0], ("metadata", "name"), message, hint)


def _alike(one: Any, other: Any) -> bool:
    """Whether two values are equivalent; trailing white space of a text depends only on how its file ends."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, str) and isinstance(other, str):
        return one.rstrip() == other.rstrip()
    return bool(one == other)


def _operator_networks(cluster: ObjectGraph) -> list[Nad]:
    """NP755 tells those for which no NAD is generated."""
    generated = (n for n in cluster.networks if n.thing.kind != "NetworkAttachmentDefinition")
    return [n for n in generated if not is_refused(cluster, n.thing)]


@rule("NP761", "NAD with the name of a generated one", on=_operator_networks, between=True)
def two_owners(cluster: ObjectGraph, network: Nad) -> Iterator[ObjectFinding]:
    """An operator generates a NAD named like its object, but leaves alone a NAD it did not create. Of two
    folders of others that no kustomization joins it is a note: one may be without the operator. So it is of
    two objects in namespaces of two operators.

    **Why.** The described network never appears; pods get the other one.
    **Fix.** Remove one of the two, or rename it.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200
    controllers/generic_network_controller.go.
    """
    earlier = True
    for other in cluster.named(network.namespace, network.name) if network.namespace else ():
        earlier = earlier and other is not network
        same = other.namespace == network.namespace and not is_refused(cluster, other.thing)
        if not same or other is network or other.thing.owned or str(other.thing) == str(network.thing):
            continue
        if other.thing.kind == "NetworkAttachmentDefinition" or earlier:
            message = (
                f"it generates NAD {network}, which also exists as {other.thing} at {other.thing.source(())}"
            )
            hint, unsure = "remove or rename one of the two", not _is_one_setup(cluster, network, other)
            yield ObjectFinding(network.thing, ("metadata", "name"), message, hint, unsure=unsure)


def _is_one_setup(cluster: ObjectGraph, one: Nad, other: Nad) -> bool:
    """Whether both are applied: with the operator and without it are two ways to one network, in folders
    side by side; so are two operators."""
    if are_of_two_operators(cluster, one.thing, other.thing):
        return False
    upper, lower = sorted((posixpath.dirname(each.thing.file) for each in (one, other)), key=len)
    return cluster.joined(one.thing, other.thing) or not upper or f"{lower}/".startswith(f"{upper}/")
