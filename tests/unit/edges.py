"""Objects as a graph, for tests of single facts."""

from __future__ import annotations

from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.gather import cluster_of
from netplan.model.artifact import Artifact
from netplan.verify.read import read


def things(texts: dict[str, str]) -> ObjectGraph:
    files = [Artifact(name, text, "kubernetes") for name, text in texts.items()]
    return cluster_of(read(files).tree, {}, whole=True)
