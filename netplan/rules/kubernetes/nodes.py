"""NP312, NP417: settings of pods checked against those of their nodes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from netplan.diagnostics import Path, Severity
from netplan.graph.hosts import link_mtus
from netplan.graph.kubernetes.cluster import Nad, ObjectGraph, Pod, whole_number
from netplan.graph.kubernetes.nic_templates import templates
from netplan.model.nic_text import NIC_SCRIPT, read_nic_script
from netplan.reading.kubernetes.objects import Thing, inside, listing
from netplan.records import dataclass
from netplan.report import and_more
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_TRAFFIC_CLASSES = ("NCCL_IB_TC", "UCX_IB_TRAFFIC_CLASS")


@dataclass(frozen=True, slots=True)
class Mtu:
    """An MTU of a pod's interface with its place, and the smallest MTU of its nodes with its place;
    ``policy``: the one that states it, None if a file does."""

    network: Nad
    at: Path
    value: int
    below: int
    where: str
    policy: Thing | None

    @property
    def wrong(self) -> bool:
        return self.below < self.value


def _mtus(cluster: ObjectGraph) -> list[list[Mtu]]:
    """Every MTU of a network, if its policies or its nodes' files state one too: those of several networks
    together where a policy is below all of them, else each by itself."""
    found = _single_mtus(cluster)
    under: dict[int, list[Mtu]] = {}
    for mtu in found:
        under.setdefault(id(mtu.policy), []).append(mtu)
    low = {
        key: same
        for key, same in under.items()
        if same[0].policy and all(mtu.wrong for mtu in same) and len({id(m.network) for m in same}) > 1
    }
    return [*low.values(), *([mtu] for mtu in found if id(mtu.policy) not in low)]


def _single_mtus(cluster: ObjectGraph) -> list[Mtu]:
    links: list[tuple[int, str, Thing | None]] = [(m.value, m.at, None) for m in link_mtus(cluster.texts)]
    found = []
    for network in cluster.networks:
        policies = [(p.spec["mtu"], _placed(p), p) for p in _policies(cluster, network)]
        if not cluster.whole:  # policies of other nodes may be for other pods
            policies = sorted(policies, key=lambda node: node[0])[-1:]
        nodes = links + policies
        stated = [(at, p["mtu"]) for at, p in network.plugins if type(p.get("mtu")) is int]
        if nodes and stated:
            below, where, policy = min(nodes, key=lambda node: node[:2])
            found += [Mtu(network, (*at, "mtu"), mtu, below, where, policy) for at, mtu in stated]
    return found


def _policies(cluster: ObjectGraph, network: Nad) -> list[Thing]:
    """Policies that state an MTU and create the VFs of a network."""
    stated = ((p, p.spec.get("mtu")) for p in cluster.policies_of(network))
    return [policy for policy, mtu in stated if type(mtu) is int and mtu > 0]


def _placed(policy: Thing) -> str:
    return f"{policy} at {policy.source(('spec', 'mtu'))}"


@rule("NP312", "pod MTU above that of its node", on=_mtus, severity=Severity.WARNING)
def mtu_chain(_: ObjectGraph, mtus: list[Mtu]) -> Iterator[ObjectFinding]:
    """A pod's interface must not have a larger MTU than the function it uses. Where a policy is below all of
    several networks, the policy is named.

    **Why.** With macvlan the pod does not start; otherwise large packets are silently lost.
    **Fix.** Raise `mtu` of the SriovNetworkNodePolicy, or lower that of the network.
    **Source.** containernetworking/plugins 3d27709f plugins/main/macvlan;
    k8snetworkplumbingwg/sriov-network-operator 249e200 api/v1/sriovnetworknodepolicy_types.go (mtu of the
    virtual functions).
    """
    mtu = mtus[0]
    if len(mtus) > 1 and mtu.policy is not None:
        highest = max(mtus, key=lambda each: each.value)
        others = len({id(each.network) for each in mtus}) - 1
        whose = f"{highest.network.thing} at {highest.network.thing.source(highest.at)}"
        message = f"MTU {mtu.below} is below {highest.value} of {whose}{and_more(others, 'network')}"
        hint = f"write {highest.value}, or lower those of the networks"
        yield ObjectFinding(mtu.policy, ("spec", "mtu"), message, hint)
    elif mtu.wrong:
        message = f"MTU {mtu.value} is above {mtu.below} of {mtu.where}"
        yield ObjectFinding(
            mtu.network.thing, mtu.at, message, f"write at most {mtu.below}, or raise the other"
        )


@dataclass(frozen=True, slots=True)
class Mark:
    """A pod's traffic class byte, and the NIC files it is checked against, with the DSCPs that each keeps
    lossless."""

    pod: Pod
    at: Path
    name: str
    value: str
    nics: tuple[tuple[str, frozenset[int]], ...]


def _marked(cluster: ObjectGraph) -> list[Mark]:
    """Traffic classes of all containers."""
    nics = (*_scripts(cluster), *_templates(cluster))
    return [
        Mark(pod, (*at, "env", index), entry["name"], str(entry["value"]), nics)
        for pod in cluster.pods
        for at, container in chain(pod.containers(), pod.containers("initContainers"))
        for index, entry in enumerate(listing(container.get("env")))
        if inside(entry, ("name",)) in _TRAFFIC_CLASSES and str(entry.get("value", "")).isdecimal()
    ]


def _scripts(cluster: ObjectGraph) -> Iterator[tuple[str, frozenset[int]]]:
    for path, text in cluster.texts.items():
        said = read_nic_script(text) if NIC_SCRIPT.match(path) else None
        if said is not None and said.priorities and said.pfc:  # no lossless priority means lossy on purpose
            yield path, frozenset(dscp for dscp, priority in said.priorities.items() if priority in said.pfc)


def _templates(cluster: ObjectGraph) -> Iterator[tuple[str, frozenset[int]]]:
    for qos in templates(cluster):
        if qos.trust == "dscp" and qos.pfc is not None:
            yield f"{qos.thing} at {qos.thing.source(('spec', 'template'))}", qos.lossless


@rule("NP417", "pods mark packets that NICs do not keep lossless", on=_marked, severity=Severity.WARNING)
def lossless_on_nics(cluster: ObjectGraph, mark: Mark) -> Iterator[ObjectFinding]:
    """The traffic class byte of pods is the DSCP of a lossless priority on the NICs.

    **Why.** One wrong copy of the value sends training traffic through a queue that drops.
    **Fix.** Write the byte of a lossless class: its DSCP times 4, in NCCL_IB_TC and UCX_IB_TRAFFIC_CLASS.
    **Source.** NVIDIA/nccl 48bb7fe src/transport/net_ib.cc (IB_TC); openucx/ucx 9466d104 src/uct/ib/base;
    Mellanox/mlnx-tools mlnx_qos.
    """
    if whole_number(mark.value) > 255:
        message = f"{mark.name} is {mark.value}, but a byte is 0 to 255"
        yield ObjectFinding(mark.pod.thing, mark.at, message, "write DSCP times 4")
        return
    dscp = int(mark.value) >> 2
    lossy = [(where, kept) for where, kept in mark.nics if dscp not in kept]
    if lossy and (cluster.whole or len(lossy) == len(mark.nics)):
        where, kept = lossy[0]
        known = ", ".join(map(str, sorted(kept)[:8])) or "none"
        message = f"{mark.name} is {mark.value}, DSCP {dscp}; {where} keeps {known} lossless"
        yield ObjectFinding(mark.pod.thing, mark.at, message, "write the DSCP of a lossless class, times 4")
