"""Fields of running objects that hold without being stated."""

from __future__ import annotations

import json
from typing import Any

import pytest

from netplan.changes.object_fields import unlike_fields


def plugin(**entry: str) -> dict[str, Any]:
    """A NicClusterPolicy with a resource of the RDMA-shared device plugin."""
    config = {"configList": [{"resourceName": "shared", "rdmaHcaMax": 63, **entry}]}
    return {"spec": {"rdmaSharedDevicePlugin": {"config": json.dumps(config)}}}


@pytest.mark.parametrize(("prefix", "differs"), [("rdma", 0), ("x", 1)])
def test_the_default_prefix_of_shared_devices_is_no_difference(prefix: str, differs: int) -> None:
    """Mellanox/k8s-rdma-shared-dev-plugin README.md: ``rdma`` unless stated."""
    assert len([*unlike_fields(plugin(), plugin(resourcePrefix=prefix))]) == differs


def test_a_label_more_of_a_selector_is_a_difference() -> None:
    """It selects fewer nodes; other maps may have fields of others."""
    planned = {"spec": {"nodeSelector": {"matchLabels": {"a": "1"}}, "other": {"a": "1"}}}
    running = {"spec": {"nodeSelector": {"matchLabels": {"a": "1", "b": "2"}}, "other": {"a": "1", "b": "2"}}}
    assert [*unlike_fields(planned, running)] == [(("spec", "nodeSelector", "matchLabels", "b"), None, "2")]
