"""Edge cases, one fact per case: which hosts trace walks as one, and what a matrix adds up."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Any

import pytest

from netplan.trace import link, matrix, pod_nics, pods
from netplan.trace.link import Packet, Ports
from netplan.trace.matrix import Tabulator, _without_rdma
from netplan.trace.model import COORDINATOR, DEVICE_BOUND, FLOWS, Fault, Verdict
from netplan.trace.shell import ScriptError
from tests.unit.some import but, some
from tests.unit.test_edges_walk_text import cell

TABULATOR: Any = Tabulator
BUILDER: Any = pods._Builder
PORTS: Any = Ports
WITHOUT: Any = _without_rdma


def test_a_matrix_counts_its_pairs_and_walks_and_keeps_the_worst_of_each_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nics: dict[str, Any] = {"a": {"net1": None, "net2": None}, "c": {}}
    monkeypatch.setattr(matrix, "build_pod", lambda site, workload, host: some(nics=nics[host]))
    groups = [["a", "b"], ["c"]]
    cells = {
        1: [cell("net1", "net1"), cell("net1", "net2")],
        2: [cell("net1", "net1", Verdict.LOST), cell("net2", "net2")],
    }
    tabulator = some(
        site=some(hosts_of=lambda _: ("a", "b", "c")),
        _classes=lambda hosts: groups,
        _pairs=lambda workload, classes, built: iter((1, 2)),
        _cells=lambda pair, unbound: iter(cells[pair]),
    )
    workload = some(name="job", file="pod.yaml", routes=some(unbound=False))
    found = TABULATOR._matrix(tabulator, workload)
    assert (found.workload, found.interfaces, found.missing) == ("job", ("net1", "net2"), "")
    assert (found.hosts, found.classes, found.pairs, found.walks) == (3, (2, 1), 2, 4)
    assert [(c.start, c.end, c.verdict) for c in found.cells] == [
        ("net1", "net1", Verdict.LOST),
        ("net1", "net2", Verdict.DELIVERED),
        ("net2", "net2", Verdict.DELIVERED),
    ]
    assert WITHOUT(workload, some(nics={})) == "its pods have no RDMA interface (pod.yaml)"
    assert WITHOUT(workload, some(nics={"net1": 1})) == ""


def test_a_walk_is_the_worst_of_its_ip_versions() -> None:
    held = {"net1": tuple(some(ip=ip_address(ip)) for ip in ("10.0.0.1", "fd00::1"))}
    pod = some(space=some(addresses=held))
    verdicts = {4: Verdict.UNPROVED, 6: Verdict.LOST}
    walker = some(walk=lambda a, b, flow, version: some(verdict=verdicts[version]))
    found = TABULATOR.between(some(walker=walker), pod, "net1", pod, "net1", DEVICE_BOUND)
    assert found.verdict is Verdict.LOST


def test_a_tabulator_takes_the_walker_it_is_given() -> None:
    given: Any = some(walk=None)
    site: Any = some(fabric=some(), bgp=some())
    assert Tabulator(site, walker=given).walker is given
    own = Tabulator(site)
    assert own.walker is not None
    assert (own.flows, own.sampled) == (FLOWS, False)


def host(name: str, kind: str = "gpu") -> Any:
    return some(name=name, type=kind, hcas=())


def tabulator(**more: Any) -> Any:
    """``h-own`` has files of its own."""
    plain = some(
        site=some(apart_at=lambda name: (), texts={}),
        _allocated={},
        _with_files={"h-own"},
        _own_faults=lambda _: ("own faults",),
        _set_up=lambda _: ("own set up",),
        _usual_set_up=lambda _: ("usual set up",),
        _port_signature=lambda *given: given[1:],
        _usual={},
    )
    return but(plain, **more)


def test_a_host_with_files_of_its_own_is_told_by_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "own_scripts", lambda *_: ("own script",))
    with_card = but(host("h-own"), hcas=("card",))
    given = tabulator(_allocated={"h-own": {"pool": ("10.0.0.0/31", "10.0.0.1")}})
    assert TABULATOR._signature(given, with_card) == (
        "gpu",
        ("pool",),
        (),
        ("own script",),
        ("own faults",),
        ("own set up",),
        ("card", True, frozenset({("10.0.0.0/31", "10.0.0.1")})),
    )
    assert TABULATOR._signature(given, but(with_card, name="h-1")) == (
        *("gpu", (), (), (), ()),
        ("usual set up",),
        ("card", False, frozenset()),
    )


def test_hosts_with_one_signature_are_a_class_in_the_order_of_the_first() -> None:
    hosts = tuple(host(name, kind) for name, kind in (("a", "x"), ("b", "y"), ("c", "x"), ("d", "z")))
    given = some(_signature=lambda one: (one.type,))
    found = TABULATOR._classes(given, hosts)
    assert [[one.name for one in group] for group in found] == [["a", "c"], ["b"], ["d"]]


def test_hosts_of_a_type_are_set_up_alike_and_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def set_up(one: Any) -> tuple[str]:
        asked.append(one.name)
        return (f"set up as {one.name}",)

    given = tabulator(_set_up=set_up)
    found = [TABULATOR._usual_set_up(given, host(name, kind)) for name, kind in ("ax", "bx", "cy")]
    assert found == [("set up as a",), ("set up as a",), ("set up as c",)]
    assert asked == ["a", "c"]

    def mtu(one: Any, card: Any) -> int:
        asked.append(one.name)
        return 9000 + len(asked)

    cards = some(name="roce0"), some(name="roce1")
    given = some(_mtus={}, _mtu=mtu)
    pairs = [(host("a"), cards[0]), (host("b"), cards[0]), (host("a"), cards[1]), (host("a", "x"), cards[0])]
    assert [TABULATOR._usual_mtu(given, *pair) for pair in pairs] == [9003, 9003, 9004, 9005]


def test_the_set_up_of_a_host_is_the_vfs_of_each_port(monkeypatch: pytest.MonkeyPatch) -> None:
    units = {
        "vfs": some(last=lambda *key: some(value="8")),
        "none": some(last=lambda *key: None),
        "gone": None,
    }
    monkeypatch.setattr(matrix, "link_of", lambda texts, one, card: units[card])
    one = but(host("a"), hcas=("vfs", "none", "gone"))
    assert TABULATOR._set_up(tabulator(), one) == ("8", None, None)


@pytest.mark.parametrize(("stated", "mtu"), [(some(value=9000), 9000), (None, None)])
def test_the_mtu_of_a_port_is_what_its_files_state(
    monkeypatch: pytest.MonkeyPatch, stated: Any, mtu: int | None
) -> None:
    monkeypatch.setattr(matrix, "port_mtu", lambda *_: stated)
    assert TABULATOR._mtu(tabulator(), host("a"), "card") == mtu


def test_own_files_are_judged_without_pods(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        matrix, "host_faults", lambda texts, one, uses: [(u.hca, u.vfs, u.made) for u in uses]
    )
    one = but(host("a"), hcas=("card", "other"))
    assert TABULATOR._own_faults(tabulator(), one) == (("card", 0, False), ("other", 0, False))


@pytest.mark.parametrize(
    ("announced", "whether"),
    [([], False), ([("p", {"leaf"})], True), ([("p", {"far"})], False), ([("p", {"leaf", "far"})], False)],
)
def test_a_switch_announces_a_prefix_alone(announced: list[Any], whether: bool) -> None:
    given = some(site=some(bgp=some(announced=lambda ip: iter(announced))))
    assert TABULATOR._announces(given, "leaf", "10.0.0.1") is whether


def test_prefixes_and_files_of_nodes() -> None:
    rows = [
        {"nodeName": "a", "prefix": "10.0.0.0/31", "gateway": "10.0.0.1"},
        {"nodeName": "b", "prefix": "x"},
    ]
    cluster = some(pools={1: some(name="p", spec={"staticAllocations": rows}), 2: some(name="q", spec={})})
    texts = {"hosts/a/x.link": "", "hosts/b/c/d": "", "switches/leaf/a.json": "", "site.json/x": ""}
    given: Any = Tabulator(some(cluster=cluster, texts=texts, fabric=None, bgp=None), walker=some())
    assert given._allocated == {"a": {"p": ("10.0.0.0/31", "10.0.0.1")}, "b": {"p": ("x", "None")}}
    assert given._with_files == {"a", "b"}


@pytest.mark.parametrize(
    ("script", "error", "lost"), [(None, "", []), ("s", "", []), ("s", "bad", ["s:1: bad"])]
)
def test_the_script_of_a_pod_runs_in_its_namespace(
    monkeypatch: pytest.MonkeyPatch, script: str | None, error: str, lost: list[str]
) -> None:
    ran: list[Any] = []

    def run(text: str, space: Any) -> None:
        ran.append((text, space))
        if error:
            raise ScriptError(error)

    monkeypatch.setattr(pods, "script_of", lambda _: some(text=script, at="s:1") if script else None)
    monkeypatch.setattr(pods, "run_script", run)
    said: list[str] = []
    builder = some(workload=some(file="pod.yaml"), space="space", _lost=said.append, nics={})
    BUILDER._script(builder)
    assert ran == ([("s", "space")] if script else [])
    assert said == lost
    assert BUILDER._routes_file(builder) == ("s:1" if script else "pod.yaml")
    builder.nics = {"net1": some(file="nad.yaml:2")}
    assert BUILDER._routes_file(builder) == ("s:1" if script else "nad.yaml:2")


@pytest.mark.parametrize(
    ("types", "why"),
    [
        (["sriov"], ""),
        (["macvlan", "ipoib"], ""),
        (["ipoib"], pod_nics._SUBNET_MANAGER),
        (["ib-sriov", "tuning"], pod_nics._SUBNET_MANAGER),
        (["macvlan", "coordinator"], COORDINATOR),
        (["ib-sriov", "coordinator"], COORDINATOR),
    ],
)
def test_what_no_file_says_of_the_packets_of_a_network(types: list[str], why: str) -> None:
    given: Any = some(types=types)
    assert pod_nics._beyond_reach(given) == why


def test_a_port_after_a_device_of_no_port_is_used() -> None:
    taken = [("macvlan", some(hca=None, offer=None)), ("sriov", some(hca="a", offer=None))]
    found = BUILDER._uses(some(_pods=lambda: 1, taken=taken))
    assert [(use.hca, use.vfs) for use in found] == [("a", 1)]


@pytest.mark.parametrize(
    ("change", "faults", "notes"),
    [
        ({}, [], []),
        ({"up": False}, ["leaf p is shut down (port-down)"], []),
        ({"up": None}, [], ["unstated port-up p"]),
        ({"ip_mtu": None}, [], ["the MTU of leaf p is not stated (ports.txt)"]),
        (
            {"ip_mtu": 4095},
            ["leaf p takes IP packets of up to 4,095 bytes, the pod sends up to 4,096 (port-mtu)"],
            [],
        ),
    ],
)
def test_a_port_is_up_and_wide_enough(
    monkeypatch: pytest.MonkeyPatch, change: dict[str, Any], faults: list[str], notes: list[str]
) -> None:
    monkeypatch.setattr(link, "link_faults", lambda *_: ())
    state = but(some(up=True, ip_mtu=4096), **change)
    read = some(name="leaf", ports={"p": state}, told=(), problems=(), unread=(), refused=())
    fabric = some(
        switches={"leaf": read},
        cables=some(disputed={}),
        unparsed=lambda _: "",
        shared=lambda _: (),
        file=lambda switch, kind: f"{kind}.txt",
        at_port=lambda switch, port, *facts: facts[0],
        unstated=lambda switch, fact, at: f"unstated {fact} {at}",
    )
    packet = Packet(size=4096, dscp=None)
    found = PORTS(fabric).at("leaf", "p", packet)
    assert ([each.text for each in found.faults], list(found.notes)) == (faults, notes)
    shown = "not stated" if state.ip_mtu is None else str(state.ip_mtu)
    assert (found.point, found.values) == (None, (("MTU", shown),))
    fabric.cables.disputed, fabric.unparsed = {("leaf", "p"): "another end"}, lambda _: "not JSON"
    found = PORTS(fabric).at("leaf", "p", packet)
    said = ["leaf has a file that cannot be read: not JSON", "another end", *faults]
    assert [each.text for each in found.faults] == said


def test_a_switch_whose_cables_have_no_vfs_needs_room_for_none() -> None:
    read = some(entries={4: 0}, collected={})
    given = PORTS(some(switches={"leaf": read}, wanted=some(demand={})))
    assert list(given._crowded(some(switch="leaf", ip=some(version=4)))) == []


def test_a_builder_starts_with_nothing() -> None:
    builder = BUILDER("site", "workload", "host", 1)
    assert (builder.nics, builder.faults, builder.notes, builder.taken, builder.slot) == ({}, [], [], [], 1)
    builder._lost("gone")
    assert builder.faults == [Fault(Verdict.LOST, "gone")]
