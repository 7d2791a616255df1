"""Which devices of a host a selector takes: every key it has must match.

k8snetworkplumbingwg/sriov-network-device-plugin 40b6f50 pkg/netdevice/netDeviceProvider.go,
GetFilteredDevices, and pkg/resources/deviceSelectors.go; k8snetworkplumbingwg/sriov-network-operator 249e200
api/v1/helper.go, SriovNetworkNicSelector.Selected; Mellanox/k8s-rdma-shared-dev-plugin 410b0f3
pkg/resources/device_selectors.go.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from netplan.catalog import hca_rows
from netplan.model.site import SiteHca
from netplan.reading.kubernetes.objects import listing
from netplan.records import dataclass

Texts = Sequence[str]


@dataclass(frozen=True, slots=True)
class SelectablePort:
    """A port as selectors see it. ``vfs``: VFs created on it, None if no file says how many; ``policy``:
    whether the selector is a policy's, which selects PFs and creates their VFs."""

    hca: SiteHca
    vfs: int | None
    policy: bool = False


def _names(port: SelectablePort, wanted: Texts) -> bool | None:
    """By names of PFs, each with an optional range of VFs."""
    return _same(port.hca.netdev, [text.partition("#")[0] for text in wanted])


def _roots(port: SelectablePort, wanted: Texts) -> bool | None:
    return _same(port.hca.pci, [text.partition("#")[0].lower() for text in wanted])


def _same(own: str | None, wanted: Texts) -> bool | None:
    return None if own is None else own in wanted


def _addresses(port: SelectablePort, wanted: Texts) -> bool | None:
    """By PCI addresses: the plugin ignores a PF that has VFs, and no file has the addresses of VFs."""
    own = _roots(port, wanted)
    return False if own and port.vfs else own


def _vendors(port: SelectablePort, wanted: Texts) -> bool | None:
    row = hca_rows().get(port.hca.model)
    return None if row is None else row["vendor"] in wanted


def _ids(port: SelectablePort, wanted: Texts) -> bool | None:
    """By device ID: a policy selects PFs; a plugin sees the VFs if there are any, else the PF."""
    row = hca_rows().get(port.hca.model)
    if row is None:
        return None
    if port.policy or port.vfs == 0:
        return row["pf_id"] in wanted
    return bool({row["vf_id"]} & {*wanted}) if port.vfs else bool({row["vf_id"], row["pf_id"]} & {*wanted})


def catalog_has(hca: SiteHca, key: str) -> str:
    """The card's vendor or device IDs, if a key selects by them."""
    row, test = hca_rows().get(hca.model), _KEYS.get(key)
    if row is None or test not in (_vendors, _ids):
        return ""
    return str(row["vendor"]) if test is _vendors else f"{row['pf_id']}, {row['vf_id']}"


def _links(port: SelectablePort, wanted: Texts) -> bool | None:
    return port.hca.link in [_LINKS.get(text, text) for text in wanted] if port.hca.link else None


def _drivers(port: SelectablePort, wanted: Texts) -> bool | None:
    """By driver, for NVIDIA's cards (torvalds/linux drivers/net/ethernet/mellanox/mlx5/core/main.c)."""
    row = hca_rows().get(port.hca.model)
    nvidia = row is not None and row["vendor"] == _NVIDIA
    return "mlx5_core" in wanted if nvidia else None


_LINKS = {"ether": "ethernet"}
_NVIDIA = "15b3"
_Test = Callable[[SelectablePort, Texts], bool | None]
_KEYS: Mapping[str, _Test] = {
    "vendor": _vendors,
    "vendors": _vendors,
    "deviceID": _ids,
    "deviceIDs": _ids,
    "devices": _ids,
    "pfNames": _names,
    "ifNames": _names,
    "rootDevices": _roots,
    "pciAddresses": _addresses,
    "linkTypes": _links,
    "drivers": _drivers,
}
NAMING = ("pfNames", "ifNames", "rootDevices", "pciAddresses")
_RANGED = ("pfNames", "rootDevices")
SETTINGS = frozenset({"isRdma", "needVhostNet"})
"""Selector keys that configure devices instead of selecting them."""
_SPAN = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?\Z")


@dataclass(frozen=True, slots=True)
class Fit:
    """``key``: the first key that does not match, empty if all do. ``unknown``: keys that no file can
    confirm. ``count``: number of devices, None if no file says."""

    key: str = ""
    unknown: tuple[str, ...] = ()
    count: int | None = None


def fit(port: SelectablePort, given: Mapping[str, Any]) -> Fit:
    unknown = []
    for key, value in given.items():
        if key in SETTINGS or value in (None, "", []):
            continue
        fits = _KEYS[key](port, texts_of(value)) if key in _KEYS else None
        if fits is False:
            return Fit(key)
        if fits is None:
            unknown.append(key)
    key, count = _count(port, given)
    return Fit(key, tuple(unknown), count)


def texts_of(value: Any) -> list[str]:
    return [str(each) for each in (listing(value) or [value])]


def _count(port: SelectablePort, given: Mapping[str, Any]) -> tuple[str, int | None]:
    """(range of VFs that leaves no device, number of devices left)."""
    made = port.vfs if port.vfs else (1 if port.vfs == 0 or given.get("pciAddresses") else None)
    for key in _RANGED:
        for text in texts_of(given.get(key) or []):
            name, mark, spans = text.partition("#")
            if mark and name.lower() in (port.hca.netdev, port.hca.pci):
                left = _within(spans, port.vfs)
                return (key, 0) if left == 0 else ("", left)
    return "", made


def vfs_named(hca: SiteHca, given: Mapping[str, Any]) -> frozenset[int] | None:
    """VFs of a port that the ranges of a selector name; None if it has none and so takes every VF."""
    for key in _RANGED:
        for text in texts_of(given.get(key) or []):
            name, mark, spans = text.partition("#")
            if mark and name.lower() in (hca.netdev, hca.pci):
                return frozenset(index for span in spans.split(",") for index in _indexes(span, None))
    return None


def _within(spans: str, made: int | None) -> int:
    """Number of existing VFs in ranges such as ``0-3,5``."""
    return len({index for span in spans.split(",") for index in _indexes(span, made)})


def _indexes(span: str, made: int | None) -> Iterator[int]:
    match = _SPAN.match(span)
    if match is not None:
        last = int(match[2] or match[1])
        yield from range(int(match[1]), (last if made is None else min(last, made - 1)) + 1)
