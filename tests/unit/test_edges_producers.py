"""Edge cases, one fact per case: what produces a resource, from which NICs of which nodes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.producers import Producer, producers_of
from tests.unit.edges import things
from tests.unit.test_edges_objects_operators import configured, entry
from tests.unit.test_edges_rules import named, thing, vf_policy

SRIOV_DRA = "sriovnetwork.k8snetworkplumbingwg.io/v1alpha1"
RAILS = thing("spectrumx.nvidia.com/v1alpha2", "SpectrumXRailPoolConfig", railTopology=[{"name": "rail"}])
NAME = {"k8s.cni.cncf.io/resourceName": {"string": "x/rail"}}


def made(resource: str, *given: dict[str, Any]) -> list[Producer]:
    return producers_of(things({"kubernetes/a.yaml": yaml.safe_dump_all(given, sort_keys=False)}), resource)


@pytest.mark.parametrize(
    ("resource", "given", "found"),
    [
        ("openshift.io/rail", [vf_policy()], [("SriovNetworkNodePolicy", (), "*/rail")]),
        ("openshift.io/other", [vf_policy()], []),
        ("openshift.io/7", [vf_policy(resourceName=7)], []),
        ("openshift.io/${X}", [vf_policy(resourceName="${X}")], []),
        ("openshift.io/rail", [RAILS], [("SpectrumXRailPoolConfig", ("spec", "railTopology"), "*/rail")]),
        (
            "x/rail",
            [thing(SRIOV_DRA, "DeviceAttributes", attributes=NAME)],
            [("DeviceAttributes", ("spec",), "x/rail")],
        ),
        ("y/rail", [thing(SRIOV_DRA, "DeviceAttributes", attributes=NAME)], []),
        (
            "x/rail",
            [configured(entry(resourcePrefix="x"), entry(resourcePrefix="y"))],
            [("ConfigMap", ("data", "config.json", "resourceList", 0), "x/rail")],
        ),
        (
            "x/rail",
            [vf_policy(), named(vf_policy(), "b"), configured(entry())],
            [
                ("SriovNetworkNodePolicy", (), "*/rail"),
                ("SriovNetworkNodePolicy", (), "*/rail"),
                ("ConfigMap", ("data", "config.json", "resourceList", 0), "*/rail"),
            ],
        ),
    ],
)
def test_what_produces_a_resource(resource: str, given: list[dict[str, Any]], found: list[Any]) -> None:
    assert [(p.thing.kind, p.at, p.resource) for p in made(resource, *given)] == found


@pytest.mark.parametrize(
    ("spec", "mtu", "link", "settings"),
    [
        ({}, None, None, (("numVfs", "8"),)),
        ({"mtu": 0}, None, None, (("numVfs", "8"), ("mtu", "0"))),
        ({"mtu": 1}, 1, None, (("numVfs", "8"), ("mtu", "1"))),
        ({"mtu": "9000"}, None, None, (("numVfs", "8"), ("mtu", "9000"))),
        (
            {"linkType": "IB", "isRdma": True},
            None,
            "ib",
            (("numVfs", "8"), ("linkType", "IB"), ("isRdma", "true")),
        ),
        (
            {"linkType": "", "deviceType": None, "isRdma": False},
            None,
            None,
            (("numVfs", "8"), ("isRdma", "false")),
        ),
    ],
)
def test_settings_of_a_policy(spec: dict[str, Any], mtu: int | None, link: str | None, settings: Any) -> None:
    (found,) = made("x/rail", vf_policy(**spec))
    assert (found.mtu, found.link, found.settings, found.labels) == (mtu, link, settings, {"a": "b"})


MANY = [f"ens{number}" for number in range(6)]


@pytest.mark.parametrize(
    ("selector", "ports", "pci", "stated"),
    [
        ({"vendor": "15b3"}, (), (), (("vendor", "15b3"),)),
        ({"pfNames": ["ens1#0-3", "ens2"]}, ("ens1", "ens2"), (), (("pfNames", "ens1#0-3 ens2"),)),
        (
            {"rootDevices": ["0000:1A:00.0#1-2"]},
            (),
            ("0000:1a:00.0",),
            (("rootDevices", "0000:1A:00.0#1-2"),),
        ),
        ({"pfNames": ["", 7, "${X}", "ens1"]}, ("ens1",), (), (("pfNames", " 7 ${X} ens1"),)),
        ({"vendor": "", "pfNames": [], "deviceID": None}, (), (), ()),
        ({"pfNames": MANY}, tuple(MANY), (), (("pfNames", "ens0 ens1 ens2 ens3 and 2 more"),)),
        ({"pfNames": MANY[:4]}, tuple(MANY[:4]), (), (("pfNames", "ens0 ens1 ens2 ens3"),)),
        ({"pfNames": MANY[:5]}, tuple(MANY[:5]), (), (("pfNames", "ens0 ens1 ens2 ens3 and 1 more"),)),
        ({"x": {"a": 1, "b": [True]}}, (), (), (("x", "a=1 b=true"),)),
    ],
)
def test_nics_that_a_policy_selects(
    selector: dict[str, Any], ports: tuple[str, ...], pci: tuple[str, ...], stated: Any
) -> None:
    (found,) = made("x/rail", vf_policy(nicSelector=selector))
    (selected,) = found.selected
    assert (selected.ports, selected.pci, selected.stated) == (ports, pci, stated)
    assert selected.named is bool(ports or pci)
    assert selected.at == ("spec", "nicSelector")


@pytest.mark.parametrize(
    ("one", "shared", "places", "ports", "settings"),
    [
        (entry(), False, [("selectors",)], ("ens1",), ()),
        (
            entry(selectors=[{"pfNames": ["a"]}, {}, {"pfNames": ["b"]}]),
            False,
            [("selectors", 0), ("selectors", 2)],
            ("a", "b"),
            (),
        ),
        ({"resourceName": "rail"}, False, [], (), ()),
        (
            {"resourceName": "rail", "rdmaHcaMax": 9, "devices": ["c"]},
            True,
            [("devices",)],
            ("c",),
            (("rdmaHcaMax", "9"),),
        ),
        ({"resourceName": "rail", "rdmaHcaMax": 9, "devices": "c"}, True, [], (), (("rdmaHcaMax", "9"),)),
        (
            entry(selectors={"ifNames": ["d"]}, devices=["c"]),
            True,
            [("selectors",), ("devices",)],
            ("d", "c"),
            (),
        ),
    ],
)
def test_entries_of_a_device_plugin(
    one: dict[str, Any], shared: bool, places: list[Any], ports: tuple[str, ...], settings: Any
) -> None:
    (found,) = made("rdma/rail" if shared else "x/rail", configured(one, shared=shared))
    assert [each.at[4:] for each in found.selected] == places
    assert tuple(name for each in found.selected for name in each.ports) == ports
    assert (found.settings, found.mtu, found.labels) == (settings, None, {})
    assert found.config is not None
    assert found.config.shared is shared
