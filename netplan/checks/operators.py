"""NP544, NP703, NP704, NP733 to NP736, NP738: the release of the Network Operator and its features."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from netplan.checks.registry import Finding, check
from netplan.diagnostics import Path, Severity
from netplan.model.cluster import NetworkOperator
from netplan.model.fabric import Fabric
from netplan.model.operator_releases import Gap, OperatorRelease, chart_of, shown
from netplan.model.plan import Plan

OFED = "ofedDriver"
"""The only component whose version is a separate key."""

_AT: Path = ("cluster", "network_operator")


def _operator_count(fabric: Fabric) -> int:
    return int(fabric.cluster.network_operator is not None)


def _stated(plan: Plan) -> int:
    return _operator_count(plan.fabric)


def _images(plan: Plan) -> int:
    stated = plan.fabric.cluster.network_operator
    return len(stated.images) if stated is not None else 0


@check("NP703", "Network Operator release not supported by netplan", on=Fabric, counts=_operator_count)
def release_unfit(fabric: Fabric) -> Iterator[Finding]:
    """The release determines which values and fields exist, and on which Kubernetes versions the chart
    installs.

    **Why.** Before 24.10 the chart's values created the NicClusterPolicy; later charts ignore them. For
    an unknown release netplan does not know which fields the CRDs have: unknown ones are dropped or
    rejected.
    **Fix.** Correct `network_operator.release` or `kubernetes_version`, or upgrade. If accepted, the
    files are written for the nearest known release.
    **Source.** Mellanox/network-operator PR 1085; version and kubeVersion of
    deployment/network-operator/Chart.yaml at v24.10.1, v25.1.0, v25.4.0, v25.7.0, v25.10.0, v26.1.2, v26.4.1
    and v26.7.0-rc.2.
    """
    operator, version = fabric.cluster.network_operator, fabric.cluster.kubernetes_version
    if operator is None:
        return
    at, release, known = (*_AT, "release"), shown(operator.release), operator.releases.known
    found = operator.releases.find(operator.release)
    if operator.release < known[0].release:
        what = f"release {release} is older than {shown(known[0].release)}, the oldest that netplan supports"
        yield Finding(at, what, "upgrade the operator")
    elif found is None:
        near = shown(operator.releases.nearest(operator.release).release)
        what = f"release {release} is not among {', '.join(shown(r.release) for r in known)}"
        yield Finding(
            at,
            what,
            f"correct release, add it with --release-data, or accept the finding: the files are written "
            f"for {near}",
        )
    elif version is not None and version < found.kubernetes:
        needed = shown(found.kubernetes)
        what = f"release {release} needs Kubernetes {needed}, the cluster has {shown(version)}"
        yield Finding(at, what, "upgrade Kubernetes or use an older release")


@check(
    "NP544",
    "release known as a release candidate only",
    on=Fabric,
    counts=_operator_count,
    severity=Severity.INFO,
)
def candidate_only(fabric: Fabric) -> Iterator[Finding]:
    """For this release netplan has only the chart, images and CRDs of a release candidate.

    **Why.** The applications of `cluster.gitops` would install that candidate.
    **Fix.** State `version`, the image tag of the final release; the chart version follows from it.
    **Source.** Mellanox/network-operator, tags (v26.7.0-rc.2 is the newest of 26.7)
    """
    operator, gitops = fabric.cluster.network_operator, fabric.cluster.gitops
    known = _known(operator)
    if operator is None or known is None or not known.candidate:
        return
    chosen = gitops is not None and "network-operator" in gitops.chart_versions
    if not chosen and chart_of(operator.version, operator.release) is None:
        release = shown(operator.release)
        what = (
            f"release {release} is known only as release candidate {known.tag}: the files are for that chart"
        )
        hint = f"state version: network-operator-v{release}.PATCH of the final release"
        yield Finding((*_AT, "release"), what, hint)


@check("NP704", "component images without repository and version", on=Plan, counts=_stated)
def image_unknown(plan: Plan) -> Iterator[Finding]:
    """Every component of the NicClusterPolicy needs the repository and version of its image; from 26.4
    they may also come from `global`.

    **Why.** Before 26.4 the API server rejects the policy; from 26.4 the operator stops at it
    ("repository is required"). No component is deployed.
    **Fix.** State `repository` and `version` of `cluster.network_operator`.
    **Source.** Mellanox/network-operator b06827e0
    deployment/network-operator/crds/mellanox.com_nicclusterpolicies.yaml; ValidateRequiredFields in
    api/v1alpha1/nicclusterpolicy_types.go at v26.4.1
    """
    operator, stated = plan.kubernetes.network_operator, plan.fabric.cluster.network_operator
    if operator is None or stated is None:
        return
    missing: dict[str, list[str]] = {}
    for name, image in operator.images.items():
        for key in ("repository", "version"):
            if getattr(image, key) is None and getattr(operator, key) is None:
                missing.setdefault(key, []).append(name)
    if missing:
        names = dict.fromkeys(name for each in missing.values() for name in each)
        keys = " and ".join(missing)
        what = f"release {shown(operator.release)} needs {keys} for {', '.join(names)}"
        own = _own_images(names, stated.releases.find(operator.release))
        yield Finding(_AT, what, f"state {keys}{own}")


def _own_images(names: Iterable[str], release: OperatorRelease | None) -> str:
    """The images of the release, for a hint; "" if none is known."""
    images = {n: release.images[n] for n in names if n in release.images} if release is not None else {}
    if not images:
        return ""
    if len(set(images.values())) == 1:
        image = next(iter(images.values()))
        return f"; the release has {image.version} in {image.repository}"
    texts = [f"{name} {image.version} in {image.repository}" for name, image in images.items()]
    return f"; the release has {', '.join(texts)}: state them below images"


def _needed(plan: Plan) -> list[Gap]:
    return [g for g in _gaps(plan) if g.needed]


def _gaps(plan: Plan) -> tuple[Gap, ...]:
    operator = plan.kubernetes.network_operator
    return operator.gaps if operator is not None else ()


def _gap_text(plan: Plan, gap: Gap) -> str:
    operator = plan.fabric.cluster.network_operator
    assert operator is not None
    at = shown(operator.releases.nearest(operator.release).release)
    return f"release {at} has no {gap.span.title} ({gap.span.text}): {gap.why}"


@check("NP733", "release lacks a field that the plan needs", on=Plan, counts=_stated)
def field_missing(plan: Plan) -> Iterator[Finding]:
    """netplan does not write fields that the CRDs or the chart of the stated release lack.

    **Why.** A strict apply would reject the object, and any other would silently drop the field: pods
    without routes on their rails, NICs without the fabric's QoS.
    **Fix.** Upgrade the operator to the release named, or use the alternative in the hint.
    **Source.** CRDs in deployment/network-operator/crds and manifests of Mellanox/network-operator at
    v24.10.1, v25.1.0, v25.4.0, v25.7.0, v25.10.0, v26.1.2, v26.4.1 and v26.7.0-rc.2.
    """
    for gap in _needed(plan):
        yield Finding((*_AT, "release"), _gap_text(plan, gap), gap.hint)


@check(
    "NP734",
    "field left out because the release lacks it",
    on=Plan,
    counts=_stated,
    severity=Severity.INFO,
)
def field_left_out(plan: Plan) -> Iterator[Finding]:
    """The stated release lacks the field, and the plan works without it.

    **Why.** The finding names what applies instead.
    **Fix.** Upgrade to a newer release to have the field written.
    **Source.** CRDs in deployment/network-operator/crds and manifests of Mellanox/network-operator at
    v24.10.1, v25.1.0, v25.4.0, v25.7.0, v25.10.0, v26.1.2, v26.4.1 and v26.7.0-rc.2.
    """
    for gap in _gaps(plan):
        if not gap.needed:
            yield Finding((*_AT, "release"), _gap_text(plan, gap), gap.hint)


@check("NP735", "component version from another release", on=Plan, counts=_stated)
def version_of_another_release(plan: Plan) -> Iterator[Finding]:
    """A release is tested with its own images; their tags name it or are on its list.

    **Why.** Manifests and flags of one release would run binaries of another: pods do not start, or the
    controller ignores CRD fields.
    **Fix.** State the release's own version, or the release that is installed. Accept the finding if you
    have tested the combination.
    **Source.** Mellanox/network-operator b06827e0 hack/release.yaml at the tags of the releases
    """
    operator, stated = plan.kubernetes.network_operator, plan.fabric.cluster.network_operator
    if operator is None or stated is None:
        return
    wrong: dict[Path, list[str]] = {}
    for name in operator.images:
        at, version = _version(stated, name)
        if version is not None and name != OFED and _of_another(stated, version, name):
            wrong.setdefault(at, []).append(name)
    for at, names in wrong.items():
        version = _version(stated, names[0])[1] or ""
        of = ", ".join(map(shown, stated.releases.owners(version, names[0])))
        whose = f"of release {of}" if of else "another component's"
        what = f"version {version} of {', '.join(names)} is {whose}, the release is {shown(operator.release)}"
        own = _own_images(names, stated.releases.find(operator.release))
        yield Finding(at, what, f"correct version or release{own}")


def _version(stated: NetworkOperator, name: str) -> tuple[Path, str | None]:
    """(place of an image's version in the inventory, version)."""
    own = stated.images.get(name)
    if own is not None and own.version is not None:
        return (*_AT, "images", name, "version"), own.version
    return (*_AT, "version"), stated.version


def _of_another(stated: NetworkOperator, version: str, name: str) -> bool:
    """Whether a version belongs to another release or component; an unknown tag may be the site's own."""
    owners = stated.releases.owners(version, name)
    if owners:
        return stated.release not in owners
    return any(image.version == version for r in stated.releases.known for image in r.images.values())


@check(
    "NP738",
    "image of a component that is not deployed",
    on=Plan,
    counts=_images,
    severity=Severity.WARNING,
)
def image_without_component(plan: Plan) -> Iterator[Finding]:
    """The NicClusterPolicy contains only the components that the inventory requires.

    **Why.** The key has no effect, but looks as if it had one.
    **Fix.** Correct the component's name, or remove the entry. The driver's version is `ofed_version`.
    **Source.** NicClusterPolicy fields, Mellanox/network-operator b06827e0
    api/v1alpha1/nicclusterpolicy_types.go
    """
    operator, stated = plan.kubernetes.network_operator, plan.fabric.cluster.network_operator
    if operator is None or stated is None:
        return
    for name, image in stated.images.items():
        at: Path = (*_AT, "images", name)
        if name not in operator.images:
            known = ", ".join(operator.images) or "none"
            what = f"images has {name}, which is not deployed: the components are {known}"
            yield Finding(at, what, "correct the name or remove the entry")
        elif name == OFED and image.version is not None:
            what = f"images has version {image.version} for {OFED}, whose version is ofed_version"
            yield Finding((*at, "version"), what, "remove it and state ofed_version")


def _ofed_count(fabric: Fabric) -> int:
    operator = fabric.cluster.network_operator
    return int(operator is not None and operator.ofed_version is not None)


@check("NP736", "driver version that the operator rejects", on=Fabric, counts=_ofed_count)
def ofed_version_form(fabric: Fabric) -> Iterator[Finding]:
    """The operator's webhook checks the version of the driver container against a pattern.

    **Why.** It rejects the whole NicClusterPolicy; without the webhook no image of that name exists.
    **Fix.** Write the full version, such as doca3.1.0-25.07-0.9.7.0-0.
    **Source.** isValidOFEDVersion in Mellanox/network-operator b06827e0 api/v1alpha1/validator/, by release
    """
    operator = fabric.cluster.network_operator
    release = _known(operator)
    if operator is None or release is None or operator.ofed_version is None or not release.ofed_version:
        return
    if not re.search(release.ofed_version, operator.ofed_version, re.ASCII):
        takes = shown(release.release)
        what = f"ofed_version {operator.ofed_version} is not in the form of release {takes}"
        own = release.images[OFED].version if OFED in release.images else ""
        yield Finding((*_AT, "ofed_version"), what, f"write it as {own}" if own else "correct ofed_version")


def _known(operator: NetworkOperator | None) -> OperatorRelease | None:
    return operator.releases.find(operator.release) if operator is not None else None
