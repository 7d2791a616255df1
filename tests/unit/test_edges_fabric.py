"""Facts of one line each, at their edge: switches, cables and walks as trace judges them, asked directly."""

from __future__ import annotations

import json
from dataclasses import replace
from ipaddress import ip_address, ip_network
from types import SimpleNamespace
from typing import Any

import pytest
import yaml
from netaddr import IPAddress

from netplan.checks.vlan import pod_mtu_too_large
from netplan.graph.hosts import Stated
from netplan.graph.qos import Answer, Proof
from netplan.model.artifact import Artifact
from netplan.model.readback import Stand, Steps
from netplan.model.site import SiteCable, SiteClass, SiteQos
from netplan.plan import make_plan
from netplan.plan.flow_env import _flows as flows
from netplan.plan.switch_qos import NO_QOS as WITHOUT_QOS
from netplan.trace.addresses import addresses
from netplan.trace.back_ends import _belongs as belongs
from netplan.trace.chains.compare import _subnets as compared_subnets
from netplan.trace.chains.compare import _vlans as compared_vlans
from netplan.trace.chains.devices import _takes as takes
from netplan.trace.chains.model import Meets
from netplan.trace.classes import sent
from netplan.trace.draw import matrix_lines
from netplan.trace.ends import _known as known
from netplan.trace.fabric import ReadFabric, Wanted
from netplan.trace.link import Packet, Ports, _in_queue, _untold, fits
from netplan.trace.linux import Decision, KernelRoute, Owned, RoutingRule
from netplan.trace.matrix import Matrix, _partners
from netplan.trace.model import Fault, Leg, Nic, TraceError, Verdict, divided
from netplan.trace.nic_end import _nic_answer as nic_answer
from netplan.trace.nic_end import port_fits
from netplan.trace.objects import objects_of
from netplan.trace.walk import _says as says
from netplan.trace.walk import _why as why
from tests.factories import fabric_from
from tests.overlay import CHECKS
from tests.unit.edges import things
from tests.unit.test_edges_chains import nad, pod
from tests.unit.test_edges_pods_trace import env, workload
from tests.unit.test_trace_addresses import POOL, given, host, network, site
from tests.unit.test_trace_measured import SHARED, leaf
from tests.unit.test_trace_stretched import two_leaves

LEAF = leaf(SHARED)


def switched(**changes: Any) -> ReadFabric:
    """One switch with changes."""
    return ReadFabric({"leaf": replace(LEAF.switches["leaf"], **changes)}, LEAF.peers.values())


def cable(switch: str, port: str, peer: str, peer_port: str, **more: Any) -> SiteCable:
    plain = next(iter(LEAF.peers.values()))
    ends = {"switch": switch, "port": port, "peer": peer, "peer_port": peer_port, "peer_kind": "switch"}
    return replace(plain, **{**ends, **more})


def two(*cables: SiteCable) -> ReadFabric:
    return ReadFabric(two_leaves().switches, cables)


ONE, OTHER = cable("leaf", "up", "far", "up"), cable("far", "up", "leaf", "up")


def test_a_cable_between_switches_has_two_ends_that_agree() -> None:
    assert two(ONE, OTHER).links == {"leaf": (("up", ("far", "up")),), "far": (("up", ("leaf", "up")),)}
    assert two(ONE).links == {}
    assert two(ONE, replace(OTHER, peer_port="a-net1")).links == {}
    assert two(replace(ONE, peer="gone"), OTHER).links == {}
    assert ReadFabric({"far": two_leaves().switches["far"]}, [ONE, OTHER]).links == {}


@pytest.mark.parametrize(
    ("back", "said"),
    [
        (OTHER, ""),
        (None, "site.json has leaf up on far up, and that without a cable"),
        (replace(OTHER, peer_port="x"), "site.json has leaf up on far up, and that on leaf x"),
        (replace(OTHER, peer="x"), "site.json has leaf up on far up, and that on x up"),
        (
            replace(OTHER, speed_gbps=ONE.speed_gbps + 1),
            f"site.json has leaf up on far up with {ONE.speed_gbps} Gb/s and {ONE.cable_m} m, "
            f"and back with {ONE.speed_gbps + 1} Gb/s and {ONE.cable_m} m",
        ),
        (
            replace(OTHER, cable_m=ONE.cable_m + 1),
            f"site.json has leaf up on far up with {ONE.speed_gbps} Gb/s and {ONE.cable_m} m, "
            f"and back with {ONE.speed_gbps} Gb/s and {ONE.cable_m + 1} m",
        ),
    ],
)
def test_the_two_ends_of_a_cable_agree(back: SiteCable | None, said: str) -> None:
    fabric = two(ONE, *([back] if back else []))
    assert fabric.dispute(ONE) == said
    fabric.disputed = {("far", "up"): "another"}
    assert fabric.dispute(ONE) == "another"


