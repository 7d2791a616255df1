"""What a preset is asked for: the questions of ``netplan init --preset``, each one an option."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from netplan.records import dataclass

Segment = Literal["leaf", "host"]
NO_SPINE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Zero and the empty text: not given, the preset decides.

    ``oversubscription``: bandwidth of a leaf's host ports to that of its uplinks, at most. ``pci``: addresses
    in the order of the rails; ``netdev``: a ranged name of the interfaces. ``supernet``: range of the rails.
    ``host_table``: neighbour entries of a switch;
    ``queue_bytes``: memory of a lossless queue, for a NOS that takes ECN thresholds in percent of it.
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
