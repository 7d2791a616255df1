"""All measurements at design size: ``python benchmarks/run.py [--sizes 128,1250] [--runs N] [--no-peers]``.

CPU time, user and system, of alternating processes; medians; ratios within one run. Prints ``name: value``
lines and writes benchmarks/results.md; a run with other sizes or without peers writes only where ``--output``
says.
"""

from __future__ import annotations

import argparse
import math
import shutil
import sys
import tempfile
from functools import partial
from pathlib import Path

import peers
from inventory import MIX, Shape, edited, inventory
from measure import NETPLAN, ROOT, Lines, Sample, alternately, cpu, filesystem, key, page, peak, process, wall
from stages import STAGES

SIZES = (128, 1_250, 12_500)
SHAPES = {
    "explicit": partial(Shape, explicit=True),
    "explicit_workload_per_leaf_group": partial(Shape, explicit=True, workloads=0),
    "ranges": partial(Shape),
    "ranges_workload_per_leaf_group": partial(Shape, workloads=0),
    "ranges_nos_mix": partial(Shape, leaves=MIX),
}
VALIDATE = STAGES[: STAGES.index("write")]


class Bench:
    """One run: where its files are, how often it measures, its lines."""

    def __init__(self, folder: Path, runs: int) -> None:
        self.folder, self.runs, self.lines = folder, runs, Lines()
        self.seconds: dict[tuple[str, int], float] = {}
        """(shape, size) -> seconds of all stages."""

    def file(self, name: str, text: str) -> Path:
        path = self.folder / f"{name}.yaml"
        path.write_text(text, encoding="utf-8")
        return path

    def netplan(self, *arguments: str | Path, expected: int = 0) -> Sample:
        return process(*NETPLAN, *arguments, expected=expected, NETPLAN_CACHE_DIR=str(self.folder / "cache"))

    def stages(self, kind: str, path: Path) -> Sample:
        """Of a first run: what an earlier one kept of the inventory would make load and schema cheap."""
        kept = self.folder / "cache-of-stages"
        shutil.rmtree(kept, ignore_errors=True)
        folders = {"BENCH_DIR": str(self.folder), "NETPLAN_CACHE_DIR": str(kept)}
        return process(sys.executable, "benchmarks/stages.py", kind, path, **folders)

    def fresh(self, path: Path, out: Path) -> Sample:
        """The very first render: no directory, no cache."""
        for old in (out, self.folder / "cache"):
            shutil.rmtree(old, ignore_errors=True)
        return self.netplan("render", "-q", path, "-o", out)

    # The sections of the page.

    def small(self) -> None:
        self.lines.section("Start-up: whole process ÷ `python -c pass`")
        inventories = ROOT / "inventories"
        calls = {
            "pass": lambda: process(sys.executable, "-c", "pass"),
            "--version": lambda: self.netplan("--version"),
            "validate minimal": lambda: self.netplan("validate", "-q", inventories / "minimal.yaml"),
            "validate iei-rocev2": lambda: self.netplan("validate", "-q", inventories / "iei-rocev2.yaml"),
        }
        found = alternately(max(self.runs, 5), calls)
        for name in list(calls)[1:]:
            self.lines.put(f"{name} ÷ python -c pass", cpu(found[name]) / cpu(found["pass"]))

    def budget(self, hosts: int) -> None:
        """Explicit hosts, by stage and as whole commands, compared with a bare load of the same file."""
        shape, name = SHAPES["explicit"](hosts), f"{hosts} explicit"
        self.lines.section(f"{hosts:,} explicit hosts, {shape.switches:,} switches: CPU ÷ CSafeLoader")
        text = inventory(shape)
        path = self.file(f"explicit-{hosts}", text)
        out = self.folder / "out"
        render = ("render", "-q", path, "-o", out)

        def changed() -> Sample:
            path.write_text(edited(text), encoding="utf-8")
            try:
                return self.netplan(*render)
            finally:
                path.write_text(text, encoding="utf-8")

        found = alternately(
            self.runs,
            {
                "yardstick": lambda: self.stages("csafeloader", path),
                "stages": lambda: self.stages("netplan", path),
                "validate": lambda: self.netplan("validate", "-q", path),
                "first": lambda: self.fresh(path, out),
                "again": lambda: self.netplan(*render),
                "check": lambda: self.netplan(*render, "--check"),
                "changed": changed,
            },
        )
        yardstick, put = key(found["yardstick"], "seconds"), self.lines.put
        put(f"{name}: CSafeLoader", yardstick, "s")
        stage = {each: key(found["stages"], each) for each in STAGES}
        put(f"{name}: load, schema", (stage["load"] + stage["schema"]) / yardstick)
        for each in STAGES[2:]:
            put(f"{name}: {each}", stage[each] / yardstick)
        put(f"{name}: validate, all stages", sum(stage[each] for each in VALIDATE) / yardstick)
        put(f"{name}: render, all stages", sum(stage.values()) / yardstick)
        put(f"{name}: validate, whole command", cpu(found["validate"]) / yardstick)
        put(f"{name}: render, whole command", cpu(found["first"]) / yardstick)
        self.seconds["explicit", hosts] = sum(stage.values())
        self._again(name, found)

    def _again(self, name: str, found: dict[str, list[Sample]]) -> None:
        put, first = self.lines.put, cpu(found["first"])
        words = {
            "again": "re-render, nothing changed",
            "check": "render --check, nothing changed",
            "changed": "re-render, one host changed",
        }
        for each, text in words.items():
            put(f"{name}: {text} ÷ first render", cpu(found[each]) / first)
        for each in ("first", "again", "changed"):
            put(f"{name}: {words.get(each, 'first render')}, CPU", cpu(found[each]), "s")
            put(f"{name}: {words.get(each, 'first render')}, wall", wall(found[each]), "s")
        put(f"{name}: peak memory of the first render", peak(found["first"]), "MiB")
        put(f"{name}: peak memory of CSafeLoader", peak(found["yardstick"]), "MiB")
        put(f"{name}: files", key(found["stages"], "files"))

    def shapes(self, hosts: int) -> None:
        """What the other inventories of this size take, in seconds."""
        self.lines.section(f"{hosts:,} hosts in other inventories: CPU seconds of all stages")
        paths = {name: self.file(f"{name}-{hosts}", inventory(SHAPES[name](hosts))) for name in SHAPES}
        del paths["explicit"]
        calls = {name: partial(self.stages, "netplan", path) for name, path in paths.items()}
        for name, samples in alternately(self.runs, calls).items():
            total = sum(key(samples, each) for each in STAGES)
            self.seconds[name, hosts] = total
            words = f"{hosts} {name.replace('_', ' ')}"
            self.lines.put(f"{words}: render, all stages", total, "s")
            self.lines.put(f"{words}: per switch", total / key(samples, "switches") * 1000, "ms")
            self.lines.put(f"{words}: files", key(samples, "files"))

    def growth(self, small: int, large: int) -> None:
        self.lines.section(f"Growth exponent, {small:,} to {large:,} hosts")
        for name in SHAPES:
            ratio = self.seconds[name, large] / self.seconds[name, small]
            self.lines.put(f"exponent {name.replace('_', ' ')}", math.log(ratio) / math.log(large / small))


