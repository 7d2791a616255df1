"""The built-in HCA catalog."""

from __future__ import annotations

import json

import jsonschema
import pytest

from netplan import resources
from tests.factories import catalog, hca_models

NAMES = sorted(catalog("hcas"))


@pytest.mark.parametrize("name", NAMES)
def test_row_is_what_an_inventory_could_say(name: str) -> None:
    """Same fields and bounds as catalog.hcas, but the source is free text and VF fields may be null."""
    schema = json.loads((resources.schemas() / "inventory.schema.json").read_text())
    row = schema["properties"]["catalog"]["properties"]["hcas"]["additionalProperties"]
    del row["properties"]["source"]["pattern"]
    values = {key: value for key, value in catalog("hcas")[name].items() if value is not None}
    jsonschema.validate(values, row)


def test_ids_of_a_few_cards() -> None:
    models = hca_models()
    found = {
        n: (models[n].vendor, models[n].pf_id, models[n].vf_id)
        for n in ("connectx-5", "bluefield-3", "efa-1")
    }
    assert found == {
        "connectx-5": ("15b3", "1017", "1018"),
        "bluefield-3": ("15b3", "a2dc", "101e"),
        "efa-1": ("1d0f", "efa1", None),
    }


def test_no_two_models_share_a_physical_function_id() -> None:
    ids = [(m.vendor, m.pf_id) for m in hca_models().values()]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("name", NAMES)
def test_vfs_only_where_there_is_an_id_for_them(name: str) -> None:
    model = hca_models()[name]
    assert (model.max_vfs > 0) == (model.vf_id is not None)
