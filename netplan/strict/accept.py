"""Compiles a JSON Schema into a function that says yes or no, in a twentieth of jsonschema's time.

It is only a shortcut: jsonschema decides, with reasons, whatever is not accepted here. So a test may be
stricter than the specification (it rejects an integer written 1.0), never more lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

Test = Callable[[Any], bool]
Question = Callable[[Any], Any]
"""Of one keyword; the answer is something true where it accepts a value."""
Make = Callable[[Any, Mapping[str, Any]], Question]
"""From the operand of a keyword and the schema that it stands in."""

_ANNOTATIONS = frozenset({
    "$schema", "$id", "title", "description", "default", "format", "x-netplan-own", "x-netplan-not-in",
    "x-netplan-key",
})  # fmt: skip
"""``format`` asserts nothing without a format checker (JSON Schema 2020-12 Validation, 7.2.1). netplan's own:
``x-netplan-own``, keys that netplan decides, with a hint; ``x-netplan-not-in``, for Kubernetes;
``x-netplan-key``, keys that identify list items when an overlay has some too."""

Kinds = tuple[type, ...]
_MAP: Kinds = (dict,)
_LIST: Kinds = (list,)
_TEXT: Kinds = (str,)
_NUMBER: Kinds = (int, float)
_EVERY: Kinds = (*_MAP, *_LIST, *_TEXT, *_NUMBER, bool, type(None))
_TYPES: Mapping[str, Kinds] = {
    "object": _MAP,
    "array": _LIST,
    "string": _TEXT,
    "integer": (int,),
    "number": _NUMBER,
    "boolean": (bool,),
}


def compiled(schema: Mapping[str, Any]) -> Test:
    """For a schema without references. Raises KeyError for a keyword that is not in ``_KEYWORDS``.

    Subschemas are compiled on first use: a file has few of the possible keys.
    """
    wanted = [(*_KEYWORDS[key], operand) for key, operand in schema.items() if key not in _NO_TEST]
    tests: dict[type, list[Question]] = {}  # what is asked of a value, by its type

    def test(value: Any) -> bool:
        if not tests:
            made = [(kinds, make(operand, schema)) for kinds, make, operand in wanted]
            tests.update({kind: [one for kinds, one in made if kind in kinds] for kind in _kinds(schema)})
        for one in tests.get(type(value), _NEVER):
            if not one(value):
                return False
        return True

    return test


def _kinds(schema: Mapping[str, Any]) -> Kinds:
    """Types of the values that ``type`` allows."""
    if "type" not in schema:
        return _EVERY
    names = schema["type"]
    return tuple(kind for name in ([names] if isinstance(names, str) else names) for kind in _TYPES[name])


def end_anchored(pattern: str) -> re.Pattern[str]:
    """``$`` matches only at the very end, as in ECMA 262; Python's also matches before a final newline."""
    return re.compile(re.sub(r"\$\Z", r"\\Z", pattern))


def _enum(allowed: list[Any], _: Any) -> Question:
    """In JSON, true does not equal 1."""
    return lambda value: any(type(value) is type(one) and value == one for one in allowed)


def _unique(wanted: bool, _: Any) -> Question:
    return lambda value: all(type(item) is str for item in value) and len(set(value)) == len(value)


def _required(keys: list[str], _: Any) -> Question:
    wanted = frozenset(keys)
    return lambda value: value.keys() >= wanted


def _dependent(wanted: dict[str, list[str]], _: Any) -> Question:
    return lambda value: all(
        other in value for key, others in wanted.items() if key in value for other in others
    )


def _properties(schemas: dict[str, Any], _: Any) -> Question:
    tests = {key: compiled(schema) for key, schema in schemas.items()}

    def test(value: dict[str, Any]) -> bool:
        for key, below in value.items():
            if key in tests and not tests[key](below):
                return False
        return True

    return test


def _additional(schema: Any, whole: Mapping[str, Any]) -> Question:
    known = whole.get("properties", {}).keys()
    if schema is False:
        return lambda value: value.keys() <= known
    test = compiled(schema)
    return lambda value: all(test(below) for key, below in value.items() if key not in known)


def _each(schema: dict[str, Any], _: Any) -> Question:
    """Each key of a mapping, each item of a list."""
    test = compiled(schema)
    return lambda value: all(map(test, value))


def _alternatives(least: int, most: int | None) -> Make:
    def make(schemas: list[Any], _: Any) -> Question:
        tests = [compiled(schema) for schema in schemas]
        return lambda value: least <= sum(test(value) for test in tests) <= (most or len(tests))

    return make


def _at_least(measure: Callable[[Any], float]) -> Make:
    return lambda bound, _: lambda value: measure(value) >= bound


def _at_most(measure: Callable[[Any], float]) -> Make:
    return lambda bound, _: lambda value: measure(value) <= bound


_NEVER: tuple[Question] = (lambda value: False,)
_NO_TEST = _ANNOTATIONS | {"type"}
_KEYWORDS: Mapping[str, tuple[Kinds, Make]] = {
    "const": (_EVERY, lambda value, _: _enum([value], _)),
    "enum": (_EVERY, _enum),
    "pattern": (_TEXT, lambda pattern, _: end_anchored(pattern).search),
    "minimum": (_NUMBER, lambda bound, _: lambda value: value >= bound),
    "maximum": (_NUMBER, lambda bound, _: lambda value: value <= bound),
    "minLength": (_TEXT, _at_least(len)),
    "maxLength": (_TEXT, _at_most(len)),
    "minItems": (_LIST, _at_least(len)),
    "maxItems": (_LIST, _at_most(len)),
    "minProperties": (_MAP, _at_least(len)),
    "maxProperties": (_MAP, _at_most(len)),
    "uniqueItems": (_LIST, _unique),
    "items": (_LIST, _each),
    "required": (_MAP, _required),
    "dependentRequired": (_MAP, _dependent),
    "properties": (_MAP, _properties),
    "additionalProperties": (_MAP, _additional),
    "propertyNames": (_MAP, _each),
    "anyOf": (_EVERY, _alternatives(1, None)),
    "oneOf": (_EVERY, _alternatives(1, 1)),
}
"""Keyword -> types of the values that it says something about, what makes its test."""
