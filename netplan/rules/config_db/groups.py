"""The lossless priority groups of ports, and which of them have no headroom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from netplan.graph.config_db.chains import pfc_chains, row_of
from netplan.reading.config_db.switch import DbSwitch, once, plain_name
from netplan.records import dataclass
from netplan.rules.config_db.queue_buffers import NO_ROWS, lossy_queues

COMPUTED = "NULL"


@dataclass(frozen=True, slots=True)
class Group:
    """A lossless priority group of a port. ``row``: its BUFFER_PG row; ``profile``: the name stated there;
    ``queue``: the queue of its PFC priority."""

    port: str
    priority: int
    number: int
    row: str | None
    profile: str | None
    queue: int = -1

    def computed(self, switch: DbSwitch) -> bool:
        """Whether buffermgrd computes its size."""
        if self.profile is None or self.profile == COMPUTED:
            return True
        return switch.text("BUFFER_PROFILE", self.profile, "headroom_type") == "dynamic"


@once
def groups_at(switch: DbSwitch) -> Mapping[str, Sequence[Group]]:
    """The groups of ``groups_of``, by port."""
    index: dict[str, list[Group]] = {}
    for group in groups_of(switch):
        index.setdefault(group.port, []).append(group)
    return index


@once
def groups_of(switch: DbSwitch) -> Sequence[Group]:
    """Every priority group that a PFC priority of a port needs."""
    found = []
    for chain in pfc_chains(switch):
        for port in chain.ports:
            for priority in chain.pfc:
                number = chain.group_of(priority)
                queue = chain.queue_of(priority)
                found.append(replace(group_at(switch, port, number), priority=priority, queue=queue))
    return found


def group_at(switch: DbSwitch, port: str, number: int) -> Group:
    row = row_of(switch, "BUFFER_PG", port, number)
    text = switch.text("BUFFER_PG", row, "profile") if row else None
    return Group(port, number, number, row, plain_name(text) if text else None)


@once
def lossy_groups(switch: DbSwitch) -> Mapping[tuple[str, int], str]:
    """(port, PFC priority) -> why its priority group has no headroom."""
    told = ((group, lacks_headroom(switch, group)) for group in groups_of(switch))
    return {(group.port, group.priority): why for group, why in told if why}


def unprotected(switch: DbSwitch) -> set[tuple[str, int]]:
    """(port, queue) of PFC priorities that have neither a lossless group nor a lossless queue."""
    groups, queues = lossy_groups(switch), lossy_queues(switch)
    return {
        (group.port, group.queue)
        for group in groups_of(switch)
        if (group.port, group.priority) in groups
        and queues.get((group.port, group.queue), NO_ROWS) != NO_ROWS
    }


def is_lossy(switch: DbSwitch, port: str, number: int) -> bool:
    """Whether the file shows that a priority group that no PFC priority names has no headroom: buffermgrd
    makes lossless profiles for those of `pfc_enable` only (sonic-net/sonic-swss e6b0c5b cfgmgr/buffermgr.cpp,
    doSpeedUpdateTask)."""
    group = group_at(switch, port, number)
    if group.profile is None:
        return switch.whole or bool(switch.rows("BUFFER_PG"))
    return bool(lacks_headroom(switch, group))


def lacks_headroom(switch: DbSwitch, group: Group) -> str:
    """Why a group has no headroom; empty if it has, or if another rule reports why not."""
    if group.profile is None:
        if not switch.dynamic:
            return ""  # created from CABLE_LENGTH when the port comes up: NP884
        return "the dynamic buffer model needs a BUFFER_PG row with a profile for its priority group"
    if group.profile == COMPUTED:
        if switch.dynamic or not (switch.whole or "buffer_model" in switch.local):
            return ""  # a partial file does not say which buffer model the switch has
        return "its priority group has profile NULL, for the dynamic model only"
    row = switch.row("BUFFER_PROFILE", group.profile)
    if row is None or group.computed(switch):
        return ""
    xoff = switch.number("BUFFER_PROFILE", group.profile, "xoff")
    if xoff or ("xoff" in row.fields and xoff is None):
        return ""
    return f"profile {group.profile} of its priority group has no xoff: it is lossy"
