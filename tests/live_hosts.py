"""What a host's programs would print, file -> text, in the shapes that ``netplan/importing/bare`` names the
sources of: those of collect.sh, written by other code than what reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_LAYERS = {"ethernet": "Ethernet", "infiniband": "InfiniBand"}
_RATES = {100: "100 Gb/sec (4X EDR)", 400: "400 Gb/sec (4X NDR)"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """As it is on the host. ``netdev`` empty: it has no interface there, as of a card in a pod."""

    pci: str
    netdev: str
    rdma: str
    mac: str
    device: str = "15b3:1017"
    link: str = "ethernet"
    gbps: int = 100
    mtu: int = 9000
    vfs: int = 8
    numa: int = 0
    up: bool = True
    addresses: tuple[str, ...] = ()

    @property
    def ids(self) -> tuple[str, str]:
        vendor, _, device = self.device.partition(":")
        return vendor, device

    @property
    def is_ethernet(self) -> bool:
        return self.link == "ethernet"


def sysfs(cards: Sequence[Card], old: bool = False) -> str:
    """``old``: of a collect.sh without the states."""
    return "# netplan collect 1: pci\n" + "".join(_function(card, old) for card in cards)


def _function(card: Card, old: bool) -> str:
    vendor, device = card.ids
    cells = [
        f"pci={card.pci}",
        f"vendor=0x{vendor}",
        f"device=0x{device}",
        f"numa={card.numa}",
        f"vfs={card.vfs}",
    ]
    if card.netdev:
        cells += [
            f"net={card.netdev}",
            f"mac={card.mac}",
            f"mtu={card.mtu}",
            f"type={1 if card.is_ethernet else 32}",
        ]
        cells += [f"speed={card.gbps * 1000 if card.up else -1}"]
        cells += [] if old else [f"oper={'up' if card.up and card.is_ethernet else 'down'}"]
    if card.rdma:
        idle = "40 Gb/sec (4X QDR)" if card.is_ethernet else "10 Gb/sec (4X SDR)"
        cells += [f"ib={card.rdma}", f"link_layer={_LAYERS[card.link]}"]
        cells += [] if old else [f'port="{"4: ACTIVE" if card.up else "1: DOWN"}"']
        cells += [
            f'rate="{_RATES[card.gbps] if card.up else idle}"',
            "firmware=16.35.4030",
            "psid=MT_0000000008",
        ]
    return " ".join(cells) + "\n"


def ip_link(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """``ip -d -j link``; nobody has set up the IPoIB interfaces."""
    rows: list[dict[str, Any]] = [
        {"ifindex": 1, "ifname": "lo", "mtu": 65536, "operstate": "UNKNOWN", "link_type": "loopback"}
    ]
    for card in cards:
        if card.netdev:
            ethernet, number = card.is_ethernet, len(rows) + 1
            row = {
                "ifindex": number,
                "ifname": card.netdev,
                "flags": ["BROADCAST", "MULTICAST", "UP"],
                "mtu": card.mtu,
            }
            row |= {"operstate": "UP" if card.up and ethernet else "DOWN", "address": card.mac}
            row |= {
                "link_type": "ether" if ethernet else "infiniband",
                "parentbus": "pci",
                "parentdev": card.pci,
            }
            rows.append(row | ({"vfinfo_list": [{"vf": n} for n in range(card.vfs)]} if card.vfs else {}))
    return rows


def ip_addr(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """``ip -d -j addr``: the same with addresses, to each that of the link itself."""
    rows = ip_link(cards)
    for row, card in zip(rows[1:], [card for card in cards if card.netdev], strict=True):
        link = {"family": "inet6", "local": "fe80::1", "prefixlen": 64, "scope": "link"}
        own = [
            {"local": ip, "prefixlen": int(length), "scope": "global"}
            for ip, length in _split(card.addresses)
        ]
        row["addr_info"] = [link, *own]
    return rows


def _split(addresses: Sequence[str]) -> list[list[str]]:
    return [address.split("/") for address in addresses]


def lshw(cards: Sequence[Card]) -> list[dict[str, Any]]:
    return [
        {
            "id": f"network:{number}",
            "class": "network",
            "product": "MT27800 Family [ConnectX-5] [{}:{}]".format(*(each.upper() for each in card.ids)),
            "businfo": f"pci@{card.pci}",
            **({"logicalname": card.netdev, "serial": card.mac} if card.netdev else {}),
            "configuration": _settings(card),
        }
        for number, card in enumerate(cards)
    ]


def _settings(card: Card) -> dict[str, str]:
    if not card.netdev:
        return {"driver": "mlx5_core"}
    link = "yes" if card.up and card.is_ethernet else "no"
    return {"driver": "mlx5_core", "link": link} | ({"speed": f"{card.gbps}Gbit/s"} if link == "yes" else {})


def rdma_link(cards: Sequence[Card]) -> list[dict[str, Any]]:
    rows = []
    for number, card in enumerate(cards):
        state = {"state": "ACTIVE", "physical_state": "LINK_UP"}
        row = {"ifindex": number, "ifname": card.rdma, "port": 1}
        row |= state if card.up else {"state": "DOWN", "physical_state": "DISABLED"}
        rows.append(row | ({"netdev": card.netdev} if card.netdev and card.is_ethernet else {}))
    return rows


def devlink(cards: Sequence[Card]) -> dict[str, Any]:
    rows = {}
    for card in cards:
        row = {"type": "eth" if card.is_ethernet else "ib", "flavour": "physical", "ibdev": card.rdma}
        rows[f"pci/{card.pci}/65535"] = row | ({"netdev": card.netdev} if card.netdev else {})
    return {"port": rows}


def lspci(cards: Sequence[Card]) -> str:
    records = []
    for card in cards:
        rows = {
            "Slot": card.pci,
            "Class": "Ethernet controller [0200]" if card.is_ethernet else "Infiniband controller [0207]",
            "Vendor": f"Mellanox Technologies [{card.ids[0]}]",
            "Device": f"MT27800 Family [ConnectX-5] [{card.ids[1]}]",
            "NUMANode": str(card.numa),
        }
        records.append("".join(f"{key}:\t{value}\n" for key, value in rows.items()))
    return "\n".join(records)


def mlxconfig(card: Card) -> dict[str, Any]:
    value = "ETH(2)" if card.is_ethernet else "IB(1)"
    settings = {"LINK_TYPE_P1": {"read_only": False, "next_value": value}}
    return {"Device #1": {"device_type": "ConnectX5", "device": card.pci, "tlv_configuration": settings}}


def files(host: str, cards: Sequence[Card]) -> dict[str, str]:
    """The members of the tar of collect.sh."""
    data = {
        "ip-link": ip_link(cards),
        "ip-addr": ip_addr(cards),
        "lshw": lshw(cards),
        "rdma-link": rdma_link(cards),
        "devlink-port": devlink(cards),
        **{f"mlxconfig-{number}": mlxconfig(card) for number, card in enumerate(cards)},
    }
    texts = {"sysfs.txt": sysfs(cards), "lspci.txt": lspci(cards)}
    texts |= {f"{name}.json": json.dumps(each, indent=1) for name, each in data.items()}
    return {f"{host}.tar/{host}/{name}": text for name, text in texts.items()}
