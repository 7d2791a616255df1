"""Expand ranged mappings (hosts, switches, HCAs): single names merge over ranges, leaf by leaf."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.diagnostics import Path
from netplan.model.ranges import MAX_NAMES, expand, is_range, trailing_number
from netplan.model.values import natural
from netplan.records import dataclass
from netplan.resolve.context import Context
from netplan.strict import filling


@dataclass(frozen=True, slots=True)
class Member:
    """One expanded name of a ranged mapping.

    ``values``: merged, with defaults filled in. ``at``: path of the range or single key that defines it.
    ``own``: path of the single key that overrides the range, if any. ``offset``: index within its range,
    which has ``length`` members.
    """

    name: str
    values: Mapping[str, Any]
    at: Path
    own: Path | None
    offset: int
    length: int

    def path_of(self, *keys: str) -> Path:
        """Path where a value of this member is written: its own entry if stated there, else the range."""
        return (*(self.own if self.own and self._own_has(keys) else self.at), *keys)

    def _own_has(self, keys: tuple[str, ...]) -> bool:
        return keys[0] in self.own_keys

    own_keys: frozenset[str] = frozenset()


def expand_members(
    entries: Mapping[str, Any], at: Path, schema: Mapping[str, Any], context: Context
) -> list[Member]:
    """All members of a ranged mapping in natural name order, without those marked ``absent``."""
    ranged = _ranged(entries, at, context)
    if ranged is None:
        return []
    fill = filling(schema)
    filled: dict[str, Any] = {}
    members = []
    for name in sorted({*ranged, *(k for k in entries if not is_range(k))}, key=natural):
        single = entries.get(name) if not is_range(name) else None
        key, offset, length = ranged.get(name, (name, 0, 1))
        if single is None or key == name:
            if key not in filled:
                filled[key] = fill(entries[key])
            values, own = filled[key], None
        else:
            values, own = fill(merge(entries[key], single)), (*at, name)
        if values.get("absent"):
            context.absent.add((*at, name))
        else:
            keys = frozenset(single or ())
            members.append(Member(name, values, (*at, key), own, offset, length, keys))
    return members


def _ranged(entries: Mapping[str, Any], at: Path, context: Context) -> dict[str, tuple[str, int, int]] | None:
    """Name -> (range, index in it, its length); None, with NP102, if the ranges exceed MAX_NAMES names."""
    ranged: dict[str, tuple[str, int, int]] = {}
    for key in sorted((k for k in entries if is_range(k)), key=natural):
        names = context.names(key, (*at, key))
        if len(ranged) + len(names) > MAX_NAMES:
            what = f"{key} and the ranges before it expand to more than {MAX_NAMES} names"
            context.problems.add("NP102", (*at, key), what, "shorten the ranges")
            context.refused.add(at[:1])
            return None
        for offset, name in enumerate(names):
            if name in ranged:
                what = f"{key} and {ranged[name][0]} both expand to {name}"
                context.problems.add("NP103", (*at, key), what, "make the two ranges disjoint")
                break
            ranged[name] = (key, offset, len(names))
    return ranged


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Deep-merge ``over`` onto ``base``: mappings merge recursively, any other value is replaced."""
    out = dict(base)
    for key, value in over.items():
        out[key] = (
            merge(out[key], value) if isinstance(value, dict) and isinstance(out.get(key), dict) else value
        )
    return out


def paired(text: str, member: Member, key: str, context: Context) -> str:
    """This member's element of a ranged value; reports NP104 if the lengths differ."""
    if not is_range(text):
        return text
    names = context.names(text, member.path_of(key))
    if names and len(names) != member.length:
        if context.first("NP104", member.path_of(key)):
            context.problems.add(
                "NP104",
                member.path_of(key),
                f"{text} has {len(names)} members, {member.at[-1]} has {member.length}",
                "give both ranges the same length",
            )
        return names[0]
    return names[member.offset] if names else text


def member_id(member: Member) -> int:
    """The stated id, incremented by the name's numeric suffix under a range; else that suffix, or 0."""
    suffix = trailing_number(member.name)
    if "id" in member.own_keys or ("id" in member.values and member.length == 1):
        return int(member.values["id"])
    if "id" in member.values:
        first = trailing_number(expand(str(member.at[-1]))[0])
        step = suffix - first if suffix is not None and first is not None else member.offset
        return int(member.values["id"]) + step
    return suffix or 0
