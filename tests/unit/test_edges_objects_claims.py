"""Edge cases, one fact per case: findings about claims of pods and their device classes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_asked import pod
from tests.unit.test_edges_objects import advised, said

API = "resource.k8s.io/v1"


def request(name: str = "gpu", of: str = "gpu.nvidia.com", **more: Any) -> dict[str, Any]:
    return {"name": name, "exactly": {"deviceClassName": of}, **more}


def claim(*requests: dict[str, Any], name: str = "t", namespace: str = "apps", **more: Any) -> dict[str, Any]:
    meta = {"name": name, "namespace": namespace}
    devices = {"requests": [*requests], **more}
    return {"apiVersion": API, "kind": "ResourceClaim", "metadata": meta, "spec": {"devices": devices}}


def template(
    *requests: dict[str, Any], name: str = "t", namespace: str = "apps", **more: Any
) -> dict[str, Any]:
    own = claim(*(requests or [request()]), name=name, namespace=namespace, **more)
    return {**own, "kind": "ResourceClaimTemplate", "spec": {"spec": own["spec"]}}


def device_class(name: str) -> dict[str, Any]:
    return {"apiVersion": API, "kind": "DeviceClass", "metadata": {"name": name}, "spec": {}}


BIG: dict[str, Any] = {
    "name": "gpu",
    "firstAvailable": [{"name": "big", "deviceClassName": "gpu.nvidia.com"}],
}


def by_template(name: str = "t", entry: str = "c") -> dict[str, str]:
    return {"name": entry, "resourceClaimTemplateName": name}


def by_claim(name: str = "t", entry: str = "c") -> dict[str, str]:
    return {"name": entry, "resourceClaimName": name}


OLD_TEMPLATE = {**template(), "apiVersion": "resource.k8s.io/v1alpha2"}
BELOW_SOURCE: Any = {"name": "c", "source": {"resourceClaimTemplateName": "t"}}


def using(*entries: dict[str, Any], take: Any = ({"name": "c"},), init: bool = False) -> dict[str, Any]:
    """A pod with these entries of resourceClaims; its container, or init container, takes ``take``."""
    own = {"name": "a", "image": "b", "resources": {"claims": [*take]}}
    plain = {"name": "z", "image": "b"}
    containers = {"containers": [plain], "initContainers": [own]} if init else {"containers": [own]}
    return pod("", resourceClaims=[*entries], **containers)


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP730",
            [using(by_template() | by_claim()), template()],
            ["spec.resourceClaims.0: claim c names both a claim and a template"],
        ),
        (
            "NP730",
            [using({"name": "c"}), template()],
            ["spec.resourceClaims.0: claim c names neither a claim nor a template"],
        ),
        ("NP730", [OLD_TEMPLATE, using(BELOW_SOURCE)], []),
        (
            "NP730",
            [OLD_TEMPLATE, template(name="u"), using(BELOW_SOURCE)],
            [
                (
                    "spec.resourceClaims.0.source: resourceClaimTemplateName of claim c is below source, as "
                    "in Kubernetes 1.30 and older"
                )
            ],
        ),
        (
            "NP730",
            [using({"name": "c", "resourceClaimName": ""}), template()],
            ["spec.resourceClaims.0: claim c names neither a claim nor a template"],
        ),
        (
            "NP730",
            [using(by_template(), take=[{"name": "d"}]), template()],
            ["spec.containers.0.resources.claims.0.name: claim d is not in resourceClaims of the pod: c"],
        ),
        (
            "NP730",
            [using(by_template(), take=[{"name": "d"}], init=True), template()],
            [
                (
                    "spec.initContainers.0.resources.claims.0.name: claim d is not in resourceClaims of "
                    "the pod: c"
                )
            ],
        ),
        (
            "NP730",
            [using(take=[{"name": "d"}]), template()],
            [
                (
                    "spec.containers.0.resources.claims.0.name: claim d is not in resourceClaims of the "
                    "pod: none"
                )
            ],
        ),
        ("NP730", [using(by_template(), take=[{"name": "c", "request": "gpu"}]), template()], []),
        (
            "NP730",
            [using(by_template(), take=[{"name": "c", "request": "nic"}]), template()],
            [
                (
                    "spec.containers.0.resources.claims.0.request: ResourceClaimTemplate apps/t has no "
                    "request nic: gpu"
                )
            ],
        ),
        (
            "NP730",
            [
                using(by_template(), take=[{"name": "c", "request": "nic"}]),
                template(request(), request("two")),
            ],
            [
                (
                    "spec.containers.0.resources.claims.0.request: ResourceClaimTemplate apps/t has no "
                    "request nic: gpu, two"
                )
            ],
        ),
        ("NP730", [using(by_template(), take=[{"name": "c", "request": "gpu/big"}]), template(BIG)], []),
        (
            "NP730",
            [using(by_template(), take=[{"name": "c", "request": "gpu/small"}]), template(BIG)],
            [
                (
                    "spec.containers.0.resources.claims.0.request: ResourceClaimTemplate apps/t has no "
                    "request gpu/small: gpu, gpu/big"
                )
            ],
        ),
        (
            "NP730",
            [using(by_template("u"), take=[{"name": "c", "request": "nic"}]), template()],
            [
                (
                    "spec.resourceClaims.0.resourceClaimTemplateName: ResourceClaimTemplate u is not in "
                    "the directory"
                )
            ],
        ),
        (
            "NP730",
            [using(by_claim(), take=[{"name": "c", "request": "nic"}]), claim()],
            [("spec.containers.0.resources.claims.0.request: ResourceClaim apps/t has no request nic: none")],
        ),
    ],
)
def test_a_container_names_a_claim_of_its_pod_and_a_request_of_it(
    code: str, given: Any, told: list[str]
) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP745", [using(by_template()), template()], []),
        (
            "NP745",
            [using(by_template(), take=[]), template()],
            ["spec.resourceClaims.0: claim c is used by no container"],
        ),
        ("NP745", [using(by_template(), init=True), template()], []),
        ("NP745", [using(by_template(), take=[{"name": "d"}]), template()], []),
        (
            "NP745",
            [using(by_template(), take=[]), template(request(of="sriovnetwork.k8snetworkplumbingwg.io"))],
            [],
        ),
        (
            "NP745",
            [using(by_template(), take=[]), template(request(), request("nic", of="nic.example.com"))],
            [],
        ),
        (
            "NP745",
            [using(by_template(), take=[]), template({"name": "gpu", "deviceClassName": "mig.nvidia.com"})],
            ["spec.resourceClaims.0: claim c is used by no container"],
        ),
        ("NP745", [using(by_template(), take=[])], []),
        ("NP745", [using(by_claim(), take=[]), claim(request())], []),
        (
            "NP745",
            [using(by_template(), by_template(entry="d")), template()],
            ["spec.resourceClaims.1: claim d is used by no container"],
        ),
        ("NP745", [using(by_template(), take=[]), template(claim()["spec"])], []),
    ],
)
def test_a_container_uses_each_claim_of_gpus(code: str, given: Any, told: list[str]) -> None:
    """A driver of network interfaces may move them into the pod without that."""
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        (
            "NP744",
            [template(request(of="rail.example.com")), device_class("rails.example.com")],
            [
                (
                    "spec.spec.devices.requests.0.exactly.deviceClassName: device class rail.example.com "
                    "is not in the directory"
                )
            ],
        ),
        ("NP744", [template(request(of="other")), device_class("rails.example.com")], []),
        ("NP744", [template(request(of="rail.example.com")), device_class("rail.example.com")], []),
        ("NP744", [template(request(of="gpu.nvidia.com")), device_class("gpus.nvidia.com")], []),
        ("NP744", [template(request(of="mig.nvidia.com")), device_class("migs.nvidia.com")], []),
        ("NP744", [template(request(of="rail-$N.example.com")), device_class("rails.example.com")], []),
        (
            "NP744",
            [
                {
                    **claim({"name": "nic", "deviceClassName": "rail.example.com"}),
                    "apiVersion": "resource.k8s.io/v1beta1",
                },
                device_class("rails.example.com"),
            ],
            [
                (
                    "spec.devices.requests.0.deviceClassName: device class rail.example.com is not in "
                    "the directory"
                )
            ],
        ),
        (
            "NP744",
            [
                claim(request(), {"name": "nic", "exactly": {}}, request("x", "rail.example.com")),
                device_class("rails.example.com"),
            ],
            [
                (
                    "spec.devices.requests.2.exactly.deviceClassName: device class rail.example.com is "
                    "not in the directory"
                )
            ],
        ),
    ],
)
def test_a_claim_names_a_class_that_is_there(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP732", [claim(request(), request("nic"))], []),
        ("NP732", [claim(request(), request())], ["spec.devices.requests.1.name: request gpu twice"]),
        (
            "NP732",
            [claim(request(), request(), request())],
            [
                "spec.devices.requests.1.name: request gpu twice",
                "spec.devices.requests.2.name: request gpu twice",
            ],
        ),
        (
            "NP732",
            [claim(request(), constraints=[{"requests": ["gpu"]}], config=[{"requests": ["gpu"]}])],
            [],
        ),
        (
            "NP732",
            [
                claim(
                    request(), constraints=[{"requests": ["gpu", "nic"]}], config=[{}, {"requests": ["net"]}]
                )
            ],
            [
                (
                    "spec.devices.constraints.0.requests.1: constraints is for request nic, but the "
                    "requests are gpu"
                ),
                "spec.devices.config.1.requests.0: config is for request net, but the requests are gpu",
            ],
        ),
        (
            "NP732",
            [template(request(), constraints=[{"requests": ["nic-$N", 7, "nic"]}])],
            [
                (
                    "spec.spec.devices.constraints.0.requests.2: constraints is for request nic, but the "
                    "requests are gpu"
                )
            ],
        ),
        (
            "NP732",
            [template(BIG, config=[{"requests": ["gpu/big", "big"]}])],
            [
                (
                    "spec.spec.devices.config.0.requests.1: config is for request big, but the requests "
                    "are gpu, gpu/big"
                )
            ],
        ),
        (
            "NP732",
            [claim(constraints=[{"requests": ["gpu"]}])],
            [
                (
                    "spec.devices.constraints.0.requests.0: constraints is for request gpu, but the "
                    "requests are none"
                )
            ],
        ),
    ],
)
def test_a_claim_names_its_own_requests(code: str, given: Any, told: list[str]) -> None:
    assert said(code, given) == told


@pytest.mark.parametrize(
    ("code", "given", "told"),
    [
        ("NP730", [using(by_template()), template()], []),
        ("NP730", [using(by_claim()), claim(request())], []),
        ("NP730", [using(by_claim()), template()], []),
        ("NP730", [using(by_template())], []),
        (
            "NP730",
            [using(by_template("u")), template()],
            ["ResourceClaimTemplate u is not in the directory; there: t"],
        ),
        (
            "NP730",
            [using(by_template("u")), template(), template(name="v", namespace="other")],
            ["ResourceClaimTemplate u is not in the directory; there: t"],
        ),
        (
            "NP730",
            [using(by_template("train")), template(), template(name="trains", namespace="other")],
            ["ResourceClaimTemplate train is not in the directory; there: t"],
        ),
        (
            "NP730",
            [using(by_template("trains")), template(name="train")],
            ["ResourceClaimTemplate trains is not in the directory; did you mean train?"],
        ),
        (
            "NP730",
            [using(by_template()), template(namespace="other")],
            [
                (
                    "ResourceClaimTemplate t is not in the directory; create it in apps: "
                    "ResourceClaimTemplate other/t cannot be used from there"
                )
            ],
        ),
        ("NP730", [using(by_template("u")), template(namespace="other")], []),
        (
            "NP730",
            [using(by_template() | by_claim()), template()],
            [
                (
                    "claim c names both a claim and a template; write one of resourceClaimTemplateName "
                    "and resourceClaimName"
                )
            ],
        ),
        (
            "NP730",
            [using({"name": "c"}), template()],
            [
                (
                    "claim c names neither a claim nor a template; write one of "
                    "resourceClaimTemplateName and resourceClaimName"
                )
            ],
        ),
        (
            "NP730",
            [using({"name": "c", "resourceClaimName": ""}), template()],
            [
                (
                    "claim c names neither a claim nor a template; write one of "
                    "resourceClaimTemplateName and resourceClaimName"
                )
            ],
        ),
        ("NP730", [using(by_template("t-$N")), template()], []),
        (
            "NP730",
            [using(by_template("u")), *(template(name=f"x{n}") for n in range(9))],
            ["ResourceClaimTemplate u is not in the directory; there: x0, x1, x2, x3, x4, x5, x6, x7"],
        ),
        (
            "NP730",
            [using(by_claim("u")), claim(request()), template(name="u")],
            ["ResourceClaim u is not in the directory; there: t"],
        ),
        (
            "NP744",
            [template(request(of="rail.example.com")), device_class("rails.example.com")],
            ["device class rail.example.com is not in the directory; did you mean rails.example.com?"],
        ),
    ],
)
def test_a_missing_claim_is_told_where_the_directory_proves_it(
    code: str, given: Any, told: list[str]
) -> None:
    assert advised(code, given) == told
