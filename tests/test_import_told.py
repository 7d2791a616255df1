"""Whatever a reader meets is taken, or told with its file, line, value and reason: fields of the CRDs one by
one, values that cannot be right, and the number of lines that this may take."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from netplan.importing.facts import Fact
from netplan.importing.kubernetes.left import ANY, USUAL
from netplan.importing.kubernetes.objects import objects_of
from netplan.importing.kubernetes.read import READERS, object_facts
from netplan.importing.run import Imported, import_texts
from netplan.model.document import Places, SourceMap
from netplan.reading.kubernetes.objects import Thing, inside
from tests.crd import _definitions
from tests.dumped_site import config_dbs, interface, listed, nic_device, node, node_state
from tests.inventories import compiled, outputs
from tests.test_import import data, refused, todo_lines

Schema = dict[str, Any]
Path = tuple[str | int, ...]


def told(result: Imported, part: str) -> str:
    (found,) = [str(remark) for remark in result.remarks if part in str(remark)]
    return found


def of_text(text: str) -> Imported:
    return import_texts({"x.yaml": text}, "site")


def thing_of(body: dict[str, Any]) -> Thing:
    (thing,) = objects_of("x.yaml", yaml.safe_dump(body), Places(SourceMap())).things
    return thing


def spots(thing: Thing) -> set[int]:
    """Lines of what is taken or told."""
    found = object_facts(thing, {})
    return {each.at.line for each in found if not isinstance(each, Fact) or each.field != "there"}


def leaves(schema: Schema, path: Path = ("spec",)) -> Iterator[tuple[Path, Schema]]:
    for key, part in schema.get("properties", {}).items():
        yield from leaves(part, (*path, key)) if part.get("properties") else _leaf(part, (*path, key))


def _leaf(part: Schema, path: Path) -> Iterator[tuple[Path, Schema]]:
    if part.get("type") == "array" and part["items"].get("properties"):
        yield from leaves(part["items"], (*path, 0))
    else:
        yield path, part


def odd(schema: Schema) -> Any:
    """A value of the type that is neither the default nor what netplan writes."""
    if "enum" in schema:
        return next((word for word in schema["enum"] if word not in (schema.get("default"), "")), "odd")
    kinds: dict[str, Any] = {"integer": 7, "boolean": schema.get("default") is not True}
    return {**kinds, "array": ["odd"], "object": {"odd": "x"}}.get(schema.get("type", ""), "odd")


BASE: dict[str, dict[str, Any]] = {
    "SriovNetworkNodePolicy": {"resourceName": "r", "nicSelector": {"vendor": "15b3"}},
    "NicConfigurationTemplate": {"template": {"numVfs": 8}},
}
WHOSE = {"spec.networkNamespace", "spec.resourceName"}
"""They say of what the facts of the object are."""


def with_value(spec: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    copy = json.loads(json.dumps(spec))
    here: Any = copy
    for part, then in zip(path[1:], (*path[2:], None), strict=True):
        empty: Any = value if then is None else [] if isinstance(then, int) else {}
        if isinstance(here, list):
            here.append(empty)
        elif then is None or part not in here:
            here[part] = empty
        here = here[part]
    return copy


def around(path: Path) -> list[Path]:
    """The path, what it is in, and what is in it."""
    return [*(path[:n] for n in range(2, len(path) + 1)), (*path, 0), (*path, "odd")]


ELSEWHERE = {
    ("k8s.cni.cncf.io", "NetworkAttachmentDefinition"),
    ("whereabouts.cni.cncf.io", "IPPool"),
    ("spectrumx.net.nvidia.com", "SpectrumXRailPoolConfig"),
    ("spiderpool.spidernet.io", "SpiderMultusConfig"),
    ("spiderpool.spidernet.io", "SpiderIPPool"),
}
"""Kinds whose fields are in a JSON text, or those of a program; a group of drafts without a published CRD;
those of Spiderpool, whose CRDs are not among the files of ``tests/upstream.toml``."""
OF_CRDS = [(group, kind) for group, kind in READERS if kind in USUAL and group]


@pytest.mark.crd
@pytest.mark.parametrize(("group", "kind"), [pair for pair in OF_CRDS if pair not in ELSEWHERE])
def test_each_field_of_a_crd_is_taken_or_told(group: str, kind: str) -> None:
    definition = _definitions(None)[group, kind]
    schema = definition["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    silent = {name for name, values in USUAL[kind].items() if ANY in values} | WHOSE
    lost, count = [], 0
    for path, part in leaves(schema):
        name = ".".join(map(str, (each for each in path if isinstance(each, str))))
        if any(name == one or name.startswith(f"{one}.") for one in silent):
            continue
        count += 1
        value = odd(part)
        if str(value) in USUAL[kind].get(name, ()):
            value = "odd"
        spec = with_value(BASE.get(kind, {}), path, value)
        body = {"apiVersion": f"{group}/v1", "kind": kind, "metadata": {"name": "a"}, "spec": spec}
        thing = thing_of(body)
        assert inside(thing.body, path) == value
        if not spots(thing) & {thing.source(each).line for each in around(path)}:
            lost.append(name)
    assert lost == []
    assert count > 0


NV_IPAM = {"type": "nv-ipam", "poolName": "p", "poolType": "ippool"}
WHEREABOUTS = {
    "type": "whereabouts",
    "range": "10.1.0.0/24",
    "range_start": "10.1.0.9",
    "range_end": "10.1.0.99",
    "gateway": "10.1.0.1",
    "exclude": ["10.1.0.16/28"],
    "routes": [{"dst": "10.9.0.0/16", "gw": "10.1.0.1"}],
}
HOST_LOCAL = {
    "type": "host-local",
    "gateway": "10.1.0.1",
    "ranges": [[{"subnet": "10.1.0.0/24", "rangeStart": "10.1.0.9", "rangeEnd": "10.1.0.99"}]],
    "routes": [{"dst": "10.9.0.0/16"}],
}


def attachment(ipam: dict[str, Any], *chain: dict[str, Any], **keys: Any) -> dict[str, Any]:
    config = {
        "cniVersion": "1.0.0",
        "name": "n",
        "plugins": [{"type": "sriov", **keys, "ipam": ipam}, *chain],
    }
    return {
        "apiVersion": "k8s.cni.cncf.io/v1",
        "kind": "NetworkAttachmentDefinition",
        "metadata": {"name": "n", "namespace": "a"},
        "spec": {"config": json.dumps(config)},
    }


@pytest.mark.parametrize("ipam", [NV_IPAM, WHEREABOUTS, HOST_LOCAL], ids=lambda row: str(row["type"]))
def test_a_key_of_a_plugin_that_no_reader_knows_is_told(ipam: dict[str, Any]) -> None:
    assert import_texts({"x.yaml": listed([attachment(ipam)])}).remarks == ()
    nothing = attachment({**ipam, "odd_key": "x"}, {"type": "rdma", "args": 1}, device="ens1")
    result = import_texts({"x.yaml": listed([nothing])})
    shown = [str(remark).split(" ", 2)[2].split(":")[0] for remark in result.remarks]
    assert shown == [
        "spec.config.plugins.device 'ens1'",
        "spec.config.plugins.ipam.odd_key 'x'",
        "spec.config.plugins.args '1'",
    ]


@pytest.mark.parametrize("ipam", [WHEREABOUTS, HOST_LOCAL], ids=lambda row: str(row["type"]))
def test_what_a_range_leaves_out_stays_out(ipam: dict[str, Any]) -> None:
    """Of a network that is on no rail: routes, exclusions, and what lies outside the range."""
    found = data(import_texts({"x.yaml": listed([attachment(ipam)])}))
    subnet = found["subnets"]["n"]
    assert subnet["cidr"] == "10.1.0.0/24"
    assert subnet["routes"] == ["10.9.0.0/16"]
    assert subnet["exclude"][-2:] == ["10.1.0.2-10.1.0.8", "10.1.0.100-10.1.0.254"]
    assert subnet["exclude"][:-2] == (["10.1.0.16-10.1.0.31"] if ipam is WHEREABOUTS else [])


def test_a_range_of_whereabouts_is_a_subnet_or_two_ends() -> None:
    for text in ("10.1.0.9-10.1.0.99/24", "10.1.0.7/24"):
        result = import_texts({"x.yaml": listed([attachment({"type": "whereabouts", "range": text})])})
        assert data(result)["subnets"]["n"]["cidr"] == "10.1.0.0/24"
    result = import_texts({"x.yaml": listed([attachment({"type": "whereabouts", "range": "x-10.1.0.9/24"})])})
    assert "'x-10.1.0.9/24': not a range such as 10.0.0.0/24" in told(result, "range")


POOL = """apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: IPPool
metadata: {name: p0, namespace: operators}
spec:
  subnet: %s
  perNodeBlockSize: 8
