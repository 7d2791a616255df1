"""Read back a switch's configuration from its text only; each reader knows its NOS's units, but no plan.

Every reader takes file name -> text and returns a ``Told``. A value that the text does not state stays empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from tests.vendors.grammar import grammar

Files = Mapping[str, str]
FRAME = 22
"""Bytes of Ethernet header, VLAN tag and FCS."""
EVERY = "*"
"""Port name for settings of the whole switch."""
PHBS = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")
"""Names of queues 0 to 7 (Huawei EDOC1100345000, priority mapping commands); H3C has the same."""


@dataclass(slots=True)
class Told:
    """``dscp``: code point -> queue; ``pfc``: port -> priorities; ``ecn``: (port, queue) -> (min, max) in
    bytes; ``mtu``: port -> largest IP packet; ``arp``: stated ages in seconds; ``vlans``: port -> (tagged,
    untagged)."""

    dscp: dict[int, int] = field(default_factory=dict)
    pfc: dict[str, set[int]] = field(default_factory=dict)
    ecn: dict[tuple[str, int], tuple[int, int]] = field(default_factory=dict)
    mtu: dict[str, int] = field(default_factory=dict)
    arp: set[int] = field(default_factory=set)
    vlans: dict[str, tuple[frozenset[int], int | None]] = field(default_factory=dict)


def numbers(text: str) -> list[int]:
    """Numbers of a list in any NOS's format: ``1,3-5``, ``1 3 to 5``."""
    found: list[int] = []
    for first, last in re.findall(r"(\d+)(?:(?:-| to )(\d+))?", text):
        found += range(int(first), int(last or first) + 1)
    return found


def commands(nos: str, files: Files) -> list[str]:
    """Each command preceded by the contexts it is in, joined by " / "."""
    texts = (text for name, text in files.items() if name.endswith(".txt"))
    return [" / ".join([*line.under, line.text]) for text in texts for line in grammar(nos).lines(text)]


def each(lines: list[str], pattern: str) -> Iterator[tuple[str, ...]]:
    return (found.groups() for line in lines if (found := re.fullmatch(pattern, line)))


def table(lines: list[str], pattern: str) -> dict[str, str]:
    return {key: value for key, value, *_ in each(lines, pattern)}


def port_vlans(
    lines: list[str], access: str, allowed: str, native: str
) -> dict[str, tuple[frozenset[int], int | None]]:
    """Port -> (tagged, untagged), for ports with a statement; a trunk's untagged VLAN may be among the
    allowed ones."""
    tagged: dict[str, set[int]] = {}
    for port, vlans in each(lines, allowed):
        tagged.setdefault(port, set()).update(numbers(vlans))
    untagged = {port: int(vlan) for pattern in (access, native) for port, vlan in each(lines, pattern)}
    return {
        port: (frozenset(tagged.get(port, set())) - {untagged.get(port)}, untagged.get(port))
        for port in tagged.keys() | untagged.keys()
    }


def arista_eos(files: Files) -> Told:
    lines = commands("arista-eos", files)
    queue_of = {int(tc): int(q) for tc, q in each(lines, r"qos map traffic-class (\d) to tx-queue (\d)")}
    maps = each(lines, r"qos map dscp (.+) to traffic-class (\d)")
    users = list(each(lines, r"interface (Ethernet\S+) / service-profile (\S+)"))
    lossless = list(each(lines, r"qos profile (\S+) / priority-flow-control priority (\d) no-drop"))
    ecn = r"qos profile (\S+) / (?:uc-)?tx-queue (\d) / random-detect ecn minimum-threshold (\d+) bytes"
    marks = list(each(lines, ecn + r" maximum-threshold (\d+) bytes .+"))
    return Told(
        dscp={dscp: queue_of[int(tc)] for text, tc in maps for dscp in numbers(text)},
        pfc={port: {int(p) for name, p in lossless if name == used} for port, used in users},
        ecn={(port, int(q)): (int(a), int(b)) for port, used in users for n, q, a, b in marks if n == used},
        mtu={port: int(mtu) for port, mtu in each(lines, r"interface (Ethernet\S+) / mtu (\d+)")},
        arp={int(age) for (age,) in each(lines, r"arp aging timeout default (\d+)")},
        vlans=port_vlans(
            lines,
            r"interface (\S+) / switchport access vlan (\d+)",
            r"interface (\S+) / switchport trunk allowed vlan (.+)",
            r"interface (\S+) / switchport trunk native vlan (\d+)",
        ),
    )


