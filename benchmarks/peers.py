"""Per switch against generators that others wrote, on one fabric of EOS leaves and spines."""

from __future__ import annotations

from measure import Lines


def compare(lines: Lines, runs: int) -> None:
    lines.section("Peers")
