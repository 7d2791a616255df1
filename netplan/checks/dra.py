"""NP646 and NP724 to NP729: clusters whose devices a DRA driver allocates."""

from __future__ import annotations

from collections.abc import Iterator

from netplan.checks.registry import Finding, check
from netplan.model.claims import DRANET, SRIOV_DRIVER
from netplan.model.fabric import Fabric, Network, Workload
from netplan.model.hardware import Hca, Host
from netplan.model.plan import Plan

FIRST_KUBERNETES = (1, 34)
"""First version with resource.k8s.io/v1 (kubernetes/kubernetes v1.34.0
staging/src/k8s.io/api/resource/v1)."""

MAX_REQUESTS = 32
"""Requests per claim (kubernetes/kubernetes staging/src/k8s.io/api/resource/v1/types.go)."""


def _owner(fabric: Fabric) -> str:
    return fabric.cluster.owners.device_plugin


def _allocates(fabric: Fabric) -> bool:
    return fabric.cluster.owners.of_devices.claims


def _by(fabric: Fabric, *owners: str) -> list[Network]:
    """Networks whose devices one of these drivers allocates, except shared HCAs (another plugin)."""
    if _owner(fabric) not in owners:
        return []
    return [n for n in fabric.networks if not n.shared]


@check(
    "NP724",
    "DRA needs Kubernetes 1.34",
    on=Fabric,
    counts=lambda fabric: int(_allocates(fabric)),
)
def kubernetes_too_old(fabric: Fabric) -> Iterator[Finding]:
    """Claims and device classes are written as resource.k8s.io/v1.

    **Why.** An older API server knows only the beta versions, with different fields, and rejects the objects.
    **Fix.** State `cluster.kubernetes_version` 1.34 or newer, or let a device plugin own the devices.
    **Source.** k8snetworkplumbingwg/dra-driver-sriov cd9404f0 README.md, Requirements; Kubernetes 1.34, DRA.
    """
    version = fabric.cluster.kubernetes_version
    if _allocates(fabric) and (version is None or version < FIRST_KUBERNETES):
        has = "is not stated" if version is None else "is {}.{}".format(*version)
        what = f"owners.device_plugin is {_owner(fabric)}, kubernetes_version {has}, 1.34 is needed"
        at = (*fabric.cluster.at, "owners", "device_plugin")
        yield Finding(at, what, "state kubernetes_version 1.34 or newer, or another owner")


@check("NP725", "network that DRANET cannot create", on=Fabric, counts=lambda f: len(_by(f, DRANET)))
def not_by_dranet(fabric: Fabric) -> Iterator[Finding]:
    """DRANET moves a whole interface into the pod together with its host addresses; no CNI plugin runs.

    **Why.** Nothing tags a VLAN, asks an IPAM or runs sbr.
    **Fix.** Use `mode: host-device` with `ipam: none` and routing claim, script or none.
    **Source.** kubernetes-sigs/dranet f258477c pkg/driver/dra_hooks.go; pkg/apis/types.go, NetworkConfig.
    """
    for network in _by(fabric, DRANET):
        wrong = {
            "mode": not network.by_mode.moves and network.by_mode.takes != "mount",
            "ipam": network.by_ipam.addresses,
            "routing": network.by_routing.installs in ("sbr", "ipam", "coordinator"),
        }
        for key in (key for key, found in wrong.items() if found):
            value, good = getattr(network, key), _INSTEAD[key]
            what = f"network {network.name} has {key} {value}, owners.device_plugin is dranet"
            yield Finding((*network.at, key), what, f"set {key} to {good}")
    if fabric.type == "efa" and _allocates(fabric):
        what = f"fabric.type is efa and owners.device_plugin is {_owner(fabric)}"
        at = (*fabric.cluster.at, "owners", "device_plugin")
        yield Finding(at, what, "set device_plugin: manual; the AWS chart provides the devices")


