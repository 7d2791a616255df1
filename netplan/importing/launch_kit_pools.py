"""The IPPools of a ``cluster-config.yaml``: a subnet each, and the addresses that it keeps from pods.

NVIDIA/k8s-launch-kit: pool n has the n-th of ``nvIpam.subnets``. Without a list, subnet n begins n *
``offset`` * 2^(32 - ``mask``) addresses after ``startingSubnet``, and its first address is the gateway
(pkg/config/config.go 05af62cb). Every pool, of either kind, excludes ``reserveFirstIPs`` addresses from its
network address on and ``reserveLastIPs`` up to its broadcast address, beside the ``exclusions`` of its subnet
(pkg/config/config.go 4fa3b5c1; docs/reference/configuration.md 0713a6aa, NV-IPAM;
profiles/sriov-ethernet-rdma-ocp/20-ippool.yaml ac5d9956).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from netaddr import IPAddress, IPNetwork

from netplan.importing.facts import Fact, Remark, Site
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.model.values import parse_address, parse_network

_BLOCK_SIZE = 50
"""Block size of an IPPool before ``nvIpam.perNodeBlockSize`` existed (profiles/*/20-ippool.yaml 28ed09e3);
releases that have the key take 10 in its place (cluster-config.yaml 378fd361, their defaults)."""
ASSUMED = "assumed/"
"""Begin of a field of which the file says nothing, and that counts where no other dump states it."""
_FIRST: Path = ("nvIpam", "reserveFirstIPs")
_LAST: Path = ("nvIpam", "reserveLastIPs")


def pool_facts(read: Reader, name: str, number: int) -> Iterator[Fact | Remark]:
    """``number``: of its subnet."""
    size = read.number("nvIpam", "perNodeBlockSize")
    if size is None and number == 0:
        what = f"no perNodeBlockSize: {_BLOCK_SIZE} is taken; kubectl get ippools -A shows what runs"
        yield Remark(read.at("nvIpam"), what, alike=ASSUMED)
    field = f"{ASSUMED}block_size" if size is None else "block_size"
    yield read.fact("pool", (name,), field, size or _BLOCK_SIZE, "nvIpam", "perNodeBlockSize")
    rows = [path for path, _ in read.rows("nvIpam", "subnets")]
    if not rows:
        yield from _counted(read, name, number)
    elif number < len(rows):
        yield from _listed(read, name, rows[number])
    else:
        what = f"pool {name} has none of the {len(rows)} subnets; its network is without addresses"
        yield Remark(read.at("nvIpam", "subnets"), what)


def assumed(found: Iterable[Fact | Remark], site: Site) -> Iterator[Fact | Remark]:
    """What the kit does not state as it is in ``site``, else as assumed, which is told."""
    found = [*found]
    open_to = {fact for fact in found if isinstance(fact, Fact) and _is_open(fact, site)}
    for each in found:
        if isinstance(each, Remark):
            yield from [each] if each.alike != ASSUMED or open_to else []
        elif each in open_to:
            yield replace(each, field=each.field.removeprefix(ASSUMED))
        elif not each.field.startswith(ASSUMED):
            yield each


def _is_open(fact: Fact, site: Site) -> bool:
    name = fact.field.removeprefix(ASSUMED)
    known = site.said(fact.kind, fact.of, name) or site.conflict(fact.kind, fact.of, name)
    return fact.field != name and known is None


def _listed(read: Reader, name: str, path: Path) -> Iterator[Fact]:
    if subnet := read.network(*path, "subnet"):
        yield read.fact("pool", (name,), "subnet", subnet, *path, "subnet")
        yield from _reserved(read, name, subnet)
    if gateway := read.address(*path, "gateway"):
        yield read.fact("pool", (name,), "gateway", gateway, *path, "gateway")
    for row, _ in read.rows(*path, "exclusions"):
        ends = [read.address(*row, key) for key in ("startIP", "endIP")]
        if all(ends):
            yield read.fact("pool", (name,), f"excluded/{'-'.join(ends)}", True, *row)


def _counted(read: Reader, name: str, number: int) -> Iterator[Fact]:
    at: Path = ("nvIpam", "startingSubnet")
    start = parse_address(read.address(*at))
    mask = read.number("nvIpam", "mask", least=1, most=30)
    if start is not None and start.version != 4:
        read.refuse("no IPv4 address", *at)
    if start is None or start.version != 4 or mask is None:
        return
    step = (read.number("nvIpam", "offset") or 1) << (32 - mask)
    first = int(start) + number * step
    network = parse_network(f"{IPAddress(first)}/{mask}") if first < 1 << 32 else None
    if network is None or network.first != first:
        read.refuse(
            f"subnet {number + 1} of /{mask} cannot begin there, nor does k8s-launch-kit take it", *at
        )
        return
    yield read.fact("pool", (name,), "subnet", str(network), *at)
    yield read.fact("pool", (name,), "gateway", str(IPAddress(first + 1)), *at)
    yield from _reserved(read, name, str(network))


def _reserved(read: Reader, name: str, subnet: str) -> Iterator[Fact]:
    """The first and the last addresses of the subnet, as many as are stated."""
    first, last = read.number(*_FIRST) or 0, read.number(*_LAST) or 0
    stated = _FIRST if first else _LAST
    if not first + last:
        return
    network = IPNetwork(subnet).cidr
    if network.version != 4 or first + last >= network.size:
        read.refuse(f"k8s-launch-kit cannot reserve {first + last:,} addresses of {subnet}", *stated)
        return
    low, high = int(network.first), int(network.last)
    for path, start, end in ((_FIRST, low, low + first - 1), (_LAST, high - last + 1, high)):
        if start <= end:
            span = f"{IPAddress(start)}-{IPAddress(end)}"
            yield read.fact("pool", (name,), f"excluded/{span}", True, *path)
