"""Compiles a JSON Schema into a function that says yes or no, in a tenth of jsonschema's time.

It is only a shortcut: jsonschema decides, with reasons, whatever is not accepted here. So a test may be
stricter than the specification (it rejects an integer written 1.0), never more lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Test = Callable[[Any], bool]

_ANNOTATIONS = frozenset({
    "$schema", "$id", "title", "description", "default", "format", "x-netplan-own", "x-netplan-not-in",
    "x-netplan-key",
})  # fmt: skip
"""``format`` asserts nothing without a format checker (JSON Schema 2020-12 Validation, 7.2.1). netplan's own:
``x-netplan-own``, keys that netplan decides, with a hint; ``x-netplan-not-in``, for Kubernetes;
``x-netplan-key``, keys that identify list items when an overlay has some too."""

_NUMBER = (int, float)
_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": _NUMBER,
    "boolean": (bool,),
}


def compiled(schema: Mapping[str, Any]) -> Test:
    """For a schema without references. Raises KeyError for a keyword that is not in ``_KEYWORDS``.

    Subschemas are compiled on first use: a file has few of the possible keys.
    """
    wanted = [(_KEYWORDS[key], value) for key, value in schema.items() if key not in _ANNOTATIONS]
    tests: list[Test] = []

    def test(value: Any) -> bool:
        if not tests:
            tests.extend(made(operand, schema) for made, operand in wanted)
        return all(one(value) for one in tests)

    return test


def end_anchored(pattern: str) -> re.Pattern[str]:
    """``$`` matches only at the very end, as in ECMA 262; Python's also matches before a final newline."""
    return re.compile(re.sub(r"\$\Z", r"\\Z", pattern))


def _type(names: str | list[str], _: Any) -> Test:
    wanted = {kind for name in ([names] if isinstance(names, str) else names) for kind in _TYPES[name]}
    return lambda value: type(value) in wanted


def _enum(allowed: list[Any], _: Any) -> Test:
    """In JSON, true does not equal 1."""
    return lambda value: any(type(value) is type(one) and value == one for one in allowed)


def _pattern(pattern: str, _: Any) -> Test:
    search = end_anchored(pattern).search
    return lambda value: type(value) is not str or search(value) is not None


def _unique(wanted: bool, _: Any) -> Test:
    return lambda value: (
        type(value) is not list
        or (all(type(item) is str for item in value) and len(set(value)) == len(value))
    )


def _required(keys: list[str], _: Any) -> Test:
    return lambda value: type(value) is not dict or all(key in value for key in keys)


def _dependent(wanted: dict[str, list[str]], _: Any) -> Test:
    return lambda value: (
        type(value) is not dict
        or all(other in value for key, others in wanted.items() if key in value for other in others)
    )


def _properties(schemas: dict[str, Any], _: Any) -> Test:
    tests = {key: compiled(schema) for key, schema in schemas.items()}
    return lambda value: (
        type(value) is not dict or all(tests[key](below) for key, below in value.items() if key in tests)
    )


def _additional(schema: Any, whole: Mapping[str, Any]) -> Test:
    known = whole.get("properties", {}).keys()
    test = compiled(schema) if schema is not False else _refuses
    return lambda value: (
        type(value) is not dict or all(key in known or test(below) for key, below in value.items())
    )


def _refuses(value: Any) -> bool:
    return False


def _names(schema: dict[str, Any], _: Any) -> Test:
    test = compiled(schema)
    return lambda value: type(value) is not dict or all(test(key) for key in value)


def _items(schema: dict[str, Any], _: Any) -> Test:
    test = compiled(schema)
    return lambda value: type(value) is not list or all(test(item) for item in value)


def _alternatives(least: int, most: int | None) -> Callable[[list[Any], Any], Test]:
    def make(schemas: list[Any], _: Any) -> Test:
        tests = [compiled(schema) for schema in schemas]
        return lambda value: least <= sum(test(value) for test in tests) <= (most or len(tests))

    return make


Measured = Callable[[float, Any], Test]


def _at_least(measure: Callable[[Any], float], *kinds: type) -> Measured:
    return lambda bound, _: lambda value: type(value) not in kinds or measure(value) >= bound


def _at_most(measure: Callable[[Any], float], *kinds: type) -> Measured:
    return lambda bound, _: lambda value: type(value) not in kinds or measure(value) <= bound


def _itself(value: float) -> float:
    return value


_KEYWORDS: Mapping[str, Callable[[Any, Any], Test]] = {
    "type": _type,
    "const": lambda value, _: _enum([value], _),
    "enum": _enum,
    "pattern": _pattern,
    "minimum": _at_least(_itself, *_NUMBER),
    "maximum": _at_most(_itself, *_NUMBER),
    "minLength": _at_least(len, str),
    "maxLength": _at_most(len, str),
    "minItems": _at_least(len, list),
    "maxItems": _at_most(len, list),
    "minProperties": _at_least(len, dict),
    "maxProperties": _at_most(len, dict),
    "uniqueItems": _unique,
    "items": _items,
    "required": _required,
    "dependentRequired": _dependent,
    "properties": _properties,
    "additionalProperties": _additional,
    "propertyNames": _names,
    "anyOf": _alternatives(1, None),
    "oneOf": _alternatives(1, 1),
}
