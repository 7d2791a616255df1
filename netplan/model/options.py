"""Options of a run, besides its inventory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from netplan.model.acceptance import EVERYTHING, Selection
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """``today``: date against which acceptances expire; None: none does. ``selection``: findings that count.
    ``operators``: a file with more releases of the Network Operator. ``nos_dir``: the site's NOS folders.
    ``overlays``: files and directories merged over the inventory, in this order."""

    today: date | None = None
    selection: Selection = EVERYTHING
    operators: str | None = None
    nos_dir: str | None = None
    overlays: Sequence[str] = ()


DEFAULTS = Options()
