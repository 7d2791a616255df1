"""``check-live``: BGP summaries in JSON of which the command, or each session, says the address family."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.live_json import element
from tests.test_check_live_json import live, outputs, told
from tests.test_check_live_json_more import LOOPBACK, PEER, Change, with_change

EVPN = "BGP summary without a planned session: perhaps of another address family or VRF"
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
            peer.pop("ipv4Unicast", None)
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


NO_FAMILY = "neither it nor a command names: what is not there is not seen"
EMPTY = {"vrfs": {"default": {"routerId": "172.31.255.4", "asn": "4200000103", "peers": {}}}}


def of_eos(command: str, data: Any) -> Live:
    return live({"leaf-4.txt": f"leaf-4#{command}\n{json.dumps(data, indent=1)}\nleaf-4#\n"})


@pytest.mark.parametrize(
    ("command", "lists"),
    [
        ("show bgp summary | json", True),
        ("show ip bgp summary | json", True),
        ("sh bgp ipv4 uni sum | json", True),
        ("show bgp ipv4 unicast summary vrf default | json", True),
        ("show ipv6 bgp summary | json", False),
        ("show bgp ipv6 unicast summary | json", False),
        ("show bgp evpn summary | json", False),
        ("show bgp rt-membership summary | json", False),
        ("show bgp flow-spec ipv4 summary | json", False),
        ("show bgp ipv4 labeled-unicast summary | json", False),
        ("show bgp sr-te ipv4 summary | json", False),
        ("show bgp ipv4 unicast summary vrf RED | json", False),
        ("show bgp ipv4 unicast summary vr RED | json", False),
    ],
)
def test_only_words_that_are_known_make_a_summary_of_eos_one_of_ipv4(command: str, lists: bool) -> None:
    """With two of the sessions, and with none, as of a family without neighbours."""
    data = json.loads(outputs("leaf-4")["leaf-4-bgp.json"])
    peers = data["vrfs"]["default"]["peers"]
    for address in list(peers)[2:]:
        del peers[address]
    for peer in peers.values():
        del peer["ipv4Unicast"]
    for shown in (data, EMPTY):
        assert ("no row" in {one.found for one in of_eos(command, shown).wrong}) is lists


@pytest.mark.parametrize("planned", [True, False])
def test_a_summary_of_eos_that_names_no_family_misses_no_session(planned: bool) -> None:
    """As ``show ipv6 bgp summary | json`` of a switch without IPv6, saved without its prompt."""
    data = json.loads(outputs("leaf-4")["leaf-4-bgp.json"])
    peers = data["vrfs"]["default"]["peers"]
    first = next(iter(peers))
    data["vrfs"]["default"]["peers"] = (
        {first: {**PEER, "peerAsn": peers[first]["peerAsn"]}} if planned else {}
    )
    found = live({"leaf-4-bgp.json": json.dumps(data)})
    assert told(found) == []
    assert [why.partition("family that ")[2] for _, why in found.unread] == [NO_FAMILY]


JUNOS = "admin@leaf-6>"
PART = "BGP summary without a planned session: perhaps of another address family or VRF"


def of_junos(*parts: tuple[str, Any]) -> Live:
    text = "".join(f"{JUNOS} {command}\n{json.dumps(data, indent=1)}\n\n" for command, data in parts)
    return live({"leaf-6.txt": f"{text}{JUNOS} \n"})


def of_group(*addresses: str) -> dict[str, Any]:
    peers = [element(peer_address=each, peer_as="65001", peer_state="Established") for each in addresses]
    return {"bgp-information": [{**element(group_count=1, peer_count=len(peers)), "bgp-peer": peers}]}


def test_sessions_of_one_group_of_junos_are_a_part() -> None:
    every = json.loads(outputs("leaf-6")["leaf-6-bgp.json"])
    whole = ("show bgp neighbor | display json", every)
    two = json.loads(json.dumps(every))
    del two["bgp-information"][0]["bgp-peer"][2:]
    assert told(of_junos(whole, ("show bgp neighbor | display json", two))) != []
    assert told(of_junos(whole, ("show bgp summary group UNDERLAY | display json", two))) == []
    overlay = of_group(LOOPBACK, "172.31.255.4")
    for command in ("show bgp summary group OVERLAY | display json", "run sh bgp sum group X | display json"):
        found = of_junos(whole, (command, overlay))
        assert (told(found), [why.endswith(PART) for _, why in found.unread]) == ([], [True])
    alone = live({"leaf-6-overlay.json": json.dumps(overlay), "leaf-6-bgp.json": json.dumps(every)})
    assert (told(alone), len(alone.unread)) == ([], 1)


def test_a_session_of_junos_that_is_of_evpn_alone_is_none_of_the_plan_s() -> None:
    """address-families: batfish/lab-validation dbe21f0 snapshots, show_bgp_neighbor_|_display_json.txt."""
    every = json.loads(outputs("leaf-6")["leaf-6-bgp.json"])
    peers = every["bgp-information"][0]["bgp-peer"]
    for peer in peers:
        peer["bgp-option-information"] = [element(address_families="inet-unicast")]
    options = {"bgp-option-information": [element(address_families="evpn")]}
    peers.append({**element(peer_address=LOOPBACK, peer_as="65001", peer_state="Established"), **options})
    assert told(live({"leaf-6-bgp.json": json.dumps(every)})) == []
    peers[0].update(options)
    assert "no row" in "; ".join(told(live({"leaf-6-bgp.json": json.dumps(every)})))


@pytest.mark.parametrize(
    ("switch", "command", "text", "wrong"),
    [
        ("leaf-6", "show bgp summary | display json", "BGP is not running", True),
        ("leaf-2", "sudo vtysh -c 'show bgp summary json'", "bgpd is not running", True),
        (
            "leaf-3",
            "show ip bgp summary",
            "Error: Error response from daemon: Container 3fa0 is not running",
            True,
        ),
        ("leaf-3", "show ip bgp summary", "Error: No such container: bgp", True),
        (
            "leaf-3",
            "docker exec bgp0 vtysh -c 'show ip bgp summary'",
            "Error: No such container: bgp0",
            False,
        ),
        ("leaf-4", "show bgp summary | json", "% Invalid input", False),
        ("leaf-6", "show bgp summary | display json", "error: the routing subsystem is not running", False),
    ],
)
def test_a_text_in_place_of_a_summary_is_a_state_or_told(
    switch: str, command: str, text: str, wrong: bool
) -> None:
    prompt = f"admin@{switch}:~$"
    found = live({f"{switch}.txt": f"{prompt} {command}\n{text}\n{prompt} date\nSat\n{prompt} \n"})
    assert {one.found for one in found.wrong} == ({"no row"} if wrong else set())
    assert bool(found.unread) is not wrong


def test_sessions_of_another_vrf_in_nvue_without_the_command() -> None:
    every = outputs("leaf-2")
    neighbours = {"10.7.7.7": {"remote-as": "65007", "state": "established"}}
    found = live({**every, "leaf-2-red.json": json.dumps(neighbours)})
    assert (told(found), [why for _, why in found.unread]) == ([], [f"line 1: {PART}"])


def test_the_vlans_of_the_bridge_alone_are_no_list_of_its_ports() -> None:
    text = json.dumps(
        [{"ifname": "br_default", "vlans": [{"vlan": 1, "flags": ["PVID", "Egress Untagged"]}]}]
    )
    assert live({"leaf-2.json": text}).wrong == ()
