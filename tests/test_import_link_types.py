"""Rails proposed by PCI address are of one link type: a host with InfiniBand and Ethernet has both for
something else."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data


def imported(links: str) -> Imported:
    """``links``: of each card, i or e. Two hosts without nvidia-smi."""
    rows = ["# netplan collect 1: pci"]
    for n, link in enumerate(links):
        infiniband = link == "i"
        name, kind = (f"ibp{n}s0", 32) if infiniband else (f"enp{n}s0", 1)
        rows.append(
            f"pci=0000:{n + 16:02x}:00.0 vendor=0x15b3 device=0x1021 numa=0 vfs=0 net={name} mtu=2044"
            f" type={kind} speed=400000 ib=mlx5_{n} link_layer={'InfiniBand' if infiniband else 'Ethernet'}"
        )
    text = "\n".join([*rows, ""])
    return import_texts({f"gpu-{n}/sysfs.txt": text for n in (1, 2)}, "site")


@pytest.mark.parametrize(
    ("links", "fabric", "count", "front_end"),
    [
        ("iiee", "TODO", 4, 0),
        ("iieii", "infiniband", 4, 1),
        ("eeiee", "roce", 4, 1),
        ("iii", "infiniband", 3, 0),
        ("e", "roce", 1, 0),
    ],
)
def test_rails_by_link_type(links: str, fabric: str, count: int, front_end: int) -> None:
    found = data(imported(links))
    assert (found["fabric"]["type"], found["rails"]["count"]) == (fabric, count)
    (kind,) = found["host_types"].values()
    assert sum(name.startswith("front-end") for name in kind["hcas"]) == front_end


def test_a_function_of_a_virtual_machine_with_the_other_link_type_is_front_end() -> None:
    """Accelerated networking of Azure: an Ethernet VF beside those of InfiniBand."""
    rows = ["# netplan collect 1: pci"]
    for n in range(4):
        rows.append(
            f"pci=010{n}:00:00.0 vendor=0x15b3 device=0x101e numa=0 vfs= net=ib{n} mtu=2044 type=32"
            f" speed=400000 ib=mlx5_ib{n} link_layer=InfiniBand firmware=28.37.1700"
        )
    rows.append(
        "pci=f2a5:00:02.0 vendor=0x15b3 device=0x101a numa=0 vfs= net=enP1 mtu=1500 type=1 speed=100000"
        " ib=mlx5_an0 link_layer=Ethernet firmware=16.30.1284"
    )
    result = import_texts({"vm-1/sysfs.txt": "\n".join([*rows, ""])}, "site")
    found = data(result)
    (kind,) = found["host_types"].values()
    assert [hca["use"] for hca in kind["hcas"].values()] == ["vf"] * 4 + ["front-end"]
    assert found["fabric"]["type"] == "infiniband"
    assert result.remarks == ()
