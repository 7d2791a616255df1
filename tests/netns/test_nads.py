"""The rendered NetworkAttachmentDefinitions and pod scripts, run by the real CNI plugins on a real kernel."""

from __future__ import annotations

from ipaddress import IPv4Interface, IPv4Network
from typing import Any, NamedTuple

import pytest
import yaml

from tests.netns.flows import Exchange, Leg, exchange
from tests.netns.lab import Lab, Pod, attached, built, svi
from tests.netns.namespaces import Namespace
from tests.netns.rendered import Nic
from tests.netns.routing import planned_routes, planned_rules, routes, rules

pytestmark = pytest.mark.netns


class Case(NamedTuple):
    """A workload of a shipped inventory; ``plugins``: what one pod's chains have, see ``STAND_INS``."""

    inventory: str
    workload: str
    plugins: dict[str, int]

    @property
    def name(self) -> str:
        return f"{self.inventory}-{self.workload}"


MINIMAL = Case("minimal", "training", {"sriov": 2, "sriov.vlan": 2, "nv-ipam": 2, "tuning": 2, "sbr": 2})
SHARED_SERVERS = Case(
    "iei-rocev2", "training", {"sriov": 4, "sriov.vlan": 4, "nv-ipam": 4, "rdma": 4, "tuning": 4, "sbr": 4}
)
WHOLE_SERVERS = Case("iei-rocev2", "large-model", {"host-device": 4, "nv-ipam": 4, "rdma": 4, "tuning": 4})
CASES = [
    pytest.param(case, id=case.name, marks=pytest.mark.xdist_group(f"netns-{case.name}"))
    for case in (WHOLE_SERVERS, SHARED_SERVERS, MINIMAL)
]
"""rail-routes.sh routes the rails of the first, sbr those of the others. A case's tests share a lab."""


@pytest.fixture(scope="module", params=CASES)
def case(request):
    return request.param


@pytest.fixture(scope="module")
def lab(case):
    """Two pods on two hosts, for tests that change nothing."""
    with attached(case.inventory, case.workload) as made:
        yield made


def interfaces(lab: Lab) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = yaml.safe_load(lab.file("routes.yaml"))["interfaces"]
    return found


def state(namespace: Namespace) -> dict[str, Any]:
    """All that attaching may change in a pod, or on its host."""
    addresses = {i["ifname"]: i["addr_info"] for i in namespace.ip("addr")}
    links = {i["ifname"]: i["mtu"] for i in namespace.ip("link")}
    return {"rules": rules(namespace), "routes": routes(namespace), "addresses": addresses, "links": links}


def test_nothing_else_than_the_listed_stand_ins_was_put_in(case, lab):
    assert [pod.used for pod in lab.pods] == [case.plugins, case.plugins]


def test_every_rail_has_an_address_in_its_subnet(lab):
    wanted = {i["interface"]: IPv4Network(i["routes"][0]["to"]) for i in interfaces(lab)}
    assert [subnets(pod) for pod in lab.pods] == [wanted, wanted]


def subnets(pod: Pod) -> dict[str, IPv4Network]:
    """Read back; more than one address of a rail would fail here."""
    found = {
        i["ifname"]: i["addr_info"] for i in pod.namespace.ip("addr") if i["ifname"] not in ("lo", "eth0")
    }
    return {
        name: IPv4Interface(f"{own['local']}/{own['prefixlen']}").network for name, [own] in found.items()
    }


def test_rules_are_the_planned_ones(lab):
    assert [rules(pod.namespace) for pod in lab.pods] == [
        planned_rules(interfaces(lab), pod.addresses) for pod in lab.pods
    ]


def test_routes_are_the_planned_ones_and_the_default_stays_on_eth0(lab):
    planned = planned_routes(interfaces(lab))
    assert [routes(pod.namespace) for pod in lab.pods] == [planned, planned]


def test_sysctls_have_the_values_of_the_nad(lab):
    wanted = {key: value for nic in lab.pods[0].nics for key, value in nic.sysctls.items()}
    assert len(wanted) == 3 + 3 * len(interfaces(lab))
    assert [sysctls(pod, wanted) for pod in lab.pods] == [wanted, wanted]


def sysctls(pod: Pod, keys: dict[str, str]) -> dict[str, str]:
    found = pod.namespace.run("cat", *(f"/proc/sys/{key.replace('.', '/')}" for key in keys)).split()
    return dict(zip(keys, found, strict=True))


def test_mtu_is_that_of_the_fabric(lab):
    wanted = {i["interface"]: lab.plan.fabric.mtu for i in interfaces(lab)}
    assert [mtus(pod) for pod in lab.pods] == [wanted, wanted]


