"""Checks objects and JSON texts against lists of fields: unknown fields and invalid values."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from netplan import resources
from netplan.diagnostics import Path, dotted
from netplan.reading.kubernetes.crds import Definition, Schema, close, formats
from netplan.reading.kubernetes.field_names import home_below, instead_of, nearest
from netplan.reading.kubernetes.field_words import advice, wrong
from netplan.reading.kubernetes.objects import CHAINED, META, Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class FieldFault:
    """``unknown``: the field is in no list; ``near``: what was probably meant, empty if nothing is
    similar. ``missing``: the field is required and absent."""

    at: Path
    message: str
    hint: str
    unknown: bool = False
    near: str = ""
    missing: bool = False


def object_faults(thing: Thing, definitions: tuple[Definition, ...]) -> list[FieldFault]:
    """What the best-matching definition rejects; empty if none has the object's version."""
    version = thing.api_version.rpartition("/")[2]
    held = [d for d in definitions if version in d.versions]
    found = [_faults(_object_validator(d, version), thing.body, (), thing.kind) for d in held]
    return min(found, key=len) if found else []


def text_faults(thing: Thing) -> Iterator[FieldFault]:
    """Faults of the JSON texts whose keys are known: plugins, IPAMs, device plugins."""
    for place, value in thing.texts.items():
        if place[-1] == "config" and mapping(value).get("plugins") == []:
            at = (*place, "plugins")
            yield FieldFault(at, f"{dotted(at)} is empty, which libcni refuses", "list its plugins")
        for kind, at, part in _parts(place, value):
            if kind in _texts():
                yield from _faults(_text_validator(kind), part, at, kind)


def _parts(place: Path, value: Any) -> Iterator[tuple[str, Path, Any]]:
    if isinstance(value, dict) and ("resourceList" in value or "configList" in value):
        key, kind = (
            ("configList", "rdma-shared") if "configList" in value else ("resourceList", "device-plugin")
        )
        for index, entry in enumerate(listing(value[key])):
            if _OF_V2 & mapping(entry).keys():
                continue
            yield kind, (*place, key, index), entry
            selectors = entry.get("selectors") if isinstance(entry, dict) else None
            at = (*place, key, index, "selectors")
            if isinstance(selectors, dict):
                yield f"{kind}-selectors", at, selectors
            for number, part in enumerate(listing(selectors)):
                yield f"{kind}-selectors", (*at, number), part
    elif place in (META, CHAINED):
        yield from _plugins(place, listing(value))
    elif place[-1] == "config":
        plugins = value.get("plugins")
        yield from _plugins((*place, "plugins"), listing(plugins)) if plugins else _plugin(place, value)
    elif place[-1] == "ipam":
        yield str(mapping(value).get("type")), place, value


_OF_V2 = {"sriovMode", "rootDevices"}
"""Keys beside the name in entries of sriov-network-device-plugin v2, whose other keys and words differ too
(k8snetworkplumbingwg/sriov-network-device-plugin v2.1.0 README.md)."""


def _plugins(place: Path, plugins: list[Any]) -> Iterator[tuple[str, Path, Any]]:
    for index, plugin in enumerate(plugins):
        yield from _plugin((*place, index), plugin)


def _plugin(place: Path, plugin: Any) -> Iterator[tuple[str, Path, Any]]:
    yield str(mapping(plugin).get("type")), place, plugin
    ipam = mapping(plugin).get("ipam")
    if isinstance(ipam, dict):
        yield str(ipam.get("type")), (*place, "ipam"), ipam


@cache
def _texts() -> dict[str, Schema]:
    path = resources.schemas() / "foreign" / "texts.json"
    found: dict[str, Schema] = json.loads(path.read_text(encoding="utf-8"))["$defs"]
    return found


@cache
def _text_validator(kind: str) -> Any:
    return _validator(_texts()[kind], ())


