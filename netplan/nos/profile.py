"""Convert the data of a ``nos.yaml``, with defaults filled in, to a NosProfile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netplan.model.bounds import LossyPriorities, ReservedVlans, StrictQueues, SwitchBounds
from netplan.model.frr import NosFrr
from netplan.model.nos import (
    FEATURES,
    DynamicBuffers,
    HeadroomRow,
    NosAsic,
    NosBreakout,
    NosLimits,
    NosModel,
    NosOutput,
    NosProfile,
    NosUnits,
    PortForm,
    PortNumbers,
    StockMap,
    WatchdogTimer,
)
from netplan.model.nos_folder import NosFolder
from netplan.model.releases import NosForm, NosRelease, Releases
from netplan.model.switch_buffers import StockBuffers


def profile_of(folder: NosFolder, data: Mapping[str, Any]) -> NosProfile:
    """``data``: valid by ``schemas/nos.schema.json``, with defaults filled in."""
    stock = {key: _stock(value) for key, value in data["stock_buffers"].items()}
    return NosProfile(
        name=folder.name,
        folder=folder,
        title=data["title"],
        releases=releases_of(data),
        verified=data["verified"],
        outputs=tuple(NosOutput(**output) for output in data["outputs"]),
        supports={f: "" if data["supports"][f] is True else data["supports"][f] for f in FEATURES},
        unconfirmed=data["unconfirmed"],
        searched=data["searched"],
        notes=data["notes"],
        confirmed_by={f: proof for proof, features in data["confirmed_by"].items() for f in features},
        units=NosUnits(**data["units"]),
        limits=NosLimits(**data["limits"]),
        bounds=_bounds(data),
        port_name=data["port_name"],
        port_numbers=PortNumbers(**data["port_numbers"]),
        breakout=_breakout(data.get("breakout")),
        port_form=_port_form(data.get("port_form")),
        dscp_map=data["dscp_map"],
        stock_map=_stock_map(data.get("stock_map")),
        mac_age_seconds=data["mac_age_seconds"],
        kernel_neighbours=tuple(data["kernel_neighbours"]),
        buffer_models=tuple(data["buffer_models"]),
        stock_lossless=tuple(data["stock_lossless"]),
        frr_modes=tuple(_frr(key, value) for key, value in data["frr_modes"].items()),
        dynamic_buffers=_dynamic(data.get("dynamic_buffers")),
        asics={key: _asic(key, value) for key, value in data["asics"].items()},
        models={key: _model(key, value, stock) for key, value in data["models"].items()},
        sources=tuple(data["sources"]),
    )


def releases_of(data: Mapping[str, Any]) -> Releases:
    return Releases(
        known=tuple(NosRelease(**release) for release in data["releases"]),
        default=data["default_release"],
        forms={name: tuple(NosForm(**f) for f in forms) for name, forms in data["forms"].items()},
    )


def _port_form(data: Mapping[str, Any] | None) -> PortForm | None:
    return None if data is None else PortForm(**data)


def _stock_map(data: Mapping[str, Any] | None) -> StockMap | None:
    return None if data is None else StockMap(**data)


def _dynamic(data: Mapping[str, Any] | None) -> DynamicBuffers | None:
    if data is None:
        return None
    quanta = {int(speed): count for speed, count in data["peer_response_quanta"].items()}
    return DynamicBuffers(
        lossless_mtu=data["lossless_mtu"],
        small_packet_percent=data["small_packet_percent"],
        mac_phy_bytes=data["mac_phy_bytes"],
        peer_bytes=data["peer_bytes"],
        metres_per_second=data["metres_per_second"],
        dynamic_th=data["dynamic_th"],
        peer_response_quanta=quanta,
        source=data["source"],
    )


def _bounds(data: Mapping[str, Any]) -> SwitchBounds:
    strict, vlans, routed = (data.get(k) for k in ("strict_queues", "reserved_vlans", "routed_vlans"))
    return SwitchBounds(
        strict_queues=None if strict is None else StrictQueues(**strict),
        lossy_priorities=_lossy(data.get("lossy_priorities")),
        reserved_vlans=None if vlans is None else ReservedVlans(**vlans),
        routed_vlans=0 if routed is None else routed["first"],
    )


def _lossy(data: Mapping[str, Any] | None) -> LossyPriorities | None:
    if data is None:
        return None
    return LossyPriorities(numbers=tuple(data["numbers"]), why=data["why"], source=data["source"])


def _frr(name: str, data: Mapping[str, Any]) -> NosFrr:
    config = tuple(data["routing_config"])
    return NosFrr(name=name, routing_config=config, framework=data["framework"], bgp=data["bgp"])


def _breakout(data: Mapping[str, Any] | None) -> NosBreakout | None:
    if data is None:
        return None
    name, parts, first = data["name"], data["parts"], data["first"]
    return NosBreakout(name=name, parts=parts, first=first, splits=tuple(data["splits"]))


def _asic(name: str, data: Mapping[str, Any]) -> NosAsic:
    watchdog = _timer(data["watchdog"]) if "watchdog" in data else None
    return NosAsic(
        name=name,
        cell_bytes=data["cell_bytes"],
        queue_bytes=data["queue_bytes"],
        pipeline_bytes=data["pipeline_bytes"],
        tile=data["tile"],
        eight_lane_gbps=tuple(data["eight_lane_gbps"]),
        adaptive_gbps=tuple(data["adaptive_gbps"]),
        flags=tuple(data["flags"]),
        confirms=tuple(data["confirms"]),
        watchdog=watchdog,
        lossy_priorities=_lossy(data.get("lossy_priorities")),
        source=data["source"],
    )


def _stock(data: Mapping[str, Any]) -> StockBuffers:
    return StockBuffers(
        lossless=data["lossless"],
        lossy=data["lossy"],
        lossless_queues=tuple(_range(text) for text in data["lossless_queues"]),
        lossy_queues=tuple(_range(text) for text in data["lossy_queues"]),
        groups=tuple(_range(text) for text in data["groups"]),
        source=data["source"],
    )


def _range(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first), int(last or first)


def _timer(data: Mapping[str, Any]) -> WatchdogTimer:
    low, high = data["detection"]
    least, most = data["restoration"]
    return WatchdogTimer(steps_ms=tuple(data["steps_ms"]), detection=(low, high), restoration=(least, most))


def _model(name: str, data: Mapping[str, Any], stock: Mapping[str, StockBuffers]) -> NosModel:
    stock_buffers = stock[data["stock"]] if "stock" in data else None
    return NosModel(
        name=name,
        sku=data["sku"],
        pool_bytes=data["pool_bytes"],
        buffer_bytes=data["buffer_bytes"],
        shared_headroom=data["shared_headroom"],
        stock_buffers=stock_buffers,
        headroom=tuple(_row(*numbers) for numbers in data["headroom"]),
        source=data["source"],
    )


def _row(*numbers: int) -> HeadroomRow:
    speed, cable, size, xon, xoff, threshold, *offset = numbers
    return HeadroomRow(
        speed_gbps=speed,
        cable_m=cable,
        size=size,
        xon=xon,
        xoff=xoff,
        dynamic_th=threshold,
        xon_offset=offset[0] if offset else None,
    )
