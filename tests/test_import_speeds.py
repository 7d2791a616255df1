"""A host whose link is slow is of the type of the others, and named with both places."""

from __future__ import annotations

import json

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import data

SLOTS = (("0000:18:00.0", "ens1"), ("0000:29:00.0", "ens2"))
POOL = "example.com/pool"
DOWN = -1


def site(speeds: dict[str, tuple[int, int]], labels: dict[str, str] | None = None, **files: str) -> Imported:
    """``speeds``: of both cards of a host; ``labels``: host -> pool, train without one."""
    objects = []
    for name, own in speeds.items():
        cards = [interface(pci, netdev, speed) for (pci, netdev), speed in zip(SLOTS, own, strict=True)]
        for row, speed in zip(cards, own, strict=True):
            row["linkSpeed"] = "-1 Mb/s" if speed == DOWN else row["linkSpeed"]
        objects += [node(name, {POOL: (labels or {}).get(name, "train")}, 8), node_state(name, cards)]
    return import_texts({"x.yaml": listed(objects), **files})


def told(result: Imported) -> list[str]:
    return [str(each) for each in result.conflicts if "Gbit/s" in str(each)]


FULL = {f"gpu-{n}": (100, 100) for n in range(1, 5)}


@pytest.mark.parametrize("slow", ["gpu-1", "gpu-3"])
@pytest.mark.parametrize("own", [(25, 100), (25, 50), (25, DOWN)])
def test_a_slow_host_is_no_type(slow: str, own: tuple[int, int]) -> None:
    result = site({**FULL, slow: own})
    (kind,) = data(result)["host_types"].values()
    assert kind["node_selector"] == {POOL: "train"}
    assert kind["hcas"]["roce[0-1]"]["speed_gbps"] == 100
    first = told(result)[0]
    assert first.startswith(f"{slow} ens1 runs at 25 Gbit/s (x.yaml:")
    assert "; hosts like it run at 100 Gbit/s (x.yaml:" in first
    assert len(told(result)) == 1 + (own[1] == 50)


def test_a_host_that_is_down_is_no_type_beside_a_slow_one() -> None:
    result = site({**FULL, "gpu-2": (25, 100), "gpu-3": (DOWN, 100)})
    assert len(data(result)["host_types"]) == 1
    assert len(told(result)) == 1


TYPES: tuple[tuple[dict[str, tuple[int, int]], dict[str, str]], ...] = (
    ({"gpu-1": (100, 100), "gpu-2": (25, 25)}, {}),
    ({**FULL, "gpu-5": (25, 25), "gpu-6": (25, 25)}, {"gpu-5": "infer", "gpu-6": "infer"}),
    ({**FULL, "gpu-5": (200, 200)}, {}),
    ({**FULL, "gpu-5": (25, 25), "gpu-6": (25, 25), "gpu-7": (25, 25)}, {}),
)


@pytest.mark.parametrize(("speeds", "labels"), TYPES)
def test_other_speeds_are_types(speeds: dict[str, tuple[int, int]], labels: dict[str, str]) -> None:
    """No majority, a label of their own, faster links."""
    result = site(speeds, labels)
    assert len(data(result)["host_types"]) == 2
    assert told(result) == []


@pytest.mark.parametrize("port", [25, 100])
def test_a_port_that_is_set_to_the_lower_speed(port: int) -> None:
    """The switch wants it: the host is another type."""
    ports = {f"Ethernet{n}": {"speed": f"{port}000", "alias": f"e{n}"} for n in range(2)}
    config = {"DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}}, "PORT": ports}
    head = "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr"
    line = "-----------  --------------  --------------  ------------  -----------------"
    cells = [
        f"Ethernet{n}    gpu-1           ens{n + 1}            O             ens{n + 1}" for n in range(2)
    ]
    table = "\n".join([head, line, *cells, "-" * 50, "Total entries displayed:  2", ""])
    files = {"leaf-1.json": json.dumps(config, indent=1), "leaf-1.txt": table}
    result = site({**FULL, "gpu-1": (25, 25)}, {}, **files)
    assert len(data(result)["host_types"]) == (2 if port == 25 else 1)
    assert all("leaf-1 Ethernet" in each and "hosts like it" in each for each in told(result))
    assert len(told(result)) == (port == 100)
