"""Validates Junos ``set`` lines against Juniper's own configuration model, with yanglint.

A line becomes the XML that NETCONF carries. The model decides what each word is: a container, a list with its
keys, a leaf, a leaf-list, or a leaf without a value. A word that the model lacks becomes an element all the
same, so that yanglint rejects it; what cannot become XML is an error of this reader. The model does not check
everything: VLAN IDs, addresses, names and a scheduler's ``priority`` are free strings in it.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests import upstream

FOLDER = "junos-yang"
TIMEOUT_SECONDS = 60
PREFIX = "junos-qfx-conf-"
ROOT = f"{PREFIX}root"
YIN = "{urn:ietf:params:xml:ns:yang:yin:1}"
REPAIRED = {'pattern "\\*";': 'pattern "\\\\*";'}
"""libyang 2.1 takes the first for a bad escape (class-of-service, 3720); pyang accepts it."""
NO_KEYWORD: Mapping[str, str] = {
    "interfaces": "interface",
    "vlans": "vlan",
    "autonomous-system": "as-number",
    "hash-seed": "seed-value",
    "ieee-802.1": "classifier-name",
}
"""Statement -> the node below it whose name is not written, ``cli-feature "nokeyword"`` in Juniper/yang
2a696d62 23.4/23.4R2-EVO/native/conf-and-rpcs/conf-with-extensions; the models used here have no
extensions."""
EMPTY_KEYS = {"choice-value": ""}
"""Keys that a line omits: a route filter's ``exact`` takes no value."""


def missing() -> str | None:
    """Why the models cannot be used here; None if they can."""
    if shutil.which("yanglint") is None:
        return "yanglint is not on the PATH (Debian: libyang2-tools)"
    return upstream.missing(FOLDER)


@dataclass
class Judged:
    """``judged``: lines covered by the models, ``outside``: lines of a module that is not here."""

    judged: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


_CANDIDATE = re.compile(r"(?:# (?:confirm on the switch: )?)?(set .+)")
_SAMPLE = {"<from>": "5", "<to>": "55"}
"""A value for each placeholder in comments: the model accepts any ``<word>`` as a wildcard."""


def candidates(text: str) -> list[str]:
    """The ``set`` lines of a file, commented ones included, with a value for each placeholder."""
    found = (_CANDIDATE.fullmatch(line) for line in text.splitlines())
    return [re.sub(r"<[a-z]+>", lambda m: _SAMPLE[m[0]], match[1]) for match in found if match]


def judge(lines: Iterable[str]) -> Judged:
    """Validates all ``set`` lines as one configuration; no line at all is an error."""
    found, tree, modules = _read(lines)
    found.errors += _yanglint([tree], modules) if found.judged else []
    return found


def judge_all(configurations: Mapping[str, Iterable[str]]) -> dict[str, Judged]:
    """Validates each configuration separately; loads the models once if all are valid."""
    read = {name: _read(lines) for name, lines in configurations.items()}
    modules = {module for _, _, found in read.values() for module in found}
    if _yanglint([tree for _, tree, _ in read.values()], modules):
        for found, tree, _ in read.values():
            found.errors += _yanglint([tree], modules)
    return {name: found for name, (found, _, _) in read.items()}


def alone(lines: Iterable[str]) -> bytes:
    """The configuration that lines make, as XML: the last value of a leaf, all values of a list."""
    return ET.tostring(_read(lines)[1])


def _read(lines: Iterable[str]) -> tuple[Judged, ET.Element, set[str]]:
    """(verdict of the reader, configuration as XML, modules it needs)."""
    found, tree = Judged(), ET.Element("configuration", xmlns=_namespace(ROOT))
    modules: set[str] = set()
    for line in lines:
        words = _words(line)
        module = _statements().get(words[1]) if len(words) > 1 else None
        if words[:1] != ["set"]:
            found.errors.append(f"no set line: {line}")
        elif module is None and words[1:2] and words[1] in OUTSIDE:
            found.outside.append(line)
        else:
            modules.add(module or ROOT)
            found.errors += [f"{problem}: {line}" for problem in _Line(tree, words[1:], module).errors]
            found.judged.append(line)
    if not found.judged:
        found.errors.append("there is no set line to judge")
    return found, tree, modules


