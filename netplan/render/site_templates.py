"""Templates of a site's own NOS folder (``--nos-dir``): finds their errors and renders their files.

NP021  a template that does not compile, or refers to a name that does not exist
NP022  a template that fails while it is rendered
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from json import JSONDecodeError
from typing import Any

from jinja2 import FunctionLoader, TemplateNotFound, TemplateSyntaxError, UndefinedError, nodes

from netplan.diagnostics import Diagnostic, Severity, Source
from netplan.model.nos import NosOutput, NosProfile
from netplan.model.nos_folder import NosFolder
from netplan.nos import switch_folder
from netplan.printable import clipped, printable
from netplan.render.sandbox import SiteEnvironment
from netplan.render.site_filters import TooMuchError

NAMES = ("switch", "page", "nos", "form", "site")
"""Names a switch template is given."""
_REFERRING = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)
_NO_FIELD = re.compile(r"'[\w.]*?(\w+) object' has no attribute '(\w+)'")
_HINT = "correct the template; docs/nos-folder.md lists what it can use"


def shared_templates() -> Iterator[str]:
    """Templates that every NOS folder may extend and include."""
    return (path.name for path in switch_folder().glob("*.j2"))


def environment_of(folder: NosFolder) -> SiteEnvironment:
    """Loads the folder's own templates first, then the shared ones, and nothing else from disk."""
    texts, shared = folder.texts or {}, frozenset(shared_templates())

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        if name in texts:
            return texts[name], folder.file(name), lambda: True
        if name in shared:
            path = switch_folder() / name
            return path.read_text(encoding="utf-8"), str(path), lambda: True
        return None

    return SiteEnvironment(FunctionLoader(load))


def template_problems(profiles: Iterable[NosProfile]) -> Iterator[Diagnostic]:
    """Problems that can be found without a switch (NP021)."""
    for profile in profiles:
        environment = environment_of(profile.folder)
        trees: dict[str, nodes.Template] = {}
        for file, text in sorted((profile.folder.texts or {}).items()):
            if file.endswith(".j2"):
                try:
                    trees[file] = environment.parse(text, file, profile.folder.file(file))
                    environment.get_template(file)
                except Exception as error:
                    yield _problem("NP021", profile.folder, file, error, f"template {printable(file)}")
        yield from _names_nothing(profile, environment, trees)


def _names_nothing(
    profile: NosProfile, environment: SiteEnvironment, trees: Mapping[str, nodes.Template]
) -> Iterator[Diagnostic]:
    """References to templates and variables that do not exist."""
    known = {*trees, *(profile.folder.texts or {}), *shared_templates()}
    stored = _stored(environment, trees.values())
    for file, tree in trees.items():
        for line, text in (*_missing_templates(tree, known), *_missing_variables(tree, stored)):
            yield _finding("NP021", profile.folder, file, line, f"template {printable(file)}: {text}")


def _stored(environment: SiteEnvironment, trees: Iterable[nodes.Template]) -> set[str]:
    """Names that any template sets. An included template may use its includer's names, so all are known
    everywhere."""
    stored = {"caller", "varargs", "kwargs", "loop", "self", "super", *NAMES, *environment.globals}
    for tree in trees:
        stored |= {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
        stored |= {macro.name for macro in tree.find_all(nodes.Macro)}
        stored |= set(_imported(tree))
    return stored


def _missing_templates(tree: nodes.Template, known: set[str]) -> Iterator[tuple[int, str]]:
    for node in tree.find_all(_REFERRING):
        named = node.template  # type: ignore[attr-defined]  # all four have it
        if isinstance(named, nodes.Const) and named.value not in known:
            yield node.lineno, f"there is no template '{named.value}'"


def _missing_variables(tree: nodes.Template, stored: set[str]) -> Iterator[tuple[int, str]]:
    """(line, message) for each unknown variable, at its first use."""
    unknown: dict[str, int] = {}
    for used in tree.find_all(nodes.Name):
        if used.ctx == "load" and used.name not in stored:
            unknown.setdefault(used.name, used.lineno)
    for name, line in unknown.items():
        yield line, f"there is no variable '{name}': {', '.join(NAMES)}"


def _imported(tree: nodes.Template) -> Iterator[str]:
    yield from (node.target for node in tree.find_all(nodes.Import))
    for node in tree.find_all(nodes.FromImport):
        yield from (name if isinstance(name, str) else name[1] for name in node.names)


class SitePrinter:
    """Renders the files of one NOS. A failing template adds a problem and yields no file."""

    def __init__(self, profile: NosProfile, problems: list[Diagnostic]) -> None:
        self._folder, self._problems = profile.folder, problems
        self._environment = environment_of(profile.folder)
        self._told: set[tuple[Source | None, str]] = set()
        self._endless: set[str] = set()

    def text(self, output: NosOutput, names: Mapping[str, Any], lay_out: Callable[[str], str]) -> str | None:
        if output.template in self._endless:
            return None
        self._environment.start()
        try:
            return lay_out(self._environment.get_template(output.template).render(names))
        except Exception as error:
            if isinstance(error, TooMuchError):
                self._endless.add(output.template)
            what = f"template {output.template} on switch {names['switch'].name}"
            found = _problem("NP022", self._folder, output.template, error, what)
        key = (found.source, found.message.replace(what, "", 1))
        if key not in self._told:
            self._told.add(key)
            self._problems.append(found)
        return None


def _problem(code: str, folder: NosFolder, file: str, error: Exception, what: str) -> Diagnostic:
    file, line = _place(folder, file, error)
    return _finding(code, folder, file, line, f"{what}: {_words(error)}")


def _words(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it calls or includes itself without end"
    if isinstance(error, TemplateNotFound):
        return f"there is no template '{error.name}'"
    text = str(error) or type(error).__name__
    if isinstance(error, JSONDecodeError):
        return f"its output is not JSON: {text}"
    if isinstance(error, UndefinedError):
        return _NO_FIELD.sub(r"\1 has no field '\2'", text)
    return text


def _place(folder: NosFolder, file: str, error: Exception) -> tuple[str, int]:
    """(file in the folder, line) of an error: of a syntax error, else the last template line run, or the
    first for endless recursion. Line 0 stands for the whole file."""
    from traceback import walk_tb  # needed only when a template fails

    names = {folder.file(name): name for name in folder.texts or {}}
    if isinstance(error, TemplateSyntaxError):
        return names.get(str(error.filename), file), error.lineno
    own = [
        (names[frame.f_code.co_filename], line)
        for frame, line in walk_tb(error.__traceback__)
        if frame.f_code.co_filename in names
    ]
    if not own:
        return file, 0
    return own[0] if isinstance(error, RecursionError) else own[-1]


def _finding(code: str, folder: NosFolder, file: str, line: int, message: str) -> Diagnostic:
    lines = (folder.texts or {}).get(file, "").split("\n")
    column = _column(lines[line - 1] if 0 < line <= len(lines) else "", message)
    source = Source(folder.file(file), max(line, 1), column)
    return Diagnostic(code, Severity.ERROR, (), clipped(printable(message)), _HINT, source)


def _column(line: str, message: str) -> int:
    """Column of the word that the message quotes, else of the first tag or letter, because Jinja reports only
    the line."""
    for word in re.findall(r"'([^']+)'", message):
        found = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", line)
        if found:
            return found.start() + 1
    tag = re.search(r"\{[{%]", line) or re.search(r"\S", line)
    return tag.start() + 1 if tag else 1
