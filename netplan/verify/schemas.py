"""NP902: every object, and every configuration inside one, against the closed ``schemas/kubernetes``.

The API server prunes a field it does not know, and plugins ignore a key they do not know, without a word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from netplan import resources
from netplan.diagnostics import Diagnostic, Path
from netplan.model.references import inlined
from netplan.model.stages import qualified
from netplan.reading.kubernetes.objects import CAPABILITIES, CHAINED, CONFIG, IPAM, META, Thing
from netplan.strict import Test, compiled, validator
from netplan.verify.problems import problem
from netplan.verify.read import Read

Part = tuple[str, str, Any]
"""(schema, JSON path, value): something that has a schema of its own."""

_MESSAGE_MAX = 300


def schema_problems(read: Read) -> tuple[list[Diagnostic], int]:
    """What the schemas refuse, and the number of objects held against them."""
    found = []
    for thing in read.tree.things:
        for schema, where, value in _parts(thing):
            for path, message in validate(schema, value):
                text = f"{thing}: {where}{path[1:]}: {message}"
                found.append(problem("NP902", read.artifacts[thing.file], text))
    return found, len(read.tree.things)


def validate(schema: str, value: Any) -> Iterator[tuple[str, str]]:
    """(JSON path, message) of everything a schema refuses. ``schema``: file or ``defs.json#/$defs/name``."""
    if schema.partition("#")[0] not in _files():
        yield "$", f"there is no schema {schema}"
        return
    if not _test(schema)(value):
        for error in _validator(schema).iter_errors(value):
            yield error.json_path, error.message[:_MESSAGE_MAX]


def _parts(thing: Thing) -> Iterator[Part]:
    yield schema_of(thing.api_version, thing.kind), "$", thing.body
    for place, value in thing.texts.items():
        yield from _embedded(place, json_path(place), value)


def json_path(place: Path) -> str:
    """``("data", "config.json")`` -> ``$.data["config.json"]``"""
    return "$" + "".join(_step(key) for key in place)


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f'["{key}"]'


def schema_of(api_version: str, kind: str) -> str:
    """File of a kind; with its group where two groups have the kind."""
    own = f"{qualified(api_version, kind)}.json"
    return own if own in _files() else f"{kind}.json"


def _embedded(place: Path, where: str, value: Any) -> Iterator[Part]:
    if place in (META, CHAINED):
        yield from _plugins(where, value)
    elif place == IPAM:
        yield _typed("ipam", where, value)
    elif place == CAPABILITIES:
        yield "defs.json#/$defs/capabilities", where, value
    elif place == CONFIG:
        yield "cni/conflist.json", where, value
        plugins = value.get("plugins") if isinstance(value, dict) else None
        yield from _plugins(f"{where}.plugins", plugins if isinstance(plugins, list) else [])
    else:
        shared = isinstance(value, dict) and "configList" in value
        yield "rdma-shared.json" if shared else "device-plugin.json", where, value


def _plugins(where: str, plugins: list[Any]) -> Iterator[Part]:
    for index, plugin in enumerate(plugins):
        yield _typed("cni", f"{where}[{index}]", plugin)
        if isinstance(plugin, dict) and plugin.get("ipam"):  # an empty object stands for no addresses
            yield _typed("ipam", f"{where}[{index}].ipam", plugin["ipam"])


def _typed(folder: str, where: str, value: Any) -> Part:
    """The schema is named by the value's ``type``."""
    kind = value.get("type") if isinstance(value, dict) else None
    return f"{folder}/{kind}.json", where, value


@cache
def _files() -> dict[str, Any]:
    """Every schema by its path below ``schemas/kubernetes``."""
    root = resources.schemas() / "kubernetes"
    paths = sorted(root.rglob("*.json"))
    return {p.relative_to(root).as_posix(): json.loads(p.read_text(encoding="utf-8")) for p in paths}


@cache
def _test(schema: str) -> Test:
    return compiled(_inlined({"$ref": schema}))


@cache
def _validator(schema: str) -> Any:
    return validator(_inlined({"$ref": schema}))


def _inlined(schema: Any) -> Any:
    """A schema without references."""
    return inlined(schema, "", _files().__getitem__)
