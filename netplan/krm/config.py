"""functionConfig: an inventory as an object, in one of two forms.

An ``Inventory`` has it below ``spec``, with its overlays as a list of maps beside it; the specification
leaves the kind to the function ("an optional Kubernetes object for passing arguments"). A ConfigMap is what
kpt makes of ``configMap`` in a Kptfile (kptfile.yaml of kptdev/kpt: "a convenient way to specify a function
config of kind ConfigMap"): a map of texts, in which each key that ends in .yaml is a file of the inventory.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from netplan.diagnostics import Diagnostic, Path
from netplan.krm.outline import Node
from netplan.krm.resource_list import ResourceList
from netplan.load import is_inventory_name
from netplan.model.document import Places, SourceMap
from netplan.printable import clipped, printable
from netplan.records import dataclass
from netplan.yaml12 import parse

API_VERSION, KIND = "rdma-netplan.alt/v1", "Inventory"
"""An API group is a domain of its owner, and the project has none: ``.alt`` is reserved for names that look
like domains but are not in DNS (RFC 9476, section 2), so nobody can ever own the group. Only the function
reads the object; it reaches no API server."""
_IDENTITY = frozenset({"apiVersion", "kind", "metadata"})
_OPTIONS = frozenset({"overlays", "directory", "strict"})
_CONFIG_MAP = frozenset({*_IDENTITY, "data", "immutable"})
_TRUE = {"true": True, "false": False}
_PLAIN_KEY = re.compile(r"[A-Za-z0-9_-]+")
_DIRECTORY = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?")
"""No ``..``, nothing hidden, not absolute: the orchestrator writes files to it."""


class ConfigError(Exception):
    """``field``: the wrong key of functionConfig, as a JSON path."""

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(printable(clipped(message)))
        self.field = json_path(path)


@dataclass(frozen=True, slots=True)
class Config:
    """``texts`` and ``overlays``: of the inventory, by name. ``fields``: file -> the field that holds it;
    ``is_text``: the field is a text with lines of its own. ``directory``: where new items are written, empty
    or with a trailing slash."""

    texts: Mapping[str, str]
    overlays: tuple[Mapping[str, str], ...]
    fields: Mapping[str, Path]
    is_text: bool
    directory: str = ""
    strict: bool = False


def json_path(path: Path) -> str:
    """``spec.hosts['gpu-1.a'].hcas[0]``, as in the specification's example; a key with a dot is quoted."""
    out = ""
    for part in path:
        if isinstance(part, int):
            out += f"[{part}]"
        elif _PLAIN_KEY.fullmatch(part):
            out += f".{part}" if out else part
        else:
            quoted = part.replace("\\", "\\\\").replace("'", "\\'")
            out += f"['{quoted}']"
    return printable(clipped(out))


def config_of(given: ResourceList) -> Config:
    """Raises ConfigError."""
    node = given.config
    if node is None:
        raise ConfigError("functionConfig is missing: it contains the inventory")
    if node.shape != "map":
        raise ConfigError("functionConfig is not an object")
    kind, api_version = node.word("kind"), node.word("apiVersion")
    if (api_version, kind) == (API_VERSION, KIND):
        return _inventory(given, node)
    if (api_version, kind) == ("v1", "ConfigMap"):
        return _config_map(given, node)
    found = f"{api_version} {kind}".strip() or "of no stated kind"
    raise ConfigError(
        f"functionConfig is {found}; netplan takes {API_VERSION} {KIND}, with the inventory as spec, "
        "or v1 ConfigMap, with its files as data"
    )


def _data(given: ResourceList, node: Node) -> dict[str, Any]:
    parsed = parse("functionConfig", given.slice(node), Places(SourceMap()))
    for problem in parsed.problems:
        raise ConfigError(f"{problem.code}: {problem.message}; {problem.hint}", *problem.path)
    found: dict[str, Any] = parsed.data
    return found


