"""A Fabric from inventory text, by the product's own loader, schema and resolver."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import netplan
from netplan.catalog import hca_rows, operator_releases, switch_rows
from netplan.load import load_texts
from netplan.model.fabric import Fabric, RailRange
from netplan.model.hardware import HcaModel
from netplan.resolve import resolve
from netplan.resolve.hosts import hca_model
from netplan.resolve.switches import switch_model
from netplan.schema import validate

CATALOG = Path(netplan.__file__).parent / "catalog"


def merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """JSON merge patch: maps merge, None deletes, everything else replaces."""
    out = dict(base)
    for key, value in over.items():
        if value is None:
            out.pop(key, None)
        elif isinstance(value, Mapping):
            below = out.get(key)
            out[key] = merged(below if isinstance(below, Mapping) else {}, value)
        else:
            out[key] = value
    return out


@cache
def catalog(name: str) -> dict[str, Any]:
    """Rows of a built-in catalog, ``hcas`` or ``switches``."""
    data = load_texts({name: (CATALOG / f"{name}.yaml").read_text()}).data
    assert isinstance(data, dict)
    return data


def hca_models() -> dict[str, HcaModel]:
    return {name: hca_model(name, values) for name, values in hca_rows().items()}


def fabric_from(base: str, over: str = "") -> Fabric:
    """The Fabric of ``base`` with ``over`` merged into it; fails and lists every problem found."""
    data = merged(load_texts({"base.yaml": base}).data, load_texts({"over.yaml": over}).data or {})
    document = load_texts({"inventory.yaml": json.dumps(data)})
    assert not document.problems, document.problems
    assert not validate(document.data)
    switch_models = {name: switch_model(name, values) for name, values in switch_rows().items()}
    resolved = resolve(document.data, hca_models(), switch_models, {"sonic", "onyx"}, operator_releases())
    assert not resolved.problems
    return resolved.fabric


def of_rails(*networks: Any) -> dict[str, Any]:
    """What ``Rails`` has of stated supernets, for an object that stands in for it."""
    ranges = tuple(RailRange(network=n, at=("rails", "supernets", i)) for i, n in enumerate(networks))
    return {
        "ranges": ranges,
        "ranges_key": "supernets",
        "families": tuple(dict.fromkeys(n.version for n in networks)),
        "range_of": lambda version: next((r for r in ranges if r.network.version == version), None),
    }
