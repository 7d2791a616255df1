"""The ECMP hash differs between tiers: otherwise half of the uplinks would never be used (polarization)."""

from __future__ import annotations

import pytest

from tests.inventories import compiled


@pytest.mark.parametrize("name", ["iei-rocev2", "l3-to-host", "multi-vendor", "kitchen-sink"])
def test_tiers_hash_with_different_seeds(name: str):
    plan = compiled(name).plan
    assert plan is not None
    seeds = {role: {s.hash_seed for s in plan.switches if s.role == role} for role in ("leaf", "spine")}
    assert seeds["leaf"]
    assert seeds["spine"]
    assert not seeds["leaf"] & seeds["spine"]
    assert 0 not in seeds["leaf"] | seeds["spine"]