@cache
def _object_validator(definition: Definition, version: str) -> Any:
    """Leaves out fields that are common to all kinds, and those that controllers write."""
    return _validator(definition.versions[version], ("apiVersion", "kind", "metadata", "status"))


def _validator(schema: Schema, unjudged: tuple[str, ...]) -> Any:
    from jsonschema import Draft202012Validator

    closed = close(_readable(schema))
    closed["properties"] = {**closed.get("properties", {}), **{name: {} for name in unjudged}}
    return Draft202012Validator(closed, format_checker=formats())


def _readable(schema: Any) -> Any:
    """The schema without patterns that Python cannot compile: an API server reads them as RE2."""
    if isinstance(schema, list):
        return [_readable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: _readable(part) for key, part in schema.items()}
    if isinstance(out.get("pattern"), str):
        try:
            re.compile(out["pattern"])
        except re.error:
            del out["pattern"]
    return out


def _faults(validator: Any, value: Any, base: Path, kind: str) -> list[FieldFault]:
    """Never raises: a CRD may hold anything, and a schema that jsonschema cannot read yields no faults."""
    from jsonschema.exceptions import SchemaError, UndefinedTypeCheck, UnknownType

    try:
        errors = list(validator.iter_errors(_stated(value)))
    except (
        SchemaError,
        UnknownType,
        UndefinedTypeCheck,
        TypeError,
        ValueError,
        AttributeError,
        RecursionError,
    ):
        return []
    found: dict[Path, FieldFault] = {}
    for error in errors:
        for fault in _fault(error, base, kind, value):
            found.setdefault(fault.at, fault)
    return list(found.values())


def _stated(value: Any) -> Any:
    """Drops keys whose value is null: the API server does the same, and Go leaves such a field unset."""
    if isinstance(value, dict):
        return {key: _stated(item) for key, item in value.items() if item is not None}
    return [_stated(item) for item in value] if isinstance(value, list) else value


def _fault(error: Any, base: Path, kind: str, whole: Any) -> Iterator[FieldFault]:
    at = (*base, *error.absolute_path)
    instance, rule = error.instance, error.validator
    if instance is None or templated(instance):  # an item of a list; a template is not final
        return
    if rule == "additionalProperties" and isinstance(instance, dict):
        yield from _strange(error, base, kind, whole)
    elif rule == "required":
        yield from _missing(error, at, whole)
    elif not _stands_in(error, at, whole):
        yield FieldFault(at, f"{dotted(at)} {wrong(error)}", advice(error))


def _strange(error: Any, base: Path, kind: str, whole: Any) -> Iterator[FieldFault]:
    """Fields that there are not; those that belong below one field are one fault."""
    place, known = tuple(error.absolute_path), list(error.schema.get("properties", {}))
    stated = mapping(inside(whole, place))
    strange = [
        key
        for key in error.instance
        if not (key in known or templated(key) or _read_as_known(key, known, kind))
    ]
    homes = {key: home_below(key, error.schema, stated) for key in strange}
    for key in strange:
        same = [other for other in strange if homes[key] and homes[other] == homes[key]]
        if same[:1] in ([], [key]):
            yield _unknown((*base, *place, key), key, known, kind, place, _Home(homes[key], tuple(same)))


_NAMING = re.compile(r"(?:[A-Za-z]+(?:[-_][A-Za-z]+)+|[A-Z_]{4,})\Z")
_CAPITALS = re.compile(r"[A-Z_]{4,}\Z")


