"""Pools that pods' addresses come from: those of nv-ipam, and those that an IPAM has in the network itself.

Fields: IPPool and CIDRPool Mellanox/nvidia-k8s-ipam 3ce4a34 api/v1alpha1, ``poolName`` may name one pool for
each IP version, with a comma (README.md there); whereabouts k8snetworkplumbingwg/whereabouts 3a262bd
pkg/types/types.go; host-local containernetworking/plugins v1.9.1 plugins/ipam/host-local/backend/allocator,
where a row of ``ranges`` is one address for each of its rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from netaddr import IPAddress, IPNetwork

from netplan.importing.facts import Fact, Of, Remark
from netplan.importing.kubernetes.left import MANAGED_BY
from netplan.importing.kubernetes.objects import Path, Reader, as_they_are
from netplan.importing.kubernetes.whole import with_fields
from netplan.model.ipams import IPAMS
from netplan.model.values import parse_address, parse_network, usable

_IPAMS = as_they_are(*(name for name, row in IPAMS.items() if row.addresses))
OTHER_IPAM = "other_ipam"
"""Field of a network whose IPAM netplan does not know: it is not one without."""
_KINDS = as_they_are("ippool", "cidrpool")
_POOLS = ("pool", "second_pool")
"""Fields of a network: one pool for each IP version."""
_ONE = "an inventory has one range of each version for a rail; the first is taken"
Span = tuple[int, int]


def ipam_facts(read: Reader, of: Of, path: Path) -> Iterator[Fact | Remark]:
    """The IPAM, its routes, and the pool of an IPAM that has it in the network."""
    kind = read.word(_IPAMS, *path, "type")
    if not kind:
        if (other := read.text(*path, "type")) or path in read.thing.faults:
            yield read.fact("network", of, OTHER_IPAM, other or "a text that is not JSON", *path)
        return
    yield read.fact("network", of, "ipam", kind, *path)
    own: Of = ("/".join(of),)
    yield from _routes(read, of, own, path)
    if kind == "nv-ipam":
        read.word(_KINDS, *path, "poolType")
        names = [name.strip() for name in read.text(*path, "poolName").split(",") if name.strip()]
        if len(names) > len(_POOLS):
            read.refuse(_ONE, *path, "poolName")
        for field, name in zip(_POOLS, names, strict=False):
            yield read.fact("network", of, field, name, *path)
    elif kind == "whereabouts":
        yield from _pool_of(read, of, own, path, _ranges(read, path))
    elif kind == "host-local":
        yield from _pool_of(read, of, own, path, _rows(read, path))
    elif kind == "spiderpool":
        yield read.fact("cluster", (), "spiderpool", True, *path)
        yield from spider_pools(read, of, (*path, "default_ipv4_ippool"), (*path, "default_ipv6_ippool"))
    elif kind == "static":
        read.seen.add((*path[:-1], "capabilities", "ips"))  # netplan writes it
        yield from _stated_addresses(read, of, own, path)


def spider_pools(read: Reader, of: Of, ipv4: Path, ipv6: Path) -> Iterator[Fact]:
    """The first pool of Spiderpool."""
    names = read.texts(*ipv4)
    for name in names[:1]:
        yield read.fact("network", of, "pool", name, *ipv4)
    if len(names) > 1:
        read.refuse(_ONE, *ipv4)
    if read.texts(*ipv6):
        read.refuse("a network of Spiderpool has IPv4 addresses alone (NP649)", *ipv6)


def _stated_addresses(read: Reader, of: Of, own: Of, path: Path) -> Iterator[Fact]:
    """The subnet of the first one. netplan's networks of ``static`` have none: the pods state them."""
    for number, (at, _) in enumerate(read.rows(*path, "addresses")):
        network = parse_network(read.text(*at, "address"))
        if network is None:
            read.refuse("no address with its prefix length, such as 10.0.0.10/24", *at, "address")
            continue
        read.refuse("its subnet is taken; pods state their addresses of ipam static", *at, "address")
        gateway = read.address(*at, "gateway")
        if number == 0:
            yield read.fact("network", of, "pool", *own, *at)
            yield read.fact("pool", own, "subnet", str(network.cidr), *at, "address")
            if gateway:
                yield read.fact("pool", own, "gateway", gateway, *at, "gateway")


def _routes(read: Reader, of: Of, own: Of, path: Path) -> Iterator[Fact]:
    for at, _ in read.rows(*path, "routes"):
        dst = read.network(*at, "dst")
        read.address(*at, "gw")
        read.number(*at, "scope")
        if read.number(*at, "table") is not None:
            yield read.fact("network", of, "routing", "table", *at)
        elif dst:
            yield read.fact("pool", own, f"route/{dst}", True, *at, "dst")


Range = tuple[IPNetwork, Span, Path]
"""Subnet, first and last address that is given out, where it stands."""


