"""What a plan's deployed network would print, in the shapes of sonic-net/sonic-utilities 691b1bbc (its tests
have whole outputs); written from the plan independently of the code that reads it."""

from __future__ import annotations

from collections.abc import Sequence

from netplan.model.plan import Plan
from netplan.model.switch_ports import SwitchPort
from netplan.model.switching import SwitchPlan


def table(head: Sequence[str], rows: Sequence[Sequence[object]], right: bool = True) -> str:
    """As tabulate prints it: two blanks between columns, a rule of dashes."""
    cells = [list(map(str, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    just = str.rjust if right else str.ljust
    lines = ["  ".join(map(just, row, widths)).rstrip() for row in (head, *cells)]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]]) + "\n"


def card_of(plan: Plan, host: str, hca: str) -> tuple[str, str]:
    """(MAC address, interface name) of a card: the inventory's, else an address of its own."""
    kind = next(each for each in plan.fabric.hosts if each.name == host)
    rail = next(n for n, each in enumerate(kind.type.hcas) if each.name == hca)
    own = kind.hcas.get(hca)
    made = f"02:00:00:{kind.id >> 8:02x}:{kind.id & 255:02x}:{rail:02x}"
    netdev = (own and own.netdev) or kind.type.hcas[rail].netdev
    return (own and own.mac) or made, netdev or hca


def mode(port: SwitchPort) -> str:
    return "trunk" if port.vlans else "routed"


def interfaces(switch: SwitchPlan) -> str:
    head = ("Interface", "Lanes", "Speed", "MTU", "FEC", "Alias", "Vlan", "Oper", "Admin", "Type", "Asym PFC")
    rows = [
        (
            p.name,
            "0,1,2,3",
            f"{p.speed_gbps}G",
            p.mtu,
            "rs",
            f"etp{n}",
            mode(p),
            "up",
            "up",
            "QSFP28 or later",
            "off",
        )
        for n, p in enumerate(switch.ports)
    ]
    return table(head, rows)


def fec(switch: SwitchPlan) -> str:
    head = ("Interface", "FEC Oper", "FEC Admin")
    return table(head, [(p.name, p.settings.fec or "rs", p.settings.fec or "N/A") for p in switch.ports])


def lldp(switch: SwitchPlan, plan: Plan) -> str:
    head = ("LocalPort", "RemoteDevice", "RemotePortID", "Capability", "RemotePortDescr")
    rows = []
    for port in switch.ports:
        system, _, far = port.peer.partition(" ")
        names = card_of(plan, system, far) if port.kind == "host" else (far, far)
        rows.append((port.name, system, names[0], "BR", names[1]))
    text = table(head, rows, right=False)
    end = f"{'-' * 50}\nTotal entries displayed:  {len(rows)}\n"
    return f"Capability codes: (R) Router, (B) Bridge, (O) Other\n{text}{end}"


def vlans(switch: SwitchPlan) -> str:
    head = ("VLAN ID", "IP Address", "Ports", "Port Tagging", "Proxy ARP", "Static Anycast Gateway")
    blocks = []
    for vlan in switch.vlans:
        addresses = [str(address) for address in vlan.addresses]
        members = [(m.port, "tagged" if m.tagged else "untagged") for m in vlan.members]
        lines = []
        for n in range(max(len(addresses), len(members), 1)):
            address = addresses[n] if n < len(addresses) else ""
            port, tagging = members[n] if n < len(members) else ("", "")
            first = (vlan.id, "disabled", "disabled") if n == 0 else ("", "", "")
            lines.append((str(first[0]), address, port, tagging, first[1], first[2]))
        blocks.append(lines)
    widths = [max(len(row[n]) for row in [head, *(r for b in blocks for r in b)]) for n in range(len(head))]
    rule = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    out = [rule, row_of(head, widths), rule.replace("-", "=")]
    for block in blocks:
        out += [*(row_of(row, widths) for row in block), rule]
    out += [] if blocks else [rule]
    return "\n".join(out) + "\n"


def ip_interfaces(switch: SwitchPlan, version: int = 4) -> str:
    """Of IPv6 with the link-local address of each interface."""
    own = {port.name: port.addresses for port in switch.ports if port.addresses}
    own |= {f"Vlan{vlan.id}": vlan.addresses for vlan in switch.vlans}
    shown = {name: [str(each) for each in found if each.ip.version == version] for name, found in own.items()}
    shown["Loopback0"] = [str(each) for each in switch.loopbacks if each.ip.version == version]
    shown["lo"] = ["127.0.0.1/16" if version == 4 else "::1/128"]
    rows = []
    for name, found in shown.items():
        link_local = [f"fe80::64be:a1ff:fe85:c6c4%{name}/64"] if version == 6 and name != "lo" else []
        for n, address in enumerate(found + link_local):
            first = (name, "", address, "up/up") if n == 0 else ("", "", address, "")
            rows.append((*first, "N/A", "N/A"))
    head = ("Interface", "Master", f"IPv{version} address/mask", "Admin/Oper", "BGP Neighbor", "Neighbor IP")
    return table(head, rows, right=False)


def ipv6_interfaces(switch: SwitchPlan) -> str:
    return ip_interfaces(switch, 6)


