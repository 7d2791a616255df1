"""NP661, NP662: workloads whose nodes cannot share one pod template or are not connected by EFA."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.checks.sriov import takes
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import Hca, Host, HostType
from netplan.model.ranges import gathered

_APART = ("p4d", "p4de", "dl1")
"""Instance families whose EFA devices reach only each other."""

_Taken = list[tuple[HostType, list[Hca]]]


def _several(fabric: Fabric) -> int:
    return sum(len(w.host_types) > 1 for w in fabric.workloads)


def _taken(workload: Workload, network: Network) -> _Taken:
    """HCAs of a network on each host type of a workload, without the types that have none (NP607)."""
    found = [(t, [h for h in t.hcas if takes(network, t, h)]) for t in workload.host_types]
    return [(kind, hcas) for kind, hcas in found if hcas]


def _rails(hcas: list[Hca]) -> tuple[int, ...]:
    return tuple(sorted({h.rail for h in hcas if h.rail is not None}))


def _listed(rails: tuple[int, ...]) -> str:
    """Rails as text: ``0-3`` if consecutive, else ``0, 2``."""
    through = len(rails) > 1 and rails == tuple(range(rails[0], rails[-1] + 1))
    return f"{rails[0]}-{rails[-1]}" if through else ", ".join(map(str, rails))


def uneven(workload: Workload, network: Network) -> tuple[str, str] | None:
    """(what differs, alternative to a workload per host type), or None if one pod template fits all types."""
    taken = _taken(workload, network)
    if len(taken) < 2:
        return None
    if network.per_rail:
        by_type = [(kind, _rails(hcas)) for kind, hcas in taken]
        first, rails = by_type[0]
        other = next(((kind, theirs) for kind, theirs in by_type if theirs != rails), None)
        if other is not None:
            what = f"rails {_listed(rails)} on {first.name}, {_listed(other[1])} on {other[0].name}"
            return what, f"list HCAs of the same rails in hcas of {network.name}"
    if network.takes != "any" or network.name in workload.devices:
        return None
    least = min(taken, key=lambda pair: len(pair[1]))
    most = max(taken, key=lambda pair: len(pair[1]))
    fewest = len(least[1])
    if len(most[1]) == fewest:
        return None
    hcas = "1 HCA" if fewest == 1 else f"{fewest} HCAs"
    what = f"{hcas} on {least[0].name}, {len(most[1])} on {most[0].name}"
    return what, f"state devices: {{{network.name}: {fewest}}}"


@check("NP661", "host types of a workload differ in HCAs", on=Fabric, counts=_several)
def counts_differ(fabric: Fabric) -> Iterator[Finding]:
    """All pods of a job come from one template: one list of attachments, one count of each device.

    **Why.** With the count of the larger node, pods stay Pending on the smaller one; with that of the
    smaller node, HCAs of the larger one silently stay idle.
    **Fix.** Write a workload for each host type, or limit it to what all have in common: `devices` for a
    device-only network, `hcas` of the same rails for a network per rail.
    **Source.** Kubernetes, device plugins: a container asks for a number of devices; Multus, annotation
    k8s.v1.cni.cncf.io/networks
    """
    for w in fabric.workloads:
        if fabric.type == "efa" and len(_families(w)) > 1:
            continue  # NP662 asks for two workloads anyway
        for network in w.networks:
            found = uneven(w, network)
            if found is not None:
                what = f"pods of {w.name} share one template, but network {network.name} has {found[0]}"
                yield Finding((*w.at, "hosts"), what, f"write a workload for each host type, or {found[1]}")


def _families(workload: Workload) -> dict[bool, HostType]:
    """One host type of the isolated families (True) and one of the others (False)."""
    out: dict[bool, HostType] = {}
    for kind in workload.host_types:
        if kind.instance_type is not None:
            out.setdefault(kind.instance_type.partition(".")[0] in _APART, kind)
    return out


def _zones(workload: Workload) -> dict[str, list[Host]]:
    out: dict[str, list[Host]] = {}
    for host in workload.hosts:
        if host.zone is not None:
            out.setdefault(host.zone, []).append(host)
    return out


@check(
    "NP662",
    "EFA does not connect the nodes of a workload",
    on=Fabric,
    counts=lambda fabric: len(fabric.workloads) if fabric.type == "efa" else 0,
)
def out_of_reach(fabric: Fabric) -> Iterator[Finding]:
    """EFA traffic is not routed: it stays within one availability zone and one group of instance families.

    **Why.** Pods placed on both sides find their devices, but the job hangs when it connects.
    **Fix.** Write a workload for each zone, and one for p4d, p4de and dl1 apart from other instance types.
    The zone is the label topology.kubernetes.io/zone of `hosts` or of a `node_selector`.
    **Source.** docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa.html#efa-limits; aws/aws-k8s-tester pull 588
    """
    for w in fabric.workloads if fabric.type == "efa" else ():
        at, zones = (*w.at, "hosts"), _zones(w)
        if len(zones) > 1:
            listed = [f"{zone} ({gathered([h.name for h in zones[zone]])})" for zone in sorted(zones)]
            more = f" and {len(listed) - 2} more" if len(listed) > 2 else ""
            what = f"{w.name} has hosts in the availability zones {' and '.join(listed[:2])}{more}"
            yield Finding(at, f"{what}, which EFA does not connect", "write a workload for each zone")
        families = _families(w)
        if len(families) > 1:
            one, other = families[True], families[False]
            what = f"{one.name} is {one.instance_type} and {other.name} is {other.instance_type}"
            yield Finding(
                at,
                f"hosts of {w.name} cannot reach each other: {what}",
                "write a workload for each host type",
            )
