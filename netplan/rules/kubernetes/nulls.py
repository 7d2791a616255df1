"""Required fields of Kubernetes' own workloads that are null, for NP752."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.reading.kubernetes.fields import FieldFault
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping

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


def _null(thing: Thing, at: Path) -> Iterator[FieldFault]:
    key = at[-1]
    around = mapping(inside(thing.body, at[:-1]))
    if key in around and around[key] is None:
        yield FieldFault(at, f"{key} is required and null", f"write {key}", missing=True)
