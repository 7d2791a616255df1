"""NP698, NP750 to NP753: checks of a single object: its fields, values, JSON texts and scope."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path, Severity, dotted
from netplan.graph.kubernetes.cluster import SPIDERPOOL, ObjectGraph
from netplan.reading.kubernetes.crds import Definition, shipped
from netplan.reading.kubernetes.fields import FieldFault, object_faults, text_faults
from netplan.reading.kubernetes.json_texts import TWICE
from netplan.reading.kubernetes.objects import IPAM, Thing, written
from netplan.rules.kubernetes.annotation_keys import asking, ignored_keys
from netplan.rules.kubernetes.image_names import image_faults
from netplan.rules.kubernetes.link_names import long_names
from netplan.rules.kubernetes.machines import unpaired
from netplan.rules.kubernetes.nulls import null_fields, requests_without_class, wrong_modes
from netplan.rules.kubernetes.object_names import name_faults
from netplan.rules.kubernetes.pod_fields import devices_of_pods, misplaced_fields, pods_by_thing
from netplan.rules.kubernetes.pool_numbers import REQUIRED
from netplan.rules.kubernetes.registry import ObjectFinding, rule
from netplan.rules.kubernetes.text_maps import is_form, not_texts
from netplan.rules.kubernetes.user_networks import refused


def definitions_of(cluster: ObjectGraph, thing: Thing) -> tuple[Definition, ...]:
    key = (thing.group, thing.kind)
    return cluster.given.get(key) or shipped().get(key, ())


def defined(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in cluster.tree.things if definitions_of(cluster, t)]


def is_cluster_scoped(cluster: ObjectGraph, thing: Thing) -> bool:
    return all(d.scope == "Cluster" for d in definitions_of(cluster, thing))


def _unnamespaced(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in defined(cluster) if is_cluster_scoped(cluster, t)]


def _with_texts(cluster: ObjectGraph) -> list[Thing]:
    return [t for t in cluster.tree.things if t.texts or t.faults]


def _judged(cluster: ObjectGraph) -> list[Thing]:
    shown = pods_by_thing(cluster).keys() | asking(cluster).keys()
    return [t for t in cluster.tree.things if definitions_of(cluster, t) or t.texts or id(t) in shown]


def _listed(cluster: ObjectGraph) -> list[Thing]:
    asked = asking(cluster).keys()
    return [t for t in cluster.tree.things if definitions_of(cluster, t) or id(t) in asked]


_OLD = {("spectrumx.nvidia.com", "SpectrumXRailPoolConfig", "v1alpha1"): "v1alpha2"}


def old_version(thing: Thing) -> str:
    """The version in its place; empty if it is not old."""
    return _OLD.get((thing.group, thing.kind, thing.api_version.rpartition("/")[2]), "")


def is_misnamed(cluster: ObjectGraph, thing: Thing, at: Path) -> bool:
    """Whether NP750 reports a field at or below the place, or one that belongs there."""
    faults = [fault for fault in _object_faults(cluster, thing) if fault.near and fault.unknown]
    return any(f.at[: len(at)] == at or (*f.at[:-1], f.near) == at for f in faults)


def _object_faults(cluster: ObjectGraph, thing: Thing) -> list[FieldFault]:
    """None of an old version that has only fields of its own, which are not known; NP754 reports it."""
    definitions = definitions_of(cluster, thing)
    faults = cluster.once(("fields", id(thing)), lambda: object_faults(thing, definitions))
    strange = {fault.at[-1] for fault in faults if fault.unknown}
    own = bool(old_version(thing)) and not given(definitions) and strange.issuperset(thing.spec)
    return [] if own else faults


def _text_faults(cluster: ObjectGraph, thing: Thing) -> list[FieldFault]:
    return cluster.once(("texts", id(thing)), lambda: list(text_faults(thing)))


def given(definitions: tuple[Definition, ...]) -> bool:
    """Whether the definitions are CRDs of the user, rather than netplan's own lists."""
    return any(d.given for d in definitions)


