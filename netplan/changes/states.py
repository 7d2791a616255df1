"""States that a site passes through on its way from one render to the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from netplan.changes.commands import Change, Files, Form, form_of
from netplan.changes.sides import Side
from netplan.changes.switches import files_of
from netplan.model.readback import ReadSwitch
from netplan.model.site import PATH, SiteFacts, SiteSwitch
from netplan.model.values import natural
from netplan.nos import NosLibrary
from netplan.reading.switches import read_site_switch

Version = Literal["old", "added", "set", "new", "away"]
"""Of the files of a switch. ``added``: what is new beside the old; where there is room for one value, the old
one. ``set``: the same with the new values. ``new``: what is gone is removed. ``away``: the switch forwards
nothing while it gets another NOS."""
End = Literal["old", "new"]
Pods = Literal["old", "both", "stopped", "new"]
LEAF = "leaf"


@dataclass(frozen=True)
class State:
    """``switches``: version of those that differ; others are the same in every state. ``pods``: which run."""

    switches: Mapping[str, Version] = field(default_factory=dict)
    objects: End = "old"
    hosts: End = "old"
    pods: Pods = "old"
    cables: End = "old"

    def version(self, name: str) -> Version:
        return self.switches.get(name, "old")

    def with_switches(self, names: Iterable[str], version: Version) -> State:
        return replace(self, switches={**self.switches, **dict.fromkeys(names, version)})


@dataclass(frozen=True)
class Ends:
    """Both sides, and what lies between them."""

    old: Side
    new: Side
    facts: tuple[SiteFacts, SiteFacts]
    library: NosLibrary
    _files: dict[tuple[str, Version], Files] = field(default_factory=dict, compare=False, repr=False)
    _read: dict[tuple[str, Version], ReadSwitch] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def differing(self) -> tuple[str, ...]:
        """Switches whose files differ, in natural order."""
        names = sorted({*self.facts[0].switches, *self.facts[1].switches}, key=natural)
        return tuple(name for name in names if files_of(self.old, name) != files_of(self.new, name))

    def tier(self, leaves: bool) -> tuple[str, ...]:
        return tuple(name for name in self.differing if (self.switch(name).role == LEAF) is leaves)

    def switch(self, name: str) -> SiteSwitch:
        """As the new site has it, else the old one."""
        known = self.facts[1].switches.get(name) or self.facts[0].switches.get(name)
        assert known is not None, name
        return known

    def replaced(self, name: str) -> bool:
        """Whether it gets another NOS."""
        old, new = (side.switches.get(name) for side in self.facts)
        return old is not None and new is not None and old.nos != new.nos

    def form(self, name: str) -> Form | None:
        """None of a NOS without rules of change, where the NOS changes, of a switch that is new or gone."""
        old, new = (side.switches.get(name) for side in self.facts)
        if old is None or new is None or self.replaced(name):
            return None
        return form_of(new.nos, self.library)

    def files(self, name: str, version: Version) -> Files:
        key = (name, version)
        if key not in self._files:
            self._files[key] = self._made(name, version)
        return self._files[key]

    def _made(self, name: str, version: Version) -> Files:
        """A switch that cannot be changed in steps has the old files until it has the new ones."""
        old, new = files_of(self.old, name), files_of(self.new, name)
        if version == "away":
            return {}
        if version in ("old", "new"):
            return old if version == "old" else new
        form = self.form(name)
        if not old:
            return new
        if not new:
            return old
        if form is None:
            return new if version == "set" else old
        return form.both(new, old) if version == "added" else form.both(old, new)

    def read(self, name: str, version: Version) -> ReadSwitch:
        key = (name, version)
        if key not in self._read:
            known = self.facts[0 if version == "old" else 1].switches.get(name)
            switch = self.switch(name) if known is None else known
            self._read[key] = read_site_switch(switch, self.files(name, version), self.library)
        return self._read[key]

    def change(self, name: str, before: Version, after: Version) -> Change | None:
        """None where a person has to write it."""
        form = self.form(name)
        return form.change(self.files(name, before), self.files(name, after)) if form else None

    def differs(self, name: str, before: Version, after: Version) -> bool:
        """Whether a switch has to be changed; the order of lines and rows is no difference."""
        if self.files(name, before) == self.files(name, after):
            return False
        change = self.change(name, before, after)
        return change is None or bool(change.parts or change.by_hand)

    def side(self, state: State, pods: End) -> Side:
        """The files of a state as those see it that run with the old, or the new, pods and objects."""
        whole = self.old if pods == "old" else self.new
        hosts = self.old if state.hosts == "old" else self.new
        texts = {path: text for path, text in whole.texts.items() if _of_pods(path)}
        texts |= {path: text for path, text in hosts.texts.items() if path.startswith("hosts/")}
        own = {name: files_of(whole, name) for name in whole.part("switches")}
        own |= {name: self.files(name, state.version(name)) for name in self.differing}
        for name, files in own.items():
            texts |= {f"switches/{name}/{file}": text for file, text in files.items()}
        return Side(f"{self.old.name} to {self.new.name}", texts)


def _of_pods(path: str) -> bool:
    return path == PATH or path.startswith(("kubernetes/", "pods/"))
