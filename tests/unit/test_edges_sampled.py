"""Edge cases, one fact per case: limits and conditions that a sample of mutants found without a test."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.graph.config_db.hardware import needed
from netplan.load import InputError
from netplan.model.document import Places, SourceMap
from netplan.reading.config_db.read import texts_of
from netplan.reading.kubernetes.fields import text_faults
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.kubernetes.placeholders import final
from netplan.rules.config_db import registry as config_db_rules
from netplan.rules.config_db.ports import unlike
from netplan.rules.kubernetes import registry as object_rules
from netplan.rules.kubernetes.nics import _extra as extra
from netplan.rules.kubernetes.pods import asking
from netplan.rules.kubernetes.policies import groups
from netplan.trace.objects import _settled as settled
from netplan.verify.forms import things_of
from netplan.verify.questions import Questions
from tests.unit.edges import things
from tests.unit.some import said, some
from tests.unit.test_edges_readers import switches


def of_text(text: str, file: str = "kubernetes/a.yaml") -> Thing:
    places = Places(SourceMap())
    found = things_of(file, parse(file, text, places), places)
    assert found is not None
    (thing,) = found
    return thing


@pytest.mark.parametrize(("sku", "known"), [("ACS-MSN4700", True), ("Unknown-SKU", False)])
def test_headroom_is_not_computed_for_an_asic_that_is_not_known(sku: str, known: bool) -> None:
    port = {"speed": "400000", "lanes": "1,2,3,4"}
    local = {"hostname": "leaf", "hwsku": sku, "buffer_model": "dynamic"}
    if known:
        local["platform"] = "x86_64-mlnx_msn4700-r0"
    tables = {"PORT": {"Ethernet0": port}, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}}
    (leaf,) = switches(leaf={"DEVICE_METADATA": {"localhost": local}, **tables}).values()
    assert leaf.dynamic
    assert (needed(leaf, "Ethernet0") is not None) is known


@pytest.mark.parametrize(
    ("number", "why"), [(20_000, "'0' cannot be read"), (20_001, "20,001 files are more than 20,000")]
)
def test_20_000_files_are_read_in_one_run(number: int, why: str) -> None:
    with pytest.raises(InputError, match=f"^{why}"):
        texts_of([str(n) for n in range(number)])


@pytest.mark.parametrize(("key", "faults"), [("ranges", 0), ("rangs", 1)])
def test_keys_of_the_ipam_of_a_network_are_known(key: str, faults: int) -> None:
    ipam = f'{{"type": "host-local", "subnet": "10.0.0.0/24", "{key}": []}}'
    thing = of_text(
        "apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovNetwork\n"
        f"metadata: {{name: rail, namespace: apps}}\nspec: {{resourceName: rail, ipam: '{ipam}'}}\n"
    )
    assert [each.at for each in text_faults(thing)] == [("spec", "ipam", key)] * faults


@pytest.mark.parametrize(
    ("value", "whether"),
    [
        ({"a": "x", "b": "y"}, True),
        ({"a": "${X}", "b": "y"}, False),
        ({"a": "x", "${X}": "y"}, False),
        (["x", {"a": "y"}], True),
        (["x", {"a": "@y@"}], False),
        ({}, True),
    ],
)
def test_a_value_is_final_where_no_part_is_replaced(value: Any, whether: bool) -> None:
    assert final(value) is whether


@pytest.mark.parametrize(
    ("enabled", "odd"),
    [
        (["3,4"] * 8, None),
        (["3,4"] * 7 + ["3"], "Ethernet7 has pfc_enable 3, the 7 other ports have 3,4"),
        (["3,4"] * 7 + [""], "Ethernet7 has pfc_enable none, the 7 other ports have 3,4"),
        ([""] * 7 + ["3"], "Ethernet7 has pfc_enable 3, the 7 other ports have none"),
        (["3,4"] * 6 + ["3"], None),
        (["3,4"] * 6 + ["3"] * 2, None),
        (["3,4"] * 6 + ["3", "4"], None),
        (["3,4"] * 7 + ["3", "4"], None),
    ],
)
def test_one_port_of_eight_or_more_is_unlike_all_others(enabled: list[str], odd: str | None) -> None:
    rows = {f"Ethernet{n}": {"pfc_enable": text} if text else {} for n, text in enumerate(enabled)}
    (leaf,) = switches(qos={"PORT_QOS_MAP": rows}).values()
    assert said(unlike(leaf)) == ([] if odd is None else [odd])


def test_every_rule_that_runs_has_the_text_of_its_function() -> None:
    (leaf,) = switches(qos={"PORT_QOS_MAP": {}}).values()
    _, counts = config_db_rules.run_rules([leaf], SourceMap())
    assert counts
    assert {code for code in counts if not config_db_rules.RULES[code].text.strip()} == set()
    assert config_db_rules.RULES["NP894"].text == unlike.__doc__
    _, counts = object_rules.run_rules(things({}), ["NP764", "NP673"])
    assert counts == {"NP764": 0, "NP673": 0}
    assert {code for code, rule in object_rules.RULES.items() if not rule.text.strip()} == set()


@pytest.mark.parametrize(("name", "ids"), [("supported-nic-ids", {"15b3", "101d", "101e"}), ("other", set())])
def test_ids_of_the_operator_are_those_of_its_own_list(name: str, ids: set[str]) -> None:
    text = f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {name}}}\ndata: {{cx6: 15b3 101d 101e}}\n"
    assert extra(things({"kubernetes/a.yaml": text})) == ids


POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: job}\nspec:\n  containers:\n"


@pytest.mark.parametrize(
    ("resources", "asks"),
    [
        ("{limits: {cpu: 1, memory: 1Gi}}", False),
        ("{limits: {cpu: 1, nvidia.com/gpu: 1}}", True),
        ("{requests: {hugepages-2Mi: 2Mi, cpu: 1}}", True),
        ("{}", False),
    ],
)
def test_a_container_asks_for_devices_where_one_resource_is_one(resources: str, asks: bool) -> None:
    text = f"{POD}    - {{name: main, image: x, resources: {resources}}}\n"
    assert len(asking(things({"pods/job/pod.yaml": text}))) == asks


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (["ens1#0-1", "ens1#2-3", "ens2#0-3"], [("ens1", 0, 1), ("ens2", 0, 3)]),
        (["${PF}", "ens2#0-3"], [("ens2", 0, 3)]),
        (["ens1#3", "ens2#0-3"], [("ens2", 0, 3)]),
        (["ens1", "ens2"], [("ens1", 0, 7), ("ens2", 0, 7)]),
    ],
)
def test_groups_after_one_that_is_passed_over_are_read(names: list[str], read: list[tuple[Any, ...]]) -> None:
    policy: Any = some(spec={"numVfs": 8, "nicSelector": {"pfNames": names}})
    assert [(group.pf, group.first, group.last) for group in groups(policy)] == read


def pool(*starts: str) -> Thing:
    """Excluded ranges, of which those with a ``-`` have an end."""
    rows = "".join(
        f"    - {{startIP: {start}{f', endIP: {end}' if dash else ''}}}\n"
        for start, dash, end in (each.partition("-") for each in starts)
    )
    return of_text(
        "apiVersion: nv-ipam.nvidia.com/v1alpha1\nkind: IPPool\n"
        "metadata: {name: pool, namespace: kube-system}\n"
        "spec:\n  subnet: 10.0.0.0/16\n  perNodeBlockSize: 8\n  gateway: 10.0.0.1\n  exclusions:\n" + rows
    )


@pytest.mark.parametrize(("number", "left"), [(1, True), (280, True), (281, False)])
def test_an_object_with_more_than_280_faults_is_not_read(number: int, left: bool) -> None:
    """Eight rounds of forty faults each, and the last one is to find nothing."""
    thing, odd = pool(*["10.0.0.2"] * number, "10.0.0.7-10.0.0.9"), list[str]()
    refused = settled(thing, odd, frozenset())
    if left:
        assert refused is None
        assert len(odd) == number
        assert thing.spec["exclusions"] == [{"startIP": "10.0.0.7", "endIP": "10.0.0.9"}]
    else:
        assert refused is not None
        assert "IPPool kube-system/pool is refused: " in refused.text


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        (["x", "x", "10.0.0.7-10.0.0.9"], ["10.0.0.7"]),
        (["10.0.0.7-10.0.0.9", "x", "10.0.0.20-10.0.0.22"], ["10.0.0.7", "10.0.0.20"]),
        (
            ["10.0.0.7-x", "10.0.0.8", "10.0.0.20-10.0.0.22", "10.0.0.30-10.0.0.32"],
            ["10.0.0.20", "10.0.0.30"],
        ),
    ],
)
def test_what_is_well_formed_stays_beside_what_is_dropped(rows: list[str], kept: list[str]) -> None:
    thing = pool(*rows)
    assert settled(thing, [], frozenset()) is None
    assert [row["startIP"] for row in thing.spec["exclusions"] if "endIP" in row] == kept


def test_texts_below_a_map_are_collected_and_asked_together() -> None:
    """``enum`` looks at a list as a whole: it is asked at once, with every row."""
    questions, rows = Questions(), [("a",), ("b",)]
    schema = {"properties": {"name": {"type": "string", "pattern": "^a$"}}}
    assert questions.put(schema, {"name": "zq0qz"}, rows)
    assert not questions.answered()
    assert not Questions().put({"enum": [["a"]]}, ["zq0qz"], rows)
    assert Questions().put({"enum": [["a"], ["b"]]}, ["zq0qz"], rows)
