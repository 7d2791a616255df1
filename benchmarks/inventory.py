"""The inventories of the benchmarks: a fabric of rail leaves, as ranges or written out host by host.

32 hosts with 8 HCAs each per pod of 8 leaves; each leaf has one uplink to each of four spines. Not a real
site: the spines, and the Junos leaf of the mix, are invented models, so that two tiers suffice at every size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle

POD, RAILS, SPINES = 32, 8, 4
SPINE_PORTS = 1024
"""Ports of a spine, in four parts each: leaf n has part n // 1024 of port n % 1024, so there are at most
4,096 leaves."""

HEAD = """\
version: 1
site: bench
cluster:
  primary_network: {cni: calico}
  owners: {vfs: host, device_plugin: manual}
catalog:
  switches:
    chassis:
      {asic: jericho2, ports: 1024, lanes: 4, speeds_gbps: [400, 1600], host_table: 500000, source: SOURCE}
    box: {asic: tomahawk3, ports: 64, speeds_gbps: [400], host_table: 16384, source: SOURCE}
fabric:
  type: roce
  qos:
    classes:
      roce: {dscp: 26, priority: 3, lossless: true, ecn: {kmin_bytes: 100000, kmax_bytes: 400000}}
      cnp: {dscp: 48, priority: 6, scheduling: strict}
    pfc_watchdog: {poll_ms: 200, detection_ms: 200, restoration_ms: 2000}
  arp: {timeout_seconds: 300}
underlay: {leaf_asn: 4200000100+, spine_asn: 4200000001, loopbacks: 10.240.0.0/16, uplinks: 10.248.0.0/13}
rails: {count: 8, vlan_ids: 100-107, supernets: [10.0.0.0/9], rail_prefixes: [12], prefixes: [24]}
host_types:
  gpu:
    gpus: 8
    node_selector: {example.com/type: gpu}
    hcas:
      roce[0-7]: {model: connectx-7, rail: 0, speed_gbps: 400, use: vf, vfs: 2}
""".replace("SOURCE", "https://example.com/invented-so-that-two-tiers-do")
TAIL = """\
networks:
  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [training], routing: sbr}
"""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A kind of leaf. ``port``: name of the ports from number ``first`` to ``last``, counted from 0."""

    nos: str
    model: str
    port_mtu: int
    more: str
    port: Callable[[int, int], str]

    def type_line(self) -> str:
        return f"  {self.nos}: {{nos: {self.nos}, model: {self.model}, port_mtu: {self.port_mtu}{self.more}}}"


def _numbers(first: int, last: int, step: int = 1) -> str:
    if first == last:
        return str(first)
    return f"[{first}-{last}/{step}]" if step > 1 else f"[{first}-{last}]"


SONIC = Leaf("sonic", "sn5600", 9100, "", lambda a, b: f"Ethernet{_numbers(8 * a, 8 * b, 8)}")
EOS = Leaf(
    "arista-eos",
    "7060x6-64pe",
    9100,
    ", host_table: 16384",
    lambda a, b: f"Ethernet{_numbers(a + 1, b + 1)}/1",
)
MIX = (
    SONIC,
    Leaf("cumulus-nvue", "sn5600", 9100, "", lambda a, b: f"swp{_numbers(a + 1, b + 1)}"),
    EOS,
    Leaf("juniper-junos", "box", 9118, ", queue_bytes: 3000000", lambda a, b: f"et-0/0/{_numbers(a, b)}"),
)


