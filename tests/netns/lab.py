"""A small cluster: the leaves of the plan, a spine, hosts with VFs, pods with an eth0 like Calico's.

Only bridges and veth pairs. A bridge on a leaf is a VLAN with its SVI, a host's VFs are veth pairs to those
bridges, and the leaves drop packets whose source belongs to another interface (strict rp_filter).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from netplan.model.plan import Plan
from netplan.pipeline import Result
from tests.inventories import outputs
from tests.netns.namespaces import Namespace
from tests.netns.rendered import Lease, Nic, lease, nics, runnable
from tests.probes import CNI_BIN

PORT_MTU = 9216
VF_MTU = 1500  # a VF does not inherit its PF's, and sriov-cni sets none

ROUTER = (
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
    "echo 1 > /proc/sys/net/ipv4/conf/all/rp_filter",
    "echo 1 > /proc/sys/net/ipv4/conf/default/rp_filter",
)

ARPING = """#!/bin/sh
echo "$@" >> /run/arping.calls
"""
INSTALL_ARPING = "mkdir -p /run/bin; cat > /run/bin/arping; chmod +x /run/bin/arping; : > /run/arping.calls"


@dataclass
class Pod:
    """A pod. ``number``: counted over all pods; ``leases``: interface -> result of its IPAM; ``chains``:
    interface -> configuration for DEL; ``used``: see ``runnable``."""

    number: int
    node: int
    host: Namespace
    namespace: Namespace
    nics: list[Nic]
    leases: Mapping[str, Lease]
    chains: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)

    @property
    def eth0(self) -> str:
        return f"10.244.{self.node}.{10 + self.number}"

    @property
    def addresses(self) -> dict[str, str]:
        """Interface -> the address its chain returned."""
        return {name: result["ips"][0]["address"].split("/")[0] for name, (_, result) in self.chains.items()}

    def add(self, nic: Nic) -> None:
        """ADD as in libcni: in order, each plugin gets the previous plugin's result."""
        plugins, used = runnable(nic, vf(nic, self.number), self.leases[nic.interface])
        result: dict[str, Any] = {}
        for plugin in plugins:
            result = json.loads(self._exec("ADD", plugin, nic.interface, result))
        self.chains[nic.interface] = plugins, result
        self.used += used

    def delete(self, nic: Nic) -> None:
        """DEL: in reverse order, each plugin gets the result of ADD."""
        plugins, result = self.chains.pop(nic.interface)
        for plugin in reversed(plugins):
            self._exec("DEL", plugin, nic.interface, result)

    def _exec(
        self, command: str, plugin: Mapping[str, Any], interface: str, result: Mapping[str, Any]
    ) -> str:
        variables = {
            "CNI_COMMAND": command,
            "CNI_CONTAINERID": f"pod-{self.number}",
            "CNI_NETNS": self.namespace.path,
            "CNI_IFNAME": interface,
            "CNI_PATH": str(CNI_BIN),
        }
        config = {**plugin, "prevResult": result} if result else plugin
        return self.host.run(str(CNI_BIN / plugin["type"]), stdin=json.dumps(config), env=variables)

    def routes(self, script: str, arping: str | None = None) -> None:
        """Run rail-routes.sh as the init container does; ``arping``: a program, by default one that records
        its calls."""
        install = INSTALL_ARPING if arping is None else f"mkdir -p /run/bin; ln -s {arping} /run/bin/arping"
        self.namespace.run("sh", "-ec", install, stdin=ARPING)
        self.namespace.run("sh", "-c", script, env={"PATH": f"/run/bin:{os.environ['PATH']}"})


@dataclass
class Lab:
    """``tree``: the rendered files; ``leaves``: name -> namespace."""

    plan: Plan
    tree: Mapping[str, str]
    workload: str
    leaves: Mapping[str, Namespace]
    pods: list[Pod]

    def file(self, name: str) -> str:
        return self.tree[f"pods/{self.workload}/{name}"]

    @property
    def script(self) -> str | None:
        return self.tree.get(f"pods/{self.workload}/rail-routes.sh")

    def leaf(self, nic: Nic, node: int = 0) -> str:
        """The leaf to which the HCA of a rail is cabled."""
        return leaf_of(self.plan, nic, node)


def leaf_of(plan: Plan, nic: Nic, node: int) -> str:
    segment = next(s for s in plan.addresses.segments if s.name == nic.segment)
    if segment.leaf is not None:
        return segment.leaf
    host = plan.fabric.hosts[node].name
    links = plan.addresses.host_links
    return next(x.link.switch.name for x in links if x.rail == segment.rail and x.link.host.name == host)


@contextmanager
def built(
    result: Result, workload: str, nodes: Sequence[int] = (0, 1), tree: Mapping[str, str] | None = None
) -> Iterator[Lab]:
    """The fabric of an inventory, and a pod of the workload without attachments on each of ``nodes``.

    ``tree``: rendered files for attaching the pods, instead of the inventory's own.
    """
    assert result.plan is not None
    files = outputs(result) if tree is None else tree
    wanted, fitting = nics(files, workload), nics(outputs(result), workload)
    with ExitStack() as stack:
        hosts = {node: stack.enter_context(Namespace()) for node in sorted({*nodes})}
        leaves = _fabric(stack, result.plan, fitting, hosts)
        business = stack.enter_context(Namespace())
        business.shell("ip link add br0 type bridge", "ip link set br0 up")
        for node, host in hosts.items():
            _connect(host, node, business, hosts)
        made = []
        for number, node in enumerate(nodes):
            leases = {nic.interface: lease(nic.pool, node, nodes[:number].count(node)) for nic in wanted}
            pod = Pod(number, node, hosts[node], stack.enter_context(Namespace()), wanted, leases)
            for nic in fitting:
                plug(pod, nic, leaves[leaf_of(result.plan, nic, node)])
            _eth0(pod)
            made.append(pod)
        yield Lab(result.plan, files, workload, leaves, made)