def test_what_no_file_states_is_told_with_where_it_would_stand() -> None:
    fabric = switched(stands={"arp": Stand("arp.txt", "age <vlan> <port>")})
    assert fabric.unstated("leaf", "paths").endswith("leaf is not stated (switches/leaf)")
    end = "leaf VLAN 7 is not stated; age 7 7 would prove it (switches/leaf/arp.txt)"
    assert fabric.unstated("leaf", "arp", "7").endswith(end)
    assert fabric.unstated("leaf", "arp", "up").endswith(
        "leaf up is not stated; age up up would prove it (switches/leaf/arp.txt)"
    )


def test_a_frame_enters_a_port_or_is_dropped() -> None:
    fabric = two(ONE, OTHER)
    ports = fabric.switches["leaf"].ports
    (first,) = [name for name, port in ports.items() if port.untagged == 101]
    assert str(fabric.accept("none", "up", None)) == "none has no files in switches/none"
    assert str(fabric.accept("leaf", "x", None)).startswith("leaf does not configure x (")
    assert str(fabric.accept("leaf", "up", None)).startswith("leaf up takes no untagged frames (")
    assert str(fabric.accept("leaf", "up", 999)).startswith("leaf has no VLAN 999 for up (")
    assert str(fabric.accept("leaf", first, 102)).startswith(f"leaf {first} does not carry VLAN 102 (")
    domain = fabric.accept("leaf", first, None)
    assert not isinstance(domain, str)
    assert domain.vlan == 101


PACKET = Packet(size=4096, dscp=None, cnp=None)


def passed(fabric: ReadFabric, port: str = "a-net1", packet: Packet = PACKET) -> Any:
    return Ports(fabric).at("leaf", port, packet)


def test_a_port_takes_a_packet_or_says_why_not() -> None:
    assert (passed(LEAF).faults, passed(LEAF).notes) == ((), ())
    (fault,) = passed(LEAF, "x").faults
    assert (fault.verdict, fault.text.startswith("leaf does not configure x (")) == (Verdict.LOST, True)
    ports = LEAF.switches["leaf"].ports

    def changed(**changes: Any) -> Any:
        return passed(switched(ports={**ports, "a-net1": replace(ports["a-net1"], **changes)}))

    (fault,) = changed(up=False).faults
    assert (fault.verdict, fault.text.startswith("leaf a-net1 is shut down (")) == (Verdict.LOST, True)
    assert len(changed(up=None).notes) == 1
    (fault,) = changed(ip_mtu=4095).faults
    assert fault.verdict is Verdict.TOO_BIG
    assert changed(ip_mtu=4096).faults == ()
    fabric = switched()
    fabric.disputed = {("leaf", "a-net1"): "two files"}
    assert [each.text for each in passed(fabric).faults] == ["two files"]
    (fault,) = passed(switched(unparsed=("x.json",))).faults
    assert fault.text == "leaf has a file that cannot be read: switches/leaf/x.json"


@pytest.mark.parametrize(
    ("size", "mtu", "faults", "notes"),
    [(None, 1, 0, 0), (100, None, 0, 1), (100, 100, 0, 0), (100, 99, 1, 0)],
)
def test_a_packet_fits_where_the_mtu_is_no_less(
    size: int | None, mtu: int | None, faults: int, notes: int
) -> None:
    found = fits("x", mtu, Packet(size=size, dscp=None, cnp=None), "f")
    assert tuple(map(len, found)) == (faults, notes)


@pytest.mark.parametrize(
    ("size", "beyond", "known", "notes"),
    [
        (1500, "", True, 0),
        (1501, "", True, 1),
        (1501, "x", True, 0),
        (1501, "", False, 0),
        (None, "", True, 0),
    ],
)
def test_a_nic_of_no_stated_mtu_takes_1500_bytes(
    size: int | None, beyond: str, known: bool, notes: int
) -> None:
    hca = host(0, "0000:19:00.0").hcas[0] if known else None
    nic: Any = SimpleNamespace(port_mtu=None, hca=hca, beyond=beyond, file="f")
    assert tuple(map(len, port_fits("x", nic, Packet(size=size, dscp=None, cnp=None)))) == (0, notes)
    nic.port_mtu = Stated(4000, "g:1")
    (fault,) = port_fits("x", nic, Packet(size=4001, dscp=None, cnp=None))[0]
    assert fault.text.endswith("(g:1)")


def test_a_nic_of_which_no_file_sets_qos_is_refuted() -> None:
    found: Answer = nic_answer("node-0 roce0", None, 26, 0)
    assert [(each.proof, each.text) for each in found.doubts] == [
        (Proof.REFUTED, "no file sets QoS on node-0 roce0")
    ]


