"""Gateways that several switches share (VRRP, HSRP, VARP, VRR, MAGP, anycast) are those of their VLAN, and
the addresses of the interfaces beside them no contradiction."""

from __future__ import annotations

import re
from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.bare_site import Bare
from tests.test_import import data
from tests.test_import_fabric import asked, dumps, fabric_with, swapped
from tests.test_import_unplanned_lines import HEADS

NVUE_VLAN = "nv set interface vlan7 type svi\nnv set interface vlan7 vlan 7\n"
JUNOS_VLAN = "set vlans storage vlan-id 7\nset vlans storage l3-interface irb.70\n"
IRB = "set interfaces irb unit 70 family inet address 10.7.0.2/24"
OWN = "address/10.7.0.2/24"
EOS, NXOS = "interface Vlan7\n   ip address 10.7.0.2/24\n   ", "interface Vlan7\n  ip address 10.7.0.2/24\n  "


@pytest.mark.parametrize(
    ("nos", "lines", "how"),
    [
        ("arista-eos", f"{EOS}ip virtual-router address 10.7.0.254", "ip virtual-router"),
        ("arista-eos", f"{EOS}vrrp 1 ipv4 10.7.0.254", "VRRP"),
        ("cisco-nxos", f"{NXOS}hsrp 1\n    ip 10.7.0.254", "HSRP"),
        ("cisco-nxos", f"{NXOS}hsrp 1 ipv4\n    ip 10.7.0.254", "HSRP"),
        ("cisco-nxos", f"{NXOS}vrrp 1\n    address 10.7.0.254", "VRRP"),
        ("cisco-nxos", f"{NXOS}vrrpv3 1 address-family ipv4\n    address 10.7.0.254 primary", "VRRP"),
        (
            "cumulus-nvue",
            f"{NVUE_VLAN}nv set interface vlan7 ip address 10.7.0.2/24\n"
            "nv set interface vlan7 ip vrr address 10.7.0.254/24",
            "VRR",
        ),
        (
            "cumulus-nvue",
            f"{NVUE_VLAN}nv set interface vlan7 ip address 10.7.0.2/24\n"
            "nv set interface vlan7 ip vrrp virtual-router 1 address 10.7.0.254",
            "VRRP",
        ),
        (
            "juniper-junos",
            f"{JUNOS_VLAN}{IRB} virtual-gateway-address 10.7.0.254",
            "virtual-gateway-address",
        ),
        (
            "juniper-junos",
            f"{JUNOS_VLAN}{IRB} vrrp-group 1 virtual-address 10.7.0.254\n{IRB} vrrp-group 1 priority 200",
            "VRRP",
        ),
        (
            "onyx",
            "interface vlan 7\ninterface vlan 7 ip address 10.7.0.2/24 primary\n"
            "interface vlan 7 magp 1 ip virtual-router address 10.7.0.254",
            "MAGP",
        ),
    ],
)
def test_the_shared_address_stands_beside_that_of_the_interface(nos: str, lines: str, how: str) -> None:
    text = f"{HEADS[nos]}{lines}\n"
    fields = import_texts({"leaf.cfg": text}, "site").site.fields("svi", ("leaf-1", "7"))
    assert {OWN, "shared/10.7.0.254"} <= fields.keys()
    said = fields["shared/10.7.0.254"]
    assert said.value == how
    assert "10.7.0.254" in text.splitlines()[said.at.line - 1]


@pytest.mark.parametrize(
    ("nos", "lines"),
    [
        ("arista-eos", "interface Vlan7\n   ip address virtual 10.7.0.254/24"),
        (
            "cisco-nxos",
            "interface Vlan7\n  ip address 10.7.0.254/24\n  fabric forwarding mode anycast-gateway",
        ),
    ],
)
def test_an_anycast_address_is_that_of_the_interface_too(nos: str, lines: str) -> None:
    fields = import_texts({"leaf.cfg": f"{HEADS[nos]}{lines}\n"}, "site").site.fields("svi", ("leaf-1", "7"))
    assert {"address/10.7.0.254/24", "shared/10.7.0.254"} <= fields.keys()


