"""Running configurations of EOS, NX-OS, Onyx, Junos and NVUE, by the rules that read those NOSes back.

What a line means stands in ``templates/switch/<nos>/readback.yaml``; here are only the marks by which a text
is known. EOS heads what ``show running-config`` prints with ``! Command:`` and ``! device: name (model, EOS-
version)``, NX-OS with ``!Command:``, Onyx with ``## Running database`` and ``## Hostname:``; ``display set``
of Junos begins with ``set version``; NVUE prints a list of ``header`` and ``set`` (CumulusNetworks/docs, nv
config show).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from netplan.diagnostics import Source
from netplan.importing.bare.rows import host_of
from netplan.importing.facts import Fact, Remark, Value
from netplan.importing.sonic.qos import CODE_POINTS
from netplan.importing.switches import model_of
from netplan.model.document import Places
from netplan.model.readback import ReadPort, ReadQos, ReadSwitch
from netplan.nos import shipped
from netplan.reading.switches import read_switch
from netplan.reading.switches.rules import rules_of

_HEAD = 20_000
_MOST = 1_000
_OFF = re.compile(r"^deactivate (\S[^\n]*?)\s*$", re.MULTILINE)
_NAME = r"([A-Za-z0-9][A-Za-z0-9._-]{0,62})"


@dataclass(frozen=True, slots=True)
class Form:
    """``marks``: any of them identifies the NOS; ``hostname``, ``model``: where they stand, if at all.
    ``file``: the NOS's output file with lines of this form. ``told``: lines that mean something here and are
    not read, each with what is said of the first of them."""

    nos: str
    file: str
    marks: re.Pattern[str]
    hostname: re.Pattern[str]
    model: re.Pattern[str]
    told: tuple[tuple[re.Pattern[str], str], ...]


_NEVER = r"(?!)()"
Told = tuple[tuple[str, str], ...]
_RANGE = "lines of {1}, a range of ports, are not read"
_BOND = "{1} is in a bundle of ports: VLANs and addresses of the bundle are not taken"
_VIRTUAL = (
    "{1}: the address that several switches share is not taken; give it as the gateway where hosts use it"
)
_VRF = "{1} is in a VRF: its addresses are taken without it"


def _form(nos: str, file: str, marks: str, hostname: str, model: str = _NEVER, told: Told = ()) -> Form:
    return Form(
        nos,
        file,
        re.compile(marks, re.MULTILINE),
        re.compile(hostname, re.MULTILINE),
        re.compile(model, re.MULTILINE),
        tuple((re.compile(line, re.MULTILINE), text) for line, text in told),
    )


def _below(head: str, line: str) -> str:
    """A line in the block of ``head``, whose name is the first group."""
    return rf"^{head} ?(\S+)\n(?:[ \t][^\n]*\n)*?[ \t]+{line}[^\n]*$"


_KEY = r"^[ \"]*{}\"?:\s*\"?"
FORMS = (
    _form(
        "arista-eos",
        "interfaces.txt",
        r"^! (?:Command: show (?:running|startup)-config|device: \S+ \([^)]*EOS-)",
        rf"^hostname {_NAME}$",
        r"^! device: \S+ \(([^,)]+),",
        told=(
            (_below("interface", r"channel-group [0-9]+"), _BOND),
            (_below("interface", r"(?:ip virtual-router address|vrrp) "), _VIRTUAL),
            (_below("interface", r"vrf (?!forwarding )\S+"), _VRF),
        ),
    ),
    _form(
        "cisco-nxos",
        "interfaces.txt",
        r"^!Command: show (?:running|startup)-config",
        rf"^(?:hostname|switchname) {_NAME}$",
        told=(
            (_below("interface", r"channel-group [0-9]+"), _BOND),
            (_below("interface", r"(?:hsrp|vrrp) [0-9]+"), _VIRTUAL),
            (_below(r"interface(?! mgmt)", r"vrf member \S+"), _VRF),
        ),
    ),
    _form(
        "onyx",
        "interfaces.txt",
        r"\A(?:\S*[>#] *show running-config[^\n]*\n)?(?:##[^\n]*\n|\s)*## Running database ",
        rf"^## Hostname: {_NAME}$",
        told=((r"^ *interface ethernet ([0-9/]+-[0-9/]+) ", _RANGE),),
    ),
    _form(
        "juniper-junos",
        "interfaces.txt",
        r"^set (?:version \S+|system host-name \S+)$",
        rf"^set system host-name {_NAME}$",
        told=(
            (r"^set interfaces interface-range (\S+) ", _RANGE),
            (r"^set interfaces (\S+) (?:gigether|ether)-options 802\.3ad ", _BOND),
            (r"^set interfaces (\S+ unit [0-9]+) .*virtual-gateway-(?:v4-|v6-)?(?:address|mac) ", _VIRTUAL),
            (
                r"^set (groups \S+) (?:interfaces|vlans|protocols|class-of-service) ",
                "{1}: lines of a group are not read",
            ),
            (r"^deactivate (\S[^\n]*)$", "{1}: what is deactivated is left out"),
            (r"^set (routing-instances \S+) interface ", _VRF),
        ),
    ),
    _form(
        "cumulus-nvue",
        "interfaces.yaml",
        r"\A\s*(?:\[\s*\{\s*\"(?:header|set)\"\s*:|(?:#[^\n]*\n|\s)*- (?:header|set):)",
        _KEY.format("hostname") + _NAME + r"\"?,?$",
        _KEY.format("model") + r"([A-Za-z0-9_-]+)",
        told=((r"^ +((?:vlan|swp)[0-9][0-9,-]*):\n(?: {8}[^\n]*\n)*?(?: {8,})vrr:$", _VIRTUAL),),
    ),
    _form(
        "cumulus-nvue",
        "interfaces.txt",
        r"\A\s*(?:#[^\n]*\n|\s)*nv set ",
        rf"^nv set system hostname {_NAME}$",
        told=(
            (r"^nv set interface (\S+) ip vrr address ", _VIRTUAL),
            (r"^nv set interface (\S+) bond member ", _BOND),
            (r"^nv set interface (?!eth0)(\S+) ip vrf ", _VRF),
        ),
    ),
)


_POLL = re.compile(
    r"^[ \"]*(?:nv set qos pfc-watchdog )?polling-interval(?:\"?:)? *\"?([0-9]{1,5})\b", re.MULTILINE
)
"""NVUE's ``qos.pfc-watchdog.polling-interval``."""


