"""Cables of one host that contradict the other hosts: rails keep what most of them say, the host is named."""

from __future__ import annotations

import re
from functools import cache

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data
from tests.test_import_fabric import dumps

KEPT = ("vlan_ids", "supernets", "rail_prefixes", "prefixes", "gateway")


def crossed(
    texts: dict[str, str], host: str, ports: tuple[str, str], leaves: tuple[str, str]
) -> dict[str, str]:
    """The host's first two cables exchanged, as it and both leaves hear them."""
    one, other = leaves
    found = dict(texts)
    lldp = f"{host}.lldp.json"
    if lldp in found:
        found[lldp] = re.sub("|".join(leaves), lambda m: other if m[0] == one else one, found[lldp])
    for leaf, mine, far in ((one, *ports), (other, *reversed(ports))):
        text = found[f"{leaf}.txt"]
        row = next(line for line in text.splitlines() if f" {host} " in line)
        found[f"{leaf}.txt"] = text.replace(row, row.replace(mine, far))
    return found


@cache
def plain() -> Imported:
    return import_texts(dumps(), "site")


def without_rails(texts: dict[str, str]) -> dict[str, str]:
    """Neither a resource nor a rail index is in the cluster: VLANs of the switch ports say the rails."""
    return {n: t for n, t in texts.items() if "kubernetes" not in n and n != "nicdevices.yaml"}


@pytest.mark.parametrize("by_vlan", [False, True])
@pytest.mark.parametrize("hosts", [("gpu-003",), ("gpu-003", "gpu-010"), ("gpu-001",)])
def test_the_majority_is_kept_and_the_host_is_named(hosts: tuple[str, ...], by_vlan: bool) -> None:
    texts = without_rails(dumps()) if by_vlan else dumps()
    for host in hosts:
        texts = crossed(texts, host, ("ens1f0", "ens2f0"), ("leaf-1", "leaf-2"))
    result = import_texts(texts, "site")
    found = data(result)
    assert {key: found["rails"][key] for key in KEPT} == {key: data(plain())["rails"][key] for key in KEPT}
    line = next(line for line in result.text.splitlines() if "  vlan_ids: 100-103 #" in line)
    assert f"the cables of {', '.join(hosts)} contradict the other hosts" in line
    told = [str(each) for each in result.conflicts]
    assert len(told) == 2 * len(hosts)
    for host, first, second in zip(hosts, told[::2], told[1::2], strict=True):
        others = f"{20 - len(hosts)} other hosts, such as "
        for text, rail, here, usual in ((first, 0, "leaf-2", "leaf-1"), (second, 1, "leaf-1", "leaf-2")):
            assert re.fullmatch(
                rf"{host} \S+, rail {rail}: on {here} Ethernet\d+ \(\S+:\d+\) in VLAN {101 - rail} "
                rf"\({here}.json:\d+\); {others}gpu-\d+: on {usual} Ethernet\d+ \(\S+:\d+\) "
                rf"in VLAN {100 + rail} \({usual}.json:\d+\)",
                text,
            ), text


def test_no_majority_is_asked_about() -> None:
    """Half of the hosts one way, half the other."""
    texts = dumps()
    for number in (*range(1, 7), *range(8, 12)):  # gpu-007 states a MAC address, which stays
        texts = crossed(texts, f"gpu-{number:03}", ("ens1f0", "ens2f0"), ("leaf-1", "leaf-2"))
    result = import_texts(texts, "site")
    assert [str(each).partition(",")[0] for each in result.conflicts] == [
        f"network rail-{rail}-leaf-{rail + 1} sends VLAN {100 + rail} tagged" for rail in (0, 1)
    ]
    assert "  vlan_ids: TODO" in result.text


def test_a_rail_on_several_leaves_is_not_crossed() -> None:
    assert plain().conflicts == ()