def _refuse_unknown(data: Mapping[str, Any], known: frozenset[str], *path: str) -> None:
    for key in data:
        if key not in known:
            raise ConfigError(f"unknown key {key}; there are {', '.join(sorted(known))}", *path, key)


def _inventory(given: ResourceList, node: Node) -> Config:
    data = _data(given, node)
    _refuse_unknown(data, _IDENTITY | _OPTIONS | {"spec"})
    if not isinstance(data.get("spec"), dict):
        raise ConfigError("spec is not a map: it is the inventory", "spec")
    strict, laid = data.get("strict", False), data.get("overlays", [])
    if not isinstance(strict, bool):
        raise ConfigError("strict is neither true nor false", "strict")
    if not isinstance(laid, list) or not all(isinstance(each, dict) for each in laid):
        raise ConfigError("overlays is not a list of maps", "overlays")
    names = [f"overlays[{number}]" for number in range(len(laid))]
    overlays = node.entries["overlays"].items if laid else []
    fields: dict[str, Path] = {"spec": ("spec",)}
    fields |= {name: ("overlays", number) for number, name in enumerate(names)}
    return Config(
        texts={"spec": given.slice(node.entries["spec"])},
        overlays=tuple({name: given.slice(part)} for name, part in zip(names, overlays, strict=True)),
        fields=fields,
        is_text=False,
        directory=_directory(data.get("directory", ""), "directory"),
        strict=strict,
    )


def _config_map(given: ResourceList, node: Node) -> Config:
    whole = _data(given, node)
    _refuse_unknown(whole, _CONFIG_MAP)
    data = whole.get("data")
    if not isinstance(data, dict):
        raise ConfigError("data is not a map: its keys are files of the inventory", "data")
    _refuse_values(data)
    files = {key: value for key, value in data.items() if key not in _OPTIONS}
    laid = data.get("overlays", "").split()
    _refuse_overlays(laid, files)
    if len(laid) == len(files):
        raise ConfigError("data has no inventory: add a key such as site.yaml that holds its text", "data")
    if data.get("strict", "false") not in _TRUE:
        raise ConfigError("strict is neither true nor false", "data", "strict")
    return Config(
        texts={name: text for name, text in files.items() if name not in laid},
        overlays=tuple({name: files[name]} for name in laid),
        fields={name: ("data", name) for name in files},
        is_text=True,
        directory=_directory(data.get("directory", ""), "data", "directory"),
        strict=_TRUE[data.get("strict", "false")],
    )


def _refuse_values(data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if not isinstance(value, str):
            raise ConfigError(f"{key} is not text; quote it", "data", key)
        if not is_inventory_name(key) and key not in _OPTIONS:
            others = ", ".join(sorted(_OPTIONS))
            wanted = f"name a file of the inventory *.yaml; other keys are {others}"
            raise ConfigError(f"unknown key {key}; {wanted}", "data", key)


def _refuse_overlays(laid: Sequence[str], files: Mapping[str, str]) -> None:
    for name, number in Counter(laid).items():
        if name not in files:
            raise ConfigError(f"overlay {name}: no key of data has this name", "data", "overlays")
        if number > 1:
            raise ConfigError(f"overlay {name}: it is named twice", "data", "overlays")


def _directory(given: Any, *path: str) -> str:
    if given in ("", None):
        return ""
    if not isinstance(given, str) or not _DIRECTORY.fullmatch(given):
        raise ConfigError(f"directory {given!r}: name a folder of the package, such as clusters/dc1", *path)
    return f"{given.rstrip('/')}/"


def field_of(config: Config, found: Diagnostic) -> Path:
    """The place of a finding in functionConfig; for a text, the field that holds it."""
    held = config.fields.get(found.source.file if found.source else "")
    if held is None:
        return ("data",) if config.is_text else ("spec", *found.path)
    return held if config.is_text else (*held, *found.path)
