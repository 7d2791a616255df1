"""NP427, NP764: amounts of devices and huge pages that a container requests."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Severity
from netplan.graph.kubernetes.cluster import ObjectGraph, quantities
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.pods import Asking, asking, is_device
from netplan.rules.kubernetes.registry import ObjectFinding, rule


def _proposed(cluster: ObjectGraph) -> list[Asking]:
    """Those that no API server has taken yet."""
    return [each for each in asking(cluster) if not each.pod.thing.live]


@rule("NP764", "invalid amount of devices", on=_proposed)
def amounts(_: ObjectGraph, asked: Asking) -> Iterator[ObjectFinding]:
    """Extended resources are requested in whole numbers, in the limits; requests, if any, must be equal.
    The same holds for huge pages, in bytes: a multiple of the page size. Of a container with such resources
    every amount has to be a quantity: a number, perhaps with a unit.

    **Why.** The API server rejects the pod.
    **Fix.** State the amount in the limits; leave the requests out, or make them equal.
    **Source.** kubernetes.io/docs/concepts/configuration/manage-resources-containers, extended resources;
    kubernetes pkg/apis/core/validation/validation.go (ValidateResourceRequirements: huge pages),
    78fc8e44 pkg/apis/core/helper/helpers.go (IsHugePageResourceValueDivisible),
    staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go.
    """
    limits, requests = quantities(asked.container, "limits"), quantities(asked.container, "requests")
    broken = list(_no_quantities(asked))
    yield from broken
    told = {finding.at[-1] for finding in broken}
    for name in dict.fromkeys([*limits, *requests]):
        limit, request = limits.get(name), requests.get(name)
        if name in told or not is_device(name) or not _is_final(name, limit, request):
            continue
        part = "limits" if name in limits else "requests"
        at = (*asked.at, "resources", part, name)
        thing = asked.pod.thing
        if name not in limits:
            yield ObjectFinding(
                thing, at, f"{name} is in the requests but not in the limits", "state it in the limits"
            )
        elif not _of_whole_pages(name, limit):
            yield ObjectFinding(
                thing, at, f"{limit} of {name} is not a multiple of the page size", "write a multiple"
            )
        elif "/" in name and not _whole(limit):
            yield ObjectFinding(thing, at, f"{limit} of {name} is not a whole number", "write a whole number")
        elif name in requests and _differ(name, str(request), str(limit)):
            message = f"requests have {request} of {name}, limits {limit}"
            yield ObjectFinding(
                thing, (*asked.at, "resources", "requests", name), message, "make the two equal"
            )


def _is_final(name: str, *amounts: Any) -> bool:
    return "${" not in name and "{{" not in name and not any(map(templated, amounts))


_NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_QUANTITY = re.compile(rf"{_NUMBER}(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?\Z")
"""kubernetes/kubernetes 78fc8e44 staging/src/k8s.io/apimachinery/pkg/api/resource/quantity.go
(quantityExpression)."""


def _no_quantities(asked: Asking) -> Iterator[ObjectFinding]:
    """Of every resource of the container; a word in place of a number is somebody's to fill in."""
    for part in ("requests", "limits"):
        for name, amount in quantities(asked.container, part).items():
            text = str(amount).strip()
            if re.match(r"[+-]?\.?\d", text) and not templated(amount) and not _QUANTITY.match(text):
                at = (*asked.at, "resources", part, name)
                message = f"{text!r} in the {part} is no quantity of {name}"
                yield ObjectFinding(asked.pod.thing, at, message, "write a number, with a unit if it has one")


@rule("NP427", "huge pages without cpu or memory", on=_proposed, severity=Severity.WARNING)
def huge_pages_alone(cluster: ObjectGraph, asked: Asking) -> Iterator[ObjectFinding]:
    """A container that requests huge pages must also request cpu or memory.

    **Why.** The API server refuses it: "HugePages require cpu or memory", unless a LimitRange adds one.
    **Fix.** State cpu or memory in the same container.
    **Source.** kubernetes pkg/apis/core/validation/validation.go (ValidateResourceRequirements).
    """
    stated = {
        name: part
        for part in ("requests", "limits")
        for name, amount in quantities(asked.container, part).items()
        if amount is not None  # a patch that removes it
    }
    huge = next((n for n in stated if n.startswith("hugepages-")), None)
    if huge is not None and not {"cpu", "memory"} & set(stated) and not cluster.of("", "LimitRange"):
        message = f"{asked} requests {huge}, but neither cpu nor memory"
        at = (*asked.at, "resources", stated[huge], huge)
        yield ObjectFinding(asked.pod.thing, at, message, "state cpu or memory in the same container")


def _differ(name: str, request: str, limit: str) -> bool:
    """Whether amounts differ; amounts of memory in different units are left to the API server."""
    unit = (request.lstrip("0123456789.") == limit.lstrip("0123456789.")) or "/" in name
    return unit and request != limit


_SIZE = re.compile(r"(\d{1,12})([kMGTP]?i?)\Z")
_POWERS = {"k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def _of_whole_pages(name: str, amount: Any) -> bool:
    """Whether an amount of huge pages is a multiple of the page size, as far as both can be read."""
    page, size = _bytes(name.removeprefix("hugepages-")), _bytes(str(amount))
    return not name.startswith("hugepages-") or not page or size is None or size % page == 0


def _bytes(text: str) -> int | None:
    match = _SIZE.match(text)
    if match is None:
        return None
    number = int(match[1])
    unit = match[2]
    base = 1024 if unit.endswith("i") else 1000
    for _ in range(_POWERS.get(unit[:1], 0)):
        number *= base
    return number


def _whole(amount: Any) -> bool:
    """Whether an amount is a whole number; ``"1k"`` and ``"1e1"`` are too, but are left to the API server."""
    text = str(amount)
    return not isinstance(amount, bool) and (text.isdecimal() or text[-1:].isalpha() or "e" in text.lower())
