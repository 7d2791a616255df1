"""Kubernetes objects as a walk reads them, whoever edited them: findings about them, and what of them is not
read.

The closed schemas know what netplan writes. A key or word outside them may have an effect, so it is reported
and the path is not proved. A value of the wrong type, which no consumer would take, is dropped. An object
with nothing left is refused: whatever needs it gives that as the reason (``netplan.trace.refused``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from ipaddress import ip_address, ip_interface
from itertools import islice
from typing import Any

from netplan.diagnostics import Path, Severity
from netplan.graph.kubernetes.cluster import NV_IPAM, NVIDIA, SPIDERPOOL, SRIOV, ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.producers import every_producer, nameless
from netplan.graph.qos import Proof
from netplan.model.artifact import Artifact
from netplan.model.ipams import ipam_named
from netplan.model.rulebook import BOOK
from netplan.printable import clipped
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.records import dataclass
from netplan.trace.chains.findings import CONTRADICTIONS, Findings, Judge, findings_of
from netplan.trace.chains.model import Doubt
from netplan.trace.chains.pods import pods_of
from netplan.trace.model import Fault, TraceError, Verdict
from netplan.trace.refused import Refused
from netplan.verify.read import Read, read
from netplan.verify.schemas import Refusal, json_path, refusals

_SOFT = frozenset(
    {"additionalProperties", "unevaluatedProperties", "maximum", "maxItems", "maxLength", "uniqueItems", ""}
)
"""Schema violations, by keyword, that trace can read all the same; without a keyword no schema is known."""
_WORDS = frozenset({"enum", "const"})
_ROUNDS = 8
"""Rounds of dropping: what is dropped may leave its parent incomplete, and so on."""
_MOST = 40


@dataclass(frozen=True, slots=True)
class Objects:
    """``odd``: sentences about what is not read, each beginning with its path. ``refused``: objects of
    which nothing is read. ``ruled``: findings by workload; those that concern all under the empty name."""

    read: Read
    odd: tuple[str, ...] = ()
    refused: tuple[Refused, ...] = ()
    ruled: Mapping[str, tuple[Fault, ...]] = field(default_factory=dict)


def objects_of(artifacts: Iterable[Artifact]) -> Objects:
    """Raises TraceError if a text is not valid YAML."""
    files = read([a for a in artifacts if a.path.startswith(("kubernetes/", "pods/"))])
    texts = [d for d in files.problems if d not in files.strange]
    if texts:
        more = f"; and {len(texts) - 1} more" if len(texts) > 1 else ""
        raise TraceError(f"{texts[0].message}{more}")
    cluster = cluster_of(files.tree, {}, whole=True)
    findings = _decisive(findings_of(cluster))
    ruled, told = _ruled(cluster, findings), _told(findings)
    odd = [f"{d.message}: it is not read" for d in files.strange]
    made = _made(cluster)
    settled = [(thing, _settled(thing, odd, made.get(id(thing), frozenset()))) for thing in files.tree.things]
    tree = replace(files.tree, things=tuple(thing for thing, refused in settled if refused is None))
    gone = tuple(refused for _, refused in settled if refused is not None)
    return Objects(replace(files, tree=tree), tuple(dict.fromkeys(odd)), gone, _once(ruled, told, gone))


def _made(cluster: ObjectGraph) -> Mapping[int, frozenset[str]]:
    """Object -> the resources it produces, without prefix; "" for a policy whose ``resourceName`` is null."""
    found: dict[int, set[str]] = {id(policy): {""} for policy in nameless(cluster)}
    for producer in every_producer(cluster):
        found.setdefault(id(producer.thing), set()).add(producer.resource.rpartition("/")[2])
    return {key: frozenset(names) for key, names in found.items()}


def _settled(thing: Thing, odd: list[str], made: frozenset[str]) -> Refused | None:
    """Why an object is refused, if nothing is left of it; else what is said about it goes to ``odd``."""
    soft = [_said(thing, place, f"{json_path(place)} is not valid JSON") for place in thing.faults]
    wrong: list[tuple[str, str]] = []
    lost: list[Path] = []
    left = False
    for _ in range(_ROUNDS):
        hard = []
        for refusal in [*islice(refusals(thing), _MOST), *misread(thing)]:
            words = f"{json_path(refusal.path)}: {refusal.message}"
            if _unread_ipam(refusal):
                continue
            if _readable(refusal):
                soft.append(_said(thing, refusal.path, f"{words}; trace does not know what it does"))
                continue
            hard.append(refusal.path)
            if not any(_is_below(path, refusal.path) for path in lost):
                wrong.append((words, _at(thing, refusal.path)))
        lost += hard
        left = not hard
        if left or not all(_left_out(thing, p) for p in sorted(set(hard), key=_place_in_text, reverse=True)):
            break
    odd += soft
    if left:
        odd += (clipped(f"{at}: {thing}: {words}; it is not read") for words, at in wrong)
        return None
    words, at = wrong[0]
    return Refused(thing, tuple(lost), clipped(f"{thing} is refused: {words} ({at})"), made)


def _is_below(path: Path, above: Path) -> bool:
    """Not of a path itself: the next row of a list has it once a row is left out."""
    return len(path) > len(above) and path[: len(above)] == above


def _place_in_text(path: Path) -> list[tuple[int, str]]:
    """Sorts the entries of a list by number: dropping the last one first leaves the numbers of the others."""
    return [(key, "") if isinstance(key, int) else (-1, str(key)) for key in path]


_NETWORKS = frozenset({"subnet", "cidr", "prefix", "dst", "address"})
_ADDRESSES = frozenset({"gateway", "gw", "startIP", "endIP", "range_start", "range_end"})
_OF_ADDRESSES = ("k8s.cni.cncf.io", NV_IPAM, SPIDERPOOL, SRIOV, NVIDIA)


def misread(thing: Thing) -> Iterator[Refusal]:
    """Texts that should be addresses and are not, in objects that carry addresses."""
    if thing.group in _OF_ADDRESSES:
        for place, value in ((("spec",), thing.spec), *thing.texts.items()):
            yield from _misread(value, place)


def _misread(value: Any, path: Path) -> Iterator[Refusal]:
    entries = value.items() if isinstance(value, dict) else enumerate(listing(value))
    for key, each in entries:
        if isinstance(each, dict | list):
            yield from _misread(each, (*path, key))
        elif isinstance(each, str) and each and (wrong := _no_address((*path, key), each)):
            yield Refusal((*path, key), wrong, "format", each)


def _no_address(path: Path, text: str) -> str:
    key = path[-1]
    try:
        if key in _NETWORKS or "exclude" in path:
            ip_interface(text)
        elif key == "range":
            ip_interface(text.rpartition("-")[2].strip())
        elif key in _ADDRESSES:
            ip_address(text)
    except ValueError as error:
        return str(error)
    return ""


def _said(thing: Thing, path: Path, text: str) -> str:
    return clipped(f"{_at(thing, path)}: {thing}: {text}")


def _at(thing: Thing, path: Path) -> str:
    source = thing.source(path)
    return f"{source.file}:{source.line}"


def _readable(refusal: Refusal) -> bool:
    if refusal.keyword in _WORDS:
        return any(type(refusal.value) is type(word) for word in refusal.wanted)
    return refusal.keyword in _SOFT


def _unread_ipam(refusal: Refusal) -> bool:
    """An IPAM without a schema, or without a key that has to be there: `netplan.trace.addresses` says of the
    networks of a pod what their IPAM does not state."""
    if refusal.path[-1:] != ("ipam",):
        return False
    unknown = not refusal.keyword and ipam_named(mapping(refusal.value).get("type")) is None
    return unknown or refusal.keyword == "required"


def _left_out(thing: Thing, path: Path) -> bool:
    """Drop the value at a path; false if that would be the whole object."""
    place = next((p for p in thing.texts if path[: len(p)] == p), None)
    if place is None:
        return _without(thing, thing.body, path)
    if path == place:
        del thing.texts[place]
        return True
    inner, key = _parent(thing.texts[place], path[len(place) :])
    if inner is not None:
        del inner[key]
    return True


def _without(thing: Thing, body: Any, path: Path) -> bool:
    if not path or path[0] in ("apiVersion", "kind") or path == ("metadata",):
        return False
    inner, key = _parent(body, path)
    if inner is not None:
        thing.places.drop(inner, key)
    return True


def _parent(value: Any, path: Path) -> tuple[Any, Any]:
    """The container of a path's last key, and that key; None if something above it is gone."""
    *way, last = path
    for key in way:
        if not _has(value, key):
            return None, None
        value = value[key]
    return (value, last) if _has(value, last) else (None, None)


