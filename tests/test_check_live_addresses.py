"""``check-live``: ``show ip interfaces`` and ``show ipv6 interfaces`` of SONiC with one difference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

import pytest

from netplan import resources
from netplan.live.judge import Live, judged
from netplan.live.read import read_outputs
from netplan.model.plan import Plan
from netplan.pipeline import run
from tests import live_outputs
from tests.live_leaf import changed, count, session, shown, told, with_cell

IPV4, IPV6 = "show ip interfaces", "show ipv6 interfaces"
UPLINK, LINK = "Ethernet80", "172.31.0.0/31"
GATEWAY = "172.16.0.1/24"
ADDRESS = "IPv4 address/mask"


def test_addresses_of_ports_and_vlan_interfaces_as_planned() -> None:
    found = session(IPV4, shown(IPV4))
    assert told(found) == []
    right = {(one.claim.subject, one.claim.expected) for one in found.judged if one.outcome == "ok"}
    assert right >= {(UPLINK, LINK), ("Vlan100", GATEWAY)}


@pytest.mark.parametrize(
    ("interface", "column", "value", "wrong"),
    [
        (UPLINK, ADDRESS, "10.1.1.1/31", f"{UPLINK} addresses: {LINK}, 10.1.1.1/31"),
        (UPLINK, ADDRESS, "172.31.0.0/30", f"{UPLINK} addresses: {LINK}, 172.31.0.0/30"),
        ("Vlan100", ADDRESS, "172.16.0.9/24", f"Vlan100 addresses: {GATEWAY}, 172.16.0.9/24"),
        (UPLINK, "Master", "Vrf-red", f"{UPLINK} master: none, Vrf-red"),
        (UPLINK, "Master", "PortChannel1", f"{UPLINK} master: none, PortChannel1"),
        ("Vlan100", "Master", "Vrf-red", "Vlan100 master: none, Vrf-red"),
        ("Vlan100", "Admin/Oper", "up/down", "Vlan100 oper: up, down"),
        ("Vlan100", "Admin/Oper", "error/down", ""),
        ("Ethernet0", ADDRESS, "10.1.1.1/31", "Ethernet0 addresses: none, 10.1.1.1/31"),
        ("Vlan999", ADDRESS, "172.16.0.7/24", "Vlan999 addresses: none, 172.16.0.7/24"),
        ("Ethernet200", ADDRESS, "172.31.0.0/31", "Ethernet200 addresses: none, 172.31.0.0/31"),
        ("Ethernet200", ADDRESS, "10.1.1.1/31", ""),
        ("eth0", ADDRESS, "192.0.2.7/24", ""),
    ],
)
def test_a_row_that_differs(interface: str, column: str, value: str, wrong: str) -> None:
    found = session(IPV4, with_cell(IPV4, interface, column, value))
    assert told(found) == ([wrong] if wrong else [])


def test_a_state_that_the_switch_could_not_read_is_not_seen() -> None:
    """ipintutil prints error for the one file and down for the other, whether the port is up or not."""
    found = session(IPV4, with_cell(IPV4, UPLINK, "Admin/Oper", "error/down"))
    assert told(found) == []
    assert [why.partition(": ")[2] for _, why in found.unread] == [
        f"{IPV4}: the switch could not read the state of {UPLINK}"
    ]


def test_an_address_of_which_nobody_can_read_the_form_is_not_seen() -> None:
    found = session(IPV4, with_cell(IPV4, UPLINK, ADDRESS, "172.31.0.0"))
    assert (told(found), UPLINK in {one.claim.subject for one in found.not_seen}) == ([], True)


def test_a_second_address_stands_in_a_row_without_a_name() -> None:
    row = next(line for line in shown(IPV4).split("\n") if line.startswith("Vlan100 "))
    second = row.replace("Vlan100", "       ").replace(GATEWAY, "10.1.1.1/24  ").replace("up/up", "     ")
    text = shown(IPV4).replace(row, f"{row}\n{second}")
    assert told(session(IPV4, text)) == [f"Vlan100 addresses: {GATEWAY}, 10.1.1.1/24 {GATEWAY}"]


def test_an_interface_without_an_address_is_not_in_the_list() -> None:
    text = changed(IPV4, "(?m)^Vlan100 .*\n", "")
    missing = [f"Vlan100 addresses: {GATEWAY}, no row"]
    assert told(session(IPV4, text)) == missing
    for part in (f"{IPV4} | grep Ethernet", f"{IPV4} -n asic0", f"{IPV4} --namespace asic0"):
        assert told(session(part, text)) == []


def test_a_list_without_the_row_counts_even_below_one_that_has_it() -> None:
    text = changed(IPV4, "(?m)^Vlan100 .*\n", "")
    for two in (f"{shown(IPV4)}\n{text}", f"{text}\n{shown(IPV4)}"):
        assert told(session(IPV4, two)) == [f"Vlan100 addresses: {GATEWAY}, no row"]


def test_of_a_list_that_may_go_on_nothing_is_missing() -> None:
    text = changed(IPV4, "(?m)^Vlan100 .*\n", "")
    cut = session(IPV4, f"{text}^C\n")
    assert told(cut) == []
    assert "Vlan100" in {one.claim.subject for one in cut.not_seen}


def test_ports_by_their_aliases_are_not_seen() -> None:
    found = session(IPV4, shown(IPV4).replace("Ethernet", "     etp"))
    assert (told(found), count(found, "ok")) == ([], 0)
    why = f"line 4: {IPV4}: ports by their aliases; save it without SONIC_CLI_IFACE_MODE=alias"
    assert found.unread == (("x.txt", why),)


def test_a_switch_without_routed_ports_has_no_aliases() -> None:
    text = changed(IPV4, "(?m)(^Ethernet.*\n)+", "")
    assert {one.split(":")[0] for one in told(session(IPV4, text))} >= {f"{UPLINK} addresses"}
    assert session(IPV4, text).unread == ()


SITE = "kitchen-sink"


@cache
def both() -> Plan:
    """A site with addresses of both IP versions."""
    found = run([str(resources.inventories() / f"{SITE}.yaml")], upto="plan").plan
    assert found is not None
    return found


def of_leaf(command: str, *changes: str) -> Live:
    """What the first leaf prints. ``changes``: what is replaced and by what, in turn."""
    switch = next(one for one in both().switches if one.role == "leaf" and one.vlans)
    text = live_outputs.shown(switch, both())[command]
    for before, after in pairs(changes):
        before, after = before.ljust(len(after)), after.ljust(len(before))  # columns stay where they are
        assert before in text
        text = text.replace(before, after, 1)
    prompt = f"admin@{switch.name}:~$"
    text = f"{prompt} {command}\n{text}{prompt}\n"
    return judged(both(), read_outputs({"x.txt": text}, both()))


def pairs(words: tuple[str, ...]) -> Iterable[tuple[str, str]]:
    return zip(words[::2], words[1::2], strict=True)


def vlan() -> tuple[str, str]:
    """(interface, IPv6 address) of the first leaf."""
    switch = next(one for one in both().switches if one.role == "leaf" and one.vlans)
    return next((f"Vlan{v.id}", str(a)) for v in switch.vlans for a in v.addresses if a.ip.version == 6)


def test_each_ip_version_has_a_list_of_its_own() -> None:
    interface, address = vlan()
    four, six = of_leaf(IPV4), of_leaf(IPV6)
    assert told(four) == told(six) == []
    assert (interface, address) in {
        (c.claim.subject, c.claim.expected) for c in six.judged if c.outcome == "ok"
    }
    assert (interface, IPV6) in {(c.claim.subject, c.claim.output) for c in four.not_seen}


def test_link_local_addresses_are_none_that_somebody_gave() -> None:
    interface, address = vlan()
    found = of_leaf(IPV6, address, f"fe80::%{interface}/64")
    assert told(found) == [f"{interface} addresses: {address}, none"]


def test_a_list_of_ipv6_with_ipv4_in_its_heading_is_of_ipv6() -> None:
    """As SONiC printed it in 2021 and 2022: at a prompt, and without one below the list of IPv4."""
    interface, address = vlan()
    for by in (address, "fd00:99::1/64"):
        planned = by == address
        found = of_leaf(IPV6, "IPv6 address/mask", "IPv4 address/mask", address, by)
        assert told(found) == ([] if planned else [f"{interface} addresses: {address}, {by}"])
        assert {one.claim.kind for one in found.judged if one.outcome == "ok"} == {"ipv6"}
    of_links = re.sub(r"[0-9.]{7,15}/[0-9]+", lambda m: "fe80::2%x/64".ljust(len(m[0])), shown(IPV4))
    assert told(session(IPV4, shown(IPV4) + of_links)) == []


@pytest.mark.parametrize("columns", [("Master",), ("Master", "BGP Neighbor", "Neighbor IP")])
def test_releases_with_less_columns(columns: tuple[str, ...]) -> None:
    """Before VRFs: the state and the addresses are there."""
    text = without(shown(IPV4), columns)
    found = session(IPV4, text)
    right = {(one.claim.subject, one.claim.field) for one in found.judged if one.outcome == "ok"}
    assert (told(found), right >= {(UPLINK, "addresses"), (UPLINK, "oper")}) == ([], True)
    assert "master" not in {field for _, field in right}
    down = without(with_cell(IPV4, UPLINK, "Admin/Oper", "up/down"), columns)
    assert told(session(IPV4, down)) == [f"{UPLINK} oper: up, down"]
    assert told(session(IPV4, re.sub(r"(?m)^Vlan100 .*\n", "", text))) == [
        f"Vlan100 addresses: {GATEWAY}, no row"
    ]


def without(text: str, columns: tuple[str, ...]) -> str:
    lines = text.rstrip("\n").split("\n")
    spans = [part.span() for part in re.finditer("-+", lines[1])]
    head, _, *rows = ([line[slice(*span)].strip() for span in spans] for line in lines)
    kept = [n for n, name in enumerate(head) if name not in columns]
    body = [[row[n] for n in kept] for row in rows]
    return live_outputs.table([head[n] for n in kept], body, right=False)


def test_a_table_with_addresses_of_both_ip_versions_is_not_used() -> None:
    text = shown(IPV4).replace("127.0.0.1/16", "::1/128     ")
    found = session(IPV4, text)
    assert (found.judged, found.unread) == (
        (), (("x.txt", "line 2: addresses of both IP versions in one table"),),
    )  # fmt: skip


def test_a_wrong_ipv6_address() -> None:
    interface, address = vlan()
    assert told(of_leaf(IPV6, address, "fd00:99::1/64")) == [
        f"{interface} addresses: {address}, fd00:99::1/64"
    ]
