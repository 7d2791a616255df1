"""How long leaves keep ARP and MAC entries, as their running configurations state it.

EOS: pyavd 6.4.0, arp.aging.timeout_default, vlan_interfaces.arp_aging_timeout and ipv6.nd.cache.expire,
mac_address_table.aging_time. NX-OS and Junos: the sources of their nos.yaml. NVUE: CumulusNetworks/docs,
nvue-reference, Set-and-Unset-Commands, ARP.md (system global arp base-reachable-time, in seconds) and
Bridge.md (ageing); what sysctl sets there, as on SONiC, no configuration shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, Said, Site, not_taken, place
from netplan.importing.fits import refusal
from netplan.importing.switches import SwitchRow
from netplan.importing.text import Entry, listed, todo
from netplan.model.ranges import gathered

_MOST = 1_000
_AGE = r"(?P<age>[0-9]{1,7})[ \t]*$"
_EOS, _NXOS, _JUNOS, _NVUE = "arista-eos", "cisco-nxos", "juniper-junos", "cumulus-nvue"


def _below(line: str) -> str:
    """A line of an interface other than the management port."""
    return rf"^interface (?!(?:[Mm]anagement|mgmt))\S[^\n]*\n(?:[ \t][^\n]*\n)*?[ \t]+{line} {_AGE}"


def _keys(above: str, key: str) -> str:
    """A key anywhere below another one, in YAML and JSON."""
    deeper = r"(?:\1 [^\n]*\n){0,1000}?"
    return rf"^( +)\"?{above}\"?: ?\{{?\n{deeper}\1 +\"?{key}\"?: ?\"?(?P<age>[0-9]{{1,7}})\b"


_LINES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "timeout_seconds": {
        _EOS: (
            rf"^arp aging timeout default {_AGE}",
            _below("arp aging timeout"),
            _below("ipv6 nd cache expire"),
        ),
        _NXOS: (_below("ip arp timeout"),),
        _JUNOS: (rf"^set system arp (?:interfaces \S+ )?aging-timer {_AGE}",),
        _NVUE: (
            _keys("(?:arp|nd)", "base-reachable-time"),
            rf"^nv set system global (?:arp|nd) base-reachable-time {_AGE}",
        ),
    },
    "mac_timeout_seconds": {
        _EOS: (rf"^mac address-table aging-time {_AGE}",),
        _NXOS: (rf"^mac address-table aging-time {_AGE}",),
        _JUNOS: (rf"^set protocols l2-learning global-mac-table-aging-time {_AGE}",),
        _NVUE: (_keys("br_default", "ageing"), rf"^nv set bridge domain br_default ageing {_AGE}"),
    },
}
"""Key of ``fabric.arp`` -> NOS -> lines with the age."""
_COMPILED = {
    (key, nos): [re.compile(line, re.MULTILINE) for line in lines]
    for key, by_nos in _LINES.items()
    for nos, lines in by_nos.items()
}
_SIZE = {("timeout_seconds", _JUNOS): 60}
"""Units other than seconds."""
_SHOWN = {
    "timeout_seconds": frozenset({_EOS, _NXOS, _JUNOS}),
    "mac_timeout_seconds": frozenset({_EOS, _NXOS, _JUNOS, _NVUE}),
}
"""NOSes whose configuration shows each age that is not the default."""
_WHAT = {"timeout_seconds": "age of an ARP entry", "mac_timeout_seconds": "age of a MAC entry"}


def age_facts(nos: str, name: str, text: str, at: Callable[[int], Source]) -> Iterator[Fact | Remark]:
    """``name``: of the switch; ``at``: the place of an offset."""
    for key in _LINES:
        found = (
            each for line in _COMPILED.get((key, nos), ()) for each in islice(line.finditer(text), _MOST)
        )
        seen: set[int] = set()
        for line in found:
            seconds = int(line["age"]) * _SIZE.get((key, nos), 1)
            where, wrong = at(line.start("age")), refusal(("fabric", "arp", key), seconds)
            if wrong:
                yield not_taken(where, f"{name} {_WHAT[key]}", f"{seconds} s", wrong)
            elif seconds not in seen:
                seen.add(seconds)
                yield Fact("switch", (name,), f"{key}/{seconds}", seconds, where)


def arp_entry(site: Site, rows: Sequence[SwitchRow]) -> Mapping[str, Entry]:
    """``fabric.arp``, the ages of the leaves; of all switches where no cable shows the leaves. Nothing where
    none states one: without the key netplan leaves them as they run, with any value it would change them."""
    leaves = _leaves(rows)
    found = {key: _entry(site, leaves, key) for key in _LINES}
    entries = {key: entry for key, entry in found.items() if entry is not None}
    if entries and "timeout_seconds" not in entries:
        return {"timeout_seconds": todo(_WHAT["timeout_seconds"], _unseen(leaves)), **entries}
    return entries


def unseen_ages(rows: Sequence[SwitchRow]) -> str:
    """What to say where ``fabric.arp`` is left out."""
    what = f"fabric.arp is left out, and netplan leaves ARP ages as they run: {_unseen(_leaves(rows))}"
    return f"{what}; state timeout_seconds for netplan to set them."


def _leaves(rows: Sequence[SwitchRow]) -> Sequence[SwitchRow]:
    return [row for row in rows if row.role == "leaf"] or rows


def _unseen(leaves: Sequence[SwitchRow]) -> str:
    if leaves and all(_nos(row) in _SHOWN["timeout_seconds"] for row in leaves):
        return "no configuration of a leaf states it, so the default of its NOS holds"
    return "no dump states one (sysctl -a, on a leaf)"


def _nos(row: SwitchRow) -> str:
    return str(row.fields["nos"].value) if "nos" in row.fields else ""


def _entry(site: Site, leaves: Sequence[SwitchRow], key: str) -> Entry | None:
    """None if no leaf states it; a question if they differ, or if some have the default of their NOS."""
    told = [(row.name, said) for row in leaves for said in _ages(site, row, key)]
    if not told:
        return None
    bare = [row for row in leaves if not _ages(site, row, key)]
    silent = [row.name for row in bare if _nos(row) in _SHOWN[key]]
    if len({said.value for _, said in told}) == 1 and not silent:
        unseen = f"; no dump shows that of {gathered(row.name for row in bare)}" if bare else ""
        return Entry(told[0][1].value, f"{place(told[0][1].at)}{unseen}")
    seen = [f"{name} {said.value} s ({place(said.at)})" for name, said in told]
    seen += [f"{gathered(silent)} no line, the default of the NOS"] if silent else []
    return todo(f"one {_WHAT[key]} for all leaves", listed(seen))


def _ages(site: Site, row: SwitchRow, key: str) -> list[Said]:
    return [said for _, said in site.prefixed("switch", (row.name,), f"{key}/")]
