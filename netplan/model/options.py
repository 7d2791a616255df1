"""What a user may ask of a run beside its inventory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from netplan.model.acceptance import EVERYTHING, Selection
from netplan.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """``today``: the day that ends acceptances; None ends none. ``selection``: the findings that count.
    ``operators``: a file that adds releases of the Network Operator. ``nos_dir``: NOS folders of the site.
    ``overlays``: files and directories laid over the inventory, in this order."""

    today: date | None = None
    selection: Selection = EVERYTHING
    operators: str | None = None
    nos_dir: str | None = None
    overlays: Sequence[str] = ()


DEFAULTS = Options()
