"""The book of rules: one meaning per code, and a limit on findings per rule."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netplan.checks.registry import REGISTRY
from netplan.config_db import RULES as SWITCH_RULES
from netplan.diagnostics import Severity
from netplan.explain import entries
from netplan.model.rulebook import BOOK, Code, Rule, register
from netplan.rendered import RULES as OBJECT_RULES
from netplan.verify import DERIVED


def numbers(upto: int) -> Iterator[int]:
    yield from range(upto)


def capped(most: int) -> Rule[int, int]:
    return Rule(
        code="NP000",
        title="many",
        severity=Severity.INFO,
        kind="foreign",
        text="",
        subject=int,
        ask=lambda subject: (subject, numbers(subject)),
        run=numbers,
        most=most,
    )


def test_every_wing_is_in_the_one_book() -> None:
    every = entries()
    for wing in (REGISTRY, SWITCH_RULES, OBJECT_RULES):
        assert wing
        assert all(every[code] is rule for code, rule in wing.items())
    assert DERIVED.keys() <= every.keys()
    assert list(every) == sorted(every)


def test_a_code_has_one_meaning() -> None:
    known = next(iter(REGISTRY.values()))
    other = Code(code=known.code, title="another", severity=Severity.ERROR, kind="stage", text="")
    with pytest.raises(ValueError, match=f"{known.code} is already {known.title}"):
        register(other)
    assert BOOK[known.code] is known


@pytest.mark.parametrize(("number", "listed", "over"), [(0, 0, None), (3, 3, None), (4, 3, 3), (10**9, 3, 3)])
def test_what_is_above_the_cap_is_not_even_worked_out(number: int, listed: int, over: int | None) -> None:
    answer = capped(3).answer(number)
    assert (answer.looked_at, len(answer.findings), answer.over) == (number, listed, over)
    assert capped(3).more == "more than 3 findings, the rest is not listed"
