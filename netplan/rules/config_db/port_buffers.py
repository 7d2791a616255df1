"""What contradicts a lossless buffer that a file states for one priority of a port: NP848, NP859, NP883 and
NP885 for who follows a packet, and knows cable and switch from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.config_db.hardware import least_of, pool_of, profile
from netplan.graph.config_db.headroom import Cable, by_table
from netplan.reading.config_db.switch import DbSwitch, Spot
from netplan.records import dataclass
from netplan.rules.config_db.buffers import below_cable, too_small
from netplan.rules.config_db.groups import Group, groups_at, lacks_headroom
from netplan.rules.config_db.lossless import shared_bytes
from netplan.rules.config_db.pools import wrong_direction


@dataclass(frozen=True, slots=True)
class KnownPort:
    """What no row of a part file states. ``model``, ``asic``: of the switch, empty if not known. ``gbps``,
    ``metres``: of the cable, 0 if not known."""

    model: str
    asic: str
    gbps: int
    metres: int


@dataclass(frozen=True, slots=True)
class BufferProblem:
    """``row``: of BUFFER_PG. ``certain``: no switch has a lossless buffer of it; else the table of the SKU or
    SONiC's computation speaks against it."""

    row: str
    at: Spot
    text: str
    certain: bool = True


def buffer_problems(switch: DbSwitch, port: str, priority: int, known: KnownPort) -> Iterator[BufferProblem]:
    for group in groups_at(switch).get(port, ()):
        if group.priority == priority and group.row and group.profile:
            yield from _of_group(switch, group, group.row, group.profile, known)


def _of_group(
    switch: DbSwitch, group: Group, row: str, profile_name: str, known: KnownPort
) -> Iterator[BufferProblem]:
    if reason := lacks_headroom(switch, group):
        yield BufferProblem(row, switch.spot("BUFFER_PG", row, "profile"), reason)
        return
    if switch.row("BUFFER_PROFILE", profile_name) is None or group.computed(switch):
        return
    said, pool = f"BUFFER_PROFILE {profile_name}", pool_of(switch, profile_name)
    if wrong_direction(switch, profile_name, bool(known.asic)):
        text = f"pool {pool} of {said} is of type egress, a priority group needs an ingress pool"
        yield BufferProblem(row, switch.spot("BUFFER_PROFILE", profile_name, "pool"), text)
    at, xoff = switch.spot("BUFFER_PROFILE", profile_name, "xoff"), _xoff(switch, profile_name)
    shared = shared_bytes(switch, profile_name)
    if shared and xoff > shared:
        text = f"xoff of {said} is {xoff:,}, more than the {shared:,} that pool {pool} shares"
        yield BufferProblem(row, at, text)
    if floor := below_cable(xoff, known.gbps, known.metres, _least(known)):
        yield BufferProblem(row, at, f"{said} {floor}")
    elif reason := _below_table(xoff, known) or too_small(switch, group.port, profile_name):
        yield BufferProblem(row, at, f"{said} {reason}", certain=False)


def _xoff(switch: DbSwitch, name: str) -> int:
    return switch.number("BUFFER_PROFILE", name, "xoff") or 0


def _least(known: KnownPort) -> int:
    return least_of(known.gbps * 1000, known.metres) if known.gbps and known.metres else 0


def _below_table(xoff: int, known: KnownPort) -> str:
    """By the lossless table of the switch's SKU."""
    sonic = profile()
    table = sonic.models.get(known.model) if sonic else None
    need = by_table(table, Cable(known.gbps * 1000, known.metres, 0)) if table else None
    if need is None or xoff >= need.xoff:
        return ""
    return f"has xoff {xoff:,}, its SKU needs {need.xoff:,} bytes ({need.why})"
