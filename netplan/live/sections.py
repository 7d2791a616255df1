"""Parts of a saved session: what each command printed, and on which machine.

One rule says whose an output is: it is of the planned machine or pod that a prompt or title of a known form
names above it, else of the one that the file is named after. From a line on that no reader takes, up to the
next such prompt or title, it is of nobody (``live.taken``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import takewhile

from netplan.live.commands import own
from netplan.live.entered import Entered
from netplan.live.inside import LEAVES, Inside
from netplan.live.loops import written_out
from netplan.live.merged import each_machine
from netplan.live.names import UNNAMED, Known, named, workload_of
from netplan.live.prefixes import by_machine
from netplan.live.prompts import Spoken, command_in, prompt
from netplan.live.shells import leaves, machine_of
from netplan.live.titles import title
from netplan.reading.tables import PROMPT, Line, is_broken_off, is_rule, without_cut_cell
from netplan.reading.terminal import EDITED
from netplan.records import dataclass

_INTERRUPT = "^C"
"""Where the prompt stands on the same line."""
_KERNEL = re.compile(r"\[ *[0-9]{1,9}\.[0-9]{6}\] ")
"""The time before each message of the kernel on a console (``CONFIG_PRINTK_TIME``)."""
_TOTAL = re.compile(r"\s*Total [a-z ]{1,40}:? +[0-9]+\s*")
_LOOP = re.compile(r"\bfor\s+\w{1,40}\s+in\s[^;]{0,9999};\s*do\b")
"""Of machines that the titles below it name."""
_LEFT = re.compile(
    r"logout|(?:Shared c|C)onnection to \S{1,255} closed(?: by remote host)?\."
    r"|client_loop: .*|.*: Broken pipe"
)
"""Of bash's login shell (GNU bash builtins/exit.def, exit_builtin) and ssh (openssh/openssh-portable
clientloop.c, mux.c)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """``whose``: the switch, or the host that a line above names; empty where nothing says it. ``speaker``:
    the machine that a line above names, empty if it is none of the inventory; None without such a line.
    ``command``: behind the prompt, empty without one. ``pod``: the workload of the pod that is named above.
    ``above``: that line, ``titled`` if it is no prompt. ``entered``: a shell in another network namespace is
    open. ``ended``: another prompt is below it, and nobody broke it off. ``nobody``: the line above names no
    planned machine or pod, or ended the session of one. ``unnamed``: that line is the prompt of a switch
    without a name of its own, so ``whose`` is by the file's name."""

    whose: str
    command: str
    lines: tuple[Line, ...]
    ended: bool = False
    speaker: str | None = None
    pod: str = ""
    above: Line | None = None
    titled: bool = False
    entered: bool = False
    nobody: bool = False
    unnamed: bool = False


def is_end(lines: Sequence[Line]) -> bool:
    """Whether the last line is whole though no line break ends it: a prompt, a total, a rule of a grid, or a
    row as long as the rule of its table, as the widest value in the last column is."""
    last = lines[-1].text
    if PROMPT.match(last) or _TOTAL.fullmatch(last):
        return True
    table = takewhile(lambda line: line.text.strip(), reversed(lines[:-1]))
    rule = next((line.text.rstrip() for line in table if is_rule(line.text)), "")
    if len(last) == len(rule):
        return True
    return last.startswith("+-") and any(line.text == last for line in lines[:-1])


def sections(name: str, lines: Sequence[Line], known: Known) -> Iterator[Section]:
    """By the prompt or title before them; the first one by the file's name, and so those below the prompt of
    a switch without a name of its own, up to any other prompt or title, the end of the session, or a command
    that opens one elsewhere."""
    reader = _Reader(named(name, known.switches), known)
    head = Section(whose=reader.by_file, command="", lines=())
    part, last = list[Line](), Spoken("")
    for each in _by_machine(lines, known):
        line = _without_broken_row(each)
        spoken = _spoken(line.text, known) or reader.nameless(line.text)
        if spoken is not None and spoken.bare and _runs_before(head, last, part):
            spoken = replace(last, command=f"{last.command}; {spoken.command}")
        if spoken is None or not (spoken.known or spoken.ends or not head.nobody):
            reader.pass_by(line.text, spoken)
            part.append(line)
            continue
        yield _ended(replace(head, entered=bool(reader.entered.machine)), part, line)
        head, part, last = reader.begun(spoken, line), [], spoken
        if not spoken.known:
            part.append(line)
    yield replace(head, lines=tuple(part), entered=bool(reader.entered.machine))


