"""Edge cases, one fact per case: what trace reads beside a pod, by direct calls."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any

import pytest

from netplan.model.cabling import COLUMNS
from netplan.model.readback import ReadSwitch
from netplan.trace import pods
from netplan.trace.cabling import peers
from netplan.trace.copies import _shown as shown
from netplan.trace.matrix import Tabulator
from netplan.trace.memory import uncollected
from netplan.trace.tree import beside
from netplan.trace.wiring import _devices as device_faults
from tests.unit.some import some
from tests.unit.test_edges_bgp import bgp, neighbour, of


@pytest.mark.parametrize("before", [True, False])
def test_the_collector_is_left_as_it_was(before: bool) -> None:
    kept = gc.isenabled()
    (gc.enable if before else gc.disable)()
    try:
        with uncollected():
            assert not gc.isenabled()
        assert gc.isenabled() is before
        with pytest.raises(KeyError), uncollected():
            raise KeyError
        assert gc.isenabled() is before
    finally:
        (gc.enable if kept else gc.disable)()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", "not stated"),
        ("a\nb", "a b"),
        ("x" * 79, "x" * 79),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 80 + "..."),
    ],
)
def test_a_value_is_shown_in_eighty_characters(value: str, text: str) -> None:
    assert shown(value) == text


def test_peers_of_a_table_are_the_first_word_with_its_line() -> None:
    rows = [
        {"port": "a", "peer": "one", "peer_port": "x y", "speed_gbps": "100", "cable_m": "3"},
        {"port": "b", "peer": "two", "peer_port": "z", "speed_gbps": "100", "cable_m": "3"},
    ]
    lines = [",".join(COLUMNS), *(",".join(row.get(name, "") for name in COLUMNS) for row in rows)]
    path = "switches/leaf/cabling.csv"
    texts = {path: "\n".join(lines), "hosts/leaf/cabling.csv": "x", "switches/leaf/cabling.csv.old": "x"}
    assert list(peers(texts)) == [("one", f"{path}:2"), ("two", f"{path}:3")]


def test_a_workload_without_hosts_has_an_empty_matrix() -> None:
    given: Any = some(hosts_of=lambda _: [], fabric=some(), bgp=some())
    walker: Any = some()
    found = Tabulator(given, walker=walker).matrix(some(name="job", file="pods/job/pod.yaml"))
    assert found.missing == "no host has the labels its pods ask for (pods/job/pod.yaml)"
    assert (found.workload, found.interfaces, found.hosts, found.classes) == ("job", (), 0, ())
    assert (found.pairs, found.walks, found.cells) == (0, 0, ())


def test_a_pod_is_the_first_of_its_host_unless_another_slot_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Any] = []

    def builder(*given: Any) -> Any:
        made.append(given)
        return some(build=lambda: "built")

    monkeypatch.setattr(pods, "_Builder", builder)
    site, workload, host = (some(name=name) for name in ("site", "workload", "host"))
    built: list[Any] = [pods.build_pod(site, workload, host), pods.build_pod(site, workload, host, 1)]
    assert built == ["built", "built"]
    assert made == [(site, workload, host, 0), (site, workload, host, 1)]


def device(hca: str | None, most: int | None = None, by_policy: bool = False, offered: bool = True) -> Any:
    return some(hca=hca, offer=some(most=most, by_policy=by_policy) if offered else None)


@pytest.mark.parametrize(
    ("taken", "uses"),
    [
        ([("sriov", device(None, 4))], []),
        ([("sriov", device("a", 4))], [("a", 2, True, 4)]),
        ([("sriov", device("a"))], [("a", 2, True, None)]),
        ([("sriov", device("a", offered=False))], [("a", 2, True, None)]),
        ([("sriov", device("a", 4)), ("ib-sriov", device("a", 3))], [("a", 4, True, 3)]),
        ([("sriov", device("a", 4)), ("sriov", device("a", 0))], [("a", 4, True, 0)]),
        ([("sriov", device("a", 4)), ("sriov", device("a"))], [("a", 4, True, 4)]),
        ([("macvlan", device("a", 4))], [("a", 0, True, 4)]),
        ([("sriov", device("a", 4, True)), ("sriov", device("a", 5))], [("a", 4, False, 4)]),
        ([("sriov", device("b", 2)), ("sriov", device("a", 1))], [("b", 2, True, 2), ("a", 2, True, 1)]),
    ],
)
def test_ports_are_used_by_all_pods_of_a_node_up_to_the_least_limit(
    taken: list[Any], uses: list[Any]
) -> None:
    given: Any = some(_pods=lambda: 2, taken=taken)
    found = pods._Builder._uses(given)
    assert [tuple(getattr(u, name) for name in u.__slots__) for u in found] == uses


def test_files_beside_those_of_netplan_are_told(tmp_path: Path) -> None:
    for name in ("hosts/b", "kubernetes/a/x.yaml", "pods/p", "switches/s/t", "README.md", "other/x"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    found = beside(tmp_path)
    strange = ("hosts/b", "kubernetes/a/x.yaml", "pods/p", "switches/s/t")
    assert found.apart == tuple(f"{name} is not read: netplan did not write it" for name in strange)
    assert found.edited == ()


def test_each_end_of_a_cable_names_its_own_gap_first() -> None:
    """``one`` has no neighbour; ``far`` speaks from an address it does not have."""
    far: ReadSwitch = of("far", neighbours=(neighbour("10.0.0.0", 1, "10.0.0.9"),))
    silent = bgp(of("one", neighbours=()), far).sessions.silent
    assert silent["one", "a"].startswith("one has no BGP neighbour 10.0.0.1, far")
    assert silent["far", "b"].startswith("far has no interface with 10.0.0.9")


@pytest.mark.parametrize(
    ("asked", "networks", "injector", "missing"),
    [
        (2, 2, False, False),
        (3, 2, False, False),
        (1, 2, False, True),
        (1, 2, True, True),
        (0, 1, False, True),
        (0, 1, True, False),
        (0, 2, True, False),
        (1, 1, False, False),
    ],
)
def test_each_attachment_takes_a_device(
    monkeypatch: pytest.MonkeyPatch, asked: int, networks: int, injector: bool, missing: bool
) -> None:
    monkeypatch.setattr("netplan.trace.wiring.injected", lambda *_: injector)
    monkeypatch.setattr("netplan.trace.wiring._limits", lambda _: "there")
    without = [some(network=None), some(network=some(resource=None))]
    each = [some(network=some(resource="r/a")) for _ in range(networks)]
    given: Any = some(name="job", pod=some(claimed={}, asked=lambda _: asked), attachments=[*without, *each])
    text = f"pods of job ask for {asked} of r/a, their networks take {networks} (there)"
    nothing: Any = None
    assert [fault.text for fault in device_faults(given, nothing)] == ([text] if missing else [])
    given.pod.claimed = None
    assert list(device_faults(given, nothing)) == []
