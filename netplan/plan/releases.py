"""The release of its NOS for which a switch's files are written."""

from __future__ import annotations

from netplan.model.hardware import SwitchType
from netplan.model.nos import NosProfile
from netplan.model.switching import SwitchRelease


def plan_release(kind: SwitchType, nos: NosProfile) -> SwitchRelease:
    """The stated version if netplan's data covers it, else the nearest release that it covers."""
    releases = nos.releases
    name = releases.nearest(kind.nos_version or releases.default)
    known = releases.has(kind.nos_version or releases.default)
    return SwitchRelease(
        name=name,
        stated=kind.nos_version,
        known=known,
        oldest=releases.oldest,
        newest=releases.newest,
        forms=releases.resolved(name),
        text=_text(kind, name, known),
    )


def _text(kind: SwitchType, name: str, known: bool) -> str:
    if not kind.nos_version:
        return f"{name} (nos_version of switch type {kind.name} is not stated)"
    if known:
        return f"{name}, as stated"
    return f"{name}, the nearest to the stated {kind.nos_version}, for which netplan has no data"
