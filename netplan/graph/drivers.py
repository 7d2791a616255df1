"""Kernel modules that a host's NICs and RDMA need, and lines of modprobe.d that keep them from loading."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache

from netplan.catalog import hca_rows, nic_driver, nic_drivers
from netplan.graph.kubernetes.cluster import NVIDIA, ObjectGraph
from netplan.reading.hosts import Setting, modprobe
from netplan.records import dataclass

RDMA = ("ib_core", "ib_uverbs", "ib_umad", "ib_cm", "iw_cm", "rdma_cm", "rdma_ucm")
"""Modules of RDMA itself (torvalds/linux drivers/infiniband/core/Makefile)."""
_NOTHING = frozenset({"true", "false", ":", "null"})
"""Commands of ``install`` that load nothing, by the last part of their path."""
_FOLLOWED = frozenset({("options", "ib_core", "netns_mode")})
"""Command, module and key of lines whose value is judged elsewhere."""


@dataclass(frozen=True, slots=True)
class Needed:
    """``own``: modules of the host's NICs. ``maybe``: those of all NICs if a model is not known, and of RDMA,
    which others load as what they depend on."""

    own: frozenset[str]
    maybe: frozenset[str]


@dataclass(frozen=True, slots=True)
class Kept:
    """A line about a needed module. ``sure``: it is not loaded; else what the line does is not followed."""

    line: Setting
    module: str
    sure: bool

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.line.section, self.line.key, self.line.value)))


@cache
def _modules_of(model: str) -> frozenset[str] | None:
    """Modules of a model in the catalog; None if it is not there, or its driver is not known."""
    row = hca_rows().get(model)
    driver = nic_driver(row["vendor"], row["pf_id"]) if row is not None else None
    return None if driver is None else frozenset(driver.modules)


def needed(models: Iterable[str]) -> Needed:
    found = [_modules_of(model) for model in dict.fromkeys(models)]
    own = frozenset(module for each in found if each is not None for module in each)
    others = frozenset(m for d in nic_drivers() for m in d.modules) if None in found else frozenset()
    return Needed(own, (others | frozenset(RDMA)) - own)


def needed_by(vendors: Collection[str], rdma: bool) -> Needed:
    """Modules of a vendor's NICs; without RDMA those of the interface alone, the first of each driver."""
    mine = [d.modules if rdma else d.modules[:1] for d in nic_drivers() if d.vendor in vendors]
    own = frozenset(module for modules in mine for module in modules)
    return Needed(own, frozenset(RDMA) if own and rdma else frozenset())


def by_container(cluster: ObjectGraph) -> bool:
    """Whether a driver container loads NVIDIA's modules: it does so by their names, which ``blacklist`` does
    not prevent, and writes such lines itself (Mellanox/doca-driver-build,
    OFED_BLACKLIST_MODULES)."""
    return any(policy.spec.get("ofedDriver") for policy in cluster.of(NVIDIA, "NicClusterPolicy"))


def kept_out(path: str, text: str, need: Needed) -> Iterator[Kept]:
    """Lines by which a needed module is not loaded, or may be loaded otherwise (modprobe.d(5)).

    A module in ``blacklist`` is not loaded for a device, nor by systemd-modules-load; one that another module
    depends on is."""
    for line in modprobe(path, text):
        if line.section == "alias":
            yield from _renamed(line, need)
        elif line.key in need.own or line.key in need.maybe:
            yield from _about(line, need)


def _renamed(line: Setting, need: Needed) -> Iterator[Kept]:
    target = line.value.replace("-", "_")
    if target == "off":
        yield Kept(line, line.key, False)
    elif target in need.own or target in need.maybe:
        yield Kept(line, target, False)


def _about(line: Setting, need: Needed) -> Iterator[Kept]:
    module, own = line.key, line.key in need.own
    if line.section == "blacklist":
        yield Kept(line, module, own)
    elif line.section == "install":
        yield Kept(line, module, _loads_nothing(line.value) and (own or module in RDMA))
    elif not _followed(line):
        yield Kept(line, module, False)


def _loads_nothing(command: str) -> bool:
    words = command.split()
    return bool(words) and words[0].rpartition("/")[2] in _NOTHING


def _followed(line: Setting) -> bool:
    keys = (word.partition("=")[0] for word in line.value.split())
    return all((line.section, line.key, key) in _FOLLOWED for key in keys)
