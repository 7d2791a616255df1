"""CPU seconds of each stage, in its own process: ``python benchmarks/stages.py netplan FILE``.

``csafeloader`` in place of ``netplan`` measures the reference: PyYAML's C loader on the same text.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

STAGES = ("load", "schema", "resolve", "checks", "plan", "render", "verify", "write")
BEGINS = {
    "reading": "load",
    "validating": "schema",
    "resolving": "resolve",
    "planning": "plan",
    "rendering": "render",
    "verifying": "verify",
}
"""First word of the pipeline's progress -> the stage that begins."""


def now() -> float:
    """CPU seconds of this process and of its finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


class Clock:
    """Adds up the time per stage."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self._stage = ""
        self._since = now()

    def begin(self, stage: str) -> None:
        if self._stage:
            self.seconds[self._stage] += now() - self._since
        self._stage, self._since = stage, now()

    def progress(self, said: str) -> None:
        self.begin(BEGINS[said.split()[0]])

    @contextmanager
    def within(self, stage: str) -> Iterator[None]:
        outer = self._stage
        self.begin(stage)
        try:
            yield
        finally:
            self.begin(outer)


def netplan(name: str) -> dict[str, float]:
    from netplan import pipeline
    from netplan.cli import COLLECT_AFTER
    from netplan.write import write

    gc.set_threshold(COLLECT_AFTER)  # like the command
    clock = Clock()
    pipeline.run_checks = _counted(clock, pipeline.run_checks)
    result = pipeline.run([name], progress=clock.progress)
    clock.begin("")
    errors = [found for found in result.diagnostics if found.severity == 2]
    if errors or result.fabric is None:
        raise SystemExit(f"unexpected: {errors[:3]}")
    with TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        clock.begin("write")
        write(Path(folder) / "out", result.artifacts, result.fabric.site)
        clock.begin("")
    switches = len(result.fabric.switches)
    return {**clock.seconds, "files": len(result.artifacts), "switches": switches, "peak": _peak()}


def _counted(clock: Clock, call: Callable[..., Any]) -> Callable[..., Any]:
    def counted(*arguments: Any) -> Any:
        with clock.within("checks"):
            return call(*arguments)

    return counted


def csafeloader(name: str) -> dict[str, float]:
    import yaml

    text = Path(name).read_text(encoding="utf-8")
    begin = now()
    data = yaml.load(text, Loader=yaml.CSafeLoader)
    return {"seconds": now() - begin, "hosts": len(data["hosts"]), "peak": _peak()}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps({"netplan": netplan, "csafeloader": csafeloader}[sys.argv[1]](sys.argv[2])))
