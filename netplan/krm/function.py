"""One run of the function: read, compile, replace, report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from netplan.diagnostics import Diagnostic, Severity
from netplan.krm.config import Config, ConfigError, config_of, field_of, json_path
from netplan.krm.produced import Produced, other_files, produced
from netplan.krm.resource_list import (
    INDEX,
    PATH,
    Identity,
    Item,
    ResourceList,
    ResourceListError,
    empty,
    read,
)
from netplan.pipeline import Result, compile_texts
from netplan.printable import printable
from netplan.records import dataclass
from netplan.report import failing, ordered

_SEVERITY = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "info"}
UNREADABLE = 2


@dataclass(frozen=True, slots=True)
class KrmAnswer:
    """``text``: the ResourceList. ``status``: 0, 1 with errors, 2 if the input is not a ResourceList.
    ``said``: what went wrong outside the inventory. ``result``: of the inventory, if there is one."""

    text: str
    status: int
    said: str = ""
    result: Result | None = None


def answer(text: str, *, strict: bool = False, nos_dir: str | None = None) -> KrmAnswer:
    """The function's answer to a ResourceList. Raises load.InputError for ``nos_dir`` only."""
    try:
        given = read(text)
    except ResourceListError as error:
        told = {"message": f"standard input: {error}", "severity": "error"}
        return KrmAnswer(empty().with_items([], [told]), UNREADABLE, told["message"])
    about = _About(given)
    try:
        config = config_of(given)
    except ConfigError as error:
        return KrmAnswer(given.with_items(_all(given), [about.wrong(error)]), 1, str(error))
    result = compile_texts(config.texts, overlays=config.overlays, nos_dir=nos_dir)
    findings = [about.finding(config, found) for found in ordered(result.diagnostics)]
    if failing(result.diagnostics, strict or config.strict) or result.fabric is None:
        return KrmAnswer(given.with_items(_all(given), findings), 1, "", result)
    try:
        items, notes = _Merge(given, config, result).done()
    except _MergeError as error:
        told = {"message": str(error), "severity": "error"}
        return KrmAnswer(given.with_items(_all(given), [*findings, told]), 1, str(error), result)
    return KrmAnswer(given.with_items(items, [*findings, *notes]), 0, "", result)


def _all(given: ResourceList) -> list[str]:
    return [item.text for item in given.items]


class _About:
    """How results refer to functionConfig: object reference and file."""

    def __init__(self, given: ResourceList) -> None:
        self._common: dict[str, Any] = {}
        node = given.config
        if node is None or not node.word("metadata", "name"):
            return  # by the specification a reference needs a name, and a field needs a reference
        reference = {key: node.word(key) for key in ("apiVersion", "kind")}
        for key in ("namespace", "name"):
            if node.word("metadata", key):
                reference[key] = node.word("metadata", key)
        self._common["resourceRef"] = reference
        annotations = node.words("metadata", "annotations")
        path = annotations.get(PATH, annotations.get("config.kubernetes.io/path"))
        if path:
            self._common["file"] = {"path": path, "index": _number(annotations.get(INDEX, "0"))}

    def _result(self, message: str, severity: str, field: str, tags: Mapping[str, str]) -> dict[str, Any]:
        told = {"message": message, "severity": severity, **self._common}
        if field and self._common:
            told["field"] = {"path": field}
        if tags:
            told["tags"] = dict(tags)
        return told

    def wrong(self, error: ConfigError) -> dict[str, Any]:
        return self._result(str(error), "error", error.field, {})

    def finding(self, config: Config, found: Diagnostic) -> dict[str, Any]:
        place = f"{found.source}: " if config.is_text and found.source else ""
        hint = f"; {found.hint}" if found.hint else ""
        message = printable(f"{place}{found.code}: {found.message}{hint}")
        field = json_path(field_of(config, found))
        return self._result(message, _SEVERITY[found.severity], field, {"code": found.code})


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else 0


class _MergeError(Exception):
    """The objects cannot be merged into the items."""


class _Merge:
    """Replaces items by the site's objects with the same identity, and appends the others."""

    def __init__(self, given: ResourceList, config: Config, result: Result) -> None:
        assert result.fabric is not None
        self._given, self._config, self._result = given, config, result
        self._site = result.fabric.site
        self._objects = {each.identity: each for each in produced(result.artifacts)}
        self._items = [item.identity for item in given.items]

    def done(self) -> tuple[list[str], list[dict[str, Any]]]:
        """Items as lines, and notes."""
        here = ((i, self._objects.get(identity)) for i, identity in enumerate(self._items))
        own = {i for i, each in here if each is not None and not each.shared}
        self._refuse(own)
        lines = [
            self._line(self._objects[identity], item.kept) if i in own else item.text
            for i, (identity, item) in enumerate(zip(self._items, self._given.items, strict=True))
        ]
        there = set(self._items)
        lines += [self._line(each, {}) for key, each in self._objects.items() if key not in there]
        return lines, [*self._gone(own), *self._others()]

    def _refuse(self, own: set[int]) -> None:
        first: dict[Identity, int] = {}
        for i in sorted(own):
            other = first.setdefault(self._items[i], i)
            if other != i:
                raise _MergeError(
                    f"items[{other}] and items[{i}] are both {self._items[i]}; keep one of them"
                )
        if lost := sorted(self._given.left_without(own)):
            name = printable(lost[0][:60])
            raise _MergeError(f"anchor {name} is in an item that netplan writes, and is used outside it")

    def _line(self, each: Produced, kept: Mapping[str, str]) -> str:
        """As an item in its own file, or in the file from which the orchestrator read it."""
        place = kept or {PATH: f"{self._config.directory}{each.path}", INDEX: str(each.index)}
        metadata = dict(each.body["metadata"])
        metadata["annotations"] = {**metadata.get("annotations", {}), **place}
        return self._given.written({**each.body, "metadata": metadata})

    def _gone(self, own: set[int]) -> Iterator[dict[str, Any]]:
        """Objects of an earlier inventory: removing one may drain nodes, so a person does it."""
        for i, item in enumerate(self._given.items):
            labels = item.node.words("metadata", "labels")
            mine = labels.get("app.kubernetes.io/managed-by") == "netplan"
            if i not in own and mine and labels.get("app.kubernetes.io/part-of") == self._site:
                message = f"{self._items[i]} is no longer in the inventory; remove it when nothing uses it"
                yield {"message": message, "severity": "warning", **_reference(item)}

    def _others(self) -> Sequence[dict[str, Any]]:
        files = other_files(self._result.artifacts)
        what = f"files that are not Kubernetes objects are not among the items: {files}"
        message = f"{what}; `netplan render` writes them"
        return [{"message": message, "severity": "info"}] if files else []


def _reference(item: Item) -> dict[str, Any]:
    identity, path = item.identity, item.kept.get(PATH)
    reference = {"apiVersion": item.node.word("apiVersion"), "kind": identity.kind, "name": identity.name}
    if identity.namespace:
        reference["namespace"] = identity.namespace
    place = {"path": path, "index": _number(item.kept.get(INDEX, "0"))}
    return {"resourceRef": reference, "file": place} if path else {"resourceRef": reference}
