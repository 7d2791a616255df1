"""Chains in untrusted files: any value at any place, many objects, terminal escape sequences."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.diagnostics import Path as Place
from netplan.reading.kubernetes.files import Found
from netplan.rendered import gathered
from netplan.trace.chains import chains_data, chains_of, compared, lines_of
from tests.cli_runs import netplan
from tests.test_hostile_files import fill
from tests.test_trace_chains import FILES, NETWORK, POD, STATES

NODE_POLICIES = """\
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  rdmaSharedDevicePlugin:
    config: '{"configList": [{"resourceName": "hca", "rdmaHcaMax": 8, "selectors": {"ifNames": ["ens1f0"]}}]}'
---
apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: plain, namespace: train}
spec:
  config: '{"type": "macvlan", "master": "ens1f0.7", "ipam": {"type": "whereabouts", "range": "10.7.0.0/24"}}'
---
apiVersion: v1
kind: Pod
metadata: {name: shared, namespace: train, annotations: {k8s.v1.cni.cncf.io/networks: plain@net1}}
spec:
  resourceClaims: [{name: nic, resourceClaimTemplateName: nics}]
  containers: [{name: main, resources: {limits: {rdma/hca: 1}}, envFrom: [{configMapRef: {name: none}}]}]
"""
ANYTHING: tuple[Any, ...] = (
    None, [], {}, "", 0, -1, True, 10**40, [None], [[]], {"a": None}, "a/b/c", "${X}", "\x1b[31mred",
    "0.0.0.0/0",
)  # fmt: skip
SHARE = 6


@cache
def _documents() -> list[Any]:
    texts = [text for name, text in FILES.items() if name != "values.yaml"]
    return [d for text in (*texts, STATES, NODE_POLICIES) for d in yaml.safe_load_all(text) if d]


def _places(value: Any, at: Place = ()) -> Iterator[Place]:
    yield at
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*at, key))


def _with(value: Any, at: Place, new: Any) -> Any:
    """A copy with ``new`` at a place."""
    copy = deepcopy(value)
    inner = copy
    for part in at[:-1]:
        inner = inner[part]
    inner[at[-1]] = new
    return copy


def _changed(new: Any) -> Iterator[list[Any]]:
    """Each document with ``new`` at each of its places, and at each place of the JSON texts in it."""
    documents = _documents()
    for index, document in enumerate(documents):
        for at in _places(document):
            if at and at not in (("apiVersion",), ("kind",)):
                yield [*documents[:index], _with(document, at, new), *documents[index + 1 :]]
        for at, text in _texts(document):
            for inside in _places(text):
                changed = json.dumps(_with(text, inside, new) if inside else new)
                yield [*documents[:index], _with(document, at, changed), *documents[index + 1 :]]


def _texts(document: Any) -> Iterator[tuple[Place, Any]]:
    for at in _places(document):
        value = document
        for part in at:
            value = value[part]
        if isinstance(value, str) and value.lstrip().startswith(("{", "[")) and "}, {" not in value:
            yield at, json.loads(value)


def _judged(documents: list[Any]) -> str:
    text = yaml.safe_dump_all(documents, allow_unicode=True)
    chains = chains_of(*gathered(Found({"all.yaml": text}, (), ()), ""))
    if not chains.pods:
        return ""
    both = compared(chains.pods[0], chains.pods[-1])
    json.dumps(chains_data(chains, chains.pods, both))
    drawn = [*lines_of(chains, chains.pods), *lines_of(chains, chains.pods, matrix=True)]
    return "\n".join([*drawn, *lines_of(chains, chains.pods, both)])


def test_the_documents_are_followed() -> None:
    drawn = _judged(_documents())
    assert "~ claims       claim nic: nics" in drawn
    assert "VLAN 7, by the name of its master ens1f0.7" in drawn
    assert "NicClusterPolicy nic-cluster-policy: ifNames ens1f0, rdmaHcaMax 8" in drawn


@pytest.mark.sample(1)
@pytest.mark.parametrize("new", ANYTHING, ids=repr)
def test_any_value_at_any_place(new: Any) -> None:
    """Every sixth place, starting at another one for each value."""
    for documents in islice(_changed(new), ANYTHING.index(new) % SHARE, None, SHARE):
        assert "\x1b" not in _judged(documents)


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_directory_of_traps(tmp_path: Path, form: str) -> None:
    fill(tmp_path, ".yaml")
    escape = "\x1b[31m\n::error::planted"
    (tmp_path / f"{escape}.yaml").write_text(NETWORK % {"n": 1} + POD % {"name": json.dumps(escape)})
    status, out, err = netplan("trace", "--rendered", str(tmp_path), "--format", form)
    assert status in (0, 1), err
    assert "rail1" in out
    assert "\x1b" not in out
    assert "\n::error::planted" not in out


def test_many_pods_policies_and_nodes() -> None:
    """Results that are the same for all pods are computed once."""
    files = {name: text for name, text in FILES.items() if name in ("networks.yaml", "pools.yaml")}
    policy = FILES["policies.yaml"].split("---\n")[0]
    many = 150
    names = [policy.replace("name: rail1,", f"name: rail1-{i},") for i in range(many)]
    files["policies.yaml"] = "---\n".join(names)
    files["pods.yaml"] = "".join(POD % {"name": f"worker-{i}"} for i in range(many * 4))
    files["states.yaml"] = "---\n".join(STATES.replace("gpu-1", f"gpu-{i}") for i in range(many))
    cluster, _ = gathered(Found(files, (), ()), "")
    before = time.process_time()
    chains = chains_of(cluster)
    assert len(list(lines_of(chains, chains.pods))) < 200
    assert time.process_time() - before < 30
    device = chains.pods[0].chains[0].step("device")
    assert device is not None
    assert len(device.lines) < 50
    assert len(device.doubts) < 50
