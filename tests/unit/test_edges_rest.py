"""Edge cases, one fact per case: interfaces in one subnet, GPUs a pod requests, JSON texts."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.graph.site_qos import _marks as marks
from netplan.model.site import SiteClass, SiteQos
from netplan.reading.config_db.scan import Number
from netplan.reading.config_db.switch import _text as text_of
from netplan.reading.kubernetes.files import Found
from netplan.rendered import gathered
from netplan.rules.kubernetes.devices import _sharing as sharing
from netplan.rules.kubernetes.rails import _takes as takes
from netplan.trace.chains.tree import chains_of
from netplan.trace.link import Ports
from tests.unit.some import some
from tests.unit.test_edges_gather import nad, of, things
from tests.unit.test_edges_qos import CHAIN
from tests.unit.test_edges_unseen import NODES


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (r'{"PORT": {"a": {"b": "\u0041\n"}}}', []),
        (r'{"PORT": {"a": {"b": "\x41"}}}', ["1:22 a text with an escape that JSON does not have"]),
        (
            r'{"PORT": {"a": {"b": "\ud800"}}}',
            ["1:22 a text with half of a surrogate pair, or with bytes that are not UTF-8"],
        ),
        ('{"PORT": {"a": {"b": "x\udcff"}}}', ["1:24 byte 0xff is not UTF-8"]),
        ('{"PORT": {"a": {"b": "ä"}}}', []),
        ('{"PORT": {"a": {"b": }}}', ["1:22 '}' where a value belongs"]),
        ('{"PORT": {"a": {"b": \'x\'}}}', ["1:22 JSON texts must be in double quotes"]),
        ('{"PORT": {"a": {"b": "x}}}', ["1:22 a text has no end on its line"]),
        ('{"PORT": # x\n {}}', ["1:10 JSON has no comments"]),
        ('{"PORT": {}', ["1:12 the end of the file where"]),
        ('{"PORT": {"a": {"b": xyz}}}', ["1:22 'x' begins no JSON value"]),
    ],
)
def test_where_a_text_is_no_json(text: str, said: list[str]) -> None:
    found = [d for d in judge_texts({"a.json": text}).diagnostics if d.code == "NP870"]
    told = [f"{str(each.source).removeprefix('a.json:')} {each.message}" for each in found]
    assert len(told) == len(said)
    assert all(message.startswith(start) for message, start in zip(told, said, strict=True)), told


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x", "x"),
        (Number("1.50"), "1.50"),
        (["x", Number("7")], ("x", "7")),
        ([], ()),
        (["x", None], None),
        (["x", {}], None),
        (None, None),
        (True, None),
        ({}, None),
    ],
)
def test_the_text_of_a_field(value: Any, text: Any) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize(
    ("vendors", "limits", "spec", "found"),
    [
        ({"nvidia.com"}, ("nvidia.com/gpu",), {}, True),
        ({"amd.com"}, ("nvidia.com/gpu",), {}, False),
        ({"amd.com", "nvidia.com"}, ("a/b", "nvidia.com/gpu"), {}, True),
        (set(), ("nvidia.com/gpu",), {}, False),
        ({"nvidia.com"}, ("a/b",), {}, False),
        ({"nvidia.com"}, ("nvidia.com/gpu",), {"nodeName": "cpu-1"}, False),
    ],
)
def test_gpus_of_a_workload(vendors: set[str], limits: tuple[str, ...], spec: Any, found: bool) -> None:
    asking: Any = some(vendors=vendors, pod=some(spec=spec))
    need: Any = some(limits=limits, nodes=NODES)
    assert takes(asking, need) is found


WHEREABOUTS = '"ipam": {"type": "whereabouts", "range": "10.0.0.0/24"}'
RANGE = "range 10.0.0.0/24"


@pytest.mark.parametrize(
    ("config", "found"),
    [
        (f'{{"type": "sriov", "vlan": 7, {WHEREABOUTS}}}', [(RANGE, 7)]),
        (f'{{"type": "sriov", "vlan": 0, {WHEREABOUTS}}}', []),
        (f'{{"type": "sriov", "vlan": "7", {WHEREABOUTS}}}', []),
        (f'{{"type": "sriov", "vlan": true, {WHEREABOUTS}}}', []),
        (f'{{"plugins": [{{"type": "sriov", {WHEREABOUTS}}}, {{"type": "x", "vlan": 7}}]}}', []),
        ('{"type": "sriov", "vlan": 7, "ipam": {"type": "whereabouts", "range": 7}}', []),
        ('{"type": "sriov", "vlan": 7, "ipam": {"type": "static", "range": "10.0.0.0/24"}}', []),
    ],
)
def test_networks_with_a_vlan_that_take_from_a_range(config: str, found: list[tuple[str, int]]) -> None:
    shared = sharing(things({"a.yaml": nad(config)}))
    assert [(name, vlan) for name, tagged in shared for _, _, vlan in tagged] == found


@pytest.mark.parametrize(("vlan", "port", "told"), [(7, None, True), (8, None, False), (None, "a", False)])
def test_two_interfaces_in_one_subnet(vlan: int | None, port: str | None, told: bool) -> None:
    class Pair:
        first, second = "Vlan7 (10.0.0.1/24)", "Vlan9 (10.0.0.2/24)"

        def has(self, vlan: int | None, port: str | None) -> bool:
            return (vlan, port) == (7, None)

    ports: Any = some(_fabric=some(shared=lambda switch: [Pair()], at_interface=lambda switch, end: end[:5]))
    said = (
        "leaf Vlan9 (10.0.0.2/24) is in one subnet with Vlan7 (10.0.0.1/24): "
        "which of the two answers is not stated (Vlan9, Vlan7)"
    )
    assert list(Ports._shared(ports, "leaf", vlan, port)) == [said] * told


def test_what_was_passed_over_is_told_of_chains() -> None:
    texts = {
        "a.yaml": of("Pod", "v1", "{containers: [{name: c}]}"),
        "b-patch.yaml": of("Job", "batch/v1", "{}"),
    }
    cluster, problems = gathered(Found(texts, (), ("1 link out of the directory not followed",)), "")
    unseen = chains_of(cluster, problems).unseen
    assert "1 link out of the directory not followed" in unseen
    assert "1 patch file object not judged" in unseen


@pytest.mark.parametrize(
    ("bytes_", "lossless", "ecn", "said"),
    [
        ((100, 400), True, True, []),
        ((109, 409), True, True, []),
        ((200, 400), True, True, ["marks from 100 to 400 bytes; site.json has 200 to 400 for class roce"]),
        ((100, 500), True, True, ["marks from 100 to 400 bytes; site.json has 100 to 500 for class roce"]),
        (None, True, False, ["marks ECN, but site.json has none for class roce"]),
        (None, False, False, []),
        (None, True, True, []),
    ],
)
def test_ecn_of_a_class_is_that_of_its_queue(bytes_: Any, lossless: bool, ecn: bool, said: list[str]) -> None:
    """The class before it has no queue."""
    other = SiteClass(name="other", dscp=0, priority=0, lossless=False, ecn=False)
    roce = SiteClass(name="roce", dscp=26, priority=3, lossless=lossless, ecn=ecn, ecn_bytes=bytes_)
    found = [each.text for each in marks(CHAIN, SiteQos(classes=(other, roce)), {"roce": 3})]
    assert len(found) == len(said)
    assert all(part in text for part, text in zip(said, found, strict=True)), found
