"""Lines above an output that name the planned machine or pod which printed it, as loops, Ansible, dshbak,
clush and pssh write them. A line in any other form, or with any other name, is none."""

from __future__ import annotations

import re

from netplan.live.commands import own
from netplan.live.headings import is_command
from netplan.live.names import Known, named, workload_of

_NAME = r"(?P<name>(?:[a-z0-9.-]{1,63}/)?[A-Za-z0-9][A-Za-z0-9._-]{0,120})"
_KIND = r"(?:(?:device|host|hostname|machine|node|router|switch|server|pod):? +)?"
_ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}"
_MARK = r"(?:[=#*+<>-]{2,60}|[=#*])"
_FORMS = (
    re.compile(
        rf"(?:{_MARK} ?)?{_KIND}\[?{_NAME}\]?:?(?: \((?:[0-9]{{1,6}}|{_ADDRESS})\))?(?: ?{_MARK})? *",
        re.IGNORECASE,
    ),
    re.compile(rf"{_NAME} \| [A-Z]{{1,20}}\b.{{0,40}}"),
    re.compile(rf"(?:ok|changed|failed): \[{_NAME}\](?: =>(?! \(item=).{{0,200}})?"),
    re.compile(rf"\* {_NAME} \*\* changed : (?:True|False) \*+"),
    re.compile(rf"\[[0-9]{{1,6}}\] [0-9:]{{8}} \[(?:SUCCESS|FAILURE)\] {_NAME}(?: Exited with .*)?"),
)
"""``leaf-1``, ``== leaf-1 ==``, ``leaf-1:``, ``[leaf-1]``, ``Host: leaf-1``, ``leaf-1 (10.1.1.1)``,
``gpu-001 (1)`` of clush; of Ansible (ansible-core lib/ansible/plugins/callback: minimal.py, default.py); of
Nornir's print_result (public transcripts, unconfirmed at its source); of pssh (lilydjwg/pssh bin/pssh:
unconfirmed at its source). dshbak and clush put the name between two rules (chaos/pdsh scripts/dshbak.in)."""
_OF_COMMAND = re.compile(rf"(?:{_MARK} ?)?{_NAME}(?::| -|) (?P<command>\S.*)")
"""``=== leaf-1: show vlan brief ===``"""
_FILE = re.compile(r"==> (\S.{0,150}) <==")
"""Of head and tail for several files (coreutils src/head.c and src/tail.c, write_header)."""
_LONGEST = 200
_NO_TITLE = frozenset(["", *' \t{}],|"'])


def title(line: str, known: Known) -> str:
    """The planned machine, or the pod of a planned workload, that a line names; empty if it is no title."""
    if len(line) > _LONGEST or line[:1] in _NO_TITLE:
        return ""
    if found := _FILE.fullmatch(line):
        return named(found[1], (*known.machines, *known.workloads))
    names = [found["name"] for form in _FORMS if (found := form.fullmatch(line))]
    if (found := _OF_COMMAND.fullmatch(line)) and is_command(found["command"]):
        names.append(found["name"])
    return next(filter(None, (_planned(name, known) for name in names)), "")


def _planned(name: str, known: Known) -> str:
    before, _, last = name.rpartition("/")
    machine = "" if before else own(last, known.machines)
    return machine or (last if workload_of(last, known.workloads) else "")