@rule("NP753", "invalid JSON in a text field", on=_with_texts)
def broken_text(_: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """Some fields hold JSON as text; operators insert it between single quotes, and some strip its white
    space.

    **Why.** The API server does not check the text. Multus fails the pod, an operator renders nothing, or
    a pod starts without its interface.
    **Fix.** Generate the text with a JSON library; in YAML, a block scalar (`config: |`) needs no quoting.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/helper.go;
    Mellanox/network-operator manifests; k8snetworkplumbingwg/multus-cni#635, #731.
    """
    for place in (*thing.texts, *thing.faults):
        text = written(thing, place)
        if place in thing.faults:
            fault = thing.faults[place]
            twice = fault.reason.startswith(TWICE)
            message = f"{dotted(place)} {'has a' if twice else 'is not valid JSON:'} {fault.reason}"
            hint = "remove one of the two keys" if twice else "correct the JSON just before this place"
            yield ObjectFinding(thing, place, message, hint, breaks=True, within=fault.place)
        elif "'" in text and thing.kind not in ("NetworkAttachmentDefinition", "ConfigMap"):
            message = f"{dotted(place)} has a single quote, which ends the text in the operator's template"
            yield ObjectFinding(thing, place, message, "write the text without '")
        elif place == IPAM and _spaced(thing.texts[place]):
            message = (
                f"{dotted(place)} has white space inside a value, but the operator removes all white space"
            )
            yield ObjectFinding(thing, place, message, "write the value without spaces")


def _spaced(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_spaced, value.values()))
    if isinstance(value, list):
        return any(map(_spaced, value))
    return isinstance(value, str) and any(character.isspace() for character in value)


