"""Lists of SONiC that show all there is: VLANs, BGP sessions and WRED profiles, as far as they are complete.

Shapes: sonic-net/sonic-utilities 691b1bbc: show/vlan.py and tests/vlan_test.py (a grid that ends with a rule;
an untagged member has no other form; without Port Tagging before 647c6bcd, pull request 355);
scripts/ecnconfig (list: each profile between two rules; WRED_CONFIG_FIELDS), tests/ecn_input/
ecn_test_vectors.py and, of the same form, scripts/mmuconfig (profiles of buffers);
utilities_common/bgp_util.py (display_bgp_summary) and tests/bgp_commands_test.py
(show_bgp_summary_v4_vrf has vrf-id 81, the default VRF 0). What vtysh prints for the same: FRRouting/frr
fbfc8222 bgpd/bgp_vty.c (bgp_show_summary: VRF by name and number; asdot with bgp as-notation;
bgp_show_summary_afi_safi: a list for each address family, with its name above it unless one was asked for);
a capture of two: sonic-utilities pull request 705.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from netplan.diagnostics import Source
from netplan.live.commands import family_of, vrf_of
from netplan.live.model import COMMANDS, Kind, Reading, Unused, Whole, ip_version
from netplan.live.objects import UNICAST, Found, addresses, asn, of_any_family, of_vrf, said, whole_list
from netplan.live.sections import Section
from netplan.reading.tables import Grid, Line, Row, goes_on, grids
from netplan.records import dataclass

_AS = r"\d{1,10}(?:\.\d{1,5})?"
_BGP_ROW = re.compile(rf"\s*([0-9A-Fa-f.:]{{3,45}})\s+4\s+({_AS})\s+(?:\d+\s+){{5}}(\S+)\s+(\S.*)")
_BGP_SELF = re.compile(
    rf"\s*BGP router identifier ([0-9.]+), local AS number ({_AS})"
    r"(?: (?:VRF|VIEW) (?P<vrf>\S{1,64}))?(?: vrf-id (?P<id>-?\d{1,10}))?\s*"
)
_BGP_TOTAL = re.compile(r"\s*Total number of neighbors (\d{1,6})\s*")
_BGP_HEAD = re.compile(r"\s*([A-Z][A-Za-z0-9-]{1,20}(?: [A-Z][A-Za-z-]{1,20}){1,2}) Summary\b.*")
_UP_WITHOUT_ROUTES = frozenset({"NoNeg", "(Policy)"})
_WITHOUT_POLICY = re.compile(r"(?:\d+\s+)?(\(Policy\))(?:\s|$)")
_PROFILE = re.compile(r"Profile: (\S{1,64})\s*")
_OF_WRED = re.compile(r"ecn|wred_[a-z]{3,6}_enable|[a-z]{3,6}_(?:(?:min|max)_threshold|drop_probability)")
_PAIR = re.compile(r"([a-z_]{1,40}) {2,}(\S{1,40})\s*")
_RULE = re.compile(r"-+ {2,}-+\s*")
_NOT_ALL = "what is not there is not seen"
_MEMBER = re.compile(r"(?:Ethernet[A-Za-z-]{0,8}|PortChannel|vxlan|Vxlan)[0-9]{1,5}")
_PORT = re.compile(r"Ethernet[A-Za-z-]{0,8}[0-9]{1,5}")


def readings(section: Section) -> Found:
    yield from _bgp(section)
    yield from _ecn(section)
    for grid in grids(section.lines, "vlan id", section.ended):
        yield from _vlans(section.whose, grid)


def by_alias(ports: Sequence[str]) -> bool:
    """Whether ports are named by their aliases, which LAGs have none of: no port has a name of SONiC's."""
    own = [port for port in ports if not port.startswith("PortChannel")]
    return bool(own) and not any(_PORT.fullmatch(port) for port in own)


def aliases(at: Source, kind: Kind) -> Unused:
    return Unused(at, f"{COMMANDS[kind]}: ports by their aliases; save it without SONIC_CLI_IFACE_MODE=alias")


