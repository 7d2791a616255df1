"""The rendered NetworkAttachmentDefinitions and pod scripts, run by the real CNI plugins on a real kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from ipaddress import IPv4Interface, IPv4Network
from typing import Any, NamedTuple

import pytest
import yaml

from netplan.pipeline import Result
from tests.inventories import compiled
from tests.netns.flows import Exchange, Leg, exchange
from tests.netns.lab import Lab, Pod, attached, built, port, svi
from tests.netns.namespaces import Namespace
from tests.netns.rendered import Nic
from tests.netns.routing import planned_routes, planned_rules, routes, rules, stated
from tests.netns.sites import site

pytestmark = pytest.mark.netns


class Case(NamedTuple):
    """A workload of a shipped inventory or of ``sites``; ``plugins``: the plugins of a rail's chain besides
    tuning and nv-ipam, see ``STAND_INS``."""

    name: str
    compile: Callable[[], Result]
    workload: str
    rails: int
    plugins: tuple[str, ...]

    @property
    def used(self) -> dict[str, int]:
        return dict.fromkeys((*self.plugins, "nv-ipam", "tuning"), self.rails)


VF, PF = ("sriov", "sriov.vlan"), ("host-device", "rdma")


def shipped(name: str, workload: str, rails: int, *plugins: str) -> Case:
    return Case(f"{name}-{workload}", partial(compiled, name), workload, rails, plugins)


def made(rails: int, subnets: str, back_end: str) -> Case:
    plugins = ((*VF, "rdma") if subnets == "shared" else PF) + (("sbr",) if back_end == "sbr" else ())
    name = f"{rails}-rails-{subnets}-{back_end}"
    return Case(name, partial(site, rails, subnets, back_end), "training", rails, plugins)


CASES = (
    shipped("iei-rocev2", "large-model", 4, *PF),
    shipped("iei-rocev2", "training", 4, *VF, "rdma", "sbr"),
    shipped("minimal", "training", 2, *VF, "sbr"),
    *(made(r, s, b) for r in (2, 4, 8) for s in ("shared", "per-node") for b in ("script", "sbr")),
)
QUICK = ("iei-rocev2-large-model", "minimal-training", "4-rails-shared-script", "2-rails-per-node-sbr")
"""Cover shared and per-node subnets, VFs and whole HCAs, the script and sbr; other cases are full tests."""
NIGHTLY = (
    "2-rails-shared-script",
    "2-rails-shared-sbr",
    "4-rails-per-node-script",
    "4-rails-per-node-sbr",
    "8-rails-shared-script",
    "8-rails-per-node-sbr",
)
"""Cases of the nightly run; each of their rail counts, subnets and back ends is also in another case."""


def params(cases: Iterable[Case]) -> list[Any]:
    """Cases with marks: the tests of a case share a lab, so they run in one process with equal marks."""
    return [pytest.param(case, id=case.name, marks=marks(case)) for case in cases]


def marks(case: Case) -> list[pytest.MarkDecorator]:
    full = [] if case.name in QUICK else [pytest.mark.full]
    nightly = [pytest.mark.nightly] if case.name in NIGHTLY else []
    return [pytest.mark.xdist_group(f"netns-{case.name}"), *full, *nightly]


def test_the_quick_cases_exist():
    assert {case.name for case in CASES} > {*QUICK, *NIGHTLY}


@pytest.fixture(scope="module", params=params(CASES))
def case(request):
    return request.param


@pytest.fixture(scope="module")
def lab(case):
    """Two pods on two hosts, for read-only tests."""
    with attached(case.compile(), case.workload) as made:
        yield made


def interfaces(lab: Lab, pod: Pod) -> list[dict[str, Any]]:
    """Interfaces of ``routes.yaml``, with this pod's own links."""
    own = {nic.interface: nic.subnet(pod.node) for nic in pod.nics}
    return stated(yaml.safe_load(lab.file("routes.yaml"))["interfaces"], pod.addresses, own)


def state(namespace: Namespace) -> dict[str, Any]:
    """Everything that attaching may change in a pod or on its host."""
    addresses = {i["ifname"]: i["addr_info"] for i in namespace.ip("addr")}
    links = {i["ifname"]: i["mtu"] for i in namespace.ip("link")}
    return {"rules": rules(namespace), "routes": routes(namespace), "addresses": addresses, "links": links}


def test_nothing_else_than_the_listed_stand_ins_was_put_in(case, lab):
    assert [pod.used for pod in lab.pods] == [case.used, case.used]


def test_every_rail_has_an_address_in_its_subnet(lab):
    for pod in lab.pods:
        wanted = {i["interface"]: IPv4Network(i["routes"][0]["to"]) for i in interfaces(lab, pod)}
        assert subnets(pod) == wanted
        assert wanted == {nic.interface: IPv4Network(nic.subnet(pod.node)) for nic in pod.nics}


