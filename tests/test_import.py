"""``netplan import``: inventory from cluster dumps, facts with places, folding, hostile files."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import yaml

from netplan.importing.numbering import gateway_word, rail_space
from netplan.importing.run import Imported, import_texts
from netplan.importing.sources import read_sources
from netplan.model.values import parse_network
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_site import cluster_dumps, interface, listed, nic_device, node, node_state
from tests.inventories import compiled, outputs, text_of

FILES = outputs(compiled("iei-rocev2"))
FILLED = {
    "arp": "{timeout_seconds: 60, mac_timeout_seconds: 600}",
    "cni": "calico",
    "pod_cidr": "10.244.0.0/16",
    "service_cidr": "10.96.0.0/12",
    "qos": "{classes: {roce: {dscp: 26, priority: 3, lossless: true, bandwidth_percent: 50}}}",
    "supernets": "[172.16.0.0/19]\n  rail_prefixes: [22]\n  prefixes: [24]",
    "routing": "script",
    "rdma_mode": "shared",
    "device_plugin": "manual",
    "nads": "netplan",
    "nic_qos": "host",
}


@cache
def imported() -> Imported:
    return import_texts(cluster_dumps(FILES), "iei")


def of(*objects: dict[str, Any], name: str = "dump.yaml") -> Imported:
    return import_texts({name: listed(list(objects))}, "site")


def data(result: Imported) -> Any:
    return yaml.safe_load(result.text)


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines(), 1) if part in line)


def todo_lines(text: str) -> list[int]:
    lines = enumerate(text.splitlines(), 1)
    return [number for number, line in lines if "TODO:" in line and not line.startswith("#")]


def refused(text: str) -> set[int]:
    found = compile_texts({"site.yaml": text}).diagnostics
    return {d.source.line for d in found if d.source is not None and d.code.startswith("NP01")}


def filled(text: str, values: Mapping[str, str] = FILLED) -> str:
    """``arp`` is left out where no dump has it."""
    text = re.sub(r"(\w+): TODO #.*", lambda match: f"{match[1]}: {values[match[1]]}", text)
    lacks = "arp" in values and not re.search(r"(?m)^  arp:", text)
    return re.sub(r"(?m)^fabric:.*\n", rf"\g<0>  arp: {values['arp']}\n", text) if lacks else text


def test_hosts_cards_and_networks_of_a_rendered_site() -> None:
    """Values that the rendered files determine equal those of the original inventory."""
    found, stated = data(imported()), yaml.safe_load(text_of("iei-rocev2"))
    for kind in ("nf5468m5", "nf5468m5-whole"):
        hcas = found["host_types"][kind]["hcas"]
        for number in range(4):
            own = stated["host_types"][kind]["hcas"][f"roce{number}"]
            assert hcas[f"roce{number}"] == {"pci": own["pci"], "netdev": own["netdev"]}
        assert found["host_types"][kind]["gpus"] == 8
        assert found["host_types"][kind]["node_selector"] == {"example.com/host-type": kind}
    assert found["hosts"] == {
        "gpu-[001-016]": {"type": "nf5468m5"},
        "gpu-[101-104]": {"type": "nf5468m5-whole"},
    }
    assert found["rails"]["vlan_ids"] == "100-103"
    assert found["cluster"]["owners"] == stated["cluster"]["owners"]
    for network in ("rail", "card"):
        for key in ("mode", "ipam", "namespaces", "for_each", "hosts"):
            assert found["networks"][network][key] == stated["networks"][network][key]


def test_every_todo_is_refused_by_name() -> None:
    lines = todo_lines(imported().text)
    assert len(lines) == 5 == imported().todos
    assert set(lines) == refused(imported().text)


def test_nothing_is_wrong_once_the_todos_are_filled_in() -> None:
    result = compile_texts({"site.yaml": filled(imported().text)})
    errors = [d for d in result.diagnostics if d.severity == 2]
    assert errors == []
    again = {a.path: a.text for a in result.artifacts}
    path = "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml"
    config, before = (yaml.safe_load(files[path])["data"]["config.json"] for files in (again, FILES))
    assert json.loads(config) == json.loads(before)


def test_each_value_has_its_place() -> None:
    number = line_of(cluster_dumps(FILES)["nodes.yaml"], "host-type")
    assert f"node_selector: {{example.com/host-type: nf5468m5}} # nodes.yaml:{number}\n" in imported().text


UNQUOTED = """
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodeStateList
items:
- metadata: {name: gpu-1}
  status:
    interfaces:
    - {pciAddress: 0000:19:00.0, deviceID: 1023, vendor: 15b3, name: ens1, linkSpeed: 400000 Mb/s}
    - {pciAddress: 0000:41:00.0, deviceID: 1023, vendor: 15b3, name: ens2, linkSpeed: "400000", linkType: ETH}
    - {pciAddress: 0000:81:00.0, deviceID: 1023, vendor: 15b3, name: ens3, linkSpeed: -1 Mb/s, linkType: ETH}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-1}
