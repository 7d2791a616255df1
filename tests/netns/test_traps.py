"""Typical mistakes with several rails: the effect of each on a pod, and the check that reports it beforehand.

Rendered files are broken as users break them; netplan's own checks read the broken files.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from ipaddress import IPv4Interface
from typing import Any

import pytest
import yaml

from netplan.model.artifact import Artifact
from netplan.pipeline import Result
from netplan.verify import verify
from tests.netns.flows import Exchange, Leg, exchange
from tests.netns.lab import Lab, attached, built, svi
from tests.netns.sites import site

pytestmark = [pytest.mark.netns, pytest.mark.xdist_group("netns-traps")]

Chain = dict[str, Any]
Edit = Callable[[Chain], object]


def broken(
    result: Result, chain: Edit = lambda _: None, pool: Edit = lambda _: None
) -> tuple[dict[str, str], list[str]]:
    """(files with every plugin chain and every pool edited, codes of the findings about them)."""
    artifacts = [_edited(a, chain, pool) for a in result.artifacts]
    return {a.path: a.text for a in artifacts}, sorted({d.code for d in verify(artifacts).diagnostics})


def _edited(artifact: Artifact, chain: Edit, pool: Edit) -> Artifact:
    if artifact.kind not in ("network-attachments", "ipam"):
        return artifact
    objects = list(yaml.safe_load_all(artifact.text))
    for thing in objects:
        if thing["kind"] == "NetworkAttachmentDefinition":
            config = json.loads(thing["spec"]["config"])
            chain(config)
            thing["spec"]["config"] = json.dumps(config)
        else:
            pool(thing["spec"])
    return replace(artifact, text=yaml.safe_dump_all(objects))


def without(plugin: str) -> Edit:
    return lambda chain: chain.update(plugins=[p for p in chain["plugins"] if p["type"] != plugin])


def sysctls(**values: str | None) -> Edit:
    """Set (None: remove) settings of ``all`` and the interface."""

    def edit(chain: Chain) -> None:
        found = next(p for p in chain["plugins"] if p["type"] == "tuning")["sysctl"]
        for name, value in values.items():
            for at in ("all", "IFNAME"):
                found.pop(f"net.ipv4.conf.{at}.{name}", None)
                found |= {f"net.ipv4.conf.{at}.{name}": value} if value is not None else {}

    return edit


def across(lab: Lab) -> Exchange:
    """From the first rail of one pod to the second rail of the other, bound to the first rail's address."""
    near, far = lab.pods
    first, second = near.nics[:2]
    return exchange(
        near.namespace, far.namespace, far.addresses[second.interface], near.addresses[first.interface]
    )


def on_primary(lab: Lab) -> Exchange:
    near, far = lab.pods
    return exchange(near.namespace, far.namespace, far.eth0)


RIGHT = Exchange(Leg("rail1", 3), Leg("rail0", 3))
PRIMARY = Exchange(Leg("eth0", 2), Leg("eth0", 2))


@pytest.mark.parametrize("back_end", ["sbr", "script"])
def test_as_rendered_there_is_no_trap(back_end):
    result = site(2, "shared", back_end)
    files, codes = broken(result)
    assert codes == []
    with attached(result, "training", tree=files) as lab:
        assert (across(lab), on_primary(lab)) == (RIGHT, PRIMARY)


def test_a_default_route_from_the_pool_takes_the_pods_other_traffic():
    result = site(2, "shared", "sbr")
    files, codes = broken(result, without("sbr"), lambda pool: pool.update(routes=[{"dst": "0.0.0.0/0"}]))
    with attached(result, "training", tree=files) as lab:
        pod = lab.pods[0].namespace
        assert pod.ip("route", "get", "203.0.113.1")[0]["dev"].startswith("rail")
        assert on_primary(lab) != PRIMARY
    assert "NP916" in codes


def test_without_rules_a_rail_leaves_on_the_wrong_rail():
    """The packet takes the connected route of the target's rail; that leaf drops it because of its source."""
    result = site(2, "shared", "none")
    with attached(result, "training") as lab:
        assert across(lab) != RIGHT
    assert [d.code for d in result.diagnostics if d.code.startswith("NP6")] == ["NP623"]


def test_a_table_that_sbr_would_take_is_in_use():
    """sbr looks for a free table only among the rules, finds routes in the table, and fails."""
    result = site(2, "shared", "sbr")
    with built(result, "training", (0,)) as lab:
        pod = lab.pods[0]
        pod.namespace.shell("ip route add default via 169.254.1.1 dev eth0 table 100")
        with pytest.raises(AssertionError, match="file exists"):
            pod.add(pod.nics[0])
    scripted = site(2, "shared", "script")
    texts = [
        replace(a, text=a.text.replace("table: 700", "table: 100")) if a.path.endswith("/routes.yaml") else a
        for a in scripted.artifacts
    ]
    assert [d.code for d in verify(texts).diagnostics] == ["NP918"]


def test_without_a_gateway_sbr_sends_across_rails_on_the_primary_network():
    result = site(2, "shared", "sbr")
    files, codes = broken(result, pool=lambda pool: (pool.pop("gateway"), pool.pop("routes", None)))
    with attached(result, "training", (1, 2), tree=files) as lab:  # node 0 would get the leaf's address
        pod, rail = lab.pods[0], lab.pods[0].nics[0].interface
        target = IPv4Interface(lab.pods[1].addresses["rail1"]).ip
        [route] = pod.namespace.ip("route", "get", str(target), "from", pod.addresses[rail])
        assert route["dev"] == "eth0"
    assert "NP916" in codes


def test_with_arp_filter_the_wrong_rail_answers_when_a_rule_is_missing():
    result = site(2, "shared", "sbr")
    files, codes = broken(result, sysctls(arp_filter="1", arp_ignore=None))
    with attached(result, "training", tree=files) as lab:
        far = lab.pods[1]
        first, second = far.nics[:2]
        target = far.addresses[second.interface]
        far.namespace.shell(
            *(f"ip rule del from {own}" for own in far.addresses.values()),
            *(f"ip route replace {n.subnet(1)} dev {n.interface}" for n in far.nics),
        )
        leaf = lab.leaves[lab.leaf(first)]
        leaf.shell(f"ip route replace {target}/32 dev {svi(first)}")
        answered = exchange(leaf, far.namespace, target, device=svi(first))
    assert answered.forward == Leg(first.interface, 0)
    assert codes == ["NP529"]