def last(address: str) -> str:
    """The gateway of the pool in its place."""
    return re.sub(r"\.1/24$", ".254/24", address)


def shared(table: str, changes: dict[str, str]) -> Imported:
    """Leaves that share the last address of each VLAN, as the pools have it; their own is the first."""

    def change(switch: str, tables: Any) -> None:
        for key in [key for key in tables.get("VLAN_INTERFACE", {}) if "/" in key and ":" not in key]:
            vlan, _, address = key.partition("|")
            row = changes | {"vip": [last(address)]} if table == "VRRP" else {"gwip": [last(address)]}
            tables.setdefault(table, {})[f"{vlan}|{'1' if table == 'VRRP' else 'IPv4'}"] = row

    pattern = re.compile(r"(gateway: 172\.16\.\d+)\.1$", re.MULTILINE)
    texts = dict(fabric_with(change).texts)
    return import_texts({file: pattern.sub(r"\1.254", text) for file, text in texts.items()}, "site")


@pytest.mark.parametrize("table", ["VRRP", "SAG"])
def test_the_shared_gateway_is_that_of_the_pools(table: str) -> None:
    """The owner is asked, as no inventory has both addresses; pools leave out that of the interface."""
    result = shared(table, {"priority": "100"})
    rails = data(result)["rails"]
    assert [str(each) for each in result.conflicts] == []
    assert (rails["gateway"], rails["gateway_owner"]) == ("last", "TODO")
    assert asked(result) == {"gateway_owner"}
    (said,) = (line for line in result.text.splitlines() if "gateway_owner: TODO" in line)
    assert "leaf-1 VLAN 100 has 172.16.0.1/24 and shares 172.16.0.254" in said
    assert "172.16.0.1" in rails["reserved"]


def test_pools_whose_gateway_is_that_of_an_interface_keep_it() -> None:
    texts = swapped(
        dumps(),
        "leaf-1.json",
        '"VLAN_INTERFACE"',
        '"VRRP": {"Vlan100|1": {"vip": ["172.16.0.9/24"]}}, "VLAN_INTERFACE"',
    )
    rails = data(import_texts(texts, "site"))["rails"]
    assert (rails["gateway"], "gateway_owner" in rails) == ("first", False)


def test_an_address_that_all_leaves_share_as_their_own_is_no_question() -> None:
    def change(switch: str, tables: Any) -> None:
        own = tables.get("VLAN_INTERFACE", {})
        for vlan in {key.partition("|")[0] for key in own}:
            own[vlan] = {"static_anycast_gateway": "true"}

    result = fabric_with(change)
    assert "gateway_owner" not in data(result)["rails"]
    assert data(result)["rails"]["gateway"] == data(import_texts(dumps(), "site"))["rails"]["gateway"]


def shut(nos: str, line: str) -> Imported:
    """A leaf whose VLAN interface has the gateway of the rail."""
    site = Bare(rails=1)
    site.leaves.clear()
    ports = range(1, site.hosts + 1)
    own = "".join(f"interface Ethernet1/{number}\n  switchport access vlan 7\n" for number in ports)
    table = "".join(f"leaf-1,Ethernet1/{number},host,gpu-{number},ens18np0\n" for number in ports)
    config = f"{HEADS[nos]}vlan 7\n{own}interface Vlan7\n  ip address 10.7.0.1/24\n{line}"
    texts = {"leaf-1.cfg": config, "cables.csv": f"switch,port,peer_kind,peer,peer_port\n{table}"}
    return import_texts({**site.texts(), **texts}, "site")


@pytest.mark.parametrize("nos", ["arista-eos", "cisco-nxos"])
def test_a_gateway_on_an_interface_that_is_shut_down_is_asked(nos: str) -> None:
    result = shut(nos, "  shutdown\n")
    assert data(result)["rails"]["gateway"] == "first"
    (said,) = (line for line in result.text.splitlines() if "gateway_owner: TODO" in line)
    assert "; leaf-1 VLAN 7 has 10.7.0.1/24 (leaf-1.cfg:" in said
    assert ") and is shut down (leaf-1.cfg:" in said
    assert "gateway_owner" not in data(shut(nos, "  no shutdown\n"))["rails"]
