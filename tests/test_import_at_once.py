"""How many nodes a SpectrumXRailPoolConfig drains at once (Mellanox/spectrum-x-operator api/v1alpha2)."""

from __future__ import annotations

import pytest

from netplan.importing.run import import_texts
from tests.test_import import data
from tests.test_import_spectrum_x import CONFIG, RAILS


@pytest.mark.parametrize(("stated", "taken"), [("2", 2), ('"25%"', "25%")])
def test_the_rails_of_spectrum_x_state_it(stated: str, taken: int | str) -> None:
    rails = RAILS.replace("\nspec:\n", f"\nspec:\n  maxUnavailable: {stated}\n", 1)
    result = import_texts({"config.yaml": CONFIG, "80.yaml": rails}, "site")
    assert data(result)["cluster"]["maintenance"]["max_unavailable"] == taken
    assert [str(each) for each in result.remarks if "maxUnavailable" in str(each)] == []
