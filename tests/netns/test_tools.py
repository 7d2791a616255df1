"""The pod scripts with the tools an image may have: iproute2, or only busybox on the PATH.

A pod is a namespace with one veth pair per rail, whose far ends are in another namespace, and an eth0 like
Calico's. The result of the scripts is compared with the rendered ``routes.yaml``.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Interface
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from tests.netns.namespaces import Namespace
from tests.netns.routing import planned_routes, planned_rules, routes, rules
from tests.pod_site import rendered

pytestmark = pytest.mark.netns

SEGMENTS = ("leaf", "host")
RAILS = (2, 4, 8)


class Site(NamedTuple):
    """A pod's files, and the address each rail interface gets."""

    files: dict[str, str]
    addresses: dict[str, IPv4Interface]

    @property
    def interfaces(self) -> list[dict[str, Any]]:
        """``routes.yaml`` with its placeholders replaced by this pod's own link."""
        return [self._stated(entry) for entry in yaml.safe_load(self.files["routes.yaml"])["interfaces"]]

    def _stated(self, entry: dict[str, Any]) -> dict[str, Any]:
        own = self.addresses[entry["interface"]]
        text = json.dumps(entry).replace("node-prefix", str(own.network))
        found: dict[str, Any] = json.loads(text.replace("node-gateway", str(own.ip - 1)))
        return found


def site(rails: int, segment: str, mode: str = "sriov") -> Site:
    """Rail r has the r-th /20 of 172.16.0.0/16; a pod has .100 of a leaf's subnet, or the odd /31 end."""
    use = {"use": "vf", "vfs": 4} if mode == "sriov" else {"use": "pf", "vfs": None}
    model = {"model": "connectx-5", "speed_gbps": 100, **use}
    over = {
        "rails": {
            "count": rails,
            "segment": segment,
            "supernets": ["172.16.0.0/16"],
            "rail_prefixes": [20],
            "prefixes": [24 if segment == "leaf" else 31],
            "vlan_ids": f"100-{99 + rails}" if segment == "leaf" else None,
        },
        "host_types": {
            "gpu": {
                "hcas": {
                    f"roce{r}": {**model, "rail": r, "pci": f"0000:{16 + r:02x}:00.0"} for r in range(rails)
                }
            }
        },
        "switches": {"leaf-[1-4]": None, f"leaf-[1-{2 * rails}]": {"type": "leaf", "id": 1, "role": "leaf"}},
        "links": [
            {
                "hosts": hosts,
                "hca": f"roce{r}",
                "switch": f"leaf-{first + r}",
                "ports": "Ethernet[0-4/4]",
                "cable_m": 5,
            }
            for r in range(rails)
            for hosts, first in (("gpu-[1-2]", 1), ("gpu-[3-4]", 1 + rails))
        ],
        "networks": {"rail": {"mode": mode}},
    }
    files = dict(rendered(json.dumps(over)))
    found = {}
    for r in range(rails):
        own = f"172.16.{16 * r + r}.100/24" if segment == "leaf" else f"172.16.{16 * r}.5/31"
        found[f"rail{r}"] = IPv4Interface(own)
    return Site(files, found)


@contextmanager
def pod(of: Site) -> Iterator[tuple[Namespace, Namespace]]:
    """The pod, and the namespace at the far ends of its rails."""
    with Namespace() as near, Namespace() as far:
        near.shell(
            "ip link add eth0 type veth peer name cali",
            "ip link set cali up",
            "ip addr add 10.244.0.7/32 dev eth0",
            "ip link set eth0 up",
            "ip route add 169.254.1.1 dev eth0 scope link",
            "ip route add default via 169.254.1.1 dev eth0",
        )
        for name, own in of.addresses.items():
            near.shell(
                f"ip link add {name} type veth peer name {name} netns {far.pid}",
                f"ip addr add {own} dev {name}",
                f"ip link set {name} up",
            )
            far.shell(
                f"echo 1 > /proc/sys/net/ipv4/conf/{name}/arp_accept",
                f"ip addr add {own.ip - 1}/{own.network.prefixlen} dev {name}",
                f"ip link set {name} up",
            )
        yield near, far


