"""The trace agrees with measurements of real kernels and CNI plugins.

Each row is a matrix measured on two hosts with two rails, a leaf with strict reverse-path filtering, Debian's
CNI plugins and kernel 6.18 (plugins 1.9.1 and HEAD where named). The twelve flows of a row are in the order
of FLOWS: unbound to each interface, eth0 to eth0, source-bound, then bound to source and device.
"""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
from netaddr import IPAddress

from netplan.graph.hosts import Stated
from netplan.model.readback import ReadPort, ReadSwitch, ReadVlanInterface
from netplan.model.site import SiteCable, SiteHca, SiteHost
from netplan.model.values import InterfaceAddress
from netplan.trace.back_ends import attach
from netplan.trace.bgp import Bgp
from netplan.trace.fabric import ReadFabric
from netplan.trace.linux import KernelRoute, Namespace, Owned, default_route
from netplan.trace.model import SOURCE_BOUND, UNBOUND, Flow, Nic, SentClass, TracePod, Verdict
from netplan.trace.walk import Walker

VERBS = Flow("verbs-like", source=True, device=True, reply_device=False)
"""In the measurement, the replying socket is bound only to its address."""

NETS = ("net1", "net2")
FLOWS = (
    *((UNBOUND, end, end) for end in ("eth0", *NETS)),
    (SOURCE_BOUND, "eth0", "eth0"),
    *((flow, start, end) for flow in (SOURCE_BOUND, VERBS) for start in NETS for end in NETS),
)

SHARED, PER_NODE = "shared", "per-node"
o, w, x = Verdict.DELIVERED, Verdict.WRONG_RAIL, Verdict.LOST
ALL_OK = (o,) * 12
SBR = (o, w, w, o, o, o, o, o, o, o, o, o)
CROSSED = (o, o, o, o, o, w, w, o, o, w, w, o)

MEASURED: Mapping[tuple[str, str, int], tuple[Verdict, ...]] = {
    ("plain", SHARED, 0): CROSSED,
    ("plain", SHARED, 1): (o, o, o, o, o, x, x, o, o, x, x, o),
    ("plain", SHARED, 2): CROSSED,
    ("plain", PER_NODE, 0): (o, x, x, o, x, x, x, x, x, x, x, x),
    ("ipam-default", SHARED, 0): (w, o, o, x, o, w, w, o, o, w, w, o),
    ("ipam-super", PER_NODE, 0): (o, o, o, o, o, x, x, o, o, x, x, o),
    ("ipam-super-all", PER_NODE, 0): (o, x, o, o, x, x, x, o, x, o, x, o),
    ("sbr", SHARED, 0): SBR,
    ("sbr", SHARED, 1): SBR,
    ("sbr", PER_NODE, 0): SBR,
    ("sbr-hints", SHARED, 0): ALL_OK,
    ("sbr-hints", PER_NODE, 0): SBR,
    ("table", SHARED, 0): ALL_OK,
    ("explicit", SHARED, 0): ALL_OK,
    ("explicit", SHARED, 1): ALL_OK,
    ("explicit", PER_NODE, 0): SBR,
    ("explicit+super", PER_NODE, 0): ALL_OK,
}
"""(routes, subnets, rp_filter of the pods) -> verdicts."""

HOSTS = ("a", "b")


def subnet(shape: str, host: str, rail: int) -> tuple[str, str, int]:
    """(prefix, gateway, VLAN) of a rail at a host."""
    if shape == SHARED:
        return f"10.{rail}.0.0/24", f"10.{rail}.0.1", 100 + rail
    number = 1 + HOSTS.index(host)
    return f"10.{rail}.{number}.0/24", f"10.{rail}.{number}.1", 100 * number + rail


def leaf(shape: str) -> ReadFabric:
    """One router with one VLAN per rail subnet and one for eth0."""
    vlans = {10: "10.244.0.1/24"}
    ports = {}
    for host in HOSTS:
        ports[f"{host}-eth0"] = 10
        for rail in (1, 2):
            prefix, gateway, vlan = subnet(shape, host, rail)
            vlans[vlan] = f"{gateway}/{prefix.partition('/')[2]}"
            ports[f"{host}-net{rail}"] = vlan
    switch = ReadSwitch(
        name="leaf",
        nos="none",
        ports={
            name: ReadPort(
                name=name, tagged=frozenset(), untagged=vlan, addresses=(), ip_mtu=9000, pfc=frozenset()
            )
            for name, vlan in ports.items()
        },
        vlans=frozenset(vlans),
        vlan_interfaces={
            vlan: ReadVlanInterface(vlan=vlan, addresses=(interface_address(text),), ip_mtu=9000)
            for vlan, text in vlans.items()
        },
        loopbacks=(),
        asn=None,
        neighbours=(),
        networks=frozenset(),
        trust=None,
        queues={},
        ecn={},
        strict=frozenset(),
        arp_seconds=None,
        comments=frozenset(),
        files={},
    )
    cables = [
        SiteCable(
            switch="leaf",
            port=name,
            peer_kind="host",
            peer=name[0],
            peer_port=name[2:],
            speed_gbps=100,
            cable_m=1,
        )
        for name in ports
    ]
    return ReadFabric({"leaf": switch}, cables, strict_reverse_path=True)