def _ranges(read: Reader, path: Path) -> Iterator[Range]:
    """``range`` is a subnet, or first-last/length; ``ipRanges`` has several."""
    rows = [path] if read.value(*path, "range") is not None else []
    rows += [at for at, _ in read.rows(*path, "ipRanges")]
    for at in rows:
        first, _, rest = read.text(*at, "range").rpartition("-")
        network, start = parse_network(rest), parse_address(first) if first else None
        if network is None or (first and (start is None or start.version != network.version)):
            read.refuse("not a range such as 10.0.0.0/24 or 10.0.0.10-10.0.0.99/24", *at, "range")
            continue
        span = (int(start), int(network.ip)) if start is not None else (network.first, network.last)
        yield network.cidr, _stated(read, span, (*at, "range_start"), (*at, "range_end")), at


def _rows(read: Reader, path: Path) -> Iterator[Range]:
    """``subnet`` in the network itself, or rows of ``ranges``, each a list."""
    rows = [path] if read.value(*path, "subnet") is not None else []
    listed = read.value(*path, "ranges")
    for number in range(len(listed) if isinstance(listed, list) else 0):
        rows += [at for at, _ in read.rows(*path, "ranges", number)]
    for at in rows:
        network = parse_network(read.network(*at, "subnet"))
        if network is not None:
            span = (network.first, network.last)
            yield network.cidr, _stated(read, span, (*at, "rangeStart"), (*at, "rangeEnd")), at


def _stated(read: Reader, span: Span, first: Path, last: Path) -> Span:
    """The span between two addresses where they are stated."""
    low, high = (parse_address(read.address(*path)) for path in (first, last))
    return (int(low) if low is not None else span[0], int(high) if high is not None else span[1])


def _pool_of(read: Reader, of: Of, own: Of, path: Path, ranges: Iterable[Range]) -> Iterator[Fact]:
    """The pool of the first subnet; what lies outside its ranges is excluded."""
    found = list(ranges)
    if not found:
        return
    network, _, first = found[0]
    gateways = [text for at in dict.fromkeys((path, first)) if (text := read.address(*at, "gateway"))]
    yield read.fact("network", of, "pool", *own, *first)
    yield read.fact("pool", own, "subnet", str(network), *first)
    for gateway in gateways[:1]:
        yield read.fact("pool", own, "gateway", gateway, *first)
    spans: list[Span] = []
    for other, span, at in found:
        if other == network:
            spans.append(span)
            read.address(*at, "gateway")
            yield from _excluded(read, own, at)
        else:
            read.refuse(_ONE, *at)
    for span_text in gaps(network, spans, gateways[0] if gateways else ""):
        yield read.fact("pool", own, f"excluded/{span_text}", True, *first)


def _excluded(read: Reader, own: Of, at: Path) -> Iterator[Fact]:
    """``exclude`` of whereabouts: subnets and addresses."""
    for index, text in enumerate(read.texts(*at, "exclude")):
        network = parse_network(text if "/" in text else f"{text}/{128 if ':' in text else 32}")
        if network is None:
            read.refuse("not a subnet such as 10.0.0.0/28", *at, "exclude", index)
            continue
        span = "-".join(str(IPAddress(int(end), network.version)) for end in (network.first, network.last))
        yield read.fact("pool", own, f"excluded/{span}", True, *at, "exclude", index)


def gaps(network: IPNetwork, spans: Iterable[Span], gateway: str) -> Iterator[str]:
    """Addresses of the subnet that no span has. The gateway at the end of a gap is not part of it."""
    first, last = usable(network)
    low, high = network.first + first, network.first + last
    at, gate = low, parse_address(gateway)
    for start, end in (*sorted(spans), (high + 1, high + 1)):
        gap = (at, min(start, high + 1) - 1)
        if gate is not None and int(gate) in gap:
            gap = (gap[0] + (int(gate) == gap[0]), gap[1] - (int(gate) == gap[1] and gap[0] != gap[1]))
        if gap[0] <= gap[1]:
            yield "-".join(str(IPAddress(each, network.version)) for each in gap)
        at = max(at, end + 1)


OF_POOLS = "network_operator_of_pools"
"""Field of the cluster: that pools show the Network Operator."""
_STAND_ALONE = "kube-system"
"""Where an nv-ipam without the Network Operator looks for pools: it reads those of its own namespace alone
(Mellanox/nvidia-k8s-ipam deploy/manifests, ``--ippools-namespace=$(POD_NAMESPACE)``)."""


def ip_pool_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield from of_pool(read, _pool(read, "subnet", {"perNodeBlockSize": "block_size"}))


def cidr_pool_facts(read: Reader) -> Iterator[Fact | Remark]:
    yield from of_pool(read, _cidr_pool(read))