def _has(value: Any, key: str | int) -> bool:
    if isinstance(value, dict):
        return key in value
    return isinstance(value, list) and isinstance(key, int) and key < len(value)


Ruled = Mapping[str, tuple[Fault, ...]]


def _told(findings: Findings) -> Mapping[int, list[tuple[Path, str]]]:
    """Object -> (path, sentence) of each finding about it."""
    return {key: [(f.at, _sentence(f.doubt())) for f in each] for key, each in findings.items()}


def _once(ruled: Ruled, told: Mapping[int, list[tuple[Path, str]]], refused: Iterable[Refused]) -> Ruled:
    """A finding about what is refused is told as the refusal: both have one cause."""
    known = {
        sentence: each.text
        for each in refused
        for path, sentence in told.get(id(each.thing), ())
        if each.covers(path)
    }
    return {
        name: tuple(dict.fromkeys(Fault(f.verdict, known.get(f.text, f.text)) for f in faults))
        for name, faults in ruled.items()
    }


def _ruled(cluster: ObjectGraph, findings: Findings) -> Ruled:
    """Findings about objects that a workload's pods depend on; those about objects of no pod concern
    everybody."""
    judge = Judge(findings)
    found: dict[str, list[Fault]] = {}
    for pod in pods_of(cluster):
        top, _, rest = pod.pod.thing.file.partition("/")
        if top == "pods" and pod.pod.thing.kind != "PodRails":
            others = [p.path for p in cluster.pods if p.thing is pod.pod.thing and p is not pod.pod]
            faults = _faults(judge.judged(pod, others).doubts, rest.endswith("/pod.yaml"))
            found.setdefault(rest.partition("/")[0], []).extend(faults)
    found[""] = list(_of_all(cluster, findings))
    return {name: tuple(dict.fromkeys(faults)) for name, faults in found.items()}