"""


@pytest.mark.parametrize(
    ("text", "line", "shown"),
    [
        (POOL % "300.1.1.1/8", 5, "IPPool spec.subnet '300.1.1.1/8': not a subnet such as 10.0.0.0/24"),
        (POOL % "[a]", 5, "IPPool spec.subnet '[\"a\"]': a single value is expected"),
        (POOL % "10.0.0.0/24\n  gateway: x", 6, "IPPool spec.gateway 'x': not an IP address"),
        ((POOL % "10.0.0.0/24").replace("8", "-8"), 6, "perNodeBlockSize '-8': not a whole number from 1 on"),
    ],
)
def test_a_pool_that_cannot_be_right(text: str, line: int, shown: str) -> None:
    assert f"x.yaml:{line}: " in told(of_text(text), shown)


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("vlan", 9999, "SriovNetwork spec.vlan '9999': not a whole number from 0 to 4,094"),
        ("vlanQoS", 8, "spec.vlanQoS '8': not a whole number from 0 to 7"),
        ("trust", "maybe", "spec.trust 'maybe': not one of on, off, true, false, yes, no"),
        ("linkState", "up", "spec.linkState 'up': not one of auto, enable, disable"),
        ("maxTxRate", -1, "spec.maxTxRate '-1': not a whole number from 0 to 800,000"),
        ("ipam", "{", "spec.ipam: not JSON"),
        ("ipam", '{"type": "dhcp"}', "spec.ipam.type 'dhcp': not one of nv-ipam, whereabouts"),
        ("metaPlugins", '{"type": "vrf"}', "spec.metaPlugins.type 'vrf': not rdma, tuning or sbr"),
        ("networkNamespace", {"a": 1}, "spec.networkNamespace '{\"a\": 1}': a single value is expected"),
    ],
)
def test_a_network_that_cannot_be_right(key: str, value: Any, shown: str) -> None:
    spec = {"resourceName": "r", "networkNamespace": "a", key: value}
    body = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetwork", "metadata": {"name": "n"}}
    assert told(import_texts({"x.yaml": listed([{**body, "spec": spec}])}), shown).startswith("x.yaml:")


@pytest.mark.parametrize(
    ("ipam", "shown"),
    [
        ('{"type": "dhcp"}', "dhcp"),
        ('{"type": "calico-ipam"}', "calico-ipam"),
        ("{", "a text that is not JSON"),
        ("{}", ""),
        ("", ""),
    ],
)
def test_a_network_with_another_ipam_is_not_one_without(ipam: str, shown: str) -> None:
    """netplan would render it without, and its pods would have no address."""
    spec = {"resourceName": "r", "networkNamespace": "a", "ipam": ipam}
    body = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetwork", "metadata": {"name": "n"}}
    result = import_texts({"x.yaml": listed([{**body, "spec": spec}])}, "site")
    assert data(result)["networks"]["n"].get("ipam") == ("TODO" if shown else None)
    line = f"ipam: TODO # TODO: an inventory cannot express this: IPAM {shown}; state one of nv-ipam, "
    assert (line in result.text) == bool(shown)


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("linkSpeed", "x", "linkSpeed 'x': not a link speed"),
        ("linkType", "FDDI", "linkType 'FDDI': not one of eth, ib"),
        ("numVfs", 999999, "card vfs '999999': the inventory allows 1 to 512"),
        ("mtu", 100, "card mtu '100': the inventory allows 1,280 to 9,978"),
        ("name", "bad name", "card netdev 'bad name': not valid in an inventory"),
        ("eSwitchMode", "switchdev", "eSwitchMode 'switchdev': VFs in switchdev mode are not supported"),
        ("linkSpeed", "7000 Mb/s", "card speed_gbps '7': the inventory allows 10, 25"),
    ],
)
def test_a_card_that_cannot_be_right(key: str, value: Any, shown: str) -> None:
    """It is not in the inventory, and the place is named."""
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 200) | {key: value}])
    result = import_texts({"x.yaml": listed([node("gpu-1", {}, 8), state])}, "site")
    assert told(result, shown).startswith("x.yaml:")
    (row,) = [line for line in result.text.splitlines() if line.startswith("      roce0")]
    assert str(value).split(" ")[0] not in re.findall(r"[\w]+", row.partition(" #")[0])
    assert set(todo_lines(result.text)) <= refused(result.text)


def test_a_port_that_is_down_is_no_mistake() -> None:
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100) | {"linkSpeed": "-1 Mb/s"}])
    assert import_texts({"x.yaml": listed([node("gpu-1", {}, 8), state])}).remarks == ()


def test_gpus_below_zero() -> None:
    own = node("gpu-1", {}, 8)
    own["status"]["capacity"]["nvidia.com/gpu"] = "-3"
    result = import_texts({"x.yaml": listed([own])})
    assert "nvidia.com/gpu '-3': not a whole number from 0 to 65,536" in told(result, "gpu '-3'")


def test_many_of_a_kind_are_one_line() -> None:
    states = [
        node_state(f"gpu-{n}", [interface("0000:18:00.0", "ens1", 100) | {"linkSpeed": f"{n}x"}])
        for n in range(1, 41)
    ]
    pools = [yaml.safe_load((POOL % "10.0.0.0/24\n  odd: {a: 1}").replace("p0", f"p{n}")) for n in range(20)]
    result = import_texts({"x.yaml": listed([*states, *pools])})
    assert told(result, "linkSpeed '1x'").endswith("(and 39 more, also '2x', '3x', '4x' and 36 more)")
    assert told(result, "IPPool spec.odd").endswith(
        "IPPool spec.odd '{\"a\": 1}': the inventory has no key for it (and 19 more)"
    )


def test_sysctls_that_someone_set_are_compared_with_those_of_netplan() -> None:
    text = """
apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetwork
metadata: {name: a, namespace: b}
spec:
  resourceName: r
  metaPlugins: '{"type": "tuning", "sysctl": {"net.ipv4.conf.IFNAME.arp_announce": "2"}}'
"""
    assert told(of_text(text), "sysctl").endswith(
        "netplan sets the sysctls of pods itself; compare them with the rendered network"
    )


def test_a_kind_without_reader_is_told_once() -> None:
    kind = "apiVersion: sriovnetwork.openshift.io/v1\nkind: SriovOdd\nmetadata: {name: a}\n---\n"
    other = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\n---\n"
    result = of_text(kind + kind + other + POOL % "10.0.0.0/24")
    assert told(result, "SriovOdd") == "x.yaml:2: SriovOdd a: netplan does not read this kind (and 1 more)"
    assert not [remark for remark in result.remarks if "Deployment" in str(remark)]


SITE = config_dbs(outputs(compiled("iei-rocev2")))


@pytest.mark.parametrize(
    ("table", "row", "shown"),
    [
        (
            "DEVICE_METADATA",
            {"localhost": {"bgp_asn": "-5"}},
            "DEVICE_METADATA bgp_asn '-5': not a whole number",
        ),
        (
            "DEVICE_METADATA",
            {"localhost": {"bgp_asn": "4294967295"}},
            "switch asn '4294967295': not a valid AS number",
        ),
        ("VLAN_MEMBER", {"Vlan9999|Ethernet0": {"tagging_mode": "tagged"}}, "'Vlan9999': not a VLAN ID"),
        ("VLAN_INTERFACE", {"Vlan100|300.1.1.1/8": {}}, "'300.1.1.1/8': not an address such as 10.0.0.1/31"),
        ("LOOPBACK_INTERFACE", {"Loopback0|x/32": {}}, "'x/32': not an address"),
        ("INTERFACE", {"Ethernet0|10.0.0.1/33": {}}, "'10.0.0.1/33': not an address"),
        ("CABLE_LENGTH", {"AZURE": {"Ethernet0": "far"}}, "CABLE_LENGTH Ethernet0 'far': not a whole number"),
        ("CABLE_LENGTH", {"AZURE": {"Ethernet0": "99999m"}}, "headroom_m '99999': the inventory allows"),
        ("PORT", {"Ethernet0": {"speed": "fast"}}, "PORT speed 'fast': not a whole number"),
        ("PORT_QOS_MAP", {"Ethernet0": {"pfc_enable": "3,9"}}, "PORT_QOS_MAP pfc_enable '9': not a class"),
    ],
)
def test_a_switch_that_cannot_be_right(table: str, row: dict[str, Any], shown: str) -> None:
    tables = json.loads(SITE["leaf-1.json"])
    for key, fields in row.items():
        rows = tables.get(table, {})
        tables[table] = {key: {**rows.pop(key, {}), **fields}, **rows}
    text = json.dumps(tables, indent=1)
    result = import_texts({"leaf-1.json": text})
    found = told(result, shown)
    line = int(found.split(":")[1])
    value = shown.partition("'")[2].partition("'")[0]
    assert value in text.splitlines()[line - 1]


def test_no_as_number_of_a_minigraph_is_no_mistake() -> None:
    tables = json.loads(SITE["leaf-1.json"])
    tables["DEVICE_METADATA"]["localhost"]["bgp_asn"] = "None"
    (vlans,) = import_texts({"leaf-1.json": json.dumps(tables)}).remarks
    assert vlans.text.startswith("VLAN 100 of the switches (interfaces leaf-1 172.16.0.1/24): ")


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        ("gpu-1.lspci.txt", "Slot:\t18:00.0\nClass:\tEthernet\n\n", "lspci -D -nn -vmm prints them"),
        (
            "gpu-1.sysfs.txt",
            "# netplan collect 1: pci\npci=0000:18:00.0 vendor=0x15b3 device=0x1021 vfs=x mac=1:2\n",
            "vfs 'x': not a whole number from 0",
        ),
        (
            "gpu-1.ip.json",
            '[{"ifindex": 1, "ifname": "ens1", "link_type": "ether", "mtu": "y"}]',
            "mtu 'y': not a whole number from 0",
        ),
        (
            "cables.csv",
            "switch,port,peer_kind,peer,peer_port,cable_m\nleaf-1,swp1,host,gpu-1,ens1,far\n",
            "cable_m 'far': not a length in m",
        ),
    ],
)
def test_a_table_or_host_that_cannot_be_right(name: str, text: str, shown: str) -> None:
    assert told(import_texts({name: text}), shown).startswith(f"{name}:")


def test_neighbours_that_are_none_have_a_place() -> None:
    (remark,) = import_texts({"gpu-1.lldp.json": '{"lldp": {"interface": 5}}'}).remarks
    assert str(remark) == "gpu-1.lldp.json:1: LLDP output without a neighbour"


CIDR_POOL = """apiVersion: nv-ipam.nvidia.com/v1alpha1
kind: CIDRPool
metadata: {{name: p{rail}, namespace: operators}}
spec: {{cidr: 10.{rail}.0.0/16, perNodeNetworkPrefix: 31, gatewayIndex: 0{more}}}
status: {{allocations: [{given}]}}
---
apiVersion: mellanox.com/v1alpha1
kind: HostDeviceNetwork
metadata: {{name: rail-{rail}}}
spec: {{networkNamespace: a, resourceName: r_{rail}, ipam: '{{"type": "nv-ipam", "poolName": "p{rail}"}}'}}
---
"""
PLUGIN = {
    "resourceList": [
        {"resourceName": f"r_{rail}", "selectors": {"pfNames": [f"ens{rail}"], "isRdma": True}}
        for rail in range(2)
    ]
}


def of_prefixes(
    more: str = "", given: str = "{{nodeName: gpu-{n}, prefix: 10.{rail}.0.{at}/31}}"
) -> Imported:
    """Two rails of two nodes, each with a prefix of its own."""
    cards = [interface(f"0000:{18 + rail}:00.0", f"ens{rail}", 100) for rail in range(2)]
    plugin = {"kind": "ConfigMap", "metadata": {"name": "plugin"}, "data": {"c.json": json.dumps(PLUGIN)}}
    objects = [node_state(f"gpu-{n}", cards) for n in (1, 2)] + [{"apiVersion": "v1", **plugin}]
    pools = [
        CIDR_POOL.format(
            rail=rail,
            more=more,
            given=", ".join(given.format(n=n, rail=rail, at=2 * n - 2) for n in (1, 2) if given),
        )
        for rail in range(2)
    ]
    return import_texts({"x.yaml": "".join(pools) + listed(objects)}, "site")


def test_a_pool_that_gives_each_node_a_prefix_is_no_subnet_of_a_rail() -> None:
    """What the operator gave stands in the status; without it, it is asked about."""
    found = data(of_prefixes())["rails"]
    assert (found["segment"], found["supernets"]) == ("host", ["10.0.0.0/15"])
    assert data(of_prefixes(given=""))["rails"] == {"count": 2, "segment": "TODO"}
    lost = of_prefixes(", exclusions: [{startIP: 10.0.0.9, endIP: 10.0.0.9}]")
    assert "'10.0.0.9-10.0.0.9': rails with segment: host have no exclusions" in told(lost, "exclusion")


GROUPS = """apiVersion: sriovnetwork.openshift.io/v1
kind: SriovNetworkNodeState
metadata: {name: gpu-1, namespace: operators}
spec:
  dpConfigVersion: "9"
  interfaces:
  - {pciAddress: "0000:18:00.0", name: ens1, numVfs: 4, vfGroups: [{resourceName: b, vfRange: 0-3}]}
  - {pciAddress: "0000:3b:00.0", name: ens2, numVfs: 4, vfGroups: [{resourceName: a, vfRange: 0-3}]}