@pytest.mark.parametrize(
    ("mtus", "told", "said"),
    [
        ({3: 4096, 0: 4096}, True, []),
        (
            {3: 4095, 0: 4096},
            True,
            ["queue 3 of leaf a-net1 takes packets of up to 4,095 bytes, the pod sends up to 4,096"],
        ),
        ({3: 4096}, True, ["queue 0 is not stated"]),
        ({}, False, []),
    ],
)
def test_a_queue_takes_a_packet(mtus: dict[int, int], told: bool, said: list[str]) -> None:
    port = LEAF.switches["leaf"].ports["a-net1"]
    queues = {26: frozenset({3}), 0: frozenset({0})}
    ports = {"a-net1": replace(port, qos=replace(port.qos, queues=queues, mtus=mtus))}
    fabric = switched(ports=ports, told=frozenset({"queue-mtu"} if told else ()))
    found = [*_in_queue(fabric.switches["leaf"], "a-net1", Packet(size=4096, dscp=26, cnp=None), fabric)]
    assert len(found) == len(said)
    assert all(words in text for words, text in zip(said, found, strict=True)), found


@pytest.mark.parametrize(
    ("version", "garp", "aged", "said"),
    [(4, False, True, ["garp"]), (4, True, True, []), (6, False, True, []), (4, True, False, ["arp"])],
)
def test_what_a_vlan_states_of_its_neighbours(version: int, garp: bool, aged: bool, said: list[str]) -> None:
    states = frozenset({"garp", "vlan-arp"})
    interfaces = {100: replace(LEAF.switches["leaf"].vlan_interfaces[101], garp=garp, aged=aged)}
    read = replace(LEAF.switches["leaf"], states=states, vlan_interfaces=interfaces)
    address = IPAddress("10.0.0.1") if version == 4 else IPAddress("fd00::1")
    routed: Any = SimpleNamespace(ip=address, vlan=100)
    assert list(_untold(read, routed)) == said


@pytest.mark.parametrize(
    ("seconds", "age", "unlike"),
    [(300, 300, False), (300, 300 + 59, False), (300, 360, True), (300, 240, True), (None, 9, False)],
)
def test_neighbours_are_kept_as_long_as_the_site_states(seconds: int | None, age: int, unlike: bool) -> None:
    """As near as the unit of the switch allows, a minute here."""
    read = replace(LEAF.switches["leaf"], arp_seconds=age, steps=Steps(arp_seconds=60))
    fabric = ReadFabric({"leaf": read}, (), wanted=Wanted(SiteQos(), seconds))
    routed: Any = SimpleNamespace(switch="leaf", vlan=101, ip=IPAddress("10.1.0.1"))
    faults, _ = Ports(fabric)._neighbours(routed)
    assert [each.verdict for each in faults] == [Verdict.UNLIKE] * unlike


# Walks


ROUTE = KernelRoute(dst=ip_network("10.1.0.0/16"), dev="net1", via=ip_address("10.0.0.1"))
RULE = RoutingRule(100, ip_network("10.0.0.4/32"), 7)


@pytest.mark.parametrize(
    ("rule", "route", "guessed", "said"),
    [
        (RULE, ROUTE, False, "from 10.0.0.4/32 table 7: 10.1.0.0/16 via 10.0.0.1"),
        (replace(RULE, source=None, table=254), ROUTE, False, "table main: 10.1.0.0/16 via 10.0.0.1"),
        (RULE, replace(ROUTE, via=None), False, "from 10.0.0.4/32 table 7: 10.1.0.0/16 on the link"),
        (RULE, ROUTE, True, "no route to 10.1.0.9, taken for on-link on net1"),
        (RULE, None, False, "no route to 10.1.0.9, taken for on-link on net1"),
        (None, ROUTE, False, "no route to 10.1.0.9, taken for on-link on net1"),
    ],
)
def test_what_decided_is_told_as_ip_names_it(rule: Any, route: Any, guessed: bool, said: str) -> None:
    target = ip_address("10.1.0.9")
    request: Any = SimpleNamespace(dst=target)
    assert says(Decision("net1", target, None, rule, route, guessed), request) == said


