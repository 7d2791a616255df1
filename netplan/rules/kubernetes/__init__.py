"""The rules for Kubernetes objects, anybody's and netplan's own; importing an area registers its rules."""

from netplan.rules.kubernetes import (  # noqa: F401  importing a module registers its rules
    annotation,
    arp,
    claims,
    counts,
    devices,
    hcas,
    launchers,
    names,
    networks,
    nodes,
    operators,
    plugin_configs,
    plugins,
    pods,
    policies,
    pools,
    rails,
    routers,
    shape,
    whereabouts,
)
