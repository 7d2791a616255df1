"""NP626 to NP630, NP659, NP660, NP667: stated NCCL settings versus the networks of the workload."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from netaddr import IPNetwork

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.fabric import Fabric, Workload
from netplan.model.plan import Plan
from netplan.model.qos_classes import QosClass
from netplan.model.values import parse_network
from netplan.model.workloads import WorkloadPlan, collective_networks

ECT0 = 2
PKEYS_MAX = 128
"""Entries of a P_Key table (Mellanox/ib-kubernetes README.md: P_Keys of one node)."""


def _stating(fabric: Fabric, name: str) -> list[tuple[Workload, str, Path]]:
    """(workload, value, place) wherever a variable is stated."""
    return [(w, value, (*w.at, "env", key)) for w in fabric.workloads for key, value in w.env if key == name]


@check(
    "NP626",
    "NCCL_IB_PKEY is not an index",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_PKEY")),
    severity=Severity.WARNING,
)
def pkey_no_index(fabric: Fabric) -> Iterator[Finding]:
    """The variable is an index into the port's P_Key table, not a P_Key.

    **Why.** NCCL looks up an entry that does not exist, and no queue pair connects.
    **Fix.** Remove it: ib-kubernetes puts the network's P_Key at index 0, the default.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_PKEY;
    Mellanox/ib-kubernetes 528f63f6 pkg/sm/plugins/ufm/ufm.go, index0
    """
    for w, value, at in _stating(fabric, "NCCL_IB_PKEY"):
        if not value.isdecimal() or len(value) > 3 or int(value) >= PKEYS_MAX:
            what = f"NCCL_IB_PKEY of {w.name} is {value}, but an index is 0 to {PKEYS_MAX - 1}"
            yield Finding(at, what, "remove it from env; pkey of the network sets the P_Key")


def _rail_ranges(fabric: Fabric, workload: Workload) -> list[tuple[str, IPNetwork]]:
    """(name, range) of the address ranges of a workload's collective networks."""
    networks = [n for n in collective_networks(workload) if n.by_ipam.addresses]
    found = [(f"subnet {n.subnet.name}", n.subnet.cidr) for n in networks if n.subnet is not None]
    if fabric.rails is not None and any(n.per_rail for n in networks):
        for rail, parts in enumerate(fabric.rails.rail_networks):
            found += [(f"rail {rail}", part) for part in parts]
    return found


@check(
    "NP627",
    "NCCL_IB_ADDR_RANGE leaves a rail out",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_ADDR_RANGE")),
)
def range_without_rail(fabric: Fabric) -> Iterator[Finding]:
    """NCCL uses one range for all HCAs and searches the GIDs of each for an address in it.

    **Why.** For an HCA whose rail is outside it picks another GID, often the link-local one, and does not
    connect.
    **Fix.** State the supernet of the rails, or leave the variable out.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_ADDR_RANGE;
    NVIDIA/nccl 5067397c src/transport/net_ib
    """
    for w, value, at in _stating(fabric, "NCCL_IB_ADDR_RANGE"):
        wanted = parse_network(value)
        if wanted is None:
            yield Finding(
                at, f"NCCL_IB_ADDR_RANGE of {w.name} is {value}, which is not a range", "write a CIDR"
            )
            continue
        alike = [(name, net) for name, net in _rail_ranges(fabric, w) if net.version == wanted.version]
        outside = next(((name, net) for name, net in alike if net not in wanted), None)
        if outside is not None:
            what = f"NCCL_IB_ADDR_RANGE of {w.name} is {value}, {outside[0]} is {outside[1]}"
            yield Finding(at, what, "state a range with every rail in it, or remove it from env")


@check(
    "NP628",
    "NCCL_IB_HCA also matches another HCA",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_HCA")),
    severity=Severity.WARNING,
)
def hca_prefix(fabric: Fabric) -> Iterator[Finding]:
    """Without a leading `=` a name matches every device whose name begins with it.

    **Why.** mlx5_1 also matches mlx5_10: NCCL uses the storage or front-end port as a rail.
    **Fix.** Put `=` in front of the list, `=mlx5_0,mlx5_1`.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_HCA
    """
    for w, value, at in _stating(fabric, "NCCL_IB_HCA"):
        if value.startswith(("=", "^=")):
            continue
        listed = [part.split(":")[0] for part in value.removeprefix("^").split(",") if part]
        known = {h.rdma_device for t in w.host_types for h in t.hcas if h.rdma_device}
        more = [(a, b) for a in listed for b in sorted(known) if b.startswith(a) and b not in listed]
        if more:
            short, longer = more[0]
            what = f"NCCL_IB_HCA of {w.name} is {value}, but {short} also matches {longer}"
            yield Finding(at, what, f"write ={','.join(listed)}" if value[0] != "^" else "put = after the ^")


