"""``rails.rail_networks`` gives each rail what ``supernets`` and ``rail_prefixes`` would."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.page.capacity import address_space
from netplan.pipeline import compile_texts
from tests.inventories import compiled, outputs, text_of

WITH_SUPERNETS = (
    "iei-rocev2",
    "superpod-h100",
    "multi-vendor",
    "l3-to-host",
    "dgx1-multirail",
)


def by_rail(name: str) -> str:
    """The inventory with the network of each rail written out."""
    stated: dict[str, Any] = yaml.safe_load(text_of(name))
    fabric = compiled(name).fabric
    assert fabric is not None
    assert fabric.rails is not None
    rails = stated["rails"]
    rails.pop("rail_prefixes", None)
    del rails["supernets"]
    own = [[str(network) for network in networks] for networks in fabric.rails.rail_networks]
    rails["rail_networks"] = [networks[0] if len(networks) == 1 else networks for networks in own]
    return json.dumps(stated, default=str)


@pytest.mark.parametrize("name", WITH_SUPERNETS)
def test_the_same_files(name: str) -> None:
    result = compile_texts({"site.yaml": by_rail(name)})
    assert [d for d in result.diagnostics if d.severity > 1] == []
    assert {a.path: a.text for a in result.artifacts} == outputs(compiled(name))


def test_the_page_of_capacity_shows_each_network() -> None:
    plan = compile_texts({"site.yaml": by_rail("iei-rocev2")}).plan
    assert plan is not None
    assert [[text, [part[0] for part in parts]] for text, parts in address_space(plan)] == [
        [f"172.16.{4 * rail}.0/22", [f"rail {rail}"]] for rail in range(4)
    ]