def subnets(pod: Pod) -> dict[str, IPv4Network]:
    """Interface -> subnet, read back; fails if a rail has more than one address."""
    found = {
        i["ifname"]: i["addr_info"] for i in pod.namespace.ip("addr") if i["ifname"] not in ("lo", "eth0")
    }
    return {
        name: IPv4Interface(f"{own['local']}/{own['prefixlen']}").network for name, [own] in found.items()
    }


def test_rules_are_the_planned_ones(lab):
    assert [rules(pod.namespace) for pod in lab.pods] == [
        planned_rules(interfaces(lab, pod), pod.addresses) for pod in lab.pods
    ]


def test_routes_are_the_planned_ones_and_the_default_stays_on_eth0(lab):
    assert [routes(pod.namespace) for pod in lab.pods] == [
        planned_routes(interfaces(lab, pod)) for pod in lab.pods
    ]


def test_sysctls_have_the_values_of_the_nad(lab):
    wanted = {key: value for nic in lab.pods[0].nics for key, value in nic.sysctls.items()}
    assert len(wanted) == 3 + 3 * len(lab.pods[0].nics)
    assert [sysctls(pod, wanted) for pod in lab.pods] == [wanted, wanted]


def sysctls(pod: Pod, keys: dict[str, str]) -> dict[str, str]:
    found = pod.namespace.run("cat", *(f"/proc/sys/{key.replace('.', '/')}" for key in keys)).split()
    return dict(zip(keys, found, strict=True))


def test_mtu_is_that_of_the_fabric(lab):
    wanted = {nic.interface: lab.plan.fabric.mtu for nic in lab.pods[0].nics}
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
    """Number of routers between two rails: 0 in a segment, 1 on a leaf, else 3 (leaf, spine, leaf)."""
    if a.segment == b.segment and a.shared:
        return 0
    return 1 if lab.leaf(a) == lab.leaf(b) else 3


def test_pods_still_reach_each_other_on_eth0(lab):
    near, far = lab.pods
    found = exchange(near.namespace, far.namespace, far.eth0)
    assert found == Exchange(Leg("eth0", 2), Leg("eth0", 2))


def test_a_rail_does_not_answer_for_the_address_of_another(lab):
    """A queue pair to an address that resolves to another VF's MAC never connects, although ping works."""
    far = lab.pods[1]
    first, second = far.nics[:2]
    found = exchange(
        lab.leaves[lab.leaf(first)],
        far.namespace,
        far.addresses[second.interface],
        device=leaf_end(far, first),
    )
    assert found == Exchange(error="timed out")


def leaf_end(pod: Pod, nic: Nic) -> str:
    """The leaf's interface with the gateway's address."""
    return svi(nic) if nic.shared else port(nic, pod.number)


def test_the_check_passes(lab):
    names = " ".join(nic.interface for nic in lab.pods[0].nics)
    said = [pod.namespace.run("sh", "-s", stdin=lab.file("check-rails.sh")) for pod in lab.pods]
    assert [text.splitlines()[0] for text in said] == [f"check-rails: ok, {names}"] * 2


def test_the_check_names_the_rail_whose_rule_is_missing(lab):
    pod = lab.pods[0].namespace
    table = str(interfaces(lab, lab.pods[0])[1]["table"])
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
    with built(case.compile(), case.workload, (0,)) as lab:
        pod = lab.pods[0]
        before = state(pod.namespace), state(pod.host)
        for nic in pod.nics:
            pod.add(nic)
        assert len(pod.namespace.ip("addr")) == 2 + len(pod.nics)
        for nic in reversed(pod.nics):
            pod.delete(nic)
        assert (state(pod.namespace), state(pod.host)) == before


scripted = pytest.mark.parametrize(
    "case", params(case for case in CASES if "sbr" not in case.plugins), indirect=True
)


@scripted
def test_rail_routes_announce_every_address(lab):
    """Only addresses of whole HCAs: sriov-cni announces those of VFs itself, and a routed host link has only
    one HCA."""
    called = [pod.namespace.run("cat", "/run/arping.calls").splitlines() for pod in lab.pods]
    card = all(nic.chain["plugins"][0]["type"] == "host-device" for nic in lab.pods[0].nics)
    moves = not any(segment.host_prefixes for segment in lab.plan.addresses.segments)
    assert called == [
        [f"-U -c 2 -I {name} {own}" for name, own in pod.addresses.items() if card and moves]
        for pod in lab.pods
    ]


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
    assert found == {
        nic.interface: Exchange(
            Leg(nic.interface, hops(lab, nic, nic)), Leg(nic.interface, hops(lab, nic, nic))
        )
        for nic in far.nics
    }


@scripted
def test_a_rail_address_never_leaves_on_the_primary_network(lab):
    near, far = lab.pods
    found = [exchange(near.namespace, far.namespace, far.eth0, source) for source in near.addresses.values()]
    assert found == [Exchange(error="[Errno 113] No route to host")] * len(near.nics)