def main() -> None:
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="netplan-bench-", dir=options.folder) as folder:
        bench, files = Bench(Path(folder), options.runs), filesystem(Path(folder))
        bench.small()
        for hosts in options.sizes:
            bench.budget(hosts)
        for hosts in options.sizes:
            bench.shapes(hosts)
        for small, large in zip(options.sizes, options.sizes[1:], strict=False):
            bench.growth(small, large)
        if options.peers:
            peers.compare(bench.lines, bench.runs, _made(Path(folder) / "peers"))
    whole = options.peers and options.sizes == SIZES
    output = options.output or (ROOT / "benchmarks" / "results.md" if whole else None)
    if output:
        output.write_text(page(bench.lines, _told(options), files), encoding="utf-8")


def _told(options: argparse.Namespace) -> list[str]:
    """The arguments that say what was measured."""
    sizes = [] if options.sizes == SIZES else ["--sizes", ",".join(map(str, options.sizes))]
    return [*sizes, "--runs", str(options.runs), *([] if options.peers else ["--no-peers"])]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=_sizes, default=SIZES, help="numbers of hosts, such as 128,1250")
    parser.add_argument("--runs", type=int, default=3, help="how often each is measured")
    parser.add_argument(
        "--no-peers", dest="peers", action="store_false", help="without pyavd, netlab, Ansible"
    )
    parser.add_argument("--output", type=Path, help="the page; without it results.md, of a whole run only")
    parser.add_argument("--folder", help="where files are written; a folder in memory takes the disk out")
    return parser.parse_args()


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(sorted(int(size) for size in text.split(",")))


if __name__ == "__main__":
    main()
