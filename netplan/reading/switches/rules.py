"""The readback rules of one NOS: ``templates/switch/<nos>/readback.yaml``, compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import Any

from netplan.diagnostics import Diagnostic, Path
from netplan.model.document import Places, SourceMap
from netplan.model.nos import FEATURES, NosProfile
from netplan.model.readback import Implied, Stand
from netplan.nos import DataFile, NosLibrary, load_nos, text_of
from netplan.reading.switches.columns import refuse_misfits, spans
from netplan.reading.switches.facts import FACTS, Source, source_of
from netplan.reading.switches.lines import BELOW, Node
from netplan.reading.switches.names import Names, names_of
from netplan.reading.switches.settled import Single, single_of
from netplan.reading.switches.spelled import Spelling, spelling_of
from netplan.records import dataclass
from netplan.yaml12 import parse

NAME = "readback.yaml"
SCHEMA = "readback.schema.json"
_MENTIONS = frozenset({"port", "bridged", "trunk-all"})
"""Facts that the beginning of a line may state; the rest of such a line counts as unread."""
COMMENT = "comment "
"""Prefix of a feature that is stated only by a comment to confirm."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaves:
    """``begin``: of the statement; ``order``: names of its parts as one line has them. ``lists``: whether
    they have several values; else the last one counts."""

    begin: re.Pattern[str]
    order: tuple[str, ...]
    lists: bool

    @property
    def words(self) -> frozenset[str]:
        return frozenset(self.order)


