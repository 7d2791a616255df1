"""NP794: templates of the NIC Configuration Operator."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.cluster import NIC_CONFIGURATION, ObjectGraph
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.rules.kubernetes.registry import ObjectFinding, rule

Problem = tuple[Path, str, str]
"""Path below ``spec.template``, message, hint."""
_TEMPLATE: Path = ("spec", "template")
_CONFIGURES, _FLASHES = "NicConfigurationTemplate", "NicFirmwareTemplate"


def _templates(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(NIC_CONFIGURATION, _CONFIGURES, _FLASHES)


@rule("NP794", "NIC firmware settings that are not applied", on=_templates, between=True)
def templates(cluster: ObjectGraph, template: Thing) -> Iterator[ObjectFinding]:
    """A template must suit its NIC, be the only one for it, and enable at least the VFs that a policy
    requests. Spectrum-X settings are for Ethernet, one VF and ConnectX-8, ConnectX-9 or BlueField-3. A
    firmware template names a NicFirmwareSource. Two templates for one NIC are a note in two files of others
    that no kustomization joins: they may be samples.

    **Why.** The API server rejects the template, or the operator sets IncorrectSpec, and nothing changes; of
    two templates for one NIC neither is applied; VFs beyond the firmware limit are never created. Without
    its source no firmware is flashed.
    **Fix.** Correct the settings named.
    **Source.** Mellanox/nic-configuration-operator 8bfbeb3 README.md, pkg/configuration/configvalidation.go,
    pkg/firmware/manager.go (ValidateRequestedFirmwareSource), api/v1alpha1/nicconfigurationtemplate_types.go
    (XValidation, from network-operator 25.10 on).
    """
    if template.kind == _FLASHES:
        yield from _without_source(cluster, template)
        return
    part = mapping(template.spec.get("template"))
    for at, message, hint in (*_refused(template, part), *_unsuited(part)):
        yield ObjectFinding(template, (*_TEMPLATE, *at), message, hint)
    yield from _too_few(cluster, template, part.get("numVfs"))
    yield from _twice(cluster, template)


def _unsuited(part: dict[str, Any]) -> Iterator[Problem]:
    """What the operator refuses."""
    if _on(part, "roceOptimized") and part.get("linkType") == "Infiniband":
        yield ("roceOptimized",), "roceOptimized with linkType Infiniband", "remove one"
    if _on(part, "gpuDirectOptimized") and not _on(part, "pciPerformanceOptimized"):
        message = "gpuDirectOptimized needs pciPerformanceOptimized"
        yield ("gpuDirectOptimized",), message, "enable pciPerformanceOptimized"


def _on(part: dict[str, Any], key: str) -> bool:
    return inside(part, (key, "enabled")) is True


_SPECTRUM_X = {"1023": "ConnectX-8", "1025": "ConnectX-9", "a2dc": "BlueField-3"}
"""nicType -> NICs that Spectrum-X settings are for."""
_HARDWARE_PLANES = ("1023", "1025")
_NETWORK_BAY = "1025"


def _refused(template: Thing, part: dict[str, Any]) -> Iterator[Problem]:
    """What the API server refuses by the rules of the CRD."""
    stated = inside(template.spec, ("nicSelector", "nicType"))
    kind = stated if isinstance(stated, str) and not templated(stated) else ""
    if _on(part, "spectrumXOptimized"):
        yield from _of_spectrum_x(part, kind)
    yield from _planes(part, kind)
    if part.get("networkBay") is not None:
        if kind not in ("", _NETWORK_BAY):
            yield (
                ("networkBay",),
                f"networkBay on NICs of type {kind}",
                f"it is for ConnectX-9, {_NETWORK_BAY}",
            )
        if part.get("linkType") is not None:
            yield ("linkType",), "linkType beside networkBay, which decides it", "remove linkType"


def _planes(part: dict[str, Any], kind: str) -> Iterator[Problem]:
    settings = mapping(part.get("spectrumXOptimized"))
    mode, planes = settings.get("multiplaneMode"), settings.get("numberOfPlanes")
    at: Path = ("spectrumXOptimized", "numberOfPlanes")
    if mode == "none" and type(planes) is int and planes != 1:
        yield at, f"{planes} planes with multiplaneMode none", "write 1, or a mode"
    elif mode in ("swplb", "hwplb") and planes == 1:
        yield at, f"1 plane with multiplaneMode {mode}", "write 2 or 4, or mode none"
    if mode == "hwplb" and kind in _SPECTRUM_X.keys() - {*_HARDWARE_PLANES}:
        message = f"multiplaneMode hwplb on {_SPECTRUM_X[kind]}"
        yield ("spectrumXOptimized", "multiplaneMode"), message, "it is for ConnectX-8 and ConnectX-9"


def _of_spectrum_x(part: dict[str, Any], kind: str) -> Iterator[Problem]:
    link, vfs = part.get("linkType"), part.get("numVfs")
    if kind and kind not in _SPECTRUM_X:
        known = ", ".join(f"{each} ({name})" for each, name in _SPECTRUM_X.items())
        yield ("spectrumXOptimized",), f"spectrumXOptimized on NICs of type {kind}", f"it is for {known}"
    if link == "Infiniband":
        yield (
            ("spectrumXOptimized",),
            "spectrumXOptimized with linkType Infiniband",
            "write linkType: Ethernet",
        )
    if type(vfs) is int and vfs != 1:
        yield ("numVfs",), f"spectrumXOptimized with {vfs} VFs", "write numVfs: 1"
    if _on(part, "roceOptimized"):
        message = "roceOptimized beside spectrumXOptimized, which includes it"
        yield ("roceOptimized",), message, "remove roceOptimized"


_DIGITS = re.compile(r"\d+")
"""fw-28-43 is not a misspelt fw-28-44."""


def _without_source(cluster: ObjectGraph, template: Thing) -> Iterator[ObjectFinding]:
    """The operator looks the source up by name; another repository may hold it, unless one here has a
    similar name."""
    name = inside(template.spec, ("template", "nicFirmwareSourceRef"))
    sources = [s.name for s in cluster.of(NIC_CONFIGURATION, "NicFirmwareSource")]
    if not isinstance(name, str) or templated(name) or name in sources or any(map(templated, sources)):
        return
    named = {
        inside(t.spec, ("template", "nicFirmwareSourceRef")) for t in cluster.of(NIC_CONFIGURATION, _FLASHES)
    }
    free = [s for s in sources if s not in named or _DIGITS.sub("", s) != _DIGITS.sub("", name)]
    for close in difflib.get_close_matches(name, free, n=1):
        message = f"NicFirmwareSource {name} is not in the directory"
        yield ObjectFinding(template, (*_TEMPLATE, "nicFirmwareSourceRef"), message, f"did you mean {close}?")


def _twice(cluster: ObjectGraph, template: Thing) -> Iterator[ObjectFinding]:
    for other in cluster.of(NIC_CONFIGURATION, _CONFIGURES):
        if other is template:
            break
        if (
            cluster.together(template, other)
            and _nics(other) == _nics(template)
            and str(other) != str(template)
        ):
            message = f"it is for the same NICs as {other} at {other.source(())}"
            at, unsure = ("spec", "nicSelector"), not cluster.joined(template, other)
            yield ObjectFinding(template, at, message, "merge the two", unsure=unsure)


def _too_few(cluster: ObjectGraph, template: Thing, count: Any) -> Iterator[ObjectFinding]:
    """Reports only if policy and template name the same device ID, or the policy none but the PCI address of
    a card of the template; the same nodes or all; and may mean one card."""
    kind = str(mapping(template.spec.get("nicSelector")).get("nicType")).lower()
    for policy in (p for p in cluster.policies if cluster.together(template, p)):
        wanted = policy.spec.get("numVfs")
        chosen = mapping(policy.spec.get("nicSelector"))
        device = str(chosen.get("deviceID") or "").lower()
        named = device == kind or (not device and bool(_cards(chosen, "rootDevices") & _own_cards(template)))
        same = named and _may_share_a_card(chosen, template)
        nodes, own = (mapping(t.spec.get("nodeSelector")).items() for t in (policy, template))
        if same and own <= nodes and type(wanted) is int and type(count) is int and wanted > count:
            place = policy.source(("spec", "numVfs"))
            message = f"the firmware is set to {count} VFs, but {policy} at {place} wants {wanted}"
            yield ObjectFinding(template, ("spec", "template", "numVfs"), message, f"write at least {wanted}")


def _may_share_a_card(chosen: dict[str, Any], template: Thing) -> bool:
    """Whether they may mean one card; interface names cannot be compared with PCI addresses: another
    template may cover the card."""
    own, devices = _own_cards(template), _cards(chosen, "rootDevices")
    return not own or (bool(devices & own) if devices else not chosen.get("pfNames"))


def _cards(selector: dict[str, Any], key: str) -> set[str]:
    """PCI addresses, without a VF range behind them."""
    return {str(address).partition("#")[0].lower() for address in listing(selector.get(key))}


def _own_cards(template: Thing) -> set[str]:
    return _cards(mapping(template.spec.get("nicSelector")), "pciAddresses")


def _nics(template: Thing) -> tuple[Any, Any]:
    return template.spec.get("nicSelector"), template.spec.get("nodeSelector") or {}