def form_of(text: str) -> Form | None:
    head = text[:_HEAD]
    return next((form for form in FORMS if form.marks.search(head)), None)


_NATIVE = re.compile(r"native[- ]vlan|\bpvid\b")


@dataclass(frozen=True, slots=True)
class ReadTexts:
    """``files``: switch -> its files."""

    found: tuple[Fact | Remark, ...]
    files: Mapping[str, tuple[str, ...]]


def read_texts(texts: Mapping[str, str], places: Places) -> ReadTexts:
    found: list[Fact | Remark] = []
    files: dict[str, tuple[str, ...]] = {}
    for file, text in texts.items():
        text = _in_force(text.removeprefix("\ufeff").replace("\r\n", "\n"))
        start = places.sources.source(places.sources.add(file, text))
        form = form_of(text)
        if form is None:
            continue
        named = form.hostname.search(text)
        name = named[1] if named else host_of(file)
        if not name:
            found.append(
                Remark(start, "the file does not say which switch it is from; name it after the switch")
            )
            continue
        said = list(_Text(file, text, form, name).facts())
        if len(said) > 1:
            files[name] = (*files.get(name, ()), file)
            found += said
        else:
            found.append(Remark(start, f"none of its lines is typical of {form.nos}"))
    return ReadTexts(tuple(found), files)


