"""jsonschema's Draft 2020-12 validator, as strict as ``accept`` and linear in the size of a list."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from netplan.strict.accept import end_anchored


def validator(schema: Mapping[str, Any]) -> Any:
    """A validator for one schema without references to other files."""
    return _class()(schema)


@cache
def _class() -> Any:
    from jsonschema import Draft202012Validator, ValidationError
    from jsonschema.validators import extend

    def pattern(_: Any, regex: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not end_anchored(regex).search(value):
            yield ValidationError(f"{value!r} does not match {regex}")

    def unique(_: Any, wanted: bool, value: Any, __: Any) -> Iterator[ValidationError]:
        if wanted and isinstance(value, list) and len({_text(item) for item in value}) < len(value):
            yield ValidationError("has an entry twice")

    return extend(  # type: ignore[no-untyped-call]
        Draft202012Validator,
        {"pattern": pattern, "uniqueItems": unique},
        type_checker=Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_integer),
    )


def _is_integer(_: Any, value: Any) -> bool:
    """Not 1.0: later stages treat it as a float, whatever JSON Schema says."""
    return type(value) is int


def _text(value: Any) -> str:
    """Equal only for equal values, so that a long list is compared in one pass."""
    return json.dumps(value, sort_keys=True)
