"""A ResourceList as text, with each item as its author wrote it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence, Set
from typing import Any

from netplan.krm.outline import Node, Outline, OutlineError, as_block, outline
from netplan.model.document import unix_text
from netplan.printable import clipped, printable
from netplan.reading.kubernetes.kubeyaml import FORBIDDEN
from netplan.records import dataclass
from netplan.render.dump import dump_yaml

KIND = "ResourceList"
API_VERSIONS = ("config.kubernetes.io/v1", "config.kubernetes.io/v1beta1")
"""Versions in the specification's schema (x-kubernetes-group-version-kind)."""

PATH, INDEX = "internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index"
"""File and index to which the orchestrator writes an item (specification, Internal Annotations)."""
ORCHESTRATORS = ("internal.config.kubernetes.io/", "config.kubernetes.io/", "config.k8s.io/id")
"""Annotations that belong to the orchestrator and stay: the specification's, and older ones that kustomize
still writes as well (kyaml/kio/kioutil/kioutil.go)."""

_FOLLOW: Mapping[str, Any] = {
    "functionConfig": {"overlays": {}, "metadata": {"annotations": {}}},
    "items": {"*": {"metadata": {"annotations": {}, "labels": {}}}},
}


class ResourceListError(Exception):
    """Standard input is not a ResourceList."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What identifies an object to the API server; the API version does not."""

    group: str
    kind: str
    namespace: str
    name: str

    def __str__(self) -> str:
        kind = f"{self.kind}.{self.group}" if self.group else self.kind
        name = f"{self.namespace}/{self.name}" if self.namespace else self.name
        return printable(clipped(f"{kind} {name}"))


def identity_of(api_version: str, kind: str, namespace: str, name: str) -> Identity:
    return Identity(api_version.rpartition("/")[0], kind, namespace, name)


@dataclass(frozen=True, slots=True)
class Item:
    """``text``: its lines, dash included. ``anchors``, ``aliases``: YAML names in it."""

    text: str
    node: Node
    anchors: frozenset[str]
    aliases: frozenset[str]

    @property
    def identity(self) -> Identity:
        word = self.node.word
        name, namespace = word("metadata", "name"), word("metadata", "namespace")
        return identity_of(word("apiVersion"), word("kind"), namespace, name)

    @property
    def kept(self) -> dict[str, str]:
        """Annotations of the orchestrator."""
        found = self.node.words("metadata", "annotations")
        return {key: value for key, value in found.items() if key.startswith(ORCHESTRATORS)}


@dataclass(frozen=True, slots=True)
class ResourceList:
    """``before``, ``after``: the lines around items and their key, without results. ``head``: the line of the
    key. ``base``: column of the keys, ``column``: of the dashes. ``config``: functionConfig in ``text``.
    ``dropped``: anchors in the results, ``aliases``: names used outside items."""

    text: str
    before: str
    head: str
    after: str
    base: int
    column: int
    items: tuple[Item, ...]
    config: Node | None
    dropped: frozenset[str] = frozenset()
    aliases: frozenset[str] = frozenset()

    def with_items(self, items: Sequence[str], results: Sequence[Mapping[str, Any]]) -> str:
        """The list with these items, each as lines with its dash, and with new results."""
        empty = " " * self.base + "items: []\n"
        told = _at(self.base, dump_yaml([{"results": list(results)}], "")) if results else ""
        return "".join([self.before, *([self.head, *items] if items else [empty]), self.after, told])

    def slice(self, node: Node) -> str:
        """A part as a text of its own."""
        return " " * (0 if node.flow else node.column) + self.text[node.start : node.end]

    def written(self, body: Mapping[str, Any]) -> str:
        """An object as the lines of an item."""
        lines = _at(self.column + 2, dump_yaml([body], ""))
        return f"{' ' * self.column}- {lines[self.column + 2 :]}"

    def left_without(self, replaced: Set[int]) -> frozenset[str]:
        """Anchors in these items that something else still uses."""
        gone = self.dropped.union(*(self.items[i].anchors for i in replaced))
        stays = (item.aliases for i, item in enumerate(self.items) if i not in replaced)
        return gone & self.aliases.union(*stays)


def _at(column: int, text: str) -> str:
    return "".join(" " * column + line if line.strip() else line for line in text.splitlines(keepends=True))


def empty() -> ResourceList:
    """The list to which results are added if no list could be read."""
    head = f"apiVersion: {API_VERSIONS[0]}\nkind: {KIND}\n"
    return ResourceList(head, head, "items:\n", "", 0, 0, (), None)


