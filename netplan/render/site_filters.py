"""Filters and text methods for a site's templates; no result is larger than what was charged for it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from string import Formatter
from typing import Any

from jinja2 import Environment
from jinja2.exceptions import SecurityError
from jinja2.filters import FILTERS, make_attrgetter
from jinja2.runtime import Undefined
from netaddr import IPAddress, IPNetwork

from netplan.model.values import InterfaceAddress

MAX_STEPS = 3_000_000
"""Limit per file; all VLANs on each of 512 ports take two thirds of it."""
MAX_CHARACTERS = 32 * 2**20
"""Limit of characters that one file prints or joins."""
SCALARS = (str, int, float, IPAddress, IPNetwork, InterfaceAddress)
_FIELD = re.compile(r"[A-Za-z0-9_]*")
_SPEC = re.compile(r"[<>^]?#?0?[0-9]{0,3},?[bdoxXs]?")
_OF_JINJA = (
    "abs", "default", "d", "dictsort", "first", "float", "groupby", "int", "items", "last", "length", "count",
    "list", "map", "max", "min", "reject", "rejectattr", "reverse", "select", "selectattr", "sort", "unique",
)  # fmt: skip
_TEXT = ("capitalize", "lower", "title", "trim", "upper")
_METHODS = frozenset({
    "endswith", "isalnum", "isalpha", "isdecimal", "isdigit", "islower", "isupper", "lower", "lstrip",
    "partition", "removeprefix", "removesuffix", "rpartition", "rsplit", "rstrip", "split", "splitlines",
    "startswith", "strip", "upper",
})  # fmt: skip


class TooMuchError(Exception):
    """A template does or prints more than any file needs."""


class Meter:
    """Steps and characters used so far in rendering one file."""

    def __init__(self) -> None:
        self.steps = self.characters = 0

    def step(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooMuchError(f"it takes more than {MAX_STEPS:,} steps; does a loop or a macro not end?")

    def print(self, characters: int) -> None:
        self.characters += characters
        if self.characters > MAX_CHARACTERS:
            raise TooMuchError(f"it makes more than {MAX_CHARACTERS:,} characters")


def text_of(value: Any) -> str:
    """The value as printed in a file. Raises ValueError for None, lists and objects, UndefinedError for
    missing names."""
    if isinstance(value, Undefined):
        return str(value)  # raises UndefinedError, which says what is not there
    if value is None or not isinstance(value, SCALARS):
        kind = "nothing (None)" if value is None else f"a {type(value).__name__}"
        raise ValueError(f"prints {kind}: print a text, a number or an address")
    return str(value)


def ordered(values: Any) -> Any:
    """A set in a fixed order, since Python's own order differs from run to run; other values unchanged."""
    return sorted(values, key=str) if isinstance(values, set | frozenset) else values


def filters(environment: Any) -> dict[str, Callable[..., Any]]:
    """All filters available in a ``SiteEnvironment``."""
    own: dict[str, Callable[..., Any]] = {
        "join": partial(_join, environment),
        "replace": partial(_replace, environment),
        "sum": partial(_sum, environment),
        "tojson": lambda value: json.dumps(text_of(value) if not isinstance(value, int | float) else value),
        "string": text_of,
    }
    own |= {name: partial(_of_text, name) for name in _TEXT}
    return own | {name: _checked(environment, FILTERS[name]) for name in _OF_JINJA}


def _bounded(environment: Any, values: Any) -> Any:
    """``values`` of a filter, charged by length. Raises SecurityError for iterables that may be endless."""
    if isinstance(values, list | tuple | Mapping | set | frozenset | str):
        environment.meter.step(len(values))
    elif isinstance(values, Iterable) and not isinstance(values, Undefined):
        raise SecurityError(f"a filter does not take a {type(values).__name__}")
    return ordered(values)


def _checked(environment: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    before = 1 if hasattr(function, "jinja_pass_arg") else 0

    @wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        given = (*args[:before], _bounded(environment, args[before]), *args[before + 1 :])
        found = function(*given, **kwargs)
        plain = isinstance(found, list | tuple | Mapping | str) or not isinstance(found, Iterable)
        return found if plain or isinstance(found, (*SCALARS, Undefined)) else list(found)

    return checked


def _items_of(environment: Environment, values: Any, attribute: str | int | None) -> Iterable[Any]:
    values = _bounded(environment, values)
    return values if attribute is None else map(make_attrgetter(environment, attribute), values)


def _join(environment: Any, values: Any, d: Any = "", attribute: str | int | None = None) -> str:
    between, texts = text_of(d), []
    for item in _items_of(environment, values, attribute):
        texts.append(text_of(item))
        environment.meter.print(len(texts[-1]) + len(between))
    return between.join(texts)


def _sum(environment: Any, values: Any, attribute: str | int | None = None) -> Any:
    numbers = list(_items_of(environment, values, attribute))
    if not all(isinstance(number, int | float) for number in numbers):
        raise ValueError("sums a value that is not a number")
    return sum(numbers)


def _replace(environment: Any, value: Any, old: Any, new: Any) -> str:
    text, before, after = map(text_of, (value, old, new))
    environment.meter.print(len(text) + text.count(before) * len(after))
    return text.replace(before, after)


def _of_text(name: str, value: Any) -> str:
    text: str = getattr(text_of(value), "strip" if name == "trim" else name)()
    return text


def text_method(meter: Meter, text: str, name: str) -> Callable[..., Any] | None:
    """A method of ``text``; None if a site's templates may not use it."""
    if name == "format":
        return partial(_format, meter, text)
    if name not in _METHODS:
        return None
    meter.step(1 + len(text) // 100)
    method: Callable[..., Any] = getattr(text, name)
    return method


def _format(meter: Meter, text: str, *args: Any, **kwargs: Any) -> str:
    """``str.format`` with plain fields such as ``{:06b}`` only."""
    values = [value if isinstance(value, int) else text_of(value) for value in args]
    named = {key: value if isinstance(value, int) else text_of(value) for key, value in kwargs.items()}
    for _, field, spec, conversion in Formatter().parse(text):
        if field is None:
            continue
        if not _FIELD.fullmatch(field) or not _SPEC.fullmatch(spec or "") or conversion:
            raise SecurityError(f"format does not take {{{field}:{spec}}}")
        meter.print(1000 + max(map(len, map(str, (*values, *named.values()))), default=0))
    return text.format(*values, **named)
