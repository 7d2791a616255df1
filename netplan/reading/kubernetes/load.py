"""A directory of files to objects: which of its texts hold Kubernetes objects, and what the others are."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import Any

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.load import STDIN, InputError
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.files import MAX_BYTES, Found
from netplan.reading.kubernetes.heads import begins_object, head_fault, may_hold_object
from netplan.reading.kubernetes.json_streams import parse_stream
from netplan.reading.kubernetes.judged import is_patch_file, judged, patch_files
from netplan.reading.kubernetes.kubeyaml import OVER_LIMITS, ParsedFile, parse
from netplan.reading.kubernetes.objects import Thing, inside, is_object
from netplan.reading.kubernetes.partial import built_files, renamed_files
from netplan.reading.kubernetes.passed_over import (
    TEMPLATE,
    causes,
    is_expected,
    is_filled_in,
    is_fixture,
    is_generated,
    is_of_a_tool,
    is_unused,
)
from netplan.reading.kubernetes.placeholders import templated
from netplan.reading.kubernetes.subject import is_about_networks
from netplan.reading.kubernetes.tree import ObjectTree
from netplan.report import count

_RESOURCE = re.compile(r"""\bresourceName["']?\s{0,8}:\s{0,8}["']?([\w.-]{1,63})""")
_OF_FUNCTIONS = "ResourceList"
"""What functions of a pipeline pass on; the next one may complete the items (kustomize.io, KRM functions
specification)."""
_OF_TEXTS = ("NP001", "NP002", "NP005")
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_VALUES = re.compile(r"(?:.*[-_.])?values(?:[-_.].*)?\.ya?ml\Z")


def load_tree(found: Found, base: str = "", meant: bool = False) -> ObjectTree:
    """Never raises because of a text's content; raises InputError if there is no object at all. ``meant``: an
    inventory is about whatever the texts hold."""
    reader = _Reader(found, base, meant)
    reader.read()
    if not reader.things:  # then say of what was passed over whether it could have been read at all
        reader.look_for_limits()
    tree = reader.tree()
    if tree.empty and not (tree.values or tree.kustomizations or tree.problems):
        raise InputError(tree.empty)
    return tree


def load_texts(texts: Mapping[str, str], base: str = "") -> ObjectTree:
    """As ``load_tree``, for texts in memory."""
    return load_tree(Found(dict(texts)), base)


def thing_of(body: Any, name: str, at: int, places: Places) -> Thing:
    """An object with the namespace it states; None if that has placeholders."""
    namespace = inside(body, ("metadata", "namespace"))
    stated = isinstance(namespace, str) and namespace and not templated(namespace)
    return Thing(body, name, at, places, namespace if stated else None)


def is_list(body: Mapping[str, Any]) -> bool:
    return body["kind"].endswith("List") and isinstance(body.get("items"), list)


def items_of(body: Mapping[str, Any], places: Places) -> Iterator[tuple[Any, int]]:
    """The items of a list, each with its offset.

    ``kubectl get a,b -o yaml`` prints a ``List`` whose items state kind and version; the API's own lists
    (``kubectl get --raw``) name the kind of their items only once, in the list's own kind
    (kubernetes/kubernetes staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go, type List). Both are
    accepted.
    """
    kind = body["kind"].removesuffix("List")
    for item, at in zip(body["items"], places.items(body["items"]), strict=True):
        lacks = isinstance(item, dict) and kind and not is_object(item)
        yield (_named(item, kind, body["apiVersion"], at, places) if lacks else item), at


def _named(item: dict[str, Any], kind: str, version: str, at: int, places: Places) -> dict[str, Any]:
    """An item, with the kind and version of its list filled in."""
    body = {"apiVersion": version, "kind": kind}
    offsets = [at] * 4
    for key, value, key_at, value_at in places.entries(item):
        if key not in body:
            body[key] = value
            offsets += (key_at, value_at)
    places.put(body, offsets)
    return body


class _Reader:
    def __init__(self, found: Found, base: str, meant: bool) -> None:
        self.found, self.texts, self.meant = found, found.texts, meant
        self.base = posixpath.normpath(base) if base else ""
        self.places = Places(SourceMap())
        self.things: list[Thing] = []
        self.values: list[Thing] = []
        self.kustomizations: dict[str, Thing] = {}
        self.problems = _too_large(found.large)
        self.skipped = list(found.skipped)
        self.unread: list[str] = []
        self.passed: list[str] = []
        self.strange = 0
        self.fixtures = 0
        self.between: set[str] = set()
        self.loose: set[str] = set()
        self.charts = {posixpath.dirname(p) for p in self.texts if posixpath.basename(p) == "Chart.yaml"}

    def read(self) -> None:
        for name in sorted(self.texts):
            text = self.texts[name]
            base = posixpath.basename(name)
            if self._is_template(name):
                self.unread.append(name)
            elif is_expected(name) and len(self.texts) > 1:
                self.fixtures += 1
            elif base in _KUSTOMIZATIONS or _VALUES.match(base) or may_hold_object(text):
                self._file(name, base, text)
            else:
                self.passed.append(name)
        self._keep_judged()
        self._weigh()
        if self.strange:
            self.skipped.append(f"{count(self.strange, 'document')} without apiVersion and kind not judged")
        if self.fixtures:
            self.skipped.append(f"{count(self.fixtures, 'fixture')} of API tests not judged")
        if self.unread:
            self.skipped.append(f"{count(len(self.unread), 'template')} not read (first: {self.unread[0]})")

    def look_for_limits(self) -> None:
        """Reports files over a limit: an alias bomb shows no object, because nothing parses it to the end."""
        for name in self.passed:
            self.problems += _over_limits(parse(name, self.texts[name], self.places))

    def _weigh(self) -> None:
        """What does not parse in a directory, is about no networks and neither in a kustomization nor one, is
        a note: it may be a template, a fixture, or nothing that is applied."""
        built = {path for folder, k in self.kustomizations.items() for path in built_files(folder, k)}
        if not self._is_meant():
            self.problems = [self._weighed(problem, built) for problem in self.problems]

    def _weighed(self, problem: Diagnostic, built: Container[str]) -> Diagnostic:
        file = problem.source.file if problem.source else ""
        meant = file in built or posixpath.basename(file) in _KUSTOMIZATIONS
        if meant or problem.code not in _OF_TEXTS or is_about_networks(self.texts.get(file, "")):
            return problem
        return replace(problem, severity=Severity.INFO)

    def _is_template(self, name: str) -> bool:
        return any(name.startswith(f"{chart}/templates/" if chart else "templates/") for chart in self.charts)

    def _file(self, name: str, base: str, text: str) -> None:
        parsed = parse(name, text, self.places)
        if parsed.problems:
            parsed = parse_stream(name, text, self.places) or parsed
        template = parsed.problems and (TEMPLATE.search(text) or is_filled_in(parsed, text))
        if template and name != STDIN:  # standard input is what will be applied
            self.unread.append(name)
            self.problems += _over_limits(parsed)
            return
        objects = any(is_object(body) for body, _ in parsed.documents)
        # a broken file without an object is not ours to report
        if objects or base in _KUSTOMIZATIONS or begins_object(text):
            self.problems += causes(parsed.problems)
        else:
            self.problems += _over_limits(parsed)
        for body, at in parsed.documents:
            self._document(name, base, body, at)

    def _document(self, name: str, base: str, body: Any, at: int) -> None:
        if base in _KUSTOMIZATIONS and isinstance(body, dict):
            self.kustomizations[posixpath.dirname(name)] = thing_of(body, name, at, self.places)
        elif is_object(body):
            self.things += self._objects(body, name, at)
        elif isinstance(body, dict) and (fault := head_fault(body, self.places)):
            self.problems.append(fault if self._counts(name) else replace(fault, severity=Severity.INFO))
            self._keep_loose(body)
        elif isinstance(body, dict) and {"apiVersion", "kind"} & body.keys():
            self._keep_loose(body)
        elif _VALUES.match(base) and isinstance(body, dict):
            self.values.append(thing_of(body, name, at, self.places))
        elif name == STDIN and body is not None:
            self.strange += 1

    def _counts(self, name: str) -> bool:
        """Whether what is no object, but nearly, was meant to be one: it is about networks, or alone."""
        return self._is_meant() or is_about_networks(self.texts[name])

    def _is_meant(self) -> bool:
        """Whether an inventory is about the texts, or one file or stream was given, not a directory."""
        return self.meant or (len(self.texts) == 1 and (not self.base or self.base in self.texts))

    def _keep_loose(self, body: Mapping[str, Any]) -> None:
        """An object without a kind or version would still produce its resource."""
        name = inside(body, ("spec", "resourceName"))
        if isinstance(name, str):
            self.loose.add(name)

    def _objects(self, body: dict[str, Any], name: str, at: int) -> Iterator[Thing]:
        """The object, or the items if it is a list."""
        if is_of_a_tool(body):
            return
        if is_generated(body):
            self.fixtures += 1
            return
        if not is_list(body):
            yield thing_of(body, name, at, self.places)
            return
        if body["kind"] == _OF_FUNCTIONS:
            self.between.add(name)
        for item, item_at in items_of(body, self.places):
            if is_object(item):
                yield from self._objects(item, name, item_at)

    def _keep_judged(self) -> None:
        self.things, notes = judged(self.things, self.kustomizations, self.base, self.between)
        self.skipped += notes
        if not all(is_unused(thing.file, self.base) for thing in self.things):
            self.problems = [p for p in self.problems if not p.source or self._is_used(p.source.file)]
        patches = patch_files(self.kustomizations)
        self.problems = [p for p in self.problems if not self._is_of_patch(p, patches)]

    def _is_of_patch(self, problem: Diagnostic, patches: Container[str]) -> bool:
        """Whether an object is incomplete as it is a patch."""
        file = problem.source.file if problem.source else ""
        return problem.code not in (*_OF_TEXTS, OVER_LIMITS) and is_patch_file(file, patches, self.base)

    def _is_used(self, file: str) -> bool:
        """Whether faults of a text count: it is applied, and no fixture of a test, which may be broken on
        purpose."""
        return not is_unused(file, self.base) and not is_fixture(file, self.base)

    def tree(self) -> ObjectTree:
        first, renamed = renamed_files(self.kustomizations)
        if renamed:
            self.skipped.append(f"names not resolved: the kustomization in {first or '.'} renames objects")
        return ObjectTree(
            tuple(self.things),
            tuple(self.values),
            self.places,
            frozenset(posixpath.normpath(name) for name in self.texts),
            self.kustomizations,
            renamed,
            self.base,
            tuple(self.problems),
            tuple(self.skipped),
            "" if self.things else self._empty(),
            self.found.names,
            frozenset(self.loose).union(*(_RESOURCE.findall(self.texts[path]) for path in self.passed)),
        )

    def _empty(self) -> str:
        if STDIN in self.texts:
            return "standard input holds no Kubernetes object; did the command before the pipe fail?"
        read = f"{count(len(self.texts), 'file')} read"
        parts = [read if self.texts else "it contains no *.yaml, *.yml or *.json file"]
        if self.passed and len(self.passed) < len(self.texts):
            parts.append(f"{len(self.passed)} without apiVersion")
        elif self.passed:
            parts.append("none with apiVersion")
        what = ", ".join([*parts, *self.skipped])
        render = "render the templates first (helm template, kubectl kustomize), or n"
        advice = render if self.unread or self.values or self.kustomizations else "n"
        return f"no Kubernetes object found: {what}; {advice}ame the directory the objects are in"


def _over_limits(parsed: ParsedFile) -> list[Diagnostic]:
    """Text that is too large or too deep is reported whatever it was meant to be: its kind is unknown."""
    return [problem for problem in parsed.problems if problem.code == OVER_LIMITS]


def _too_large(names: tuple[str, ...]) -> list[Diagnostic]:
    hint = "split the file"
    message = f"file is larger than {MAX_BYTES // 2**20} MiB"
    return [Diagnostic(OVER_LIMITS, Severity.ERROR, (), message, hint, Source(n, 1, 1)) for n in names]
