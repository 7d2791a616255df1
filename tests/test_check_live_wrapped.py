"""``check-live``: outputs within the answer of an API or of Ansible, and of several VRFs in one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.test_check_live_json import live, outputs, told

Wrap = Callable[[dict[str, Any]], Any]
"""Command -> output to what holds them."""
ANSWERS: dict[str, Wrap] = {
    "eAPI": lambda found: {"jsonrpc": "2.0", "id": "EapiExplorer-1", "result": [{}, *found.values()]},
    "commands beside results": lambda found: [
        {"command": command, "encoding": "json", "result": data} for command, data in found.items()
    ],
    "NX-API JSON-RPC": lambda found: [
        {"jsonrpc": "2.0", "result": {"body": data}, "id": n} for n, data in enumerate(found.values(), 1)
    ],
    "ins_api": lambda found: {
        "ins_api": {
            "type": "cli_show",
            "version": "1.0",
            "sid": "eoc",
            "outputs": {
                "output": [
                    {"input": command, "msg": "Success", "code": "200", "body": data}
                    for command, data in found.items()
                ]
            },
        }
    },
    "Ansible": lambda found: {
        "changed": False,
        "failed": False,
        "stdout": list(found.values()),
        "stdout_lines": list(found.values()),
    },
}
COMMANDS = {
    "lldp": "show lldp neighbors detail",
    "ports": "show interface",
    "vlans": "show vlan",
    "bgp": "show bgp all summary",
}
EDITS = {
    "leaf-4": ("ports", '"lineProtocolStatus": "up"', '"lineProtocolStatus": "down"'),
    "leaf-5": ("ports", '"state": "up"', '"state": "down"'),
}


def found_of(switch: str) -> dict[str, Any]:
    return {COMMANDS[key]: json.loads(outputs(switch)[f"{switch}-{key}.json"]) for key in COMMANDS}


def right(found: Live) -> set[tuple[str, str, str]]:
    return {(c.claim.kind, c.claim.subject, c.claim.field) for c in found.judged if c.outcome == "ok"}


@pytest.mark.parametrize("switch", EDITS)
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("indent", [None, 1])
def test_outputs_in_the_answer_of_an_api_are_as_outputs_alone(
    switch: str, answer: str, indent: int | None
) -> None:
    found = found_of(switch)
    alone = live({f"{switch}-{key}.json": outputs(switch)[f"{switch}-{key}.json"] for key in COMMANDS})
    whole = json.dumps(ANSWERS[answer](found), indent=indent)
    assert right(live({f"{switch}.json": whole})) == right(alone)
    _, before, after = EDITS[switch]
    wrong = live({f"{switch}.json": whole.replace(before, after, 1)})
    assert (len(wrong.wrong), wrong.unread) == (1, ())
    assert wrong.wrong[0].at is not None
    assert (wrong.wrong[0].at.line > 1) == (indent is not None)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("show bgp vrf RED all summary", "BGP summary of RED, not of the default VRF"),
        ("show bgp l2vpn evpn summary", "BGP summary of another address family"),
    ],
)
def test_the_command_in_an_answer_says_what_it_is_about(command: str, why: str) -> None:
    data = {command: found_of("leaf-5")["show bgp all summary"]}
    found = live({"leaf-5.json": json.dumps(ANSWERS["ins_api"](data))})
    assert (found.judged, [reason for _, reason in found.unread]) == ((), [why])


@pytest.mark.parametrize("data", [{"result": ["text"]}, {"stdout": "text"}, {"outputs": {"output": []}}])
def test_an_answer_without_a_known_output_is_told(data: Any) -> None:
    found = live({"leaf-4.json": json.dumps(data)})
    assert found.judged == ()
    assert found.unread == (
        ("leaf-4.json", "no output that check-live reads; docs/check-live.md lists them"),
    )


FRR = "sudo vtysh -c 'show bgp vrf all summary json'"


def of_vrfs(**vrfs: Any) -> Live:
    return live({"leaf-2.txt": f"cumulus@leaf-2:~$ {FRR}\n{json.dumps(vrfs)}\ncumulus@leaf-2:~$ \n"})


def test_sessions_of_the_default_vrf_among_those_of_all_vrfs() -> None:
    """FRRouting/frr fbfc8222 bgpd/bgp_vty.c, bgp_show_all_instances_summary_vty: an object by VRF."""
    text = outputs("leaf-2")["leaf-2-bgp.json"]
    own, alone = json.loads(text), right(live({"leaf-2-bgp.json": text}))
    red = json.loads(
        text.replace("Established", "Active").replace('"vrfName": "default"', '"vrfName": "RED"')
    )
    found = of_vrfs(default=own, RED=red)
    assert (right(found), told(found)) == (alone, [])
    assert [why for _, why in found.unread] == ["line 2: BGP summary of RED, not of the default VRF"]
    one = of_vrfs(default=own["ipv4Unicast"])
    assert right(one) == alone
    wrong = of_vrfs(default=json.loads(text.replace("Established", "Active", 1)))
    assert len(wrong.wrong) == 1
    assert of_vrfs(RED=red).judged == ()


@pytest.mark.parametrize(
    ("command", "text", "wrong"),
    [
        ("show bgp summary json", "{}", True),
        ("show ip bgp summary json", "{}", True),
        ("show bgp ipv6 unicast summary json", "{}", False),
        ("show bgp ipv6 unicast summary", "% No BGP neighbors found in VRF default", False),
        ("show bgp ipv4 unicast summary", "% No BGP neighbors found in VRF default", True),
        ("show bgp summary", "% No BGP neighbors found in VRF default", True),
        ("show bgp vrf RED summary", "% No BGP neighbors found in VRF RED", False),
        ("show bgp ipv6 unicast summary", "% BGP instance not found", True),
    ],
)
def test_a_list_of_no_neighbour_is_of_the_family_that_was_asked_for(
    command: str, text: str, wrong: bool
) -> None:
    """All planned sessions of leaf-2 are of IPv4."""
    found = live({"leaf-2.txt": f"cumulus@leaf-2:~$ sudo vtysh -c '{command}'\n{text}\ncumulus@leaf-2:~$ \n"})
    assert {one.found for one in found.wrong} == ({"no row"} if wrong else set())
