"""Images by digest, as mirrored registries have them: told, and the tag is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.test_import import refused, todo_lines
from tests.test_import_operator import operator, policy

DIGEST = "sha256:" + "4e5f" * 16
TAG = "network-operator-v26.4.1"


def component(image: str, version: str) -> dict[str, Any]:
    return {"image": image, "repository": "registry.example.com:5000/m", "version": version}


def test_digests_of_components_are_one_line_and_one_question() -> None:
    own = component("nvidia-k8s-ipam", DIGEST)
    result = policy(nvIpam=own, secondaryNetwork={"multus": component("multus-cni", DIGEST)})
    (line,) = [str(each) for each in result.remarks if "sha256" in str(each)]
    assert f"'{DIGEST}': an inventory has the tags of a release, and no digests (and 1 more)" in line
    assert operator(result)["version"] == "TODO: version"
    assert "images" not in operator(result)
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_the_tag_of_another_component_is_kept() -> None:
    result = policy(
        nvIpam=component("nvidia-k8s-ipam", TAG), secondaryNetwork={"multus": component("multus-cni", DIGEST)}
    )
    assert TAG in str(operator(result))
    assert DIGEST not in str(operator(result))
    assert set(todo_lines(result.text)) <= refused(result.text)


@pytest.mark.parametrize("spec", [{"ofedDriver": component("doca-driver", DIGEST)}])
def test_the_digest_of_a_driver_is_asked_for(spec: dict[str, Any]) -> None:
    assert operator(policy(**spec))["ofed_version"] == "TODO: version"
