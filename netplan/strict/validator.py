"""jsonschema's Draft 2020-12 validator with patterns that end where they say."""

from __future__ import annotations

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

    return extend(Draft202012Validator, {"pattern": pattern})  # type: ignore[no-untyped-call]
