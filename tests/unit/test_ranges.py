"""Number lists in the formats of switches."""

from __future__ import annotations

import pytest

from netplan.model.ranges import compressed, gathered


@pytest.mark.parametrize(
    ("numbers", "text"),
    [((), ""), ((7,), "7"), ((0, 1), "0-1"), ((0, 1, 2, 5, 7, 8), "0-2,5,7-8"), ((1, 3, 5), "1,3,5")],
)
def test_compressed(numbers: tuple[int, ...], text: str) -> None:
    assert compressed(numbers) == text


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ((), ""),
        (("gpu",), "gpu"),
        (("gpu-1",), "gpu-1"),
        (("gpu-1", "gpu-3"), "gpu-1, gpu-3"),
        (("gpu-001", "gpu-002", "gpu-003"), "gpu-[001-003]"),
        (("gpu-9", "gpu-10"), "gpu-[9-10]"),
        (("gpu-099", "gpu-100"), "gpu-[099-100]"),
        (("gpu-09", "gpu-10"), "gpu-[09-10]"),
        (("gpu-099", "gpu-0100"), "gpu-099, gpu-0100"),
        (("gpu-999", "gpu-1000"), "gpu-[999-1000]"),
        (("gpu-099", "gpu-1000"), "gpu-099, gpu-1000"),
        (("a1", "b2"), "a1, b2"),
        (("a1", "a2", "b1", "c1", "d1", "e1", "e2"), "a[1-2], b1, c1 and 3 more"),
        (("x" + "0" * 30 + "1", "x" + "0" * 30 + "2"), f"x{'0' * 13}[{1:018}-{2:018}]"),
        (("x" + "9" * 18, "x1" + "0" * 18), f"x{'9' * 18}, x1{'0' * 18}"),
    ],
)
def test_gathered(names: tuple[str, ...], text: str) -> None:
    assert gathered(names) == text