_OF_PACKETS = frozenset({"NP426"})
"""Notes on other packets that a job sends."""


def _decisive(findings: Findings) -> Findings:
    """Without notes, which may describe an intention, unless two values contradict each other."""

    def counts(code: str) -> bool:
        return BOOK[code].severity >= Severity.WARNING or code in CONTRADICTIONS | _OF_PACKETS

    return {key: [f for f in each if counts(f.code)] for key, each in findings.items()}


_ONE_OF_TWO = frozenset({"NP755"})
"""Errors that say that one of two objects is wrong, but not which one."""


def _faults(doubts: Sequence[Doubt], own: bool) -> Iterator[Fault]:
    """``own``: of the pod that is walked, not of a test job beside it."""
    for doubt in doubts:
        if doubt.code:
            refuted = own and doubt.proof is Proof.REFUTED and doubt.code not in _ONE_OF_TWO
            yield Fault(Verdict.LOST if refuted else Verdict.UNPROVED, _sentence(doubt))


def _sentence(doubt: Doubt) -> str:
    return f"{doubt.text} ({doubt.place}, {doubt.code})"


_OF_A_POD = frozenset(
    {
        *("PodRails", "NetworkAttachmentDefinition", "SpiderMultusConfig", "ConfigMap"),
        *("SriovNetwork", "SriovIBNetwork", "OVSNetwork", "SriovNetworkNodePolicy"),
        *("HostDeviceNetwork", "MacvlanNetwork", "IPoIBNetwork", "IPPool", "CIDRPool", "SpiderIPPool"),
    }
)
"""Kinds of objects that matter only to the pods that use them."""


def _of_all(cluster: ObjectGraph, findings: Findings) -> Iterator[Fault]:
    pods = {id(pod.thing) for pod in cluster.pods}
    for thing in (*cluster.tree.things, *cluster.tree.values):
        if id(thing) not in pods and thing.kind not in _OF_A_POD and thing.file.startswith("kubernetes/"):
            doubts = [found.doubt() for found in findings.get(id(thing), ())]
            yield from _faults(doubts, own=False)