@dataclass(frozen=True, slots=True)
class Shape:
    """``explicit``: each host with PCI address, netdev and MAC of each HCA, and each cable; else ranges.
    ``workloads``: number of workloads; 0 is one per pod."""

    hosts: int
    explicit: bool = False
    workloads: int = 4
    leaves: tuple[Leaf, ...] = (SONIC,)

    @property
    def pods(self) -> int:
        return -(-self.hosts // POD)

    @property
    def switches(self) -> int:
        return self.pods * RAILS + SPINES


def inventory(shape: Shape) -> str:
    spine = Leaf("spine", "chassis", 9100, "", EOS.port)
    lines = [HEAD.rstrip(), *_host_type(), "switch_types:", *(leaf.type_line() for leaf in shape.leaves)]
    lines.append(spine.type_line().replace("nos: spine", "nos: arista-eos"))
    lines += ["hosts:", *_hosts(shape), "switches:", *_switches(shape), "links:", *_links(shape)]
    return "\n".join([*lines, TAIL.rstrip(), "workloads:", *_workloads(shape), ""])


def edited(text: str) -> str:
    """The same site with one HCA of the first host of an explicit inventory in another slot."""
    before, host, after = text.partition("  gpu-00001:\n")
    if not host:
        raise ValueError("no host is written out")
    return before + host + after.replace(f'pci: "{_pci(0)}"', 'pci: "0000:19:00.0"', 1)


def _host_type() -> Iterator[str]:
    for rail in range(RAILS):
        yield f'      roce{rail}: {{pci: "{_pci(rail)}", netdev: ens{rail}f0np0}}'


def _pci(rail: int) -> str:
    return f"0000:{0x18 + 16 * rail:02x}:00.0"


def _pods(shape: Shape) -> Iterator[tuple[int, int, int]]:
    """(number, first host, last host) of each pod."""
    for pod in range(shape.pods):
        yield pod, pod * POD + 1, min((pod + 1) * POD, shape.hosts)


def _hosts(shape: Shape) -> Iterator[str]:
    for pod, first, last in _pods(shape):
        if shape.explicit:
            for host in range(first, last + 1):
                yield from _explicit_host(host, pod)
        else:
            yield f'  "gpu-[{first:05}-{last:05}]": {{type: gpu, labels: {{example.com/pod: p{pod}}}}}'


def _explicit_host(host: int, pod: int) -> Iterator[str]:
    yield f"  gpu-{host:05}:"
    yield "    type: gpu"
    yield f"    id: {host}"
    yield f"    labels: {{example.com/pod: p{pod}}}"
    yield "    hcas:"
    for rail in range(RAILS):
        number = f"02{(host - 1) * RAILS + rail:010x}"
        yield f"      roce{rail}:"
        yield f'        pci: "{_pci(rail)}"'
        yield f"        netdev: ens{rail}f0np0"
        yield f'        mac: "{":".join(number[at : at + 2] for at in range(0, 12, 2))}"'


def _switches(shape: Shape) -> Iterator[str]:
    for (pod, _, _), leaf in zip(_pods(shape), cycle(shape.leaves), strict=False):
        yield f'  "leaf-[{pod * RAILS + 1}-{pod * RAILS + RAILS}]": {{type: {leaf.nos}, role: leaf}}'
    yield f'  "spine-[5001-{5000 + SPINES}]": {{type: spine, role: spine}}'


def _links(shape: Shape) -> Iterator[str]:
    for (pod, first, last), leaf in zip(_pods(shape), cycle(shape.leaves), strict=False):
        numbers = [pod * RAILS + 1 + rail for rail in range(RAILS)]
        if shape.explicit:
            yield from (
                line for host in range(first, last + 1) for line in _cables(host, host - first, numbers, leaf)
            )
        else:
            hosts, ports = f"gpu-[{first:05}-{last:05}]", leaf.port(0, last - first)
            yield (
                f'  - {{hosts: "{hosts}", hca: "roce[0-7]", switch: "{_leaves(numbers)}", '
                f'ports: "{ports}", cable_m: 5}}'
            )
        for spine in range(SPINES):
            part, port = divmod(pod * RAILS, SPINE_PORTS)
            yield (
                f'  - {{switches: "{_leaves(numbers)}", ports: "{leaf.port(POD + spine, POD + spine)}", '
                f'to: spine-{5001 + spine}, to_ports: "Ethernet[{port + 1}-{port + RAILS}]/{part + 1}", '
                "cable_m: 40, speed_gbps: 400}"
            )


def _leaves(numbers: Sequence[int]) -> str:
    return f"leaf-[{numbers[0]}-{numbers[-1]}]"


def _cables(host: int, port: int, leaves: Sequence[int], leaf: Leaf) -> Iterator[str]:
    """In block style, as programs dump YAML."""
    for rail, number in enumerate(leaves):
        yield f"  - hosts: gpu-{host:05}"
        yield f"    hca: roce{rail}"
        yield f"    switch: leaf-{number}"
        yield f"    ports: {leaf.port(port, port)}"
        yield "    cable_m: 5"


def _workloads(shape: Shape) -> Iterator[str]:
    """Each belongs to one pod: hosts of several pods have different subnets, so no job runs across them
    (NP601)."""
    pods = list(_pods(shape))
    count = min(shape.workloads or len(pods), len(pods))
    for number in range(count):
        _, first, last = pods[len(pods) * number // count]
        yield (
            f'  train-{number}: {{namespace: training, hosts: ["gpu-[{first:05}-{last:05}]"], '
            f"networks: [rail], gpus: 8, image: example.com/train-{number}}}"
        )
