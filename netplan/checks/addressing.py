"""NP2xx, first part: address ranges, gateways and addresses that hosts state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from netaddr import IPAddress, IPNetwork

from netplan.checks.reach import spread_job
from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.addresses import Segment
from netplan.model.fabric import Fabric
from netplan.model.hardware import HostHca
from netplan.model.plan import Plan
from netplan.model.rulebook import MOST
from netplan.model.values import InterfaceAddress, overlap, usable

Range = tuple[str, IPNetwork, Path]
"""(purpose, range, place where it is stated)."""

RESERVED = (
    ("loopback", IPNetwork("127.0.0.0/8")),
    ("link-local addresses", IPNetwork("169.254.0.0/16")),
    ("multicast", IPNetwork("224.0.0.0/4")),
    ("link-local addresses", IPNetwork("fe80::/10")),
    ("multicast", IPNetwork("ff00::/8")),
)
"""Never a subnet of the fabric (RFC 6890, RFC 4291)."""

DOCKER_BRIDGE = IPNetwork("172.17.0.0/16")
"""moby/moby bcaa6845 daemon/libnetwork/ipamutils/utils.go: first of the default address pools."""


def _ranges(fabric: Fabric) -> Iterator[Range]:
    """Every range the inventory states."""
    primary = fabric.cluster.primary_network
    for key, network in (("pod_cidr", primary.pod_cidr), ("service_cidr", primary.service_cidr)):
        if network is not None:
            yield f"primary_network.{key}", network, (*fabric.cluster.at, "primary_network", key)
    if fabric.underlay is not None:
        at = fabric.underlay.at
        yield "underlay.loopbacks", fabric.underlay.loopbacks, (*at, "loopbacks")
        yield "underlay.uplinks", fabric.underlay.uplinks, (*at, "uplinks")
    if (rails := fabric.rails) is not None:
        for stated in rails.ranges:
            yield f"rails.{rails.ranges_key}", stated.network, stated.at
    for subnet in fabric.subnets:
        yield f"subnet {subnet.name}", subnet.cidr, (*subnet.at, "cidr")


def _overlapping(ranges: Sequence[Range]) -> Iterator[tuple[Range, Range]]:
    """Pairs of overlapping ranges, in the order stated. Prefixes either nest or are disjoint."""
    order = sorted(
        range(len(ranges)), key=lambda i: (ranges[i][1].version, ranges[i][1].first, -ranges[i][1].size)
    )
    around: list[int] = []
    pairs = []
    for here in order:
        while around and not overlap(ranges[around[-1]][1], ranges[here][1]):
            around.pop()
        pairs += [(min(here, other), max(here, other)) for other in around]
        if len(pairs) > MOST:
            break
        around.append(here)
    return ((ranges[left], ranges[right]) for left, right in sorted(pairs))


def _range_count(fabric: Fabric) -> int:
    return sum(1 for _ in _ranges(fabric))


@check("NP205", "overlapping address ranges", on=Fabric, counts=_range_count)
def ranges_overlap(fabric: Fabric) -> Iterator[Finding]:
    """Rails, subnets, underlay, pods and Services have ranges of their own.

    **Why.** A packet to an address in both follows the more specific route.
    **Fix.** Move one of the two ranges.
    **Source.** docs.tigera.io, Calico: IP pools must not overlap other networks; RFC 6890
    """
    for (left, net, _), (right, other, at) in _overlapping([*_ranges(fabric)]):
        if overlap(net, other):
            yield Finding(at, f"{right} {other} and {left} {net} overlap", "move one of the two ranges")
    for name, net, at in _ranges(fabric):
        for use, reserved in RESERVED:
            if overlap(net, reserved):
                hint = "use a private range such as 172.16.0.0/16"
                yield Finding(at, f"{name} {net} overlaps {reserved}, which is for {use}", hint)


@check(
    "NP216",
    "range of Docker's default bridge in use",
    on=Fabric,
    counts=_range_count,
    severity=Severity.INFO,
)
def docker_range(fabric: Fabric) -> Iterator[Finding]:
    """Docker gives its default bridge this subnet unless configured otherwise.

    **Why.** A host with Docker sends traffic for the range to its own bridge.
    **Fix.** Use another range, or set `bip` in Docker's daemon.json; accept the finding if no host runs
    Docker.
    **Source.** moby/moby bcaa6845 daemon/libnetwork/ipamutils/utils.go, localScopeDefaultNetworks (first of
    the pools); docker/docs 2141e9a7 content/manuals/engine/network/drivers/bridge.md, Configure the default
    bridge network (`bip`)
    """
    for name, net, at in _ranges(fabric):
        if overlap(net, DOCKER_BRIDGE):
            what = f"{name} {net} overlaps {DOCKER_BRIDGE}, the bridge of hosts with Docker"
            yield Finding(at, what, "use another range, or set bip in Docker's daemon.json")


@check(
    "NP206",
    "gateway outside its subnet",
    on=Fabric,
    counts=lambda fabric: sum(s.gateway is not None for s in fabric.subnets),
)
def gateway_outside(fabric: Fabric) -> Iterator[Finding]:
    """The gateway must be an address that hosts of the subnet reach directly.

    **Why.** CNI plugins and nv-ipam refuse such a gateway, or install no route.
    **Fix.** Use an address of the subnet that is neither its first nor its last.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c api/v1alpha1/ippool_validate.go
    """
    for subnet in fabric.subnets:
        gateway = subnet.gateway
        if gateway is None:
            continue
        at, name = (*subnet.at, "gateway"), f"gateway {gateway} of subnet {subnet.name}"
        if gateway not in subnet.cidr:
            yield Finding(at, f"{name} is outside {subnet.cidr}", "use an address of the subnet")
        elif not _for_hosts(gateway, subnet.cidr):
            what = f"{name} is the network or broadcast address of {subnet.cidr}"
            yield Finding(at, what, "use another address of the subnet")


def _for_hosts(address: IPAddress, network: IPNetwork) -> bool:
    first, last = usable(network)
    return first <= int(address) - int(network.first) <= last


@check(
    "NP212",
    "adding a rail would renumber the others",
    on=Fabric,
    counts=lambda fabric: len(fabric.rails.ranges) if fabric.rails else 0,
    severity=Severity.INFO,
)
def no_room_for_rails(fabric: Fabric) -> Iterator[Finding]:
    """Without `rail_prefixes` a supernet is divided into equal parts, as many as the rails need, rounded
    up to a power of two.

    **Why.** One more rail halves every part and so changes the addresses of all existing rails.
    **Fix.** State `rails.rail_prefixes`: the present length, or a longer one that leaves room for more rails.
    **Source.** Arithmetic on the inventory: equal parts of a prefix are a power of two.
    """
    rails = fabric.rails
    if rails is None or rails.rail_prefixes_stated or rails.ranges_key == "rail_networks":
        return
    if rails.count & (rails.count - 1):
        return
    parts = " and ".join(f"/{n.prefixlen}" for n in rails.rail_networks[0]) if rails.rail_networks else ""
    whole = ", ".join(str(stated.network) for stated in rails.ranges)
    what = f"{rails.count} rails fill {whole} in parts of {parts}, one more rail changes the parts"
    yield Finding((*rails.at, "supernets"), what, "state rails.rail_prefixes")


def _stated(plan: Plan) -> Iterator[tuple[str, HostHca, InterfaceAddress]]:
    """(port, the host's entry for the HCA, address) of every stated address."""
    for host in plan.fabric.hosts:
        for name, own in host.hcas.items():
            if own.address is not None:
                yield f"{name} of {host.name}", own, own.address


def _stated_count(plan: Plan) -> int:
    return sum(1 for _ in _stated(plan))


def _home(plan: Plan, address: InterfaceAddress) -> tuple[Segment, int] | None:
    """The segment that contains an address, and the index of its subnet."""
    for segment in plan.addresses.segments:
        for index, subnet in enumerate(segment.subnets):
            if address.ip in subnet.network:
                return segment, index
    return None


@check("NP213", "host address in no subnet", on=Plan, counts=_stated_count, severity=Severity.WARNING)
def address_of_no_subnet(plan: Plan) -> Iterator[Finding]:
    """Addresses that hosts state belong to a rail or to one of `subnets`.

    **Why.** Its port is in no VLAN and has no gateway, and nothing keeps the address out of a pool.
    **Fix.** Correct the address, or add its subnet to `subnets`.
    **Source.** Mellanox/nvidia-k8s-ipam 3ce4a34c README.md, exclusions: pools leave out what hosts have
    """
    for port, own, address in _stated(plan):
        if _home(plan, address) is None:
            what = f"address {address} of {port} is in no rail or subnet"
            yield Finding((*own.at, "address"), what, "correct it, or add its subnet to subnets")


@check("NP214", "host address does not fit its subnet", on=Plan, counts=_stated_count)
def address_unfit(plan: Plan) -> Iterator[Finding]:
    """Host and gateway must agree on what is on the link, and have different addresses.

    **Why.** With a different prefix length the host sends ARP requests for addresses behind the gateway,
    or sends to the gateway what is on the link.
    **Fix.** Use the prefix length of the subnet, and a free address.
    **Source.** RFC 1122 3.3.1.1
    """
    for port, own, address in _stated(plan):
        home = _home(plan, address)
        if home is not None and (reason := _unfit(address, *home)):
            what = f"address {address} of {port} {reason} segment {home[0].name}"
            yield Finding((*own.at, "address"), what, "use a free address with the subnet's prefix length")


def _unfit(address: InterfaceAddress, segment: Segment, index: int) -> str:
    subnet = segment.subnets[index]
    routed = segment.host_prefixes
    length = routed[index] if routed else subnet.network.prefixlen
    if address.prefixlen != length:
        return f"does not have prefix length /{length} of"
    if address.ip == subnet.gateway:
        return "is the gateway of"
    return "" if _for_hosts(address.ip, address.network) else "is not a host address of"


@check(
    "NP215",
    "leaves without an underlay",
    on=Plan,
    counts=lambda plan: len(plan.fabric.switch_links),
    severity=Severity.WARNING,
)
def no_underlay(plan: Plan) -> Iterator[Finding]:
    """Leaves that route need addresses and BGP on their uplinks.

    **Why.** No leaf learns the subnets of the others, so pods reach only what is on their own leaf.
    **Fix.** State `underlay`, or leave the switch links out if routing is configured elsewhere.
    **Source.** RFC 7938
    """
    own = [s for s in plan.addresses.segments if s.leaf is not None or s.host_prefixes]
    routed = any(not segment.external for segment in own) and not spread_job(plan)  # NP668 has such jobs
    leaves = sorted({link.lower.name for link in plan.fabric.switch_links})
    if plan.fabric.underlay is None and routed and len(leaves) > 1:
        what = (
            f"{leaves[0]} and {len(leaves) - 1} more have uplinks and subnets of their own, but there is "
            "no underlay"
        )
        yield Finding(("links",), what, "state underlay with its AS numbers, loopbacks and uplinks")
