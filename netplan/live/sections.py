"""Parts of a saved session: what each command printed, and on which machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from netplan.live.commands import own
from netplan.live.entered import Entered
from netplan.live.prompts import Prompts
from netplan.live.shells import machine_of
from netplan.live.titles import WORD, Title, as_title, headed, may_be_machine, path, said_of
from netplan.live.typed import typed
from netplan.reading.tables import PROMPT, Line, is_broken_off, without_cut_cell
from netplan.records import dataclass

_UNNAMED = frozenset({"sonic", "cumulus", "localhost", "switch"})
"""What a switch of SONiC, Cumulus, Arista EOS or NX-OS is called before somebody gives it a name."""
_INTERRUPT = "^C"
"""Where the prompt stands on the same line."""
_KERNEL = re.compile(r"\[ *[0-9]{1,9}\.[0-9]{6}\] ")
"""The time before each message of the kernel on a console (``CONFIG_PRINTK_TIME``)."""
_MESSAGE = re.compile(r".*\"|check-rails: |\s*(?:error|fatal?|unable|warning|[EIW][0-9]{4} )", re.IGNORECASE)
_TOTAL = re.compile(r"\s*Total [a-z ]{1,40}:? +[0-9]+\s*")

_NO_OUTPUT = (
    ".cfg",
    ".conf",
    ".diff",
    ".html",
    ".j2",
    ".link",
    ".md",
    ".network",
    ".py",
    ".rst",
    ".service",
    ".sh",
)
"""Configurations, pages and programs: they may hold what an output would, and say nothing of what runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """``switches``: by name; ``machines``: they and the hosts; ``workloads``: of pods. ``checked``: output of
    their check is in the file."""

    switches: Collection[str]
    machines: frozenset[str]
    workloads: Collection[str]
    checked: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """``whose``: the switch, or the host that a line above names; empty where nothing says it. ``speaker``:
    the machine that a line above names, empty if it is none of the inventory; None without such a line.
    ``command``: behind the prompt, empty without one. ``pod``: the workload of the pod that is named above.
    ``above``: that line, ``titled`` if it is no prompt. ``entered``: a shell in another network namespace is
    open. ``ended``: another prompt is below it, and nobody broke it off."""

    whose: str
    command: str
    lines: tuple[Line, ...]
    ended: bool = False
    speaker: str | None = None
    pod: str = ""
    above: Line | None = None
    titled: bool = False
    entered: bool = False


def is_output(name: str) -> bool:
    """Whether a file of a folder may be what a command printed."""
    return not name.lower().endswith(_NO_OUTPUT)


def is_end(lines: Sequence[Line]) -> bool:
    """Whether the last line is whole though no line break ends it: a prompt, a total, or a rule of a grid."""
    last = lines[-1].text
    if PROMPT.match(last) or _TOTAL.fullmatch(last):
        return True
    return last.startswith("+-") and any(line.text == last for line in lines[:-1])


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A line that names who speaks below it. ``mark``: how a title begins; empty of a prompt."""

    name: str
    command: str
    mark: str = ""


_END, _ENDED = _Spoken("", ""), _Spoken("", "")
"""Of a session, by a command; and what its shell or ssh says of it."""
_LEAVES = frozenset({"exit", "logout", "quit"})
_LEFT = re.compile(
    r"logout|(?:Shared c|C)onnection to \S{1,255} closed(?: by remote host)?\."
    r"|client_loop: .*|.*: Broken pipe"
)
"""Of bash's login shell (GNU bash builtins/exit.def, exit_builtin) and ssh (openssh/openssh-portable
clientloop.c, mux.c)."""


def sections(name: str, lines: Sequence[Line], known: Known) -> Iterator[Section]:
    """By the prompt or title before them; the first one by the file's name, and so those below the prompt of
    a switch without a name of its own, unless a planned one was before it: then it is of another one. Behind
    the end of a session nothing says whose the text is."""
    head = Section(whose=named(name, known.switches), command="", lines=())
    part, told, titles, entered = list[Line](), False, set[str](), Entered()
    prompts = Prompts(known.machines)
    known = replace(known, checked=any(line.text.startswith("check-rails: ") for line in lines))
    for each, framed in headed(lines, *_names(known)):
        line = _without_broken_row(each)
        spoken = _prompted(line.text, prompts) or (
            _title(framed, known, any_name=True)
            if framed is not None
            else _titled(line.text, known, titles, head, part) or _typed(line.text, part, known)
        )
        if spoken is None:
            part.append(line)
            continue
        yield _ended(replace(head, entered=bool(entered.machine)), part, line)
        mine = own(spoken.name, known.machines)
        if spoken is _END or spoken is _ENDED:
            entered.end(told=spoken is _ENDED)
        elif not spoken.mark:
            mine, speaker = "" if mine == entered.machine else mine, mine
            entered.see(spoken.command, speaker, known.machines)
        titles |= {spoken.mark} - {""}
        told = told or bool(mine)
        whose = mine or ("" if told or spoken.mark else of_unnamed(spoken.name, named(name, known.switches)))
        head, part = _begun(spoken, mine, whose, head.command, line, known), []
    yield replace(head, lines=tuple(part), entered=bool(entered.machine))


def _ended(head: Section, part: Sequence[Line], below: Line) -> Section:
    """``below``: the prompt or title below the part."""
    rows = without_cut_cell(part)
    broken = any(map(is_broken_off, (*part, below))) or below.text.startswith(_INTERRUPT) or rows is not part
    return replace(head, lines=tuple(rows), ended=not broken)


def _names(known: Known) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Whether a name is that of a machine, and that of a pod."""
    return (
        lambda name: bool(own(name, known.machines)),
        lambda name: bool(workload_of(name, known.workloads)),
    )


