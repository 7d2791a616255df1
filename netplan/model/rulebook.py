"""All rules: every code that netplan can report, whoever asks.

Stages, checks of an inventory and rules about files register here, so that no code has two meanings and
``netplan explain``, reports and ``accept`` agree. A code is never reused and never renumbered.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Generic, Literal, TypeVar

from netplan.diagnostics import Severity
from netplan.records import dataclass

Kind = Literal["stage", "input", "derived", "foreign"]
"""``stage``: found while a stage reads. ``input``: an inventory can break it. ``derived``: true by
construction for netplan's own tree. ``foreign``: about files written by others."""
Accepted = Literal["below", "place", "never"]
"""What an entry of ``accept`` covers: its place and everything below, its place only, or never an error."""
About = Literal["site", "switches"]
"""What a rule is about: what each inventory has of its own, or switches, their ports and links, which the
clusters of a fabric share: such rules run once, for all clusters together."""
S = TypeVar("S")
F = TypeVar("F")
HINT_OF_MORE = "correct those listed and run again"
MOST = 10_000
"""Limit of findings of one rule about one subject: copied sections can make millions, each naming two
copies."""


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

    @property
    def elsewhere(self) -> Severity:
        """The severity for directories that others wrote."""
        return self.severity

    @property
    def grade(self) -> str:
        """The severity in words."""
        own, other = (each.name.lower() for each in (self.severity, self.elsewhere))
        return own if own == other else f"{own}, in directories that others wrote {other}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule(Code, Generic[S, F]):
    """A code with a function to run.

    ``subject``: type of what it is about. ``ask``: returns how many things of a subject it looks at, and what
    is wrong; no things means that it is not applicable. ``run``: the function that finds problems. ``most``:
    limit of findings listed per subject: more are copies of one mistake. ``between``: an error between
    objects; in a directory that others wrote, which may hold versions, parts and fixtures, a warning.
    """

    subject: type[S]
    ask: Callable[[S], tuple[int, Iterable[F]]]
    run: Callable[..., Iterator[F]]
    most: int = MOST
    about: About = "site"
    between: bool = False

    def answer(self, subject: S) -> Answer[F]:
        looked_at, findings = self.ask(subject)
        listed = list(islice(findings, self.most + 1)) if looked_at else []
        return Answer(looked_at, listed[: self.most], next(iter(listed[self.most :]), None))

    @property
    def elsewhere(self) -> Severity:
        return Severity.WARNING if self.between else self.severity

    @property
    def more(self) -> str:
        """The message in place of the first finding that is not listed."""
        return f"more than {self.most:,} findings, the rest is not listed"


@dataclass(frozen=True, slots=True)
class Answer(Generic[F]):
    """``looked_at``: number of things. ``over``: the first finding that is not listed."""

    looked_at: int
    findings: list[F]
    over: F | None


BOOK: dict[str, Code] = {}
"""All rules by code. It has what was imported; ``netplan.explain`` imports everything."""
C = TypeVar("C", bound=Code)


def register(code: C) -> C:
    """Raises ValueError if the code is already taken."""
    if code.code in BOOK:
        raise ValueError(f"{code.code} is already {BOOK[code.code].title}")
    BOOK[code.code] = code
    return code
