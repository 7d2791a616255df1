"""Edge cases, one fact per case: what trace says of a directory and of files that do not fit together."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.model.artifact import Artifact
from netplan.model.site import SiteHca
from netplan.trace import beside, load_tree
from netplan.trace.applied import unapplied
from netplan.trace.asked import unasked
from netplan.trace.bgp import Bgp
from netplan.trace.copies import copies
from netplan.trace.devices import plugin_unknown
from netplan.trace.fabric import ReadFabric
from netplan.trace.model import DEVICE_BOUND, TraceError, Verdict
from netplan.trace.walk import Walker
from netplan.verify.read import read
from netplan.write import write
from tests.edits.judges import site_of
from tests.edits.site import rendered
from tests.unit.edges import things
from tests.unit.test_edges_nics import HCA, POLICY, of_first, offered
from tests.unit.test_trace_addresses import PLUGIN, host, network, site
from tests.unit.test_trace_measured import SHARED, pod
from tests.unit.test_trace_stretched import moved, two_leaves

SPEC: Any = POLICY["spec"]
FILES = tuple(
    Artifact(path, "{}\n", path.partition("/")[0])
    for path in ("hosts/gpu/10.link", "pods/train/pod.yaml", "switches/leaf-1/roce.json")
)


def test_files_that_are_gone_are_left_out_and_told(tmp_path: Path) -> None:
    write(tmp_path, FILES, "ams1")
    (tmp_path / "hosts/gpu/10.link").unlink()
    assert [each.path for each in load_tree(tmp_path)] == ["pods/train/pod.yaml", "switches/leaf-1/roce.json"]
    assert beside(tmp_path).apart == ("hosts/gpu/10.link is missing: manifest.json lists it",)


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_of_64_mib_is_read_and_a_larger_one_is_not(tmp_path: Path, more: int) -> None:
    write(tmp_path, FILES[:1], "ams1")
    with (tmp_path / FILES[0].path).open("wb") as file:
        file.truncate((64 << 20) + more)
    if more:
        with pytest.raises(TraceError, match=r"10\.link is larger than 64 MiB"):
            load_tree(tmp_path)
    else:
        assert [len(each.text) for each in load_tree(tmp_path)] == [64 << 20]


def test_the_switches_of_a_shared_tree_are_looked_at_from_each_cluster(tmp_path: Path) -> None:
    shared = [f if "switches" in f.path else replace(f, path=f"clusters/one/{f.path}") for f in FILES]
    other = [replace(f, path=f"clusters/two/{f.path}") for f in FILES if "switches" not in f.path]
    write(tmp_path, [*shared, *other], "ams1")
    assert [each.path for each in load_tree(tmp_path / "clusters/one")] == [f.path for f in FILES]
    one = tmp_path / "clusters/one"
    assert beside(one).apart == ()
    (tmp_path / "switches/leaf-1/mine.json").write_text("{}\n")
    (one / "hosts/gpu/mine.link").write_text("[Match]\n")
    strange = ("hosts/gpu/mine.link", "switches/leaf-1/mine.json")
    assert beside(one).apart == tuple(f"{name} is not read: netplan did not write it" for name in strange)


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("hosts/gpu/10.link", "[Link]\nMTUBytes=9000\n", ""),
        (
            "hosts/gpu/10.link",
            "MACAddress=02:00:00:00:00:01\n",
            "no other file has the MAC address that it is for",
        ),
        ("site.json", "[]\n", "the requirements it states are not those netplan wrote"),
        (
            "pods/train/kustomization.yaml",
            "a: 1\n",
            "what it does to pods of other manifests is not followed",
        ),
        ("pods/train/pod.yaml", "a: 1\n", ""),
        ("kubernetes/gitops/app.yaml", "a: 1\n", "what it applies is not followed"),
        ("kubernetes/20-a/values.yaml", "a: 1\n", "what its chart then installs is not followed"),
    ],
)
def test_an_edit_that_no_reader_follows_is_told(tmp_path: Path, path: str, text: str, said: str) -> None:
    names = {f.path for f in FILES} | {path, "switches/README.md", "hosts/gpu/cabling.csv", "about.json"}
    write(tmp_path, [Artifact(name, "{}\n", "hosts") for name in sorted(names)], "ams1")
    (tmp_path / path).write_text(text)
    found = beside(tmp_path)
    assert found.edited == (path,)
    assert found.apart == ((f"{path} was edited: {said}",) if said else ())
    for name in ("switches/README.md", "hosts/gpu/cabling.csv", "about.json"):  # nothing executes them
        (tmp_path / name).unlink()
    assert beside(tmp_path) == found


INDEX = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [{}]\n"
MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, namespace: n}\n"


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"20-a/kustomization.yaml": INDEX.format("c.yaml")}, []),
        (
            {},
            [
                "there is no kubernetes/20-a/kustomization.yaml: nothing of the stage is applied",
            ],
        ),
        (
            {"20-a/kustomization.yaml": INDEX.format("")},
            ["kubernetes/20-a/c.yaml is not applied: kubernetes/20-a/kustomization.yaml does not list it"],
        ),
        (
            {"20-a/kustomization.yaml": INDEX.format("c.yaml, d.yaml")},
            [
                "kubernetes/20-a/kustomization.yaml:3 lists kubernetes/20-a/d.yaml, which does not exist:"
                " nothing of the stage is applied"
            ],
        ),
        (
            {"20-a/kustomization.yaml": INDEX.format("c.yaml"), "kustomization.yaml": INDEX.format("20-b")},
            [
                "kubernetes/20-a is not listed in kubernetes/kustomization.yaml: applying the whole tree"
                " leaves it out",
                "kubernetes/kustomization.yaml:3 lists kubernetes/20-b, which does not exist: the whole tree"
                " is not applied",
            ],
        ),
        (
            {
                "20-a/kustomization.yaml": INDEX.format("c.yaml"),
                "kustomization.yaml": INDEX.format("20-a, d.yaml"),
                "d.yaml": MAP,
                "e.yaml": MAP,
            },
            [
                "kubernetes/e.yaml is not listed in kubernetes/kustomization.yaml: applying the whole tree"
                " leaves it out",
            ],
        ),
    ],
)
def test_a_stage_is_applied_as_its_kustomization_lists_it(files: dict[str, str], said: list[str]) -> None:
    texts = {"20-a/c.yaml": MAP, **files}
    tree = read([Artifact(f"kubernetes/{name}", text, "kubernetes") for name, text in texts.items()]).tree
    assert [fault.text for fault in unapplied(tree)] == said


def test_a_host_of_another_cluster_on_the_fabric_is_no_unknown_peer() -> None:
    """Its own ``site.json`` names it."""
    here = site()
    files = rendered("sonic")
    cabling = {path: text for path, text in files.items() if path.endswith("leaf-1/cabling.csv")}

    def strangers(texts: dict[str, str]) -> list[str]:
        found = (each.text for each in unasked(here.facts, texts))
        return [text for text in found if "cable to gpu" in text]

    assert len(strangers(cabling)) == 2
    assert strangers({**cabling, "clusters/other/site.json": files["site.json"]}) == []
    assert len(strangers({**cabling, "clusters/other/site.json": "{"})) == 2


def test_a_policy_by_names_that_no_file_has_leaves_the_port_open() -> None:
    cluster = things({"kubernetes/0.yaml": yaml.safe_dump(POLICY)})
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    bare = replace(host(0), hcas=(replace(HCA, netdev=None),))
    found = of_first(cluster, {}, replace(rail, resource=f"{cluster.prefix}/rail"), bare)
    assert (found.hca, found.wrong) == (None, "")
    (text,) = found.open
    assert text.startswith("no file says which devices pfNames of ")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("ens1#0-3", "hca has no VFs (hosts/gpu/10-hca.link:2), which pfNames asks for (kubernetes/0.yaml:"),
        ("ens1#4-7", "hca has no VFs (hosts/gpu/10-hca.link:2), which pfNames asks for (kubernetes/0.yaml:"),
        ("ens2#0-3", "pfNames ens2#0-3 fits no device of its HCAs that the other keys leave"),
    ],
)
def test_a_port_without_vfs_is_why_a_range_of_them_has_none(names: str, said: str) -> None:
    entry = {"resourcePrefix": "nvidia.com", "resourceName": "rail", "selectors": {"pfNames": [names]}}
    cluster = things({"kubernetes/0.yaml": PLUGIN.format(config=json.dumps({"resourceList": [entry]}))})
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    texts = {"hosts/gpu/10-hca.link": "[Link]\nSR-IOVVirtualFunctions=0\n"}
    found = of_first(cluster, texts, rail, replace(host(0), hcas=(replace(HCA, name="hca"),)))
    assert said in found.wrong


def test_plugins_that_make_one_resource_are_told_up_to_four() -> None:
    entry = {"resourcePrefix": "nvidia.com", "resourceName": "rail", "selectors": {"pfNames": ["ens1"]}}
    text = PLUGIN.format(config=json.dumps({"resourceList": [entry]}))
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    for plugins in (1, 2, 4, 5):
        files = {f"kubernetes/{n}.yaml": text.replace("sriovdp", f"p{n}") for n in range(plugins)}
        (*said,) = of_first(things(files), {}, rail, replace(host(0), hcas=(HCA,))).open
        assert len(said) == (plugins > 1)
        assert [each.count("ConfigMap") for each in said] == [min(plugins, 4)] * (plugins > 1)


def test_a_config_map_that_a_pod_of_another_namespace_names_is_not_mounted() -> None:
    entry = {"resourcePrefix": "nvidia.com", "resourceName": "rail", "selectors": {"pfNames": ["ens1"]}}
    text = PLUGIN.format(config=json.dumps({"resourceList": [entry]})).replace("sriovdp-config", "own")
    volumes = [{"name": "v", "configMap": {"name": "own"}}]
    for space, known in (("kube-system", True), ("apps", False)):
        meta = {"name": "plugin", "namespace": space}
        spec = {"containers": [{"name": "a"}], "volumes": volumes}
        pod_text = yaml.safe_dump({"apiVersion": "v1", "kind": "Pod", "metadata": meta, "spec": spec})
        here = site(network({}), text, pod_text)
        device = of_first(here.cluster, {}, here.cluster.networks[0], replace(host(0), hcas=(HCA,)))
        assert (plugin_unknown(device.offer, here.cluster) == "") is known


@pytest.mark.parametrize(
    ("netdevs", "wrong"),
    [(("ens1", "ens2"), True), (("ens1", None), True), ((None, "ens2"), True), ((None, None), False)],
)
def test_a_master_is_missed_where_any_interface_of_the_host_is_known(
    netdevs: tuple[str | None, str | None], wrong: bool
) -> None:
    cluster = things({"kubernetes/0.yaml": network({})})
    here = replace(host(0), hcas=tuple(replace(HCA, name=str(n), netdev=n) for n in netdevs))
    found = of_first(cluster, {}, cluster.networks[0], here, master="eth7")
    assert found.wrong == ("node-0 has no interface eth7" if wrong else "")


@pytest.mark.parametrize("other", [HCA, replace(HCA, name="b", netdev=None, pci=None)])
def test_a_resource_that_no_port_fits_is_told_with_four_of_its_values(other: SiteHca) -> None:
    selector = {"vendor": "15b3", "pfNames": [f"ens{n}" for n in range(2, 8)]}
    cluster = things(
        {"kubernetes/0.yaml": yaml.safe_dump({**POLICY, "spec": {**SPEC, "nicSelector": selector}})}
    )
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    here = replace(host(0), hcas=(HCA, other))
    found = of_first(cluster, {}, replace(rail, resource=f"{cluster.prefix}/rail"), here)
    said = "pfNames ens2 ens3 ens4 ens5 fits no device of its HCAs that the other keys leave"
    assert said in found.wrong


@pytest.mark.parametrize(("name", "told"), [("test-tcp", []), ("test", ["NCCL_IB_DISABLE", "UCX_TLS"])])
def test_a_copy_that_runs_without_rdma_on_purpose_differs_in_that_alone(name: str, told: list[str]) -> None:
    path = "pods/training/nccl-test.yaml"
    texts = dict(rendered("sonic"))
    entry = "            - name: {}\n              value: {}\n"
    more = entry.format("NCCL_IB_DISABLE", "'1'") + entry.format("UCX_TLS", "tcp")
    edited = texts[path].replace(entry.format("NCCL_DEBUG", "INFO"), more)
    edited = edited.replace("name: training-nccl-test\n", f"name: {name}\n", 1)
    site = site_of({**texts, path: edited})
    found = copies(site.workloads["training"], site.cluster)
    assert [each.text.partition(" ")[0] for each in found] == sorted({*told, "UCX_TLS"})


@pytest.mark.parametrize(("names", "most"), [("ens1", 8), ("ens1#0-3", 4)])
def test_a_policy_says_how_many_vfs_pods_may_take(names: str, most: int) -> None:
    device, _ = offered(nicSelector={"pfNames": [names]})
    assert device.offer.most == most


@pytest.mark.parametrize(
    ("selectors", "most"),
    [({"pfNames": ["ens1"]}, None), ({"pfNames": ["ens1#0-3"]}, 4), ({"vendors": ["15b3"]}, None)],
)
def test_a_device_plugin_says_how_many_vfs_pods_may_take_by_a_range_only(
    selectors: dict[str, Any], most: int | None
) -> None:
    entry = {"resourcePrefix": "nvidia.com", "resourceName": "rail", "selectors": selectors}
    config = json.dumps({"resourceList": [entry]})
    cluster = things({"kubernetes/0.yaml": PLUGIN.format(config=config)})
    (rail,) = things({"kubernetes/0.yaml": network({})}).networks
    found = of_first(cluster, {}, rail, replace(host(0), hcas=(HCA,)))
    assert (found.hca, found.offer.most) == (HCA, most)


def test_a_trunk_whose_far_port_is_not_configured_carries_nothing() -> None:
    fabric = two_leaves()
    far = fabric.switches["far"]
    bare: Any = replace(far, ports={name: port for name, port in far.ports.items() if name != "up"})
    broken = ReadFabric({**fabric.switches, "far": bare}, list(fabric.cables.peers.values()))
    a, b = pod("sbr", SHARED, "a", 0), moved(pod("sbr", SHARED, "b", 0))
    found = Walker(broken, Bgp(broken)).walk((a, "net1"), (b, "net1"), DEVICE_BOUND, 4)
    assert found.verdict is Verdict.LOST
    assert "in VLAN 101 of leaf: it is in VLAN 101 of far" in found.faults[0].text
