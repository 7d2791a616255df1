"""Draws the sample, measures what tests reach, runs the mutants and prints the survivors."""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import pickle
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path

from tools.mutants import __doc__ as purpose
from tools.mutants.blocks import Numbers
from tools.mutants.changes import Mutant, mutants, sample
from tools.mutants.known import gone, known
from tools.mutants.order import Order, importers, named_codes
from tools.mutants.reach import OPTIONS, Measured, together
from tools.mutants.runner import Runner, Sums, answer
from tools.mutants.worker import Share, work

ROOT = Path(__file__).resolve().parent.parent.parent
JUDGED = ("reading", "graph", "rules", "trace", "plan", "checks", "verify", "resolve")
NOT_COPIED = (".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis")
READ = ("netplan", "templates", "schemas", "inventories", "tests")
"""What tests reach stays valid while these are unchanged."""
_PRINTED = re.compile(r"(?:netplan|templates)/\S+?:\d+: .+?(?=  |$)", re.MULTILINE)
KEPT = ROOT / "build/mutants/reach.pickle"


def main() -> int:
    arguments = _arguments()
    every = mutants(ROOT, arguments.over)
    listed = known()
    chosen = sample(every, arguments.count, arguments.seed)[arguments.first :]
    if arguments.listed:
        keys = {entry.key for entry in listed}
        chosen = [mutant for mutant in every if mutant.key in keys]
    if arguments.named is not None:
        chosen = named_in(arguments.named.read_text(encoding="utf-8"), every)
    if arguments.list:
        print(f"{len(every)} mutants, of which:", *chosen, sep="\n")
        return 0
    sums = Sums({entry.key: entry for entry in listed}, arguments.least)
    of_these = [entry for entry in listed if _below(entry.key[0], arguments.over)]
    sums.wrong += [
        f"listed as equivalent, but not there any more: {entry}" for entry in gone(of_these, every)
    ]
    upstream = os.environ.get("NETPLAN_UPSTREAM") or str(ROOT / "../shared/upstream")
    os.environ.update(NETPLAN_UPSTREAM=str(Path(upstream).resolve()), NETPLAN_REQUIRE="")
    with tempfile.TemporaryDirectory(prefix="netplan-mutants-") as folder:
        copies = _copies(Path(folder), arguments.jobs)
        numbers = Numbers(copies[0])
        with _workers(copies, arguments.tests) as workers:
            reached = _reach(copies[0], workers, arguments)
            if reached.failed:
                print(
                    "fail without a mutant, and are not used:", *reached.failed, sep="\n  ", file=sys.stderr
                )
            print(f"{len(reached.tests)} tests", flush=True)
            order = Order(numbers, reached, importers(ROOT), named_codes(ROOT))
            runner = Runner(order.tests, order.seen, arguments.seconds)
            with suppress(KeyboardInterrupt):  # print what is known so far
                for mutant, verdict, seconds in runner.verdicts(chosen, workers):
                    sums.add(mutant, verdict)
                    print(
                        f"{verdict.outcome.value:10} {seconds:4.0f} s  {mutant}  {verdict.test}", flush=True
                    )
    print(*sums.lines(), sep="\n")
    return sums.status


@contextmanager
def _workers(copies: Sequence[Path], tests: Sequence[str]) -> Iterator[list[Connection]]:
    context = multiprocessing.get_context("fork")
    workers, processes = [], []
    try:
        for copy in copies:
            mine, its = context.Pipe()
            process = context.Process(target=work, args=(copy, Numbers(copy), tests, its))
            process.start()
            its.close()
            workers.append(mine)
            processes.append(process)
        for worker in workers:
            if (said := answer(worker, str)) != "ready":
                sys.exit(said)
        yield workers
        for worker in workers:
            worker.send(None)
    finally:
        for worker, process in zip(workers, processes, strict=True):
            worker.close()
            process.join(1)
            process.terminate()
            process.join()


def named_in(text: str, every: Iterable[Mutant]) -> list[Mutant]:
    """Mutants that a text names as they are printed, such as the survivors of an earlier run."""
    wanted = {*_PRINTED.findall(text)}
    return [mutant for mutant in every if str(mutant) in wanted]


def _below(path: str, over: Iterable[str]) -> bool:
    return any(path == name or path.startswith(f"{name}/") for name in over)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="mutants", description=purpose.splitlines()[0] if purpose else None)
    packages = [f"netplan/{name}" for name in JUDGED]
    parser.add_argument("--count", type=int, default=300, help="how many mutants [300]")
    parser.add_argument("--first", type=int, default=0, help="leave out so many of the sample [0]")
    parser.add_argument("--seed", type=int, default=1, help="another seed takes other mutants [1]")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time [processors]"
    )
    parser.add_argument("--seconds", type=float, default=120, help="of tests for a mutant [120]")
    parser.add_argument(
        "--least", type=float, default=95, help="percent killed below which to exit with 1 [95]"
    )
    parser.add_argument(
        "--over", nargs="+", default=packages, help=f"files or folders [{' '.join(packages)}]"
    )
    parser.add_argument(
        "--tests", nargs="+", default=["tests"], help="files or folders, the best first [tests]"
    )
    parser.add_argument(
        "--reach-seconds", type=float, metavar="S", help="use the tests that can be measured in so long [all]"
    )
    parser.add_argument("--list", action="store_true", help="name the mutants and run nothing")
    parser.add_argument("--listed", action="store_true", help="those of equivalent.yaml instead of a sample")
    parser.add_argument(
        "--named", type=Path, metavar="FILE", help="those that FILE names, as printed, instead of a sample"
    )
    arguments = parser.parse_args()
    arguments.over = [name.rstrip("/") for name in arguments.over]
    return arguments


def _copies(folder: Path, jobs: int) -> list[Path]:
    ignored = shutil.ignore_patterns(*NOT_COPIED)
    copies = [folder / str(job) for job in range(jobs)]
    return [Path(shutil.copytree(ROOT, copy, ignore=ignored, symlinks=True)) for copy in copies]


def _reach(copy: Path, workers: Sequence[Connection], arguments: argparse.Namespace) -> Measured:
    """Which test reaches which block: from the previous run if nothing changed since, else measured."""
    digest, each = _digest(copy, arguments.tests), None
    if arguments.reach_seconds is not None:
        digest, each = f"{digest} {arguments.reach_seconds}", arguments.reach_seconds / len(workers)
    if KEPT.is_file():
        kept: tuple[str, Measured] = pickle.loads(KEPT.read_bytes())
        if kept[0] == digest:
            return kept[1]
    for job, worker in enumerate(workers):
        worker.send(Share(job, len(workers), arguments.tests, each))
    reached = together([answer(worker, Measured) for worker in workers])
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    KEPT.write_bytes(pickle.dumps((digest, reached)))
    return reached


def _digest(copy: Path, tests: Sequence[str]) -> str:
    sums = hashlib.sha256(f"{sys.version} {OPTIONS} {tests}".encode())
    for folder in READ:
        for path in sorted((copy / folder).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                sums.update(f"{path.relative_to(copy)} {path.stat().st_size} ".encode() + path.read_bytes())
    return sums.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