@dataclass(frozen=True, slots=True, eq=False)
class Profile:
    """``lines``: statements that stand for others, ``unless`` such a line is there. ``sets``: those others,
    each with the lines that come in their place; one with a column in the place of what it names."""

    lines: tuple[str, ...]
    unless: tuple[str, ...]
    sets: tuple[tuple[tuple[str, ...], Mapping[str, Any]], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """``leave``: words that end a block. ``twins``: file -> the file that says the same in another form;
    ``command``: the word that precedes a path of a YAML file. ``several``: what a line begins with whose next
    word may name several interfaces; ``wildcards``: what a line begins with whose next word may stand for
    some. ``leaves``: statements whose parts may have a line each; ``spelled``: lines that mean one of
    netplan's; ``inactive``: what a line begins with that switches others off. ``implied``: fact -> why the
    NOS needs no line for it; ``stands``: fact -> where its line belongs. ``singles``: statements whose last
    line wins; ``names``: names that must be defined. ``written``: whether a line, or path of a table, is
    known (``commands.yaml``) although no rule here reads it; None without such a file. ``decides``: key of a
    class -> lines that decide it where no rule reads them."""

    nos: NosProfile
    comment: tuple[str, ...]
    leave: frozenset[str]
    command: str
    several: str
    wildcards: str
    leaves: tuple[Leaves, ...]
    spelled: tuple[Spelling, ...]
    inactive: str
    profiles: tuple[Profile, ...]
    files: Mapping[str, str]
    twins: Mapping[str, str]
    lines: Node
    comments: Node
    facts: Mapping[str, tuple[Source, ...]]
    implied: Mapping[str, Implied]
    stands: Mapping[str, Stand]
    singles: tuple[Single, ...]
    names: tuple[Names, ...]
    written: Callable[[str], bool] | None
    decides: Mapping[str, tuple[re.Pattern[str], ...]]


@cache
def rules_of(nos: str, library: NosLibrary) -> Rules | None:
    """None for a NOS without a folder, or without usable rules in it.

    Raises ValueError for unusable rules that ship with netplan: no user writes those.
    """
    profile = load_nos({nos: ()}, library)[0].get(nos)
    rules, problems = (None, []) if profile is None else read_rules(profile, SourceMap())
    if problems and profile is not None and not profile.folder.own:
        raise ValueError(f"{profile.folder.file(NAME)}: {problems[0].message}")
    return rules


def read_rules(nos: NosProfile, sources: SourceMap) -> tuple[Rules | None, list[Diagnostic]]:
    """None if the NOS has no rules, or unusable ones; their problems are NP023."""
    text = text_of(nos.folder, NAME)
    if text is None:
        return None, []
    file = DataFile(nos.folder.file(NAME), text, SCHEMA, "NP023", sources)
    rules = None
    if file.data is not None:
        known = {output.file for output in nos.outputs}
        for kind, name in file.data["files"].items():
            if name not in known:
                file.add(("files", kind), f"{name} is not an output of nos.yaml")
        for feature in file.data["comments"]:
            if feature not in FEATURES:
                file.add(("comments", feature), f"{feature} is not a feature of nos.yaml")
        rules = compiled_rules(nos, file.data, file)
    return (None if file.problems else rules), file.problems


class _Forms:
    """The tree of line patterns of a NOS."""

    def __init__(self, port: str, words: Mapping[str, Any]) -> None:
        self.root = Node()
        self._port, self._words = port, words

    def place(self, pattern: str, known: bool = True) -> Node:
        """The node that lines of this pattern lead to. ``known``: whether such a line counts as read."""
        node = self.root
        for level in pattern.split(BELOW):
            node = node.below(level, self._port, self._words)
            node.known = node.known or known
        return node

    def end(self, pattern: str, known: bool = True) -> Node:
        """The same, marked as the end of a pattern whose values are collected."""
        node = self.place(pattern, known)
        if pattern not in node.ends:
            node.ends.append(pattern)
        return node

    def source(self, fact: str, form: str | Mapping[str, Any]) -> Source:
        stated: Mapping[str, Any] = (
            {"lines": [form], "given": {}, "unless": []} if isinstance(form, str) else form
        )
        for pattern in stated["lines"]:
            refuse_misfits(pattern, FACTS[fact], self._words)
            self.end(pattern, known=fact not in _MENTIONS or not pattern.endswith(".+"))
        for pattern in stated["unless"]:
            self.end(pattern, known=False)
        given = {name: str(value) for name, value in stated["given"].items()}
        return source_of(fact, stated["lines"], given, stated["unless"])

    def names(self, data: Mapping[str, Any]) -> Names:
        names = names_of(data)
        for pattern in (*names.used, *names.made):
            self.end(pattern)
        return names

    def single(self, data: Mapping[str, Any]) -> Single:
        single = single_of(data)
        for part in single.parts:
            self.end(part.pattern).numbered = True
        return single


def lines_like(rules: Rules, patterns: Iterable[str]) -> Node:
    """The tree of further patterns, in the language of the rules."""
    forms = _Forms(rules.nos.port_name, {})
    for pattern in patterns:
        forms.end(pattern)
    return forms.root


def compiled_rules(nos: NosProfile, data: Mapping[str, Any], file: DataFile) -> Rules:
    """``data``: as ``schemas/readback.schema.json`` has it, with defaults filled in. ``file``: collects
    problems."""
    forms, comments = _Forms(nos.port_name, data["words"]), Node()
    for feature, patterns in data["comments"].items():
        for index, pattern in enumerate(patterns):
            with _usable(file, ("comments", feature, index)):
                comments.below(pattern, nos.port_name, {}).ends.append(COMMENT + feature)
    facts: dict[str, tuple[Source, ...]] = {}
    for fact, ways in data["facts"].items():
        for index, way in enumerate(ways):
            with _usable(file, ("facts", fact, index)):
                facts[fact] = (*facts.get(fact, ()), forms.source(fact, way))
    singles: list[Single] = []
    for index, said in enumerate(data["single"]):
        with _usable(file, ("single", index)):
            singles.append(forms.single(said))
    names: list[Names] = []
    for index, said in enumerate(data["names"]):
        with _usable(file, ("names", index)):
            names.append(forms.names(said))
    for kind in ("idle", "unfollowed"):
        for index, said in enumerate(data[kind]):
            with _usable(file, (kind, index, "lines")):
                for pattern in said["lines"]:
                    forms.place(pattern)
    written = _nothing if data["idle"] else _written(text_of(nos.folder, "commands.yaml"))
    return Rules(
        nos=nos,
        comment=tuple(data["comment"]),
        leave=frozenset(data["leave"]),
        command=data["command"],
        several=data["several"],
        wildcards=data["wildcards"],
        leaves=tuple(_leaves(file, data["leaves"])),
        spelled=tuple(_spelled(file, data["spelled"])),
        inactive=data["inactive"],
        profiles=tuple(map(_profile, data["profiles"])),
        files=data["files"],
        twins=data["twins"],
        lines=forms.root,
        comments=comments,
        facts=facts,
        implied={fact: _implied(said) for fact, said in data["implied"].items()},
        stands={fact: Stand(at["file"], at["line"]) for fact, at in data["stands"].items()},
        singles=tuple(singles),
        names=tuple(names),
        written=written,
        decides=_decides(file, data["decides"]),
    )


def _leaves(file: DataFile, rows: Sequence[Mapping[str, Any]]) -> Iterator[Leaves]:
    for index, said in enumerate(rows):
        with _usable(file, ("leaves", index, "begin")):
            yield Leaves(re.compile(said["begin"]), tuple(said["words"]), said["lists"])


def _decides(file: DataFile, rows: Mapping[str, Sequence[str]]) -> Mapping[str, tuple[re.Pattern[str], ...]]:
    found: dict[str, tuple[re.Pattern[str], ...]] = {}
    for key, patterns in rows.items():
        for index, pattern in enumerate(patterns):
            with _usable(file, ("decides", key, index)):
                found[key] = (*found.get(key, ()), re.compile(pattern))
    return found


def _profile(said: Mapping[str, Any]) -> Profile:
    sets = tuple((tuple(each["unless"]), each["set"]) for each in said["sets"])
    return Profile(tuple(said["lines"]), tuple(said["unless"]), sets)


def _spelled(file: DataFile, rows: Sequence[Mapping[str, Any]]) -> Iterator[Spelling]:
    for index, said in enumerate(rows):
        with _usable(file, ("spelled", index, "shown")):
            yield spelling_of(said["shown"], said["line"])


def _nothing(line: str) -> bool:
    """Stands in for ``commands.yaml``: knows no line."""
    return False


def _written(text: str | None) -> Callable[[str], bool] | None:
    if text is None:
        return None
    data = parse("commands.yaml", text, Places(SourceMap())).data
    families = data["families"] if isinstance(data, dict) and "families" in data else ()
    forms = [re.sub(r"\(\?P<\w+>", "(?:", form) for family in families for form in family["lines"]]
    whole = re.compile("|".join(f"(?:{form})" for form in forms))
    return lru_cache(maxsize=20_000)(lambda line: whole.fullmatch(line) is not None)


def _implied(said: str | Mapping[str, str]) -> Implied:
    if isinstance(said, str):
        return Implied(said)
    return Implied(said["why"], frozenset(spans(str(said["numbers"]))))


@contextmanager
def _usable(file: DataFile, at: Path) -> Iterator[None]:
    """Reports an exception from compiling a pattern as a problem of the file."""
    try:
        yield
    except KeyError as error:
        file.add(at, f"unknown kind {error}")
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        file.add(at, f"cannot be used: {error}")
