"""Whether a command ran check-rails.sh in a pod, or should have: a shell in a pod that was given something
may have been given the script by any name. One that asks for a session, or runs other words, was not; nor is
a command that lists or copies the script."""

from __future__ import annotations

import re
from collections.abc import Sequence

from netplan.live.shells import SHELLS, program, programs, without_prefix

_SCRIPT = "check-rails"
_FILES = frozenset(
    [
        *(
            "ls",
            "cp",
            "mv",
            "rm",
            "scp",
            "rsync",
            "chmod",
            "chown",
            "stat",
            "file",
            "wc",
            "diff",
            "git",
            "echo",
        ),
        *("cat", "less", "more", "head", "tail", "vi", "vim", "nano", "grep", "md5sum", "sha256sum"),
    ]
)
_CONTAINERS = frozenset({"kubectl", "oc", "k", "docker", "podman", "crictl", "nerdctl", "ctr"})
_TEXT = re.compile(r"-[a-z]*c")
"""``sh -c``, ``bash -lc``"""


def runs_check(command: str) -> bool:
    each, given = list(programs(command)), "<" in command
    redirected = command.count(_SCRIPT) - sum(word.count(_SCRIPT) for words, _ in each for word in words)
    return bool(redirected) or any(_runs(without_prefix(words), piped or given) for words, piped in each)


def _runs(words: Sequence[str], given: bool) -> bool:
    """``given``: something may be on its standard input."""
    if _is_of_files(words):
        return False
    shell = next((at for at, word in enumerate(words) if program(word) in SHELLS), None)
    if any(_SCRIPT in word for word in words) or shell is None or "exec" not in words:
        return any(_SCRIPT in word for word in words)
    behind = words[shell + 1 :]
    text = next((at for at, word in enumerate(behind) if _TEXT.fullmatch(word)), None)
    if text is not None:
        return re.search("[$`]", " ".join(behind[text + 1 :])) is not None
    return given or any(word == "-s" or not word.startswith("-") for word in behind)


def _is_of_files(words: Sequence[str]) -> bool:
    name = program(words[0]) if words else ""
    if name in _CONTAINERS and "exec" in words:
        behind = words[words.index("--") + 1 :] if "--" in words else ()
        return bool(behind) and program(behind[0]) in _FILES
    return name in _FILES or (name in _CONTAINERS and "cp" in words)
