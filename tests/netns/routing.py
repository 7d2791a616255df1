"""The routing of a pod: as in the rendered ``routes.yaml`` and as in the kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from ipaddress import ip_address
from itertools import count
from typing import Any, NamedTuple

from tests.netns.namespaces import Namespace

KERNEL_RULES = {"local", "main", "default"}
FIRST_FREE_PRIORITY = 32765  # a rule without priority is placed before all rules but that of table local


class Rule(NamedTuple):
    priority: int
    source: str
    table: str


class Route(NamedTuple):
    """``hop``: gateway, ``link``, or the type of a route without an interface, such as unreachable."""

    table: str
    to: str
    hop: str
    interface: str


def rules(namespace: Namespace) -> list[Rule]:
    """The kernel's rules without the three that every namespace has."""
    found = [r for r in namespace.ip("rule") if r["table"] not in KERNEL_RULES]
    return sorted(Rule(r["priority"], f"{r['src']}/{r.get('srclen', 32)}", r["table"]) for r in found)


def routes(namespace: Namespace) -> list[Route]:
    """The kernel's routes in all tables except local, which follows from the addresses."""
    return sorted(
        _route(r) for r in namespace.ip("route", "show", "table", "all") if r.get("table") != "local"
    )


def _route(r: Mapping[str, Any]) -> Route:
    hop = r.get("gateway") or r.get("scope") or r["type"]
    return Route(r.get("table", "main"), r["dst"], hop, "" if hop == r.get("type") else r["dev"])


def stated(
    interfaces: list[dict[str, Any]], addresses: Mapping[str, str], subnets: Mapping[str, str]
) -> list[dict[str, Any]]:
    """``routes.yaml`` with its placeholders replaced by the pod's own /31 link."""
    found = []
    for entry in interfaces:
        name = entry["interface"]
        gateway = str(ip_address(addresses[name]) - 1)
        text = json.dumps(entry).replace("node-prefix", subnets[name]).replace("node-gateway", gateway)
        found.append(json.loads(text))
    return found


def planned_rules(interfaces: list[dict[str, Any]], addresses: Mapping[str, str]) -> list[Rule]:
    """``addresses``: interface -> its address, which sbr rules contain."""
    free = count(FIRST_FREE_PRIORITY, -1)
    found = []
    for entry in interfaces:
        rule, own = entry["rule"], f"{addresses[entry['interface']]}/32"
        source = own if rule["from"] == "each address of the interface" else rule["from"]
        found.append(Rule(rule.get("priority") or next(free), source, str(entry["table"])))
    return sorted(found)


def planned_routes(interfaces: list[dict[str, Any]]) -> list[Route]:
    """Routes in the rails' tables and in table main, without the primary network's own default route."""
    found = [Route("main", "default", "169.254.1.1", "eth0"), Route("main", "169.254.1.1", "link", "eth0")]
    for entry in interfaces:
        in_table = [(str(entry["table"]), r) for r in entry["routes"]]
        in_main = [("main", r) for r in entry.get("main", [])]
        for table, r in in_table + in_main:
            hop = r.get("via") or r.get("scope") or r["type"]
            found.append(Route(table, r["to"], hop, "" if "type" in r else entry["interface"]))
    return sorted(found)
