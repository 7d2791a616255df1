"""The topology for documents: nodes in tiers, lines between them, and a writer for each format."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from netplan.model.plan import Plan
from netplan.page.graphs.dot import dot
from netplan.page.graphs.drawio import drawio
from netplan.page.graphs.mermaid import mermaid
from netplan.page.graphs.model import Graph, graph_of
from netplan.page.graphs.svg import svg

FORMATS: Mapping[str, Callable[[Graph], str]] = {"svg": svg, "dot": dot, "mermaid": mermaid, "drawio": drawio}


def draw(plan: Plan, form: str, detail: str | None = None) -> str:
    """``form``: of ``FORMATS``. ``detail``: pods, switches or hosts; None picks what stays readable."""
    return FORMATS[form](graph_of(plan, detail))
