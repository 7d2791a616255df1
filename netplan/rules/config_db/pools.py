"""Rules about buffer pools: how much buffer they leave for headroom, and their direction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.graph.config_db.chains import MAX_INDEX
from netplan.graph.config_db.hardware import hardware_of, needed, pool_of
from netplan.reading.config_db.switch import DbSwitch, having, listed, plain_name, ports_of, span
from netplan.records import dataclass
from netplan.rules.config_db.groups import COMPUTED, Group, groups_of
from netplan.rules.config_db.registry import RowFinding, rule

USES: Mapping[str, tuple[str, str, str]] = {
    "BUFFER_PG": ("profile", "ingress", "a priority group"),
    "BUFFER_QUEUE": ("profile", "egress", "a queue"),
    "BUFFER_PORT_INGRESS_PROFILE_LIST": ("profile_list", "ingress", "an ingress profile list"),
    "BUFFER_PORT_EGRESS_PROFILE_LIST": ("profile_list", "egress", "an egress profile list"),
}
"""Table -> field that names buffer profiles, the type of pool they must be in, and what uses them."""


def _reserved(switch: DbSwitch) -> list[int]:
    """Bytes reserved by each lossless priority group for which that is known."""
    paused = {(group.port, group.number) for group in groups_of(switch)}
    sizes = [_size(switch, group) for group in (*groups_of(switch), *_unpaused(switch, paused))]
    return [size for size in sizes if size is not None]


def _size(switch: DbSwitch, group: Group) -> int | None:
    if not group.computed(switch):
        return switch.number("BUFFER_PROFILE", group.profile or "", "size")
    if hardware_of(switch).is_nvidia and switch.is_down(group.port):
        return None  # buffermgrd takes it back (sonic-net/sonic-swss e6b0c5b cfgmgr/buffermgr.cpp)
    need = needed(switch, group.port)
    return need.reserved if need else None


def _unpaused(switch: DbSwitch, paused: set[tuple[str, int]]) -> Iterator[Group]:
    """Groups with headroom that no PFC priority uses: they still reserve it."""
    count = 0
    for key in switch.keys("BUFFER_PG"):
        profile = plain_name(switch.text("BUFFER_PG", key, "profile") or "")
        computed = profile == COMPUTED and switch.dynamic
        if not computed and not switch.number("BUFFER_PROFILE", profile, "xoff"):
            continue
        for port in ports_of(key):
            for number in span(key.rpartition("|")[2]):
                count += 1
                if (port, number) not in paused and count < MAX_INDEX:
                    paused.add((port, number))
                    yield Group(port, number, number, key, profile)


def _largest_pool(switch: DbSwitch) -> tuple[int, str]:
    sizes = [(switch.number("BUFFER_POOL", key, "size") or 0, key) for key in switch.keys("BUFFER_POOL")]
    return max(sizes, default=(0, ""))


def _ingress_pool(switch: DbSwitch) -> tuple[int, str]:
    """The pool of the lossless profiles, the largest if there are several; its size is 0 if not stated."""
    names = {pool_of(switch, group.profile) for group in groups_of(switch)}
    names = {name for name in names if switch.text("BUFFER_POOL", name, "type") != "egress"}  # NP848
    names |= {"ingress_lossless_pool"}
    return max((switch.number("BUFFER_POOL", name, "size") or 0, name) for name in names)


def _room(switch: DbSwitch) -> tuple[int, str, str]:
    """Bytes available for headroom, the pool that limits them, and the reason as text; 0 if unknown.

    For a known SKU, its buffer minus the ingress pool of the file. For another, the largest pool, which is
    the egress pool and spans the whole packet buffer: a bound that is never too small.
    """
    table = hardware_of(switch).table
    if table is not None and table.buffer_bytes:
        pool, name = _ingress_pool(switch)
        room = max(0, table.buffer_bytes - pool)
        beside = f" beside {name} of {pool:,}" if pool else ""
        return room, name, f"{table.sku} has {room:,}{beside}"
    largest, name = _largest_pool(switch)
    return largest, name, f"the largest pool, {name}, has {largest:,}"


def _bounded(switch: DbSwitch) -> int:
    table = hardware_of(switch).table
    known = (table is not None and table.buffer_bytes) or _largest_pool(switch)[0]
    return len(_reserved(switch)) if known else 0


@rule("NP886", "more headroom than the switch has buffer", on=DbSwitch, counts=_bounded)
def pools(switch: DbSwitch) -> Iterator[RowFinding]:
    """The headroom reserved by all lossless priority groups plus the ingress pool exceeds the packet
    buffer of the SKU; for a SKU without data in netplan, the headroom alone exceeds the largest pool.

    **Why.** Without a shared headroom pool, headroom is not part of the ingress pool but uses the same
    memory. What does not fit is rejected, so some ports have PFC without headroom; which ones depends on
    the order in which they come up.

    **Fix.** Use fewer lossless priorities or ports, shorter cables, a smaller ingress pool, or a SKU with
    a shared headroom pool.

    **Source.** sonic-net/SONiC 98de38fd doc/qos/dynamically-headroom-calculation.md and
    reclaim-reserved-buffer.md; sonic-net/sonic-buildimage 086b03bd device/*/buffers_defaults_t0.j2 and _t1.j2
    (pool sizes), pg_profile_lookup.ini.
    """
    sizes, (room, pool, has) = _reserved(switch), _room(switch)
    if _bounded(switch) and sum(sizes) > room:
        message = f"{len(sizes)} lossless priority groups reserve {sum(sizes):,} bytes of headroom, {has}"
        hint = "use fewer lossless priorities or ports, or shorter cables"
        yield RowFinding(switch.spot("BUFFER_POOL", pool, "size"), message, hint)


@dataclass(frozen=True, slots=True)
class Use:
    """Rows of one table that use one buffer profile: ``keys`` of ``table``. ``direction``: type of the
    profile's pool."""

    pool: str
    direction: str
    profile: str
    table: str
    keys: list[str]

    @property
    def wrong(self) -> bool:
        return self.direction != USES[self.table][1]

    def __str__(self) -> str:
        _, direction, what = USES[self.table]
        return f"{what} ({self.table} {listed(self.keys)}) needs an {direction} pool"


def _uses(switch: DbSwitch) -> list[Use]:
    """Those whose pool states its direction."""
    found: dict[tuple[str, str], list[str]] = {}
    for table, (field, _, _) in USES.items():
        for key in switch.keys(table):
            for name in (switch.text(table, key, field) or "").split(","):
                found.setdefault((plain_name(name.strip()), table), []).append(key)
    uses = []
    for (profile, table), keys in found.items():
        pool = pool_of(switch, profile)
        direction = switch.text("BUFFER_POOL", pool, "type")
        if direction in ("ingress", "egress"):
            uses.append(Use(pool, direction, profile, table, keys))
    return uses


def wrong_direction(switch: DbSwitch, profile: str, known: bool) -> bool:
    """Whether a priority group's profile is in an egress pool, on a switch that refuses it. ``known``:
    whether its ASIC is."""
    refuses = known or _refuses(switch)
    return refuses and switch.text("BUFFER_POOL", pool_of(switch, profile), "type") == "egress"


def _refuses(switch: DbSwitch) -> bool:
    """Whether buffermgrd, or an ASIC that netplan knows, surely refuses a pool of the other direction."""
    return switch.dynamic or bool(hardware_of(switch).asic)


def is_of_one_pool(switch: DbSwitch) -> bool:
    """Whether an ASIC that netplan does not know shares pools between both directions, as the templates of
    Teralynx SKUs do, which also number priority groups in another way (sonic-net/sonic-buildimage 086b03bd
    device/celestica/x86_64-cel_midstone-r0)."""
    return not _refuses(switch) and any(use.wrong for use in _uses(switch))


def _directed(switch: DbSwitch) -> int:
    return sum(len(use.keys) for use in _uses(switch))


@rule("NP848", "buffer profile in a pool of the other direction or mode", on=DbSwitch, counts=_directed)
def directions(switch: DbSwitch) -> Iterator[RowFinding]:
    """Priority groups and ingress profile lists take their buffer from a pool of type `ingress`, queues and
    egress profile lists from one of type `egress`. Where all profiles of a pool say otherwise, the pool is
    named. On an NVIDIA switch a profile with `dynamic_th` is in a pool of mode dynamic, one with `static_th`
    in one of mode static; other ASICs mix them.

    **Why.** The ASIC's SAI refuses the profile, in the dynamic buffer model already buffermgrd: "applying
    profile failed". The priority group or queue keeps the default buffer, which is lossy. In the traditional
    model on an ASIC that netplan does not know it is a note: some have one pool for both directions.

    **Fix.** Write a pool of the other direction, or correct the `type` or `mode` of the pool.

    **Source.** Mellanox/SAI-Implementation 07a104bf mlnx_sai/src/mlnx_sai_buffer.c (pg_profile_set: "buffer
    profile attached to PG must be INGRESS buffer"; mlnx_create_buffer_profile: "Dynamic threshold size cannot
    be passed to buffer profile when Input pool is not dynamic"); sonic-net/sonic-swss e6b0c5b5
    cfgmgr/buffermgrdyn.cpp (checkBufferProfileDirection); for the note sonic-net/sonic-buildimage 086b03bd
    device/celestica/x86_64-cel_midstone-r0/Midstone-200i/buffers.json.j2.
    """
    yield from _modes(switch)
    unsure = not _refuses(switch)
    by_pool: dict[str, list[Use]] = {}
    for use in _uses(switch):
        by_pool.setdefault(use.pool, []).append(use)
    for pool, uses in by_pool.items():
        wrong = {use.profile: use for use in reversed(uses) if use.wrong}
        if len(wrong) > 1 and all(use.wrong for use in uses):
            message = f"pool {pool} is of type {uses[0].direction}, but holds {uses[0].profile}: {uses[0]}"
            hint = f"write type {USES[uses[0].table][1]}"
            yield RowFinding(switch.spot("BUFFER_POOL", pool, "type"), message, hint, unsure)
            continue
        for profile, use in reversed(wrong.items()):
            message = f"pool {pool} of BUFFER_PROFILE {profile} is of type {use.direction}, but {use}"
            hint = f"name a pool of type {USES[use.table][1]}"
            yield RowFinding(switch.spot("BUFFER_PROFILE", profile, "pool"), message, hint, unsure)


def _modes(switch: DbSwitch) -> Iterator[RowFinding]:
    """One finding for each pool with profiles of the other mode."""
    other: dict[str, list[str]] = {}
    for key in switch.keys("BUFFER_PROFILE") if hardware_of(switch).is_nvidia else ():
        pool = pool_of(switch, key)
        mode, fields = switch.text("BUFFER_POOL", pool, "mode"), switch.rows("BUFFER_PROFILE")[key].fields
        if mode in _THRESHOLDS and _THRESHOLDS[mode] not in fields and fields.keys() & _THRESHOLDS.values():
            other.setdefault(pool, []).append(key)
    for pool, profiles in other.items():
        mode = switch.text("BUFFER_POOL", pool, "mode") or ""
        stated = next(name for one, name in _THRESHOLDS.items() if one != mode)
        message = f"BUFFER_PROFILE {having(profiles)} {stated}, but pool {pool} is of mode {mode}"
        at = switch.spot("BUFFER_PROFILE", profiles[0], stated)
        yield RowFinding(at, message, f"write {_THRESHOLDS[mode]}, or correct the mode of the pool")


_THRESHOLDS = {"dynamic": "dynamic_th", "static": "static_th"}
"""Mode of a pool -> field of its profiles."""
