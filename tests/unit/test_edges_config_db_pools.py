"""Edge cases, one fact per case: buffers of queues, and pools, in a leaf whose config_db changes a little."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.test_edges_config_db import PORTS, every, said_of

POOL = "ingress_lossless_pool"
LOSSY = {"profile": "q_lossy_profile"}
NO_PFC = {"PORT_QOS_MAP": every(pfc_enable=None)}


def buffered(key: str, profile: str | None) -> dict[str, Any]:
    return {"BUFFER_QUEUE": {key: None if profile is None else {"profile": profile}}}


def pool(**fields: str | None) -> dict[str, Any]:
    return {"BUFFER_POOL": {POOL: fields}}


def sku(**pools: str | None) -> dict[str, Any]:
    """A switch without data in netplan, with pools of these sizes."""
    names = ("egress_lossless", "egress_lossy", "ingress_lossless", "ingress_lossy")
    sizes = {f"{name}_pool": {"size": pools.get(name)} for name in names}
    return {"DEVICE_METADATA": {"localhost": {"hwsku": "My-SKU"}}, "BUFFER_POOL": sizes}


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP857", {}, []),
        (
            "NP857",
            buffered("Ethernet0|3-4", None),
            [
                (
                    "PORT_QOS_MAP.Ethernet0.pfc_enable: PFC pauses queues 3, 4 of Ethernet0, but "
                    "BUFFER_QUEUE has no row for it"
                )
            ],
        ),
        (
            "NP857",
            buffered("Ethernet0|3-4", "q_lossy_profile"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4.profile: PFC pauses queues 3, 4 of Ethernet0, but its "
                    "BUFFER_QUEUE profile q_lossy_profile is lossy"
                )
            ],
        ),
        (
            "NP857",
            buffered("Ethernet0|3-4", "egress_zero_profile"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4.profile: PFC pauses queues 3, 4 of Ethernet0, but its "
                    "BUFFER_QUEUE profile egress_zero_profile gives it no buffer"
                )
            ],
        ),
        ("NP857", buffered("Ethernet0|3-4", "[BUFFER_PROFILE|egress_lossless_profile]"), []),
        ("NP857", buffered("Ethernet0|3", "q_lossy_profile"), []),
        (
            "NP857",
            {"BUFFER_PROFILE": every("egress_lossless_profile", pool="egress_lossy_pool")},
            [
                (
                    "BUFFER_PROFILE.egress_lossless_profile.pool: PFC pauses queues 3, 4 of Ethernet0, "
                    "Ethernet4, Ethernet8 and 4 more, but pool egress_lossy_pool of its BUFFER_QUEUE "
                    "profile egress_lossless_profile is lossy"
                )
            ],
        ),
        (
            "NP857",
            {
                "BUFFER_QUEUE": {
                    "Ethernet0|3-4": None,
                    "Ethernet0|3": {"profile": "q_LOSSY"},
                    "Ethernet4|3-4": None,
                }
            },
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3.profile: PFC pauses queue 3 of Ethernet0, but its "
                    "BUFFER_QUEUE profile q_LOSSY is lossy"
                ),
                (
                    "PORT_QOS_MAP.Ethernet0.pfc_enable: PFC pauses queue 4 of Ethernet0, but "
                    "BUFFER_QUEUE has no row for it"
                ),
                (
                    "PORT_QOS_MAP.Ethernet4.pfc_enable: PFC pauses queues 3, 4 of Ethernet4, but "
                    "BUFFER_QUEUE has no row for it"
                ),
            ],
        ),
    ],
)
def test_the_queue_that_pfc_pauses_has_a_lossless_buffer(
    code: str, change: dict[str, Any], said: list[str]
) -> None:
    """A queue in two rows is another finding."""
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP858", {}, []),
        (
            "NP858",
            buffered("Ethernet0|4", "q_lossy_profile"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4: BUFFER_QUEUE row 3-4 of Ethernet0 overlaps with 4 at "
                    "leaf-1.json"
                )
            ],
        ),
        (
            "NP858",
            buffered("Ethernet0|2-3", "q_lossy_profile"),
            [
                (
                    "BUFFER_QUEUE.Ethernet0|0-2: BUFFER_QUEUE row 0-2 of Ethernet0 overlaps with 2-3 at "
                    "leaf-1.json"
                ),
                (
                    "BUFFER_QUEUE.Ethernet0|2-3: BUFFER_QUEUE row 2-3 of Ethernet0 overlaps with 3-4 at "
                    "leaf-1.json"
                ),
            ],
        ),
        (
            "NP858",
            {"BUFFER_QUEUE": {f"{port}|4": LOSSY for port in PORTS}},
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4: BUFFER_QUEUE row 3-4 of Ethernet0, Ethernet4, Ethernet8 "
                    "and 4 more overlaps with 4 at leaf-1.json"
                )
            ],
        ),
        (
            "NP858",
            {"BUFFER_QUEUE": {"Ethernet0,Ethernet4|4": LOSSY}},
            [
                (
                    "BUFFER_QUEUE.Ethernet0|3-4: BUFFER_QUEUE row 3-4 of Ethernet0, Ethernet4 overlaps "
                    "with 4 at leaf-1.json"
                )
            ],
        ),
        (
            "NP858",
            {
                "BUFFER_PG": {
                    "Ethernet0|3": {"profile": "ingress_lossy_profile"},
                    "Ethernet0|4": {"profile": "ingress_lossy_profile"},
                }
            },
            ["BUFFER_PG.Ethernet0|3-4: BUFFER_PG row 3-4 of Ethernet0 overlaps with 3, 4 at leaf-1.json"],
        ),
        (
            "NP858",
            {"QUEUE": {"Ethernet0|0-1": {"scheduler": "scheduler.0"}}},
            ["QUEUE.Ethernet0|0-1: QUEUE row 0-1 of Ethernet0 overlaps with 0, 1 at leaf-1.json"],
        ),
    ],
)
def test_each_number_of_a_port_is_in_one_row(code: str, change: dict[str, Any], said: list[str]) -> None:
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP859", {}, []),
        ("NP859", pool(xoff="38912"), []),
        (
            "NP859",
            pool(xoff="38911"),
            [
                (
                    "BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff: xoff of BUFFER_PROFILE "
                    "pg_lossless_100000_40m_profile of Ethernet20, Ethernet24 is 38,912, more than the "
                    "38,911 that pool ingress_lossless_pool shares among all groups (at leaf-1.json)"
                )
            ],
        ),
        (
            "NP859",
            pool(xoff="30719"),
            [
                (
                    "BUFFER_PROFILE.pg_lossless_100000_5m_profile.xoff: xoff of BUFFER_PROFILE "
                    "pg_lossless_100000_5m_profile of Ethernet0, Ethernet4, Ethernet8 and 2 more is "
                    "30,720, more than the 30,719 that pool ingress_lossless_pool shares among all "
                    "groups (at leaf-1.json)"
                ),
                (
                    "BUFFER_PROFILE.pg_lossless_100000_40m_profile.xoff: xoff of BUFFER_PROFILE "
                    "pg_lossless_100000_40m_profile of Ethernet20, Ethernet24 is 38,912, more than the "
                    "30,719 that pool ingress_lossless_pool shares among all groups (at leaf-1.json)"
                ),
            ],
        ),
        ("NP859", pool(xoff="0"), []),
    ],
)
def test_a_group_needs_no_more_headroom_than_all_share(
    code: str, change: dict[str, Any], said: list[str]
) -> None:
    assert said_of(code, change) == said


@pytest.mark.parametrize(
    ("code", "change", "said"),
    [
        ("NP886", pool(size="13210592"), []),
        (
            "NP886",
            pool(size="13210593"),
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, ACS-MSN2700 has 735,231 beside ingress_lossless_pool of "
                    "13,210,593"
                )
            ],
        ),
        (
            "NP886",
            pool(size="17000000"),
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, ACS-MSN2700 has 0 beside ingress_lossless_pool of 17,000,000"
                )
            ],
        ),
        ("NP886", pool(size=None), []),
        (
            "NP886",
            pool(size="13210593") | NO_PFC,
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, ACS-MSN2700 has 735,231 beside ingress_lossless_pool of "
                    "13,210,593"
                )
            ],
        ),
        (
            "NP886",
            pool(size="13210593") | {"BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}}},
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, ACS-MSN2700 has 735,231 beside ingress_lossless_pool of "
                    "13,210,593"
                )
            ],
        ),
        ("NP886", pool(size="13210593") | {"BUFFER_PG": {"Ethernet0|3-4": {"profile": "gone"}}}, []),
        (
            "NP886",
            pool(size="13210593") | {"BUFFER_PG": {"Ethernet0|3-4": None}},
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, ACS-MSN2700 has 735,231 beside ingress_lossless_pool of "
                    "13,210,593"
                )
            ],
        ),
        (
            "NP886",
            pool(size="13210592")
            | {"BUFFER_PG": {"Ethernet28|5": {"profile": "pg_lossless_100000_5m_profile"}}},
            [
                (
                    "BUFFER_POOL.ingress_lossless_pool.size: 15 lossless priority groups reserve 785,408 "
                    "bytes of headroom, ACS-MSN2700 has 735,232 beside ingress_lossless_pool of "
                    "13,210,592"
                )
            ],
        ),
        (
            "NP886",
            {
                "BUFFER_POOL": {"other": {"size": "13210593", "type": "ingress", "mode": "dynamic"}},
                "BUFFER_PROFILE": every("pg_lossless_100000_5m_profile", pool="other"),
            },
            [
                (
                    "BUFFER_POOL.other.size: 14 lossless priority groups reserve 735,232 bytes of "
                    "headroom, ACS-MSN2700 has 735,231 beside other of 13,210,593"
                )
            ],
        ),
        ("NP886", {"BUFFER_POOL": {"other": {"size": "13210593", "type": "ingress", "mode": "dynamic"}}}, []),
        ("NP886", sku(ingress_lossy="735232", egress_lossless="9"), []),
        (
            "NP886",
            sku(ingress_lossy="735231", egress_lossless="9"),
            [
                (
                    "BUFFER_POOL.ingress_lossy_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, the largest pool, ingress_lossy_pool, has 735,231"
                )
            ],
        ),
        (
            "NP886",
            sku(ingress_lossy="9", egress_lossless="735231"),
            [
                (
                    "BUFFER_POOL.egress_lossless_pool.size: 14 lossless priority groups reserve 735,232 "
                    "bytes of headroom, the largest pool, egress_lossless_pool, has 735,231"
                )
            ],
        ),
        ("NP886", sku(), []),
    ],
)
def test_the_buffer_holds_the_headroom_of_all_groups_beside_the_pool(
    code: str, change: dict[str, Any], said: list[str]
) -> None:
    """Of a SKU without data, that of the largest pool."""
    assert said_of(code, change) == said
