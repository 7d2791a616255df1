"""Physical ports that a running configuration splits into parts.

No key of an inventory has the number of parts: netplan works it out from the parts in ``links``. NVUE:
CumulusNetworks/docs 05e49539, Switch Port Attributes (link breakout 4x; 4x25G in older releases). NX-OS:
developer.cisco.com, Configuring Breakout on High-Bandwidth Interfaces. Junos: juniper.net, statement
number-of-sub-ports, of an interface and below chassis fpc pic port. EOS: a part's speed names its lanes
(arista.com, EOS user manual, Ethernet Ports). SONiC: sonic-net/sonic-buildimage 086b03bd
src/sonic-yang-models/yang-models, sonic-breakout_cfg.yang.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from netplan.catalog import switch_rows
from netplan.diagnostics import Source
from netplan.importing.cabling import Cable
from netplan.importing.cards import Card
from netplan.importing.facts import Contradiction, Fact, Of, Remark, Said, Site, first_faults, place
from netplan.importing.switches import SwitchRow
from netplan.model.port_parts import count_of, place_of
from netplan.nos import shipped
from netplan.reading.switches.places import Matched, matched
from netplan.reading.switches.rules import Rules, rules_of

SPLIT = "split"
"""Field of a physical port: ``4x200G``, or ``4x`` where the speed of a part is not stated."""
_MOST_PORTS, _MOST_PARTS = 1024, 64
_NVUE = "nv set interface <port> link breakout <parts:number>x"
_CHASSIS = "set chassis fpc <fpc:number> pic <pic:number> port <number>"
_LINES: Mapping[str, tuple[str, ...]] = {
    "cumulus-nvue": (f"{_NVUE}( .+)?", f"{_NVUE}<gbps>G( .+)?"),
    "cisco-nxos": ("interface breakout module <module:number> port <number*> map <gbps>g-<parts:number>x",),
    "juniper-junos": (
        "set interfaces <port> number-of-sub-ports <parts:number>",
        "set interfaces <port> speed <gbps>g",
        f"{_CHASSIS} number-of-sub-ports <parts:number>",
        f"{_CHASSIS} (channel-)?speed <gbps>g",
    ),
    "arista-eos": ("interface <port> / speed <gbps>g-<lanes:number>",),
}
_NAMES = {"module": "Ethernet{module}/{number}", "fpc": "et-{fpc}/{pic}/{number}"}
"""A column of a line that does not name its port -> the port."""
_WHOLE = "no breakout and no speed: no other part has a cable"
_PARTS = {"cumulus-nvue": ("{}s{}", 0), "cisco-nxos": ("{}/{}", 1), "juniper-junos": ("{}:{}", 0)}
"""Name of a part and the number of the first one, where they are counted."""
_MODE = re.compile(r"([0-9]{1,2})x([0-9]{1,4})G")
_SPLIT = re.compile(r"([0-9]{1,4})x(?:([0-9]{1,6})G)?")


@dataclass(slots=True)
class _Found:
    line: int
    parts: int = 0
    gbps: int = 0


def split_facts(
    rules: Rules, name: str, text: str, ports: Mapping[str, int | None], lanes: int, file: str
) -> Iterator[Fact]:
    """``ports``: those that the configuration has, with their speed in Gb/s; ``lanes``: of a port of the
    model, 0 if it is not known. A part that no other line has is a port too."""
    for parent, found in _found(rules, text, lanes).items():
        if found.parts < 2:
            continue
        at = Source(file, found.line or 1, 1)
        shown = f"{found.parts}x{found.gbps}G" if found.gbps else f"{found.parts}x"
        yield Fact("port", (name, parent), SPLIT, shown, at)
        form, first = _PARTS.get(rules.nos.name, ("", 0))
        for number in range(first, first + found.parts) if form else ():
            port = form.format(parent, number)
            if port not in ports:
                yield Fact("port", (name, port), "there", True, at)
            if found.gbps and ports.get(port) is None:
                yield Fact("port", (name, port), "speed", found.gbps * 1000, at)


def _found(rules: Rules, text: str, lanes: int) -> dict[str, _Found]:
    """Physical port -> its split."""
    found: dict[str, _Found] = {}
    for line in matched(rules, text, _LINES.get(rules.nos.name, ())):
        port = _port(line)
        numbers = {key: value for key, value in line.values.items() if isinstance(value, int)}
        if "lanes" in numbers:
            port, part = place_of(port, rules.nos.breakout, lanes)
            numbers["parts"] = lanes // numbers["lanes"] if part is not None and numbers["lanes"] else 0
        if len(found) < _MOST_PORTS or port in found:
            own = found.setdefault(port, _Found(line.line))
            own.parts = min(max(numbers.get("parts", 0), own.parts), _MOST_PARTS)
            own.gbps = numbers.get("gbps", own.gbps)
    return found


def _port(line: Matched) -> str:
    form = next((form for column, form in _NAMES.items() if column in line.values), "{port}")
    return form.format(**line.values)


def sonic_split(mode: str) -> str:
    """Of ``brkout_mode``, such as 4x100G[50G]; empty for one port, and for parts of several speeds."""
    found = _MODE.match(mode)
    return found[0] if found is not None and "+" not in mode and int(found[1]) > 1 else ""


def parts_of(said: Said) -> tuple[int, int]:
    """Number of parts, and the speed of each in Gb/s, 0 if it is not stated."""
    found = _SPLIT.fullmatch(str(said.value))
    return (int(found[1]), int(found[2] or 0)) if found is not None else (0, 0)


class Splits:
    """Split ports of the switches, with the parts that have a cable."""

    def __init__(self, site: Site, rows: Iterable[SwitchRow], cables: Iterable[Cable]) -> None:
        self._site = site
        models, library = switch_rows(), shipped()
        self.lanes = {row.name: int(models[row.model]["lanes"]) if row.model in models else 0 for row in rows}
        self._most = {row.name: max(models[row.model]["speeds_gbps"]) for row in rows if row.model in models}
        kinds = {row.name: row.fields["nos"].value for row in rows if "nos" in row.fields}
        self.rules = {name: rules_of(str(nos), library) for name, nos in kinds.items()}
        self.used: dict[Of, set[int]] = {}
        for cable in cables:
            parent, part = self.place(cable.switch, cable.port)
            if part is not None and self.said(cable.switch, cable.port) is not None:
                self.used.setdefault((cable.switch, parent), set()).add(part)

    def place(self, switch: str, port: str) -> tuple[str, int | None]:
        rules = self.rules.get(switch)
        return place_of(port, rules.nos.breakout if rules is not None else None, self.lanes.get(switch, 0))

    def said(self, switch: str, port: str) -> Said | None:
        """Of a port or of the part of one."""
        return self._site.said("port", (switch, self.place(switch, port)[0]), SPLIT)

    def most_gbps(self, switch: str, port: str) -> int:
        """The highest speed of a part, 0 if it is not known."""
        said = self.said(switch, port)
        parts, gbps = parts_of(said) if said is not None else (0, 0)
        return gbps or (self._most.get(switch, 0) // parts if parts else 0)


def split_clashes(site: Site, splits: Splits, cards: Iterable[Card]) -> Iterator[Contradiction]:
    """Cards that are faster than a part of their port can be; a stated speed is compared elsewhere."""
    yield from first_faults(_too_fast(site, splits, cards))


def _too_fast(site: Site, splits: Splits, cards: Iterable[Card]) -> Iterator[tuple[object, str]]:
    for card in cards:
        port, own = site.listed("card", card.of, "port"), site.said("card", card.of, "speed_gbps")
        split = splits.said(*port) if len(port) == 2 else None
        if own is None or not isinstance(own.value, int) or split is None:
            continue
        most = splits.most_gbps(*port)
        if site.said("port", port, "speed") is None and 0 < most < own.value:
            name = f"{card.node} {card.text('netdev') or card.pci}"
            here = f"{name} runs at {own.value} Gbit/s ({place(own.at)})"
            there = f"{' '.join(port)}, its port, has breakout {split.value} ({place(split.at)})"
            yield (own.value, split.value), f"{here}; {there}, at most {most} Gbit/s"


def other_splits(splits: Splits) -> Iterator[Remark]:
    """Ports that netplan splits otherwise: into the fewest parts that have those in use. SONiC's ports are
    split by the switch itself."""
    for (switch, parent), used in splits.used.items():
        said, rules = splits.said(switch, parent), splits.rules[switch]
        if said is None or rules is None or rules.nos.breakout is None or rules.nos.name == "sonic":
            continue
        count = count_of(used, rules.nos.breakout, splits.lanes[switch])
        if count != parts_of(said)[0]:  # EOS names the first part as the port
            writes = f"{count}x, the smallest with all cabled parts" if count > 1 else _WHOLE
            why = f"netplan writes {writes}"
            what = f"{switch} {parent} breakout {said.value}: {why}"
            yield Remark(said.at, what, alike=f"{said.value} {why}")
