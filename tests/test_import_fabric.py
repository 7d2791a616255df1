"""``netplan import`` of switches: config_db, LLDP of both ends, derived values, and the round trip."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
import yaml

from netplan.catalog import switch_rows
from netplan.importing import text as comments
from netplan.importing.run import Imported, import_texts
from netplan.importing.switches import model_of
from netplan.pipeline import compile_texts
from tests.cli_runs import netplan
from tests.dumped_site import (
    cables,
    cluster_dumps,
    config_dbs,
    fabric_dumps,
    interface,
    listed,
    lldp_table,
    lldpctl,
    node,
    node_state,
)
from tests.test_import import FILES, data, filled, refused, todo_lines

DETERMINED = ("cabling.csv", "interfaces.json", "roce.json", "buffers.patch.json")
"""Files of a switch that config_db and LLDP determine to the byte, once the ARP ageing time is stated."""


@cache
def dumps() -> dict[str, str]:
    return {**cluster_dumps(FILES), **fabric_dumps(FILES)}


@cache
def imported() -> Imported:
    return import_texts(dumps(), "iei-rocev2")


@cache
def again() -> dict[str, str]:
    result = compile_texts({"site.yaml": filled(imported().text)})
    assert [d for d in result.diagnostics if d.severity > 0] == []
    return {a.path: a.text for a in result.artifacts}


def test_nothing_contradicts_and_every_todo_is_refused() -> None:
    assert (imported().conflicts, imported().remarks, imported().problems) == ((), (), ())
    lines = todo_lines(imported().text)
    keys = [imported().text.splitlines()[number - 1].split(":")[0].strip() for number in lines]
    assert keys == ["cni", "pod_cidr", "service_cidr", "routing"]
    assert set(lines) == refused(imported().text)


@pytest.mark.parametrize("switch", ["leaf-1", "leaf-2", "leaf-3", "leaf-4", "spine-1", "spine-2"])
def test_the_switches_are_rendered_as_before(switch: str) -> None:
    """VLANs, subnets, gateways, AS numbers, uplinks, ports, classes and cables."""
    names = [f"switches/{switch}/{name}" for name in DETERMINED if f"switches/{switch}/{name}" in FILES]
    assert len(names) >= 4
    for name in names:
        assert again()[name] == FILES[name]


def test_nothing_is_renumbered_on_the_switches(tmp_path: Any) -> None:
    """The running configuration equals the rendered one."""
    (tmp_path / "site.yaml").write_text(filled(imported().text))
    (tmp_path / "configs").mkdir()
    for name, text in config_dbs(FILES).items():
        (tmp_path / "configs" / name).write_text(text)
    status, out, _ = netplan("diff", str(tmp_path / "site.yaml"), "--running", str(tmp_path / "configs"))
    assert [line for line in out.splitlines() if line.startswith("  ")] == []
    assert (status, out.count("as planned")) == (0, 6)


def test_pools_networks_devices_and_cards_are_rendered_as_before() -> None:
    same = [
        path for path in FILES if path.startswith(("kubernetes/3", "kubernetes/4")) or path.endswith(".link")
    ]
    same.remove("hosts/gpu-007/10-roce0.link")  # for a MAC address stated by hand
    assert len(same) > 14
    for path in same:
        assert again()[path] == FILES[path]


def test_what_is_written_is_folded() -> None:
    found = data(imported())
    assert found["links"][0] == {
        "hosts": "gpu-[001-016]",
        "hca": "roce[0-3]",
        "switch": "leaf-[1-4]",
        "ports": "Ethernet[0-60/4]",
        "cable_m": 5,
        "admin_status": "up",
    }
    assert len(found["links"]) == 4
    assert found["switches"] == {
        "leaf-[1-4]": {"type": "msn2700", "id": 1, "role": "leaf"},
        "spine-[1-2]": {"type": "msn2700", "id": 101, "role": "spine"},
    }
    assert found["underlay"]["leaf_asn"] == "4200000100+"


def swapped(texts: dict[str, str], name: str, a: str, b: str) -> dict[str, str]:
    assert a in texts[name]
    return {**texts, name: texts[name].replace(a, b)}


def test_two_ends_that_disagree_are_both_named() -> None:
    """The host reports another port than the switch: both places are named."""
    texts = swapped(dumps(), "gpu-001.lldp.json", '"etp1"', '"etp9"')
    texts["gpu-001.lldp.json"] = texts["gpu-001.lldp.json"].replace('"Ethernet0"', '"Ethernet32"')
    result = import_texts(texts, "site")
    told = [str(conflict) for conflict in result.conflicts]
    assert len(told) >= 2
    assert all("gpu-001.lldp.json:" in text for text in told)
    assert any(text.startswith("card gpu-001 0000:18:00.0, port:") and "leaf-1.txt:" in text for text in told)
    asked = [text for text in result.text.splitlines() if text.startswith("  - {hosts: TODO")]
    assert asked
    assert {result.text.splitlines().index(text) + 1 for text in asked} <= refused(result.text)


@pytest.mark.parametrize("kept", [".txt", ".lldp.json"])
def test_one_end_is_enough(kept: str) -> None:
    """LLDP only from switches, or only from hosts: the links of the spines follow from their networks."""
    texts = {name: text for name, text in dumps().items() if "lldp" not in name or name.endswith(kept)}
    texts = {name: text for name, text in texts.items() if not name.endswith(".txt") or kept == ".txt"}
    found = data(import_texts(texts, "site"))["links"]
    assert found == data(imported())["links"]
    assert len(found) == 4


@pytest.mark.parametrize("late", [True, False])
def test_what_validate_refuses_of_the_dumps_is_told_with_its_line(late: bool, tmp_path: Any) -> None:
    """All switches begin to mark where they should end to."""
    ours = ("leaf-", "spine-")
    marks = '"green_min_threshold": "9' if late else '"green_min_threshold": "'
    for name, text in dumps().items():
        switch = name.startswith(ours) and name.endswith(".json")
        (tmp_path / name).write_text(text.replace('"green_min_threshold": "', marks) if switch else text)
    site = tmp_path / "of" / "site.yaml"
    site.parent.mkdir()
    status, _, err = netplan("import", *map(str, tmp_path.glob("*.*")), "-o", str(site), "-q")
    assert status == int(late)
    assert err.startswith("validate refuses what the dumps say: ") is late
    refused_so = [line for line in err.splitlines() if ": error NP405" in line]
    assert len(refused_so) == int(late)
    lines = site.read_text().splitlines()
    places = (line.partition(": error")[0].split(":")[-2] for line in refused_so)
    assert all("kmin_bytes: 9" in lines[int(place) - 1] for place in places)


def test_neighbours_of_record() -> None:
    """From DEVICE_NEIGHBOR of config_db, without LLDP."""
    texts = {**cluster_dumps(FILES), **config_dbs(FILES)}
    for row in cables(FILES):
        name = f"{row['switch']}.json"
        tables = json.loads(texts[name])
        far = row["netdev"] if row["peer_kind"] == "host" else row["peer_port"]
        tables.setdefault("DEVICE_NEIGHBOR", {})[row["port"]] = {"name": row["peer"], "port": far}
        texts[name] = json.dumps(tables)
    result = import_texts(texts, "site")
    assert data(result)["links"] == data(imported())["links"]


def small(*neighbours: Any, form: str = "json") -> dict[str, str]:
    nodes = listed(
        [node("gpu-1", {"kind": "a"}, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])]
    )
    lldp = {"lldp": {"interface": neighbours[0] if len(neighbours) == 1 else list(neighbours)}}
    return {"nodes.yaml": nodes, "gpu-1.json": json.dumps(lldp)}


def neighbour(name: str, port: str, **chassis: Any) -> dict[str, Any]:
    own = {"id": {"type": "mac", "value": "x"}, "capability": {"type": "Bridge", "enabled": True}, **chassis}
    return {"chassis": {name: own} if name else own, "port": {"id": {"type": "ifname", "value": port}}}


def test_a_switch_that_only_neighbours_tell_of_is_asked_about() -> None:
    result = import_texts(small({"ens1": neighbour("leaf-1", "swp1")}), "site")
    found = data(result)
    assert found["switch_types"] == {"unknown": {"nos": "TODO", "model": "TODO"}}
    assert found["switches"] == {"leaf-1": {"type": "unknown", "id": 1, "role": "leaf"}}
    assert found["links"] == [
        {"hosts": "gpu-1", "hca": "roce0", "switch": "leaf-1", "ports": "swp1", "cable_m": "TODO"}
    ]
    assert set(todo_lines(result.text)) == refused(result.text)


@pytest.mark.parametrize(
    "interfaces",
    [
        [{"ens1": neighbour("leaf-1", "swp1")}],
        [{"ens1": neighbour("leaf-1", "swp1")}, {"ens1": neighbour("", "b8:59:9f:00:00:01")}],
        [{"ens1": neighbour("", "b8:59:9f:00:00:01")}, {"ens1": neighbour("leaf-1", "swp1")}],
        [{"ens1": neighbour("leaf-1", "swp1"), "eno1": neighbour("oob-1", "swp9")}],
        [
            {"ens1": neighbour("leaf-1", "swp1")},
            {"ens1": neighbour("gpu-9", "ens1") | {"chassis": {"gpu-9": {}}}},
        ],
    ],
)
def test_shapes_of_lldpctl(interfaces: list[Any]) -> None:
    """One interface or several, two neighbours on a port, a chassis without a name."""
    found = data(import_texts(small(*interfaces), "site"))["links"]
    assert [(row["switch"], row["ports"]) for row in found] == [("leaf-1", "swp1")]


ODD_CAPABILITY: dict[str, Any] = {
    "interface": {"ens1": {"chassis": {"x": {"id": {}, "capability": {"type": {}}}}}}
}


@pytest.mark.parametrize(
    "lldp", [{}, [], [{}], {"interface": []}, {"interface": {"ens1": {}}}, {"interface": [1]}, ODD_CAPABILITY]
)
def test_no_neighbour_is_no_link(lldp: Any) -> None:
    texts = small({"ens1": neighbour("leaf-1", "swp1")}) | {"gpu-1.json": json.dumps({"lldp": lldp})}
    assert "links" not in data(import_texts(texts, "site"))


def test_neighbours_of_nobody_are_named() -> None:
    texts = small({"ens1": neighbour("leaf-1", "swp1")})
    texts["what.json"] = texts.pop("gpu-1.json")
    (remark,) = import_texts(texts, "site").remarks
    assert str(remark) == (
        "what.json:1: the file does not say whose neighbours these are; "
        "name it after a host or switch of the dumps"
    )


def test_neighbours_of_hosts_that_no_dump_has_say_what_is_missing() -> None:
    """The names of their files are those of hosts."""
    lldp = {"lldp": {"interface": [{"ens1": neighbour("leaf-1", "swp1")}]}}
    result = import_texts({"gpu-1.lldp.json": json.dumps(lldp)}, "site")
    (told,) = [each.text for each in result.remarks if "whose neighbours" in each.text]
    assert told.endswith("of the dumps, which have no host: add the cluster's nodes or collect.sh's tars")


def test_both_forms_of_lldpctl_say_the_same() -> None:
    texts = {**cluster_dumps(FILES), **config_dbs(FILES)}
    links = [
        data(import_texts({**texts, "gpu-001.json": lldpctl("gpu-001", FILES, form)}, "s"))["links"]
        for form in ("json", "json0")
    ]
    assert links[0] == links[1]
    assert links[0][0]["hca"] == "roce[0-3]"


def test_a_table_of_a_switch_that_its_prompt_names() -> None:
    texts = {"nodes.yaml": cluster_dumps(FILES)["states.json"], "x.txt": lldp_table(FILES, "leaf-1")}
    texts["y.yaml"] = cluster_dumps(FILES)["nodes.yaml"]
    found = data(import_texts(texts, "site"))
    assert found["links"][0]["hosts"] == "gpu-[001-016]"
    assert found["links"][0]["cable_m"] == "TODO"


@pytest.mark.parametrize(
    ("port", "far"), [("eth0", "Ethernet47"), ("Management1", "et-0/0/1"), ("Ethernet8", "mgmt0")]
)
def test_the_switch_behind_a_management_port_is_none_of_the_fabric(port: str, far: str) -> None:
    cards = {"ens1": neighbour("leaf-1", "Ethernet0")}
    texts = small(cards) | {
        "leaf-1.txt": "admin@leaf-1:~$ show lldp table\n"
        "LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr\n"
        "-----------  --------------  --------------  ------------  ---------------\n"
        f"{port:<13}{'oob-1':<16}{far:<16}{'B':<14}leaf-1 mgmt\n"
    }
    found = data(import_texts(texts, "site"))
    assert [row["switch"] for row in found["links"]] == ["leaf-1"]
    assert ("oob-1" in found["switches"]) == (port == "Ethernet8")


@pytest.mark.parametrize(
    ("sku", "model"),
    [
        ("ACS-MSN2700", "msn2700"),
        ("Mellanox-SN2700-D48C8", "msn2700"),
        ("Mellanox-SN4700-O8V48", "msn4700"),
        ("Mellanox-SN5600-C256S1", "sn5600"),
        ("DellEMC-S5232f-C32", "s5232f"),
        ("Arista-7060X6-64PE-B-O128", "7060x6-64pe"),
        ("ACS-MSN27001", ""),
        ("ACS-MSN4600", ""),
        ("", ""),
    ],
)
def test_models_of_skus(sku: str, model: str) -> None:
    assert model_of(sku, "") == model
    assert not model or model in switch_rows()


def fabric_with(change: Any) -> Imported:
    """The import of changed config files: ``change`` gets switch and tables."""
    texts = dict(dumps())
    for name in config_dbs(FILES):
        tables = json.loads(texts[name])
        change(name.removesuffix(".json"), tables)
        texts[name] = json.dumps(tables)
    return import_texts(texts, "site")


def asked(result: Imported) -> set[str]:
    lines = result.text.splitlines()
    keys = {lines[number - 1].split(":")[0].strip() for number in todo_lines(result.text)}
    assert set(todo_lines(result.text)) <= refused(result.text)
    return keys - {"cni", "pod_cidr", "service_cidr", "routing"}


def test_as_numbers_that_follow_no_rule_are_asked_about() -> None:
    numbers = {"leaf-1": "65001", "leaf-2": "65007", "leaf-3": "65003", "leaf-4": "65004"}

    def change(switch: str, tables: Any) -> None:
        if switch in numbers:
            tables["DEVICE_METADATA"]["localhost"]["bgp_asn"] = numbers[switch]

    result = fabric_with(change)
    assert asked(result) == {"leaf_asn"}
    assert "leaf-2 with id 2: 65007 (leaf-2.json:" in cannot(result)["leaf_asn"]


def test_subnets_that_follow_no_rule_are_asked_about() -> None:
    def change(switch: str, tables: Any) -> None:
        if switch == "leaf-3":
            row = tables["VLAN_INTERFACE"]
            row["Vlan102|10.9.9.1/24"] = row.pop("Vlan102|172.16.10.1/24")

    result = fabric_with(change)
    assert "supernets" in asked(result)
    assert "rail 2 leaf-3: 10.9.9.0/24" in result.text


def test_subnets_by_position() -> None:
    """Rail n on leaf n + 1 with consecutive subnets means numbering: position."""

    def change(switch: str, tables: Any) -> None:
        rows = tables.get("VLAN_INTERFACE", {})
        for key in [key for key in rows if "/" in key]:
            number = int(key[4:].partition("|")[0]) - 100
            rows[f"Vlan{100 + number}|172.16.{number}.1/24"] = rows.pop(key)

    texts = {name: text for name, text in dumps().items() if "ipam" not in name}
    for name in config_dbs(FILES):
        tables = json.loads(texts[name])
        change(name, tables)
        texts[name] = json.dumps(tables)
    found = data(import_texts(texts, "site"))["rails"]
    assert found["numbering"] == "position"
    assert (found["supernets"], found["rail_prefixes"]) == (["172.16.0.0/22"], [24])


def test_routed_ports_to_hosts_are_asked_about() -> None:
    def change(switch: str, tables: Any) -> None:
        tables["INTERFACE"]["Ethernet0|10.0.0.0/31"] = {}

    result = fabric_with(change)
    assert asked(result) == {"segment"}
    assert "leaf-1 Ethernet0 is routed" in result.text


def stretched_dumps() -> dict[str, str]:
    """Two leaves with both rails; the gateways are on a router that no dump covers."""
    states, tables, lldp = [node("gpu-1", {"k": "a"}, 8), node("gpu-2", {"k": "a"}, 8)], {}, {}
    for number in (1, 2):
        pair = [interface("0000:18:00.0", "ens1", 100), interface("0000:3b:00.0", "ens2", 100)]
        states.append(node_state(f"gpu-{number}", pair))
        ports = {f"Ethernet{4 * n}": {"speed": "100000", "mtu": "9216"} for n in range(2)}
        members = {f"Vlan{100 + n}|Ethernet{4 * n}": {"tagging_mode": "untagged"} for n in range(2)}
        tables[f"leaf-{number}.json"] = json.dumps(
            {
                "DEVICE_METADATA": {"localhost": {"hostname": f"leaf-{number}", "hwsku": "ACS-MSN2700"}},
                "PORT": ports,
                "VLAN_MEMBER": members,
            }
        )
        seen = {f"ens{n + 1}": neighbour(f"leaf-{number}", f"Ethernet{4 * n}") for n in range(2)}
        lldp[f"gpu-{number}.json"] = json.dumps({"lldp": {"interface": [{k: v} for k, v in seen.items()]}})
    pools = [
        {
            "apiVersion": "nv-ipam.nvidia.com/v1alpha1",
            "kind": "IPPool",
            "metadata": {"name": f"p{n}"},
            "spec": {"subnet": f"10.1.{n}.0/24", "gateway": f"10.1.{n}.254", "perNodeBlockSize": 4},
        }
        for n in range(2)
    ]
    plugin = {
        "resourceList": [
            {"resourceName": f"rail_{n}", "selectors": {"pciAddresses": [pci]}}
            for n, pci in enumerate(("0000:18:00.0", "0000:3b:00.0"))
        ]
    }
    config = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "c"},
        "data": {"c": json.dumps(plugin)},
    }
    nads = [
        {
            "apiVersion": "k8s.cni.cncf.io/v1",
            "kind": "NetworkAttachmentDefinition",
            "metadata": {
                "name": f"rail-{n}",
                "namespace": "t",
                "annotations": {"k8s.v1.cni.cncf.io/resourceName": f"intel.com/rail_{n}"},
            },
            "spec": {
                "config": json.dumps(
                    {"type": "host-device", "ipam": {"type": "nv-ipam", "poolName": f"p{n}"}}
                )
            },
        }
        for n in range(2)
    ]
    return {"k.yaml": listed([*states, *pools, config, *nads]), **tables, **lldp}


def test_one_subnet_of_a_rail_on_several_leaves_is_stretched() -> None:
    result = import_texts(stretched_dumps(), "site")
    rails = data(result)["rails"]
    assert rails == {
        "count": 2,
        "vlan_ids": "100-101",
        "segment": "stretched",
        "supernets": ["10.1.0.0/23"],
        "rail_prefixes": [24],
        "prefixes": [24],
        "gateway": "last",
        "gateway_owner": "external",
    }


def test_classes_that_switches_have_otherwise_are_both_named() -> None:
    def change(switch: str, tables: Any) -> None:
        if switch == "leaf-2":
            tables["WRED_PROFILE"]["ROCE_Q3"]["green_max_threshold"] = "2000000"

    result = fabric_with(change)
    (conflict,) = result.conflicts
    assert str(conflict).startswith(
        "traffic class 3, kmax_bytes: 1500000 (leaf-1.json:1) or 2000000 (leaf-2.json:"
    )
    assert asked(result) == {"ecn"}


def test_a_class_of_several_code_points_is_asked_about() -> None:
    def change(switch: str, tables: Any) -> None:
        tables["DSCP_TO_TC_MAP"]["ROCE"]["24"] = "3"

    assert asked(fabric_with(change)) == {"dscp"}


def test_a_map_of_few_code_points_loses_no_lossless_class() -> None:
    """Unlisted code points are in class 0, and a class with PFC is never best effort."""

    def change(switch: str, tables: Any) -> None:
        tables["DSCP_TO_TC_MAP"]["ROCE"] = {"26": "3", "48": "6"}

    assert data(fabric_with(change))["fabric"]["qos"] == data(imported())["fabric"]["qos"]

    def all_lossless(switch: str, tables: Any) -> None:
        tables["DSCP_TO_TC_MAP"]["ROCE"] = {str(dscp): "3" for dscp in range(64)}

    assert asked(fabric_with(all_lossless)) == {"dscp"}


@pytest.mark.parametrize("stock", [True, False])
def test_best_effort_in_another_class_than_0_is_told(stock: bool) -> None:
    """``stock``: as ``config qos reload`` of SONiC has it, with DSCP 8 in class 0 (sonic-net/sonic-buildimage
    086b03bd files/build_templates/qos_config.j2). An inventory has no class beside best effort there."""

    def change(switch: str, tables: Any) -> None:
        points = {str(dscp): "1" for dscp in range(64)} | {"26": "3", "48": "6"}
        tables["DSCP_TO_TC_MAP"]["ROCE"] = points | ({"8": "0"} if stock else {})
        queues = tables["QUEUE"]
        queues |= {f"{key[:-1]}1": row for key, row in queues.items() if key.endswith("|0")}

    result = fabric_with(change)
    assert asked(result) == ({"priority"} if stock else set())
    line = next((text for text in result.text.splitlines() if "priority: TODO" in text), "")
    assert ("an inventory cannot express this: class 0 carries what matches no class" in line) == stock
    assert ("; best effort is class 1 today (leaf-1.json:" in line) == stock
    why = "an inventory has it in class 0, so packets that match no class move to queue 0"
    assert f"best effort in class 1: {why}" in [each.text for each in result.remarks]


def test_rails_by_the_vlans_of_the_switch_ports() -> None:
    """Nothing in the cluster states the rails: neither resources nor rail indexes."""
    texts = {n: t for n, t in dumps().items() if "kubernetes" not in n and n != "nicdevices.yaml"}
    result = import_texts(texts, "site")
    assert "by the VLANs of the switch ports" in result.text
    hcas = data(result)["host_types"]["nf5468m5"]["hcas"]
    assert hcas["roce3"]["pci"] == "0000:af:00.0"
    assert data(result)["rails"]["vlan_ids"] == "100-103"


def test_vlans_without_a_common_step_are_no_order_of_the_rails() -> None:
    """One VLAN is still one rail; the order is that of the next source, and the page says so."""
    texts = {n: t for n, t in dumps().items() if "kubernetes" not in n and n != "nicdevices.yaml"}
    for old, new in zip(range(100, 104), (210, 110, 330, 120), strict=True):
        texts = {n: re.sub(rf"Vlan{old}\b", f"Vlan{new}", t) for n, t in texts.items()}
        texts = {n: re.sub(rf'"vlanid": "{old}"', f'"vlanid": "{new}"', t) for n, t in texts.items()}
    result = import_texts(texts, "site")
    hcas = data(result)["host_types"]["nf5468m5"]["hcas"]
    addresses = [hcas[f"roce{rail}"]["pci"] for rail in range(4)]
    assert addresses == sorted(addresses)
    assert data(result)["rails"]["vlan_ids"] == [210, 110, 330, 120]
    assert (
        "rails by the VLANs of the switch ports, which give no order: proposed by PCI address" in result.text
    )


def cannot(result: Imported) -> dict[str, str]:
    """Key -> what its TODO says that an inventory cannot express."""
    found = re.findall(r"(\w+): TODO # TODO: an inventory cannot express this: (.*)", result.text)
    assert {n for n, t in enumerate(result.text.splitlines(), 1) if "cannot express" in t} <= refused(
        result.text
    )
    return dict(found)


def test_without_vlans_of_the_switches_no_one_is_said_to_have_the_gateways() -> None:
    """Absence of a VLAN interface proves nothing where no VLAN was read."""

    def change(switch: str, tables: Any) -> None:
        for table in ("VLAN", "VLAN_MEMBER", "VLAN_INTERFACE"):
            tables.pop(table, None)

    result = fabric_with(change)
    rails = data(result)["rails"]
    assert (rails["gateway_owner"], rails.get("segment")) == ("TODO", None)
    assert re.search(r"no VLANs of leaf-\[1-4\] are in the dumps; \S+:\d+$", result.text, re.MULTILINE)


def test_gateways_of_pools_that_no_leaf_has_contradict_the_leaves() -> None:
    texts = swapped(dumps(), "leaf-2.json", "|172.16.5.1/24", "|172.16.5.9/24")
    result = import_texts(texts, "site")
    (line,) = (text for text in result.text.splitlines() if "gateway: TODO" in text)
    own = r"leaf-2 VLAN 101 has 172.16.5.9/24 \(leaf-2.json:\d+\), pool \S+ gateway 172.16.5.1 \(\S+:\d+\)"
    assert re.search(own, line)
    assert [each for each in map(str, result.conflicts) if re.search(own, each)] != []


def test_gateways_of_all_pools_that_no_leaf_has() -> None:
    pattern = re.compile(r"(gateway: 172\.16\.\d+)\.1$", re.MULTILINE)
    texts = {file: pattern.sub(r"\1.254", text) for file, text in dumps().items()}
    result = import_texts(texts, "site")
    assert data(result)["rails"]["gateway"] == "TODO"
    (said,) = map(str, result.conflicts)
    assert re.search(r"VLAN 100 has 172.16.0.1/24 .* gateway 172.16.0.254 .*\(and \d+ more\)$", said)


def test_gateways_that_are_neither_are_named_with_their_places() -> None:
    texts = swapped(dumps(), "leaf-2.json", "|172.16.5.1/24", "|172.16.5.9/24")
    texts = {file: text for file, text in texts.items() if "kind: IPPool" not in text}
    (line,) = (text for text in import_texts(texts, "site").text.splitlines() if "gateway: TODO" in text)
    assert re.search(r"rail 1 leaf-2 172.16.5.9 \(neither, leaf-2.json:\d+\)", line)
    assert "; rail 0 leaf-1 172.16.0.1 (first, leaf-1.json:" in line


def test_gateways_that_pools_of_leaves_get_are_told() -> None:
    pattern = re.compile(r"^ *gateway: 172\.16\.\d+\.1\n", re.MULTILINE)
    result = import_texts({file: pattern.sub("", text) for file, text in dumps().items()}, "site")
    told = [str(each) for each in result.remarks if "without a gateway" in str(each)]
    assert len(told) == 1
    assert "netplan gives all pools of rails one, as other pools or the leaves have" in told[0]


def test_a_secondary_address_is_no_gateway() -> None:
    """sonic-buildimage 086b03bd, sonic-vlan.yang: ``secondary``, of an address of a VLAN interface."""

    def change(switch: str, tables: Any) -> None:
        own = tables.get("VLAN_INTERFACE", {})
        for key in [key for key in own if "/" in key]:
            vlan, _, address = key.partition("|")
            tables["VLAN_INTERFACE"] = {f"{vlan}|10.9.0.{len(own)}/24": {"secondary": "true"}, **own}
            tables["VLAN_INTERFACE"][f"{vlan}|{address.replace('.1/', '.2/')}"] = {"secondary": "true"}

    result = fabric_with(change)
    assert data(result)["rails"]["gateway"] == data(import_texts(dumps(), "site"))["rails"]["gateway"]
    assert data(result)["rails"]["supernets"] == data(import_texts(dumps(), "site"))["rails"]["supernets"]
    assert [str(each) for each in result.remarks if "a second address" in str(each)] != []


def test_uplinks_in_no_range_cannot_be_expressed() -> None:
    texts = swapped(dumps(), "leaf-1.json", "|172.31.0.0/31", "|10.77.0.0/31")
    assert "leaf-1 Ethernet80 10.77.0.0/31" in cannot(import_texts(texts, "site"))["uplinks"]


def test_ports_of_a_switch_without_a_dump_are_those_of_its_own_table() -> None:
    """Its neighbours have the alias as port ID and the port's name as description."""
    texts = {name: text for name, text in dumps().items() if name != "leaf-2.json"}
    result = import_texts(texts, "site")
    assert [str(each) for each in result.conflicts if "leaf-2" in str(each)] == []
    found = [row for row in data(result)["links"] if row.get("to") and row["switches"] == "leaf-2"]
    assert {row["ports"].partition("[")[0] for row in found} == {"Ethernet"}


