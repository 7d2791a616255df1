"""One wrong value of an inventory is one finding."""

from __future__ import annotations

import pytest

from netplan import resources
from netplan.pipeline import compile_texts

TEXT = (resources.inventories() / "iei-rocev2.yaml").read_text()


@pytest.mark.parametrize("value", ["TODO", "'100'", "1.5", "yes"])
def test_a_value_of_the_wrong_type_is_no_second_finding_about_its_values(value: str) -> None:
    text = TEXT.replace("speed_gbps: 100", f"speed_gbps: {value}", 1)
    assert text != TEXT
    found = [d for d in compile_texts({"site.yaml": text}).diagnostics if d.severity == 2]
    assert [d.code for d in found] == ["NP011"]
    assert "one of 10, 25, " in found[0].hint


def test_a_number_that_is_none_of_the_values_is_refused() -> None:
    text = TEXT.replace("speed_gbps: 100", "speed_gbps: 99", 1)
    found = [d for d in compile_texts({"site.yaml": text}).diagnostics if d.severity == 2]
    assert [d.code for d in found] == ["NP013"]
