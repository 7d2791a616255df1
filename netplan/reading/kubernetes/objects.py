"""The objects of a directory, each with its place in a file, and the JSON texts inside them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from netplan import json_text
from netplan.diagnostics import Path, Source
from netplan.model.document import Document, Places, SourceMap
from netplan.records import dataclass

_TEMPLATED = re.compile(
    r"\$[A-Za-z_{(]|\{\{|\[\[\s*\w+\s*\]\]|<path:|<%|<[A-Za-z][\w.-]*>|@[A-Za-z_][\w.-]*@|\A\s*_[A-Za-z]\w*_\s*\Z"
    r"|\b(?:CHANGE_?ME|REPLACE_?ME|YOUR[_-][A-Z_-]+)\b|\b(?:TODO|FIXME)(?:\b|_)|\A\s*(?:\.\.\.|\u2026)\s*\Z"
    r"|\b[xX]{3}\b|\b(?:\d+|[xX])\.[xX]\b|\AENC\[[A-Z0-9_]+,|\A\s*<[A-Za-z][^<>]*>\s*\Z"
)
"""What Flux, envsubst, Helm, Argo CD plugins and shells replace before the API server sees it; @name@ of
build tools; a whole value _name_, which a kustomization replaces (openstack-k8s-operators/architecture
0b12d3f lib/control-plane/base); what sops encrypted (getsops/sops README.rst: ENC[AES256_GCM,...]); what a
person replaces: <name> (NVIDIA/ais-k8s manifests/multus), <networks, such as a,b> as a whole value,
YOUR_NAME, TODO_RAIL0_CIDR (NVIDIA's network-operator-docs), xxx, 10.0.0.x; "..." for what a page leaves
out."""


def templated(value: Any) -> bool:
    """Whether the text still has placeholders to be replaced."""
    return isinstance(value, str) and _TEMPLATED.search(value) is not None


def final(value: Any) -> bool:
    """Whether no text in the value, at any depth, has placeholders to be replaced."""
    if isinstance(value, dict):
        return all(final(key) and final(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(final, value))
    return not templated(value)


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


TWICE = "duplicate key"


def parse_json(text: str) -> Any:
    """JSON as Go's encoding/json reads it, which takes the last value of a key. Raises ValueError where an
    earlier one differs."""
    return json_text.loads(text, object_pairs_hook=_last, parse_constant=_refuse)


def _last(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        lost = next((key for key, value in pairs if value != mapping[key]), None)
        if lost is not None:
            raise ValueError(f"{TWICE} {lost!r}, of whose values only the last counts")
    return mapping


def check_json(text: str) -> None:
    """Raises ValueError where it is no strict JSON, without keeping a result: the text may be large."""
    json_text.loads(text, object_pairs_hook=_check_unique, parse_constant=_refuse)


def _check_unique(pairs: list[tuple[str, Any]]) -> None:
    if len(pairs) > 1 and len(dict(pairs)) != len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{TWICE} {next(key for key in keys if keys.count(key) > 1)!r}")


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


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
                return _inside_text(self.places.sources, value_at, here, path[number:])
            child = self.places.child(here, part)
            if child is None:
                break
            here, at, value_at = child
        if within is not None and isinstance(here, str):
            return _in_file(self.places.sources, value_at, here, *within)
        return self.places.sources.source(at)

    def __str__(self) -> str:
        if "kind" not in self.body:
            return self.file.rpartition("/")[2]
        where = f"{self.namespace}/" if self.namespace else ""
        return f"{self.kind} {where}{self.name}".strip()


def _inside_text(sources: SourceMap, at: int, text: str, path: Path) -> Source:
    """The place of a path in a JSON text, which is parsed again as YAML for its positions."""
    from netplan.yaml12 import parse

    bare = isinstance(path[0], int) and not text.lstrip().startswith("[")  # metaPlugins has no brackets
    inner = Places(SourceMap())
    parsed = parse("", f"[{text}]" if bare else text, inner)
    found = Document(parsed.data, (), ("",), parsed.root, inner).locate(path) if not parsed.problems else None
    if found is None:
        return sources.source(at)
    return _in_file(sources, at, text, found.line, found.column - (bare and found.line == 1))


def _in_file(sources: SourceMap, at: int, text: str, line: int, column: int) -> Source:
    """Converts line and column of an embedded text to those of its file: exact for a literal block and
    for a single line written verbatim; for other texts the start of the text."""
    start = sources.source(at)
    written = sources.line(start)[start.column - 1 :]
    if written.startswith("|"):
        first = sources.line(sources.source(at + len(written) + 1))
        return Source(start.file, start.line + line, len(first) - len(first.lstrip(" ")) + column)
    quoted = written.startswith(("'", '"'))
    if line == 1 and written[quoted:].startswith(text):
        return Source(start.file, start.line, start.column + quoted + column - 1)
    return start


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


_NAMED = re.compile(r"\$\{\w+\}")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


def _has_names_in_strings(text: str) -> bool:
    """Whether all placeholders of a text are ``${NAME}`` in strings: JSON stays JSON with any values."""
    return not templated(_NAMED.sub("", text)) and not templated(_STRING.sub('""', text))


def text_places(thing: Thing) -> Iterator[Path]:
    """Paths of the object's JSON texts that exist and have no placeholders, but for those in strings."""
    places: list[Path] = list(TEXTS.get(f"{thing.group}/{thing.kind}", ()))
    if (thing.api_version, thing.kind) == ("v1", "ConfigMap"):
        data = mapping(thing.body.get("data"))
        places = [("data", key) for key, text in data.items() if _is_plugin_config(text)]
    for place in places:
        text = written(thing, place)
        if text.strip() and (not templated(text) or _has_names_in_strings(text)):
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


_WORD = re.compile(r"_{0,2}(?!TRUE\b|FALSE\b|NULL\b|NONE\b)[A-Z][A-Z0-9_]{2,}(?![a-z])")
"""In place of a value: VLAN_ID or __MTU__, which a script replaces."""


def read_texts(thing: Thing) -> None:
    """Parse the JSON texts of an object. Of one with placeholders only its faults are kept."""
    for place in text_places(thing):
        text = written(thing, place)
        try:
            value = parse_text(place, text)
            if not templated(text):
                thing.texts[place] = value
        except json.JSONDecodeError as error:
            if _WORD.match(text, error.pos - (place in (META, CHAINED))):
                continue
            column = error.colno - (place == META and error.lineno == 1)
            thing.faults[place] = JsonFault(error.msg, (error.lineno, max(column, 1)))
        except (ValueError, RecursionError) as error:
            thing.faults[place] = JsonFault(str(error) or "nested too deeply", None)
