"""Releases of a NOS: order, resolution of versions, and invalid data."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from netplan.model.releases import NosForm, NosRelease, Releases, after, before
from netplan.nos import load_nos
from netplan.plan.switches import plan_switches
from netplan.render.switches import render_switches
from tests.switch_site import profiles, site
from tests.unit.test_switch_nos import folder

ORDERED = [
    ("5.9", "5.14", "5.14.2", "5.15", "5.15.1"),
    ("202405", "202411", "202505"),
    ("3.8.2008", "3.10.4100", "3.10.4302"),
    ("23.4R2", "23.4R2-S3", "23.4R2-S3-EVO", "23.4R3", "24.2R1", "24.4R1"),
    ("9.3(13)", "10.4(3)F", "10.5", "10.5(1)F", "10.5(3)F", "10.6(1)F"),
    ("4.21.8M", "4.30.0F", "4.30.1F", "4.34.0F"),
    ("V200R005C10", "V200R019C00", "V300R024C00SPC500"),
]


@pytest.mark.parametrize("releases", ORDERED, ids=lambda releases: releases[0])
def test_releases_have_an_order(releases: tuple[str, ...]) -> None:
    for older, newer in pairwise(releases):
        assert before(older, newer)
        assert not before(newer, older)


@pytest.mark.parametrize(
    ("version", "until", "beyond"),
    [
        ("5.14.2", "5.14", False),
        ("5.15", "5.14", True),
        ("23.4R2-S3", "23.4R2", False),
        ("5.9", "5.14", False),
    ],
)
def test_a_release_ends_with_its_maintenance_releases(version: str, until: str, beyond: bool) -> None:
    assert after(version, until) == beyond


def test_a_release_begins_with_its_first() -> None:
    assert not before("5.15", "5.15.0")
    assert not before("5.15.0", "5.15")


@pytest.mark.parametrize(
    ("version", "ipv4"),
    [
        ("5.8", "ip"),
        ("5.9", "ip"),
        ("5.12.1", "ip"),
        ("5.14.9", "ip"),
        ("5.15", "ipv4"),
        ("5.15.1", "ipv4"),
        ("6.0", "ipv4"),
    ],
)
def test_a_version_between_known_ones_has_the_form_of_the_one_before(version: str, ipv4: str) -> None:
    assert profiles()["cumulus-nvue"].releases.resolved(version)["ipv4"] == ipv4


@pytest.mark.parametrize(
    ("version", "known"), [("5.8.0", False), ("5.9.0", True), ("5.16", False), ("x", False)]
)
def test_what_is_outside_the_data(version: str, known: bool) -> None:
    assert profiles()["cumulus-nvue"].releases.has(version) == known


@pytest.mark.parametrize("nos", sorted(profiles()))
def test_every_nos_lists_its_releases_and_a_default(nos: str) -> None:
    releases = profiles()[nos].releases
    assert list(releases.faults()) == []
    assert releases.has(releases.default)
    assert all(release.source for release in releases.known)


def releases(names: list[str], default: str, *forms: NosForm) -> Releases:
    known = tuple(NosRelease(name=name, source="made up") for name in names)
    return Releases(known=known, default=default, forms={"word": forms} if forms else {})


ALL = NosForm(since="1", until="3", value="x")


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (releases(["2", "1"], "2"), "1 is not after 2"),
        (releases(["1", "3"], "4"), "4 is outside 1 to 3"),
        (
            releases(["1", "3"], "1", NosForm(since="3", until="3", value="x")),
            "0 values for release 1, not one",
        ),
        (releases(["1", "3"], "1", ALL, NosForm(since="3", until="3", value="y")), "2 values for release 3"),
    ],
)
def test_data_that_cannot_be_used(broken: Releases, fault: str) -> None:
    assert any(fault in text for _, text in broken.faults())


def test_a_nos_yaml_whose_releases_are_out_of_order(tmp_path: Path) -> None:
    names = [{"name": name, "source": "made up"} for name in ("2", "1")]
    _, (problem, *_) = load_nos({"made-up": ()}, folder(tmp_path, releases=names, default_release="2"))
    assert (problem.code, problem.message) == ("NP801", "made-up/nos.yaml: releases: 1 is not after 2")


def test_a_template_prints_the_form_of_the_release(tmp_path: Path) -> None:
    changes: dict[str, Any] = {
        "releases": [{"name": name, "source": "made up"} for name in ("1", "2")],
        "forms": {
            "word": [
                {"since": "1", "until": "1", "value": "old"},
                {"since": "2", "until": "2", "value": "new"},
            ]
        },
    }
    nos, problems = load_nos({"made-up": ()}, folder(tmp_path, "{{ form.word }}\n", **changes))
    assert problems == []
    for version, word in (("", "old"), ("1", "old"), ("2.1", "new"), ("3", "new")):
        base = site(switch_types__leaf__nos_version=version) if version else site()
        plans = plan_switches(base.fabric, base.addresses, base.qos, {"sonic": nos["made-up"]}, {})
        assert next(render_switches(plans, nos, "test")).text == f"{word}\n"


@pytest.mark.parametrize(
    ("version", "text"),
    [
        (None, "Written for release 202505 (nos_version of switch type leaf is not stated); verified:"),
        ("202411", "Written for release 202411, as stated; verified:"),
        (
            "202605",
            "Written for release 202505, the nearest to the stated 202605, for which netplan has no data;",
        ),
    ],
)
def test_the_readme_says_which_release_it_is_for(version: str | None, text: str) -> None:
    planned = site(switch_types__leaf__nos_version=version) if version else site()
    assert text in planned.files("leaf-1")["README.md"]
