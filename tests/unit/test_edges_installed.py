"""Edge cases, one fact per case: what several files say of one thing that trace looks for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from netplan.model.artifact import Artifact
from netplan.trace import is_rendered
from netplan.trace.applied import namespace_faults
from netplan.trace.devices import settings_faults
from netplan.trace.installed import switched_off
from netplan.trace.isolation import isolation
from netplan.trace.model import Verdict
from netplan.write import write
from tests.unit.edges import things as graph
from tests.unit.test_edges_compared import HERE
from tests.unit.test_edges_gather import things
from tests.unit.test_edges_nics import offered
from tests.unit.test_edges_pods_trace import workload
from tests.unit.test_edges_traced_2 import MAP
from tests.unit.test_trace_addresses import NETWORK, host


def test_of_several_charts_the_one_that_leaves_the_operator_out_is_told() -> None:
    on, off = (f"sriovNetworkOperator: {{enabled: {word}}}" for word in ("true", "false"))
    for first, last in ((on, off), (off, on)):
        files = {"a/network-operator/values.yaml": first, "b/network-operator/values.yaml": last}
        found = [fault.text for fault in switched_off(things({"a.yaml": HERE, **files}))]
        where = "ab"[first == on] + "/network-operator/values.yaml:1"
        assert [text.partition(": ")[0] for text in found] == [
            f"sriovNetworkOperator.enabled is not true ({where})"
        ]


def test_a_rendered_directory_has_a_manifest_of_its_own_or_of_the_whole_tree(tmp_path: Path) -> None:
    write(tmp_path / "alone", [Artifact("site.json", "{}\n", "site")], "ams1")
    assert is_rendered(tmp_path / "alone")
    (tmp_path / "alone/manifest.json").unlink()
    assert not is_rendered(tmp_path / "alone")
    part = tmp_path / "shared/clusters/one"
    write(tmp_path / "shared", [Artifact("clusters/one/site.json", "{}\n", "site")], "ams1")
    assert is_rendered(part)
    assert not is_rendered(tmp_path / "shared")
    (part / "site.json").unlink()
    assert not is_rendered(part)


def test_of_a_variable_that_stands_twice_the_last_one_is_told() -> None:
    """The container gets that one."""
    entry = {"name": "NCCL_IB_TC", "value": "300"}
    job = workload({"env": [{**entry, "value": "106"}, {"name": "A", "value": ""}, entry]})
    lines = (job.pod.thing.source((*job.container[0], "env", n)).line for n in (0, 2))
    first, last = lines
    assert first < last
    assert job.env_at("NCCL_IB_TC") == f"{job.file}:{last}"
    assert job.env_at("NCCL_NET") == f"{job.file}:{first - 1}"


def test_a_namespace_that_no_file_makes_is_told_once() -> None:
    texts = {
        "kubernetes/a.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: made}\n",
        **{
            f"kubernetes/{n}.yaml": MAP.replace("name: c, namespace: n", f"name: c{n}, namespace: {space}")
            for n, space in enumerate(("made", "lost", "lost", "default", "kube-system", "other"))
        },
    }
    assert [each.text for each in namespace_faults(graph(texts))] == [
        f"ConfigMap {space}/c{n} is in namespace {space} (kubernetes/{n}.yaml:3),"
        " which no Namespace of kubernetes/ makes"
        for n, space in ((1, "lost"), (5, "other"))
    ]
    del texts["kubernetes/a.yaml"]
    assert list(namespace_faults(graph(texts))) == []


def test_vfs_that_others_make_are_no_doubt_where_a_file_of_the_host_makes_them() -> None:
    texts = {"hosts/gpu/10-roce0.link": "[Link]\nSR-IOVVirtualFunctions=8\n"}
    for files, told in (({}, 1), (texts, 0)):
        device, here = offered(files, externallyManaged=True)
        said = [text for _, text in settings_faults(device.offer, here, verbs=False)]
        assert len(said) == told
        assert all("leaves VFs to others" in text for text in said)


@pytest.mark.parametrize(
    ("configs", "verdicts"),
    [
        ([({}, "shared")], [Verdict.LOST]),
        ([({}, "exclusive")], []),
        ([({"a": "b"}, "exclusive"), ({}, "shared")], [Verdict.LOST]),
        ([({}, None), ({}, "shared")], [Verdict.LOST]),
        ([({"a": "b"}, "shared")], [Verdict.UNPROVED]),
        ([({}, None)], [Verdict.UNPROVED]),
    ],
)
def test_the_rdma_mode_of_a_host_is_that_of_the_pool_config_for_it(
    configs: list[tuple[dict[str, str], str | None]], verdicts: list[Verdict]
) -> None:
    """A network that chains the rdma plugin moves the device, which takes the mode ``exclusive``."""
    made = [
        {
            "apiVersion": "sriovnetwork.openshift.io/v1",
            "kind": "SriovNetworkPoolConfig",
            "metadata": {"name": f"p{number}", "namespace": "op"},
            "spec": {"nodeSelector": {"matchLabels": labels}, **({"rdmaMode": mode} if mode else {})},
        }
        for number, (labels, mode) in enumerate(configs)
    ]
    chain = {"cniVersion": "1.0.0", "name": "rail", "plugins": [{"type": "host-device"}, {"type": "rdma"}]}
    text = NETWORK.format(config=json.dumps(chain))
    cluster = graph({"kubernetes/0.yaml": text, "kubernetes/1.yaml": yaml.safe_dump_all(made)})
    found = isolation({}, cluster, host(0), cluster.networks[0], "x")
    assert [each.verdict for each in found] == verdicts