def read(text: str) -> ResourceList:
    """Raises ResourceListError."""
    text = unix_text(text)
    forbidden = FORBIDDEN.search(text)
    if forbidden:
        line = text.count("\n", 0, forbidden.start()) + 1
        raise ResourceListError(f"line {line}: {printable(repr(forbidden[0]))} is not allowed in YAML text")
    try:
        found = outline(text, _FOLLOW)
        _refuse_other(found.root)
        if not _in_blocks(found.root, text):
            text = as_block(text)
            found = outline(text, _FOLLOW)
    except OutlineError as error:
        raise ResourceListError(printable(clipped(str(error)))) from error
    return _cut(text, found)


def _refuse_other(root: Node) -> None:
    """Raises for anything that is not a list of objects."""
    found = f"{root.word('apiVersion')} {root.word('kind')}"
    if root.word("kind") != KIND or root.word("apiVersion") not in API_VERSIONS:
        wanted = f"{API_VERSIONS[0]} {KIND}"
        raise ResourceListError(f"{printable(clipped(found.strip())) or 'no object'} in place of {wanted}")
    items = root.entries.get("items")
    none = items is None or (items.shape == "scalar" and items.text in ("", "null", "~"))
    if items is not None and items.shape != "list" and not none:
        raise ResourceListError("items is not a list")
    for number, item in enumerate(items.items if items is not None else ()):
        if item.shape != "map":
            raise ResourceListError(f"items[{number}] is not an object")


def _in_blocks(root: Node, text: str) -> bool:
    """Whether each key and item begins on its own line, so that lines can be cut out."""
    items = root.entries.get("items")
    return not root.flow and text.endswith("\n") and (items is None or not items.items or not items.flow)


def _cut(text: str, found: Outline) -> ResourceList:
    lines = text.splitlines(keepends=True)  # libyaml's line breaks too: the others are forbidden
    root = found.root
    starts = [node.key_line for node in root.entries.values()]
    ends = dict(zip(root.entries, [*starts[1:], found.last], strict=True))
    bounds = {key: (node.key_line, ends[key]) for key, node in root.entries.items()}
    first, last = bounds.get("items", (found.last, found.last))
    names = _Names(found)
    items = root.entries.get("items")
    cut = tuple(_items(lines, items, last, names)) if items is not None and items.items else ()
    results = root.entries.get("results")
    told = range(*bounds["results"]) if results is not None else range(0)
    gone = names.anchors(results.start, results.end) if results is not None else frozenset()
    head, column = f"{' ' * root.column}items:\n", root.column
    if cut and items is not None:
        head = "".join(lines[first : _dash(lines, items.items[0].line, items.column)])
        column = items.column
    before, after = ((i for i in part if i not in told) for part in (range(first), range(last, found.last)))
    return ResourceList(
        text=text,
        before="".join(lines[i] for i in before),
        head=head,
        after="".join(lines[i] for i in after),
        base=root.column,
        column=column,
        items=cut,
        config=root.entries.get("functionConfig"),
        dropped=gone,
        aliases=names.outside(items, results),
    )


def _items(lines: Sequence[str], items: Node, last: int, names: _Names) -> list[Item]:
    dashes = [_dash(lines, item.line, items.column) for item in items.items]
    begins = [item.start for item in items.items]
    found = []
    for item, first, end, stop in zip(
        items.items, dashes, [*dashes[1:], last], [*begins[1:], items.end], strict=True
    ):
        anchors, aliases = names.anchors(item.start, stop), names.aliases(item.start, stop)
        found.append(Item("".join(lines[first:end]), item, anchors, aliases))
    return found


def _dash(lines: Sequence[str], line: int, column: int) -> int:
    """The line of the dash before an item; the dash may stand alone."""
    while lines[line][column : column + 1] != "-" or lines[line][:column].strip():
        line -= 1
    return line


class _Names:
    """Anchors and aliases by place."""

    def __init__(self, found: Outline) -> None:
        self._anchors, self._aliases = found.anchors, found.aliases

    def anchors(self, start: int, end: int) -> frozenset[str]:
        return _within(self._anchors, start, end)

    def aliases(self, start: int, end: int) -> frozenset[str]:
        return _within(self._aliases, start, end)

    def outside(self, *nodes: Node | None) -> frozenset[str]:
        spans = [(node.start, node.end) for node in nodes if node is not None]
        return frozenset(
            name for at, name in self._aliases if not any(start <= at < end for start, end in spans)
        )


def _within(names: Sequence[tuple[int, str]], start: int, end: int) -> frozenset[str]:
    first, last = bisect_left(names, (start, "")), bisect_left(names, (end, ""))
    return frozenset(name for _, name in names[first:last])
