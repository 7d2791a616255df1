"""The questions of ``netplan init --preset``, each an option."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from netplan.records import dataclass

Segment = Literal["leaf", "host"]
NO_SPINE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Zero or an empty text means not given: the preset decides.

    ``oversubscription``: highest ratio of a leaf's host bandwidth to its uplink bandwidth. ``pci``: addresses
    in the order of the rails; ``netdev``: a ranged interface name. ``supernet``: range of the rails.
    ``host_table``: neighbour entries of a switch; ``queue_bytes``: memory of a lossless queue, for a NOS with
    ECN thresholds in percent of it.
    """

    preset: str
    site: str
    hosts: int
    rails: int = 0
    leaf: str = ""
    spine: str = ""
    spines: int = 0
    oversubscription: Fraction = Fraction(1)
    nos: str = ""
    fabric: str = ""
    hca: str = ""
    segment: Segment | None = None
    hosts_per_leaf: int = 0
    rails_per_leaf: int = 1
    uplink_gbps: int = 0
    pci: tuple[str, ...] = ()
    netdev: str = ""
    vfs: int = 0
    host_table: int = 0
    queue_bytes: int = 0
    supernet: str = ""
