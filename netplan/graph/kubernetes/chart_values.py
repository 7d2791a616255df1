"""What Helm values say of resources: which there are, as the chart of the NVIDIA Network Operator wrote its
policy up to 24.7, and the prefix of those of the SR-IOV operator."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import ANY
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.reading.kubernetes.tree import ObjectTree

_PREFIXES = {"devicePlugin": "rdma", "rdmaSharedDevicePlugin": "rdma", "sriovDevicePlugin": "nvidia.com"}
"""Section of the values -> prefix of its resources (Mellanox/network-operator v0.4.0 and v1.4.0
deployment/network-operator/templates/mellanox.com_v1alpha1_nicclusterpolicy_cr.yaml; ``devicePlugin``:
Mellanox/kubernetes-ci nic_operator_helm/yaml/values.yaml)."""
_CHARTS: tuple[Path, ...] = ((), ("network-operator",))
"""Where the chart's values are: in a file of its own, or as a dependency."""


def resources_of_values(values: Thing) -> Iterator[tuple[str, Path]]:
    """Full name of each resource, and where it is named; none of a section that is not deployed."""
    for chart in _CHARTS:
        for section, prefix in _PREFIXES.items():
            at = (*chart, section, "resources")
            if inside(values.body, (*chart, section, "deploy")) is False:
                continue
            for index, row in enumerate(listing(inside(values.body, at))):
                name = mapping(row).get("name")
                if isinstance(name, str) and not templated(name):
                    yield f"{prefix}/{name}", (*at, index, "name")


def resources_by_values(tree: ObjectTree) -> tuple[dict[str, Thing], frozenset[str]]:
    """Resource -> the values that state it; and those of defaults, in the chart's own folder, which a user
    may replace."""
    stated: dict[str, Thing] = {}
    defaults: set[str] = set()
    for values in tree.values:
        names = [name for name, _ in resources_of_values(values)]
        if posixpath.join(posixpath.dirname(values.file), "Chart.yaml") in tree.paths:
            defaults.update(names)
        else:
            stated = {**dict.fromkeys(names, values), **stated}
    return stated, frozenset(defaults)


def operator_prefix(tree: ObjectTree, asked: Collection[str]) -> str:
    """Resource prefix of the SR-IOV operator: a value of the chart that installs it. In a folder that is not
    above the policies it may be that of another setup, if nothing of the tree asks for such a resource.

    ``asked``: resources that pods and networks name."""
    places = (("sriov-network-operator", "operator", "resourcePrefix"), ("operator", "resourcePrefix"))
    stated = [(inside(values.body, place), values.file) for values in tree.values for place in places]
    folders = {prefix: posixpath.dirname(file) for prefix, file in stated if isinstance(prefix, str)}
    if len(folders) != 1:
        return ANY
    ((prefix, folder),) = folders.items()
    policies = [p for p in tree.things if p.kind == "SriovNetworkNodePolicy"]
    below = all(not folder or policy.file.startswith(f"{folder}/") for policy in policies)
    used = any(f"{prefix}/{p.spec.get('resourceName')}" in asked for p in policies)
    return prefix if (below or used) and not templated(prefix) else ANY