def cisco_nxos(files: Files) -> Told:
    lines = commands("cisco-nxos", files)
    group = table(lines, r"policy-map type qos \S+ / class (\S+) / set qos-group (\d)")
    classes = each(lines, r"class-map type qos match-any (\S+) / match dscp (.+)")
    pause = each(
        lines, r"policy-map type network-qos \S+ / class type network-qos c-8q-nq(\d) / pause pfc-cos (\d)"
    )
    lossless = {int(cos) for queue, cos in pause if queue == cos}
    marked = r"policy-map type queuing \S+ / class type queuing c-out-8q-q(\d) / random-detect"
    marks = each(lines, marked + r" minimum-threshold (\d+) bytes maximum-threshold (\d+) bytes .+ ecn")
    return Told(
        dscp=dict.fromkeys(range(64), 0)
        | {d: int(group[name]) for name, text in classes for d in numbers(text)},
        pfc={port: lossless for (port,) in each(lines, r"interface (\S+) / priority-flow-control mode on")},
        ecn={(EVERY, int(queue)): (int(low), int(high)) for queue, low, high in marks},
        mtu={port: int(mtu) for port, mtu in each(lines, r"interface (Ethernet\S+) / mtu (\d+)")},
        arp={int(age) for (age,) in each(lines, r"interface \S+ / ip arp timeout (\d+)")},
        vlans=port_vlans(
            lines,
            r"interface (\S+) / switchport access vlan (\d+)",
            r"interface (\S+) / switchport trunk allowed vlan (.+)",
            r"interface (\S+) / switchport trunk native vlan (\d+)",
        ),
    )


def cumulus_nvue(files: Files) -> Told:
    lines = commands("cumulus-nvue", files)
    maps = each(lines, r"nv set qos mapping default-global dscp (\S+) switch-priority (\d)")
    tcs = r"nv set qos egress-queue-mapping default-global switch-priority (\d) traffic-class (\d)"
    queue_of = {int(priority): int(tc) for priority, tc in each(lines, tcs)}
    threshold = r"nv set qos congestion-control default-global traffic-class (\S+) {}-threshold (\d+)"
    low, high = (table(lines, threshold.format(end)) for end in ("min", "max"))
    pfc = each(lines, r"nv set qos pfc default-global switch-priority (\S+)")
    reachable = re.findall(r"(?m)^net\.ipv4\.\S+\.base_reachable_time_ms = (\d+)000$", files["arp.conf"])
    return Told(
        dscp={dscp: queue_of[int(priority)] for text, priority in maps for dscp in numbers(text)},
        pfc={EVERY: {priority for (text,) in pfc for priority in numbers(text)}},
        ecn={(EVERY, queue): (int(low[t]), int(high[t])) for t in low for queue in numbers(t)},
        mtu={port: int(mtu) for port, mtu in each(lines, r"nv set interface (\S+) link mtu (\d+)")},
        arp={int(age) for age in reachable},
        vlans=port_vlans(
            lines,
            r"nv set interface (\S+) bridge domain br_default access (\d+)",
            r"nv set interface (\S+) bridge domain br_default vlan (\S+)",
            r"nv set interface (\S+) bridge domain br_default untagged (\d+)",
        ),
    )


