"""Objects that their schema refuses: nothing is read of them, and what needs one says why."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.diagnostics import Path
from netplan.reading.kubernetes.objects import Thing
from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """``at``: the paths that are refused. ``text``: object, reason, file and line. ``makes``: resources that
    it would produce, without prefix; "" is one whose name it does not state."""

    thing: Thing
    at: tuple[Path, ...]
    text: str
    makes: frozenset[str] = frozenset()

    def covers(self, path: Path) -> bool:
        """Whether a path belongs to what is refused, or encloses it."""
        return any(path[: len(p)] == p[: len(path)] for p in self.at)


_NETWORKS = frozenset(
    {
        *("NetworkAttachmentDefinition", "SpiderMultusConfig", "SriovNetwork", "SriovIBNetwork"),
        *("OVSNetwork", "HostDeviceNetwork", "MacvlanNetwork", "IPoIBNetwork"),
    }
)


def refused_pool(refused: Sequence[Refused], kind: str, name: str) -> str:
    """Why nothing is read of a pool; empty if it is none of these. ``kind`` in lower case."""
    return next((r.text for r in refused if (r.thing.kind.lower(), r.thing.name) == (kind, name)), "")


def refused_network(refused: Sequence[Refused], name: str) -> str:
    """Why nothing is read of a network ``namespace/name``. An operator's network may state another
    namespace for its NAD in what is refused, so only the name counts for these."""
    _, _, short = name.rpartition("/")
    for each in refused:
        own = each.thing.kind == "NetworkAttachmentDefinition" and each.thing.namespace is not None
        said = f"{each.thing.namespace}/{each.thing.name}" if own else each.thing.name
        if each.thing.kind in _NETWORKS and said == (name if own else short):
            return each.text
    return ""


def refused_producer(refused: Sequence[Refused], resource: str | None) -> str:
    """Why nothing is read of what would produce a resource."""
    _, _, short = (resource or "").rpartition("/")
    named = (r.text for name in (short, "") for r in refused if name in r.makes)
    return next(named, "") if short else ""
