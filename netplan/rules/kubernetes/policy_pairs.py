"""NP786, NP787: SR-IOV policies that do not go together."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from netplan.graph.kubernetes.cluster import SRIOV, ObjectGraph
from netplan.graph.kubernetes.node_selection import surely_meet
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.policies import Group, groups, selector_of
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_PORTS = ("pfNames", "rootDevices")
"""Selectors of individual PFs."""


def _pairs(cluster: ObjectGraph) -> list[tuple[Group, Group]]:
    """Groups of different policies that may meet on a node, compared per PF."""
    by_pf: dict[str, list[Group]] = {}
    for policy in cluster.policies:
        for key in _PORTS:
            for group in groups(policy, key):
                by_pf.setdefault(group.pf, []).append(group)
    return [
        (one, other)
        for same in by_pf.values()
        for one, other in combinations(same[:PAIRS_MAX], 2)
        if str(one.policy) != str(other.policy)
        and may_meet(one.policy, other.policy)
        and cluster.together(one.policy, other.policy)
    ]


def _may_share_a_pf(one: Thing, other: Thing) -> bool:
    """Whether root devices do not rule out a common PF: all parts of a selector must match. PFs of different
    names may be one: a name may be an alternative name of the interface."""
    both = [listing(selector_of(policy).get("rootDevices")) for policy in (one, other)]
    stated = [{each for each in own if isinstance(each, str)} for own in both]
    final = not any(templated(each) for own in stated for each in own)
    return not (all(stated) and final) or bool(stated[0] & stated[1])


PAIRS_MAX = 300
"""Groups compared with each other per PF, at most; a PF has at most 128 VFs."""


def may_meet(one: Thing, other: Thing) -> bool:
    """Whether two policies surely select a common node and may select a common NIC."""
    for key in ("vendor", "deviceID"):  # if these differ, the same PF name is on different cards
        stated = {str(selector_of(policy).get(key) or "").lower() for policy in (one, other)} - {""}
        if len(stated) > 1:
            return False
    nodes = (mapping(policy.spec.get("nodeSelector")) for policy in (one, other))
    return one.may_be_beside(other) and surely_meet(*nodes)


_WHAT_IT_TAKES = ("resourceName", "numVfs", "nicSelector", "nodeSelector")


def _two_forms(one: Thing, other: Thing) -> bool:
    """Whether two files have one policy under two names, with another setting: one of them is applied."""
    same = all(one.spec.get(key) == other.spec.get(key) for key in _WHAT_IT_TAKES)
    return same and one.file != other.file and one.spec != other.spec


def _apart(one: Group, other: Group) -> bool:
    return one.first > other.last or other.first > one.last


def take_the_same(one: Thing, other: Thing, keys: tuple[str, ...] = _PORTS) -> bool:
    """Whether two policies take the same VF of a PF, on nodes that both surely select."""
    pairs = ((a, b) for key in keys for a in groups(one, key) for b in groups(other, key))
    meet = may_meet(one, other) and _may_share_a_pf(one, other)
    return meet and any(a.pf == b.pf and not _apart(a, b) for a, b in pairs)


@rule("NP786", "policies claim the same VFs", on=_pairs, between=True)
def overlaps(cluster: ObjectGraph, pair: tuple[Group, Group]) -> Iterator[ObjectFinding]:
    """On one PF each VF belongs to one policy; a policy without a range takes all of them. Two files with one
    policy under two names, which differ in a setting such as the MTU, are alternatives, as are two files that
    each have policy, network and pods of their own. All parts of nicSelector must match: policies with
    different `rootDevices` have no PF in common. What files of others say that no kustomization joins is a
    note: they may be steps, one after the other.

    **Why.** The operator silently drops the group of the lower-priority policy, so its resource is
    missing or smaller. The webhook is off by default, stops comparing at the first shared PF whose ranges
    do not overlap, and never checks a policy without a range; a root device it accepts in one policy only,
    whatever the ranges: where these do not overlap and a SriovOperatorConfig leaves it off, nothing is wrong.
    **Fix.** Give each policy a range of its own.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/webhook/validate.go,
    api/v1/helper.go (Selected); openshift/sriov-network-operator#727.
    """
    one, other = pair
    if _apart(one, other) or _two_forms(one.policy, other.policy):
        return
    if cluster.apart(one.policy, other.policy) or not _may_share_a_pf(one.policy, other.policy):
        return
    unsure = not cluster.joined(one.policy, other.policy)
    if one.at[-2] == other.at[-2] == "rootDevices":
        message = _of_root_device(cluster, one, other)
        hint = "select by pfNames alone, with ranges that do not overlap"
        if message:
            yield ObjectFinding(other.policy, other.at, message, hint, unsure=unsure)
        return
    both = f"VF {max(one.first, other.first)} to {min(one.last, other.last)} of {one.pf}"
    whole = "" if one.ranged and other.ranged else " (a policy without range takes every VF)"
    message = f"{both} are also taken by {one.policy} at {one.policy.source(one.at)}{whole}"
    hint = f"write ranges that do not overlap, such as {one.pf}#0-3 and {one.pf}#4-7"
    yield ObjectFinding(other.policy, other.at, message, hint, unsure=unsure)


def _of_root_device(cluster: ObjectGraph, one: Group, other: Group) -> str:
    """What two policies of one root device do; empty where their PF names tell it, or only the webhook
    refuses them and is off."""
    where = one.policy.source(one.at)
    names = [listing(selector_of(each.policy).get("pfNames")) for each in (one, other)]
    if not all(names):
        whole = "(a policy without range takes every VF)"
        return f"VFs of {one.pf} are also taken by {one.policy} at {where} {whole}"
    if take_the_same(one.policy, other.policy, ("pfNames",)) or _is_webhook_off(cluster):
        return ""
    refused = "the operator's webhook, where it is on, refuses the second, whatever their VF ranges"
    return f"{one.pf} is also in rootDevices of {one.policy} at {where}: {refused}"


def _is_webhook_off(cluster: ObjectGraph) -> bool:
    """Whether each operator that the files configure runs without its webhook, the default
    (k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovoperatorconfig_types.go)."""
    configs = [thing for thing in cluster.of(SRIOV, "SriovOperatorConfig") if not thing.partial]
    return bool(configs) and not any(each.spec.get("enableOperatorWebhook") for each in configs)


def _by_resource(cluster: ObjectGraph) -> list[list[Thing]]:
    found: dict[str, list[Thing]] = {}
    for policy in cluster.policies:
        if isinstance(policy.spec.get("resourceName"), str):
            found.setdefault(policy.spec["resourceName"], []).append(policy)
    return [same for same in found.values() if len(same) > 1]


@rule("NP787", "policies of one resource differ", on=_by_resource, between=True)
def one_resource(cluster: ObjectGraph, same: list[Thing]) -> Iterator[ObjectFinding]:
    """The operator merges the policies of a resource on a node into one selector of the device plugin. Of
    files of others that no kustomization joins it is a note.

    **Why.** isRdma, needVhostNet and vdpaType come from the first policy only, excludeTopology from the
    last; pfNames of one and rootDevices of the other must both match, which may match nothing.
    **Fix.** Give both policies the same setting, or resources of their own.
    **Source.** k8snetworkplumbingwg/sriov-network-operator 249e200
    controllers/sriovnetworknodepolicy_controller.go, pkg/webhook/validate.go.
    """
    first, *others = same
    for other in others:
        if str(other) != str(first) and not cluster.apart(first, other) and cluster.together(first, other):
            unsure = not cluster.joined(first, other)
            found = (*_other_settings(first, other), *_otherselector_of(first, other))
            yield from (replace(each, unsure=unsure) for each in found)


def _other_settings(first: Thing, other: Thing) -> Iterator[ObjectFinding]:
    for key in ("excludeTopology", "isRdma", "needVhostNet", "vdpaType"):
        mine, theirs = (p.spec.get(key) or False for p in (other, first))
        if mine != theirs and (key == "excludeTopology" or may_meet(first, other)):
            words = [json.dumps(value, default=str) for value in (mine, theirs)]
            message = f"{key} is {words[0]}, of {first}, with the same resource, {words[1]}"
            at = ("spec", key) if key in other.spec else ("spec", "resourceName")
            yield ObjectFinding(other, at, message, f"set the same {key} in both")


def _otherselector_of(first: Thing, other: Thing) -> Iterator[ObjectFinding]:
    kinds = [tuple(k for k in ("pfNames", "rootDevices") if selector_of(p).get(k)) for p in (other, first)]
    if len(set(kinds)) == 2 and all(kinds) and may_meet(first, other):
        message = f"it selects by {kinds[0][0]}, {first}, with the same resource, by {kinds[1][0]}"
        yield ObjectFinding(other, ("spec", "nicSelector"), message, "select by the same key in both")
