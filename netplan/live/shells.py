"""Whose an output is, by the command behind the prompt: of the machine that ran it, if it shows that
machine's own network.

Of a host only programs whose output is read count, and shells that run a script of them: any other command
may show another machine. A switch has commands of its own. Options: sudo(8), timeout(1), sshpass(1),
nsenter(1) of util-linux, ip(8) and devlink(8) of iproute2; namespaces of an ASIC: sonic-net/sonic-utilities
691b1bbc utilities_common/multi_asic.py.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from netplan.live.commands import destination, own, takes_next
from netplan.records import dataclass

NETNS = frozenset({"netns", "netn", "net"})
"""ip takes the beginning of a word (iproute2 ip/ip.c, cmds: neighbor and neighbour are before netns)."""
SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "fish"})
_WORDS: Mapping[str, str] = {
    "read": "ip rdma devlink lshw lspci mlxconfig mstconfig nvidia-smi collect.sh lldpctl lldpcli",
    "beside": ": cd clear date done echo exit fi export hostname printf set sleep sync true uname uptime yes",
    "file": "cat zcat bzcat xzcat less more head tail vi vim nano grep sed awk jq tar"
    " base64 dd diff gunzip gzip nl sort strings tac uniq xxd",
    "session": "telnet mosh rsh rlogin slogin plink nc ncat netcat console cu minicom picocom tio"
    " autossh dbclient",
    "remote": "pdsh clush pssh parallel-ssh ansible salt srun kubectl oc",
}
"""Programs: whose output is read, that print nothing of it, that show a file, that open a session on another
machine, that show another one."""
_RUN_NOTHING = frozenset({"show", "nv", "include", "exclude", "begin", "section", "match", "except", "egrep"})
"""Of switches, also behind a pipe: ``ssh`` and ``console`` are words that they look for."""
_PROGRAMS = {name: kind for kind, names in _WORDS.items() for name in names.split()}
_BEFORE: Mapping[str, tuple[str, int]] = {
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
_SET = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=")
_TARGET = re.compile(r"(?:-[a-zA-Z]*t ?|--target[= ])([0-9]+)")
_URL = re.compile(r"https?://(?:[^/@\s]{0,80}@)?(?P<host>\[[0-9A-Fa-f:]{2,45}\]|[A-Za-z0-9._-]{1,255})")
_OF_FILE = "the content of a file, not what runs"
OTHER_NETWORK = "of another network namespace, not that of the host"
ELSE = (_OF_FILE, OTHER_NETWORK)
"""Whichever machine speaks, what it says is not of its own network."""


_SCRIPT = "behind a script that may show another machine"
_INTERPRETERS = frozenset({"python", "python3", "perl", "ruby", "expect"})
_REMOTE = "behind a command that shows another machine, or a pod"
_KEYWORDS = frozenset({"do", "then", "else", "if", "while", "until", "{", "!"})
_ASIC = re.compile(r"asic[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Asked:
    """``whose``: the machine, empty if it is none of the inventory. ``why``: why the output is not known to
    be that of its own network; empty if it is."""

    whose: str
    why: str = ""


def host_of(command: str, speaker: str, known: frozenset[str]) -> Asked:
    """Of the output of a program of a host. ``speaker``: the machine in the prompt, empty if it is none of
    the inventory."""
    found = set(_asked(command, speaker, known))
    unclear = sorted((one.why for one in found if one.why), key=lambda why: (why not in ELSE, why))
    if unclear:
        return Asked("", unclear[0])
    machines = {one.whose for one in found} or {speaker}
    if len(machines) > 1:
        return Asked("", "of several machines, behind one command")
    whose = machines.pop()
    return Asked(
        whose, "" if whose else "of a machine that is no host of the inventory, by prompt, title or ssh"
    )


@lru_cache(1024)
def machine_of(command: str, speaker: str, known: frozenset[str]) -> str:
    """Of the output of any command; empty if it is of no machine of the inventory, or of several."""
    found = list(_asked(command, speaker, known))
    machines = {"" if one.why in (_REMOTE, _SCRIPT, OTHER_NETWORK) else one.whose for one in found} or {
        speaker
    }
    return machines.pop() if len(machines) == 1 else ""


@lru_cache(1024)
def leaves(command: str) -> bool:
    """Whether it opens a session on another machine, whose prompts are below it."""
    return any(_opens(without_prefix(words)) for words in simple(command))


def _opens(words: Sequence[str]) -> bool:
    if inner := run_by(words):
        return leaves(inner)
    name = program(words[0]) if words else ""
    if name == "ssh":
        return not destination(words[1:])[1]
    return _PROGRAMS.get(name) == "session" or any(word.startswith("/dev/tty") for word in words[1:])


def is_read(command: str) -> bool:
    """Whether it begins with a program of a host whose output is read, or a shell."""
    name = program(next(iter(without_prefix(command.split())), ""))
    return name in SHELLS or _PROGRAMS.get(name) == "read"


def _asked(command: str, whose: str, known: frozenset[str]) -> Iterator[Asked]:
    for words in simple(command):
        yield from _of_one(without_prefix(words), whose, known)


def simple(command: str) -> Iterator[list[str]]:
    """The first program of each pipe, and those behind it that ask another machine, which reads there what it
    is to run."""
    return (words for words, piped in programs(command) if not piped or _asks(words))


def programs(command: str) -> Iterator[tuple[list[str], bool]]:
    """Without redirections; whether it is piped into."""
    words, piped, skip = list[str](), False, False
    for word in _words(command):
        mark = word[0] if word and not word.strip("();<>|&") else ""
        if (mark and mark in ";&(|") or word == ")":
            yield words, piped
            words, piped = [], mark == "|" and word != "||"
        elif mark:
            skip = True
        elif skip:
            skip = False
        else:
            words.append(word)
    yield words, piped


def _asks(words: Sequence[str]) -> bool:
    rest = without_prefix(words)
    return bool(rest) and (_is_remote(rest[0]) or bool(run_by(rest)))


def _is_remote(word: str) -> bool:
    name = program(word)
    return name == "ssh" or _PROGRAMS.get(name) in ("session", "remote")


def run_by(words: Sequence[str]) -> str:
    """The command from ``ssh`` or the like on, where a program runs it that is not known to do so (``ip vrf
    exec mgmt ssh``, ``watch 'ssh ...'``); empty without one."""
    name = program(words[0]) if words else ""
    if not name or _is_remote(name) or name in _RUN_NOTHING or _PROGRAMS.get(name) in ("beside", "file"):
        return ""
    for at, word in enumerate(words):
        quoted = word.split()
        inner = next((number for number, each in enumerate(quoted) if _is_remote(each)), None)
        if inner is not None:
            return shlex.join(words[at:]) if len(quoted) == 1 else " ".join(quoted[inner:])
    return ""


def _words(command: str) -> list[str]:
    """As a shell takes them; of a command with an open quote, without quotes."""
    parser = shlex.shlex(command, posix=True, punctuation_chars=True)
    parser.whitespace_split, parser.commenters = True, ""
    try:
        return list(parser)
    except ValueError:
        return command.replace("'", " ").replace('"', " ").split()


def without_prefix(words: Sequence[str]) -> Sequence[str]:
    while words:
        name = program(words[0])
        if name in _BEFORE:
            letters, more = _BEFORE[name]
            words = without_options(words[1:], letters)[more:]
        elif _SET.match(words[0]) or name in _KEYWORDS:
            words = words[1:]
        else:
            break
    return words


def without_options(words: Sequence[str], letters: str, long: Collection[str] = ()) -> Sequence[str]:
    """``letters``, ``long``: of the options that take the next word."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        at += 2 if words[at] in long or takes_next(words[at][1:], letters) else 1
    return words[at:]


