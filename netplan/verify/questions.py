"""Schema validation of forms: the structure is checked once, marked texts once per distinct filling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from netplan.reading.kubernetes.objects import Row
from netplan.strict import compiled
from netplan.verify.forms import filler, marks

Schema = Mapping[str, Any]
BELOW = frozenset({"properties", "additionalProperties", "items"})
"""Keywords that constrain the entries of a map or list one by one."""
WHOLE = frozenset({"const", "enum", "uniqueItems", "anyOf", "oneOf"})
"""Keywords that look at a map or list as a whole."""


class Questions:
    """Validates values with marks (never in keys) against schemas; equal texts of several forms are
    checked once."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Schema, set[str]]] = {}

    def put(self, schema: Schema | bool, value: Any, rows: Sequence[Row]) -> bool:
        """Whether a schema accepts the value for every row of words in place of its marks. Schemas of
        marked texts are only collected here; `answered` checks those."""
        numbers = marks(value)
        if isinstance(schema, bool):
            return schema
        if not numbers:
            return bool(compiled(schema)(value))
        if isinstance(value, str):
            texts = self._texts.setdefault(id(schema), (schema, set()))[1]
            texts.update(map(filler(value), _distinct(rows, numbers)))
            return True
        if schema.keys() & WHOLE:
            return all(map(compiled(schema), map(filler(value), _distinct(rows, numbers))))
        shape = {keyword: operand for keyword, operand in schema.items() if keyword not in BELOW}
        below = (self.put(each, part, rows) for each, part in _below(schema, value))
        return bool(compiled(shape)(value)) and all(below)

    def answered(self) -> bool:
        """Whether the schemas accept all texts that were collected."""
        return all(all(map(compiled(schema), texts)) for schema, texts in self._texts.values())


def _distinct(rows: Sequence[Row], numbers: Iterable[int]) -> Iterable[Row]:
    """One row for each combination of words at these marks."""
    words = itemgetter(*numbers)
    return {words(row): row for row in rows}.values()


def _below(schema: Schema, value: Any) -> Iterator[tuple[Schema | bool, Any]]:
    """The entries of a map or list, each with its schema."""
    if isinstance(value, dict):
        named, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        yield from ((named.get(key, others), part) for key, part in value.items())
    else:
        yield from ((schema.get("items", True), part) for part in value)
