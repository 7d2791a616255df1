"""The objects of a directory, each with its place in a file, and the JSON texts inside them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from netplan.diagnostics import Path, Source
from netplan.model.document import Places
from netplan.reading.kubernetes.json_texts import parse_json, place_in_file, place_inside
from netplan.reading.kubernetes.placeholders import is_name_at, only_in_strings, templated
from netplan.records import dataclass


def inside(body: Any, path: Path) -> Any:
    """The value at a path; None if there is none."""
    for part in path:
        if isinstance(body, dict):
            body = body.get(part)
        elif isinstance(body, list) and isinstance(part, int) and part < len(body):
            body = body[part]
        else:
            return None
    return body


def mapping(value: Any) -> dict[str, Any]:
    """The value if it is a map, else an empty one: foreign objects may hold anything anywhere."""
    return value if isinstance(value, dict) else {}


def listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class JsonFault:
    """Why a JSON text cannot be parsed; line and column in the text, if known."""

    reason: str
    place: tuple[int, int] | None


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """One Kubernetes object.

    ``namespace``: None if neither the object nor a kustomization states one. ``texts``: JSON texts inside
    it, parsed, by path; one that does not parse is in ``faults``, with the reason. ``broken``: parts
    already reported; rules about the object's values skip them. ``partial``: what it lacks may come from a
    patch or a template. ``fixture``: it is of a test, and may be wrong on purpose. ``form``: the form it
    shares with similar objects, if any.
    """

    body: dict[str, Any]
    file: str
    root: int
    places: Places
    namespace: str | None
    texts: dict[Path, Any] = field(default_factory=dict)
    faults: dict[Path, JsonFault] = field(default_factory=dict)
    broken: list[Path] = field(default_factory=list)
    partial: bool = False
    fixture: bool = False
    form: Form | None = None

    @property
    def api_version(self) -> str:
        return str(self.body.get("apiVersion"))

    @property
    def group(self) -> str:
        return str(self.body.get("apiVersion")).rpartition("/")[0]

    @property
    def kind(self) -> str:
        return str(self.body.get("kind"))

    @property
    def metadata(self) -> dict[str, Any]:
        return mapping(self.body.get("metadata"))

    @property
    def name(self) -> str:
        name = self.metadata.get("name")
        return name if isinstance(name, str) else ""

    @property
    def annotations(self) -> dict[str, Any]:
        return mapping(self.metadata.get("annotations"))

    @property
    def spec(self) -> dict[str, Any]:
        return mapping(self.body.get("spec"))

    def get(self, *path: str | int) -> Any:
        return inside(self.body, path)

    @property
    def owners(self) -> list[str]:
        """Kinds of the objects that a controller created it for, each "" if it is not stated."""
        kinds = (mapping(row).get("kind") for row in listing(self.metadata.get("ownerReferences")))
        return [kind if isinstance(kind, str) else "" for kind in kinds]

    @property
    def owned(self) -> bool:
        """Whether a controller created it."""
        return bool(self.owners) or any("owner-ref" in key for key in self.annotations)

    @property
    def live(self) -> bool:
        """Whether a cluster has it: only an API server writes both keys."""
        return bool(self.metadata.get("uid")) and bool(self.metadata.get("resourceVersion"))

    @property
    def runs(self) -> bool:
        """Whether a dump shows that its pods run, and so have all that they asked for."""
        status = mapping(self.body.get("status"))
        ready = (status.get(key) for key in ("readyReplicas", "numberReady"))
        return status.get("phase") == "Running" or any(type(n) is int and n > 0 for n in ready)

    def may_be_beside(self, other: Thing) -> bool:
        """Whether both can be in one namespace; an unstated one can be any."""
        return self.namespace == other.namespace or None in (self.namespace, other.namespace)

    def source(self, path: Path, within: tuple[int, int] | None = None) -> Source:
        """Where a path is written: the key of a map, the item of a list; inside a JSON text where that
        can be determined. A missing path has the place of its nearest parent. ``within``: line and column
        in the text at the path. An object of a form has the places of the form."""
        here: Any = self.body if self.form is None else self.form.thing.body
        at = value_at = self.root
        for number, part in enumerate(path):
            if isinstance(here, str):
                return place_inside(self.places.sources, value_at, here, path[number:])
            child = self.places.child(here, part)
            if child is None:
                break
            here, at, value_at = child
        if within is not None and isinstance(here, str):
            return place_in_file(self.places.sources, value_at, here, *within)
        return self.places.sources.source(at)

    def __str__(self) -> str:
        if "kind" not in self.body:
            return self.file.rpartition("/")[2]
        where = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {where}{self.name}".strip()


Row = Sequence[str]
"""The words of one object of a form, in the order of the marks."""


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Objects whose texts differ only in some words. ``thing``: with a mark in place of each; ``rows``:
    the words of every object of the form."""

    thing: Thing
    rows: Sequence[Row]


