"""``check-live``: BGP summaries in JSON of which the command, or each session, says the address family."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.test_check_live_json import live, outputs, told
from tests.test_check_live_json_more import LOOPBACK, PEER, Change, with_change

EVPN = "BGP summary without a planned session: perhaps of another address family"
OF_EVPN = {
    "leaf-4-evpn.json": {
        "vrfs": {"default": {"routerId": "172.31.255.4", "peers": {LOOPBACK: {**PEER, "prefixReceived": 3}}}}
    },
    "leaf-2-evpn.json": {
        "routerId": "172.31.255.2",
        "vrfName": "default",
        "totalPeers": 1,
        "peers": {LOOPBACK: {"remoteAs": 65001, "state": "Established"}},
    },
}


@pytest.mark.parametrize("file", OF_EVPN)
def test_sessions_of_which_none_is_planned_and_no_command_says_the_family(file: str) -> None:
    """As ``show bgp evpn summary`` and ``show bgp l2vpn evpn summary`` of sessions between loopbacks."""
    data = OF_EVPN[file]
    beside = {name: text for name, text in outputs(file[:6]).items() if "bgp" in name}
    found = live({file: json.dumps(data), **beside})
    assert told(found) == []
    assert [why.rpartition(": ")[0] + ": " + why.rpartition(": ")[2] for _, why in found.unread] == [
        f"line 1: {EVPN}"
    ]
    prompt, command = f"admin@{file[:6]}:~$", "show ip bgp summary json"
    asked = live({file: f"{prompt} {command}\n{json.dumps(data)}\n{prompt} \n"})
    assert f"{LOOPBACK} session: , established" in told(asked)


def eos_peers(*families: tuple[str, str]) -> Change:
    def change(data: Any) -> None:
        for peer in data["vrfs"]["default"]["peers"].values():
            peer.update({family: {"afiSafiState": state} for family, state in families})

    return change


@pytest.mark.parametrize(
    ("families", "wrong"),
    [
        ([("ipv4Unicast", "negotiated"), ("l2VpnEvpn", "negotiated")], ""),
        ([("ipv4Unicast", "negotiated"), ("l2VpnEvpn", "advertised")], ""),
        ([("ipv4Unicast", "advertised"), ("l2VpnEvpn", "negotiated")], "established, advertised"),
        ([("l2VpnEvpn", "negotiated")], "established, no row"),
    ],
)
def test_a_session_of_eos_carries_the_routes_of_its_own_ip_version(
    families: list[tuple[str, str]], wrong: str
) -> None:
    """``show bgp summary | json``: aristanetworks/anta 68667e0e, VerifyBGPPeersHealth."""
    found = with_change("leaf-4-bgp.json", eos_peers(*families))
    values = {each.partition(": ")[2] for each in told(found) if " session: " in each}
    assert values == ({wrong} if wrong else set())


def test_a_session_of_evpn_alone_is_beside_those_of_the_plan() -> None:
    def overlay(data: Any) -> None:
        eos_peers(("ipv4Unicast", "negotiated"))(data)
        peer = {**PEER, "l2VpnEvpn": {"afiSafiState": "negotiated"}}
        data["vrfs"]["default"]["peers"][LOOPBACK] = peer

    assert told(with_change("leaf-4-bgp.json", overlay)) == []
