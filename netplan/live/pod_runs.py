"""Whether a command ran check-rails.sh in a pod: a shell there that gets a script on its standard input or
runs this one, or the script as the program. Any other script may be a copy of it, by another name. No other
command is one, whatever it does with the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import IntEnum

from netplan.live.commands import destination
from netplan.live.programs import programs
from netplan.live.shells import SHELLS, program, without_options, without_prefix

_SCRIPT = "check-rails"
_CONTAINERS = frozenset({"kubectl", "oc", "k", "docker", "podman", "crictl", "nerdctl", "ctr"})
_JOBS = frozenset({"srun", "mpirun", "mpiexec", "pdsh", "clush", "pssh", "xargs", "parallel"})
"""They run what stands behind their own options."""
_SAY = frozenset({"echo", "printf", "grep", "man", "which", "type", "alias", "history"})
_LIKE_SHELLS = frozenset({".", "source", "su", "runuser"})
_TEXT = re.compile(r"-[a-z]*c")
"""``sh -c``, ``bash -lc``"""
_UNRUN = re.compile(r"-[a-z]*n[a-z]*")
"""``sh -n`` only reads the script."""
_OF_SYSTEM = ("/bin/", "/sbin/", "/usr/", "/opt/")


_NO_NAME = re.compile(r"[$`]|\b(?:crictl|ctr|nerdctl)\b")


class Runs(IntEnum):
    """``SCRIPT``: one of another name."""

    NOTHING = 0
    SCRIPT = 1
    CHECK = 2


def names_no_pod(command: str) -> bool:
    """By a variable, or the number of a container."""
    return _NO_NAME.search(command) is not None


def runs(command: str, in_pod: bool, given: bool = False) -> Runs:
    """``in_pod``: it is typed there; ``given``: something may be on its standard input."""
    each = ((without_prefix(words), piped or given or "<" in command) for words, piped in programs(command))
    return max((_runs(words, given, in_pod) for words, given in each if words), default=Runs.NOTHING)


def _runs(words: Sequence[str], given: bool, in_pod: bool) -> Runs:
    name = program(words[0])
    if name == "ssh":
        return runs(" ".join(destination(words[1:])[1]), False, given)
    if name in _SAY:
        return Runs.NOTHING
    if name == "nsenter":
        return _within(without_options(words[1:], "tSGW", ("--target", "--setuid", "--setgid")), given)
    at = next((at for at, word in enumerate(words) if program(word) in _CONTAINERS), None)
    if at is not None:
        return _within(_in_container(words[at + 1 :]), given)
    if name in _JOBS:
        return Runs.CHECK if any(_SCRIPT in word for word in words) else Runs.NOTHING
    if in_pod:
        return _within(words, given)
    if name not in SHELLS | _LIKE_SHELLS:
        return Runs.CHECK if _SCRIPT in name else Runs.NOTHING
    found = _by_shell(words[1:], False, given=False)
    return found if found is Runs.CHECK else Runs.NOTHING


def _in_container(words: Sequence[str]) -> Sequence[str]:
    """What runs there. ``words``: behind kubectl or the like."""
    if "--" in words:
        return words[words.index("--") + 1 :]
    opens = next((at for at, word in enumerate(words) if word in ("exec", "rsh")), None)
    if opens is None:
        shell = next((at for at, word in enumerate(words) if program(word) in SHELLS), len(words))
        return words[shell:]
    return _without_options(_without_options(words[opens + 1 :])[1:])


def _without_options(words: Sequence[str]) -> Sequence[str]:
    return without_options(words, "nceuw", ("--namespace", "--container", "--context", "--user", "--env"))


def _within(given_words: Sequence[str], given: bool) -> Runs:
    """In a pod."""
    words = without_prefix(given_words)
    if not words:
        return Runs.NOTHING
    name = program(words[0])
    shell = next((at for at, word in enumerate(words) if program(word) in SHELLS), None)
    if _SCRIPT in name:
        return Runs.CHECK
    if name == "eval":
        return runs(" ".join(words[1:]), True, given)
    if words[0] in _LIKE_SHELLS:
        return _by_shell(words[1:], True, given=False)
    if shell is not None:
        return _by_shell(words[shell + 1 :], True, given)
    own = "/" in words[0] and not words[0].startswith(_OF_SYSTEM)
    return Runs.SCRIPT if own or name.endswith(".sh") or words[0][0] in "$`" else Runs.NOTHING


def _by_shell(words: Sequence[str], in_pod: bool, given: bool) -> Runs:
    """``words``: behind the shell."""
    text = next((at for at, word in enumerate(words) if _TEXT.fullmatch(word)), None)
    if text is not None:
        inner = "".join(words[text + 1 : text + 2])
        if inner[:1] in ("$", "`") and _SCRIPT in inner:
            return Runs.CHECK
        return runs(inner, in_pod, given)
    plain = without_options(words, "oO", ("--rcfile", "--init-file"))
    if any(_UNRUN.fullmatch(word) for word in words[: len(words) - len(plain)]):
        return Runs.NOTHING
    if "-s" in words or not plain:
        return Runs.CHECK if "-s" in words or given else Runs.NOTHING
    return Runs.CHECK if _SCRIPT in plain[0] else Runs.SCRIPT
