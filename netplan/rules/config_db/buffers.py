"""Rules about lossless buffers: does each PFC priority have headroom, is it enough, and does the switch
have that much."""

from __future__ import annotations

import re
from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.hardware import (
    cable_m,
    cable_rows,
    hardware_of,
    least,
    least_of,
    needed,
    pool_of,
    shares_headroom,
    speed_gbps,
)
from netplan.graph.config_db.headroom import lengths
from netplan.reading.config_db.switch import DbSwitch, Spot, having, listed
from netplan.rules.config_db.groups import Group, groups_of, lossy_groups, unprotected
from netplan.rules.config_db.queue_buffers import lossy_queues
from netplan.rules.config_db.registry import RowFinding, rule

_NAMED = re.compile(r"pg_lossless_(?P<speed>[0-9]{1,9})_(?P<length>[0-9]{1,6})m_profile")
"""Profiles that buffermgrd creates are named by speed in Mb/s and cable (sonic-swss cfgmgr/buffermgr.cpp)."""


def _judged(switch: DbSwitch) -> int:
    return len(groups_of(switch)) if switch.whole or switch.has("BUFFER_PG") else 0


@rule("NP883", "PFC priority without a lossless buffer", on=DbSwitch, counts=_judged)
def unbuffered(switch: DbSwitch) -> Iterator[RowFinding]:
    """PFC is enabled for a priority, but its priority group has no profile with headroom: `xoff` is missing
    or 0, or (dynamic buffer model) no `BUFFER_PG` row asks for one.

    **Why.** Frames that arrive after XOFF was sent need headroom. Without it the port sends PFC but still
    drops; under incast every RDMA transfer is retried.

    **Fix.** Give the group a profile with `xoff`; in the dynamic model `"PORT|3": {"profile": "NULL"}`.

    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp and buffermgrdyn.cpp; sonic-net/SONiC issue
    480.
    """
    groups, queues, both = lossy_groups(switch), lossy_queues(switch), unprotected(switch)
    lacking: dict[tuple[str, str, str], list[Group]] = {}
    for group in groups_of(switch):
        if reason := groups.get((group.port, group.priority)):
            queue = queues.get((group.port, group.queue), "") if (group.port, group.queue) in both else ""
            lacking.setdefault((group.port, reason, queue), []).append(group)
    same: dict[tuple[str, str, str], list[Group]] = {}
    for (_, reason, queue), found in lacking.items():
        numbers = ", ".join(str(group.priority) for group in found)
        same.setdefault((reason, queue, numbers), []).append(found[0])
    for (reason, queue, numbers), found in same.items():
        names, first = listed([group.port for group in found]), found[0]
        message = f"PFC is on for priority {numbers} of {names}, but {reason}"
        hint = "use a profile with xoff for the priority group"
        if queue:
            message += f", and its queue may drop: {queue}"
            hint = "remove the priority from pfc_enable, or give its group and queue lossless profiles"
        if first.row and not queue:
            at = switch.spot("BUFFER_PG", first.row, "profile")
        else:
            at = switch.spot("PORT_QOS_MAP", first.port, "pfc_enable")
        yield RowFinding(at, message, hint)


def _sized(switch: DbSwitch) -> list[Group]:
    """Groups that buffermgrd sizes from speed and cable."""
    if not (switch.whole or switch.has("CABLE_LENGTH")):
        return []
    return [group for group in groups_of(switch) if group.computed(switch)]


@rule("NP884", "lossless port without a usable cable length", on=DbSwitch, counts=lambda s: len(_sized(s)))
def cables(switch: DbSwitch) -> Iterator[RowFinding]:
    """The headroom of a PFC port follows from its cable length, and CABLE_LENGTH has none for it, has `0m`,
    or one that the lossless table of the SKU does not have. Not reported of `0m`, or
    none, on a port that is down: the stock length of ports without neighbour.

    **Why.** buffermgrd then creates no lossless profile at all: the port sends PFC without headroom and
    drops. The lookup is exact: 50 m does not match between 40 m and 300 m.

    **Fix.** State the shortest length in the table that is at least that of the cable.

    **Source.** sonic-net/sonic-swss e6b0c5b5 cfgmgr/buffermgr.cpp (`0m` returns early); sonic-net/sonic-mgmt
    issue 20422; pg_profile_lookup.ini of the SKU.
    """
    reasons: dict[str, list[str]] = {}
    for port in dict.fromkeys(group.port for group in _sized(switch)):
        if reason := _no_length(switch, port):
            reasons.setdefault(reason, []).append(port)
    for reason, ports in reasons.items():
        message = f"{having(ports)} PFC on, but {reason}"
        yield RowFinding(_cable_spot(switch, ports[0]), message, _lengths(switch, ports[0]))


