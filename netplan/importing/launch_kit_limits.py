"""How many nodes a ``cluster-config.yaml`` takes out of service at once.

Before release 26.1 k8s-launch-kit writes ``maintenance.maxUnavailable`` into the SriovNetworkPoolConfig
(NVIDIA/k8s-launch-kit profiles/sriov-ethernet-rdma/35-sriovnetworkpoolconfig.yaml 9e06c30e), as
``cluster.maintenance.max_unavailable`` is; from then on it is a limit of the Maintenance Operator.
"""

from __future__ import annotations

from collections.abc import Iterator

from netplan.importing.facts import Fact
from netplan.importing.kubernetes.objects import Reader
from netplan.importing.launch_kit_operator import operator_facts
from netplan.model.values import whole

_AT = ("maintenance", "maxUnavailable")
_OPERATOR = (26, 1)
"""First release whose Maintenance Operator has the limits."""


def limit_facts(read: Reader) -> Iterator[Fact]:
    if read.text("profile", "deployment") != "sriov" or not _before_operator(read):
        return
    if most := read.text(*_AT):
        number = whole(most, 5)
        stated = most if number is None else number  # or a percentage
        yield read.fact("cluster", (), "maintenance/max_unavailable", stated, *_AT)


def _before_operator(read: Reader) -> bool:
    facts = (fact for fact in operator_facts(read) if fact.field == "release")
    release = next((str(fact.value) for fact in facts), "")
    parts = release.split(".")
    numbers = [whole(part, 5) for part in parts]
    return len(parts) == 2 and (numbers[0] or 99, numbers[1] or 0) < _OPERATOR
