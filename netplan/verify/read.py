"""NP901: every YAML and JSON text parses, also the JSON inside objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from netplan.diagnostics import Diagnostic
from netplan.model.artifact import Artifact
from netplan.verify.tree import Object, Place, Tree, json_path, problem

_IPAM, _META = ("spec", "ipam"), ("spec", "metaPlugins")

EMBEDDED: Mapping[str, tuple[Place, ...]] = {
    "NetworkAttachmentDefinition": (("spec", "config"),),
    "SriovNetwork": (_IPAM, _META, ("spec", "capabilities")),
    "SriovIBNetwork": (_IPAM, _META, ("spec", "capabilities")),
    "HostDeviceNetwork": (_IPAM,),
    "MacvlanNetwork": (_IPAM,),
    "IPoIBNetwork": (_IPAM,),
    "NicClusterPolicy": (
        ("spec", "sriovDevicePlugin", "config"),
        ("spec", "rdmaSharedDevicePlugin", "config"),
    ),
    "SpiderMultusConfig": (("spec", "chainCNIJsonData"),),
    "ConfigMap": (("data", "config.json"),),
}
"""Kind -> texts that their reader parses as JSON (network-attachment-definition-client v1.7.7
pkg/utils/cniconfig.go; sriov-network-operator v1.6.0 bindata/manifests/cni-config; Mellanox/network-operator
v26.4.1 manifests; spidernet-io/spiderpool v1.2.2 pkg/multuscniconfig)."""

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """YAML 1.1, as Kubernetes reads it; a key that appears twice is an error."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        if len(mapping) != len(node.value):
            raise yaml.constructor.ConstructorError(None, None, "a key appears twice", node.start_mark)
        return mapping


def parse_json(text: str) -> Any:
    """JSON as a strict reader takes it. Raises ValueError, also for a key that appears twice."""
    return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError(f"a key appears twice among {', '.join(key for key, _ in pairs)}")
    return mapping


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def read(artifacts: Sequence[Artifact]) -> tuple[Tree, list[Diagnostic], int]:
    """The parsed tree, the problems of its texts and the number of files parsed."""
    reader = _Reader()
    files = [a for a in artifacts if a.path.endswith((".yaml", ".yml", ".json"))]
    for artifact in files:
        reader.file(artifact)
    tree = Tree(tuple(artifacts), tuple(reader.objects), reader.values, tuple(reader.routes))
    return tree, reader.found, len(files)


class _Reader:
    def __init__(self) -> None:
        self.objects: list[Object] = []
        self.values: dict[str, dict[str, Any]] = {}
        self.routes: list[tuple[Artifact, dict[str, Any]]] = []
        self.found: list[Diagnostic] = []

    def _report(self, artifact: Artifact, message: str) -> None:
        self.found.append(problem("NP901", artifact, message))

    def file(self, artifact: Artifact) -> None:
        try:
            if artifact.path.endswith(".json"):
                parse_json(artifact.text)
                return
            documents = list(yaml.load_all(artifact.text, Loader=_Loader))
        except (yaml.YAMLError, ValueError) as error:
            self._report(artifact, " ".join(str(error).split()))
            return
        if artifact.path.endswith("/values.yaml"):
            self._values(artifact, documents)
        elif _holds_objects(artifact.path):
            self._objects(artifact, documents)
        elif artifact.path.endswith("/routes.yaml"):
            self.routes += ((artifact, body) for body in documents if isinstance(body, dict))

    def _values(self, artifact: Artifact, documents: list[Any]) -> None:
        if len(documents) == 1 and isinstance(documents[0], dict):
            self.values[artifact.path] = documents[0]
        else:
            self._report(artifact, "Helm takes one mapping of values")

    def _objects(self, artifact: Artifact, documents: list[Any]) -> None:
        if not documents:
            self._report(artifact, "holds no object")
        for number, body in enumerate(documents, 1):
            if _is_object(body):
                self.objects.append(Object(artifact, body, dict(self._embedded(artifact, body))))
            else:
                self._report(artifact, f"document {number} is not an object with apiVersion and kind")

    def _embedded(self, artifact: Artifact, body: dict[str, Any]) -> Iterator[tuple[Place, Any]]:
        for place in EMBEDDED.get(body["kind"], ()):
            text = _inside(body, place)
            if isinstance(text, list) and all(isinstance(part, str) for part in text):
                text = f"[{','.join(text)}]"  # one JSON object in each text
            if not isinstance(text, str):
                continue
            where = f"{Object(artifact, body, {})}: {json_path(place)}"
            if "'" in text:  # Mellanox/network-operator manifests/*: the text is pasted between single quotes
                self._report(artifact, f"{where} has a single quote")
            try:
                yield place, parse_json(f"[{text}]" if place == _META else text)
            except ValueError as error:
                self._report(artifact, f"{where} is not JSON: {error}")


def _is_object(body: Any) -> bool:
    return isinstance(body, dict) and all(isinstance(body.get(key), str) for key in ("apiVersion", "kind"))


def _holds_objects(path: str) -> bool:
    top, *rest = path.split("/")
    return top == "kubernetes" or (top == "pods" and rest[-1] != "routes.yaml")


def _inside(body: Any, place: Place) -> Any:
    """The value at a place; None where there is none."""
    for key in place:
        body = body.get(key) if isinstance(body, dict) else None
    return body
