"""A small cluster: the leaves of the plan, a spine, hosts with VFs, pods with Calico's kind of eth0.

Bridges and veth pairs only. A bridge on a leaf is a VLAN with its SVI, a host's VFs are veth pairs to those
bridges, and the leaves drop what comes with a source that belongs elsewhere (strict rp_filter).
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any

from netplan.model.addresses import Segment
from netplan.model.plan import Plan
from tests.inventories import compiled, outputs
from tests.netns.namespaces import Namespace
from tests.netns.rendered import Nic, nics, runnable
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
    """A pod on a host of its own; ``chains``: what DEL needs, by interface; ``used``: see ``runnable``."""

    node: int
    host: Namespace
    namespace: Namespace
    nics: list[Nic]
    chains: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = field(default_factory=dict)
    used: Counter[str] = field(default_factory=Counter)

    @property
    def eth0(self) -> str:
        return f"10.244.{self.node}.10"

    @property
    def addresses(self) -> dict[str, str]:
        """Interface -> the address its chain returned."""
        return {name: result["ips"][0]["address"].split("/")[0] for name, (_, result) in self.chains.items()}

    def add(self, nic: Nic) -> None:
        """ADD as libcni does it: in order, every plugin gets the result of the one before."""
        plugins, used = runnable(nic, f"vf-{nic.interface}", self.node)
        result: dict[str, Any] = {}
        for plugin in plugins:
            result = json.loads(self._exec("ADD", plugin, nic.interface, result))
        self.chains[nic.interface] = plugins, result
        self.used += used

    def delete(self, nic: Nic) -> None:
        """DEL: in reverse, every plugin gets the result of ADD."""
        plugins, result = self.chains.pop(nic.interface)
        for plugin in reversed(plugins):
            self._exec("DEL", plugin, nic.interface, result)

    def _exec(
        self, command: str, plugin: Mapping[str, Any], interface: str, result: Mapping[str, Any]
    ) -> str:
        variables = {
            "CNI_COMMAND": command,
            "CNI_CONTAINERID": f"pod-{self.node}",
            "CNI_NETNS": self.namespace.path,
            "CNI_IFNAME": interface,
            "CNI_PATH": str(CNI_BIN),
        }
        config = {**plugin, "prevResult": result} if result else plugin
        return self.host.run(str(CNI_BIN / plugin["type"]), stdin=json.dumps(config), env=variables)

    def routes(self, script: str) -> None:
        """Run rail-routes.sh as the init container does; arping only notes how this run called it."""
        self.namespace.run("sh", "-ec", INSTALL_ARPING, stdin=ARPING)
        self.namespace.run("sh", "-c", script, env={"PATH": f"/run/bin:{os.environ['PATH']}"})


@dataclass
class Lab:
    """``tree``: the rendered files; ``leaves``: by segment."""

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


@contextmanager
def built(inventory: str, workload: str, pods: int = 2) -> Iterator[Lab]:
    """The fabric of a shipped inventory with so many hosts, and a bare pod of the workload on each."""
    result = compiled(inventory)
    assert result.plan is not None
    tree = outputs(result)
    wanted = nics(tree, workload)
    segments = {s.name: s for s in result.plan.addresses.segments if s.name in {n.segment for n in wanted}}
    with ExitStack() as stack:
        leaves = _fabric(stack, segments, wanted)
        business = stack.enter_context(Namespace())
        business.shell("ip link add br0 type bridge", "ip link set br0 up")
        hosts = [stack.enter_context(Namespace()) for _ in range(pods)]
        for node, host in enumerate(hosts):
            _connect(host, node, business, pods)
            for nic in wanted:
                _vf(host, node, nic, leaves[nic.segment])
        made = [Pod(node, host, stack.enter_context(Namespace()), wanted) for node, host in enumerate(hosts)]
        for pod in made:
            _eth0(pod)
        yield Lab(result.plan, tree, workload, leaves, made)


@contextmanager
def attached(inventory: str, workload: str, pods: int = 2) -> Iterator[Lab]:
    """The same with every attachment added, in annotation order, and the script's rail routes installed."""
    with built(inventory, workload, pods) as lab:
        for pod in lab.pods:
            for nic in pod.nics:
                pod.add(nic)
            if lab.script is not None:
                pod.routes(lab.script)
        yield lab


def _fabric(stack: ExitStack, segments: Mapping[str, Segment], wanted: list[Nic]) -> dict[str, Namespace]:
    """A spine and a router per leaf, with a bridge per segment that has the gateway's address; by segment."""
    spine = stack.enter_context(Namespace())
    spine.shell(*ROUTER)
    names = list(dict.fromkeys(str(segments[nic.segment].leaf) for nic in wanted))
    leaves = [stack.enter_context(Namespace()) for _ in names]
    for number, leaf in enumerate(leaves):
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
    for nic in wanted:
        subnet, gateway = nic.pool["spec"]["subnet"], nic.pool["spec"]["gateway"]
        number = names.index(str(segments[nic.segment].leaf))
        leaves[number].shell(
            f"ip link add {svi(nic)} mtu {PORT_MTU} type bridge",
            f"ip link set {svi(nic)} up",
            f"ip addr add {gateway}/{subnet.split('/')[1]} dev {svi(nic)}",
        )
        spine.shell(f"ip route add {subnet} via 192.168.{number}.1")
    return {nic.segment: leaves[names.index(str(segments[nic.segment].leaf))] for nic in wanted}


def svi(nic: Nic) -> str:
    """The interface of a leaf that stands for the VLAN of a rail."""
    return f"svi-{nic.interface}"


def _connect(host: Namespace, node: int, business: Namespace, hosts: int) -> None:
    """The primary network between the hosts: one subnet, and a route to the pods of every other host."""
    host.shell(
        "echo 1 > /proc/sys/net/ipv4/ip_forward",
        f"ip link add primary type veth peer name host{node} netns {business.pid}",
        "ip link set primary up",
        f"ip addr add 192.168.255.{10 + node}/24 dev primary",
        "ip route add default dev primary",  # proxy_arp answers only for what the host has a route to
        *(f"ip route add 10.244.{n}.0/24 via 192.168.255.{10 + n}" for n in range(hosts) if n != node),
    )
    business.shell(f"ip link set host{node} master br0 up")


def _vf(host: Namespace, node: int, nic: Nic, leaf: Namespace) -> None:
    port = f"{nic.interface}-{node}"
    host.shell(f"ip link add vf-{nic.interface} mtu {VF_MTU} type veth peer name {port} netns {leaf.pid}")
    leaf.shell(f"ip link set {port} mtu {PORT_MTU} master {svi(nic)} up")


def _eth0(pod: Pod) -> None:
    """As Calico does it: a /32, everything through 169.254.1.1, for which the host answers."""
    pod.host.shell(
        f"ip link add cali type veth peer name eth0 netns {pod.namespace.pid}",
        "echo 1 > /proc/sys/net/ipv4/conf/cali/proxy_arp",
        "echo 0 > /proc/sys/net/ipv4/neigh/cali/proxy_delay",
        "ip link set cali up",
        f"ip route add {pod.eth0} dev cali",
    )
    pod.namespace.shell(
        f"ip addr add {pod.eth0}/32 dev eth0",
        "ip link set eth0 up",
        "ip route add 169.254.1.1 dev eth0 scope link",
        "ip route add default via 169.254.1.1 dev eth0",
    )
