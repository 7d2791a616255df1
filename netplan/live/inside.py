"""Sessions in a pod or on a node whose shell has a prompt without a name (``# ``, ``sh-5.1# ``, ``/ # ``): it
is of the one that ``kubectl exec -it POD -- sh``, ``oc rsh POD`` or ``oc debug node/NODE`` above it names, up
to the first ``exit``, or a command that opens a session elsewhere.

What stands between both: kubernetes/kubectl pkg/cmd/exec and pkg/cmd/debug, openshift/oc pkg/cli/debug
(unconfirmed at a commit; public transcripts).
"""

from __future__ import annotations

import re

from netplan.live.commands import own
from netplan.live.names import Known, exec_of, workload_of
from netplan.live.pod_words import is_ended
from netplan.live.prompts import Spoken
from netplan.live.shells import SHELLS, leaves, node_of, program, simple, without_prefix
from netplan.records import dataclass

_NAMELESS = re.compile(
    r"(?!# netplan collect )(?P<prompt>(?:(?:ba|da|a|z)?sh-[0-9.]{1,8}|[~/][\w./-]{0,60} ?)?[#$])"
    r"(?: (?P<text>.*)|)"
)
_ABOVE = re.compile(
    r"|Starting pod/\S{1,255} \.\.\.|Pod IP: [0-9A-Fa-f.:]{3,45}|To use host binaries, run .*"
    r"|Creating debugging pod \S{1,255} with container .*|Default(?:ed container|ing container name to) .*"
    r"|If you don't see a command prompt, .*|Temporary namespace \S{1,63} is created for debugging node\.\.\."
)
LEAVES = frozenset({"exit", "logout", "quit"})


@dataclass(slots=True)
class Inside:
    """``name``: of the node, or the pod's workload; ``opening``: no prompt of the session is there yet;
    ``outer``: the prompt behind which it was opened, if that has no name either: the session is over where it
    is again."""

    name: str = ""
    opening: bool = False
    outer: str = ""

    def see(self, line: str, spoken: Spoken, known: Known) -> None:
        """A prompt of any other form, or a title."""
        found = _NAMELESS.fullmatch(line)
        self.outer = found["prompt"].strip() if found is not None else ""
        self.name = "" if spoken.titled else _opened(spoken.command, known)
        self.opening = bool(self.name)

    def pass_by(self, line: str) -> None:
        if is_ended(line) or (self.opening and _ABOVE.fullmatch(line.strip()) is None):
            self.name = ""

    def command(self, line: str) -> str | None:
        """Behind a prompt of the session; None for any other line."""
        found = _NAMELESS.fullmatch(line) if self.name else None
        if found is None:
            return None
        self.opening, command = False, (found["text"] or "").strip()
        over = found["prompt"].strip() == self.outer
        self.name = "" if over or command in LEAVES or leaves(command) else self.name
        return command


def _opened(command: str, known: Known) -> str:
    each = list(simple(command))
    words = without_prefix(each[0]) if len(each) == 1 else ()
    if not words or program(words[0]) not in ("kubectl", "oc"):
        return ""
    if "debug" in words:
        return own(node_of(words), known.machines) if "--" not in words else ""
    last = [word for word in words if not word.startswith("-")][-1]
    pod = exec_of(command, known.workloads)
    shell = program(last) in SHELLS or ("rsh" in words and workload_of(program(last), known.workloads))
    return pod if {"exec", "rsh"} & {*words} and shell else ""
