"""A part of a site's files, for rendering on several machines. The part depends on a file's path only, so
hosts and switches keep theirs when others come and go."""

from __future__ import annotations

import re
from hashlib import sha256

from netplan.records import dataclass

MOST = 1000
_FORM = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})")
_ENTITY = re.compile(r"(clusters/[^/]+/)?(hosts|switches)/[^/]+/")
"""Folder of a host, a host type or a switch, whose files are in one part."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Part ``number`` of ``count``, from 1."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def has(self, path: str) -> bool:
        """Whether a file is in this part. For a host or switch its folder decides, with a trailing slash."""
        if self.count == 1:
            return True
        folder = _ENTITY.match(path)
        digest = sha256((folder[0] if folder else path).encode()).digest()
        return int.from_bytes(digest[:8], "big") % self.count == self.number - 1


WHOLE = Shard(1, 1)


def shard_of(text: str) -> Shard:
    """Parses ``2/8``. Raises ValueError with a message for the user."""
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a part I/N such as 2/8")
    number, count = int(found[1]), int(found[2])
    if not number <= count <= MOST:
        raise ValueError(f"{text}: there are parts 1 to {count}, and at most {MOST} of them")
    return Shard(number, count)