_INSTEAD = {"mode": "host-device", "ipam": "none", "routing": "claim or script"}


def _claimed_rails(fabric: Fabric) -> list[Network]:
    found = _by(fabric, DRANET) if fabric.type == "roce" else []
    return [n for n in found if n.per_rail and n.by_mode.moves and not n.by_ipam.addresses]


@check(
    "NP726",
    "claimed interface without an address",
    on=Plan,
    counts=lambda plan: sum(
        n in w.networks for n in _claimed_rails(plan.fabric) for w in plan.fabric.workloads
    ),
)
def no_address(plan: Plan) -> Iterator[Finding]:
    """An interface moved by DRANET keeps its host address; a claim template cannot hold one per node.

    **Why.** A pod without an address on a rail has no RoCE v2 GID there.
    **Fix.** State `address` of the HCA for each host, or use `rails.segment: host`, which numbers them.
    **Source.** kubernetes-sigs/dranet f258477c pkg/driver/dra_hooks.go: without addresses in the claim, the
    host's.
    """
    fabric = plan.fabric
    planned = {(k.link.host.name, k.link.hca.name) for k in plan.addresses.host_links}
    for network in _claimed_rails(fabric):
        for w in (w for w in fabric.workloads if network in w.networks):
            bare = [
                f"{host.name} {hca.name}"
                for host, hca in _moved(network, w)
                if (host.name, hca.name) not in planned and not _addressed(host.hcas.get(hca.name))
            ]
            if bare:
                more = f" and {len(bare) - 1} more" if len(bare) > 1 else ""
                verb = "have" if more else "has"
                what = f"{bare[0]}{more} of workload {w.name} {verb} no address to move into the pod"
                yield Finding(network.at, what, "state hosts.*.hcas.*.address, or set rails.segment: host")


def _moved(network: Network, workload: Workload) -> list[tuple[Host, Hca]]:
    """HCAs whose interfaces DRANET moves into pods of the workload."""
    return [(host, hca) for host in workload.hosts for hca in host.type.hcas if _moves(network, hca)]


def _moves(network: Network, hca: Hca) -> bool:
    """Whether DRANET moves its interface into pods of the network."""
    named = not network.hcas or hca.name in network.hcas
    return hca.rail is not None and hca.use == "pf" and named


def _addressed(own: object) -> bool:
    return getattr(own, "address", None) is not None


@check(
    "NP727",
    "operator names the resources of a DRA driver",
    on=Fabric,
    counts=lambda fabric: len(_by(fabric, SRIOV_DRIVER)),
)
def operator_names(fabric: Fabric) -> Iterator[Finding]:
    """Multus requires the annotation of a NAD to equal the name that the driver publishes.

    **Why.** An operator that generates the NAD prefixes the name, so no device is found.
    **Fix.** Set `owners.nads: netplan`.
    **Source.** k8snetworkplumbingwg/dra-driver-sriov cd9404f0 README.md, MULTUS mode.
    """
    if _by(fabric, SRIOV_DRIVER) and fabric.cluster.owners.nads == "operator":
        what = "owners.device_plugin is dra-driver-sriov and owners.nads is operator"
        yield Finding((*fabric.cluster.at, "owners", "nads"), what, "set nads: netplan")


