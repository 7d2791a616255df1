"""``check-live``: VLANs of Junos, whole lists, parts of them and other instances."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.live.judge import Live
from tests.live_json import element
from tests.test_check_live_json import live, outputs, told

FILE = "leaf-6-vlans.json"


def groups() -> list[Any]:
    data = json.loads(outputs("leaf-6")[FILE])["l2ng-l2ald-vlan-instance-information"]
    found: list[Any] = data[0]["l2ng-l2ald-vlan-instance-group"]
    return found


def shown(vlans: list[Any], command: str = "") -> Live:
    data = {"l2ng-l2ald-vlan-instance-information": [{"l2ng-l2ald-vlan-instance-group": vlans}]}
    prompt = f"ops@leaf-6> {command} | display json\n" if command else ""
    return live({FILE: prompt + json.dumps(data)})


def seen(found: Live) -> set[str]:
    return {one.claim.subject for one in found.judged if one.outcome == "ok"}


def test_a_vlan_that_a_whole_list_does_not_have_is_wrong() -> None:
    assert {one.found for one in shown(groups()[1:], "show vlans detail").wrong} == {"no row"}


@pytest.mark.parametrize("command", ["show vlans default detail", "show vlans 1", "show vlans | match x"])
def test_of_vlans_that_were_asked_for_nothing_is_missing(command: str) -> None:
    assert told(shown(groups()[-1:], command)) == []


def test_a_list_without_the_default_vlan_may_be_a_part() -> None:
    found = shown([groups()[0] | element(l2ng_l2rtb_vlan_tag=999)], "show vlans detail")
    assert {one.claim.subject.partition(" ")[0] for one in found.wrong} == {"999"}


def test_members_without_their_tagging() -> None:
    """``show vlans``, not ``detail``."""
    vlans = groups()
    for vlan in vlans:
        for member in vlan.get("l2ng-l2rtb-vlan-member", []):
            del member["l2ng-l2rtb-vlan-member-tagness"]
    found = shown(vlans, "show vlans")
    assert told(found) == []
    assert {"105 et-0/0/1"} <= seen(found)
    assert {one.claim.field for one in found.not_seen if one.claim.subject == "105 et-0/0/1"} == {"tagging"}


def test_a_vlan_of_another_instance_is_another_vlan() -> None:
    other = groups()[0] | element(l2ng_l2rtb_name="tenant-a")
    found = shown([other, *groups()[1:]])
    assert {one.found for one in found.wrong} == {"no row"}
    assert "VLANs of instance tenant-a" in found.unread[0][1]


def test_tunnels_and_unplanned_vlans_are_no_members_of_the_plan() -> None:
    vtep = element(l2ng_l2rtb_vlan_member_interface="vtep.32769*", l2ng_l2rtb_vlan_member_tagness="tagged")
    vlans = groups()
    vlans[0]["l2ng-l2rtb-vlan-member"].append(vtep)
    assert told(shown(vlans)) == []
    vlans[0]["l2ng-l2rtb-vlan-member"].append(
        element(l2ng_l2rtb_vlan_member_interface="ae1.0*", l2ng_l2rtb_vlan_member_tagness="tagged")
    )
    assert told(shown(vlans)) == ["105 ae1 tagging: , tagged"]