def row_of(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "|" + "|".join(f" {cell.ljust(width)} " for cell, width in zip(cells, widths, strict=True)) + "|"


def bgp(switch: SwitchPlan) -> str:
    head = (
        "Neighbhor",
        "V",
        "AS",
        "MsgRcvd",
        "MsgSent",
        "TblVer",
        "InQ",
        "OutQ",
        "Up/Down",
        "State/PfxRcd",
        "NeighborName",
    )
    rows = [
        (n.address, 4, n.remote_as, 3995, 4001, 0, 0, 0, "00:39:32", 12, n.name) for n in switch.neighbours
    ]
    return (
        "\nIPv4 Unicast Summary:\n"
        f"BGP router identifier {switch.router_id}, local AS number {switch.asn} vrf-id 0\n"
        f"BGP table version 6465\nRIB entries 12807, using 2001 KiB of memory\n\n{table(head, rows)}\n"
        f"Total number of neighbors {len(rows)}\n"
    )


def watchdog(switch: SwitchPlan) -> str:
    rows = [
        (p.name, "drop", switch.watchdog.detection, switch.watchdog.restoration, "disable")
        for p in switch.ports
        if p.pfc
    ]
    head = ("PORT", "ACTION", "DETECTION TIME", "RESTORATION TIME", "HISTORY")
    return f"Changed polling interval to {switch.watchdog.poll}ms\n{table(head, rows)}"


def storms(switch: SwitchPlan) -> str:
    head = ("QUEUE", "STATUS", "STORM DETECTED/RESTORED", "TX OK/DROP", "RX OK/DROP")
    return table(
        head, [(f"{p.name}:{n}", "operational", "0/0", "0/0", "0/0") for p in switch.ports for n in p.pfc]
    )


def pfc(switch: SwitchPlan) -> str:
    numbers = [f"PFC{n}" for n in range(8)]
    rows = [(p.name, *("1,203" if n in p.pfc else "0" for n in range(8))) for p in switch.ports]
    return "\n".join(table((f"Port {way}", *numbers), rows) for way in ("Rx", "Tx"))


def ecn(switch: SwitchPlan) -> str:
    out = ""
    for queue in switch.qos.queues:
        for one in queue.ecn:
            rows: dict[str, object] = {"ecn": "ecn_all"}
            for colour in ("green", "yellow", "red"):
                rows |= {f"wred_{colour}_enable": "true", f"{colour}_min_threshold": one.kmin}
                rows |= {f"{colour}_max_threshold": one.kmax}
                rows |= {f"{colour}_drop_probability": one.probability}
            rule = f"{'-' * 23}  {'-' * 7}"
            lines = [f"{name:<23}  {value}" for name, value in rows.items()]
            out += "\n".join([f"Profile: ROCE_Q{queue.number}", rule, *lines, rule]) + "\n\n"
    return out


def sysctl(switch: SwitchPlan) -> str:
    limits = {f"gc_thresh{n}": value for n, value in enumerate(switch.arp.gc_thresh, 1)}
    values = {"base_reachable_time_ms": switch.arp.reachable_ms, "gc_stale_time": 60, **limits}
    rows = [(family, *row) for family in ("ipv4", "ipv6") for row in values.items()]
    return "".join(f"net.{family}.neigh.default.{name} = {value}\n" for family, name, value in rows)


COMMANDS = {
    "show interfaces status": interfaces,
    "show interfaces fec status": fec,
    "show vlan brief": vlans,
    "show ip interfaces": ip_interfaces,
    "show ipv6 interfaces": ipv6_interfaces,
    "show ip bgp summary": bgp,
    "pfcwd show config": watchdog,
    "pfcwd show stats -e": storms,
    "show pfc counters": pfc,
    "ecnconfig -l": ecn,
    "sysctl net.ipv4.neigh.default net.ipv6.neigh.default": sysctl,
}


def shown(switch: SwitchPlan, plan: Plan) -> dict[str, str]:
    """Command -> what it prints."""
    return {command: show(switch) for command, show in COMMANDS.items()} | {
        "show lldp table": lldp(switch, plan)
    }


def transcript(switch: SwitchPlan, plan: Plan) -> str:
    """All commands of one session."""
    prompt = f"admin@{switch.name}:~$"
    return "".join(f"{prompt} {command}\n{text}" for command, text in shown(switch, plan).items())


def pod(plan: Plan, workload: str) -> str:
    routed = next(each for each in plan.workloads if each.name == workload).routed
    return f"check-rails: ok, {' '.join(dict.fromkeys(route.interface for route in routed))}\n"


def card(pci: str, device: str, netdev: str, gbps: int) -> str:
    """A line of collect.sh's sysfs.txt."""
    return (
        f"pci={pci} vendor=0x15b3 device=0x{device} numa=0 vfs=8 net={netdev} mac=b8:59:9f:00:00:01 mtu=9216 "
        f'type=1 speed={gbps * 1000} ib=mlx5_0 link_layer=Ethernet rate="{gbps} Gb/sec (4X EDR)" '
        "firmware=16.35.4030 psid=MT_0000000008"
    )


def host(cards: Sequence[str]) -> str:
    return "# netplan collect 1: pci\n" + "".join(f"{line}\n" for line in cards)