def juniper_junos(files: Files) -> Told:
    """MTUs include 18 bytes of Ethernet header and VLAN tag; ages are in minutes; a comment states the size
    to which fill levels in percent refer."""
    lines = commands("juniper-junos", files)
    cos = "set class-of-service "
    queue_of = {"best-effort": 0} | {
        name: int(queue)
        for name, queue in each(lines, cos + r"forwarding-classes class (\S+) queue-num (\d).*")
    }
    coded = each(
        lines, cos + r"classifiers dscp \S+ forwarding-class (\S+) loss-priority low code-points \[ (.+) \]"
    )
    dscp = {int(bits, 2): queue_of[name] for name, text in coded for bits in text.split()}
    lossless = {int(q): int(p) for q, p in each(lines, cos + r".+ queue-num (\d) no-loss pfc-priority (\d)")}
    pausing = list(
        each(lines, cos + r"congestion-notification-profile (\S+) input dscp code-point (\d+) pfc .+")
    )
    users = each(lines, cos + r"interfaces (\S+) congestion-notification-profile (\S+)")
    names = table(lines, r"set vlans (\S+) vlan-id (\d+)")
    port = r"set interfaces (\S+) unit 0 family ethernet-switching "
    trunks = {name for (name,) in each(lines, port + "interface-mode trunk")}
    members = [f"{name} {names[vlan]}" for name, vlan in each(lines, port + r"vlan members (\S+)")]
    native = [
        f"native {name} {vlan}" for name, vlan in each(lines, r"set interfaces (\S+) native-vlan-id (\d+)")
    ]
    trunk = "|".join(map(re.escape, sorted(trunks))) or "(?!)"
    size = re.search(r"^# ECN in percent of a queue of (\d+) bytes$", files["roce.txt"], re.MULTILINE)
    levels = each(lines, cos + r"drop-profiles netplan-(\d) interpolate fill-level \[ (\d+) (\d+) \] .+")
    ecn = {int(queue): (int(low), int(high)) for queue, low, high in levels}
    marked = [
        int(q) for (q,) in each(lines, cos + r"schedulers netplan-(\d) explicit-congestion-notification")
    ]
    mapped = [port for (port,) in each(lines, cos + r"interfaces (\S+) scheduler-map netplan")]
    return Told(
        dscp=dscp,
        ecn={
            (port, queue): (ecn[queue][0] * int(size[1]) // 100, ecn[queue][1] * int(size[1]) // 100)
            for port in mapped
            for queue in marked
            if size
        },
        pfc={
            name: {lossless[dscp[int(bits, 2)]] for p, bits in pausing if p == used} for name, used in users
        },
        mtu={name: int(mtu) - 18 for name, mtu in each(lines, r"set interfaces (et-\S+) mtu (\d+)")},
        arp={int(minutes) * 60 for (minutes,) in each(lines, r"set system arp aging-timer (\d+)")},
        vlans=port_vlans(
            members + native, rf"(?!{trunk} )(et-\S+) (\d+)", rf"({trunk}) (\d+)", r"native (\S+) (\d+)"
        ),
    )


def dell_os10(files: Files) -> Told:
    """MTUs include 32 bytes below IP; thresholds are in KB."""
    lines = commands("dell-os10", files)
    queue_of = {
        g: int(q) for q, t in each(lines, r"qos-map \S+ \S+ / queue (\d) qos-group (.+)") for g in numbers(t)
    }
    maps = each(lines, r"trust dscp-map \S+ / qos-group (\d) dscp (.+)")
    group = table(lines, r"class-map type network-qos (\S+) / match qos-group (\d)")
    pause = each(lines, r"policy-map type network-qos \S+ / class (\S+) / pfc-cos (\d)")
    lossless = {int(cos) for name, cos in pause if group[name] == cos}
    queue = table(lines, r"class-map type queuing (\S+) / match queue (\d)")
    wred = r"wred (\S+) / random-detect color green minimum-threshold (\d+) maximum-threshold (\d+) .+"
    size = {name: (int(low) * 1000, int(high) * 1000) for name, low, high in each(lines, wred)}
    marking = {name for (name,) in each(lines, r"wred (\S+) / random-detect ecn")}
    used = each(lines, r"policy-map type queuing \S+ / class (\S+) / random-detect (\S+)")
    return Told(
        dscp={dscp: queue_of[int(g)] for g, text in maps for dscp in numbers(text)},
        pfc={port: lossless for (port,) in each(lines, r"interface (\S+) / priority-flow-control mode on")},
        ecn={(EVERY, int(queue[name])): size[profile] for name, profile in used if profile in marking},
        mtu={port: int(mtu) - 32 for port, mtu in each(lines, r"interface (ethernet\S+) / mtu (\d+)")},
        vlans=port_vlans(
            lines,
            r"interface (\S+) / switchport access vlan (\d+)",
            r"interface (\S+) / switchport trunk allowed vlan (.+)",
            "(?!)",
        ),
    )


def h3c_comware(files: Files, cell_bytes: int = 254) -> Told:
    """Thresholds are in cells of the ASIC, 254 bytes on Tomahawk 3."""
    lines = commands("h3c-comware", files)
    level = r"qos wred queue table (\S+) / queue (\d) drop-level 0 low-limit (\d+) high-limit (\d+) .+"
    marking = set(each(lines, r"qos wred queue table (\S+) / queue (\d) ecn"))
    sizes = [
        (t, q, int(a) * cell_bytes, int(b) * cell_bytes)
        for t, q, a, b in each(lines, level)
        if (t, q) in marking
    ]
    users = each(lines, r"interface (\S+) / qos wred apply (\S+)")
    pfc = each(lines, r"interface (\S+) / priority-flow-control no-drop dot1p (.+)")
    found = each(lines, r"qos map-table dot1p-lp / import (\d) export (\d)")
    queue = {pair[0]: pair[1] for pair in found}
    maps = each(lines, r"qos map-table dscp-dot1p / import (\d+) export (\d)")
    return Told(
        dscp={int(dscp): int(queue[dot1p]) for dscp, dot1p in maps},
        pfc={port: set(numbers(text)) for port, text in pfc},
        ecn={(port, int(q)): (a, b) for port, used in users for t, q, a, b in sizes if t == used},
        mtu={port: int(n) - FRAME for port, n in each(lines, r"interface (\S+) / jumboframe enable (\d+)")},
        arp={int(age) for (age,) in each(lines, r"arp timer aging second (\d+)")},
        vlans=port_vlans(
            lines,
            r"interface (\S+) / port access vlan (\d+)",
            r"interface (\S+) / port trunk permit vlan (.+)",
            r"interface (\S+) / port trunk pvid vlan (\d+)",
        ),
    )


def huawei_vrp(files: Files) -> Told:
    lines = commands("huawei-vrp", files)
    maps = each(lines, r"diffserv domain \S+ / ip-dscp-inbound (\d+) phb (\S+) green")
    color = r"drop-profile (\S+) / color green buffer-size low-limit (\d+) high-limit (\d+) .+"
    size = {name: (int(low), int(high)) for name, low, high in each(lines, color)}
    marking = set(each(lines, r"interface (\S+) / qos queue (\d) ecn"))
    used = each(lines, r"interface (\S+) / qos queue (\d) wred (\S+)")
    lossless = {p for (text,) in each(lines, r"dcb pfc / priority ([\d ]+)") for p in numbers(text)}
    return Told(
        dscp={int(dscp): PHBS.index(phb) for dscp, phb in maps},
        pfc={port: lossless for (port,) in each(lines, r"interface (\S+) / dcb pfc enable mode manual")},
        ecn={(port, int(queue)): size[name] for port, queue, name in used if (port, queue) in marking},
        mtu={port: int(n) - FRAME for port, n in each(lines, r"interface (\S+) / jumboframe enable (\d+)")},
        arp={int(age) for (age,) in each(lines, r"arp timeout (\d+)")},
        vlans=port_vlans(
            lines,
            r"interface (\S+) / port default vlan (\d+)",
            r"interface (\S+) / port trunk allow-pass vlan (.+)",
            r"interface (\S+) / port trunk pvid vlan (\d+)",
        ),
    )


def onyx(files: Files) -> Told:
    """`roce lossless` sets DSCP 24-31 to queue 3 with PFC, 48-55 to queue 6; thresholds in KB: NVIDIA Onyx
    user manual 3.10.4100, RoCE Commands, show roce."""
    lines = commands("onyx", files)
    profile = "roce lossless" in lines
    port = r"interface ethernet (\S+) "
    marks = each(
        lines,
        port + r"traffic-class (\d) congestion-control ecn minimum-absolute (\d+) maximum-absolute (\d+)",
    )
    return Told(
        dscp={dscp: {3: 3, 6: 6}.get(dscp // 8, 0) for dscp in range(64)} if profile else {},
        pfc={EVERY: {3}} if profile else {},
        ecn={(name, int(queue)): (int(low) * 1000, int(high) * 1000) for name, queue, low, high in marks},
        mtu={name: int(mtu) for name, mtu in each(lines, port + r"mtu (\d+) force")},
        vlans=port_vlans(
            lines,
            port + r"switchport access vlan (\d+)",
            port + r"switchport (?:trunk|hybrid) allowed-vlan add (\d+)",
            "(?!)",
        ),
    )


def sonic(files: Files) -> Told:
    """Reads the tables of both JSON files; maps are bound per port or globally."""
    roce, links = json.loads(files["roce.json"]), json.loads(files["interfaces.json"])
    bound = roce["PORT_QOS_MAP"]
    first = next(row for row in bound.values() if "tc_to_queue_map" in row)
    everywhere = bound.get("global", first)
    queue_of = roce["TC_TO_QUEUE_MAP"][first["tc_to_queue_map"]]
    dscps = roce["DSCP_TO_TC_MAP"][first.get("dscp_to_tc_map") or everywhere["dscp_to_tc_map"]]
    marked = (
        (key.split("|"), row["wred_profile"]) for key, row in roce["QUEUE"].items() if "wred_profile" in row
    )
    wred = roce["WRED_PROFILE"]
    return Told(
        dscp={int(dscp): int(queue_of[tc]) for dscp, tc in dscps.items()},
        pfc={port: set(numbers(row["pfc_enable"])) for port, row in bound.items() if "pfc_enable" in row},
        ecn={
            (port, int(queue)): (
                int(wred[name]["green_min_threshold"]),
                int(wred[name]["green_max_threshold"]),
            )
            for (port, queue), name in marked
        },
        mtu={port: int(row["mtu"]) for port, row in links["PORT"].items()},
    )


READERS: Mapping[str, Callable[[Files], Told]] = {
    "arista-eos": arista_eos,
    "cisco-nxos": cisco_nxos,
    "cumulus-nvue": cumulus_nvue,
    "dell-os10": dell_os10,
    "h3c-comware": h3c_comware,
    "huawei-vrp": huawei_vrp,
    "juniper-junos": juniper_junos,
    "onyx": onyx,
    "sonic": sonic,
}
