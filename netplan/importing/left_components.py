"""Components that a NicClusterPolicy deploys and netplan's would not deploy: an inventory states only some of
them, the others follow from its networks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netplan.importing.cards import Card
from netplan.importing.cluster_page import plugin_owner
from netplan.importing.facts import Remark, Said, Site
from netplan.importing.machines_page import shares_of
from netplan.importing.networks import NetworkRow
from netplan.importing.text import TODO
from netplan.model.modes import mode_of

_REMOVED = "netplan's NicClusterPolicy would remove it"
_MULTUS, _PLUGINS = "secondaryNetwork.multus", "secondaryNetwork.cniPlugins"
_WORDS: Mapping[str, tuple[str, str]] = {
    "nvIpam": ("nv-ipam", "has ipam: nv-ipam"),
    "secondaryNetwork.ipoib": ("ipoib", "has mode: ipoib"),
}
"""Component -> IPAM or mode of the networks that need it."""


def left_components(site: Site, rows: Sequence[NetworkRow], cards: Sequence[Card]) -> Iterator[Remark]:
    """A line for each. The driver and the NIC configuration operator have keys of their own."""
    deployed = dict(site.prefixed("cluster", (), "component/"))
    whys = {**_of_networks(rows), **_of_multus(deployed), **_of_device_plugins(site, rows, cards)}
    for name, said in deployed.items():
        if name in whys:
            yield Remark(said.at, f"NicClusterPolicy spec.{name}: {whys[name]}")


def _of_networks(rows: Sequence[NetworkRow]) -> dict[str, str]:
    words = {row.first.text(name) for row in rows for name in ("ipam", "mode")}
    return {
        component: f"no network in the dumps {what}, {_REMOVED}"
        for component, (word, what) in _WORDS.items()
        if word not in words
    }


def _of_multus(deployed: Mapping[str, Said]) -> dict[str, str]:
    """One key for both."""
    if _MULTUS not in deployed:
        return {_PLUGINS: f"network_operator.multus is for both, and Multus is not in the policy; {_REMOVED}"}
    return {} if _PLUGINS in deployed else {_MULTUS: "netplan deploys cniPlugins beside it"}


def _of_device_plugins(site: Site, rows: Sequence[NetworkRow], cards: Sequence[Card]) -> dict[str, str]:
    """Of one owner of the devices, and where a network asks for them."""
    owner = plugin_owner(site)
    if owner.value == TODO:
        return {}
    other = f"device_plugin is {owner.value} ({owner.comment}), {_REMOVED}"
    unused = f"no network in the dumps asks for its resources, {_REMOVED}"
    used = {"rdmaSharedDevicePlugin": _shared(site, rows, cards), "sriovDevicePlugin": _whole(rows, cards)}
    ours = owner.value == "nic-cluster-policy"
    return {name: unused if ours else other for name, needed in used.items() if not (ours and needed)}


def _shared(site: Site, rows: Sequence[NetworkRow], cards: Sequence[Card]) -> bool:
    shares = shares_of(site)
    kept = any(name in shares and not card.number("vfs") for card in cards for name in card.resources)
    return kept or any(map(_is_shared, rows))


def _whole(rows: Sequence[NetworkRow], cards: Sequence[Card]) -> bool:
    virtual = any(card.virtual and card.resources for card in cards)
    return virtual or any(row.resources and not _is_shared(row) for row in rows)


def _is_shared(row: NetworkRow) -> bool:
    mode = mode_of(row.first.text("mode"))
    stated = "share_max" in row.first.fields
    return mode is not None and (mode.sharing == "always" or (mode.sharing == "stated" and stated))
