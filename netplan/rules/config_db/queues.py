"""Rules about lossless queues: ECN, scheduler, watchdog."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Severity
from netplan.graph.config_db.chains import (
    RETURNED,
    bound,
    is_remapped,
    pfc_chains,
    priorities,
    queues_known,
    row_of,
)
from netplan.graph.config_db.hardware import pool_of
from netplan.graph.config_db.headroom import level_of_xoff
from netplan.reading.config_db.switch import DbSwitch, Row, Spot, having, listed
from netplan.rules.config_db.groups import groups_at, lossy_groups
from netplan.rules.config_db.queue_buffers import lossy_queues
from netplan.rules.config_db.registry import RowFinding, rule

Profiles = dict[tuple[tuple[int, ...], str | None], list[str]]


def _by_profile(switch: DbSwitch, field: str) -> Profiles:
    """(lossless queues, name of their profile) -> ports."""
    lossy, groups = lossy_queues(switch), lossy_groups(switch)
    queues: dict[tuple[str, str | None], list[int]] = {}
    for chain in pfc_chains(switch):
        for port in chain.ports:
            for priority in chain.pfc:
                queue = chain.queue_of(priority)
                if (port, queue) not in lossy and (port, priority) not in groups:  # NP857, NP883
                    name = bound(switch, port, queue, field) or None
                    queues.setdefault((port, name), []).append(queue)
    found: Profiles = {}
    for (port, name), numbers in queues.items():
        found.setdefault((tuple(numbers), name), []).append(port)
    return found


def _shown(queues: tuple[int, ...], ports: list[str]) -> str:
    """``queue 3 of Ethernet0 is lossless``"""
    if len(queues) == 1:
        return f"queue {queues[0]} of {listed(ports)} is lossless"
    return f"queues {', '.join(map(str, queues))} of {listed(ports)} are lossless"


def _lossless_queues(switch: DbSwitch) -> int:
    if not (switch.whole or switch.has("QUEUE")) or not queues_known(switch, "QUEUE"):
        return 0
    return sum(len(chain.ports) * len(chain.pfc) for chain in pfc_chains(switch))


def _queue_spot(switch: DbSwitch, port: str, queue: int, field: str) -> Spot:
    row = row_of(switch, "QUEUE", port, queue, field) or row_of(switch, "QUEUE", port, queue)
    return switch.spot("QUEUE", row, field) if row else switch.spot("PORT_QOS_MAP", port, "pfc_enable")


@rule("NP887", "WRED drops in a lossless queue", on=DbSwitch, counts=_lossless_queues)
def dropping(switch: DbSwitch) -> Iterator[RowFinding]:
    """The WRED profile of a lossless queue is enabled for green packets, which are all of them, and its `ecn`
    does not cover green.

    **Why.** WRED then drops instead of marking, in the class that PFC keeps lossless. The default of
    `ecn` is ecn_none.

    **Fix.** Set `"ecn": "ecn_all"`, or remove the profile from the queue.

    **Source.** sonic-wred-profile.yang (default ecn_none); sonic-net/sonic-buildimage issue 27606.
    """
    for (queues, profile), ports in _by_profile(switch, "wred_profile").items():
        row = switch.row("WRED_PROFILE", profile) if profile else None
        if profile is None or row is None:
            continue
        ecn = switch.text("WRED_PROFILE", profile, "ecn") or "ecn_none"
        if row.fields.get("wred_green_enable") == "true" and "green" not in ecn and ecn != "ecn_all":
            at = switch.spot("WRED_PROFILE", profile, "ecn")
            other = switch.where(_queue_spot(switch, ports[0], queues[0], "wred_profile"))
            message = (
                f"WRED_PROFILE {profile} drops green packets ({ecn}), and {_shown(queues, ports)} "
                f"and bound to it at {other}"
            )
            yield RowFinding(at, message, "set ecn to ecn_all, or remove the profile from the queue")


@rule(
    "NP888", "lossless queue that marks too late or not at all", on=DbSwitch, counts=_lossless_queues,
    severity=Severity.WARNING,
)  # fmt: skip
def unmarked(switch: DbSwitch) -> Iterator[RowFinding]:
    """A lossless queue has no WRED profile that marks green packets, or one without thresholds for them, or
    one that begins to mark above the level at which its priority groups send XOFF. Not reported of queues
    that may drop (NP857, NP883).

    **Why.** ECN slows senders down; PFC prevents loss until it does. If PFC comes first, congestion
    spreads through pauses and DCQCN never acts. The XOFF level is the most that a single congested group
    gets of its pool: pool x alpha / (1 + alpha). Without a threshold marking begins at the maximum buffer
    size, whatever yellow and red have: all packets of RoCE are green.

    **Fix.** Bind a profile with `ecn_all` and a minimum far below that level.
    Ignore this warning if congestion is controlled by other means.

    **Source.** sonic-wred-profile.yang (default ecn_none); sonic-net/sonic-buildimage issue 27606; wiki
    "Enable ECN on lossless queues"; opencomputeproject/SAI 0e1fcb6 inc/saiwred.h (threshold "default to 0 i.e
    Maximum buffer size").
    """
    for (queues, profile), ports in _by_profile(switch, "wred_profile").items():
        if reason := _unmarked(switch, ports[0], profile):
            at = _queue_spot(switch, ports[0], queues[0], "wred_profile")
            message = f"{_shown(queues, ports)}, but {reason}"
            yield RowFinding(at, message, "bind a profile that marks before PFC pauses")


def _unmarked(switch: DbSwitch, port: str, profile: str | None) -> str:
    """Why a queue marks too late or not at all; empty if it does not, or if another rule says so."""
    if profile is None:
        ranged = all("|" in key for key in switch.rows("QUEUE"))  # else NP876
        return "no wred_profile is bound" if ranged else ""
    row = switch.row("WRED_PROFILE", profile)
    if row is None:
        return ""
    if not _marks_green(row):
        drops = row.fields.get("wred_green_enable") == "true"  # NP887
        return "" if drops else f"WRED_PROFILE {profile} marks nothing"
    if not any(f"green_{end}_threshold" in row.fields for end in ("min", "max")):
        return f"WRED_PROFILE {profile} has no green thresholds"
    late = _late(switch, port, profile)
    return f"WRED_PROFILE {profile} {late}" if late else ""


def _marks_green(row: Row) -> bool:
    """Without ``wred_green_enable`` the thresholds hold for a profile that marks green packets
    (opencomputeproject/SAI inc/saiwred.h, validonly of SAI_WRED_ATTR_GREEN_MIN_THRESHOLD)."""
    ecn = str(row.fields.get("ecn", "ecn_none"))
    covers = "green" in ecn or ecn == "ecn_all"
    return covers and row.fields.get("wred_green_enable") != "false"


def _late(switch: DbSwitch, port: str, profile: str) -> str:
    """Why marking starts after XOFF; empty if it does not, or if numbers are missing."""
    kmin = switch.number("WRED_PROFILE", profile, "green_min_threshold")
    for group in groups_at(switch).get(port, ()):
        if group.profile is None or kmin is None:
            continue
        pool = pool_of(switch, group.profile)
        size = switch.number("BUFFER_POOL", pool, "size")
        alpha = switch.text("BUFFER_PROFILE", group.profile, "dynamic_th")
        if size and alpha in {str(power) for power in range(-8, 8)}:
            level = level_of_xoff(size, int(alpha or 0))
            if kmin >= level:
                return (
                    f"begins to mark at {kmin:,} bytes; its priority group in pool {pool} of {size:,} bytes "
                    f"sends XOFF at {level:,} or less"
                )
    return ""


@rule(
    "NP889", "scheduler starves a lossless queue or others", on=DbSwitch, counts=_lossless_queues,
    severity=Severity.WARNING,
)  # fmt: skip
def schedulers(switch: DbSwitch) -> Iterator[RowFinding]:
    """A lossless queue has a STRICT scheduler, none at all while other queues of the port have one, or a
    weighted one without its weight; or all lossless queues of a port together have less than 5 % of the
    weights.

    **Why.** A strict queue is for CNPs, which must not wait; with RDMA data in it, CNPs and everything
    else wait for the data, and PFC pauses the CNPs with it. Without `weight` a queue has weight 1 among
    queues with 15.

    **Fix.** Use a DWRR scheduler with a weight for the lossless queue, and STRICT for the CNP queue,
    which no PFC priority pauses.

    **Source.** sonic-net/sonic-buildimage 086b03bd sonic-scheduler.yang (weight, default 1),
    files/build_templates/qos_config.j2.
    """
    for (queues, name), ports in _by_profile(switch, "scheduler").items():
        reason = _scheduling(switch, ports[0], name)
        if reason:
            at = _queue_spot(switch, ports[0], queues[0], "scheduler")
            message = f"{_shown(queues, ports)}, and {reason}"
            yield RowFinding(at, message, "give it a DWRR scheduler with a weight")


def _scheduling(switch: DbSwitch, port: str, name: str | None) -> str:
    if name is None:
        scheduled = any(bound(switch, port, queue, "scheduler") for queue in range(8))
        return "no scheduler is bound, while other queues of the port have one" if scheduled else ""
    row = switch.row("SCHEDULER", name)
    if row is None:
        return ""
    if row.fields.get("type") == "STRICT":
        return f"scheduler {name} is STRICT"
    if "weight" not in row.fields:
        return f"scheduler {name} has no weight, which means weight 1"
    return _small_share(switch, port, name)


_LEAST = 20
"""Lossless queues with less than this part of all weights wait for the others."""


def _small_share(switch: DbSwitch, port: str, name: str) -> str:
    """Why the weights of a port starve its lossless queues; empty if they do not."""
    weights: dict[int, int] = {}
    for queue in range(8):
        scheduler = bound(switch, port, queue, "scheduler")
        if scheduler and switch.text("SCHEDULER", scheduler, "type") != "STRICT":
            weights[queue] = switch.number("SCHEDULER", scheduler, "weight") or 1
    chain = next((chain for chain in pfc_chains(switch) if port in chain.ports), None)
    mine = sum(weights.get(chain.queue_of(priority), 0) for priority in chain.pfc) if chain else 0
    total = sum(weights.values())
    if not mine or _LEAST * mine >= total:
        return ""
    return f"scheduler {name} leaves them {mine} of the weights of {port}, {total} in all"


def _watched(switch: DbSwitch) -> int:
    if not (switch.whole or switch.has("PFC_WD")):
        return 0
    return sum(len(chain.ports) for chain in pfc_chains(switch))


def _unguarded(switch: DbSwitch) -> list[str]:
    """Ports with PFC but no row in PFC_WD, nor one that `default_pfcwd_status` creates with the first
    `config load_minigraph`."""
    status, rows = switch.local.get("default_pfcwd_status"), switch.rows("PFC_WD").keys()
    if status == "disable" and not rows - {"GLOBAL"}:
        return []
    made = switch.rows("DEVICE_NEIGHBOR").keys() if status == "enable" else frozenset[str]()
    if made & rows:  # `pfcwd start_default` was run before, and is not run again
        made = frozenset[str]()
    return [
        port
        for chain in pfc_chains(switch)
        for port in chain.ports
        if not switch.row("PFC_WD", port) and port not in made and not switch.is_down(port)
    ]


def _blind(switch: DbSwitch) -> dict[str, list[str]]:
    """Priorities that `pfcwd_sw_enable` omits -> ports with a row in PFC_WD."""
    found: dict[str, list[str]] = {}
    lossy, left_out = lossy_queues(switch), RETURNED if is_remapped(switch) else frozenset[int]()
    for chain in pfc_chains(switch):
        for port in chain.ports:
            if switch.row("PFC_WD", port) and switch.row("PORT_QOS_MAP", port):
                watched = priorities(switch.text("PORT_QOS_MAP", port, "pfcwd_sw_enable"))
                unwatched = (one for one in chain.pfc if one not in {*watched, *left_out})
                lacking = [str(one) for one in unwatched if (port, chain.queue_of(one)) not in lossy]
                if lacking:
                    found.setdefault(",".join(lacking), []).append(port)
    return found


@rule("NP893", "PFC port without a watchdog", on=DbSwitch, counts=_watched, severity=Severity.WARNING)
def watchdogs(switch: DbSwitch) -> Iterator[RowFinding]:
    """A port with PFC has no row in PFC_WD, or its `pfcwd_sw_enable` leaves a PFC priority out; or PFC_WD has
    no `GLOBAL` row with the polling interval. Not reported of ports that are down, nor if
    `default_pfcwd_status` is disable and no port has a row, nor for `pfcwd_sw_enable` in older files, to
    which db_migrator adds it, or without the priorities 2 and 6 of dual ToR.

    **Why.** A NIC that sends pause frames without end stops its leaf, then the spines. `pfcwd
    start_default` writes rows only for ports in DEVICE_NEIGHBOR, so host ports get none; only `config
    load_minigraph` runs it, so a port that has no row beside others that have one gets none later. orchagent
    treats a missing `pfcwd_sw_enable` as no priority at all.

    **Fix.** Add a PFC_WD row for each PFC port, with the same `pfcwd_sw_enable` as `pfc_enable`, and the
    GLOBAL row.

    **Source.** sonic-net/sonic-buildimage 086b03bd files/build_templates/qos_config.j2 (dual ToR);
    sonic-net/sonic-utilities 691b1bbc pfcwd/main.py and config/main.py (load_minigraph);
    sonic-net/sonic-swss e6b0c5b5 orchagent/qosorch.cpp and pfcwdorch.cpp.
    """
    unguarded = _unguarded(switch)
    blind = _blind(switch) if _selects_priorities(switch) else {}
    if unguarded:
        message = f"{having(unguarded)} PFC on, but no row in PFC_WD"
        at = switch.spot("PORT_QOS_MAP", unguarded[0], "pfc_enable")
        yield RowFinding(at, message, "add a PFC_WD row for the port")
    for lacking, ports in blind.items():
        message = (
            f"{having(ports)} PFC on for priority {lacking}, which pfcwd_sw_enable leaves out: its PFC_WD "
            "row has no effect there"
        )
        at = switch.spot("PORT_QOS_MAP", ports[0], "pfcwd_sw_enable")
        yield RowFinding(at, message, "set pfcwd_sw_enable to the value of pfc_enable")
    alone = not switch.whole and not switch.has("PORT_QOS_MAP")  # rows for a switch that has the others
    if not alone and switch.rows("PFC_WD") and switch.text("PFC_WD", "GLOBAL", "POLL_INTERVAL") is None:
        message = "PFC_WD has no GLOBAL row with POLL_INTERVAL"
        hint = 'add "GLOBAL": {"POLL_INTERVAL": "200"}'
        yield RowFinding(switch.spot("PFC_WD"), message, hint, unsure=switch.laid_over)


def _selects_priorities(switch: DbSwitch) -> bool:
    """Whether the file is new enough to have pfcwd_sw_enable (db_migrator, version_3_0_4)."""
    if any("pfcwd_sw_enable" in row.fields for row in switch.rows("PORT_QOS_MAP").values()):
        return True
    return not switch.older_than(3, 0, 5) and (switch.versioned or not switch.whole)
