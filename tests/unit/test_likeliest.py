"""Which of several similar names was probably meant."""

from __future__ import annotations

import pytest

from netplan.rules.kubernetes.alike import likeliest

VFS = [f"vcmts_nw_vf_{side}_{number}" for side in ("ds", "us") for number in range(2)]


@pytest.mark.parametrize(
    ("name", "there", "meant"),
    [
        ("vcmts_nw_vf_socket_0_us", VFS, ["vcmts_nw_vf_us_0"]),
        ("vcmts_nw_vf_socket_1_ds", VFS, ["vcmts_nw_vf_ds_1"]),
        ("net", ["net-0", "net-1", "other"], ["net-0", "net-1"]),
        ("storage-net", ["storage-nets", "net-storage"], ["storage-nets"]),
        ("rail0", ["storage", "management"], []),
    ],
)
def test_the_most_likely_names(name: str, there: list[str], meant: list[str]) -> None:
    assert likeliest(name, there, 0.7) == meant
