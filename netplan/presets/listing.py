"""The table of presets: what each one is, and why some cannot be written yet."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from netplan.presets.systems import System, Systems

_WIDTH = 110


def preset_lines(systems: Systems) -> Iterator[str]:
    rows = sorted(systems.hosts.values(), key=lambda row: row.name)
    ready = [row for row in rows if not row.lacks]
    width = max((len(row.name) for row in rows), default=0)
    yield "Presets, for netplan init --preset NAME --hosts N:"
    for row in ready:
        yield f"  {row.name:<{width}}  {row.title}"
        yield f"  {'':<{width}}  {_facts(row)}"
    yield ""
    yield "Known, but not expressible yet:"
    for row in rows:
        if row.lacks:
            yield from _reason(f"{row.name:<{width}}  {row.title}", row.lacks, row.instead, width)
    for switch in sorted(systems.unsupported.values(), key=lambda row: row.name):
        yield from _reason(f"{switch.name:<{width}}  {switch.title}", switch.reason, switch.instead, width)
    yield ""
    yield "Switch models, for --leaf and --spine: netplan explain models"


def _facts(row: System) -> str:
    pci = "PCI addresses known" if row.pci else "PCI addresses by --pci, or --netdev"
    if row.instance_type:
        pci = row.instance_type
    counted = (
        f"{row.gpus} x {row.gpu_resource}, {row.count} x {' or '.join(row.hcas)} at {row.speed_gbps} Gb/s"
    )
    return f"{counted}; {', '.join(row.fabrics)}; {pci}"


def _reason(head: str, reason: str, instead: str, width: int) -> Iterator[str]:
    yield f"  {head}"
    indent = " " * (width + 4)
    for text in (reason, f"instead: {instead}"):
        yield from textwrap.wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=indent)