def program(word: str) -> str:
    return word.rpartition("/")[2]


def _of_one(words: Sequence[str], whose: str, known: frozenset[str]) -> Iterator[Asked]:
    name = program(words[0]) if words else ""
    if name == "ssh":
        machine, rest = destination(words[1:])
        far = own(machine, known)
        yield from _asked(" ".join(rest), far, known) if rest else [Asked(far)]
    elif name == "nsenter":
        yield from _entered(words, whose, known)
    elif (inner := _within(name, words, whose, known)) is not None:
        yield from _of_one(without_prefix(inner[0]), inner[1], known)
    elif name in SHELLS and "-c" in words[:-1]:
        yield from _asked(words[words.index("-c") + 1], whose, known)
    elif far := run_by(words):
        yield from _asked(far, whose, known)
    elif url := next(filter(None, map(_URL.match, words)), None):
        local = url["host"] in ("localhost", "127.0.0.1", "[::1]")
        yield Asked(whose if local else own(url["host"], known), _why(name, words[1:]))
    elif name and _PROGRAMS.get(name) != "beside":
        yield Asked(whose, _SCRIPT if _is_script(words) else _why(name, words[1:]))


def _is_script(words: Sequence[str]) -> bool:
    """Of the user, with a word that may name a machine: ``./show.sh core-77``."""
    plain = [word for word in words if not word.startswith("-")]
    if words[0] in _INTERPRETERS:
        return len(plain) > 2
    return "/" in words[0] and not words[0].startswith(("/bin/", "/sbin/", "/usr/")) and len(plain) > 1


