"""Resources that Helm values make: the chart of the NVIDIA Network Operator wrote its policy up to 24.7."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.diagnostics import Path
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping, templated

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
