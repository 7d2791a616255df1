"""``netplan import``: settings that netplan's networks of rails have and those of the dumps lack are told."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.importing.run import import_texts
from tests.dumped_site import listed
from tests.test_import_leaves import PAIRS, nad, pool
from tests.test_import_leaves import site as leaves_of

ADDED = "netplan adds"
TUNING = {"type": "tuning", "sysctl": {"net.ipv4.conf.IFNAME.arp_ignore": "1"}}


def told(plugins: list[dict[str, Any]], routes: list[dict[str, str]] | None = None) -> list[str]:
    """Of two leaves with two rails; ``plugins``: behind the main one."""
    objects = [each for each in listed_of() if each["kind"] == "ConfigMap" or "Node" in each["kind"]]
    for pair in PAIRS:
        own, network = pool(*pair), nad(*pair)
        main = json.loads(network["spec"]["config"])
        network["spec"]["config"] = json.dumps({"plugins": [main, *plugins]})
        own["spec"] |= {"routes": routes} if routes else {}
        objects += [network, own]
    result = import_texts({**leaves_of(PAIRS).texts, "k.yaml": listed(objects)}, "site")
    return [each.text for each in result.remarks if ADDED in each.text]


def listed_of() -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = yaml.safe_load(leaves_of(PAIRS).texts["k.yaml"])["items"]
    return items


def test_a_gateway_that_a_pool_gets_is_told() -> None:
    """Others of the rails have one: an inventory says for all."""
    text = listed(listed_of())
    stated = "    gateway: 10.1.1.1\n"
    assert stated in text
    result = import_texts({**leaves_of(PAIRS).texts, "k.yaml": text.replace(stated, "")}, "site")
    (told,) = [each.text for each in result.remarks if "without a gateway" in each.text]
    why = "netplan gives all pools of rails one, as other pools or the leaves have"
    assert told == f"pool p0-2 without a gateway: {why}"


SYSCTLS = "network t/rail-0-leaf-1 without sysctls: netplan adds the tuning plugin, which sets arp_ignore 1"
ROUTES = "pool p0-1 without routes: netplan adds routes to the other networks of the rails (and 3 more)"


@pytest.mark.parametrize(
    ("plugins", "routes", "wanted"),
    [
        ([], None, [SYSCTLS]),
        ([{"type": "rdma"}, {"type": "sbr"}], None, [SYSCTLS, ROUTES]),
        ([TUNING, {"type": "sbr"}], None, [ROUTES]),
        ([TUNING, {"type": "sbr"}], [{"dst": "10.1.0.0/16"}], []),
        ([TUNING], None, []),
    ],
)
def test_what_a_rollout_adds_is_told(
    plugins: list[dict[str, Any]], routes: list[dict[str, str]] | None, wanted: list[str]
) -> None:
    found = sorted(told(plugins, routes))
    assert [line[: len(begin)] for line, begin in zip(found, wanted, strict=True)] == wanted
