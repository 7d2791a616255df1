"""Shells in another network namespace, whose prompt is that of the machine: nothing below it is of its own
network until their end.

Without a program nsenter(1) and unshare(1) of util-linux run the shell of the user. Options: sudo(8), su(1),
runuser(1), script(1), nsenter(1), unshare(1), ip-netns(8).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.commands import destination, own
from netplan.live.shells import (
    NETNS,
    SHELLS,
    is_other_target,
    program,
    run_by,
    simple,
    without_options,
    without_prefix,
)
from netplan.records import dataclass

_SUBSTITUTED = re.compile(r"\$\([^()]*\)|`[^`]*`")
_COMMENT = re.compile(r"\s#.*")
_SCREENS = frozenset({"tmux", "screen", "byobu", "login", "script"})
_CONSOLES = frozenset({"vtysh", "lldpcli", "sonic-cli", "redis-cli", "python", "python3"})
"""Where a person types commands, too, and ends with exit."""
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "crictl", "kubectl", "oc", "lxc", "machinectl"})
_LOGIN = frozenset({"-i", "-s", "--login", "--shell"})
"""Options of sudo that run a shell."""
_ALONE = ""
"""Where a shell is whose network is that of a machine, or whose prompt is another one's."""


@dataclass(slots=True, kw_only=True)
class Entered:
    """``machine``: whose prompt stands in another namespace; ``depth``: shells up to its end; ``ended``: the
    line above ended one."""

    machine: str = ""
    depth: int = 0
    ended: bool = False

    def see(self, command: str, speaker: str, known: frozenset[str]) -> None:
        """``speaker``: of the prompt before the command."""
        self.ended = False
        where = _opened(_plain(command), speaker, known, other=False)
        if self.machine:
            self.depth += where is not None
        elif where:
            self.machine, self.depth = where, 1

    def end(self, told: bool) -> None:
        """``told``: of a shell, by itself or by ssh behind what ended it, not by a command at the prompt."""
        if not (told and self.ended):
            self.depth -= 1
        if self.depth <= 0:
            self.machine, self.depth = "", 0
        self.ended = not told


def _plain(command: str) -> str:
    """With one word in place of what another command prints, and without a comment."""
    while (shorter := _SUBSTITUTED.sub("x", command)) != command:
        command = shorter
    return _COMMENT.sub("", command)


def _opened(command: str, whose: str, known: frozenset[str], other: bool) -> str | None:
    """The machine in whose prompt a shell in another namespace is; empty of any other shell; None without
    one. ``other``: it is in another namespace already."""
    found = (_of_one(words, whose, known, other) for words in simple(command))
    return next((where for where in found if where is not None), None)


def _of_one(words: Sequence[str], whose: str, known: frozenset[str], other: bool) -> str | None:
    rest = without_prefix(words)
    here = whose if other else _ALONE
    if not rest:
        return here if words and program(words[0]) in ("sudo", "doas") and _LOGIN & {*words} else None
    if far := run_by(rest):
        return _opened(far, whose, known, other)
    name = program(rest[0])
    if name == "ssh":
        return _behind_ssh(rest[1:], known, other)
    inner = _inner(name, rest)
    if inner is not None:
        entered = other or name != "nsenter" or is_other_target(rest[1 : len(rest) - len(inner)])
        if not inner:
            return None if name == "ip" else whose if entered else _ALONE
        return _of_one(inner, whose, known, entered)
    return here if _is_shell(name, rest[1:]) else None


def _behind_ssh(words: Sequence[str], known: frozenset[str], other: bool) -> str | None:
    machine, behind = destination(words)
    return _opened(" ".join(behind), own(machine, known), known, other) if behind else _ALONE


def _inner(name: str, words: Sequence[str]) -> Sequence[str] | None:
    """The command that one runs in another namespace; None of any other command."""
    if name == "nsenter":
        return without_options(words[1:], "tSGW", ("--target", "--setuid", "--setgid"))
    if name == "unshare":
        return without_options(words[1:], "SGRw", ("--setuid", "--setgid", "--root", "--wd"))
    if name == "sonic-netns-exec":
        return words[2:]
    plain = [*without_options(words[1:], ""), "", ""]
    executes = name == "ip" and plain[0] in NETNS and plain[1] and "exec".startswith(plain[1])
    return plain[2 if "-all" in words or "-a" in words else 3 : -2] if executes else None


def _is_shell(name: str, words: Sequence[str]) -> bool:
    if name in _CONTAINERS:
        return any(each in words for each in ("exec", "shell")) and program(words[-1]) in SHELLS
    if name in ("su", "runuser"):
        asks = any(each.startswith(("-c", "--command")) for each in words)
        return program(words[-1]) in SHELLS if "-u" in words else not asks
    asks = name in SHELLS or name in _CONSOLES
    return name in _SCREENS or (asks and "-c" not in words and not without_options(words, "oOd"))
