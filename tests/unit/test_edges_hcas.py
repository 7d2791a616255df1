"""Edge cases, one fact per case: HCAs of a host, and which of them networks use."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks import rdma, sriov
from netplan.model.modes import MODES
from tests.unit.some import but, owned_by, said, some

MODEL = some(
    name="cx5",
    max_vfs=8,
    speeds_gbps=(40, 100),
    links=("ethernet",),
    vf_id="1018",
    pf_id="1017",
    vendor="15b3",
)


def hca(name: str = "a", **facts: Any) -> Any:
    plain = {
        "pci": None,
        "netdev": None,
        "rdma_device": None,
        "rail": 0,
        "vfs": 4,
        "use": "vf",
        "virtual": False,
    }
    more = {"model": MODEL, "speed_gbps": 100, "link": "ethernet", "for_pods": True, "at": ("hcas", name)}
    return some(**{"name": name, **plain, **more, **facts})


def kind(*hcas: Any, name: str = "gpu", **facts: Any) -> Any:
    by_name = {each.name: each for each in hcas}
    return some(name=name, hcas=hcas, hca=by_name.get, at=("host_types", name), **{"node": True, **facts})


def own(**facts: Any) -> Any:
    plain = {"pci": None, "mac": None, "netdev": None, "rdma_device": None, "address": None, "at": ("own",)}
    return some(**{**plain, **facts})


def host(name: str, of: Any, **hcas: Any) -> Any:
    return some(name=name, type=of, hcas=hcas, named=True, at=("hosts", name))


def fabric(*kinds: Any, hosts: Any = (), **facts: Any) -> Any:
    plain = {"rails": some(count=2), "networks": (), "type": "roce"}
    owners = owned_by(device_plugin="manual", vfs="host")
    return some(host_types=kinds, hosts=hosts, **{**plain, "cluster": some(owners=owners), **facts})


GPU = kind(hca("a", pci="18"), hca("b", pci="3b"))


@pytest.mark.parametrize(
    ("pcis", "hosts", "found"),
    [
        (("18", "3b"), {}, []),
        (("18", "18"), {}, ["a and b of host type gpu both have PCI address 18"]),
        (("18", None), {"b": own(pci="18")}, ["a and b of host h both have PCI address 18"]),
        (("18", "3b"), {"b": own(pci="18")}, ["a and b of host h both have PCI address 18"]),
        (("18", "3b"), {"a": own(pci="3b"), "b": own(pci="18")}, []),
        (("18", "3b"), {"b": own(netdev="x")}, []),
        ((None, None), {}, []),
    ],
)
def test_hcas_of_a_host_have_pci_addresses_of_their_own(pcis: Any, hosts: Any, found: list[str]) -> None:
    of = kind(*(hca(name, pci=pci) for name, pci in zip("ab", pcis, strict=True)))
    assert said(rdma.shared_pci(fabric(of, hosts=[host("h", of, **hosts)]))) == found


def test_mac_addresses_are_of_one_hca_and_no_group() -> None:
    first = host("h1", GPU, a=own(mac="02:00:00:00:00:01"), b=own())
    second = host("h2", GPU, a=own(mac="02:00:00:00:00:01"), b=own(mac="03:00:00:00:00:01"))
    given = fabric(GPU, hosts=[first, second])
    assert said(rdma.shared_mac(given)) == ["a of h1 and a of h2 both have MAC address 02:00:00:00:00:01"]
    text = "MAC 03:00:00:00:00:01 of b of h2 is a multicast address: 03 is odd"
    assert said(rdma.multicast_mac(given)) == [text]


@pytest.mark.parametrize(
    ("change", "check", "place"),
    [
        ({"vfs": 8}, rdma.too_many_vfs, None),
        ({"vfs": 9}, rdma.too_many_vfs, "vfs"),
        ({"vfs": 0}, rdma.use_without_vfs, "use"),
        ({"vfs": 0, "virtual": True}, rdma.use_without_vfs, None),
        ({"vfs": 1}, rdma.use_without_vfs, None),
        ({"vfs": 1, "use": "pf"}, rdma.use_without_vfs, "vfs"),
        ({"vfs": 0, "use": "pf"}, rdma.use_without_vfs, None),
        ({"speed_gbps": 100}, rdma.unknown_speed, None),
        ({"speed_gbps": 25}, rdma.unknown_speed, "speed_gbps"),
        ({}, rdma.wrong_link, None),
        ({"link": "infiniband"}, rdma.wrong_link, "link"),
        ({"virtual": True}, rdma.vfs_of_virtual, "vfs"),
        ({"virtual": True, "vfs": 0}, rdma.vfs_of_virtual, None),
        ({}, rdma.vfs_of_virtual, None),
    ],
)
def test_a_value_of_an_hca_fits_its_model(change: dict[str, Any], check: Any, place: str | None) -> None:
    found = [each.at for each in check(fabric(kind(hca(**change))))]
    assert found == ([("hcas", "a", place)] if place else [])


@pytest.mark.parametrize(("for_pods", "found"), [(True, 1), (False, 0)])
def test_hcas_for_pods_have_the_link_of_the_fabric(for_pods: bool, found: int) -> None:
    of = kind(hca(for_pods=for_pods))
    assert len(list(rdma.wrong_link(fabric(of, type="infiniband")))) == found


@pytest.mark.parametrize(
    ("hcas", "networks", "count", "node", "found"),
    [
        ([hca(rail=0), hca("b", rail=1)], [], 2, True, []),
        ([hca(rail=0), hca("b", rail=0)], [], 2, True, ["rail 0 has a and b of gpu"]),
        ([hca(rail=0), hca("b", rail=0, for_pods=False)], [], 2, True, []),
        ([hca(rail=2)], [], 2, True, ["a of gpu is on rail 2, rails.count is 2"]),
        ([hca(rail=0)], [], 0, True, ["a of gpu is on rail 0, rails.count is 0"]),
        ([hca(rail=None)], [], 2, True, ["a of gpu is for pods and has no rail"]),
        ([hca(rail=None)], [], 0, True, []),
        ([hca(rail=None)], [], 2, False, []),
        ([hca(rail=None)], [some(per_rail=False, hcas=("a",))], 2, True, []),
        (
            [hca(rail=None)],
            [some(per_rail=True, hcas=("a",))],
            2,
            True,
            ["a of gpu is for pods and has no rail"],
        ),
        (
            [hca(rail=None)],
            [some(per_rail=False, hcas=("b",))],
            2,
            True,
            ["a of gpu is for pods and has no rail"],
        ),
    ],
)
def test_an_hca_for_pods_is_on_a_rail(
    hcas: Any, networks: Any, count: int, node: bool, found: list[str]
) -> None:
    rails = some(count=count) if count else None
    given = fabric(kind(*hcas, node=node), rails=rails, networks=networks)
    assert said(rdma.rail_of_hca(given)) == found


def test_rails_are_in_the_order_of_pci_addresses() -> None:
    plain = [hca("a", pci="18", rail=0), hca("b", pci="3b", rail=1)]
    beside = [hca("c", pci="01", rail=5, for_pods=False), hca("d", pci="02", rail=None), hca("e", rail=0)]
    of = kind(*plain, *beside)
    assert not said(rdma.rails_against_pci(fabric(of, hosts=[host("h", of, a=own())])))
    moved = host("h", of, a=own(pci="99"))
    found = list(rdma.rails_against_pci(fabric(of, hosts=[moved])))
    assert said(found) == ["in PCI order, the HCAs of h are on rails 1, 0"]
    assert found[0].at == ("hosts", "h", "hcas")
    turned = kind(hca("a", pci="3b", rail=0), hca("b", pci="18", rail=1))
    (own_type,) = rdma.rails_against_pci(fabric(turned))
    assert (own_type.message, own_type.at) == (
        "in PCI order, the HCAs of host type gpu are on rails 1, 0",
        ("host_types", "gpu", "hcas"),
    )


def test_a_host_has_another_name_than_a_type() -> None:
    hosts = [host("gpu", GPU), host("h", GPU), but(host("gpu", GPU), named=False)]
    (found,) = rdma.host_named_as_type(fabric(GPU, hosts=hosts))
    assert found.at == ("hosts", "gpu")


NETWORK = some(
    name="rail",
    hcas=(),
    per_rail=True,
    host_types=(),
    takes="vf",
    vf_range=None,
    shared=False,
    mode="sriov",
    by_mode=some(sharing="never"),
    at=("networks", "rail"),
)


@pytest.mark.parametrize(
    ("network", "port", "of", "taken"),
    [
        ({}, {}, {}, True),
        ({"hcas": ("a",)}, {}, {}, True),
        ({"hcas": ("b",)}, {}, {}, False),
        ({}, {"rail": None}, {}, False),
        ({"per_rail": False}, {"rail": None}, {}, True),
        ({}, {}, {"node": False}, False),
        ({"host_types": (GPU,)}, {}, {}, False),
        ({"takes": "pf"}, {}, {}, False),
        ({"takes": "pf"}, {"use": "pf"}, {}, True),
        ({}, {"use": "pf"}, {}, False),
        ({"takes": "any"}, {"use": "pf"}, {}, True),
        ({"takes": "any"}, {}, {}, True),
        ({"takes": "pf"}, {"virtual": True}, {}, True),
        ({}, {"virtual": True}, {}, False),
        ({"takes": "mount"}, {}, {}, False),
        ({"takes": "mount"}, {"use": "pf"}, {}, False),
        ({}, {"for_pods": False}, {}, False),
    ],
)
def test_a_network_takes_an_hca(network: Any, port: Any, of: Any, taken: bool) -> None:
    one = hca(**port)
    assert sriov.takes(but(NETWORK, **network), kind(one, **of), one) is taken
    if network == {}:
        mine = kind(one, **of)
        assert sriov.takes(but(NETWORK, host_types=(mine,)), mine, one) is taken


@pytest.mark.parametrize(
    ("vfs", "last", "owner", "netdev", "said_of"),
    [
        (4, 3, "manual", None, ""),
        (4, 4, "manual", None, "but a of gpu has 0-3"),
        (4, 3, "sriov-network-operator", None, "has no netdev"),
        (4, 3, "sriov-network-operator", "x", ""),
        (4, 4, "sriov-network-operator", None, "but a of gpu has 0-3"),
    ],
)
def test_a_range_of_vfs_is_there(vfs: int, last: int, owner: str, netdev: Any, said_of: str) -> None:
    cluster = some(owners=owned_by(device_plugin=owner, vfs="host"))
    of = kind(hca(vfs=vfs, netdev=netdev))
    given = fabric(of, cluster=cluster, networks=[NETWORK, but(NETWORK, vf_range=(0, last))])
    found = said(sriov.vf_range_unfit(given))
    assert [said_of in each for each in found] == ([True] if said_of else [])
    whole = but(NETWORK, vf_range=(0, 9), takes="any")
    assert not said(sriov.vf_range_unfit(fabric(kind(hca(use="pf")), cluster=cluster, networks=[whole])))


@pytest.mark.parametrize(
    ("port", "network", "missing"),
    [
        ({}, {}, "neither pci nor netdev"),
        ({"pci": "18"}, {}, ""),
        ({"netdev": "x"}, {}, ""),
        ({"virtual": True}, {"takes": "any"}, ""),
        ({"pci": "18"}, {"shared": True}, "no netdev"),
        ({"pci": "18", "netdev": "x"}, {"shared": True}, ""),
        ({"virtual": True}, {"shared": True, "takes": "any", "mode": "device-only"}, ""),
        ({"virtual": True}, {"shared": True, "takes": "any", "mode": "macvlan"}, "no netdev"),
        ({}, {"shared": True, "mode": "device-only"}, "no netdev"),
    ],
)
def test_an_hca_has_something_to_select_it_by(port: Any, network: Any, missing: str) -> None:
    by_mode = MODES[network.get("mode", "sriov")]
    given = fabric(kind(hca(**port)), networks=[but(NETWORK, **network, by_mode=by_mode)])
    found = list(sriov.unselectable(given))
    assert [missing in each.message for each in found] == ([True] if missing else [])
    assert [each.hint for each in found] == (
        [f"state {'netdev' if network.get('shared') else 'pci'}"] if missing else []
    )


@pytest.mark.parametrize(
    ("owner", "vfs", "uses", "virtual", "shared", "text"),
    [
        ("manual", "host", ("pf",), False, False, ""),
        ("sriov-network-operator", "host", ("vf",), False, False, ""),
        ("sriov-network-operator", "host", ("pf",), False, True, ""),
        ("sriov-network-operator", "host", ("pf",), False, False, "takes a of gpu, a whole HCA; but"),
        ("sriov-network-operator", "host", ("vf",), True, False, "a function inside a virtual machine; but"),
        (
            "sriov-network-operator",
            "host",
            ("pf", "pf", "pf"),
            False,
            False,
            "a whole HCA (3 such HCAs); but",
        ),
        ("sriov-network-operator", "sriov-network-operator", ("pf",), False, False, "a whole HCA; but"),
    ],
)
def test_the_operator_advertises_vfs(
    owner: str, vfs: str, uses: Any, virtual: bool, shared: bool, text: str
) -> None:
    cluster = some(owners=owned_by(device_plugin=owner, vfs=vfs))
    of = kind(*(hca(name, use=use, virtual=virtual) for name, use in zip("abc", uses, strict=False)))
    network = but(NETWORK, takes="any", shared=shared)
    found = list(sriov.not_for_operator(fabric(of, cluster=cluster, networks=[network])))
    assert [text in each.message for each in found] == ([True] if text else [])
    assert all(each.hint.endswith(" and owners.vfs to host") is (vfs != "host") for each in found)


@pytest.mark.parametrize(
    ("first", "second", "found"),
    [
        ({}, {}, []),
        ({"a": own(pci="3b")}, {}, []),
        ({"b": own(), "a": own(pci="3b")}, {"b": own(), "a": own(pci="99")}, []),
        (
            {"b": own(), "a": own(pci="aa")},
            {"a": own(), "b": own(pci="aa")},
            ["PCI address aa is b on h2 and a on h1"],
        ),
        (
            {"a": own(pci="3b"), "b": own(pci="18")},
            {},
            [
                "PCI address 3b is a on h1 and b on host type gpu",
                "PCI address 18 is b on h1 and a on host type gpu",
            ],
        ),
        ({"a": own(pci="99")}, {"b": own(pci="99")}, ["PCI address 99 is b on h2 and a on h1"]),
        ({"a": own(pci="99")}, {"a": own(pci="99")}, []),
        (
            {"b": own()},
            {"a": own(pci="3b"), "b": own(pci="aa")},
            ["PCI address 3b is a on h2 and b on host type gpu"],
        ),
    ],
)
def test_a_pci_address_is_of_one_hca_of_a_type(first: Any, second: Any, found: list[str]) -> None:
    hosts = [host("h1", GPU, **first), host("h2", GPU, **second)]
    assert said(sriov.pci_of_other_hca(fabric(GPU, hosts=hosts))) == found
