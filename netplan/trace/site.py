"""The rendered files of a site, read: Kubernetes objects, workloads, hosts, switches. Nothing of the plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any

import yaml

from netplan.graph.kubernetes.cluster import NETWORKS_ANNOTATION, Cluster, Network
from netplan.graph.kubernetes.gather import cluster_of
from netplan.graph.kubernetes.node_selection import NodeSelection, of_pod
from netplan.graph.kubernetes.selections import read_selections
from netplan.model.artifact import Artifact
from netplan.model.readback import ReadSwitch
from netplan.model.site import PATH, SiteFacts, SiteHost, SiteSwitch
from netplan.model.values import natural
from netplan.nos import NosLibrary, shipped
from netplan.reading.kubernetes.objects import Thing
from netplan.reading.site import read_site
from netplan.reading.switches import read_switch
from netplan.trace.bgp import Bgp
from netplan.trace.cabling import disputed
from netplan.trace.devices import Selectors
from netplan.trace.fabric import Fabric
from netplan.trace.memory import uncollected
from netplan.trace.model import TraceError
from netplan.verify.read import read
from netplan.verify.rules import text_problems
from netplan.verify.schemas import schema_problems

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceWorkload:
    """``networks``: (interface, network) in the annotation's order, the network None where none has the name.

    ``selection``: of the nodes it may run on. ``script``: text of ``rail-routes.sh`` where an init
    container runs one. ``rails``: interface -> (rail, prefixes it is to reach) from ``routes.yaml``.
    ``claims``: resource claims of a DRA driver that gives the pod its devices. ``unbound``: its processes use
    sockets that are bound to nothing, by ``routes.yaml``. ``outside``: interfaces whose gateway is a
    router that no file is about, by ``routes.yaml``.
    """

    name: str
    file: str
    networks: tuple[tuple[str, str, Network | None], ...]
    selection: NodeSelection
    env: Mapping[str, str]
    limits: Mapping[str, int]
    verbs_mounted: bool
    script: str | None
    rails: Mapping[str, tuple[int, tuple[str, ...]]]
    claims: tuple[str, ...]
    unbound: bool
    outside: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Routes:
    """What ``routes.yaml`` says; the fields are those of ``TraceWorkload``."""

    rails: Mapping[str, tuple[int, tuple[str, ...]]]
    unbound: bool
    outside: frozenset[str]


class Site:
    """``texts``: path -> content. ``library``: the NOSes there are. ``facts``: of the inventory, where it is
    given, else of ``site.json``."""

    def __init__(
        self,
        artifacts: Iterable[Artifact],
        library: NosLibrary | None = None,
        facts: SiteFacts | None = None,
    ) -> None:
        self.artifacts = tuple(artifacts)
        self.texts = {artifact.path: artifact.text for artifact in self.artifacts}
        self.facts = _facts(self.texts) if facts is None else facts
        self._library = library or shipped()

    @cached_property
    def cluster(self) -> Cluster:
        wanted = [a for a in self.artifacts if a.path.startswith(("kubernetes/", "pods/"))]
        with uncollected():
            files = read(wanted)
            found = [*files.problems] or text_problems(files) or schema_problems(files)[0]
        if found:
            raise TraceError(f"{found[0].message}; there are {len(found)} such problems")
        return cluster_of(files.tree, {}, whole=True)

    @cached_property
    def fabric(self) -> Fabric:
        files: dict[str, dict[str, str]] = {name: {} for name in self.facts.switches}
        for path, text in self.texts.items():
            top, _, rest = path.partition("/")
            name, _, file = rest.partition("/")
            if top == "switches" and name in files:
                files[name][file] = text
        with uncollected():
            switches = {
                name: self._read(self.facts.switches[name], texts)
                for name, texts in sorted(files.items())
                if any(file not in ("README.md", "cabling.csv") for file in texts)
            }
            doubtful = disputed(self.texts, self.facts.cables)
            return Fabric(
                switches,
                self.facts.cables,
                doubtful,
                self.texts,
                qos=self.facts.qos,
                arp_seconds=self.facts.arp_seconds,
            )

    def _read(self, switch: SiteSwitch, texts: Mapping[str, str]) -> ReadSwitch:
        return read_switch(
            switch.name,
            switch.nos,
            texts,
            self._library,
            asic=switch.asic,
            model=switch.model,
            queue_bytes=switch.queue_bytes,
        )

    @cached_property
    def bgp(self) -> Bgp:
        return Bgp(self.fabric)

    @cached_property
    def hosts(self) -> Mapping[str, SiteHost]:
        """Kubernetes nodes, in natural order; two examples of those without names."""
        return {host.name: host for host in self.facts.hosts}

    @cached_property
    def workloads(self) -> Mapping[str, TraceWorkload]:
        names = {
            path.split("/")[1] for path in self.texts if path.startswith("pods/") and path.count("/") > 1
        }
        found = (self._workload(name) for name in sorted(names, key=natural))
        return {workload.name: workload for workload in found if workload is not None}

    def hosts_of(self, workload: TraceWorkload) -> tuple[SiteHost, ...]:
        """Hosts whose labels its pods ask for."""
        alike = (hosts for hosts in self._alike.values() if workload.selection.takes(hosts[0][1].labels))
        return tuple(host for _, host in sorted(chain.from_iterable(alike), key=itemgetter(0)))

    @cached_property
    def _alike(self) -> Mapping[frozenset[tuple[str, str]], list[tuple[int, SiteHost]]]:
        """Labels -> places and hosts that have them."""
        found: dict[frozenset[tuple[str, str]], list[tuple[int, SiteHost]]] = {}
        for place, host in enumerate(self.hosts.values()):
            found.setdefault(frozenset(host.labels.items()), []).append((place, host))
        return found

    @cached_property
    def of_kind(self) -> Mapping[str, tuple[Thing, ...]]:
        """Kubernetes objects by their kind."""
        found: dict[str, list[Thing]] = {}
        for thing in self.cluster.tree.things:
            found.setdefault(thing.kind, []).append(thing)
        return {kind: tuple(things) for kind, things in found.items()}

    @cached_property
    def selectors(self) -> Selectors:
        return Selectors(self.cluster)

    @cached_property
    def allocations(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """CIDRPool, as namespace and name -> node -> the first prefix it is given there."""
        found: dict[str, dict[str, Mapping[str, Any]]] = {}
        for pool in self.of_kind.get("CIDRPool", ()):
            given = found.setdefault(str(pool), {})
            for entry in pool.spec.get("staticAllocations", ()):
                given.setdefault(entry["nodeName"], entry)
        return found

    def _workload(self, name: str) -> TraceWorkload | None:
        file, body = self._pod_body(name)
        if body is None:
            return None
        spec = body["spec"]
        container = spec["containers"][0]
        routes = self._routes(name)
        inits = [c.get("name") for c in spec.get("initContainers", ())]
        return TraceWorkload(
            name=name,
            file=file,
            networks=tuple(self._networks(file, body)),
            selection=of_pod(spec),
            env={e["name"]: str(e.get("value", "")) for e in container.get("env", ())},
            limits=_counts(container.get("resources", {}).get("limits", {})),
            verbs_mounted=any(
                v.get("hostPath", {}).get("path") == "/dev/infiniband" for v in spec.get("volumes", ())
            ),
            script=self.texts.get(f"pods/{name}/rail-routes.sh") if "rail-routes" in inits else None,
            rails=routes.rails,
            claims=tuple(
                str(c.get("resourceClaimTemplateName", c["name"])) for c in spec.get("resourceClaims", ())
            ),
            unbound=routes.unbound,
            outside=routes.outside,
        )

    def _routes(self, name: str) -> _Routes:
        path = f"pods/{name}/routes.yaml"
        loaded = _loaded(path, self.texts.get(path, "")) or {}
        try:
            return _Routes(
                rails=dict(_rails(loaded)),
                unbound=loaded.get("unbound_traffic") is True,
                outside=frozenset(
                    str(entry["interface"])
                    for entry in loaded.get("interfaces", ())
                    if entry.get("gateway_owner") == "external"
                ),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise TraceError(f"{path}: not of the form netplan writes, {error!r}") from error

    def _pod_body(self, name: str) -> tuple[str, dict[str, Any] | None]:
        """The example pod, or what the component adds where no image is known."""
        path = f"pods/{name}/pod.yaml"
        if path in self._bodies:
            return path, self._bodies[path]
        path = f"pods/{name}/rails/pod-rails.yaml"
        text = self.texts.get(path)
        return path, None if text is None else _from_rails(_loaded(path, text))

    def _networks(self, file: str, body: dict[str, Any]) -> Iterable[tuple[str, str, Network | None]]:
        annotations = body["metadata"].get("annotations", {})
        if NETWORKS_ANNOTATION not in annotations:
            return
        chosen, wrong = read_selections((), annotations[NETWORKS_ANNOTATION])
        if wrong or not chosen:
            raise TraceError(f"{file}: {NETWORKS_ANNOTATION} is no list of networks")
        for index, selection in enumerate(chosen, 1):
            namespace = selection.namespace or body["metadata"].get("namespace", "")
            known = next(iter(self.cluster.named(namespace, selection.name)), None)
            yield selection.interface or f"net{index}", f"{namespace}/{selection.name}", known

    @cached_property
    def _bodies(self) -> Mapping[str, dict[str, Any]]:
        """Of example pods, by path."""
        pods = reversed(self.of_kind.get("Pod", ()))
        return {thing.file: thing.body for thing in pods}


def _facts(texts: Mapping[str, str]) -> SiteFacts:
    if PATH not in texts:
        raise TraceError(f"there is no {PATH}, which names hosts, cables and switches: render the site again")
    try:
        return read_site(texts[PATH])
    except ValueError as error:
        raise TraceError(f"{PATH}: {error}") from error


def _loaded(path: str, text: str) -> Any:
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506  (the safe loader)
    except yaml.YAMLError as error:
        raise TraceError(f"{path}: {' '.join(str(error).split())}") from error


def _from_rails(values: Mapping[str, Any]) -> dict[str, Any]:
    """A pod that has only what the component adds to it."""
    metadata, spec = (values["template"].get(key, {}) for key in ("metadata", "spec"))
    return {"metadata": metadata, "spec": {**spec, "containers": [values["container"]]}}


def _counts(limits: Mapping[str, Any]) -> dict[str, int]:
    return {name: int(value) for name, value in limits.items() if "/" in name and str(value).isdecimal()}


def _rails(routes: Mapping[str, Any]) -> Iterable[tuple[str, tuple[int, tuple[str, ...]]]]:
    """What ``routes.yaml`` says a rail is to reach through its gateway; it describes, it installs nothing."""
    found: dict[str, tuple[int, tuple[str, ...]]] = {}
    for entry in routes.get("interfaces", ()):
        listed = (r["to"] for r in entry.get("routes", ()) if "/" in r["to"] and "via" in r)
        reached = (*listed, *entry.get("by_default", ()))
        before = found.get(entry["interface"], (0, ()))[1]
        found[entry["interface"]] = (int(entry["rail"]), (*before, *reached))
    return found.items()
