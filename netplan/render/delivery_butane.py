"""Butane configurations: one per host type, and per host with files of its own.

Fields: coreos/butane docs/config-fcos-v1_5.md and docs/config-openshift-v4_14.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from netplan.model.delivery import DeliveryPlan, HostSet
from netplan.render.dump import written

_VERSIONS = {"fcos": "1.5.0", "openshift": "4.14.0"}
"""Both become Ignition 3.4.0 (coreos/butane docs/specs.md)."""


def butane_files(plan: DeliveryPlan, variant: str) -> Iterator[tuple[str, str, list[object]]]:
    """A MachineConfig applies to a whole pool, so with openshift single hosts get no file (NP552)."""
    for kind in plan.types:
        own = kind.own if variant == "fcos" else ()
        different = (each for each in own if each.without_networkd != kind.files.without_networkd)
        for each in (kind.files, *different):
            if each.without_networkd:
                yield f"butane/{each.name}.bu", each.entity, [_config(each, variant)]


def _config(files: HostSet, variant: str) -> dict[str, Any]:
    plain = [(p, f) for p, f in files.without_networkd if f.unit is None and f.drop_in is None]
    return written(
        {
            "variant": variant,
            "version": _VERSIONS[variant],
            "metadata": _metadata(files) if variant == "openshift" else None,
            "storage": written({"files": [_file(p, str(f.destination), f.executable) for p, f in plain]}),
            "systemd": written({"units": list(_units(files))}),
        }
    )


def _metadata(files: HostSet) -> dict[str, Any]:
    role = {"machineconfiguration.openshift.io/role": files.host_type}
    return {"name": f"99-{files.host_type}-netplan", "labels": role}


def _file(path: str, destination: str, executable: bool) -> Mapping[str, Any]:
    return {
        "path": destination,
        "mode": 0o755 if executable else 0o644,
        "overwrite": True,
        "contents": {"local": path},
    }


def _units(files: HostSet) -> Iterator[Mapping[str, Any]]:
    for path, file in files.without_networkd:
        if file.unit is not None:
            yield {"name": file.unit, "enabled": True, "contents_local": path}
        elif file.drop_in is not None:
            unit, name = file.drop_in
            yield {"name": unit, "dropins": [{"name": name, "contents_local": path}]}
