"""``netplan import``: LLDP neighbours in each NOS's format, also from sessions with other commands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from netplan.importing.gather import gather
from netplan.importing.recognise import recognised
from netplan.importing.run import Imported, import_texts
from netplan.model.document import Places, SourceMap
from tests.cli_runs import netplan
from tests.dumped_site import fabric_dumps, interface, listed, node, node_state
from tests.test_import import FILES, data, refused

NODES = listed(
    [node("gpu-1", {"kind": "a"}, 8), node_state("gpu-1", [interface("0000:18:00.0", "ens1", 100)])]
)
EOS = "! Command: show running-config\n! device: leaf-1 (DCS-7060X6-64PE, EOS-4.33.1F)\nhostname leaf-1\n"
NXOS = "!Command: show running-config\nhostname leaf-1\n"
NVUE = "- header:\n    model: MSN4700\n- set:\n    system:\n      hostname: leaf-1\n    interface:\n"
SWP = "      {}:\n        type: swp\n        link:\n          mtu: 9216\n"
JUNOS = "set version 23.4R2\nset system host-name leaf-1\n"


def eos_detail(port: str, system: str, kind: str, ident: str, text: str, bridge: bool) -> dict[str, Any]:
    far = {"interfaceIdType": kind, "interfaceId": ident, "interfaceDescription": text, "unknownTlvs": []}
    one = {
        "systemCapabilities": {"bridge": bridge, "router": False},
        "neighborInterfaceInfo": far,
        "chassisId": "0c42.a100.0009",
        "systemName": system,
    }
    return {port: {"lldpNeighborInfo": [one]}}


def nxos_row(port: str, system: str, ident: str, can: str, **more: str) -> dict[str, str]:
    return {"l_port_id": port, "port_id": ident, "enabled_capability": can, "sys_name": system, **more}


def junos_row(
    local: dict[str, str], system: str, kind: str, ident: str, text: str, can: str
) -> dict[str, Any]:
    row = {
        **local,
        "lldp-remote-port-id-subtype": kind,
        "lldp-remote-port-id": ident,
        "lldp-remote-port-description": text,
        "lldp-remote-system-name": system,
        "lldp-remote-system-capabilities-enabled": can,
    }
    return {key: [{"data": value}] for key, value in row.items()}


def nvue_port(port: str, system: str, far: dict[str, str], **can: str) -> dict[str, Any]:
    one = {"chassis": {"system-name": system, "capability": can}, "port": far}
    lldp = {"dcbx-pfc-tlv": "off", "application-tlv": {"app": {}}, "neighbor": {system: one}}
    return {port: {"link": {"speed": "100G"}, "lldp": lldp, "type": "swp"}}


HOST = "gpu-1.example.com"
NXOS_ROWS = [
    nxos_row("Eth1/1", HOST, "0c42.a100.0001", "S", port_desc="ens1"),
    nxos_row("Eth1/2", "spine-1", "Ethernet1/9", "B, R", port_desc="to leaf-1"),
    nxos_row("mgmt0", "oob", "Gi0/3", "B", port_desc="not advertised"),
]
BRIEF = [
    {"l_port_id": "Eth1/1", "chassis_id": "gpu-1", "port_id": "ens1", "enabled_capability": "S"},
    {"l_port_id": "Eth1/2", "chassis_id": "spine-1", "port_id": "Ethernet1/9", "enabled_capability": "BR"},
]
SHAPES: dict[str, tuple[str, str, Any, str]] = {
    "eos": (
        EOS + "interface Ethernet1/1\n   mtu 9214\ninterface Ethernet2/1\n   mtu 9214\n",
        "Ethernet1/1",
        {
            "lldpNeighbors": {
                "Ethernet9/1": {"lldpNeighborInfo": []},
                **eos_detail("Ethernet1/1", HOST, "macAddress", "0c42.a100.0001", "ens1", False),
                **eos_detail("Ethernet2/1", "spine-1", "interfaceName", '"Ethernet9/1"', "to leaf-1", True),
            }
        },
        "Ethernet9/1",
    ),
    "eos-brief": (
        EOS + "interface Ethernet1\n   mtu 9214\n",
        "Ethernet1",
        {
            "tablesLastChangeTime": 1448356585.4,
            "tablesAgeOuts": 0,
            "lldpNeighbors": [
                {"ttl": 120, "neighborDevice": "gpu-1", "neighborPort": "ens1", "port": "Ethernet1"}
            ],
        },
        "",
    ),
    "nxos": (
        NXOS + "interface Ethernet1/1\n  mtu 9216\ninterface Ethernet1/2\n  mtu 9216\n",
        "Ethernet1/1",
        {"neigh_count": "3", "TABLE_nbor_detail": {"ROW_nbor_detail": NXOS_ROWS}},
        "Ethernet1/9",
    ),
    "nxos-one": (
        NXOS + "interface Ethernet1/1\n  mtu 9216\n",
        "Ethernet1/1",
        {"TABLE_nbor_detail": {"ROW_nbor_detail": NXOS_ROWS[0]}},
        "",
    ),
    "nxos-brief": (
        NXOS + "interface Ethernet1/1\n  mtu 9216\ninterface Ethernet1/2\n  mtu 9216\n",
        "Ethernet1/1",
        {"neigh_hdr": "neigh_hdr", "TABLE_nbor": {"ROW_nbor": BRIEF}, "neigh_count": "2"},
        "Ethernet1/9",
    ),
    "nvue": (
        NVUE + SWP.format("swp1") + SWP.format("swp2"),
        "swp1",
        {
            "eth0": {"type": "eth", "lldp": {}},
            **nvue_port("swp1", HOST, {"name": "0c:42:a1:00:00:01", "type": "ifname", "description": "ens1"}),
            **nvue_port("swp2", "spine-1", {"name": "swp9"}, **{"is-bridge": "on"}),
        },
        "swp9",
    ),
    "junos": (
        JUNOS + "set interfaces et-0/0/1 mtu 9216\nset interfaces et-0/0/2 mtu 9216\n",
        "et-0/0/1",
        {
            "lldp-neighbors-information": [
                {
                    "attributes": {"junos:style": "detail"},
                    "lldp-neighbor-information": [
                        junos_row(
                            {"lldp-local-interface": "et-0/0/1.0", "lldp-local-port-id": "600"},
                            HOST,
                            "Mac address",
                            "0c:42:a1:00:00:01",
                            "ens1",
                            "Station Only",
                        ),
                        junos_row(
                            {"lldp-local-port-id": "et-0/0/2"},
                            "spine-1",
                            "Locally assigned",
                            "588",
                            "et-0/0/9",
                            "Bridge Router ",
                        ),
                    ],
                }
            ]
        },
        "et-0/0/9",
    ),
}


def taken(config: str, heard: Any, name: str = "leaf-1.lldp.json") -> Imported:
    text = heard if isinstance(heard, str) else json.dumps(heard, indent=1)
    return import_texts({"nodes.yaml": NODES, "leaf-1.cfg.txt": config, name: text}, "site")


@pytest.mark.parametrize("shape", SHAPES)
def test_neighbours_of_each_nos_are_its_cables(shape: str) -> None:
    config, port, heard, far = SHAPES[shape]
    result = taken(config, heard)
    found = data(result)
    assert [(r["hosts"], r["switch"], r["ports"]) for r in found["links"] if "hosts" in r] == [
        ("gpu-1", "leaf-1", port)
    ]
    assert "ens1" in result.text
    if far:
        assert "spine-1" in found["switches"]
        (between,) = [row for row in found["links"] if "hosts" not in row]
        assert far in between.values()
        assert "spine-1" in between.values()
    assert result.problems == ()


def heard_of(*texts: str) -> list[tuple[tuple[str, ...], list[tuple[str, str, tuple[str, ...]]]]]:
    files = {f"x-{number}": text for number, text in enumerate(texts)}
    found = gather(files, Places(SourceMap())).heard
    return [
        (one.speaker[:1], [(n.port, n.system, n.names) for n in one.neighbours])
        for parts in found.values()
        for one in parts
    ]


TABLE = """LocalPort    RemoteDevice    RemotePortID       Capability    RemotePortDescr
-----------  --------------  -----------------  ------------  -----------------
Ethernet0    gpu-1           0c:42:a1:00:00:01  O             ens1
-----------------------------------------------------------------------------
Total entries displayed:  1
"""
STATUS = "\n".join(
    [
        "  Interface        Lanes    Speed    MTU    Oper",
        "-----------  -----------  -------  -----  ------",
        *(f"  Ethernet{n}  {n},{n + 1},{n + 2}     100G   9100      up" for n in range(0, 512, 4)),
        "",
    ]
)


def test_other_tables_of_a_session_are_no_neighbours() -> None:
    """The table may come after other output, and be followed by another one without a gap."""
    session = (
        f"admin@leaf-1:~$ show interfaces status\n{STATUS}admin@leaf-1:~$ show lldp table\n{TABLE}{STATUS}"
    )
    neighbour = [("Ethernet0", "gpu-1", ("ens1", "0c:42:a1:00:00:01"))]
    assert heard_of(session) == [(("leaf-1",), neighbour)]
    assert heard_of(f"{TABLE}{STATUS}") == [(("x-0",), neighbour)]


def test_each_table_of_a_session_is_of_the_prompt_before_it() -> None:
    """The prompt of the machine that connected to a switch does not name the switch."""
    session = f"admin@leaf-1:~$ show lldp table\n{TABLE}admin@leaf-2:~$ sudo show lldp table\n{TABLE}"
    assert [who for who, _ in heard_of(session)] == [("leaf-1",), ("leaf-2",)]
    assert heard_of(f"me@jump:~$ ssh leaf-1 show lldp table\n{TABLE}")[0][0] == ("x-0",)


RULE = "-" * 79
LLDPCTL = f"""cumulus@leaf-1:mgmt:~$ sudo lldpcli show neighbors
{RULE}
LLDP neighbors:
{RULE}
Interface:    swp1, via: LLDP, RID: 8, Time: 0 day, 01:48:33
  Chassis:     
    ChassisID:    mac 0c:42:a1:00:00:09
    SysName:      gpu-1
    SysDescr:     two lines
                  SysName:      spine-9
    Capability:   Bridge, off
    Capability:   Router, off
  Port:        
    PortID:       mac 0c:42:a1:00:00:01
    PortDescr:    ens1
    TTL:          120
{RULE}
Interface:    swp2, via: LLDP, RID: 9, Time: 0 day, 00:07:57
  Chassis:     
    ChassisID:    mac 0c:42:a1:00:00:0a
    SysName:      spine-1
    Capability:   Bridge, on
  Port:        
    PortID:       ifname swp9
    PortDescr:    to leaf-1
  LLDP-MED:
    Capability:   capabilities, yes
{RULE}
"""  # noqa: W291  as printed by lldpctl


def test_what_lldpctl_prints_for_people() -> None:
    neighbours = [("swp1", "gpu-1", ("ens1", "0c:42:a1:00:00:01")), ("swp2", "spine-1", ("swp9",))]
    assert heard_of(LLDPCTL) == [(("leaf-1",), neighbours)]
    (heard,) = gather({"x": LLDPCTL}, Places(SourceMap())).heard["x"]
    assert [one.switching for one in heard.neighbours] == [False, True]
    found = data(taken(NVUE + SWP.format("swp1") + SWP.format("swp2"), LLDPCTL, "x.txt"))
    assert [(r["switch"], r["ports"]) for r in found["links"] if "hosts" in r] == [("leaf-1", "swp1")]


def test_a_host_that_printed_its_neighbours_is_no_switch() -> None:
    text = LLDPCTL.replace("cumulus@leaf-1:mgmt:~$ sudo lldpcli show neighbors", "root@gpu-7:~# lldpctl")
    assert "gpu-7" not in data(import_texts({"nodes.yaml": NODES, "x.txt": text}, "site")).get("switches", {})


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"lldp": {}, "ip": {}}}',
        '{"apiVersion": "v1", "kind": "List", "items": [{"lldp": {"neighbor": {"x": {"y": 1}}}}]}',
        '{"PORT": {"Ethernet0": {"lldp": "{\\"neighbor\\": {\\"x\\": {}}}"}}}',
        '["lldpNeighbors", {"lldpNeighbors": {}}]',
    ],
)
def test_what_only_speaks_of_lldp_is_no_neighbours(text: str) -> None:
    assert recognised(text) != "lldp_switch"


ODD: tuple[Any, ...] = (None, True, -1, "", "x", "0" * 50, [], {}, [[]], {"x": 1}, ["x"])


def _changed(value: Any, number: int) -> Iterator[Any]:
    """Copies of a value, each with one part replaced."""
    yield ODD[number % len(ODD)]
    if isinstance(value, dict):
        for step, key in enumerate(value):
            for other in _changed(value[key], number + step + 1):
                yield {**value, key: other}
    elif isinstance(value, list):
        for step, one in enumerate(value):
            for other in _changed(one, number + step + 1):
                yield [*value[:step], other, *value[step + 1 :]]


@pytest.mark.parametrize("shape", SHAPES)
def test_any_part_may_be_anything(shape: str) -> None:
    heard = SHAPES[shape][2]
    tried = 0
    for start in range(len(ODD)):
        for changed in _changed(heard, start):
            gather({"leaf-1.json": json.dumps(changed)}, Places(SourceMap()))
            tried += 1
    assert tried > 60


def test_odd_parts_end_in_an_inventory() -> None:
    for config, _, heard, _ in SHAPES.values():
        for number, changed in enumerate(_changed(heard, 3)):
            if number % 9 == 1:
                assert data(taken(config, changed))["version"] == 1


@pytest.mark.parametrize(
    "text",
    ['{"lldpNeighbors": {', '{"TABLE_nbor": {}, "TABLE_nbor": {"ROW_nbor": []}}', '{"lldpNeighbors": [' * 90],
)
def test_broken_files_have_their_place(text: str, tmp_path: Any) -> None:
    (tmp_path / "nodes.yaml").write_text(NODES)
    (tmp_path / "leaf-1.json").write_text(text)
    status, _, err = netplan("import", str(tmp_path))
    assert status == 1
    assert f"{tmp_path}/leaf-1.json:1:" in err


TWO = listed(
    [
        part
        for number in (1, 2)
        for part in (
            node(f"gpu-{number}", {"kind": "a"}, 8),
            node_state(
                f"gpu-{number}", [interface("0000:18:00.0", "ens1", 100, mac=f"b8:59:9f:00:00:0{number}")]
            ),
        )
    ]
)


@pytest.mark.parametrize(
    ("system", "text", "wanted"),
    [
        (
            "gpu-1",
            "ens1",
            "port leaf-1 Ethernet1/1, peer: card, gpu-1, 0000:18:00.0 (leaf-1.json:1) or card, gpu-2, ",
        ),
        (
            "gpu-1",
            "ens9",
            "port leaf-1 Ethernet1/1, peer: card, gpu-2, 0000:18:00.0 (leaf-1.json:1) or card, gpu-1, ens9",
        ),
        ("node-2", "ens1", "node gpu-2, name: gpu-2 (nodes.yaml:"),
        ("gpu-2", "ens1", ""),
        ("", "ens1", ""),
    ],
)
def test_an_entry_that_contradicts_itself(system: str, text: str, wanted: str) -> None:
    """The system name says one host, the MAC address of the port ID another."""
    heard = {
        "lldpNeighbors": eos_detail("Ethernet1/1", system, "macAddress", "b8:59:9f:00:00:02", text, False)
    }
    result = import_texts(
        {"nodes.yaml": TWO, "leaf-1.cfg.txt": SHAPES["eos"][0], "leaf-1.json": json.dumps(heard)}, "site"
    )
    found = [str(conflict) for conflict in result.conflicts]
    assert [each[: len(wanted)] for each in found] == ([wanted] if wanted else [])
    hosts = [row["hosts"] for row in data(result)["links"]]
    assert hosts == (["TODO"] if system == "gpu-1" else ["gpu-2", "gpu-1"])
    assert data(result)["links"][-1]["switch"] == ("leaf-1" if system == "gpu-1" else "TODO")
    if system == "node-2":
        assert found[0].endswith(" or node-2 (leaf-1.json:1)")


def test_hosts_without_a_cable_are_asked_about() -> None:
    """One host of two is heard: NP826 wants a cable of the other one too."""
    heard = {
        "lldpNeighbors": eos_detail("Ethernet1/1", "gpu-2", "macAddress", "b8:59:9f:00:00:02", "ens1", False)
    }
    texts = {"nodes.yaml": TWO, "leaf-1.cfg.txt": SHAPES["eos"][0], "leaf-1.json": json.dumps(heard)}
    result = import_texts(texts, "site")
    (note,) = result.notes
    assert note.startswith("no dump has the cables of 1 HCA of gpu-1, others have one (leaf-1.json:1); dump")
    (row,) = (row for row in data(result)["links"] if row["hosts"] == "gpu-1")
    assert row == {"hosts": "gpu-1", "hca": "roce0", "switch": "TODO", "ports": "TODO", "cable_m": "TODO"}
    (line,) = (line for line in result.text.splitlines() if "TODO: switch, ports and cable_m" in line)
    assert result.text.splitlines().index(line) + 1 in refused(result.text)
    nothing = import_texts({"nodes.yaml": TWO, "leaf-1.cfg.txt": SHAPES["eos"][0]}, "site")
    assert nothing.notes == ()
    assert "links" not in data(nothing)


def test_a_table_of_sonic_that_is_cut_off() -> None:
    """Its rows are cables, but those that are missing would be taken for none."""
    whole = fabric_dumps(FILES)["leaf-1.txt"]
    short = whole[: whole.index("\n---", whole.index("Ethernet")) - 20]
    assert import_texts({"leaf-1.txt": whole}).broken == ()
    (why,) = import_texts({"leaf-1.txt": short}).broken
    assert why.startswith('leaf-1.txt: a table of LLDP neighbours ends before "Total entries displayed"')
