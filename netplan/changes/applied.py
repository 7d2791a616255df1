"""Objects and pods of two renders: what is applied and deleted between them, and which workloads restart."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from netplan.changes.effects import effects
from netplan.changes.files import pod_effects
from netplan.changes.model import REMADE, Touched
from netplan.changes.objects import Key, ObjectChange, Objects, object_changes, object_effects, objects
from netplan.changes.policies import Clash, clashes, cleared
from netplan.changes.sides import Side
from netplan.model.site import SiteFacts

_NETWORKS = ("Network", "NetworkAttachmentDefinition")
"""Endings of the kinds of objects that a pod attaches by name."""


@dataclass(frozen=True)
class Applied:
    """What of both sides Kubernetes runs."""

    old: Side
    new: Side
    facts: tuple[SiteFacts, SiteFacts]

    @cached_property
    def objects(self) -> tuple[Objects, Objects]:
        """Objects of the files that differ."""
        return objects(self.old, self.new)

    @cached_property
    def bodies(self) -> tuple[Mapping[Key, Any], Mapping[Key, Any]]:
        old, new = ({key: thing.body for key, thing in side.items()} for side in self.objects)
        return old, new

    @cached_property
    def clashes(self) -> tuple[Clash, ...]:
        return clashes(*self.objects)

    @cached_property
    def cleared(self) -> frozenset[Key]:
        """Objects to delete before others are applied."""
        return cleared(self.clashes, self.objects[1])

    @cached_property
    def _object_changes(self) -> tuple[ObjectChange, ...]:
        return tuple(object_changes(*self.bodies, self.facts[1], effects()))

    @cached_property
    def object_rows(self) -> tuple[Touched, ...]:
        return tuple(object_effects(self._object_changes))

    @cached_property
    def cleared_rows(self) -> tuple[Touched, ...]:
        return tuple(object_effects(each for each in self._object_changes if each.key in self.cleared))

    @cached_property
    def gone_rows(self) -> tuple[Touched, ...]:
        """Objects left to delete at the end."""
        gone = (each for each in self._object_changes if each.kind == "gone")
        return tuple(object_effects(each for each in gone if each.key not in self.cleared))

    @cached_property
    def blocked(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """Why objects cannot be applied beside the old ones, with the workloads that use what must go."""
        first = [each for each in self.clashes if each.old in self.cleared]
        using = [frozenset(self._naming(each.resource)) & {*self.workloads[0]} for each in first]
        return tuple(zip((each.text for each in first), using, strict=True))

    @cached_property
    def workloads(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Workloads that stay, and those that are removed."""
        old, new = (side.workloads for side in self.facts)
        return tuple(name for name in old if name in new), tuple(name for name in old if name not in new)

    @cached_property
    def restarted(self) -> tuple[str, ...]:
        """Remaining workloads whose running pods must be recreated: their own files changed, or a network
        they name, or a pool; a pool does not tell which pods use it."""
        staying = self.workloads[0]
        found = {row.target for row in self.pod_rows if row.effect.word in REMADE}
        for each in self._object_changes:
            if each.effect.word in REMADE and each.what not in ("new", "gone"):
                of_network = each.key[0].endswith(_NETWORKS)
                found |= self._naming(each.key[2]) if of_network else {*staying}
        return tuple(name for name in staying if name in found)

    def _naming(self, name: str) -> set[str]:
        """Workloads whose files name a network or a resource."""
        named = re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])")
        return {
            name
            for side in (self.old, self.new)
            for name, files in side.part("pods").items()
            if any(named.search(text) for text in files.values())
        }

    @cached_property
    def pod_rows(self) -> tuple[Touched, ...]:
        return tuple(pod_effects(self.old, self.new, effects()))
