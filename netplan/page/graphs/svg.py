"""SVG 1.1 with colours as attributes, so that it looks the same in any page or document."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import sqrt

from netplan.page.graphs.model import FILLS, GAP, LINE, NODE_HIGH, TEXT, Graph, Node

_COLOURS = ("#0b5cad", "#1d7a3a", "#a3510b", "#7a3aa8", "#a8244f", "#0c7780")
_FONT = 'font-family="Helvetica, Arial, sans-serif"'
_LEGEND = 20
_LETTER = 0.56
"""Approximate width of a character relative to its size."""


def svg(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    wide, high = graph.wide + 2 * GAP, graph.high + 2 * GAP + _LEGEND
    box, size = f"{-GAP} {-GAP} {wide} {high}", f'width="{wide}" height="{high}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" {size} role="img">'
    yield f"<title>Topology of {escape(graph.name)}</title>"
    yield f'<rect x="{-GAP}" y="{-GAP}" {size} fill="#ffffff"/>'
    where, half = {node.id: node for node in graph.nodes}, graph.node_wide // 2
    speeds = sorted({edge.gbps for edge in graph.edges}, reverse=True)
    for edge in graph.edges:
        below, above = where[edge.lower], where[edge.upper]
        colour = _COLOURS[speeds.index(edge.gbps) % len(_COLOURS)]
        yield (
            f'<line x1="{below.x + half}" y1="{below.y}" x2="{above.x + half}" '
            f'y2="{above.y + NODE_HIGH}" stroke="{colour}" stroke-opacity="0.5" '
            f'stroke-width="{min(8.0, 1 + sqrt(edge.cables) / 2):.1f}">'
            f"<title>{escape(edge.label)}</title></line>"
        )
    for node in graph.nodes:
        yield from _node(node, graph.node_wide)
    for index, gbps in enumerate(speeds):
        x, words = index * 110, f"{'/'.join(map(str, gbps))} Gb/s"
        colour = _COLOURS[index % len(_COLOURS)]
        yield f'<rect x="{x}" y="{graph.high + 14}" width="22" height="5" fill="{colour}"/>'
        yield f'<text x="{x + 28}" y="{graph.high + 20}" font-size="11" {_FONT} fill="{TEXT}">{words}</text>'
    yield "</svg>"


def _node(node: Node, wide: int) -> Iterator[str]:
    yield (
        f'<rect x="{node.x}" y="{node.y}" width="{wide}" height="{NODE_HIGH}" rx="5" '
        f'fill="{FILLS[node.tier]}" stroke="{LINE}"/>'
    )
    step = 14
    first = node.y + NODE_HIGH // 2 - (len(node.lines) - 1) * step // 2 + 4
    for index, line in enumerate(node.lines):
        size = min(11.0, wide / max(1, len(line)) / _LETTER - 0.5)
        at = f'x="{node.x + wide // 2}" y="{first + index * step}"'
        look = f'font-size="{size:.1f}" {_FONT} text-anchor="middle" fill="{TEXT}"'
        yield f"<text {at} {look}>{escape(line)}</text>"
