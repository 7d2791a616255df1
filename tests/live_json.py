"""What commands of switches that print JSON would print of a deployed plan, file -> data: in the shapes that
netplan/live names the sources of, written from the plan's numbers by other code than what reads them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from netplan.model.plan import Plan
from netplan.model.switching import SwitchPlan
from netplan.model.values import InterfaceAddress
from tests.live_outputs import card_of, mode, sysctl

Files = dict[str, Any]


def of(switch: SwitchPlan, plan: Plan) -> Files:
    kind = {"arista-eos": eos, "cisco-nxos": nxos, "cumulus-nvue": nvue, "juniper-junos": junos}[switch.nos]
    return {f"{switch.name}-{command}": data for command, data in kind(switch, plan).items()}


def _far(switch: SwitchPlan, plan: Plan) -> Iterator[tuple[str, str, str]]:
    """(port, far system, far port)"""
    for port in switch.ports:
        system, _, far = port.peer.partition(" ")
        far = card_of(plan, system, far)[1] if port.kind == "host" else far
        yield port.name, f"{system}.example.com", far


def _members(switch: SwitchPlan) -> dict[int, list[str]]:
    return {vlan.id: [member.port for member in vlan.members] for vlan in switch.vlans}


def eos(switch: SwitchPlan, plan: Plan) -> Files:
    neighbours: Files = {}
    for port, system, far in _far(switch, plan):
        info = {"interfaceIdType": "interfaceName", "interfaceId": f'"{far}"', "interfaceId_v2": far}
        neighbours[port] = {"lldpNeighborInfo": [{"systemName": system, "neighborInterfaceInfo": info}]}
    ports = {
        port.name: {
            "name": port.name,
            "interfaceStatus": "connected",
            "lineProtocolStatus": "up",
            "bandwidth": port.speed_gbps * 10**9,
            "forwardingModel": "routed" if port.routed else "bridged",
            "mtu": port.mtu if port.routed else 9214,
            **(eos_addresses(port.addresses) if port.routed else {}),
        }
        for port in switch.ports
    }
    loopback = {"name": "Loopback0", "forwardingModel": "routed", "lineProtocolStatus": "up"}
    ports["Loopback0"] = {**loopback, **eos_addresses(switch.loopbacks)}
    for vlan in switch.vlans:
        state = {"forwardingModel": "routed", "lineProtocolStatus": "up", "interfaceStatus": "connected"}
        name = f"Vlan{vlan.id}"
        ports[name] = {"name": name, **state, "mtu": 9214, **eos_addresses(vlan.addresses)}
    vlans = {
        str(vlan): {"status": "active", "interfaces": {port: {"privatePromoted": False} for port in ports}}
        for vlan, ports in _members(switch).items()
    }
    vlans["1"] = {"status": "active", "interfaces": {}}
    peers = {
        str(n.address): {
            "peerState": "Established",
            "peerAsn": str(n.remote_as),
            f"ipv{n.address.version}Unicast": {"afiSafiState": "negotiated"},
        }
        for n in switch.neighbours
    }
    vrf = {"vrf": "default", "routerId": switch.router_id, "asn": str(switch.asn), "peers": peers}
    return {
        "lldp.json": {"lldpNeighbors": neighbours},
        "ports.json": {"interfaces": ports},
        "vlans.json": {"vlans": vlans, "sourceDetail": ""},
        "bgp.json": {"vrfs": {"default": vrf}},
    }


def eos_addresses(addresses: Iterable[InterfaceAddress]) -> Files:
    """The first IPv4 address is the primary one."""
    own = [{"address": str(a.ip), "maskLen": a.prefixlen} for a in addresses if a.ip.version == 4]
    six = [{"subnet": str(a.network), "address": str(a.ip)} for a in addresses if a.ip.version == 6]
    none = {"address": "0.0.0.0", "maskLen": 0}
    row = {"primaryIp": own[0] if own else none, "secondaryIpsOrderedList": own[1:], "virtualIp": none}
    return {"interfaceAddress": [row], "interfaceAddressIp6": {"globalUnicastIp6s": six}}


def table(name: str, rows: Iterable[Files], native: bool = False) -> Files:
    """Of NX-OS: one row alone is an object, but for ``json native``."""
    found = list(rows)
    return {f"TABLE_{name}": {f"ROW_{name}": found if native or len(found) != 1 else found[0]}}


def nxos(switch: SwitchPlan, plan: Plan) -> Files:
    neighbours = [
        {"chassis_id": system, "l_port_id": port.replace("Ethernet", "Eth"), "port_id": far}
        for port, system, far in _far(switch, plan)
    ]
    ports = [
        {
            "interface": port.name,
            "state": "up",
            "admin_state": "up",
            "eth_mtu": str(port.mtu),
            "eth_bw": port.speed_gbps * 10**6,
            "eth_speed": f"{port.speed_gbps} Gb/s",
            "eth_mode": "access" if port.untagged and not port.tagged else mode(port),
            **nxos_address("eth", port.addresses),
        }
        for port in switch.ports
    ]
    loopback = {"interface": "loopback0", "state": "up", "admin_state": "up"}
    ports.append({**loopback, **nxos_address("eth", switch.loopbacks)})
    ports += [
        {
            "interface": f"Vlan{vlan.id}",
            "svi_admin_state": "up",
            "svi_line_proto": "up",
            **nxos_address("svi", vlan.addresses),
        }
        for vlan in switch.vlans
    ]
    vlans = [
        {
            "vlanshowbr-vlanid": str(vlan),
            "vlanshowbr-vlanstate": "active",
            "vlanshowplist-ifidx": [",".join(found[:2]), ",".join(found[2:])],
        }
        for vlan, found in _members(switch).items()
    ]
    vlans.append({"vlanshowbr-vlanid": "1", "vlanshowbr-vlanstate": "active"})
    lossless = [port for port in switch.ports if port.pfc]
    pfc = [{"if_name_str": port.name, "admin": "On", "oper": "On", "rx-stats": "7"} for port in lossless]
    queues = [
        {
            "if_name_str": f"{port.name} Interface PFC watchdog: [Enabled]",
            **table("qosgrp_stats", [nxos_queue(number) for number in port.pfc], native=True),
        }
        for port in lossless
    ]
    return {
        "lldp.json": {"neigh_hdr": "neigh_hdr", **table("nbor", neighbours)},
        "ports.json": table("interface", ports),
        "vlans.json": table("vlanbrief", vlans) | table("mtuinfo", [{"vlanshowinfo-vlanid": "1"}]),
        "bgp.json": table("vrf", [nxos_vrf(switch)]),
        "mac.json": {"age_str": "Aging Time\n----------", "age": str(switch.arp.mac_wanted)},
        "pfc.json": table("module", [table("pfc_interface", pfc)]),
        "queues.json": table("module", [table("queuing_interface", queues)], native=False),
    }


def nxos_address(kind: str, addresses: Iterable[InterfaceAddress]) -> Files:
    """Of IPv4 alone."""
    own = [a for a in addresses if a.ip.version == 4]
    return {f"{kind}_ip_addr": str(own[0].ip), f"{kind}_ip_mask": own[0].prefixlen} if own else {}


def nxos_queue(number: int) -> Files:
    entry = {"q-stat-type": "Shutdown", "q-shutdown": "0", "q-restored": "0"}
    return {"eq-qosgrp": f"{number} [Active]", **table("qosgrp_stats_entry", [entry], native=True)}


def nxos_vrf(switch: SwitchPlan) -> Files:
    families = []
    for number, version in enumerate((4, 6), 1):
        rows = [
            {"neighborid": str(n.address), "neighboras": str(n.remote_as), "state": "Established"}
            for n in switch.neighbours
            if n.address.version == version
        ]
        unicast = {"safi": 1, "af-name": f"IPv{version} Unicast"}
        if rows:
            unicast |= {"configuredpeers": len(rows), **table("neighbor", rows)}
        families.append({"af-id": number, **table("saf", [unicast])})
    own = {"vrf-router-id": switch.router_id, "vrf-local-as": str(switch.asn)}
    return {"vrf-name-out": "default", **own, **table("af", families)}


def nvue(switch: SwitchPlan, plan: Plan) -> Files:
    ports: Files = {
        port.name: {
            "type": "swp",
            "link": {
                "admin-status": "up",
                "oper-status": "up",
                "speed": f"{port.speed_gbps}G",
                "mtu": port.mtu,
                "state": {"up": {}},
            },
            "ip": {"address": {str(address): {} for address in port.addresses}, "vrf": "default"},
        }
        for port in switch.ports
    }
    lldp: Files = {
        port: {"lldp": {"neighbor": {system: {"chassis": {"system-name": system}, "port": {"name": far}}}}}
        for port, system, far in _far(switch, plan)
    }
    for vlan in switch.vlans:
        ip: Files = {"address": {str(a): {} for a in vlan.addresses} | {"fe80::1/64": {}}, "vrf": "default"}
        ports[f"vlan{vlan.id}"] = {"type": "svi", "link": {"oper-status": "up"}, "ip": ip}
    own: Files = {str(address): {} for address in switch.loopbacks}
    ports["lo"] = {"type": "loopback", "ip": {"address": {**own, "127.0.0.1/8": {}, "::1/128": {}}}}
    return {
        "lldp.json": lldp,
        "ports.json": ports,
        "vlans.json": list(bridge(switch)),
        "bgp.json": frr(switch),
        "roce.json": nvue_roce(switch),
        "sysctl.txt": sysctl(switch),
    }


def nvue_roce(switch: SwitchPlan) -> Files:
    pfc: Files = {"pfc-priority": ",".join(map(str, switch.qos.pfc)), "rx-enabled": "enabled"}
    pfc |= {"tx-enabled": "enabled", "cable-length": switch.longest_lossless_m}
    return {
        "mode": "lossless" if switch.qos.pfc else "lossy",
        "pfc": pfc,
        "congestion-control": {"congestion-mode": "ECN", "enabled-tc": "0,3", "min-threshold": "146.48 KB"},
        "trust": {"trust-mode": "pcp,dscp"},
    }


def nvue_neighbours(switch: SwitchPlan) -> Files:
    return {
        str(n.address): {"remote-as": n.remote_as, "state": "established", "uptime": "00:28:38"}
        for n in switch.neighbours
    }


def bridge(switch: SwitchPlan) -> Iterator[Files]:
    yield {"ifname": "br_default", "vlans": [{"vlan": 1, "flags": ["PVID", "Egress Untagged"]}]}
    for port in switch.ports:
        rows: list[Files] = [{"vlan": vlan} for vlan in port.tagged]
        rows += [{"vlan": vlan, "flags": ["PVID", "Egress Untagged"]} for vlan in port.untagged]
        if rows:
            yield {"ifname": port.name, "vlans": rows}


def frr(switch: SwitchPlan) -> Files:
    found: Files = {}
    for version in (4, 6):
        peers = {
            str(n.address): {"remoteAs": n.remote_as, "state": "Established", "pfxRcd": 12}
            for n in switch.neighbours
            if n.address.version == version
        }
        if peers:
            own = {"routerId": switch.router_id, "as": switch.asn, "vrfName": "default"}
            found[f"ipv{version}Unicast"] = {**own, "peerCount": len(peers), "peers": peers}
    return found


def element(**values: object) -> Files:
    """Of Junos: everything is a list of one object with ``data``."""
    return {name.replace("_", "-"): [{"data": str(value)}] for name, value in values.items()}


def junos_families(addresses: Iterable[InterfaceAddress]) -> list[Files]:
    """Of a network the zeros at the end are left out, as in 172.16.99/24."""
    found = []
    for version, name in ((4, "inet"), (6, "inet6")):
        own = [a for a in addresses if a.ip.version == version]
        rows = []
        for each in own:
            network = str(each.network)
            while version == 4 and network.partition("/")[0].endswith(".0"):
                network = network.replace(".0/", "/")
            rows.append(element(ifa_local=each.ip, ifa_destination=network))
        if rows:
            found.append({**element(address_family_name=name), "interface-address": rows})
    return found


def junos_vlans(switch: SwitchPlan) -> Iterator[Files]:
    """As of ``detail``; another port's VLAN and the default one are there too."""
    none = element(l2ng_l2rtb_name="default-switch", l2ng_l2rtb_instance_state="Active")
    for vlan in switch.vlans:
        members = [
            element(
                l2ng_l2rtb_vlan_member_interface=f"{each.port}.0*",
                l2ng_l2rtb_vlan_member_tagness="tagged" if each.tagged else "untagged",
                l2ng_l2rtb_vlan_member_interface_mode="trunk" if each.tagged else "access",
            )
            for each in vlan.members
        ]
        own = element(l2ng_l2rtb_vlan_name=f"VLAN{vlan.id}", l2ng_l2rtb_vlan_tag=vlan.id)
        yield {**none, **own, "l2ng-l2rtb-vlan-member": members}
    yield {**none, **element(l2ng_l2rtb_vlan_name="default", l2ng_l2rtb_vlan_tag=1)}


