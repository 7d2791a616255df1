"""Edge cases, one fact per case: the annotation that names the networks of a pod."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from netplan.graph.kubernetes.selections import (
    NetworkSelection,
    interface_problems,
    meant_key,
    networks_text,
    opted_out,
    pod_selections,
    read_selections,
)
from netplan.graph.kubernetes.unseen import _custom as is_custom

KEY = "k8s.v1.cni.cncf.io/networks"


def selections(text: str) -> list[tuple[str | None, str, str | None]]:
    return [(each.namespace, each.name, each.interface) for each in read_selections((), text)[0]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a", [(None, "a", None)]),
        ("a,b", [(None, "a", None), (None, "b", None)]),
        (" x/a@net1 , b@net2", [("x", "a", "net1"), (None, "b", "net2")]),
        ('[{"name": "a", "namespace": "x", "interface": "net1"}]', [("x", "a", "net1")]),
        ('[{"name": "a", "namespace": "", "interface": ""}]', [(None, "a", None)]),
        ('[{"name": "a", "interfaceRequest": "net1"}]', [(None, "a", "net1")]),
        ('[{"name": "a", "interface": "net1", "interfaceRequest": "net2"}]', [(None, "a", "net1")]),
    ],
)
def test_networks_of_an_annotation(text: str, found: list[tuple[str | None, str, str | None]]) -> None:
    assert selections(text) == found
    assert read_selections((), text)[1] == []


def test_what_else_an_element_states() -> None:
    text = '[{"name": "a", "default-route": ["10.0.0.1"], "ips": ["10.0.0.4"], "mac": ""}, {"name": "b"}]'
    one, other = read_selections(("spec",), text)[0]
    assert (one.at, one.default_route, one.more) == (("spec", 0), True, ("default-route", "ips"))
    assert (other.at, other.default_route, other.more) == (("spec", 1), False, ())
    assert read_selections(("spec",), "a")[0][0].at == ("spec",)


@pytest.mark.parametrize(
    ("text", "left", "wrong"),
    [
        ("A,b", ["b"], ["'A' is not namespace/name@interface in lower case"]),
        ("X/a,b", ["b"], ["'X/a' is not namespace/name@interface in lower case"]),
        ("/a,b", ["b"], ["'/a' is not namespace/name@interface in lower case"]),
        ("a@,b", ["b"], ["'a@' is not namespace/name@interface in lower case"]),
        ("a@x@y,b", ["b"], ["'a@x@y' is not namespace/name@interface in lower case"]),
        ("a,,b", ["a", "b"], ["'' is not namespace/name@interface in lower case"]),
        ("x/a/b", [], ["'x/a/b' is not namespace/name@interface in lower case"]),
        ("{", [], ["it is not JSON: "]),
        ('{"name": "a"}', [], ["it is JSON but not a list"]),
        ('["a", {"name": "b"}]', ["b"], ["element 0 has no name"]),
        (
            '[{"name": ""}, {"name": 7}, {"name": "b"}]',
            ["b"],
            ["element 0 has no name", "element 1 has no name"],
        ),
        ('[{"name": "a", "interface": 7}]', [], ["element 0: namespace and interface are text"]),
        ('[{"name": "a", "namespace": 7}]', [], ["element 0: namespace and interface are text"]),
    ],
)
def test_what_is_wrong_with_an_annotation(text: str, left: list[str], wrong: list[str]) -> None:
    found, said = read_selections((), text)
    assert [each.name for each in found] == left
    assert len(said) == len(wrong)
    assert all(text.startswith(start) for text, start in zip(said, wrong, strict=True)), said


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("net1", "net2", None), []),
        (("net1", "net1"), ["interface net1 is of n1 and of n0"]),
        (
            ("net1", "net2", "net2", "net1"),
            ["interface net2 is of n2 and of n1", "interface net1 is of n3 and of n0"],
        ),
        (
            ("net1", "net1", "net1"),
            ["interface net1 is of n1 and of n0", "interface net1 is of n2 and of n0"],
        ),
        (("eth0",), ["interface eth0 is of n0 and of the pod network"]),
        (("lo", "net1"), ["interface lo is of n0 and of the pod network"]),
        (("x" * 15,), []),
        (("x" * 16,), [f"'{'x' * 16}' is not an interface name"]),
        ((".", "..", "..."), ["'.' is not an interface name", "'..' is not an interface name"]),
        (("a/b", "net1", "net1"), ["'a/b' is not an interface name", "interface net1 is of n2 and of n1"]),
        ((None, "a b"), ["'a b' is not an interface name"]),
        (("$A", "$A", "a:b"), ["'a:b' is not an interface name"]),
    ],
)
def test_interfaces_have_names_of_their_own(names: tuple[str | None, ...], said: list[str]) -> None:
    given = [NetworkSelection(("at", n), None, f"n{n}", name) for n, name in enumerate(names)]
    found = interface_problems(given)
    assert [text.partition(": 1 to 15")[0] for _, text in found] == said
    assert [at for at, _ in found] == sorted(at for at, _ in found)


def pod(annotations: dict[str, Any], kind: str = "Pod", body: Any = None, path: tuple[str, ...] = ()) -> Any:
    return SimpleNamespace(
        annotations=annotations, path=path, thing=SimpleNamespace(kind=kind, body=body or {})
    )


@pytest.mark.parametrize(
    ("annotations", "count", "out"),
    [
        ({KEY: "a,b"}, 2, False),
        ({KEY: ""}, None, True),
        ({KEY: " "}, None, False),
        ({KEY: None}, None, True),
        ({KEY: "[]"}, 0, True),
        ({KEY: "$A"}, None, False),
        ({KEY: 7}, None, False),
        ({}, None, False),
    ],
)
def test_networks_of_a_pod(annotations: dict[str, Any], count: int | None, out: bool) -> None:
    found = pod_selections(pod(annotations))
    assert (found if found is None else len(found)) == count
    assert opted_out(pod(annotations)) is out
    assert all(each.at[-1] == KEY for each in found or ())


@pytest.mark.parametrize(
    ("keys", "meant"),
    [
        ([KEY], None),
        ([KEY, "k8s.v1.cni.cncf.io/network"], None),
        (["k8s.v1.cni.cncf.io/network"], "k8s.v1.cni.cncf.io/network"),
        (["example.com/a", "k8s.v1.cni.cncf.io/networkz"], "k8s.v1.cni.cncf.io/networkz"),
        (["k8s.v1.cni.cncf.io/networks-status"], None),
        (["example.com/a"], None),
        ([], None),
    ],
)
def test_a_key_that_is_nearly_the_one(keys: list[str], meant: str | None) -> None:
    given = dict.fromkeys(keys, "a")
    assert meant_key(given) == meant
    assert networks_text(pod(given)) == ("a" if meant or KEY in keys else None)


def test_of_a_job_the_annotation_above_counts_as_meant() -> None:
    path = ("spec", "template")
    above = {"metadata": {"annotations": {KEY: "up"}}, "spec": {"metadata": {"annotations": {KEY: "in"}}}}
    assert networks_text(pod({}, "Job", above, path)) == "up"
    assert networks_text(pod({}, "Job", {"spec": above["spec"]}, path)) == "in"
    assert networks_text(pod({}, "Job", {"spec": {}}, path)) is None
    assert networks_text(pod({}, "MPIJob", above, path)) is None
    assert networks_text(pod({KEY: None}, "Job", above, path)) is None


@pytest.mark.parametrize(
    ("group", "kind", "custom"),
    [
        ("example.com", "Application", True),
        ("apps", "Deployment", False),
        ("rbac.authorization.k8s.io", "Role", False),
        ("kueue.x-k8s.io", "LocalQueue", False),
        ("k8s.cni.cncf.io", "NetworkAttachmentDefinition", False),
        ("k8s.cni.cncf.io", "Other", True),
    ],
)
def test_a_kind_that_may_hold_pods_which_nobody_sees(group: str, kind: str, custom: bool) -> None:
    thing: Any = SimpleNamespace(group=group, kind=kind)
    assert is_custom(thing) is custom
