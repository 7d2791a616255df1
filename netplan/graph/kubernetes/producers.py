"""What produces a resource, and from which devices of which nodes, as far as objects state it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from netplan.diagnostics import Path
from netplan.graph.kubernetes.chart_values import resources_of_values
from netplan.graph.kubernetes.cluster import SPECTRUM_X, Nad, ObjectGraph, PluginConfig, same_resource
from netplan.reading.kubernetes.objects import Thing, listing, mapping
from netplan.reading.kubernetes.placeholders import templated
from netplan.records import dataclass

Stated = tuple[tuple[str, str], ...]
"""(name, value) as text, in the order of the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """NICs that one selector matches. ``ports``, ``pci``: PFs by interface name and by PCI address,
    without a VF range; ``at``: place of the selector. ``stated``: the whole selector as text; ``given``:
    as data."""

    at: Path
    ports: tuple[str, ...] = ()
    pci: tuple[str, ...] = ()
    stated: Stated = ()
    given: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def named(self) -> bool:
        """Whether it names PFs, rather than only a kind of device."""
        return bool(self.ports or self.pci)


@dataclass(frozen=True, slots=True, kw_only=True)
class Producer:
    """``at``: the part of ``thing`` that makes the resource. ``labels``: of the nodes it applies to.
    ``mtu``, ``link``: of its devices, None if not stated. ``settings``: its other settings. ``config``:
    of the device plugin, None if a controller writes it."""

    thing: Thing
    at: Path
    resource: str
    labels: Mapping[str, Any] = field(default_factory=dict)
    selected: tuple[Selected, ...] = ()
    mtu: int | None = None
    link: str | None = None
    settings: Stated = ()
    config: PluginConfig | None = None

    def __str__(self) -> str:
        return str(self.thing)


def producers_of(cluster: ObjectGraph, resource: str) -> list[Producer]:
    """Everything that produces a resource, by full name; one of the prefixes may be unknown (``ANY``)."""

    def make() -> dict[str, list[Producer]]:
        found: dict[str, list[Producer]] = {}
        for producer in every_producer(cluster):
            found.setdefault(producer.resource.rpartition("/")[2], []).append(producer)
        return found

    same = cluster.once("producers by name", make).get(resource.rpartition("/")[2], ())
    return [p for p in same if same_resource(p.resource, resource)]


def every_producer(cluster: ObjectGraph) -> list[Producer]:
    return cluster.once("producers", lambda: [*_all(cluster)])


USER_SPACE = frozenset({"vfio-pci", "igb_uio", "uio_pci_generic"})
"""doc.dpdk.org, Linux Drivers: kernel modules that hand a device to a user-space program."""


def in_user_space(cluster: ObjectGraph, network: Nad) -> bool:
    """Whether everything here that makes the devices of a network hands them to user space: sriov configures
    no address or route then (k8snetworkplumbingwg/sriov-cni 1b7acc5 pkg/cnicommands/cni.go, DPDKMode)."""
    makers = producers_of(cluster, network.resource) if network.resource else []
    own = [maker for maker in makers if cluster.together(network.thing, maker.thing)]
    return bool(own) and all(map(_hands_over, own))


def _hands_over(maker: Producer) -> bool:
    if maker.config is None:
        return bool(maker.thing.spec.get("deviceType") == "vfio-pci")
    drivers = [{*map(str, listing(selected.given.get("drivers")))} for selected in maker.selected]
    return bool(drivers) and all(each and each <= USER_SPACE for each in drivers)


def nameless(cluster: ObjectGraph) -> list[Thing]:
    """Policies whose ``resourceName`` is null: which resource they should produce is not known."""
    return [p for p in cluster.policies if p.spec.get("resourceName", "") is None]


def _all(cluster: ObjectGraph) -> Iterator[Producer]:
    for policy in cluster.policies:
        name = policy.spec.get("resourceName")
        if isinstance(name, str) and not templated(name):
            yield of_policy(policy, f"{cluster.prefix}/{name}")
    for config in cluster.configs:
        for place, entry in config.entries:
            yield _of_config(config, place, entry)
    known = {id(policy) for policy in cluster.policies} | {id(config.thing) for config in cluster.configs}
    for name, thing in cluster.made.items():
        if id(thing) not in known:  # a controller makes the policy: rails of Spectrum-X, attributes for DRA
            yield Producer(thing=thing, at=_place(thing, name), resource=name)


def _place(thing: Thing, resource: str) -> Path:
    if "kind" not in thing.body:
        return next(at for name, at in resources_of_values(thing) if name == resource)
    return ("spec", "railTopology") if thing.group == SPECTRUM_X else ("spec",)


_SETTINGS = ("numVfs", "mtu", "linkType", "isRdma", "deviceType", "eSwitchMode")
"""Fields of a SriovNetworkNodePolicy, in the order shown."""


def of_policy(policy: Thing, resource: str) -> Producer:
    spec = policy.spec
    stated = spec.get("mtu")
    link = str(spec.get("linkType") or "").lower()
    mtu = stated if type(stated) is int and stated > 0 else None
    return Producer(
        thing=policy,
        at=(),
        resource=resource,
        labels=mapping(spec.get("nodeSelector")),
        selected=(_selected(("spec", "nicSelector"), mapping(spec.get("nicSelector"))),),
        mtu=mtu,
        link=link or None,
        settings=tuple((key, _words(spec[key])) for key in _SETTINGS if spec.get(key) not in (None, "")),
    )


def _of_config(config: PluginConfig, at: Path, entry: dict[str, Any]) -> Producer:
    """An entry of a device plugin's configuration: ``selectors`` is a map or a list of them
    (sriov-network-device-plugin README.md, selectors); ``devices`` are interface names
    (k8s-rdma-shared-dev-plugin README.md, configurations)."""
    given = entry.get("selectors")
    each = enumerate(given) if isinstance(given, list) else [(None, given)]
    places = [((*at, "selectors") if i is None else (*at, "selectors", i), mapping(s)) for i, s in each]
    if isinstance(entry.get("devices"), list):
        places.append(((*at, "devices"), {"ifNames": entry["devices"]}))
    shared = entry.get("rdmaHcaMax")
    return Producer(
        thing=config.thing,
        at=at,
        resource=config.full(entry),
        labels=mapping(config.thing.spec.get("nodeSelector")),
        selected=tuple(_selected(place, selector) for place, selector in places if selector),
        settings=() if shared is None else (("rdmaHcaMax", _words(shared)),),
        config=config,
    )


_PORTS, _PCI = ("pfNames", "ifNames"), ("rootDevices", "pciAddresses")


def _selected(at: Path, selector: dict[str, Any]) -> Selected:
    """``pfNames`` and ``rootDevices`` may end in a VF range: ``ens1f0#0-3``, ``0000:18:00.0#0-3``
    (sriov-network-device-plugin README.md, selectors)."""
    return Selected(
        at=at,
        ports=tuple(_without_ranges(selector, _PORTS)),
        pci=tuple(pci.lower() for pci in _without_ranges(selector, _PCI)),
        stated=tuple((key, _words(value)) for key, value in selector.items() if value not in (None, "", [])),
        given=selector,
    )


def _without_ranges(selector: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        for text in listing(selector.get(key)):
            if isinstance(text, str) and text and not templated(text):
                yield text.partition("#")[0]


_SHOWN = 4


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        more = f" and {len(value) - _SHOWN} more" if len(value) > _SHOWN else ""
        return " ".join(map(_words, value[:_SHOWN])) + more
    if isinstance(value, dict):
        return " ".join(f"{key}={_words(item)}" for key, item in value.items())
    return str(value)
