"""Missing NOS features that shipped inventories accept, and what nos.yaml states about missing features."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from netplan.model.nos import FEATURES, TITLES
from netplan.nos import available
from tests.switch_site import profiles

INVENTORIES = sorted((Path(__file__).parent.parent / "inventories").glob("*.yaml"))
LOAD_BEARING = frozenset({"pfc", "ecn", "dscp_trust", "ecmp", "pfc_watchdog"})
"""Features without which frames or half of the bandwidth are lost."""
OF_A_NOS = frozenset({"NP802", "NP832"})


def _accepted() -> list[tuple[str, str, str]]:
    """(inventory, NOS, feature) of every missing feature that a shipped inventory accepts."""
    found: list[tuple[str, str, str]] = []
    for path in INVENTORIES:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        for entry in data.get("accept", ()):
            if entry["check"] in OF_A_NOS:
                _, kind, _, ability = entry["at"].split(".")
                found.append((path.stem, data["switch_types"][kind]["nos"], ability))
    return found


def test_every_ability_has_a_name_of_its_own() -> None:
    assert TITLES.keys() == FEATURES.keys()
    assert len(set(TITLES.values())) == len(TITLES)


def test_what_is_accepted_is_an_ability() -> None:
    assert {ability for _, _, ability in _accepted()} <= set(FEATURES)


def test_nothing_that_carries_load_is_accepted_away_without_a_search() -> None:
    unsearched = [
        (inventory, nos, ability)
        for inventory, nos, ability in _accepted()
        if ability in LOAD_BEARING and ability not in profiles()[nos].searched
    ]
    assert unsearched == []


@pytest.mark.parametrize("nos", available())
def test_an_ability_is_a_comment_only_where_the_nos_has_it(nos: str) -> None:
    profile = profiles()[nos]
    assert set(profile.searched) <= set(FEATURES)
    assert set(profile.unconfirmed) <= {f for f in FEATURES if not profile.supports[f]}
