"""Rules about the QoS chain of one switch: what lands in a lossless class, and whether all maps agree."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.chains import (
    RETURNED,
    TABLES,
    Chain,
    chains_of,
    is_remapped,
    numbers,
    pfc_chains,
)
from netplan.reading.config_db.switch import DbSwitch, Spot, listed
from netplan.rules.config_db.agreement import is_lossy_queue, misdirected
from netplan.rules.config_db.registry import RowFinding, rule

MAX_LOSSLESS = 2
"""Each takes headroom on each port: by its SKU's table, an SN2700 with 32 ports of 100 Gb/s at 300 m
spends 7.9 of 16 MB on two."""
_DSCPS = range(64)


def _pfc_ports(switch: DbSwitch) -> int:
    return sum(len(chain.ports) for chain in pfc_chains(switch))


def _followed(switch: DbSwitch) -> int:
    return sum(len(chain.ports) for chain in pfc_chains(switch) if chain.complete)


def _spot(chain: Chain, field: str) -> Spot:
    return chain.switch.spot("PORT_QOS_MAP", chain.row, field)


def _map_spot(chain: Chain, field: str, mark: int | None = None) -> Spot:
    return chain.switch.spot(TABLES[field], chain.names[field], None if mark is None else str(mark))


@rule(
    "NP881", "PFC for a priority that carries no traffic", on=DbSwitch, counts=_followed,
    severity=Severity.WARNING,
)  # fmt: skip
def unreached(switch: DbSwitch) -> Iterator[RowFinding]:
    """PFC is enabled for a priority, but no DSCP is mapped to a traffic class that uses its queue. Not
    reported of the priorities 2 and 6 of dual ToR.

    **Why.** The RDMA traffic this was meant for is in another class, without PFC. SONiC's stock map puts
    DSCP 26 into class 1, and only DSCP 3 and 4 into the lossless classes.

    **Fix.** Map the DSCP of the RDMA traffic to the traffic class of the priority, or enable PFC for the
    priority it has.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2.
    """
    for chain in (one for one in pfc_chains(switch) if one.complete):
        for priority in _idle(chain):
            field = "dscp_to_tc_map" if "dscp_to_tc_map" in chain.names else "dot1p_to_tc_map"
            where = switch.where(_map_spot(chain, field))
            message = (
                f"PFC is on for priority {priority} of {chain}, but no {chain.marks} of "
                f"{chain.map_name(field)} at {where} reaches queue {chain.queue_of(priority)}"
            )
            hint = f"map the {chain.marks} of the RDMA traffic to it, or remove priority {priority}"
            yield RowFinding(_spot(chain, "pfc_enable"), message, hint)


def _idle(chain: Chain) -> Iterator[int]:
    """Priorities that no marking reaches; those of a class in their group are left to NP882."""
    qos = chain.qos
    reached = {one for queues in qos.queues.values() for one in qos.stopping(min(queues))}
    reached |= {one for groups in qos.groups.values() for one in qos.sent(min(groups))} | misdirected(chain)
    if is_remapped(chain.switch):
        reached |= RETURNED
    by_tunnel = _queues_of_tunnels(chain.switch)
    for priority in (one for one in chain.pfc if one not in reached):
        if chain.queue_of(priority) not in by_tunnel and not is_lossy_queue(chain, priority):  # NP857, NP883
            yield priority


def _queues_of_tunnels(switch: DbSwitch) -> frozenset[int]:
    """Queues of maps that no port binds: of dual ToR, those of packets from the tunnel (sonic-net/SONiC
    doc/qos/tunnel_dscp_remapping.md, encap_tc_to_queue_map)."""
    bound = {chain.names.get("tc_to_queue_map") for chain in chains_of(switch)}
    free = (key for key in switch.rows("TC_TO_QUEUE_MAP") if key not in bound and "TUNNEL" in key)
    return frozenset(
        queue for key in free for queue in (numbers(switch, "TC_TO_QUEUE_MAP", key) or {}).values()
    )


def _bound(switch: DbSwitch) -> int:
    return _pfc_ports(switch)


@rule("NP890", "lossless port without one of its maps", on=DbSwitch, counts=_bound)
def unbound(switch: DbSwitch) -> Iterator[RowFinding]:
    """A port has `pfc_enable` but binds no map from DSCP (or 802.1p) to traffic class, or none from traffic
    class to queue or to priority group. In a partial file, not of a row without any map: it is laid over that
    of the switch field by field.

    **Why.** SONiC has no trust setting: a port trusts what it has a map for. Without a map everything is
    in class 0, queue 0 or group 0, and PFC protects nothing.

    **Fix.** Bind `dscp_to_tc_map`, `tc_to_queue_map` and `tc_to_pg_map` on the port; the first may stand in
    the row `global`.

    **Source.** opencomputeproject/SAI 91e6b860 inc/saiport.h (no map: queue 0, group 0, class 0).
    """
    for chain in pfc_chains(switch):
        lacking = [name for name in ("tc_to_queue_map", "tc_to_pg_map") if name not in chain.names]
        if not {"dscp_to_tc_map", "dot1p_to_tc_map"} & chain.names.keys():
            lacking.insert(0, "dscp_to_tc_map")
        if lacking and (switch.whole or chain.names):
            enabled = ",".join(map(str, chain.pfc))
            message = f"PORT_QOS_MAP of {chain} has pfc_enable {enabled}, but no {' and no '.join(lacking)}"
            yield RowFinding(_spot(chain, "pfc_enable"), message, f"bind {' and '.join(lacking)}")


def _mapped(switch: DbSwitch) -> int:
    return sum(len(chain.ports) for chain in chains_of(switch) if "dscp_to_tc_map" in chain.maps)


@rule("NP891", "map that leaves values out", on=DbSwitch, counts=_mapped, severity=Severity.WARNING)
def incomplete(switch: DbSwitch) -> Iterator[RowFinding]:
    """A DSCP map in use lacks some of the 64 values, or one of its traffic classes has no queue, or, if PFC
    pauses its queue or group 0 sends PFC, no group; or a priority with PFC is missing from a map of PFC
    priorities.

    **Why.** Values not listed go to class 0 (or queue 0, group 0) on one ASIC and are undefined on
    another, so two switches treat the same packet differently.

    **Fix.** List all 64 values, every traffic class they map to, and every priority with PFC. Classes that
    stay in group 0 need no entry in TC_TO_PRIORITY_GROUP_MAP.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 lists all 64.
    """
    told: set[tuple[str, str]] = set()
    for chain in chains_of(switch):
        if "dscp_to_tc_map" not in chain.maps:
            continue
        absent = [str(dscp) for dscp in _DSCPS if dscp not in chain.maps["dscp_to_tc_map"]]
        name = chain.map_name("dscp_to_tc_map")
        if absent and (name, "") not in told:
            told.add((name, ""))
            message = f"{name}, bound on {chain}, has no entry for {len(absent)} DSCP: {listed(absent, 8)}"
            yield RowFinding(_map_spot(chain, "dscp_to_tc_map"), message, "list all values from 0 to 63")
        yield from _unlisted_classes(chain, told)
        yield from _unlisted(chain, told)


def _unlisted_classes(chain: Chain, told: set[tuple[str, str]]) -> Iterator[RowFinding]:
    name, unknown = chain.map_name("dscp_to_tc_map"), _unknown(chain)
    if unknown and (name, "classes") not in told:
        told.add((name, "classes"))
        yield _to_unknown(chain, unknown)
    for field in ("tc_to_queue_map", "tc_to_pg_map"):
        lacking = sorted(set(chain.classes.values()) - chain.maps.get(field, {}).keys() - set(unknown))
        if field == "tc_to_pg_map":
            lacking = [tc for tc in lacking if _needs_group(chain, tc)]
        if field in chain.maps and lacking and (name, chain.map_name(field)) not in told:
            told.add((name, chain.map_name(field)))
            classes = ", ".join(map(str, lacking))
            message = (
                f"{chain.map_name(field)} has no entry for traffic class {classes}, to which {name} maps"
            )
            yield RowFinding(_map_spot(chain, field), message, "list every traffic class in use")


def _unknown(chain: Chain) -> list[int]:
    """Traffic classes that the map of DSCP has and neither of the maps of classes."""
    maps = [chain.maps.get(field) for field in ("tc_to_queue_map", "tc_to_pg_map")]
    known = [tc for one in maps if one for tc in one]
    return sorted(set(chain.classes.values()) - set(known)) if all(maps) else []


def _to_unknown(chain: Chain, classes: list[int]) -> RowFinding:
    marks = [mark for tc in classes for mark in chain.marks_of(tc)]
    shown = listed([str(mark) for mark in marks])
    message = (
        f"{chain.map_name('dscp_to_tc_map')} maps DSCP {shown} to traffic class "
        f"{', '.join(map(str, classes))}, of which {chain.map_name('tc_to_queue_map')} and "
        f"{chain.map_name('tc_to_pg_map')} know nothing"
    )
    return RowFinding(_map_spot(chain, "dscp_to_tc_map", marks[0]), message, "map it to a class with a queue")


def _needs_group(chain: Chain, tc: int) -> bool:
    """Whether group 0, where a class that is not listed stays, would be wrong: PFC pauses its queue, or group
    0 sends PFC (opencomputeproject/SAI inc/saiport.h, SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP)."""
    queue = chain.maps.get("tc_to_queue_map", {}).get(tc, tc)
    return bool(chain.qos.stopping(queue) or chain.qos.sent(0))


def _unlisted(chain: Chain, told: set[tuple[str, str]]) -> Iterator[RowFinding]:
    for field in ("pfc_to_queue_map", "pfc_to_pg_map"):
        known = chain.maps.get(field, {})
        lacking = [str(one) for one in chain.pfc if one not in known and not is_lossy_queue(chain, one)]
        if field in chain.maps and lacking and (chain.map_name(field), "pfc") not in told:
            told.add((chain.map_name(field), "pfc"))
            what = f"priority {', '.join(lacking)}, which is lossless on {chain}"
            message = f"{chain.map_name(field)} has no entry for {what}"
            yield RowFinding(_map_spot(chain, field), message, "list every priority with PFC")


@rule("NP892", "more than two lossless priorities", on=DbSwitch, counts=_pfc_ports, severity=Severity.INFO)
def many_lossless(switch: DbSwitch) -> Iterator[RowFinding]:
    """PFC is enabled for three or more priorities of a port. Not reported for dual ToR, where 3 and 4 are
    remapped to priorities 2 and 6 in the tunnel between the two switches.

    **Why.** Each takes headroom on every port, so the shared buffer shrinks until every burst triggers
    XOFF. RDMA needs one, storage perhaps a second.

    **Fix.** Remove the priorities that carry no RDMA.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (LOSSLESS_TC has two,
    and 2,3,4,6 where tunnel_qos_remap_enable); pg_profile_lookup.ini of the SKUs.
    """
    if is_remapped(switch):
        return
    for chain in pfc_chains(switch):
        if len(chain.pfc) > MAX_LOSSLESS:
            enabled = ",".join(map(str, chain.pfc))
            count = len(chain.pfc)
            message = f"pfc_enable of {chain} is {enabled}: {count} lossless priorities, each with headroom"
            yield RowFinding(_spot(chain, "pfc_enable"), message, "keep one or two")
