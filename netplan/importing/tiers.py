"""Switches whose role their cables do not show, such as those of a third tier, which no inventory has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from netplan.importing.cabling import SWITCH, Cable
from netplan.importing.facts import Of, Said, place
from netplan.importing.hostless_leaves import Seen
from netplan.importing.record_clashes import other_roles
from netplan.importing.switches import SwitchRow
from netplan.importing.text import INEXPRESSIBLE, TODO

_BY_HAND = (
    "remove that tier and its links here, and where leaves reach each other over it alone, also underlay, "
    "the spines and the links between switches; their routing stays as it is, by hand"
)


CLASH = "clash"
"""Kind of the comment of a switch whose role of record is another one."""


def roles_told(
    rows: Sequence[SwitchRow], cables: Iterable[Cable], hostless: Mapping[str, Seen]
) -> Mapping[str, tuple[str, str]]:
    """Switch -> what kind of comment, and its text: the question where its role is open, why it is a leaf
    without a host, of ``hostless``, and which record has its role."""
    cables = [*cables]
    roles, own = {row.name: row.role for row in rows}, dict[str, list[Cable]]()
    for cable in cables:
        for name in _ends(cable):
            own.setdefault(name, []).append(cable)
    asked = {row.name: _asked(row, roles, own.get(row.name, ())) for row in rows if not row.role}
    asked |= {row.name: _recorded(row.by_record) for row in rows if row.by_record is not None}
    asked |= {name: _hostless(*seen) for name, seen in hostless.items()}
    other = other_roles(rows, cables).items()
    return asked | {name: (CLASH, f"{TODO}: role, as sources disagree: {why}") for name, why in other}


def _hostless(port: Of, vlan: Said) -> tuple[str, str]:
    seen = f"{port[1]} is in VLAN {vlan.value}, as ports of hosts are, {place(vlan.at)}"
    return "hostless", f"no cable of a host in the dumps; {seen}"


def _recorded(role: Said) -> tuple[str, str]:
    return "recorded", f"by its role of record, {place(role.at)}"


def _ends(cable: Cable) -> Iterator[str]:
    yield cable.switch
    if cable.kind == SWITCH:
        yield cable.far[0]


def _asked(row: SwitchRow, roles: Mapping[str, str], own: Sequence[Cable]) -> tuple[str, str]:
    """With the AS number that runs: an inventory gives a switch the one of its role."""
    kind, text = _question(row.name, roles, own)
    if (asn := row.fields.get("asn")) is not None:
        text += (
            f"; {row.name} runs AS {asn.value} ({place(asn.at)}), which leaf_asn or spine_asn has to give it"
        )
    return kind, text


def _question(name: str, roles: Mapping[str, str], own: Sequence[Cable]) -> tuple[str, str]:
    above = (cable for cable in own if any(roles.get(end) == "spine" for end in _ends(cable)))
    if (cable := next(above, None)) is not None:
        tier = f"{INEXPRESSIBLE}: a third tier above the spines ({_told(cable)}); {_BY_HAND}"
        return "tier", f"{TODO}: leaf, if hosts are to be on it or it leads out of the fabric; else {tier}"
    if own:
        why = f"its cables in the dumps lead to no host and no leaf, such as {_told(own[0])}"
        return "cabled", f"{TODO}: leaf or spine; {why}"
    return "", f"{TODO}: leaf or spine; no cable in the dumps shows which"


def _told(cable: Cable) -> str:
    return f"{cable.switch} {cable.port} to {' '.join(cable.far)}, {place(cable.said.at)}"
