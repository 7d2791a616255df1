"""The primary network: its CNI plugin, and the ranges of pods and Services.

kubeadm keeps both ranges in ConfigMap kube-system/kubeadm-config (kubernetes/kubernetes
cmd/kubeadm/app/constants/constants.go, KubeadmConfigConfigMap, ClusterConfigurationConfigMapKey;
apis/kubeadm/v1beta4/types.go, Networking: podSubnet and serviceSubnet, two with a comma in dual-stack). A CNI
plugin is known by the labels of its DaemonSet's pods: projectcalico/calico manifests/calico.yaml and
canal.yaml, cilium/cilium install/kubernetes/cilium/templates/cilium-agent/daemonset.yaml, flannel-io/flannel
Documentation/kube-flannel.yml, kubeovn/kube-ovn dist/images/install.sh, aws/amazon-vpc-cni-k8s
config/master/aws-k8s-cni.yaml, ovn-org/ovn-kubernetes dist/templates/ovnkube-node.yaml.j2.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from netplan.importing.facts import Fact, Remark, not_taken
from netplan.importing.kubernetes.objects import Path, Reader
from netplan.importing.kubernetes.owners import plugin_facts
from netplan.model.document import Places, SourceMap
from netplan.model.values import parse_network
from netplan.reading.kubernetes.kubeyaml import parse
from netplan.reading.kubernetes.objects import mapping

_KUBEADM = ("kube-system", "kubeadm-config")
_CONFIGURATION: Path = ("data", "ClusterConfiguration")
_RANGES = {"podSubnet": "pod_cidr", "serviceSubnet": "service_cidr"}
ONE = "the inventory has one range of each; the first is taken"
_LABELS: Mapping[tuple[str, str], str] = {
    ("k8s-app", "calico-node"): "calico",
    ("k8s-app", "canal"): "canal",
    ("k8s-app", "cilium"): "cilium",
    ("k8s-app", "flannel"): "flannel",
    ("app", "flannel"): "flannel",
    ("app", "kube-ovn-cni"): "kube-ovn",
    ("app", "ovnkube-node"): "ovn-kubernetes",
    ("k8s-app", "aws-node"): "aws-vpc-cni",
}
"""Label of its pods on each node -> the word of the inventory."""


def config_map_facts(read: Reader) -> Iterator[Fact | Remark]:
    if (read.text("metadata", "namespace"), read.thing.name) == _KUBEADM:
        yield from _kubeadm(read)
    yield from plugin_facts(read)


def _kubeadm(read: Reader) -> Iterator[Fact | Remark]:
    text = read.text(*_CONFIGURATION)
    for body, _ in parse("", text, Places(SourceMap())).documents:
        for key, field in _RANGES.items():
            stated = mapping(mapping(body).get("networking")).get(key)
            first, _, more = (stated if isinstance(stated, str) else "").partition(",")
            network, at = parse_network(first.strip()), read.at(*_CONFIGURATION)
            if network is not None:
                yield Fact("cluster", (), field, str(network.cidr), at)
            if more or (stated and network is None):
                yield not_taken(at, f"kubeadm-config networking.{key}", stated, ONE if more else "no range")


def daemon_facts(read: Reader) -> Iterator[Fact]:
    """Of a DaemonSet."""
    yield from plugin_of(read, ("spec", "template", "metadata", "labels"))


def plugin_of(read: Reader, labels: Path) -> Iterator[Fact]:
    for (key, value), word in _LABELS.items():
        if mapping(read.value(*labels)).get(key) == value:
            yield read.fact("cluster", (), "cni", word, *labels, key)
