"""hier_config, a library that parses indented configurations to plan changes, reads each text as intended.

It knows structure, not commands: contexts, duplicates, and what applying a text changes.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from hier_config import Platform, WorkflowRemediation, get_hconfig

from tests.vendors.grammar import facts, grammar
from tests.vendors.sites import PORTS, variant_site

INDENTED = tuple(nos for nos in PORTS if any(form.under for form in grammar(nos).forms))
"""NOSes whose grammar has contexts."""
SWITCHES = ("leaf-1", "spine-1")
Tree = Counter[tuple[str, ...]]


@cache
def texts(nos: str, switch: str) -> tuple[str, ...]:
    """The switch's command files, without comments and words that leave a context."""
    files = variant_site(nos, "watchdog").files(switch)
    found = (commands(nos, text) for name, text in files.items() if name.endswith(".txt"))
    return tuple(text for text in found if text)


def commands(nos: str, text: str) -> str:
    rules = grammar(nos)
    kept = (raw for raw in text.splitlines() if raw.strip() and not rules.comment.match(raw.strip()))
    return "".join(f"{raw}\n" for raw in kept if raw.strip() != rules.leave)


def tree(nos: str, text: str) -> Tree:
    return Counter((*line.under, line.text) for line in grammar(nos).lines(text))


def change(nos: str, running: str, wanted: str) -> Tree:
    """Every line that hier_config would enter to get from ``running`` to ``wanted``, with its contexts."""
    platform = Platform[facts(nos).hier_config]  # GENERIC: only indentation counts
    work = WorkflowRemediation(get_hconfig(platform, running), get_hconfig(platform, wanted))
    return Counter(tuple(child.path()) for child in work.remediation_config.all_children())


def test_every_nos_is_indented_or_made_of_whole_lines() -> None:
    flat = {
        nos for nos in PORTS if not any(len(path) > 1 for t in texts(nos, "leaf-1") for path in tree(nos, t))
    }
    assert flat | set(INDENTED) == set(PORTS)
    assert not flat & set(INDENTED)


@pytest.mark.parametrize("nos", PORTS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_there_is_something_to_read(nos: str, switch: str) -> None:
    lines = sum(tree(nos, text).total() for text in texts(nos, switch))
    assert len(texts(nos, switch)) >= 2
    assert lines >= 20


@pytest.mark.parametrize("nos", PORTS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_entered_on_an_empty_switch_every_line_stands_where_it_was_written(nos: str, switch: str) -> None:
    for text in texts(nos, switch):
        wanted = tree(nos, text)
        assert change(nos, "", text) == wanted


@pytest.mark.parametrize("nos", PORTS)
@pytest.mark.parametrize("switch", SWITCHES)
def test_entered_twice_a_text_changes_nothing(nos: str, switch: str) -> None:
    for text in texts(nos, switch):
        assert not change(nos, text, text)
        assert max(tree(nos, text).values()) == 1


@pytest.mark.parametrize("nos", INDENTED)
def test_a_line_out_of_place_is_a_change(nos: str) -> None:
    text = texts(nos, "leaf-1")[0]
    inner = next(line for line in text.splitlines() if line.startswith(" "))
    moved = text.replace(f"{inner}\n", f"{inner.strip()}\n", 1)
    assert change(nos, text, moved)
