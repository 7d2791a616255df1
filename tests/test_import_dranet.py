"""Cards that DRANET publishes in ResourceSlices (kubernetes-sigs/dranet pkg/apis/attributes.go)."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import interface, listed, node, node_state
from tests.test_import import ODD, data, spots, with_odd

Values = dict[str, str | int | bool]
CARD: Values = {
    "ifName": "ens1",
    "mac": "b8:59:9f:00:00:01",
    "mtu": 9000,
    "numaNode": 1,
    "pciAddress": "0000:18:00.0",
    "pciDevice": "MT2910 Family [ConnectX-7]",
    "pciVendor": "Mellanox Technologies",
    "rdmaDevice": "mlx5_0",
    "encapsulation": "ether",
    "sriovVfs": 8,
    "ipv4": "172.16.0.10/24",
    "virtual": False,
}


def slices(*cards: Values, basic: bool = False) -> dict[str, Any]:
    devices = []
    for number, values in enumerate(cards):
        rows = {f"dra.net/{key}": {kind_of(value): value} for key, value in values.items()}
        own: dict[str, Any] = {"attributes": rows}
        devices.append({"name": f"d{number}", **({"basic": own} if basic else own)})
    spec = {"driver": "dra.net", "nodeName": "gpu-1", "devices": devices}
    version = "resource.k8s.io/v1beta1" if basic else "resource.k8s.io/v1"
    return {"apiVersion": version, "kind": "ResourceSlice", "metadata": {"name": "gpu-1-x"}, "spec": spec}


def kind_of(value: str | int | bool) -> str:
    return "bool" if isinstance(value, bool) else "int" if isinstance(value, int) else "string"


def imported(*objects: dict[str, Any]) -> Imported:
    return import_texts({"x.yaml": listed([node("gpu-1", {"a": "b"}, 8), *objects])}, "site")


@pytest.mark.parametrize("basic", [False, True])
def test_a_card_from_its_slice(basic: bool) -> None:
    found = data(imported(slices(CARD, basic=basic)))
    (kind,) = found["host_types"].values()
    assert kind["hcas"] == {
        "roce0": {
            "model": "connectx-7",
            "rail": 0,
            "speed_gbps": "TODO",
            "link": "ethernet",
            "use": "vf",
            "vfs": 8,
            "pci": "0000:18:00.0",
            "netdev": "ens1",
            "rdma_device": "mlx5_0",
            "numa": 1,
        }
    }
    assert found["cluster"]["owners"]["device_plugin"] == "dranet"
    assert found["rails"]["reserved"] == ["172.16.0.10"]


MODELS = {
    "CX8 Family [ConnectX-8]": "connectx-8",
    "MT2892 Family [ConnectX-6 Dx]": "connectx-6-dx",
    "MT43244 BlueField-3 integrated ConnectX-7 network controller": "bluefield-3",
}


@pytest.mark.parametrize("name", MODELS)
def test_the_model_is_that_of_the_name(name: str) -> None:
    (kind,) = data(imported(slices({**CARD, "pciDevice": name})))["host_types"].values()
    assert kind["hcas"]["roce0"]["model"] == MODELS[name]


def test_an_hca_that_the_catalog_does_not_have_is_told() -> None:
    result = imported(slices({**CARD, "pciDevice": "MT27500 Family [ConnectX-3]"}))
    (line,) = [str(each) for each in result.remarks]
    assert "dra.net/pciDevice 'MT27500 Family [ConnectX-3]': no HCA of the catalog" in line


@pytest.mark.parametrize("own", [{"isSriovVf": True}, {"virtual": True}, {"pciAddress": ""}])
def test_what_is_no_card_is_left_out(own: Values) -> None:
    assert imported(slices({**CARD, **own})).hosts == 0


def test_a_slice_that_contradicts_the_state_of_the_node() -> None:
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 400, 8, "1021", "b8:59:9f:00:00:02")])
    (conflict,) = imported(slices(CARD), state).conflicts
    assert str(conflict).startswith("card gpu-1 0000:18:00.0, mac: b8:59:9f:00:00:01 (x.yaml:")


def test_ipoib_has_no_mac_address_and_no_numa_node_is_none() -> None:
    long = ":".join(["00"] * 20)
    result = imported(slices({**CARD, "mac": long, "encapsulation": "infiniband", "numaNode": -1}))
    (kind,) = data(result)["host_types"].values()
    assert kind["hcas"]["ib0"]["link"] == "infiniband"
    assert "numa" not in kind["hcas"]["ib0"]
    assert result.site.said("card", ("gpu-1", "0000:18:00.0"), "mac") is None
    assert result.remarks == ()


def test_any_value_anywhere_is_no_crash() -> None:
    whole = slices(CARD)
    for path in spots(whole):
        for odd in ODD:
            imported(with_odd(whole, path, odd))
