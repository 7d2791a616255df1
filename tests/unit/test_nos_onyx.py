"""Onyx configuration: routing and BGP are enabled before the lines that need them."""

from __future__ import annotations

from typing import Any

import pytest

from tests.nos_site import ROUTED_HOSTS, STRETCHED, commands, nos_site
from tests.switch_site import Site
from tools.commands import Said, load, unmet


def onyx(**changes: Any) -> Site:
    return nos_site("onyx", "1/", "spectrum-1", **changes)


def told(planned: Site, file: str, switch: str = "leaf-1") -> list[str]:
    return commands(planned.files(switch)[file], "##")


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("changes", [{}, ROUTED_HOSTS], ids=["gateway", "routed hosts"])
def test_a_factory_switch_routes_before_it_has_addresses_and_bgp(
    changes: dict[str, Any], switch: str
) -> None:
    lines = told(onyx(**changes), "interfaces.txt", switch)
    first_address = next(n for n, line in enumerate(lines) if " ip address " in line)
    first_bgp = next(n for n, line in enumerate(lines) if line.startswith("router bgp"))
    assert lines.index("ip routing vrf default") < first_address
    assert lines.index("protocol bgp") < first_bgp
    assert lines.count("protocol bgp") == lines.count("ip routing vrf default") == 1


def test_without_underlay_neither_is_switched_on() -> None:
    lines = told(onyx(**STRETCHED), "interfaces.txt")
    assert [line for line in lines if line.startswith(("protocol", "router", "ip routing"))] == []


@pytest.mark.parametrize("line", ["protocol bgp", "ip routing vrf default", "vlan 100", "lldp"])
def test_a_tree_without_the_line_is_found_out(line: str) -> None:
    planned = onyx()
    lines = [*told(planned, "roce.txt"), *told(planned, "interfaces.txt")]
    assert line in lines
    whole = [Said((0, n), text) for n, text in enumerate(lines)]
    assert unmet(load("onyx"), whole) == []
    assert unmet(load("onyx"), [said for said in whole if said.text != line])


def test_mac_age_is_set_and_the_arp_age_is_a_comment() -> None:
    planned = onyx(fabric__arp={"timeout_seconds": 60, "mac_timeout_seconds": 300})
    assert told(planned, "arp.txt") == ["mac-address-table aging-time 300"]
    assert (
        "## confirm on the switch: interface vlan 100 ip arp timeout 60\n"
        in planned.files("leaf-1")["arp.txt"]
    )
    assert told(onyx(), "arp.txt") == []


def test_what_is_missing_was_searched_for() -> None:
    planned = onyx()
    leaf, nos = planned.switch("leaf-1"), planned.nos["onyx"]
    gaps = {gap.feature for gap in (*leaf.missing, *leaf.unconfirmed)}
    wanted = {"ecn_probability", "headroom", "arp_from_garp", "dcbx", "hash_seed"}
    assert gaps == {"pfc_watchdog", "arp_age", *wanted}
    assert gaps <= set(nos.searched)
