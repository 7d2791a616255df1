"""Lines where a shell or a switch waits for a command, and what they say of the machine there."""

from __future__ import annotations

import re

from netplan.live.commands import destination, own
from netplan.live.headings import repeats_command
from netplan.live.names import UNNAMED, Known, exec_of, workload_of
from netplan.live.shells import is_read, machine_of, without_prefix
from netplan.reading.tables import MODE, PROMPT, PROMPT_ENDS
from netplan.records import dataclass

_BEFORE = (
    r"(?:\([^)]{1,30}\) |\[?[0-9:.]{4,12}\]? |(?:[A-Z][a-z]{2} ){1,2}[ 0-9][0-9] [0-9:]{8} "
    r"|RP/[A-Z0-9/]{1,20}:)?"
)
"""An environment of Python, the time, or the card of a router."""
_USER = r"(?:(?:[A-Za-z0-9._-]{1,64}|I have no name!)@)?"
"""Of bash also for a user without an entry in /etc/passwd (public transcripts)."""
_NAMED = re.compile(
    rf"{_BEFORE}\[?{_USER}(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{{0,62}})"
    r"(?:\[[0-9:]{5,8}\])?(?!:[A-Za-z][\w.-]{0,60}>)"
    rf"(?:(?: [\w.~-]{{1,60}})?\](?: [~/]\S{{0,60}})?"
    rf"| ?[:~/][^#>$%\s]{{0,60}}|(?: ?{MODE}){{1,2}})? ?[#>$%] ?(?=\S|$)"
)
"""``leaf-1#``, ``leaf-1(config)#``, ``leaf-1[09:12:56]#`` (EOS, ``prompt %H[%D{%T}]%P``), ``[gpu-001 ~]#``:
of a planned machine, or a switch without a name of its own; not ``leaf-1:LS1>`` of a logical system or tenant
(docs.juniper.net, set cli logical-system)."""
_END = rf"[{PROMPT_ENDS}\ue0b0]"
"""Of shells, also of the themes of Powerline (U+E0B0)."""
_RIGHT = re.compile(r" {8,}[\w(][\w:./()@ -]{0,40}\Z")
"""A prompt at the right margin, where the terminal's text was copied: no word of the command."""
_ELSEWHERE = re.compile(
    rf"(?:(?=.{{0,120}}?{_END}) ?\S.{{0,120}}? |{_END} |\++ |[A-Z]:\\[^<>:|?*\"]{{0,120}}>|Command: )?"
    r"(?P<text>(?:sudo +)?(?:ssh|sshpass|kubectl|oc|k) +\S.*)"
)
"""Behind a prompt of any form, ``+`` of ``sh -x``, or ``Command: `` of BSD's script(1): the command names the
machine, or the pod."""
_OF_SCRIPT = re.compile(
    r"Script started on [0-9-]{10} [0-9:+-]{8,14} \[COMMAND=\"(?P<text>.{1,2000}?)\""
    r"(?: (?:TERM|TTY|COLUMNS|LINES)=\"[^\"]*\"| <not executed on terminal>)*\]"
)
"""Of script(1) with ``-c`` (util-linux/util-linux term-utils/script.c, log_start)."""
_ENDS, _COMMANDS = re.compile(_END), frozenset("+skouSC")
_ANY = re.compile(rf"(?:[^\s{{}}\[\]\"|][^\"|]{{0,100}}?{_END}|(?!#){_END}) *(?P<text>[\w./(].*)")
_BEHIND = re.compile(rf"[^\"{{}}]{{1,200}}{_END}[^{{}}]{{0,300}}")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line that says who speaks below it. ``known``: it, or the command behind it, names a planned machine
    or pod. ``titled``: by no prompt; ``within``: by a prompt without a name, in a session that a command
    above it opened; ``ends``: nobody does, by a command at a prompt; ``bare``: a command without a prompt."""

    name: str
    command: str = ""
    known: bool = True
    titled: bool = False
    within: bool = False
    ends: bool = False
    bare: bool = False


def prompt(line: str, known: Known) -> Spoken | None:
    """None for a line that is none, or whose form is not known."""
    if _ENDS.search(line) is None and line[:1] not in _COMMANDS:  # as most lines
        return None
    line = _RIGHT.sub("", line)
    found = PROMPT.match(line)
    short = _NAMED.match(line.removeprefix("^C"))
    if short is not None and _is_ours(short["name"], known):
        return Spoken(short["name"], line.removeprefix("^C")[short.end() :].strip())
    if found is not None:  # of another machine, or in no known form
        text = line[found.end() :].strip()
        return Spoken("", text, _names(text, known))
    elsewhere = _OF_SCRIPT.fullmatch(line) or _ELSEWHERE.fullmatch(line)
    if elsewhere is None or (elsewhere.start("text") == 0 and not _is_typed(line)):
        return None
    bare = elsewhere.start("text") == 0 or line.startswith("+")
    return Spoken("", elsewhere["text"], _names(elsewhere["text"], known), bare=bare)


def command_in(line: str) -> str:
    """Behind what may be a prompt of a form that is not known."""
    found = _ANY.fullmatch(line[:1000]) if _ENDS.search(line) is not None else None
    return found["text"].strip() if found is not None else ""


def _is_typed(line: str) -> bool:
    """Of words behind ``ssh`` without a prompt, which may be a sentence: they are a command."""
    words = without_prefix(line.split())
    if not words or words[0] != "ssh":
        return True
    text = " ".join(destination(words[1:])[1])
    return text[:1] in ("", "'", '"') or repeats_command(text.partition(";")[0]) or is_read(text)


def _is_ours(name: str, known: Known) -> bool:
    machine = own(name, known.machines) or workload_of(name, known.workloads)
    return bool(machine) or name.lower() in UNNAMED


def _names(command: str, known: Known) -> bool:
    return bool(machine_of(command, "", known.machines) or exec_of(command, known.workloads))


def without_prompt(line: str) -> tuple[str, str] | None:
    """JSON that ends without a line break, and what may be a prompt behind it."""
    if line.lstrip()[:1] not in ("{", "[", "]", "}"):
        return None
    at = max(line.rfind("]"), line.rfind("}"))
    while at > 0 and _is_within(line, at):
        at = max(line.rfind("]", 0, at), line.rfind("}", 0, at))
    behind = line[at + 1 :]
    return (line[: at + 1], behind) if behind.strip(" ,") and _BEHIND.fullmatch(behind) else None


def _is_within(line: str, at: int) -> bool:
    """Of a prompt, such as ``[root@gpu-001 ~]# ``."""
    return (
        line[at] == "]"
        and re.fullmatch(r"\[?[\w.@-]{1,100} ?[^\"{}\[\]]{0,60}", line[line.rfind("[", 0, at) : at])
        is not None
    )
