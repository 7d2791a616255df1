"""CPU time, wall time and memory of whole processes; medians; lines ``name: value``."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NETPLAN = (sys.executable, "-m", "netplan")


@dataclass(frozen=True, slots=True)
class Sample:
    """Measurement of a process and its children. ``cpu``: seconds, user and system."""

    cpu: float
    wall: float
    peak_mib: float
    output: str

    @property
    def data(self) -> Any:
        """What a measuring child printed."""
        return json.loads(self.output)


def process(*command: str | Path, expected: int = 0, **environment: str) -> Sample:
    """Run ``command`` in the repository to its end."""
    words = [str(word) for word in command]
    own = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    own.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed netplan has its byte code
    with TemporaryFile() as output, TemporaryFile() as errors:
        begin = time.perf_counter()
        child = subprocess.Popen(words, cwd=ROOT, env=own, stdout=output, stderr=errors)
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.perf_counter() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        if child.returncode != expected:
            raise SystemExit(f"{' '.join(words)}: exit {child.returncode}\n{errors.read().decode()[-2000:]}")
        unit = 2**20 if sys.platform == "darwin" else 2**10
        cpu = usage.ru_utime + usage.ru_stime
        return Sample(cpu, wall, usage.ru_maxrss / unit, output.read().decode())


def alternately(runs: int, calls: Mapping[str, Callable[[], Sample]]) -> dict[str, list[Sample]]:
    """Each call ``runs`` times, alternating, so that a machine that slows down affects all of them."""
    found: dict[str, list[Sample]] = {name: [] for name in calls}
    for _ in range(runs):
        for name, call in calls.items():
            found[name].append(call())
    return found


def cpu(samples: Sequence[Sample]) -> float:
    return median(sample.cpu for sample in samples)


def wall(samples: Sequence[Sample]) -> float:
    return median(sample.wall for sample in samples)


def peak(samples: Sequence[Sample]) -> float:
    return max(sample.peak_mib for sample in samples)


def key(samples: Sequence[Sample], name: str) -> float:
    """The median of a number that the children printed."""
    return median(float(sample.data[name]) for sample in samples)


@dataclass(slots=True)
class Lines:
    """Measurements, printed as they come and kept for the page."""

    sections: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    _section: str = ""

    def section(self, title: str) -> None:
        self._section = title
        self.sections[title] = []
        print(f"# {title}", flush=True)

    def put(self, name: str, value: float | str, unit: str = "") -> None:
        text = value if isinstance(value, str) else _shown(value)
        text = f"{text} {unit}".rstrip()
        self.sections[self._section].append((name, text))
        print(f"{name}: {text}", flush=True)


def _shown(value: float) -> str:
    """Three significant digits."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def machine() -> dict[str, str]:
    """The machine that was measured on."""
    import yaml

    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "CPU": f"{_cpu_model()}, {cpus} of {os.cpu_count()} usable",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()}",
        "Python": f"{platform.python_version()}, PyYAML {yaml.__version__}",
        "commit": _git("rev-parse", "--short", "HEAD") + (" with changes" if _git("status", "-s") else ""),
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "")


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


def filesystem(folder: Path) -> str:
    """Its type, such as tmpfs or ext4: on tmpfs no disk is measured."""
    done = subprocess.run(["stat", "-f", "-c", "%T", folder], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def page(lines: Lines, arguments: Sequence[str], files: str) -> str:
    """The page of a run, in Markdown. ``arguments``: without paths, which are of one machine; ``files``: type
    of the filesystem that the run wrote to."""
    command = " ".join(["python benchmarks/run.py", *arguments])
    text = ["# Measured", "", f"By `{command}`, on this machine:", "", "| | |", "|---|---|"]
    text += [f"| {name} | {value} |" for name, value in {**machine(), "files on": files}.items()]
    for title, found in lines.sections.items():
        text += ["", f"## {title}", "", "| measure | value |", "|---|---|"]
        text += [f"| {name} | {value} |" for name, value in found]
    return "\n".join([*text, ""])
