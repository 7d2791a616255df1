"""Edge cases, one fact per case: what pools, claims, classes and policies give to pods."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from netplan.checks.vlan import pod_mtu_too_large
from netplan.graph.qos import Proof
from netplan.model.artifact import Artifact
from netplan.model.site import SiteClass
from netplan.plan import make_plan
from netplan.plan.flow_env import _flows as flows
from netplan.plan.switch_qos import NO_QOS as WITHOUT_QOS
from netplan.trace.addresses import Turn, addresses
from netplan.trace.chains.devices import _takes as takes
from netplan.trace.chains.model import Doubt
from netplan.trace.classes import sent
from netplan.trace.model import Fault, Leg, Nic, TraceError, Verdict, divided
from netplan.trace.objects import _decisive as decisive
from netplan.trace.objects import _faults as faults
from netplan.trace.objects import objects_of
from tests.factories import fabric_from
from tests.overlay import CHECKS
from tests.unit.edges import things
from tests.unit.test_edges_chains import nad, pod
from tests.unit.test_edges_pods_trace import env, workload
from tests.unit.test_trace_addresses import POOL, given, host, network, site


def test_an_address_that_is_written_down() -> None:
    rows = [{"address": "10.0.0.9/24", "gateway": "10.0.0.1"}, {"address": "fd00::9/64"}]
    assert given([network({"type": "static", "addresses": rows})], 0, 0) == [
        ("10.0.0.9/24", "10.0.0.1"),
        ("fd00::9/64", "None"),
    ]


def test_a_spider_pool_is_for_hosts_with_its_labels() -> None:
    text = yaml.safe_dump(
        {
            "apiVersion": "spiderpool.spidernet.io/v2beta1",
            "kind": "SpiderIPPool",
            "metadata": {"name": "pool"},
            "spec": {
                "subnet": "10.0.0.0/24",
                "ips": ["10.0.0.10"],
                "nodeAffinity": {"matchLabels": {"gpu": "h100"}},
            },
        }
    )
    here = site(network({"type": "spiderpool", "default_ipv4_ippool": ["pool"]}), text)
    (found,) = here.cluster.networks
    _, _, faults = addresses(here, found, host(0), Turn(0, 2))
    wanted = "SpiderIPPool pool is not for node-0: its labels do not match (kubernetes/1.yaml)"
    assert [each.text for each in faults] == [wanted]
    owned, _, faults = addresses(here, found, replace(host(0), labels={"gpu": "h100"}), Turn(0, 2))
    assert (str(owned[0].ip), faults) == ("10.0.0.10", [])


@pytest.mark.parametrize(
    ("number", "slot", "expected"),
    [(0, 0, "10.0.0.2"), (0, 1, "10.0.0.3"), (1, 0, "10.0.0.6"), (63, 0, "10.0.0.254"), (64, 0, "10.0.0.5")],
)
def test_an_ip_pool_gives_every_node_the_next_block(number: int, slot: int, expected: str) -> None:
    spec = "{subnet: 10.0.0.0/24, perNodeBlockSize: 4, gateway: 10.0.0.1}"
    ipam = {"type": "nv-ipam", "poolName": "pool", "poolType": "ippool"}
    ((own, gateway),) = given([network(ipam), POOL.format(kind="IPPool", spec=spec)], number, slot)
    assert (own.partition("/")[0], gateway) == (expected, "10.0.0.1")


def roce(dscp: int = 26, lossless: bool = True) -> SiteClass:
    return SiteClass(name="roce", dscp=dscp, priority=3, lossless=lossless, ecn=True)


NO_NICS: tuple[Nic, ...] = ()


def test_a_class_that_is_not_stated_is_not_lossless() -> None:
    found = sent([roce()], workload(), NO_NICS)
    assert (found.dscp, found.lossless, found.faults, found.priority) == (None, False, (), None)
    (note,) = found.notes
    assert note.startswith("the traffic class of job is not stated; NCCL_IB_TC or UCX_IB_TRAFFIC_CLASS")


@pytest.mark.parametrize(
    ("values", "lossless", "faults", "notes"),
    [
        ({"NCCL_IB_TC": "106", "UCX_IB_TRAFFIC_CLASS": "106"}, True, 0, 0),
        ({"NCCL_IB_TC": "105", "UCX_IB_TRAFFIC_CLASS": "106"}, True, 0, 0),
        ({"NCCL_IB_TC": "104", "UCX_IB_TRAFFIC_CLASS": "106"}, True, 0, 1),
        ({"NCCL_IB_TC": "107", "UCX_IB_TRAFFIC_CLASS": "106"}, True, 1, 0),
        ({"NCCL_IB_TC": "108", "UCX_IB_TRAFFIC_CLASS": "106"}, False, 1, 0),
        ({"NCCL_IB_TC": "106", "UCX_IB_TRAFFIC_CLASS": "106", "NCCL_IB_FIFO_TC": "106"}, True, 0, 0),
        ({"NCCL_IB_TC": "106", "UCX_IB_TRAFFIC_CLASS": "106", "NCCL_IB_FIFO_TC": "0"}, True, 0, 1),
        ({"UCX_IB_TRAFFIC_CLASS": "106"}, True, 0, 1),
    ],
)
def test_a_traffic_class_is_one_of_the_site(
    values: dict[str, str], lossless: bool, faults: int, notes: int
) -> None:
    found = sent([roce()], env(**values), NO_NICS)
    assert (found.lossless, len(found.faults), len(found.notes)) == (lossless, faults, notes), found


def test_without_a_lossless_class_no_nic_pauses() -> None:
    def nic(pfc: frozenset[int]) -> Any:
        return SimpleNamespace(qos=SimpleNamespace(pfc=pfc, judged=True, file="f"))

    found = sent([roce(lossless=False)], env(NCCL_IB_TC="106"), [nic(frozenset())])
    assert (found.dscp, found.lossless, found.notes) == (26, False, ())
    found = sent([], env(), [nic(frozenset({3})), nic(frozenset({4}))])
    assert found.notes == ("no class of the site is lossless (site.json), but NICs pause some (f)",)


def test_a_port_is_taken_by_any_selector_on_a_node_with_the_labels() -> None:
    node = {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n", "labels": {"gpu": "h100"}}}
    cluster = things({"kubernetes/0.yaml": yaml.safe_dump(node)})

    def selected(name: str) -> Any:
        return SimpleNamespace(stated=(), ports=(name,), pci=(), named=True)

    def taken(state: str, labels: dict[str, str], *names: str) -> bool:
        producer: Any = SimpleNamespace(labels=labels, selected=tuple(selected(name) for name in names))
        thing: Any = SimpleNamespace(name=state)
        return takes(cluster, producer, thing, {"name": "ens1", "altNames": ["alt1"]})

    assert taken("n", {"gpu": "h100"}, "ens2", "ens1")
    assert taken("n", {}, "alt1")
    assert not taken("n", {}, "ens2")
    assert not taken("n", {}, *())
    assert not taken("n", {"gpu": "b200"}, "ens1")
    assert taken("m", {"gpu": "b200"}, "ens1")


def test_texts_that_cannot_be_read_are_counted() -> None:
    def broken(count: int) -> list[Artifact]:
        return [Artifact(f"kubernetes/{n}.yaml", "a: [\n", "kubernetes") for n in range(count)]

    for count, end in ((1, ""), (2, "; and 1 more"), (3, "; and 2 more")):
        with pytest.raises(TraceError) as told:
            objects_of(broken(count))
        assert str(told.value).partition("; and")[1:] == (("; and", end[5:]) if end else ("", ""))


def test_rules_that_need_all_files_are_asked_too() -> None:
    """NP773: sbr needs an address; netplan's own files are all there are."""
    chain = nad()
    plugins = [json.loads(chain["spec"]["config"]), {"type": "sbr"}]
    chain["spec"]["config"] = json.dumps({"cniVersion": "1.0.0", "name": "rail", "plugins": plugins})
    texts = {"kubernetes/0.yaml": chain, "pods/job/pod.yaml": pod(networks="a/rail")}
    artifacts = [Artifact(name, yaml.safe_dump(text), "kubernetes") for name, text in texts.items()]
    said = [fault.text for fault in objects_of(artifacts).ruled["job"]]
    assert any("sbr is chained" in text and "NP773" in text for text in said), said


