"""A valid object of each kind, for the tests of ``tests.crd`` to break."""

from __future__ import annotations

import json
from typing import Any

Object = dict[str, Any]

IPAM = {"type": "nv-ipam", "poolName": "rail0", "poolType": "ippool"}
CONTAINER = {
    "name": "worker",
    "image": "example.com/train:1",
    "resources": {"limits": {"nvidia.com/rail0": "1", "memory": "64Gi"}},
    "securityContext": {"capabilities": {"add": ["IPC_LOCK"]}},
}


def an_object(api_version: str, kind: str, spec: Object, namespace: str | None = "training") -> Object:
    metadata: Object = {"name": "rail0", "labels": {"app.kubernetes.io/name": "rdma"}}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}


GOOD: dict[str, Object] = {
    "nad": an_object(
        "k8s.cni.cncf.io/v1",
        "NetworkAttachmentDefinition",
        {"config": json.dumps({"cniVersion": "1.0.0", "name": "rail0", "plugins": [{"type": "sriov"}]})},
    ),
    "node-policy": an_object(
        "sriovnetwork.openshift.io/v1",
        "SriovNetworkNodePolicy",
        {
            "resourceName": "rail0",
            "numVfs": 8,
            "isRdma": True,
            "linkType": "eth",
            "priority": 99,
            "nicSelector": {"pfNames": ["ens1f0#0-7"]},
            "nodeSelector": {"example.com/host-type": "nf5468m5"},
        },
    ),
    "nic-cluster-policy": an_object(
        "mellanox.com/v1alpha1",
        "NicClusterPolicy",
        {
            "nvIpam": {"image": "nvidia-k8s-ipam", "repository": "nvcr.io/nvidia/mellanox", "version": "v1"},
            "secondaryNetwork": {},
        },
        namespace=None,
    ),
    "ip-pool": an_object(
        "nv-ipam.nvidia.com/v1alpha1",
        "IPPool",
        {"subnet": "172.16.0.0/24", "perNodeBlockSize": 8, "gateway": "172.16.0.1"},
    ),
    "cidr-pool": an_object(
        "nv-ipam.nvidia.com/v1alpha1",
        "CIDRPool",
        {
            "cidr": "172.16.0.0/16",
            "perNodeNetworkPrefix": 31,
            "perNodeExclusions": [{"startIndex": 0, "endIndex": 0}],
        },
    ),
    "nic-template": an_object(
        "configuration.net.nvidia.com/v1alpha1",
        "NicConfigurationTemplate",
        {
            "nicSelector": {"nicType": "1017", "pciAddresses": ["0000:18:00.0"]},
            "template": {
                "numVfs": 8,
                "linkType": "Ethernet",
                "roceOptimized": {"enabled": True, "qos": {"trust": "dscp", "pfc": "0,0,0,1,0,0,0,0"}},
            },
        },
    ),
    "mpi-job": an_object(
        "kubeflow.org/v2beta1",
        "MPIJob",
        {
            "slotsPerWorker": 8,
            "mpiImplementation": "OpenMPI",
            "mpiReplicaSpecs": {"Worker": {"replicas": 2, "template": {"spec": {"containers": [CONTAINER]}}}},
        },
    ),
    "host-device-network": an_object(
        "mellanox.com/v1alpha1",
        "HostDeviceNetwork",
        {"networkNamespace": "training", "resourceName": "hostdev", "ipam": json.dumps(IPAM)},
        namespace=None,
    ),
    "pod": an_object("v1", "Pod", {"containers": [CONTAINER]}),
    "job": an_object(
        "batch/v1",
        "Job",
        {
            "completionMode": "Indexed",
            "template": {"spec": {"restartPolicy": "Never", "containers": [CONTAINER]}},
        },
    ),
    "stateful-set": an_object(
        "apps/v1",
        "StatefulSet",
        {
            "selector": {"matchLabels": {"app": "x"}},
            "template": {"metadata": {"labels": {"app": "x"}}, "spec": {"containers": [CONTAINER]}},
        },
    ),
    "service": an_object(
        "v1", "Service", {"clusterIP": "None", "ports": [{"port": 22, "targetPort": "ssh"}]}
    ),
    "config-map": {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "rail-routes", "namespace": "training"},
        "data": {"rail-routes.sh": "ip rule\n"},
    },
    "namespace": {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "training"}},
    "kustomization": {
        "apiVersion": "kustomize.config.k8s.io/v1beta1",
        "kind": "Kustomization",
        "resources": ["a.yaml"],
        "patches": [{"path": "p.yaml", "target": {"kind": "Pod"}}],
    },
}
