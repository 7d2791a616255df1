"""Turns errors of jsonschema into netplan's messages on the offending key: NP010 to NP017."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from netplan.diagnostics import Path
from netplan.model.codes import Problems

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
_KINDS = {"string": str, "integer": int, "boolean": bool}
_WRITE = {
    "object": "write key: value lines, indented below it",
    "array": "write a list: [one, two], or lines that start with a dash",
    "string": "write one text",
    "number": "write a number, without quotes",
    "integer": "write the digits alone, without quotes, point or exponent",
    "boolean": "write true or false, without quotes",
}


def explain(problems: Problems, error: Any) -> None:
    """Add one error of a validator."""
    _EXPLAIN[str(error.validator)](problems, tuple(error.absolute_path), error)


def _described(error: Any) -> str:
    return str(error.schema.get("description", "any")).rstrip(".")


def _shown(value: Any) -> str:
    """A value as messages show it: short, on one line."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    kind = "a mapping" if isinstance(value, dict) else "a list" if isinstance(value, list) else ""
    return kind or (text if len(text) <= 60 else text[:57] + "...")


def _type(problems: Problems, path: Path, error: Any) -> None:
    wanted = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
    words = " or ".join(_TYPES[w] for w in wanted)
    hint = _WRITE[wanted[0]]
    if "enum" in error.schema:
        hint += f": one of {', '.join(map(str, error.schema['enum']))}"
    if error.instance is None:
        hint = f"write a value after the key ({_described(error)}), or remove the key"
    elif wanted[0] == "string" and not isinstance(error.instance, dict | list):
        hint = "quote it to make it text"
    problems.add("NP011", path, f"must be {words}, not {_shown(error.instance)}", hint)


def _unknown_keys(problems: Problems, path: Path, error: Any) -> None:
    known = list(error.schema["properties"])
    for key in error.instance:
        if key not in known:
            hint = error.schema.get("x-netplan-own", {}).get(key)
            hint = hint or problems.nearest(key, known, f"keys here: {', '.join(known)}")
            problems.add("NP010", (*path, key), f"unknown key {_shown(key)}", hint)


def _required(problems: Problems, path: Path, error: Any) -> None:
    for key in error.validator_value:
        if key not in error.instance:
            text = error.schema["properties"][key]["description"]
            problems.add("NP012", path, f"key {key} is missing", f"add {key}: {text}")


def _enum(problems: Problems, path: Path, error: Any) -> None:
    kind = _KINDS.get(str(error.schema.get("type")))
    if kind is not None and type(error.instance) is not kind:
        return  # one cause, one finding: NP011 says it
    allowed = [str(v) for v in error.validator_value]
    what = f"{_shown(error.instance)} is not one of {', '.join(allowed)}"
    hint = problems.nearest(str(error.instance), allowed, f"one of {', '.join(allowed)}")
    problems.add("NP013", path, what, hint)


def _pattern(problems: Problems, path: Path, error: Any) -> None:
    described = error.schema.get("description", f"a name of the form {error.validator_value}")
    where = _named(path, error)
    problems.add("NP014", where, f"{_shown(error.instance)} has the wrong form", f"expected: {described}")


def _named(path: Path, error: Any) -> Path:
    """Errors of propertyNames point to the mapping; returns the path of the key."""
    return path if "type" in error.schema else (*path, error.instance)


def _bounds(problems: Problems, path: Path, error: Any) -> None:
    schema = error.schema
    low, high = schema.get("minimum", "any"), schema.get("maximum", "any")
    problems.add(
        "NP015",
        path,
        f"{_shown(error.instance)} is outside {low} to {high}",
        f"use a number from {low} to {high}",
    )


def _length(problems: Problems, path: Path, error: Any) -> None:
    size = len(error.instance)
    word = "at least" if error.validator.startswith("min") else "at most"
    what = "characters" if error.validator.endswith("Length") else "entries"
    message = f"has {size} {what}, needs {word} {error.validator_value}"
    problems.add("NP016", _named(path, error), message, "add or remove some")


def _unique(problems: Problems, path: Path, error: Any) -> None:
    seen: set[str] = set()
    for index, value in enumerate(error.instance):
        text = json.dumps(value, sort_keys=True)
        if text in seen:
            problems.add("NP017", (*path, index), f"{_shown(value)} appears twice", "remove one of them")
        seen.add(text)


def _any_of(problems: Problems, path: Path, error: Any) -> None:
    forms = [_form(schema) for schema in error.validator_value]
    what = f"{_shown(error.instance)} is neither {' nor '.join(forms)}"
    problems.add("NP011", path, what, f"expected: {_described(error)}")


def _form(schema: Any) -> str:
    if "const" in schema:
        return _shown(schema["const"])
    if "type" in schema:
        return f"{_TYPES[schema['type']]} of at least {schema['minLength']} characters"
    return f"a list of {schema['maxItems'] or 'no'} entries"


_EXPLAIN: dict[str, Callable[[Problems, Path, Any], None]] = {
    "type": _type,
    "additionalProperties": _unknown_keys,
    "required": _required,
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _bounds,
    "maximum": _bounds,
    "minItems": _length,
    "maxItems": _length,
    "minLength": _length,
    "maxLength": _length,
    "minProperties": _length,
    "maxProperties": _length,
    "uniqueItems": _unique,
    "anyOf": _any_of,
}
