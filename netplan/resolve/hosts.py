"""Host types and hosts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.catalog import gpu_vendor, nic_driver
from netplan.diagnostics import Path
from netplan.model.hardware import Hca, HcaModel, Host, HostHca, HostType, Labels
from netplan.model.inventory_schema import inventory_schema
from netplan.model.values import natural
from netplan.resolve.context import Context
from netplan.resolve.defaults import entry_schema
from netplan.resolve.expand import Member, expand_members, member_id, paired

LINKS = {"infiniband": "infiniband"}
"""Fabric type -> link layer of its HCAs; any other type uses Ethernet."""
NETDEV_MAX = 15
"""IFNAMSIZ minus the terminating NUL: linux include/uapi/linux/if.h."""
RDMA_DEVICE_MAX = 63
"""IB_DEVICE_NAME_MAX minus the terminating NUL: linux include/uapi/rdma/rdma_netlink.h."""
HCAS_MAX = 256
"""Maximum HCAs per host; eight are usual."""


def labels(values: Mapping[str, str] | None) -> Labels:
    return tuple(sorted((values or {}).items()))


def build_host_types(
    types: Mapping[str, Any], fabric_type: str, catalog: Mapping[str, Any], context: Context
) -> dict[str, HostType]:
    models = dict(context.hca_models) | {
        name: hca_model(name, values) for name, values in catalog.get("hcas", {}).items()
    }
    schema = entry_schema(inventory_schema(), ("host_types", "*", "hcas"))
    out = {}
    for name in sorted(types, key=natural):
        values = types[name]
        at: Path = ("host_types", name)
        members = expand_members(values.get("hcas", {}), (*at, "hcas"), schema, context)
        if len(members) > HCAS_MAX:
            what = f"host type {name} has {len(members)} HCAs, the limit is {HCAS_MAX}"
            context.problems.add("NP016", (*at, "hcas"), what, "shorten the range")
            members = members[:HCAS_MAX]
        hcas = [_hca(m, LINKS.get(fabric_type, "ethernet"), models, context) for m in members]
        out[name] = HostType(
            name=name,
            node=values["node"],
            gpus=values["gpus"],
            gpu_resource=values["gpu_resource"],
            gpu_vendor=gpu_vendor(values["gpu_resource"]),
            instance_type=values.get("instance_type"),
            node_selector=labels(values.get("node_selector")),
            hcas=tuple(h for h in hcas if h is not None),
            at=at,
        )
    return out


def hca_model(name: str, values: Mapping[str, Any]) -> HcaModel:
    """Convert a catalog row, built-in or from the inventory."""
    vendor = values["vendor"]
    return HcaModel(
        name=name,
        vendor=vendor,
        driver=nic_driver(vendor, values["pf_id"]),
        pf_id=values["pf_id"],
        vf_id=values.get("vf_id"),
        max_vfs=values["max_vfs"],
        speeds_gbps=tuple(values["speeds_gbps"]),
        links=tuple(values["links"]),
        out_of_order=values["out_of_order"],
        source=values["source"],
    )


_NO_MODEL = HcaModel(
    name="",
    vendor="",
    driver=None,
    pf_id="",
    vf_id=None,
    max_vfs=0,
    speeds_gbps=(100,),
    links=("ethernet", "infiniband"),
    out_of_order=False,
    source="",
)
"""Placeholder for an unknown model; findings on such an HCA are not reported."""


def _hca(member: Member, link: str, models: Mapping[str, HcaModel], context: Context) -> Hca | None:
    values = member.values
    if "model" not in values:
        what, hint = f"HCA {member.name} has no model", "add model: to it or its range"
        if context.first("NP105", member.at):
            context.problems.add("NP105", member.at, what, hint)
        context.partial.add(member.at[:2])
        return None
    model = models.get(values["model"], _NO_MODEL)
    if model is _NO_MODEL and context.first("NP101", at := member.path_of("model")):
        context.knows(at, "HCA model", values["model"], models, "HCA models")

    def pair(key: str, longest: int) -> str | None:
        name = paired(values[key], member, key, context) if key in values else None
        if name and len(name) > longest:
            what = f"{name} has {len(name)} characters, the limit is {longest}"
            context.problems.add("NP016", member.path_of(key), what, "use the name the kernel shows")
        return name

    own_rail = "rail" in member.own_keys or member.length == 1
    rail = values.get("rail")
    if rail is not None and not own_rail:
        rail += member.offset
    pci = values["pci"].lower() if "pci" in values else None
    return Hca(
        name=member.name,
        model=model,
        pci=pci,
        netdev=pair("netdev", NETDEV_MAX),
        rdma_device=pair("rdma_device", RDMA_DEVICE_MAX),
        vf_rdma_prefix=pair("vf_rdma_prefix", RDMA_DEVICE_MAX),
        rail=rail,
        speed_gbps=values.get("speed_gbps", max(model.speeds_gbps)),
        link=values.get("link", link),
        use=values["use"],
        vfs=values.get("vfs", 0),
        virtual=values["virtual"],
        numa=values.get("numa"),
        at=member.own or member.at,
    )


def build_hosts(hosts: Mapping[str, Any], types: Mapping[str, HostType], context: Context) -> dict[str, Host]:
    schema = entry_schema(inventory_schema(), ("hosts",))
    out = {}
    for member in expand_members(hosts, ("hosts",), schema, context):
        if context.is_refused("hosts", member.name):
            continue
        host = _host(member, types, context)
        if host is not None:
            out[member.name] = host
        else:
            context.refused.add(("hosts", member.name))
    for host in out.values():
        if host.runs_on is not None:
            context.knows((*host.at, "runs_on"), "host", host.runs_on, out, "hosts")
    return out


def _host(member: Member, types: Mapping[str, HostType], context: Context) -> Host | None:
    values = member.values
    kind = types.get(values.get("type", ""))
    if kind is None:
        if "type" in values:
            context.knows(member.path_of("type"), "host type", values["type"], types, "host_types")
        else:
            hint = "add type: to it, or correct the name if it should override a member of a range"
            context.problems.add("NP105", member.at, f"host {member.name} has no type", hint)
        return None
    unnamed = "count" in values
    number = 0 if unnamed else member_id(member)
    hcas = _host_hcas(member, kind, context)
    runs_on = paired(values["runs_on"], member, "runs_on", context) if "runs_on" in values else None
    return Host(
        name=member.name,
        type=kind,
        id=number,
        named=not unnamed,
        count=values.get("count", 1),
        runs_on=runs_on,
        labels=labels(values.get("labels")),
        hcas=hcas,
        at=member.own or member.at,
    )


def _host_hcas(member: Member, kind: HostType, context: Context) -> dict[str, HostHca]:
    """Per-host HCA settings, for the HCAs that the host type defines; any other name is reported."""
    stated, where = member.values.get("hcas", {}), member.path_of("hcas")
    known = [hca.name for hca in kind.hcas]
    out = {}
    for name in sorted(stated, key=natural):
        at = (*where, name)
        if name not in known:
            context.problems.unknown(at, f"HCA of host type {kind.name}", name, known)
        own = _host_hca(stated[name], at, context)
        if name in known:
            out[name] = own
    return out


def _host_hca(values: Mapping[str, Any], at: Path, context: Context) -> HostHca:
    return HostHca(
        mac=values["mac"].lower() if "mac" in values else None,
        pci=values["pci"].lower() if "pci" in values else None,
        netdev=values.get("netdev"),
        rdma_device=values.get("rdma_device"),
        address=context.interface(values["address"], (*at, "address")) if "address" in values else None,
        at=at,
    )
