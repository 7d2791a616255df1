"""Per-node blocks of an nv-ipam IPPool, and the addresses that exclusions leave in them."""

from __future__ import annotations

from collections import Counter

from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.model.spans import Span, merged
from netplan.model.values import usable

PASSES_OVER = (26, 1)
"""First release of the Network Operator whose nv-ipam skips a fully excluded block (Mellanox/nvidia-k8s-ipam
38e18b6, pkg/ipam-controller/allocator/allocator.go, in network-operator-v26.1.0 and v0.4.0, not in v0.3.7).
Earlier releases assign the block to a node, and its pods get no address."""


def passes_over(plan: Plan) -> bool:
    """Whether the stated release skips fully excluded blocks; false for nv-ipam without the Network Operator,
    as the inventory has no version of it."""
    operator = plan.fabric.cluster.network_operator
    return operator is not None and operator.release >= PASSES_OVER


def block_count(pool: Pool, skipping: bool) -> int:
    """Number of blocks available to nodes."""
    whole = _whole(pool) if skipping else []
    return _blocks(pool) - sum(last - first + 1 for first, last in whole)


def _blocks(pool: Pool) -> int:
    first, last = usable(pool.network)
    return (last - first + 1) // pool.block_size


def _base(pool: Pool) -> int:
    return int(pool.network.first) + usable(pool.network)[0]


def _excluded(pool: Pool) -> list[Span]:
    return [(int(first), int(last)) for first, last in pool.exclusions]


def _whole(pool: Pool) -> list[Span]:
    """Fully excluded blocks as (first, last) block numbers. The gateway does not count as an exclusion."""
    base, size, blocks = _base(pool), pool.block_size, _blocks(pool)
    numbers = (
        (-(-max(low - base, 0) // size), min((high - base + 1) // size, blocks) - 1)
        for low, high in merged(_excluded(pool))
    )
    return [(first, last) for first, last in numbers if first <= last]


def fullest_block(pool: Pool, skipping: bool) -> tuple[int, int]:
    """(number, addresses for pods) of the block with the fewest addresses beside gateway and exclusions."""
    base, size = _base(pool), pool.block_size
    whole = _whole(pool) if skipping else []
    taken = _excluded(pool)
    if pool.gateway is not None:
        taken.append((int(pool.gateway), int(pool.gateway)))
    nodes = min(pool.nodes, block_count(pool, skipping))
    lost: Counter[int] = Counter()
    for low, high in merged(taken):
        first, last = max(low - base, 0), high - base
        for block in _given(first // size, last // size, nodes, whole):
            start = block * size
            lost[block] += min(last, start + size - 1) - max(first, start) + 1
    worst = max(sorted(lost), key=lambda block: lost[block], default=0)
    return worst, size - lost[worst]


def _given(first: int, last: int, nodes: int, whole: list[Span]) -> list[int]:
    """Block numbers from ``first`` to ``last`` that nodes get: ``nodes`` blocks are assigned in order, those
    in ``whole`` skipped."""
    end, at = nodes - 1, first
    found: list[int] = []
    for low, high in whole:
        if low > end:
            break
        end += high - low + 1
    for low, high in [*whole, (last + 1, last + 1)]:
        found += range(at, min(low - 1, last, end) + 1)
        at = max(at, high + 1)
    return found