def _cidr_pool(read: Reader) -> Iterator[Fact]:
    yield from _pool(read, "cidr", {"perNodeNetworkPrefix": "node_prefix"})
    index = read.number("spec", "gatewayIndex")
    if index is not None:
        yield read.fact("pool", (read.thing.name,), "gateway_index", index, "spec", "gatewayIndex")


def of_pool(read: Reader, found: Iterable[Fact]) -> Iterator[Fact | Remark]:
    """The facts of an object that is a pool, and which it has: one that another dump lacks contradicts it."""
    return with_fields(read, found, read.thing.kind, ("kind",))


def _pool(read: Reader, subnet: str, sizes: Mapping[str, str]) -> Iterator[Fact]:
    of = (read.thing.name,)
    if namespace := read.text("metadata", "namespace"):
        yield read.fact("cluster", (), "operator_namespace", namespace, "metadata", "namespace")
        if namespace != _STAND_ALONE:
            yield read.fact("cluster", (), OF_POOLS, True, "metadata", "namespace")
    yield from pool_object(read, of, subnet)
    yield from _parts(read, of)
    for key, name in sizes.items():
        number = read.number("spec", key, least=1)
        if number is not None:
            yield read.fact("pool", of, name, number, "spec", key)


def pool_object(read: Reader, of: Of, subnet: str) -> Iterator[Fact]:
    """What objects of pools have in common: subnet, gateway, routes, whether netplan made it."""
    if cidr := read.network("spec", subnet):
        yield read.fact("pool", of, "subnet", cidr, "spec", subnet)
    if gateway := read.address("spec", "gateway"):
        yield read.fact("pool", of, "gateway", gateway, "spec", "gateway")
    labels = ("metadata", "labels", MANAGED_BY)
    if read.text(*labels) == "netplan":
        yield read.fact("pool", of, "ours", True, *labels)
    for path, _ in read.rows("spec", "routes"):
        if dst := read.network(*path, "dst"):
            yield read.fact("pool", of, f"route/{dst}", True, *path, "dst")


def _parts(read: Reader, of: Of) -> Iterator[Fact]:
    """Exclusions, and what single nodes have."""
    for path, _ in read.rows("spec", "exclusions"):
        ends = [read.address(*path, key) for key in ("startIP", "endIP")]
        if all(ends):
            yield read.fact("pool", of, f"excluded/{'-'.join(ends)}", True, *path)
    yield from _selected(read, of)
    if read.value("spec", "staticAllocations"):
        yield read.fact("pool", of, "fixed", True, "spec", "staticAllocations")
    yield from _given(read, of, ("spec", "staticAllocations"))
    yield from _given(read, of, ("status", "allocations"))


def _selected(read: Reader, of: Of) -> Iterator[Fact]:
    """Keys of labels by which its nodes are selected, and the values, where one term says all of them."""
    terms = [term for term, _ in read.rows("spec", "nodeSelector", "nodeSelectorTerms")]
    for term in terms:
        for path, row in read.rows(*term, "matchExpressions"):
            if isinstance(name := row.get("key"), str):
                yield read.fact("pool", of, f"selector/{name}", True, *path)
    rows = [row for term in terms for row in read.rows(*term, "matchExpressions")]
    if len(terms) == 1 and all(row.get("operator") == "In" for _, row in rows):
        for path, row in rows:
            if values := tuple(read.texts(*path, "values")):
                yield read.fact("pool", of, f"selects/{row.get('key')}", values, *path)


def _given(read: Reader, of: Of, rows: Path) -> Iterator[Fact]:
    """What each node has of a CIDRPool; of an IPPool it is a block, which has no prefix."""
    for path, row in read.rows(*rows):
        node = read.text(*path, "nodeName")
        if "startIP" in row:
            yield read.fact("pool", of, f"on/{node}", True, *path)
            continue
        prefix = read.network(*path, "prefix")
        if not (node and prefix):
            read.refuse("a node and its prefix are expected", *path)
            continue
        yield read.fact("pool", of, f"static/{node}", prefix, *path, "prefix")
        if gateway := read.address(*path, "gateway"):
            yield read.fact("pool", of, f"gateway/{node}", gateway, *path, "gateway")


def whereabouts_pool_facts(read: Reader) -> Iterator[Fact | Remark]:
    """Whereabouts has its own IPPool: allocations by offset from the first address
    (k8snetworkplumbingwg/whereabouts 3a262bd pkg/api/whereabouts.cni.cncf.io/v1alpha1/ippool_types.go)."""
    taken = len(read.names("spec", "allocations"))
    subnet = read.text("spec", "range")
    read.seen.add(("spec", "allocations"))
    if taken:
        what = f"{taken} addresses of {subnet} are" if taken > 1 else f"1 address of {subnet} is"
        yield Remark(read.at("spec", "allocations"), f"{what} in use by pods")
