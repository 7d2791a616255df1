"""Rules about rows for ranges of queues and priority groups, and about buffers of lossless queues."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.config_db.chains import MAX_INDEX, pfc_chains, queues_known, row_of
from netplan.reading.config_db.switch import DbSwitch, Spot, listed, plain_name, ports_of, span
from netplan.rules.config_db.buffers import groups_of
from netplan.rules.config_db.registry import RowFinding, rule

RANGED = ("BUFFER_QUEUE", "BUFFER_PG", "QUEUE")
"""Tables whose keys end in a number or a range."""
Overlaps = dict[tuple[str, int], tuple[str, str]]
"""(what the key names before its last part, number) -> the two rows that cover it."""


def _owners(key: str) -> tuple[str, ...]:
    """The ports of a key; HOST|ASIC|PORT of a chassis counts as one."""
    above = key.rpartition("|")[0]
    return (above,) if "|" in above else ports_of(key)


def overlaps(switch: DbSwitch, table: str) -> Overlaps:
    """Numbers that two rows of a table cover for the same port."""
    memo = f"overlaps {table}"
    if memo not in switch.memo:
        seen: dict[tuple[str, int], str] = {}
        twice: Overlaps = {}
        for key in switch.keys(table):
            numbers = span(key.rpartition("|")[2])
            for owner in _owners(key) if len(seen) < MAX_INDEX else ():
                for number in numbers:
                    first = seen.setdefault((owner, number), key)
                    if first != key and _share_fields(switch, table, first, key):
                        twice.setdefault((owner, number), (first, key))
        switch.memo[memo] = twice
    found: Overlaps = switch.memo[memo]
    return found


def _share_fields(switch: DbSwitch, table: str, one: str, other: str) -> bool:
    """qosorch applies each field of a QUEUE row by itself: the scheduler of one row and the WRED profile of
    another do not meet (sonic-net/sonic-swss e6b0c5b orchagent/qosorch.cpp, handleQueueTable)."""
    rows = switch.rows(table)
    return table != "QUEUE" or bool(rows[one].fields.keys() & rows[other].fields.keys())


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
            owners = listed([owner for row in rows for owner in _owners(row)])
            message = f"{table} row {numbers_of} of {owners} overlaps with {', '.join(others)} at {where}"
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
    """Pairs of port and PFC priority; 0 if neither BUFFER_QUEUE nor a complete file with buffers tells."""
    stated = switch.rows("BUFFER_QUEUE") or (switch.whole and _has_buffers(switch))
    if not stated or not queues_known(switch, "BUFFER_QUEUE"):
        return 0
    return sum(len(chain.ports) * len(chain.pfc) for chain in pfc_chains(switch))


def _has_buffers(switch: DbSwitch) -> bool:
    """Whether the file has what `config qos reload` makes together with BUFFER_QUEUE (buffers_config.j2)."""
    return all(switch.rows(table) for table in ("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG"))


@rule("NP857", "PFC priority whose queue may drop", on=DbSwitch, counts=_queued)
def lossy_queue(switch: DbSwitch) -> Iterator[RowFinding]:
    """The queue that a PFC priority pauses has a lossy buffer profile or pool in BUFFER_QUEUE, or no row
    there; or a complete file with pools, profiles and priority groups has no BUFFER_QUEUE at all. A profile
    counts as lossy by its name, as the templates of SKUs name them, unless its pool is named as lossless, and
    by the name of its pool where another egress pool is lossless; sizes and thresholds do not show it.

    **Why.** The queue drops at its lossy threshold, long before the ingress priority group sends XOFF.
    SONiC makes queues 3 and 4 lossless and 0 to 2, 5 and 6 lossy; enabling PFC for another
    priority changes none of that.

    **Fix.** Give the queue the SKU's lossless profile, often `egress_lossless_profile`, in a row of its
    own, and split the range it was part of. netplan writes this as `buffers.patch.json`.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/buffers_config.j2 and
    device/*/buffers_defaults_*.j2.
    """
    twice = overlaps(switch, "BUFFER_QUEUE")  # NP858 covers these
    lacking: dict[tuple[str, str], list[int]] = {}
    for chain in pfc_chains(switch):
        for port in chain.ports:
            for queue in (chain.queue_of(priority) for priority in chain.pfc):
                reason = "" if (port, queue) in twice else _lossy(switch, port, queue)
                if reason:
                    lacking.setdefault((port, reason), []).append(queue)
    same: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for (port, reason), queues in lacking.items():
        same.setdefault((reason, tuple(queues)), []).append(port)
    for (reason, numbers), ports in same.items():
        shown = ", ".join(map(str, numbers))
        what = f"queue {shown}" if len(numbers) == 1 else f"queues {shown}"
        message = f"PFC pauses {what} of {listed(ports)}, but {reason}"
        hint = "add a row of its own with the SKU's lossless profile, in a lossless pool"
        yield RowFinding(_spot(switch, ports[0], numbers[0]), message, hint)


def _profile(switch: DbSwitch, row: str | None) -> str:
    return plain_name(switch.text("BUFFER_QUEUE", row, "profile") or "") if row else ""


def _spot(switch: DbSwitch, port: str, queue: int) -> Spot:
    """What to change: the profile's pool if only that is wrong, else the row, else the PFC setting that
    needs it."""
    row = row_of(switch, "BUFFER_QUEUE", port, queue)
    if row is None:
        return switch.spot("PORT_QOS_MAP", port, "pfc_enable")
    profile = _profile(switch, row)
    if not _by_name(profile) and switch.row("BUFFER_PROFILE", profile):
        return switch.spot("BUFFER_PROFILE", profile, "pool")
    return switch.spot("BUFFER_QUEUE", row, "profile")


_ABSENT, _EMPTY = "BUFFER_QUEUE has no row for it", "there is no BUFFER_QUEUE at all"


def _lossy(switch: DbSwitch, port: str, queue: int) -> str:
    """Why a queue may drop; empty if it may not, or if a partial file leaves that to the switch."""
    row = row_of(switch, "BUFFER_QUEUE", port, queue)
    if row is None:
        return "" if not switch.whole else _ABSENT if switch.rows("BUFFER_QUEUE") else _EMPTY
    profile = _profile(switch, row)
    pool = plain_name(switch.text("BUFFER_PROFILE", profile, "pool") or "")
    if reason := _by_name(profile):
        in_doubt = _says_lossy(profile) and "lossless" in pool
        return "" if in_doubt else f"its BUFFER_QUEUE profile {profile} {reason}"
    lossy = _says_lossy(pool) and _has_lossless_pool(switch)
    return f"pool {pool} of its BUFFER_QUEUE profile {profile} is lossy" if lossy else ""


def _has_lossless_pool(switch: DbSwitch) -> bool:
    """Whether some egress pool is named as lossless: SKUs with one egress pool call it egress_lossy_pool
    (sonic-net/sonic-buildimage 086b03bd device/celestica/x86_64-cel_midstone-r0/*/buffers.json.j2)."""
    pools = {plain_name(name) for name in switch.rows("BUFFER_POOL")}
    return not pools or any("egress" in name and "lossless" in name for name in pools)


def _by_name(profile: str) -> str:
    """Why the name of a profile speaks against it; empty if it does not."""
    if _says_lossy(profile):
        return "is lossy"
    return "gives it no buffer" if "_zero_" in profile else ""


def _says_lossy(name: str) -> bool:
    return "lossy" in name.lower()


def _sharing(switch: DbSwitch) -> int:
    return sum(bool(switch.number("BUFFER_PROFILE", g.profile or "", "xoff")) for g in groups_of(switch))


def shared_bytes(switch: DbSwitch, profile: str | None) -> int:
    """Bytes of the headroom pool that a profile uses, 0 if there is none."""
    pool = plain_name(switch.text("BUFFER_PROFILE", profile or "", "pool") or "")
    return switch.number("BUFFER_POOL", pool, "xoff") or 0


@rule("NP859", "headroom above the shared headroom pool", on=DbSwitch, counts=_sharing)
def pool_below_group(switch: DbSwitch) -> Iterator[RowFinding]:
    """The `xoff` of a priority group's profile is more than the `xoff` of its pool, which all groups share.

    **Why.** A single congested port then overflows the shared headroom and drops.

    **Fix.** Raise `xoff` of the pool, or use the profile of a shorter cable.

    **Source.** sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md (shared headroom pool); sonic-net/
    sonic-swss e6b0c5b orchagent/bufferorch.cpp (`xoff` of a pool is SAI_BUFFER_POOL_ATTR_XOFF_SIZE).
    """
    told: dict[str, list[str]] = {}
    for group in groups_of(switch):
        profile = group.profile or ""
        shared, xoff = shared_bytes(switch, profile), switch.number("BUFFER_PROFILE", profile, "xoff")
        if shared and xoff and xoff > shared:
            told.setdefault(profile, []).append(group.port)
    for profile, ports in told.items():
        pool = plain_name(switch.text("BUFFER_PROFILE", profile, "pool") or "")
        where = switch.where(switch.spot("BUFFER_POOL", pool, "xoff"))
        message = (
            f"xoff of BUFFER_PROFILE {profile} of {listed(list(dict.fromkeys(ports)))} is "
            f"{switch.number('BUFFER_PROFILE', profile, 'xoff'):,}, more than the "
            f"{shared_bytes(switch, profile):,} that pool {pool} shares among all groups (at {where})"
        )
        yield RowFinding(switch.spot("BUFFER_PROFILE", profile, "xoff"), message, "raise xoff of the pool")
