"""NP663, NP664: HCAs that a network names but cannot use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Severity, dotted
from netplan.model.carrying import misfit, uses
from netplan.model.fabric import Fabric, Network
from netplan.model.hardware import Hca, HostType
from netplan.model.ranges import gathered


def _count(fabric: Fabric) -> int:
    return sum(len(n.hcas) for n in fabric.networks)


def _types(fabric: Fabric, network: Network) -> list[HostType]:
    return [t for t in network.host_types or fabric.host_types if t.node]


def _reason(fabric: Fabric, network: Network, hca: Hca) -> str:
    """Why a network cannot use an HCA, or "". NP509 reports an HCA on no rail, unless a network beside the
    rails names it."""
    off_rail = network.per_rail and hca.rail is None
    has_one = off_rail and any(not n.per_rail and hca.name in n.hcas for n in fabric.networks)
    return misfit(network, hca) or ("it is on no rail, but the network is per rail" if has_one else "")


def _hint(network: Network, name: str, kind: HostType, hca: Hca) -> str:
    at = dotted(hca.at)
    if not hca.for_pods:
        usual = "vf" if network.takes == "vf" else "pf"
        use = next((h.use for h in kind.hcas if uses(network, kind, h)), usual)
        change = f"set use: {use} at {at}"
    elif misfit(network, hca):
        change = f"correct mode of {network.name} or {at}"
    else:
        change = f"state rail at {at}"
    return f"take {name} out of hcas, or {change}"


def _absent(network: Network, names: list[str], types: list[HostType], known: set[str]) -> str:
    if known.isdisjoint(names):
        who = "no host type has such an HCA"
    else:
        who = f"{', '.join(t.name for t in types)} {'has' if len(types) == 1 else 'have'} no such HCA"
    return f"network {network.name} names {gathered(names)}, {who}"


@check("NP663", "network names an HCA that it cannot use", on=Fabric, counts=_count)
def named_in_vain(fabric: Fabric) -> Iterator[Finding]:
    """Every HCA in `hcas` must exist, have a `use` and `link` that fit the mode, and be on a rail.

    **Why.** Pods would get fewer HCAs than the inventory says; `use: storage` and `front-end` mean that
    the host itself needs the HCA, so pods must not take it.
    **Fix.** Take the HCA out of `hcas`, or give it the `use`, `link` or `rail` that the network needs;
    name the host types in `hosts` if another one uses an HCA of that name for something else.
    **Source.** netplan's own rule: `use` says which HCAs a host keeps for itself.
    """
    for network in fabric.networks:
        types, known = _types(fabric, network), {h.name for t in fabric.host_types for h in t.hcas}
        lost: dict[int, list[str]] = defaultdict(list)
        bad: dict[tuple[int, str], list[tuple[str, HostType, Hca]]] = defaultdict(list)
        for name, key in zip(network.hcas, network.hca_keys, strict=True):
            found = [(t, hca) for t in types if (hca := t.hca(name)) is not None]
            if not found:
                lost[key].append(name)
            for kind, hca in found:
                reason = _reason(fabric, network, hca)
                if reason:
                    bad[key, reason].append((name, kind, hca))
        for key, names in lost.items():
            what = _absent(network, names, types, known)
            yield Finding((*network.at, "hcas", key), what, "correct the name, or add the HCA")
        for (key, reason), cases in bad.items():
            name, kind, hca = cases[0]
            more = f" ({len(cases)} such HCAs)" if len(cases) > 1 else ""
            what = f"network {network.name} names {name} of {kind.name}{more}: {reason}"
            yield Finding((*network.at, "hcas", key), what, _hint(network, name, kind, hca))


@check(
    "NP664",
    "host type lacks some of the HCAs that a network names",
    on=Fabric,
    counts=_count,
    severity=Severity.INFO,
)
def some_of_the_named(fabric: Fabric) -> Iterator[Finding]:
    """On each host type a network uses those of its named HCAs that exist there.

    **Why.** Nodes of one type give the network fewer HCAs than the list shows.
    **Fix.** Write a network for each host type, with `hosts`; accept the finding if the difference is
    intended.
    **Source.** Arithmetic on the inventory: the HCAs of each host type against the list of the network.
    """
    for network in fabric.networks:
        for kind in _types(fabric, network) if network.hcas else ():
            own = [n for n in network.hcas if (hca := kind.hca(n)) is not None and uses(network, kind, hca)]
            missing = [n for n in network.hcas if kind.hca(n) is None and _elsewhere(fabric, network, n)]
            if own and missing:
                what = f"network {network.name} names {len(network.hcas)} HCAs, {kind.name} has {len(own)}"
                at = (*network.at, "hcas")
                hint = "write a network for each host type if this is not intended"
                yield Finding(at, f"{what} of them ({gathered(own)})", hint)


def _elsewhere(fabric: Fabric, network: Network, name: str) -> bool:
    """Whether another host type of the network has the HCA; if none has, NP663 reports it."""
    return any(t.hca(name) is not None for t in _types(fabric, network))
