"""Objects of all files by model and id, with references between them.

netbox-community/netbox 43fe81f (4.6): netbox/dcim/api/serializers_, netbox/ipam/api/serializers_; a page is
``{count, next, previous, results}``, pynetbox returns the list alone. nautobot/nautobot 47325c5 (3.1):
nautobot/core/api/serializers.py: ids are UUIDs, and with ``?depth=0`` a reference is only id and url. In
both, ``url`` names the model: ``/api/dcim/interfaces/12/``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from netplan.diagnostics import Diagnostic, Source
from netplan.importing.facts import Remark, not_taken
from netplan.importing.sonic.read import diagnostics
from netplan.model.document import Places
from netplan.model.values import whole
from netplan.reading.config_db.scan import scan

_MODEL = re.compile(r"/api/((?:dcim|ipam|extras)/[a-z-]+)/[^/]+/?\Z")
DEVICES = "dcim/devices"
Object = dict[str, Any]


@dataclass(slots=True)
class Record:
    """``models``: model -> id -> object; ``places``: of the objects. ``used``: files with any object.
    ``called``: device -> its name in the other files."""

    places: Places
    models: dict[str, dict[str, Object]] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    called: dict[str, str] = field(default_factory=dict)

    def every(self, model: str) -> Iterator[Object]:
        yield from self.models.get(model, {}).values()

    def at(self, thing: Object, key: str = "url") -> Source:
        return self.places.source_of(thing, key if key in thing else "url")

    def other(self, value: Any) -> Object:
        """The referenced object, from any file of this run, else what stands in the field."""
        if not isinstance(value, dict):
            return {}
        model, ident = _model(value), _text(value.get("id"))
        return self.models.get(model, {}).get(ident, value)

    def name(self, value: Any) -> str:
        thing = self.other(value)
        name = _text(thing.get("name"))
        return self.called.get(name, name) if _model(thing) == DEVICES else name

    def number(self, value: Any, key: str, most: int = 10**10) -> int | None:
        """A whole number; others are named."""
        thing = self.other(value)
        shown = _text(thing.get(key))
        number = whole(shown, 10)
        if shown and (number is None or number > most):
            self.refuse(thing, key, shown, f"not a whole number up to {most:,}")
            return None
        return number

    def refuse(self, thing: Object, key: str, value: object, why: str) -> None:
        at = self.at(thing, key) if "url" in thing or key in thing else None
        if at is not None:
            self.remarks.append(not_taken(at, f"{_model(thing)} {key}".strip(), value, why))

    def status(self, thing: Object) -> str:
        """Lower case; empty if it is not known: with ``?depth=0`` of Nautobot, without extras/statuses."""
        value = thing.get("status")
        return choice(self.other(value) or value)

    def end(self, interface: Any) -> tuple[str, str]:
        """(device, interface name); empty if not stated."""
        found = self.other(interface)
        return (self.name(found.get("device")), _text(found.get("name")))


def choice(value: Any) -> str:
    """A choice value: ``{value, label}`` in NetBox, an object with a name in Nautobot."""
    if isinstance(value, dict):
        value = value.get("value") or value.get("name")
    return _text(value).lower()


def _text(value: Any) -> str:
    return str(value) if isinstance(value, str) else ""


def _model(thing: Object) -> str:
    match = _MODEL.search(_text(thing.get("url")))
    return match[1] if match else ""


def read_record(texts: Mapping[str, str], places: Places) -> Record:
    """Incomplete sets of pages are left out: part of the cables would be mistaken for all."""
    record = Record(places)
    pages = [_page(file, text, record) for file, text in texts.items()]
    held = Counter(model for page in pages for model in page.models)
    for page in pages:
        missing = [m for m in set(page.models) if page.count is not None and held[m] < page.count]
        if missing:
            shown = f"{held[missing[0]]:,} of {page.count:,} {missing[0]}"
            what = f"{shown}: not taken; ask for all of them (?limit=0), or save every page"
            record.remarks.append(Remark(page.at, what))
            continue
        for model, thing in zip(page.models, page.things, strict=True):
            record.models.setdefault(model, {}).setdefault(_text(thing.get("id")), thing)
        if page.things:
            record.used.append(page.file)
    return record


@dataclass(frozen=True, slots=True)
class _Page:
    """``models``: of each of ``things``. ``count``: total number of objects, None if not stated."""

    file: str
    things: tuple[Object, ...]
    models: tuple[str, ...]
    count: int | None
    at: Source


def _page(file: str, text: str, record: Record) -> _Page:
    scanned = scan(file, text, record.places)
    record.problems += diagnostics(scanned.problems, record.places)
    body = scanned.data
    listed = body.get("results") if isinstance(body, dict) and "results" in body else body
    things = [each for each in (listed if isinstance(listed, list) else [listed]) if isinstance(each, dict)]
    things = [each for each in things if _model(each)]
    count = _text(body.get("count")) if isinstance(body, dict) else ""
    number = whole(count, 9)
    if number is None and isinstance(body, dict) and body.get("next"):
        number = len(things) + 1  # cursor pages have no count
    at = record.places.sources.source(scanned.base)
    return _Page(file, tuple(things), tuple(map(_model, things)), number, at)
