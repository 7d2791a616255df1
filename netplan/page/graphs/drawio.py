"""draw.io (diagrams.net): an mxfile with uncompressed mxGraph cells, which its editor opens and edits.

Form: https://j2r2b.github.io/2019/08/01/drawio-decompressed-xml.html.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from netplan.page.graphs.model import FILLS, FRAMES, LINE, NODE_HIGH, Graph

_STYLES = {
    tier: f"rounded=1;html=0;whiteSpace=wrap;fillColor={fill};strokeColor={FRAMES[tier]};fontSize=11;"
    for tier, fill in FILLS.items()
}
_CABLE = f"endArrow=none;html=0;rounded=0;strokeColor={LINE};fontSize=9;labelBackgroundColor=#ffffff;"


def drawio(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<mxfile host="netplan">'
    yield f'  <diagram id="topology" name="{_attribute(graph.name)}">'
    yield f'    <mxGraphModel grid="0" page="0" pageWidth="{graph.wide}" pageHeight="{graph.high}">'
    yield "      <root>"
    yield '        <mxCell id="0"/>'
    yield '        <mxCell id="1" parent="0"/>'
    for node in graph.nodes:
        label = _attribute("\n".join(node.lines))
        place = f'x="{node.x}" y="{node.y}" width="{graph.node_wide}" height="{NODE_HIGH}"'
        yield (
            f'        <mxCell id="{node.id}" value="{label}" style="{_STYLES[node.tier]}" vertex="1" '
            f'parent="1"><mxGeometry {place} as="geometry"/></mxCell>'
        )
    for number, edge in enumerate(graph.edges, 1):
        ends = f'source="{edge.upper}" target="{edge.lower}"'
        yield (
            f'        <mxCell id="cable{number}" value="{_attribute(edge.label)}" style="{_CABLE}" edge="1" '
            f'parent="1" {ends}><mxGeometry relative="1" as="geometry"/></mxCell>'
        )
    yield "      </root>"
    yield "    </mxGraphModel>"
    yield "  </diagram>"
    yield "</mxfile>"


def _attribute(text: str) -> str:
    """A line break in an attribute must be a character reference, or it is read as a blank (XML 1.0,
    3.3.3)."""
    return escape(text).replace("\n", "&#10;")
