"""Programs by what they print, those that run another one, and the words of a command line."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from itertools import pairwise

OWN_SCRIPTS = frozenset({"collect.sh", "check-rails.sh"})
HARMLESS = re.compile(
    r"\$(?:\?|\{?HOSTNAME\}?|\((?:hostname|date)(?: [\w+%:. -]*)?\))|`(?:hostname|date)(?: [\w+%:. -]*)?`"
)
"""Substitutions whose output is no other machine's."""
SUBSTITUTED, VARIABLE = re.compile(r"\$\(|`"), re.compile(r"\$[\w({@*]|`")
_WORDS: Mapping[str, str] = {
    "read": "ip rdma devlink lshw lspci mlxconfig mstconfig nvidia-smi collect.sh lldpctl lldpcli",
    "beside": ": cd clear date done echo exit fi export hostname printf set sleep sync true uname uptime yes"
    " df free ls lsblk mkdir read touch which",
    "file": "cat zcat bzcat xzcat bat batcat less more head tail vi vim nano base64 cut nl sort strings tac"
    " uniq xxd grep sed awk jq yq tar dd diff gunzip gzip",
    "session": "telnet mosh rsh rlogin slogin plink nc ncat netcat console cu minicom picocom tio"
    " autossh dbclient ssh6 telnet6 rexec rshell",
    "remote": "pdsh clush pssh parallel-ssh ansible salt srun kubectl oc",
}
"""Programs: whose output is read, that print nothing of it, that show a file, that open a session on another
machine, that show another one."""
RUN_NOTHING = frozenset({"show", "nv", "include", "exclude", "begin", "section", "match", "except", "egrep"})
"""Of switches, also behind a pipe: ``ssh`` and ``console`` are words that they look for."""
PROGRAMS = {name: kind for kind, names in _WORDS.items() for name in names.split()}
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
_LONGEST = 20_000
_QUOTED = re.compile(r"(?<!\S)(?P<mark>['\"])[();<>|&]+(?P=mark)(?!\S)")
_ESCAPED = re.compile(r"(\\\\)|\\[();<>|&]")
"""Marks of a shell that are words: ``cut -d '>' FILE``."""
SET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def reads_file(command: str) -> bool:
    """Whether a shell, or another program, reads a file of the user, or what another command prints."""
    words = words_of(command) if "<" in command or ">(" in command else []
    read = {behind.rpartition("/")[2] for word, behind in pairwise(words) if word == "<"}
    return not read <= {*OWN_SCRIPTS, "null"} or any(word in ("<(", "<<<", ">(") for word in words)


def words_of(command: str) -> list[str]:
    """As a shell takes them; of a command with an open quote, without quotes. One that is longer than people
    type is taken for one that opens a session elsewhere."""
    if len(command) > _LONGEST:
        return ["ssh", "?"]
    parser = shlex.shlex(command, posix=True, punctuation_chars=True)
    parser.whitespace_split, parser.commenters = True, ""
    try:
        return list(parser)
    except ValueError:
        return command.replace("'", " ").replace('"', " ").split()


def programs(command: str) -> Iterator[tuple[list[str], bool]]:
    """Without redirections; whether it is piped into."""
    command = _ESCAPED.sub(r"\g<1>_", _QUOTED.sub("_", command))
    words, piped, skip = list[str](), False, False
    for word, behind in pairwise((*words_of(command), "")):
        mark = word[0] if word and not word.strip("();<>|&") else ""
        if (mark and mark in ";&(|") or word == ")":
            yield words, piped
            words, piped = [], mark == "|" and word != "||"
        elif mark:
            skip = True
        elif skip:
            skip = False
        elif not (word in ("1", "2") and behind[:1] == ">"):
            words.append(word)
    yield words, piped