@check(
    "NP728",
    "SR-IOV DRA driver cannot tell the devices of a network",
    on=Fabric,
    counts=lambda fabric: len(_by(fabric, SRIOV_DRIVER)),
)
def not_by_sriov_driver(fabric: Fabric) -> Iterator[Finding]:
    """A SriovResourcePolicy selects all VFs of a PF, and any device of a resource may be allocated.

    **Why.** Two networks on the VFs of one PF would share them; with one resource for several rails a pod
    gets a VF on the wrong VLAN; a claim has one request per attachment, and device-only has no
    attachment.
    **Fix.** Leave `vf_range` out and set `resource: per-rail`, `mode: sriov` or `ib-sriov`.
    **Source.** CRD sriovresourcepolicies of k8snetworkplumbingwg/dra-driver-sriov: filters have no range.
    """
    for network in _by(fabric, SRIOV_DRIVER):
        if network.by_mode.verbs_only:
            what = f"network {network.name} has mode {network.mode}, owners.device_plugin is dra-driver-sriov"
            yield Finding((*network.at, "mode"), what, "set mode: sriov, or another owner")
        if network.vf_range is not None:
            what = f"network {network.name} has vf_range {network.vf_range[0]}-{network.vf_range[1]}"
            yield Finding(
                (*network.at, "vf_range"),
                f"{what}, owners.device_plugin is dra-driver-sriov",
                "remove vf_range, and give each network HCAs of its own",
            )
        if network.per_rail and network.resource != "per-rail":
            what = f"network {network.name} has resource {network.resource}"
            yield Finding(
                (*network.at, "resource"),
                f"{what}, owners.device_plugin is dra-driver-sriov",
                "set resource: per-rail",
            )


def _claims(plan: Plan) -> int:
    return sum(w.claim is not None for w in plan.workloads)


@check("NP729", "claim cannot be written", on=Plan, counts=_claims)
def claim_unwritable(plan: Plan) -> Iterator[Finding]:
    """A claim has at most 32 requests, and each must name its devices on all hosts of the workload.

    **Why.** The API server rejects more; and if a name is rail 0 on one host type and rail 1 on another,
    a pod gets the wrong interface.
    **Fix.** State `netdev` or `pci` of the HCAs so that one of the two identifies each rail, or write a
    workload for each host type.
    **Source.** kubernetes/kubernetes 7fc9c57d staging/src/k8s.io/api/resource/v1/types.go,
    DeviceRequestsMaxSize.
    """
    for w in plan.workloads:
        requests = w.claim.requests if w.claim is not None else ()
        if len(requests) > MAX_REQUESTS:
            what = f"the claim of {w.name} has {len(requests)} requests, {MAX_REQUESTS} are allowed"
            yield Finding((*w.workload.at, "networks"), what, "give the workload fewer networks")
        for request in (r for r in requests if r.ambiguous):
            clash = [n for n in request.ambiguous if n]
            why = (
                f"{', '.join(clash)} is another rail on other hosts"
                if clash
                else "no netdev and pci are stated"
            )
            what = f"nothing names {request.name} of {w.name} on all of its hosts: {why}"
            yield Finding((*w.workload.at, "hosts"), what, "state netdev or pci, or split the workload")


def _by_claim(fabric: Fabric) -> list[Network]:
    return [n for n in fabric.networks if n.by_routing.installs == "claim"]


@check("NP646", "claim cannot carry the routes of a network", on=Fabric, counts=lambda f: len(_by_claim(f)))
def routes_not_claimed(fabric: Fabric) -> Iterator[Finding]:
    """`routing: claim` writes rules and routes into the claim template, the same for every node.

    **Why.** Only DRANET applies them, and a template cannot hold a gateway that differs from node to node.
    **Fix.** Set `routing: script`, which finds its gateway in the pod; or `owners.device_plugin: dranet`.
    **Source.** kubernetes-sigs/dranet f258477c pkg/apis/types.go, RouteConfig and RuleConfig.
    """
    rails = fabric.rails
    for network in _by_claim(fabric):
        why = ""
        if not fabric.cluster.owners.of_devices.moves_interface:
            why = f"owners.device_plugin is {_owner(fabric)}"
        elif rails is None or not network.per_rail:
            why = "it is not for each rail"
        elif rails.segment == "host":
            why = "rails.segment is host"
        elif rails.gateway == "none":
            why = "the rails have no gateway"
        if why:
            what = f"network {network.name} has routing claim, but {why}"
            yield Finding((*network.at, "routing"), what, "set routing: script, or sbr without DRANET")
