"""What is known of one NOS's text: ``templates/switch/<nos>/readback.yaml``, compiled."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
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
from netplan.yaml12 import parse

NAME = "readback.yaml"
SCHEMA = "readback.schema.json"
_LEAVES = ("exit", "quit")
"""What leaves a block says nothing."""
_REMEMBERED = 20_000
"""Lines of which it is remembered."""
COMMENT = "comment "
"""Before a feature: what a comment to confirm is remembered as."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """``twins``: file -> the one that says the same in another form; ``command``: the word that a path of a
    YAML file is written behind. ``implied``: fact -> why the NOS needs no line for it; ``stands``: fact ->
    where its line stands. ``written``: whether a line, or path of a table, is of a form that netplan writes
    (``commands.yaml``); None where no file says so."""

    nos: NosProfile
    comment: tuple[str, ...]
    command: str
    files: Mapping[str, str]
    twins: Mapping[str, str]
    lines: Node
    comments: Node
    facts: Mapping[str, tuple[Source, ...]]
    implied: Mapping[str, Implied]
    stands: Mapping[str, Stand]
    written: Callable[[str], bool] | None


@cache
def rules_of(nos: str, library: NosLibrary) -> Rules | None:
    """None for a NOS that has no folder, or no rules in it that can be used.

    Raises ValueError for rules that ship and cannot be used: no user writes them.
    """
    profile = load_nos({nos: ()}, library)[0].get(nos)
    rules, problems = (None, []) if profile is None else read_rules(profile, SourceMap())
    if problems and profile is not None and not profile.folder.own:
        raise ValueError(f"{profile.folder.file(NAME)}: {problems[0].message}")
    return rules


def read_rules(nos: NosProfile, sources: SourceMap) -> tuple[Rules | None, list[Diagnostic]]:
    """None where the NOS has none. What is wrong with them is NP023."""
    text = text_of(nos.folder, NAME)
    if text is None:
        return None, []
    file = DataFile(nos.folder.file(NAME), text, SCHEMA, "NP023", sources)
    rules = None
    if file.data is not None:
        known = {output.file for output in nos.outputs}
        for kind, name in file.data["files"].items():
            if name not in known:
                file.add(("files", kind), f"{name} is no output of nos.yaml")
        for feature in file.data["comments"]:
            if feature not in FEATURES:
                file.add(("comments", feature), f"{feature} is no feature of nos.yaml")
        rules = compiled_rules(nos, file.data, file)
    return (None if file.problems else rules), file.problems


def compiled_rules(nos: NosProfile, data: Mapping[str, Any], file: DataFile) -> Rules:
    """``data``: as ``schemas/readback.schema.json`` has it, filled. ``file``: gets what cannot be used."""
    root, comments = Node(), Node()
    words = data["words"]

    def source(fact: str, form: str | Mapping[str, Any]) -> Source:
        stated: Mapping[str, Any] = {"lines": [form], "given": {}} if isinstance(form, str) else form
        for pattern in stated["lines"]:
            refuse_misfits(pattern, FACTS[fact], words)
            node = root
            for level in pattern.split(BELOW):
                node = node.below(level, nos.port_name, words)
            if pattern not in node.ends:
                node.ends.append(pattern)
        given = {name: str(value) for name, value in stated["given"].items()}
        return source_of(fact, stated["lines"], given)

    for feature, patterns in data["comments"].items():
        for index, pattern in enumerate(patterns):
            with _usable(file, ("comments", feature, index)):
                comments.below(pattern, nos.port_name, {}).ends.append(COMMENT + feature)
    facts: dict[str, tuple[Source, ...]] = {}
    for fact, forms in data["facts"].items():
        for index, form in enumerate(forms):
            with _usable(file, ("facts", fact, index)):
                facts[fact] = (*facts.get(fact, ()), source(fact, form))
    return Rules(
        nos=nos,
        comment=tuple(data["comment"]),
        command=data["command"],
        files=data["files"],
        twins=data["twins"],
        lines=root,
        comments=comments,
        facts=facts,
        implied={fact: _implied(said) for fact, said in data["implied"].items()},
        stands={fact: Stand(at["file"], at["line"]) for fact, at in data["stands"].items()},
        written=_written(text_of(nos.folder, "commands.yaml")),
    )


def _written(text: str | None) -> Callable[[str], bool] | None:
    if text is None:
        return None
    data = parse("commands.yaml", text, Places(SourceMap())).data
    families = data["families"] if isinstance(data, dict) and "families" in data else ()
    forms = [re.sub(r"\(\?P<\w+>", "(?:", form) for family in families for form in family["lines"]]
    whole = re.compile("|".join(f"(?:{form})" for form in (*_LEAVES, *forms)))
    return lru_cache(maxsize=_REMEMBERED)(lambda line: whole.fullmatch(line) is not None)


def _implied(said: str | Mapping[str, str]) -> Implied:
    if isinstance(said, str):
        return Implied(said)
    return Implied(said["why"], frozenset(spans(str(said["numbers"]))))


@contextmanager
def _usable(file: DataFile, at: Path) -> Iterator[None]:
    """What compiling a pattern raises, as a problem of the file."""
    try:
        yield
    except KeyError as error:
        file.add(at, f"there is no kind {error}")
    except (ValueError, re.error, OverflowError, RecursionError) as error:
        file.add(at, f"cannot be used: {error}")