def mtus(pod: Pod) -> dict[str, int]:
    return {i["ifname"]: i["mtu"] for i in pod.namespace.ip("link") if i["ifname"] not in ("lo", "eth0")}


@pytest.mark.parametrize("to_device", [False, True], ids=["source", "source-and-device"])
def test_every_rail_reaches_every_rail_on_that_rail(lab, to_device):
    near, far = lab.pods
    pairs = [(a, b) for a in near.nics for b in far.nics]
    found = {
        (a.interface, b.interface): exchange(
            near.namespace,
            far.namespace,
            far.addresses[b.interface],
            near.addresses[a.interface],
            a.interface if to_device else None,
        )
        for a, b in pairs
    }
    assert found == {
        (a.interface, b.interface): Exchange(
            Leg(b.interface, hops(lab, a, b)), Leg(a.interface, hops(lab, a, b))
        )
        for a, b in pairs
    }


def hops(lab: Lab, a: Nic, b: Nic) -> int:
    """Routers between two rails: none in a segment, one on a leaf, else leaf, spine and leaf."""
    leaf = {s.name: s.leaf for s in lab.plan.addresses.segments}
    if a.segment == b.segment:
        return 0
    return 1 if leaf[a.segment] == leaf[b.segment] else 3


def test_pods_still_reach_each_other_on_eth0(lab):
    near, far = lab.pods
    found = exchange(near.namespace, far.namespace, far.eth0)
    assert found == Exchange(Leg("eth0", 2), Leg("eth0", 2))


def test_a_rail_does_not_answer_for_the_address_of_another(lab):
    """A queue pair to an address whose MAC belongs to another VF never connects, though ping does."""
    far = lab.pods[1]
    first, second = far.nics[:2]
    found = exchange(
        lab.leaves[first.segment], far.namespace, far.addresses[second.interface], device=svi(first)
    )
    assert found == Exchange(error="timed out")


def test_the_check_passes(lab):
    names = " ".join(i["interface"] for i in interfaces(lab))
    said = [pod.namespace.run("sh", "-s", stdin=lab.file("check-rails.sh")) for pod in lab.pods]
    assert said == [f"check-rails: ok, {names}\n"] * 2


def test_the_check_names_the_rail_whose_rule_is_missing(lab):
    pod = lab.pods[0].namespace
    table = str(interfaces(lab)[1]["table"])
    rule = next(rule for rule in rules(pod) if rule.table == table)
    same = ("pref", str(rule.priority), "from", rule.source, "lookup", table)
    pod.run("ip", "rule", "del", *same)
    try:
        done = pod.attempt("sh", "-s", stdin=lab.file("check-rails.sh"))
    finally:
        pod.run("ip", "rule", "add", *same)
    complaints = done.stderr.splitlines()
    assert (done.returncode, done.stdout, bool(complaints)) == (1, "", True)
    assert [c for c in complaints if "does not leave on rail1:" not in c] == []


def test_del_in_reverse_order_leaves_nothing(case):
    with built(case.inventory, case.workload, pods=1) as lab:
        pod = lab.pods[0]
        before = state(pod.namespace), state(pod.host)
        for nic in pod.nics:
            pod.add(nic)
        assert len(pod.namespace.ip("addr")) == 2 + len(pod.nics)
        for nic in reversed(pod.nics):
            pod.delete(nic)
        assert (state(pod.namespace), state(pod.host)) == before


scripted = pytest.mark.parametrize("case", CASES[:1], indirect=True)


@scripted
def test_rail_routes_announce_every_address(lab):
    called = [pod.namespace.run("cat", "/run/arping.calls").splitlines() for pod in lab.pods]
    assert called == [[f"-U -c 2 -I {name} {own}" for name, own in pod.addresses.items()] for pod in lab.pods]


@scripted
def test_rail_routes_may_run_again(lab):
    pod = lab.pods[0]
    before = state(pod.namespace)
    pod.routes(lab.script)
    assert state(pod.namespace) == before


@scripted
def test_a_socket_without_source_takes_the_rail_of_its_target(lab):
    near, far = lab.pods
    found = {name: exchange(near.namespace, far.namespace, target) for name, target in far.addresses.items()}
    assert found == {name: Exchange(Leg(name, 0), Leg(name, 0)) for name in far.addresses}


@scripted
def test_a_rail_address_never_leaves_on_the_primary_network(lab):
    near, far = lab.pods
    found = [exchange(near.namespace, far.namespace, far.eth0, source) for source in near.addresses.values()]
    assert found == [Exchange(error="[Errno 113] No route to host")] * len(near.nics)