def _runs_before(head: Section, last: Spoken, part: Sequence[Line]) -> bool:
    """Whether the command above may still run: the terminal shows what is typed meanwhile, so that what is
    below may be of either. So it is below a prompt; without prompts each stands above its own output."""
    prompted = bool(head.command) and not (last.bare or last.titled)
    return prompted or (bool(head.command) and not any(_is_said(line.text) for line in part))


def _is_said(line: str) -> bool:
    return line.strip() not in ("", EDITED)


@dataclass(slots=True)
class _Reader:
    """``told``: a line named another machine than the file's, or may have; ``asked``: the last command."""

    by_file: str
    known: Known
    told: bool = False
    asked: str = ""
    entered: Entered = field(default_factory=Entered)
    inside: Inside = field(default_factory=Inside)

    def nameless(self, text: str) -> Spoken | None:
        """A prompt without a name, in the session of a pod or node."""
        name, command = self.inside.name, self.inside.command(text)
        if command is None:
            return None
        return Spoken(name, command, within=True, ends=not self.inside.name)

    def pass_by(self, text: str, spoken: Spoken | None) -> None:
        """A line that says nothing of who speaks, but may be a prompt of a form that nobody knows."""
        self.inside.pass_by(text)
        self.told = self.told or text == EDITED
        line = text if spoken is None else spoken.command
        if _LEFT.fullmatch(line):
            self.told = self.told or line != "logout"
            self.entered.end(told=True)
        elif command := command_in(line):
            self.asked = command
            self._typed(command, "")

    def begun(self, spoken: Spoken, line: Line) -> Section:
        if not spoken.within:
            self.inside.see(line.text, spoken, self.known)
        machines = self.known.machines
        speaker = mine = own(spoken.name, machines)
        if not spoken.titled:
            mine = "" if mine == self.entered.machine else mine
            self.asked = written_out(spoken.command)
        unnamed = not (mine or spoken.titled) and spoken.name.lower() in UNNAMED
        whose = by_name = mine or (self.by_file if unnamed and not self.told else "")
        pod = "" if mine else workload_of(spoken.name, self.known.workloads)
        self.told = self.told or not unnamed
        command = _LOOP.sub("", self.asked)
        if not spoken.titled:
            command = self.asked
            self._typed(spoken.command, speaker)
            whose = machine_of(self.asked, whose, machines)
        return Section(
            whose=whose,
            command=command,
            lines=(),
            speaker=mine,
            pod=pod,
            above=line,
            titled=spoken.titled,
            nobody=spoken.ends or not spoken.known,
            unnamed=unnamed and whose == by_name,
        )

    def _typed(self, command: str, speaker: str) -> None:
        self.told = self.told or command in LEAVES or leaves(command)
        if command in LEAVES:
            self.entered.end(told=False)
        else:
            self.entered.see(command, speaker, self.known.machines)


def _spoken(line: str, known: Known) -> Spoken | None:
    found = prompt(line, known)
    if found is None:
        name = title(line, known)
        return Spoken(name, titled=True) if name else None
    if found.command in LEAVES:
        return replace(found, name="", ends=True)
    return found


def _by_machine(lines: Sequence[Line], known: Known) -> Iterator[Line]:
    """Where each line begins with the machine that printed it, or stands below the names of several, below
    the name of that."""
    groups = list(by_machine(lines, lambda name: bool(title(name, known))))
    if not groups:
        yield from each_machine(
            lines, lambda name: bool(title(name, known)), lambda text: _spoken(text, known) is not None
        )
    for name, rows in groups:
        yield Line(name, rows[0].at)
        yield from rows


def _ended(head: Section, part: Sequence[Line], below: Line) -> Section:
    """``below``: the prompt or title below the part."""
    rows = without_cut_cell(part)
    broken = any(map(is_broken_off, (*part, below))) or below.text.startswith(_INTERRUPT) or rows is not part
    return replace(head, lines=tuple(rows), ended=not broken)


def _without_broken_row(line: Line) -> Line:
    """Of a row that somebody broke off, only that he did: its last value is a part of one. So it is with one
    that has a message of the kernel in it."""
    at = line.text.find(_INTERRUPT)
    if at < 0 and "[" in line.text and _KERNEL.search(line.text):
        return Line(_INTERRUPT, line.at)
    return Line(line.text[at:], line.at) if at > 0 else line
