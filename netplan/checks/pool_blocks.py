"""Blocks that nv-ipam cuts an IPPool into, one for each node, and what exclusions leave of them."""

from __future__ import annotations

from collections import Counter

from netplan.model.kubernetes import Pool
from netplan.model.plan import Plan
from netplan.model.spans import Span, merged
from netplan.model.values import usable

PASSES_OVER = (26, 1)
"""First release of the Network Operator whose nv-ipam passes over a block that is excluded as a whole
(Mellanox/nvidia-k8s-ipam 38e18b6, pkg/ipam-controller/allocator/allocator.go, in network-operator-v26.1.0
and v0.4.0, not in v0.3.7). Before it a node gets the block, and its pods get no address."""


def passes_over(plan: Plan) -> bool:
    """Whether the stated release does; of nv-ipam alone no inventory states the version."""
    operator = plan.fabric.cluster.network_operator
    return operator is not None and operator.release >= PASSES_OVER


def block_count(pool: Pool, skipping: bool) -> int:
    """Blocks that nodes may get."""
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
    """Numbers of the blocks that are excluded as a whole, first and last. The gateway is no exclusion."""
    base, size, blocks = _base(pool), pool.block_size, _blocks(pool)
    numbers = (
        (-(-max(low - base, 0) // size), min((high - base + 1) // size, blocks) - 1)
        for low, high in merged(_excluded(pool))
    )
    return [(first, last) for first, last in numbers if first <= last]


def fullest_block(pool: Pool, skipping: bool) -> tuple[int, int]:
    """(number, addresses for pods) of the block that gateway and exclusions leave the fewest in."""
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
    """Blocks from first to last that one of so many nodes has: the first ones, without those passed over."""
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