@check(
    "NP629",
    "fixed GID index on a shared GID table",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_GID_INDEX")),
)
def fixed_gid_index(fabric: Fabric) -> Iterator[Finding]:
    """The GID of a macvlan or ipvlan pod is in the PF's table, at an index that differs from pod to pod.

    **Why.** The index is right for one pod at most; the others fail to connect or use the GID of another pod.
    **Fix.** Remove it; NCCL 2.26.2 and newer finds the GID of the pod's address.
    **Source.** k8snetworkplumbingwg/multus-cni issue 1100; NVIDIA/nccl issue 890
    """
    for w, value, at in _stating(fabric, "NCCL_IB_GID_INDEX"):
        shared = next((n for n in collective_networks(w) if n.by_mode.gids == "pf"), None)
        if shared is not None:
            what = f"NCCL_IB_GID_INDEX of {w.name} is {value}, network {shared.name} has mode {shared.mode}"
            yield Finding(at, what, "remove it from env")


@check(
    "NP630",
    "NCCL_IB_SUBNET_PREFIX_LEN differs from the rails' prefix length",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_SUBNET_PREFIX_LEN")),
    severity=Severity.WARNING,
)
def other_prefix_length(fabric: Fabric) -> Iterator[Finding]:
    """With subnet-aware routing NCCL uses the local HCA that is in the peer's subnet of this prefix length.

    **Why.** With a shorter length several rails look like one subnet, with a longer one none matches:
    NCCL pairs HCAs across rails.
    **Fix.** State the length of `rails.prefixes`, or leave the variable out.
    **Source.** NVIDIA/nccl 5067397c src/transport/net_ib/connect.cc, IB_SUBNET_PREFIX_LEN (default 24)
    """
    for w, value, at in _stating(fabric, "NCCL_IB_SUBNET_PREFIX_LEN"):
        rails = fabric.rails if any(n.per_rail for n in w.networks) else None
        lengths = [
            p for p, version in zip(rails.prefixes, rails.families, strict=True) if version == 4
        ] if rails is not None else []  # fmt: skip
        if lengths and value != str(lengths[0]):
            what = f"NCCL_IB_SUBNET_PREFIX_LEN of {w.name} is {value}, but the rails have /{lengths[0]}"
            yield Finding(at, what, f"state {lengths[0]}, or remove it from env")


@check(
    "NP659",
    "NCCL_IB_FIFO_TC matches no class",
    on=Fabric,
    counts=lambda fabric: len(_stating(fabric, "NCCL_IB_FIFO_TC")) if fabric.qos else 0,
)
def fifo_without_class(fabric: Fabric) -> Iterator[Finding]:
    """The traffic class byte of clear-to-send messages must hold the DSCP of a class in `fabric.qos`.

    **Why.** Switches and NICs put a DSCP without a class into best effort: a lost or late clear-to-send holds
    up the whole collective.
    **Fix.** State `nccl_version` and `nccl.fifo_class`, or a byte of 4 * DSCP of a class.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_FIFO_TC; RFC 2474 section
    3
    """
    for w, value, at in _stating(fabric, "NCCL_IB_FIFO_TC") if fabric.qos else ():
        known = {c.dscp: c.name for c in fabric.qos.classes} if fabric.qos else {}
        if not value.isdecimal() or len(value) > 3 or int(value) >> 2 not in known:
            tos = ", ".join(f"{dscp << 2 | 2} ({name})" for dscp, name in known.items())
            what = f"NCCL_IB_FIFO_TC of {w.name} is {value}, but the classes have {tos}"
            yield Finding(at, what, "state nccl.fifo_class instead")


_CLASS_BYTES = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")
_CLASS_LEVELS = ("NCCL_IB_SL", "UCX_IB_SL")


