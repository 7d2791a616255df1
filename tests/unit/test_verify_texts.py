"""NP901 and NP903: texts that do not parse, and paths that exclude each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from netplan.model.artifact import Artifact
from netplan.verify import verify
from tests.unit.rendered_tree import (
    CLUSTER,
    EXTRA,
    PLUGIN,
    POD,
    RAILS,
    VALUES,
    WHOLE,
    artifacts,
    documents,
    nothing,
    put,
    verified,
)

HEADER = "apiVersion: v1\nkind: Pod\n"


BROKEN_TEXTS = [
    pytest.param(RAILS, "a: [", "while parsing a flow", id="yaml syntax"),
    pytest.param(RAILS, f"{HEADER}kind: Pod\n", "key kind appears twice", id="yaml key twice"),
    pytest.param(POD, f"{HEADER}metadata:\n  name: a\n  name: b\n", "key name appears twice", id="below"),
    pytest.param(
        RAILS, "a: !!python/name:os.system\n", "tag !!python/name:os.system is not supported", id="tag"
    ),
    pytest.param(RAILS, "", "contains no object", id="empty file"),
    pytest.param(RAILS, f"{HEADER}---\n", "document 2 is not an object with apiVersion and kind", id="empty"),
    pytest.param(POD, "kind: Pod\n", "document 1 is not an object with apiVersion and kind", id="no version"),
    pytest.param(VALUES, "- a\n", "Helm takes one mapping of values", id="values"),
    pytest.param("pods/train/routes.yaml", "a: 1\na: 2\n", "key a appears twice", id="data"),
    pytest.param("switches/leaf-1/roce.json", '{"a": 1', "Expecting ',' delimiter", id="json syntax"),
    pytest.param("switches/leaf-1/roce.json", '{"a": {"b": 1, "b": 1}}', "duplicate key 'b'", id="json"),
    pytest.param("switches/leaf-1/roce.json", '{"a": NaN}', "NaN is not JSON", id="constant"),
]


@pytest.mark.parametrize(("path", "text", "message"), BROKEN_TEXTS)
def test_a_text_that_does_not_parse(path, text, message):
    verdict = verified(nothing, {path: text})
    assert [d.code for d in verdict.diagnostics] == ["NP901"]
    assert message in verdict.diagnostics[0].message
    assert verdict.diagnostics[0].message.startswith(f"{path}: ")
    assert "NP902" not in verdict.checked


EMBEDDED = [
    pytest.param(
        put(RAILS, "spec", "config", value="{,}"),
        "NetworkAttachmentDefinition training/rail-0: spec.config is not valid JSON",
        id="config",
    ),
    pytest.param(
        put(RAILS, "spec", "config", value='{"name": "a", "name": "b"}'),
        "training/rail-0: spec.config has a duplicate key 'name', of whose values only the last counts",
        id="key twice",
    ),
    pytest.param(
        put(EXTRA, "spec", "metaPlugins", value='{"type":"rdma"}{"type":"sbr"}'),
        "SriovNetwork operator/extra: spec.metaPlugins is not valid JSON",
        id="fragment",
    ),
    pytest.param(
        put(EXTRA, "spec", "capabilities", value='{"ips\'":true}'),
        "SriovNetwork operator/extra: spec.capabilities has a single quote",
        id="quote",
    ),
    pytest.param(
        put(WHOLE, "spec", "ipam", value="nv-ipam"),
        "HostDeviceNetwork whole: spec.ipam is not valid JSON",
        id="ipam",
    ),
    pytest.param(
        put(CLUSTER, "spec", "rdmaSharedDevicePlugin", "config", value="{"),
        "nic-cluster-policy: spec.rdmaSharedDevicePlugin.config is not valid JSON",
        id="shared plugin",
    ),
    pytest.param(
        put(PLUGIN, "data", "config.json", value='{"resourceList": '),
        "ConfigMap kube-system/sriovdp-config: data.config.json is not valid JSON",
        id="config map",
    ),
]


@pytest.mark.parametrize(("change", "message"), EMBEDDED)
def test_json_inside_an_object_that_does_not_parse(change, message):
    found = verified(change).diagnostics
    assert {d.code for d in found} == {"NP901"}
    assert message in found[0].message


PATHS = [
    pytest.param("switches/Leaf-1/roce.json", "the same path as switches/leaf-1/roce.json", id="case"),
    pytest.param("../x.json", "the path is not a plain relative path", id="parent"),
    pytest.param("/etc/x.json", "the path is not a plain relative path", id="absolute"),
    pytest.param("a//b.json", "the path is not a plain relative path", id="empty part"),
    pytest.param("a/./b.json", "the path is not a plain relative path", id="dot"),
    pytest.param("a\\b.json", "the path is not a plain relative path", id="backslash"),
    pytest.param("a/b.json\n", "the path is not a plain relative path", id="newline"),
    pytest.param("switches/leaf-1", "also the folder of switches/leaf-1/roce.json", id="folder"),
]


@pytest.mark.parametrize(("path", "message"), PATHS)
def test_a_path_that_cannot_stand(path, message):
    verdict = verified(nothing, {path: "{}\n"})
    assert [(d.code, d.message) for d in verdict.diagnostics] == [("NP903", f"{path}: {message}")]
    assert verdict.checked == {"NP903": 19}


def test_two_artifacts_of_one_path():
    rendered = artifacts(documents())
    verdict = verify([*rendered, replace(rendered[0])])
    assert [d.message for d in verdict.diagnostics] == [f"{RAILS}: the same path as {RAILS}"]


@pytest.mark.parametrize("path", ["hosts/gpu-001.example.com/10-rail0.link", "a/..b", "a/.b", "a/b@c_d+e"])
def test_paths_that_can_stand(path):
    assert verify([Artifact(path=path, text="", kind="hosts")]).diagnostics == ()