def _no_length(switch: DbSwitch, port: str) -> str:
    length, speed = cable_m(switch, port), speed_gbps(switch, port)
    if not length and switch.is_down(port):
        return ""
    if length is None:
        return (
            "" if port in cable_rows(switch) else "CABLE_LENGTH has no entry for it"
        )  # NP876 reports a text that is no length
    if not length:
        return "CABLE_LENGTH is 0m: no lossless profile is made"
    table = hardware_of(switch).table
    if switch.dynamic or table is None or speed is None or not table.headroom:
        return ""
    rows = lengths(table, speed)
    if not rows:
        return f"the lossless table of {table.sku} has no row at {speed} Gb/s"
    if length not in rows:
        has = ", ".join(map(str, rows))
        return (
            f"CABLE_LENGTH is {length}m; at {speed} Gb/s the lossless table of {table.sku} has {has} m only"
        )
    return ""


def _lengths(switch: DbSwitch, port: str) -> str:
    table, speed = hardware_of(switch).table, speed_gbps(switch, port)
    if table and speed and not switch.dynamic and (rows := lengths(table, speed)):
        return f"state one of {', '.join(f'{length}m' for length in rows)}, not shorter than the cable"
    if table and table.headroom and speed and not switch.dynamic and cable_m(switch, port):
        return f"switch PFC off there, or add rows of {speed * 1000} to pg_profile_lookup.ini"
    return "state the length of the cable in CABLE_LENGTH"


def _cable_spot(switch: DbSwitch, port: str) -> Spot:
    if key := cable_rows(switch).get(port):
        return switch.spot("CABLE_LENGTH", key, port)
    return switch.spot("PORT_QOS_MAP", port, "pfc_enable")


def _explicit(switch: DbSwitch) -> list[Group]:
    """Groups whose headroom is stated in the file."""
    return [
        group
        for group in groups_of(switch)
        if not group.computed(switch) and switch.row("BUFFER_PROFILE", group.profile or "")
    ]


@rule(
    "NP885", "less headroom than speed and cable need", on=DbSwitch, counts=lambda s: len(_explicit(s)),
    severity=Severity.WARNING,
)  # fmt: skip
def headroom(switch: DbSwitch) -> Iterator[RowFinding]:
    """The `xoff` of a lossless profile is below the lossless table of the SKU (traditional model) or SONiC's
    own computation (dynamic model) for the speed and cable of a port that uses it, or, of any SKU, below one
    frame and what the cable holds both ways; or the profile was made for another speed or cable; or its
    `size` does not hold its `xoff` though no pool shares headroom.

    **Why.** The data in flight on a long or fast link overflows the headroom, and lossless frames are
    dropped exactly when PFC acts.

    **Fix.** Use the profile for the port's speed and cable length.

    **Source.** pg_profile_lookup.ini of the SKU; sonic-net/sonic-swss e6b0c5b5
    cfgmgr/buffer_headroom_mellanox.lua.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for group in _explicit(switch):
        profile = group.profile or ""
        reason = too_small(switch, group.port, profile)
        if reason:
            found.setdefault((profile, reason), []).append(group.port)
    for (profile, reason), ports in found.items():
        message = f"BUFFER_PROFILE {profile} of {listed(list(dict.fromkeys(ports)))} {reason}"
        at = switch.spot("BUFFER_PROFILE", profile, "xoff")
        yield RowFinding(at, message, "use the profile for the port's speed and cable length")


def too_small(switch: DbSwitch, port: str, profile: str) -> str:
    """Why a profile with headroom does not suit a port; empty if it does."""
    xoff = switch.number("BUFFER_PROFILE", profile, "xoff")
    if not xoff:
        return ""
    speed, length = speed_gbps(switch, port), cable_m(switch, port)
    made = _NAMED.fullmatch(profile)
    if made and (reason := _made_for_another(made, speed, length)):
        return reason
    if made and not (speed and length):  # the name supplies what the port does not state
        mbps, metres = int(made["speed"]), int(made["length"])
        return below_cable(xoff, mbps // 1000, metres, least_of(mbps, metres))
    need = needed(switch, port)
    if need and xoff < need.xoff:
        return f"has xoff {xoff:,}; {speed} Gb/s and {length} m need {need.xoff:,} bytes ({need.why})"
    return below_cable(xoff, speed, length, least(switch, port)) or _no_room(switch, profile, xoff)


def _made_for_another(made: re.Match[str], speed: int | None, length: int | None) -> str:
    gbps = int(made["speed"]) // 1000
    if speed and speed != gbps:
        return f"is made for {gbps} Gb/s, the port has {speed} Gb/s"
    if length and length > int(made["length"]):
        return f"is made for {made['length']} m, CABLE_LENGTH of the port is {length} m"
    return ""


def below_cable(xoff: int, speed: int | None, length: int | None, floor: int) -> str:
    if xoff >= floor:
        return ""
    return f"has xoff {xoff:,}; {speed} Gb/s and {length} m hold {floor:,} bytes in one frame and the cable"


def _no_room(switch: DbSwitch, profile: str, xoff: int) -> str:
    """Why the reserved `size` cannot hold the headroom, which it must without a shared headroom pool."""
    size = switch.number("BUFFER_PROFILE", profile, "size")
    pool = pool_of(switch, profile)
    if size is None or size >= xoff or not switch.row("BUFFER_POOL", pool) or shares_headroom(switch, pool):
        return ""
    return f"has size {size}, less than its xoff {xoff}, but pool {pool} has no shared headroom"
