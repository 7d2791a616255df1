"""Edge cases, one fact per case: NCCL variables that an inventory states."""

from __future__ import annotations

from typing import Any

import pytest
from netaddr import IPNetwork

from netplan.checks import stated_env
from tests.factories import of_rails
from tests.unit.some import said as messages
from tests.unit.some import some


def network(**facts: Any) -> Any:
    plain = {"name": "rail", "per_rail": True, "subnet": None, "mode": "macvlan", "traffic_class": None}
    kinds = {"by_ipam": some(addresses=True), "by_mode": some(gids="pf"), "collectives": True}
    return some(**{**plain, **kinds, **facts})


def stating(name: str, value: str, **facts: Any) -> Any:
    """A workload that states one variable."""
    plain = {
        "name": "job",
        "at": ("workloads", "job"),
        "networks": [network()],
        "host_types": [],
        "hosts": [],
    }
    return some(**{**plain, "env": (("OTHER", "1"), (name, value)), "nodes": 2, **facts})


@pytest.mark.parametrize("value", ["0", "127", "00", "128", "x", "0127", "-1", ""])
def test_an_index_of_a_partition(value: str) -> None:
    found = list(stated_env.pkey_no_index(some(workloads=[stating("NCCL_IB_PKEY", value)])))
    assert bool(found) is (value not in ("0", "127", "00"))
    if found:
        assert found[0].at == ("workloads", "job", "env", "NCCL_IB_PKEY")
        assert found[0].message == f"NCCL_IB_PKEY of job is {value}, but an index is 0 to 127"


RAILS = some(
    rail_networks=((IPNetwork("10.0.0.0/22"), IPNetwork("fd00::/64")), (IPNetwork("10.0.4.0/22"),)),
    prefixes=(120, 24),
    **of_rails(IPNetwork("fd00::/32"), IPNetwork("10.0.0.0/16")),
    segment="leaf",
    gateway="first",
    count=2,
    external=False,
    at=("rails",),
)
BLUE = some(name="blue", cidr=IPNetwork("10.9.0.0/24"))


@pytest.mark.parametrize(
    ("value", "networks", "rails", "said"),
    [
        ("10.0.0.0/16", [network()], RAILS, []),
        ("10.0.0.0/22", [network()], RAILS, ["10.0.0.0/22, rail 1 is 10.0.4.0/22"]),
        ("10.0.4.0/22", [network()], RAILS, ["10.0.4.0/22, rail 0 is 10.0.0.0/22"]),
        ("fd00::/63", [network()], RAILS, []),
        ("fd00::/65", [network()], RAILS, ["fd00::/65, rail 0 is fd00::/64"]),
        ("10.0.0.0/22", [network()], None, []),
        ("10.0.0.0/22", [network(per_rail=False)], RAILS, []),
        ("10.0.0.0/22", [network(by_ipam=some(addresses=False))], RAILS, []),
        (
            "10.0.0.0/22",
            [network(subnet=BLUE, per_rail=False)],
            RAILS,
            ["10.0.0.0/22, subnet blue is 10.9.0.0/24"],
        ),
        (
            "10.0.0.0/22",
            [network(), network(subnet=BLUE, per_rail=False)],
            None,
            ["10.0.0.0/22, subnet blue is 10.9.0.0/24"],
        ),
        ("10.0.0.0/99", [network()], RAILS, ["10.0.0.0/99, which is not a range"]),
    ],
)
def test_a_range_of_addresses_has_every_rail(
    monkeypatch: Any, value: str, networks: list[Any], rails: Any, said: list[str]
) -> None:
    monkeypatch.setattr(stated_env, "collective_networks", lambda workload: workload.networks)
    wrong = stating("NCCL_IB_ADDR_RANGE", "x", networks=networks)
    fabric = some(workloads=[wrong, stating("NCCL_IB_ADDR_RANGE", value, networks=networks)], rails=rails)
    (_, *found) = messages(stated_env.range_without_rail(fabric))
    assert found == [f"NCCL_IB_ADDR_RANGE of job is {each}" for each in said]


