"""The section ``cluster``: what runs in the cluster, and what owns what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from netplan.catalog import operator_releases
from netplan.importing.cards import Card
from netplan.importing.facts import Said, Site, place
from netplan.importing.images import image_entries
from netplan.importing.kubernetes.certificates import CERT_MANAGER
from netplan.importing.kubernetes.spiderpool import RELEASE, USED
from netplan.importing.nads import nads_entry
from netplan.importing.networks import NetworkRow
from netplan.importing.operator_namespaces import operator_namespace, runs_network_operator, stands_alone
from netplan.importing.rdma_mode import rdma_mode_entry
from netplan.importing.resource_prefixes import own_prefix
from netplan.importing.text import INEXPRESSIBLE, TODO, Entry, Section, clash, stated, todo, told
from netplan.model.inventory_text import Flow, flow_list
from netplan.model.operator_releases import shown

_MAINTENANCE = {
    "max_unavailable": ("max_unavailable", "at_once"),
    "drain": ("drain", "driver_drain"),
    "driver_upgrade": ("driver_upgrade",),
}
"""Key of the inventory -> facts, the SR-IOV operator's first."""
_KUBERNETES = (
    "kubectl -n kube-system get daemonsets",
    "--cluster-cidr of kube-controller-manager",
    "--service-cluster-ip-range of kube-apiserver",
)
_OPENSHIFT = (
    "networkType of oc get network.config cluster -o yaml",
    "clusterNetwork of oc get network.config cluster -o yaml",
    "serviceNetwork of oc get network.config cluster -o yaml",
)
"""Where the CNI plugin and the ranges of pods and Services are found."""


def cluster_section(site: Site, cards: Sequence[Card], rows: Sequence[NetworkRow]) -> Section:
    entries: dict[str, Entry | Section] = {"distribution": _distribution(site)}
    if version := _common(site, "version"):
        entries["kubernetes_version"] = version
    entries["primary_network"] = _primary(site)
    if any(not card.fabric for card in cards) or not cards:  # EFA has its own chart, PVRDMA no plugin
        entries["owners"] = _owners(site, cards, rows)
    operator = _operator(site, rows)
    if operator:
        entries["network_operator"] = operator
    if _has_sriov_operator(site, bool(operator)):
        prefix = _prefix(rows) or own_prefix(site, cards)
        entries["sriov_operator"] = {"namespace": _namespace(site), **prefix}
    if (present := _present(site, operator)) is not None:
        entries["present"] = present
    if spiderpool := _spiderpool(site):
        entries["spiderpool"] = spiderpool
    if gpu := _gpu_operator(site):
        entries["gpu_operator"] = gpu
    if "owners" in entries:
        entries["rdma_mode"] = _rdma_mode(site)
    if maintenance := _maintenance(site):
        entries["maintenance"] = maintenance
    return entries


def _has_sriov_operator(site: Site, operated: bool) -> bool:
    """Beside the Network Operator's, or without one."""
    alone = not operated and site.said("cluster", (), "sriov_operator") is not None
    return alone or stands_alone(site) or site.conflict("cluster", (), "sriov_namespace") is not None


def _present(site: Site, operator: Section) -> Entry | None:
    """What the webhooks of the chart need (NP740), as far as a dump shows it."""
    webhooks = operator.get("admission_webhooks")
    if not isinstance(webhooks, Entry) or webhooks.value is not True:
        return None
    seen = site.said("cluster", (), CERT_MANAGER)
    if seen is not None:
        return Entry(flow_list(["cert-manager"]), place(seen.at))
    asked = "[cert-manager], which admission_webhooks needs, or remove both keys"
    return todo(asked, "kubectl get crd certificates.cert-manager.io")


def _gpu_operator(site: Site) -> dict[str, Entry]:
    pairs = (("driver_rdma", "gpu_operator/driver"), ("gdrcopy", "gpu_operator/gdrcopy"))
    found = ((key, stated(site, "cluster", (), name)) for key, name in pairs)
    return {key: entry for key, entry in found if entry is not None}


def _prefix(rows: Iterable[NetworkRow]) -> Mapping[str, Entry]:
    """The resource prefix of its device plugin, as networks refer to it."""
    asked = [part.fields["prefix"] for row in rows for part in row.parts if "prefix" in part.fields]
    if len({said.value for said in asked}) != 1:
        return {}
    return {"resource_prefix": told(asked[0])}


def _namespace(site: Site) -> Entry:
    if (conflict := site.conflict("cluster", (), "sriov_namespace")) is not None:
        what = f"{INEXPRESSIBLE}: two SR-IOV operators, {conflict.values}"
        return todo(what, "state the one that stays, remove networks and HCAs of the other, keep its objects")
    found = stated(site, "cluster", (), "sriov_namespace")
    return found if found and found.value else todo("namespace of the operator", "kubectl get pods -A")


