"""NP918, NP529: what several attachments of one pod do to each other in its network namespace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.artifact import Artifact
from netplan.verify.cluster import Cluster, Network, Pod
from netplan.verify.naming import attached_pods, selected
from netplan.verify.tree import Finding

LOCAL, MAIN, UNSPEC, DEFAULT, COMPAT = 255, 254, 0, 253, 252
TABLE_MAX = 1023  # busybox networking/libiproute/rt_names.c, RT_TABLE_MAX (1.35 refuses 1024)
RULE_MAX = 32765  # of table main's rule it is 32766
OTHERS = (range(100, 200), range(500, 501), range(1000, 2000))
"""Tables that others number by themselves: sbr (containernetworking/plugins v1.9.1 plugins/meta/sbr/main.go,
firstTableID), Spiderpool (spidernet-io/spiderpool v1.2.2 cmd/coordinator/cmd/utils.go and cni_types.go),
DRANET (kubernetes-sigs/dranet v1.4.0 pkg/apis/defaults.go, pkg/cloudprovider/azure/azure.go)."""

RAIL_SYSCTLS: Mapping[str, tuple[int, ...]] = {
    "arp_ignore": (1, 2),
    "arp_announce": (2,),
    "rp_filter": (0, 2),
}
"""Setting -> values that do: the kernel takes the greater one of ``all`` and the interface
(torvalds/linux Documentation/networking/ip-sysctl.rst)."""

ETHERNET = frozenset({"sriov", "host-device", "macvlan"})
"""Main plugins whose interface answers ARP in the pod."""


def route_files(cluster: Cluster) -> list[tuple[Artifact, dict[str, Any]]]:
    """The routes.yaml of every workload."""
    return list(cluster.tree.routes)


def tables(cluster: Cluster, subject: tuple[Artifact, dict[str, Any]]) -> Iterator[Finding]:
    """Each rail has a routing table and a rule priority of its own, in a range nobody else numbers.

    **Why.** Two rails with one table send on the rail that came last. A table that a CNI plugin numbers by
    itself makes that plugin fail, or mixes its routes with these; busybox has none above 1023.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** containernetworking/plugins plugins/meta/sbr/main.go; spidernet-io/spiderpool
    cmd/coordinator/cmd/utils.go; kubernetes-sigs/dranet v1.4.0 pkg/apis/defaults.go; busybox
    networking/libiproute/rt_names.c, RT_TABLE_MAX (1.35 refuses table 1024).
    """
    artifact, data = subject
    entries = [e for e in data.get("interfaces", ()) if "table" in e]
    for family in sorted({e["family"] for e in entries}):
        mine = [e for e in entries if e["family"] == family]
        for table, times in Counter(e["table"] for e in mine).items():
            if times > 1:
                yield Finding(artifact, f"{times} interfaces have {family} table {table}")
        stated = [e["rule"]["priority"] for e in mine if "priority" in e["rule"]]
        for priority, times in Counter(stated).items():
            if times > 1:
                yield Finding(artifact, f"{times} {family} rules have priority {priority}")
    for entry in entries:
        yield from (Finding(artifact, f"{entry['interface']}: {text}") for text in _out_of_range(entry))


def _out_of_range(entry: Mapping[str, Any]) -> Iterator[str]:
    table, priority = entry["table"], entry["rule"].get("priority", 1)
    if table in (UNSPEC, COMPAT, DEFAULT, MAIN, LOCAL) or not 0 < table <= TABLE_MAX:
        yield f"table {table} is the kernel's own or above {TABLE_MAX}"
    if entry["back_end"] != "sbr" and any(table in numbers for numbers in OTHERS):
        yield f"table {table} is one that CNI plugins number by themselves"
    if not 0 < priority <= RULE_MAX:
        yield f"rule priority {priority} is not before that of table main"


def crowded_pods(cluster: Cluster) -> list[Pod]:
    """Pods with several interfaces that answer ARP."""
    return [pod for pod in attached_pods(cluster) if len(_answering(cluster, pod)) > 1]


def _answering(cluster: Cluster, pod: Pod) -> list[tuple[str, Network]]:
    """(interface, network) of the attachments with addresses; names that do not exist are NP912's."""
    found = (
        (name or f"net{n}", cluster.networks.get(key, ())) for n, (key, name) in enumerate(selected(pod), 1)
    )
    return [
        (interface, same[0])
        for interface, same in found
        if same and same[0].plugins[0]["type"] in ETHERNET and same[0].ipams
    ]


def answers(cluster: Cluster, pod: Pod) -> Iterator[Finding]:
    """An interface answers ARP for its own addresses only, asks with them, and takes packets from any rail.

    **Why.** By default Linux answers for any address of the host on any interface: a peer then sends to the
    wrong VF, ping works and RoCE fails. Strict reverse-path filtering drops what comes from another rail,
    and with arp_filter the wrong interface answers as long as a rule is missing.
    **Fix.** This is a bug in netplan: report it with the inventory.
    **Source.** Mellanox/network-operator README.md, tuning before sbr; measured in network namespaces with
    each setting on and off.
    """
    attached = _answering(cluster, pod)
    settings: dict[str, list[int]] = {}
    for interface, network in attached:
        for key, value in _sysctls(network):
            settings.setdefault(key.replace("IFNAME", interface), []).append(int(value))
    for name, wanted in RAIL_SYSCTLS.items():
        for interface, network in attached:
            keys = (f"net.ipv4.conf.{at}.{name}" for at in ("all", interface))
            values = [value for key in keys for value in settings.get(key, ())]
            if not values or max(values) not in wanted:
                said = f"sets {name} to {max(values)}" if values else f"does not set {name}"
                message = f"{pod.thing}: {interface} ({network.thing}) {said} in all and the interface"
                yield Finding(pod.thing.artifact, f"{message}, it takes {' or '.join(map(str, wanted))}")
    for interface, network in attached:
        if any(key.endswith(".arp_filter") and value != "0" for key, value in _sysctls(network)):
            yield Finding(pod.thing.artifact, f"{pod.thing}: {interface} ({network.thing}) sets arp_filter")


def _sysctls(network: Network) -> Iterator[tuple[str, str]]:
    for plugin in network.plugins:
        yield from plugin.get("sysctl", {}).items()
