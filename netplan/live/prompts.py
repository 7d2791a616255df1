"""Lines where a shell or a switch waits for a command."""

from __future__ import annotations

import re
from dataclasses import field

from netplan.live.commands import own
from netplan.live.titles import may_be_machine
from netplan.reading.tables import MODE, PROMPT
from netplan.records import dataclass

_BEFORE = r"(?:\([^)]{1,30}\) |\[?[0-9:.]{4,12}\]? |(?:[A-Z][a-z]{2} ){1,2}[ 0-9][0-9] [0-9:]{8} )?"
"""An environment of Python, or the time."""
_NAME = r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,62})(?:\[[0-9:]{5,8}\])?"
"""With the time behind it, as EOS has it (``prompt %H[%D{%T}]%P``: published sessions)."""
_OF_KNOWN = re.compile(
    rf"{_BEFORE}\[?(?:[A-Za-z0-9._-]{{1,64}}@)?{_NAME}"
    rf"(?: ?~?\][^#>$%]{{0,30}}|[:~][^#>$%]{{0,60}}|{MODE})?[#>$%] ?(?=\S|$)"
)
"""Of any shell, without a user before the name: only where a machine of the inventory has it."""
_OF_ANY = re.compile(
    rf"{_BEFORE}(?:\*?[A-D]:|RP/[A-Z0-9/]{{1,20}}:|[<\[])?"
    rf"(?P<user>[A-Za-z0-9._-]{{1,64}}@)?{_NAME}(?: [^ \]]{{1,60}}\]|\] ?| (?=#)"
    r"|(?P<path>:(?:[A-Za-z0-9_-]{1,15}:)?[~/][^ #>$%]{0,60} ?)| [~/][^ #>$%]{0,60} ?"
    rf"|(?P<mode>(?=\((?:conf|vrf:)){MODE})| ?{MODE} ?)?(?P<end>[#>$%]) ?(?P<text>(?:[\w/?!.(-].*)?)\Z"
)
"""Of any machine: with a user, a path, a mode (``leaf-44(config-if-Et1/1)#``), a known command behind it, or
a name that has letters and digits (``core-77#sh bgp sum``)."""
_TYPED = re.compile(
    r"(?:\S{0,60}/)?(?:show?|do|nv|run|ip|rdma|sudo|cat|sysctl|bridge|vtysh|lldpctl|lldpcli|kubectl|exit|quit|logout"
    r"|lshw|lspci|devlink|mlxconfig|mstconfig|nvidia-smi|pfcwd|ecnconfig|ssh|sh|bash|display|dis|get|enable|ping"
    r"|terminal|configure|conf)\b"
)
_END = r"[$#%>\u276f\u279c\u03bb\u00bb\u25b6\u26a1\u2717]"
_ENDS = re.compile(_END)
_NAMELESS = re.compile(
    rf"(?P<before>(?=.{{0,60}}?{_END})\S.{{0,60}}? |[$#%>] )"
    r"(?P<text>(?:sudo )?(?:ssh|sshpass|kubectl|oc|k) +\S.*)"
)
"""Of a theme for zsh and the like, which names no machine: known by a command that names one behind it."""
_LONGEST = 300
_TRACED = re.compile(r"\++ ((?:sudo )?(?:ssh|kubectl|oc|k) .*)")
"""What ``sh -x`` prints of a command."""


@dataclass(frozen=True, slots=True)
class Prompt:
    name: str
    command: str


@dataclass(slots=True)
class Prompts:
    """Of one file. ``nameless``: what stood before a command that names another machine: a prompt, before any
    other command too."""

    known: frozenset[str]
    nameless: set[str] = field(default_factory=set)

    def read(self, line: str) -> Prompt | None:
        if _ENDS.search(line) is None:  # as most lines
            return self._traced(line)
        found = PROMPT.match(line)
        if found is not None:
            return Prompt(found["name"], line[found.end() :].strip())
        if (any_ := _of_any(line)) is not None:
            return Prompt(any_["name"], any_["text"].strip())
        found = _OF_KNOWN.match(line)
        if found is not None and own(found["name"], self.known):
            return Prompt(found["name"], line[found.end() :].strip())
        if found := _NAMELESS.fullmatch(line):
            self.nameless |= {found["before"].rstrip()} - {"#", "%", ">"}  # of comments, too
            return Prompt("", found["text"])
        return self._traced(line)

    def _traced(self, line: str) -> Prompt | None:
        if traced := _TRACED.fullmatch(line):
            return Prompt("", traced[1])
        before = next((each for each in self.nameless if line.startswith(each)), None)
        return None if before is None else Prompt("", line[len(before) :].strip())


def _of_any(line: str) -> re.Match[str] | None:
    found = _OF_ANY.match(line)
    if found is None:
        return None
    certain = found["user"] or found["path"] or found["mode"] or _TYPED.match(found["text"])
    alone = found["end"] in "#>" or not found["text"]
    return found if certain or (alone and may_be_machine(found["name"])) else None


def without_prompt(line: str) -> tuple[str, str] | None:
    """JSON that ends without a line break, and the prompt behind it."""
    at = len(line)
    for _ in range(4 if line.lstrip()[:1] in tuple("[{]}") else 0):
        at = max(line.rfind("]", 0, at), line.rfind("}", 0, at))
        behind = line[at + 1 :]
        if at < 0 or len(behind) > _LONGEST:
            return None
        if behind and (PROMPT.match(behind) or _of_any(behind)):
            return line[: at + 1], behind
    return None
