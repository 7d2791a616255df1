"""Running configurations of EOS, NX-OS, Onyx, Junos and NVUE, by the rules that read those NOSes back.

What a line means stands in ``templates/switch/<nos>/readback.yaml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from netplan.catalog import switch_rows
from netplan.diagnostics import Source
from netplan.importing.facts import Fact, Remark, Value, not_taken, place
from netplan.importing.gateway_owner import DOWN
from netplan.importing.half_stated import half_stated
from netplan.importing.junos_gateways import open_gateways
from netplan.importing.nvue_names import named_otherwise
from netplan.importing.odd_ports import odd_facts
from netplan.importing.open_lines import open_facts
from netplan.importing.rewritten import rewritten
from netplan.importing.shipped_trust import shipped_trust
from netplan.importing.sonic.switches import ONE_LOOPBACK
from netplan.importing.splits import split_facts
from netplan.importing.switch_ages import age_facts
from netplan.importing.switch_forms import Form, form_of
from netplan.importing.switch_heads import Head, head_of
from netplan.importing.switch_lags import lag_facts
from netplan.importing.switch_overlay import UNNUMBERED, VNIS, found_in
from netplan.importing.switch_told import TOLD
from netplan.importing.switches import model_of
from netplan.importing.text_classes import class_facts
from netplan.importing.unlike_classes import runs_facts
from netplan.importing.unplanned_lines import unplanned
from netplan.importing.unreached import shipped_queues, unreached
from netplan.importing.virtual_gateways import shared_facts
from netplan.importing.weights import weight_sums
from netplan.model.document import Places
from netplan.model.readback import ReadPort, ReadSwitch
from netplan.nos import shipped
from netplan.reading.switches import read_switch
from netplan.reading.switches.expanded import expanded
from netplan.reading.switches.nvue_list import Listed
from netplan.reading.switches.other_words import NAMED, WORDS
from netplan.reading.switches.profiles import completed, own_lines, standing_line
from netplan.reading.switches.rules import Rules, rules_of
from netplan.reading.switches.settled_text import as_runs, listed
from netplan.reading.switches.several import members
from netplan.report import few
from netplan.yaml12 import parse

_MOST = 1_000
_SHOWN = 4
_SHUT = "shut down today, which an inventory cannot say; the first render has the sessions of its links"
_NATIVE = re.compile(r"native[- ]vlan|\bpvid\b")


@dataclass(frozen=True, slots=True)
class ReadTexts:
    """``files``: switch -> its files. ``broken``: files that no parser reads, and why."""

    found: tuple[Fact | Remark, ...]
    files: Mapping[str, tuple[str, ...]]
    broken: tuple[str, ...]


def read_texts(texts: Mapping[str, str], places: Places) -> ReadTexts:
    found: list[Fact | Remark] = []
    files: dict[str, tuple[str, ...]] = {}
    broken: list[str] = []
    for file, text in texts.items():
        form = form_of(text)
        if form is None:
            continue
        start = places.sources.source(places.sources.add(file, text))
        rules, grown = rules_of(form.nos, shipped()), expanded(form.nos, text)
        text = grown.text
        given = Listed(text) if rules is None else listed(rules, text)
        head = head_of(form, file, text, given)
        if not head.name:
            why = "the file does not say which switch it is from; name it after the switch"
            found.append(Remark(start, why))
            continue
        stated, runs, stands = _completed(rules, text)
        read = _Text(file, runs, form, head, stated)
        if unparsed := read.read.unparsed:
            broken.append(_broken(file, text, places) or f"{file}: {unparsed[0]}")
            continue
        said = [*read.facts(), *_beside(form, head.name, file, runs, text)]
        own = own_lines(stated)
        lines = ((each, each.at.line if each.at.line <= own else stands) for each in said)
        lines = ((each, grown.line(given.line(line))) for each, line in lines)
        said = [replace(each, at=replace(each.at, line=line)) for each, line in lines]
        said += (
            *weight_sums(said),
            *runs_facts(head.name, said),
            *unreached(head.name, said, shipped_queues(rules.nos, read.read) if rules is not None else {}),
            *head.facts(bool(read.read.ports or read.read.vlans)),
        )
        if len(said) > 1:
            files[head.name] = (*files.get(head.name, ()), file)
            found += said
        else:
            found.append(Remark(start, f"none of its lines is typical of {form.nos}"))
    return ReadTexts(tuple(found), files, tuple(broken))


def _completed(rules: Rules | None, text: str) -> tuple[str, str, int]:
    """The text in netplan's words, the same with what its profiles stand for, and the line of the profile."""
    if rules is None:
        return text, text, 0
    stated = as_runs(rules, text)
    return stated, completed(rules, stated), standing_line(rules, stated)


