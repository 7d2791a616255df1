"""Mermaid flowcharts, which GitHub and GitLab draw: https://mermaid.js.org/syntax/flowchart.html."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.page.graphs.model import FILLS, FRAMES, TEXT, Graph

_ENTITIES = {"#": "#35;", '"': "#quot;", "&": "#amp;", "<": "#lt;", ">": "#gt;"}
"""Entity codes to escape characters, from the page on flowcharts."""


def mermaid(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield "flowchart TB"
    for node in graph.nodes:
        label = "<br/>".join(map(_escaped, node.lines))
        yield f'  {node.id}["{label}"]'
    for edge in graph.edges:
        yield f'  {edge.upper} ---|"{_escaped(edge.label)}"| {edge.lower}'
    for tier in dict.fromkeys(node.tier for node in graph.nodes):
        members = ",".join(node.id for node in graph.nodes if node.tier == tier)
        yield f"  class {members} {tier}"
    for tier, fill in FILLS.items():
        yield f"  classDef {tier} fill:{fill},stroke:{FRAMES[tier]},color:{TEXT}"


def _escaped(text: str) -> str:
    return "".join(_ENTITIES.get(character, character) for character in text)
