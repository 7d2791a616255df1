"""Schemas of custom resources: netplan's own field lists, and CustomResourceDefinitions of the user."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from netplan import resources
from netplan.diagnostics import Diagnostic
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.kubeyaml import OVER_LIMITS, parse
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.records import dataclass

Schema = dict[str, Any]


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """``versions``: name -> structural schema, only of served versions. ``given``: from a CRD of the user."""

    scope: str
    versions: Mapping[str, Schema]
    given: bool


def close(schema: Schema) -> Schema:
    """A structural CRD schema as JSON Schema that rejects the fields an API server would prune.

    A structural schema names its fields in properties, items and additionalProperties; anyOf and similar
    only hold conditions on them and are left as they are.
    """
    out = {key: value for key, value in schema.items() if not key.startswith(("x-kubernetes-", "nullable"))}
    if schema.get("x-kubernetes-int-or-string"):
        out["anyOf"] = [{"type": "integer"}, {"type": "string"}]
    properties = schema.get("properties")
    if isinstance(properties, dict):
        out["properties"] = {name: close(part) for name, part in properties.items() if isinstance(part, dict)}
    for nested in ("items", "additionalProperties"):
        if isinstance(schema.get(nested), dict):
            out[nested] = close(schema[nested])
    if schema.get("x-kubernetes-embedded-resource"):
        own = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
        out["properties"] = own | out.get("properties", {})
    pruned = schema.get("type") == "object" and not schema.get("x-kubernetes-preserve-unknown-fields")
    if pruned:
        out.setdefault("additionalProperties", False)
    return _or_null(out) if schema.get("nullable") else out


def _or_null(schema: Schema) -> Schema:
    if isinstance(schema.get("type"), str):
        schema["type"] = [schema["type"], "null"]
        if "enum" in schema:
            schema["enum"] = [*schema["enum"], None]
        return schema
    return {"anyOf": [{"type": "null"}, schema]}


@cache
def shipped() -> dict[tuple[str, str], tuple[Definition, ...]]:
    """Definitions of objects.json and user-networks.json in ``schemas/foreign``, by group and kind."""
    found: dict[tuple[str, str], tuple[Definition, ...]] = {}
    for name in ("objects.json", "user-networks.json"):
        text = (resources.schemas() / "foreign" / name).read_text(encoding="utf-8")
        for key, entry in json.loads(text).items():
            group, _, kind = key.partition("/")
            found[group, kind] = (Definition(entry["scope"], entry["versions"], given=False),)
    return found


@dataclass(frozen=True, slots=True)
class Given:
    """``definitions``: by group and kind; two for one kind are alternatives. ``problems``: files over a
    limit, whose definitions are missing."""

    definitions: Mapping[tuple[str, str], tuple[Definition, ...]]
    problems: tuple[Diagnostic, ...]


def given(texts: Mapping[str, str], kinds: Iterable[str]) -> Given:
    """The CRDs in the texts. ``kinds``: those to parse, all others are skipped."""
    wanted = re.compile(rf"\bkind:\s*[\"']?(?:{'|'.join(sorted(map(re.escape, kinds))) or '-'})\b")
    found: dict[tuple[str, str], list[Definition]] = {}
    problems: list[Diagnostic] = []
    for name, text in texts.items():
        if "CustomResourceDefinition" in text and (wanted.search(text) or text.lstrip().startswith("{")):
            parsed = parse(name, text, Places(SourceMap()))
            problems += [problem for problem in parsed.problems if problem.code == OVER_LIMITS]
            for body, _ in parsed.documents:
                for crd in [body, *listing(mapping(body).get("items"))]:
                    _add(found, crd)
    return Given({key: tuple(same) for key, same in found.items()}, tuple(problems))


def _add(found: dict[tuple[str, str], list[Definition]], crd: Any) -> None:
    spec = mapping(mapping(crd).get("spec"))
    if mapping(crd).get("kind") != "CustomResourceDefinition":
        return
    versions = {}
    for version in listing(spec.get("versions")):
        schema = inside(version, ("schema", "openAPIV3Schema"))
        if isinstance(schema, dict) and version.get("served", True) and isinstance(version.get("name"), str):
            versions[version["name"]] = schema
    kind = inside(spec, ("names", "kind"))
    if versions and isinstance(kind, str):
        definition = Definition(str(spec.get("scope")), versions, given=True)
        found.setdefault((str(spec.get("group")), kind), []).append(definition)


def formats() -> Any:
    """The value formats that an API server validates."""
    from jsonschema import FormatChecker

    checker = FormatChecker(formats=())
    checker.checks("int32")(_fits(32))
    checker.checks("int64")(_fits(64))
    checker.checks("date-time", raises=ValueError)(_is_date_time)
    return checker


def _fits(bits: int) -> Any:
    bound = 2 ** (bits - 1)
    return lambda value: not isinstance(value, int) or -bound <= value < bound


def _is_date_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.datetime.fromisoformat(value).tzinfo is not None
