"""Built-in data, each row with its source: models of HCAs and switches, which an inventory extends under
``catalog``, NIC drivers, GPU vendors, optics and releases of the NVIDIA Network Operator."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from netplan.model.document import Places, SourceMap
from netplan.model.hardware import GpuVendor, NicDriver
from netplan.model.inventory_schema import packaged_schema, schema_at
from netplan.model.operator_releases import FieldSpan, Image, OperatorRelease, OperatorReleases, Release
from netplan.strict import fill
from netplan.yaml12 import parse

_FOLDER = Path(__file__).parent
OPERATOR_RELEASES = "operator-releases.schema.json"


@cache
def _read(name: str) -> Mapping[str, Any]:
    text = (_FOLDER / name).read_text(encoding="utf-8")
    parsed = parse(name, text, Places(SourceMap()))
    data: Mapping[str, Any] = parsed.data
    return data


@cache
def hca_rows() -> Mapping[str, Any]:
    return with_defaults("hcas", _read("hcas.yaml"))


@cache
def switch_rows() -> Mapping[str, Any]:
    return with_defaults("switches", _read("switches.yaml"))


def with_defaults(section: str, rows: Mapping[str, Any]) -> Mapping[str, Any]:
    """Rows of a ``catalog`` section, with defaults from the inventory schema filled in."""
    filled: Mapping[str, Any] = fill(rows, schema_at("catalog", section))
    return filled


@cache
def nic_drivers() -> tuple[NicDriver, ...]:
    """NIC drivers in lookup order."""
    return tuple(_nic_driver(name, row) for name, row in _read("nics.yaml").items())


def nic_script_rows() -> Mapping[str, Any]:
    """Known lines of NIC setup scripts."""
    return _read("nic_scripts.yaml")


@cache
def sysctl_rows() -> Mapping[str, Any]:
    """Known sysctls of network interfaces."""
    return _read("sysctls.yaml")


def _nic_driver(name: str, row: Mapping[str, Any]) -> NicDriver:
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in row.items()}
    return NicDriver(name=name, **values)


def nic_driver(vendor: str, pf_id: str) -> NicDriver | None:
    return next((d for d in nic_drivers() if d.drives(vendor, pf_id)), None)


@cache
def gpu_vendors() -> tuple[GpuVendor, ...]:
    return tuple(_gpu_vendor(name, row) for name, row in _read("gpus.yaml").items())


def _gpu_vendor(name: str, row: Mapping[str, Any]) -> GpuVendor:
    return GpuVendor(
        name=name,
        library=row["library"],
        resources=row["resources"],
        nccl_variables=row["nccl_variables"],
        env=tuple((key, one["value"], one["reason"]) for key, one in row["env"].items()),
        omitted=tuple(row["omitted"].items()),
        over_tcp=tuple(row["over_tcp"].items()),
        sources=tuple(row["sources"]),
    )


def is_gpu(resource: str) -> bool:
    """Whether a GPU vendor's device plugin advertises this extended resource."""
    return any(re.fullmatch(v.resources, resource) for v in gpu_vendors())


def gpu_vendor(resource: str) -> GpuVendor:
    """The vendor of a GPU resource that the inventory schema accepts."""
    return next(v for v in gpu_vendors() if re.fullmatch(v.resources, resource))


def system_files() -> list[Mapping[str, Any]]:
    """Data of ``systems/*.yaml``, one file per vendor."""
    return [_read(f"systems/{path.name}") for path in sorted((_FOLDER / "systems").glob("*.yaml"))]


@cache
def instance_types() -> Mapping[str, Mapping[str, Any]]:
    """Cloud instance type -> its row in ``systems/*.yaml``."""
    with_hosts = (data for data in system_files() if "hosts" in data)
    rows = (row for data in with_hosts for row in data["hosts"].values())
    return {row["instance_type"]: row for row in rows if "instance_type" in row}


def optic_rows() -> Mapping[str, Any]:
    return _read("optics.yaml")


@cache
def operator_releases() -> OperatorReleases:
    return operator_releases_of(_read("operator_releases.yaml"))


def operator_releases_of(data: Mapping[str, Any]) -> OperatorReleases:
    """Convert data that schemas/operator-releases.schema.json accepts; releases in ascending order."""
    filled = fill(data, packaged_schema(OPERATOR_RELEASES))
    known = [_operator_release(name, row) for name, row in filled["releases"].items()]
    return OperatorReleases(
        known=tuple(sorted(known, key=lambda r: r.release)),
        spans=tuple(_field_span(row) for row in filled["fields"]),
    )


def _operator_release(name: str, row: Mapping[str, Any]) -> OperatorRelease:
    return OperatorRelease(
        release=_pair(name),
        tag=row["tag"],
        chart=row["chart"],
        kubernetes=_pair(row["kubernetes"]),
        ofed_version=row["ofed_version"],
        images={component: Image(**image) for component, image in row["images"].items()},
    )


def _field_span(row: Mapping[str, Any]) -> FieldSpan:
    ends = {end: _pair(row[end]) if end in row else None for end in ("since", "until")}
    return FieldSpan(object=row["object"], field=row["field"], source=row["source"], **ends)


def _pair(text: str) -> Release:
    major, minor = text.split(".")
    return int(major), int(minor)