def _class_values(plan: Plan) -> list[tuple[WorkloadPlan, QosClass, str, str]]:
    """(workload, class of its collectives, variable, value); empty without classes in `fabric.qos`.

    NP606 reports a stated value besides a derived one, NP614 collective networks without a common class.
    """
    qos = plan.fabric.qos
    if qos is None or plan.fabric.type != "roce":
        return []
    names, found = _CLASS_BYTES + (_CLASS_LEVELS if qos.trust == "pcp" else ()), []
    for w in plan.workloads:
        classes = {
            n.traffic_class.name: n.traffic_class for n in collective_networks(w.workload) if n.traffic_class
        }
        once = {name for name, count in Counter(e.name for e in w.env).items() if count == 1}
        for name, value in w.workload.env if len(classes) == 1 else ():
            if name in names and name in once:
                found.append((w, next(iter(classes.values())), name, value))
    return found


@check("NP667", "traffic class not in the fabric", on=Plan, counts=lambda p: len(_class_values(p)))
def other_traffic_class(plan: Plan) -> Iterator[Finding]:
    """With `fabric.qos`, RDMA packets carry the DSCP of their network's class, or its priority with
    `trust: pcp`. A cloud's own fabric has no `fabric.qos`; any value may then be stated.

    **Why.** NICs and switches treat all other packets as best effort: they are lost under load, and ECN
    does not slow the sender down.
    **Fix.** State the byte 4 * DSCP of the class, with any ECN bits; or give the class the prescribed
    DSCP, so that NICs and switches use it too.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_TC and NCCL_IB_SL; RFC
    2474 section 3
    """
    for w, own, name, value in _class_values(plan):
        at, number = (
            (*w.workload.at, "env", name),
            int(value) if value.isdecimal() and len(value) < 4 else 256,
        )
        means = f" (DSCP {number >> 2})" if number < 256 else ""
        if name in _CLASS_BYTES and number >> 2 != own.dscp:
            what = f"{name} of {w.name} is {value}{means}, class {own.name} has DSCP {own.dscp}"
            yield Finding(at, what, f"state {own.dscp << 2 | ECT0}, or change dscp of the class")
        elif name in _CLASS_LEVELS and number != own.priority:
            what = f"{name} of {w.name} is {value}, class {own.name} has priority {own.priority}"
            yield Finding(at, what, f"state {own.priority}, or change priority of the class")


def _without_effect(w: WorkloadPlan) -> Iterator[tuple[str, str]]:
    """(key, reason) of NCCL keys of a workload that end up in no variable."""
    stated, known = w.workload.nccl, {variable.name for variable in w.env}
    if not w.workload.reads_nccl:
        for key in ("fifo_class", "qps_per_connection", "split_data_on_qps"):
            if getattr(stated, key) is not None:
                yield key, f"{w.workload.library} does not read NCCL variables"
        return
    if stated.fifo_class is not None and "NCCL_IB_FIFO_TC" not in known:
        yield "fifo_class", "no NCCL_IB_FIFO_TC is set: it needs nccl_version 2.22 and a class of the data"
    if stated.qps_per_connection is not None and "NCCL_IB_QPS_PER_CONNECTION" not in known:
        yield "qps_per_connection", "the fabric does not use NCCL's verbs transport"
    if stated.split_data_on_qps is not None and (stated.qps_per_connection or 1) < 2:
        yield "split_data_on_qps", "each connection has one queue pair"


@check(
    "NP660",
    "nccl key without effect",
    on=Plan,
    counts=lambda plan: len(plan.workloads),
    severity=Severity.WARNING,
)
def nccl_key_unused(plan: Plan) -> Iterator[Finding]:
    """Keys under `nccl` become variables of the pods.

    **Why.** The key looks as if NCCL used it.
    **Fix.** State what it needs, or remove it.
    **Source.** docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html, NCCL_IB_FIFO_TC,
    NCCL_IB_QPS_PER_CONNECTION, NCCL_IB_SPLIT_DATA_ON_QPS
    """
    for w in plan.workloads:
        for key, why in _without_effect(w):
            what = f"nccl.{key} of {w.name} has no effect: {why}"
            yield Finding((*w.workload.at, "nccl", key), what, "add what it needs, or remove it")
