"""What is known of one NOS's text: ``templates/switch/<nos>/readback.yaml``, compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from netplan.model.document import Places, SourceMap
from netplan.model.nos import NosProfile
from netplan.model.readback import Implied, Stand
from netplan.nos import available, load_nos
from netplan.reading.switches.columns import spans
from netplan.reading.switches.facts import Source, source_of
from netplan.reading.switches.lines import BELOW, Node
from netplan.yaml12 import parse

NAME = "readback.yaml"
COMMENT = "comment "
"""Before a feature: what a comment to confirm is remembered as."""


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """``twins``: file -> the one that says the same in another form; ``command``: the word that a path of a
    YAML file is written behind. ``implied``: fact -> why the NOS needs no line for it; ``stands``: fact ->
    where its line stands."""

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


@cache
def rules_of(nos: str) -> Rules | None:
    """None for a NOS that has no folder, or no rules in it.

    Raises ValueError, KeyError or re.error for rules that cannot be used: no user writes them.
    """
    if nos not in available():
        return None
    profiles, problems = load_nos({nos: ()})
    path = Path(profiles[nos].folder) / NAME if not problems else None
    if path is None or not path.is_file():
        return None
    parsed = parse(NAME, path.read_text(encoding="utf-8"), Places(SourceMap()))
    if parsed.problems:
        raise ValueError(f"{path}: {parsed.problems[0].message}")
    return compiled_rules(profiles[nos], parsed.data)


def compiled_rules(nos: NosProfile, data: Mapping[str, Any]) -> Rules:
    """``data``: of the form of ``schemas/readback.schema.json``."""
    root, comments = Node(), Node()
    words = data.get("words", {})

    def source(fact: str, form: str | Mapping[str, Any]) -> Source:
        stated: Mapping[str, Any] = {"lines": [form]} if isinstance(form, str) else form
        for pattern in stated["lines"]:
            node = root
            for level in pattern.split(BELOW):
                node = node.below(level, nos.port_name, words)
            if pattern not in node.ends:
                node.ends.append(pattern)
        given = {name: str(value) for name, value in stated.get("given", {}).items()}
        return source_of(fact, stated["lines"], given)

    for feature, patterns in data.get("comments", {}).items():
        for pattern in patterns:
            comments.below(pattern, nos.port_name, {}).ends.append(COMMENT + feature)
    facts = {fact: tuple(source(fact, form) for form in forms) for fact, forms in data["facts"].items()}
    return Rules(
        nos=nos,
        comment=tuple(data["comment"]),
        command=data.get("command", ""),
        files=data["files"],
        twins=data.get("twins", {}),
        lines=root,
        comments=comments,
        facts=facts,
        implied={fact: _implied(said) for fact, said in data.get("implied", {}).items()},
        stands={fact: Stand(at["file"], at["line"]) for fact, at in data.get("stands", {}).items()},
    )


def _implied(said: str | Mapping[str, str]) -> Implied:
    if isinstance(said, str):
        return Implied(said)
    return Implied(said["why"], frozenset(spans(str(said["numbers"]))))
