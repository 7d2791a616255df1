"""Edge cases, one fact per case: how trace builds a pod, and which pairs of pods it walks."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from netplan.trace import matrix, pod_nics, pods, pods_per_node
from netplan.trace.matrix import OTHER_LEAVES, OTHER_NODE, SAME_NODE, Tabulator
from netplan.trace.model import DEVICE_BOUND, FLOWS, SOURCE_BOUND, UNBOUND, Fault, Verdict
from tests.unit.edges import things
from tests.unit.some import but, some

BUILDER: Any = pods._Builder
INTERFACES: Any = pod_nics.Interfaces
UNREFUSED = some(refused=())
TABULATOR: Any = Tabulator
HOST: Any = some(name="gpu-1", type="gpu")
ROUTES: Any = some(rails={"net1": (2, ())}, at=lambda name: f"routes.yaml:{name}", outside=())
WORKLOAD: Any = some(routes=ROUTES, verbs_mounted=False)


def hca(rail: int | None) -> Any:
    return some(name="roce0", rail=rail)


@pytest.mark.parametrize(
    ("interface", "card", "found"),
    [
        ("net1", hca(2), None),
        ("net1", None, None),
        ("net2", hca(3), None),
        ("net1", hca(3), (Verdict.WRONG_RAIL, "rail 3")),
        ("net1", hca(0), (Verdict.WRONG_RAIL, "rail 0")),
        ("net1", hca(None), (Verdict.UNPROVED, "no rail")),
    ],
)
def test_an_interface_is_on_the_hca_of_its_rail(
    interface: str, card: Any, found: tuple[Verdict, str] | None
) -> None:
    builder = some(workload=WORKLOAD, host=HOST)
    faults = list(INTERFACES.swapped(builder, interface, some(hca=card)))
    text = "net1 is rail 2 (routes.yaml:net1), and its device is roce0 of gpu-1, {} (site.json)"
    assert faults == ([] if found is None else [Fault(found[0], text.format(found[1]))])


@pytest.mark.parametrize(
    ("interface", "card", "rail"),
    [("net1", None, 2), ("net1", hca(3), 2), ("net2", hca(3), 3), ("net2", None, None)],
)
def test_the_rail_of_an_interface_is_stated_or_that_of_its_hca(
    interface: str, card: Any, rail: int | None
) -> None:
    assert INTERFACES._rail(some(workload=WORKLOAD), interface, some(hca=card)) == rail


def device(**more: Any) -> Any:
    return some(**{"wrong": "", "open": (), "hca": None, "offer": None, **more})


@pytest.mark.parametrize(
    ("given", "refutes", "found"),
    [
        (device(), None, []),
        (device(wrong="no such device"), None, [(Verdict.LOST, "no such device (a.yaml)")]),
        (device(open=("one", "two")), None, [(Verdict.UNPROVED, "one"), (Verdict.UNPROVED, "two")]),
        (device(hca=hca(0)), None, [(Verdict.LOST, "card roce0 ib-sriov gpu-1")]),
        (device(offer=some()), None, [(Verdict.UNPROVED, "unknown plugin")]),
        (device(offer=some()), True, [(Verdict.UNPROVED, "unknown plugin"), (Verdict.LOST, "set")]),
        (device(offer=some()), False, [(Verdict.UNPROVED, "unknown plugin"), (Verdict.UNPROVED, "set")]),
    ],
)
def test_what_is_said_of_a_device(
    monkeypatch: pytest.MonkeyPatch, given: Any, refutes: bool | None, found: list[tuple[Verdict, str]]
) -> None:
    def card(own: Any, kind: str, host: str) -> list[Fault]:
        return [Fault(Verdict.LOST, f"card {own.name} {kind} {host}")]

    settings = [] if refutes is None else [(refutes, "set")]
    monkeypatch.setattr(pods, "card_faults", card)
    monkeypatch.setattr(pods, "plugin_unknown", lambda *_: "unknown plugin")
    monkeypatch.setattr(pods, "settings_faults", lambda *_: settings)
    taken = [("sriov", None), ("ib-sriov", given)]
    builder = some(taken=taken, host=HOST, workload=WORKLOAD, site=some(cluster=None, objects=UNREFUSED))
    wanted = some(resource="r/a", thing=some(file="a.yaml"))
    assert list(BUILDER._of_device(builder, given, wanted)) == [Fault(*each) for each in found]


def network(name: str, resource: str | None, plugins: bool = True) -> Any:
    return some(name=name, resource=resource, plugins=plugins, ipams=())


def test_networks_are_attached_in_order_each_with_its_turn_of_the_resource() -> None:
    each = [
        ("net1", "r/a"),
        ("net2", "r/b"),
        ("net3", "r/a"),
        ("net4", None),
        ("net5", None),
        ("net6", "r/a"),
    ]
    attachments = [some(interface=name, name=name, network=network(name, res)) for name, res in each]
    attachments.insert(1, some(interface="gone", name="gone", network=None))
    attachments.insert(2, some(interface="node", name="node", network=network("node", "r/a", plugins=False)))
    calls: list[Any] = []
    builder = some(
        workload=some(unreadable=False, attachments=attachments, networks_at="pod.yaml:7"),
        site=some(objects=UNREFUSED),
        slot=0,
        _lost=calls.append,
        nics={},
        interfaces=some(unwritten=lambda interface, given: calls.append((interface, given.name))),
        _attach=lambda interface, given, nth, turn: calls.append((interface, nth)),
    )
    BUILDER._attach_all(builder)
    assert calls == [
        ("net1", 0),
        "there is no network gone (pod.yaml:7)",
        ("node", "node"),
        ("net2", 0),
        ("net3", 1),
        ("net4", 0),
        ("net5", 1),
        ("net6", 2),
    ]
    calls.clear()
    builder.workload = but(builder.workload, unreadable=True, attachments=[])
    BUILDER._attach_all(builder)
    assert calls == ["the annotation is not a list of networks (pod.yaml:7)"]


def test_faults_and_notes_of_a_pod_add_up() -> None:
    builder = some(faults=[], notes=[])
    lost, open_ = Fault(Verdict.LOST, "lost"), Fault(Verdict.UNPROVED, "open")
    for found in ([lost, open_], [open_], []):
        BUILDER._judge(builder, found)
    BUILDER._say(builder, ["said"])
    assert (builder.faults, builder.notes) == ([lost], ["open", "open", "said"])


def test_a_route_means_its_interface_to_reach_those_with_an_address_in_it() -> None:
    def owned(text: str) -> Any:
        return (some(prefix=ip_network(text)),)

    rails = {"net1": (0, ("10.0.1.0/24", "10.9.0.1/16")), "net2": (1, ()), "net3": (2, ("10.0.0.0/25",))}
    addresses = {"net1": owned("10.0.0.0/24"), "net2": owned("10.0.1.0/31"), "net3": owned("10.9.1.0/24")}
    builder = some(
        nics=dict.fromkeys(("net1", "net2", "net3", "net4")),
        workload=some(routes=some(rails=rails)),
        space=some(addresses=addresses),
    )
    assert BUILDER._intended(builder) == {
        *((name, name) for name in builder.nics),
        ("net1", "net2"),
        ("net1", "net3"),
    }


POLICY = "sriovnetwork.openshift.io/v1"


@pytest.mark.parametrize(
    ("names", "vfs", "single"),
    [
        (["ens1#0-0"], 8, True),
        (["ens1#0-0", "ens2#3-3"], 8, True),
        (["ens1#0-1"], 8, False),
        (["ens1#0-0", "ens2#0-1"], 8, False),
        (["ens1#0-0", "ens2"], 8, False),
        (["ens1"], 8, False),
        (["ens1"], 1, True),
        (["ens1"], 2, False),
        ([], 8, False),
    ],
)
def test_a_policy_gives_a_single_vf(names: list[str], vfs: int, single: bool) -> None:
    text = f"""\
