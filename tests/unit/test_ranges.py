"""Number lists as switches write them."""

from __future__ import annotations

import pytest

from netplan.model.ranges import compressed


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((), ""), ((7,), "7"), ((0, 1), "0-1"), ((0, 1, 2, 5, 7, 8), "0-2,5,7-8"), ((1, 3, 5), "1,3,5")],
)
def test_compressed(numbers: tuple[int, ...], text: str) -> None:
    assert compressed(numbers) == text
