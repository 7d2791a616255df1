"""The inventory of an answer as text, in the style of ``inventories/``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

from netplan import resources
from netplan.model.inventory_text import Flow, flow, key, scalar
from netplan.presets.addresses import pod_cidr
from netplan.presets.answer import ECN_RULE, PresetAnswer, Switches
from netplan.presets.cables import host_rows, hosts_name, leaves_name, series, spines_name, switch_rows
from netplan.printable import printable
from netplan.render.jinja import environment

HOST_METRES, SWITCH_METRES = 5, 40
_FIRST_VLAN = 100
_WIDTH = 116
_INFINIBAND = "ib: {mode: device-only, resource_name: rdma_ib}"
_GROUP = "example.com/leaf-group"
_TEMPLATE = "inventory.yaml.j2"


def inventory_text(answer: PresetAnswer) -> str:
    template = environment(resources.templates() / "preset").get_template(_TEMPLATE)
    text = template.render(_common(answer), **_network(answer), **_of_switches(answer))
    return text if text.endswith("\n") else f"{text}\n"


def assumptions(answer: PresetAnswer) -> Iterator[str]:
    """Values that an inventory needs and no source has, for the user to check."""
    system = answer.system
    if _names_netdevs(answer) and not answer.ask.netdev:
        why = "VFs are made by name" if answer.pci else f"no source has PCI addresses of {system.name}"
        yield f"interface names {_netdev(answer)}: {why}; give --netdev{'' if answer.pci else ' or --pci'}"
    if answer.switches is not None:
        yield f"cables of {HOST_METRES} m to hosts and {SWITCH_METRES} m between switches"
        yield "address ranges, AS numbers and VLAN IDs, QoS class, host and switch names"
    else:
        yield "image"


def _common(answer: PresetAnswer) -> dict[str, Any]:
    system, ask = answer.system, answer.ask
    cloud = bool(system.instance_type)
    return {
        "head": list(_head(answer)),
        "site": ask.site or system.name,
        "fabric": answer.fabric,
        "pod_cidr": pod_cidr(ask.hosts).network,
        "owners": _owners(answer),
        "rails": answer.rails,
        "type": system.name,
        "instance_type": system.instance_type,
        "gpus": system.gpus,
        "gpu_resource": system.gpu_resource,
        "node_selector": _selector(answer),
        "hcas": list(_hcas(answer)),
        "hosts": list(_hosts(answer, cloud)),
        "catalog": list(_catalog(answer)),
    }


def _head(answer: PresetAnswer) -> Iterator[str]:
    """Comment lines: what the inventory is, how it was sized, where values come from, what is assumed."""
    system, ask = answer.system, answer.ask
    hosts = f"{ask.hosts:,} {'host' if ask.hosts == 1 else 'hosts'}"
    facts = f"number and speed of GPUs and HCAs, {answer.hca}"
    if answer.pci and not ask.pci:
        facts += ", PCI addresses by rail"
    told = [
        f"{system.title}: {hosts}, {answer.rails} HCAs of {system.speed_gbps} Gb/s each.",
        *([" ".join(_counts(answer))] if answer.switches is not None else []),
        f"From the catalog: {facts}.",
        *(f"Source: {source}" for source in system.sources),
        f"Assumed, replace with your own: {'; '.join(assumptions(answer))}.",
        *(f"Note: {note}." for note in system.notes),
    ]
    for text in told:
        yield from textwrap.wrap(
            printable(text.strip()), _WIDTH, break_long_words=False, break_on_hyphens=False
        )


def _counts(answer: PresetAnswer) -> Iterator[str]:
    switches = answer.switches
    if switches is None:
        return
    found, numbers = switches.design, switches.design.numbers
    groups = f"{_many(found.groups, 'group', 'groups')} of {_leaves(found.leaves_per_group)}"
    rails = _many(numbers.rails_per_leaf, "rail", "rails")
    yield (
        f"Counts: {groups}, {rails} to a leaf, up to {_many(found.most, 'host', 'hosts')} "
        f"to a group: {_leaves(found.leaves)},"
    )
    links = f"{_many(found.spines, 'spine', 'spines')}, {_many(found.links, 'link', 'links')}"
    yield (
        f"ports of {numbers.down.speed_gbps} Gb/s, {numbers.down.parts} to a port of {switches.leaf}; "
        f"{links} from each leaf to each: {_ratio(switches)}."
    )


def _leaves(number: int) -> str:
    return _many(number, "leaf", "leaves")


def _many(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"


def _ratio(switches: Switches) -> str:
    ratio = switches.design.ratio
    return "no uplinks" if ratio is None else f"oversubscription {float(ratio):.3g}:1"


def _owners(answer: PresetAnswer) -> Flow:
    vfs = "host" if answer.ask.vfs else "none"
    if answer.system.virtual:
        vfs = "hypervisor"
    return flow({"vfs": vfs, "device_plugin": "manual", "nads": "netplan", "nic_qos": "host"})


def _selector(answer: PresetAnswer) -> Flow:
    if answer.system.instance_type:
        return flow({"node.kubernetes.io/instance-type": answer.system.instance_type})
    return flow({"example.com/host-type": answer.system.name})


def _hosts(answer: PresetAnswer, cloud: bool) -> Iterator[str]:
    """If subnets are per leaf, the hosts of each group of leaves get a label for pools to select by."""
    kind = answer.system.name
    if cloud:
        yield f"workers: {flow({'type': kind, 'count': answer.ask.hosts})}"
    elif answer.switches is None:
        name = series("gpu-", 1, answer.ask.hosts, len(str(answer.ask.hosts)))
        yield f"{name}: {flow({'type': kind, 'id': 1})}"
    else:
        found = answer.switches.design
        for number, (first, count) in _host_groups(answer.switches):
            label = {_GROUP: str(number)} if found.groups > 1 and answer.switches.segment == "leaf" else {}
            values = {"type": kind, "id": first + 1} | ({"labels": flow(label)} if label else {})
            yield f"{hosts_name(found, first, count)}: {flow(values)}"


def _host_groups(switches: Switches) -> Iterator[tuple[int, tuple[int, int]]]:
    """(number from 1, (first host, count)); a single group if groups do not matter."""
    found = switches.design
    if switches.segment == "host":
        yield 1, (0, found.numbers.hosts)
    else:
        yield from ((group + 1, found.group(group)) for group in range(found.groups))


def _prefix(answer: PresetAnswer) -> str:
    return {"roce": "roce", "infiniband": "ib", "efa": "efa"}[answer.fabric]


def _names_netdevs(answer: PresetAnswer) -> bool:
    """A card without a PCI address is selected by its interface, and VFs are created through it."""
    if answer.system.virtual or answer.fabric == "efa":
        return False
    return bool(answer.ask.netdev or answer.ask.vfs or not answer.pci)


def _netdev(answer: PresetAnswer) -> str:
    return answer.ask.netdev or series("rail", 0, answer.rails, 1)


def _hcas(answer: PresetAnswer) -> Iterator[str]:
    system, prefix = answer.system, _prefix(answer)
    values: dict[str, object] = {"model": answer.hca}
    if answer.fabric == "roce":
        values["rail"] = 0
    values |= {"speed_gbps": system.speed_gbps, "use": "vf" if answer.ask.vfs or system.virtual else "pf"}
    if answer.ask.vfs:
        values["vfs"] = answer.ask.vfs
    if system.virtual or answer.fabric == "efa":
        values["virtual"] = True
    if _names_netdevs(answer):
        values["netdev"] = _netdev(answer)
    if answer.rails == 1:  # the range is the card itself, and a key may occur once
        values |= dict(_own(answer, 0))
        yield f"{prefix}0: {flow(values)}"
        return
    yield f"{series(prefix, 0, answer.rails, 1)}: {flow(values)}"
    for rail in range(answer.rails):
        own = dict(_own(answer, rail))
        if own:
            yield f"{prefix}{rail}: {flow(own)}"


def _own(answer: PresetAnswer, rail: int) -> Iterator[tuple[str, object]]:
    """Values of a single card. Devices and NUMA nodes of the catalog go with its PCI addresses."""
    system, given = answer.system, answer.ask.pci
    if answer.pci:
        yield "pci", answer.pci[rail]
    if system.rdma_devices and not given and answer.fabric != "roce":
        yield "rdma_device", system.rdma_devices[rail]
    if system.numa and not given:
        yield "numa", system.numa[rail]


def _network(answer: PresetAnswer) -> dict[str, Any]:
    ask, name = answer.ask, answer.system.name
    if answer.fabric == "roce":
        mode, routing = ("sriov", "sbr") if ask.vfs else ("host-device", "script")
        row = {"for_each": "rails", "mode": mode, "ipam": "nv-ipam", "namespaces": ["training"]}
        return {
            "network_name": "rail",
            "network": f"rail: {flow({**row, 'resource': 'per-rail', 'routing': routing})}",
            "jobs": list(_jobs(answer)),
        }
    network = {"efa": "efa: {mode: device-only}", "infiniband": _INFINIBAND}[answer.fabric]
    kind = network.partition(":")[0]
    return {"network_name": kind, "network": network, "jobs": [("training", name, ask.hosts)]}


def _jobs(answer: PresetAnswer) -> Iterator[tuple[str, str, int]]:
    """A workload per group of leaves if subnets are per leaf, else one for all hosts."""
    switches = answer.switches
    if switches is None or switches.segment == "host" or switches.design.groups == 1:
        yield "training", answer.system.name, answer.ask.hosts
        return
    for number, (first, count) in _host_groups(switches):
        yield f"training-{number}", scalar(hosts_name(switches.design, first, count)), count


def _of_switches(answer: PresetAnswer) -> dict[str, Any]:
    switches = answer.switches
    if switches is None:
        return {}
    found, addresses = switches.design, switches.plan
    return {
        "segment": switches.segment,
        "ecn_rule": ECN_RULE,
        "watchdog": switches.nos.writes("pfc_watchdog"),
        "arp_age": switches.nos.writes("arp_age"),
        "nos": switches.nos.name,
        "cross_rail": "any"
        if found.spines or found.leaves == 1
        else "aligned # no spines: a rail ends on its leaf",
        "loopbacks": addresses.loopbacks.network,
        "uplinks": addresses.uplinks.network,
        "uplinks_per_leaf": found.uplinks,
        "percent": -(-found.numbers.oversubscription * 100 // 1),
        "vlan_ids": f"{_FIRST_VLAN}-{_FIRST_VLAN + answer.rails - 1}" if answer.rails > 1 else _FIRST_VLAN,
        "supernet": addresses.supernet.network,
        "rail_prefix": addresses.rail_prefix,
        "prefix": addresses.prefix,
        "switch_types": list(_switch_types(switches)),
        "switches": list(_switch_lines(switches)),
        "links": {
            "down": [flow(row) for row in host_rows(found, "roce", HOST_METRES)],
            "up": [flow(row) for row in switch_rows(found, SWITCH_METRES)],
        },
    }


def _switch_types(switches: Switches) -> Iterator[str]:
    mtu = switches.nos.limits.mtu_max
    frr = switches.segment == "host" and bool(switches.nos.frr_modes)
    for model in dict.fromkeys([switches.leaf, *([switches.spine] if switches.design.spines else [])]):
        values: dict[str, object] = {
            "nos": switches.nos.name,
            "model": model,
            "port_mtu": min(mtu or 9216, 9216),
        }
        if frr:
            values["frr_mode"] = "frrcfgd"
        if switches.host_table:
            values["host_table"] = switches.host_table
        if switches.queue_bytes:
            values["queue_bytes"] = switches.queue_bytes
        why = (
            " # frr_mgmt_framework_config true on the switch: bgpcfgd would lose the host links"
            if frr
            else ""
        )
        yield f"{model}: {flow(values)}{why}"


def _switch_lines(switches: Switches) -> Iterator[str]:
    found = switches.design
    yield f"{key(leaves_name(found))}: {flow({'type': switches.leaf, 'id': 1, 'role': 'leaf'})}"
    if found.spines:
        row = {"type": switches.spine, "id": switches.plan.first_spine, "role": "spine"}
        yield f"{key(spines_name(found))}: {flow(row)}"


def _catalog(answer: PresetAnswer) -> Iterator[str]:
    """Rows of a site's own catalog file that the inventory uses."""
    systems, switches = answer.systems, answer.switches
    models = () if switches is None else (switches.leaf, switches.spine)
    used = {
        "hcas": {name: row for name, row in systems.own_hcas.items() if name == answer.hca},
        "switches": {name: row for name, row in systems.own_switches.items() if name in models},
    }
    for section, rows in used.items():
        if rows:
            yield f"{section}:"
            yield from (f"  {key(name)}: {flow(row)}" for name, row in rows.items())
