"""The running configuration of switches against the planned one: differences in both directions, told from
what runs to what is planned.

A running configuration has more than netplan writes. Unplanned ports are ignored; unplanned VLANs, BGP
neighbours and addresses of planned interfaces are not. Planned files that the given form of running
configuration cannot contain (kernel settings beside config_db) are left out, with a note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from netplan.changes.commands import Change, Form, Running, form_of
from netplan.changes.drift_lines import Lines
from netplan.changes.drift_words import DRIFT_WORDS, INCOMPLETE, WHERE, Where, explained
from netplan.changes.laid_over import made_wrong
from netplan.changes.ran import Ran, of_another, unknown_host, unlike_release
from netplan.changes.sides import Side
from netplan.changes.steps import Step, steps
from netplan.changes.switches import WORDS, files_of, listed_ports
from netplan.load import InputError
from netplan.model.readback import ReadSwitch
from netplan.model.site import SiteFacts
from netplan.model.values import natural
from netplan.nos import NosLibrary
from netplan.reading.switches import read_site_switch
from netplan.reading.switches.expanded import expanded
from netplan.reading.switches.places import cut_off, is_commands, line_of, line_where
from netplan.reading.switches.profiles import completed, completed_plan, own_lines
from netplan.reading.switches.rules import Rules, rules_of
from netplan.reading.switches.settled_text import as_runs, listed
from netplan.report import count

_JSON, _YAML, _TEXT = ".json", ".yaml", (".txt",)
_NOT_COMPARED = frozenset({"unread", "feature-gone"})
"""A feature that the plan does not need stays on: others may use it, and no rollout disables it."""


@dataclass(frozen=True, slots=True)
class Drifted:
    """``target``: a switch or an object. ``change``: running -> planned. ``place``: file and line of what
    runs; the file alone if it is missing there."""

    target: str
    change: str
    place: str


@dataclass(frozen=True, slots=True)
class Drift:
    """``compared``: switches, and kinds of objects. ``notes``: what was not compared, and why.

    ``commands``: switch -> the change that brings it to the plan, and the way back. ``switches``: number of
    switches compared.
    """

    compared: tuple[str, ...]
    found: tuple[Drifted, ...]
    notes: tuple[str, ...]
    commands: Mapping[str, tuple[Change, Change]] = field(default_factory=dict)
    switches: tuple[str, ...] = ()

    def beside(self, other: Drift) -> Drift:
        """The two combined."""
        return replace(
            self,
            compared=self.compared + other.compared,
            found=self.found + other.found,
            notes=self.notes + other.notes,
        )


def drift(planned: Side, facts: SiteFacts, running: Mapping[str, Ran], library: NosLibrary) -> Drift:
    """``running``: by switch. Raises InputError."""
    found: list[Drifted] = []
    notes: list[str] = []
    commands: dict[str, tuple[Change, Change]] = {}
    for name in sorted(running, key=natural):
        if name not in facts.switches:
            known = ", ".join(sorted(facts.switches, key=natural)[:5])
            raise InputError(f"{name} is not a switch of the inventory; it has {known or 'none'}")
        one = _Switch(name, planned, facts, library, running[name])
        found += [*one.head(), *one.drifted(), *one.made_wrong()]
        notes += one.notes()
        if one.commands is not None:
            commands[name] = one.commands
    names = tuple(sorted(running, key=natural))
    return Drift(names, tuple(found), tuple(notes), commands, names)


_NUMBER = re.compile(r"[0-9A-Fa-f:.]*[0-9][0-9A-Fa-f:.]*(?<!:)")
"""A number or an address."""


def _differ(one: ReadSwitch, other: ReadSwitch) -> bool:
    return any(step.kind not in _NOT_COMPARED for step in steps(one, other))


class _Switch:
    def __init__(self, name: str, planned: Side, facts: SiteFacts, library: NosLibrary, ran: Ran) -> None:
        self.name, self.file, self._as_given = name, ran.file, ran.text
        self.switch, self._known = facts.switches[name], facts.switches.keys()
        self.library = library
        rules = rules_of(self.switch.nos, library)
        if rules is None:
            raise InputError(f"{name}: text of NOS {self.switch.nos} cannot be read")
        self.rules: Rules = rules
        self._grown = expanded(self.switch.nos, ran.text)
        self.shown = as_runs(rules, self._grown.text)
        self._given = listed(rules, self._grown.text)
        self.text = completed(rules, self.shown)
        self.lines = own_lines(self._grown.text)
        self.inactive = ran.text.count(f"\n{rules.inactive}") if rules.inactive else 0
        files = files_of(planned, name)
        own = {file: text for file, text in files.items() if file.endswith(self._forms())}
        self.planned = {file: completed_plan(rules, text) for file, text in own.items()}
        self.left_out = sorted(files.keys() - self.planned.keys())

    def _forms(self) -> tuple[str, ...]:
        """File name endings of the planned files that a running configuration of this form contains."""
        endings = {Path(output.file).suffix for output in self.rules.nos.outputs}
        if self.text.lstrip().startswith(("{", "[")):  # JSON is YAML too: nv config show -o json
            return (_YAML,) if _YAML in endings and _JSON not in endings else (_JSON,)
        return (_YAML,) if _YAML in endings and not is_commands(self.rules, self.text) else _TEXT

    def _read(self, files: Mapping[str, str]) -> ReadSwitch:
        return read_site_switch(self.switch, files, self.library)

    @property
    def _output(self) -> str:
        """The first output file of its form, as which the whole configuration is read."""
        outputs = [o.file for o in self.rules.nos.outputs if o.file.endswith(self._forms())]
        if not outputs:
            raise InputError(f"{self.file}: {self.rules.nos.title} has no configuration of this form")
        return outputs[0]

    def _running(self) -> ReadSwitch:
        read = self._read({self._output: self.text})
        if read.unparsed:
            raise InputError(f"{self.file}: {read.unparsed[0].partition(': ')[2]}")
        if line := cut_off(self.rules, self.text):
            raise InputError(f"{self.file}:{line}: the line is cut off")
        if not read.ports and not read.vlans:
            raise InputError(f"{self.file}: none of its lines is typical of {self.rules.nos.title}")
        return read

    @cached_property
    def _form(self) -> Form | None:
        return form_of(self.switch.nos, self.library)

    @cached_property
    def _rollout(self) -> Running | None:
        """From what the switch has, word for word: commands name its own rows."""
        return None if self._form is None else self._form.running(self._as_given, self.planned)

    @cached_property
    def _lines(self) -> Lines | None:
        if self._form is None:
            return None
        unlike = self._unlike, self._runs_unlike
        return Lines(self._form, self.rules, self.planned, self.text, unlike, self.shown)

    def _unlike(self, files: Mapping[str, str]) -> bool:
        return _differ(self._read(files), self._read(self.planned))

    def _runs_unlike(self, text: str) -> bool:
        return _differ(self._read({self._output: text}), self._running())

    @cached_property
    def _owned(self) -> ReadSwitch:
        """What runs, without what is not netplan's: unplanned ports, and VLAN 1, which every switch has, and
        which is the untagged one of a port where the NOS leaves defaults out."""
        planned, running = self._read(self.planned), self._running()
        hides = self._form is not None and self._form.hides
        ports = {n: p for n, p in running.ports.items() if n in planned.ports}
        first = {n for n, p in ports.items() if hides and p.untagged == 1 != planned.ports[n].untagged}
        return replace(
            running,
            ports={n: replace(p, untagged=None) if n in first else p for n, p in ports.items()},
            vlans=running.vlans - {1} | planned.vlans & {1},
        )

    @cached_property
    def _steps(self) -> list[Step]:
        found = steps(self._owned, self._read(self.planned))
        return [step for step in found if step.kind not in _NOT_COMPARED and step not in self._left_alone]

    @cached_property
    def _left_alone(self) -> list[Step]:
        """Ports whose planned lines say neither up nor down, for a NOS where both have a line: a rollout
        leaves them as they are."""
        planned = self._read(self.planned)
        found = steps(self._owned, planned)
        return [step for step in found if step.kind == "down" and planned.ports[step.at].up is None]

    @property
    def commands(self) -> tuple[Change, Change] | None:
        found = self._rollout
        if found is None:
            return None
        change, back = found.form.change(found.old, found.new), found.form.change(found.new, found.old)
        return replace(change, by_hand=(*found.by_hand, *change.by_hand)), back

    def _in_the_way(self) -> Iterator[Drifted]:
        """Rows of the factory or of others that must go before the planned ones are set."""
        found = self._rollout
        for each, source in found.in_the_way if found else ():
            table = each.partition("|")[0]
            row = re.search(rf'^\s*"{table}"\s*:', self.text, re.MULTILINE)
            line = self.text.count("\n", 0, row.start()) + 1 if row else 0
            place = f"{self.file}:{line}" if line else self.file
            yield Drifted(self.name, f"must be removed: {each} [{source}]", place)

    @cached_property
    def _hidden(self) -> list[Step]:
        """Differences that may be none, where the NOS leaves defaults out and no line says otherwise."""
        if self._form is None or not self._form.hides:
            return []
        return [step for step in self._steps if self._may_be_default(step)]

    def _may_be_default(self, step: Step) -> bool:
        """A port without ``shutdown``; code points without a line beside some that have one."""
        if step.kind == "up":
            return line_of(self.rules, self.text, "port-down", step.at) is None
        if step.kind not in ("queues", "idle-queues"):
            return False
        runs = self._owned.ports[step.at].qos.queues
        planned = self._read(self.planned).ports[step.at].qos.queues
        return bool(runs) and all(planned.get(dscp) == queues for dscp, queues in runs.items())

    def head(self) -> Iterator[Drifted]:
        """That the file is of another switch, or of a release with other commands."""
        for said in (
            of_another(self.switch, self._as_given, self._known),
            unlike_release(self.switch, self.rules.nos, self._as_given),
        ):
            if said is not None:
                yield Drifted(self.name, said.text, f"{self.file}:{said.line}")

    def drifted(self) -> Iterator[Drifted]:
        yield from self._in_the_way()
        planned = self._read(self.planned)
        shown = [step for step in self._steps if step not in self._hidden]
        there = dict(explained(self.rules, self.text, self._owned, step) for step in shown)
        each = [[step] for step in there if step.kind == INCOMPLETE]  # its own line says what to complete
        for alike in ([step for step in there if step.kind != INCOMPLETE], *each):
            for step, ports in listed_ports(alike, len(planned.ports)):
                place = self._place(step, there[step])
                yield Drifted(self.name, f"{DRIFT_WORDS[step.kind]} {ports}".strip(), place)
        for row in self._lines.differing() if self._lines else ():
            yield Drifted(self.name, row.said, self._at(row.number))

    def made_wrong(self) -> Iterator[Drifted]:
        """For SONiC: findings of its rules once the planned files are loaded over what runs."""
        if self._rollout is None:
            return
        for each in made_wrong(self.text, self._rollout.cleared, self.planned):
            file = f"switches/{self.name}/{each.file}" if each.file else self.file
            place = f"{file}:{each.line}" if each.line else file
            yield Drifted(self.name, f"with the plan loaded over it: {each.text}", place)

    def _place(self, step: Step, line: int | None) -> str:
        """The line that states what runs; the file alone if something planned is missing. ``line``: if it is
        known."""
        where = WHERE.get(step.kind, Where(step.kind))
        if line is None and where.column and (number := _NUMBER.search(step.said)):
            line = line_where(self.rules, self.text, where.fact, where.column, number[0])
        return self._at(line or line_of(self.rules, self.text, where.fact, step.at))

    def _at(self, line: int | None) -> str:
        """A line beyond the end of the file was added in reading it."""
        if not line or not self._given.exact:
            return self.file
        number = self._given.line(line)
        return f"{self.file}:{self._grown.line(number)}" if number <= self.lines else self.file

    def notes(self) -> Iterator[str]:
        if host := unknown_host(self.switch, self._as_given, self._known):
            yield f"{self.name}: {self.file} states hostname {host}"
        if self.inactive:
            lines = count(self.inactive, f"{self.rules.inactive.strip()} line")
            yield f"{self.name}: {lines} in {self.file}: what they switch off counts as missing"
        if self.left_out:
            yield f"{self.name}: {', '.join(self.left_out)} not compared: none in {self.file}"
        yield from (f"{self.name}: {note}" for note in (self._rollout.notes if self._rollout else ()))
        ports = len(self._owned.ports)
        shut = [step for step in self._left_alone if self._owned.ports[step.at].up is False]
        for step, said in listed_ports(shut, ports):
            place = self._place(replace(step, kind="up"), None)
            yield f"{self.name}: shut down, and no planned line enables them: {said} ({place})"
        hidden = [f"{WORDS[step.kind]} {said}" for step, said in listed_ports(self._hidden, ports)]
        if unseen := "; ".join(filter(None, (*hidden, self._lines.unseen() if self._lines else ""))):
            yield f"{self.name}: {self.file} does not show, as missing or as default: {unseen}"
