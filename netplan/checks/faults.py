"""One cause, one finding: suppress later findings that merely follow from an earlier stage's error.

An error silences what depends on it and nothing else, by three rules:

- an entity that is left out or replaced by a stand-in (rejected by the schema, or referencing an unknown
  name) silences findings at its place, and the checks in ``WHOLE`` that count or miss entities of its
  section;
- an error at a key silences later findings at and below that key;
- an error with a code listed in ``FOLLOWS`` silences the finding that follows from it, if that finding rests
  on the same entities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from netplan.diagnostics import Diagnostic, Path, Severity

_NO_HCA = ("NP308", "NP309", "NP504", "NP506", "NP509", "NP523", "NP712", "NP713", "NP725")
"""Errors after which a network may find no HCA, or another number of them."""
_CABLES = ("NP820", "NP821", "NP826", "NP828", "NP830")

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "NP105": ("NP112",),
    "NP203": ("NP107", "NP108", "NP112", "NP822"),
    "NP207": ("NP203", "NP218", "NP503", "NP504", "NP514"),
    "NP208": ("NP218", "NP503", "NP504", "NP514"),
    "NP210": ("NP613", "NP648", "NP649"),
    "NP211": ("NP649",),
    "NP217": ("NP503", "NP504", "NP514"),
    "NP227": ("NP201", "NP202"),
    "NP306": ("NP504", "NP509", *_CABLES),
    "NP307": ("NP219",),
    "NP414": ("NP405",),
    "NP509": ("NP104",),
    "NP522": ("NP501", "NP526", *_NO_HCA),
    "NP524": ("NP219", "NP520", *_NO_HCA),
    "NP601": _CABLES,
    "NP602": ("NP104", "NP501", "NP503", "NP526", *_NO_HCA),
    "NP603": ("NP525", *_NO_HCA),
    "NP607": _NO_HCA,
    "NP616": ("NP826",),
    "NP635": ("NP618",),
    "NP654": ("NP108",),
    "NP655": ("NP203", "NP854", *_CABLES),
    "NP656": _NO_HCA,
    "NP660": ("NP506", "NP614", "NP712", "NP713"),
    "NP702": ("NP511", "NP727"),
    "NP704": ("NP511", "NP703", "NP727"),
    "NP710": _NO_HCA,
    "NP718": _CABLES,
    "NP719": _CABLES,
    "NP723": ("NP511", "NP727"),
    "NP726": (*_NO_HCA, *_CABLES),
    "NP729": _NO_HCA,
    "NP733": ("NP703",),
    "NP802": ("NP402", "NP404", "NP541", "NP853"),
    "NP805": ("NP505",),
    "NP809": _CABLES,
    "NP814": ("NP505", *_CABLES),
    "NP815": ("NP505", "NP854", *_CABLES),
    "NP824": ("NP505", *_CABLES),
    "NP823": ("NP822",),
    "NP825": ("NP505",),
    "NP831": ("NP505", *_CABLES),
    "NP836": ("NP535",),
    "NP840": ("NP203", *_CABLES),
    "NP863": ("NP614",),
}
"""Code -> codes of earlier errors that may cause it."""

_NODES = frozenset({"hosts", "host_types"})
_CABLED = frozenset({*_NODES, "links", "switches", "switch_types"})
_NETWORKS = frozenset({"networks", "subnets"})
_QOS = frozenset({"fabric"})
WHOLE: Mapping[str, frozenset[str]] = {
    "NP117": _NODES,
    "NP118": _CABLED,
    "NP213": _NETWORKS,
    "NP306": _CABLED,
    "NP315": _CABLED,
    "NP317": _NETWORKS,
    "NP509": _NETWORKS,
    "NP520": _NODES,
    "NP522": _NODES,
    "NP524": _NODES,
    "NP525": _NODES,
    "NP601": _CABLED,
    "NP602": _NODES,
    "NP604": _NODES,
    "NP607": _NODES,
    "NP616": _CABLED,
    "NP620": _CABLED,
    "NP621": _CABLED,
    "NP625": _CABLED,
    "NP655": _CABLED,
    "NP656": _NODES | _NETWORKS,
    "NP661": _NODES,
    "NP662": _NODES,
    "NP663": _NODES | {"fabric"},
    "NP664": _NODES,
    "NP668": _CABLED,
    "NP710": _NODES,
    "NP718": _CABLED,
    "NP719": _CABLED,
    "NP726": _CABLED,
    "NP729": _NODES,
    "NP826": _CABLED,
    "NP827": _CABLED,
    "NP828": _CABLED,
    "NP830": _CABLED,
    "NP831": _CABLED,
    "NP837": _QOS | _CABLED,
    "NP843": _QOS,
}
"""Code -> inventory sections that its check needs complete, because it counts or misses their entities."""


class Faults:
    """Errors found so far. While it is empty, it silences nothing."""

    def __init__(self) -> None:
        self.sections: set[str] = set()
        self._broken = _Places()
        self._errors = _Places()
        self._by_code: dict[str, _Places] = defaultdict(_Places)

    def __bool__(self) -> bool:
        return bool(self.sections or self._by_code)

    def leave_out(self, places: Iterable[Path]) -> None:
        """Record entities, or parts of them, that later stages see not at all or with stand-in values."""
        for place in places:
            self.sections.add(str(place[0]))
            self._broken.add(place)

    def add(self, found: Iterable[Diagnostic]) -> None:
        """Record the errors of a completed stage."""
        for d in found:
            if d.severity is Severity.ERROR:
                self._by_code[d.code].add(d.path)
                if len(d.path) > _ENTITY or (len(d.path) == _ENTITY and d.path[0] in _SINGLE):
                    self._errors.add(d.path)

    def mute(self, code: str) -> bool:
        """Whether to skip a check because a section it needs is incomplete."""
        return not self.sections.isdisjoint(WHOLE.get(code, ()))

    def silence(self, code: str, at: Path, rests: tuple[frozenset[Path], ...] | None = None) -> bool:
        """Whether a finding may follow from an earlier error. ``rests``: see ``Finding``."""
        if self._broken.touch(at) or self._errors.above(at):
            return True
        causes = [self._by_code[cause] for cause in FOLLOWS.get(code, ()) if cause in self._by_code]
        if rests is None or any(cause.touch(at) for cause in causes):
            return bool(causes)
        return all(any(self._wrong(place, causes) for place in each) for each in rests)

    def _wrong(self, place: Path, causes: list[_Places]) -> bool:
        """Whether an entity has one of these errors, or, for a one-part path, its section is incomplete."""
        if len(place) == 1:
            return place[0] in self.sections
        return any(cause.touch(place) for cause in causes)


_ENTITY = 2
"""Path length of an entity; longer paths are keys of it."""
_SINGLE = frozenset({"cluster", "fabric", "underlay", "rails"})
"""Sections that consist of a single entity."""


class _Places:
    """A set of paths, searchable for ancestors and descendants of a path."""

    def __init__(self) -> None:
        self._at: set[Path] = set()
        self._over: set[Path] = set()

    def add(self, path: Path) -> None:
        if path not in self._at:
            self._at.add(path)
            self._over.update(path[:n] for n in range(_ENTITY, len(path)))

    def above(self, path: Path) -> bool:
        """Whether the set contains the path or an ancestor of it."""
        return any(path[: n + 1] in self._at for n in range(len(path)))

    def touch(self, path: Path) -> bool:
        """Whether the set contains the path, an ancestor or a descendant."""
        return path in self._over or self.above(path)
