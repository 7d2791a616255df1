"""Facts of one line each, at their edge: a JSON patch of buffers, and what a switch would refuse of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netplan.model.switch_buffers import StockBuffers
from netplan.reading.switches.patch import is_patch, patched, pointer
from netplan.trace.chains.devices import all_named

STOCK = StockBuffers(
    lossless="lossless",
    lossy="lossy",
    lossless_queues=((3, 4),),
    lossy_queues=((0, 2), (5, 6)),
    groups=((3, 4),),
    source="x",
)
Q, G = "/BUFFER_QUEUE/Ethernet0|", "/BUFFER_PG/Ethernet0|"
LOSSLESS, LOSSY = {"profile": "lossless"}, {"profile": "lossy"}


def op(name: str, path: str, value: Any = None) -> dict[str, Any]:
    return {"op": name, "path": path, **({"value": value} if value is not None else {})}


@pytest.mark.parametrize(
    ("operations", "stock", "refused"),
    [
        ([op("remove", f"{Q}3-4")], STOCK, []),
        ([op("remove", f"{Q}3")], STOCK, ["remove BUFFER_QUEUE.Ethernet0|3: the image has no such row"]),
        ([op("remove", f"{Q}3")], None, []),
        ([op("remove", f"{G}3-4")], STOCK, []),
        ([op("remove", f"{G}0")], STOCK, ["remove BUFFER_PG.Ethernet0|0: the image has no such row"]),
        ([op("remove", "/WRED_PROFILE/x")], STOCK, []),
        ([op("remove", "/WRED_PROFILE/x")], None, []),
        ([op("replace", f"{Q}3-4/profile", "lossy")], STOCK, []),
        (
            [op("replace", f"{Q}7", LOSSY)],
            STOCK,
            ["replace BUFFER_QUEUE.Ethernet0|7: the image has no such row"],
        ),
        ([op("add", f"{Q}7", LOSSY)], STOCK, []),
        (
            [op("add", f"{Q}7", {"profile": "own"})],
            STOCK,
            ["it leaves BUFFER_QUEUE.Ethernet0|7 with profile own, which the image does not have"],
        ),
        ([op("add", f"{Q}7", {})], STOCK, ["it leaves BUFFER_QUEUE.Ethernet0|7 with no profile"]),
        ([op("add", f"{Q}7", {"profile": "own"})], None, []),
        (
            [op("add", f"{Q}3", LOSSLESS)],
            STOCK,
            ["it leaves BUFFER_QUEUE.Ethernet0|3 beside BUFFER_QUEUE.Ethernet0|3-4: 3 is in both"],
        ),
        (
            [op("remove", f"{Q}5-6"), op("add", f"{Q}4,5,6,7,8", LOSSY)],
            STOCK,
            ["it leaves BUFFER_QUEUE.Ethernet0|4,5,6,7,8 beside BUFFER_QUEUE.Ethernet0|3-4: 4 is in both"],
        ),
        ([op("add", f"{Q}3-99999", LOSSY)], STOCK, []),
        ([op("remove", f"{Q}3-4"), op("add", f"{Q}3", LOSSLESS), op("add", f"{Q}4", LOSSY)], STOCK, []),
        ([op("add", f"{G}6", {"profile": "NULL"})], STOCK, []),
    ],
)
def test_what_a_switch_would_refuse(
    operations: list[Any], stock: StockBuffers | None, refused: list[str]
) -> None:
    found = patched(operations, stock).refused
    assert [text.replace("beside Ethernet0", "beside BUFFER_QUEUE.Ethernet0") for text in found] == refused


def test_only_rows_that_the_patch_adds_are_its_own() -> None:
    operations = [op("remove", f"{Q}3-4"), op("add", f"{Q}3", LOSSLESS), op("add", f"{Q}0-2", LOSSY)]
    tables = patched(operations, STOCK).tables
    assert tables == {"patched BUFFER_QUEUE": {"Ethernet0|3": LOSSLESS}, "patched BUFFER_PG": {}}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ([op("add", "/A")], True),
        ([], False),
        ({}, False),
        ([op("add", "/A"), 7], False),
        ([{"path": "/A"}], False),
    ],
)
def test_a_list_of_operations_is_a_patch(data: Any, found: bool) -> None:
    assert is_patch(data) is found


def test_parts_of_a_pointer() -> None:
    assert pointer("/A/b~1c/d~0e") == ["A", "b/c", "d~e"]


def test_producers_that_name_their_ports(monkeypatch: pytest.MonkeyPatch) -> None:
    """By one of several selectors, or by the state of a node."""
    named, other = SimpleNamespace(named=True), SimpleNamespace(named=False)
    one, none = (SimpleNamespace(selected=each) for each in ([other, named], [other, other]))
    states: list[Any] = []
    monkeypatch.setattr("netplan.trace.chains.devices.ports_of", lambda *_, producer: states)

    def whole(*producers: Any) -> bool:
        return all_named(SimpleNamespace(), [*producers])  # type: ignore[arg-type]

    assert whole(one)
    assert not whole(none)
    assert not whole(one, none)
    assert whole()
    states.append("a port")
    assert whole(none)
