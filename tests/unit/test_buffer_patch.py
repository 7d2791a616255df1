"""The buffer patch operation by operation; tests/test_sonic_buffers.py applies it to the vendors' tables."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.model.switch_buffers import NO_PATCH, StockBuffers
from netplan.plan.buffer_patch import _patch as patch
from netplan.plan.buffer_patch import plan_buffer_patch
from tests.switch_site import inventory, site
from tests.unit.some import some

LOSSLESS, LOSSY = "egress_lossless_profile", "q_lossy_profile"


def operations(priority: int, **changes: Any) -> list[tuple[Any, ...]]:
    """(operation, path without the port, value) of Ethernet0."""
    classes = inventory()["fabric"]["qos"]["classes"]
    classes["roce"]["priority"] = priority
    files = site(fabric__qos__classes=classes, **changes).files("leaf-1")
    found = json.loads(files["buffers.patch.json"])
    mine = [one for one in found if "Ethernet0|" in one["path"] or "Ethernet0/" in one["path"]]
    assert len(found) == 24 * len(mine), "the same for each RDMA port"
    return [(one["op"], one["path"].replace("Ethernet0|", ""), *_value(one)) for one in mine]


def _value(one: dict[str, Any]) -> tuple[str, ...]:
    value = one.get("value")
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else tuple(value.values())


MADE_BY_BUFFERMGRD = [("add", "/BUFFER_PG/3-4", "NULL"), ("remove", "/BUFFER_PG/3-4")]


def test_priority_five_in_the_traditional_model() -> None:
    assert operations(5) == [
        ("replace", "/BUFFER_QUEUE/3-4/profile", LOSSY),
        ("remove", "/BUFFER_QUEUE/5-6"),
        ("add", "/BUFFER_QUEUE/5", LOSSLESS),
        ("add", "/BUFFER_QUEUE/6", LOSSY),
        *MADE_BY_BUFFERMGRD,
        ("add", "/PORT_QOS_MAP/Ethernet0/pfc_enable", "5"),
    ]


def test_priority_one_in_the_dynamic_model() -> None:
    assert operations(1, switch_types__leaf__buffer_model="dynamic") == [
        ("remove", "/BUFFER_QUEUE/0-2"),
        ("add", "/BUFFER_QUEUE/0", LOSSY),
        ("add", "/BUFFER_QUEUE/1", LOSSLESS),
        ("add", "/BUFFER_QUEUE/2", LOSSY),
        ("replace", "/BUFFER_QUEUE/3-4/profile", LOSSY),
        ("remove", "/BUFFER_PG/3-4"),
        ("add", "/BUFFER_PG/1", "NULL"),
    ]


def test_priority_seven_has_no_row_to_replace() -> None:
    assert operations(7)[:2] == [
        ("replace", "/BUFFER_QUEUE/3-4/profile", LOSSY),
        ("add", "/BUFFER_QUEUE/7", LOSSLESS),
    ]


def test_the_profiles_are_those_of_the_sku() -> None:
    found = operations(3, switch_types__leaf__model="z9332f")
    assert ("add", "/BUFFER_QUEUE/4", "egress_lossy_profile") in found


@pytest.mark.parametrize(
    "changes",
    [{"fabric__qos": None}, {"fabric__qos__classes": {"roce": {"dscp": 26, "priority": 3}}}],
    ids=["no QoS", "no lossless class"],
)
def test_no_patch_where_nothing_is_lossless(changes: dict[str, Any]) -> None:
    assert "buffers.patch.json" not in site(**changes).files("leaf-1")


def test_other_noses_have_none() -> None:
    planned = site(switch_types__leaf__nos="cumulus-nvue")
    assert not planned.switch("leaf-1").patch.groups


def test_the_page_prefers_a_reload_where_buffermgrd_does_not_look_at_the_port() -> None:
    five = {"fabric__qos__classes__roce__priority": 5}
    line = "buffermgrd also writes BUFFER_PG of ports that are down"
    broadcom = site(switch_types__leaf__model="s5232f", **five).files("leaf-1")
    assert "buffers.patch.json" in broadcom
    assert line in broadcom["README.md"]
    assert line not in site(**five).files("leaf-1")["README.md"]


@pytest.mark.parametrize("dynamic", [False, True])
def test_a_row_that_stays_is_not_written_again(dynamic: bool) -> None:
    """Priorities 3 and 4 have rows of their own, and 5 takes the place of 4."""
    queues = ((3, 3), (4, 4))
    stock = StockBuffers(
        lossless=LOSSLESS, lossy=LOSSY, lossless_queues=queues, lossy_queues=(), groups=queues, source=""
    )
    found = patch(stock, (3, 4), (3, 5), dynamic)
    assert (found.required, found.surplus, found.groups) == ((5,), (4,), ("3", "5"))
    groups = [(one.op, one.rest) for one in found.operations if one.table == "BUFFER_PG"]
    assert groups == [("remove", "|4"), ("add", "|5")] if dynamic else [("add", "|4"), ("remove", "|4")]
    assert patch(stock, (3, 4), (3, 4), dynamic).operations == ()


def test_one_port_with_pfc_is_enough() -> None:
    kind: Any = some(model=some(name="x"), buffer_model="traditional")
    nos: Any = some(stock_lossless=(3, 4), models={})
    ports: list[Any] = [some(pfc=()), some(pfc=(3,))]
    assert plan_buffer_patch(kind, nos, (3,), ports).surplus == (4,)
    assert plan_buffer_patch(kind, nos, (3,), ports[:1]) is NO_PATCH
    assert plan_buffer_patch(kind, nos, (3,), []) is NO_PATCH
    assert plan_buffer_patch(kind, some(stock_lossless=(), models={}), (3,), ports) is NO_PATCH
