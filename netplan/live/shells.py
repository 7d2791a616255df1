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
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from netplan.live.commands import destination, own, takes_next
from netplan.live.filters import FILTERS, is_filter
from netplan.live.forms import asked_of, is_short_show, nested, shows_itself
from netplan.live.programs import (
    BEFORE,
    HARMLESS,
    OWN_SCRIPTS,
    PROGRAMS,
    RUN_NOTHING,
    SET,
    SUBSTITUTED,
    VARIABLE,
    programs,
    reads_file,
)
from netplan.records import dataclass

NETNS = frozenset({"netns", "netn", "net"})
"""ip takes the beginning of a word (iproute2 ip/ip.c, cmds: neighbor and neighbour are before netns)."""
SHELLS = frozenset({"sh", "bash", "dash", "ash", "zsh", "ksh", "fish"})
_TARGET = re.compile(r"(?:-[a-zA-Z]*t ?|--target[= ])([0-9]+)")
_OF_FILE = "the content of a file, not what runs"
OTHER_NETWORK = "of another network namespace, not that of the host"
ELSE = (_OF_FILE, OTHER_NETWORK)
"""Whichever machine speaks, what it says is not of its own network."""
_SCRIPT = "behind a script that may show another machine"
_UNCLEAR = "behind a command that says by a variable or another command what it shows"
_COMMAND_OPTION = re.compile(r"-[a-z]*c")
_INTERPRETERS = frozenset({"python", "python3", "perl", "ruby", "expect"})
_REMOTE = "behind a command that shows another machine, or a pod"
_KEYWORDS = frozenset({"do", "then", "else", "if", "while", "until", "{", "}", "!"})
_ASIC = re.compile(r"asic[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Asked:
    """``whose``: the machine, empty if it is none of the inventory. ``why``: why the output is not known to
    be that of its own network, of a program of a host; empty if it is. ``form``: its form shows no other
    machine at a switch."""

    whose: str
    why: str = ""
    form: bool = False


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
    machines = {one.whose if one.form else "" for one in found} or {speaker}
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
    return PROGRAMS.get(name) == "session" or any(word.startswith("/dev/tty") for word in words[1:])


def is_read(command: str) -> bool:
    """Whether it begins with a program of a host whose output is read, or a shell."""
    name = program(next(iter(without_prefix(command.split())), ""))
    return name in SHELLS or PROGRAMS.get(name) == "read"


def _asked(command: str, whose: str, known: frozenset[str]) -> Iterator[Asked]:
    command = HARMLESS.sub("x", command)
    for words, piped in programs(command):
        rest = without_prefix(words)
        if not piped or _asks(words):
            yield from _of_one(rest, whose, known)
        elif rest and not is_filter(rest):
            name = program(rest[0])
            why = _SCRIPT if name in SHELLS else _OF_FILE if name in FILTERS else ""
            yield Asked(whose, why, shows_itself(rest))
    if reads_file(command):
        yield Asked(whose, _SCRIPT)


def simple(command: str) -> Iterator[list[str]]:
    """The first program of each pipe, and those behind it that ask another machine, which reads there what it
    is to run."""
    return (words for words, piped in programs(command) if not piped or _asks(words))


def _asks(words: Sequence[str]) -> bool:
    rest = without_prefix(words)
    return bool(rest) and (_is_remote(rest[0]) or bool(run_by(rest)))


def _is_remote(word: str) -> bool:
    name = program(word)
    return name == "ssh" or PROGRAMS.get(name) in ("session", "remote")


def run_by(words: Sequence[str]) -> str:
    """The command from ``ssh`` or the like on, where a program runs it that is not known to do so (``ip vrf
    exec mgmt ssh``, ``watch 'ssh ...'``); empty without one."""
    name = program(words[0]) if words else ""
    if not name or _is_remote(name) or name in RUN_NOTHING or PROGRAMS.get(name) in ("beside", "file"):
        return ""
    for at, word in enumerate(words):
        quoted = word.split()
        inner = next((number for number, each in enumerate(quoted) if _is_remote(each)), None)
        if inner is not None:
            return shlex.join(words[at:]) if len(quoted) == 1 else " ".join(quoted[inner:])
    return ""


def without_prefix(words: Sequence[str]) -> Sequence[str]:
    while words:
        name = program(words[0])
        if name in BEFORE:
            letters, more = BEFORE[name]
            words = without_options(words[1:], letters)[more:]
        elif SET.match(words[0]) or name in _KEYWORDS:
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
        yield from list(_asked(" ".join(rest), far, known)) or [Asked(far, form=True)]
    elif name == "nsenter":
        yield from _entered(words, whose, known)
    elif (inner := _within(name, words, whose, known)) is not None:
        yield from _of_one(without_prefix(inner[0]), inner[1], known)
    elif name in SHELLS and not is_short_show(words):
        yield from _of_shell(words, whose, known)
    elif (text := nested(name, words)) is not None:
        yield from _asked(text, whose, known)
    elif far := run_by(words):
        yield from _asked(far, whose, known)
    elif name:
        yield from _of_program(name, words, whose, known)


def _of_program(name: str, words: Sequence[str], whose: str, known: frozenset[str]) -> Iterator[Asked]:
    why = _SCRIPT if _is_script(words) else _why(name, words[1:])
    beside = PROGRAMS.get(name) == "beside"
    if hosts := asked_of(words):
        for host in hosts:
            local = host in ("localhost", "127.0.0.1", "[::1]")
            yield Asked(whose if local else own(host, known), why, form=name == "curl")
    elif any(map(VARIABLE.search, words)):
        unclear = beside or any(map(SUBSTITUTED.search, words))
        yield Asked(whose, _UNCLEAR if unclear else why)
    elif not beside:
        other = name in PROGRAMS or why == _SCRIPT
        yield Asked(whose, why, form=not why or (not other and shows_itself(words)))


def _of_shell(words: Sequence[str], whose: str, known: frozenset[str]) -> Iterator[Asked]:
    """What it runs: the text behind ``-c``, its own words (``bash ip link`` of EOS), or a script."""
    at = next((each for each, word in enumerate(words) if _COMMAND_OPTION.fullmatch(word)), None)
    rest = words[at + 1 :][:1] if at is not None else without_options(words[1:], "oO")
    first = program(next(iter(inner := without_prefix(rest)), ""))
    runs = first in PROGRAMS or first in ("ssh", "FastCli", "Cli") or (inner and shows_itself(inner))
    if at is not None or " " in "".join(rest[:1]) or runs:
        yield from _asked(" ".join(rest), whose, known)
    else:
        own_script = not rest or (len(rest) == 1 and first in OWN_SCRIPTS)
        yield Asked(whose, "" if own_script else _SCRIPT, own_script)


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
    kind = "read" if name in SHELLS else PROGRAMS.get(name, "")
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
