"""Edge cases, one fact per case: devices that the containers and the claims of a pod bring."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import said
from tests.unit.test_edges_objects_claims import by_claim, by_template, request, template
from tests.unit.test_edges_objects_networks import rail, taking


def named_device(count: Any = None, name: str = "x/rail", of: str = "rails.example.com") -> dict[str, Any]:
    """A request for devices by the name that Multus compares."""
    expression = f'device.attributes["k8s.cni.cncf.io"].resourceName == "{name}"'
    exactly: dict[str, Any] = {"deviceClassName": of, "selectors": [{"cel": {"expression": expression}}]}
    return {"name": "n", "exactly": exactly | ({} if count is None else {"count": count})}


def claiming(
    networks: str, *requests: dict[str, Any], many: int = 0, entries: int = 1
) -> list[dict[str, Any]]:
    """A pod whose claims make these requests, and that asks for as many devices itself."""
    claims = [by_template(entry=f"c{number}") for number in range(entries)]
    own = (
        taking(networks, many, "x/rail", resourceClaims=claims)
        if many
        else pod(networks, resourceClaims=claims)
    )
    return [rail(of="x/rail"), own, template(*requests)]


def several(own: list[int], init: list[int], networks: str = "rail") -> list[dict[str, Any]]:
    """Devices of the containers and of the init containers of a pod."""

    def all_of(amounts: list[int]) -> list[dict[str, Any]]:
        limits = [{"limits": {"x/rail": each}} for each in amounts]
        return [{"name": f"a{n}", "image": "b", "resources": each} for n, each in enumerate(limits)]

    return [rail(of="x/rail"), pod(networks, containers=all_of(own), initContainers=all_of(init))]


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP763", several([1, 1], [], "rail,rail"), []),
        ("NP763", several([1], [2], "rail,rail"), []),
        (
            "NP763",
            several([1], [1], "rail,rail"),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 2 attachments need x/rail, but "
                    "its containers request 1"
                )
            ],
        ),
        (
            "NP769",
            several([1, 1], []),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "x/rail, but 1 is attached"
                )
            ],
        ),
        (
            "NP769",
            several([1], [3]),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 3 of "
                    "x/rail, but 1 is attached"
                )
            ],
        ),
        ("NP769", several([1], [1, 1]), []),
        (
            "NP763",
            claiming("rail,rail", named_device()),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 2 attachments need x/rail, but "
                    "its containers request 1"
                )
            ],
        ),
        ("NP763", claiming("rail,rail", named_device(2)), []),
        ("NP763", claiming("rail,rail", named_device(), named_device()), []),
        ("NP763", claiming("rail,rail", named_device(), many=1), []),
        ("NP763", claiming("rail,rail", named_device(), entries=2), []),
        ("NP763", claiming("rail,rail", named_device("2")), []),
        (
            "NP763",
            claiming("rail", named_device(name="x/other")),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs x/rail, but "
                    "its containers request 0"
                )
            ],
        ),
        (
            "NP763",
            claiming("rail", request()),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs x/rail, but "
                    "its containers request 0"
                )
            ],
        ),
        (
            "NP763",
            claiming("rail", request(of="mig.nvidia.com")),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs x/rail, but "
                    "its containers request 0"
                )
            ],
        ),
        ("NP763", claiming("rail", request(of="nic.example.com")), []),
        (
            "NP763",
            claiming("rail", {"name": "n", "deviceClassName": "gpu.nvidia.com"}),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: 1 attachment needs x/rail, but "
                    "its containers request 0"
                )
            ],
        ),
        (
            "NP769",
            claiming("rail", named_device(2)),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "x/rail, but 1 is attached"
                )
            ],
        ),
        (
            "NP769",
            claiming("rail", named_device(), many=1),
            [
                (
                    "metadata.annotations.k8s.v1.cni.cncf.io/networks: its containers request 2 of "
                    "x/rail, but 1 is attached"
                )
            ],
        ),
        ("NP763", [rail(of="x/rail"), pod("rail", resourceClaims=[by_claim()])], []),
        ("NP763", [rail(of="x/rail"), pod("rail", resourceClaims=[by_template("gone")])], []),
        (
            "NP763",
            [
                rail(of="x/rail"),
                pod("rail", resourceClaims=[by_template()]),
                template(named_device(), namespace="other"),
            ],
            [],
        ),
    ],
)
def test_devices_of_a_pod_are_those_of_its_containers_and_claims(
    code: str, given: Any, told: list[str]
) -> None:
    """An init container ends before the others begin; a claim that may bring any device decides itself."""
    assert said(code, given) == told
