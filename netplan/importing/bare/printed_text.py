"""Output of ``lspci -D -nn -vmm``, ``nvidia-smi topo -m`` and ``collect.sh``.

lspci: pciutils/pciutils 0f5b941 lspci.c, show_machine: records of ``Key:<tab>value`` between empty lines;
with ``-nn`` values end in ``[15b3]``; ``NUMANode`` if the kernel reports it. The table of nvidia-smi has
GPUs, then NICs, then affinities in its header; a legend maps NIC numbers to devices, older drivers have the
devices in the header; words are separated by tabs or blanks, and escape sequences may underline the header
(tables in NVIDIA/nccl#933, NVIDIA/nccl#2157, deepseek-ai/DeepEP#128, NVIDIA/nccl-tests#78).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from netplan.diagnostics import Source
from netplan.importing.bare.rows import (
    Found,
    Name,
    Row,
    Same,
    Virtual,
    address,
    of_mac,
    of_number,
)
from netplan.importing.facts import not_taken
from netplan.importing.virtual import is_card, vf_models
from netplan.model.document import Places
from netplan.model.values import whole

_RECORD = re.compile(r"([A-Za-z]+):[ \t]+(.*)")
_ID = re.compile(r"\[([0-9a-f]{4})\]\s*\Z")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_LEGEND = re.compile(r"\s*(NIC[0-9]{1,4}):\s*(\S+)\s*\Z")
_GPU = re.compile(r"GPU([0-9]{1,3})\Z")
NEAR = ("PIX", "PXB")
"""Paths over one or several PCI bridges without a CPU's host bridge: what NCCL and k8s-launch-kit call
near."""
_NO_LINK = re.compile(r"\b(?:1|4)X SDR\b")
"""Width and speed of an InfiniBand port without link. mlx5 reports 4X QDR for an Ethernet port by default
(torvalds/linux drivers/infiniband/hw/mlx5/main.c, mlx5_query_port_roce)."""
_NETWORK = "02"
"""PCI class of network controllers (pciutils pci.ids: 0200 Ethernet, 0207 InfiniBand)."""
Lines = Iterator[tuple[str, Source]]


def lines(name: str, text: str, places: Places) -> Lines:
    """Each line with its place. ``text``: with ``\\n`` as its only line break."""
    at = places.sources.add(name, text)
    for line in text.split("\n"):
        yield line, places.sources.source(at)
        at += len(line) + 1


def lspci(said: Lines) -> Iterator[Found]:
    record: dict[str, tuple[str, Source]] = {}
    for line, at in said:
        match = _RECORD.fullmatch(line)
        if match:
            record.setdefault(match[1], (match[2], at))
        elif not line.strip():
            yield from _function(record)
            record = {}
    yield from _function(record)


def _function(record: Mapping[str, tuple[str, Source]]) -> Iterator[Found]:
    ids = {key: _ID.search(value) for key, (value, _) in record.items()}
    kind, vendor, device = ids.get("Class"), ids.get("Vendor"), ids.get("Device")
    pci = address(record["Slot"][0]) if "Slot" in record else ""
    if "Slot" in record and not (pci and kind and vendor and device):
        what = "no PCI domain, or no numeric class, vendor and device IDs; lspci -D -nn -vmm prints them"
        yield not_taken(record["Slot"][1], "Slot", record["Slot"][0], what)
    if not (pci and kind and vendor and device and kind[1].startswith(_NETWORK)):
        return
    yield Row("pci", pci, "device", f"{vendor[1]}:{device[1]}", record["Device"][1])
    numa, at = record.get("NUMANode", ("", record["Slot"][1]))
    yield from of_number("pci", pci, "numa", numa, at)


def topology(said: Lines) -> tuple[list[Found], tuple[int, Source] | None]:
    """Rows of RDMA devices near a GPU, and the number of GPUs."""
    head: list[str] = []
    near: list[tuple[str, int, str, Source]] = []
    names: dict[str, str] = {}
    gpus: tuple[int, Source] | None = None
    for raw, at in said:
        cells = _ESCAPE.sub("", raw).split()
        legend = _LEGEND.match(_ESCAPE.sub("", raw))
        if not head and len(cells) > 1 and cells[0] == "GPU0" and cells[1][:3] in ("GPU", "NIC", "mlx"):
            head = cells
            gpus = (sum(bool(_GPU.match(cell)) for cell in head), at)
        elif legend:
            names[legend[1]] = legend[2]
        elif head and cells and _GPU.match(cells[0]):
            gpu = int(cells[0][3:])
            found = zip(head, cells[1:], strict=False)
            near += [(nic, gpu, word, at) for nic, word in found if word in NEAR and not _GPU.match(nic)]
    return list(_nearest(near, names)), gpus


def _nearest(near: list[tuple[str, int, str, Source]], names: Mapping[str, str]) -> Iterator[Row]:
    """Each NIC with the first of the GPUs it is nearest to; a GPU that has a nearer NIC does not count."""
    best: dict[str, tuple[int, int, Source]] = {}
    for nic, gpu, word, at in near:
        best[nic] = min(best.get(nic, (9, gpu, at)), (NEAR.index(word), gpu, at), key=lambda row: row[:2])
    served = {gpu for distance, gpu, _ in best.values() if distance == 0}
    for nic, (distance, gpu, at) in best.items():
        if distance == 0 or gpu not in served:
            yield Row("rdma", names.get(nic, nic), "gpu", gpu, at)


_CELL = re.compile(r"([a-z_]+)=(?:\"([^\"]*)\"|(\S*))")
_RATE = re.compile(r"([0-9]{1,4}) Gb/sec")
_ARPHRD: Mapping[str, str] = {"1": "ethernet", "32": "infiniband"}
"""/sys/class/net/<name>/type (linux include/uapi/linux/if_arp.h)"""


def cells_of(line: str) -> dict[str, str]:
    """Key -> value of a line of collect.sh."""
    return {match[1]: match[2] or match[3] or "" for match in _CELL.finditer(line)}


def sysfs(said: Lines) -> Iterator[Found]:
    """One line for each network function, as collect.sh writes it: ``pci=0000:18:00.0 vendor=0x15b3 ...``"""
    for line, at in said:
        cells = cells_of(line)
        pci = address(cells.get("pci", ""))
        if not pci:
            if "pci" in cells:
                yield not_taken(at, "pci", cells["pci"], "not a PCI address")
            continue
        if cells.get("physfn"):
            yield Virtual(pci)
            continue
        ids = [cells.get(key, "").removeprefix("0x").lower() for key in ("vendor", "device")]
        if all(re.fullmatch(r"[0-9a-f]{4}", each) for each in ids):
            yield Row("pci", pci, "device", ":".join(ids), at)
        else:
            yield not_taken(at, "vendor and device", " ".join(ids), "no two numbers of four digits")
        if ":".join(ids) in vf_models() and cells.get("firmware"):  # of a card a NicDevice has it
            yield Row("pci", pci, "firmware", cells["firmware"], at)
        pairs: tuple[tuple[str, Name], ...] = (("net", "netdev"), ("ib", "rdma"))
        for key, kind in pairs:
            for name in filter(None, cells.get(key, "").split(",")):
                yield Same(pci, kind, name, at)
        yield from _numbers(pci, cells, at)
        yield from (Row("pci", pci, "oper", oper, at) for oper in _states(cells, ":".join(ids)))


def _numbers(pci: str, cells: Mapping[str, str], at: Source) -> Iterator[Found]:
    mac = cells.get("mac", "").lower()
    link = cells.get("link_layer", "").lower() or _ARPHRD.get(cells.get("type", ""), "")
    yield from of_mac("pci", pci, mac, at)
    if link in ("ethernet", "infiniband"):
        yield Row("pci", pci, "link", link, at)
    for key in ("numa", "vfs", "mtu"):
        yield from of_number("pci", pci, key, cells.get(key, ""), at)
    speed = whole(cells.get("speed", ""), 8) or 0
    if speed >= 1000:
        yield Row("pci", pci, "speed_gbps", speed // 1000, at)
    elif rate := _linked_rate(cells, link):
        yield Row("pci", pci, "speed_gbps", rate, at)


def _states(cells: Mapping[str, str], device: str) -> Iterator[str]:
    """Of the RDMA port (``4: ACTIVE``) and of the interface, whose ``operstate`` says nothing of a port of
    InfiniBand. A script without these cells has the speed: -1 is that of an interface that is up without
    link (torvalds/linux 002d8a1a net/core/net-sysfs.c, speed_show; drivers of the catalog's cards)."""
    port = cells.get("port", "").rpartition(" ")[2].lower()
    if port not in ("", "nop"):
        yield "up" if port == "active" else port
    if _ARPHRD.get(cells.get("type", "")) != "ethernet":
        return
    oper = cells.get("oper", "")
    if oper not in ("", "unknown"):
        yield oper
    elif not oper and cells.get("speed") == "-1" and is_card(device):
        yield "down"


def _linked_rate(cells: Mapping[str, str], link: str) -> int:
    """``rate`` in Gb/s; 0 if it may be the driver's default for a port without link. An Ethernet port with a
    net device has its speed there, or no link."""
    text = cells.get("rate", "")
    match = _RATE.match(text)
    if match is None or _NO_LINK.search(text):
        return 0
    if link != "infiniband" and ("speed" in cells or "4X QDR" in text):
        return 0
    return int(match[1])
