"""Edge cases, one fact per case: HCAs that pods take from their nodes, the policies about them, and the NICs
that nothing configures."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import job_paths, mixed_types, nic_qos, pod_devices
from netplan.checks.registry import REGISTRY
from netplan.model.claims import DRANET
from netplan.model.modes import MODES, ModeName
from netplan.plan import policies
from tests.unit.some import but, owned_by, said, some
from tests.unit.test_edges_nic_checks import MLX5, PLAIN, fabric, nics
from tests.unit.test_edges_pod_checks import NET, WORK, planned


def hcas(names: str) -> tuple[Any, ...]:
    return tuple(some(name=name) for name in names.split())


@pytest.fixture(autouse=True)
def taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network takes the HCAs that it lists."""
    for module in (pod_devices, mixed_types, job_paths):
        monkeypatch.setattr(module, "takes", lambda network, _, hca: hca.name in network.has.split())


VERBS: Any = some(by_mode=MODES["device-only"])


@pytest.mark.parametrize(
    ("mode", "has", "owner", "ipam", "address", "told"),
    [
        ("host-device", "a", "manual", False, "10.0.0.1/24", 1),
        ("host-device", "b", "manual", False, "10.0.0.1/24", 0),
        ("sriov", "a", "manual", False, "10.0.0.1/24", 0),
        ("host-device", "a", "manual", False, None, 0),
        ("host-device", "a", DRANET, False, "10.0.0.1/24", 0),
        ("host-device", "a", DRANET, True, "10.0.0.1/24", 1),
    ],
)
def test_an_address_that_moves_into_pods(
    mode: ModeName, has: str, owner: str, ipam: bool, address: str | None, told: int
) -> None:
    kind = some(name="gpu", hcas=hcas("a b"))
    own = some(address=address, at=("hosts", "h"))
    hosts = [some(name="h", type=kind, hcas={"a": own}), some(name="x", type=some(name="x"), hcas={"a": own})]
    network = but(NET, mode=mode, by_mode=MODES[mode], has=has, by_ipam=some(addresses=ipam))
    other = but(NET, by_mode=MODES["sriov"], has="a", name="other")
    owners = some(owners=owned_by(device_plugin=owner))
    subject: Any = some(networks=[network, other], host_types=[kind], hosts=hosts, cluster=owners)
    text = f"a of h has address {address}, but host-device network n moves it into pods"
    assert said(pod_devices.address_moves_away(subject)) == [text] * told
    assert pod_devices._addresses(subject) == (2 if address else 0)


@pytest.mark.parametrize(
    ("has", "stated", "count"),
    [
        (["a"], {}, 1),
        (["a", "b"], {}, 2),
        (["a b", "b"], {}, 2),
        (["", "z"], {}, 0),
        (["a b"], {"n0": 1}, 1),
        (["a b", "b"], {"n0": 4}, 5),
        (["a b"], {"other": 4}, 2),
    ],
)
def test_hcas_of_a_pod(has: list[str], stated: dict[str, int], count: int) -> None:
    networks = [but(NET, name=f"n{number}", has=each, membership=None) for number, each in enumerate(has)]
    kind: Any = some(hcas=hcas("a b c"))
    assert pod_devices._hcas(but(WORK, networks=networks, devices=stated), kind) == count


@pytest.mark.parametrize(
    ("types", "uneven", "told"),
    [
        ([(8, "a b"), (8, "a b")], (), 0),
        ([(8, "a b"), (4, "a")], (), 0),
        ([(8, "a b"), (8, "a")], (), 1),
        ([(8, "a b"), (0, "a"), (8, "a")], (), 1),
        ([(8, "a b"), (8, ""), (8, "a")], (), 1),
        ([(8, "a b"), (8, "a"), (8, "a")], (), 2),
        ([(0, "a"), (8, "a b"), (4, "a")], (), 0),
        ([(8, "a b"), (8, "a")], ("n",), 0),
        ([(8, "a b")], (), 0),
    ],
)
def test_nodes_that_differ_in_gpus_per_hca(
    monkeypatch: pytest.MonkeyPatch, types: list[tuple[int, str]], uneven: tuple[str, ...], told: int
) -> None:
    monkeypatch.setattr(pod_devices, "uneven", lambda _, network: network.name in uneven)
    kinds = [some(name=f"t{n}", gpus=gpus, hcas=hcas(each)) for n, (gpus, each) in enumerate(types)]
    network = but(NET, has="a b", membership=None)
    even = but(network, name="even")
    work = but(WORK, host_types=kinds, networks=(network, even))
    after = but(work, networks=(even,), name="v", host_types=[kinds[0]])
    odd = but(after, name="u", host_types=[but(kinds[0], gpus=8, hcas=hcas("a b")), but(kinds[0], gpus=1)])
    odd.host_types[1].hcas = hcas("a b")
    subject: Any = some(workloads=[work, after, odd])
    texts = said(pod_devices.uneven_nodes(subject))
    assert [text.split()[2] for text in texts] == [*["w"] * told, "u"]
    assert texts[-1].endswith("t0 1 and 2")


