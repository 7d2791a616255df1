"""NP826, NP827: HCAs and switches without a cable."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from netplan.checks.once import once
from netplan.checks.registry import Finding, check
from netplan.checks.sriov import takes
from netplan.diagnostics import Path, Severity, dotted
from netplan.model.fabric import Fabric
from netplan.model.hardware import Hca, Host, HostLink, HostType
from netplan.model.ranges import gathered

Cables = Mapping[tuple[str, str], HostLink]
"""(host type, HCA) -> its first cable."""

ADD = "add the cable to links, or set absent: true if the host does not exist"


@once
def wants_cable(fabric: Fabric) -> Mapping[str, tuple[Hca, ...]]:
    """Host type -> its Ethernet ports whose cables should be in the inventory; empty if it has no links.

    These are the ports on rails that pods of a network use. Other ports for pods may end on switches outside
    the inventory: they count if they are cabled on some host of the type.
    """
    if not fabric.host_links and not fabric.switch_links:
        return {}
    cabled = {(link.host.type.name, link.hca.name) for link in fabric.host_links}
    return {
        kind.name: tuple(
            hca
            for hca in kind.hcas
            if hca.for_pods
            and hca.link == "ethernet"
            and not hca.virtual
            and ((kind.name, hca.name) in cabled or _on_rail(fabric, kind, hca))
        )
        for kind in fabric.host_types
    }


def _on_rail(fabric: Fabric, kind: HostType, hca: Hca) -> bool:
    return hca.rail is not None and any(takes(n, kind, hca) for n in fabric.networks)


def _wanted_count(fabric: Fabric) -> int:
    wanted = {name: len(hcas) for name, hcas in wants_cable(fabric).items()}
    return sum(wanted.get(host.type.name, 0) for host in fabric.hosts if host.named)


@check("NP826", "HCA used by pods without a cable", on=Fabric, counts=_wanted_count)
def hca_without_cable(fabric: Fabric) -> Iterator[Finding]:
    """If the inventory has cables, every rail HCA that pods use must have one. An HCA for pods that is on
    no rail may end on a switch outside the inventory; but if some hosts of a type have the cable, all
    must.

    **Why.** VLAN, subnet, gateway and QoS of the rail are configured on the switch port: without the
    cable these hosts get none of them, and their pods start on a rail without connectivity.
    **Fix.** Add the cable to `links`. If the host or the HCA does not exist, set `absent: true` on the
    host, give such hosts a type of their own, or take the HCA out of the network.
    **Source.** Arithmetic on the inventory: links; NVIDIA DGX SuperPOD reference architecture: every node has
    one link on every rail
    """
    wanted = wants_cable(fabric)
    missing = _missing(fabric, wanted)
    cables = {(k.host.type.name, k.hca.name): k for k in reversed(fabric.host_links)}
    for kind in fabric.host_types:
        groups = missing.get(kind.name, {})
        nowhere = _nowhere(fabric, kind, groups)
        if len(nowhere) == len(wanted.get(kind.name, ())):
            nowhere = set()  # no HCA of the type is cabled: report the hosts instead
        yield from _of_type(kind, nowhere, cables)
        for gone, hosts in groups.items():
            if some := [hca for hca in gone if hca not in nowhere]:
                yield _of_hosts(fabric, hosts, some, cables)


def _nowhere(fabric: Fabric, kind: HostType, groups: Mapping[tuple[str, ...], list[Host]]) -> set[str]:
    """HCAs that are not cabled on any host of a type."""
    lacking = Counter(hca for gone, hosts in groups.items() for hca in gone for _ in hosts)
    count = sum(host.named and host.type.name == kind.name for host in fabric.hosts)
    return {hca for hca, lack in lacking.items() if lack == count}


def _missing(
    fabric: Fabric, wanted: Mapping[str, tuple[Hca, ...]]
) -> Mapping[str, Mapping[tuple[str, ...], list[Host]]]:
    """Host type -> HCAs without a cable -> the hosts that lack exactly these cables."""
    cabled: dict[str, set[str]] = defaultdict(set)
    for link in fabric.host_links if wanted else ():
        cabled[link.host.name].add(link.hca.name)
    names = {kind: tuple(hca.name for hca in hcas) for kind, hcas in wanted.items()}
    found: dict[str, dict[tuple[str, ...], list[Host]]] = defaultdict(lambda: defaultdict(list))
    for host in fabric.hosts:
        kind = host.type.name
        if host.named and not cabled[host.name].issuperset(names.get(kind, ())):
            gone = tuple(name for name in names[kind] if name not in cabled[host.name])
            found[kind][gone].append(host)
    return found


def _of_type(kind: HostType, nowhere: set[str], cables: Cables) -> Iterator[Finding]:
    """HCAs that are not cabled on any host of their type, while other HCAs are."""
    others = [cables[kind.name, hca.name] for hca in kind.hcas if (kind.name, hca.name) in cables]
    by_place: dict[Path, list[str]] = defaultdict(list)
    for hca in kind.hcas:
        if hca.name in nowhere:
            by_place[hca.at].append(hca.name)
    for at, names in by_place.items():
        verb = "has" if len(names) == 1 else "have"
        what = f"{gathered(names)} {verb} no cable on any host of type {kind.name}, {_cables(others[0])}"
        yield Finding(at, what, ADD)


def _of_hosts(fabric: Fabric, hosts: list[Host], names: list[str], cables: Cables) -> Finding:
    where = Counter(host.at for host in hosts).most_common()[0][0]
    of = f"{gathered(names)} of {gathered(host.name for host in hosts)}"
    verb = "has" if len(names) == len(hosts) == 1 else "have"
    return Finding(where, f"{of} {verb} no cable, {_example(fabric, hosts[0], names, cables)}", ADD)


def _example(fabric: Fabric, host: Host, names: list[str], cables: Cables) -> str:
    """A cable of the same HCA on another host of the type, else any cable, as text."""
    if not fabric.host_links:
        joins = fabric.switch_links[0]
        return f"{dotted(joins.at)} cables {joins.lower.name} to {joins.upper.name}, and no link names a host"
    peers = (cables[host.type.name, name] for name in names if (host.type.name, name) in cables)
    return _cables(next(peers, fabric.host_links[0]))


def _cables(link: HostLink) -> str:
    return f"{dotted(link.at)} cables {link.hca.name} of {link.host.name} to {link.switch.name}"


@check(
    "NP827",
    "switch without a cable",
    on=Fabric,
    counts=lambda fabric: len(fabric.switches),
    severity=Severity.WARNING,
    about="switches",
)
def switch_without_cable(fabric: Fabric) -> Iterator[Finding]:
    """Every switch of the inventory has links.

    **Why.** A switch without links gets no ports, VLANs or neighbours; usually an entry of `links` is
    missing.
    **Fix.** Add its cables to `links`, or remove the switch (`absent: true` for one of a range).
    **Source.** Arithmetic on the inventory: links.
    """
    cabled = {link.switch.name for link in fabric.host_links}
    cabled |= {name for link in fabric.switch_links for name in (link.lower.name, link.upper.name)}
    bare: dict[Path, list[str]] = defaultdict(list)
    for switch in fabric.switches:
        if switch.name not in cabled:
            bare[switch.at].append(switch.name)
    for at, names in bare.items():
        what = f"{gathered(names)} {'has' if len(names) == 1 else 'have'} no cable: no link names"
        yield Finding(at, f"{what} {'it' if len(names) == 1 else 'them'}", "add its cables to links")