@pytest.mark.parametrize(
    ("group", "claimed"), [("resource.k8s.io", {"nvidia.com/rail": 2}), ("example.com", None)]
)
def test_devices_of_a_claim_are_those_of_its_template(group: str, claimed: dict[str, int] | None) -> None:
    request = {"count": 2, "selectors": [{"cel": {"expression": 'x.resourceName == "nvidia.com/rail"'}}]}
    template = {
        "apiVersion": f"{group}/v1",
        "kind": "ResourceClaimTemplate",
        "metadata": {"name": "t", "namespace": "a"},
        "spec": {"spec": {"devices": {"requests": [{"name": "r", "exactly": request}]}}},
    }
    asking = pod(resourceClaims=[{"name": "n", "resourceClaimTemplateName": "t"}])
    (found,) = things({"kubernetes/0.yaml": yaml.safe_dump_all([asking, template])}).pods
    assert found.claimed == claimed


def test_without_qos_nothing_of_it_is_on() -> None:
    plan = WITHOUT_QOS
    assert (plan.enabled, plan.dscp_trust, plan.queue_bytes, plan.queues, plan.pfc) == (
        False,
        False,
        0,
        (),
        (),
    )


def test_queue_pairs_are_flows() -> None:
    assert flows(1) == "one queue pair, one flow"
    assert flows(2) == "2 queue pairs, each a flow of its own"


