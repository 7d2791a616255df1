"""Facts of one line each, at their edge: which later findings an earlier error silences."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks.faults import FOLLOWS, WHOLE, Faults
from netplan.diagnostics import Diagnostic, Path, Severity

GPU = ("hosts", "gpu-1")
RAIL = ("networks", "rail")


def faults(
    *errors: tuple[str, Path], left_out: tuple[Path, ...] = (), severity: Any = Severity.ERROR
) -> Faults:
    found = Faults()
    found.leave_out(left_out)
    found.add([Diagnostic(code, severity, at, "", "") for code, at in errors])
    return found


def test_without_an_error_nothing_is_silent() -> None:
    none = faults()
    assert not none
    assert not none.mute("NP117")
    assert not none.silence("NP504", GPU)
    assert faults(("NP101", GPU))
    assert faults(left_out=(GPU,))


def test_only_errors_silence() -> None:
    for severity in (Severity.WARNING, Severity.INFO):
        found = faults(("NP207", ("rails", "prefixes")), severity=severity)
        assert not found
        assert not found.silence("NP504", GPU)


@pytest.mark.parametrize(
    ("left", "at", "silent"),
    [
        (GPU, GPU, True),
        (GPU, (*GPU, "type"), True),
        (GPU, ("hosts", "gpu-2"), False),
        (GPU, ("hosts",), False),
        (("host_types", "gpu", "hcas", "roce0"), ("host_types", "gpu"), True),
        (("host_types", "gpu", "hcas", "roce0"), ("host_types", "gpu", "hcas"), True),
        (("host_types", "gpu", "hcas", "roce0"), ("host_types", "gpu", "hcas", "roce0", "pci"), True),
        (("host_types", "gpu", "hcas", "roce0"), ("host_types", "gpu", "hcas", "roce1"), False),
        (("host_types", "gpu", "hcas", "roce0"), ("host_types", "cpu"), False),
    ],
)
def test_an_entity_that_is_left_out_silences_what_is_at_above_and_below_it(
    left: Path, at: Path, silent: bool
) -> None:
    assert faults(left_out=(left,)).silence("NP999", at) is silent


@pytest.mark.parametrize(
    ("error", "at", "silent"),
    [
        ((*RAIL, "mode"), (*RAIL, "mode"), True),
        ((*RAIL, "hcas"), (*RAIL, "hcas", 1), True),
        ((*RAIL, "mode"), (*RAIL, "ipam"), False),
        ((*RAIL, "mode"), RAIL, False),
        (RAIL, RAIL, False),
        (RAIL, (*RAIL, "mode"), False),
        (("cluster", "owners"), ("cluster", "owners", "vfs"), True),
        (("fabric", "mtu"), ("fabric", "mtu"), True),
        (("rails", "prefixes"), ("rails", "prefixes", 0), True),
        (("underlay", "uplinks"), ("underlay", "uplinks"), True),
        (("rails",), ("rails", "prefixes"), False),
    ],
)
def test_an_error_at_a_key_silences_what_is_at_and_below_it(error: Path, at: Path, silent: bool) -> None:
    """An error at a whole entity does not: another key of it may be wrong too."""
    assert faults(("NP101", error)).silence("NP999", at) is silent


@pytest.mark.parametrize(
    ("left", "code", "muted"),
    [
        (GPU, "NP117", True),
        (("host_types", "gpu"), "NP117", True),
        (RAIL, "NP117", False),
        (("switches", "leaf-1"), "NP118", True),
        (("subnets", "s"), "NP213", True),
        (("fabric",), "NP843", True),
        (GPU, "NP663", True),
        (("fabric",), "NP663", True),
        (RAIL, "NP663", False),
        (GPU, "NP999", False),
    ],
)
def test_a_check_that_counts_needs_its_sections_whole(left: Path, code: str, muted: bool) -> None:
    assert faults(left_out=(left,)).mute(code) is muted
    assert not faults(("NP101", (*left, "x"))).mute(code), "an error leaves nothing out"


CODE, CAUSE = "NP207", "NP504"


def rests(*places: Path) -> frozenset[Path]:
    return frozenset(places)


@pytest.mark.parametrize(
    ("error", "at", "rest", "silent"),
    [
        (RAIL, GPU, None, True),
        (RAIL, GPU, (), True),
        (RAIL, GPU, (rests(RAIL),), True),
        (RAIL, GPU, (rests(GPU),), False),
        (RAIL, GPU, (rests(GPU, RAIL),), True),
        (RAIL, GPU, (rests(GPU), rests(RAIL)), False),
        (RAIL, GPU, (rests(RAIL), rests((*RAIL, "mode"))), True),
        (RAIL, RAIL, (rests(GPU),), True),
        ((*RAIL, "mode"), GPU, (rests(RAIL),), True),
        (RAIL, GPU, (rests(("hosts",)),), False),
    ],
)
def test_what_follows_from_an_error_rests_on_the_same_entities(
    error: Path, at: Path, rest: tuple[frozenset[Path], ...] | None, silent: bool
) -> None:
    assert CAUSE in FOLLOWS[CODE]
    assert faults((CAUSE, error)).silence(CODE, at, rest) is silent
    assert not faults(("NP999", error)).silence(CODE, ("workloads", "train"), rest or (rests(GPU),))


def test_a_finding_may_rest_on_a_section_that_is_incomplete() -> None:
    found = faults((CAUSE, RAIL), left_out=(GPU,))
    assert found.silence(CODE, ("workloads", "train"), (rests(("hosts",)),))
    assert not found.silence(CODE, ("workloads", "train"), (rests(("switches",)),))


def test_the_tables_are_about_later_findings() -> None:
    """A cause is found before what follows from it, and not by the same check."""
    assert all(code not in causes for code, causes in FOLLOWS.items())
    assert all(WHOLE.values())
