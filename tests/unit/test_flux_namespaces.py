"""Namespaces that Kustomizations of Flux give to the objects below their path."""

from __future__ import annotations

import pytest

from netplan.others import rendered_texts
from netplan.reading.kubernetes.load import load_texts

NETWORK = """apiVersion: k8s.cni.cncf.io/v1
kind: NetworkAttachmentDefinition
metadata: {name: iot, namespace: net}
spec: {config: '{"type": "macvlan"}'}
"""


def flux(path: str, target: str = "networking", name: str = "multus") -> str:
    return f"""apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec: {{path: {path}, targetNamespace: {target}, sourceRef: {{kind: GitRepository, name: a}}}}
"""


def namespace_of(texts: dict[str, str], base: str = "") -> str | None:
    tree = load_texts(texts, base)
    return next(thing.namespace for thing in tree.things if thing.kind == "NetworkAttachmentDefinition")


@pytest.mark.parametrize(
    ("path", "target", "wanted"),
    [
        ("./apps/multus/config", "networking", "networking"),
        ("/apps/multus/config/", "networking", "networking"),
        ("apps/multus", "networking", "networking"),
        ("apps/other", "networking", "net"),
        ("multus/con", "networking", "net"),
        ("apps/multus/config", "", "net"),
        ("apps/multus/config", "${NAMESPACE}", None),
        ("./", "networking", "net"),
    ],
)
def test_the_target_of_a_path_is_the_namespace_of_what_is_below(
    path: str, target: str, wanted: str | None
) -> None:
    texts = {"apps/multus/config/iot.yaml": NETWORK, "apps/multus/ks.yaml": flux(path, f"'{target}'")}
    assert namespace_of(texts) == wanted


def test_it_overrides_the_kustomization_of_the_folder() -> None:
    texts = {
        "apps/multus/iot.yaml": NETWORK,
        "apps/multus/kustomization.yaml": "resources: [iot.yaml]\nnamespace: own\n",
        "apps/ks.yaml": flux("./apps/multus"),
    }
    assert namespace_of(texts) == "networking"


def test_the_directory_given_may_be_below_the_root_of_the_repository() -> None:
    texts = {"apps/multus/config/iot.yaml": NETWORK, "apps/ks.yaml": flux("./kubernetes/apps/multus/config")}
    assert namespace_of(texts) == "networking"
    below = {f"/srv/kubernetes/{name}": text for name, text in texts.items()}
    assert namespace_of(below, "/srv/kubernetes") == "networking"


def test_of_two_targets_of_one_path_neither_is_sure() -> None:
    two = flux("./apps/multus") + "---\n" + flux("./apps/multus", "other", "second")
    assert namespace_of({"apps/multus/iot.yaml": NETWORK, "apps/ks.yaml": two}) is None


def test_the_nearest_path_decides() -> None:
    two = flux("./apps", "outer", "apps") + "---\n" + flux("./apps/multus", "inner")
    assert namespace_of({"apps/multus/config/iot.yaml": NETWORK, "apps/ks.yaml": two}) == "inner"


def pod(name: str) -> str:
    return f"""apiVersion: v1
kind: Pod
metadata: {{name: {name}, namespace: home, annotations: {{k8s.v1.cni.cncf.io/networks: default/iot}}}}
spec: {{containers: [{{name: a, image: b}}]}}
"""


@pytest.mark.parametrize(
    ("path", "places"), [("./apps/multus", ["a.yaml", "b.yaml"]), ("./x", ["apps/multus/iot.yaml"])]
)
def test_pods_are_at_fault_where_the_network_cannot_be_moved_by_its_own_text(
    path: str, places: list[str]
) -> None:
    """Where Flux gives it the namespace; else the network that several pods look for elsewhere is named."""
    texts = {
        "apps/multus/iot.yaml": NETWORK,
        "apps/ks.yaml": flux(path),
        "a.yaml": pod("a"),
        "b.yaml": pod("b"),
    }
    found = [each for each in rendered_texts(texts).diagnostics if each.code == "NP758"]
    assert [each.source.file for each in found if each.source] == places
