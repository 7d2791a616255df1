"""Two renders, and what each part of a site is in the states between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from netplan.changes.applied import Applied
from netplan.changes.commands import Change, Files, Form, form_of
from netplan.changes.effects import effects
from netplan.changes.files import host_effects, name_effects
from netplan.changes.model import INSTALLED, Touched
from netplan.changes.nics import sending_as, with_dscps
from netplan.changes.objects import chart_effects
from netplan.changes.recabled import recabled
from netplan.changes.sides import Side
from netplan.changes.state import End, State, Version
from netplan.changes.switches import SwitchRead, cable_effects, files_of
from netplan.model.readback import ReadSwitch
from netplan.model.site import PATH, SiteFacts, SiteSwitch
from netplan.model.values import natural
from netplan.nos import NosLibrary
from netplan.reading.switches import read_site_switch

LEAF, HOSTS = "leaf", "hosts/"


@dataclass(frozen=True)
class Ends:
    """Both sides, and what lies between them."""

    old: Side
    new: Side
    facts: tuple[SiteFacts, SiteFacts]
    library: NosLibrary
    _files: dict[tuple[str, Version], Files] = field(default_factory=dict, compare=False, repr=False)
    _changes: dict[tuple[str, Version, Version], Change | None] = field(
        default_factory=dict, compare=False, repr=False
    )
    _sites: dict[End, str] = field(default_factory=dict, compare=False, repr=False)
    _hosts: dict[Version, Mapping[str, str]] = field(default_factory=dict, compare=False, repr=False)
    _read: dict[tuple[str, Version], ReadSwitch] = field(default_factory=dict, compare=False, repr=False)

    @cached_property
    def _dscps(self) -> tuple[frozenset[int], frozenset[int]]:
        """DSCPs of classes that only the old, or only the new side has."""
        old, new = (frozenset(each.dscp for each in side.classes) for side in self.facts)
        return old - new, new - old

    @cached_property
    def differing(self) -> tuple[str, ...]:
        """Switches whose files differ, in natural order."""
        names = sorted({*self.facts[0].switches, *self.facts[1].switches}, key=natural)
        return tuple(name for name in names if files_of(self.old, name) != files_of(self.new, name))

    @cached_property
    def applied(self) -> Applied:
        return Applied(self.old, self.new, self.facts)

    @cached_property
    def cable_rows(self) -> tuple[Touched, ...]:
        return tuple(cable_effects(self.facts, effects()))

    def is_render(self, state: State, end: End) -> bool:
        """Whether everything except objects and pods is as in the render of one side."""
        if self.cable_rows and state.cables != end:
            return False
        if self.host_texts(state.hosts) != self.host_texts(end):
            return False
        return all(self.files(n, state.version(n)) == self.files(n, end) for n in self.differing)

    def sent(self, state: State) -> frozenset[int]:
        """DSCPs that pods send with: set by themselves or by the NICs."""
        if state.pods == "stopped":
            return frozenset()
        old, new = ({each.dscp for each in side.classes} for side in self.facts)
        pods = {"old": old, "both": old | new, "new": new}[state.pods]
        return frozenset(pods | (old if state.hosts in ("old", "added") else new))

    def host_rows(self, before: Version, after: Version) -> tuple[Touched, ...]:
        old, new = (Side("", self.host_texts(version)) for version in (before, after))
        rows = tuple(host_effects(old, new, self.facts[1], effects()))
        own = {before, after} & {"old", "added"} and {before, after} & {"set", "new"}
        installed = (each for each in self.name_rows if each.kind in INSTALLED)
        return (*installed, *rows) if own else rows

    @cached_property
    def name_rows(self) -> tuple[Touched, ...]:
        """Effects on single hosts."""
        return tuple(name_effects(self.facts, effects()))

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """Hosts that stay but move to other ports; a port of another NOS has another name."""
        places: list[dict[str, set[tuple[str, str]]]] = [{}, {}]
        for found, side in zip(places, self.facts, strict=True):
            for cable in side.cables:
                if cable.peer_kind == "host":
                    port = "" if self.replaced(cable.switch) else cable.port
                    found.setdefault(cable.peer, set()).add((cable.switch, port))
        old, new = places
        return tuple(sorted((name for name in old if new.get(name, old[name]) != old[name]), key=natural))

    @cached_property
    def chart_rows(self) -> tuple[Touched, ...]:
        return tuple(chart_effects(self.facts, effects()))

    def tier(self, leaves: bool) -> tuple[str, ...]:
        return tuple(name for name in self.differing if (self.switch(name).role == LEAF) is leaves)

    def switch(self, name: str) -> SiteSwitch:
        """The switch in the new site, else in the old one."""
        known = self.facts[1].switches.get(name) or self.facts[0].switches.get(name)
        assert known is not None, name
        return known

    def replaced(self, name: str) -> bool:
        """Whether the switch gets another NOS."""
        old, new = (side.switches.get(name) for side in self.facts)
        return old is not None and new is not None and old.nos != new.nos

    def form(self, name: str) -> Form | None:
        """None for a NOS without change rules, for a change of NOS, and for a switch that is new or gone."""
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
        """A switch that cannot be changed in steps has the old files until it gets the new ones."""
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
        lost, gained = self._dscps
        return form.both(new, old, gained) if version == "added" else form.both(old, new, lost)

    def host_texts(self, version: Version) -> Mapping[str, str]:
        """Path below the output directory -> content."""
        if version not in self._hosts:
            old, new = (
                {path: text for path, text in side.texts.items() if path.startswith(HOSTS)}
                for side in (self.old, self.new)
            )
            lost, gained = self._dscps
            mixed = {"added": (old, gained, new), "set": (new, lost, old)}
            known = {"old": old, "new": new}
            self._hosts[version] = known.get(version) or with_dscps(*mixed[version])
        return self._hosts[version]

    def _hosts_seen(self, version: Version, pods: End) -> Mapping[str, str]:
        texts = self.host_texts(version)
        return texts if version in ("old", "new") else sending_as(texts, self.host_texts(pods))

    def _recabled(self, pods: End) -> str:
        own, other = (self.old, self.new) if pods == "old" else (self.new, self.old)
        if pods not in self._sites:
            self._sites[pods] = recabled(own.texts[PATH], other.texts[PATH])
        return self._sites[pods]

    def read(self, name: str, version: Version) -> ReadSwitch:
        version = self._same(name, version)
        key = (name, version)
        if key not in self._read:
            known = self.facts[0 if version == "old" else 1].switches.get(name)
            switch = self.switch(name) if known is None else known
            self._read[key] = read_site_switch(switch, self.files(name, version), self.library)
        return self._read[key]

    def _same(self, name: str, version: Version) -> Version:
        """The equivalent end, if its files are the same: so they are read once, and by their own NOS."""
        files = self.files(name, version)
        ends: tuple[Version, Version] = ("old", "new")
        return next((end for end in ends if self.files(name, end) == files), version)

    def reads(self, name: str, before: Version, after: Version) -> SwitchRead:
        """Before and after are None for a switch that does not exist then."""
        old, new = (self.read(name, each) if self.files(name, each) else None for each in (before, after))
        return name, old, new

    def change(self, name: str, before: Version, after: Version) -> Change | None:
        """None if a person has to write the change."""
        before, after = self._same(name, before), self._same(name, after)
        key = (name, before, after)
        if key not in self._changes:
            form = self.form(name)
            found = form.change(self.files(name, before), self.files(name, after)) if form else None
            self._changes[key] = found
        return self._changes[key]

    def differs(self, name: str, before: Version, after: Version) -> bool:
        """Whether a switch has to change; a different order of lines or rows is no reason."""
        if self.files(name, before) == self.files(name, after):
            return False
        change = self.change(name, before, after)
        return change is None or bool(change.parts or change.by_hand)

    def side(self, state: State, pods: End) -> Side:
        """The files of a state, seen from the old or the new pods and objects."""
        whole = self.old if pods == "old" else self.new
        texts = {path: text for path, text in whole.texts.items() if _of_pods(path)}
        if self.cable_rows and state.cables != pods:
            texts[PATH] = self._recabled(pods)
        texts |= self._hosts_seen(state.hosts, pods)
        own = {name: files_of(whole, name) for name in whole.part("switches")}
        own |= {name: self.files(name, state.version(name)) for name in self.differing}
        for name, files in own.items():
            texts |= {f"switches/{name}/{file}": text for file, text in files.items()}
        return Side(f"{self.old.name} to {self.new.name}", texts)


def _of_pods(path: str) -> bool:
    return path == PATH or path.startswith(("kubernetes/", "pods/"))