def test_a_long_list_in_a_comment_ends_with_a_whole_place() -> None:
    """And with the number of the others."""
    places = [f"rail {rail} leaf-{rail}: 101 (dumps/leaf-{rail}.json:{rail}08)" for rail in range(40)]
    shown, _, more = comments.listed(places).rpartition(" and ")
    assert shown == ", ".join(places[: 40 - int(more.removesuffix(" more"))])
    assert len(shown) <= 400
    assert comments.listed(places[:3]) == ", ".join(places[:3])
    assert comments.listed(["x" * 5000, "y"]) == "x" * 5000 + " and 1 more"


@pytest.mark.parametrize("word", ["leaf-1.json", "x" * 1200])
def test_a_comment_is_never_cut_inside_a_word(word: str) -> None:
    text = " ".join([word] * 200)
    shown = comments.comment(text)
    assert shown.endswith(" ...")
    assert len(shown) <= 1010
    assert set(shown.removeprefix(" # ").removesuffix(" ...").split()) == {word[:1000]}


def test_a_vlan_for_each_leaf_of_a_rail_cannot_be_expressed() -> None:
    texts = swapped(stretched_dumps(), "leaf-2.json", "Vlan101", "Vlan201")
    found = cannot(import_texts(texts, "site"))["vlan_ids"]
    assert re.search(
        r"rail 1 leaf-1: 101 \(leaf-1.json:\d+\), rail 1 leaf-2: 201 \(leaf-2.json:\d+\)$", found
    )


