"""Results that several checks need are cached per fabric or plan, and only while its checks run."""

from __future__ import annotations

import pytest

from netplan import pipeline
from netplan.checks import once, registry
from tests.inventories import FOLDER


def test_the_same_object_is_asked_about_once():
    asked = []

    @once.once
    def size(subject: list[int]) -> int:
        asked.append(subject)
        return len(subject)

    one, other = [1], [1]
    assert [size(one), size(one), size(other), size(one)] == [1, 1, 1, 1]
    assert asked == [one, other, one]
    once.forget()
    size(one)
    assert len(asked) == 4


@pytest.mark.parametrize("kept", [False, True])
def test_no_answer_outlives_the_checks(monkeypatch, kept):
    """A cached result would keep the plan alive, a fifth of the memory of a large run."""
    once.forget()
    if kept:
        monkeypatch.setattr(registry, "forget", lambda: None)
    pipeline.run([str(FOLDER / "iei-rocev2.yaml")], upto="plan")
    assert any(once._KEPT) == kept