OUTSIDE = ("forwarding-options",)
"""Statements whose module is not among the upstream files."""


def _words(line: str) -> list[str]:
    return shlex.split(line.replace("[", " [ ").replace("]", " ] "))


class _Line:
    """A line while it is added to the tree."""

    def __init__(self, tree: ET.Element, words: list[str], module: str | None) -> None:
        self.words, self.errors = words, list[str]()
        if not words:
            self.errors.append("an empty statement")
            return
        namespace = _namespace(module or ROOT)
        nodes = _top(module)[words[0]] if module else None
        element = _one(tree, self.words.pop(0), {"xmlns": namespace})
        self._inside(element, nodes)

    def _inside(self, above: ET.Element, node: _Node | None) -> None:
        if node is not None and not self.words and node.kind == "container" and not node.presence:
            self.errors.append(f"{node.name} takes a statement and has none")
        while self.words:
            child = node.child(self.words[0]) if node else None
            if child is None and node is not None and node.name in NO_KEYWORD:
                child = node.child(NO_KEYWORD[node.name])
                self.words[:0] = [NO_KEYWORD[node.name]] if child else []
            self._statement(above, child)

    def _statement(self, above: ET.Element, child: _Node | None) -> None:
        name = self.words.pop(0)
        if child is None:
            if not re.fullmatch(r"[A-Za-z_][\w.-]*", name):
                self.errors.append(f"{name!r} is no statement")
                self.words.clear()
                return
            self._inside(_one(above, name), None)
        elif child.kind == "container":
            self._inside(_one(above, name), child)
        elif child.kind == "list":
            self._entry(above, child)
        elif child.empty:
            _one(above, name)
        else:
            self._value(above, child)

    def _value(self, above: ET.Element, leaf: _Node) -> None:
        values = self._taken()
        if not values:
            self.errors.append(f"{leaf.name} takes a value and has none")
        elif leaf.kind == "leaf-list":
            have = {e.text for e in above.findall(leaf.name)}
            for value in values:
                if value not in have:
                    ET.SubElement(above, leaf.name).text = value
        elif len(values) > 1:
            self.errors.append(f"{leaf.name} takes one value and has {len(values)}")
        else:
            _one(above, leaf.name).text = values[0]

    def _entry(self, above: ET.Element, kind: _Node) -> None:
        """A list entry: a single key stands alone, several have their names unless the model says
        otherwise."""
        keys: dict[str, str] = {}
        for key in kind.keys:
            if len(kind.keys) > 1 and self.words[:1] == [key]:
                self.words.pop(0)
            if not self.words and key in EMPTY_KEYS:
                keys[key] = EMPTY_KEYS[key]
            elif self.words:
                keys[key] = self.words.pop(0)
            else:
                self.errors.append(f"{kind.name} takes a {key} and has none")
                return
        for entry in above.findall(kind.name):
            if {key: entry.findtext(key, "") for key in keys} == keys:
                break
        else:
            entry = ET.SubElement(above, kind.name)
            for key, value in keys.items():
                ET.SubElement(entry, key).text = value
        self._inside(entry, kind)

    def _taken(self) -> list[str]:
        if self.words[:1] != ["["]:
            return [self.words.pop(0)] if self.words else []
        if "]" not in self.words:
            self.errors.append("a list is not closed")
            self.words.clear()
            return []
        end = self.words.index("]")
        values, self.words = self.words[1:end], self.words[end + 1 :]
        return values


def _one(above: ET.Element, name: str, attributes: Mapping[str, str] | None = None) -> ET.Element:
    found = above.find(name)
    return ET.SubElement(above, name, dict(attributes or {})) if found is None else found


