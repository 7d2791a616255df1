"""Dumps of one network that disagree: a plugin in one and not in the other is a question, not a choice."""

from __future__ import annotations

import re

from tests.test_import import OPERATED, operated

SBR = '  metaPlugins: \'{"type": "sbr"}\'\n'
AGAIN = "".join(f"---\n{text}" for text in OPERATED.split("---\n") if "kind: SriovNetwork\n" in text)
LATER = AGAIN.replace(SBR, "")
"""The networks of the cluster without sbr, as another dump has them."""


def routing_of(text: str) -> list[str]:
    return re.findall(r"routing: .*", text)


def test_sbr_in_one_dump_and_not_in_the_other_is_asked_with_both_places() -> None:
    assert SBR in OPERATED
    assert "kind: SriovNetwork" in LATER
    for dumps in (OPERATED + LATER, LATER.removeprefix("---\n") + "---\n" + OPERATED):
        lines = routing_of(operated(dumps).text)
        asked = [line for line in lines if "TODO" in line]
        assert asked
        assert all(
            re.search(r"sources disagree: (sbr|nothing) \(.*:\d+\) or (sbr|nothing) \(", one) for one in asked
        )


def test_dumps_that_agree_about_sbr_are_not_asked() -> None:
    assert routing_of(operated(OPERATED + AGAIN).text) == routing_of(operated(OPERATED).text)
    assert any(line.startswith("routing: sbr") for line in routing_of(operated(OPERATED).text))
