"""What rules about config_db files count: each thing once, whatever the rows overlap."""

from __future__ import annotations

from netplan.config_db import judge_texts
from tests.sonic_corpus import merged, small, texts

OTHER_SKU = {
    "BUFFER_POOL": {
        name: {"size": "735231"}
        for name in (
            "egress_lossless_pool",
            "egress_lossy_pool",
            "ingress_lossless_pool",
            "ingress_lossy_pool",
        )
    },
    "DEVICE_METADATA": {"localhost": {"hwsku": "My-SKU"}},
}
"""14 lossless priority groups reserve 735,232 bytes: one byte more than there are."""


def test_a_priority_group_of_two_rows_reserves_its_headroom_once():
    """Two rows for group 5 are a mistake of their own (NP858); the port has one group 5 all the same."""
    lossless = {"profile": "pg_lossless_100000_5m_profile"}
    patch = {**OTHER_SKU, "BUFFER_PG": {"Ethernet0|5": lossless, "Ethernet0|5-6": lossless}}
    leaf = merged(small()["leaf-1.json"], patch)
    found = {d.code: d.message for d in judge_texts(texts({"leaf-1.json": leaf})).diagnostics}
    assert "NP858" in found
    assert found["NP886"].startswith("16 lossless priority groups reserve 835,584 bytes of headroom")
