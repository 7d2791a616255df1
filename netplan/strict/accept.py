"""Compiles a JSON Schema into a function that says yes or no, in a twentieth of jsonschema's time.

It is only a shortcut: jsonschema decides, with reasons, whatever is not accepted here. So a test may be
stricter than the specification (it rejects an integer written 1.0), never more lenient.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Test = Callable[[Any], bool]
Question = Callable[[Any], Any]
"""The answer is something true where it accepts a value."""
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
    """For a schema without references. Raises KeyError for a keyword that is not in ``_KEYWORDS``."""
    questions = _Questions(schema)
    return lambda value: bool(questions[type(value)](value))


class _Questions(dict[type, Question]):
    """What a schema asks of a value, by the value's type.

    A subschema is compiled on first use: a file has few of the possible keys.
    """

    def __init__(self, schema: Mapping[str, Any]) -> None:
        super().__init__()
        self._schema = schema
        self._wanted = [(*_KEYWORDS[key], operand) for key, operand in schema.items() if key not in _NO_TEST]

    def __missing__(self, kind: type) -> Question:
        made = [make(operand, self._schema) for kinds, make, operand in self._wanted if kind in kinds]
        question = _all_of(made) if kind in _kinds(self._schema) else _never
        self[kind] = _once_each(question) if kind is str and made else question
        return self[kind]


def _never(_: Any) -> bool:
    return False


def _once_each(question: Question) -> Question:
    """Texts repeat: each host has the same keys, and each leaf the same ports."""
    accepted: set[str] = set()

    def test(value: str) -> bool:
        if value not in accepted:
            if not question(value):
                return False
            accepted.add(value)
        return True

    return test


def _all_of(questions: Sequence[Question]) -> Question:
    if len(questions) == 1:
        return questions[0]

    def test(value: Any) -> bool:
        for question in questions:  # a loop: with all() and a generator, large files take a sixth longer
            if not question(value):
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
    known = {key: _Questions(schema) for key, schema in schemas.items()}.get

    def test(value: dict[str, Any]) -> bool:
        for key, below in value.items():
            question = known(key)
            if question is not None and not question[type(below)](below):
                return False
        return True

    return test


def _additional(schema: Any, whole: Mapping[str, Any]) -> Question:
    known = whole.get("properties", {}).keys()
    if schema is False:
        return lambda value: value.keys() <= known
    questions = _Questions(schema)
    return lambda value: all(
        questions[type(below)](below) for key, below in value.items() if key not in known
    )


def _each(schema: dict[str, Any], _: Any) -> Question:
    """Each key of a mapping, each item of a list."""
    questions = _Questions(schema)
    return lambda value: all(questions[type(item)](item) for item in value)


def _alternatives(least: int, most: int | None) -> Make:
    def make(schemas: list[Any], _: Any) -> Question:
        tests = [compiled(schema) for schema in schemas]
        return lambda value: least <= sum(test(value) for test in tests) <= (most or len(tests))

    return make


def _at_least(measure: Callable[[Any], float]) -> Make:
    return lambda bound, _: lambda value: measure(value) >= bound


def _at_most(measure: Callable[[Any], float]) -> Make:
    return lambda bound, _: lambda value: measure(value) <= bound


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