apiVersion: {POLICY}
kind: SriovNetworkNodePolicy
metadata: {{name: p, namespace: op}}
spec: {{resourceName: rail, numVfs: {vfs}, nodeSelector: {{a: b}}, nicSelector: {{pfNames: {names}}}}}
"""
    cluster = things({"kubernetes/a.yaml": text})
    nad = network("rail", f"{cluster.prefix}/rail")
    cases = [[nad], [network("other", "x/y"), nad], [network("plain", None), nad]]
    for networks in cases:
        each = [some(network=but(n, types=["sriov"])) for n in networks]
        given: Any = some(attachments=[*each, some(network=None)])
        assert pods_per_node.shared_by_pods(some(cluster=cluster), given) is not single


@pytest.mark.parametrize(
    ("types", "shared"),
    [([], False), (["host-device"], False), (["macvlan"], True), (["macvlan", "host-device"], False)],
)
def test_a_whole_device_is_of_one_pod(types: list[str], shared: bool) -> None:
    each = [some(network=some(types=[kind, "tuning"], resource=None)) for kind in types]
    given: Any = some(attachments=each)
    assert pods_per_node.shared_by_pods(some(cluster=None), given) is shared


def host(name: str, *switches: str) -> Any:
    return some(name=name, hcas=tuple(some(rail=n, switch=each) for n, each in enumerate(switches)))


A, B, C = (host("a-1", "s1"), host("a-2", "s1")), (host("b-1", "s1", ""),), (host("c-1", "s2"),)


def pairs(
    monkeypatch: pytest.MonkeyPatch, *classes: Any, several: bool = False, sampled: bool = False
) -> list[Any]:
    monkeypatch.setattr(matrix, "shared_by_pods", lambda *_: several)
    monkeypatch.setattr(matrix, "build_pod", lambda site, workload, host, slot=0: (host.name, slot))
    tabulator = some(site=None, flows=FLOWS, sampled=sampled)
    first = [(group[0].name, 0) for group in classes]
    found = TABULATOR._pairs(tabulator, None, [list(group) for group in classes], first)
    return [(p.relation, p.a[0], *p.b, len(p.flows), p.sampled) for p in found]


def test_a_class_is_walked_to_its_other_pod_its_last_host_and_other_classes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    every = len(FLOWS)
    between = [
        (OTHER_NODE, "a-1", "b-1", 0, every, False),
        (OTHER_LEAVES, "a-1", "c-1", 0, every, False),
        (OTHER_NODE, "b-1", "a-1", 0, every, False),
        (OTHER_LEAVES, "b-1", "c-1", 0, every, False),
        (OTHER_LEAVES, "c-1", "a-1", 0, every, False),
        (OTHER_LEAVES, "c-1", "b-1", 0, every, False),
    ]
    own = (OTHER_NODE, "a-1", "a-2", 0, every, False)
    assert sorted(pairs(monkeypatch, A, B, C)) == sorted([own, *between])
    assert sorted(pairs(monkeypatch, A, several=True)) == [own, (SAME_NODE, "a-1", "a-1", 1, every, False)]
    assert pairs(monkeypatch, A, several=True, sampled=True) == [
        (SAME_NODE, "a-1", "a-1", 1, every, True),
        (OTHER_NODE, "a-1", "a-2", 0, every, True),
    ]
    assert {each[-1] for each in pairs(monkeypatch, A, B, sampled=True)} == {True}


@pytest.mark.parametrize(("number", "many"), [(12, False), (13, True)])
def test_beyond_twelve_classes_the_first_has_every_flow(
    monkeypatch: pytest.MonkeyPatch, number: int, many: bool
) -> None:
    found = pairs(monkeypatch, *((host(f"h-{n}", "s"), host(f"i-{n}", "s")) for n in range(number)))
    of_first = {each[4] for each in found if each[1] == "h-0"}
    of_others = {each[4] for each in found if each[1] != "h-0"}
    assert of_first == {len(FLOWS)}
    assert of_others == {1 if many else len(FLOWS)}
    within = {each[-1] for each in found if each[2].startswith("i-")}
    across = {each[-1] for each in found if each[2].startswith("h-")}
    assert (within, across) == ({False}, {many})


@pytest.mark.parametrize(("unbound", "decides"), [(False, [True, True, False]), (True, [True] * 3)])
def test_an_unbound_socket_decides_where_the_workload_has_some(unbound: bool, decides: list[bool]) -> None:
    held = {"net1": (some(ip=ip_address("10.0.0.1")),)}
    pod = some(host=some(name="a"), nics=["net1"], space=some(addresses=held), intended={("net1", "net1")})
    pair = some(relation=OTHER_NODE, a=pod, b=pod, flows=(DEVICE_BOUND, SOURCE_BOUND, UNBOUND), sampled=False)
    walk = some(verdict=Verdict.LOST, faults=(), notes=())
    cells = list(TABULATOR._cells(some(between=lambda *_: walk), pair, unbound))
    assert [cell.decides for cell in cells] == decides
    assert [cell.fails for cell in cells] == decides
    pod.intended = set()
    assert not any(cell.fails for cell in TABULATOR._cells(some(between=lambda *_: walk), pair, unbound))
    pod.intended, walk.verdict = {("net1", "net1")}, Verdict.UNPROVED
    assert not any(cell.fails for cell in TABULATOR._cells(some(between=lambda *_: walk), pair, unbound))


@pytest.mark.parametrize(("last", "mtu"), [("sbr", 9000), ("tuning", 1500)])
def test_of_chained_plugins_tuning_sets_the_mtu(last: str, mtu: int) -> None:
    given: Any = some(chain=[{"type": "macvlan"}, {"type": last, "mtu": 1500}], thing=some(spec={}))
    inherited: Any = some(value=9000)
    assert pod_nics._pod_mtu(given, inherited) == mtu