"""


def test_addresses_without_quotes_are_no_numbers() -> None:
    """YAML 1.1 reads 0000:19:00.0 as 1140.0; the items of an API list have no kind."""
    found = data(import_texts({"x.yaml": UNQUOTED}))["host_types"]["type-1"]["hcas"]
    assert [found[f"roce{n}"]["pci"] for n in range(3)] == ["0000:19:00.0", "0000:41:00.0", "0000:81:00.0"]
    assert found["roce[0-2]"]["model"] == "connectx-8"
    assert [found[f"roce{n}"]["speed_gbps"] for n in range(3)] == [400, 400, "TODO"]


def test_a_port_that_is_down_has_the_speed_of_its_neighbours() -> None:
    down = interface("0000:18:00.0", "ens1", 100) | {"linkSpeed": "-1 Mb/s"}
    up = interface("0000:18:00.0", "ens1", 100)
    result = of(
        node("gpu-1", {}, 8), node("gpu-2", {}, 8), node_state("gpu-1", [down]), node_state("gpu-2", [up])
    )
    assert data(result)["host_types"]["type-1"]["hcas"]["roce0"]["speed_gbps"] == 100
    assert data(result)["hosts"] == {"gpu-[1-2]": {"type": "type-1"}}


def test_type_of_a_nic_device_is_its_device_id_and_its_rail_is_the_operators() -> None:
    devices = [
        nic_device("gpu-1", "0000:81:00.0", "ens1", "a2dc", rail=0),
        nic_device("gpu-1", "0000:19:00.0", "ens2", "a2dc", rail=1),
        nic_device("gpu-1", "0000:9d:00.0", "ens9", "101f"),
    ]
    found = data(of(node("gpu-1", {}, 8), *devices))["host_types"]["type-1"]["hcas"]
    assert found["roce[0-1]"]["model"] == "bluefield-3"
    assert (found["roce0"]["pci"], found["roce1"]["pci"]) == ("0000:81:00.0", "0000:19:00.0")
    assert found["front-end2"]["use"] == "front-end"
    assert found["front-end2"]["model"] == "connectx-6-lx"


@pytest.mark.parametrize("gpus", [0, 8])
def test_nodes_whose_cards_are_not_reported_yet_are_named(gpus: int) -> None:
    """The operator has planned their VFs, or they have GPUs, and no state of them has a card."""
    planned = {"name": "ens1", "pciAddress": "0000:18:00.0", "numVfs": 4}
    groups = [{"resourceName": "rail_0", "vfRange": "0-3", "deviceType": "netdevice"}]
    objects = [
        node("gpu-1", {"k": "a"}, 8),
        node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)]),
        node("control-1", {}, 0),
    ]
    for name in ("gpu-2", "gpu-3"):
        state = node_state(name, [])
        state["spec"] = {} if gpus else {"interfaces": [{**planned, "vfGroups": groups}]}
        objects += [node(name, {"k": "a"}, gpus), state]
    (remark,) = of(*objects).remarks
    assert remark.text == (
        "gpu-[2-3]: their cards are not in the dumps, they are left out; read the state of their NICs again"
    )


def test_a_card_that_is_in_no_catalog_is_named() -> None:
    result = of(
        node("gpu-1", {}, 8),
        node_state(
            "gpu-1",
            [interface("0000:18:00.0", "ens1", 100), interface("0000:20:00.0", "eno1", 10, device="1563")],
        ),
    )
    assert "# 0000:20:00.0 15b3:1563 eno1 is left out: no HCA of the catalog" in result.text


@pytest.mark.parametrize(("gbps", "known"), [(400, True), (100, False), (200, False)])
def test_a_device_id_of_several_models_needs_the_speed_of_one(gbps: int, known: bool) -> None:
    """1dd8:1002 is a Pollara, or an older card of Pensando."""
    own = interface("0000:20:00.0", "ens2", gbps, device="1002") | {"vendor": "1dd8"}
    text = of(node("gpu-1", {}, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100), own])).text
    why = "pollara-400 or another card with that ID, as it shows no 400 Gb/s"
    assert (f"# 0000:20:00.0 1dd8:1002 ens2 is left out: {why}" in text) != known
    assert ("model: pollara-400" in text) == known


def test_two_dumps_that_disagree_are_both_named() -> None:
    one = listed([node("gpu-1", {}, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])])
    other = listed([node_state("gpu-1", [interface("0000:18:00.0", "ens7", 100, vfs=8)])])
    result = import_texts({"old.yaml": one, "new.yaml": other}, "site")
    at = [line_of(one, "name: ens1"), line_of(other, "name: ens7")]
    of_vfs = [line_of(one, "- deviceID"), line_of(other, "numVfs")]
    assert [str(conflict) for conflict in result.conflicts] == [
        f"card gpu-1 0000:18:00.0, netdev: ens1 (old.yaml:{at[0]}) or ens7 (new.yaml:{at[1]})",
        f"card gpu-1 0000:18:00.0, vfs: 0 (old.yaml:{of_vfs[0]}) or 8 (new.yaml:{of_vfs[1]})",
    ]
    (line,) = [text for text in result.text.splitlines() if text.startswith("      roce0")]
    assert "vfs: TODO" in line
    assert 'netdev: "TODO: decide"' in line
    assert "old.yaml" in line
    assert "new.yaml" in line
    assert refused(result.text) >= {result.text.splitlines().index(line) + 1}


@pytest.mark.parametrize("field", ["linkSpeed", "linkType", "numVfs", "deviceID"])
def test_a_contradiction_is_never_decided(field: str) -> None:
    before = interface("0000:18:00.0", "ens1", 100, vfs=4)
    after = before | {"linkSpeed": "200000 Mb/s", "linkType": "IB", "numVfs": 8, "deviceID": "1021"}
    twice = {key: after[key] if key == field else value for key, value in before.items()}
    result = of(node("gpu-1", {}, 8), node_state("gpu-1", [before]), node_state("gpu-1", [twice]))
    assert len(result.conflicts) == 1
    assert refused(result.text) >= set(todo_lines(result.text))
    if field == "deviceID":
        assert data(result)["host_types"] == "TODO"
    else:
        assert any("sources disagree" in result.text.splitlines()[n - 1] for n in todo_lines(result.text))


def test_what_all_cards_contradict_is_asked_once() -> None:
    """The value is under the range of hosts, and so is the question."""
    before = [interface("0000:18:00.0", "ens1", 100), interface("0000:3b:00.0", "ens2", 100)]
    after = [row | {"linkSpeed": "200000 Mb/s"} for row in before]
    result = of(node("gpu-1", {}, 8), node_state("gpu-1", before), node_state("gpu-1", after))
    asked = [text for text in result.text.splitlines() if "speed_gbps: TODO" in text]
    assert len(asked) == 1
    assert "sources disagree: 100 (dump.yaml:" in asked[0]
    assert set(todo_lines(result.text)) == refused(result.text)


def test_single_hosts_state_what_differs() -> None:
    objects = []
    for number in range(1, 9):
        pci = "0000:19:00.0" if number == 5 else "0000:18:00.0"
        objects.append(node(f"gpu-{number}", {"example.com/kind": "a"}, 8))
        objects.append(node_state(f"gpu-{number}", [interface(pci, "ens1", 100)]))
    found = data(of(*objects))
    assert found["hosts"] == {
        "gpu-[1-8]": {"type": "a"},
        "gpu-5": {"hcas": {"roce0": {"pci": "0000:19:00.0"}}},
    }


def test_a_label_of_another_node_is_no_selector() -> None:
    objects = [
        node("gpu-1", {"a.example/b": "x", "nvidia.com/gpu.product": "NVIDIA-H200"}, 8),
        node("cpu-1", {"a.example/b": "x"}, 0),
        node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)]),
    ]
    assert data(of(*objects))["host_types"] == {
        "nvidia-h200": {
            "gpus": 8,
            "node_selector": {"nvidia.com/gpu.product": "NVIDIA-H200"},
            "hcas": {
                "roce0": {
                    "model": "connectx-5",
                    "rail": 0,
                    "speed_gbps": 100,
                    "link": "ethernet",
                    "use": "pf",
                    "pci": "0000:18:00.0",
                    "netdev": "ens1",
                }
            },
        }
    }
    objects[1]["metadata"]["labels"]["nvidia.com/gpu.product"] = "NVIDIA-H200"
    assert data(of(*objects))["host_types"]["type-1"]["node_selector"] == "TODO"


OPERATED = """
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail-0, namespace: nvidia-network-operator}
spec:
  nicSelector: {pfNames: ["ens1#0-7"]}
  nodeSelector: {kind: a}
  resourceName: rail_0
  numVfs: 8
  isRdma: true
