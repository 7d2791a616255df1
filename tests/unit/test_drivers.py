"""Lines of modprobe.d that keep a host's drivers from loading."""

from __future__ import annotations

import pytest

from netplan.graph.drivers import kept_out, needed
from netplan.model.site import SiteHca, SiteHost
from netplan.trace.drivers import driver_faults


def said(text: str, *models: str) -> list[tuple[str, bool]]:
    return [(each.text, each.sure) for each in kept_out("x.conf", text, needed(models))]


@pytest.mark.parametrize(
    ("line", "model", "sure"),
    [
        ("blacklist mlx5_core", "connectx-7", True),
        ("blacklist mlx5-ib", "connectx-7", True),
        ("install mlx5_core /bin/false", "connectx-7", True),
        ("install mlx5_core /usr/bin/true", "connectx-7", True),
        ("install mlx5_core :", "connectx-7", True),
        ("install mlx5_core /sbin/modprobe --ignore-install mlx5_core", "connectx-7", False),
        ("install rdma_ucm /bin/false", "connectx-7", True),
        ("blacklist ib_core", "connectx-7", False),  # mlx5_ib depends on it
        ("softdep mlx5_core pre: x", "connectx-7", False),
        ("alias pci:v000015B3d* off", "connectx-7", False),
        ("alias net-eth0 mlx5_core", "connectx-7", False),
        ("options mlx5_core prof_sel=2", "connectx-7", False),
        ("options ib_core netns_mode=0 send_queue_size=8", "connectx-7", False),
        ("blacklist bnxt_re", "thor", False),  # the catalog has no such model: it may be any driver
        ("install mlx5_core /bin/false", "thor", False),
    ],
)
def test_a_line_about_a_module_of_the_host(line: str, model: str, sure: bool) -> None:
    assert said(line, model) == [(line.replace("5-", "5_"), sure)]


@pytest.mark.parametrize(
    "line",
    [
        "options ib_core netns_mode=0",
        "blacklist nouveau",
        "blacklist irdma",  # of another card
        "options nvidia NVreg_x=1",
        "alias net-eth0 tg3",
        "# blacklist mlx5_core",
    ],
)
def test_a_line_about_another_module(line: str) -> None:
    assert said(line, "connectx-7") == []


@pytest.mark.parametrize(
    ("line", "refuted"), [("blacklist mlx5_core", False), ("install mlx5_core /bin/false", True)]
)
def test_a_driver_container_loads_its_modules_by_name(line: str, refuted: bool) -> None:
    hca = SiteHca(name="roce0", rail=0, pci=None, netdev=None, model="connectx-7")
    here = SiteHost(name="gpu-1", type="gpu", number=0, labels={}, hcas=(hca,))
    texts = {"hosts/gpu/modprobe.d/rdma.conf": line}
    (with_container,) = driver_faults(texts, here, [hca], container=True)
    (without,) = driver_faults(texts, here, [hca], container=False)
    assert with_container.verdict.fails is refuted
    assert without.verdict.fails