@contextmanager
def attached(
    result: Result,
    workload: str,
    nodes: Sequence[int] = (0, 1),
    tree: Mapping[str, str] | None = None,
    *,
    backwards: bool = False,
) -> Iterator[Lab]:
    """The same with every attachment added in annotation order and the script's rail routes installed."""
    with built(result, workload, nodes, tree) as lab:
        for pod in lab.pods:
            for nic in reversed(pod.nics) if backwards else pod.nics:
                pod.add(nic)
            if lab.script is not None:
                pod.routes(lab.script)
        yield lab


def _fabric(
    stack: ExitStack, plan: Plan, wanted: list[Nic], nodes: Mapping[int, Namespace]
) -> dict[str, Namespace]:
    """A spine and the leaves; a leaf has a bridge with the gateway's address for each shared subnet."""
    spine = stack.enter_context(Namespace())
    spine.shell(*ROUTER)
    leaves: dict[str, Namespace] = {}
    for nic in wanted:
        for node in nodes:
            name = leaf_of(plan, nic, node)
            if name not in leaves:
                leaves[name] = stack.enter_context(Namespace())
                _uplink(leaves[name], spine, len(leaves))
            number = list(leaves).index(name) + 1
            spine.shell(f"ip route replace {nic.subnet(node)} via 192.168.{number}.1")
        if nic.shared:
            leaves[name].shell(
                f"ip link add {svi(nic)} mtu {PORT_MTU} type bridge",
                f"ip link set {svi(nic)} up",
                f"ip addr add {nic.gateway(0)} dev {svi(nic)}",
            )
    return leaves


def _uplink(leaf: Namespace, spine: Namespace, number: int) -> None:
    leaf.shell(
        *ROUTER,
        f"ip link add uplink type veth peer name down{number} netns {spine.pid}",
        f"ip link set uplink mtu {PORT_MTU} up",
        f"ip addr add 192.168.{number}.1/31 dev uplink",
    )
    spine.shell(
        f"ip link set down{number} mtu {PORT_MTU} up",
        f"ip addr add 192.168.{number}.0/31 dev down{number}",
    )
    leaf.shell(f"ip route add default via 192.168.{number}.0")


def svi(nic: Nic) -> str:
    """The leaf's interface that models the SVI of a rail's VLAN."""
    return f"svi-{nic.interface}"


def vf(nic: Nic, pod: int) -> str:
    """The interface that models the device that the device plugin gives to a pod."""
    return f"vf{pod}-{nic.interface}"


def port(nic: Nic, pod: int) -> str:
    """The leaf's end of that device's link."""
    return f"{nic.interface}-{pod}"


def plug(pod: Pod, nic: Nic, leaf: Namespace) -> None:
    """Create a device on the pod's host and its leaf port: in the rail's VLAN, or with the gateway of a
    routed link."""
    here, there = vf(nic, pod.number), port(nic, pod.number)
    pod.host.shell(f"ip link add {here} mtu {VF_MTU} type veth peer name {there} netns {leaf.pid}")
    if nic.shared:
        leaf.shell(f"ip link set {there} mtu {PORT_MTU} master {svi(nic)} up")
    else:
        leaf.shell(
            f"ip link set {there} mtu {PORT_MTU} up", f"ip addr add {nic.gateway(pod.node)} dev {there}"
        )


def _connect(host: Namespace, node: int, business: Namespace, nodes: Mapping[int, Namespace]) -> None:
    """The primary network between the hosts: one subnet, and a route to the pods of every other host."""
    host.shell(
        "echo 1 > /proc/sys/net/ipv4/ip_forward",
        f"ip link add primary type veth peer name host{node} netns {business.pid}",
        "ip link set primary up",
        f"ip addr add 192.168.255.{10 + node}/24 dev primary",
        "ip route add default dev primary",  # proxy_arp answers only for what the host has a route to
        *(f"ip route add 10.244.{n}.0/24 via 192.168.255.{10 + n}" for n in nodes if n != node),
    )
    business.shell(f"ip link set host{node} master br0 up")


def _eth0(pod: Pod) -> None:
    """eth0 as Calico makes it: a /32, all traffic via 169.254.1.1, for which the host answers ARP."""
    cali = f"cali{pod.number}"
    pod.host.shell(
        f"ip link add {cali} type veth peer name eth0 netns {pod.namespace.pid}",
        f"echo 1 > /proc/sys/net/ipv4/conf/{cali}/proxy_arp",
        f"echo 0 > /proc/sys/net/ipv4/neigh/{cali}/proxy_delay",
        f"ip link set {cali} up",
        f"ip route add {pod.eth0} dev {cali}",
    )
    pod.namespace.shell(
        f"ip addr add {pod.eth0}/32 dev eth0",
        "ip link set eth0 up",
        "ip route add 169.254.1.1 dev eth0 scope link",
        "ip route add default via 169.254.1.1 dev eth0",
    )
