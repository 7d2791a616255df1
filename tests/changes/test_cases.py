"""Every change in ``pairs.yaml``: order, states between the waves, and commands of each wave."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from netplan.changes.commands import Files
from netplan.changes.ends import Ends
from netplan.changes.show_waves import against
from netplan.changes.wave import Course
from netplan.graph.subnets import shared_subnets
from tests.changes.pairs import CASES, PAIRS, course_of, ends
from tests.changes.test_shipped import PROOFS

QUICK = {("iei-rocev2", "VLANs renumbered"), ("multi-vendor", "MTU down")}
IN_CI = {
    "iei-rocev2": (
        "VLANs and subnets renumbered", "MTU up", "a class becomes lossless", "a class is lossless no more",
        "another DSCP", "a host removed", "hosts moved", "VFs", "operator release",
    ),
    "multi-vendor": ("another DSCP", "a host added", "a rail added", "a leaf of another NOS"),
}  # fmt: skip
"""Changes tested in CI, each on one inventory; the nightly run tests all."""
CHANGES = (
    "VLANs renumbered", "VLANs and subnets renumbered", "MTU up", "MTU down", "a class becomes lossless",
    "another DSCP", "a host added", "hosts moved", "a host removed", "a rail added", "a leaf of another NOS",
    "VFs", "operator release",
)  # fmt: skip


def marked(name: str, change: str) -> list[pytest.MarkDecorator]:
    if (name, change) in QUICK:
        return []
    return [pytest.mark.full if change in IN_CI.get(name, ()) else pytest.mark.nightly]


@pytest.mark.parametrize("name", PAIRS)
def test_no_change_is_left_out(name: str) -> None:
    """A change that an inventory cannot have states the reason."""
    assert set(CHANGES) <= set(PAIRS[name])
    assert all(len(each["none"]) > 20 for each in PAIRS[name].values() if "none" in each)


@pytest.mark.parametrize(
    ("name", "change"), [pytest.param(*case, id=" ".join(case), marks=marked(*case)) for case in CASES]
)
def test_a_change(name: str, change: str) -> None:
    """The chosen order keeps the pods connected; its waves end in the new render; no switch has a duplicate
    address after any wave; and the commands of each wave lead there and back."""
    both, found, wanted = ends(name, change), course_of(name, change), PAIRS[name][change]
    assert found.order == wanted["order"], list(against(found))
    if found.order != "window":
        assert found.stopped == tuple(wanted.get("stopped", ()))
    assert found.waves
    states = [found.waves[0].before, *(wave.after for wave in found.waves)]
    last = states[-1]
    assert not [name for name in both.differing if both.differs(name, last.version(name), "new")]
    assert both.host_texts(last.hosts) == both.host_texts("new")
    twice = [
        text
        for state in states
        for switch in both.differing
        for text in shared_subnets(both.read(switch, state.version(switch)))
    ]
    assert not twice
    explained = list(against(found))
    assert bool(explained) == (found.order in ("inward", "window") or bool(found.stopped))
    for nos, before, after in transitions(both, found):
        PROOFS[nos](before, after)


def transitions(both: Ends, found: Course) -> Iterator[tuple[str, Files, Files]]:
    """Per wave, one switch of each NOS and role."""
    for wave in found.waves:
        tried: set[tuple[str, str]] = set()
        for name in wave.targets if wave.of_switches else ():
            switch = both.switch(name)
            if both.form(name) is not None and (switch.nos, switch.role) not in tried:
                tried.add((switch.nos, switch.role))
                versions = (wave.before.version(name), wave.after.version(name))
                files = [both.files(name, version) for version in versions]
                if all(files):
                    yield switch.nos, files[0], files[1]
