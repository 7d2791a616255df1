"""Switch types and switches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netaddr import IPAddress

from netplan.diagnostics import Path
from netplan.model.hardware import Switch, SwitchModel, SwitchType
from netplan.model.inventory_schema import inventory_schema
from netplan.model.values import natural
from netplan.resolve.context import Context
from netplan.resolve.defaults import entry_schema
from netplan.resolve.expand import Member, expand_members, member_id


def switch_model(name: str, values: Mapping[str, Any]) -> SwitchModel:
    """Convert a catalog row, built-in or from the inventory."""
    return SwitchModel(
        name=name,
        asic=values["asic"],
        ports=values["ports"],
        lanes=values["lanes"],
        speeds_gbps=tuple(values["speeds_gbps"]),
        host_table=values["host_table"],
        source=values["source"],
    )


def build_switch_types(
    types: Mapping[str, Any], catalog: Mapping[str, Any], context: Context
) -> dict[str, SwitchType]:
    models = dict(context.switch_models) | {
        name: switch_model(name, values) for name, values in catalog.get("switches", {}).items()
    }
    out = {}
    for name in sorted(types, key=natural):
        values = types[name]
        at: Path = ("switch_types", name)
        model = models.get(values["model"])
        context.knows((*at, "model"), "switch model", values["model"], models, "switch models")
        context.knows((*at, "nos"), "NOS", values["nos"], context.nos_names, "NOS")
        if model is None:
            continue
        out[name] = SwitchType(
            name=name,
            nos=values["nos"],
            nos_version=values.get("nos_version", ""),
            model=model,
            buffer_model=values["buffer_model"],
            small_packet_percentage=values.get("small_packet_percentage"),
            frr_mode=values.get("frr_mode"),
            host_table=values.get("host_table", model.host_table),
            host_table_stated="host_table" in values,
            port_mtu=values["port_mtu"],
            queue_bytes=values.get("queue_bytes", 0),
            at=at,
        )
    return context.whole("switch_types", out)


def build_switches(
    switches: Mapping[str, Any], types: Mapping[str, SwitchType], context: Context
) -> dict[str, Switch]:
    schema = entry_schema(inventory_schema(), ("switches",))
    out = {}
    for member in expand_members(switches, ("switches",), schema, context):
        if context.is_refused("switches", member.name):
            continue
        missing = [key for key in ("type", "role") if key not in member.values]
        for key in missing:
            hint = f"add {key}: to it, or correct the name if it should override a member of a range"
            context.problems.add("NP105", member.at, f"switch {member.name} has no {key}", hint)
        kind = None if missing else types.get(member.values["type"])
        if kind is None:
            if not missing:
                name = member.values["type"]
                context.knows(member.path_of("type"), "switch type", name, types, "switch_types")
            context.refused.add(("switches", member.name))
            continue
        number = member_id(member)
        if number < 1:
            what = f"switch {member.name} has no id and its name does not end in a number of 1 or more"
            context.problems.add("NP105", member.at, what, "add id: 1 or another number of its own")
            context.refused.add(("switches", member.name))
            continue
        out[member.name] = Switch(
            name=member.name,
            type=kind,
            id=number,
            role=member.values["role"],
            router_id=_router_id(member),
            at=member.own or member.at,
        )
    return out


def _router_id(member: Member) -> IPAddress | None:
    """The stated router ID; under a range it is the first member's, and the others increment it."""
    text = member.values.get("router_id")
    if text is None:
        return None
    step = 0 if "router_id" in member.own_keys else member.offset
    return IPAddress((int(IPAddress(text)) + step) % 2**32)
