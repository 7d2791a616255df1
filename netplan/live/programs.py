"""Programs by what they print, those that run another one, and the words of a command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from itertools import pairwise

OWN_SCRIPTS = frozenset({"collect.sh", "check-rails.sh"})
HARMLESS = re.compile(
    r"\$(?:\?|\{?HOSTNAME\}?|\((?:hostname|date)(?: [\w+%:. -]*)?\))|`(?:hostname|date)(?: [\w+%:. -]*)?`"
)
"""Substitutions whose output is no other machine's."""
SUBSTITUTED, VARIABLE = re.compile(r"\$\(|`"), re.compile(r"\$[\w({@*]|`")
_WHOLE = (
    "cat zcat bzcat xzcat bat batcat less more head tail vi vim nano base64 cut nl sort strings tac uniq xxd"
)
_WORDS: Mapping[str, str] = {
    "read": "ip rdma devlink lshw lspci mlxconfig mstconfig nvidia-smi collect.sh lldpctl lldpcli",
    "beside": ": cd clear date done echo exit fi export hostname printf set sleep sync true uname uptime yes",
    "file": f"{_WHOLE} grep sed awk jq yq tar dd diff gunzip gzip",
    "session": "telnet mosh rsh rlogin slogin plink nc ncat netcat console cu minicom picocom tio"
    " autossh dbclient ssh6 telnet6 rexec rshell",
    "remote": "pdsh clush pssh parallel-ssh ansible salt srun kubectl oc",
}
"""Programs: whose output is read, that print nothing of it, that show a file, that open a session on another
machine, that show another one."""
RUN_NOTHING = frozenset({"show", "nv", "include", "exclude", "begin", "section", "match", "except", "egrep"})
"""Of switches, also behind a pipe: ``ssh`` and ``console`` are words that they look for."""
PROGRAMS = {name: kind for kind, names in _WORDS.items() for name in names.split()}
SHOW_WHOLE = frozenset(_WHOLE.split())
"""Those that show a file and take no pattern or program before its name."""
SHOW_FILE = frozenset(name for name, kind in PROGRAMS.items() if kind == "file")
BEFORE: Mapping[str, tuple[str, int]] = {
    "sudo": ("ugpCrtTUDRh", 0),
    "doas": ("uC", 0),
    "env": ("uC", 0),
    "time": ("fo", 0),
    "timeout": ("ks", 1),
    "nice": ("n", 0),
    "ionice": ("cn", 0),
    "nohup": ("", 0),
    "stdbuf": ("ioe", 0),
    "command": ("", 0),
    "sshpass": ("pfdP", 0),
    "chroot": ("", 1),
    "exec": ("a", 0),
    "setsid": ("", 0),
    "taskset": ("", 1),
    "numactl": ("NmCip", 0),
    "chrt": ("", 1),
    "setpriv": ("", 0),
}
"""Command that runs another one in the same network: letters of its options with a value, words before the
other command."""
SET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def reads_file(command: str) -> bool:
    """Whether a shell, or another program, reads a file of the user, or what another command prints."""
    words = words_of(command) if "<" in command else []
    read = {behind.rpartition("/")[2] for word, behind in pairwise(words) if word == "<"}
    return not read <= {*OWN_SCRIPTS, "null"} or any(word in ("<(", "<<<") for word in words)


def words_of(command: str) -> list[str]:
    """As a shell takes them; of a command with an open quote, without quotes."""
    parser = shlex.shlex(command, posix=True, punctuation_chars=True)
    parser.whitespace_split, parser.commenters = True, ""
    try:
        return list(parser)
    except ValueError:
        return command.replace("'", " ").replace('"', " ").split()
