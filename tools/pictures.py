"""The pictures of the concept pages, drawn from plans of shipped inventories: ``docs/pictures/*.svg``.

Every name and number in them comes from a plan, so a picture cannot claim what netplan does not do.
``tools/docs.py`` writes and compares them with the other generated pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from netplan.model.fabric import Fabric
from netplan.model.nos import FEATURES, NosProfile
from netplan.model.plan import Plan
from netplan.model.switch_qos import SwitchQueue
from netplan.model.switching import SwitchPlan
from netplan.model.workloads import WorkloadPlan
from netplan.nos import available, load_nos
from netplan.pipeline import compile_texts
from netplan.plan.headroom import qbb_headroom
from tools.svg import Picture

INVENTORIES = Path(__file__).resolve().parent.parent / "inventories"
ROCE, ROUTED = "iei-rocev2", "l3-to-host"
HOSTS_SHOWN = 2


@cache
def plan_of(name: str) -> Plan:
    """The plan of a shipped inventory."""
    text = (INVENTORIES / f"{name}.yaml").read_text(encoding="utf-8")
    plan = compile_texts({f"{name}.yaml": text}).plan
    if plan is None:
        raise ValueError(f"{name} has errors")
    return plan


def switch_of(name: str, switch: str) -> SwitchPlan:
    return next(plan for plan in plan_of(name).switches if plan.name == switch)


def rails() -> Picture:
    """Hosts, leaves and what a rail is on each, for subnets per leaf and for routed hosts."""
    picture = Picture(
        900, 510, "Rails with one subnet for each rail and leaf, and with one subnet for each host link"
    )
    for top, name in ((0, ROCE), (260, ROUTED)):
        plan = plan_of(name)
        fabric = plan.fabric
        segment = fabric.rails.segment if fabric.rails else ""
        picture.text(20, top + 26, f"rails.segment: {segment}", "b")
        picture.text(190, top + 26, f"inventories/{name}.yaml: {_counts(fabric)}", "s")
        leaves = [plan for plan in plan.switches if plan.role == "leaf"]
        for row, host in enumerate(fabric.hosts[:HOSTS_SHOWN]):
            picture.box(20, top + 150 + 50 * row, 860, 34)
            picture.text(32, top + 172 + 50 * row, host.name, "b")
            for number, text in enumerate(_of_host(plan, host.name)):
                picture.text(206 + 175 * number, top + 172 + 50 * row, text, "m", f"c{number}")
        for number, leaf in enumerate(leaves):
            x = 190 + 175 * number
            picture.card(x, top + 45, 160, [leaf.name, *_on_leaf(leaf)], f"c{number}", "pale")
            for row in range(HOSTS_SHOWN):
                picture.line(
                    x + 125 + 20 * row, top + 150 + 50 * row, x + 125 + 20 * row, top + 112, f"k{number}"
                )
    return picture


def _counts(fabric: Fabric) -> str:
    spines = sum(switch.role == "spine" for switch in fabric.switches)
    leaves = len(fabric.switches) - spines
    count = fabric.rails.count if fabric.rails else 0
    return f"{len(fabric.hosts)} hosts, {count} rails, {leaves} leaves, {spines} spines"


def _on_leaf(leaf: SwitchPlan) -> list[str]:
    if leaf.vlans:
        return [f"VLAN {leaf.vlans[0].id}, {leaf.vlans[0].name}", f"gateway {leaf.vlans[0].addresses[0]}"]
    routed = [port for port in leaf.ports if port.kind == "host"]
    return [f"{len(routed)} routed host ports", f"{routed[0].name} {routed[0].addresses[0]}"]


def _of_host(plan: Plan, host: str) -> list[str]:
    links = [link for link in plan.addresses.host_links if link.link.host.name == host]
    if links:
        return [f"{link.host_addresses[0]}" for link in links]
    return [
        str(segment.subnets[0].network) for segment in plan.addresses.segments if segment.rail is not None
    ]


def owners() -> Picture:
    """What makes VFs, advertises devices, writes NADs and sets NIC QoS, in each shipped inventory."""
    things = ("vfs", "device_plugin", "nads", "nic_qos")
    names = sorted(path.stem for path in INVENTORIES.glob("*.yaml") if path.stem != "superpod-h100")
    picture = Picture(900, 60 + 30 * len(names), "Owners in the inventories that ship")
    colours: dict[str, int] = {}
    for column, thing in enumerate(things):
        picture.text(175 + 178 * column, 30, f"owners.{thing}", "b")
    for row, name in enumerate(names):
        owned = plan_of(name).fabric.cluster.owners
        picture.text(20, 64 + 30 * row, name)
        for column, thing in enumerate(things):
            owner = str(getattr(owned, thing))
            colour = colours.setdefault(owner, len(colours) % 6) if owner != "none" else 6
            picture.box(170 + 178 * column, 46 + 30 * row, 176, 25, f"c{colour}", "pale")
            picture.text(174 + 178 * column, 63 + 30 * row, owner, "m")
    return picture


def addresses() -> Picture:
    """A supernet, the rails' parts of it, and the leaves' subnets in a part."""
    plan = plan_of(ROCE)
    assert plan.fabric.rails is not None
    supernet = plan.fabric.rails.ranges[0].network
    picture = Picture(900, 210, f"How {supernet} is divided between rails and leaves")
    used = max(network.last for network, *_ in plan.fabric.rails.rail_networks) + 1 - supernet.first
    scale = 860 / used

    def band(first: int, size: int, y: int, text: str, *classes: str) -> None:
        x = 20 + (first - supernet.first) * scale
        picture.box(x, y, min(size, used) * scale, 34, *classes)
        picture.text(x + 5, y + 21, text, "m")

    picture.text(
        20,
        24,
        "rails.supernets, a part of length rail_prefixes for each rail, a subnet for each leaf of the rail",
        "b",
    )
    band(supernet.first, supernet.size, 40, f"{supernet}, of which the rails use {used:,} addresses")
    for rail, (network, *_) in enumerate(plan.fabric.rails.rail_networks):
        band(network.first, network.size, 84, f"rail {rail}: {network}", f"c{rail % 6}", "pale")
    segments = [segment for segment in plan.addresses.segments if segment.rail is not None]
    for segment in segments:
        network = segment.subnets[0].network
        band(network.first, network.size, 128, "", f"c{(segment.rail or 0) % 6}")
        x = min(20 + (network.first - supernet.first) * scale, 780)
        picture.text(x, 178, f"{segment.leaf}, VLAN {segment.vlan}", "s")
        picture.text(x, 194, str(network), "m")
    return picture


def lossless() -> Picture:
    """What makes one class lossless at each hop, with values of a plan, and the path of its CNPs."""
    plan = plan_of(ROCE)
    leaf, spine = switch_of(ROCE, "leaf-1"), switch_of(ROCE, "spine-1")
    assert plan.qos is not None
    data = next(c for c in plan.qos.classes if c.lossless)
    cnp = plan.qos.cnp
    picture = Picture(900, 330, f"The lossless chain of class {data.name}, from the application to the wire")
    env = {variable.name: variable.value for variable in _workload(plan).env}
    hops = [
        ["pod", f"NCCL_IB_TC {env['NCCL_IB_TC']}", f"= DSCP {data.dscp} x 4 + ECT(0)"],
        [
            "NIC",
            f"trust {plan.qos.trust}",
            f"DSCP {data.dscp} -> priority {data.priority}",
            f"PFC on {data.priority}",
        ],
        *([switch.name, *_chain(switch, data.priority)] for switch in (leaf, spine)),
    ]
    for number, lines in enumerate(hops):
        picture.card(20 + 222 * number, 50, 194, lines)
        if number:
            picture.line(20 + 222 * number - 28, 85, 20 + 222 * number - 2, 85, arrow=True)
    picture.text(20, 30, f"class {data.name}, inventories/{ROCE}.yaml", "b")
    picture.text(20, 226, "back: PFC pauses hop by hop, CNPs slow the sender", "b")
    picture.card(
        20,
        240,
        416,
        ["PFC", f"priority {data.priority}: the port above XOFF stops the port that sends to it"],
        "c1",
        "pale",
    )
    if cnp is not None:
        queue = _queue(leaf, cnp.priority)
        served = "strict, never paused" if queue.strict else f"weight {queue.weight} %"
        texts = ["CNP", f"DSCP {cnp.dscp} -> queue {queue.number} on every switch, {served}"]
        picture.card(464, 240, 416, texts, "c2", "pale")
    return picture


def _workload(plan: Plan) -> WorkloadPlan:
    return next(workload for workload in plan.workloads if workload.workload.name == "training")


def _queue(switch: SwitchPlan, number: int) -> SwitchQueue:
    return next(queue for queue in switch.qos.queues if queue.number == number)


def _chain(switch: SwitchPlan, priority: int) -> list[str]:
    queue = _queue(switch, priority)
    port = next(port for port in switch.ports if port.headroom)
    assert port.headroom is not None
    group = switch.qos.tc_to_pg[priority]
    return [
        f"DSCP {queue.dscp_list} -> TC {priority} -> queue {queue.number}",
        f"TC {priority} -> priority group {group}",
        f"PFC on {', '.join(map(str, port.pfc))}, watchdog {switch.watchdog.detection} ms",
        *(f"ECN {ecn.kmin_bytes:,} to {ecn.kmax_bytes:,} B" for ecn in queue.ecn),
        f"headroom {port.headroom.xoff:,} B at {port.headroom.cable_m} m",
        f"XOFF at {switch.buffers.xoff_one:,} B",
    ]


def headroom() -> Picture:
    """Thresholds of one queue and group on one axis, and the headroom of each kind of port."""
    switch = switch_of(ROCE, "leaf-1")
    queue = next(queue for queue in switch.qos.queues if queue.lossless)
    buffers = switch.buffers
    picture = Picture(900, 330, f"Buffer thresholds and headroom of {switch.name}")
    picture.text(
        20, 26, f"{switch.name}, {switch.sku}: one lossless priority group, bytes used of the pool", "b"
    )
    top = buffers.xoff_one * 1.15
    picture.line(20, 90, 880, 90)
    marks = [
        (0, "0", "c6"),
        *(
            (b, t, c)
            for ecn in queue.ecn
            for b, t, c in ((ecn.kmin_bytes, "Kmin", "c2"), (ecn.kmax_bytes, "Kmax", "c5"))
        ),
    ]
    for place, name, colour in [*marks, (buffers.xoff_one, "XOFF", "c4")]:
        x = 20 + 860 * place / top
        picture.box(x - 1, 74, 3, 30, colour)
        picture.text(x, 66, name, "b", anchor="start" if place == 0 else "middle")
        picture.text(x, 122, f"{place:,}", "m", anchor="start" if place == 0 else "middle")
    picture.text(
        20,
        146,
        f"pool {buffers.pool:,} bytes; with all groups congested at once XOFF falls to {buffers.xoff_all:,}",
        "s",
    )
    kinds = {(p.speed_gbps, p.cable_m): p for p in switch.lossless_ports if p.headroom}
    worst = {kind: qbb_headroom(*kind, switch.type.port_mtu) or 0 for kind in kinds}
    picture.text(
        20, 186, "headroom of a port after XOFF: the vendor's table, and the worst case of IEEE 802.1Qbb", "b"
    )
    scale = 560 / max(worst.values())
    for row, (kind, port) in enumerate(sorted(kinds.items())):
        y = 200 + 52 * row
        picture.text(20, y + 24, f"{kind[0]} Gb/s, {kind[1]} m")
        xoff = port.headroom.xoff if port.headroom else 0
        for shift, size, name, colour in ((0, xoff, "table", "c0"), (20, worst[kind], "802.1Qbb", "c6")):
            picture.box(150, y + shift, size * scale, 16, colour, "pale")
            picture.text(156, y + shift + 12, f"{name} {size:,} bytes", "m")
    return picture


def routing() -> Picture:
    """Rules and tables of a pod: how each source address is routed to its rail."""
    plan = plan_of(ROCE)
    workload = _workload(plan)
    shown = workload.routes
    picture = Picture(900, 90 + 62 * len(shown), "Rules and routing tables of a pod")
    picture.text(
        20,
        26,
        f"pod of workload {workload.workload.name}, routing {shown[0].back_end}, inventories/{ROCE}.yaml",
        "b",
    )
    picture.text(
        20,
        52,
        "main table: default by the primary network " + plan.fabric.cluster.primary_network.interface,
        "s",
    )
    for row, route in enumerate(shown):
        y = 66 + 62 * row
        colour = f"c{row % 6}"
        picture.card(
            20, y, 190, [route.interface, f"packets from {route.source or 'its own address'}"], colour, "pale"
        )
        picture.line(212, y + 24, 248, y + 24, arrow=True)
        tables = f"table {route.table}" if route.table else "a table of its own"
        picture.card(250, y, 210, [tables, f"{route.subnet} on link"])
        picture.line(462, y + 24, 498, y + 24, arrow=True)
        others = ", ".join(dict.fromkeys(str(network) for network in route.via if network.prefixlen < 24))
        picture.card(500, y, 380, [f"via {route.gateway}", others])
    return picture


def proof() -> Picture:
    """Abilities of each NOS: written as lines, as a comment to confirm, or not at all."""
    profiles, _ = load_nos(dict.fromkeys(available(), ()))
    features = list(FEATURES)
    picture = Picture(900, 70 + 19 * len(features), "What is written for each NOS, and what stands behind it")
    for column, profile in enumerate(profiles.values()):
        picture.text(258 + 71 * column, 46, profile.name.removeprefix("cumulus-"), "s", anchor="middle")
    for row, feature in enumerate(features):
        picture.text(20, 68 + 19 * row, feature, "m")
        for column, profile in enumerate(profiles.values()):
            word, colour = _standing(profile, feature)
            picture.box(226 + 71 * column, 55 + 19 * row, 66, 17, colour, "pale")
            picture.text(259 + 71 * column, 67 + 19 * row, word, "s", anchor="middle")
    picture.text(
        20,
        24,
        "judged by a model, vendor's code or transcript; by its sources; to confirm; not written",
        "b",
    )
    return picture


def _standing(profile: NosProfile, feature: str) -> tuple[str, str]:
    if feature in profile.unconfirmed:
        return "confirm", "c5"
    if profile.supports[feature]:
        return "no", "c4"
    return ("judged", "c2") if profile.confirmed_by.get(feature) else ("sources", "c0")


PICTURES: Mapping[str, Callable[[], Picture]] = {
    "rails.svg": rails,
    "owners.svg": owners,
    "addresses.svg": addresses,
    "lossless.svg": lossless,
    "headroom.svg": headroom,
    "pod-routing.svg": routing,
    "proof.svg": proof,
}
