"""Keys of a ``cluster-config.yaml`` that shape the cluster and that no key of an inventory takes.

What they mean: NVIDIA/k8s-launch-kit docs/reference/configuration.md 0713a6aa. A key that is false, 0 or
empty changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Remark, not_taken
from netplan.importing.kubernetes.left import NO_KEY
from netplan.importing.kubernetes.objects import Reader

_SECTIONS: Mapping[str, frozenset[str]] = {
    "docaDriver": frozenset({"enable", "version"}),
    "maintenance": frozenset(),
    "nvIpam": frozenset({"subnets", "startingSubnet", "mask", "offset"}),
    "profile": frozenset({"fabric", "deployment", "multirail", "spectrumX"}),
    "nicConfigurationOperator": frozenset({"rdmaPrefix", "netdevPrefix"}),
}
"""Section -> keys that are read elsewhere or count only with another one: a list of subnets replaces those
that are counted, and prefixes are of the template."""
_PRIORITY = "policies of netplan do not overlap"
_OTHER = "state what is to hold in cluster.maintenance"
_WHY: Mapping[str, str] = {
    "maintenance": "a limit of the Maintenance Operator, which an inventory does not have",
    "maintenance.maxUnavailable": _OTHER,
    "maintenance.maxParallelUpgrades": _OTHER,
    "nvIpam.exclusions": "state in rails.reserved what of them is in the subnets of the rails",
    "nicConfigurationOperator.deployNicInterfaceNameTemplate": "names of interfaces are those of the cards",
}


def left_keys(read: Reader, single: bool) -> Iterator[Remark]:
    """``single``: one group; subnets of several are told as a whole."""
    for section, known in _SECTIONS.items():
        for key in read.names(section) if single or section != "nvIpam" else ():
            path = (section, key)
            if key not in known and path not in read.seen and read.value(*path):
                why = _WHY.get(f"{section}.{key}", _WHY.get(section, NO_KEY))
                yield not_taken(read.at(*path), f"{section}.{key}", read.shown(path), why)
    if read.text("profile", "deployment") == "sriov" and read.number("sriov", "priority"):
        path = ("sriov", "priority")
        yield not_taken(read.at(*path), "sriov.priority", read.shown(path), _PRIORITY)