def interface_address(text: str) -> InterfaceAddress:
    ip, _, length = text.partition("/")
    return InterfaceAddress(IPAddress(ip), int(length))


def pod(routes: str, shape: str, host: str, rp_filter: int) -> TracePod:
    space = Namespace()
    number = 1 + HOSTS.index(host)
    own = ip_address(f"10.244.0.{100 + number}")
    space.addresses["eth0"] = (Owned(own, ip_network(f"{own}/32")),)
    space.add_route(KernelRoute(dst=default_route(4), dev="eth0", via=ip_address("10.244.0.1")))
    for rail in (1, 2):
        prefix, gateway, _ = subnet(shape, host, rail)
        given, chain = ipam_and_chain(routes, rail, prefix, gateway)
        address = ip_network(prefix)[99 + number]
        owned = Owned(address, ip_network(prefix), ip_address(gateway))
        attach(space, f"net{rail}", (owned,), given, ({"type": "macvlan"}, *chain))
        if routes.startswith("explicit"):
            explicit(space, rail, owned, supernet=routes.endswith("+super"))
    names = ("eth0", *NETS)
    space.arp_ignore = dict.fromkeys(names, int(routes.startswith("explicit")))
    space.rp_filter = dict.fromkeys(names, rp_filter)
    ports = {
        name: SiteHca(name=name, rail=None, pci=None, netdev=None, switch="leaf", port=f"{host}-{name}")
        for name in names
    }
    return TracePod(
        workload="pod",
        host=SiteHost(name=host, type="server", number=number, labels={}, hcas=tuple(ports.values())),
        primary="eth0",
        nics={name: nic(name, ports[name]) for name in names},
        space=space,
        sent=SentClass(None, False),
        routes_file="nad.yaml",
        intended=frozenset(),
    )


def nic(name: str, hca: SiteHca) -> Nic:
    return Nic(
        name=name,
        rail=None,
        kind="macvlan",
        vlan=None,
        hca=hca,
        mtu=9000,
        port_mtu=Stated(9000, "10-rail.link:1"),
        qos=None,
        file="nad.yaml",
    )


def ipam_and_chain(
    routes: str, rail: int, prefix: str, gateway: str
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    table = 1000 + rail
    given: dict[str, tuple[list[dict[str, Any]], list[dict[str, Any]]]] = {
        "ipam-default": ([{"dst": "0.0.0.0/0"}], []),
        "ipam-super": ([{"dst": f"10.{rail}.0.0/16", "gw": gateway}], []),
        "ipam-super-all": ([{"dst": "10.0.0.0/12", "gw": gateway}], []),
        "sbr": ([], [{"type": "sbr"}]),
        "sbr-hints": ([], [{"type": "sbr", "addSourceHints": True}]),
        "table": (
            [
                {"dst": prefix, "gw": "0.0.0.0", "table": table, "scope": 253},
                {"dst": "0.0.0.0/0", "gw": gateway, "table": table},
            ],
            [{"type": "sbr", "table": table}],
        ),
    }
    return given.get(routes, ([], []))


def explicit(space: Namespace, rail: int, owned: Owned, supernet: bool) -> None:
    name, table = f"net{rail}", 1000 + rail
    space.add_rule(ip_network(owned.ip), table, table)
    space.replace_route(KernelRoute(dst=owned.prefix, dev=name), table)
    space.replace_route(KernelRoute(dst=default_route(4), dev=name, via=owned.gateway), table)
    if supernet:
        wide = ip_network(f"10.{rail}.0.0/16")
        space.replace_route(KernelRoute(dst=wide, dev=name, via=owned.gateway, src=owned.ip))


def verdicts(routes: str, shape: str, rp_filter: int) -> tuple[Verdict, ...]:
    fabric = leaf(shape)
    walker = Walker(fabric, Bgp(fabric))
    a, b = (pod(routes, shape, host, rp_filter) for host in HOSTS)
    return tuple(walker.walk((a, start), (b, end), flow, 4).verdict for flow, start, end in FLOWS)


@pytest.mark.parametrize(("routes", "shape", "rp_filter"), MEASURED)
def test_walker_agrees_with_what_was_measured(routes: str, shape: str, rp_filter: int) -> None:
    found = verdicts(routes, shape, rp_filter)
    wanted = MEASURED[routes, shape, rp_filter]
    named = [(flow.name, start, end) for flow, start, end in FLOWS]
    assert dict(zip(named, found, strict=True)) == dict(zip(named, wanted, strict=True))


@pytest.mark.parametrize("routes", ["plain", "ipam-default"])
def test_the_reason_names_the_interface(routes: str) -> None:
    fabric = leaf(SHARED)
    walker = Walker(fabric, Bgp(fabric))
    a, b = (pod(routes, SHARED, host, 0) for host in HOSTS)
    walk = walker.walk((a, "net1"), (b, "net2"), SOURCE_BOUND, 4)
    assert "pod@a: no rule for source 10.1.0.0/24: the packet leaves on net2 (nad.yaml)" in [
        fault.text for fault in walk.faults
    ]
