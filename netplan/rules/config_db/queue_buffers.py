"""Which queues that PFC pauses may drop, by BUFFER_QUEUE."""

from __future__ import annotations

from collections.abc import Mapping

from netplan.graph.config_db.chains import MAX_INDEX, pfc_chains, queues_known, row_of
from netplan.graph.config_db.hardware import pool_of
from netplan.reading.config_db.switch import DbSwitch, once, plain_name, ports_of, span

Overlaps = dict[tuple[str, int], tuple[str, str]]
"""(what the key names before its last part, number) -> the two rows that cover it."""


def owners(key: str) -> tuple[str, ...]:
    """The ports of a key; HOST|ASIC|PORT of a chassis counts as one."""
    above = key.rpartition("|")[0]
    return (above,) if "|" in above else ports_of(key)


@once
def overlaps(switch: DbSwitch, table: str) -> Overlaps:
    """Numbers that two rows of a table cover for the same port."""
    seen: dict[tuple[str, int], str] = {}
    twice: Overlaps = {}
    for key in switch.keys(table):
        numbers = span(key.rpartition("|")[2])
        for owner in owners(key) if len(seen) < MAX_INDEX else ():
            for number in numbers:
                first = seen.setdefault((owner, number), key)
                if first != key and _share_fields(switch, table, first, key):
                    twice.setdefault((owner, number), (first, key))
    return twice


def _share_fields(switch: DbSwitch, table: str, one: str, other: str) -> bool:
    """qosorch applies each field of a QUEUE row by itself: the scheduler of one row and the WRED profile of
    another do not meet (sonic-net/sonic-swss e6b0c5b orchagent/qosorch.cpp, handleQueueTable)."""
    rows = switch.rows(table)
    return table != "QUEUE" or bool(rows[one].fields.keys() & rows[other].fields.keys())


@once
def lossy_queues(switch: DbSwitch) -> Mapping[tuple[str, int], str]:
    """(port, queue) that a PFC priority pauses -> why it may drop, for those of which NP857 or NP883 says
    so."""
    if not tells_of_queues(switch):
        return {}
    twice = overlaps(switch, "BUFFER_QUEUE")  # NP858 covers these
    found = {}
    for chain in pfc_chains(switch):
        for port in chain.ports:
            for queue in (chain.queue_of(priority) for priority in chain.pfc):
                if (port, queue) not in twice and (reason := _lossy(switch, port, queue)):
                    found[port, queue] = reason
    return found


def tells_of_queues(switch: DbSwitch) -> bool:
    """Whether BUFFER_QUEUE, or a complete file with buffers, tells which queues are lossy."""
    stated = switch.rows("BUFFER_QUEUE") or (switch.whole and _has_buffers(switch))
    return bool(stated) and queues_known(switch, "BUFFER_QUEUE")


def _has_buffers(switch: DbSwitch) -> bool:
    """Whether the file has what `config qos reload` makes together with BUFFER_QUEUE (buffers_config.j2)."""
    return all(switch.rows(table) for table in ("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG"))


def profile_of(switch: DbSwitch, row: str | None) -> str:
    return plain_name(switch.text("BUFFER_QUEUE", row, "profile") or "") if row else ""


_ABSENT, NO_ROWS = "BUFFER_QUEUE has no row for it", "there is no BUFFER_QUEUE at all"


def _lossy(switch: DbSwitch, port: str, queue: int) -> str:
    """Why a queue may drop; empty if it may not, or if a partial file leaves that to the switch."""
    row = row_of(switch, "BUFFER_QUEUE", port, queue)
    if row is None:
        return "" if not switch.whole else _ABSENT if switch.rows("BUFFER_QUEUE") else NO_ROWS
    profile = profile_of(switch, row)
    pool = pool_of(switch, profile)
    if reason := by_name(profile):
        in_doubt = _says_lossy(profile) and "lossless" in pool
        return "" if in_doubt else f"its BUFFER_QUEUE profile {profile} {reason}"
    lossy = _says_lossy(pool) and _has_lossless_pool(switch)
    return f"pool {pool} of its BUFFER_QUEUE profile {profile} is lossy" if lossy else ""


def _has_lossless_pool(switch: DbSwitch) -> bool:
    """Whether some egress pool is named as lossless and has memory: SKUs with one egress pool call it
    egress_lossy_pool, or have another of size 0 (sonic-net/sonic-buildimage 086b03bd
    device/celestica/x86_64-cel_midstone-r0/*/buffers.json.j2, device/quanta/x86_64-quanta_ix9_bwde-r0)."""
    pools = switch.rows("BUFFER_POOL")
    named = [key for key in pools if "egress" in plain_name(key) and "lossless" in plain_name(key)]
    return not pools or any(switch.number("BUFFER_POOL", key, "size") != 0 for key in named)


def by_name(profile: str) -> str:
    """Why the name of a profile speaks against it; empty if it does not."""
    if _says_lossy(profile):
        return "is lossy"
    return "gives it no buffer" if "_zero_" in profile else ""


def _says_lossy(name: str) -> bool:
    return "lossy" in name.lower()
