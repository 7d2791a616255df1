"""Speed, FEC, auto-negotiation and admin status of ports: rendered if stated and supported, else an error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.checks.port_settings import FEC
from tests.nos_site import nos_site
from tests.sonic_yang import yanglint
from tests.switch_site import Site, inventory, site
from tests.vendors.sites import PORTS

STATED = {"fec": "rs", "autoneg": False, "admin_status": "up"}


def links(**keys: Any) -> list[dict[str, Any]]:
    """The links of the base site; the first one, to the hosts of leaf-1, states ``keys``."""
    first, *rest = inventory()["links"]
    return [first | keys, *rest]


def ports(planned: Site, switch: str = "leaf-1") -> dict[str, dict[str, str]]:
    rows: dict[str, dict[str, str]] = json.loads(planned.files(switch)["interfaces.json"])["PORT"]
    return rows


def test_ports_keep_what_the_inventory_does_not_state() -> None:
    assert {tuple(row) for row in ports(site()).values()} == {("mtu",)}


def test_what_a_link_states_is_written_with_its_speed() -> None:
    rows = ports(site(links=links(**STATED)))
    assert rows["Ethernet0"] == {
        "mtu": "9216",
        "speed": "100000",
        "fec": "rs",
        "autoneg": "off",
        "admin_status": "up",
    }
    assert rows["Ethernet64"] == {"mtu": "9216"}, "an uplink, which states nothing"


def test_admin_status_alone_leaves_the_speed() -> None:
    assert ports(site(links=links(admin_status="up")))["Ethernet0"] == {"mtu": "9216", "admin_status": "up"}


def test_both_ends_of_a_cable_get_the_same() -> None:
    *rest, last = inventory()["links"]
    planned = site(links=[*rest, last | {"fec": "rs", "speed_gbps": 100}])
    assert ports(planned, "leaf-4")["Ethernet80"] == ports(planned, "spine-2")["Ethernet48"]
    assert ports(planned, "spine-2")["Ethernet48"]["fec"] == "rs"


@pytest.mark.yang
@pytest.mark.parametrize("fec", ["rs", "none", "auto"])
def test_sonics_model_takes_them(fec: str) -> None:
    text = site(links=links(fec=fec, autoneg=True, admin_status="up")).files("leaf-1")["interfaces.json"]
    assert yanglint(json.loads(text)) == []


@pytest.mark.parametrize("nos", sorted(PORTS))
def test_another_nos_that_does_not_write_them_lacks_a_needed_ability(nos: str) -> None:
    port, asic = PORTS[nos]
    hosts = {"hosts": "gpu-[001-016]", "hca": "roce0", "switch": "leaf-1", "cable_m": 5, "fec": "rs"}
    planned = nos_site(nos, port, asic, links=[hosts | {"ports": f"{port}[1-16]"}])
    (gap,) = [gap for gap in planned.switch("leaf-1").missing if gap.feature == "port_settings"]
    assert (gap.needed, gap.asked_by) == (True, "fec of links")


@pytest.mark.parametrize("nos", sorted(PORTS))
def test_another_nos_has_no_owner_of_frr_to_choose(nos: str) -> None:
    port, asic = PORTS[nos]
    planned = nos_site(nos, port, asic, switch_types__leaf__frr_mode="split").switch("leaf-1")
    assert [(g.needed, g.asked_by) for g in planned.missing if g.feature == "frr_mode"] == [
        (True, "frr_mode")
    ]
    assert planned.frr.bgp == ""


def test_sonic_lacks_neither() -> None:
    planned = site(links=links(**STATED), switch_types__leaf__frr_mode="frrcfgd").switch("leaf-1")
    assert {gap.feature for gap in planned.missing} & {"port_settings", "frr_mode"} == set()


@pytest.mark.parametrize(
    ("speed", "modes"),
    [
        (10, ["fc", "none"]),
        (25, ["rs", "fc", "none"]),
        (40, ["fc", "none"]),
        (50, ["rs", "fc", "none"]),
        (100, ["rs", "none"]),
        *((speed, ["rs"]) for speed in (200, 400, 800)),
    ],
)
def test_a_speed_has_its_modes_of_fec(speed: int, modes: list[str]) -> None:
    """IEEE 802.3, clauses 74 (fc: lanes of 10 and 25 Gb/s), 91 and 108 (rs: from 25 Gb/s on)."""
    assert [mode for mode, speeds in FEC.items() if speed in speeds] == modes


def test_the_page_says_what_fec_to_see() -> None:
    page = site(links=links(fec="rs")).files("leaf-1")["README.md"]
    assert "FEC Oper and FEC Admin are rs where the link states it" in page
    assert "except on ports whose link states them" in page
    assert "A port whose speed, FEC or auto-negotiation changes goes down and up" in page
