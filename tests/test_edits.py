"""Every value and line of a tree left out or changed once: nothing ends in a crash, and most is noticed.

Not yet every edit that changes what a packet meets: ``SEEN`` is a floor that only rises.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.edits.judges import JUDGES
from tests.edits.plan import Edit, edits_of
from tests.edits.site import BOXES, rendered

EVERY = 9
"""One of so many edits is made: neighbours are alike."""
SEEN = {"sonic": 70, "arista-eos": 35, "cisco-nxos": 50, "juniper-junos": 45, "cumulus-nvue": 70}
"""Percent of the edits of a leaf's files that some command notices."""


def edits(nos: str, start: str) -> Iterator[Edit]:
    for path, text in sorted(rendered(nos).items()):
        if path.startswith(start) and not path.endswith(("README.md", ".patch.json", ".sh")):
            yield from edits_of(path, text)


def noticed(nos: str, edit: Edit) -> list[str]:
    tree = rendered(nos)
    return [name for name, judge in JUDGES.items() if judge({**tree, **edit.texts}) - judge(tree)]


@pytest.mark.full
@pytest.mark.parametrize("nos", BOXES)
def test_most_edits_of_a_leaf_are_noticed(nos: str) -> None:
    made = list(edits(nos, "switches/leaf-1/"))[::EVERY]
    seen = [edit for edit in made if noticed(nos, edit)]
    assert len(made) >= 20
    assert 100 * len(seen) >= SEEN[nos] * len(made), [str(edit) for edit in made if edit not in seen]


@pytest.mark.parametrize("start", ["site.json", "pods/training/routes.yaml", "kubernetes/30-networks/"])
def test_no_edit_ends_in_a_crash(start: str) -> None:
    made = list(edits("sonic", start))[::EVERY]
    assert len(made) >= 5
    assert any(noticed("sonic", edit) for edit in made)
