"""Drivers in the files of MachineConfigs, as OpenShift writes them."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
import yaml

from netplan.others import rendered_texts

POLICY = {
    "apiVersion": "sriovnetwork.openshift.io/v1",
    "kind": "SriovNetworkNodePolicy",
    "metadata": {"name": "rail0", "namespace": "openshift-sriov-network-operator"},
    "spec": {
        "resourceName": "rail0",
        "numVfs": 8,
        "isRdma": True,
        "deviceType": "netdevice",
        "nodeSelector": {"node-role.kubernetes.io/worker": ""},
        "nicSelector": {"vendor": "15b3", "pfNames": ["ens1f0np0"]},
    },
}
LINE = "blacklist mlx5_core\n"
BASE64 = base64.b64encode(LINE.encode()).decode()


def told(path: str, source: str) -> bool:
    files = [{"path": path, "contents": {"source": source}}]
    config = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfig",
        "metadata": {"name": "99-worker"},
        "spec": {"config": {"ignition": {"version": "3.2.0"}, "storage": {"files": files}}},
    }
    found = rendered_texts({"objects.yaml": yaml.safe_dump_all([config, POLICY])})
    return any(each.code == "NP517" for each in found.diagnostics)


@pytest.mark.parametrize(
    ("source", "whether"),
    [
        (f"data:,{quote(LINE)}", True),
        (f"data:text/plain;charset=utf-8;base64,{BASE64}", True),
        (f"data:;base64,{BASE64[1:]}", False),
        ("data:;base64,/w==", False),
        (f"https://example.com/,{quote(LINE)}", False),
        ("data:", False),
        (f"data:,{quote('# ' + LINE)}", False),
    ],
)
def test_a_file_is_a_data_url(source: str, whether: bool) -> None:
    assert told("/etc/modprobe.d/x.conf", source) is whether


@pytest.mark.parametrize("path", ["/etc/modules-load.d/x.conf", "/etc/modprobe.d.bak/x.conf"])
def test_other_files_are_not_read(path: str) -> None:
    assert not told(path, f"data:,{quote(LINE)}")