@pytest.mark.parametrize(
    ("value", "names", "said", "hint"),
    [
        ("=mlx5_1", ["mlx5_1", "mlx5_10"], "", ""),
        ("^=mlx5_1", ["mlx5_1", "mlx5_10"], "", ""),
        ("mlx5_1", ["mlx5_1", "mlx5_10", None], "mlx5_1 also matches mlx5_10", "write =mlx5_1"),
        ("mlx5_1:1", ["mlx5_1", "mlx5_11", "mlx5_10"], "mlx5_1 also matches mlx5_10", "write =mlx5_1"),
        ("^mlx5_1", ["mlx5_1", "mlx5_10"], "mlx5_1 also matches mlx5_10", "put = after the ^"),
        ("mlx5_1,mlx5_10", ["mlx5_1", "mlx5_10"], "", ""),
        ("mlx5_2,", ["mlx5_1", "mlx5_10"], "", ""),
        ("mlx5_0,mlx5_1", ["mlx5_10"], "mlx5_1 also matches mlx5_10", "write =mlx5_0,mlx5_1"),
    ],
)
def test_a_name_of_an_hca_matches_what_begins_with_it(
    value: str, names: list[str | None], said: str, hint: str
) -> None:
    kinds = [some(hcas=[some(rdma_device=name) for name in names])]
    exact = stating("NCCL_IB_HCA", "=mlx5_1", host_types=kinds)
    stated = stating("NCCL_IB_HCA", value, host_types=kinds)
    found = list(stated_env.hca_prefix(some(workloads=[exact, stated])))
    assert [(each.message, each.hint) for each in found] == (
        [(f"NCCL_IB_HCA of job is {value}, but {said}", hint)] if said else []
    )


@pytest.mark.parametrize(
    ("value", "rails", "networks", "said"),
    [
        ("24", RAILS, [network()], []),
        ("64", RAILS, [network()], ["64, but the rails have /24"]),
        ("120", RAILS, [network()], ["120, but the rails have /24"]),
        ("64", None, [network()], []),
        ("64", RAILS, [network(per_rail=False)], []),
        ("64", RAILS, [network(per_rail=False), network()], ["64, but the rails have /24"]),
        ("64", some(prefixes=(120,), families=(6,)), [network()], []),
    ],
)
def test_a_length_of_prefixes_is_that_of_the_rails(
    value: str, rails: Any, networks: list[Any], said: list[str]
) -> None:
    workload = stating("NCCL_IB_SUBNET_PREFIX_LEN", value, networks=networks)
    found = messages(stated_env.other_prefix_length(some(workloads=[workload], rails=rails)))
    assert found == [f"NCCL_IB_SUBNET_PREFIX_LEN of job is {each}" for each in said]


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ("104", False),
        ("107", False),
        ("103", True),
        ("108", True),
        ("0104", True),
        ("x", True),
        ("255", True),
    ],
)
def test_a_byte_of_messages_has_the_dscp_of_a_class(value: str, wrong: bool) -> None:
    classes = [some(name="roce", dscp=26, priority=3), some(name="cnp", dscp=48, priority=6)]
    fabric = some(workloads=[stating("NCCL_IB_FIFO_TC", value)], qos=some(classes=classes))
    said = f"NCCL_IB_FIFO_TC of job is {value}, but the classes have 106 (roce), 194 (cnp)"
    assert messages(stated_env.fifo_without_class(fabric)) == ([said] if wrong else [])
    fabric.qos = None
    assert messages(stated_env.fifo_without_class(fabric)) == []


ROCE = some(name="roce", dscp=26, priority=3)


