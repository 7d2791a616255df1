"""``check-live``: ports whose plan states less or other things than those of a rail: a front-end port, a site
without PFC, a rail with a router of its own, FEC."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from netplan.live.judge import judged
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.pipeline import run
from tests.live_leaf import PROMPT, told, with_cell
from tests.live_outputs import row_of, table
from tests.test_check_live import SITE

LAST_CARD = "ens4f0, numa: 1}\n  nf"
CARD = '      front: {model: connectx-5, use: front-end, speed_gbps: 100, pci: "0000:5e:00.0", netdev: eno1}'
LINKS = '  - {hosts: "gpu-[101-104]"'
LINK = "  - {hosts: gpu-001, hca: front, switch: leaf-1, ports: Ethernet112, cable_m: 5}"
CHANGES = {
    "front": {LAST_CARD: f"ens4f0, numa: 1}}\n{CARD}\n  nf", LINKS: f"{LINK}\n{LINKS}"},
    "lossy": {"lossless: true": "lossless: false", "    pfc_watchdog: {poll_ms": "    # {poll_ms"},
    "fec": {"admin_status: up}": "fec: rs}"},
    "router": {"  gateway: first": "  gateway: first\n  gateway_owner: external"},
}
"""Name of a site -> text of the inventory that differs."""
Session = Callable[[str, str, str], list[str]]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """(site, command, output of leaf-1) -> what is told."""

    @cache
    def site(name: str) -> Plan:
        text = SITE.read_text()
        for before, after in CHANGES[name].items():
            assert before in text
            text = text.replace(before, after)
        file = tmp_path_factory.mktemp(name) / "site.yaml"
        file.write_text(text)
        found = run([str(file)], upto="plan").plan
        assert found is not None
        return found

    def told_of(name: str, command: str, text: str) -> list[str]:
        texts = {"x.txt": f"{PROMPT} {command}\n{text}{PROMPT}\n"}
        return told(judged(site(name), read_outputs(texts, site(name))))

    return told_of


def vlan(number: int, port: str, address: str = "") -> str:
    widths = (9, 16, 13, 14)
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    rows = [("VLAN ID", "IP Address", "Ports", "Port Tagging"), (str(number), address, port, "tagged")]
    head, row = (row_of(cells, widths) for cells in rows)
    return f"{rule}\n{head}\n{rule.replace('-', '=')}\n{row}\n{rule}\n"


@pytest.mark.parametrize(
    ("number", "wrong"),
    [(1, []), (30, []), (100, ["100 Ethernet112 tagging: none, tagged"])],
)
def test_the_vlan_of_a_front_end_port_is_none_of_the_planned_ones(
    session: Session, number: int, wrong: list[str]
) -> None:
    found = session("front", "show vlan brief", vlan(number, "Ethernet112"))
    assert [one for one in found if "Ethernet112" in one] == wrong


def test_pfc_of_a_front_end_port_is_not_planned(session: Session) -> None:
    rows = [("Ethernet112", "alert", 100, 100, "disable")]
    head = ("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", "HISTORY")
    wrong = session("front", "pfcwd show config", "Changed polling interval to 200ms\n" + table(head, rows))
    assert [one for one in wrong if "Ethernet112" in one] == []
    counts = table(("Port Rx", *(f"PFC{n}" for n in range(8))), [("Ethernet112", *"12345678")])
    assert session("front", "show pfc counters", counts) == []


def test_a_watchdog_on_a_rail_without_pfc(session: Session) -> None:
    head = ("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", "HISTORY")
    rows = [("Ethernet0", "drop", 200, 2000, "disable"), ("Ethernet200", "drop", 200, 2000, "disable")]
    assert session("lossy", "pfcwd show config", table(head, rows)) == ["Ethernet0 action: none, drop"]
    assert session("lossy", "pfcwd show config", table(head, [])) == []


def test_an_address_of_a_vlan_whose_gateway_is_another_router(session: Session) -> None:
    text = vlan(100, "Ethernet0", "172.16.0.9/24")
    assert "100 addresses: none, 172.16.0.9/24" in session("router", "show vlan brief", text)


@pytest.mark.parametrize(("fec", "wrong"), [("rs", []), ("fc", ["Ethernet0 fec: rs, fc"]), ("N/A", [])])
def test_fec_counts_where_the_inventory_states_it(session: Session, fec: str, wrong: list[str]) -> None:
    status = "show interfaces status"
    assert session("fec", status, with_cell(status, "Ethernet0", "FEC", fec)) == wrong


FEC = [
    ("rs", "rs", []),
    ("N/A", "rs", []),
    ("fc", "rs", ["Ethernet0 oper: rs, fc"]),
    ("rs", "fc", ["Ethernet0 admin: rs, fc"]),
]


@pytest.mark.parametrize(("oper", "admin", "wrong"), FEC)
def test_fec_in_force_and_as_configured(session: Session, oper: str, admin: str, wrong: list[str]) -> None:
    head = ("Interface", "FEC Oper", "FEC Admin")
    text = table(head, [("Ethernet0", oper, admin), ("Ethernet200", "none", "none")])
    assert session("fec", "show interfaces fec status", text) == wrong
