"""NP517: MachineConfigs that keep drivers from loading."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from urllib.parse import unquote

from netplan.diagnostics import Path, Severity
from netplan.graph.drivers import Needed, by_container, kept_out, needed_by
from netplan.graph.kubernetes.cluster import ObjectGraph
from netplan.graph.kubernetes.producers import every_producer
from netplan.reading.kubernetes.objects import Thing, inside, listing, mapping
from netplan.rules.kubernetes.registry import ObjectFinding, rule

_GROUP = "machineconfiguration.openshift.io"
_FILES: Path = ("spec", "config", "storage", "files")
_FOLDERS = ("/etc/modprobe.d/", "/usr/lib/modprobe.d/", "/run/modprobe.d/")
_ARGUMENTS = ("modprobe.blacklist", "module_blacklist")
_LONGEST = 100_000


def _configs(cluster: ObjectGraph) -> list[Thing]:
    return cluster.of(_GROUP, "MachineConfig")


@rule("NP517", "node that does not load the driver of its NICs", on=_configs, severity=Severity.WARNING)
def unloaded(cluster: ObjectGraph, config: Thing) -> Iterator[ObjectFinding]:
    """A MachineConfig writes files below /etc/modprobe.d and sets kernel arguments. The NICs are those that
    policies and device plugins select by vendor; RDMA modules count where one of them asks for RDMA. A driver
    container loads its modules by their names, in spite of `blacklist`.

    **Why.** The nodes have no interface of the NIC, or no RDMA device: no VFs are made, and the device plugin
    finds nothing.
    **Fix.** Remove the line.
    **Source.** modprobe.d(5); torvalds/linux 7483d45f kernel/module/main.c (module_blacklist);
    openshift/machine-config-operator 7b984b9a docs/MachineConfiguration.md; Mellanox/doca-driver-build
    ffb2c1b8 entrypoint/internal/config/config.go (OFED_BLACKLIST_MODULES).
    """
    need = _needed(cluster)
    for at, text, argument in (*_files(config), *_arguments(config)):
        for each in kept_out("", text, need):
            by_alias = each.line.section == "blacklist" and argument != "module_blacklist"
            if each.sure and not (by_alias and by_container(cluster)):
                said = f"nodes do not load {each.module}, which their NICs need: {argument or each.text}"
                yield ObjectFinding(config, at, said, f"remove {each.module} there")


def _needed(cluster: ObjectGraph) -> Needed:
    selectors = [each.given for producer in every_producer(cluster) for each in producer.selected]
    vendors = {str(one).lower() for given in selectors for one in listing(given.get("vendors"))}
    asks = [policy.spec for policy in cluster.policies]
    vendors |= {str(mapping(spec.get("nicSelector")).get("vendor")).lower() for spec in asks}
    shared = any(config.shared for config in cluster.configs)
    given = any(one.get("isRdma") is True for one in (*asks, *selectors))
    return needed_by(vendors, rdma=shared or given)


def _files(config: Thing) -> Iterator[tuple[Path, str, str]]:
    """(place, text, "") of each file of modprobe.d."""
    for index, file in enumerate(listing(inside(config.body, _FILES))):
        path, source = inside(file, ("path",)), inside(file, ("contents", "source"))
        if isinstance(path, str) and path.startswith(_FOLDERS) and isinstance(source, str):
            at: Path = (*_FILES, index, "contents", "source")
            yield at, _decoded(source), ""


def _decoded(source: str) -> str:
    """Text of a data URL (RFC 2397); empty for any other address, and what is compressed or too long."""
    head, comma, data = source.partition(",")
    if not comma or not head.startswith("data:") or len(data) > _LONGEST:
        return ""
    if not head.endswith(";base64"):
        return unquote(data)
    try:
        return base64.b64decode(data, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _arguments(config: Thing) -> Iterator[tuple[Path, str, str]]:
    """(place, lines of modprobe.d that do the same, name) of each kernel argument; the kernel itself refuses
    what is in ``module_blacklist``, whoever loads it."""
    for index, word in enumerate(listing(config.spec.get("kernelArguments"))):
        name, _, modules = str(word).partition("=")
        if name in _ARGUMENTS:
            text = "".join(f"blacklist {module}\n" for module in modules.split(","))
            yield ("spec", "kernelArguments", index), text, name