def junos(switch: SwitchPlan, plan: Plan) -> Files:
    neighbours = [
        element(
            lldp_local_port_id=port,
            lldp_remote_port_id_subtype="Interface name",
            lldp_remote_port_id=far,
            lldp_remote_system_name=system,
        )
        for port, system, far in _far(switch, plan)
    ]
    ports = [
        element(
            name=port.name, admin_status="up", oper_status="up", mtu=port.mtu, speed=f"{port.speed_gbps}Gbps"
        )
        for port in switch.ports
    ]
    for shown, port in zip(ports, switch.ports, strict=True):
        families = (
            junos_families(port.addresses) if port.routed else [element(address_family_name="eth-switch")]
        )
        shown["logical-interface"] = [{**element(name=f"{port.name}.0"), "address-family": families}]
    units = [
        {**element(name=f"irb.{vlan.id}"), "address-family": junos_families(vlan.addresses)}
        for vlan in switch.vlans
    ]
    lo = {**element(name="lo0.0"), "address-family": junos_families(switch.loopbacks)}
    ports.append({**element(name="lo0", admin_status="up", oper_status="up"), "logical-interface": [lo]})
    ports.append({**element(name="irb", admin_status="up", oper_status="up"), "logical-interface": units})
    own = {"local_as": switch.asn, "local_id": switch.router_id, "peer_cfg_rti": "master"}
    peers = [
        element(peer_address=f"{n.address}+179", peer_as=n.remote_as, peer_state="Established", **own)
        for n in switch.neighbours
    ]
    shown = {"attributes": {"xmlns": "http://xml.juniper.net/junos/23.4R1/junos"}}
    vlans = {"l2ng-l2ald-vlan-instance-group": list(junos_vlans(switch))}
    return {
        "vlans.json": {"l2ng-l2ald-vlan-instance-information": [{**shown, **vlans}]},
        "lldp.json": {"lldp-neighbors-information": [{**shown, "lldp-neighbor-information": neighbours}]},
        "ports.json": {"interface-information": [{**shown, "physical-interface": ports}]},
        "bgp.json": {"bgp-information": [{**shown, "bgp-peer": peers}]},
    }
