"""The rendered files of a site: Kubernetes objects, workloads, hosts, switches; nothing from the plan."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any

from netplan.graph.kubernetes.cluster import NV_IPAM, Nad, ObjectGraph, Plugin, Pod, quantities
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.node_selection import NodeSelection, of_pod
from netplan.graph.kubernetes.selections import NetworkSelection, annotation_at, read_selections
from netplan.model.artifact import Artifact
from netplan.model.readback import ReadSwitch
from netplan.model.site import PATH, SiteFacts, SiteHost, SiteSwitch
from netplan.model.values import natural
from netplan.nos import NosLibrary, shipped
from netplan.reading.kubernetes.objects import inside, listing, mapping
from netplan.reading.site import read_site
from netplan.reading.switches import read_site_switch
from netplan.records import dataclass
from netplan.trace.applied import namespace_faults, unapplied
from netplan.trace.asked import unasked
from netplan.trace.bgp import Bgp
from netplan.trace.cabling import disputed
from netplan.trace.devices import policy_vfs
from netplan.trace.fabric import ReadFabric, Wanted
from netplan.trace.installed import switched_off
from netplan.trace.memory import uncollected
from netplan.trace.model import Fault, TraceError, Verdict
from netplan.trace.objects import Objects, objects_of
from netplan.trace.routes import Routes
from netplan.trace.tree import Beside


@dataclass(frozen=True, slots=True)
class PodNetwork:
    """One network of a pod. ``name``: from the annotation; ``network``: None if there is no network of that
    name."""

    interface: str
    name: str
    network: Nad | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWorkload:
    """``pod``: the example pod, or what the component adds if no image is known. ``routes``: its
    ``routes.yaml``. ``container``: the one with the devices, and its path in the object. ``unreadable``:
    whether its annotation is not a valid list of networks."""

    name: str
    pod: Pod
    attachments: tuple[PodNetwork, ...]
    selection: NodeSelection
    container: Plugin
    routes: Routes
    unreadable: bool = False

    @property
    def file(self) -> str:
        return self.pod.thing.file

    @property
    def env(self) -> Mapping[str, str]:
        """Variables set to a text; of duplicates the last one wins."""
        stated = listing(self.container[1].get("env"))
        return {e["name"]: str(e.get("value", "")) for e in stated}

    @property
    def limits(self) -> Mapping[str, int]:
        """Limits of extended resources."""
        limits = quantities(self.container[1], "limits")
        return {n: int(a) for n, a in limits.items() if "/" in n and str(a).isdecimal()}

    @property
    def claims(self) -> tuple[str, ...]:
        """Resource claims through which a DRA driver gives the pod its devices."""
        claims = listing(self.pod.spec.get("resourceClaims"))
        return tuple(str(c.get("resourceClaimTemplateName", c["name"])) for c in claims)

    @property
    def verbs_mounted(self) -> bool:
        volumes = listing(self.pod.spec.get("volumes"))
        return any(inside(v, ("hostPath", "path")) == "/dev/infiniband" for v in volumes)

    def at(self, *path: str | int) -> str:
        """File and line of a path in the pod; if it does not exist, of its nearest existing parent."""
        return f"{self.file}:{self.pod.thing.source((*self.pod.path, *path)).line}"

    @property
    def networks_at(self) -> str:
        """File and line of the annotation, else of the pod."""
        return self.at(*annotation_at(self.pod)[len(self.pod.path) :])

    def env_at(self, name: str) -> str:
        """File and line of a variable, else of the environment."""
        path, container = self.container
        stated = listing(container.get("env"))
        where = [i for i, e in enumerate(stated) if inside(e, ("name",)) == name]
        line = self.pod.thing.source((*path, "env", *where[-1:])).line
        return f"{self.file}:{line}"


class TracedSite:
    """``texts``: path -> content. ``library``: known NOSes. ``facts``: from the inventory if it is given,
    else from ``site.json``. ``beside``: how the directory differs from what netplan wrote."""

    def __init__(
        self,
        artifacts: Iterable[Artifact],
        library: NosLibrary | None = None,
        facts: SiteFacts | None = None,
        beside: Beside | None = None,
    ) -> None:
        self._apart = beside.apart if beside is not None else ()
        self.edited = beside.edited if beside is not None else ()
        self._given = facts is not None
        self.artifacts = tuple(artifacts)
        self.texts = {artifact.path: artifact.text for artifact in self.artifacts}
        self.facts = _facts(self.texts) if facts is None else facts
        self._library = library or shipped()

    def _refuse_strangers(self) -> None:
        """Raises TraceError if the NOS of a switch is unknown: none of its files would count."""
        strange = [s for s in self.facts.switches.values() if s.nos not in self._library.folders]
        if strange:
            first = strange[0]
            more = f" and {len(strange) - 1} more" if len(strange) > 1 else ""
            raise TraceError(
                f"{first.name}{more}: NOS {first.nos} is unknown; give its folder with --nos-dir"
            )

    def apart(self, workload: str, host: SiteHost) -> Iterator[Fault]:
        """Missing, unread or edited files that concern a pod: its workload's, its host's, those of all
        objects and switches."""
        own = ("kubernetes/", "switches/", f"pods/{workload}/", f"hosts/{host.type}/", f"hosts/{host.name}/")
        texts = (*self._apart, *self.objects.odd)
        asked = () if self._given else (PATH,)
        found = [text for text in texts if text.startswith((*own, *asked))]
        found += (each.text for each in self.objects.refused if each.thing.file.startswith(own))
        return (Fault(Verdict.UNPROVED, text) for text in found)

    def apart_at(self, name: str) -> tuple[str, ...]:
        """The same for the files of one host."""
        return tuple(text for text in self._apart if text.startswith(f"hosts/{name}/"))

    @cached_property
    def objects(self) -> Objects:
        with uncollected():
            return objects_of(self.artifacts)

    def ruled(self, workload: str) -> tuple[Fault, ...]:
        """Findings about the objects that a workload's pods depend on."""
        return (*self.objects.ruled.get(workload, ()), *self.objects.ruled.get("", ()))

    @cached_property
    def cluster(self) -> ObjectGraph:
        return cluster_of(self.objects.read.tree, {}, whole=True)

    @cached_property
    def unasked(self) -> tuple[Fault, ...]:
        return tuple(unasked(self.facts, self.texts))

    @cached_property
    def unapplied(self) -> tuple[Fault, ...]:
        return (*unapplied(self.cluster.tree, self.objects.refused), *switched_off(self.cluster))

    @cached_property
    def without_namespace(self) -> tuple[Fault, ...]:
        return tuple(namespace_faults(self.cluster, self.objects.refused))

    @cached_property
    def fabric(self) -> ReadFabric:
        self._refuse_strangers()
        files: dict[str, dict[str, str]] = {name: {} for name in self.facts.switches}
        for path, text in self.texts.items():
            top, _, rest = path.partition("/")
            name, _, file = rest.partition("/")
            if top == "switches" and name in files:
                files[name][file] = text
        with uncollected():
            switches = {
                name: self.read_switch(self.facts.switches[name], texts)
                for name, texts in sorted(files.items())
                if any(file not in ("README.md", "cabling.csv") for file in texts)
            }
            doubtful = disputed(self.texts, self.facts.cables)
            return ReadFabric(
                switches,
                self.facts.cables,
                doubtful,
                self.texts,
                wanted=Wanted(self.facts.qos, self.facts.arp_seconds, self._demand(), self.facts.switches),
            )

    def _demand(self) -> Mapping[str, int]:
        """Switch -> neighbours it may have: VFs behind each cable to a host, at least one each, and
        switches."""
        functions = self._functions
        found: Counter[str] = Counter()
        for cable in self.facts.cables:
            found[cable.switch] += max(1, functions.get((cable.switch, cable.port), 1))
        return found

    @property
    def _functions(self) -> Mapping[tuple[str, str], int]:
        """Switch port -> VFs of the HCA cabled to it, if a policy says how many."""
        named = dict.fromkeys(network.resource for network in self.cluster.networks)
        names = [name for name in named if name]
        known: dict[object, Mapping[str, int]] = {}
        found: dict[tuple[str, str], int] = {}
        for host in self.facts.hosts:
            key = (host.type, *sorted(host.labels.items()), *((h.name, h.pci, h.netdev) for h in host.hcas))
            if key not in known:
                known[key] = policy_vfs(self.cluster, names, host)
            found |= {(h.switch, h.port): known[key][h.name] for h in host.hcas if h.name in known[key]}
        return found

    def read_switch(self, switch: SiteSwitch, texts: Mapping[str, str]) -> ReadSwitch:
        return read_site_switch(switch, texts, self._library)

    @cached_property
    def bgp(self) -> Bgp:
        return Bgp(self.fabric)

    @cached_property
    def hosts(self) -> Mapping[str, SiteHost]:
        """Kubernetes nodes in natural order; two samples of hosts without names."""
        return {host.name: host for host in self.facts.hosts}

    @cached_property
    def workloads(self) -> Mapping[str, TraceWorkload]:
        names = {
            path.split("/")[1] for path in self.texts if path.startswith("pods/") and path.count("/") > 1
        }
        found = (self._workload(name) for name in sorted(names, key=natural))
        return {workload.name: workload for workload in found if workload is not None}

    def hosts_of(self, workload: TraceWorkload) -> tuple[SiteHost, ...]:
        """Hosts with the labels that its pods ask for."""
        alike = (hosts for hosts in self._alike.values() if workload.selection.takes(hosts[0][1].labels))
        return tuple(host for _, host in sorted(chain.from_iterable(alike), key=itemgetter(0)))

    @cached_property
    def _alike(self) -> Mapping[frozenset[tuple[str, str]], list[tuple[int, SiteHost]]]:
        """Labels -> (index, host) of the hosts that have them."""
        found: dict[frozenset[tuple[str, str]], list[tuple[int, SiteHost]]] = {}
        for place, host in enumerate(self.hosts.values()):
            found.setdefault(frozenset(host.labels.items()), []).append((place, host))
        return found

    @cached_property
    def allocations(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """CIDRPool by namespace and name -> node -> the first prefix allocated to it."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for pool in self.cluster.of(NV_IPAM, "CIDRPool"):
            given = found.setdefault(str(pool), {})
            for entry in pool.spec.get("staticAllocations", ()):
                given.setdefault(entry["nodeName"], entry)
        return found

    def _workload(self, name: str) -> TraceWorkload | None:
        pod = self._pods.get(f"pods/{name}/pod.yaml") or self._pods.get(f"pods/{name}/rails/pod-rails.yaml")
        if pod is None:
            return None
        chosen = selections_of(pod)
        return TraceWorkload(
            name=name,
            pod=pod,
            unreadable=chosen is None,
            attachments=tuple(self._attachments(pod, chosen or [])),
            selection=of_pod(pod.spec),
            container=_with_devices(pod),
            routes=self._routes(f"pods/{name}/routes.yaml"),
        )

    def _routes(self, path: str) -> Routes:
        return Routes(path, next((thing for thing in self.objects.read.routes if thing.file == path), None))

    def _attachments(self, pod: Pod, chosen: list[NetworkSelection]) -> Iterable[PodNetwork]:
        for index, selection in enumerate(chosen, 1):
            namespace = selection.namespace or str(mapping(pod.thing.metadata).get("namespace", ""))
            known = next(iter(self.cluster.named(namespace, selection.name)), None)
            name = f"{namespace}/{selection.name}"
            yield PodNetwork(selection.interface or f"net{index}", name, known)

    @cached_property
    def _pods(self) -> Mapping[str, Pod]:
        """First pod template of each file."""
        return {pod.thing.file: pod for pod in reversed(self.cluster.pods)}


def selections_of(pod: Pod) -> list[NetworkSelection] | None:
    """None if the annotation exists but cannot be read."""
    *_, key = at = annotation_at(pod)
    if key not in pod.annotations:
        return []
    chosen, wrong = read_selections(at, str(pod.annotations[key]))
    return None if wrong or not chosen else chosen


def _with_devices(pod: Pod) -> Plugin:
    """The container that requests devices, else the first."""
    containers = pod.containers()
    asking = (c for c in containers if any("/" in name for name in quantities(c[1], "limits")))
    return next(asking, containers[0])


def _facts(texts: Mapping[str, str]) -> SiteFacts:
    if PATH not in texts:
        raise TraceError(f"there is no {PATH}, which names hosts, cables and switches: render the site again")
    try:
        return read_site(texts[PATH])
    except ValueError as error:
        raise TraceError(f"{PATH}: {error}") from error
