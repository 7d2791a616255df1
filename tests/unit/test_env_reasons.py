"""Variables that the inventory states, with a reason, instead of derived ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.load import load_texts
from netplan.model.workloads import EnvVar
from netplan.pipeline import Result, compile_texts
from tests.factories import merged
from tests.overlay import CHECKS

PRESCRIBED = "guide of the provider"
CLOUD = "{switches: null, switch_types: null, links: null, underlay: null, fabric: {qos: null}}"


def result(env: dict[str, Any], base: str = "base.yaml", over: str = "{}") -> Result:
    data: dict[str, Any] = load_texts({"base.yaml": (CHECKS / base).read_text()}).data or {}
    data = merged(merged(data, yaml.safe_load(over)), {"workloads": {"train": {"env": env}}})
    return compile_texts({"case.yaml": yaml.safe_dump(data, sort_keys=False)})


def env_of(found: Result) -> dict[str, EnvVar]:
    assert found.plan is not None, found.diagnostics
    (workload,) = found.plan.workloads
    names = [variable.name for variable in workload.env]
    assert len(names) == len(set(names))
    return {variable.name: variable for variable in workload.env}


def codes(found: Result) -> list[str]:
    return [d.code for d in found.diagnostics]


def stated(value: str) -> dict[str, str]:
    return {"value": value, "reason": PRESCRIBED}


def test_it_stands_in_place_of_the_derived_one():
    found = result({"NCCL_IB_TC": stated("104")})
    variable = env_of(found)["NCCL_IB_TC"]
    assert (variable.value, variable.source) == ("104", "workloads.train.env")
    assert variable.reason == f"{PRESCRIBED}; netplan derives 106"
    assert list(env_of(found)) == list(env_of(result({}))), "the order stays"
    texts = {artifact.path: artifact.text for artifact in found.artifacts}
    row = f"| `NCCL_IB_TC` | `104` | {PRESCRIBED}; netplan derives 106 | workloads.train.env |"
    assert row in texts["pods/train/README.md"]
    (container,) = yaml.safe_load(texts["pods/train/pod.yaml"])["spec"]["containers"]
    assert [e["value"] for e in container["env"] if e["name"] == "NCCL_IB_TC"] == ["104"]


def test_without_a_reason_it_is_an_error():
    assert codes(result({"NCCL_IB_TC": "104"})) == ["NP606"]


def test_beside_the_derived_ones_the_reason_is_told():
    variable = env_of(result({"NCCL_DEBUG": stated("INFO")}))["NCCL_DEBUG"]
    assert variable.reason == PRESCRIBED
    assert env_of(result({"NCCL_DEBUG": "INFO"}))["NCCL_DEBUG"].reason == "stated by the inventory"


def test_every_derived_variable_can_be_replaced():
    derived = env_of(result({}))
    env = {name: stated(variable.value) for name, variable in derived.items()}
    found = result(env)
    assert not codes(found)
    assert {v.source for v in env_of(found).values()} == {"workloads.train.env"}


@pytest.mark.parametrize("value", ["41", "0", "-1", "auto", "1060", "²"])
def test_a_byte_of_no_class_is_refused_where_the_inventory_has_the_fabric(value: str):
    found = codes(result({"NCCL_IB_TC": stated(value)}))
    assert found in (["NP667"], ["NP014"])


@pytest.mark.parametrize(
    "env", [{"NCCL_IB_TC": "41"}, {"NCCL_IB_TC": stated("41"), "NCCL_IB_SL": stated("0")}]
)
def test_a_cloud_with_its_own_fabric_prescribes_what_it_wants(env: dict[str, Any]):
    """Without switches and `fabric.qos`, no value is derived to compare with."""
    found = result(env, over=CLOUD)
    assert not {"NP606", "NP667"} & set(codes(found))
    assert env_of(found)["NCCL_IB_TC"].value == "41"
    assert "NP667" in found.not_applicable


def test_a_cloud_with_infiniband_prescribes_a_service_level():
    found = result({"NCCL_IB_SL": stated("1")}, base="bases/infiniband.yaml")
    assert not codes(found)
    assert env_of(found)["NCCL_IB_SL"].reason == PRESCRIBED


def test_efa_provider_can_be_replaced():
    plain = result({"FI_PROVIDER": "efa-direct"}, base="bases/efa.yaml")
    assert "NP606" in codes(plain)
    found = result({"FI_PROVIDER": stated("efa-direct")}, base="bases/efa.yaml")
    assert "NP606" not in codes(found)
    assert env_of(found)["FI_PROVIDER"].value == "efa-direct"


@pytest.mark.parametrize(
    ("value", "code"),
    [({}, "NP012"), ({"value": "1"}, "NP012"), ({"value": "1", "reason": ""}, "NP014"), (1, "NP011")],
)
def test_half_of_it_is_refused(value: Any, code: str):
    assert set(codes(result({"NCCL_IB_TC": value}))) == {code}


def test_a_number_gets_the_hint_to_quote_it():
    (found,) = result({"NCCL_IB_TC": 106}).diagnostics
    assert found.hint == "quote it to make it text"


def test_the_example_of_the_page_is_accepted():
    page = (Path(__file__).parents[2] / "docs/clouds.md").read_text()
    (block,) = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    env = yaml.safe_load(block)["workloads"]["train"]["env"]
    found = result(env, over=CLOUD)
    assert not {"NP412", "NP606", "NP667"} & set(codes(found))
    assert env_of(found)["NCCL_IB_TC"].value == "41"


@pytest.mark.parametrize(
    ("env", "warned"), [({}, True), ({"NCCL_IB_TC": "41"}, True), ({"NCCL_IB_TC": stated("41")}, False)]
)
def test_without_qos_the_reason_says_whose_the_fabric_is(env: dict[str, Any], warned: bool):
    assert ("NP412" in codes(result(env, over=CLOUD))) is warned
    assert "NP412" in codes(result(env, over="fabric: {qos: null}")), "there are switches"
