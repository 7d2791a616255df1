"""Network Operator releases that a site adds to the built-in ones: ``--release-data FILE``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from netplan import catalog
from netplan.model.document import Places, SourceMap
from netplan.model.inventory_schema import packaged_schema
from netplan.model.operator_releases import OperatorReleases
from netplan.strict import fill, validator
from netplan.strict.expressions import not_expression
from netplan.yaml12 import parse

MAX_SHOWN = 5


def extended(name: str, text: str) -> tuple[OperatorReleases, list[str]]:
    """The built-in releases extended by a file of the same schema, whose rows win; and the file's problems.

    If there are problems, the built-in releases alone are returned.
    """
    parsed = parse(name, text, Places(SourceMap()))
    problems = [problem.message for problem in parsed.problems]
    if not problems:
        problems = list(islice(_faults(parsed.data), MAX_SHOWN))
    if problems:
        return catalog.operator_releases(), problems
    return catalog.operator_releases().with_more(catalog.operator_releases_of(parsed.data)), []


def _faults(data: Any) -> Iterator[str]:
    errors = list(islice(_validator().iter_errors(data), MAX_SHOWN))
    for error in errors:
        yield f"{'.'.join(map(str, error.absolute_path)) or 'the file'}: {error.message[:200]}"
    filled = {} if errors else fill(data, packaged_schema(catalog.OPERATOR_RELEASES))["releases"]
    for release, row in filled.items():
        if wrong := not_expression(row["ofed_version"], re.ASCII):
            yield f"releases.{release}.ofed_version {wrong}"


@cache
def _validator() -> Any:
    return validator(packaged_schema(catalog.OPERATOR_RELEASES))