def _in_force(text: str) -> str:
    """Without the lines that ``deactivate`` of Junos switches off: they stay in ``display set``. Lines keep
    their numbers."""
    off = tuple(f"set {path}" for path in _OFF.findall(text)[:_MOST])
    if not off:
        return text
    longer = tuple(f"{path} " for path in off)
    return "\n".join("" if f"{line} ".startswith(longer) else line for line in text.split("\n"))


class _Text:
    def __init__(self, file: str, text: str, form: Form, name: str) -> None:
        self.file, self.text, self.form, self.name = file, text, form, name
        self._lines = text.split("\n")
        model = form.model.search(text[:_HEAD])
        self.model = model[1].strip() if model else ""
        library = shipped()
        rules = rules_of(form.nos, library)
        self.below_ip = rules.nos.units.mtu_overhead if rules is not None else 0
        self.read: ReadSwitch = read_switch(name, form.nos, {form.file: text}, library)

    def _at(self, line: int | None) -> Source:
        return Source(self.file, line or 1, 1)

    def facts(self) -> Iterator[Fact | Remark]:
        yield Fact("switch", (self.name,), "nos", self.form.nos, self._at(1))
        read, where = self.read, self.read.where
        if self.model and (read.ports or read.vlans):
            model = model_of(self.model, "") or self.model  # MSN2700 here is SN2700 elsewhere
            yield Fact("switch", (self.name,), "device_type", model, self._at(self._line_of(self.model)))
        if read.asn is not None:
            yield self._of_switch("asn", read.asn, where(self.text, "asn", "asn", str(read.asn)))
        for loopback in read.loopbacks[:1]:
            at = where(self.text, "loopback", "address", str(loopback))
            yield self._of_switch("loopback", str(loopback.ip), at)
        for port in read.ports.values():
            yield from self._port(port)
        yield from self._told()
        for vlan, interface in read.vlan_interfaces.items():
            for address in interface.addresses:
                at = where(self.text, "vlan-address", "address", str(address))
                yield Fact("svi", (self.name, str(vlan)), f"address/{address}", str(address), self._at(at))
        yield from self._classes()

    def _told(self) -> Iterator[Remark]:
        """The first line of each kind, with the number of the others."""
        for pattern, text in self.form.told:
            found = [*islice(pattern.finditer(self.text), _MOST)]
            if found:
                line = self.text.count("\n", 0, found[0].start(1)) + 1
                more = f" ({len(found) - 1} more of this kind)" if len(found) > 1 else ""
                yield Remark(self._at(line), f"{self.name}: {text.format('', found[0][1])}{more}")

    def _line_of(self, part: str) -> int:
        return self.text.count("\n", 0, max(self.text.find(part), 0)) + 1

    def _of_switch(self, field: str, value: Value, line: int | None) -> Fact:
        return Fact("switch", (self.name,), field, value, self._at(line))

    def _native(self, port: str) -> int | None:
        """The line of its native VLAN, if it has one."""
        at = self.read.line(self.text, "native", port)
        return at if at and _NATIVE.search(self._lines[at - 1]) else None

    def _port(self, port: ReadPort) -> Iterator[Fact | Remark]:
        """Speed, VLANs and addresses of a port; also for ports of which only the name is known."""
        of, line = (self.name, port.name), self.read.line
        rows: list[tuple[str, Value, str]] = []
        native = self._native(port.name) if port.tagged else None
        if port.gbps:
            rows.append(("speed", port.gbps * 1000, "port-speed"))
        if port.ip_mtu is not None:
            rows.append(("mtu", port.ip_mtu + self.below_ip, "port-mtu"))  # as the NOS counts
        if port.untagged is not None:
            rows.append(("access", port.untagged, "native" if native else "untagged"))
        elif native:
            what = f"{self.name} {port.name}: its native VLAN is none of the VLANs of the trunk"
            yield Remark(self._at(native), what, alike=f"{self.name}: native VLAN of no trunk")
        if port.tagged:
            rows.append(("tagged", tuple(map(str, sorted(port.tagged))), "trunk"))
        if port.headroom_m:
            rows.append(("cable_m", port.headroom_m, "headroom"))
        rows += [(f"address/{address}", str(address), "port-address") for address in port.addresses]
        yield Fact("port", of, "there", True, self._at(line(self.text, "port", port.name)))
        for field, value, fact in rows:
            yield Fact("port", of, field, value, self._at(line(self.text, fact, port.name)))

    def _classes(self) -> Iterator[Fact]:
        """From the QoS settings that most ports have."""
        by_qos = Counter(id(port.qos) for port in self.read.ports.values() if port.qos.pfc or port.qos.queues)
        if not by_qos:
            return
        most = by_qos.most_common(1)[0][0]
        port = next(port for port in self.read.ports.values() if id(port.qos) == most)
        yield from self._dscp(port.qos, port.name)
        yield from self._queues(port)

    def _class(self, number: int, field: str, value: Value, fact: str, port: str) -> Fact:
        return Fact("class", (str(number),), field, value, self._at(self.read.line(self.text, fact, port)))

    def _dscp(self, qos: ReadQos, port: str) -> Iterator[Fact]:
        """As for SONiC: the queue with the most code points and no PFC is best effort, and unlisted code
        points go to queue 0. That these NOSes do so too is an assumption without a source."""
        points: dict[int, list[int]] = {}
        for dscp, queues in qos.queues.items():
            if len(queues) == 1:
                points.setdefault(next(iter(queues)), []).append(dscp)
        sizes = Counter({queue: len(values) for queue, values in points.items()})
        sizes[0] += CODE_POINTS - len(qos.queues)
        usual = next((queue for queue, _ in sizes.most_common() if queue not in qos.pfc), None)
        for queue, values in points.items():
            if queue == usual:
                yield self._class(queue, "usual", True, "dscp", port)
            else:
                yield self._class(queue, "dscp", tuple(map(str, sorted(values))), "dscp", port)

    def _queues(self, port: ReadPort) -> Iterator[Fact]:
        qos = port.qos
        for priority in qos.pfc:
            yield self._class(priority, "lossless", True, "pfc", port.name)
        for queue in qos.strict:
            yield self._class(queue, "scheduling", "strict", "strict", port.name)
        stated = "share" if qos.shares else "weight"
        for queue, values in (qos.shares or qos.weights).items():
            if len(values) == 1 and queue not in qos.strict:
                yield self._class(queue, "weight", next(iter(values)), stated, port.name)
        if qos.watchdog:
            yield from self._watchdog(port)
        for queue, (low, high) in port.ecn.items():
            yield self._class(queue, "kmin_bytes", low, "ecn", port.name)
            yield self._class(queue, "kmax_bytes", high, "ecn", port.name)
        for queue, values in qos.ecn_percent.items():
            if len(values) == 1:
                yield self._class(queue, "probability_percent", next(iter(values)), "ecn-percent", port.name)

    def _watchdog(self, port: ReadPort) -> Iterator[Fact]:
        poll, qos = _POLL.search(self.text), port.qos
        if poll:  # the reader has only the product with the number of polls
            at = self._at(self.text.count("\n", 0, poll.start()) + 1)
            yield Fact("cluster", (), "watchdog/poll_ms", int(poll[1]), at)
        for name, times in (("detection_ms", qos.detection_ms), ("restoration_ms", qos.restoration_ms)):
            if len(times) == 1:
                fact = f"watchdog-{name.removesuffix('_ms')}"
                at = self._at(self.read.line(self.text, fact, port.name))
                yield Fact("cluster", (), f"watchdog/{name}", next(iter(times)), at)
