"""``routing: table``, run from the rendered NAD: correct with plugins that support tables, and the effect of
older ones.

The plugins packaged in Debian 12 are too old; ``CNI_BIN`` names a folder with newer ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.pipeline import compile_texts
from netplan.verify.schemas import validate
from tests.inventories import outputs
from tests.netns.namespaces import Namespace
from tests.netns.routing import planned_routes, planned_rules, routes, rules
from tests.overlay import case_texts
from tests.probes import CNI_BIN

pytestmark = pytest.mark.netns

CASE = """
cluster: {cni_plugins: {plugins: "1.6.0", whereabouts: "0.8.0"}}
host_types:
  gpu: {hcas: {roce0: {use: pf, vfs: null}, roce1: {use: pf, vfs: null}}}
networks: {rail: {mode: host-device, ipam: whereabouts, routing: table}}
"""
ADDRESSES = {"rail0": "172.16.0.100", "rail1": "172.16.5.100"}


@cache
def tree(folder: Any) -> dict[str, str]:
    """The rendered files of the checks' base inventory, overlaid with CASE."""
    case = folder / "case.yaml"
    case.write_text(CASE)
    result = compile_texts(case_texts(case))
    assert [d.message for d in result.diagnostics if d.severity.name == "ERROR"] == []
    return dict(outputs(result))


@cache
def new_enough() -> bool:
    """Whether the plugins support CNI 1.1.0, which added ``table`` of routes (containernetworking/plugins
    1.6.0)."""
    with Namespace() as host:
        text = host.run(str(CNI_BIN / "sbr"), stdin='{"cniVersion": "1.0.0"}', env={"CNI_COMMAND": "VERSION"})
    return "1.1.0" in json.loads(text)["supportedVersions"]


@contextmanager
def bare() -> Iterator[tuple[Namespace, Namespace]]:
    """A host, and a pod with an eth0 like Calico's."""
    with Namespace() as host, Namespace() as pod:
        pod.shell(
            "ip link add eth0 type veth peer name cali",
            "ip link set cali up",
            "ip addr add 10.244.0.7/32 dev eth0",
            "ip link set eth0 up",
            "ip route add 169.254.1.1 dev eth0 scope link",
            "ip route add default via 169.254.1.1 dev eth0",
        )
        yield host, pod


def attach(host: Namespace, pod: Namespace, chain: dict[str, Any]) -> str:
    """ADD of one chain, with ``static`` in place of whereabouts; returns a failing plugin's error, or ""."""
    interface = f"rail{chain['name'].split('-')[1]}"
    host.shell(f"ip link add {interface} mtu 9000 type veth peer name far-{interface}")
    host.shell(f"ip link set far-{interface} up")
    result: dict[str, Any] = {}
    for plugin in chain["plugins"]:
        config = {**plugin, "cniVersion": chain["cniVersion"], "name": chain["name"]}
        if "ipam" in plugin:
            ipam = plugin["ipam"]
            own = {"address": f"{ADDRESSES[interface]}/24", "gateway": ipam["gateway"]}
            static = {"type": "static", "addresses": [own], "routes": ipam["routes"]}
            config |= {"device": interface, "ipam": static}
        if result:
            config["prevResult"] = result
        variables = {
            "CNI_COMMAND": "ADD",
            "CNI_CONTAINERID": "pod",
            "CNI_NETNS": pod.path,
            "CNI_IFNAME": interface,
            "CNI_PATH": str(CNI_BIN),
        }
        done = host.attempt(str(CNI_BIN / plugin["type"]), stdin=json.dumps(config), env=variables)
        if done.returncode:
            return str(json.loads(done.stdout)["msg"])
        result = json.loads(done.stdout)
    return ""


def chains(files: dict[str, str]) -> list[dict[str, Any]]:
    nads = yaml.safe_load_all(files["kubernetes/30-networks/network-attachments/training/rail.yaml"])
    return [json.loads(nad["spec"]["config"]) for nad in nads]


def test_the_chain_is_one_that_the_schemas_accept(tmp_path):
    found = chains(tree(tmp_path))
    assert [[p["type"] for p in c["plugins"]] for c in found] == [["host-device", "tuning", "sbr"]] * 2
    assert [c["plugins"][-1]["table"] for c in found] == [700, 701]
    assert [list(validate("ipam/whereabouts.json", c["plugins"][0]["ipam"])) for c in found] == [[], []]


def test_the_kernel_has_the_plan_or_the_plugins_are_too_old(tmp_path):
    """Old plugins drop the table of a route, which makes two routes identical: the reason for NP643."""
    files = tree(tmp_path)
    interfaces = yaml.safe_load(files["pods/train/routes.yaml"])["interfaces"]
    with bare() as (host, pod):
        said = [attach(host, pod, chain) for chain in chains(files)]
        if not new_enough():
            assert ["file exists" in one for one in said] == [True, True]
            return
        assert said == ["", ""]
        assert rules(pod) == planned_rules(interfaces, ADDRESSES)
        assert routes(pod) == planned_routes(interfaces)
        checked = pod.run("sh", "-s", stdin=files["pods/train/check-rails.sh"])
        assert checked.startswith("check-rails: ok, rail0 rail1\n")
