"""What a renderer returns and ``write`` puts on disk."""

from __future__ import annotations

from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One output file.

    ``path``: relative, with ``/``, below the output directory. ``text``: the whole content, ends with a
    newline.
    ``kind``: first directory or, below ``kubernetes/``, the artifact kind; what ``--only`` selects.
    ``entities``: dotted inventory paths this file comes from, for the manifest.
    """

    path: str
    text: str
    kind: str
    entities: tuple[str, ...] = ()
    executable: bool = False
