"""Who asks Multus for networks: pods, annotations of pods in the values of a chart, virtual machines."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.attachments import PodInterface, attachments_of, interfaces
from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Nad, ObjectGraph, Pod
from netplan.graph.kubernetes.selections import (
    NetworkSelection,
    annotation_at,
    pod_selections,
    selections_in,
)
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

_HELM: Mapping[tuple[str, str], tuple[Path, ...]] = {
    ("helm.toolkit.fluxcd.io", "HelmRelease"): (("spec", "values"),),
    ("helm.cattle.io", "HelmChart"): (("spec", "valuesContent"),),
    ("helm.cattle.io", "HelmChartConfig"): (("spec", "valuesContent"),),
    ("argoproj.io", "Application"): (("spec",),),
    ("argoproj.io", "ApplicationSet"): (("spec", "template", "spec"),),
}
"""Where the values of a chart are: a map, or the text of one; of Argo CD below ``source`` or ``sources``."""
_TARGETS: tuple[Path, ...] = (
    ("spec", "targetNamespace"),
    ("spec", "destination", "namespace"),
    ("spec", "template", "spec", "destination", "namespace"),
)
MACHINES: Mapping[str, Path] = {
    "VirtualMachine": ("spec", "template"),
    "VirtualMachineInstance": (),
    "VirtualMachineInstanceReplicaSet": ("spec", "template"),
    "VirtualMachinePool": ("spec", "virtualMachineTemplate", "spec", "template"),
}
"""Where a VirtualMachineInstance is described in these kinds of kubevirt.io."""
KUBEVIRT = "kubevirt.io"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asker:
    """``at``: of the annotations, or of the networks of a virtual machine. ``namespace``: of its pods.
    ``pod``: None where the pod is made of it elsewhere. ``selections``: None where their text is not final.
    ``replaced``: KubeVirt writes the annotation itself, from the networks of the machine."""

    thing: Thing
    at: Path
    namespace: str | None
    annotations: Mapping[str, Any]
    selections: list[NetworkSelection] | None
    pod: Pod | None = None
    replaced: bool = False

    @property
    def text(self) -> Any:
        return self.annotations.get(NETWORKS_ANNOTATION)


def askers(cluster: ObjectGraph) -> tuple[Asker, ...]:
    return cluster.once("askers", lambda: (*_pods(cluster), *_others(cluster)))


def interfaces_of(cluster: ObjectGraph, asker: Asker) -> tuple[PodInterface, ...]:
    """What Multus adds to the pod; one that a chart or KubeVirt makes is here without a template."""
    if asker.pod is not None:
        return attachments_of(cluster, asker.pod)
    if asker.replaced or not asker.selections:
        return ()
    made = Pod(thing=asker.thing, path=asker.at, template={}, replicas=None)
    key = ("interfaces", id(asker))
    return cluster.once(
        key, lambda: tuple(interfaces(cluster, made, asker.namespace, asker.selections or ()))
    )


def interfaces_on(cluster: ObjectGraph, network: Nad) -> list[PodInterface]:
    """Interfaces that may be of the network."""

    def make() -> dict[int, list[PodInterface]]:
        found: dict[int, list[PodInterface]] = {}
        for each in (each for asker in askers(cluster) for each in interfaces_of(cluster, asker)):
            for named in each.networks:
                found.setdefault(id(named), []).append(each)
        return found

    return cluster.once("interfaces by network", make).get(id(network), [])


def _pods(cluster: ObjectGraph) -> Iterator[Asker]:
    for pod in cluster.pods:
        yield Asker(
            thing=pod.thing,
            at=annotation_at(pod)[:-1],
            namespace=pod.thing.namespace,
            annotations=pod.annotations,
            selections=pod_selections(pod),
            pod=pod,
        )


def _others(cluster: ObjectGraph) -> Iterator[Asker]:
    for (group, kind), places in _HELM.items():
        for thing in cluster.of(group, kind):
            for at, values in _values(thing, places):
                yield from _in_values(thing, _target(thing), at, values)
    for values in cluster.tree.values:
        if posixpath.join(posixpath.dirname(values.file), "Chart.yaml") not in cluster.tree.paths:
            yield from _in_values(values, None, (), values.body)
    for kind, place in MACHINES.items():
        for thing in cluster.of(KUBEVIRT, kind):
            yield from _of_machine(thing, place, mapping(inside(thing.body, place)))


def _target(thing: Thing) -> str | None:
    """The namespace of what a chart installs; None where it is not final."""
    stated = [inside(thing.body, place) for place in _TARGETS]
    own = thing.namespace if thing.group == "helm.toolkit.fluxcd.io" else None
    named = next((each for each in stated if isinstance(each, str) and each), own)
    return None if templated(named) else named


def _values(thing: Thing, places: tuple[Path, ...]) -> Iterator[tuple[Path, Any]]:
    for place in places:
        if thing.group != "argoproj.io":
            yield from _read(place, inside(thing.body, place))
            continue
        spec = mapping(inside(thing.body, place))
        sources = enumerate(listing(spec.get("sources")))
        for at, source in [(("source",), spec.get("source")), *((("sources", i), s) for i, s in sources)]:
            helm = mapping(mapping(source).get("helm"))
            for key in ("valuesObject", "values"):
                yield from _read((*place, *at, "helm", key), helm.get(key))


def _read(at: Path, value: Any) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, str) and NETWORKS_ANNOTATION in value and not templated(value):
        documents = parse("", value, Places(SourceMap())).documents
        value = documents[0][0] if len(documents) == 1 else None
    if isinstance(value, dict):
        yield at, value


def _in_values(thing: Thing, namespace: str | None, at: Path, value: Any) -> Iterator[Asker]:
    """Every map with the annotation, or one like it: what a chart calls the map is its own matter."""
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from _in_values(thing, namespace, (*at, index), item)
    elif isinstance(value, dict):
        if _has_key(value):
            yield _annotated(thing, namespace, at, value)
        for key, item in value.items():
            yield from _in_values(thing, namespace, (*at, key), item)


def _has_key(annotations: dict[str, Any]) -> bool:
    return any(isinstance(key, str) and "cni.cncf.io/" in key.lower() for key in annotations)


def _annotated(
    thing: Thing, namespace: str | None, at: Path, value: dict[str, Any], replaced: bool = False
) -> Asker:
    selections = selections_in((*at, NETWORKS_ANNOTATION), value.get(NETWORKS_ANNOTATION))
    return Asker(
        thing=thing,
        at=at,
        namespace=namespace,
        annotations=value,
        selections=selections,
        replaced=replaced,
    )


def _of_machine(thing: Thing, place: Path, template: dict[str, Any]) -> Iterator[Asker]:
    """KubeVirt hands the annotations of a VirtualMachineInstance to its pod, but writes this one itself if
    the machine has networks of Multus (kubevirt/kubevirt d923fdb8 pkg/network/pod/annotations/generator.go,
    Generate; pkg/virt-controller/services/template.go, filterVMIAnnotationsForPod)."""
    at: Path = (*place, "spec", "networks")
    named: list[NetworkSelection] = []
    for index, row in enumerate(listing(inside(template, ("spec", "networks")))):
        name = inside(row, ("multus", "networkName"))
        if isinstance(name, str) and name and not templated(name):
            space, _, own = name.rpartition("/")
            here: Path = (*at, index, "multus", "networkName")
            named.append(NetworkSelection(here, space or None, own, None))
    if named:
        yield Asker(thing=thing, at=at, namespace=thing.namespace, annotations={}, selections=named)
    own_at: Path = (*place, "metadata", "annotations")
    annotations = mapping(inside(template, ("metadata", "annotations")))
    if _has_key(annotations):
        yield _annotated(thing, thing.namespace, own_at, annotations, replaced=bool(named))
