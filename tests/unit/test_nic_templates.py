"""NicConfigurationTemplates: one for all NICs with the same settings, both ports of each."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from netplan.graph.kubernetes.nic_templates import templates as read_templates
from tests.inventories import compiled, outputs
from tests.unit.edges import things
from tests.unit.test_prerequisites import built

FOLDER = "kubernetes/40-device-plugins/network-operator/nic-template-"


def templates(tree: dict[str, str]) -> dict[str, Any]:
    found = {p.removeprefix(FOLDER): yaml.safe_load(t) for p, t in tree.items() if p.startswith(FOLDER)}
    return {name: obj["spec"] for name, obj in found.items()}


def settings(spec: dict[str, Any]) -> tuple[int, int]:
    return spec["template"]["numVfs"], spec["template"]["roceOptimized"]["qos"]["tos"]


def test_a_storage_card_has_its_own_class_and_no_vfs() -> None:
    """HCAs of one model in kitchen-sink: two rails with VFs, and a whole HCA for storage."""
    found = templates(outputs(compiled("kitchen-sink")))
    rails = found["gpu-server-example-nic.yaml"]
    store = found["gpu-server-example-nic-store.yaml"]
    assert settings(rails) == (8, 106)
    assert settings(store) == (0, 138)
    assert rails["nicSelector"]["pciAddresses"] == ["0000:18:00.0", "0000:19:00.0", "0000:af:00.0"]
    assert store["nicSelector"]["pciAddresses"] == ["0000:3b:00.0"]


def test_ports_of_one_card_share_a_template() -> None:
    hcas = {"roce0": {"pci": "0000:18:00.0"}, "roce1": {"pci": "0000:18:00.1", "vfs": 4}}
    found = templates(outputs(built("operator", {"host_types": {"gpu": {"hcas": hcas}}})))
    assert list(found) == ["gpu-connectx-7.yaml"]
    assert found["gpu-connectx-7.yaml"]["template"]["numVfs"] == 8


def test_the_second_port_answers_with_the_fabrics_cnps() -> None:
    (spec,) = templates(outputs(built("operator", {}))).values()
    raw = {p["name"]: p["value"] for p in spec["template"]["rawNvConfig"]}
    assert raw == {
        "CNP_DSCP_P1": "48",
        "CNP_802P_PRIO_P1": "6",
        "CNP_DSCP_P2": "48",
        "CNP_802P_PRIO_P2": "6",
    }


PFC = "0,0,0,1,0,0,0,0"


@pytest.mark.parametrize(
    ("qos", "trust", "pfc", "tos"),
    [
        ({"trust": "dscp", "pfc": PFC, "tos": 106}, "dscp", {3}, 106),
        ({"trust": "dscp", "pfc": PFC}, "dscp", {3}, None),
        ({"trust": "dscp", "pfc": PFC, "tos": "106"}, "dscp", {3}, None),
        ({"trust": "dscp", "pfc": PFC, "tos": True}, "dscp", {3}, None),
        ({"trust": 1, "pfc": PFC, "tos": 0}, None, {3}, 0),
        ({"trust": "pcp", "pfc": "1, 0,0,0,0,0,0,1"}, "pcp", {0, 7}, None),
        ({"trust": "dscp", "pfc": "0,0,0,0,0,0,0,0"}, "dscp", set(), None),
        ({"trust": "dscp", "pfc": "0,0,0,1,0,0,0"}, "dscp", None, None),
        ({"trust": "dscp", "pfc": "0,0,0,1,0,0,0,0,0"}, "dscp", None, None),
        ({"trust": "dscp", "pfc": "0,0,0,2,0,0,0,0"}, "dscp", None, None),
        ({"trust": "dscp"}, "dscp", None, None),
    ],
)
def test_qos_that_a_template_sets(
    qos: dict[str, Any], trust: str | None, pfc: set[int] | None, tos: int | None
) -> None:
    (found,) = read_templates(template(qos))
    assert (found.trust, found.pfc, found.tos) == (trust, pfc, tos)
    assert found.lossless == {dscp for dscp in range(64) if dscp // 8 in (pfc or ())}
    assert list(found.priorities) == list(range(64))


def test_a_setting_is_at_its_line_or_at_that_of_its_nearest_parent() -> None:
    (found,) = read_templates(template({"trust": "dscp", "pfc": PFC}))
    assert (found.at("pfc"), found.at("trust")) == ("kubernetes/a.yaml:11", "kubernetes/a.yaml:12")
    assert found.at("tos") == "kubernetes/a.yaml:10"


def test_a_template_without_qos_sets_none() -> None:
    assert list(read_templates(template({}))) == []
    assert list(read_templates(template(None))) == []


def template(qos: Any) -> Any:
    body = {
        "apiVersion": "configuration.net.nvidia.com/v1alpha1",
        "kind": "NicConfigurationTemplate",
        "metadata": {"name": "a", "namespace": "b"},
        "spec": {"template": {"roceOptimized": {"enabled": True, "qos": qos}}},
    }
    return things({"kubernetes/a.yaml": yaml.safe_dump(body)})
