"""The rules for objects that others wrote; importing an area registers its rules."""

from netplan.rules.kubernetes import (  # noqa: F401  importing a module registers its rules
    annotation,
    claims,
    hcas,
    launchers,
    names,
    networks,
    operators,
    plugin_configs,
    pods,
    policies,
    pools,
    rails,
    shape,
    whereabouts,
)
