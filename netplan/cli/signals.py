"""Signals that end a run: each ends it as ^C does, so that what was begun is tidied up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

_ENDING = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def ending_like_interrupt() -> Iterator[None]:
    """Raise KeyboardInterrupt for SIGTERM and SIGHUP. One that is ignored stays so: nohup ignores SIGHUP."""
    if current_thread() is not main_thread():  # only there may handlers be set
        yield
        return
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal interrupted
        if not interrupted:  # a service manager may send both: the second must not cut the tidying off
            interrupted = True
            raise KeyboardInterrupt

    before = {number: signal.getsignal(number) for number in _ENDING}
    taken = [number for number in _ENDING if before[number] is signal.SIG_DFL]
    for number in taken:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])
