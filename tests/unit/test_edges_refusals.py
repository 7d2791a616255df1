"""Facts of one line each, at their edge: what the closed schemas reject in an object, and where."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.model.artifact import Artifact
from netplan.verify.read import read
from netplan.verify.schemas import json_path, refusals

IPAM: dict[str, Any] = {"type": "whereabouts", "range": "10.0.0.0/24"}
PLUGIN: dict[str, Any] = {"type": "host-device"}
SELECTORS: dict[str, Any] = {"vendors": ["15b3"], "isRdma": True}


def attachment(plugin: Any = PLUGIN, ipam: Any = IPAM, **spec: Any) -> Any:
    """A NetworkAttachmentDefinition; the IPAM stands in its plugin."""
    plugins = [{**plugin, "ipam": ipam}] if isinstance(plugin, dict) else [plugin]
    config = {"cniVersion": "1.0.0", "name": "rail", "plugins": plugins}
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "rail", "namespace": "training"},
        "spec": {"config": json.dumps(config), **spec},
    }


def pool(selectors: Any = SELECTORS, **entry: Any) -> Any:
    """The ConfigMap of the SR-IOV device plugin."""
    resources = [{"resourceName": "rail_0", "resourcePrefix": "intel.com", "selectors": selectors, **entry}]
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "sriovdp-config", "namespace": "kube-system"},
        "data": {"config.json": json.dumps({"resourceList": resources})},
    }


IN = '$.data["config.json"].resourceList[0]'
NET = "$.spec.config.plugins[0]"


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (attachment(), []),
        (pool(), []),
        (pool([SELECTORS, SELECTORS]), []),
        (attachment(ipam={}), []),
        (
            attachment(plugins=[], x=1),
            [
                ("$.spec.plugins", "plugins is not known", "additionalProperties", []),
                ("$.spec.x", "x is not known", "additionalProperties", 1),
            ],
        ),
        (
            attachment({**PLUGIN, "mtu": 9000}),
            [(f"{NET}.mtu", "mtu is not known", "additionalProperties", 9000)],
        ),
        (attachment({"device": "a"}), [(NET, "it has no type", "required", {"device": "a", "ipam": IPAM})]),
        (
            attachment("text"),
            [
                (NET, "'text' is not of type 'object'", "type", "text"),
                (NET, "it has no type", "required", "text"),
            ],
        ),
        (
            attachment({"type": "vrf"}),
            [(NET, "there is no schema cni/vrf.json", "", {"type": "vrf", "ipam": IPAM})],
        ),
        (
            attachment(ipam={"type": "x"}),
            [(f"{NET}.ipam", "there is no schema ipam/x.json", "", {"type": "x"})],
        ),
        (attachment(ipam={"a": 1}), [(f"{NET}.ipam", "it has no type", "required", {"a": 1})]),
        (
            attachment(ipam={"type": "whereabouts"}),
            [(f"{NET}.ipam", "'range' is a required property", "required", {"type": "whereabouts"})],
        ),
        ({**pool(), "kind": "Odd"}, [("$", "there is no schema Odd.json", "", {**pool(), "kind": "Odd"})]),
    ],
)
def test_what_the_schemas_reject_and_where(body: Any, found: list[tuple[Any, ...]]) -> None:
    assert [each[:4] for each in refused(body)] == found


def refused(body: Any) -> list[tuple[Any, ...]]:
    (thing,) = read([Artifact("kubernetes/a.yaml", yaml.safe_dump(body), "kubernetes")]).tree.things
    return [(json_path(r.path), r.message, r.keyword, r.value, r.wanted) for r in refusals(thing)]


FEW = ("required", ("isRdma",))
LEAST = ("minProperties", (2,))


@pytest.mark.parametrize(
    ("selectors", "found"),
    [
        ({"vendors": ["15b3"], "isRdma": "yes"}, [(".isRdma", "const", (True,))]),
        ({**SELECTORS, "odd": 1}, [(".odd", "additionalProperties", ())]),
        ({"vendors": "15b3", "isRdma": True}, [(".vendors", "type", ("array",))]),
        ({"vendors": ["15B3"], "isRdma": True}, [(".vendors[0]", "pattern", ("^[0-9a-f]{4}$",))]),
        ({"linkTypes": ["ib"], "isRdma": True}, [(".linkTypes[0]", "enum", ("ether", "infiniband"))]),
        ([SELECTORS, {**SELECTORS, "odd": 1}], [("[1].odd", "additionalProperties", ())]),
        ([{"vendors": ["15b3"]}], [("[0]", *FEW), ("[0]", *LEAST)]),
        ([], [("", "minItems", (1,))]),
    ],
)
def test_of_alternatives_that_of_the_own_kind_is_told(selectors: Any, found: list[tuple[Any, ...]]) -> None:
    """A mapping is not told that it is no list."""
    said = refused(pool(selectors))
    assert [
        (at.removeprefix(f"{IN}.selectors"), keyword, wanted) for at, _, keyword, _, wanted in said
    ] == found


@pytest.mark.parametrize("selectors", ["x", 1])
def test_what_is_of_no_kind_fits_no_alternative(selectors: Any) -> None:
    ((at, message, keyword, value, _),) = refused(pool(selectors))
    assert (at, keyword, value) == (f"{IN}.selectors", "anyOf", selectors)
    assert message == f"{selectors!r} is not valid under any of the given schemas"


def test_a_long_value_is_cut_in_its_message() -> None:
    ((_, message, *_),) = refused(pool("x" * 500))
    assert message == f"'{'x' * 299}"


def test_of_several_alternatives_of_the_kind_the_nearest_is_told() -> None:
    """A source of an Application that holds values, not a chart: a chart would lack three keys."""
    body = {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": "a", "namespace": "argocd"},
        "spec": {
            "sources": [{"repoURL": "https://example.com/site.git", "targetRevision": "main", "ref": 1}]
        },
    }
    said = [(at, keyword) for at, _, keyword, *_ in refused(body) if at.startswith("$.spec.sources[0]")]
    assert said == [("$.spec.sources[0].ref", "const")]