def _bgp(section: Section) -> Found:
    """Sessions of the default VRF, list by list."""
    for family, lines in _summaries(section):
        version = UNICAST.get(family.lower(), 0)
        found = _summary(section, lines, version)
        if version or (not family and vrf_of(section.command)):
            yield from found
        elif lines and not family:
            yield from of_any_family(found, lines[0].at)
        elif any(_BGP_ROW.fullmatch(line.text) for line in lines):
            yield Unused(lines[0].at, f"BGP summary of {family}, not of IPv4 or IPv6 routes")


def _summaries(section: Section) -> Iterator[tuple[str, Sequence[Line]]]:
    """(address family, lines of a list): by the heading above it, else the command; empty if neither says it.
    One heading is for one list."""
    asked = family_of(section.command)
    family, part, named = asked, list[Line](), False
    for line in section.lines:
        head, own = _BGP_HEAD.fullmatch(line.text), _BGP_SELF.fullmatch(line.text)
        if head or (own and named):
            yield family, part
            family, part = head[1] if head else asked, []
        named = bool(own) or (named and not head)
        part.append(line)
    yield family, part


def _summary(section: Section, lines: Sequence[Line], version: int) -> Found:
    """``version``: of the routes that the sessions of the list carry, 0 if nothing says it."""
    where, asked = section.whose, vrf_of(section.command)
    ours, told, rows = asked == "default", False, list[str]()
    ends = _ends_of_as(lines)
    for line in lines:
        if own := _BGP_SELF.fullmatch(line.text):
            told, vrf = True, _vrf(own, asked)
            ours = vrf == "default"
            if ours:
                yield said(where, "bgp", "local", "router id", own[1], line.at)
                yield said(where, "bgp", "local", "AS", asn(own[2]), line.at)
            else:
                yield of_vrf(vrf, line.at)
        elif row := _BGP_ROW.fullmatch(line.text):
            if ours and row.end(2) not in ends:
                yield Unused(line.at, "a row that is not in its columns, which is not used")
            elif ours:
                rows.append(row[1])
                yield from _session(where, row, line, version)
            elif not told:
                told = True
                yield Unused(line.at, "BGP summary without the line that names its VRF")
        elif ours and (total := _BGP_TOTAL.fullmatch(line.text)):
            if int(total[1]) == len(rows):
                yield from whole_list(where, rows, line.at, version)
            else:
                yield Unused(line.at, f"{len(rows)} of {total[1]} sessions are read: {_NOT_ALL}")


def _ends_of_as(lines: Sequence[Line]) -> set[int]:
    """Where the second column of most rows ends, which is aligned at its right in each form."""
    ends = Counter(row.end(2) for line in lines if (row := _BGP_ROW.fullmatch(line.text)))
    return {end for end, times in ends.items() if times == max(ends.values())}


def _vrf(own: re.Match[str], asked: str) -> str:
    """Of the sessions below a line."""
    if own["id"] not in (None, "0"):
        return own["vrf"] or f"vrf-id {own['id']}"
    vrf = own["vrf"] or (asked if asked not in ("", "all") else "default")
    return "default" if vrf.lower() == "default" else vrf


def _session(where: str, row: re.Match[str], line: Line, version: int) -> Found:
    """A session that is up without the routes of this list is told in that of its own IP version."""
    state = _state(row[4].strip())
    session = "established" if state.split()[0].isdigit() else state[:40]
    yield said(where, "bgp", row[1].lower(), "AS", asn(row[2]), line.at)
    if state not in _UP_WITHOUT_ROUTES or ip_version(row[1]) == version:
        yield said(where, "bgp", row[1].lower(), "session", session, line.at)


def _state(shown: str) -> str:
    """FRR has one blank between the state and the routes that are sent: ``(Policy) (Policy) N/A``, and, of
    routes that come in alone, ``5 (Policy) N/A`` (FRRouting/frr a69601ac doc/user/bgp.rst, bgp
    ebgp-requires-policy)."""
    if policy := _WITHOUT_POLICY.match(shown):
        return policy[1]
    return re.split(r"\s{2,}", shown)[0]


