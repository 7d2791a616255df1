"""NP902: validates every object, and every configuration inside one, against the closed
``schemas/kubernetes``.

The API server prunes unknown fields, and plugins ignore unknown keys, both silently.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path as FilePath
from typing import Any

from netplan import resources
from netplan.diagnostics import Diagnostic, Path
from netplan.model.references import inlined
from netplan.model.stages import qualified
from netplan.reading.kubernetes.objects import CAPABILITIES, CHAINED, CONFIG, IPAM, META, Form, Thing
from netplan.records import dataclass
from netplan.strict import Test, compiled, validator
from netplan.verify.problems import problem
from netplan.verify.questions import Questions
from netplan.verify.read import Read

Part = tuple[str, str, Any]
"""(schema, JSON path, value): a value that has a schema of its own."""

_MESSAGE_MAX = 300


def schema_problems(read: Read) -> tuple[list[Diagnostic], int]:
    """What the schemas reject, and the number of objects checked."""
    found = []
    fitting = _fitting({thing.form for thing in read.tree.things if thing.form is not None})
    for thing in read.tree.things:
        for schema, where, value in () if thing.form in fitting else _parts(thing):
            for path, message in validate(schema, value):
                text = f"{thing}: {where}{path[1:]}: {message}"
                found.append(problem("NP902", read.artifacts[thing.file], text))
    return found, len(read.tree.things)


def _fitting(forms: set[Form]) -> set[Form]:
    """Forms all of whose objects the schemas accept."""
    asked = Questions()
    fitting = {form for form in forms if all(_asked(asked, form, *part) for part in _parts(form.thing))}
    return fitting if asked.answered() else set()


def _asked(asked: Questions, form: Form, schema: str, _: str, value: Any) -> bool:
    return schema.partition("#")[0] in _files() and asked.put(_schema(schema), value, form.rows)


@dataclass(frozen=True, slots=True)
class Refusal:
    """``path``: in the object, continuing into an embedded text. ``keyword``: of the schema, empty if
    there is no schema; ``wanted``: values that an enum or const allows."""

    path: Path
    message: str
    keyword: str
    value: Any
    wanted: tuple[Any, ...] = ()


def refusals(thing: Thing) -> Iterator[Refusal]:
    """What the schemas reject in one object; of alternatives, the errors of the one for the value's own
    kind."""
    for schema, place, value in _placed(thing):
        if schema.endswith("/None.json"):
            yield Refusal(place, "it has no type", "required", value)
        elif schema.partition("#")[0] not in _files():
            yield Refusal(place, f"there is no schema {schema}", "", value)
        elif not _test(schema)(value):
            for error in _validator(schema).iter_errors(value):
                yield from _refused(error, place)


def _refused(error: Any, place: Path) -> Iterator[Refusal]:
    path = (*place, *error.absolute_path)
    message = error.message[:_MESSAGE_MAX]
    if error.validator in ("anyOf", "oneOf"):
        ways: dict[Any, list[Any]] = {}
        for each in error.context:
            ways.setdefault(each.schema_path[0], []).append(each)
        fitting = [w for w in ways.values() if not any(e.validator == "type" and not e.path for e in w)]
        if fitting:
            for each in min(fitting, key=len):
                yield from _refused(each, place)
            return
    if error.validator == "additionalProperties":
        for key in error.instance:
            if key not in error.schema.get("properties", {}):
                yield Refusal((*path, key), f"{key} is not known", error.validator, error.instance[key])
        return
    wanted = error.validator_value
    words = tuple(wanted) if isinstance(wanted, list) else (wanted,)
    yield Refusal(path, message, str(error.validator), error.instance, words)


def validate(schema: str, value: Any) -> Iterator[tuple[str, str]]:
    """(JSON path, message) of everything a schema rejects. ``schema``: file or ``defs.json#/$defs/name``."""
    if schema.partition("#")[0] not in _files():
        yield "$", f"there is no schema {schema}"
        return
    if not _test(schema)(value):
        for error in _validator(schema).iter_errors(value):
            yield error.json_path, error.message[:_MESSAGE_MAX]


def _parts(thing: Thing) -> Iterator[Part]:
    for schema, place, value in _placed(thing):
        yield schema, json_path(place), value


def _placed(thing: Thing) -> Iterator[tuple[str, Path, Any]]:
    yield schema_of(thing.api_version, thing.kind), (), thing.body
    for place, value in thing.texts.items():
        yield from _embedded(place, value)


def json_path(place: Path) -> str:
    """``("data", "config.json")`` -> ``$.data["config.json"]``"""
    return "$" + "".join(_step(key) for key in place)


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if key.isidentifier() else f'["{key}"]'


def schema_of(api_version: str, kind: str) -> str:
    """Schema file of a kind; its name includes the group if two groups have the kind."""
    own = f"{qualified(api_version, kind)}.json"
    return own if own in _files() else f"{kind}.json"


def _embedded(place: Path, value: Any) -> Iterator[tuple[str, Path, Any]]:
    if place in (META, CHAINED):
        yield from _plugins(place, value)
    elif place == IPAM:
        yield _typed("ipam", place, value)
    elif place == CAPABILITIES:
        yield "defs.json#/$defs/capabilities", place, value
    elif place == CONFIG:
        yield "cni/conflist.json", place, value
        plugins = value.get("plugins") if isinstance(value, dict) else None
        yield from _plugins((*place, "plugins"), plugins if isinstance(plugins, list) else [])
    else:
        shared = isinstance(value, dict) and "configList" in value
        yield "rdma-shared.json" if shared else "device-plugin.json", place, value


def _plugins(place: Path, plugins: list[Any]) -> Iterator[tuple[str, Path, Any]]:
    for index, plugin in enumerate(plugins):
        yield _typed("cni", (*place, index), plugin)
        if isinstance(plugin, dict) and plugin.get("ipam"):  # an empty object means no addresses
            yield _typed("ipam", (*place, index, "ipam"), plugin["ipam"])


def _typed(folder: str, place: Path, value: Any) -> tuple[str, Path, Any]:
    """The schema that the value's ``type`` names."""
    kind = value.get("type") if isinstance(value, dict) else None
    return f"{folder}/{kind}.json", place, value


@cache
def _files() -> dict[str, FilePath]:
    """Path below ``schemas/kubernetes`` -> file of the schema."""
    root = resources.schemas() / "kubernetes"
    return {path.relative_to(root).as_posix(): path for path in sorted(root.rglob("*.json"))}


@cache
def _content(name: str) -> Any:
    """Loaded on first use: a tree has only a few of the kinds."""
    return json.loads(_files()[name].read_text(encoding="utf-8"))


@cache
def _test(schema: str) -> Test:
    return compiled(_schema(schema))


@cache
def _validator(schema: str) -> Any:
    return validator(_schema(schema))


@cache
def _schema(schema: str) -> Any:
    """A schema with its references resolved."""
    return _inlined({"$ref": schema})


def _inlined(schema: Any) -> Any:
    return inlined(schema, "", _content)
