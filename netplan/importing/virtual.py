"""Functions that a hypervisor gives to a machine: virtual functions without their card, EFA, PVRDMA.

The model of such a VF comes from the first of these that knows it:

1. its device ID, where one model alone has it; 2. the firmware, which the VF has from its card: the number
before the first dot is the chip's (docs.nvidia.com mlxup 4.29.0 and MFT 4.34.1, supported adapter cards and
firmware versions); 3. the instance type of a cloud, by the catalog's systems.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from netplan.catalog import hca_rows, instance_types
from netplan.importing.facts import Of, Said, Site
from netplan.model.values import parse_address

FABRICS: Mapping[str, str] = {"1d0f": "efa", "15ad": "pvrdma"}
"""Vendor of functions that there are in virtual machines alone, and the kind of fabric."""
FIRMWARE: Mapping[str, str] = {
    "12": "connectx-4",
    "14": "connectx-4-lx",
    "20": "connectx-6",
    "22": "connectx-6-dx",
    "24": "bluefield-2",
    "26": "connectx-6-lx",
    "28": "connectx-7",
    "32": "bluefield-3",
    "40": "connectx-8",
}
INSTANCE_TYPE = "label/node.kubernetes.io/instance-type"
EFA = "efa"


@cache
def vf_models() -> dict[str, tuple[str, ...]]:
    """``15b3:101e`` -> the models whose virtual functions have this ID, and no physical one."""
    found: dict[str, tuple[str, ...]] = {}
    for name, row in hca_rows().items():
        device = f"{row['vendor']}:{row['vf_id']}"
        if row["vf_id"] and device not in physical_models():
            found[device] = (*found.get(device, ()), name)
    return found


@cache
def physical_models() -> dict[str, tuple[str, ...]]:
    """``15b3:1021`` -> the models whose physical functions have this ID."""
    found: dict[str, tuple[str, ...]] = {}
    for name, row in hca_rows().items():
        device = f"{row['vendor']}:{row['pf_id']}"
        found[device] = (*found.get(device, ()), name)
    return found


def fabric_of(model: str) -> str:
    """``efa`` or ``pvrdma``; empty for another model, or none."""
    return FABRICS.get(hca_rows()[model]["vendor"], "") if model else ""


def is_virtual(device: str, model: str) -> bool:
    """Whether a function that is a card of its own is one of a virtual machine."""
    return device in vf_models() or bool(fabric_of(model))


def is_card(device: str) -> bool:
    """Whether the ID is one of the catalog's physical functions outside of clouds and hypervisors."""
    return any(not fabric_of(model) for model in physical_models().get(device, ()))


def possible_models(device: str, fields: Mapping[str, Said]) -> tuple[str, ...]:
    """Of a VF: those that its speed and link leave."""
    speed, link = fields.get("speed_gbps"), fields.get("link")
    rows = hca_rows()
    return tuple(
        name
        for name in vf_models().get(device, ())
        if (speed is None or speed.value in rows[name]["speeds_gbps"])
        and (link is None or link.value in rows[name]["links"])
    )


def vf_model(site: Site, of: Of, device: str, fields: Mapping[str, Said]) -> str:
    """Empty where nothing says which of several."""
    models = vf_models().get(device, ())
    if len(models) == 1:
        return models[0]
    firmware = FIRMWARE.get(site.text("card", of, "firmware").partition(".")[0], "")
    cloud = instance_types().get(site.text("node", of[:1], INSTANCE_TYPE))
    sold = cloud["hcas"][0] if cloud is not None else ""
    return next((name for name in (firmware, sold) if name in models), "")


def efa_of_nodes(site: Site) -> list[tuple[Of, str, dict[str, Said]]]:
    """Node and a name for each EFA device that it has by its capacity, where no dump has its functions; the
    model, and the speed, by the instance type."""
    seen = {of[0] for of in site.every("card") if site.text("card", of, "device").startswith("1d0f:efa")}
    found: list[tuple[Of, str, dict[str, Said]]] = []
    for (node,) in site.every("node"):
        count = site.said("node", (node,), EFA)
        if count is None or not isinstance(count.value, int) or node in seen:
            continue
        label = site.said("node", (node,), INSTANCE_TYPE)
        row = instance_types().get(str(label.value)) if label else None
        fields = {"efa": count}
        if row is not None and label is not None:
            fields["speed_gbps"] = Said(row["speed_gbps"], label.at)
        model = row["hcas"][0] if row else ""
        found += [((node, f"{EFA}{n:02}"), model, fields) for n in range(count.value)]
    return found


def address_of(site: Site, of: Of) -> Said | None:
    """The first address of a PVRDMA device, with its length: that of the vmxnet3 function 0 of its slot, from
    which its GIDs come (torvalds/linux drivers/infiniband/hw/vmw_pvrdma/pvrdma_main.c, the paired device)."""
    node, pci = of
    beside = (node, f"{pci.rpartition('.')[0]}.0")
    for ip, said in site.prefixed("card", beside, "address/"):
        if parse_address(ip) is not None and said.value:
            return Said(f"{ip}/{said.value}", said.at)
    return None
