"""Membership in InfiniBand partitions: rendered objects and findings."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.load import load_texts
from netplan.pipeline import Result, compile_texts
from netplan.plan.partitions import partition_facts
from tests.factories import merged
from tests.overlay import CHECKS

BASE = (CHECKS / "bases/infiniband.yaml").read_text()


def rendered(over: str = "{}") -> Result:
    data: dict[str, Any] = load_texts({"base.yaml": BASE}).data or {}
    return compile_texts({"case.yaml": yaml.safe_dump(merged(data, yaml.safe_load(over)))})


def plugin(result: Result) -> dict[str, Any]:
    """The main plugin of the one NetworkAttachmentDefinition."""
    text = next(a.text for a in result.artifacts if "/network-attachments/" in a.path)
    found: dict[str, Any] = json.loads(yaml.safe_load(text)["spec"]["config"])["plugins"][0]
    return found


def readme(result: Result) -> str:
    return next(a.text for a in result.artifacts if a.path == "kubernetes/README.md")


@pytest.mark.parametrize(
    ("network", "pkey"),
    [
        ("{}", "0x0012"),
        ("{membership: full}", "0x0012"),
        ("{membership: full, pkey: '0x7ffe'}", "0x7ffe"),
        ("{membership: limited}", None),
        ("{membership: limited, pkey: null}", None),
    ],
)
def test_the_attachment_has_the_number_without_the_membership_bit(network: str, pkey: str | None):
    """ib-kubernetes adds full members to any partition that an attachment names."""
    result = rendered(f"{{networks: {{ib: {network}}}, workloads: {{train: {{nodes: 1}}}}}}")
    assert not result.diagnostics
    assert plugin(result).get("pkey") == pkey


@pytest.mark.parametrize(
    ("over", "value", "meaning"),
    [
        ("networks: {ib: {}}", "full members of partition 0x0012", "0x8012 in the port's table"),
        ("networks: {ib: {membership: full, pkey: null}}", "full members of partition 0x7fff", "0xffff"),
        ("networks: {ib: {membership: limited}}", "limited members of partition 0x0012", "P_Key 0x0012"),
        (
            "{fabric: {partition: t-7}, networks: {ib: {membership: full, pkey: null}}}",
            "full members of partition t-7",
            "their ports as full members",
        ),
    ],
)
def test_facts(over: str, value: str, meaning: str):
    fabric = rendered(over).fabric
    assert fabric is not None
    ((subject, found, why),) = partition_facts(fabric)
    assert (subject, found) == ("pods of network ib", value)
    assert meaning in why


def test_no_facts_where_nothing_is_stated():
    plan = rendered("networks: {ib: {pkey: null}}").plan
    assert plan is not None
    assert list(partition_facts(plan.fabric)) == []


def test_what_must_be_there_already():
    over = "{networks: {ib: {membership: limited}}, workloads: {train: {nodes: 1}}}"
    full, limited = readme(rendered()), readme(rendered(over))
    assert "| ib-kubernetes | it puts VFs into the partition of their P_Key |" in full
    assert "limited members" not in full
    assert "| limited members of partition 0x0012 | they reach full members only; their GUIDs are" in limited
    assert "| ib-kubernetes |" not in limited


def test_the_index_is_whose_to_set():
    over = "{networks: {ib: {membership: limited}}, workloads: {train: {nodes: 1}}}"
    for text, who in (("{}", "ib-kubernetes"), (over, "the subnet manager")):
        plan = rendered(text).plan
        assert plan is not None
        (reason,) = (o.reason for o in plan.workloads[0].omitted if o.name == "NCCL_IB_PKEY")
        assert f"{who} puts the P_Key at index 0" in reason


def test_collectives_leave_networks_of_limited_members_alone():
    """A pod with both networks sees both HCAs: NP656 asks for the list, and derived values follow the network
    with full membership."""
    client = (CHECKS / "NP665/good-client.yaml").read_text()
    over = yaml.safe_load(client)
    del over["workloads"]["train"]["env"]
    result = rendered(yaml.safe_dump(over))
    assert [d.code for d in result.diagnostics] == ["NP656"]
    assert "ib-storage" in result.diagnostics[0].message


def test_an_operator_writes_what_has_no_key():
    """SriovIBNetwork has no field for a P_Key: NP717, unless none is to be written."""
    owners = "cluster: {owners: {nads: operator}, rdma_mode: shared}"
    for network, lost in (("{}", True), ("{membership: limited}", False)):
        text = f"{{{owners}, networks: {{ib: {network}}}, workloads: {{train: {{nodes: 1}}}}}}"
        assert ("NP717" in {d.code for d in rendered(text).diagnostics}) is lost
