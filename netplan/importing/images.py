"""``repository``, ``version`` and ``images`` of the Network Operator, from its NicClusterPolicy.

What ``global`` states, or all components have, is written once; values in which single components differ
are below ``images``. A component that needs an image but has none stated is a TODO: the operator rejects a
policy without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from netplan.importing.facts import Contradiction, Said, Site, place
from netplan.importing.kubernetes.components import DRIVER, release_of
from netplan.importing.text import TODO, Entry, Section, stated, told
from netplan.model.inventory_text import Flow
from netplan.model.operator_releases import IMAGES

KEYS = ("repository", "version")


def image_entries(site: Site, words: Set[str]) -> Section:
    """``words``: modes and IPAMs of the networks."""
    own = {name: _own(site, name) for name in IMAGES if _there(site, name)}
    absent = sorted(_wanted(site, words) - set(own), key=list(IMAGES).index)
    entries: dict[str, Entry] = {}
    for key in KEYS:
        entry = stated(site, "cluster", (), f"images_{key}") or _common(own, key)
        if entry is None:
            entry = _asked(key, own, absent, site.said("cluster", (), "network_operator") is not None)
        if entry is not None:
            entries[key] = entry
            own = {name: _other(image, key, entry.value) for name, image in own.items()}
    different = {name: _told(image) for name, image in own.items() if image}
    return {**entries, "images": different} if different else entries


def other_releases(site: Site) -> Iterator[Contradiction]:
    """Components with a tag that is of no release beside others of one: NP735 refuses it."""
    own = {name: said for name in IMAGES if (said := _own(site, name).get("version")) is not None}
    known = next((said for said in own.values() if release_of(str(said.value))), None)
    for name, said in own.items() if known is not None else ():
        if known is not None and not release_of(str(said.value)):
            ours = f"others are of release {release_of(str(known.value))} ({place(known.at)})"
            what = f"image of NicClusterPolicy spec.{name} is {said.value} ({place(said.at)}), {ours}"
            yield Contradiction(f"{what}; take the tag of the release, or accept NP735 for it", 0)


def _asked(
    key: str, own: Mapping[str, Mapping[str, Said]], absent: Sequence[str], seen: bool
) -> Entry | None:
    """``seen``: whether the dumps have the policy."""
    lacking = [name for name in own if key not in own[name] and (name, key) != (DRIVER, "version")]
    if not (lacking or absent):
        return None
    none = "the policy has none" if seen else "no NicClusterPolicy in the dumps has one"
    where = f"{none} for {', '.join((*lacking, *absent))}"
    return Entry(Flow(f'"{TODO}: {key}"'), f"{TODO}: {key} of the operator's images; {where}")


def _wanted(site: Site, words: Set[str]) -> set[str]:
    """Components that the inventory has netplan deploy, whatever deploys them now."""
    templates = site.said("cluster", (), "nic_configuration") is not None
    multus = _there(site, "secondaryNetwork.multus")
    needed = {
        "nvIpam": "nv-ipam" in words,
        "secondaryNetwork.cniPlugins": multus,
        "secondaryNetwork.ipoib": "ipoib" in words,
    }
    return {name for name in IMAGES if needed.get(name, templates and name.startswith("nicConfiguration"))}


def _there(site: Site, name: str) -> bool:
    return site.said("cluster", (), f"component/{name}") is not None


def _own(site: Site, name: str) -> dict[str, Said]:
    found = ((key, site.said("cluster", (), f"image/{name}/{key}")) for key in KEYS)
    return {key: said for key, said in found if said is not None}


def _common(own: Mapping[str, Mapping[str, Said]], key: str) -> Entry | None:
    """What every component states alike; the driver has a version of its own, and a version that is no tag
    of a release is that of its component."""
    named = [image for name, image in own.items() if (name, key) != (DRIVER, "version")]
    values = {str(image[key].value) if key in image else "" for image in named}
    alike = len(values) == 1 and "" not in values
    return told(named[0][key]) if alike and (key != "version" or any(map(release_of, values))) else None


def _other(image: Mapping[str, Said], key: str, shared: object) -> dict[str, Said]:
    return {name: said for name, said in image.items() if name != key or said.value != shared}


def _told(image: Mapping[str, Said]) -> dict[str, Entry]:
    return {key: told(said) for key, said in image.items()}
