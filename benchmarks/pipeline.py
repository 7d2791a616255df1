"""Time and memory of the whole pipeline by size, in one run: ``python benchmarks/pipeline.py [HOSTS...]``.

A fabric of rail leaves: 64 hosts to a pod of 8 leaves, 8 HCAs each, one spine per 16 uplinks. Prints seconds
per stage and per host, and the ratio to the smallest size, so that growth that is not linear shows.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from pathlib import Path

POD = 64


def inventory(hosts: int) -> str:
    """Ranges only: the text grows with the number of pods."""
    pods = -(-hosts // POD)
    lines = [
        "version: 1", "site: bench", "cluster:", "  primary_network: {cni: calico}",
        "  owners: {vfs: host, device_plugin: manual}", "fabric:", "  type: roce", "  qos:", "    classes:",
        "      roce: {dscp: 26, priority: 3, lossless: true, ecn: {kmin_bytes: 100000, kmax_bytes: 400000}}",
        "      cnp: {dscp: 48, priority: 6, scheduling: strict}", "  arp: {timeout_seconds: 300}",
        "underlay:", "  leaf_asn: 4200000100+", "  spine_asn: 4200000001", "  loopbacks: 10.255.0.0/16",
        "  uplinks: 10.252.0.0/15",
        "rails: {count: 8, vlan_ids: 100-107, supernets: [10.0.0.0/9], rail_prefixes: [12], prefixes: [24]}",
        "host_types:", "  gpu:", "    gpus: 8", "    node_selector: {example.com/type: gpu}", "    hcas:",
        "      roce[0-7]: {model: connectx-7, rail: 0, speed_gbps: 400, use: vf, vfs: 2}",
        *(f'      roce{n}: {{pci: "0000:{0x18 + n:02x}:00.0", netdev: rail{n}}}' for n in range(8)),
        "switch_types:", "  leaf: {nos: sonic, model: sn5600}", "  spine: {nos: sonic, model: sn5600}",
        "hosts:",
    ]  # fmt: skip
    switches, links = ["switches:"], ["links:"]
    for pod in range(pods):
        first, last = pod * POD + 1, min((pod + 1) * POD, hosts)
        lines.append(f'  "gpu-[{first:05}-{last:05}]": {{type: gpu, labels: {{example.com/pod: p{pod}}}}}')
        switches.append(f'  "leaf-[{pod * 8 + 1}-{pod * 8 + 8}]": {{type: leaf, role: leaf}}')
        links.append(
            f'  - {{hosts: "gpu-[{first:05}-{last:05}]", hca: "roce[0-7]", '
            f'switch: "leaf-[{pod * 8 + 1}-{pod * 8 + 8}]", '
            f'ports: "Ethernet[0-{(last - first) * 4}/4]", cable_m: 5}}'
        )
    for spine in range(-(-pods * 8 // 64)):
        switches.append(f"  spine-{5000 + spine}: {{type: spine, role: spine}}")
    networks = "  rail: {for_each: rails, mode: sriov, ipam: nv-ipam, namespaces: [training], routing: sbr}"
    return "\n".join([*lines, *switches, *links, "networks:", networks, ""])


def measure(hosts: int) -> dict[str, float]:
    from netplan.pipeline import compile_texts
    from netplan.write import write

    text = inventory(hosts)
    times = {}
    for stage in ("load", "schema", "resolve", "plan", "render", "verify"):
        begin = time.perf_counter()
        result = compile_texts({"bench.yaml": text}, upto=stage)
        times[stage] = time.perf_counter() - begin
    errors = [d for d in result.diagnostics if d.severity == 2]
    if errors:
        print(errors[:3])
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        write(Path(folder) / "out", result.artifacts, "bench")
        times["write"] = time.perf_counter() - begin
    times["files"] = len(result.artifacts)
    return times


def main() -> None:
    sizes = [int(a) for a in sys.argv[1:]] or [128, 1280, 12500]
    smallest = 0.0
    head = ("hosts", "files", "verify s", "write s", "ms/host", "ratio", "peak MiB")
    print("{:>7} {:>7} {:>9} {:>8} {:>8} {:>6} {:>9}".format(*head))
    for hosts in sizes:
        times = measure(hosts)
        per_host = (times["verify"] + times["write"]) / hosts * 1000
        smallest = smallest or per_host
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{hosts:>7} {times['files']:>7.0f} {times['verify']:>9.2f} {times['write']:>8.2f} "
            f"{per_host:>8.3f} {per_host / smallest:>6.2f} {peak:>9.0f}"
        )
        print(
            "        up to:",
            ", ".join(f"{k} {v:.2f}" for k, v in times.items() if k not in ("files", "write")),
        )


if __name__ == "__main__":
    main()
