"""Limits, one fact per case: the last value that passes and the first that does not. The numbers are repeated
here, from the source that the docstring of the rule names, or from what the manual says."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.checks.dra import claim_unwritable, kubernetes_too_old
from netplan.checks.identity import node_name
from netplan.checks.interfaces import ipoib_mtu
from netplan.checks.pod_devices import too_many_hcas
from netplan.checks.pod_network import sparse_gids
from netplan.checks.pool_blocks import passes_over
from netplan.checks.ports import no_such_port
from netplan.checks.stated_env import pkey_no_index
from netplan.graph.config_db.hardware import cable_of
from netplan.graph.config_db.links import DbTopology
from netplan.graph.kubernetes.cluster import whole_number
from netplan.graph.qos import Proof
from netplan.load import InputError
from netplan.model.modes import MODES
from netplan.plan.gitops import _prefix as prefix
from netplan.plan.neighbours import gc_thresholds
from netplan.plan.pod_env import _timeout as timeout
from netplan.reading.config_db import read
from netplan.reading.kubernetes.kubeyaml import plain_value
from netplan.reading.printed import printed
from netplan.rules.config_db.interfaces import _clashes as clashes
from netplan.rules.config_db.rows import _of_old as of_old
from netplan.rules.kubernetes.lacks import lack_of
from netplan.trace.back_ends import _free_table as free_table
from netplan.trace.chains.findings import _first as first
from netplan.trace.chains.model import Doubt
from netplan.trace.ends import _known as known
from netplan.trace.matrix import _partners as partners
from netplan.verify.routes import _out_of_range as out_of_range
from tests.unit.some import owned_by, some
from tests.unit.test_edges_lacks import asking, need
from tests.unit.test_edges_readers import switches, whole
from tests.unit.test_edges_rules import found, thing, vf_policy

AT = ("x",)


@pytest.mark.parametrize(("requests", "told"), [(32, 0), (33, 1)])
def test_a_claim_has_32_requests(requests: int, told: int) -> None:
    every = [some(ambiguous=(), name="r")] * requests
    workload = some(name="w", claim=some(requests=every), workload=some(at=AT))
    assert len(list(claim_unwritable(some(workloads=[workload])))) == told


@pytest.mark.parametrize(
    ("version", "told"), [(None, 1), ((1, 33), 1), ((1, 34), 0), ((1, 35), 0), ((2, 0), 0)]
)
def test_claims_need_kubernetes_1_34(version: tuple[int, int] | None, told: int) -> None:
    cluster = some(owners=owned_by(device_plugin="dranet"), kubernetes_version=version, at=AT)
    assert len(list(kubernetes_too_old(some(cluster=cluster)))) == told


@pytest.mark.parametrize(("length", "told"), [(63, 0), (64, 1)])
def test_a_node_has_a_name_of_63_characters(length: int, told: int) -> None:
    host = some(type=some(node=True), named=True, name="a" * length, at=AT)
    assert len(list(node_name(some(hosts=[host])))) == told


@pytest.mark.parametrize(("mtu", "told"), [(4092, 0), (4093, 1)])
def test_an_mtu_fits_into_ipoib(mtu: int, told: int) -> None:
    networks = [some(by_mode=MODES["ipoib"], name="a"), some(by_mode=MODES["macvlan"], name="b")]
    assert len(list(ipoib_mtu(some(networks=networks, mtu=mtu)))) == told


@pytest.mark.parametrize(
    ("kind", "hcas", "told"),
    [("roce", [32], 0), ("roce", [16, 17], 1), ("infiniband", [33], 1), ("efa", [33], 0)],
)
def test_nccl_uses_32_devices(kind: str, hcas: list[int], told: int) -> None:
    workload = some(devices=[some(hcas=n) for n in hcas], workload=some(name="w", at=AT))
    assert len(list(too_many_hcas(some(fabric=some(type=kind), workloads=[workload])))) == told


@pytest.mark.parametrize(
    ("gids", "version", "told"),
    [
        ("pf", (2, 26, 1), 1),
        ("pf", (2, 26, 2), 0),
        ("pf", (2, 25, 9), 1),
        ("pf", (2, 27), 0),
        ("pf", None, 0),
        ("vf", (2, 26, 1), 0),
    ],
)
def test_nccl_passes_over_holes_of_the_gid_table(gids: str, version: Any, told: int) -> None:
    network = some(per_rail=True, membership=None, by_mode=some(gids=gids), mode="macvlan", name="n")
    workload = some(name="w", networks=(network,), nccl_version=version, at=AT)
    assert len(list(sparse_gids(some(workloads=[workload])))) == told


@pytest.mark.parametrize(
    ("release", "skips"), [((26, 1), True), ((25, 10), False), ((26, 0), False), ((26, 4), True)]
)
def test_nv_ipam_passes_over_excluded_blocks(release: tuple[int, int], skips: bool) -> None:
    def plan(operator: Any) -> Any:
        return some(fabric=some(cluster=some(network_operator=operator)))

    assert passes_over(plan(some(release=release))) is skips
    assert passes_over(plan(None)) is False


@pytest.mark.parametrize(
    ("value", "told"), [("0", 0), ("127", 0), ("128", 1), ("0127", 1), ("0x1", 1), ("-1", 1)]
)
def test_a_p_key_index_is_below_128(value: str, told: int) -> None:
    workload = some(name="w", env=(("NCCL_IB_PKEY", value),), at=AT)
    assert len(list(pkey_no_index(some(workloads=[workload])))) == told


@pytest.mark.parametrize(
    ("position", "parts", "speeds", "told"),
    [
        (32, 1, (400,), 0),
        (33, 1, (400,), 1),
        (33, 1, (25,), 0),
        (33, 1, (10, 25), 0),
        (33, 1, (26,), 1),
        (33, 1, (), 0),
        (33, 2, (25,), 1),
    ],
)
def test_ports_beyond_those_of_the_model(
    position: int, parts: int, speeds: tuple[int, ...], told: int
) -> None:
    """Whole ports of up to 25 Gb/s are left out."""
    box = some(position=position, parts=parts, speeds=speeds, name="p", last="p")
    switch = some(
        name="leaf", type=some(model=some(ports=32, name="m")), physical=[box], ports=[some(name="p", at=AT)]
    )
    assert len(list(no_such_port(some(switches=[switch])))) == told


@pytest.mark.parametrize(("length", "short"), [(30, False), (31, True), (200, True)])
def test_the_name_of_a_site_is_cut_to_30_characters(length: int, short: bool) -> None:
    name = "a" * length
    assert (prefix(name) != name) is short
    assert len(prefix(name)) == 30
    assert prefix(name + "b") != prefix(name + "c")
    assert prefix("a" * 22 + "-" + "b" * 20)[:23] == "a" * 22 + "-"
    assert prefix("a" * 20 + "---" + "b" * 20).startswith("a" * 20 + "-")
    assert "--" not in prefix("a" * 20 + "---" + "b" * 20)


@pytest.mark.parametrize(
    ("version", "value"), [(None, None), ((2, 13), "20"), ((2, 14), None), ((2, 13, 4), "20"), ((3, 0), None)]
)
def test_nccl_waits_from_2_14_on(version: Any, value: str | None) -> None:
    found = timeout(some(workload=some(nccl_version=version)))
    assert getattr(found, "value", None) == value


@pytest.mark.parametrize(
    ("entries", "limits"), [(0, (0, 0, 0)), (1, (1, 2, 2)), (2, (2, 3, 4)), (1000, (1000, 1500, 2000))]
)
def test_the_hard_limit_of_neighbours_is_twice_what_is_expected(
    entries: int, limits: tuple[int, int, int]
) -> None:
    assert gc_thresholds(entries) == limits


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("18446744073709551615", 18446744073709551615),
        ("-9223372036854775808", -(2**63)),
        ("100000000000000000000", 1e20),
    ],
)
def test_a_number_of_more_than_20_digits_is_a_float(text: str, value: float) -> None:
    """As go-yaml has it for what does not fit into 64 bits."""
    assert plain_value(text) == value
    assert type(plain_value(text)) is type(value)


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("9" * 18, 10**18 - 1), ("9" * 19, 10**18 - 1), ("-1", 0), ("", 0)]
)
def test_a_very_long_number_just_counts_as_large(text: str, number: int) -> None:
    assert whole_number(text) == number


class _Large(bytes):
    size = 0

    def __len__(self) -> int:
        return self.size


@pytest.mark.parametrize(
    ("sizes", "limit"),
    [
        ([64 << 20], None),
        ([(64 << 20) + 1], 64),
        ([64 << 20] * 16, None),
        ([64 << 20] * 16 + [1], 1024),
        ([64 << 20] * 16 + [(64 << 20) + 1], 64),
    ],
)
def test_bytes_of_config_db_files(
    monkeypatch: pytest.MonkeyPatch, sizes: list[int], limit: int | None
) -> None:
    def given(name: str) -> bytes:
        raw = _Large(b"{}")
        raw.size = sizes[int(name)]
        return raw

    monkeypatch.setattr(read, "_bytes", given)
    monkeypatch.setattr(read, "_names", lambda name: [name])
    names = [str(n) for n in range(len(sizes))]
    if limit is None:
        assert list(read.texts_of(names)) == names
    else:
        with pytest.raises(InputError, match=f"^{len(sizes) - 1}: more than {limit} MiB"):
            read.texts_of(names)


@pytest.mark.parametrize(("above", "named"), [(7, True), (8, False)])
def test_a_prompt_stands_in_the_first_eight_lines(above: int, named: bool) -> None:
    text = "\n" * above + "admin@leaf-1> show configuration\nset system\n"
    assert (printed(text).name == "leaf-1") is named


@pytest.mark.parametrize(
    ("prefixes", "links"),
    [
        (("10.0.0.0/31", "10.0.0.1/31"), 1),
        (("10.0.0.1/30", "10.0.0.2/30"), 1),
        (("10.0.0.1/29", "10.0.0.2/29"), 0),
        (("10.0.0.1/32", "10.0.0.1/32"), 0),
        (("fd00::/127", "fd00::1/127"), 1),
        (("fd00::1/126", "fd00::2/126"), 1),
        (("fd00::1/125", "fd00::2/125"), 0),
        (("10.0.0.0/31", "10.0.0.3/31"), 0),
    ],
)
def test_two_ports_of_a_point_to_point_subnet_are_a_link(prefixes: tuple[str, str], links: int) -> None:
    one, other = (
        whole(name, INTERFACE={"Ethernet0": {}, f"Ethernet0|{prefix}": {}})
        for name, prefix in zip(("a", "b"), prefixes, strict=True)
    )
    every = switches(a=one, b=other)
    assert len(DbTopology(list(every.values()), every["a"].sources).links) == links


@pytest.mark.parametrize(("mtu", "used"), [({}, 9100), ({"mtu": "1500"}, 1500)])
def test_a_port_without_an_mtu_has_9100(mtu: dict[str, str], used: int) -> None:
    """sonic-net/sonic-swss cfgmgr/portmgr.h."""
    port = {"speed": "400000", "lanes": "1,2,3,4", **mtu}
    given = whole("leaf") | {"PORT": {"Ethernet0": port}, "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}}
    (leaf,) = switches(leaf=given).values()
    cable = cable_of(leaf, "Ethernet0")
    assert cable is not None
    assert (cable.mtu, cable.lanes) == (used, 4)


def ports(**lanes: list[int]) -> Any:
    rows = {name: {"lanes": ",".join(map(str, own))} for name, own in lanes.items()}
    (leaf,) = switches(leaf=whole("leaf") | {"PORT": rows}).values()
    return leaf


@pytest.mark.parametrize(("lane", "clash"), [(1, True), (64, True), (65, False)])
def test_the_first_64_lanes_of_a_port_are_compared(lane: int, clash: bool) -> None:
    leaf = ports(Ethernet0=list(range(1, 70)), Ethernet4=[lane])
    assert clashes(leaf) == (
        {"Ethernet0": {"Ethernet4": [str(lane)]}, "Ethernet4": {"Ethernet0": [str(lane)]}} if clash else {}
    )


@pytest.mark.parametrize(("number", "compared"), [(64, 64), (65, 64)])
def test_the_first_64_ports_of_a_lane_are_compared(number: int, compared: int) -> None:
    assert len(clashes(ports(**{f"Ethernet{n}": [1] for n in range(number)}))) == compared


@pytest.mark.parametrize(
    ("more", "old"),
    [
        ({}, True),
        ({"FEATURE": {}}, False),
        ({"INTERFACE": {"Ethernet0|10.0.0.1/31": {}}}, True),
        ({"INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.1/31": {}}}, False),
        ({"LOOPBACK_INTERFACE": {"Loopback0": {}}}, False),
    ],
)
def test_rows_without_an_address_came_with_version_1_0_2(more: dict[str, Any], old: bool) -> None:
    """scripts/db_migrator.py of sonic-utilities 691b1bb, migrate_interface_table."""
    (leaf,) = switches(leaf=whole("leaf") | more).values()
    assert of_old(leaf) is old


@pytest.mark.parametrize(
    ("own", "key", "mine"),
    [
        ({}, "leaf|asic0|Ethernet0|3", True),
        ({}, "other|asic0|Ethernet0|3", False),
        ({"asic_name": "asic0"}, "leaf|asic0|Ethernet0|3", True),
        ({"asic_name": "Asic0"}, "leaf|aSIC0|Ethernet0|3", True),
        ({"asic_name": "asic1"}, "leaf|asic0|Ethernet0|3", False),
    ],
)
def test_a_queue_of_a_chassis_is_of_its_card_and_asic(own: dict[str, str], key: str, mine: bool) -> None:
    local = {"hostname": "leaf", "hwsku": "x", **own}
    (leaf,) = switches(leaf=whole("leaf") | {"DEVICE_METADATA": {"localhost": local}}).values()
    assert leaf.is_mine(key) is mine


@pytest.mark.parametrize(("used", "table"), [([], 100), ([100, 101], 102), ([101], 100), ([99], 100)])
def test_sbr_takes_the_first_table_from_100_on(used: list[int], table: int) -> None:
    space: Any = some(rules=[some(table=each) for each in used])
    assert free_table(space) == table


@pytest.mark.parametrize(
    ("number", "last", "length"), [(40, "t39", 40), (41, "and 1 findings more: netplan", 41)]
)
def test_forty_findings_of_a_step_are_listed(number: int, last: str, length: int) -> None:
    doubts = [Doubt(proof=Proof.OPEN, text=f"t{n}") for n in range(number)]
    listed = first(doubts)
    assert len(listed) == length
    assert listed[-1].text.startswith(last)
    refuted = Doubt(proof=Proof.REFUTED, text="refuted")
    assert first([*doubts, refuted, refuted])[0] == refuted
    assert len(first([*doubts[:1], *doubts[:1]])) == 1


@pytest.mark.parametrize(
    ("number", "end"), [(0, "there is none"), (12, "n10, n11"), (13, "n10, n11 and 1 more")]
)
def test_twelve_names_are_listed(number: int, end: str) -> None:
    assert known("x", [f"n{n}" for n in range(number)]).endswith(end)
    assert known("n", []) == "there is none"
    assert known("node-1", ["node-2", "x"]) == "did you mean node-2? there are node-2, x"


@pytest.mark.parametrize(
    ("index", "count", "others"),
    [
        (0, 1, []),
        (1, 3, [0, 2]),
        (0, 12, list(range(1, 12))),
        (0, 13, [1, 6]),
        (12, 13, [0, 5]),
        (7, 14, [8, 0]),
    ],
)
def test_each_of_more_than_12_classes_has_two_partners(index: int, count: int, others: list[int]) -> None:
    assert partners(index, count) == others


@pytest.mark.parametrize(
    ("table", "back_end", "priority", "number"),
    [
        (700, "sbr", 700, 0),
        (1023, "x", None, 1),
        (1023, "sbr", None, 0),
        (1024, "sbr", None, 1),
        (0, "x", None, 1),
        (1, "x", None, 0),
        (251, "x", None, 0),
        (252, "x", None, 1),
        (255, "x", None, 1),
        (256, "x", None, 0),
        (99, "x", None, 0),
        (100, "x", None, 1),
        (100, "sbr", None, 0),
        (199, "x", None, 1),
        (200, "x", None, 0),
        (499, "x", None, 0),
        (500, "x", None, 1),
        (501, "x", None, 0),
        (999, "x", None, 0),
        (700, "x", 0, 1),
        (700, "x", 1, 0),
        (700, "x", 32765, 0),
        (700, "x", 32766, 1),
    ],
)
def test_tables_and_priorities_that_pods_may_use(
    table: int, back_end: str, priority: int | None, number: int
) -> None:
    """Of others: sbr from 100, Spiderpool 500, DRANET from 1000; of the kernel: 0, 252 to 255, rule 32766."""
    entry = {"table": table, "back_end": back_end, "rule": {} if priority is None else {"priority": priority}}
    assert len(list(out_of_range(entry))) == number


@pytest.mark.parametrize(
    ("networks", "end"),
    [
        (8, "apps/r6, apps/r7 missing"),
        (9, "apps/r6, apps/r7 and 1 more missing"),
    ],
)
def test_eight_missing_networks_are_listed(networks: int, end: str) -> None:
    wanted = tuple(("apps", f"r{n}") for n in range(networks))
    (part,) = lack_of(*asking(), need(networks=wanted)).parts
    assert part.startswith(f"0 of {networks} networks attached, apps/r0")
    assert part.endswith(end)


@pytest.mark.parametrize(
    ("vendor", "vfs", "said"),
    [
        ("15b3", 1, None),
        ("15b3", 128, None),
        ("15b3", 129, "numVfs is 129"),
        ("15B3", 129, "numVfs is 129"),
        ("8086", 129, None),
        ("8086", 0, "numVfs is 0"),
    ],
)
def test_vfs_of_an_nvidia_nic(vendor: str, vfs: int, said: str | None) -> None:
    """sriov-network-operator pkg/webhook/validate.go."""
    texts = found("NP785", vf_policy(numVfs=vfs, nicSelector={"vendor": vendor, "pfNames": ["ens1"]}))
    assert [str(said) in text for text in texts] == ([True] if said else [])


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["NCCL_A", "NCCL_B", "NCCL_C"], "NCCL_A, NCCL_B, NCCL_C,"),
        (["NCCL_A", "NCCL_B", "NCCL_C", "UCX_D"], "NCCL_A, NCCL_B, NCCL_C and 1 more,"),
        (["NCCL_A", "HOME", "FI_X"], "NCCL_A, FI_X,"),
        (["HOME"], None),
    ],
)
def test_three_variables_that_mpirun_keeps_are_listed(names: list[str], shown: str | None) -> None:
    def role(**more: Any) -> dict[str, Any]:
        container = {"name": "a", "image": "b", **more}
        return {"replicas": 1, "template": {"spec": {"containers": [container]}}}

    env = [{"name": name, "value": "1"} for name in names]
    roles = {"Launcher": role(command=["mpirun", "-np", "2"]), "Worker": role(env=env)}
    texts = found("NP426", thing("kubeflow.org/v2beta1", "MPIJob", "j", mpiReplicaSpecs=roles))
    assert [f"mpirun does not pass on {shown} which Worker sets" in text for text in texts] == [True] * bool(
        shown
    )
