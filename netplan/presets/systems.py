"""Systems with presets: ``netplan/catalog/systems/*.yaml``, one file per vendor, extended by a site's file
(``--catalog``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from netplan import catalog
from netplan.model.document import Places, SourceMap
from netplan.model.inventory_schema import packaged_schema
from netplan.records import dataclass
from netplan.strict import fill, validator
from netplan.yaml12 import parse

SCHEMA = "systems.schema.json"
_MAX_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class System:
    """A host type as its vendor builds it. ``pci``, ``numa`` and ``rdma_devices`` are in the order of rails,
    empty where no source has them; ``lacks``: why no inventory can be written for it, empty where one can;
    ``instead``: what to do then."""

    name: str
    title: str
    gpus: int
    gpu_resource: str
    hcas: tuple[str, ...]
    count: int
    speed_gbps: int
    fabrics: tuple[str, ...]
    pci: tuple[str, ...]
    numa: tuple[int, ...]
    rdma_devices: tuple[str, ...]
    instance_type: str
    virtual: bool
    lacks: str
    instead: str
    notes: tuple[str, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsupported:
    """A switch model that is known, but that presets cannot use."""

    name: str
    title: str
    reason: str
    instead: str
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Systems:
    """``own_hcas``, ``own_switches``: rows of a site's file, which go below ``catalog`` in the inventory."""

    hosts: Mapping[str, System]
    unsupported: Mapping[str, Unsupported]
    own_hcas: Mapping[str, Any]
    own_switches: Mapping[str, Any]

    @property
    def hcas(self) -> Mapping[str, Any]:
        return {**catalog.hca_rows(), **catalog.with_defaults("hcas", self.own_hcas)}

    @property
    def switches(self) -> Mapping[str, Any]:
        return {**catalog.switch_rows(), **catalog.with_defaults("switches", self.own_switches)}

    def with_more(self, more: Systems) -> Systems:
        """Rows of ``more`` replace those with the same name."""
        return Systems(
            hosts={**self.hosts, **more.hosts},
            unsupported={**self.unsupported, **more.unsupported},
            own_hcas={**self.own_hcas, **more.own_hcas},
            own_switches={**self.own_switches, **more.own_switches},
        )


@cache
def known() -> Systems:
    """The systems that ship; their files are trusted."""
    found = Systems(hosts={}, unsupported={}, own_hcas={}, own_switches={})
    for data in catalog.system_files():
        found = found.with_more(_systems(data))
    return found


def extended(name: str, text: str) -> tuple[Systems, list[str]]:
    """The known systems plus those of a file with the same schema, and what is wrong with the file."""
    data, problems = _parsed(name, text)
    if not problems:
        problems = list(islice(_faults(data), _MAX_SHOWN)) or list(islice(_miscounted(data), _MAX_SHOWN))
    return (known(), problems) if problems else (known().with_more(_systems(data)), [])


def _parsed(name: str, text: str) -> tuple[Any, list[str]]:
    parsed = parse(name, text, Places(SourceMap()))
    return parsed.data, [problem.message for problem in parsed.problems]


def _faults(data: Any) -> Iterator[str]:
    for error in islice(_validator().iter_errors(data), _MAX_SHOWN):
        yield f"{'.'.join(map(str, error.absolute_path)) or 'the file'}: {error.message[:200]}"


def _miscounted(data: Any) -> Iterator[str]:
    """Lists with a value for each HCA that are shorter or longer."""
    for name, row in data.get("hosts", {}).items():
        for key in ("pci", "numa", "rdma_devices"):
            if row.get(key) and len(row[key]) != row["count"]:
                yield f"hosts.{name}.{key}: {len(row[key])} values for a count of {row['count']} HCAs"


@cache
def _validator() -> Any:
    return validator(packaged_schema(SCHEMA))


def _systems(data: Mapping[str, Any]) -> Systems:
    filled = fill(data, packaged_schema(SCHEMA))
    models = data.get("models", {})
    return Systems(
        hosts={name: System(name=name, **_tuples(row)) for name, row in filled["hosts"].items()},
        unsupported={n: Unsupported(name=n, **_tuples(row)) for n, row in filled["unsupported"].items()},
        own_hcas=models.get("hcas", {}),
        own_switches=models.get("switches", {}),
    )


def _tuples(row: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
