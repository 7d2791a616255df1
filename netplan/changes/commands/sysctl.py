"""Kernel settings of a switch, one file in /etc/sysctl.d/ that the new one replaces."""

from __future__ import annotations

from netplan.changes.commands.data import Rules
from netplan.changes.commands.model import Change, Files

_NOTHING = Change((), (), ())


def change(old: Files, new: Files, rules: Rules) -> Change:
    """The kernel keeps a value that the file no longer sets, and its value from before is not known."""
    row = rules.rows["files"].get("sysctl")
    if row is None:
        return _NOTHING
    before, after = (_settings(files.get(row["file"], "")) for files in (old, new))
    if before == after:
        return _NOTHING
    parts = (rules.part("sysctl", new[row["file"]]),) if after else ()
    by_hand = [] if after else [f"`sudo rm {row['path']}`, then `sudo sysctl --system`"]
    gone = ", ".join(f"{key} = {value}" for key, value in before.items() if key not in after)
    if gone:
        by_hand.append(f"the kernel keeps {gone}: `sudo sysctl -w` with the values of before, or a reboot")
    return Change(parts, tuple(by_hand), ())


def both(old: Files, new: Files, rules: Rules) -> dict[str, str]:
    row = rules.rows["files"].get("sysctl")
    if row is None or row["file"] not in old or row["file"] not in new:
        return {}
    after = _settings(new[row["file"]])
    kept = [f"{k} = {v}\n" for k, v in _settings(old[row["file"]]).items() if k not in after]
    return {row["file"]: new[row["file"]] + "".join(kept)}


def _settings(text: str) -> dict[str, str]:
    found = {}
    for line in text.splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.lstrip().startswith(("#", ";")):
            found[key.strip()] = value.strip()
    return found
