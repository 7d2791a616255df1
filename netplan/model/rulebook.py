"""The one book of rules: every code that netplan can report, whoever asks.

Stages, checks of an inventory and rules about files register here, so that no code has two meanings and
``netplan explain``, reports and ``accept`` read the same. A code is never reused and never renumbered.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Generic, Literal, TypeVar

from netplan.diagnostics import Severity
from netplan.records import dataclass

Kind = Literal["stage", "input", "derived", "foreign"]
"""``stage``: a stage meets it while it reads. ``input``: an inventory can break it. ``derived``: it holds
of netplan's own tree by construction. ``foreign``: about files that others wrote."""
Accepted = Literal["below", "place", "never"]
"""What an entry of ``accept`` covers: its place and all below it, its place only, or nothing of an error."""
About = Literal["site", "switches"]
"""What a rule asks about: what each inventory has of its own, or switches, their ports and the links between
them, which clusters of one fabric share: those rules are asked once, of all clusters together."""
S = TypeVar("S")
F = TypeVar("F")
HINT_OF_MORE = "correct those listed and run again"
MOST = 10_000
"""Findings of one rule about one subject: a copied section makes millions, each naming two of its copies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """``text``: Markdown: what it means, **Why.**, **Fix.**, **Source.**"""

    code: str
    title: str
    severity: Severity
    kind: Kind
    text: str
    accepted: Accepted = "below"

    @property
    def explanation(self) -> str:
        return inspect.cleandoc(self.text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Code, Generic[S, F]):
    """A code that is asked for.

    ``subject``: type of what it is about. ``ask``: how many things of a subject it looks at, and what is
    wrong with them; none means that it is not applicable. ``run``: the function that finds it. ``most``:
    findings about one subject that are listed at most: more are copies of one mistake.
    """

    subject: type[S]
    ask: Callable[[S], tuple[int, Iterable[F]]]
    run: Callable[..., Iterator[F]]
    most: int = MOST
    about: About = "site"

    def answer(self, subject: S) -> Answer[F]:
        looked_at, findings = self.ask(subject)
        listed = list(islice(findings, self.most + 1)) if looked_at else []
        return Answer(looked_at, listed[: self.most], next(iter(listed[self.most :]), None))

    @property
    def more(self) -> str:
        """The message in place of the first finding that is not listed."""
        return f"more than {self.most:,} findings, the rest is not listed"


@dataclass(frozen=True, slots=True)
class Answer(Generic[F]):
    """``looked_at``: number of things. ``over``: the first of the findings that are not listed."""

    looked_at: int
    findings: list[F]
    over: F | None


BOOK: dict[str, Code] = {}
"""By code. What stands here depends on what is imported; ``netplan.explain`` imports everything."""
C = TypeVar("C", bound=Code)


def register(code: C) -> C:
    """Raises ValueError where the code has a meaning already."""
    if code.code in BOOK:
        raise ValueError(f"{code.code} is already {BOOK[code.code].title}")
    BOOK[code.code] = code
    return code
