"""Labels of nodes: which of them select the nodes of a kind, and no others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from itertools import combinations

from netplan.importing.cards import label_of
from netplan.importing.facts import Said, Site, Value

Selector = tuple[tuple[str, Said], ...]
"""Labels that a node has to have, all of them."""
_COMBINED = 12
"""Labels that are tried in pairs: it bounds the work that a dump can cause."""
_PASSED = (
    "kubernetes.io/",
    "beta.kubernetes.io/",
    "node.kubernetes.io/",
    "topology.kubernetes.io/",
    "failure-domain.beta.kubernetes.io/",
    "node-role.kubernetes.io/",
    "feature.node.kubernetes.io/",
    "nvidia.com/",
    "sriovnetwork.openshift.io/",
    "network.nvidia.com/",
)
"""Labels that Kubernetes, operators and feature discovery set themselves."""
_SECOND = (
    "node.kubernetes.io/instance-type",
    "nvidia.com/gpu.machine",
    "nvidia.com/gpu.product",
    "nvidia.kubernetes-launch-kit.machine",
    "nvidia.kubernetes-launch-kit.gpu",
    "nvidia.com/gpu.present",
)
"""Those of them that distinguish kinds of machines, best first."""
_ROLE = "node-role.kubernetes.io/"
"""Roles that people give to nodes, mostly with an empty value; selectors of policies use them."""
_CONTROL = frozenset(f"{_ROLE}{name}" for name in ("control-plane", "controlplane", "master", "etcd"))
NO_INSTANCE_TYPE = frozenset({"k3s", "rke2"})
"""Names that these distributions report as the instance type: that of their own program (k3s-io/k3s 17f1aa36
pkg/cloudprovider/instances.go, InstanceType; rancher/rke2 0239a8a0 scripts/build-binary, version.Program)."""


@dataclass(frozen=True, slots=True)
class Labels:
    """``holders``: number of nodes with each label. ``selecting``: keys by which policies and device plugins
    select nodes today."""

    holders: Counter[tuple[str, Value]]
    selecting: frozenset[str]


def labels_of(site: Site) -> Labels:
    nodes, resources = site.every("node"), site.every("resource")
    return Labels(
        Counter((key, said.value) for of in nodes for key, said in site.prefixed("node", of, "label/")),
        frozenset(key for of in resources for key, _ in site.prefixed("resource", of, "label/")),
    )


def selector_of(site: Site, nodes: list[str], labels: Labels, control: bool = False) -> Selector:
    """A label that exactly these nodes have, else two; preferably one that selects them today, then one that
    people set. ``control``: or, at last, a role of the control plane. Empty if no labels do."""
    first = dict(site.prefixed("node", (nodes[0],), "label/"))
    keys = _shared(site, nodes, labels, control)
    single = (key for key in keys if labels.holders[key, first[key].value] == len(nodes))
    if (key := next(single, None)) is not None:
        return ((key, first[key]),)
    pairs = (((one, first[one]), (other, first[other])) for one, other in combinations(keys[:_COMBINED], 2))
    return next((pair for pair in pairs if _count(site, pair) == len(nodes)), ())


def _shared(site: Site, nodes: list[str], labels: Labels, control: bool) -> list[str]:
    """Labels with one value on all these nodes, the best first."""
    ranks = {}
    for key, said in site.prefixed("node", (nodes[0],), "label/"):
        rank = _rank(key, labels.selecting)
        if rank is None and control and key in _CONTROL:
            rank = 2 + len(_SECOND)
        if rank is not None and said.value not in NO_INSTANCE_TYPE:
            ranks[key] = rank
    first = {key: label_of(site, nodes[0], key) for key in ranks}
    found = [key for key in ranks if all(label_of(site, node, key) == first[key] for node in nodes)]
    return sorted(found, key=lambda key: (ranks[key], key))


def _count(site: Site, selector: Selector) -> int:
    """Number of nodes that it selects."""
    wanted = {key: said.value for key, said in selector}
    nodes = (of[0] for of in site.every("node"))
    return sum(all(label_of(site, node, key) == value for key, value in wanted.items()) for node in nodes)


def _rank(key: str, selecting: Container[str]) -> int | None:
    """None for a label that does not describe the kind of machine."""
    if key in selecting and key != "kubernetes.io/hostname":
        return -1
    if key in _SECOND:
        return 2 + _SECOND.index(key)
    if key.startswith(_ROLE) and key not in _CONTROL:
        return 1
    return 0 if is_set_by_people(key) and "topology" not in key else None


def is_set_by_people(key: str) -> bool:
    """Whether neither Kubernetes nor an operator sets the label."""
    return not key.startswith(_PASSED)
