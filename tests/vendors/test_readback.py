"""``reading.switches`` agrees with the plan and with the hand-written readers, for every switch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest

from netplan.model.nos import NosProfile
from netplan.model.readback import ReadSwitch
from netplan.model.switch_qos import ecn_divisor
from netplan.model.switching import SwitchPlan
from netplan.nos import available
from netplan.reading.switches import read_switch
from tests.inventories import SHIPPED, compiled
from tests.nos_site import ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, nos_site
from tests.switch_site import Site, profiles, site
from tests.vendors.grammar import facts
from tests.vendors.readers import EVERY, READERS
from tests.vendors.sites import PORTS, VARIANTS, unsupported, variant_site
from tests.vendors.test_agreement import SWITCHES, UNCONFIRMED, mixed

ONE_FOR_ALL = {nos for nos in PORTS if facts(nos).pfc == "switch"}
"""NOSes where PFC is a setting of the whole switch."""

_DUAL: dict[str, Any] = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}
IPV6: Mapping[str, dict[str, Any]] = {"ipv6": _DUAL, "uplinks": _DUAL | {"underlay__uplinks": "fd01::/112"}}
SONIC: Mapping[str, dict[str, Any]] = {
    "base": {},
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "pcp": {"fabric__qos__trust": "pcp"},
    "two lossless": TWO_LOSSLESS,
    "no QoS": {"fabric__qos": None},
    "frrcfgd": {**ROUTED_HOSTS, "switch_types__leaf__frr_mode": "frrcfgd"},
    "split": {**ROUTED_HOSTS, "switch_types__leaf__frr_mode": "split"},
}


@dataclass(frozen=True)
class Case:
    plan: SwitchPlan
    files: Mapping[str, str]

    @property
    def nos(self) -> NosProfile:
        return profiles()[self.plan.nos]

    def read(self) -> ReadSwitch:
        kind = self.plan.type
        return read_switch(
            self.plan.name, self.plan.nos, self.files, asic=kind.model.asic, queue_bytes=kind.queue_bytes
        )


@cache
def shipped() -> dict[str, Case]:
    cases: dict[str, Case] = {}
    for inventory in SHIPPED:
        result = compiled(inventory)
        files: dict[str, dict[str, str]] = {}
        for artifact in result.artifacts:
            top, _, rest = artifact.path.partition("/")
            if top == "switches":
                switch, _, file = rest.partition("/")
                files.setdefault(switch, {})[file] = artifact.text
        for plan in result.plan.switches if result.plan else ():
            cases[f"{inventory}/{plan.name}"] = Case(plan, files[plan.name])
    return cases


@cache
def made() -> dict[str, Case]:
    """The mixed fabric, and every variant of the base site on every NOS."""
    cases = {f"mixed/{plan.name}": Case(plan, mixed().files(plan.name)) for plan in mixed().switches}
    for nos in PORTS:
        for variant in VARIANTS:
            if not unsupported(nos, variant):
                cases |= of_site(f"{nos}/{variant}", variant_site(nos, variant))
    for nos, (port, asic) in PORTS.items():
        for label, change in IPV6.items():
            if not profiles()[nos].supports["ipv6"]:
                cases |= of_site(f"{nos}/{label}", nos_site(nos, port, asic, **change))
    for label, change in {**IPV6, **SONIC}.items():
        cases |= of_site(f"sonic/{label}", site(**change))
    cases |= of_site("percent", nos_site("juniper-junos", *PORTS["juniper-junos"], **QUEUE))
    cases |= of_site("model", nos_site("huawei-vrp", PORTS["huawei-vrp"][0], "cloudengine"))
    return cases | of_site("cells", nos_site("h3c-comware", PORTS["h3c-comware"][0], "trident4"))


def of_site(label: str, site: Site) -> dict[str, Case]:
    return {f"{label}/{name}": Case(site.switch(name), site.files(name)) for name in ("leaf-1", "spine-1")}


QUEUE: Mapping[str, Any] = {"switch_types__leaf__queue_bytes": 2_000_000}


@cache
def percent() -> Mapping[str, str]:
    """Files of Junos with a switch type that states the queue size."""
    return nos_site("juniper-junos", *PORTS["juniper-junos"], **QUEUE).files("leaf-1")


def every() -> dict[str, Case]:
    return shipped() | made()


def ports_unlike(case: Case, read: ReadSwitch) -> Iterator[str]:
    plan = case.plan
    if set(read.ports) != {port.name for port in plan.ports}:
        yield f"ports {sorted(read.ports)}"
        return
    for port in plan.ports:
        told = read.ports[port.name]
        if told.tagged != set(port.tagged) or told.untagged != next(iter(port.untagged), None):
            yield f"{port.name}: {told.tagged}, {told.untagged} for {port.tagged}, {port.untagged}"
        if told.addresses != port.addresses:
            yield f"{port.name}: {told.addresses} for {port.addresses}"
        if told.ip_mtu != port.ip_mtu:
            yield f"{port.name}: MTU {told.ip_mtu} for {port.ip_mtu}"
        if port.pfc or plan.nos not in ONE_FOR_ALL:
            wanted = frozenset(port.pfc) if plan.qos.enabled and port.pfc else None
            if told.pfc != wanted:
                yield f"{port.name}: PFC {told.pfc} for {wanted}"


def routing_unlike(case: Case, read: ReadSwitch) -> Iterator[str]:
    plan = case.plan
    if read.vlans != {vlan.id for vlan in plan.vlans}:
        yield f"VLANs {read.vlans}"
    if {v: i.addresses for v, i in read.vlan_interfaces.items()} != {
        vlan.id: vlan.addresses for vlan in plan.vlans if vlan.addresses
    }:
        yield f"VLAN interfaces {read.vlan_interfaces}"
    mtu = plan.type.port_mtu - case.nos.units.mtu_overhead
    if {i.ip_mtu for i in read.vlan_interfaces.values()} - {mtu, None}:
        yield f"MTU of VLAN interfaces: {read.vlan_interfaces}"
    if read.loopbacks != plan.loopbacks:
        yield f"loopbacks {read.loopbacks}"
    if plan.neighbours:
        if read.asn != plan.asn:
            yield f"AS {read.asn} for {plan.asn}"
        if read.networks != set(plan.networks):
            yield f"networks {read.networks} for {plan.networks}"
    sessions = sorted((n.address, n.remote_as) for n in read.neighbours)
    if sessions != sorted((n.address, n.remote_as) for n in plan.neighbours):
        yield f"neighbours {sessions}"


def qos_unlike(case: Case, read: ReadSwitch) -> Iterator[str]:
    plan, qos = case.plan, case.plan.qos
    if not qos.enabled or not plan.rdma_ports:
        if (read.trust, read.queues, read.ecn, read.strict) != (None, {}, {}, frozenset()):
            yield f"QoS where there is none: {read}"
        return
    trust = {read.trust} | {read.ports[port.name].trust for port in plan.rdma_ports}
    if trust != {"dscp" if qos.dscp_trust else "pcp"}:
        yield f"trust {trust}"
    known = set(range(64)) if case.nos.dscp_map == "any" else {dscp for _, dscp, _ in qos.class_dscps}
    if {d: q for d, q in read.queues.items() if d in known and qos.dscp_trust} != (
        {d: q for d, q in enumerate(qos.dscp_to_tc) if d in known} if qos.dscp_trust else {}
    ):
        yield f"queues {read.queues}"
    asic = case.nos.asics.get(plan.type.model.asic)
    size = ecn_divisor(case.nos.units.ecn, asic, plan.type.queue_bytes)
    wanted = {q.number: tuple(round(n * size) for e in q.ecn for n in (e.kmin, e.kmax)) for q in qos.marking}
    for name, ecn in [("all", read.ecn)] + [(p.name, read.ports[p.name].ecn) for p in plan.rdma_ports]:
        if ecn != (wanted if qos.ecn_known else {}):
            yield f"ECN of {name}: {ecn} for {wanted}"
    if read.marking != (set(wanted) if qos.ecn_known else set()):
        yield f"marking {read.marking}"
    if read.strict & {q.number for q in qos.queues} != {q.number for q in qos.queues if q.strict}:
        yield f"strict {read.strict}"


def unlike(case: Case, read: ReadSwitch) -> list[str]:
    found = [*ports_unlike(case, read), *routing_unlike(case, read), *qos_unlike(case, read)]
    plan = case.plan
    ages = {plan.arp.seconds} if plan.arp.enabled else {None}
    if read.arp_seconds not in (ages if plan.arp.kernel else ages | {None}):
        found.append(f"age {read.arp_seconds} for {plan.arp.seconds}")
    if not read.comments <= {missing.feature for missing in plan.unconfirmed}:
        found.append(f"comments {read.comments} for {plan.unconfirmed}")
    return [*found, *read.problems]


def test_every_nos_is_among_the_switches() -> None:
    assert len(every()) > 150
    assert {case.plan.nos for case in every().values()} == set(available())


def test_every_switch_reads_back_as_planned() -> None:
    found = {name: unlike(case, case.read()) for name, case in every().items()}
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_every_switch_reads_back_as_by_hand() -> None:
    """Both readers agree on every value that both read."""
    compared: dict[str, int] = dict.fromkeys(READERS, 0)
    for name, case in every().items():
        outputs = {output.file for output in case.nos.outputs if output.needs in ("qos", "arp")}
        if (
            case.plan.nos not in READERS
            or not outputs <= case.files.keys() | {"host-links.conf"}
            or not case.plan.qos.dscp_trust
        ):
            continue  # the hand-written readers need all files, and support only DSCP
        told, read = READERS[case.plan.nos](case.files), case.read()
        compared[case.plan.nos] += 1
        assert told.dscp == {d: q for d, q in read.queues.items() if told.dscp}, name
        assert told.arp == {read.arp_seconds} - {None} or case.plan.nos == "sonic", name
        assert told.mtu == {p.name: p.ip_mtu for p in read.ports.values() if p.ip_mtu is not None}, name
        marks = {(p.name, q): limits for p in read.ports.values() for q, limits in p.ecn.items()}
        switch = {(EVERY, q): limits for q, limits in read.ecn.items()}
        assert told.ecn == (switch if any(port == EVERY for port, _ in told.ecn) else marks), name
        pfc = {p.name: set(p.pfc) for p in read.ports.values() if p.pfc}
        assert pfc == (dict.fromkeys(read.ports, told.pfc[EVERY]) if told.pfc.get(EVERY) else told.pfc), name
        if case.plan.nos != "sonic":  # its hand-written reader does not read VLANs
            carrying = {p.name: (p.tagged, p.untagged) for p in read.ports.values() if p.tagged or p.untagged}
            assert told.vlans == carrying, name
    assert min(compared.values()) >= 2, compared


@pytest.mark.parametrize("nos", sorted(SWITCHES))
def test_what_is_only_a_comment_is_named(nos: str) -> None:
    plan, read = mixed().switch(SWITCHES[nos]), made()[f"mixed/{SWITCHES[nos]}"].read()
    assert read.comments >= {feature for (name, _), (_, feature) in UNCONFIRMED.items() if name == nos}
    assert read.comments <= {missing.feature for missing in plan.unconfirmed}


def test_titles_tell_the_noses_apart() -> None:
    titles = [profile.title for profile in profiles().values()]
    assert not [a for a in titles for b in titles if a != b and f"x: {a}".endswith(f": {b}")]


def test_a_message_can_name_the_file() -> None:
    for case in every().values():
        files = case.read().files
        assert {"ports", "vlans", "qos", "bgp"} <= files.keys()
        assert set(files.values()) <= {output.file for output in case.nos.outputs}


def test_marking_is_told_where_its_unit_is_not() -> None:
    files = dict(percent())
    read = read_switch("leaf-1", "juniper-junos", files, queue_bytes=2_000_000)
    assert (read.marking, read.ecn, read.problems) == (frozenset({3}), {3: (100000, 1500000)}, ())
    read = read_switch("leaf-1", "juniper-junos", files)
    assert (read.marking, read.ecn, read.problems) == (frozenset({3}), {}, ())
