"""Edge cases, one fact per case: config_db files and Kubernetes objects, by direct calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from netplan.config_db import judge_texts
from netplan.graph.config_db.chains import numbers
from netplan.graph.kubernetes.supplies import supplies_of
from netplan.load import InputError
from netplan.model.artifact import Artifact
from netplan.model.document import Places, SourceMap
from netplan.others import rendered_texts
from netplan.reading.config_db.read import switches_of, texts_of
from netplan.reading.kubernetes.files import read_directory
from netplan.rules.kubernetes.pool_numbers import cidr_pool_problems
from netplan.verify.read import read
from tests.unit.edges import things
from tests.unit.test_trace_addresses import NV_IPAM, POOL, given, network


def test_hidden_files_and_folders_are_not_read(tmp_path: Path) -> None:
    for name in ("leaf-1.json", ".leaf-2.json", ".old/leaf-3.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert [Path(name).name for name in texts_of([str(tmp_path)])] == ["leaf-1.json"]


def test_hidden_folders_are_named_where_nothing_else_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / ".x").mkdir()
    (tmp_path / ".x/a.yaml").write_text("a: 1\n")
    assert read_directory(str(tmp_path)).skipped == (f"1 hidden folder not read (first: {tmp_path}/.x)",)
    (tmp_path / "b.yaml").write_text("a: 1\n")
    assert read_directory(str(tmp_path)).skipped == ()


def test_why_a_file_cannot_be_read_is_said_once(tmp_path: Path) -> None:
    name = str(tmp_path / "missing.json")
    with pytest.raises(InputError) as said:
        texts_of([name])
    assert (
        str(said.value) == f"{name!r} cannot be read (No such file or directory); check path and permissions"
    )


def switch(tables: dict[str, Any]) -> Any:
    *_, switches = switches_of({"leaf-1.json": json.dumps(tables)}, Places(SourceMap()))
    return switches[0]


def test_entries_of_a_map_that_are_no_numbers_are_left_out() -> None:
    row = {"3": "4", "x": "5", "6": "y", "NULL": "NULL"}
    assert numbers(switch({"DSCP_TO_TC_MAP": {"ROCE": row}}), "DSCP_TO_TC_MAP", "ROCE") == {3: 4}


def test_a_list_in_a_dump_of_redis_is_a_list() -> None:
    rows = {"VLAN|Vlan100": {"type": "hash", "value": {"vlanid": "100", "members@": "Ethernet0,Ethernet4"}}}
    dumped = {"CONFIG_DB": {**rows, "PORT|Ethernet0": {"type": "hash", "value": {"mtu": "9100"}}}}
    found = switch(dumped)
    assert found.row("VLAN", "Vlan100").fields == {"vlanid": "100", "members": ("Ethernet0", "Ethernet4")}
    assert found.text("PORT", "Ethernet0", "mtu") == "9100"


@pytest.mark.parametrize(("version", "wrong"), [("version_3_0_0", False), ("version_3_0_1", True)])
def test_words_of_old_images_are_taken_up_to_their_version(version: str, wrong: bool) -> None:
    """sonic-utilities db_migrator.py, version_3_0_0: autoneg 0 and 1 become off and on."""
    tables = {
        "DEVICE_METADATA": {"localhost": {"hostname": "leaf-1"}},
        "VERSIONS": {"DATABASE": {"VERSION": version}},
        "PORT": {"Ethernet0": {"lanes": "1", "autoneg": "1"}},
    }
    found = judge_texts({"leaf-1.json": json.dumps(tables)}).diagnostics
    assert any("autoneg" in each.message for each in found) is wrong


@pytest.mark.parametrize(("ports", "told"), [(7, False), (8, True)])
def test_one_port_of_eight_with_other_pfc_is_told(ports: int, told: bool) -> None:
    bound = {"dscp_to_tc_map": "A", "tc_to_queue_map": "A", "tc_to_pg_map": "A"}
    rows = {f"Ethernet{4 * n}": {**bound, "pfc_enable": "3" if n else "4"} for n in range(ports)}
    text = json.dumps({"PORT_QOS_MAP": rows})
    assert ("NP894" in {each.code for each in judge_texts({"part.json": text}).diagnostics}) is told


def config_map(value: str) -> str:
    return f"apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a, namespace: b}}\ndata: {{x: {value}}}\n"


def test_files_that_say_otherwise_of_one_object_are_alternatives() -> None:
    one, two = (f"kubernetes/{name}.yaml" for name in ("one", "two"))
    unlike = things({one: config_map("y"), two: config_map("z")})
    assert unlike.alternatives.files == {one, two}
    assert things({one: config_map("y"), two: config_map("y")}).alternatives.files == frozenset()
    alone = things({one: config_map("y") + "---\n" + config_map("z")})
    assert alone.alternatives.files == frozenset()


def test_values_of_a_chart_that_are_no_mapping_are_no_values() -> None:
    assert read([Artifact("kubernetes/chart/values.yaml", "- a\n", "kubernetes")]).tree.values == ()


def test_entries_of_a_kustomization_that_are_no_text_are_no_files() -> None:
    """A value listed twice is looked up among the others."""
    text = (
        "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [{a: b}, 3, one.yaml]\n"
    )
    twice = config_map("y") + "---\n" + config_map("z")
    found = rendered_texts({"kustomization.yaml": text, "one.yaml": twice}).diagnostics
    assert "NP690" in {each.code for each in found}


def test_a_file_of_more_than_32_mib_is_large(tmp_path: Path) -> None:
    for name, size in (("fits.yaml", 32 * 2**20), ("large.yaml", 32 * 2**20 + 1)):
        with (tmp_path / name).open("wb") as file:
            file.truncate(size)
    found = read_directory(str(tmp_path))
    assert [Path(name).name for name in found.large] == ["large.yaml"]
    assert [Path(name).name for name in found.texts] == ["fits.yaml"]


def test_a_network_with_addresses_of_its_own_lacks_no_pool() -> None:
    ipam = {"type": "host-local", "ranges": [[{"subnet": "10.0.0.0/24"}]]}
    cluster = things({"kubernetes/0.yaml": network(ipam)})
    assert [each.absent for each in supplies_of(cluster, cluster.networks[0])] == [False]
    cluster = things({"kubernetes/0.yaml": network(NV_IPAM)})
    assert [each.absent for each in supplies_of(cluster, cluster.networks[0])] == [True]


def test_one_other_length_of_all_static_prefixes_is_one_finding() -> None:
    static = [{"nodeName": f"n{n}", "prefix": f"10.0.0.{128 * n}/25"} for n in range(2)]
    spec = {"cidr": "10.0.0.0/16", "perNodeNetworkPrefix": 24, "staticAllocations": static}
    assert [path for path, _ in cidr_pool_problems(spec)] == [("spec", "perNodeNetworkPrefix")]


def test_a_pool_may_be_written_with_host_bits() -> None:
    """nv-ipam masks the subnet (pkg/ip, ParseCIDR)."""
    pool = "{subnet: 10.0.0.7/24, perNodeBlockSize: 8, gateway: 10.0.0.1}"
    ipam = {"type": "nv-ipam", "poolName": "pool", "poolType": "ippool"}
    texts = [network(ipam), POOL.format(kind="IPPool", spec=pool)]
    assert given(texts, 1, 0)[0][0].endswith("/24")
