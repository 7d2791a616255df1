"""The rule about how much buffer a switch has for headroom."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.graph.config_db.chains import MAX_INDEX
from netplan.graph.config_db.hardware import hardware_of, needed
from netplan.reading.config_db.switch import DbSwitch, plain_name, ports_of, span
from netplan.rules.config_db.buffers import COMPUTED, Group, groups_of
from netplan.rules.config_db.registry import RowFinding, rule


def _reserved(switch: DbSwitch) -> list[int]:
    """Bytes reserved by each lossless priority group for which that is known."""
    paused = {(group.port, group.number) for group in groups_of(switch)}
    sizes = [_size(switch, group) for group in (*groups_of(switch), *_unpaused(switch, paused))]
    return [size for size in sizes if size is not None]


def _size(switch: DbSwitch, group: Group) -> int | None:
    if not group.computed(switch):
        return switch.number("BUFFER_PROFILE", group.profile or "", "size")
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
    names = {
        plain_name(switch.text("BUFFER_PROFILE", group.profile or "", "pool") or "")
        for group in groups_of(switch)
    }
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

    **Source.** sonic-net/SONiC doc/qos/dynamically-headroom-calculation.md and reclaim-reserved-buffer.md;
    sonic-net/sonic-buildimage device/*/buffers_defaults_t0.j2 and _t1.j2 (pool sizes), pg_profile_lookup.ini.
    """
    sizes, (room, pool, has) = _reserved(switch), _room(switch)
    if _bounded(switch) and sum(sizes) > room:
        message = f"{len(sizes)} lossless priority groups reserve {sum(sizes):,} bytes of headroom, {has}"
        hint = "use fewer lossless priorities or ports, or shorter cables"
        yield RowFinding(switch.spot("BUFFER_POOL", pool, "size"), message, hint)
