"""Feed the loader texts guided by coverage: ``python tools/fuzz_loader.py --seconds 60 --crashes DIR``

Every text goes through reading, schema and references (``compile_texts`` up to ``resolve``). An exception, or
a text that takes longer than the limit, is saved as a file and ends the run with exit status 1; a merely
wrong text is fine. The corpus: shipped inventories and the bad cases of the checks.

The guide is atheris if installed (``pip install -e '.[fuzz]'``), else a small loop: `sys.settrace` records
the lines of netplan that a text reaches, and a text that reaches a new line joins the corpus.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SLOW_SECONDS = 10.0
"""Limit of processor time for one text, in seconds; texts of this size take well below one, a few when
traced."""
MAX_LENGTH = 20_000
TOKENS = (
    *(": ", "- ", "{", "}", "[", "]", ", ", "'", '"', "\\", "#", "\t", "\r\n", "? ", "|\n", ">-\n"),
    *("&a ", "*a", "<<: ", "!!str ", "---\n", "...\n", "%YAML 1.2\n"),
    *("\x00", "\x85", "\u2028", "\ufeff", "é", "🦀"),
    *("null", "~", "true", "0o17", "1e999", ".nan", "-1", "99999999999999999999"),
    *("[001-128]", "[0-124/4]", "[1-999999999]"),
)
"""Tokens of YAML and of inventory ranges."""

Target = Callable[[str], None]


def corpus() -> list[str]:
    """Texts that reach much of the loader: good ones, and ones with one mistake each."""
    sys.path.insert(0, str(ROOT))
    from tests.overlay import case_texts, inventory_cases

    texts = [path.read_text() for path in sorted((ROOT / "inventories").glob("*.yaml"))]
    for case in inventory_cases("NP*/bad-*.yaml"):
        texts += case_texts(case).values()
    return [text for text in dict.fromkeys(texts) if len(text) <= MAX_LENGTH]


def load(text: str) -> None:
    """The fuzz target. Raises only for a bug."""
    from netplan.pipeline import compile_texts
    from netplan.report import finding_text

    result = compile_texts({"fuzz.yaml": text}, upto="resolve")
    assert result.document is not None
    line_of = result.document.places.sources.line
    for diagnostic in result.diagnostics:
        finding_text(diagnostic, line_of)


class CrashError(Exception):
    """A text that makes the loader fail; ``why``: a traceback or a time."""

    def __init__(self, text: str, why: str) -> None:
        super().__init__(why)
        self.text, self.why = text, why


def attempt(target: Target, text: str, limit: float = SLOW_SECONDS) -> None:
    """Raises `CrashError`."""
    started = time.thread_time()
    try:
        target(text)
    except Exception as error:
        raise CrashError(text, "".join(traceback.format_exception(error))) from error
    took = time.thread_time() - started
    if took > limit:
        raise CrashError(text, f"took {took:.1f} s")


def save(crash: CrashError, folder: Path) -> Path:
    """Save the text as a file, with the reason beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    data = crash.text.encode(errors="surrogatepass")
    path = folder / f"{hashlib.sha256(data).hexdigest()[:16]}.yaml"
    path.write_bytes(data)
    path.with_suffix(".txt").write_text(crash.why)
    return path


class Coverage:
    """Records lines of netplan that are reached while it is active."""

    def __init__(self) -> None:
        self.lines: set[tuple[str, int]] = set()
        self._inside = str(ROOT / "netplan")

    def __enter__(self) -> None:
        threading.settrace(self._trace)
        sys.settrace(self._trace)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)
        threading.settrace(None)

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(self._inside):
            return None
        self.lines.add((frame.f_code.co_filename, frame.f_lineno))
        return self._trace


def guided(target: Target, texts: list[str], deadline: float, seed: int) -> Iterator[str]:
    """Try variants of ``texts`` until ``deadline`` (of `time.monotonic`); yields those that reach new
    lines."""
    chance = random.Random(seed)
    coverage = Coverage()
    pool = list(texts)
    for text in chance.sample(texts, len(texts)):
        if time.monotonic() > deadline:
            return
        with coverage:
            attempt(target, text)
    while time.monotonic() < deadline:
        text = varied(chance, pool)
        before = len(coverage.lines)
        with coverage:
            attempt(target, text)
        if len(coverage.lines) > before:
            pool.append(text)
            yield text


def varied(chance: random.Random, pool: list[str]) -> str:
    """A text of the pool with one to eight changes."""
    text = chance.choice(pool[-20:] if chance.random() < 0.5 else pool)
    for _ in range(chance.randint(1, 8)):
        at = chance.randint(0, len(text))
        end = min(len(text), at + chance.choice((0, 1, 2, 8, 40, 200)))
        kind = chance.randrange(5)
        if kind == 0:
            piece = ""
        elif kind == 1:
            piece = chance.choice(TOKENS)
        elif kind == 2:
            piece = text[at:end] * chance.choice((2, 3, 50))
        elif kind == 3:
            piece = chr(
                chance.choice((chance.randrange(128), chance.randrange(0x3000), chance.randrange(0xD800)))
            )
        else:
            other = chance.choice(pool)
            start = chance.randint(0, len(other))
            piece = other[start : start + chance.randint(1, 400)]
        text = text[:at] + piece + text[end:]
    return text[:MAX_LENGTH]


def by_own_loop(seconds: float, seed: int) -> str:
    """Returns a summary of the run. Raises `CrashError`."""
    texts = corpus()
    tried = 0

    def counted(text: str) -> None:
        nonlocal tried
        tried += 1
        load(text)

    kept = sum(1 for _ in guided(counted, texts, time.monotonic() + seconds, seed))
    return f"{tried:,} texts tried, {kept:,} of them reached new lines; the corpus had {len(texts):,}"


def by_atheris(seconds: float, seed: int, crashes: Path) -> None:
    """Hands the process over to libFuzzer, which ends it; a crash is saved first."""
    import atheris

    with atheris.instrument_imports(include=["netplan"], enable_loader_override=False):
        import netplan.pipeline  # noqa: F401  imported here so that it is instrumented

    seeds = crashes / "corpus"
    seeds.mkdir(parents=True, exist_ok=True)
    for text in corpus():
        data = text.encode()
        (seeds / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)

    def once(data: bytes) -> None:
        try:
            attempt(load, data[:MAX_LENGTH].decode(errors="surrogateescape"))
        except CrashError as crash:
            print(f"{save(crash, crashes)}: {crash.why}", file=sys.stderr)
            raise

    options = [f"-max_total_time={int(seconds)}", f"-seed={seed}", f"-max_len={MAX_LENGTH}", "-verbosity=0"]
    limits = [f"-timeout={int(SLOW_SECONDS)}", "-rss_limit_mb=2048", f"-artifact_prefix={crashes}/"]
    atheris.Setup([sys.argv[0], *options, *limits, "-print_final_stats=1", str(seeds)], once)
    atheris.Fuzz()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=60, help="how long to try [60]")
    parser.add_argument("--seed", type=int, default=1, help="another seed tries other texts [1]")
    parser.add_argument(
        "--crashes", type=Path, default=ROOT / "build/crashes", help="where crashes are saved"
    )
    parser.add_argument(
        "--own", action="store_true", help="the loop of its own, also where atheris is installed"
    )
    arguments = parser.parse_args()
    if not arguments.own and importlib.util.find_spec("atheris"):
        by_atheris(arguments.seconds, arguments.seed, arguments.crashes)
    try:
        print(by_own_loop(arguments.seconds, arguments.seed))
    except CrashError as crash:
        print(f"{save(crash, arguments.crashes)}: {crash.why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
