"""Fills in defaults from a schema, the only place that has them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

Fill = Callable[[Any], Any]


def fill(value: Any, schema: Mapping[str, Any], leave: Collection[tuple[str, ...]] = ()) -> Any:
    """``value`` with the defaults of a schema without references in every mapping below it; parts where the
    schema has none are those of ``value`` itself.

    ``leave``: mappings to leave as they are, as keys from the top, ``*`` for any key.
    """
    return filling(schema, leave)(value)


def filling(
    schema: Mapping[str, Any], leave: Collection[tuple[str, ...]] = (), at: tuple[str, ...] = ()
) -> Fill:
    """``fill`` for many values of one schema."""
    if at in leave:
        return _as_it_is
    known = schema.get("properties", {})
    below = {key: filling(sub, leave, (*at, key)) for key, sub in known.items()}
    defaults = {key: below[key](sub["default"]) for key, sub in known.items() if "default" in sub}
    others = _of_all(schema, "additionalProperties", leave, at)
    items = _of_all(schema, "items", leave, at)
    if not defaults and {others, items, *below.values()} == {_as_it_is}:
        return _as_it_is

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: below.get(key, others)(one) for key, one in value.items()} | {
                key: default for key, default in defaults.items() if key not in value
            }
        return list(map(items, value)) if isinstance(value, list) else value

    return filled


def _of_all(
    schema: Mapping[str, Any], keyword: str, leave: Collection[tuple[str, ...]], at: tuple[str, ...]
) -> Fill:
    """What fills each value that a keyword is about."""
    below = schema.get(keyword)
    return filling(below, leave, (*at, "*")) if isinstance(below, dict) else _as_it_is


def _as_it_is(value: Any) -> Any:
    return value
