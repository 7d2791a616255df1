"""Releases of the NVIDIA Network Operator: requirements, components, and fields of its objects."""

from __future__ import annotations

import re
from collections.abc import Mapping

from netplan.records import dataclass

Release = tuple[int, int]
"""(year, month): (26, 4)."""

_OWN_TAG = re.compile(r"(?:network-operator-)?v(\d\d)\.(\d+)\.", re.ASCII)
"""Tags of the operator, v26.4.1, and from 25.7 on of all components (hack/release.yaml of its tags)."""


def shown(release: Release) -> str:
    return "{}.{}".format(*release)


PARTS = {"nicConfigurationOperator": ("operator", "configurationDaemon")}
"""Sections of the NicClusterPolicy with a separate image for each part."""


IMAGES = {
    "ofedDriver": "doca-driver",
    "rdmaSharedDevicePlugin": "k8s-rdma-shared-dev-plugin",
    "sriovDevicePlugin": "sriov-network-device-plugin",
    "nvIpam": "nvidia-k8s-ipam",
    "secondaryNetwork.multus": "multus-cni",
    "secondaryNetwork.cniPlugins": "plugins",
    "secondaryNetwork.ipoib": "ipoib-cni",
    "nicConfigurationOperator.operator": "nic-configuration-operator",
    "nicConfigurationOperator.configurationDaemon": "nic-configuration-operator-daemon",
}
"""Image name of each NicClusterPolicy component, a required field.

Source:
https://github.com/Mellanox/network-operator-docs/blob/2105e0eb/docs/customizations/cr-full-example.rst
"""


def image_names(component: str) -> tuple[str, ...]:
    """Dotted names of the images of a section."""
    return tuple(f"{component}.{part}" for part in PARTS.get(component, ())) or (component,)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedImage:
    repository: str | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    repository: str
    version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorRelease:
    """``kubernetes``: oldest version the chart installs on. ``ofed_version``: pattern its webhook requires of
    the driver's version, empty if not known. ``images``: as released, by dotted NicClusterPolicy section."""

    release: Release
    tag: str
    chart: str
    kubernetes: Release
    ofed_version: str
    images: Mapping[str, Image]

    @property
    def candidate(self) -> bool:
        """Whether only a release candidate of it is known."""
        return "-" in self.chart


_OWN_CHART = re.compile(r"network-operator-v((\d+)\.(\d+)\.\d+(?:-[0-9A-Za-z.]+)?)\Z")


def chart_of(version: str | None, release: Release) -> str | None:
    """The chart of images with a tag: 26.4.1 for network-operator-v26.4.1; None for another release."""
    own = _OWN_CHART.match(version or "")
    return own[1] if own and (int(own[2]), int(own[3])) == release else None


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldSpan:
    """A field that some releases lack: present from ``since`` to ``until``, None for no known bound.
    ``field`` is dotted, empty for the object itself."""

    object: str
    field: str
    since: Release | None
    until: Release | None
    source: str

    def there(self, release: Release) -> bool:
        return (self.since or release) <= release <= (self.until or release)

    @property
    def title(self) -> str:
        kind = "chart value" if self.object == "HelmValues" else self.object
        return f"{kind} {self.field}".strip()

    @property
    def text(self) -> str:
        """The releases that have it, in words."""
        if self.since is not None and self.until is not None and self.since != self.until:
            return f"in {shown(self.since)} to {shown(self.until)}"
        if self.since is not None:
            return f"in {shown(self.since)}" if self.until else f"from {shown(self.since)} on"
        return f"up to {shown(self.until)}" if self.until else "in all releases"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorReleases:
    """``known``: oldest first."""

    known: tuple[OperatorRelease, ...]
    spans: tuple[FieldSpan, ...]

    def with_more(self, more: OperatorReleases) -> OperatorReleases:
        """With the rows of ``more``, which replace those for the same release or field."""
        known = {r.release: r for r in (*self.known, *more.known)}
        spans = {(s.object, s.field): s for s in (*self.spans, *more.spans)}
        return OperatorReleases(
            known=tuple(known[release] for release in sorted(known)), spans=tuple(spans.values())
        )

    def find(self, release: Release) -> OperatorRelease | None:
        return next((r for r in self.known if r.release == release), None)

    def nearest(self, release: Release) -> OperatorRelease:
        """The release itself, else the newest one before it, else the oldest."""
        return next((r for r in reversed(self.known) if r.release <= release), self.known[0])

    def lacks(self, release: Release, kind: str, field: str) -> FieldSpan | None:
        """The span of a field, or of a parent of it, that the release lacks; None if the field can be
        written."""
        at = self.nearest(release).release
        for span in self.spans:
            inside = not span.field or field == span.field or field.startswith(f"{span.field}.")
            if span.object == kind and inside and not span.there(at):
                return span
        return None

    def owners(self, version: str, image: str) -> tuple[Release, ...]:
        """Releases whose image of that name has the tag ``version``; empty if none is known."""
        own = _OWN_TAG.match(version)
        if own:
            return ((int(own[1]), int(own[2])),)
        return tuple(
            r.release for r in self.known if image in r.images and r.images[image].version == version
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A field left out because the release lacks it. ``needed``: the plan depends on it. ``why``: what is
    lost, or what does it instead."""

    span: FieldSpan
    needed: bool
    why: str
    hint: str
