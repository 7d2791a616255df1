"""The HCA's end of a cable: whether its port takes a packet, and whether the packet is lossless there."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.qos import Doubt, PriorityAnswer, Proof
from netplan.model.nic_text import NicEts
from netplan.trace.link import Packet, Point, fits, point_of
from netplan.trace.model import Fault, Nic, ReadNicQos

_ETHERNET_MTU = 1500
"""Default MTU of an Ethernet device (torvalds/linux include/uapi/linux/if_ether.h, ETH_DATA_LEN)."""


def port_fits(where: str, nic: Nic, packet: Packet) -> tuple[tuple[Fault, ...], tuple[str, ...]]:
    """Whether the port behind a pod's interface takes the largest packet of the pod."""
    port = nic.port_mtu
    if port is not None:
        return fits(where, port.value, packet, port.at)
    if nic.hca is None or nic.beyond or packet.size is None or packet.size <= _ETHERNET_MTU:
        return (), ()
    return fits(where, None, packet, nic.file)


def nic_point(where: str, nic: Nic, packet: Packet, cable_m: int = 0) -> Point | None:
    """The HCA's end of the cable."""
    if packet.dscp is None or nic.hca is None:
        return None
    return point_of(where, _nic_answer(where, nic.qos, packet.dscp, cable_m), _nic_cnp(where, nic.qos))


def _nic_answer(where: str, qos: ReadNicQos | None, dscp: int, cable_m: int) -> PriorityAnswer:
    if qos is None:
        return PriorityAnswer(None, (Doubt(Proof.REFUTED, f"no file sets QoS on {where}", "pfc"),))
    if not qos.judged:
        text = f"QoS of {where} is not judged: trace cannot read {qos.file}"
        return PriorityAnswer(None, (Doubt(Proof.OPEN, text, "pfc"),))
    if qos.trust == qos.wanted == "pcp":
        text = f"{where} trusts pcp ({qos.at('trust')}): the priority of the VLAN tag is not followed"
        return PriorityAnswer(None, (Doubt(Proof.OPEN, text, "trust"),))
    if qos.trust != "dscp":
        said = f"trusts {qos.trust}" if qos.trust else "states no trust"
        return PriorityAnswer(
            None, (Doubt(Proof.REFUTED, f"{where} {said}, not dscp ({qos.at('trust')})", "trust"),)
        )
    priority = qos.priorities.get(dscp, 0)
    if priority not in qos.pfc:
        text = f"DSCP {dscp} gets priority {priority} on {where}, which has PFC off ({qos.at('pfc')})"
        return PriorityAnswer(priority, (Doubt(Proof.REFUTED, text, "pfc"),))
    return PriorityAnswer(priority, tuple(_nic_doubts(where, qos, dscp, priority, cable_m)))


def _nic_doubts(where: str, qos: ReadNicQos, dscp: int, priority: int, cable_m: int) -> Iterator[Doubt]:
    forced, length = qos.port.traffic_class, qos.port.cable_m
    if forced is not None and forced >> 2 != dscp:
        text = f"{where} sends traffic class {forced}, DSCP {forced >> 2}, whatever a pod asks for"
        yield Doubt(Proof.REFUTED, f"{text}: its traffic is to have DSCP {dscp} ({qos.at('port')})", "dscp")
    yield from _nic_ecn(where, qos, dscp)
    yield from (Doubt(Proof.OPEN, text, "pfc") for text in qos.odd)
    if qos.ets is not None:
        yield from _nic_ets(where, qos, qos.ets, priority)
    if length is not None and length < cable_m:
        text = f"the headroom of {where} is for {length} m, its cable is {cable_m} m long ({qos.at('port')})"
        yield Doubt(Proof.REFUTED, text, "headroom")
    if qos.marks is not None and priority not in qos.marks:
        text = f"ECN of priority {priority} of {where} is not stated; roce_np and roce_rp enable"
        yield Doubt(Proof.OPEN, f"{text} would prove it ({qos.file})", "ecn")


def _nic_ecn(where: str, qos: ReadNicQos, dscp: int) -> Iterator[Doubt]:
    """The ECN bits of the traffic class that the NIC sends, whatever the pod asks for (RFC 3168 section
    5)."""
    forced = qos.port.traffic_class
    if forced is None or forced >> 2 != dscp:
        return
    said = f"{where} sends traffic class {forced}"
    if forced & 3 == 3:
        text = f"{said}: every packet is marked as having experienced congestion ({qos.at('port')})"
        yield Doubt(Proof.REFUTED, text, "ecn")
    elif not forced & 3:
        text = f"{said}, without an ECT bit: switches may drop what they should mark ({qos.at('port')})"
        yield Doubt(Proof.OPEN, text, "ecn")


def _nic_ets(where: str, qos: ReadNicQos, ets: NicEts, priority: int) -> Iterator[Doubt]:
    """The lossless priority needs its own traffic class, and the shares must add up for the driver
    (torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c, mlx5e_dbcnl_validate_ets)."""
    own = ets.classes[priority]
    others = [str(p) for p, each in enumerate(ets.classes) if each == own and p != priority]
    if others:
        text = f"priority {priority} of {where} shares traffic class {own} with priority {', '.join(others)}"
        yield Doubt(Proof.OPEN, f"{text} ({qos.at('ets')})", "pfc")
    total = sum(share for each, share in enumerate(ets.shares) if each not in ets.strict)
    if total != 100:
        yield Doubt(
            Proof.OPEN,
            f"the shares of {where} are {total} % in all, the driver takes 100 ({qos.at('ets')})",
            "pfc",
        )
    elif own not in ets.strict and not ets.shares[own]:
        yield Doubt(Proof.OPEN, f"traffic class {own} of {where} has no share ({qos.at('ets')})", "pfc")


def _nic_cnp(where: str, qos: ReadNicQos | None) -> tuple[Doubt, ...]:
    """The DSCP and priority of its congestion notifications."""
    if qos is None or not qos.judged:
        return ()
    places = {dscp: qos.at("cnp") if file == qos.file else file for dscp, file in sorted(qos.cnps.items())}
    said = " and ".join(f"{dscp} ({at})" for dscp, at in places.items())
    if len(qos.cnps) > 1:
        return (Doubt(Proof.OPEN, f"the CNPs of {where} have DSCP {said}", "cnp"),)
    for dscp in qos.cnps:
        priority = qos.priorities.get(dscp, 0)
        if priority in qos.pfc:
            text = f"CNPs, DSCP {said}, get priority {priority} on {where}, which PFC stops"
            return (Doubt(Proof.REFUTED, text, "cnp"),)
        if qos.cnp_priority not in (None, priority):
            text = (
                f"CNPs, DSCP {said}, have priority {qos.cnp_priority} in their VLAN tag, {priority} by DSCP"
            )
            return (Doubt(Proof.OPEN, f"{text} on {where}", "cnp"),)
    return ()
