"""``check-live``: equal outputs of several machines, as ``clush -b`` and ``dshbak -c`` show them."""

from __future__ import annotations

import pytest

from netplan.diagnostics import Source
from netplan.live.merged import each_machine
from netplan.reading.tables import Line
from tests.live_leaf import changed, shown
from tests.test_check_live import live

SYSCTL = "sysctl net.ipv4.neigh.default net.ipv6.neigh.default"
BAD = changed(SYSCTL, r"(net.ipv4.neigh.default.gc_thresh1 = )\d+", r"\g<1>7")
RULE = "-" * 15


def merged(names: str, text: str) -> str:
    return f"{RULE}\n{names}\n{RULE}\n{text}"


@pytest.mark.parametrize(
    "names", ["leaf-[1-2,4] (3)", "leaf-[1-2,4]", "leaf-1,leaf-[2,4]", "leaf-[1-2,4,77-99] (26)"]
)
def test_each_planned_machine_printed_it(names: str) -> None:
    others = merged("leaf-3", shown(SYSCTL)) + merged("core-[1-2] (2)", BAD)
    for text in (
        merged(names, BAD) + others,
        others + merged(names, BAD),
        f"x@y:~$ a\n{merged(names, BAD)}x@y:~$ \n",
    ):
        found = live({"all.txt": text})
        assert {one.claim.hop.name for one in found.wrong} == {"leaf-1", "leaf-2", "leaf-4"}
    assert {one.claim.hop.name for one in live({"all.txt": others}).judged if one.outcome == "ok"} == {
        "leaf-3"
    }


@pytest.mark.parametrize(
    "names", ["core-[1-2] (2)", "leaf-[7-8]", "leaf-[2-1]", "leaf-[1-999999999]", "leaf-[1-2] and x"]
)
def test_any_other_names_are_of_nobody(names: str) -> None:
    assert live({"leaf-1.txt": merged(names, BAD)}).judged == ()


def test_titles_stand_for_a_bounded_number_of_lines() -> None:
    names = ",".join(f"leaf-{number}" for number in range(200))
    block = [RULE, names, RULE, *["x"] * 1_000]
    lines = [Line(text, Source("f", 1, 1)) for text in block * 10]
    found = sum(1 for _ in each_machine(lines, lambda name: True, lambda line: False))
    assert 390_000 < found <= 400_000