def _beside(form: Form, name: str, file: str, runs: str, given: str) -> Iterator[Fact | Remark]:
    """What no rule of the NOS reads back; of ``given`` where the rules read other words."""
    yield from age_facts(form.nos, name, runs, partial(_spot, file, runs))
    own = NAMED.get(form.nos, str)(given) if form.nos in WORDS else runs
    for told in TOLD.get(form.nos, ()):
        yield from told(own, partial(_spot, file, own))


def _broken(file: str, text: str, places: Places) -> str:
    """Where a file is no YAML; JSON is some."""
    problem = next(iter(parse(file, text, places).problems), None)
    at = problem.source if problem is not None else None
    return f"{place(at)}: {problem.message}" if problem is not None and at is not None else ""


def _spot(file: str, text: str, offset: int) -> Source:
    return Source(file, text.count("\n", 0, offset) + 1, 1)


class _Text:
    """``stated``: the text without what its profiles stand for."""

    def __init__(self, file: str, text: str, form: Form, head: Head, stated: str) -> None:
        self.file, self.text, self.form, self.name, self.stated = file, text, form, head.name, stated
        self._lines = text.split("\n")
        self._form = (form.nos, form.file)
        self.model = head.model
        library = shipped()
        self.rules = rules_of(form.nos, library)
        self.below_ip = self.rules.nos.units.mtu_overhead if self.rules is not None else 0
        self.read: ReadSwitch = read_switch(self.name, form.nos, {form.file: text}, library)

    def _at(self, line: int | None) -> Source:
        return Source(self.file, line or 1, 1)

    def facts(self) -> Iterator[Fact | Remark]:
        yield Fact("switch", (self.name,), "nos", self.form.nos, self._at(1))
        read, where = self.read, self.read.where
        if read.asn is not None:
            yield self._of_switch("asn", read.asn, where(self.text, "asn", "asn", str(read.asn)))
        if read.router_id is not None:
            at = where(self.text, "router-id", "ip", str(read.router_id))
            yield self._of_switch("router_id", str(read.router_id), at)
        for number, loopback in enumerate(read.loopbacks):
            at = where(self.text, "loopback", "address", str(loopback))
            if number:
                yield not_taken(self._at(at), f"{self.name} loopback", loopback, ONE_LOOPBACK)
            else:
                yield self._of_switch("loopback", str(loopback.ip), at)
        for port in read.ports.values():
            yield from self._port(port)
        yield from self._splits()
        yield from self._told()
        yield from self._vlan_interfaces()
        if self.rules is not None:
            yield from shared_facts(self.rules, read, self.name, self.text, self.file)
            yield from lag_facts(self.rules, self.name, self.text, self.file)
            yield from named_otherwise(self.rules, self.name, self.text, self.file)
            yield from unplanned(self.rules, self.name, self.text, self.file)
            yield from rewritten(self.rules, read, self.text, self.file)
            yield from half_stated(self.rules, read, self.text, self.file)
            yield from open_facts(self.rules, self.text, self.file)
            yield from open_gateways(self.form.nos, self.name, self.text, self.file)
        yield from self._sessions()
        yield from self._vnis()
        if self.rules is not None:
            yield from class_facts(self.rules.nos, read, self.text, self.stated, self.file)
        yield from shipped_trust(self.form.nos, read, self.text, self.file)
        yield from odd_facts(read, self.text, self.file)

    def _vlan_interfaces(self) -> Iterator[Fact]:
        where = self.read.where
        for vlan, interface in self.read.vlan_interfaces.items():
            of = (self.name, str(vlan))
            if interface.up is False:
                at = where(self.text, "vlan-down", "vlan", str(vlan))
                yield Fact("svi", of, DOWN, True, self._at(at))
            for address in interface.addresses:
                at = where(self.text, "vlan-address", "address", str(address))
                yield Fact("svi", of, f"address/{address}", str(address), self._at(at))

    def _splits(self) -> Iterator[Fact]:
        ports = {port.name: port.gbps for port in self.read.ports.values()}
        lanes = int(switch_rows().get(model_of(self.model, ""), {}).get("lanes", 0))
        if self.rules is not None:
            yield from split_facts(self.rules, self.name, self.text, ports, lanes, self.file)

    def _sessions(self) -> Iterator[Fact | Remark]:
        """AS numbers of BGP neighbours, and interfaces whose neighbour has no address."""
        for each in self.read.neighbours:
            if each.remote_as is not None:
                line = self.read.where(self.text, "neighbour", "ip", str(each.address))
                yield self._of_switch(f"neighbour/{each.address}", each.remote_as, line)
        if shut := self.read.shut_neighbours:
            line = self.read.where(self.text, "neighbour-down", "ip", str(shut[0]))
            what = f"{self.name}: BGP neighbour {few([*map(str, shut)], _SHOWN)}: {_SHUT}"
            yield Remark(self._at(line), what, alike=_SHUT)
        for found in islice(found_in(self.text, UNNUMBERED, self._form), _MOST):
            line = self.text.count("\n", 0, found.start("port")) + 1
            for port in members(found["port"].partition(".")[0]):
                yield self._of_switch(f"unnumbered/{port}", port, line)

    def _vnis(self) -> Iterator[Fact]:
        for found in islice(found_in(self.text, VNIS, self._form), _MOST):
            at = self._at(self.text.count("\n", 0, found.start("vni")) + 1)
            for vlan in members(f"vlan{found['vlan']}"):
                yield Fact("svi", (self.name, vlan.removeprefix("vlan")), "vni", found["vni"], at)

    def _told(self) -> Iterator[Remark]:
        """The first line of each kind, with the number of the others."""
        for pattern, text in self.form.told:
            found = [*islice(pattern.finditer(self.text), _MOST)]
            if found:
                line = self.text.count("\n", 0, found[0].start(1)) + 1
                more = f" ({len(found) - 1} more of this kind)" if len(found) > 1 else ""
                what = text.format("", found[0][1])
                yield Remark(self._at(line), f"{self.name}: {what}{more}", alike=f"{what}{more}")

    def _of_switch(self, field: str, value: Value, line: int | None) -> Fact:
        return Fact("switch", (self.name,), field, value, self._at(line))

    def _native(self, port: ReadPort) -> int | None:
        """The line of the native VLAN of a trunk, also of one that has no other VLAN."""
        alone = port.untagged is not None and not self.read.line(self.text, "untagged", port.name)
        at = self.read.line(self.text, "native", port.name) if port.tagged or alone else None
        return at if at and _NATIVE.search(self._lines[at - 1]) else None

    def _port(self, port: ReadPort) -> Iterator[Fact | Remark]:
        """Speed, VLANs and addresses of a port; also for ports of which only the name is known."""
        of, line = (self.name, port.name), self.read.line
        rows: list[tuple[str, Value, str]] = []
        native = self._native(port)
        if port.gbps:
            rows.append(("speed", port.gbps * 1000, "port-speed"))
        if port.ip_mtu is not None:
            rows.append(("mtu", port.ip_mtu + self.below_ip, "port-mtu"))  # as the NOS counts
        if port.untagged is not None:
            rows.append(("access", port.untagged, "native" if native else "untagged"))
        elif native:
            what = f"{self.name} {port.name}: its native VLAN is not among the VLANs of the trunk"
            yield Remark(self._at(native), what, alike=f"{self.name}: native VLAN outside the trunk")
        if port.tagged:
            rows.append(("tagged", tuple(map(str, sorted(port.tagged))), "trunk"))
        if port.headroom_m and self.read.where(self.text, "headroom", "metres", str(port.headroom_m)):
            rows.append(("headroom_m", port.headroom_m, "headroom"))
        if port.up is False and line(self.text, "port-down", port.name):
            rows.append(("admin_status", "down", "port-down"))
        rows += [(f"address/{address}", str(address), "port-address") for address in port.addresses]
        at = self._at(line(self.text, "port", port.name))
        yield Fact("port", of, "there", True, at)
        if self.form.alias:
            yield Fact("port", of, "alias", self.form.alias.format(port.name), at)
        for field, value, fact in rows:
            yield Fact("port", of, field, value, self._at(line(self.text, fact, port.name)))