---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodePolicy
metadata: {name: rail-1, namespace: nvidia-network-operator}
spec:
  nicSelector: {rootDevices: [0000:3b:00.0]}
  nodeSelector: {kind: a}
  resourceName: rail_1
  numVfs: 8
  isRdma: true
---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: rail-0, namespace: nvidia-network-operator}
spec: {networkNamespace: a, resourceName: rail_0, vlan: 100, ipam: '{"type": "nv-ipam", "poolName": "p0"}'}
---
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: rail-1, namespace: nvidia-network-operator}
spec:
  networkNamespace: training
  resourceName: rail_1
  vlan: 101
  metaPlugins: '{"type": "sbr"}'
  ipam: '{"type": "nv-ipam", "poolName": "p1"}'
---
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: p0}
spec: {subnet: 10.1.0.0/24, gateway: 10.1.0.1, perNodeBlockSize: 8}
---
apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: p1}
spec: {subnet: 10.1.1.0/24, gateway: 10.1.1.1, perNodeBlockSize: 8}
---
apiVersion: whereabouts.cni.cncf.io/v1alpha1
kind: IPPool
metadata: {name: 10.1.0.0-24}
spec: {range: 10.1.0.0/24, allocations: {"1": {podref: a/b}, "2": {podref: a/c}}}
---
apiVersion: crd.projectcalico.org/v1
kind: IPPool
metadata: {name: p0}
spec: {cidr: 10.244.0.0/16}
---
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  ofedDriver: {image: doca-driver, version: doca3.4.0-26.04-0.8.6.0-0}
  nvIpam: {image: nvidia-k8s-ipam, version: network-operator-v26.4.1}