def _begun(spoken: _Spoken, mine: str, whose: str, asked: str, line: Line, known: Known) -> Section:
    """``asked``: the command above a title."""
    command = asked if spoken.mark else spoken.command
    return Section(
        whose=whose if spoken.mark else machine_of(command, whose, known.machines),
        command=command,
        lines=(),
        speaker=mine,
        pod="" if mine else workload_of(spoken.name, known.workloads),
        above=line,
        titled=bool(spoken.mark),
    )


def _without_broken_row(line: Line) -> Line:
    """Of a row that somebody broke off, only that he did: its last value is a part of one. So it is with one
    that has a message of the kernel in it."""
    at = line.text.find(_INTERRUPT)
    if at < 0 and _KERNEL.search(line.text):
        return Line(_INTERRUPT, line.at)
    return Line(line.text[at:], line.at) if at > 0 else line


def of_unnamed(prompted: str, by_file: str) -> str:
    """The switch of the file's name, if the prompt has the name that a switch has before it gets its own."""
    return by_file if prompted.lower() in _UNNAMED else ""


def _prompted(line: str, prompts: Prompts) -> _Spoken | None:
    if _LEFT.fullmatch(line):
        return _ENDED
    prompt = prompts.read(line)
    if prompt is None:
        return None
    return _END if prompt.command in _LEAVES else _Spoken(prompt.name, prompt.command)


def _typed(line: str, above: Sequence[Line], known: Known) -> _Spoken | None:
    found = typed(line, above[-1].text if above else "", known.machines)
    return None if found is None else _Spoken(found.name, found.command)


def _titled(
    line: str, known: Known, titles: Collection[str], head: Section, above: Sequence[Line]
) -> _Spoken | None:
    """``titles``: marks of those before; ``head`` and ``above``: what stands above."""
    first = head.above is None and not any(each.text.strip() for each in above)
    if word := path(line):
        mine = own(word, known.machines)
        other = mine != head.whose if mine else may_be_machine(word) and not line[:1].isspace()
        return _Spoken(word, "", "word") if other or workload_of(word, known.workloads) else None
    title = as_title(line)
    found = title and _title(title, known, title.mark in titles or _is_strange(title, head, first, line))
    return found or _said(line, known, head) or _of_pod(line, known)


def _said(line: str, known: Known, head: Section) -> _Spoken | None:
    """Nothing where it is the machine that speaks already."""
    name = said_of(line)
    mine = own(name, known.machines)
    return _Spoken(name, "", "said") if name and not (mine and mine == head.whose) else None


def _of_pod(line: str, known: Known) -> _Spoken | None:
    """A line that names one pod, in a file with output of its check; no message about it."""
    if not known.checked or line[:1].isspace() or _MESSAGE.match(line):
        return None
    names = {word for word in WORD.findall(line) if workload_of(word, known.workloads) not in ("", word)}
    return _Spoken(names.pop(), "", "pod") if len(names) == 1 else None


def _title(title: Title, known: Known, any_name: bool) -> _Spoken | None:
    """``any_name``: also one that nothing in the inventory has."""
    if title.file and (name := named(title.file, (*known.machines, *known.workloads))):
        return _Spoken(name, "", title.mark)
    machines = {own(word, known.machines) for word in title.words} - {""}
    if len(machines) == 1:
        return _Spoken(machines.pop(), "", title.mark)
    pods = [word for word in title.words if workload_of(word, known.workloads)]
    if pods and not machines:
        return _Spoken(pods[-1], "", title.mark)
    return _Spoken("", "", title.mark) if any_name else None


def _is_strange(title: Title, head: Section, first: bool, line: str) -> bool:
    """Whether it names a machine that is none of the inventory. Below a prompt more than a name alone may be
    anything else."""
    prompted = head.above is not None and not head.titled
    alone = len(title.words) == 1 and may_be_machine(title.words[0])
    return (not prompted and title.strange) or (alone and (first or not line[:1].isspace()))


def named(name: str, known: Collection[str]) -> str:
    """``dumps/leaf-1/bgp.txt``, ``leaf-1.txt`` or ``leaf-1-bgp.txt``: the longest name that fits."""
    return by_name(name, known)[0]


def by_name(name: str, known: Collection[str]) -> tuple[str, bool]:
    """The longest of the known names that the file, or the folder nearest to it, is named after; whether it
    is the file."""
    for depth, part in enumerate(reversed(re.split(r"[/\\]", name))):
        if fitting := [each for each in known if is_named_after(part, each)]:
            return max(fitting, key=len), depth == 0
    return "", False


def workload_of(pod: str, workloads: Collection[str]) -> str:
    """The workload that a pod is named after."""
    fitting = [each for each in workloads if pod == each or pod.startswith(f"{each}-")]
    return max(fitting, key=len, default="")


def is_named_after(part: str, name: str) -> bool:
    """``leaf-1``, ``leaf-1.txt``, ``LEAF-1-bgp.txt``"""
    part, name = part.lower(), name.lower()
    return part == name or part.startswith((f"{name}-", f"{name}.", f"{name}_"))