def _values(site: Site, name: str) -> dict[object, Said]:
    """What the nodes say, each value once."""
    found: dict[object, Said] = {}
    for of in site.every("node"):
        said = site.said("node", of, name)
        if said is not None:
            found.setdefault(said.value, said)
    return found


def _common(site: Site, name: str) -> Entry | None:
    """The value all nodes agree on; a question if they differ."""
    found = _values(site, name)
    if len(found) > 1:
        texts = " or ".join(f"{said.value} ({place(said.at)})" for said in found.values())
        return todo(f"{name} of the cluster", f"nodes report {texts}")
    return next((told(said) for said in found.values()), None)


def _distribution(site: Site) -> Entry:
    where = "kubernetes, k3s, rke2, openshift or eks; kubectl get nodes shows its version"
    return _common(site, "distribution") or todo("Kubernetes distribution", where)


def _primary(site: Site) -> Mapping[str, Entry]:
    ranges = [str(value) for value in _values(site, "pod_cidr")]
    some = f"; nodes have {ranges[0]} and so on" if ranges else ""
    cni, pods, services = _OPENSHIFT if "openshift" in _values(site, "distribution") else _KUBERNETES
    asked = {
        "cni": todo("CNI plugin of the primary network", cni),
        "pod_cidr": todo("address range of pods", f"{pods}{some}"),
        "service_cidr": todo("address range of Services", services),
    }
    return {name: stated(site, "cluster", (), name) or entry for name, entry in asked.items()}


def _owners(site: Site, cards: Sequence[Card], rows: Iterable[NetworkRow]) -> Mapping[str, Entry]:
    return {
        "vfs": _vfs_owner(site, cards),
        "device_plugin": plugin_owner(site),
        **({"nads": nads_entry(site, rows)} if rows or not all(card.virtual for card in cards) else {}),
        "nic_qos": _qos_owner(site, cards),
    }


def _spiderpool(site: Site) -> Mapping[str, Entry]:
    if site.said("cluster", (), USED) is None:
        return {}
    asked = todo("release of Spiderpool, such as 1.0", "tag of the image of its spiderpool-controller pods")
    return {"release": stated(site, "cluster", (), RELEASE) or asked}


def _sriov_operator(site: Site) -> Entry | None:
    policy = site.said("cluster", (), "sriov_operator")
    if policy is None:
        return None
    return Entry("sriov-network-operator", f"its policies, {place(policy.at)}")


def _by_policies(site: Site) -> Entry | None:
    """Who creates VFs where the SR-IOV operator has policies."""
    outside = site.said("cluster", (), "externally_managed")
    if (conflict := site.conflict("cluster", (), "externally_managed")) is not None:
        what = "sriov-network-operator or host: an inventory has one owner of all VFs"
        return todo(what, f"externallyManaged of policies is {conflict.values}")
    if outside is not None and outside.value:
        return Entry("host", f"the policies state externallyManaged, {place(outside.at)}")
    return _sriov_operator(site)


def _vfs_owner(site: Site, cards: Sequence[Card]) -> Entry:
    if (owner := _by_policies(site)) is not None:
        return owner
    made = next((card for card in cards if card.number("vfs")), None)
    given = next((card for card in cards if card.virtual and not card.fabric), None)
    if given is not None and made is None:
        return Entry(
            "hypervisor", f"a VF whose card is outside the machine, {place(given.fields['device'].at)}"
        )
    if made is not None:
        return Entry("host", f"VFs without a SriovNetworkNodePolicy, {place(made.fields['vfs'].at)}")
    seen = next((said for of in site.every("node") if (said := site.said("node", of, "virtual"))), None)
    if seen is not None:
        where = f"{place(seen.at)} shows a VF, but not its card: add sysfs.txt of collect.sh"
        return todo("who creates the VFs", where)
    return Entry("none", "no VFs in the dumps", assumed=True)


def plugin_owner(site: Site) -> Entry:
    """``owners.device_plugin``."""
    plugin = _sriov_operator(site) or stated(site, "cluster", (), "device_plugin")
    if (driver := stated(site, "cluster", (), "dra_driver")) is not None:
        return _beside_plugin(driver, plugin)
    gate = site.said("cluster", (), "dra_gate")
    if gate is not None:
        # k8snetworkplumbingwg/sriov-network-operator 249e200 pkg/consts/constants.go has no such gate, and
        # pkg/featuregate ignores it; pull request 1151, still open, deploys dra-driver-sriov by it.
        where = f"the gate dynamicResourceAllocation is set, {place(gate.at)}; kubectl get resourceslices"
        return todo("dra-driver-sriov if it runs, else sriov-network-operator", where)
    where = "sriov-network-operator, nic-cluster-policy, manual, dranet or dra-driver-sriov"
    asked = todo("who advertises the devices", f"{where}; the dumps have no ConfigMap or DeviceClass of it")
    return plugin or asked


