"""The networks annotation of a pod, as Multus reads it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from netplan.diagnostics import Path
from netplan.foreign.cluster import Pod
from netplan.foreign.objects import templated
from netplan.verify.naming import NETWORKS_ANNOTATION

_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?\Z")
_INTERFACE = re.compile(r"[^\s/:]{1,15}\Z")


@dataclass(frozen=True, slots=True)
class Selection:
    """One attachment; ``at`` is the place of the annotation, or of the element in its JSON."""

    at: Path
    namespace: str | None
    name: str
    interface: str | None
    default_route: bool = False


def annotation_at(pod: Pod) -> Path:
    return (*pod.path, "metadata", "annotations", NETWORKS_ANNOTATION)


def read_selections(at: Path, text: str) -> tuple[list[Selection], list[str]]:
    """The attachments and what is wrong with the text (facts, kubernetes 1.2)."""
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
        found.append(Selection(at, namespace or None, name, interface or None))
    return found, wrong


def _from_json(at: Path, text: str) -> tuple[list[Selection], list[str]]:
    try:
        elements: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        return [], [f"it is not JSON: {error}"]
    if not isinstance(elements, list):
        return [], ["it is JSON and no list"]
    found, wrong = [], []
    for index, e in enumerate(elements):
        if not isinstance(e, dict) or not isinstance(e.get("name"), str) or not e["name"]:
            wrong.append(f"element {index} has no name")
            continue
        interface = e.get("interface") or e.get("interfaceRequest")
        namespace = e.get("namespace")
        strings = all(value is None or isinstance(value, str) for value in (interface, namespace))
        if not strings:
            wrong.append(f"element {index}: namespace and interface are text")
            continue
        found.append(
            Selection((*at, index), namespace or None, e["name"], interface, bool(e.get("default-route")))
        )
    return found, wrong


def interface_problems(selections: list[Selection]) -> list[tuple[Path, str]]:
    out = []
    seen: dict[str, Selection] = {}
    for s in selections:
        if s.interface is None or templated(s.interface):
            continue
        if not _INTERFACE.match(s.interface) or s.interface in (".", ".."):
            out.append(
                (s.at, f"{s.interface!r} is no interface name: 1 to 15 characters without /, : and spaces")
            )
        elif s.interface in seen or s.interface in ("eth0", "lo"):
            other = seen[s.interface].name if s.interface in seen else "the pod network"
            out.append((s.at, f"interface {s.interface} is of {s.name} and of {other}"))
        seen.setdefault(s.interface, s)
    return out


def pod_selections(pod: Pod) -> list[Selection] | None:
    """None where the pod has no such annotation, or one that is not the final text."""
    text = pod.annotations.get(NETWORKS_ANNOTATION)
    if not isinstance(text, str) or not text.strip() or templated(text):
        return None
    return read_selections(annotation_at(pod), text)[0]