@dataclass(slots=True)
class _Profile:
    """What stands between two rules below a name. ``rules``: how many are there; ``end``: lines up to the
    last one."""

    name: str
    at: Line
    rows: list[tuple[str, str, Line]]
    rules: int = 0
    end: int = 0

    @property
    def of_wred(self) -> bool:
        """Profiles of buffers have the same form (``mmuconfig -l``, ``show mmu``)."""
        return any(_OF_WRED.fullmatch(field) for field, *_ in self.rows)


def _ecn(section: Section) -> Found:
    profiles = list(_profiles(section.lines))
    own = [each for each in profiles if each.of_wred]
    for profile in own:
        for field, value, line in profile.rows:
            yield said(section.whose, "ecn", profile.name, field, value, line.at)
    if not own:
        return
    bare = (each for each in profiles if not each.rows)
    cut = any(each.rules < 2 for each in (*own, *bare))
    if cut or not (section.ended or goes_on(section.lines[own[-1].end :])):
        yield Unused(own[0].at.at, "ecnconfig -l: cut off; what is not there is not seen")
    else:
        yield Whole(where=section.whose, kind="ecn", at=own[0].at.at)


def _profiles(lines: Sequence[Line]) -> Iterator[_Profile]:
    """Whether another one follows the last one, only what is printed below it can tell."""
    profile: _Profile | None = None
    for number, line in enumerate(lines, 1):
        if found := _PROFILE.fullmatch(line.text):
            if profile is not None:
                yield profile
            profile = _Profile(found[1], line, [])
        elif profile is None:
            continue
        elif _RULE.fullmatch(line.text):
            profile.rules, profile.end = profile.rules + 1, number
        elif pair := _PAIR.fullmatch(line.text):
            profile.rows.append((pair[1], pair[2], line))
        if profile.rules == 2 or not line.text.strip():
            yield profile
            profile = None
    if profile is not None:
        yield profile


def _vlans(where: str, grid: Grid) -> Found:
    """A VLAN is the rows between two rules; only the first row has its ID."""
    head = (*grid.blocks, grid.rest)[0][0]
    blocks = [block for block in grid.blocks if block[0].cells["vlan id"].isdigit()]
    for block in blocks if "ip address" in head.cells else ():
        shown = addresses(row.cells["ip address"] for row in block)
        yield said(where, "vlan", block[0].cells["vlan id"], "addresses", shown, block[0].at)
    members = [member for block in (*blocks, grid.rest) for member in _members(block)]
    unnamed = by_alias([port for _, port, _ in members])
    if unnamed:
        yield aliases(members[0][2].at, "vlan")
    else:
        for vlan, port, row in members:
            yield _member(where, f"{vlan} {port}", row)
    if not grid.whole:
        yield Unused(head.at, "show vlan brief: cut off; what is not there is not seen")
        return
    if "ip address" in head.cells:
        yield Whole(where=where, kind="vlan", at=head.at)
    if "ports" in head.cells and not unnamed:
        yield _all_members(where, members, head.at)


def _all_members(where: str, members: Sequence[tuple[str, str, Row]], at: Source) -> Whole | Unused:
    damaged = next((row for _, port, row in members if not _MEMBER.fullmatch(port)), None)
    if damaged is None:
        return Whole(where=where, kind="tagging", at=at)
    return Unused(damaged.at, f"{damaged.cells['ports'][:40]} is no port: {_NOT_ALL}")


def _member(where: str, subject: str, row: Row) -> Reading:
    """How a port is in a VLAN; without that column or a value, only that it is."""
    tagging = row.cells.get("port tagging", "")
    return said(where, "tagging", subject, *(("tagging", tagging) if tagging else ("member", "yes")), row.at)


def _members(block: Sequence[Row]) -> list[tuple[str, str, Row]]:
    """(VLAN, port, row)"""
    vlan = block[0].cells["vlan id"] if block else ""
    rows = [(vlan, row.cells.get("ports", ""), row) for row in block]
    return [member for member in rows if vlan.isdigit() and member[1]]
