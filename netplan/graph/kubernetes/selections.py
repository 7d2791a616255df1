"""The networks annotation of a pod, as Multus reads it."""

from __future__ import annotations

import difflib
import re
from ipaddress import ip_interface
from typing import Any

from netplan import json_text
from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Pod
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z")
_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]*[a-z0-9])?\Z")
"""A name of an object: RFC 1123 (kubernetes.io/docs/concepts/overview/working-with-objects/names)."""
_NEAR = 0.9
"""Similarity ratio from which a key is taken for a misspelt networks annotation."""
_OTHER_KEY = re.compile(r"[a-z0-9.-]*\bcni\.cncf\.io/networks?\Z", re.IGNORECASE)
_INTERFACE = re.compile(r"[^\s/:]{1,15}\Z")


@dataclass(frozen=True, slots=True)
class NetworkSelection:
    """One attachment; ``at`` is the place of the annotation, or of its JSON element. ``more``: keys of
    the element that request something else; ``ips``, ``macs``: addresses it asks for."""

    at: Path
    namespace: str | None
    name: str
    interface: str | None
    default_route: bool = False
    more: tuple[str, ...] = ()
    ips: tuple[str, ...] = ()
    macs: tuple[str, ...] = ()


def annotation_at(pod: Pod) -> Path:
    return (*pod.path, "metadata", "annotations", NETWORKS_ANNOTATION)


def read_selections(at: Path, text: str) -> tuple[list[NetworkSelection], list[str]]:
    """The attachments, and what is wrong with the text (k8snetworkplumbingwg/multus-cni v4.3.0
    pkg/k8sclient/k8sclient.go, parsePodNetworkAnnotation)."""
    if any(mark in text for mark in '[{"'):
        return _from_json(at, text)
    found, wrong = [], []
    for element in text.split(","):
        head, mark, interface = element.strip().partition("@")
        namespace, slash, name = head.rpartition("/")
        bad = not _LABEL.match(name) or (slash and not _LABEL.match(namespace)) or "@" in interface
        if bad or (mark and not interface):
            wrong.append(f"{element.strip()!r} is not namespace/name@interface in lower case")
            continue
        found.append(NetworkSelection(at, namespace or None, name, interface or None))
    return found, wrong


_PLAIN = ("name", "namespace", "interface", "interfaceRequest")


def _from_json(at: Path, text: str) -> tuple[list[NetworkSelection], list[str]]:
    try:
        elements: Any = json_text.loads(text)
    except (ValueError, RecursionError) as error:
        return [], [f"it is not JSON: {error}"]
    if not isinstance(elements, list):
        return [], ["it is JSON but not a list"]
    found, wrong = [], []
    for index, e in enumerate(elements):
        problem = _problem(e)
        if problem:
            wrong.append(f"element {index}{problem}")
            continue
        more = tuple(str(key) for key, value in e.items() if key not in _PLAIN and value)
        routed = bool(e.get("default-route"))
        interface = e.get("interface") or e.get("interfaceRequest")
        own = (*at, index), e.get("namespace") or None, e["name"], interface
        macs = _texts([e.get(key) for key in _MACS if e.get(key)])
        found.append(NetworkSelection(*own, routed, more, _texts(e.get("ips")), macs))
    return found, wrong


def _problem(element: Any) -> str:
    """JSON names are looked up as they are; only the short form is split at the slash."""
    name = element.get("name") if isinstance(element, dict) else None
    if not isinstance(name, str) or not name:
        return " has no name"
    interface = element.get("interface") or element.get("interfaceRequest")
    if not all(value is None or isinstance(value, str) for value in (interface, element.get("namespace"))):
        return ": namespace and interface are text"
    if not isinstance(element.get("ips"), list | None):
        return ": ips is not a list of addresses"
    if _NAME.match(name) or templated(name):
        return ""
    space, slash, rest = name.rpartition("/")
    if slash:
        return f': JSON has no namespace/name, write "namespace": "{space}", "name": "{rest}"'
    return f": {name!r} is not a name in lower case"


_MACS = ("mac", "infiniband-guid")
_MAC = re.compile(r"[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}(?:(?:[:-][0-9a-f]{2}){2})?\Z", re.IGNORECASE)
"""Addresses of 6 or 8 bytes, as Go's net.ParseMAC reads them."""


def mac_problems(selections: list[NetworkSelection]) -> list[tuple[Path, str]]:
    """What Multus refuses (k8snetworkplumbingwg/multus-cni 95a0932 pkg/k8sclient/k8sclient.go,
    parsePodNetworkAnnotation); an address with dots is left to it."""
    stated = ((s.at, text) for s in selections for text in s.macs if "." not in text and not templated(text))
    wrong = [(at, text, _wrong_mac(text)) for at, text in stated]
    return [(at, f"{text!r} is {what}") for at, text, what in wrong if what]


