"""One of the states that a site passes through from one render to the other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

Version = Literal["old", "added", "set", "new", "away"]
"""Version of the files of a switch, or of the hosts. ``added``: new settings beside the old ones; the old
value where only one fits. ``set``: the same with the new values. In both the DSCPs of old and new classes are
mapped. ``new``: old settings are removed. ``away``: the switch forwards nothing while its NOS is replaced."""
End = Literal["old", "new"]
Pods = Literal["old", "both", "stopped", "new"]


@dataclass(frozen=True)
class State:
    """``switches``: version of those that differ; the others are the same in every state. ``pods``: which
    ones run."""

    switches: Mapping[str, Version] = field(default_factory=dict)
    objects: End = "old"
    hosts: Version = "old"
    pods: Pods = "old"
    cables: End = "old"

    def version(self, name: str) -> Version:
        return self.switches.get(name, "old")

    def with_switches(self, names: Iterable[str], version: Version) -> State:
        return replace(self, switches={**self.switches, **dict.fromkeys(names, version)})
