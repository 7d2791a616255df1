"""Graphviz: https://graphviz.org/doc/info/lang.html."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.page.graphs.model import FILLS, LINE, Graph


def dot(graph: Graph) -> str:
    return "\n".join(_lines(graph)) + "\n"


def _lines(graph: Graph) -> Iterator[str]:
    yield f"graph {_quoted(graph.name)} {{"
    yield "  rankdir=TB; splines=line; ranksep=1.2;"
    yield '  node [shape=box style="rounded,filled" fontname="Helvetica" fontsize=11];'
    yield f'  edge [fontname="Helvetica" fontsize=9 color="{LINE}"];'
    for tier in dict.fromkeys(node.tier for node in graph.nodes):
        yield "  { rank=same;"
        for node in graph.nodes:
            if node.tier == tier:
                label = _quoted("\n".join(node.lines))
                yield f'    {node.id} [label={label} fillcolor="{FILLS[tier]}"];'
        yield "  }"
    for edge in graph.edges:
        yield f"  {edge.upper} -- {edge.lower} [label={_quoted(edge.label)}];"
    yield "}"


def _quoted(text: str) -> str:
    """A double-quoted string; only the quote and the backslash are special in it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
