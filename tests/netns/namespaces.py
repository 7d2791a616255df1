"""Unnamed network namespaces.

Each lives as long as the child process that holds it, which exits when its standard input is closed: runs
cannot collide, and nothing is left over however a run ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import socket
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

CLONE_NEWNET = 0x40000000  # include/uapi/linux/sched.h
LIBC = ctypes.CDLL(None, use_errno=True)

# Its own /run: CNI plugins keep their state there, and root of a user namespace must not write to the
# machine's.
HOLD = "mount -t tmpfs tmpfs /run && ip link set lo up && echo ready && exec cat"


class Namespace:
    """A network namespace with its own ``/run``; a context manager."""

    def __init__(self) -> None:
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--mount", "sh", "-c", HOLD],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != "ready\n":
            self.close()
            raise OSError(f"no network namespace: unshare ended with {self._holder.returncode}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the holder; the kernel removes the namespace with its contents."""
        self._holder.communicate()

    @property
    def pid(self) -> int:
        """The argument for ``ip link ... netns``."""
        return self._holder.pid

    @property
    def path(self) -> str:
        """The value for ``CNI_NETNS``."""
        return f"/proc/{self.pid}/ns/net"

    def attempt(
        self, *command: str, stdin: str = "", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a command in the namespace; ``env`` is added to the environment."""
        return subprocess.run(
            ["nsenter", f"--target={self.pid}", "--net", "--mount", *command],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=30,
            env={**os.environ, **(env or {})},
            check=False,
        )

    def run(self, *command: str, stdin: str = "", env: Mapping[str, str] | None = None) -> str:
        """Output of a command that must succeed."""
        done = self.attempt(*command, stdin=stdin, env=env)
        assert done.returncode == 0, f"{' '.join(command)}: {done.stdout}{done.stderr}"
        return done.stdout

    def shell(self, *lines: str) -> None:
        self.run("sh", "-e", stdin="\n".join(lines))

    def ip(self, *arguments: str) -> list[dict[str, Any]]:
        """Parsed output of ``ip -4 -j``."""
        found: list[dict[str, Any]] = json.loads(self.run("ip", "-4", "-j", *arguments))
        return found

    def udp_socket(self) -> socket.socket:
        """A socket that stays in the namespace after this thread leaves it."""
        with self._entered():
            return socket.socket(socket.AF_INET, socket.SOCK_DGRAM)

    def interface(self, index: int) -> str:
        """The name of an interface."""
        with self._entered():
            return socket.if_indextoname(index)

    @contextmanager
    def _entered(self) -> Iterator[None]:
        """Move this thread into the namespace; os.setns needs Python 3.12."""
        with Path("/proc/thread-self/ns/net").open("rb") as home, Path(self.path).open("rb") as here:
            _enter(here.fileno())
            try:
                yield
            finally:
                _enter(home.fileno())


def _enter(namespace: int) -> None:
    if LIBC.setns(namespace, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
