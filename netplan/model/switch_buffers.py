"""A switch's buffer rows as its image writes them, and the patch that adapts them to the fabric."""

from __future__ import annotations

from netplan.records import dataclass

Range = tuple[int, int]
"""First and last queue or priority group of a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StockBuffers:
    """What the image of a SKU writes for each port.

    ``lossless_queues`` and ``lossy_queues``: rows of BUFFER_QUEUE with the profiles ``lossless`` and
    ``lossy``. ``groups``: rows of BUFFER_PG with headroom.
    """

    lossless: str
    lossy: str
    lossless_queues: tuple[Range, ...]
    lossy_queues: tuple[Range, ...]
    groups: tuple[Range, ...]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PatchOperation:
    """An RFC 6902 operation on a port's row; its path is /TABLE/PORT and ``rest``.

    Its value is ``text``, or the fields of ``row``; neither for a removal.
    """

    op: str
    table: str
    rest: str
    text: str
    row: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferPatch:
    """``required``: lossless priorities whose queue may drop in the image's tables. ``surplus``: priorities
    that are lossless there and not in the inventory. ``unknown``: the SKU's tables are not known, so nothing
    can be patched.

    ``groups``: ends of the keys of BUFFER_PG rows with headroom; they and ``operations`` are the same on
    every lossless port.
    """

    required: tuple[int, ...]
    surplus: tuple[int, ...]
    unknown: bool
    groups: tuple[str, ...]
    operations: tuple[PatchOperation, ...]

    @property
    def written(self) -> bool:
        return bool(self.operations)


NO_PATCH = BufferPatch(required=(), surplus=(), unknown=False, groups=(), operations=())