def of_class(
    name: str,
    value: str,
    trust: str = "pcp",
    kind: str = "roce",
    own: Any = ROCE,
    more: Any = (),
    env: Any = (),
) -> Any:
    classes = [network(traffic_class=each) for each in (own, *more)]
    workload = stating(name, value, networks=classes)
    planned = some(name="job", workload=workload, env=[some(name=name), *(some(name=each) for each in env)])
    qos = some(trust=trust) if trust else None
    return some(fabric=some(qos=qos, type=kind), workloads=[planned])


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (of_class("NCCL_IB_TC", "106"), []),
        (of_class("NCCL_IB_TC", "104"), []),
        (of_class("NCCL_IB_TC", "108"), ["108 (DSCP 27), class roce has DSCP 26"]),
        (of_class("NCCL_IB_TC", "255"), ["255 (DSCP 63), class roce has DSCP 26"]),
        (of_class("NCCL_IB_TC", "256"), ["256, class roce has DSCP 26"]),
        (of_class("NCCL_IB_TC", "0106"), ["0106, class roce has DSCP 26"]),
        (of_class("NCCL_IB_TC", "x"), ["x, class roce has DSCP 26"]),
        (of_class("NCCL_IB_SL", "3"), []),
        (of_class("NCCL_IB_SL", "4"), ["4, class roce has priority 3"]),
        (of_class("UCX_IB_SL", "4"), ["4, class roce has priority 3"]),
        (of_class("UCX_IB_TRAFFIC_CLASS", "0"), ["0 (DSCP 0), class roce has DSCP 26"]),
        (of_class("NCCL_IB_SL", "4", trust="dscp"), []),
        (of_class("NCCL_IB_TC", "0", trust=""), []),
        (of_class("NCCL_IB_TC", "0", kind="infiniband"), []),
        (of_class("NCCL_IB_TC", "0", own=None), []),
        (of_class("NCCL_IB_TC", "0", more=[None]), ["0 (DSCP 0), class roce has DSCP 26"]),
        (of_class("NCCL_IB_TC", "0", more=[some(name="other", dscp=0, priority=0)]), []),
        (of_class("NCCL_IB_TC", "0", env=["NCCL_IB_TC"]), []),
    ],
)
def test_a_traffic_class_is_that_of_the_network(monkeypatch: Any, plan: Any, said: list[str]) -> None:
    monkeypatch.setattr(stated_env, "collective_networks", lambda workload: workload.networks)
    (name, _) = plan.workloads[0].workload.env[1]
    found = list(stated_env.other_traffic_class(plan))
    assert messages(found) == [f"{name} of job is {each}" for each in said]
    assert {each.hint for each in found} <= {
        "state 106, or change dscp of the class",
        "state 3, or change priority of the class",
    }


@pytest.mark.parametrize(
    ("stated", "known", "reads", "keys"),
    [
        ({}, (), True, []),
        (
            {"fifo_class": 1, "qps_per_connection": 2, "split_data_on_qps": 1},
            (),
            False,
            ["fifo_class", "qps_per_connection", "split_data_on_qps"],
        ),
        ({"split_data_on_qps": 0}, (), False, ["split_data_on_qps"]),
        ({}, (), False, []),
        ({"fifo_class": 1}, (), True, ["fifo_class"]),
        ({"fifo_class": 1}, ("NCCL_IB_FIFO_TC",), True, []),
        ({"qps_per_connection": 1}, (), True, ["qps_per_connection"]),
        ({"qps_per_connection": 1}, ("NCCL_IB_QPS_PER_CONNECTION",), True, []),
        ({"split_data_on_qps": 0}, (), True, ["split_data_on_qps"]),
        (
            {"split_data_on_qps": 1, "qps_per_connection": 1},
            ("NCCL_IB_QPS_PER_CONNECTION",),
            True,
            ["split_data_on_qps"],
        ),
        ({"split_data_on_qps": 1, "qps_per_connection": 2}, ("NCCL_IB_QPS_PER_CONNECTION",), True, []),
    ],
)
def test_keys_without_effect(stated: dict[str, Any], known: Any, reads: bool, keys: list[str]) -> None:
    nccl = some(**{"fifo_class": None, "qps_per_connection": None, "split_data_on_qps": None, **stated})
    workload = some(nccl=nccl, reads_nccl=reads, library="RCCL", at=("workloads", "job"))
    planned = some(name="job", workload=workload, env=[some(name=name) for name in known])
    assert [each.at[-1] for each in stated_env.nccl_key_unused(some(workloads=[planned]))] == keys
