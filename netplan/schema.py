"""Validate a document against the inventory schema, with netplan's own messages at the offending key."""

from __future__ import annotations

from collections.abc import Container
from functools import cache
from itertools import islice
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.model.codes import Problems
from netplan.model.inventory_schema import inventory_schema
from netplan.strict import Test, compiled, explain, validator

MAX_ERRORS = 10_000
"""Maximum number of schema errors reported: a million take minutes, and nobody reads that far."""


def validate(data: Any, accepted: Container[int] = ()) -> list[Diagnostic]:
    """Every schema problem of ``data`` (one mapping), each with the path of the offending key. ``accepted``:
    identities of entries of sections that the schema is known to accept where they stand."""
    problems = Problems()
    if _accepts()(_in_question(data, accepted) if accepted else data):
        return []
    errors = validator(inventory_schema()).iter_errors(data)
    for error in islice(errors, MAX_ERRORS):
        explain(problems, error)
    if next(errors, None) is not None:
        what = f"more than {MAX_ERRORS:,} values are wrong, the rest are not listed"
        problems.add("NP004", (), what, "correct those listed and run again")
    return problems.found


_BY_ENTRY = frozenset({"type", "description", "propertyNames", "additionalProperties", "items"})
"""What the schema may ask of a section for its entries to be judged one by one."""


def _in_question(data: dict[str, Any], accepted: Container[int]) -> dict[str, Any]:
    """The same without the accepted entries."""
    sections = inventory_schema()["properties"]
    return {
        name: _others(section, accepted) if sections.get(name, {}).keys() <= _BY_ENTRY else section
        for name, section in data.items()
    }


def _others(section: Any, accepted: Container[int]) -> Any:
    if isinstance(section, dict):
        return {name: entry for name, entry in section.items() if id(entry) not in accepted}
    if isinstance(section, list):
        return [entry for entry in section if id(entry) not in accepted]
    return section


@cache
def _accepts() -> Test:
    return compiled(inventory_schema())
