"""What the pods of a workload get: nodes, interfaces, devices, variables, routes and test jobs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from netaddr import IPAddress, IPNetwork

from netplan.model.claims import PodClaim
from netplan.model.fabric import Network, Workload
from netplan.model.hardware import Labels
from netplan.model.kubernetes import Attachment
from netplan.model.routes import RoutingName
from netplan.records import dataclass


def collective_networks(workload: Workload) -> tuple[Network, ...]:
    """The networks NCCL and UCX should use: those with rails; all if none has rails.

    Networks of limited members, which cannot reach each other, only if there are no others.
    """
    networks = tuple(n for n in workload.networks if n.per_rail) or workload.networks
    return tuple(n for n in networks if n.membership != "limited") or networks


HOSTFILE = "/etc/netplan/hostfile"
"""Where a launcher without the MPI operator finds its workers' names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Which nodes the pods may run on.

    ``group``: their leaf group if every rail has a subnet per leaf, else None. ``selectors``: label sets, any
    of which selects a node. ``unlabelled``: host types that no label set selects. ``nodes``: number of nodes.
    ``same_zone``: why all pods must be in one availability zone, or None. ``zone``: the zone in every one of
    ``selectors``, None if they name none. ``unplaced``: names of the leaf groups the hosts span if a pod
    could not reach its peers, else empty.
    """

    group: str | None
    selectors: tuple[Labels, ...]
    unlabelled: tuple[str, ...]
    instance_types: tuple[str, ...]
    nodes: int
    same_zone: str | None
    zone: str | None
    unplaced: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PodNic:
    """One interface of the pod; ``namespace`` is where its NetworkAttachmentDefinition is."""

    interface: str
    namespace: str
    attachment: Attachment

    @property
    def reference(self) -> str:
        """Element of the annotation ``k8s.v1.cni.cncf.io/networks``."""
        return f"{self.namespace}/{self.attachment.name}@{self.interface}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRequest:
    """``count``: what one pod requests; ``hcas``: how many HCAs it gets access to, more if they are shared.

    ``per_node``: devices on a node of each host type of the workload. ``attached``: one for each attachment.
    ``claimed``: by a DRA claim instead of a limit. ``share_max``: pods of a node that share them, None if
    each has its own.
    """

    resource: str
    network: str
    count: int
    hcas: int
    attached: bool
    claimed: bool
    per_node: Mapping[str, int]
    share_max: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Volume:
    """A volume and its mount: ``host_path``, else memory (``size_mib`` None: unlimited)."""

    name: str
    mount_path: str
    host_path: str | None
    size_mib: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvVar:
    """``source``: of the rule."""

    name: str
    value: str
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class OmittedEnv:
    """A variable a reader may miss, and why it is not set."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RailRoutes:
    """Policy routing of one rail interface for one IP version.

    ``back_end``: script (netplan's init container), sbr (the CNI plugin), table (routes of IPAM), claim
    (DRANET), spiderpool (its coordinator) or none. ``tabled``: it makes rules that lead to a routing table.
    ``table``: its number, None without one or if only the back end knows it. ``priority``: of the rule; None:
    the kernel's choice, counted down from 32765. ``source``: the rule's from; None: a rule for each address
    of the interface. ``subnet``: on-link prefix, None if each node has its own (then ``gateway`` is None too,
    and ``gateway_end`` says which end of the link it is: first or last). ``via``: prefixes through the
    gateway in the table, ``main_via``: in table main. ``default``: the table's default route: gateway,
    unreachable or none; ``by_default``: prefixes that only it reaches. ``connected_in_main``: whether the
    on-link route is in table main. ``probes``: an address in each prefix behind the gateway. ``announce``: no
    CNI plugin sends a gratuitous ARP for the pod. ``gateway_outside``: no switch of the inventory has the
    gateway.
    """

    interface: str
    rail: int
    back_end: RoutingName
    tabled: bool
    table: int | None
    priority: int | None
    source: IPNetwork | None
    subnet: IPNetwork | None
    gateway: IPAddress | None
    gateway_outside: bool
    gateway_end: str
    via: tuple[IPNetwork, ...]
    by_default: tuple[IPNetwork, ...]
    main_via: tuple[IPNetwork, ...]
    default: str
    connected_in_main: bool
    probes: tuple[IPAddress, ...]
    announce: bool
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressStability:
    """Whether addresses of a network move between MACs. ``why``: why not, or where they are used again.

    ``announced_by``: what sends a gratuitous ARP then, None: nothing. ``arp_age``: seconds for which a leaf
    keeps the old MAC without one, None if the inventory leaves it to the switch.
    """

    network: str
    moves: bool
    why: str
    announced_by: str | None
    arp_age: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Gang:
    """How the pods of a job start together.

    ``scheduler``: volcano, kueue or coscheduling. ``scheduler_name``: what the pods name, None if they name
    none or the MPI operator does it. ``group``: name of the PodGroup that netplan writes, None if another
    program makes one. ``members``: pods that start together. ``queue``: None for the default one. ``maker``:
    the program that makes the PodGroup, ``told``: the setting it needs; None without one.
    """

    scheduler: str
    scheduler_name: str | None
    group: str | None
    members: int
    queue: str | None
    maker: str | None
    told: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectiveJob:
    """A job that tests the network.

    ``kind``: a key of JOB_KINDS. ``file``: its file name. ``replicas``: pods that take part, ``slots``:
    processes in each. ``port``: TCP port of the pods' Service, None without one. ``command``: run by the
    launcher (with torchrun: by every pod). ``own_program``: netplan's test replaces the workload's program.
    ``launcher_env``: variables of the launcher itself. ``gang``: None without a gang scheduler.
    """

    kind: str
    file: str
    name: str
    env: tuple[tuple[str, str], ...]
    replicas: int
    slots: int
    port: int | None
    command: tuple[str, ...]
    own_program: bool
    launcher_env: tuple[tuple[str, str], ...]
    gang: Gang | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadPlan:
    """Everything about a workload's pods. ``limits``: all resource limits, in the order written.

    ``annotations``: of the pod, including the networks'. ``capabilities``: those the container adds.
    ``image``: None if not stated; then only patches can be written. ``beside_rails``: networks without rails
    whose RDMA devices the pods see as well. ``extra``: pod spec fields stated by the site, none of them
    netplan's own. ``local_queue``: the one in pods/kueue.yaml, None without Kueue. ``admission_api``:
    apiVersion of the admission policy, None without one.
    """

    workload: Workload
    placement: Placement
    nics: tuple[PodNic, ...]
    devices: tuple[DeviceRequest, ...]
    limits: tuple[tuple[str, str], ...]
    annotations: tuple[tuple[str, str], ...]
    capabilities: tuple[str, ...]
    volumes: tuple[Volume, ...]
    env: tuple[EnvVar, ...]
    omitted: tuple[OmittedEnv, ...]
    routes: tuple[RailRoutes, ...]
    stability: tuple[AddressStability, ...]
    claim: PodClaim | None
    jobs: tuple[CollectiveJob, ...]
    beside_rails: tuple[str, ...]
    extra: Mapping[str, Any]
    local_queue: str | None
    admission_api: str | None

    @property
    def name(self) -> str:
        return self.workload.name

    @property
    def scripted(self) -> tuple[RailRoutes, ...]:
        """Interfaces whose routes the init container installs."""
        return tuple(r for r in self.routes if r.back_end == "script")

    @property
    def routed(self) -> tuple[RailRoutes, ...]:
        """Interfaces whose routing can be checked in the pod."""
        return tuple(r for r in self.routes if r.tabled)