def _stands_in(error: Any, at: Path, whole: Any) -> bool:
    """Whether words only name their place, to be replaced: macvlan-mode as mode of a macvlan plugin,
    template-num-nodes or NUMVF for a number, DRIVER for one of a few words; or nothing at all, in an object
    whose name is to be filled in too (openshift-kni/cnf-features-deploy 453306bb ztp/source-crs; its
    generator leaves out what is still empty: ztp/ztp-policy-generator, ztpPolicyGen/policyGen)."""
    value = error.instance
    if value == "":
        return _is_unnamed(whole) or _is_source(whole)
    if error.validator == "type" and error.validator_value in ("integer", "number"):
        return isinstance(value, str) and _NAMING.match(value) is not None
    if error.validator != "enum":
        return False
    if _CAPITALS.match(str(value)):
        meant = [word for word in error.validator_value if isinstance(word, str)]
        return not difflib.get_close_matches(str(value).lower(), meant)
    kind = str(mapping(whole).get("type", "")).lower()
    words = re.split(r"[-_. ]", str(value).lower())
    places = {str(part).lower() for part in at} | {kind}
    return len(words) > 1 and words[-1] == str(at[-1]).lower() and places.issuperset(words)


_FEW = 3


def _is_source(whole: Any) -> bool:
    """Whether a generator fills it in: at least half of what its spec states, and no few, are empty texts
    (openshift-kni/cnf-features-deploy cd3da4f2 ztp/policygenerator/testData, sourcePolicies)."""
    stated = [*_texts_in(mapping(whole).get("spec"))]
    empty = sum(1 for text in stated if text == "")
    return empty > _FEW and 2 * empty >= len(stated)


def _texts_in(value: Any) -> Iterator[Any]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts_in(item)
    else:
        yield value


def _is_unnamed(whole: Any) -> bool:
    """Whether the name of an object is still to be filled in."""
    name = inside(whole, ("metadata", "name"))
    return bool(name == "" or templated(name))


def _missing(error: Any, at: Path, whole: Any) -> Iterator[FieldFault]:
    """All keys that are missing there: the rule gives an error for each of them, and a place counts once."""
    stated = mapping(inside(whole, tuple(error.absolute_path)))
    if any(map(templated, stated)) or _is_unnamed(whole):  # "..." stands for the rest
        return
    properties = mapping(error.schema.get("properties"))
    lost = {home_below(key, error.schema, stated) for key in stated if key not in properties}
    for key in error.validator_value:
        if key in lost:  # what should be below it is an unknown field
            continue
        nullable = "null" in listing(mapping(properties.get(key)).get("type"))
        if key not in error.instance and not (key in stated and nullable):
            missing = "null" if key in stated else "missing"
            yield FieldFault((*at, key), f"{key} is required and {missing}", f"write {key}", missing=True)


def _read_as_known(key: str, known: list[str], kind: str) -> bool:
    """Whether the consumer matches keys case-insensitively: Go reads JSON keys so; an API server does not."""
    return kind in _texts() and key.lower() in {name.lower() for name in known}


_LABEL = "write it below matchLabels"


@dataclass(frozen=True, slots=True)
class _Home:
    """``name``: the field beside unknown ones that has them, empty if there is none; ``keys``: those."""

    name: str
    keys: tuple[str, ...]


def _unknown(at: Path, key: str, known: list[str], kind: str, inside: Path, home: _Home) -> FieldFault:
    path = ".".join(str(part) for part in (*inside, key) if not isinstance(part, int))
    near = instead_of(kind, path, in_object=kind not in _texts())
    if home.name and not near:
        belong = f"{', '.join(home.keys)} belong{'s' if len(home.keys) == 1 else ''} below {home.name}"
        message, hint = f"there is no field {dotted(at)}: {belong}", f"move it below {home.name}"
        return FieldFault(at, message, hint, unknown=True, near=home.name)
    near = near or nearest(key, known)
    if not near and {"matchLabels", "matchExpressions"}.issuperset(known) and known:
        return FieldFault(at, f"there is no field {dotted(at)}", _LABEL, unknown=True, near="matchLabels")
    hint = f"write {near}" if near else f"known here: {', '.join(sorted(known)[:12]) or 'nothing'}"
    return FieldFault(at, f"there is no field {dotted(at)}", hint, unknown=True, near=near)
