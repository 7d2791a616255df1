"""Every inventory with the Network Operator, for every release of it.

The release's own CRDs and chart accept the rendered files, without unknown fields, or the run fails with the
findings in the table below.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.catalog import operator_releases
from netplan.diagnostics import Severity
from netplan.load import load_texts
from netplan.model.operator_releases import Image, OperatorRelease, shown
from netplan.pipeline import Result, compile_texts
from tests import chart_values
from tests.crd import validate_object
from tests.factories import merged
from tests.inventories import SHIPPED, compiled, outputs, text_of
from tests.overlay import CHECKS

pytestmark = pytest.mark.crd

RELEASES = {shown(release.release): release for release in operator_releases().known}
BASES = ("operator", "shared")
"""The checks' base inventories with the operator: owner of NADs and NIC QoS; NicClusterPolicy, plugins."""
WITH_OPERATOR = ("crusoe-k3s-infiniband", "dgx1-multirail", "kitchen-sink", *BASES)

NO_NIC_OPERATOR = "NicClusterPolicy spec.nicConfigurationOperator (from 25.4 on)"
NO_ROUTES = "IPPool spec.routes (from 25.4 on)"
NO_RAW = "NicConfigurationTemplate spec.template.rawNvConfig (from 25.10 on)"
LACKING = {
    "24.10": [("NP733", NO_ROUTES), ("NP733", NO_NIC_OPERATOR)],
    "25.1": [("NP733", NO_ROUTES), ("NP733", NO_NIC_OPERATOR)],
    "25.4": [("NP733", NO_RAW)],
    "25.7": [("NP733", NO_RAW)],
}
EXPECTED = {
    (name, release): findings
    for name in ("kitchen-sink", "operator")
    for release, findings in LACKING.items()
}
"""(inventory, release) -> code and part of the message of each error; other pairs are valid."""


def source(name: str) -> str:
    return (CHECKS / "bases" / f"{name}.yaml").read_text() if name in BASES else text_of(name)


def stated(image: Image) -> dict[str, str]:
    return {"repository": image.repository, "version": image.version}


def compiled_for(name: str, release: OperatorRelease) -> Result:
    """Result of the inventory with a release and that release's images."""
    data: dict[str, Any] = load_texts({"base.yaml": source(name)}).data or {}
    images = {k: stated(i) for k, i in release.images.items() if k != "ofedDriver"}
    one = next(iter(images.values()))
    own: dict[str, Any] = {"release": shown(release.release), "images": None, **one}
    if any(image != one for image in images.values()):
        own |= {"images": images}
    if "ofed_version" in data["cluster"]["network_operator"]:
        own["ofed_version"] = release.images["ofedDriver"].version
    return compile_texts({"case.yaml": json.dumps(merged(data, {"cluster": {"network_operator": own}}))})


def objects(tree: dict[str, str]) -> list[dict[str, Any]]:
    return [
        o
        for path, text in sorted(tree.items())
        if path.startswith("kubernetes/") and path.endswith(".yaml")
        if not path.endswith(("values.yaml", "kustomization.yaml"))
        for o in yaml.safe_load_all(text)
    ]


def refused(tree: dict[str, str], release: str) -> list[str]:
    """Objects that the release's CRDs reject, and values that its chart does not have."""
    found = [f"{o['kind']} {e}" for o in objects(tree) for e in validate_object(o, bundle=release)]
    values = yaml.safe_load(tree["kubernetes/network-operator/values.yaml"])
    return found + list(chart_values.unknown(values, chart_values.network_operator(release)))


def test_the_matrix_has_every_inventory() -> None:
    fabrics = {name: compiled(name).fabric for name in SHIPPED}
    assert set(WITH_OPERATOR) - set(BASES) == {
        name for name, fabric in fabrics.items() if fabric is not None and fabric.cluster.network_operator
    }


@pytest.mark.sample(10)
@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("name", WITH_OPERATOR)
def test_release_takes_what_is_rendered(name: str, release: str) -> None:
    result = compiled_for(name, RELEASES[release])
    errors = [(d.code, d.message) for d in result.diagnostics if d.severity is Severity.ERROR]
    expected = EXPECTED.get((name, release), [])
    assert [code for code, _ in errors] == [code for code, _ in expected], errors
    assert all(part in message for (_, part), (_, message) in zip(expected, errors, strict=True)), errors
    if not errors:
        assert refused(outputs(result), release) == []


IMAGE = {"repository": "nvcr.io/nvidia/mellanox", "version": "network-operator-v26.1.2"}
LATER: dict[str, tuple[str, dict[str, Any]]] = {
    "IPPool": ("25.1", {"routes": [{"dst": "172.16.0.0/16"}]}),
    "NicConfigurationTemplate": ("26.4", {"template": {"force": True}}),
    "NicClusterPolicy": ("26.1", {"global": {"repository": "nvcr.io/nvidia/mellanox"}}),
}
"""Kind -> (release, field that only later releases have)."""
CLEARED: dict[str, dict[str, Any]] = {
    "IPPool": {"spec": {"routes": None}},
    "NicConfigurationTemplate": {"spec": {"template": {"roceOptimized": {"qos": {"ecn": None}}}}},
    "NicClusterPolicy": {"spec": {"global": None, "nvIpam": IMAGE, "nicConfigurationOperator": None}},
}
"""Kind -> merge patch that makes the newest release's object valid for that release."""


@pytest.mark.parametrize("kind", LATER)
def test_a_field_of_a_later_release_is_refused(kind: str) -> None:
    """The matrix' validation detects a field planted in the object of the newest release."""
    release, planted = LATER[kind]
    tree = outputs(compiled_for("operator", RELEASES["26.7"]))
    (obj, *_) = (o for o in objects(tree) if o["kind"] == kind)
    later = merged(obj, {"spec": planted})
    assert validate_object(later, bundle="26.7") == []
    assert validate_object(later, bundle=release) != []
    assert validate_object(merged(obj, CLEARED[kind]), bundle=release) == []


def test_a_kind_of_a_later_release_is_refused() -> None:
    template = next(
        o
        for o in objects(outputs(compiled_for("operator", RELEASES["26.7"])))
        if o["kind"] == "NicConfigurationTemplate"
    )
    (error,) = validate_object(template, bundle="24.10")
    assert "no schema" in error


def test_an_unknown_chart_value_is_found() -> None:
    known = chart_values.network_operator("25.4")
    values = {"operator": {"cniNetworkDirectory": "/x", "cniBinDirectory": "/y"}, "deployCR": True}
    assert list(chart_values.unknown(values, known)) == ["operator.cniNetworkDirectory", "deployCR"]


@pytest.mark.parametrize(
    ("path", "chart"),
    [
        ("kubernetes/gpu-operator/values.yaml", "gpu-operator"),
        ("kubernetes/efa/values.yaml", "aws-efa-k8s-device-plugin"),
    ],
)
def test_other_charts_have_every_value(path: str, chart: str) -> None:
    trees = {name: outputs(compiled(name)) for name in SHIPPED}
    written = {name: yaml.safe_load(tree[path]) for name, tree in trees.items() if path in tree}
    assert written
    known = chart_values.chart(chart)
    assert {name: list(chart_values.unknown(values, known)) for name, values in written.items()} == {
        name: [] for name in written
    }
