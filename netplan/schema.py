"""Validate a document against the inventory schema, with netplan's own messages at the offending key."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

from netplan.diagnostics import Diagnostic
from netplan.model.codes import Problems
from netplan.model.inventory_schema import inventory_schema
from netplan.strict import Test, compiled, explain, validator

MAX_ERRORS = 10_000
"""Maximum number of schema errors reported: a million take minutes, and nobody reads that far."""


def validate(data: Any) -> list[Diagnostic]:
    """Every schema problem of ``data`` (one mapping), each with the path of the offending key."""
    problems = Problems()
    if _accepts()(data):
        return []
    errors = validator(inventory_schema()).iter_errors(data)
    for error in islice(errors, MAX_ERRORS):
        explain(problems, error)
    if next(errors, None) is not None:
        what = f"more than {MAX_ERRORS:,} values are wrong, the rest are not listed"
        problems.add("NP004", (), what, "correct those listed and run again")
    return problems.found


@cache
def _accepts() -> Test:
    return compiled(inventory_schema())