"""


def operated(text: str = OPERATED) -> Imported:
    dumps = listed(
        [
            node("gpu-1", {"kind": "a"}, 8),
            node_state(
                "gpu-1", [interface("0000:18:00.0", "ens1", 100), interface("0000:3b:00.0", "ens2", 100)]
            ),
        ]
    )
    return import_texts({"nodes.yaml": dumps, "objects.yaml": text}, "site")


def test_operators_and_their_networks() -> None:
    found = data(operated())
    assert found["cluster"]["owners"] == {
        "vfs": "sriov-network-operator",
        "device_plugin": "sriov-network-operator",
        "nads": "operator",
        "nic_qos": "TODO",  # beside a driver container
    }
    assert found["cluster"]["network_operator"] == {
        "release": "26.4",
        "repository": "TODO: repository",
        "version": "network-operator-v26.4.1",
        "ofed_version": "doca3.4.0-26.04-0.8.6.0-0",
    }
    assert found["rails"]["vlan_ids"] == "100-101"
    assert found["rails"]["supernets"] == ["10.1.0.0/23"]
    assert found["rails"]["rail_prefixes"] == found["rails"]["prefixes"] == [24]
    assert found["rails"]["gateway"] == "first"
    hcas = found["host_types"]["a"]["hcas"]["roce[0-1]"]
    assert (hcas["use"], hcas["vfs"]) == ("vf", 8)


def pod(name: str, *ips: str, phase: str = "Running") -> dict[str, Any]:
    rows: list[dict[str, Any]] = [{"name": "k8s-pod-network", "ips": ["10.244.0.9"], "default": True}]
    rows.append({"name": "a/rail-0", "interface": "net1", "ips": list(ips)})
    annotations = {"k8s.v1.cni.cncf.io/network-status": json.dumps(rows)}
    metadata = {"name": name, "namespace": "a", "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "status": {"phase": phase}}


def test_addresses_that_something_has_are_reserved() -> None:
    """Addresses of running pods and exclusions; a pool keeps its block size."""
    excluded = "exclusions: [{startIP: 10.1.0.200, endIP: 10.1.0.209}, {startIP: 10.1.0.1, endIP: 10.1.0.1}]"
    text = OPERATED.replace("gateway: 10.1.0.1,", f"gateway: 10.1.0.1, {excluded},")
    pods = [pod("x", "10.1.0.9"), pod("y", "10.1.0.10", "10.1.1.20"), pod("z", "192.0.2.1")]
    ended = pod("w", "10.1.0.77", phase="Succeeded")
    result = operated(text + "---\n" + listed([*pods, ended]))
    found = data(result)
    assert found["rails"]["reserved"] == ["10.1.0.9-10.1.0.10", "10.1.0.200-10.1.0.209", "10.1.1.20"]
    assert [row["block_size"] for row in found["networks"].values()] == [8, 8]
    assert "# excluded by pool p0, objects.yaml:" in result.text
    ours = text.replace("{name: p0}", "{name: p0, labels: {app.kubernetes.io/managed-by: netplan}}")
    kept = data(operated(ours + "---\n" + listed(pods)))
    assert kept["rails"]["reserved"] == ["10.1.0.200-10.1.0.209", "10.1.1.20"]
    assert [row.get("block_size") for row in kept["networks"].values()] == [8, 8]


def test_two_pods_with_one_address_are_both_named() -> None:
    result = operated(OPERATED + "---\n" + listed([pod("x", "10.1.0.9"), pod("y", "10.1.0.9")]))
    assert [str(c).partition(" (")[0] for c in result.conflicts] == ["address 10.1.0.9, pod: a/x"]
    assert data(result)["rails"]["reserved"] == ["10.1.0.9"]


def test_pools_of_whereabouts_and_calico_are_none_of_nv_ipam() -> None:
    assert "10.244" not in operated().text
    elsewhere = ("name of a network", "netplan adds the tuning plugin")
    told = [r.text for r in operated().remarks if not any(part in r.text for part in elsewhere)]
    assert told == ["2 addresses of 10.1.0.0/24 are in use by pods"]


def test_one_network_with_sbr_and_one_without_are_two() -> None:
    found = data(operated())["networks"]
    assert [row["routing"] for row in found.values()] == ["none", "sbr"]


def test_components_of_two_releases_are_no_release() -> None:
    older = "  sriovDevicePlugin: {version: network-operator-v26.1.0}\n"
    found = operated(OPERATED + older)
    assert [str(c) for c in found.conflicts] == [
        "the cluster, release: 26.4 (objects.yaml:62) or 26.1 (objects.yaml:63)"
    ]
    assert data(found)["cluster"]["network_operator"]["release"] == "TODO"


@pytest.mark.parametrize(
    ("version", "distribution"),
    [
        ("v1.32.3", "kubernetes"),
        ("v1.32.3+rke2r1", "rke2"),
        ("v1.31.5+k3s1", "k3s"),
        ("v1.30.4-eks-1552ad0", "eks"),
        ("nonsense", "TODO"),
    ],
)
def test_distributions(version: str, distribution: str) -> None:
    found = data(of(node("gpu-1", {}, 8, version)))["cluster"]
    assert found["distribution"] == distribution
    assert found.get("kubernetes_version") == (version[1:5] if version.startswith("v") else None)


def test_nodes_of_two_versions_are_asked_about() -> None:
    found = of(node("gpu-1", {}, 8, "v1.32.3"), node("gpu-2", {}, 8, "v1.31.3"))
    assert data(found)["cluster"]["kubernetes_version"] == "TODO"


def networks(*texts: str) -> dict[tuple[int, int], Any]:
    """``21=10.0.0.0/24``: rail 2, position 1."""
    pairs = [text.split("=") for text in texts]
    return {(int(at) // 10, int(at) % 10): parse_network(network) for at, network in pairs}


@pytest.mark.parametrize(
    ("seen", "stated"),
    [
        (["0=10.0.0.0/24", "10=10.0.1.0/24"], "supernets 10.0.0.0/23, /24"),
        (
            ["0=172.16.0.0/24", "11=172.16.5.0/24", "22=172.16.10.0/24", "33=172.16.15.0/24"],
            "supernets 172.16.0.0/20, /22",
        ),
        (["0=fd00::/64", "10=fd00:0:0:1::/64"], "supernets fd00::/63, /64"),
        (["0=10.0.1.0/24", "10=10.0.2.0/24"], "rail_networks 10.0.1.0/24 10.0.2.0/24"),
        (
            ["0=10.0.0.0/24", "10=10.0.1.0/24", "20=10.0.3.0/24"],
            "rail_networks 10.0.0.0/24 10.0.1.0/24 10.0.3.0/24",
        ),
        (
            ["0=10.2.0.0/24", "1=10.2.1.0/24", "10=10.4.4.0/24", "12=10.4.6.0/24"],
            "rail_networks 10.2.0.0/22 10.4.4.0/22",
        ),
        (["0=10.0.1.0/24", "12=10.4.6.0/24"], "rail_networks 10.0.1.0/24 10.4.4.0/22"),
        (["0=fd00:1::/64", "10=fd00:a::/64"], "rail_networks fd00:1::/64 fd00:a::/64"),
        (["0=10.0.1.0/24", "1=10.0.2.0/24", "10=10.1.0.0/24"], None),  # no network has them as parts 0 and 1
        (["0=10.0.0.0/24", "10=10.0.1.0/25"], None),
        (["0=10.0.0.0/24", "20=10.0.1.0/24"], None),  # nothing tells of rail 1
        (["1=10.0.0.0/24", "10=10.0.1.0/24"], None),  # rail 0 would begin before 10.0.0.0
    ],
)
def test_the_ranges_of_subnets(seen: list[str], stated: str | None) -> None:
    found = networks(*seen)
    fitting = rail_space([found], max(rail for rail, _ in found) + 1)
    if fitting is None:
        assert stated is None
        return
    _, space = fitting
    length = "" if space.rail_prefix is None else f", /{space.rail_prefix}"
    assert f"{space.key} {' '.join(map(str, space.networks))}{length}" == stated
    assert space.prefix == next(iter(found.values())).prefixlen


def test_words_of_gateways() -> None:
    network = parse_network("10.0.0.0/24")
    assert network is not None
    words = [gateway_word(network, text) for text in ("10.0.0.1", "10.0.0.254", "", "10.0.0.7", "x")]
    assert words == ["first", "last", "none", "", ""]
    v6 = parse_network("2001:db8::/64")
    assert v6 is not None
    assert [gateway_word(v6, text) for text in ("2001:db8:0:0::1", "2001:DB8::1", "0.0.0.1")] == [
        "first",
        "first",
        "",
    ]


def test_it_writes_a_file_once(tmp_path: Any) -> None:
    folder = tmp_path / "dumps"
    folder.mkdir()
    for name, text in cluster_dumps(FILES).items():
        (folder / name).write_text(text)
    target = tmp_path / "site.yaml"
    status, out, err = netplan("import", str(folder), "-o", str(target), "--site", "iei")
    assert (status, out) == (0, "")
    assert f"wrote {target}: 20 hosts in 2 host types, 5 TODOs to fill in" in err
    assert "gpu-[001-016]" in target.read_text()
    assert netplan("import", str(folder), "-o", str(target))[0] == 2


def test_standard_input_and_output() -> None:
    status, out, err = netplan("import", "-", "--quiet", input=listed([node("gpu-1", {}, 8)]))
    assert (status, err) == (0, "")
    assert yaml.safe_load(out)["version"] == 1


@pytest.mark.parametrize(
    "text",
    ["", "[1, 2", "hello", "a: &a [*a]", "apiVersion: v1\nkind: List\nitems: {}\n", "\x00", "{}", "- - - x"],
)
def test_what_holds_nothing_is_no_inventory(text: str) -> None:
    status, out, err = netplan("import", "-", input=text)
    assert (status, out) == (2, "")
    assert err.startswith("Error: ")


def test_a_broken_file_beside_a_whole_one_fails_with_its_place(tmp_path: Any) -> None:
    (tmp_path / "a.yaml").write_text(listed([node("gpu-1", {}, 8)]))
    (tmp_path / "b.yaml").write_text("apiVersion: v1\nkind: Node\nmetadata: [}\n")
    status, out, err = netplan("import", str(tmp_path))
    assert status == 1
    assert "version: 1" in out
    assert "b.yaml:3" in err


def test_a_list_that_is_cut_off_is_not_read(tmp_path: Any) -> None:
    """kubectl get -o yaml prints the kind of a list behind its items."""
    text = listed([node(f"gpu-{number}", {"k": "a"}, 8) for number in range(1, 5)])
    (tmp_path / "cut.yaml").write_text(text[: text.index("gpu-4")])
    (tmp_path / "state.yaml").write_text(listed([node_state("gpu-9", [interface("0000:18:00.0", "e", 100)])]))
    status, out, err = netplan("import", str(tmp_path))
    assert (status, "gpu-1" in out) == (1, False)
    wanted = f"{tmp_path}/cut.yaml: a list ends before its kind: the dump is cut off; make it again"
    assert f"not read: {wanted}" in err
    assert f"# Not read: {wanted}" in out


def test_hostile_names_stay_in_their_line() -> None:
    evil = 'x\n  evil: {a: "b"} # \x1b[31m'
    objects = [node(evil, {"k": evil}, 8), node_state(evil, [interface("0000:18:00.0", evil, 100)])]
    text = of(*objects).text
    assert "\x1b" not in text
    assert set(data(import_texts({"x.yaml": listed(objects)}))) == set(yaml.safe_load(text))
    assert "evil" not in yaml.safe_load(text)


ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    "\u202e",
    [],
    {},
    [[]],
    [None],
    {"x": 1},
    ["x"],
    10**30,
)


def spots(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    entries = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    return [path, *(spot for key, item in entries for spot in spots(item, (*path, key)))]


def with_odd(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    if not path:
        return odd
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_odd(value[path[0]], path[1:], odd)
    return copy


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(6))
def test_any_value_anywhere_is_no_crash(part: int) -> None:
    """Each value of each kind of object, replaced by another type: an inventory, and no traceback."""
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100, vfs=4)])
    state["spec"] = {"system": {"rdmaMode": "shared"}}
    base = [
        node("gpu-1", {"kind": "a"}, 8),
        state,
        nic_device("gpu-1", "0000:18:00.0", "ens1", rail=0),
        *yaml.safe_load_all(OPERATED),
    ]
    for number, thing in enumerate(base):
        for index, spot in list(enumerate(spots(thing)))[part::6]:
            odd = ODD[(index + number) % len(ODD)]
            rest = base[:3] if number > 2 else [*base[:number], *base[number + 1 : 3]]
            changed = [*rest, with_odd(thing, spot, odd)]
            text = json.dumps({"apiVersion": "v1", "kind": "List", "items": changed})
            made = import_texts({"x.json": text}).text
            assert yaml.safe_load(made)["version"] == 1


def test_work_is_bounded() -> None:
    """Expanding aliases and deep nesting are rejected with their place."""
    bomb = "a: &a [x, x]\n"
    for before, name in pairwise("abcdefghi"):
        bomb += f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for text in (f"apiVersion: v1\nkind: List\n{bomb}", "apiVersion: v1\nkind: List\nitems: " + "[" * 500):
        result = import_texts({"x.yaml": text})
        assert [p.code for p in result.problems if p.code == "NP004"], result.problems


def test_a_name_that_is_no_file(tmp_path: Any) -> None:
    assert netplan("import", str(tmp_path / "none.yaml"))[0] == 2
    assert netplan("import", str(tmp_path))[0] == 2
    (tmp_path / "x.yaml").write_text("a: 1")
    assert list(read_sources([str(tmp_path)])) == [str(tmp_path / "x.yaml")]


LAUNCH_KIT = """
networkOperator: {selectedRelease: "26.4"}
clusterConfig:
- identifier: dgx-h200
  linkType: Ethernet
  workerNodes: [gpu-1, gpu-2]
  nodeSelector: {nvidia.kubernetes-launch-kit.machine: dgx-h200}
  pfs:
  - {deviceID: a2dc, pciAddress: 0000:19:00.0, networkInterface: ens1, traffic: east-west, rail: 1}
  - {deviceID: a2dc, pciAddress: 0000:1a:00.0, networkInterface: ens2, traffic: east-west, rail: 0}
  - {deviceID: 101f, pciAddress: 0000:9d:00.0, networkInterface: ens9, traffic: north-south}
