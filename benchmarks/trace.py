"""Time of ``netplan trace --matrix`` by size, without compiling: ``python benchmarks/trace.py [HOSTS...]``.

The fabric of ``inventory.py``, twice: with a workload for each pod of leaves, where rails have a subnet per
leaf, and with one over all hosts, where each host has routed links. Prints CPU seconds per stage and per
host, and the ratio to the smallest size, which shows growth that is not linear.
"""

from __future__ import annotations

import gc
import re
import resource
import sys
import time
from typing import TYPE_CHECKING

from inventory import Shape, inventory

if TYPE_CHECKING:
    from netplan.model.artifact import Artifact

ROUTED = {
    "vlan_ids: 100-107, ": "segment: host, ",
    "prefixes: [24]}": "prefixes: [31]}",
    "use: vf, vfs: 2": "use: pf",
    "mode: sriov": "mode: host-device",
    "routing: sbr": "routing: script",
    "nos: sonic,": "nos: sonic, frr_mode: frrcfgd,",
}
"""Replacements that give the same fabric routed host links."""


def site(hosts: int, segment: str) -> str:
    """``segment``: leaf, with a workload for each pod of leaves, or host, with one for all hosts."""
    if segment == "leaf":
        return inventory(Shape(hosts, workloads=0))
    text = inventory(Shape(hosts, workloads=1))
    for old, new in ROUTED.items():
        if old not in text:
            raise SystemExit(f"the inventory of the benchmarks has no {old!r}")
        text = text.replace(old, new)
    return re.sub(r'(  train-0: .*hosts: \[)"[^"]*"', r"\1gpu", text)


def artifacts(hosts: int, segment: str) -> tuple[Artifact, ...]:
    from netplan.pipeline import compile_texts

    result = compile_texts({"bench.yaml": site(hosts, segment)}, upto="render")
    errors = [d for d in result.diagnostics if d.severity == 2]
    if errors:
        raise SystemExit(f"unexpected: {errors[0].message}")
    return result.artifacts


def measure(rendered: tuple[Artifact, ...]) -> dict[str, float]:
    """CPU seconds of ``trace --rendered`` once the files are in memory, and how much it looked at."""
    from netplan.trace import TracedSite, Tabulator, matrix_lines, workloads_named

    times: dict[str, float] = {}
    begin = time.process_time()
    files = TracedSite(rendered)
    for stage in ("cluster", "fabric", "hosts"):
        getattr(files, stage)
        times[stage] = time.process_time() - begin
    tabulator = Tabulator(files)
    found = [tabulator.matrix(workload) for workload in workloads_named(files, None)]
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