@pytest.mark.parametrize(("kind", "told"), [("efa", 0), ("roce", 1), ("infiniband", 1)])
def test_more_hcas_than_nccl_uses(kind: str, told: int) -> None:
    many = [planned(WORK, some(hcas=20), some(hcas=count)) for count in (12, 13)]
    subject: Any = some(workloads=many, fabric=some(type=kind))
    text = "a pod of w has 33 HCAs, NCCL uses at most 32"
    assert said(pod_devices.too_many_hcas(subject)) == [text] * told
    assert pod_devices._verbs_workloads(subject) == 2 * told


def test_types_without_an_hca_of_a_network_are_not_compared() -> None:
    kinds = [some(hcas=hcas("a b")), some(hcas=hcas("x")), some(hcas=hcas("b x"))]
    found = mixed_types._taken(but(WORK, host_types=kinds), but(NET, has="a b"))
    assert found == [(kinds[0], list(hcas("a b"))), (kinds[2], list(hcas("b")))]
    rails: Any = [some(rail=1), some(rail=None), some(rail=0), some(rail=1)]
    assert mixed_types._rails(rails) == (0, 1)


@pytest.mark.parametrize(("types", "count"), [((), 0), ((1,), 0), ((1, 2), 1), ((1, 2, 3), 1)])
def test_workloads_of_several_host_types(types: tuple[int, ...], count: int) -> None:
    subject: Any = some(workloads=[but(WORK, host_types=types), but(WORK, host_types=(1,))])
    assert mixed_types._several(subject) == count


def test_nics_that_nothing_configures(monkeypatch: pytest.MonkeyPatch) -> None:
    nics(monkeypatch, ("a", MLX5, None), ("b", PLAIN, "no source"), ("c", None, "no driver"))
    found = list(nic_qos.nic_without_qos(fabric()))
    assert [(each.at, each.message) for each in found] == [
        (("hcas", "b", "model"), "gpu b is a M, its QoS is not configured: no source"),
        (("hcas", "c", "model"), "gpu c is a M, its QoS is not configured: no driver"),
    ]


def cable(host: str, hca: str, leaf: str, rail: int | None) -> Any:
    return some(host=some(name=host), hca=some(name=hca, rail=rail), switch=some(name=leaf))


@pytest.mark.parametrize(
    ("per_rail", "bound", "rails", "found"),
    [
        (True, "leaf", True, {0: {"h": {"leaf-1"}}, 1: {"h": {"leaf-2"}}}),
        (True, "link", True, {0: {"h": {"h"}}, 1: {"h": {"h"}}}),
        (True, "part", True, {0: {"h": {"p"}}, 1: {"h": {"q"}}}),
        (True, "", True, {}),
        (False, "leaf", True, {None: {"h": {""}}}),
        (False, "leaf", False, {None: {"h": {"leaf-1", "leaf-2"}}}),
        (False, "part", False, {None: {"h": {"p", "q"}}}),
    ],
)
def test_zones_of_a_network(per_rail: bool, bound: str, rails: bool, found: Any) -> None:
    """``c`` is no HCA of the network; on a network beside the rails, an HCA of a rail proves nothing."""
    links = [
        cable("h", "a", "leaf-1", 0), cable("h", "b", "leaf-2", 1), cable("h", "c", "leaf-3", 0),
        cable("x", "a", "leaf-4", 0),
    ]  # fmt: skip
    site: Any = some(fabric=some(host_links=links, rails=some() if rails else None))
    paths = job_paths._Paths(site)
    vars(paths)["_parts"] = {"leaf-1": "p", "leaf-2": "q"}
    kind = some(name="gpu", hcas=hcas("a b c"))
    work = planned(
        but(WORK, host_types=(kind,), hosts=(some(name="h", type=kind), some(name="y", type=kind)))
    )
    zones = paths.zones(work, but(NET, has="a b", per_rail=per_rail), bound)
    plain = {rail: {host: set(names) for host, names in each.items()} for rail, each in zones.items()}
    assert plain == found


def test_an_hca_on_no_rail_proves_how_far_its_network_reaches() -> None:
    site: Any = some(fabric=some(host_links=(), rails=some()))
    assert (
        job_paths._Paths(site)._zone(cable("h", "a", "leaf-1", None), but(NET, per_rail=False), "leaf")
        == "leaf-1"
    )