@rule("NP752", "invalid value", on=lambda cluster: cluster.tree.things)
def wrong_value(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """A field has a type, and often bounds; labels, annotations, ConfigMap data and environment hold text
    only; the name of an object is a DNS name. A network, or a pod with networks, has an apiVersion;
    devices are requested in a container; names of images have no dash but -.

    **Why.** The API server rejects the object, or a plugin rejects its configuration when the pod starts. Of
    an object of a running cluster only the texts inside it are judged. YAML 1.1 reads `on`, `off`, `yes` and
    `no` as booleans and `0123` as octal, even where text was meant.
    **Fix.** Write a value of the kind named; quote text that looks like a number or a boolean.
    **Source.** The CRDs of the kind; spidernet-io/spiderpool 09d2681
    pkg/k8s/apis/spiderpool.spidernet.io/v2beta1/spiderippool_types.go (subnet is required); Kubernetes'
    OpenAPI (required fields of workloads and pods), pkg/apis/core/validation/validation.go
    (validatePodResourceRequirements), pkg/apis/resource/validation/validation.go
    (validateDeviceRequest: exactly one of `exactly` or `firstAvailable` is required); ovn-org/ovn-kubernetes
    6c366bb4 go-controller/pkg/crd/userdefinednetwork/v1/shared.go; ovn-kubernetes/ovn-kubernetes 8871cd9c
    helm/ovn-kubernetes/crds (x-kubernetes-validations); kubevirt/kubevirt d923fdb8
    pkg/network/admitter/netiface.go; containernetworking/plugins 3d27709 plugins/main/bridge/bridge.go
    (ensureBridge); kubernetes/kubernetes 0fc2c484 staging/src/k8s.io/apimachinery/pkg/runtime/error.go
    (NewMissingVersionErr); opencontainers/distribution-spec 987425f6 spec.md (a tag);
    kubernetes.io/docs/concepts/overview/working-with-objects; yaml.org/type/bool.
    """
    objects = [] if thing.live else _object_faults(cluster, thing)
    faults = [*objects, *_text_faults(cluster, thing)]
    for fault in (*faults, *(() if thing.live else _own_faults(cluster, thing))):
        if not fault.unknown and not (fault.missing and thing.partial):
            yield ObjectFinding(thing, fault.at, fault.message, fault.hint, breaks=True)
    for at, message, hint in not_texts(cluster, thing):
        yield ObjectFinding(thing, at, message, hint, breaks=True)


def _own_faults(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    """Of kinds without a list of fields, and of names."""
    yield from (*_lacks(cluster, thing), *null_fields(thing), *requests_without_class(thing))
    yield from (*wrong_modes(thing), *refused(thing), *unpaired(thing), *long_names(thing))
    yield from (*devices_of_pods(cluster, thing), *image_faults(cluster, thing))
    if not is_form(thing) and thing.file not in cluster.tree.renamed:
        yield from name_faults(thing, bool(definitions_of(cluster, thing)))


_REQUIRED = {(SPIDERPOOL, "SpiderIPPool"): REQUIRED["SpiderIPPool"]}
"""Required keys of the spec, of kinds without a list of fields."""


def _lacks(cluster: ObjectGraph, thing: Thing) -> Iterator[FieldFault]:
    for key in () if definitions_of(cluster, thing) else _REQUIRED.get((thing.group, thing.kind), ()):
        if thing.spec.get(key) is None:
            missing = "null" if key in thing.spec else "missing"
            yield FieldFault(("spec", key), f"{key} is required and {missing}", f"write {key}", missing=True)


@rule("NP750", "unknown field", on=_judged)
def unknown_field(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """The API server silently drops unknown fields, and plugins silently ignore them.

    **Why.** Everything looks applied, but the setting is missing. Several upstream READMEs show names that no
    CRD has. Without `--crds` a field is reported only if its right name or place is known: annotations beside
    the metadata of a pod template attach no network, `pfNames` beside `nicSelector` selects nothing, nor is
    `ip` an address that Multus reads in the networks annotation (`ips`).
    **Fix.** Use the field named in the hint.
    **Source.** kubernetes.io/docs/tasks/extend-kubernetes/custom-resources, field pruning; the CRDs of
    the kind; k8snetworkplumbingwg/sriov-network-operator 249e200 README.md and doc/ against its CRDs;
    k8snetworkplumbingwg/multus-cni 95a0932 pkg/types/types.go (NetworkSelectionElement).
    """
    definitions = definitions_of(cluster, thing)
    for fault in _object_faults(cluster, thing):
        if fault.unknown and (given(definitions) or fault.near):
            yield ObjectFinding(thing, fault.at, fault.message, fault.hint)
    for fault in ignored_keys(cluster, thing):
        names = fault.near in ("name", "namespace")  # then what it names is not known
        if fault.near:
            yield ObjectFinding(thing, fault.at, fault.message, fault.hint, breaks=names)
    for fault in (*_text_faults(cluster, thing), *misplaced_fields(cluster, thing)):
        if fault.unknown and fault.near:
            yield ObjectFinding(thing, fault.at, fault.message, fault.hint)


@rule("NP751", "field unknown to netplan", on=_listed, severity=Severity.INFO)
def field_not_listed(cluster: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """netplan's field lists come from the releases it was built with; a newer release may have more fields.
    Multus ignores a key of the networks annotation that it does not know.

    **Why.** If the CRD in the cluster also lacks the field, the API server drops it.
    **Fix.** Pass the CRDs of your cluster with `--crds`; they take precedence.
    **Source.** The CRDs of the kind: k8snetworkplumbingwg/sriov-network-operator,
    k8snetworkplumbingwg/network-attachment-definition-client, k8snetworkplumbingwg/whereabouts,
    k8snetworkplumbingwg/dra-driver-sriov, Mellanox/network-operator, Mellanox/nvidia-k8s-ipam,
    Mellanox/nic-configuration-operator, Mellanox/maintenance-operator, Mellanox/spectrum-x-operator and
    kubeflow/mpi-operator. k8snetworkplumbingwg/multus-cni 95a0932 pkg/types/types.go.
    """
    definitions = definitions_of(cluster, thing)
    for fault in () if given(definitions) else _object_faults(cluster, thing):
        if fault.unknown and not fault.near:
            yield ObjectFinding(thing, fault.at, fault.message, "give the cluster's CRDs with --crds")
    for fault in ignored_keys(cluster, thing):
        if not fault.near:
            yield ObjectFinding(thing, fault.at, fault.message, fault.hint)


@rule("NP698", "namespace on a cluster-scoped object", on=_unnamespaced, severity=Severity.INFO)
def cluster_scoped(_: ObjectGraph, thing: Thing) -> Iterator[ObjectFinding]:
    """The kind is cluster-scoped: the API server drops the namespace and accepts the object.

    **Why.** The object applies to the whole cluster. One per namespace, under one name, is one object: the
    last one applied replaces the others.
    **Fix.** Remove the namespace.
    **Source.** kubernetes/kubernetes 184c2504 staging/src/k8s.io/apiserver/pkg/registry/rest/meta_test.go
    (cluster-scoped req, namespaced obj: no error); the CRDs' scope.
    """
    stated = thing.metadata.get("namespace")
    if stated:
        message = f"{thing.kind} is cluster-scoped, so namespace {stated} is dropped"
        yield ObjectFinding(thing, ("metadata", "namespace"), message, "remove the namespace")
