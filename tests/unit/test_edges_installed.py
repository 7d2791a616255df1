"""Edge cases, one fact per case: what several files say of one thing that trace looks for."""

from __future__ import annotations

from netplan.trace.installed import switched_off
from tests.unit.test_edges_compared import HERE
from tests.unit.test_edges_gather import things


def test_of_several_charts_the_one_that_leaves_the_operator_out_is_told() -> None:
    on, off = (f"sriovNetworkOperator: {{enabled: {word}}}" for word in ("true", "false"))
    for first, last in ((on, off), (off, on)):
        files = {"a/network-operator/values.yaml": first, "b/network-operator/values.yaml": last}
        found = [fault.text for fault in switched_off(things({"a.yaml": HERE, **files}))]
        where = "ab"[first == on] + "/network-operator/values.yaml:1"
        assert [text.partition(": ")[0] for text in found] == [
            f"sriovNetworkOperator.enabled is not true ({where})"
        ]
