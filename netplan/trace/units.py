"""Files that set up a host: whether its ports get their names, VFs and firmware, and whether its script ever
runs.

A setting that trace does not know may undo the others, so it is reported and the path is not proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase

from netplan.graph.hosts import file_of, link_of, network_of, number
from netplan.model.site import PATH, SiteHca, SiteHost
from netplan.model.values import whole
from netplan.reading.hosts import Setting, Unit, firmware, modules, read_unit
from netplan.records import dataclass
from netplan.trace.drivers import driver_faults
from netplan.trace.model import Fault, Verdict, unproved
from netplan.trace.script_service import service_faults
from netplan.trace.sysctls import of_host
from netplan.trace.unit_settings import unread

Texts = Mapping[str, str]

_UP = ("up", "always-up")
"""Values of ActivationPolicy that bring the port up; others leave it down or to somebody else
(systemd.network(5))."""
_REMOVES = ("ManageForeignRoutingPolicyRules", "ManageForeignRoutes")
_MODULES = ("ib_umad", "ib_uverbs", "rdma_ucm", "rdma_cm")
"""Modules that create the files in /dev/infiniband: without all of them a device plugin skips the HCA, or the
container lacks files (Mellanox/k8s-rdma-shared-dev-plugin issues 94, 103, 108, 159, 192)."""
_LAYERS = {"ethernet": "2", "infiniband": "1"}
"""Values of LINK_TYPE_P1 and LINK_TYPE_P2 (MFT user manual, mlxconfig, Supported Configurations)."""
_LEAST = 1024
"""Kernel default of gc_thresh3 (torvalds/linux Documentation/networking/ip-sysctl.rst,
neigh/default/gc_thresh3)."""
_THRESHOLDS = ("gc_thresh1", "gc_thresh2", "gc_thresh3")


@dataclass(frozen=True, slots=True)
class Use:
    """How pods of a workload use a port. ``vfs``: VFs of it on a node, 0 if pods take the port itself.
    ``made``: whether the host's files, not an operator, create the VFs; ``most``: VFs that the operator
    creates or the resource has, None if not stated."""

    hca: SiteHca
    vfs: int
    made: bool
    most: int | None = None


def host_faults(
    texts: Texts, host: SiteHost, uses: tuple[Use, ...], *, container: bool = False
) -> Iterator[Fault]:
    """Faults of the ports that a workload's pods use. ``container``: one loads the drivers."""
    for use in uses:
        if use.most is not None and use.most < use.vfs:
            text = (
                f"{use.hca.name} of {host.name} has {use.most} VFs for pods, those of a node take {use.vfs}"
            )
            yield Fault(Verdict.LOST, text)
        yield from _link(texts, host, use)
        yield from _network(texts, host, use.hca)
        yield from _firmware(texts, host, use)
    if any(network_of(texts, host, use.hca) for use in uses):
        yield from _foreign_routes(texts, host)
    if uses:
        yield from _modules(texts, host)
        yield from driver_faults(texts, host, [use.hca for use in uses], container)
        yield from _neighbours(texts, host)
        yield from of_host(texts, host)
        yield from service_faults(texts, host, [use.hca for use in uses])


def _link(texts: Texts, host: SiteHost, use: Use) -> Iterator[Fault]:
    unit, hca = link_of(texts, host, use.hca), use.hca
    if unit is None:
        return
    yield from unread(unit, "link")
    yield from _matches(unit, hca)
    name = unit.last("Link", "Name")
    if hca.netdev is not None and (name is None or name.value != hca.netdev):
        said = f"names it {name.value}" if name is not None else "does not name it"
        text = f"{hca.name} of {host.name} is {hca.netdev} ({PATH}), its .link file {said} ({unit.at(name)})"
        yield Fault(Verdict.LOST, text)
    if use.vfs and use.made:
        yield from _functions(unit, host, use)


def _matches(unit: Unit, hca: SiteHca) -> Iterator[Fault]:
    matching = [each for each in unit.settings if each.section == "Match"]
    if not matching:
        yield unproved(
            f"{unit.path} has no [Match] setting: it is for every device of the host (systemd.link(5))"
        )
    paths = unit.words("Match", "Path")
    if paths and hca.pci is not None and not any(fnmatchcase(f"pci-{hca.pci}", p) for p in paths):
        stated = next(iter(paths.values()))
        text = f"{unit.at(stated)} is for {stated.value}, {hca.name} is at {hca.pci} ({PATH})"
        yield Fault(Verdict.LOST, text)


def _functions(unit: Unit, host: SiteHost, use: Use) -> Iterator[Fault]:
    stated = unit.last("Link", "SR-IOVVirtualFunctions")
    made = number(unit, stated)
    where = f"{use.hca.name} of {host.name}"
    if stated is None:
        yield unproved(f"no file makes VFs of {where}; SR-IOVVirtualFunctions would ({unit.path})")
    elif made is None or made.value < use.vfs:
        text = f"{where} has {stated.value} VFs ({unit.at(stated)}), pods of a node take {use.vfs}"
        yield Fault(Verdict.LOST, text)


