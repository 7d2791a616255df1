"""Number of flows NCCL opens per connection, which the ECMP hash of the switches spreads over paths."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.model.fabric import Fabric
from netplan.model.hardware import Switch
from netplan.model.workloads import EnvVar
from netplan.plan.balance import hash_seed
from netplan.plan.env_subject import NCCL, VERBS_FABRICS, Decision, EnvSubject

# linux include/rdma/ib_verbs.h, rdma_calc_flow_label: the UDP source port follows from the two queue pairs
_SPREAD = "Gangidi et al., RDMA over Ethernet for Distributed Training at Meta Scale, SIGCOMM 2024"


def flows(subject: EnvSubject) -> Iterator[Decision]:
    """Only values that the inventory states: more queue pairs cost memory and send rate on the NIC."""
    stated = subject.workload.nccl
    if subject.fabric.type not in VERBS_FABRICS:
        return
    if stated.qps_per_connection is not None:
        count = stated.qps_per_connection
        yield EnvVar(
            name="NCCL_IB_QPS_PER_CONNECTION",
            value=str(count),
            reason=f"{_flows(count)}; {_choice(subject.fabric)}",
            source=f"{NCCL}; {_SPREAD}",
        )
    if stated.split_data_on_qps is not None:
        split = stated.split_data_on_qps
        how = "each message is split over them" if split else "messages take them in turn"
        yield EnvVar(
            name="NCCL_IB_SPLIT_DATA_ON_QPS",
            value=str(int(split)),
            reason=f"where a connection has several queue pairs, {how}",
            source=NCCL,
        )


def _flows(count: int) -> str:
    return "one queue pair, one flow" if count == 1 else f"{count} queue pairs, each a flow of its own"


def _choice(fabric: Fabric) -> str:
    """How the switches of this fabric choose a path."""
    if fabric.type == "infiniband":
        return "switches choose a path by destination, or by load where adaptive routing is on"
    if fabric.adaptive_routing:
        by_load = "switches with adaptive routing choose a path for each packet by load"
        return f"{by_load}, others by a hash of the flow"
    first: dict[str, Switch] = {}
    for link in fabric.switch_links:
        first.setdefault(link.lower.role, link.lower)
        first.setdefault(link.upper.role, link.upper)
    if not first:
        return "the inventory has no switch links to choose among"
    seeds = ", ".join(
        f"seed {hash_seed(switch)} on {role} switches" for role, switch in sorted(first.items())
    )
    return f"switches choose a path by a hash of addresses and UDP ports ({seeds})"
