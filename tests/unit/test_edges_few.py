"""Edge cases, one fact per case: sums, limits and choices of single functions, by direct calls."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from types import MappingProxyType
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.checks import deadlock, mixed_types, ports, reserved, switch_classes
from netplan.graph.kubernetes.asking import Asking
from netplan.graph.kubernetes.attachments import apart, nearest
from netplan.model.addresses import SegmentSubnet
from netplan.model.modes import MODES, ModeName
from netplan.model.routes import ROUTINGS, RoutingName
from netplan.model.values import InterfaceAddress
from netplan.nos.library import load_nos
from netplan.plan import nic_qos, operators, pod_routes, pod_security
from netplan.plan.buffers import port_headroom, small_packet_percent
from netplan.plan.switch_vlans import segment_index
from netplan.rules.kubernetes import arp, rails, subnets
from netplan.rules.kubernetes.pools import _ranges as ranges
from tests.unit.some import owned_by, said, some

NOTHING: Any = None


def channels(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((one[0], one[1]) for one in text.split())


@pytest.mark.parametrize(
    ("waits", "found"),
    [
        ({"ab": "bc ca", "ca": "ab"}, "ab ca"),
        ({"ab": "bc bd", "bc": "ce", "bd": "da", "da": "ab"}, "ab bd da"),
        ({"ab": "bc", "bc": "cd ce", "ce": "ea", "ea": "bc"}, "bc ce ea"),
        ({"ab": "bc bd", "bc": "ce", "bd": "ce"}, ""),
        ({"ab": "ab"}, "ab"),
        ({"ab": ""}, ""),
        ({}, ""),
    ],
)
def test_a_circle_behind_a_dead_end(waits: dict[str, str], found: str) -> None:
    given = {channels(name)[0]: list(channels(after)) for name, after in waits.items()}
    assert deadlock._cycle(given) == channels(found)


def taken(*hcas: int | None) -> Any:
    return [some(rail=rail) for rail in hcas]


@pytest.mark.parametrize(
    ("per_rail", "takes", "types", "what"),
    [
        (True, "all", [taken(0, 1)], None),
        (True, "all", [taken(0, 1), taken(0, 1)], None),
        (True, "all", [taken(0, 1), taken(1, 0, 0)], None),
        (True, "all", [taken(0, 1), taken(0)], "rails 0-1 on t0, 0 on t1"),
        (True, "all", [taken(0, 1), taken(0, 1), taken(0, 2)], "rails 0-1 on t0, 0, 2 on t2"),
        (False, "all", [taken(0), taken(0, 1)], None),
        (False, "any", [taken(0), taken(0, 1)], "1 HCA on t0, 2 on t1"),
        (False, "any", [taken(0, 1, 2), taken(0, 1)], "2 HCAs on t1, 3 on t0"),
        (False, "any", [taken(0, 1), taken(2, 3)], None),
        (False, "any", [taken(0), []], None),
        (True, "any", [taken(0, 0), taken(0)], "1 HCA on t1, 2 on t0"),
    ],
)
def test_host_types_that_differ_in_hcas(
    monkeypatch: pytest.MonkeyPatch, per_rail: bool, takes: str, types: list[Any], what: str | None
) -> None:
    monkeypatch.setattr(mixed_types, "takes", lambda *_: True)
    kinds = [some(name=f"t{number}", hcas=hcas) for number, hcas in enumerate(types)]
    network: Any = some(name="n", per_rail=per_rail, takes=takes)
    workload: Any = some(host_types=kinds, devices={})
    found = mixed_types.uneven(workload, network)
    assert (found and found[0]) == what
    if takes == "any" and not per_rail:
        workload.devices = {"n": 1}
        assert mixed_types.uneven(workload, network) is None


def physical(name: str, position: int, *speeds: int, parts: int = 1) -> Any:
    return some(name=name, last=name, position=position, speeds=speeds, parts=parts)


@pytest.mark.parametrize(
    ("port", "outside"),
    [
        (physical("p", 32, 400), False),
        (physical("p", 33, 400), True),
        (physical("p", 33, 25), False),
        (physical("p", 33, 26), True),
        (physical("p", 33, 10, 25), False),
        (physical("p", 33, 10, 100), True),
        (physical("p", 33), False),
        (physical("p", 33, 25, parts=2), True),
    ],
)
def test_a_port_that_the_model_does_not_have(port: Any, outside: bool) -> None:
    model = some(name="m", ports=32)
    box = some(name="leaf", type=some(model=model), physical=[port], ports=[some(name="p", at=("x",))])
    plan: Any = some(switches=[box, box])
    text = f"leaf p is port {port.position} of the box, m has 32"
    assert said(ports.no_such_port(plan)) == ([text] if outside else [])


def entry(text: str, inside: str = "0.0.0.0/0") -> Any:
    low, _, high = text.partition("-")
    span = IPAddress(low), IPAddress(high or low)
    return reserved._Reserved(("rails", "reserved", 0), span, (IPNetwork(inside),), "rails", ("rails",))


@pytest.mark.parametrize(
    ("text", "family"), [("10.0.0.1", 4), ("10.0.0.1-10.0.0.9", 4), ("fd00::1-fd00::2", 6)]
)
def test_the_family_of_a_reserved_span(text: str, family: int) -> None:
    assert entry(text).family == family
    assert str(entry(text)) == text


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("10.0.0.4", False),
        ("10.0.0.5", True),
        ("10.0.0.7", True),
        ("10.0.0.8", False),
        (str(IPAddress(int(IPAddress("10.0.0.5")), version=6)), False),
    ],
)
def test_a_stated_address_in_a_reserved_span(
    monkeypatch: pytest.MonkeyPatch, address: str, found: bool
) -> None:
    own = some(address=InterfaceAddress(IPAddress(address), 24), at=("hosts", "a", "hcas", "x"))
    monkeypatch.setattr(reserved, "_entries", lambda _: [entry("10.0.0.5-10.0.0.7")])
    fabric = some(subnets=(), hosts=[some(name="a", hcas={"x": own})])
    plan: Any = some(fabric=fabric, addresses=some(segments=(), host_links=()))
    (*texts,) = said(reserved.reserved_used(plan))
    assert len(texts) == found
    assert all(text.startswith(f"address {own.address} of x of a is in 10.0.0.5-10.0.0.7") for text in texts)


@pytest.mark.parametrize(
    ("limit", "marks", "value"),
    [
        (0, [9], None),
        (1, [], None),
        (1, [1], 1),
        (10, [9], None),
        (10, [10], 10),
        (10, [9, 11], 11),
        (10, [11, 9], 11),
    ],
)
def test_a_threshold_that_marks_late(limit: int, marks: list[int], value: int | None) -> None:
    queues = [some(number=3, ecn=[some(kmax_bytes=mark) for mark in marks])]
    queues.append(some(number=4, ecn=[some(kmax_bytes=99)]))
    kind = some(name="t")
    box = some(name="leaf", type=kind, buffers=some(xoff_one=limit), qos=some(queues=queues))
    lossless = [some(name="c", priority=3, ecn=None, at=("x",))]
    plan: Any = some(switches=[box, box], fabric=some(qos=some(lossless=lossless)))
    texts = said(switch_classes._late_marking(plan, switch_classes._FULL_MARKING))
    assert len(texts) == (value is not None)
    assert all(text.startswith(f"kmax_bytes {value} of class c is not below {limit}, ") for text in texts)
    plan.fabric.qos = None
    assert list(switch_classes._late_marking(plan, switch_classes._FULL_MARKING)) == []


@pytest.mark.parametrize(
    ("path", "namespace"),
    [
        ((), "outer"),
        (("spec",), "outer"),
        (("spec", "components", 0, "template"), "inner"),
        (("spec", "components", 0, "template", "spec"), "inner"),
        (("spec", "components", 1, "template"), "outer"),
        (("spec", "components", 2, "template"), "outer"),
    ],
)
def test_the_namespace_of_the_innermost_object(path: tuple[Any, ...], namespace: str) -> None:
    def job(meta: dict[str, Any]) -> dict[str, Any]:
        body = {"apiVersion": "batch/v1", "kind": "Job", "metadata": meta, "spec": {"metadata": meta}}
        return {"template": body}

    components = [job({"namespace": "inner"}), job({}), job({"namespace": 7})]
    body = {"metadata": {"namespace": "outer"}, "spec": {"components": components}}
    thing: Any = some(body=body, namespace="outer")
    pod: Any = some(thing=thing, path=path)
    assert Asking(pod=pod, gpus={}, at=()).namespace == namespace


@pytest.mark.parametrize(
    ("one", "other", "folders"),
    [
        ("a/x", "a/x", -1),
        ("a/x", "a/y", 0),
        ("a/x", "a/b/y", 1),
        ("a/x", "b/y", 2),
        ("a/b/x", "a/c/y", 2),
        ("ab/x", "ac/y", 2),
        ("x", "x", -1),
        ("x", "y", 0),
    ],
)
def test_folders_between_two_files(one: str, other: str, folders: int) -> None:
    first, second = (some(file=name) for name in (one, other))
    assert apart(first, second) == folders
    assert apart(second, first) == folders
    assert nearest(first, [some(file="far/away/z"), second], lambda each: each)[0] is second or folders > 2


@pytest.mark.parametrize(
    ("models", "longest", "asic", "missing"),
    [
        ((), 0, None, ""),
        ((), 100, None, "nos sizes headroom for cables of up to 100 m, this one has 101 m"),
        ((), 101, None, ""),
        (("traditional",), 0, None, "nos has no dynamic buffer model"),
        (("dynamic",), 0, None, "the dynamic buffer model of nos does not work on chip"),
        (("dynamic",), 0, 0, "the dynamic buffer model of nos does not work on chip"),
    ],
)
def test_why_a_port_has_no_headroom(
    models: tuple[str, ...], longest: int, asic: int | None, missing: str
) -> None:
    kind: Any = some(buffer_model="dynamic", model=some(name="m", asic="chip"), small_packet_percentage=None)
    asics = {} if asic is None else {"chip": some(pipeline_bytes=asic)}
    nos: Any = some(
        name="nos",
        buffer_models=models,
        limits=some(cable_max_m=longest),
        asics=asics,
        models={},
        dynamic_buffers=some(small_packet_percent=40),
    )
    found = port_headroom(kind, nos, 100, 101)
    assert (found.headroom, found.missing, found.lengths) == (None, missing, ())
    assert small_packet_percent(kind, nos) == 40
    kind.small_packet_percentage = 0
    assert small_packet_percent(kind, nos) == 0
    nos.dynamic_buffers = None
    assert small_packet_percent(kind, nos) == 0


@pytest.mark.parametrize(("speed_gbps", "missing"), [(100, False), (50, True), (0, True)])
def test_the_dynamic_model_knows_some_speeds(speed_gbps: int, missing: bool) -> None:
    nos = load_nos({"sonic": ()})[0]["sonic"]
    assert nos.dynamic_buffers is not None
    quanta = {100: nos.dynamic_buffers.peer_response_quanta[100]}
    nos = replace(nos, dynamic_buffers=replace(nos.dynamic_buffers, peer_response_quanta=quanta))
    chip = next(name for name, asic in nos.asics.items() if asic.pipeline_bytes)
    model = some(name="none", asic=chip)
    kind: Any = some(buffer_model="dynamic", model=model, small_packet_percentage=None, port_mtu=9216)
    found = port_headroom(kind, nos, speed_gbps, 5)
    text = f"the dynamic buffer model of {nos.name} has no peer response at {speed_gbps} Gb/s"
    assert found.missing == (text if missing else "")
    assert (found.headroom is None) is missing


@pytest.mark.parametrize(
    ("networks", "tos"),
    [
        ([], 106),
        ([("a", True)], 10),
        ([("a", False)], 106),
        ([("a", True), ("b", False)], 10),
        ([("a", True), ("b", True)], None),
        ([("a", True), ("a", True)], 10),
        ([("a", True), (None, True)], 10),
        ([(None, True)], None),
    ],
)
def test_the_class_of_a_port_is_that_of_the_networks_that_use_it(
    monkeypatch: pytest.MonkeyPatch, networks: list[tuple[str | None, bool]], tos: int | None
) -> None:
    monkeypatch.setattr(nic_qos, "uses", lambda network, *_: network.used)
    given = [some(traffic_class=name and some(name=name), used=used) for name, used in networks]
    classes = {"a": some(name="a", lossless=False, tos=10), "b": some(name="b", lossless=False, tos=20)}
    classes["c"] = some(name="c", lossless=True, tos=106)
    qos: Any = some(classes=classes.values(), traffic_class=classes.__getitem__)
    fabric: Any = some(networks=given)
    port: Any = some(hca=None)
    assert nic_qos._tos(fabric, NOTHING, port, qos) == tos


@pytest.mark.parametrize(
    ("modes", "component"), [([], False), (["sriov"], False), (["ipoib"], True), (["sriov", "ipoib"], True)]
)
def test_ipoib_is_a_component_where_one_network_takes_it(modes: list[ModeName], component: bool) -> None:
    operator = some(
        release=(26, 4), namespace="n", repository=None, version=None, images=MappingProxyType({}),
        ofed_version=None, multus=False, admission_webhooks=False, releases=some(lacks=lambda *_: ""),
    )  # fmt: skip
    owners = owned_by()
    cluster = some(
        network_operator=operator, sriov_operator=None, owners=owners, distribution="kubeadm", nfd="",
        maintenance=some(drain=True),
    )  # fmt: skip
    attachments: Any = [some(network=some(by_mode=MODES[mode])) for mode in modes]
    fabric: Any = some(cluster=cluster)
    found = operators.plan_network_operator(fabric, (), (), attachments)
    assert found is not None
    assert found.components == (("secondaryNetwork.ipoib",) if component else ())
    assert found.policy is component


OWN, PART, FAR = (IPNetwork(text) for text in ("10.2.1.0/24", "10.2.0.0/16", "10.3.0.0/16"))


@pytest.mark.parametrize(
    ("name", "table", "priority", "default", "in_main", "supernet", "by_default"),
    [
        ("sbr", 100, None, "gateway", False, False, False),
        ("script", 702, 702, "unreachable", True, True, False),
        ("table", 702, None, "gateway", True, True, False),
        ("claim", 702, 702, "gateway", True, True, False),
        ("spiderpool", None, None, "gateway", True, False, True),
    ],
)
def test_routes_of_a_rail_by_what_sets_them(
    monkeypatch: pytest.MonkeyPatch,
    name: RoutingName,
    table: int | None,
    priority: int | None,
    default: str,
    in_main: bool,
    supernet: bool,
    by_default: bool,
) -> None:
    monkeypatch.setattr(pod_routes, "reachable", lambda *_: (FAR, IPNetwork("fd00::/64")))
    subnet = SegmentSubnet(network=OWN, gateway=IPAddress("10.2.1.254"))
    part: Any = some(rail=2, host_prefixes=(), subnets=[subnet], external=False, name="rail-2")
    network = some(routing=name, by_routing=ROUTINGS[name], by_mode=MODES["sriov"])
    nic: Any = some(interface="net1", attachment=some(segment=part, rail=2, network=network, ipam=None))
    networks = ((), (), (PART,))
    fabric: Any = some(rails=some(gateway="first", segment="leaf", rail_networks=networks))
    numbers = count(pod_routes.SBR_TABLE_BASE)
    (found,) = pod_routes._rail_routes(fabric, NOTHING, nic, subnet, numbers)
    assert (found.table, found.priority) == (table, priority)
    assert found.source == (None if priority is None else OWN)
    assert (found.default, found.connected_in_main, found.tabled) == (default, in_main, True)
    assert (found.via, found.by_default) == (((), (FAR,)) if by_default else ((FAR,), ()))
    assert found.main_via == ((PART,) if supernet else ())
    network.routing, network.by_routing = "none", ROUTINGS["none"]
    (found,) = pod_routes._rail_routes(fabric, NOTHING, nic, subnet, numbers)
    assert (found.tabled, found.table, found.priority, found.source) == (False, None, None, None)
    assert (found.via, found.by_default, found.main_via, found.default) == ((), (), (), "none")


@pytest.mark.parametrize(
    ("causes", "operator", "openshift", "level", "why", "by_memlock"),
    [
        ({}, False, False, "baseline", pod_security._BASELINE, False),
        ({(): ["a"]}, False, True, "baseline", pod_security._BASELINE, False),
        ({("x",): ["a"]}, False, False, "privileged", "a: x", False),
        ({("x", "y"): ["a", "b"]}, False, False, "privileged", "a and b: x, y", False),
        ({("x",): ["a"]}, True, False, "privileged", f"{pod_security._OPERATOR}; a: x", False),
        ({}, True, True, "privileged", pod_security._OPERATOR, False),
        ({("x",): ["a"]}, False, True, "privileged", f"a: x; {pod_security._OPENSHIFT}", False),
        (
            {("the container adds IPC_LOCK",): ["a"]},
            False,
            False,
            "privileged",
            "a: the container adds IPC_LOCK",
            True,
        ),
    ],
)
def test_the_level_of_a_namespace(
    causes: Any, operator: bool, openshift: bool, level: str, why: str, by_memlock: bool
) -> None:
    found = pod_security._level("n", causes, operator, openshift)
    assert (found.namespace, found.level, found.why, found.by_memlock) == ("n", level, why, by_memlock)


def segment(name: str, vlan: int | None, leaf: str | None = None, external: bool = False) -> Any:
    return some(name=name, vlan=vlan, leaf=leaf, external=external)


def test_names_and_gateways_of_vlans() -> None:
    segments = [
        segment("own", 10, leaf="leaf-1"),
        segment("one-home", 20),
        segment("wide", 30),
        segment("outside", 40, external=True),
        segment("routed", None, leaf="leaf-1"),
        segment("stated", 50),
    ]
    homes = [("leaf-2", "one-home"), ("leaf-1", "wide"), ("leaf-2", "wide"), ("leaf-2", "outside")]
    uses: dict[tuple[str, str], list[Any]] = {}
    for number, (switch, name) in enumerate(homes):
        uses[switch, f"p{number}"] = [some(segment=some(name=name))]
    addresses: Any = some(segments=segments, port_uses=uses, uplinks=(), asns={})
    fabric: Any = some(vlans=[some(id=50, name="mine")])
    found = segment_index(fabric, addresses)
    assert found.names == {20: "one-home", 30: "wide", 40: "outside", 50: "mine"}
    gateways = {name: [each.name for each in each_of] for name, each_of in found.gateways.items()}
    assert gateways == {"leaf-1": ["own"], "leaf-2": ["one-home"]}
    assert found.neighbours == {}


@pytest.mark.parametrize(
    ("entries", "found"),
    [
        ([], {}),
        ([{"name": "a.b", "value": "1"}], {"a.b": [1]}),
        ([{"name": "a.b", "value": "1"}, {"name": "a.b", "value": 2}], {"a.b": [1, 2]}),
        ([{"name": "a", "value": "999"}, {"name": "b", "value": "1000"}], {"a": [999]}),
        ([{"name": "a", "value": "x"}, {"name": "b"}], {}),
    ],
)
def test_sysctls_of_a_pod(entries: list[Any], found: dict[str, list[int]]) -> None:
    pod: Any = some(spec={"securityContext": {"sysctls": entries}})
    assert arp._settings(pod, ()) == found
    network: Any = some(chain=[{"sysctl": {"net/ipv4/IFNAME": "7", "a": "3"}}])
    assert arp._settings(pod, (("r", network),)) == {
        "net.ipv4.r": [7],
        "a": [3, *found.pop("a", [])],
        **found,
    }


@pytest.mark.parametrize(
    ("ipam", "usable"),
    [
        ({}, []),
        ({"range": 5}, []),
        ({"range": ["10.0.0.0/24"]}, []),
        ({"range": "{{ range }}"}, []),
        ({"range": "x"}, []),
        ({"range": "10.0.0.0/31"}, []),
        ({"range": "10.0.0.0/30"}, [2]),
        ({"range": "10.0.0.0/24"}, [254]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/25"]}, [127]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/25", "10.0.0.4/32"]}, [127]),
        ({"range": "10.0.0.0/24", "exclude": ["10.0.0.0/24"]}, [0]),
        ({"range": "10.0.0.0/24", "exclude": ["fd00::/64", "10.0.1.0/24"]}, [254]),
        ({"range": "10.0.0.5-10.0.0.7/24"}, [3]),
        ({"range": "10.0.0.0/24", "range_start": "10.0.0.250"}, [5]),
        ({"range": "10.0.0.0/24", "range_end": "10.0.0.5"}, [5]),
        ({"range": "10.0.0.0/24", "range_start": "10.0.0.1", "range_end": "10.0.0.254"}, [254]),
        ({"range": "10.0.0.0/24", "range_start": "10.1.0.1"}, [254]),
        ({"range": "10.0.0.0/24", "range_end": "10.1.0.1"}, [254]),
        ({"range": "10.0.0.0/24", "range_start": "10.0.0.9", "range_end": "10.0.0.8"}, [246]),
        ({"range": "::/120", "range_start": "0.0.0.9", "range_end": "0.0.0.8"}, [254]),
        ({"range": "10.0.0.0-10.0.0.255/24"}, [254]),
        ({"ipRanges": [{"range": "10.0.0.0/30"}, 7, {"range": "10.0.1.0/29"}]}, [2, 6]),
    ],
)
def test_addresses_of_a_range(ipam: dict[str, Any], usable: list[int]) -> None:
    assert [number for _, number in ranges(ipam)] == usable


@pytest.mark.parametrize(
    ("host_network", "text", "needs", "doubt"),
    [
        (True, None, [], True),
        (True, None, [("n",)], True),
        (True, None, [("n",), ()], False),
        (True, None, [()], False),
        (True, "n", [("n",)], False),
        (False, None, [("n",)], False),
    ],
)
def test_a_pod_on_the_host_network_that_has_no_multus(
    monkeypatch: pytest.MonkeyPatch, host_network: bool, text: Any, needs: list[Any], doubt: bool
) -> None:
    monkeypatch.setattr(rails, "_own_needs", lambda *_: [some(networks=each) for each in needs])
    monkeypatch.setattr(rails, "networks_text", lambda _: text)
    asking: Any = some(pod=some(spec={"hostNetwork": host_network}), unseen="")
    assert rails._without_multus(NOTHING, asking) is doubt
    assert rails._in_doubt(NOTHING, asking) is doubt
    asking.unseen = "a runtime"
    assert rails._in_doubt(NOTHING, asking)


@pytest.mark.parametrize(
    ("number", "same", "found"),
    [(2, (0, 1), ["net0"]), (64, (62, 63), ["net62"]), (65, (63, 64), []), (65, (0, 63), ["net0"])],
)
def test_the_first_sixty_four_interfaces_are_compared(
    monkeypatch: pytest.MonkeyPatch, number: int, same: tuple[int, int], found: list[str]
) -> None:
    attached = [some(interface=f"net{n}", network=some(number=n)) for n in range(number)]
    monkeypatch.setattr(subnets, "attachments_of", lambda *_: attached)
    monkeypatch.setattr(subnets, "_in_table_main", lambda *_: True)
    monkeypatch.setattr(subnets, "_subnets", lambda _, network: [network.number])
    monkeypatch.setattr(subnets, "shared_subnet", lambda one, other: {one, other} == {*same})
    assert [pair.first.interface for pair in subnets._in_one_subnet(NOTHING, NOTHING)] == found