def _network(texts: Texts, host: SiteHost, hca: SiteHca) -> Iterator[Fault]:
    unit = network_of(texts, host, hca)
    if unit is None:
        return
    yield from unread(unit, "network")
    names = unit.words("Match", "Name")
    if hca.netdev is not None and not any(fnmatchcase(hca.netdev, name) for name in names):
        stated = unit.last("Match", "Name")
        said = f"is for {stated.value}" if stated is not None else "has no [Match] Name"
        yield unproved(f"{unit.at(stated)} {said}, {hca.name} of {host.name} is {hca.netdev} ({PATH})")
    policy = unit.last("Link", "ActivationPolicy")
    if policy is not None and policy.value not in _UP:
        text = f"ActivationPolicy {policy.value} leaves {hca.name} of {host.name} down ({unit.at(policy)})"
        yield Fault(Verdict.LOST, text)


def _foreign_routes(texts: Texts, host: SiteHost) -> Iterator[Fault]:
    """networkd removes routes and rules it did not set, unless configured otherwise (networkd.conf(5))."""
    found = file_of(texts, host, "networkd.conf.d/10-netplan.conf")
    unit = read_unit(*found) if found else Unit(f"hosts/{host.type}/networkd.conf.d", ())
    for key in _REMOVES:
        stated = unit.last("Network", key)
        if stated is None or stated.value not in ("no", "false", "off", "0"):
            yield unproved(
                f"networkd removes routes or rules that others set on {host.name}; {key}=no would keep them "
                f"({unit.at(stated)})"
            )


def _modules(texts: Texts, host: SiteHost) -> Iterator[Fault]:
    found = file_of(texts, host, "modules-load.d/rdma.conf")
    if found is None:
        return
    for name in _MODULES:
        if name not in modules(found[1]):
            yield unproved(f"{found[0]} does not load {name}: without it {host.name} has no such device file")


def _neighbours(texts: Texts, host: SiteHost) -> Iterator[Fault]:
    """A node and all its pods share one neighbour table (docs.kernel.org networking/ip-sysctl,
    neigh/default/gc_thresh3)."""
    found = file_of(texts, host, "sysctl.d/90-rdma.conf")
    if found is None:
        return
    values = {s.key.replace("/", "."): s for s in read_unit(*found).settings}
    for family in ("ipv4", "ipv6"):
        names = [f"net.{family}.neigh.default.{name}" for name in _THRESHOLDS]
        stated = [values[name] for name in names if name in values]
        missing = [name for name in names if name not in values]
        numbers = [int(each.value) for each in stated if each.value.isdecimal()]
        if stated and (missing or numbers != sorted(numbers)):
            said = f"{missing[0]} is not stated" if missing else f"{', '.join(_THRESHOLDS)} do not rise"
            yield unproved(f"{said} on {host.name}: its pods share one neighbour table ({found[0]})")
        yield from _small(found[0], stated, host)


def _small(file: str, stated: list[Setting], host: SiteHost) -> Iterator[Fault]:
    for each in stated:
        least = _LEAST if each.key.endswith("3") else 0
        if not each.value.isdecimal() or int(each.value[:9]) < least:
            said = f"{each.key} of {host.name} is {each.value} ({file}:{each.line})"
            yield unproved(f"{said}; as shipped the neighbour table has {_LEAST} entries")


def _firmware(texts: Texts, host: SiteHost, use: Use) -> Iterator[Fault]:
    """Firmware that a person sets with the file: it must enable VFs."""
    found, hca = file_of(texts, host, "firmware-commands.txt"), use.hca
    if found is None or hca.pci is None:
        return
    unit = firmware(*found)
    card, _, function = hca.pci.rpartition(".")
    stated = {s.key: s for s in unit.settings if s.section.rpartition(".")[0] == card}
    for line in unit.strange:
        yield unproved(f"{unit.path}:{line} is not read")
    where = f"{hca.name} of {host.name}"
    if use.vfs and use.made:
        yield from _enabled(unit, stated, where, _wanted(texts, host, use))
    layer = stated.get(f"LINK_TYPE_P{int(function) + 1}") if function.isdecimal() else None
    if layer is not None and layer.value != _LAYERS.get(hca.link, layer.value):
        text = f"{layer.key}={layer.value} is not {hca.link}, the link of {where} ({unit.at(layer)})"
        yield Fault(Verdict.LOST, text)


def _wanted(texts: Texts, host: SiteHost, use: Use) -> int:
    """VFs the driver is told to create; at least as many as the pods take."""
    unit = link_of(texts, host, use.hca)
    made = number(unit, unit.last("Link", "SR-IOVVirtualFunctions")) if unit is not None else None
    return max(use.vfs, made.value if made is not None else 0)


def _enabled(unit: Unit, stated: Mapping[str, Setting], where: str, wanted: int) -> Iterator[Fault]:
    switch, count = stated.get("SRIOV_EN"), stated.get("NUM_OF_VFS")
    for key, setting in (("SRIOV_EN", switch), ("NUM_OF_VFS", count)):
        if setting is None:
            yield unproved(f"{key} of {where} is not stated ({unit.path})")
    if switch is not None and switch.value != "1":
        yield Fault(Verdict.LOST, f"SRIOV_EN={switch.value}: {where} has no VFs ({unit.at(switch)})")
    if count is not None and ((made := whole(count.value, 9)) is None or made < wanted):
        text = f"the firmware of {where} has {count.value} VFs ({unit.at(count)}), {wanted} are to be made"
        yield Fault(Verdict.LOST, text)
