"""Drawings of the topology, each read back by a parser of its format."""

from __future__ import annotations

import re
from collections import Counter
from xml.etree import ElementTree

import pytest

from netplan.model.plan import Plan
from netplan.page.graphs import FORMATS, draw
from netplan.page.graphs.model import Graph, graph_of
from tests.inventories import compiled

NAMES = ("iei-rocev2", "multi-vendor", "eks-efa", "l3-to-host")
_SVG = "{http://www.w3.org/2000/svg}"


def plan_of(name: str) -> Plan:
    plan = compiled(name).plan
    assert plan is not None
    return plan


def cables(graph: Graph) -> Counter[tuple[str, str]]:
    return Counter({(edge.upper, edge.lower): edge.cables for edge in graph.edges})


def of_dot(text: str) -> tuple[set[str], Counter[tuple[str, str]]]:
    """Nodes and edges of a DOT text in the subset that netplan writes: each line has one of these forms."""
    string = r'"(?:[^"\\]|\\.)*"'
    rest = re.compile(rf"graph {string} \{{|  rankdir=.*;|  (?:node|edge) \[.*\];|  \{{ rank=same;|  \}}|\}}")
    nodes, edges = set(), Counter[tuple[str, str]]()
    for line in text.splitlines():
        if node := re.fullmatch(rf'    (\w+) \[label={string} fillcolor="#\w+"\];', line):
            nodes.add(node[1])
        elif edge := re.fullmatch(r'  (\w+) -- (\w+) \[label="(\d+) x [\d/]+G"\];', line):
            edges[edge[1], edge[2]] += int(edge[3])
        else:
            assert rest.fullmatch(line), line
    return nodes, edges


def of_mermaid(text: str) -> tuple[set[str], Counter[tuple[str, str]]]:
    """The same for a Mermaid flowchart: node and edge with a quoted label, class and classDef."""
    first, *lines = text.splitlines()
    assert first == "flowchart TB"
    nodes, edges = set(), Counter[tuple[str, str]]()
    for line in lines:
        if node := re.fullmatch(r'  (\w+)\["([^"]*)"\]', line):
            assert not re.search(r"[<>&]", node[2].replace("<br/>", ""))
            nodes.add(node[1])
        elif edge := re.fullmatch(r'  (\w+) ---\|"(\d+) x [\d/]+G"\| (\w+)', line):
            edges[edge[1], edge[3]] += int(edge[2])
        else:
            assert re.fullmatch(
                r"  class [\w,]+ \w+|  classDef \w+ fill:#\w+,stroke:#\w+,color:#\w+", line
            ), line
    return nodes, edges


def of_drawio(text: str) -> tuple[set[str], Counter[tuple[str, str]]]:
    cells = list(ElementTree.fromstring(text.encode()).iter("mxCell"))
    numbers = [cell.get("id") for cell in cells]
    assert len(numbers) == len(set(numbers))
    nodes = {str(cell.get("id")) for cell in cells if cell.get("vertex")}
    edges = Counter[tuple[str, str]]()
    for cell in cells:
        if cell.get("edge"):
            edges[str(cell.get("source")), str(cell.get("target"))] += int(str(cell.get("value")).split()[0])
    return nodes, edges


@pytest.mark.parametrize("detail", ["pods", "switches", "hosts"])
@pytest.mark.parametrize("name", NAMES)
def test_every_format_has_every_node_and_cable(name, detail):
    plan = plan_of(name)
    graph = graph_of(plan, detail)
    wanted = {node.id for node in graph.nodes}, cables(graph)
    assert of_dot(draw(plan, "dot", detail)) == wanted
    assert of_mermaid(draw(plan, "mermaid", detail)) == wanted
    assert of_drawio(draw(plan, "drawio", detail)) == wanted
    drawn = ElementTree.fromstring(draw(plan, "svg", detail))
    assert len(drawn.findall(f"{_SVG}line")) == len(graph.edges)
    said = [text.text for text in drawn.iter(f"{_SVG}text")]
    assert Counter(line for node in graph.nodes for line in node.lines) <= Counter(said)


@pytest.mark.parametrize("name", NAMES)
def test_no_cable_is_lost(name):
    fabric = plan_of(name).fabric
    whole = len(fabric.host_links) + len(fabric.switch_links)
    for detail in ("switches", "hosts"):
        assert cables(graph_of(plan_of(name), detail)).total() == whole
    assert cables(graph_of(plan_of(name), "pods")).total() == len(fabric.switch_links)


def test_nodes_do_not_overlap():
    for detail in ("pods", "switches", "hosts"):
        graph = graph_of(plan_of("multi-vendor"), detail)
        assert len({(node.x, node.y) for node in graph.nodes}) == len(graph.nodes)
        assert all(0 <= node.x < graph.wide and 0 <= node.y < graph.high for node in graph.nodes)


def test_what_is_markup_in_a_format_is_escaped():
    plan = plan_of("iei-rocev2")
    graph = graph_of(plan, None)
    hostile = 'a"b<c>&#\\d'
    nodes = tuple(type(n)(id=n.id, tier=n.tier, lines=(hostile,), x=n.x, y=n.y) for n in graph.nodes)
    odd = Graph(name=hostile, nodes=nodes, edges=graph.edges, wide=9, high=9, node_wide=9)
    assert of_dot(FORMATS["dot"](odd))[0] == of_mermaid(FORMATS["mermaid"](odd))[0]
    cell = next(
        c for c in ElementTree.fromstring(FORMATS["drawio"](odd).encode()).iter("mxCell") if c.get("vertex")
    )
    assert cell.get("value") == hostile
    drawn = ElementTree.fromstring(FORMATS["svg"](odd))
    assert drawn.findtext(f"{_SVG}title") == f"Topology of {hostile}"
