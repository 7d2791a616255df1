"""Rows of what a network can be: one for each word that the schema takes."""

from __future__ import annotations

from dataclasses import fields
from typing import get_args

from netplan.checks.pod_tables import LEAST
from netplan.model.cluster import CniPlugins
from netplan.model.fabric import Network
from netplan.model.inventory_schema import inventory_schema
from netplan.model.modes import LINK_KEYS, MODES, ModeName


def words(key: str) -> list[str]:
    networks = inventory_schema()["properties"]["networks"]["additionalProperties"]["properties"]
    return list(networks[key]["enum"])


def test_every_mode_of_the_schema_has_a_row_and_a_type() -> None:
    assert list(MODES) == words("mode")
    assert {*MODES} == {*get_args(ModeName)}


def test_rows_name_what_there_is() -> None:
    assert {*LINK_KEYS} <= {f.name for f in fields(Network)}
    assert {key for row in MODES.values() for key in row.keys} == {*LINK_KEYS}
    asked = {program for row in MODES.values() for program in row.table_programs or ()}
    assert asked <= LEAST.keys() == {f.name for f in fields(CniPlugins)}
