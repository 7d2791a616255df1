"""Every line that netplan writes for a switch, changed or left out of what it runs, is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from netplan.changes.compare import facts_of
from netplan.changes.drift import drift
from netplan.changes.ran import Ran
from netplan.changes.switches import files_of
from netplan.load import InputError
from netplan.nos import shipped
from tests.test_diff import LEAVES, ran, running, vendors

_EACH = 2
"""Lines of one form that are edited."""
SILENT: Mapping[str, str] = {
    "onyx": r"exit|interface (vlan|loopback) [0-9]+",
    "cumulus-nvue": r"type: (loopback|swp|svi|numbered)|vlan: [0-9]+",
    "dell-os10": "exit",
    "h3c-comware": "quit|buffer apply",
    "huawei-vrp": "quit|commit",
}
"""Lines that set nothing, and those that NVUE infers from the name of the interface."""

AS_SHIPPED: Mapping[str, str] = {
    "arista-eos": "qos map traffic-class ([0-7]) to tx-queue \\1",
    "cumulus-nvue": "traffic-class: 0",
}
"""Lines that say what holds without them, of NVUE beside ``qos roce``."""


def edits(nos: str, text: str) -> Iterator[tuple[str, str]]:
    """What is done to a line, and the text with it."""
    lines, seen = text.split("\n"), dict[str, int]()
    for at, line in enumerate(lines):
        words = line.strip()
        form = re.sub("[0-9]+", "#", words)
        seen[form] = seen.get(form, 0) + 1
        quiet = re.fullmatch(SILENT.get(nos, "(?!)"), words)
        if not words or words.startswith(("!", "#")) or seen[form] > _EACH or quiet:
            continue
        if not re.fullmatch(AS_SHIPPED.get(nos, "(?!)"), words):
            yield f"left out: {words}", "\n".join(lines[:at] + lines[at + 1 :])
        if other := _other(line):
            yield f"{words} -> {other.strip()}", "\n".join([*lines[:at], other, *lines[at + 1 :]])


def _other(line: str) -> str:
    """The line with another last word; empty if it has none."""
    words = list(re.finditer("[A-Za-z0-9./:_-]+", line))
    if not words:
        return ""
    word, (start, end) = words[-1][0], words[-1].span()
    if re.fullmatch("[0-9.]+(/[0-9]+)?", word):
        return (
            line[:start] + re.sub("[0-9]+", lambda n: str((int(n[0]) + 1) % 200), word, count=1) + line[end:]
        )
    return f"{line[:start]}{word}x{line[end:]}"


@pytest.mark.parametrize("name", LEAVES)
def test_an_edit_of_any_line_is_told(name: str) -> None:
    facts = facts_of(vendors())
    nos = facts.switches[name].nos
    text = running(nos, files_of(vendors(), name))
    before = _told(name, text)
    edited = [(what, _told(name, new)) for what, new in edits(nos, text)]
    assert len(edited) > 60
    assert [what for what, told in edited if told == before] == []


def _told(name: str, text: str) -> tuple[object, ...]:
    try:
        found = drift(vendors(), facts_of(vendors()), {name: Ran(name, text)}, shipped())
    except InputError as error:
        return (str(error),)
    return (*((one.change, one.place) for one in found.found), *found.notes)


CASES = [
    ("leaf-2", (r"hash-seed: 10", "hash-seed: 11"), "system forwarding hash-seed: 11 -> 10", r"hash-seed"),
    ("leaf-2", (r"dcbx-pfc-tlv: 'on'", "dcbx-pfc-tlv: 'off'"),
     "interface swp1 lldp dcbx-pfc-tlv: off -> on", "dcbx-pfc-tlv: 'off'"),
    ("leaf-3", (r'"local_addr": "172.31.0.128"', '"local_addr": "172.31.0.2"'),
     "BGP_NEIGHBOR|172.31.0.129 local_addr: 172.31.0.2 -> 172.31.0.128", "local_addr"),
    ("leaf-3", (r'"local_addr": "172.31.0.128"', r'"holdtime": "10",\n\g<0>'),
     "not planned: BGP_NEIGHBOR|172.31.0.129 holdtime: 10", "holdtime"),
    ("leaf-3", (r'(?s)"LLDP": \{.*?\}\s*\},', ""), "missing: LLDP|GLOBAL", ""),
    ("leaf-4", (r"router-id 172\S+", "router-id 10.9.9.9"),
     "router bgp 4200000103: router-id 10.9.9.9 -> router-id 172.31.255.4", "router-id 10.9.9.9"),
    ("leaf-4", (r"(?m)^   arp gratuitous accept\n", "   no autostate\n"),
     "not planned: interface Vlan103: no autostate", "no autostate"),
    ("leaf-5", (r"(?m)^  system jumbomtu.*$|^system jumbomtu.*$", "system jumbomtu 9000"),
     "system jumbomtu 9000 -> system jumbomtu 9100", "jumbomtu"),
    ("leaf-5", (r"(?m)^router bgp 4200000104$", "\\g<0>\n  timers bgp 3 9"),
     "not planned: router bgp 4200000104: timers bgp 3 9", "timers bgp"),
    ("leaf-6", (r"(?m)^set protocols bgp group netplan type external$",
     "\\g<0>\nset protocols bgp group netplan local-as 65001"),
     "not planned: protocols bgp group netplan: local-as 65001", "local-as"),
    ("leaf-6", (r"mru 9118", "mru 2000"),
     "class-of-service congestion-notification-profile netplan-5m: input dscp code-point 011010 pfc mru 2000"
     " -> input dscp code-point 011010 pfc mru 9118", "mru 2000"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "edit", "said", "stands"), CASES)
def test_what_it_says(name: str, edit: tuple[str, str], said: str, stands: str, tmp_path: Path) -> None:
    """``stands``: in the line that the place names; empty for the file alone."""
    rows = {one.change: one.place for one in ran(name, tmp_path, edit).found}
    assert said in rows, rows
    place = rows[said].removeprefix(str(tmp_path / name))
    lines = (tmp_path / name).read_text().splitlines()
    assert (stands in lines[int(place[1:]) - 1]) if stands else place == ""


def test_what_a_block_cli_leaves_out_as_default_is_a_note(tmp_path: Path) -> None:
    """EOS: a default value is not in `show running-config`."""
    found = ran("leaf-4", tmp_path, (r"(?m)^   arp gratuitous accept\n", ""))
    assert found.found == ()
    said = "leaf-4 does not show, as missing or as default: interface Vlan103: arp gratuitous accept"
    assert [note for note in found.notes if note.endswith(said)] == list(found.notes)
    assert found.notes


@pytest.mark.parametrize(
    ("name", "edit", "place"),
    [
        (
            "leaf-2",
            (r"(?m)^( +)network:\n.*\n.*$", r"\1redistribute:\n\1  connected:\n\1    enable: on"),
            "enable: on",
        ),
        (
            "leaf-4",
            (r"(?m)^( +)network 172.*\n +network 172.*$", r"\1redistribute connected"),
            "redistribute",
        ),
        ("leaf-5", (r"(?m)^( +)network 172.*\n +network 172.*$", r"\1redistribute direct"), "redistribute"),
        (
            "leaf-6",
            (
                r"(?:set policy-options policy-statement netplan-announce term own from route-filter .*\n)+",
                "",
            ),
            "",
        ),
    ],
)
def test_what_is_redistributed_is_not_told_as_not_announced(
    name: str, edit: tuple[str, str], place: str, tmp_path: Path
) -> None:
    rows = ran(name, tmp_path, edit).found
    said = "not announced by a line of its own, but connected routes are redistributed: 172."
    assert [row.change[: len(said)] for row in rows][:1] == [said]
    assert not [row for row in rows if row.change.startswith("not announced:")]
    number = rows[0].place.rpartition(":")[2]
    if number.isdecimal():
        assert place in (tmp_path / name).read_text().splitlines()[int(number) - 1]