def is_object(body: Any) -> bool:
    return isinstance(body, dict) and all(isinstance(body.get(key), str) for key in ("apiVersion", "kind"))


CONFIG, IPAM, META, CAPABILITIES = (
    ("spec", "config"),
    ("spec", "ipam"),
    ("spec", "metaPlugins"),
    ("spec", "capabilities"),
)
RESOURCE_ANNOTATION = "k8s.v1.cni.cncf.io/resourceName"
"""Annotation of a NetworkAttachmentDefinition."""
CHAINED = ("spec", "chainCNIJsonData")
_OPERATOR_NETWORK = (IPAM, META, CAPABILITIES)
_PLUGINS = tuple(
    ("spec", section, "config") for section in ("sriovDevicePlugin", "rdmaSharedDevicePlugin", "devicePlugin")
)
"""``devicePlugin``: the RDMA shared one in v0.1.0 (Mellanox/network-operator)."""
TEXTS: Mapping[str, tuple[Path, ...]] = {
    "k8s.cni.cncf.io/NetworkAttachmentDefinition": (CONFIG,),
    "sriovnetwork.openshift.io/SriovNetwork": _OPERATOR_NETWORK,
    "sriovnetwork.openshift.io/SriovIBNetwork": _OPERATOR_NETWORK,
    "sriovnetwork.openshift.io/OVSNetwork": _OPERATOR_NETWORK,
    "mellanox.com/HostDeviceNetwork": (IPAM, META),
    "mellanox.com/MacvlanNetwork": (IPAM, META),
    "mellanox.com/IPoIBNetwork": (IPAM,),
    "mellanox.com/NicClusterPolicy": _PLUGINS,
    "mellanox.com/NicNodePolicy": _PLUGINS,
    "spiderpool.spidernet.io/SpiderMultusConfig": (CHAINED,),
}
"""Texts that their consumers parse as JSON (network-attachment-definition-client v1.7.7
pkg/utils/cniconfig.go; sriov-network-operator v1.6.0 bindata/manifests/cni-config;
Mellanox/network-operator v26.4.1 manifests)."""


def text_places(thing: Thing) -> Iterator[Path]:
    """Paths of the object's JSON texts that exist and have no placeholders, but for those in strings."""
    places: list[Path] = list(TEXTS.get(f"{thing.group}/{thing.kind}", ()))
    if (thing.api_version, thing.kind) == ("v1", "ConfigMap"):
        data = mapping(thing.body.get("data"))
        places = [("data", key) for key, text in data.items() if _is_plugin_config(text)]
    for place in places:
        text = written(thing, place)
        if text.strip() and (not templated(text) or only_in_strings(text)):
            yield place


def written(thing: Thing, place: Path) -> str:
    """A JSON text as written; a list of texts, each holding one object, joined into one."""
    text = inside(thing.body, place)
    if isinstance(text, list) and all(isinstance(part, str) for part in text):
        return ",".join(text)
    return text if isinstance(text, str) else ""


def _is_plugin_config(text: Any) -> bool:
    return (
        isinstance(text, str)
        and text.lstrip().startswith("{")
        and any(f'"{key}"' in text for key in ("resourceList", "configList"))
    )


def parse_text(place: Path, text: str) -> Any:
    """Raises ValueError. ``metaPlugins`` is a list without its brackets (sriov-network-operator
    v1.6.0 bindata/manifests/cni-config/sriov/sriov-cni-config.yaml)."""
    if place not in (META, CHAINED):
        value = parse_json(text)
        if not isinstance(value, dict):
            raise ValueError("it is not an object")
        return value
    plugins = parse_json(f"[{text}]")
    if not all(isinstance(plugin, dict) for plugin in plugins):
        raise ValueError("it is not a row of objects with commas between, without brackets around")
    return plugins


def read_texts(thing: Thing) -> None:
    """Parse the JSON texts of an object. Of one with placeholders only its faults are kept."""
    for place in text_places(thing):
        text = written(thing, place)
        try:
            value = parse_text(place, text)
            if not templated(text):
                thing.texts[place] = value
        except json.JSONDecodeError as error:
            if is_name_at(text, error.pos - (place in (META, CHAINED))):
                continue
            column = error.colno - (place == META and error.lineno == 1)
            thing.faults[place] = JsonFault(error.msg, (error.lineno, max(column, 1)))
        except (ValueError, RecursionError) as error:
            thing.faults[place] = JsonFault(str(error) or "nested too deeply", None)