def _wrong_mac(text: str) -> str:
    """What is wrong; empty if nothing. An interface takes no group address (Linux
    include/linux/etherdevice.h, is_valid_ether_addr)."""
    if not _MAC.match(text):
        return "no MAC address or GUID"
    octets = re.split("[:-]", text)
    group = len(octets) == 6 and int(octets[0], 16) & 1
    return "a multicast address, which no interface can have" if group else ""


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in listing(value) if isinstance(each, str))


def address_problems(selections: list[NetworkSelection]) -> list[tuple[Path, str]]:
    """Texts of ``ips`` that are neither an address nor one with a prefix length."""
    stated = ((s.at, text) for s in selections for text in s.ips if not templated(text))
    return [(at, f"{text!r} in ips is not an address") for at, text in stated if not _is_address(text)]


def _is_address(text: str) -> bool:
    try:
        ip_interface(text)
    except ValueError:
        return False
    return True


def interface_problems(selections: list[NetworkSelection]) -> list[tuple[Path, str]]:
    out = []
    seen: dict[str, NetworkSelection] = {}
    for s in selections:
        if s.interface is None or templated(s.interface):
            continue
        if not _INTERFACE.match(s.interface) or s.interface in (".", ".."):
            out.append(
                (
                    s.at,
                    f"{s.interface!r} is not an interface name: 1 to 15 characters without /, : and spaces",
                )
            )
        elif s.interface in seen or s.interface in ("eth0", "lo"):
            other = seen[s.interface].name if s.interface in seen else "the pod network"
            out.append((s.at, f"interface {s.interface} is of {s.name} and of {other}"))
        seen.setdefault(s.interface, s)
    return out


_STAND_IN = re.compile(
    r"""(?:\A|,)\s*(?:[\w-]+/)?[A-Z][A-Z0-9_-]+(?=\s*(?:[/@,]|\Z))|"name(?:space)?"\s*:\s*"[A-Z][A-Z0-9_-]+\""""
)
"""A name in capitals, which no object has: somebody has still to write it."""


def pod_selections(pod: Pod) -> list[NetworkSelection] | None:
    """None if the pod has no such annotation, or its text is not final."""
    return selections_in(annotation_at(pod), pod.annotations.get(NETWORKS_ANNOTATION))


def selections_in(at: Path, text: Any) -> list[NetworkSelection] | None:
    """None if there is no text, or it is not final."""
    if not isinstance(text, str) or not text.strip() or templated(text) or _STAND_IN.search(text):
        return None
    return read_selections(at, text)[0]


KEEP_THEIRS = frozenset(
    {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "JobSet", "LeaderWorkerSet"}
)
"""Kinds whose controllers do not copy this annotation from the object, or an intermediate level, to the
pods."""


def _has_more(key: str) -> bool:
    """Whether a key has the word and more, such as `mynetworks` of a Multus that was built for it."""
    _, slash, name = key.rpartition("/")
    return bool(slash) and "networks" in name and name != "networks"


def _is_off(key: str) -> bool:
    """Whether something stands before the right key (x-k8s.v1...), to switch it off; a doubled letter is a
    slip."""
    return key.endswith(NETWORKS_ANNOTATION) and key.removesuffix(NETWORKS_ANNOTATION) != "k"


def meant_key(annotations: dict[str, Any]) -> str | None:
    """A key that nearly spells the networks annotation; ``networks-status`` is Multus's own."""
    if NETWORKS_ANNOTATION in annotations:
        return None
    keys = [k for k in annotations if not k.endswith("-status") and not _has_more(k) and not _is_off(k)]
    other = next((key for key in keys if _OTHER_KEY.match(key)), None)
    return other or next(iter(difflib.get_close_matches(NETWORKS_ANNOTATION, keys, cutoff=_NEAR)), None)


def networks_text(pod: Pod) -> Any:
    """Value of the annotation; a misspelt key that NP747 reports counts as the one that was meant."""
    if NETWORKS_ANNOTATION in pod.annotations:
        return pod.annotations[NETWORKS_ANNOTATION]
    key = meant_key(pod.annotations)
    if key is not None:
        return pod.annotations[key]
    if pod.thing.kind in KEEP_THEIRS:
        above = (
            mapping(inside(pod.thing.body, (*pod.path[:n], "metadata", "annotations")))
            for n in range(len(pod.path))
        )
        return next((a[NETWORKS_ANNOTATION] for a in above if NETWORKS_ANNOTATION in a), None)
    return None


def opted_out(pod: Pod) -> bool:
    """Whether the annotation is explicitly empty, so that Multus attaches nothing."""
    text = pod.annotations.get(NETWORKS_ANNOTATION)
    return NETWORKS_ANNOTATION in pod.annotations and (text is None or text == "" or text == "[]")