status:
  interfaces:
  - {pciAddress: "0000:18:00.0", deviceID: "1021", vendor: 15b3, name: ens1, linkSpeed: 400000 Mb/s}
  - {pciAddress: "0000:3b:00.0", deviceID: "1021", vendor: 15b3, name: ens2, linkSpeed: 400000 Mb/s}
  - {pciAddress: "0000:04:00.0", deviceID: "165f", vendor: 14e4, name: eno1, linkSpeed: 1000 Mb/s}
"""


def test_resources_of_a_node_whose_policies_no_dump_has() -> None:
    """The state has what the operator made of them; a card that is left out has no speed to tell."""
    result = of_text(GROUPS)
    assert [remark for remark in result.remarks if "no network in the dumps asks" not in remark.text] == []
    (kind,) = data(result)["host_types"].values()
    assert "rails by the order of the resources" in result.text
    assert [kind["hcas"][f"roce{rail}"]["netdev"] for rail in range(2)] == ["ens2", "ens1"]


def test_interfaces_beside_the_name_of_a_shared_resource() -> None:
    config = {"configList": [{"resourceName": "a", "rdmaHcaMax": 9, "devices": ["ens1"]}]}
    plugin = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "p"}}
    state = node_state(
        "gpu-1", [interface("0000:18:00.0", "ens1", 100), interface("0000:3b:00.0", "ens2", 100)]
    )
    dump = listed([state, {**plugin, "data": {"config.json": json.dumps(config)}}])
    result = import_texts({"x.yaml": dump})
    (kind,) = data(result)["host_types"].values()
    assert (kind["hcas"]["roce0"]["netdev"], kind["hcas"]["front-end1"]["netdev"]) == ("ens1", "ens2")
    assert result.remarks == ()


def test_a_resource_that_selects_no_card_is_told() -> None:
    policy = {"apiVersion": "sriovnetwork.openshift.io/v1", "kind": "SriovNetworkNodePolicy"}
    objects = [
        {
            **policy,
            "metadata": {"name": name},
            "spec": {"resourceName": name, "isRdma": True, "nicSelector": {"pfNames": [pf]}},
        }
        for name, pf in (("a", "ens1"), ("b", "ens7"))
    ]
    state = node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])
    found = told(import_texts({"x.yaml": listed([state, *objects])}), "resource 'b'")
    assert found.endswith("resource 'b': it selects no card in the dumps")


def test_networks_that_share_a_pool_share_its_subnet() -> None:
    pool = yaml.safe_load(POOL % "10.0.0.0/24")
    one, two = (attachment({"type": "nv-ipam", "poolName": "p0"}) for _ in range(2))
    two["metadata"]["name"] = "other"
    found = data(import_texts({"x.yaml": listed([pool, one, two])}))
    assert list(found["subnets"]) == ["n"]
    assert {row["subnet"] for row in found["networks"].values()} == {"n"}


def test_a_network_of_some_rails_names_their_hcas() -> None:
    """One network for each rail would be on all of them."""
    cards = [interface(f"0000:{18 + rail}:00.0", f"ens{rail}", 100) for rail in range(2)]
    network = {"apiVersion": "mellanox.com/v1alpha1", "kind": "MacvlanNetwork", "metadata": {"name": "m"}}
    own = {**network, "spec": {"networkNamespace": "a", "master": "ens1"}}
    devices = [nic_device("gpu-1", f"0000:{18 + rail}:00.0", f"ens{rail}", rail=rail) for rail in range(2)]
    found = data(import_texts({"x.yaml": listed([node_state("gpu-1", cards), *devices, own])}))["networks"]
    assert (found["m"]["for_each"], found["m"]["hcas"]) == ("rails", ["roce1"])


def test_a_name_that_no_inventory_can_have_is_asked_about() -> None:
    own = attachment(NV_IPAM)
    own["metadata"]["annotations"] = {"k8s.v1.cni.cncf.io/resourceName": "nvidia.com/rdma-vf"}
    result = import_texts({"x.yaml": listed([own])})
    assert data(result)["networks"]["n"]["resource_name"] == "TODO"
    assert "TODO: rdma-vf is not valid in an inventory" in result.text


@pytest.mark.parametrize(
    ("drivers", "told"), [(("mlx5_core", "vfio-pci", "mlx5_core"), 1), (("vfio-pci",), 0)]
)
def test_a_vf_on_another_driver_than_the_others_is_told(drivers: tuple[str, ...], told: int) -> None:
    """A virtual machine may have it; a policy for all of them says so itself."""
    vfs = [{"vfID": number, "driver": driver} for number, driver in enumerate(drivers)]
    card = interface("0000:18:00.0", "ens1", 100, len(vfs)) | {"Vfs": vfs}
    result = import_texts(
        {"x.yaml": listed([node("gpu-1", {"a": "b"}, 8), node_state("gpu-1", [card])])}, "site"
    )
    lines = [each.text for each in result.remarks if "driver" in each.text]
    what = "VF 1 of gpu-1 ens1 has driver vfio-pci, most have mlx5_core: "
    assert [line.startswith(what) for line in lines] == [True] * told
