"""Time of ``netplan trace --matrix`` by size, without compiling: ``python benchmarks/trace.py [HOSTS...]``.

The fabric of ``pipeline.py``, with two spines that join all leaves, twice: a workload for each pod of leaves,
where rails have a subnet per leaf, and one over all hosts, where each host has routed links. Prints seconds
of CPU per stage and per host, and the ratio to the smallest size, so that growth that is not linear shows.
"""

from __future__ import annotations

import gc
import resource
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pipeline

if TYPE_CHECKING:
    from netplan.model.artifact import Artifact

SPINES, SPINES_FROM, HALF = 2, 5000, 1024
CHASSIS = """\
catalog:
  switches:
    chassis:
      asic: jericho2
      ports: 1024
      lanes: 2
      speeds_gbps: [400, 800]
      host_table: 100000
      source: https://example.com/invented-so-that-two-tiers-do
"""

ROUTED = {
    "rails: {count: 8, vlan_ids: 100-107, supernets: [10.0.0.0/9], rail_prefixes: [12], prefixes: [24]}": (
        "rails: {count: 8, segment: host, supernets: [10.0.0.0/9], rail_prefixes: [12], prefixes: [31]}"
    ),
    "use: vf, vfs: 2": "use: pf",
    "mode: sriov": "mode: host-device",
    "routing: sbr": "routing: script",
}


def inventory(hosts: int, segment: str) -> str:
    """With workloads and uplinks; ``segment``: leaf or host."""
    leaves = -(-hosts // pipeline.POD) * 8
    text = CHASSIS + "".join(_uplinked(pipeline.inventory(hosts), leaves))
    names = ["gpu"]
    if segment == "host":
        for old, new in ROUTED.items():
            text = text.replace(old, new)
    else:
        firsts = range(1, hosts + 1, pipeline.POD)
        names = [f'"gpu-[{n:05}-{min(n + pipeline.POD - 1, hosts):05}]"' for n in firsts]
    lines = (
        f"  train-{i}: {{namespace: training, hosts: [{n}], networks: [rail], gpus: 8, "
        f"image: example.com/train-{i}}}"
        for i, n in enumerate(names)
    )
    text = text.replace("model: sn5600}", "model: sn5600, port_mtu: 9214}")
    return "\n".join([text, "workloads:", *lines, ""])


def _uplinked(text: str, leaves: int) -> Iterator[str]:
    """Two spines in place of those without links, and a link from each leaf to each."""
    for line in text.splitlines(keepends=True):
        if line.startswith("  spine: {nos"):
            yield "  spine: {nos: arista-eos, model: chassis, port_mtu: 9214}\n"
        elif line.startswith("links:"):
            yield f"  spine-[{SPINES_FROM}-{SPINES_FROM + SPINES - 1}]: {{type: spine, role: spine}}\n{line}"
            yield from (line for spine in range(SPINES) for line in _links(spine, leaves))
        elif not line.startswith("  spine-"):
            yield line


def _links(spine: int, leaves: int) -> Iterator[str]:
    """From each leaf to one spine, whose ports have two halves."""
    for part, first in enumerate(range(1, leaves + 1, HALF), 1):
        last = min(first + HALF - 1, leaves)
        yield (
            f'  - {{switches: "leaf-[{first}-{last}]", ports: Ethernet{256 + 8 * spine}, '
            f'to: spine-{SPINES_FROM + spine}, to_ports: "Ethernet[1-{last - first + 1}]/{part}", '
            "cable_m: 40, speed_gbps: 400}\n"
        )


def artifacts(hosts: int, segment: str) -> tuple[Artifact, ...]:
    from netplan.pipeline import compile_texts

    result = compile_texts({"bench.yaml": inventory(hosts, segment)}, upto="render")
    errors = [d for d in result.diagnostics if d.severity == 2]
    if errors:
        raise SystemExit(f"unexpected: {errors[0].message}")
    return result.artifacts


def measure(rendered: tuple[Artifact, ...]) -> dict[str, float]:
    """CPU seconds of what ``trace --rendered`` does after the files are in memory; and what it looked at."""
    from netplan.trace import Site, Tabulator, matrix_lines, workloads_named

    times: dict[str, float] = {}
    begin = time.process_time()
    site = Site(rendered)
    for stage in ("cluster", "fabric", "hosts"):
        getattr(site, stage)
        times[stage] = time.process_time() - begin
    tabulator = Tabulator(site)
    found = [tabulator.matrix(workload) for workload in workloads_named(site, None)]
    lines = sum(1 for each in found for _ in matrix_lines(each, False))
    times["walks"] = time.process_time() - begin
    failing = [each for each in found if each.verdict.fails]
    if failing or not lines:
        raise SystemExit(f"unexpected: {list(matrix_lines(failing[0], False)) if failing else 'nothing'}")
    times["hosts seen"] = sum(each.hosts for each in found)
    times["count"] = sum(each.walks for each in found)
    return times


def main() -> None:
    sizes = [int(a) for a in sys.argv[1:]] or [128, 1280, 12500]
    head = ("segment", "hosts", "walks", "seconds", "ms/host", "ratio", "peak MiB")
    print("{:>7} {:>7} {:>8} {:>8} {:>8} {:>6} {:>9}".format(*head))
    for segment in ("leaf", "host"):
        smallest = 0.0
        for hosts in sizes:
            rendered = artifacts(hosts, segment)
            gc.collect()
            times = measure(rendered)
            if times["hosts seen"] != hosts:
                raise SystemExit(f"saw {times['hosts seen']} of {hosts} hosts")
            per_host = times["walks"] / hosts * 1000
            smallest = smallest or per_host
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(
                f"{segment:>7} {hosts:>7} {times['count']:>8.0f} {times['walks']:>8.2f} "
                f"{per_host:>8.3f} {per_host / smallest:>6.2f} {peak:>9.0f}"
            )
            stages = ("cluster", "fabric", "hosts", "walks")
            print("        up to:", ", ".join(f"{stage} {times[stage]:.2f}" for stage in stages))


if __name__ == "__main__":
    main()
