"""Read NOS folders: ``templates/switch/<nos>/nos.yaml``, validated, as types.

NP101  a NOS that is no folder
NP801  a nos.yaml that cannot be used
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path as FilePath
from typing import Any

from netplan import resources
from netplan.diagnostics import Diagnostic, Path, Severity, dotted
from netplan.model.bounds import LossyPriorities, ReservedVlans, StrictQueues, SwitchBounds
from netplan.model.document import Places, SourceMap
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
    PortNumbers,
    WatchdogTimer,
)
from netplan.model.releases import NosForm, NosRelease, Releases
from netplan.model.switch_buffers import StockBuffers
from netplan.strict import validator
from netplan.yaml12 import parse


def switch_folder() -> FilePath:
    return resources.templates() / "switch"


def available(folder: FilePath | None = None) -> tuple[str, ...]:
    """Names of the folders that hold a ``nos.yaml``."""
    return tuple(sorted(path.parent.name for path in (folder or switch_folder()).glob("*/nos.yaml")))


def load_nos(
    names: Mapping[str, Path], folder: FilePath | None = None
) -> tuple[dict[str, NosProfile], list[Diagnostic]]:
    """The profiles of ``names``: NOS -> inventory path that asks for it. Only these are read."""
    folder = folder or switch_folder()
    profiles: dict[str, NosProfile] = {}
    problems: list[Diagnostic] = []
    known = available(folder)
    for name, at in sorted(names.items()):
        if name not in known:
            hint = f"known: {', '.join(known) or 'none'}"
            problems.append(Diagnostic("NP101", Severity.ERROR, at, f"NOS {name} does not exist", hint))
            continue
        data, found = _read(folder / name / "nos.yaml", at)
        problems += found
        if not found:
            profiles[name] = _profile(name, folder / name, data)
    return profiles, problems


def _read(path: FilePath, at: Path) -> tuple[Any, list[Diagnostic]]:
    """The data of one file, and whatever is wrong with it as NP801."""
    shown = f"{path.parent.name}/{path.name}"
    data, texts = _parsed(shown, path.read_text(encoding="utf-8"))
    hint = f"correct {shown}"
    return data, [Diagnostic("NP801", Severity.ERROR, at, f"{shown}: {text}", hint) for text in texts]


@lru_cache(maxsize=32)
def _parsed(shown: str, text: str) -> tuple[Any, tuple[str, ...]]:
    """What a file says, and what is wrong with it; kept, because reading is slow. Nobody changes the data."""
    parsed = parse(shown, text, Places(SourceMap()))
    if parsed.problems:
        return parsed.data, tuple(problem.message for problem in parsed.problems)
    errors = _validator().iter_errors(parsed.data)
    texts = tuple(f"{dotted(tuple(e.absolute_path))}: {e.message}" for e in errors)
    return parsed.data, texts or tuple(_releases(parsed.data).faults())


@cache
def _validator() -> Any:
    return validator(json.loads((resources.schemas() / "nos.schema.json").read_text(encoding="utf-8")))


def _profile(name: str, folder: FilePath, data: Mapping[str, Any]) -> NosProfile:
    units, limits = data["units"], data.get("limits", {})
    stock = {key: _stock(value) for key, value in data.get("stock_buffers", {}).items()}
    return NosProfile(
        name=name,
        folder=str(folder),
        title=data["title"],
        releases=_releases(data),
        verified=data["verified"],
        outputs=tuple(
            NosOutput(
                template=o["template"],
                file=o["file"],
                format=o.get("format", "text"),
                needs=o.get("needs", "always"),
            )
            for o in data["outputs"]
        ),
        supports={f: "" if data["supports"][f] is True else data["supports"][f] for f in FEATURES},
        unconfirmed=dict(data.get("unconfirmed", {})),
        searched=dict(data.get("searched", {})),
        notes=dict(data.get("notes", {})),
        confirmed_by={f: proof for proof, features in data.get("confirmed_by", {}).items() for f in features},
        units=NosUnits(
            ecn=units["ecn"],
            arp=units.get("arp", "s"),
            watchdog=units.get("watchdog", "ms"),
            watchdog_poll_ms=units.get("watchdog_poll_ms", 0),
            watchdog_detection=units.get("watchdog_detection", "time"),
            watchdog_poll=units.get("watchdog_poll", "any"),
            watchdog_restoration=units.get("watchdog_restoration", ""),
            mtu_overhead=units.get("mtu_overhead", 0),
        ),
        limits=NosLimits(
            mtu_max=limits.get("mtu_max", 0),
            arp_min=limits.get("arp_min", 0),
            arp_max=limits.get("arp_max", 0),
            cable_max_m=limits.get("cable_max_m", 0),
            mac_min=limits.get("mac_min", 0),
            mac_max=limits.get("mac_max", 0),
        ),
        bounds=_bounds(data),
        port_name=data["port_name"],
        port_numbers=PortNumbers(**data["port_numbers"]),
        breakout=_breakout(data.get("breakout")),
        dscp_map=data.get("dscp_map", "any"),
        mac_age_seconds=data.get("mac_age_seconds", 0),
        kernel_neighbours=tuple(data.get("kernel_neighbours", ())),
        buffer_models=tuple(data.get("buffer_models", ())),
        stock_lossless=tuple(data.get("stock_lossless", ())),
        frr_modes=tuple(_frr(key, value) for key, value in data.get("frr_modes", {}).items()),
        dynamic_buffers=_dynamic(data.get("dynamic_buffers")),
        asics={key: _asic(key, value) for key, value in data["asics"].items()},
        models={key: _model(key, value, stock) for key, value in data.get("models", {}).items()},
        sources=tuple(data["sources"]),
    )


def _releases(data: Mapping[str, Any]) -> Releases:
    return Releases(
        known=tuple(NosRelease(**release) for release in data["releases"]),
        default=data["default_release"],
        forms={name: tuple(NosForm(**f) for f in forms) for name, forms in data.get("forms", {}).items()},
    )


def _dynamic(data: Mapping[str, Any] | None) -> DynamicBuffers | None:
    if data is None:
        return None
    quanta = {int(speed): count for speed, count in data["peer_response_quanta"].items()}
    return DynamicBuffers(**{**data, "peer_response_quanta": quanta})


def _bounds(data: Mapping[str, Any]) -> SwitchBounds:
    strict, vlans = data.get("strict_queues"), data.get("reserved_vlans")
    return SwitchBounds(
        strict_queues=None if strict is None else StrictQueues(**strict),
        lossy_priorities=_lossy(data.get("lossy_priorities")),
        reserved_vlans=None if vlans is None else ReservedVlans(**vlans),
        routed_vlans=data.get("routed_vlans", {}).get("first", 0),
    )


def _lossy(data: Mapping[str, Any] | None) -> LossyPriorities | None:
    return None if data is None else LossyPriorities(**{**data, "numbers": tuple(data["numbers"])})


def _frr(name: str, data: Mapping[str, Any]) -> NosFrr:
    config = tuple(data["routing_config"])
    return NosFrr(name=name, routing_config=config, framework=data["framework"], bgp=data["bgp"])


def _breakout(data: Mapping[str, Any] | None) -> NosBreakout | None:
    if data is None:
        return None
    return NosBreakout(
        name=data["name"],
        parts=data["parts"],
        first=data.get("first", 0),
        splits=tuple(data.get("splits", ())),
    )


def _asic(name: str, data: Mapping[str, Any]) -> NosAsic:
    return NosAsic(
        name=name,
        cell_bytes=data.get("cell_bytes", 0),
        queue_bytes=data.get("queue_bytes", 0),
        pipeline_bytes=data.get("pipeline_bytes", 0),
        tile=data.get("tile", False),
        eight_lane_gbps=tuple(data.get("eight_lane_gbps", ())),
        adaptive_gbps=tuple(data.get("adaptive_gbps", ())),
        flags=tuple(data.get("flags", ())),
        confirms=tuple(data.get("confirms", ())),
        watchdog=_timer(data["watchdog"]) if "watchdog" in data else None,
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
    return NosModel(
        name=name,
        sku=data["sku"],
        pool_bytes=data.get("pool_bytes", 0),
        buffer_bytes=data.get("buffer_bytes", 0),
        shared_headroom=data.get("shared_headroom", False),
        stock_buffers=stock.get(data.get("stock", "")),
        headroom=tuple(_row(*numbers) for numbers in data.get("headroom", ())),
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