def _beside_plugin(driver: Entry, plugin: Entry | None) -> Entry:
    """DRANET publishes every interface of a node, whoever gives the cards to pods (kubernetes-sigs/dranet
    f258477 pkg/inventory); dra-driver-sriov replaces the plugin of the SR-IOV operator alone."""
    replaced = driver.value == "dra-driver-sriov" and plugin is not None
    if plugin is None or TODO in (driver.value, plugin.value):
        return driver
    if replaced and plugin.value == "sriov-network-operator":
        return driver
    where = f"a ResourceSlice of it ({driver.comment}) beside {plugin.value} ({plugin.comment})"
    return todo(f"{driver.value} if pods claim their rails from it, else {plugin.value}", where)


def _qos_owner(site: Site, cards: Iterable[Card]) -> Entry:
    template = site.said("cluster", (), "nic_configuration")
    if template is not None:
        return Entry("nic-configuration-operator", f"NicConfigurationTemplate, {place(template.at)}")
    deployed = site.said("cluster", (), "component/nicConfigurationOperator.operator")
    if deployed is not None:
        what = "nic-configuration-operator, or host: netplan's NicClusterPolicy then removes the operator"
        seen = f"nicConfigurationOperator is in the policy ({place(deployed.at)})"
        return todo(what, f"{seen}, but no template in the dumps; kubectl get nicconfigurationtemplates -A")
    driver = site.said("cluster", (), "ofed_version")
    if driver is not None and any(card.text("link") != "infiniband" for card in cards):  # NP543
        what = "nic-configuration-operator with its images, or host without ofed_version"
        return todo(what, f"the driver container ({place(driver.at)}) discards the settings of the host")
    return Entry("host", "no NicConfigurationTemplate in the dumps", assumed=True)


def _operator(site: Site, rows: Sequence[NetworkRow]) -> Section:
    if not runs_network_operator(site):
        return {}
    entries: dict[str, Entry | Sequence[str] | Section] = {"release": _release(site)}
    if (namespace := operator_namespace(site)) is not None:
        entries["namespace"] = namespace
    entries.update(image_entries(site, {row.first.text(name) for row in rows for name in ("ipam", "mode")}))
    if (webhooks := _webhooks(site)) is not None:
        entries["admission_webhooks"] = webhooks
    for name in ("ofed_version", "multus"):
        if (found := stated(site, "cluster", (), name)) is not None:
            entries[name] = found
    driver = site.said("cluster", (), "component/ofedDriver")
    if driver is not None and "ofed_version" not in entries:
        why = f"version of the driver; the policy has none ({place(driver.at)})"
        entries["ofed_version"] = Entry(Flow(f'"{TODO}: version"'), f"{TODO}: {why}")
    return entries


def _webhooks(site: Site) -> Entry | None:
    """Those of the SR-IOV operator that the Network Operator's chart installs; the key is for both's."""
    if stands_alone(site):
        return None
    conflict = site.conflict("cluster", (), "webhooks")
    if conflict is not None:
        return todo("true or false, for the injector and the webhook together", conflict.values)
    said = site.said("cluster", (), "webhooks")
    if said is None or not said.value:
        return None
    return told(said)


def _maintenance(site: Site) -> dict[str, Entry]:
    """How nodes are taken out of service, where an object says it."""
    found = {}
    for key, names in _MAINTENANCE.items():
        entries = (stated(site, "cluster", (), f"maintenance/{name}") for name in names)
        if (entry := next((entry for entry in entries if entry is not None), None)) is not None:
            found[key] = entry
    return found


def _release(site: Site) -> Entry:
    conflict, said = site.conflict("cluster", (), "release"), site.said("cluster", (), "release")
    known = [shown(row.release) for row in operator_releases().known]
    if conflict is not None:
        return clash(conflict)
    if said is not None and said.value in known:
        return told(said)
    seen = site.said("cluster", (), "network_operator") is not None
    ask = (
        "helm list -A"
        if seen
        else "the dumps have pools of the operator and no NicClusterPolicy; helm list -A"
    )
    found = f"{said.value} ({place(said.at)}) is none of them" if said else ask
    return todo(f"chart release, one of {', '.join(known)}", found)


def _rdma_mode(site: Site) -> Entry:
    return rdma_mode_entry(site) or todo("shared or exclusive", "rdma system show, on a node")
