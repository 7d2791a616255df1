"""``netplan import`` of uplinks in LAGs that no neighbour table has: the LAG has the address."""

from __future__ import annotations

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import import data
from tests.test_import_overlay import line_of
from tests.test_import_underlay import SPINE, Tables, imported, leaf

HEADS = {
    "eos": "! Command: show running-config\nhostname spine-1\n",
    "nxos": "!Command: show running-config\nhostname spine-1\n",
    "junos": "set version 23.4R2\nset system host-name spine-1\n",
    "nvue": "nv set system hostname spine-1\n",
}
BGP = {
    "eos": "router bgp 65000\n",
    "nxos": "router bgp 65000\n",
    "junos": "set routing-options autonomous-system 65000\n",
    "nvue": "nv set router bgp autonomous-system 65000\n",
}
MEMBERS = {
    "eos": "interface Ethernet{0}/1\n   mtu 9214\n   channel-group {1} mode active\n",
    "nxos": "interface Ethernet1/{0}\n  mtu 9216\n  channel-group {1} mode active\n",
    "junos": "set interfaces et-0/0/{0} mtu 9192\nset interfaces et-0/0/{0} ether-options 802.3ad ae{1}\n",
    "nvue": "nv set interface swp{0} link mtu 9216\nnv set interface bond{1} bond member swp{0}\n",
}
LAGS = {
    "eos": "interface Port-Channel{0}\n   no switchport\n   ip address 10.254.0.{1}/31\n",
    "nxos": "interface port-channel{0}\n  no switchport\n  ip address 10.254.0.{1}/31\n",
    "junos": "set interfaces ae{0} unit 0 family inet address 10.254.0.{1}/31\n",
    "nvue": "nv set interface bond{0} ip address 10.254.0.{1}/31\n",
}
PORTS = {"eos": "Ethernet[1-2]/1", "nxos": "Ethernet1/[1-2]", "junos": "et-0/0/[1-2]", "nvue": "swp[1-2]"}
NOSES = pytest.mark.parametrize("nos", HEADS)


def spine(nos: str, members: int) -> str:
    text = HEADS[nos]
    for lag in (1, 2):
        for number in range(members):
            text += MEMBERS[nos].format(lag + 2 * number, lag)
        text += LAGS[nos].format(lag, 2 * lag - 1)
    return text + BGP[nos]


def leaf_in_lag(number: int) -> Tables:
    address = f"10.254.0.{2 * number - 2}/31"
    tables = leaf(
        number,
        address,
        DEVICE_NEIGHBOR={},
        BGP_NEIGHBOR={f"10.254.0.{2 * number - 1}": {"asn": "65000"}},
        PORTCHANNEL_MEMBER={"PortChannel1|Ethernet64": {}},
        PORTCHANNEL_INTERFACE={"PortChannel1": {}, f"PortChannel1|{address}": {}},
    )
    return {name: rows for name, rows in tables.items() if name != "INTERFACE"}


def of_spine(nos: str, members: int = 1) -> Imported:
    texts = imported([leaf_in_lag(number) for number in (1, 2)], SPINE).texts
    own = {name: text for name, text in texts.items() if not name.startswith("spine")}
    return import_texts({**own, "spine-1.cfg": spine(nos, members)}, "site")


@NOSES
def test_lags_with_one_port_each_are_cables(nos: str) -> None:
    result = of_spine(nos)
    (both,) = (line for line in result.text.splitlines() if "to: spine-1" in line)
    assert f'switches: "leaf-[1-2]", ports: Ethernet64, to: spine-1, to_ports: "{PORTS[nos]}"' in both
    assert "from the network 10.254.0.0/31 on both ports, in no neighbour table; leaf-1.json:" in both
    assert data(result)["switches"]["spine-1"]["role"] == "spine"
    assert data(result)["underlay"]["spine_asn"] == 65000
    line = line_of(result, "uplinks")
    assert "uplinks in LAGs; state a range" in line
    assert "leaf-1 PortChannel1 10.254.0.0/31 (leaf-1.json:" in line


@NOSES
def test_lags_of_several_ports_are_asked_with_their_addresses(nos: str) -> None:
    """No line says which of the ports are connected."""
    result = of_spine(nos, members=2)
    assert "to: spine-1" not in result.text
    line = line_of(result, "uplinks")
    assert "uplinks in LAGs; state a range" in line
    name = LAGS[nos].split("{0}")[0].split()[-1]
    assert f"spine-1 {name}1 10.254.0.1/31 (spine-1.cfg:" in line