def test_files_of_one_switch_belong_together() -> None:
    """A redis dump, and interfaces in a separate file."""
    whole = config_dbs(FILES)["leaf-1.json"]
    tables = json.loads(whole)
    redis = {f"{t}|{k}": {"type": "hash", "value": v} for t, rows in tables.items() for k, v in rows.items()}
    for texts in ({"x.json": whole}, {"x.json": json.dumps(redis)}):
        assert data(import_texts(texts, "s"))["switches"] == {
            "leaf-1": {"type": "msn2700", "id": 1, "role": "TODO"}
        }


ODD: tuple[Any, ...] = (None, True, -1, "", "x", "0" * 50, [], {}, [[]], {"x": 1}, ["x"])


@pytest.mark.sample(1)
@pytest.mark.parametrize("part", range(10))
def test_any_row_anywhere_is_no_crash(part: int) -> None:
    """Each table, row and field of a config_db, and each part of an LLDP neighbour, replaced."""
    nodes = small({"ens1": neighbour("leaf-1", "Ethernet0")})
    tables = json.loads(config_dbs(FILES)["leaf-1.json"])
    tables["DEVICE_NEIGHBOR"] = {"Ethernet4": {"name": "gpu-1", "port": "ens1"}}
    tables = {table: dict(list(rows.items())[:2]) for table, rows in tables.items()}
    number = 0
    for table, rows in tables.items():
        for key in [None, *rows]:
            for field in [None, *(rows[key] if key else ())]:
                changed = json.loads(json.dumps(tables))
                holder, last = changed, table
                if key is not None:
                    holder, last = changed[table], key
                if key is not None and field is not None:
                    holder, last = changed[table][key], field
                holder[last] = ODD[number % len(ODD)]
                number += 1
                if number % 10 != part:
                    continue
                made = import_texts({**nodes, "leaf-1.json": json.dumps(changed)}).text
                assert yaml.safe_load(made)["version"] == 1
    assert number > 100


@pytest.mark.parametrize(
    "text",
    [
        '{"lldp": [' * 40,
        '{"PORT": {"Ethernet0": {}}',
        '{"PORT": {}, "PORT": {"Ethernet0": {}}}',
        '{"lldp": {"interface": [{"a": [[[]]]}], "interface": 1}}',
    ],
)
def test_broken_files_have_their_place(text: str, tmp_path: Any) -> None:
    (tmp_path / "nodes.yaml").write_text(listed([node("gpu-1", {}, 8)]))
    (tmp_path / "x.json").write_text(text)
    status, _, err = netplan("import", str(tmp_path))
    assert status == 1
    assert f"{tmp_path}/x.json:1:" in err