"""


def test_hosts_of_a_launch_kit() -> None:
    """Node groups with their NICs and unquoted addresses; rails are those of the file."""
    result = import_texts({"cluster-config.yaml": LAUNCH_KIT}, "site")
    (kind,) = data(result)["host_types"].values()
    assert kind["node_selector"] == {"nvidia.kubernetes-launch-kit.machine": "dgx-h200"}
    assert [kind["hcas"][name]["pci"] for name in ("roce0", "roce1")] == ["0000:1a:00.0", "0000:19:00.0"]
    assert kind["hcas"]["front-end2"]["model"] == "connectx-6-lx"
    assert data(result)["hosts"] == {"gpu-[1-2]": {"type": "dgx-h200"}}
    assert refused(result.text) >= set(todo_lines(result.text))


def test_the_map_of_an_old_launch_kit_joins_other_dumps() -> None:
    """Without device IDs, it names interfaces and RDMA devices of HCAs in another dump."""
    old = """
clusterConfig:
  workerNodes: [gpu-1]
  pfs:
  - {rdmaDevice: mlx5_0, pciAddress: "0000:18:00.0", networkInterface: ens1, traffic: east-west}
"""
    nodes = listed([node("gpu-1", {}, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])])
    found = data(import_texts({"nodes.yaml": nodes, "cluster-config.yaml": old}, "site"))
    assert found["host_types"]["type-1"]["hcas"]["roce0"]["rdma_device"] == "mlx5_0"


@pytest.mark.parametrize(
    "body", ["[]", "{}", "x", "[{pfs: x, workerNodes: [1]}]", "[{pfs: [{}], workerNodes: [a]}]"]
)
def test_odd_launch_kits_are_no_crash(body: str) -> None:
    assert data(import_texts({"c.yaml": f"clusterConfig: {body}\n"}))["version"] == 1


PROFILE = """
networkOperator: {componentVersion: network-operator-v26.4.0, namespace: nvidia-network-operator}
podNamespace: default
docaDriver: {enable: true, version: doca3.4.0-26.04-0.8.6.0-0}
nvIpam: {poolName: nv-ipam-pool, startingSubnet: "192.168.0.0", mask: 24, offset: 1}
sriov: {ethernetMtu: 9000, numVfs: 8, resourceName: sriov_resource, networkName: sriov-network}
hostdev: {resourceName: hostdev_resource, networkName: hostdev-network}
rdmaShared: {resourceName: rdma_shared_resource, hcaMax: 63}
ipoib: {networkName: ipoib-network}
macvlan: {networkName: macvlan-network}
profile: {fabric: ethernet, deployment: sriov, multirail: true}
"""


def of_profile(*edits: tuple[str, str]) -> Any:
    text = PROFILE + LAUNCH_KIT.split("\n", 2)[2]
    in_order = (("rail: 1}", "rail: 9}"), ("rail: 0}", "rail: 1}"), ("rail: 9}", "rail: 0}"))
    for old, new in (*in_order, *edits):
        assert old in text
        text = text.replace(old, new)
    return data(import_texts({"cluster-config.yaml": text}, "site"))


@pytest.mark.parametrize(
    ("deployment", "fabric", "mode", "resource", "use"),
    [
        ("sriov", "ethernet", "sriov", "sriov_resource_rail", "vf"),
        ("sriov", "infiniband", "ib-sriov", "sriov_resource_rail", "vf"),
        ("host_device", "ethernet", "host-device", "hostdev_resource_rail", "pf"),
        ("rdma_shared", "ethernet", "macvlan", "rdma_shared_resource_rail", "pf"),
        ("rdma_shared", "infiniband", "ipoib", "rdma_shared_resource_rail", "pf"),
    ],
)
def test_networks_of_a_launch_kit(deployment: str, fabric: str, mode: str, resource: str, use: str) -> None:
    """The networks that its profile would create, with their resources, pools and owners."""
    found = of_profile(
        ("deployment: sriov", f"deployment: {deployment}"), ("fabric: ethernet", f"fabric: {fabric}")
    )
    (network,) = found["networks"].values()
    assert (network["mode"], network["resource_name"], network["ipam"]) == (mode, resource, "nv-ipam")
    assert network["for_each"] == "rails"
    (kind,) = found["host_types"].values()
    assert {**kind["hcas"]["roce[0-1]"], **kind["hcas"]["roce0"]}["use"] == use
    assert found["rails"]["supernets"] == ["192.168.0.0/23"]
    assert found["rails"]["gateway"] == "first"
    beyond = mode in ("host-device", "macvlan")  # their objects have no sysctls
    assert found["cluster"]["owners"]["nads"] == ("TODO" if beyond else "operator")
    assert found["cluster"]["network_operator"]["release"] == "26.4"


def test_a_launch_kit_with_subnets_of_its_own_and_one_of_spectrum_x() -> None:
    stated = (
        "subnets: [{subnet: 10.9.0.0/24, gateway: 10.9.0.254}, {subnet: 10.9.1.0/24, gateway: 10.9.1.254}]"
    )
    found = of_profile(('startingSubnet: "192.168.0.0"', stated))
    assert (found["rails"]["supernets"], found["rails"]["gateway"]) == (["10.9.0.0/23"], "last")
    shared = of_profile(("multirail: true", "multirail: false"), ("  linkType: Ethernet\n", ""))
    assert (shared["fabric"]["type"], list(shared["networks"])) == ("roce", ["sriov-network-dgx-h200"])
    assert shared["subnets"]["sriov-network-dgx-h200"]["cidr"] == "192.168.0.0/24"
    spectrum = of_profile(("multirail: true}", "multirail: true, spectrumX: {enable: true}}"))
    assert "networks" not in spectrum