@pytest.fixture(params=["iproute2", "busybox"])
def tools(request, tmp_path) -> str:
    """The shell to run, with the PATH of an image that has these tools."""
    if request.param == "iproute2":
        return "sh"
    busybox = shutil.which("busybox")
    assert busybox is not None
    for name in ("ip", "arping", "sh", "tr", "grep"):
        (tmp_path / name).symlink_to(busybox)
    return f"env PATH={tmp_path} {tmp_path}/sh"


def said(namespace: Namespace, tools: str, script: str) -> str:
    return namespace.run(*tools.split(), "-s", stdin=script)


@pytest.mark.sample(3)
@pytest.mark.parametrize("segment", SEGMENTS)
@pytest.mark.parametrize("rails", RAILS)
def test_the_script_makes_the_plan_and_the_check_agrees(tools: str, rails: int, segment: str):
    of = site(rails, segment)
    names = " ".join(of.addresses)
    with pod(of) as (near, _):
        for _ in range(2):
            assert said(near, tools, of.files["rail-routes.sh"]) == f"rail-routes: ok, {names}\n"
            own = {name: str(address.ip) for name, address in of.addresses.items()}
            assert rules(near) == planned_rules(of.interfaces, own)
            eth0 = [r for r in routes(near) if r.interface != "eth0"]
            assert eth0 == [r for r in planned_routes(of.interfaces) if r.interface != "eth0"]
        ok, *more = said(near, tools, of.files["check-rails.sh"]).splitlines()
        assert ok == f"check-rails: ok, {names}"
        assert more == [] or more[0].startswith("check-rails: gateways not asked: no ping")
        assert more or tools == "sh", "the image has no ping"


@pytest.mark.parametrize(
    "damage",
    [
        "ip rule del pref 701",
        "ip route flush table 701",
        "ip rule add pref 1 to 172.16.16.0/20 lookup main",
        "ip route replace default via 172.16.17.1 dev rail1",
    ],
    ids=["rule", "table", "order", "default"],
)
def test_the_check_finds_damage(tools: str, damage: str):
    of = site(2, "leaf")
    with pod(of) as (near, _):
        said(near, tools, of.files["rail-routes.sh"])
        near.shell(damage)
        done = near.attempt(*tools.split(), "-s", stdin=of.files["check-rails.sh"])
    assert (done.returncode, done.stdout, "rail" in done.stderr) == (1, "", True)


@pytest.mark.parametrize("segment", SEGMENTS)
def test_a_gratuitous_arp_of_busybox_reaches_the_leaf(tmp_path: Path, segment: str):
    """The leaf has an old MAC for each address; with arp_accept, it learns the new one from the gratuitous
    ARP. The address of a routed host link stays with its port, so there is nothing to announce."""
    of = site(4, segment, "host-device")
    busybox = shutil.which("busybox")
    with pod(of) as (near, far):
        for name, own in of.addresses.items():
            far.shell(f"ip neigh replace {own.ip} lladdr 02:00:00:00:00:99 dev {name} nud stale")
        for name in ("ip", "arping", "sh", "tr", "grep"):
            (tmp_path / name).symlink_to(str(busybox))
        done = near.attempt(
            "env", f"PATH={tmp_path}", f"{tmp_path}/sh", "-s", stdin=of.files["rail-routes.sh"]
        )
        macs = {i["ifname"]: i["address"] for i in near.ip("link")}
        learnt = {
            n["dev"]: n["lladdr"] for n in far.ip("neigh") if n["dst"] == str(of.addresses[n["dev"]].ip)
        }
    assert (done.returncode, done.stderr) == (0, "")
    stale = dict.fromkeys(of.addresses, "02:00:00:00:00:99")
    assert learnt == (stale if segment == "host" else {name: macs[name] for name in of.addresses})