def test_why_a_packet_does_not_leave_on_a_rail() -> None:
    target = ip_address("10.1.0.9")
    end: Any = SimpleNamespace(
        host=host(0),
        workload="job",
        routes_file="r",
        slot=0,
        name="job-0",
        space=SimpleNamespace(addresses={}),
    )

    def said(decision: Decision, src: str | None) -> str:
        request: Any = SimpleNamespace(
            sender=end, receiver=end, dst=target, src=ip_address(src) if src else None
        )
        return why(request, decision)

    assert (
        said(Decision("eth0", target, None, RULE, ROUTE), "10.0.0.4")
        == "table 7 sends 10.1.0.9 out on eth0 (r)"
    )
    lost = "no rule for source 10.0.0.4: the packet leaves on eth0 (r)"
    assert said(Decision("eth0", target, None, replace(RULE, source=None), ROUTE), "10.0.0.4") == lost
    main = "no route to 10.1.0.9 in table main: the packet leaves on eth0 (r)"
    assert said(Decision("eth0", target, None, RULE, ROUTE), None) == main
    assert said(Decision(None, target, None, RULE, ROUTE), None).endswith(
        "10.1.0.0/16 is unreachable in table 7 (r)"
    )
    assert said(Decision(None, target, None, None, None), None).endswith("no table has a route (r)")


def test_a_route_belongs_to_an_address_by_its_source_or_gateway() -> None:
    own = Owned(ip_address("10.0.0.4"), ip_network("10.0.0.0/24"))
    assert belongs(ROUTE, own)
    assert not belongs(replace(ROUTE, via=ip_address("10.9.0.1")), own)
    assert belongs(replace(ROUTE, via=None), own)
    assert not belongs(replace(ROUTE, via=None, dst=ip_network("fd00::/64")), own)
    assert belongs(replace(ROUTE, via=None, src=own.ip), own)


@pytest.mark.parametrize(
    ("count", "partners"), [(2, [[1], [0]]), (1, [[]]), (40, [[1, 20], [2, 21]]), (41, [[1, 20], [2, 21]])]
)
def test_pods_of_many_classes_meet_the_next_and_the_farthest(count: int, partners: list[list[int]]) -> None:
    assert [_partners(index, count) for index in range(min(count, 2))] == partners
    if count > 2:
        assert _partners(count - 1, count)[0] == 0
        assert _partners(count - 1, count)[1] == (count - 1 + count // 2) - count


def test_a_matrix_of_no_host_says_why() -> None:
    lines = list(matrix_lines(Matrix("job", (), 0, (), 0, 0, (), "no host has the labels"), color=False))
    assert "  no host has the labels" in lines


def test_names_that_are_known_are_listed() -> None:
    assert known("x", []) == "there is none"
    assert known("net1", ["net2", "eth0"]) == "did you mean net2? there are net2, eth0"


ON = Meets(network="n", vlan=100, mtu=9000, subnets=(ip_network("10.0.0.0/24"),), routed=True)


@pytest.mark.parametrize(
    ("change", "said", "proof"),
    [
        ({}, "the same, 10.0.0.0/24", Proof.PROVED),
        ({"subnets": ()}, "not stated for both", Proof.OPEN),
        (
            {"subnets": (ip_network("10.1.0.0/24"),)},
            "10.0.0.0/24 and 10.1.0.0/24: the gateways must have routes",
            Proof.OPEN,
        ),
        (
            {"subnets": (ip_network("10.1.0.0/24"),), "routed": False},
            "10.0.0.0/24 and 10.1.0.0/24, and no route leads from the one to the other",
            Proof.OPEN,
        ),
    ],
)
def test_subnets_of_two_pods(change: dict[str, Any], said: str, proof: Proof) -> None:
    found = compared_subnets(ON, replace(ON, **change))
    assert (found.said, found.proof) == (said, proof)
    back = compared_subnets(replace(ON, **change), ON)
    assert back.proof is proof


@pytest.mark.parametrize(
    ("change", "said", "proof"),
    [
        ({}, "the same, 100", Proof.PROVED),
        ({"vlan": None}, "not stated for both", Proof.OPEN),
        ({"vlan": 0}, "100 and untagged, in one subnet: neither reaches the other", Proof.REFUTED),
        ({"vlan": 0, "subnets": ()}, "100 and untagged: a router is between them", Proof.PROVED),
    ],
)
def test_vlans_of_two_pods(change: dict[str, Any], said: str, proof: Proof) -> None:
    found = compared_vlans(ON, replace(ON, **change))
    assert (found.said, found.proof) == (said, proof)
    assert compared_vlans(replace(ON, **change), ON).proof is proof


# Addresses


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
    _, _, faults = addresses(here, found, host(0), 0)
    wanted = "SpiderIPPool pool is not for node-0: its labels do not match (kubernetes/1.yaml)"
    assert [each.text for each in faults] == [wanted]
    owned, _, faults = addresses(here, found, replace(host(0), labels={"gpu": "h100"}), 0)
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


# What is sent, and what is selected


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


# Plans


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
    """Where the hosts of one type have no label, a selector would leave them without addresses."""
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
