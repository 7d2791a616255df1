"""Digests of switch files that earlier runs rendered and verified, by what they follow from.

A file of a switch follows from its plan, the name of the site and the program. So a switch whose plan is one
of an earlier run is neither rendered nor verified again; its text is rendered only if the output directory
lacks the file. After an edit of one host that holds for nearly all switches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from netplan import program, user_cache
from netplan.model.artifact import Artifact
from netplan.model.plan import Plan

LARGE = 100
"""Number of switches below which rendering them is cheaper than a digest of the program."""
MAX_BYTES = 64 << 20
"""Limit for one site. 3,132 switches take 2 MiB."""
MOST = 16
"""Maximum number of sites; the one stored longest ago is evicted first."""
RENEWED_AT = 0.1
"""Share of new switches above which the cache is rewritten; editing one host does not rewrite all others."""


class KnownFiles:
    """``known``: digest of a switch (`netplan.render.alike`) -> path -> sha256 of its text."""

    def __init__(self, place: Path, version: str) -> None:
        self._place, self._version = place, version
        stored = user_cache.load_object(place, MAX_BYTES) if user_cache.is_private(place.parent) else None
        self._known: Mapping[bytes, Mapping[str, str]] = {}
        match stored:
            case [found, dict(known)] if found == version:  # else nothing, or of another netplan
                self._known = known
        self._asked: dict[bytes, Mapping[str, str]] = {}
        self._new = 0

    @classmethod
    def of(cls, plan: Plan) -> KnownFiles | None:
        """None where keeping them is not worth it, or not possible."""
        folder, site = user_cache.folder_of("switches"), plan.fabric.site
        version = program.version() if folder is not None and len(plan.switches) >= LARGE else None
        if folder is None or version is None:
            return None
        return cls(folder / sha256(site.encode()).hexdigest()[:32], f"{version} {site}")

    def digests(self, switch: bytes) -> Mapping[str, str] | None:
        found = self._known.get(switch)
        if found is not None:
            self._asked[switch] = found
        return found

    def added(self, switch: bytes, rendered: Iterable[Artifact]) -> list[Artifact]:
        artifacts = [replace(each, digest=each.sha256) for each in rendered]
        self._asked[switch] = {each.path: each.digest for each in artifacts}
        self._new += 1
        return artifacts

    def store(self) -> None:
        """Keep what this run asked for; to be called if nothing was wrong with the files."""
        if self._new > RENEWED_AT * len(self._asked):
            user_cache.store_object(self._place, (self._version, self._asked), MAX_BYTES, MOST)
