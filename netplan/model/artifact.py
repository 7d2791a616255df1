"""What a renderer returns and ``write`` puts on disk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from hashlib import sha256

from netplan.records import dataclass


@dataclass(frozen=True, slots=True)
class Artifact:
    """One output file.

    ``path``: relative, with ``/``, below the output directory. ``text``: the whole content, ends with a
    newline.
    ``kind``: first directory or, below ``kubernetes/``, the artifact kind; what ``--only`` selects.
    ``entities``: dotted inventory paths this file comes from, for the manifest. ``digest``: the ``sha256``,
    where it is known.
    """

    path: str
    text: str
    kind: str
    entities: tuple[str, ...] = ()
    executable: bool = False
    digest: str = field(default="", compare=False, repr=False)

    @property
    def sha256(self) -> str:
        """Of the text in UTF-8, hexadecimal."""
        return self.digest or sha256(self.text.encode()).hexdigest()


class KnownArtifact(Artifact):
    """A file that an earlier run rendered and verified; its text is rendered again only where it is asked
    for."""

    __slots__ = ("_render",)

    def __init__(
        self, path: str, render: Callable[[], str], kind: str, entities: tuple[str, ...], digest: str
    ) -> None:
        values = {"path": path, "kind": kind, "entities": entities, "executable": False, "digest": digest}
        for name, value in {**values, "_render": render}.items():
            object.__setattr__(self, name, value)

    @property
    def text(self) -> str:
        made: str = self._render()  # type: ignore[attr-defined]
        return made
