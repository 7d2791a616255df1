"""A directory of files to objects: which texts are Kubernetes objects, and how kustomizations change them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.load import STDIN, InputError
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.files import MAX_BYTES, Found
from netplan.reading.kubernetes.flux import Targets
from netplan.reading.kubernetes.heads import begins_object, head_fault
from netplan.reading.kubernetes.kubeyaml import OVER_LIMITS, ParsedFile, json_spans, parse
from netplan.reading.kubernetes.objects import Thing, inside, is_object, listing, mapping
from netplan.reading.kubernetes.partial import built_files, partial_things, renamed_files
from netplan.reading.kubernetes.passed_over import (
    TEMPLATE,
    causes,
    is_expected,
    is_filled_in,
    is_fixture,
    is_of_a_generator,
    is_unused,
)
from netplan.reading.kubernetes.placeholders import templated
from netplan.reading.kubernetes.subject import is_about_networks
from netplan.records import dataclass
from netplan.report import count

_PATCH_FILE = re.compile(r"(?:^|[-_./])patch(?:es)?(?:[-_./]|\Z)", re.IGNORECASE)
"""A path that is named as a patch, in case no kustomization that was read lists it."""
_LOCAL = "config.kubernetes.io/local-config"
"""Annotation of objects that kustomize uses but does not output (openstack-k8s-operators/architecture
0b12d3f examples/dt/bgp-l3-xl/control-plane/networking/nncp/values.yaml)."""
_FUNCTION = "config.kubernetes.io/function"
"""Annotation of the configuration of a KRM function, which no API server sees (kubernetes-sigs/kustomize
12f9e639 hack/krmFunctionBenchmark)."""
_RESOURCE = re.compile(r"""\bresourceName["']?\s{0,8}:\s{0,8}["']?([\w.-]{1,63})""")
_FIXTURE = "uidValue"
"""In objects that tests of the API generate: each field has its own name as value (kubernetes/kubernetes
staging/src/k8s.io/api/testdata)."""
_OF_FUNCTIONS = "ResourceList"
"""What functions of a pipeline pass on; the next one may complete the items (kustomize.io, KRM functions
specification)."""
_OF_TEXTS = ("NP001", "NP002", "NP005")
_KUSTOMIZATIONS = ("kustomization.yaml", "kustomization.yml", "Kustomization")
_VALUES = re.compile(r"(?:.*[-_.])?values(?:[-_.].*)?\.ya?ml\Z")


@dataclass(frozen=True, slots=True)
class ObjectTree:
    """``values``: Helm values files. ``kustomizations``: by directory. ``renamed``: files whose objects a
    kustomization renames. ``paths``: all files that were read; ``names``: as of ``Found``. ``loose``:
    resource names in texts without an object, such as parts of a configuration that a script inserts, and of
    objects without a kind.
    ``base``: the directory they are in, or the file, as given. ``empty``: what there is in place of objects,
    if there is none."""

    things: tuple[Thing, ...]
    values: tuple[Thing, ...]
    places: Places
    paths: frozenset[str]
    kustomizations: Mapping[str, Thing] = field(default_factory=dict)
    renamed: frozenset[str] = frozenset()
    base: str = ""
    problems: tuple[Diagnostic, ...] = ()
    skipped: tuple[str, ...] = ()
    empty: str = ""
    names: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()

    @property
    def is_one_file(self) -> bool:
        """Whether a file was given in place of a directory."""
        return posixpath.normpath(self.base) in self.paths


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
            elif base in _KUSTOMIZATIONS or _VALUES.match(base) or "apiversion" in text.lower():
                self._file(name, base, text)
            else:
                self.passed.append(name)
        self._leave_out_patches()
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
        if parsed.problems and (spans := json_spans(text)):
            parsed = self._stream(name, text, spans)
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

    def _stream(self, name: str, text: str, spans: list[tuple[int, int]]) -> ParsedFile:
        """A stream of JSON values, as kubectl reads a text that begins with one."""
        each = [parse(name, f"{_space_before(text, a)}{text[a:b]}", self.places) for a, b in spans]
        found = [document for part in each for document in part.documents if document[0] is not None]
        return ParsedFile(tuple(found), tuple(problem for part in each for problem in part.problems))

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
        annotations = mapping(inside(body, ("metadata", "annotations")))
        if annotations.get(_LOCAL) in ("true", True) or _FUNCTION in annotations or is_of_a_generator(body):
            return
        if inside(body, ("metadata", "uid")) == _FIXTURE:
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

    def _leave_out_patches(self) -> None:
        """Removes patches: they look like objects but are none."""
        patches = {path for folder, k in self.kustomizations.items() for path in _patches(folder, k)}
        kept = [t for t in self.things if t.file not in patches and not self._is_patch(t)]
        whole = {id(t) for t in kept}
        left = [t for t in self.things if id(t) not in whole]
        if len(kept) < len(self.things):
            self.skipped.append(f"{count(len(self.things) - len(kept), 'patch file object')} not judged")
        kept = self._used(kept)
        partial = partial_things(kept, left, self.kustomizations)
        fixtures = {id(t) for t in kept if is_fixture(t.file, self.base)}
        partial |= fixtures | {id(t) for t in kept if t.file in self.between}
        targets = Targets(kept, self.base)
        self.things = [
            replace(self._placed(t, targets), partial=id(t) in partial, fixture=id(t) in fixtures)
            for t in kept
        ]

    def _used(self, things: list[Thing]) -> list[Thing]:
        """Those outside folders of what is not in use; all if there are no others."""
        used = [t for t in things if not is_unused(t.file, self.base)]
        if used:
            self.problems = [p for p in self.problems if not p.source or self._is_used(p.source.file)]
        if not used or len(used) == len(things):
            return things
        left = f"{count(len(things) - len(used), 'object')} in folders of what is not in use not judged"
        self.skipped.append(left)
        return used

    def _is_used(self, file: str) -> bool:
        """Whether faults of a text count: it is applied, and no fixture of a test, which may be broken on
        purpose."""
        return not is_unused(file, self.base) and not is_fixture(file, self.base)

    def _is_patch(self, thing: Thing) -> bool:
        """Whether it modifies an object defined elsewhere, judging by its path or a patch directive in it."""
        path = thing.file.removeprefix(self.base)
        return _PATCH_FILE.search(path) is not None or _directs(thing.body)

    def _placed(self, thing: Thing, targets: Targets) -> Thing:
        """The object with the namespace that Flux gives to its folder, else the nearest kustomization in a
        parent directory."""
        given = targets.of(thing.file)
        if given is not None:
            return replace(thing, namespace=given[0])
        folder = posixpath.dirname(thing.file)
        while True:
            at = self.kustomizations.get(folder)
            namespace = at.body.get("namespace") if at else None
            if isinstance(namespace, str) and namespace:
                return replace(thing, namespace=None if templated(namespace) else namespace)
            if not folder or folder == posixpath.dirname(folder):
                return thing
            folder = posixpath.dirname(folder)

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


def _space_before(text: str, at: int) -> str:
    """White space in place of what precedes, so that what follows keeps its line and column."""
    line = text.rfind("\n", 0, at) + 1
    return "\n" * text.count("\n", 0, at) + " " * (at - line)


def _patches(folder: str, kustomization: Thing) -> Iterator[str]:
    """Paths of the files that a kustomization names as patches, or as configuration of plugins."""
    body = kustomization.body
    entries = [
        mapping(e).get("path") for key in ("patches", "patchesJson6902") for e in listing(body.get(key))
    ]
    whole = ("patchesStrategicMerge", "transformers", "generators", "validators")
    for entry in [*entries, *(entry for key in whole for entry in listing(body.get(key)))]:
        if isinstance(entry, str):
            yield posixpath.normpath(posixpath.join(folder, entry))


def _directs(value: Any) -> bool:
    """Whether the value contains a directive of a strategic merge patch."""
    if isinstance(value, dict):
        return any(key in ("$patch", "$retainKeys") or _directs(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_directs, value))


def _over_limits(parsed: ParsedFile) -> list[Diagnostic]:
    """Text that is too large or too deep is reported whatever it was meant to be: its kind is unknown."""
    return [problem for problem in parsed.problems if problem.code == OVER_LIMITS]


def _too_large(names: tuple[str, ...]) -> list[Diagnostic]:
    hint = "split the file"
    message = f"file is larger than {MAX_BYTES // 2**20} MiB"
    return [Diagnostic(OVER_LIMITS, Severity.ERROR, (), message, hint, Source(n, 1, 1)) for n in names]
