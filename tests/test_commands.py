"""Every rendered switch line belongs to a family with a judge, and its dependencies are met."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from netplan.nos import available
from tests.nos_site import nos_site
from tests.split_site import PARTS, split_site
from tests.switch_site import Site, profiles, site
from tests.vendors.sites import PORTS, VARIANTS, variant_site
from tests.vendors.test_grammar import UNSUPPORTED
from tools.commands import Said, left_behind, load, said, strangers, unmet

NAMES = available()
DUAL: dict[str, Any] = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}
ROUTED_SONIC: dict[str, Any] = {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None}

IPV6: dict[str, Any] = {
    "rails__supernets": ["fd00::/48"],
    "rails__prefixes": [64],
    "underlay__uplinks": "fd01::/112",
    "underlay__loopbacks": "fd02::/64",
}
SONIC_SITES: tuple[dict[str, Any], ...] = (
    {},
    ROUTED_SONIC,
    {**ROUTED_SONIC, "switch_types__leaf__frr_mode": "split"},
    {**ROUTED_SONIC, "switch_types__leaf__frr_mode": "frrcfgd"},
    IPV6,
    {**IPV6, "switch_types__leaf__frr_mode": "frrcfgd"},
    {**IPV6, "switch_types__leaf__frr_mode": "frrcfgd", "switch_types__leaf__nos_version": "202411"},
    {"switch_types__leaf__buffer_model": "dynamic"},
    {"fabric__qos__trust": "pcp"},
)

MORE: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "juniper-junos": (
        {"switch_types__leaf__queue_bytes": 2_000_000},
        {"fabric__adaptive_routing": True},
        {**DUAL, "underlay__uplinks": "fd01::/112"},
    )
}
"""NOS -> changes of the base site that add families missing in all variants."""


def _sites(nos: str) -> Iterator[Site]:
    if nos in PORTS:
        for variant in VARIANTS:
            if (nos, variant) not in UNSUPPORTED:
                yield variant_site(nos, variant)
        for change in MORE.get(nos, ()):
            yield nos_site(nos, *PORTS[nos], **change)
    else:
        for change in SONIC_SITES:
            yield site(**change)
    if nos in PARTS:
        yield split_site(nos, fabric__adaptive_routing=True)
    releases = profiles()[nos].releases
    if releases.forms and nos in PORTS:
        port, asic = PORTS[nos]
        yield nos_site(nos, port, asic, switch_types__leaf__nos_version=releases.newest, **DUAL)


@cache
def _trees(nos: str) -> tuple[tuple[Said, ...], ...]:
    """The lines of a leaf and of a spine of every site."""
    profile = profiles()[nos]
    switches = ("leaf-1", "spine-1")
    return tuple(tuple(said(profile, one.files(name))) for one in _sites(nos) for name in switches)


@pytest.mark.parametrize("nos", NAMES)
def test_every_line_has_a_family(nos: str) -> None:
    trees = _trees(nos)
    assert all(trees)
    assert sorted({line for tree in trees for line in strangers(load(nos), tree)}) == []


@pytest.mark.parametrize("nos", NAMES)
def test_every_family_has_a_line(nos: str) -> None:
    commands = load(nos)
    texts = {line.text for tree in _trees(nos) for line in tree}
    seen = {found[0].name for found in map(commands.family, texts) if found}
    assert sorted({family.name for family in commands.families} - seen) == []


@pytest.mark.parametrize("nos", NAMES)
def test_names_are_unique_and_needs_exist(nos: str) -> None:
    commands = load(nos)
    names = [family.name for family in commands.families]
    assert len(names) == len(set(names))
    assert not set(names) & set(commands.factory)
    wanted = {need.family for family in commands.families for need in family.needs}
    assert wanted <= {*names, *commands.factory}
    assert set(commands.factory) <= wanted


@pytest.mark.parametrize("nos", NAMES)
def test_a_factory_fresh_switch_takes_the_tree(nos: str) -> None:
    assert sorted({text for tree in _trees(nos) for text in unmet(load(nos), tree)}) == []


@pytest.mark.parametrize("nos", NAMES)
def test_a_tree_without_what_it_needs_is_found_out(nos: str) -> None:
    """Each family that another one needs is removed from the trees that have both."""
    commands = load(nos)
    for family in commands.families:
        for need in family.needs:
            if need.family in commands.factory:
                continue
            without = [
                [line for line in tree if _name(nos, line) != need.family]
                for tree in _trees(nos)
                if {family.name, need.family} <= {_name(nos, line) for line in tree}
            ]
            assert without, f"no tree has both {family.name} and {need.family}"
            assert all(unmet(commands, tree) for tree in without)


def _name(nos: str, line: Said) -> str:
    found = load(nos).family(line.text)
    return found[0].name if found else ""


@pytest.mark.parametrize("nos", NAMES)
def test_the_way_back_has_every_line(nos: str) -> None:
    """Each line is removed by the README's rollback, or listed there as staying."""
    found = [
        f"{switch.name}: {line}"
        for planned in _sites(nos)
        for switch in planned.switches
        if switch.name in ("leaf-1", "spine-1") and switch.nos == nos
        for line in left_behind(planned.nos[nos], load(nos), planned.files(switch.name))
    ]
    assert found == []