@pytest.mark.parametrize(
    ("mtu", "largest", "words"),
    [
        (9100, 9216, None),
        (9101, 9216, "by 1 "),
        (9216, 9216, "by 116 "),
        (9217, 9216, "to 9216,"),
        (9217, None, "by 117 "),
    ],
)
def test_a_pod_mtu_fits_the_switch_port(mtu: int, largest: int | None, words: str | None) -> None:
    kind = SimpleNamespace(name="leaf", port_mtu=9100, at=("switch_types", "leaf"))
    limits = SimpleNamespace(mtu_max=largest or 0)
    switch = SimpleNamespace(type=kind, ports=[SimpleNamespace(ip_mtu=9100)], limits=limits, nos="sonic")
    plan: Any = SimpleNamespace(fabric=SimpleNamespace(mtu=mtu), switches=[switch])
    hints = [each.hint for each in pod_mtu_too_large(plan)]
    assert len(hints) == (words is not None)
    assert all(str(words) in hint for hint in hints)


@pytest.mark.parametrize(("labels", "count"), [("{gpu: b200}", 2), ("{}", 0)])
def test_a_pool_is_for_the_labels_of_its_hosts_or_for_all_nodes(labels: str, count: int) -> None:
    """If the hosts of one type have no label, a selector would leave them without addresses."""
    hca = (
        '{model: connectx-5, pci: "0000:18:00.0", netdev: ens1f0, rail: 0, speed_gbps: 100, use: vf, vfs: 4}'
    )
    over = f"""
rails: {{segment: stretched, vlan_ids: 100-101, rail_prefixes: [22], prefixes: [24]}}
host_types: {{plain: {{node_selector: {labels}, hcas: {{roce0: {hca}}}}}}}
hosts: {{plain-1: {{type: plain}}}}
links: null
"""
    plan, _ = make_plan(fabric_from((CHECKS / "base.yaml").read_text(encoding="utf-8"), over), {})
    assert {len(each.selectors) for each in plan.kubernetes.pools if each.segment.rail == 0} == {count}


@pytest.mark.parametrize(
    ("faults", "notes", "verdict"),
    [
        ((), (), Verdict.DELIVERED),
        ((), ("x",), Verdict.UNPROVED),
        ((Verdict.LOSSY, Verdict.LOST, Verdict.NARROW), (), Verdict.LOST),
        ((Verdict.UNLIKE,), ("x",), Verdict.UNLIKE),
    ],
)
def test_a_path_is_as_good_as_the_worst_on_it(
    faults: tuple[Verdict, ...], notes: tuple[str, ...], verdict: Verdict
) -> None:
    leg = Leg(faults=tuple(Fault(each, each.words) for each in faults), notes=notes)
    assert leg.verdict is verdict
    assert [each.proof for each in (Verdict.DELIVERED, Verdict.UNPROVED, Verdict.UNLIKE)] == [
        "proved",
        "not proved",
        "refuted",
    ]


def test_what_refutes_is_apart_from_what_is_not_proved() -> None:
    lost, open_ = Fault(Verdict.LOST, "a"), Fault(Verdict.UNPROVED, "b")
    assert divided([lost, open_, lost, open_]) == ((lost,), ("b",))


def test_notes_about_objects_decide_nothing_but_where_two_values_clash() -> None:
    """NP692 and NP760 are notes, NP426 and NP677 too; NP670 and NP773 warn, NP758 is an error."""
    codes = ("NP692", "NP426", "NP760", "NP670", "NP677", "NP773", "NP758")
    findings: Any = {1: [SimpleNamespace(code=code) for code in codes], 2: [SimpleNamespace(code="NP692")]}
    kept = {key: [each.code for each in found] for key, found in decisive(findings).items()}
    assert kept == {1: ["NP426", "NP670", "NP677", "NP773", "NP758"], 2: []}


@pytest.mark.parametrize(
    ("code", "proof", "own", "verdict"),
    [
        ("NP758", Proof.REFUTED, True, Verdict.LOST),
        ("NP758", Proof.REFUTED, False, Verdict.UNPROVED),
        ("NP758", Proof.OPEN, True, Verdict.UNPROVED),
        ("NP755", Proof.REFUTED, True, Verdict.UNPROVED),
        ("", Proof.REFUTED, True, None),
    ],
)
def test_what_a_rule_finds_at_a_pod_refutes_it(
    code: str, proof: Proof, own: bool, verdict: Verdict | None
) -> None:
    doubts = [Doubt(proof=proof, text="x", place="f:1", code=code), Doubt(proof=proof, text="y")]
    found = [(each.verdict, each.text) for each in faults(doubts, own)]
    assert found == ([] if verdict is None else [(verdict, f"x (f:1, {code})")])
