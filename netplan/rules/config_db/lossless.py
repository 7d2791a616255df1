"""Rules about rows for ranges of queues and priority groups, and about buffers of lossless queues."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netplan.graph.config_db.chains import chain_by_port, pfc_chains, row_of
from netplan.graph.config_db.hardware import pool_of
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, plain_name, ports_of, span
from netplan.rules.config_db.agreement import misdirected
from netplan.rules.config_db.groups import unprotected
from netplan.rules.config_db.queue_buffers import (
    by_name,
    lossy_queues,
    overlaps,
    owners,
    profile_of,
    tells_of_queues,
)
from netplan.rules.config_db.registry import RowFinding, rule

RANGED = ("BUFFER_QUEUE", "BUFFER_PG", "QUEUE")
"""Tables whose keys end in a number or a range."""


def _ranged(switch: DbSwitch) -> int:
    return sum(len(switch.rows(table)) for table in (*RANGED, "VXLAN_TUNNEL_MAP"))


@rule("NP858", "two rows for one queue, priority group or VNI", on=DbSwitch, counts=_ranged)
def overlapping(switch: DbSwitch) -> Iterator[RowFinding]:
    """Two keys of BUFFER_QUEUE, BUFFER_PG or QUEUE name the same queue or priority group of a port,
    usually one of them as part of a range: `Ethernet0|3-4` beside `Ethernet0|4`; or two rows of
    VXLAN_TUNNEL_MAP map one VNI, or one VLAN.

    **Why.** orchagent applies whichever row comes last, which may change at the next reload; removing the
    range takes the profile off every number in it, even one that the other row had set. Of two maps,
    vxlanmgrd creates the first and refuses the other.

    **Fix.** Remove the range and write one row for each part of it; give each VLAN a VNI of its own.

    **Source.** sonic-net/sonic-swss e6b0c5b orchagent/bufferorch.cpp (processQueue, processPriorityGroup),
    cfgmgr/vxlanmgr.cpp (doVxlanTunnelMapCreateTask: VNI already mapped).
    """
    yield from _mapped_twice(switch)
    for table in RANGED:
        within: dict[str, list[str]] = {}
        for first, second in dict.fromkeys(overlaps(switch, table).values()):
            wide, narrow = sorted((first, second), key=_width, reverse=True)
            within.setdefault(wide, []).append(narrow)
        alike: dict[tuple[str, ...], list[str]] = {}
        for wide, narrow_ones in within.items():
            numbers = (key.rpartition("|")[2] for key in (wide, *narrow_ones))
            alike.setdefault(tuple(numbers), []).append(wide)
        for (numbers_of, *others), rows in alike.items():
            wide = rows[0]
            where = switch.where(switch.spot(table, within[wide][0]))
            named = listed([owner for row in rows for owner in owners(row)])
            message = f"{table} row {numbers_of} of {named} overlaps with {', '.join(others)} at {where}"
            yield RowFinding(switch.spot(table, wide), message, "keep one row for each number")


def _mapped_twice(switch: DbSwitch) -> Iterator[RowFinding]:
    table = "VXLAN_TUNNEL_MAP"
    first: dict[tuple[str, str], str] = {}
    for key in switch.keys(table):
        vni, vlan = (switch.text(table, key, name) for name in ("vni", "vlan"))
        for name, value, other in (("vni", vni, vlan), ("vlan", vlan, vni)):
            before = first.setdefault((name, value), key) if value else key
            if before != key:
                where = switch.where(switch.spot(table, before, name))
                message = f"{table} {key} maps {name} {value} to {other}, and {before} maps it at {where}"
                hint = "give each VLAN a VNI of its own"
                yield RowFinding(switch.spot(table, key, name), message, hint)
                break


def _width(key: str) -> int:
    return len(span(key.rpartition("|")[2]))


def _queued(switch: DbSwitch) -> int:
    """Pairs of port and PFC priority; 0 if the file does not tell which queues are lossy."""
    if not tells_of_queues(switch):
        return 0
    return sum(len(chain.ports) * len(chain.pfc) for chain in pfc_chains(switch))


Reason = tuple[str, tuple[int, ...]]
"""Why queues may drop, and which."""


@rule("NP857", "PFC priority whose queue may drop", on=DbSwitch, counts=_queued)
def lossy_queue(switch: DbSwitch) -> Iterator[RowFinding]:
    """The queue that a PFC priority pauses has a lossy buffer profile or pool in BUFFER_QUEUE, or no row
    there; or a complete file with pools, profiles and priority groups has no BUFFER_QUEUE at all. A profile
    counts as lossy by its name, as the templates of SKUs name them, unless its pool is named as lossless, and
    by the name of its pool where another egress pool is lossless; sizes and thresholds do not show it. NP883
    says so of a priority whose group has no lossless buffer either.

    **Why.** The queue drops at its lossy threshold, long before the ingress priority group sends XOFF.
    SONiC makes queues 3 and 4 lossless and 0 to 2, 5 and 6 lossy; enabling PFC for another
    priority changes none of that.

    **Fix.** Give the queue the SKU's lossless profile, often `egress_lossless_profile`, in a row of its
    own, and split the range it was part of. netplan writes this as `buffers.patch.json`.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/buffers_config.j2 and
    device/*/buffers_defaults_*.j2.
    """
    told = unprotected(switch) | _misdirected(switch)  # NP883, NP882
    lacking: dict[tuple[str, str], dict[str, list[int]]] = {}
    for (port, queue), reason in lossy_queues(switch).items():
        if (port, queue) not in told:
            kind = "" if _is_stray(switch, port, queue) else reason
            lacking.setdefault((port, kind), {}).setdefault(reason, []).append(queue)
    same: dict[tuple[str, tuple[Reason, ...]], list[str]] = {}
    for (port, kind), reasons in lacking.items():
        said = tuple((reason, tuple(queues)) for reason, queues in reasons.items())
        same.setdefault((kind, said), []).append(port)
    for (kind, said), ports in same.items():
        yield _drops(switch, ports, said, stray=not kind)


def _drops(switch: DbSwitch, ports: list[str], said: Sequence[Reason], *, stray: bool) -> RowFinding:
    (reason, numbers), *others = said
    message = f"PFC pauses {_queues(numbers)} of {listed(ports)}, but {reason}"
    message += "".join(f"; {_queues(more)}, but {why}" for why, more in others)
    if stray:
        at = switch.spot("PORT_QOS_MAP", ports[0], "pfc_enable")
        return RowFinding(
            at, message, "remove the priority from pfc_enable, or make its queue, class and group lossless"
        )
    hint = "add a row of its own with the SKU's lossless profile, in a lossless pool"
    return RowFinding(_spot(switch, ports[0], numbers[0]), message, hint)


def _queues(numbers: Sequence[int]) -> str:
    return f"queue{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"


def _misdirected(switch: DbSwitch) -> set[tuple[str, int]]:
    return {
        (port, chain.queue_of(priority))
        for chain in pfc_chains(switch)
        for priority in misdirected(chain)
        for port in chain.ports
    }


def _is_stray(switch: DbSwitch, port: str, queue: int) -> bool:
    """Whether `pfc_enable` is what differs: no class of the port has both the queue and the priority group of
    the priority."""
    chain = chain_by_port(switch)[port]
    if not chain.complete:
        return False
    queues, groups = chain.maps["tc_to_queue_map"], chain.maps["tc_to_pg_map"]
    own = {chain.group_of(priority) for priority in chain.pfc if chain.queue_of(priority) == queue}
    return not any(of == queue and groups.get(tc) in own for tc, of in queues.items())


def _spot(switch: DbSwitch, port: str, queue: int) -> Spot:
    """What to change: the profile's pool if only that is wrong, else the row, else the PFC setting that
    needs it."""
    row = row_of(switch, "BUFFER_QUEUE", port, queue)
    if row is None:
        return switch.spot("PORT_QOS_MAP", port, "pfc_enable")
    profile = profile_of(switch, row)
    if not by_name(profile) and switch.row("BUFFER_PROFILE", profile):
        return switch.spot("BUFFER_PROFILE", profile, "pool")
    return switch.spot("BUFFER_QUEUE", row, "profile")


def _sharing(switch: DbSwitch) -> int:
    return sum(bool(switch.number("BUFFER_PROFILE", one, "xoff")) for one in _using(switch))


def _using(switch: DbSwitch) -> dict[str, list[str]]:
    """Buffer profiles of lossless groups -> their ports; in a file without any row of BUFFER_PG all
    profiles."""
    found: dict[str, list[str]] = {}
    if not switch.rows("BUFFER_PG"):
        found = {key: [] for key in switch.keys("BUFFER_PROFILE")}
    for key in switch.keys("BUFFER_PG"):
        profile = plain_name(switch.text("BUFFER_PG", key, "profile") or "")
        found.setdefault(profile, []).extend(ports_of(key))
    return found


def shared_bytes(switch: DbSwitch, profile: str | None) -> int:
    """Bytes of the headroom pool that a profile uses, 0 if there is none."""
    pool = pool_of(switch, profile)
    return switch.number("BUFFER_POOL", pool, "xoff") or 0


@rule("NP859", "headroom above the shared headroom pool", on=DbSwitch, counts=_sharing)
def pool_below_group(switch: DbSwitch) -> Iterator[RowFinding]:
    """The `xoff` of a priority group's profile is more than the `xoff` of its pool, which all groups share;
    or, in a file without BUFFER_PG, that of any profile.

    **Why.** A single congested port then overflows the shared headroom and drops.

    **Fix.** Raise `xoff` of the pool, or use the profile of a shorter cable.

    **Source.** sonic-net/SONiC 98de38fd doc/qos/dynamically-headroom-calculation.md (shared headroom pool);
    sonic-net/sonic-swss e6b0c5b orchagent/bufferorch.cpp (`xoff` of a pool is
    SAI_BUFFER_POOL_ATTR_XOFF_SIZE).
    """
    for profile, ports in _using(switch).items():
        shared, xoff = shared_bytes(switch, profile), switch.number("BUFFER_PROFILE", profile, "xoff")
        if not shared or not xoff or xoff <= shared:
            continue
        pool = pool_of(switch, profile)
        where = switch.where(switch.spot("BUFFER_POOL", pool, "xoff"))
        of = f" of {listed(list(dict.fromkeys(ports)))}" if ports else ""
        message = (
            f"xoff of BUFFER_PROFILE {profile}{of} is {xoff:,}, more than the {shared:,} that pool {pool} "
            f"shares among all groups (at {where})"
        )
        yield RowFinding(switch.spot("BUFFER_PROFILE", profile, "xoff"), message, "raise xoff of the pool")