def test_pairs_of_several_rails_and_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each rail is told, in order; networks beside the rails only if none of them connects the hosts."""
    rail, one, two = (
        but(NET, name="rail"),
        but(NET, name="one", per_rail=False),
        but(NET, name="two", per_rail=False),
    )
    pairs = {"rail": {1: "b", 0: "a", 2: None}, "one": {None: "c"}, "two": {None: None}}
    monkeypatch.setattr(job_paths, "collective_networks", lambda work: work.networks)
    monkeypatch.setattr(job_paths, "apart", lambda zones: zones)
    paths: Any = some(bound=lambda *_: "leaf", zones=lambda _, network, __: pairs[network.name])

    def found(*networks: Any) -> list[Any]:
        return [
            (n.name, r, pair)
            for n, r, _, pair in job_paths._of_job(paths, planned(but(WORK, networks=networks)))
        ]

    assert found(rail) == [("rail", 0, "a"), ("rail", 1, "b")]
    assert found(rail, one) == [("rail", 0, "a"), ("rail", 1, "b"), ("one", None, "c")]
    assert found(one, one) == [("one", None, "c")]
    assert found(one, two) == found(two, one) == found(two) == []


CARD = some(vendor="15b3", pf_id="101b", name="connectx-6")


def port(name: str, pci: str | None, vfs: int = 4, use: str = "vf", link: str = "ethernet") -> Any:
    return some(
        name=name, pci=pci, vfs=vfs, use=use, link=link, model=CARD, netdev=name, virtual=False,
        for_pods=True, rail=0,
    )  # fmt: skip


CLASSES = tuple(some(name=name, lossless=name != "a", tos=0, priority=0) for name in "abc")


@pytest.mark.parametrize(
    ("named", "link", "qos", "found"),
    [
        ((), "ethernet", True, "b"),
        (("c",), "ethernet", True, "c"),
        (("b", "c"), "ethernet", True, "b"),
        (("a",), "ethernet", True, "b"),
        (("-c",), "ethernet", True, "b"),
        ((None,), "ethernet", True, "b"),
        ((), "infiniband", True, None),
        ((), "ethernet", False, None),
    ],
)
def test_the_class_of_a_template(
    monkeypatch: pytest.MonkeyPatch, named: Any, link: str, qos: bool, found: str | None
) -> None:
    """``-``: a network that does not use these ports."""
    monkeypatch.setattr(policies, "uses", lambda network, *_: network.mine)
    networks = [
        some(mine=not (name or "").startswith("-"), traffic_class=name and some(name=name.strip("-")))
        for name in named
    ]
    subject: Any = some(networks=networks)
    plan: Any = some(classes=CLASSES) if qos else None
    ports = [port("x", None, link=link)]
    given = policies._data_class(subject, plan, some(), ports)
    assert (given and given.name) == found


@pytest.mark.parametrize(
    ("ports", "groups"),
    [
        ([("a", "0:1.0", 4), ("b", "0:1.1", 4)], ["ab"]),
        ([("a", "0:1.0", 4), ("b", "0:2.0", 4)], ["ab"]),
        ([("a", "0:1.0", 4), ("b", "0:2.0", 8)], ["a", "b"]),
        ([("a", "0:1.0", 4), ("b", "0:1.1", 8)], ["ab"]),
        ([("a", "0:1.0", 4), ("b", None, 8)], ["ab"]),
        ([("a", "0:1.0", 4), ("b", "0:2.0", 8), ("c", "0:3.0", 4)], ["ac", "b"]),
    ],
)
def test_ports_of_one_card_have_one_template(ports: list[Any], groups: list[str]) -> None:
    given = [port(*each) for each in ports]
    subject: Any = some(hosts=(), networks=())
    found = policies._alike(subject, None, some(name="gpu"), given)
    assert ["".join(p.name for p in group) for group in found] == groups


@pytest.mark.parametrize(("uses", "vfs"), [(["vf", "pf"], 4), (["pf"], 0), (["vf", "vf"], 5)])
def test_vfs_of_a_template(uses: list[str], vfs: int) -> None:
    assert policies._num_vfs([port("p", None, 4 + n, use) for n, use in enumerate(uses)]) == vfs


@pytest.mark.parametrize(
    ("code", "subject", "count"),
    [
        ("NP541", fabric(adaptive_routing=True), 1),
        ("NP541", fabric(), 0),
        ("NP541", fabric(adaptive_routing=True, type="infiniband"), 0),
        ("NP542", fabric(qos=some(nic_pfc_stall_ms=100)), 1),
        ("NP542", fabric(), 0),
        ("NP542", fabric(qos=None), 0),
        ("NP631", some(networks=[some(by_mode=MODES[mode]) for mode in ("host-device", "sriov")]), 1),
        ("NP530", some(workloads=[some(host_types=(1, 2)), some(host_types=(1,))]), 1),
        (
            "NP533",
            some(type="infiniband", workloads=[some(networks=[some(by_mode=MODES["device-only"])])]),
            0,
        ),
        ("NP533", some(type="roce", workloads=[some(networks=[some(by_mode=MODES["device-only"]), NET])]), 1),
    ],
)
def test_what_a_check_looks_at(code: str, subject: Any, count: int) -> None:
    """The findings, a generator, are not asked for."""
    assert REGISTRY[code].ask(subject)[0] == count
