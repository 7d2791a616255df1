"""Alternatives: files and folders of which only one is applied, since they define one object differently."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable

from netplan.reading.kubernetes.crds import shipped
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass

OTHERS_JUDGED = frozenset(
    {"resource.k8s.io", "spiderpool.spidernet.io", "sriovnetwork.k8snetworkplumbingwg.io"}
)
"""Groups whose kinds have no list of fields, but rules."""


def judged(thing: Thing) -> bool:
    """Whether rules are about the kind itself, not only about the pods in it."""
    return (thing.group, thing.kind) in shipped() or thing.group in OTHERS_JUDGED


@dataclass(frozen=True, slots=True)
class Alternatives:
    """``files``: they define an object that another file defines differently. ``within``: the other file is
    in the same folder. ``folders``: they define an object that another folder defines differently."""

    files: frozenset[str]
    within: frozenset[str]
    folders: frozenset[str]

    def together(self, one: Thing, other: Thing) -> bool:
        """Whether both are surely in one cluster, so that a contradiction between them is real."""
        if one.file == other.file:
            return True
        alike = posixpath.dirname(one.file) == posixpath.dirname(other.file)
        if {one.file, other.file} & (self.within if alike else self.files):
            return False
        sides = {self.side(one), self.side(other)} - {None}
        return len(sides) < 2

    def side(self, thing: Thing) -> str | None:
        """The nearest folder around an object that is an alternative; None if none is."""
        folder = posixpath.dirname(thing.file)
        while folder not in self.folders:
            if folder == posixpath.dirname(folder):
                return None
            folder = posixpath.dirname(folder)
        return folder


def alternatives_of(things: Iterable[Thing]) -> Alternatives:
    same: dict[tuple[str, str], list[Thing]] = defaultdict(list)
    for thing in things:
        if thing.name:
            same[thing.group, str(thing)].append(thing)
    files, within, folders = set[str](), set[str](), set[str]()
    for group in filter(_differ, same.values()):
        by_folder: dict[str, list[Thing]] = defaultdict(list)
        for thing in group:
            by_folder[posixpath.dirname(thing.file)].append(thing)
        files |= _files(group)
        within |= {file for beside in by_folder.values() if _differ(beside) for file in _files(beside)}
        if len(by_folder) > 1 and all(map(judged, group)):
            folders |= by_folder.keys()
    return Alternatives(frozenset(files), frozenset(within), frozenset(folders))


_POLICIES = frozenset({"SriovNetworkNodePolicy"})
_NETWORKS = frozenset({"SriovNetwork", "SriovIBNetwork", "OVSNetwork", "NetworkAttachmentDefinition"})
_USERS = frozenset({"Namespace", "Pod", "Deployment", "StatefulSet", "DaemonSet", "Job", "MPIJob"})


def scenarios_of(things: Iterable[Thing]) -> frozenset[str]:
    """Files that have all of a scenario: policy, network, and pods or their namespace."""
    kinds: dict[str, set[str]] = defaultdict(set)
    for thing in things:
        kinds[thing.file].add(thing.kind)
    needed = (_POLICIES, _NETWORKS, _USERS)
    return frozenset(file for file, own in kinds.items() if all(own & each for each in needed))


def _differ(things: list[Thing]) -> bool:
    return any(thing.body != things[0].body for thing in things)


def _files(things: list[Thing]) -> set[str]:
    """The files of definitions; none if it is one."""
    files = {thing.file for thing in things}
    return files if len(files) > 1 else set()