def _within(
    name: str, words: Sequence[str], whose: str, known: frozenset[str]
) -> tuple[Sequence[str], str] | None:
    """The command that another one runs in the network of a machine, and that machine."""
    if name == "ip" and words[1:3] == ["netns", "exec"] and _ASIC.fullmatch("".join(words[3:4])):
        return words[4:], whose
    if name == "ip" and (plain := without_options(words[1:], ""))[:2] == ["vrf", "exec"]:
        return plain[3:], whose
    if name in ("kubectl", "oc") and "debug" in words and (node := node_of(words)):
        behind = words[words.index("--") + 1 :] if "--" in words else ["sh"]
        return behind, own(node, known)
    return None


def node_of(words: Sequence[str]) -> str:
    """Whose network, with that of its processes, ``kubectl debug`` of a node has (kubernetes/kubectl
    pkg/cmd/debug, generateNodeDebugPod: HostNetwork; unconfirmed at a commit)."""
    return next((word.partition("/")[2] for word in words if word.startswith(("node/", "nodes/"))), "")


def _why(name: str, words: Sequence[str]) -> str:
    kind = "read" if name in SHELLS else _PROGRAMS.get(name, "")
    if kind == "read" and _in_namespace(name, words):
        return OTHER_NETWORK
    unknown = f"behind a command that may show another machine: {name[:40]}"
    return {"read": "", "file": _OF_FILE, "remote": _REMOTE, "session": _REMOTE}.get(kind, unknown)


def _entered(words: Sequence[str], whose: str, known: frozenset[str]) -> Iterator[Asked]:
    """Process 1 has the namespaces of the host."""
    rest = without_options(words[1:], "tSGW", ("--target", "--setuid", "--setgid"))
    if is_other_target(words[1 : len(words) - len(rest)]):
        yield Asked(whose, OTHER_NETWORK)
    else:
        yield from _of_one(without_prefix(rest), whose, known)


def is_other_target(options: Sequence[str]) -> bool:
    """Of nsenter: any process but 1, and any file."""
    target = _TARGET.search(" ".join(options))
    return target is None or target[1] != "1"


def _in_namespace(name: str, words: Sequence[str]) -> bool:
    """``ip netns exec``, ``ip -n NAME``, also in its longer forms; ``devlink -N NAME``."""
    if name == "devlink":
        return any(word.startswith(("-N", "--Netns")) for word in words)
    if name != "ip":
        return False
    options = [f"-{word.lstrip('-')}" for word in words if word.startswith("-")]
    plain = [word for word in words if not word.startswith("-")]
    return bool(NETNS & {*plain[:1]}) or any(len(one) > 1 and "-netns".startswith(one) for one in options)
