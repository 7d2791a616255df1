"""Required fields of Kubernetes' own workloads and claims that are null or absent, for NP752."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, dotted
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import final, templated

_APPS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
_TEMPLATE: Path = ("spec", "template")
_REQUIRED: dict[tuple[str, str], tuple[Path, ...]] = {
    **{("apps", kind): (("spec", "selector"), _TEMPLATE) for kind in _APPS},
    ("batch", "Job"): (_TEMPLATE,),
    ("batch", "CronJob"): (
        ("spec", "schedule"),
        ("spec", "jobTemplate"),
        ("spec", "jobTemplate", "spec", "template"),
    ),
    ("", "Pod"): (("spec",),),
}
"""Kind -> its required fields; the last is the pod template, or the spec of a pod."""


def null_fields(thing: Thing) -> Iterator[FieldFault]:
    """Only what is stated as null: a field that is absent may come from elsewhere."""
    places = _REQUIRED.get((thing.group, thing.kind), ())
    for at in places:
        yield from _null(thing, at)
    if not places:
        return
    pod: Path = places[-1] if thing.kind == "Pod" else (*places[-1], "spec")
    yield from _null(thing, (*pod, "containers"))
    for key in ("containers", "initContainers"):
        for index, _ in enumerate(listing(inside(thing.body, (*pod, key)))):
            for name in ("name", "image"):
                yield from _null(thing, (*pod, key, index, name))


_CLASS = "deviceClassName"
_EXACTLY = frozenset({"v1", "v1beta2"})
"""Versions in which a request states its class below `exactly`, or in each row of `firstAvailable`; v1beta1
and v1alpha3 have it in the request itself."""


def requests_without_class(thing: Thing) -> Iterator[FieldFault]:
    """Requests of a claim or template that say no class of devices: the API server refuses the object
    (kubernetes/kubernetes pkg/apis/resource/validation/validation.go, validateDeviceRequest)."""
    version = thing.api_version.rpartition("/")[2]
    for at, request in _requests(thing):
        if final(request):
            yield from _without_class(at, request, version in _EXACTLY)


def _requests(thing: Thing) -> Iterator[tuple[Path, dict[str, Any]]]:
    own: Path = ("spec", "spec") if thing.kind == "ResourceClaimTemplate" else ("spec",)
    if thing.group != "resource.k8s.io" or thing.kind not in ("ResourceClaim", "ResourceClaimTemplate"):
        return
    place: Path = (*own, "devices", "requests")
    for index, request in enumerate(listing(inside(thing.body, place))):
        if isinstance(request, dict):
            yield (*place, index), request


_MODES = ("ExactCount", "All")


def wrong_modes(thing: Thing) -> Iterator[FieldFault]:
    """Of requests, or of what stands below them (kubernetes/kubernetes pkg/apis/resource/types.go,
    DeviceAllocationMode; validation.go, validateDeviceAllocationMode)."""
    for at, request in _requests(thing):
        below: list[tuple[Path, Any]] = [((), request), (("exactly",), request.get("exactly"))]
        below += [(("firstAvailable", i), r) for i, r in enumerate(listing(request.get("firstAvailable")))]
        for inner, row in below:
            mode = mapping(row).get("allocationMode")
            if isinstance(mode, str) and mode not in ("", *_MODES) and not templated(mode):
                place = (*at, *inner, "allocationMode")
                message = f'{dotted(place)} is "{mode}", not one of {", ".join(_MODES)}'
                yield FieldFault(place, message, "write one of these")


def _without_class(at: Path, request: dict[str, Any], exactly: bool) -> Iterator[FieldFault]:
    if isinstance(request.get("firstAvailable"), list):
        return
    if exactly and not isinstance(request.get("exactly"), dict):
        key = "exactly" if "exactly" in request else _CLASS
        hint = (
            f"write it below exactly, with {_CLASS}" if _CLASS in request else f"write exactly, with {_CLASS}"
        )
        message = f"request {request.get('name')} has neither exactly nor firstAvailable"
        yield FieldFault((*at, key), message, hint, missing=True)
        return
    inner, place = (request["exactly"], (*at, "exactly")) if exactly else (request, at)
    if not inner.get(_CLASS):
        near = next(iter(difflib.get_close_matches(_CLASS, [*map(str, inner)], 1, 0.75)), "")
        hint = f"write {_CLASS} for {near}" if near else f"write {_CLASS}"
        if not exactly and "exactly" in request:
            hint = "leave out exactly, which this version does not have, or write v1"
        yield FieldFault((*place, near or _CLASS), f"{_CLASS} is required and missing", hint, missing=True)


_COMMENT = re.compile(r":\s+#")


def _line(thing: Thing, at: Path) -> str:
    return thing.places.sources.line(thing.source(at))


def _null(thing: Thing, at: Path) -> Iterator[FieldFault]:
    """Not where a comment behind the key says what to write."""
    key = at[-1]
    around = mapping(inside(thing.body, at[:-1]))
    if key in around and around[key] is None and not _COMMENT.search(_line(thing, at)):
        yield FieldFault(at, f"{key} is required and null", f"write {key}", missing=True)
