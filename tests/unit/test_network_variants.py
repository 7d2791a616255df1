"""Tables of network variants: one row for each value that the schema allows."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, get_args

import pytest

from netplan.checks.pod_tables import LEAST
from netplan.model.cluster import CniPlugins
from netplan.model.fabric import Network
from netplan.model.inventory_schema import inventory_schema
from netplan.model.ipams import IPAMS, HandsOut, IpamName
from netplan.model.modes import LINK_KEYS, MODES, ModeName
from netplan.model.owners import (
    DEVICE_OWNERS,
    NIC_QOS_OWNERS,
    VF_OWNERS,
    DeviceOwner,
    NadOwner,
    NicQosOwner,
    VfOwner,
)
from netplan.model.routes import ROUTINGS, Installs, RoutingName


def words(key: str) -> list[str]:
    networks = inventory_schema()["properties"]["networks"]["additionalProperties"]["properties"]
    return list(networks[key]["enum"])


def test_every_mode_of_the_schema_has_a_row_and_a_type() -> None:
    assert {*MODES} == {*get_args(ModeName)} == {*words("mode")}


def test_every_ipam_of_the_schema_has_a_row_and_a_type() -> None:
    assert {*IPAMS} == {*get_args(IpamName)} == {*words("ipam")}
    assert {row.hands_out for row in IPAMS.values()} == {*get_args(HandsOut)}
    assert [name for name, row in IPAMS.items() if row.addresses and not row.reuse] == []


def test_every_routing_of_the_schema_has_a_row_and_a_type() -> None:
    assert {*ROUTINGS} == {*get_args(RoutingName)} == {*words("routing")}
    assert {row.installs for row in ROUTINGS.values()} == {*get_args(Installs)}


@pytest.mark.parametrize(
    ("key", "named"),
    [("vfs", VfOwner), ("device_plugin", DeviceOwner), ("nads", NadOwner), ("nic_qos", NicQosOwner)],
)
def test_every_owner_of_the_schema_has_a_type(key: str, named: Any) -> None:
    owners = inventory_schema()["properties"]["cluster"]["properties"]["owners"]["properties"]
    assert list(get_args(named)) == owners[key]["enum"]


def test_every_owner_has_a_row() -> None:
    assert {*VF_OWNERS} == {*get_args(VfOwner)}
    assert {*DEVICE_OWNERS} == {*get_args(DeviceOwner)}
    assert {*NIC_QOS_OWNERS} == {*get_args(NicQosOwner)}
    assert not [name for name, row in VF_OWNERS.items() if row.policies and row.files]


def test_rows_name_what_there_is() -> None:
    assert {*LINK_KEYS} <= {f.name for f in fields(Network)}
    assert {key for row in MODES.values() for key in row.keys} == {*LINK_KEYS}
    lists = [m.table_programs for m in MODES.values()] + [i.table_programs for i in IPAMS.values()]
    asked = {program for programs in lists for program in programs or ()}
    assert asked == LEAST.keys() == {f.name for f in fields(CniPlugins)} - {"multus"}
