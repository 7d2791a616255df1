"""Split ports, LLDP, DCBX, hash seed, adaptive routing: the plan and the configuration of each NOS."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.model.nos import FEATURES, PROOFS
from netplan.model.switching import SwitchPlan
from tests.nos_site import commands, nos_site
from tests.split_site import NIC, PARTS, split_site
from tests.switch_site import Site, profiles, site
from tests.vendors.grammar import grammar
from tests.vendors.sites import PORTS

ADAPTIVE: dict[str, Any] = {"fabric__adaptive_routing": True, "host_types__gpu__hcas": {"roce[0-3]": NIC}}
COMMENTS = {"cumulus-nvue": "#", "onyx": "##", "juniper-junos": "#", "h3c-comware": "#"}


def text(planned: Site, switch: str = "leaf-1") -> str:
    return "\n".join(text for name, text in planned.files(switch).items() if name.endswith(".txt"))


SPLIT_LINES = {
    "arista-eos": ("   speed 200g-4", 16),
    "cumulus-nvue": ("nv set interface swp8 link breakout 2x", 1),
    "cisco-nxos": ("interface breakout module 1 port 8 map 200g-2x", 1),
    "dell-os10": ("! confirm on the switch: interface breakout 1/1/8 map 200g-2x", 1),
    "h3c-comware": ("# confirm on the switch: split port 1/0/8 with the command using, into 2 x 200 Gb/s", 1),
    "huawei-vrp": (
        "! confirm on the switch: port split dimension interface <port 1/0/8> split-type 2*200GE",
        1,
    ),
    "juniper-junos": ("set interfaces et-0/0/8 number-of-sub-ports 2", 1),
    "onyx": (
        "## confirm on the switch: interface ethernet 1/8 module-type qsfp-split-2 force, 200 Gb/s each",
        1,
    ),
}


@pytest.mark.parametrize("nos", sorted(PARTS))
def test_eight_ports_are_split_in_two(nos: str) -> None:
    leaf = split_site(nos).switch("leaf-1")
    assert len(leaf.physical) == 16
    assert {(p.parts, p.part_gbps, p.part_lanes, len(p.members)) for p in leaf.breakouts} == {(2, 200, 4, 2)}
    assert len(leaf.breakouts) == 8
    assert split_site(nos).switch("spine-1").breakouts == ()


@pytest.mark.parametrize("nos", sorted(SPLIT_LINES))
def test_each_nos_is_told_of_the_split(nos: str) -> None:
    line, count = SPLIT_LINES[nos]
    assert text(split_site(nos)).splitlines().count(line) == count
    assert "| 2 | 200 |" in split_site(nos).files("leaf-1")["README.md"]


@pytest.mark.parametrize("nos", sorted(PORTS.keys() & PARTS))
def test_the_lines_of_split_ports_are_in_the_grammar(nos: str) -> None:
    planned = split_site(nos, fabric__adaptive_routing=True)
    for switch in ("leaf-1", "spine-1"):
        assert grammar(nos).refused(text(planned, switch)) == []


def test_sonic_is_told_nothing_of_lanes() -> None:
    files = split_site("sonic").files("leaf-1")
    assert 'lanes"' not in files["interfaces.json"]
    assert "BREAKOUT_CFG" not in files["interfaces.json"]
    assert "- port splitting: ports are split by the SKU" in files["README.md"]


def test_a_split_that_no_source_has_is_a_comment() -> None:
    planned = split_site("cisco-nxos", speed=50)
    assert "\ninterface breakout module 1 port 1 map 50g-2x\n" in text(planned)
    planned = split_site("cisco-nxos", speed=400)  # 800 Gb/s ports of NX-OS 10.6
    assert "\ninterface breakout module 1 port 1 map 400g-2x\n" in text(planned)
    planned = split_site("dell-os10")
    assert [g.feature for g in planned.switch("leaf-1").unconfirmed][-1] == "breakout"


@pytest.mark.parametrize(
    ("ports", "parts"),
    [("swp1s0", 2), ("swp1s[0-1]", 2), ("swp1s2", 4), ("swp1s[0-3]", 4), ("swp1s4", 8), ("swp1", 1)],
)
def test_the_smallest_split_that_has_the_part(ports: str, parts: int) -> None:
    assert _one_port("cumulus-nvue", "spectrum-4", ports).physical[0].parts == parts


@pytest.mark.parametrize(
    ("ports", "parts"),
    [
        ("Ethernet1/1", 1),
        ("Ethernet1/5", 2),
        ("Ethernet1/[1-5/4]", 2),
        ("Ethernet1/3", 4),
        ("Ethernet1/[1-7/2]", 4),
        ("Ethernet1/2", 8),
    ],
)
def test_parts_named_by_lane_give_the_split(ports: str, parts: int) -> None:
    assert _one_port("arista-eos", "tomahawk5", ports).physical[0].parts == parts


def test_a_name_beyond_the_lanes_is_a_port_of_its_own() -> None:
    """Ethernet3/9 is port 9 of line card 3."""
    leaf = _one_port("arista-eos", "tomahawk5", "Ethernet3/[9-12]")
    assert [p.name for p in leaf.physical] == ["Ethernet3/9", "Ethernet3/10", "Ethernet3/11", "Ethernet3/12"]


@pytest.mark.parametrize(
    ("ports", "names"), [("Ethernet[0-4/4]", ["Ethernet0"]), ("Ethernet[0-8/8]", ["Ethernet0", "Ethernet8"])]
)
def test_sonic_names_count_lanes_over_the_switch(ports: str, names: list[str]) -> None:
    assert [p.name for p in _one_port("sonic", "spectrum-4", ports).physical] == names


def test_without_known_lanes_lane_names_say_nothing() -> None:
    leaf = _one_port("sonic", "spectrum-4", "Ethernet[0-4/4]", lanes=None)
    assert [p.parts for p in leaf.physical] == [1, 1]


def _one_port(nos: str, asic: str, ports: str, lanes: int | None = 8) -> SwitchPlan:
    box: dict[str, Any] = {"asic": asic, "ports": 64, "speeds_gbps": [100, 800], "host_table": 16384}
    box |= {"source": "https://example.com/box"} | ({"lanes": lanes} if lanes else {})
    count = len(range(*_bounds(ports))) if "[" in ports else 1
    hosts = f"gpu-[001-{count:03}]" if count > 1 else "gpu-001"
    link = {"hosts": hosts, "hca": "roce0", "switch": "leaf-1", "ports": ports, "cable_m": 5}
    planned = site(
        catalog={"switches": {"box": box}},
        switch_types__leaf={"nos": nos, "model": "box", "port_mtu": 9000},
        links=[link],
    )
    return planned.switch("leaf-1")


def _bounds(ports: str) -> tuple[int, int, int]:
    first, last = ports.split("[")[1].rstrip("]").split("-")
    last, _, step = last.partition("/")
    return int(first), int(last) + 1, int(step or 1)


def test_tiers_have_different_seeds() -> None:
    planned = nos_site("cumulus-nvue", "swp", "spectrum-2")
    assert {s.role: s.hash_seed for s in planned.switches} == {"leaf": 10, "spine": 20}
    for name, seed in (("leaf-1", 10), ("spine-2", 20)):
        assert f"nv set system forwarding hash-seed {seed}\n" in text(planned, name)


def test_nxos_takes_the_seed_as_universal_id() -> None:
    planned = nos_site("cisco-nxos", "Ethernet1/", "cloud-scale")
    line = "ip load-sharing address source-destination port source-destination universal-id"
    assert f"{line} 10\n" in text(planned)
    assert f"{line} 20\n" in text(planned, "spine-1")


def test_junos_has_the_seed_as_a_candidate_in_a_comment() -> None:
    told = text(nos_site("juniper-junos", *PORTS["juniper-junos"]), "spine-1")
    line = "set forwarding-options enhanced-hash-key hash-seed 20"
    assert [found for found in told.splitlines() if "seed" in found] == [f"# confirm on the switch: {line}"]


@pytest.mark.parametrize("nos", ["arista-eos", "dell-os10", "h3c-comware", "onyx"])
def test_elsewhere_the_seed_is_a_comment_with_its_value(nos: str) -> None:
    planned = nos_site(nos, *PORTS[nos])
    assert "confirm on the switch: ECMP hash seed 20," in text(planned, "spine-1")
    comment = COMMENTS.get(nos, "!")
    assert [line for line in commands(text(planned, "spine-1"), comment) if "seed" in line] == []


def test_a_switch_without_bgp_has_no_seed() -> None:
    planned = site(underlay=None, rails__segment="stretched", rails__gateway="none")
    assert {s.hash_seed for s in planned.switches} == {0}
    assert "hash_seed" not in {name for name, _ in planned.switch("leaf-1").notes}


def test_sonic_says_what_its_seed_follows() -> None:
    assert "hash_seed" in {name for name, _ in site().switch("leaf-1").notes}
    assert (
        "confirm on the switch that leaves and spines have different types"
        in site().files("leaf-1")["README.md"]
    )


def test_adaptive_routing_is_on_the_routed_ports_between_switches() -> None:
    planned = split_site("cumulus-nvue", fabric__adaptive_routing=True)
    for name in ("leaf-1", "spine-1"):
        switch = planned.switch(name)
        between = [p.name for p in switch.ports if p.kind != "host"]
        told = [line.split()[3] for line in text(planned, name).splitlines() if "adaptive-routing" in line]
        assert told == ["adaptive-routing", *between]
        assert between == list(switch.adaptive)
        assert len(between) in (8, 16)


def test_routed_host_ports_have_no_adaptive_routing() -> None:
    planned = split_site(
        "cumulus-nvue",
        fabric__adaptive_routing=True,
        rails__segment="host",
        rails__prefixes=[31],
        rails__vlan_ids=None,
    )
    leaf = planned.switch("leaf-1")
    assert all(p.routed for p in leaf.ports)
    assert len(leaf.adaptive) == 8


def test_adaptive_routing_is_off_unless_asked_for() -> None:
    planned = split_site("cumulus-nvue")
    assert planned.switch("leaf-1").adaptive == ()
    assert "adaptive" not in text(planned)


def test_an_asic_without_adaptive_routing_is_named() -> None:
    planned = nos_site("cumulus-nvue", "swp", "spectrum-2", **ADAPTIVE)
    (gap,) = planned.switch("leaf-1").missing
    assert (gap.feature, gap.needed, gap.asked_by) == ("adaptive_routing", True, "fabric.adaptive_routing")
    assert gap.reason == "cumulus-nvue does not support it on spectrum-2, the ASIC of box"
    assert "adaptive-routing" not in text(planned)


def test_a_speed_without_adaptive_routing_is_named() -> None:
    links = [
        link | ({"speed_gbps": 100} if "to" in link else {}) for link in _links(split_site("cumulus-nvue"))
    ]
    planned = split_site("cumulus-nvue", fabric__adaptive_routing=True, links=links)
    (gap,) = planned.switch("leaf-1").missing
    assert gap.reason == "it works on ports of 200, 400 Gb/s, those to other switches run at 100"
    assert planned.switch("leaf-1").adaptive == ()


def _links(planned: Site) -> list[dict[str, Any]]:
    fabric = planned.fabric
    hosts: list[dict[str, Any]] = [
        {
            "hosts": k.host.name,
            "hca": k.hca.name,
            "switch": k.switch.name,
            "ports": k.port,
            "cable_m": k.cable_m,
        }
        for k in fabric.host_links
    ]
    return hosts + [
        {
            "switches": k.lower.name,
            "ports": k.lower_port,
            "to": k.upper.name,
            "to_ports": k.upper_port,
            "cable_m": 5,
        }
        for k in fabric.switch_links
    ]


@pytest.mark.parametrize(
    ("nos", "line"),
    [
        ("arista-eos", "! confirm on the switch: ip hardware fib load-balance distribution dynamic, for "),
        ("cisco-nxos", "! confirm on the switch, under hardware profile dlb: dlb-interface "),
    ],
)
def test_unconfirmed_load_balancing_is_a_comment_with_its_ports(nos: str, line: str) -> None:
    planned = split_site(nos, fabric__adaptive_routing=True)
    leaf = planned.switch("leaf-1")
    assert len(leaf.adaptive) == 8
    (told,) = [found for found in text(planned).splitlines() if found.startswith(line)]
    assert told.removeprefix(line).replace(" ", "").split(",") == list(leaf.adaptive)
    assert "adaptive_routing" in {gap.feature for gap in leaf.unconfirmed}


def test_junos_spreads_packets_on_the_asic_that_juniper_shows_it_on() -> None:
    line = "set forwarding-options enhanced-hash-key ecmp-dlb per-packet"
    planned = split_site("juniper-junos", fabric__adaptive_routing=True)
    assert text(planned).splitlines().count(line) == 1
    assert len(planned.switch("leaf-1").adaptive) == 8
    older = nos_site("juniper-junos", "et-0/0/", "tomahawk3", fabric__adaptive_routing=True)
    assert line not in text(older).splitlines()
    reasons = {gap.feature: gap.reason for gap in older.switch("leaf-1").missing}
    assert reasons["adaptive_routing"] == "juniper-junos does not support it on tomahawk3, the ASIC of box"


@pytest.mark.parametrize("nos", ["dell-os10", "h3c-comware", "onyx", "sonic"])
def test_a_nos_without_adaptive_routing_says_so(nos: str) -> None:
    leaf = split_site(nos, fabric__adaptive_routing=True).switch("leaf-1")
    assert "adaptive_routing" in {gap.feature for gap in leaf.missing}
    assert leaf.adaptive == ()


LLDP = {
    "arista-eos": "lldp run",
    "cisco-nxos": "feature lldp",
    "dell-os10": "lldp enable",
    "h3c-comware": "lldp global enable",
    "huawei-vrp": "lldp enable",
    "juniper-junos": "set protocols lldp interface et-0/0/1",
    "onyx": "lldp",
}


@pytest.mark.parametrize("nos", sorted(LLDP))
@pytest.mark.parametrize("qos", [True, False])
def test_lldp_is_on_with_and_without_qos(nos: str, qos: bool) -> None:
    changes: dict[str, Any] = {} if qos else {"fabric__qos": None}
    planned = nos_site(nos, *PORTS[nos], **changes)
    assert text(planned).splitlines().count(LLDP[nos]) == 1


def test_cumulus_announces_pfc_on_lossless_ports_only() -> None:
    planned = nos_site("cumulus-nvue", "swp", "spectrum-2")
    told = [line for line in text(planned).splitlines() if line.endswith("lldp dcbx-pfc-tlv on")]
    assert len(told) == len(planned.switch("leaf-1").lossless_ports) == 24
    assert "dcbx" not in text(nos_site("cumulus-nvue", "swp", "spectrum-2", fabric__qos=None))


def test_junos_sets_pfc_as_its_own_profile_says_on_lossless_ports_only() -> None:
    planned = nos_site("juniper-junos", *PORTS["juniper-junos"])
    told = [line for line in text(planned).splitlines() if " dcbx " in line]
    ports = [port.name for port in planned.switch("leaf-1").lossless_ports]
    off = "priority-flow-control no-auto-negotiation"
    assert told == [f"set protocols dcbx interface {port} {off}" for port in ports]


@pytest.mark.parametrize("nos", ["dell-os10", "onyx"])
def test_dcbx_is_to_be_confirmed(nos: str) -> None:
    planned = nos_site(nos, *PORTS[nos])
    assert "dcbx" in {gap.feature for gap in planned.switch("leaf-1").unconfirmed}
    assert [
        line
        for line in text(planned).splitlines()
        if "confirm on the switch" in line and "dcbx" in line.lower()
    ]


@pytest.mark.parametrize("nos", sorted(profiles()))
def test_what_confirms_a_feature_is_said_of_features_there_are(nos: str) -> None:
    """A feature confirmed by a tool is supported, is not a comment, and is in only one list."""
    import yaml

    profile = profiles()[nos]
    lists = yaml.safe_load((_folder(nos) / "nos.yaml").read_text()).get("confirmed_by", {})
    named = [feature for features in lists.values() for feature in features]
    assert len(named) == len(set(named))
    assert set(lists) <= set(PROOFS)
    assert set(named) <= {f for f in FEATURES if not profile.supports[f]}
    for table in (profile.unconfirmed, profile.notes):
        assert set(table) <= {f for f in FEATURES if not profile.supports[f]}
    assert not set(profile.notes) & set(profile.unconfirmed)


def _folder(nos: str) -> Any:
    from netplan.nos import switch_folder

    return switch_folder() / nos