class _Node:
    """A node of the model; its content is resolved on demand, groupings and choices included."""

    def __init__(self, element: ET.Element, groupings: Mapping[str, ET.Element]) -> None:
        self.element, self.groupings = element, groupings
        self.kind = element.tag.removeprefix(YIN)
        self.name = element.get("name", "")
        kind = element.find(f"{YIN}type")
        self.empty = kind is not None and kind.get("name") == "empty"
        self.presence = element.find(f"{YIN}presence") is not None
        key = element.find(f"{YIN}key")
        self.keys = tuple((key.get("value") or "").split()) if key is not None else ()
        self._children: dict[str, _Node] | None = None

    def children(self) -> list[_Node]:
        if self._children is None:
            self._children = {n.name: n for n in _below(self.element, self.groupings)}
        return list(self._children.values())

    def child(self, name: str) -> _Node | None:
        self.children()
        assert self._children is not None
        return self._children.get(name)


def _below(element: ET.Element, groupings: Mapping[str, ET.Element]) -> Iterator[_Node]:
    for part in element:
        kind = part.tag.removeprefix(YIN)
        if kind in ("container", "list", "leaf", "leaf-list"):
            yield _Node(part, groupings)
        elif kind in ("choice", "case"):
            yield from _below(part, groupings)
        elif kind == "uses":
            yield from _below(groupings[part.get("name", "")], groupings)


@cache
def _models() -> tuple[tempfile.TemporaryDirectory[str], tuple[str, ...]]:
    """A repaired copy of the models, and the names of the configuration modules."""
    folder = tempfile.TemporaryDirectory()
    modules = []
    for path in sorted(upstream.folder(FOLDER).glob("*.yang")):
        text = path.read_text()
        for old, new in REPAIRED.items():
            text = text.replace(old, new)
        (Path(folder.name) / path.name).write_text(text)
        modules += [path.name.partition("@")[0]] if path.name.startswith(PREFIX) else []
    return folder, tuple(modules)


def _path(module: str) -> str:
    return next(str(p) for p in Path(_models()[0].name).glob(f"{module}@*.yang"))


@cache
def _yin(module: str) -> ET.Element:
    command = ["yanglint", "-p", _models()[0].name, "-f", "yin", _path(module)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=True)
    return ET.fromstring(done.stdout)


@cache
def _namespace(module: str) -> str:
    """Read from the text, so that yanglint is not run for each module."""
    return re.findall(r'namespace "([^"]+)"', Path(_path(module)).read_text()[:2000])[0]


@cache
def _statements() -> Mapping[str, str]:
    """First word of a line -> its module; the modules say themselves what they define."""
    return {module.removeprefix(PREFIX): module for module in _models()[1] if module != ROOT}


@cache
def _top(module: str) -> Mapping[str, _Node]:
    yin = _yin(module)
    groupings = {g.get("name", ""): g for g in yin.iter(f"{YIN}grouping")}
    augment = next(a for a in yin.iter(f"{YIN}augment") if a.get("target-node") == "/jc:configuration")
    return {node.name: node for node in _below(augment, groupings)}


def _yanglint(trees: Sequence[ET.Element], modules: Iterable[str]) -> list[str]:
    """The first error of yanglint."""
    folder = _models()[0].name
    paths = [_path(ROOT), *(_path(module) for module in sorted(set(modules) - {ROOT}))]
    with tempfile.TemporaryDirectory() as work:
        files = [Path(work) / f"{number}.xml" for number in range(len(trees))]
        for file, tree in zip(files, trees, strict=True):
            ET.ElementTree(tree).write(file)
        command = ["yanglint", "-p", folder, "-t", "config", *paths, *map(str, files)]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return [f"yanglint gave no answer in {TIMEOUT_SECONDS} s"]
    if done.returncode == 0 and not done.stderr:
        return []
    lines = done.stderr.splitlines()
    return [f"yanglint: {line}" for line in lines if line.startswith("libyang err")] or [
        f"yanglint: {line}" for line in lines or [f"exit {done.returncode}"]
    ]
