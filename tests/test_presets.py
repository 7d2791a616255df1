"""``init --preset``: catalog systems in a dimensioned fabric; inventories are valid, cables add up."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from netplan.diagnostics import Severity
from netplan.model.ranges import expand
from netplan.nos import load_nos
from netplan.pipeline import compile_texts
from netplan.presets.answer import PresetAnswer, Switches, answer
from netplan.presets.ask import Ask
from netplan.presets.cables import host_rows, switch_rows
from netplan.presets.page import inventory_text
from netplan.presets.systems import extended, known
from tests.cli_runs import netplan

READY = sorted(name for name, row in known().hosts.items() if not row.lacks)
ROCE = [name for name in READY if "roce" in known().hosts[name].fabrics]
SWITCHES = {
    "sn5600 sonic": {},
    "sn5600 cumulus-nvue": {},
    "sn5610 cumulus-nvue": {},
    "sn4700 sonic": {},
    "7060x6 arista-eos": {"host_table": 100_000},
    "z9864f sonic": {"host_table": 100_000},
    "qfx5240 juniper-junos": {"host_table": 100_000, "queue_bytes": 3_000_000},
    "s9827-128dh h3c-comware": {"host_table": 100_000},
}
ACCEPTED = {"h3c-comware": {"NP420"}}
"""Accepted warnings: no PFC watchdog command is confirmed, so the inventory states no watchdog."""


def asked(preset: str, hosts: int, switches: str = "", **more: Any) -> Ask:
    leaf, _, nos = switches.partition(" ")
    own = SWITCHES.get(switches, {})
    return Ask(**{"preset": preset, "site": "", "hosts": hosts, "leaf": leaf, "nos": nos, **own, **more})


Cable = tuple[str, str, str, str]


def good(ask: Ask) -> PresetAnswer:
    found = answer(ask, known())
    assert isinstance(found, PresetAnswer), found
    return found


def switches_of(ask: Ask) -> Switches:
    found = good(ask).switches
    assert found is not None
    return found


def problems(ask: Ask) -> str:
    found = answer(ask, known())
    assert not isinstance(found, PresetAnswer)
    return "; ".join(f"{misfit.problem}; {misfit.hint}" for misfit in found)


CASES = [
    asked("hgx-h100", 16, "sn5600 sonic"),
    asked("dgx-h100", 128, "sn5600 cumulus-nvue", segment="leaf", hosts_per_leaf=32),
    asked("mi300x-thor2", 4, "7060x6 arista-eos", rails_per_leaf=8),
    asked("mi355x-pollara", 16, "qfx5240 juniper-junos", spine="none"),
    asked("aws-p5", 16),
    asked("azure-nd-h100-v5", 4),
    asked("gb200-nvl72", 18, fabric="infiniband"),
    asked("hgx-b200", 4, fabric="infiniband", pci=tuple(f"0000:{n:02x}:00.0" for n in range(1, 9))),
    asked("gb200-nvl72", 18, "sn5610 cumulus-nvue", vfs=8),
    asked("gb300-nvl72", 16, "sn5600 sonic"),
    asked("hgx-h100", 4, "qfx5240 juniper-junos", queue_bytes=1_515_152),
    asked("mi300x-pollara", 128, "s9827-128dh h3c-comware"),
    asked("mi355x-thor2", 37, "z9864f sonic", oversubscription=Fraction(3, 2), rails_per_leaf=2),
    asked("hgx-h200", 33, "sn4700 sonic"),
    asked("dgx-b200", 100, "sn5600 sonic", uplink_gbps=800, oversubscription=Fraction(2), hca="connectx-7"),
    *(asked(name, 4) for name in READY if name.startswith("aws-")),
]


@pytest.mark.sample(5)
@pytest.mark.parametrize("ask", CASES, ids=lambda a: f"{a.preset}-{a.hosts}-{a.leaf}{a.fabric}")
def test_what_a_preset_writes_is_valid(ask: Ask) -> None:
    result = compile_texts({"site.yaml": inventory_text(good(ask))})
    told = [d for d in result.diagnostics if d.severity > Severity.INFO]
    assert [d for d in told if d.code not in ACCEPTED.get(ask.nos, set())] == []
    assert result.artifacts


@pytest.mark.parametrize(
    "ask",
    [
        asked("dgx-h100", 2, "sn5600 sonic", rails=1),
        asked("gb200-nvl72", 2, fabric="infiniband", rails=1),
        asked("hgx-h100", 2, "sn5600 sonic", rails=1, pci=("0000:19:00.0",)),
    ],
    ids=lambda ask: ask.preset,
)
def test_one_rail_is_one_key(ask: Ask) -> None:
    result = compile_texts({"site.yaml": inventory_text(good(ask))}, upto="plan")
    assert [d for d in result.diagnostics if d.severity > Severity.INFO] == []
    assert result.plan is not None
    (hca,) = result.plan.fabric.hosts[0].type.hcas
    assert hca.pci is not None


@pytest.mark.full
def test_a_thousand_hosts_are_valid() -> None:
    text = inventory_text(good(asked("hgx-h200", 1024, "sn5600 sonic")))
    result = compile_texts({"site.yaml": text}, upto="plan")
    assert [d for d in result.diagnostics if d.severity > Severity.INFO] == []


@cache
def position_rule(nos: str) -> tuple[str, int]:
    profile = load_nos({nos: ()})[0][nos]
    return profile.port_numbers.name, profile.port_numbers.first


def physical(nos: str, port: str, lanes: int) -> int:
    """Number of the physical port, from 1, by the same data as for reading inventories."""
    name, first = position_rule(nos)
    if found := re.match(name, port):
        groups = found.groupdict()
        return int(groups["lane"]) // lanes + 1 if groups.get("lane") else int(groups["port"]) - first + 1
    raise AssertionError(port)


def cables(found: Switches) -> tuple[list[Cable], list[Cable]]:
    """(host, HCA, leaf, port) and (leaf, port, spine, port) of each cable, with ranges expanded."""
    down: list[Cable] = []
    up: list[Cable] = []
    for row in host_rows(found.design, "roce", 5):
        hosts, ports = expand(str(row["hosts"])), expand(str(row["ports"]))
        pairs = zip(expand(str(row["hca"])), expand(str(row["switch"])), strict=True)
        down += [
            (host, hca, leaf, port) for hca, leaf in pairs for host, port in zip(hosts, ports, strict=True)
        ]
    for row in switch_rows(found.design, 40):
        leaves, ports, far = (expand(str(row[key])) for key in ("switches", "ports", "to_ports"))
        ends = [(leaf, port) for leaf in leaves for port in ports]
        up += [(*end, str(row["to"]), port) for end, port in zip(ends, far, strict=True)]
    return down, up


SIZES = [(n, ratio, together) for n in (4, 16, 33, 128) for ratio in (1, 3) for together in (1, 4)]
SIZES += [(1024, 1, 1)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("switches", SWITCHES)
@pytest.mark.parametrize("preset", ["hgx-h100", "gb200-nvl72"])
def test_every_port_is_used_once_and_the_ratio_holds(preset: str, switches: str) -> None:
    seen = 0
    for hosts, ratio, together in SIZES:
        ask = asked(preset, hosts, switches, oversubscription=Fraction(ratio), rails_per_leaf=together)
        found = answer(ask, known())
        if not isinstance(found, PresetAnswer):
            assert "two tiers" in found[0].problem or "fit" in found[0].problem
            continue
        assert found.switches is not None
        seen += 1
        adds_up(found.switches, Fraction(ratio))
    assert seen > len(SIZES) // 2


def adds_up(found: Switches, most: Fraction) -> None:
    design, numbers = found.design, found.design.numbers
    down, up = cables(found)
    ports = [(leaf, port) for *_, leaf, port in down] + [(leaf, port) for leaf, port, *_ in up]
    ports += [(spine, port) for *_, spine, port in up]
    assert len(set(ports)) == len(ports)
    assert len({(host, hca) for host, hca, *_ in down}) == len(down) == numbers.hosts * numbers.rails
    models = {"leaf": found.leaf, "spine": found.spine}
    for switch, port in ports:
        row = known().switches[models[switch.partition("-")[0]]]
        assert 1 <= physical(found.nos.name, port, row["lanes"]) <= row["ports"]
    together = Counter(Counter((leaf, spine) for leaf, _, spine, _ in up).values())
    assert together == ({design.links: design.leaves * design.spines} if up else {})
    for leaf, count in Counter(leaf for _, _, leaf, _ in down).items():
        own = sum(1 for mine, *_ in up if mine == leaf)
        assert (
            not up or count * numbers.down.speed_gbps <= most * own * (numbers.up or numbers.down).speed_gbps
        )
    rails = {(leaf, hca) for _, hca, leaf, _ in down}
    assert Counter(Counter(leaf for leaf, _ in rails).values()) == {numbers.rails_per_leaf: design.leaves}


def test_numbers_of_the_superpod() -> None:
    """The same fabric as inventories/superpod-h100.yaml, which was dimensioned by hand."""
    found = switches_of(asked("dgx-h100", 128, "sn5600 cumulus-nvue", hosts_per_leaf=32)).design
    assert (found.leaves, found.spines, found.links, found.ratio) == (32, 8, 4, Fraction(1))


@pytest.mark.parametrize(
    ("hosts", "more", "groups", "uplinks"),
    [
        (65, {"hosts_per_leaf": 10}, [10, 10, 10, 10, 10, 8, 7], 10),
        (20, {"rails_per_leaf": 8}, [7, 7, 6], 56),
        (65, {}, [34, 31], 35),
        (33, {}, [33], 33),
    ],
)
def test_groups_are_filled_evenly_by_whole_ports(
    hosts: int, more: dict[str, Any], groups: list[int], uplinks: int
) -> None:
    """Two hosts share a port where their rails have a leaf of their own. Uplinks are for the hosts that are
    there."""
    found = switches_of(asked("hgx-h100", hosts, "sn5600 sonic", **more))
    assert [found.design.group(number)[1] for number in range(found.design.groups)] == groups
    assert found.design.uplinks == uplinks
    adds_up(found, Fraction(1))


def test_two_tiers_end_where_a_spine_has_a_port_for_each_leaf() -> None:
    most = switches_of(asked("hgx-h100", 1024, "sn5600 sonic")).design
    assert (most.leaves, most.spines, most.links) == (128, 64, 1)
    told = problems(asked("hgx-h100", 1025, "sn5600 sonic"))
    assert "1,025 hosts need 136 leaves with 62 uplinks each" in told
    assert "takes 136 ports of a spine, and it has 128" in told
    assert "reach 1,024 hosts at 1:1" in told
    assert "no third tier" in told


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (asked("hgx-h100", 64, "sn5600 sonic", hosts_per_leaf=65), "66 ports of 64: 65 links down and 65 up"),
        (
            asked("hgx-h100", 65, "sn5600 sonic", hosts_per_leaf=64, spines=2),
            "has 17 to each, which takes 272",
        ),
        (asked("hgx-h100", 129, "sn5600 sonic", spine="none"), "129 hosts need 2"),
        (asked("hgx-h100", 4, "sn5600 sonic", rails_per_leaf=3), "8 rails do not divide into leaves of 3"),
        (asked("hgx-h100", 4, "sn5600 sonic", rails=9), "9 rails: hgx-h100 has 8 HCAs"),
        (asked("gb300-nvl72", 4, "z9664f sonic"), "z9664f has no ports of 800 Gb/s, its speeds are 10"),
        (asked("hgx-h100", 4, "sn5610 sonic"), "no lossless table for sn5610 at 400 Gb/s"),
        (asked("hgx-h100", 4, "sn5600 arista-eos"), "arista-eos has no spectrum-4"),
        (asked("hgx-h100", 4, "n9364e cisco-nxos"), "Silicon One G200"),
        (asked("hgx-h100", 4, "sn560 sonic"), "did you mean sn56"),
        (asked("hgx-h100", 4, "sn5600 sonik"), "did you mean sonic?"),
        (asked("hgx-h100", 4, "qfx5240 juniper-junos", queue_bytes=0), "give --queue-bytes"),
        (
            asked("hgx-h100", 4, "sn5600 sonic", hca="connectx-6"),
            "has connectx-7 or bluefield-3, not connectx-6",
        ),
        (asked("hgx-b200", 4, "sn5600 sonic", hca="thor-2"), "connectx-7 or bluefield-3 or connectx-8, not"),
        (
            asked("hgx-h100", 64, "sn5600 sonic", spines=6),
            "66 in all, and beside its hosts it has ports for 64",
        ),
        (asked("mi300x-thor2", 4, "7060x6 arista-eos", vfs=4), "thor-2 has at most 0"),
        (asked("hgx-h100", 4, "qfx5240 juniper-junos", queue_bytes=1_515_151), "give at least 1515152"),
        (asked("hgx-h100", 4, "sn5600 sonic", queue_bytes=3_000_000), "leave --queue-bytes out"),
        (asked("hgx-h100", 4, "sn5600 sonic", netdev="ens[1-8]np0", vfs=4), "give --pci, 8 addresses"),
        (asked("dgx-h100", 4, "sn5600 sonic", segment="host", vfs=4), "VFs need --segment leaf"),
        (asked("hgx-h100", 4, "sn5600 sonic", pci=("0000:01:00.0",)), "1 PCI addresses for 8 rails"),
        (asked("hgx-h100", 4, "sn5600 sonic", netdev="ens[1-4]"), "has 4 names for 8 rails"),
        (asked("hgx-h100", 4, "sn5600 sonic", netdev="e{x}[1-8]"), "is not an interface name"),
        (asked("hgx-h100", 4, "sn5600 sonic", netdev="ens[8-1]"), "runs from 8 to 1"),
        (asked("hgx-h100", 128, "sn5600 sonic", supernet="10.0.0.0/24"), "rails need a /20"),
        (asked("hgx-h100", 128, "sn5600 sonic", supernet="172.24.0.0/14"), "has addresses of uplinks"),
        (asked("gcp-a4", 4), "cannot be written yet"),
        (asked("gaudi3", 4), "take the preset gaudi3-host-nic"),
        (asked("hgx-h100", 4, "q3400 sonic"), "take --fabric infiniband"),
        (asked("hgx-h10", 4), "did you mean hgx-h100?"),
    ],
    ids=lambda value: value[:30] if isinstance(value, str) else "",
)
def test_what_does_not_fit_is_refused_with_its_numbers(ask: Ask, told: str) -> None:
    assert told in problems(ask)


def test_rows_of_the_catalog_agree_with_the_models() -> None:
    systems = known()
    for row in systems.hosts.values():
        assert row.lacks or row.hcas, row.name
        for model in row.hcas:
            assert row.speed_gbps in systems.hcas[model]["speeds_gbps"], (row.name, model)
        for own in (row.pci, row.numa, row.rdma_devices):
            assert len(own) in (0, row.count), row.name
        assert len(set(row.pci)) == len(row.pci)


def test_dgx_h100_has_the_addresses_of_its_guide() -> None:
    """Table 6 of the user guide lists GPU and bus number: ibp24s0 of GPU 0 is bus 0x18."""
    buses = {0: 24, 1: 64, 2: 79, 3: 94, 4: 154, 5: 192, 6: 206, 7: 220}
    pci = known().hosts["dgx-h100"].pci
    assert [int(address[5:7], 16) for address in pci] == [buses[gpu] for gpu in range(8)]


OWN = """\
hosts:
  our-box:
    title: "box\\nof ours"
    gpus: 4
    hcas: [our-nic]
    count: 4
    speed_gbps: 100
    fabrics: [roce]
    sources: [https://example.com/box]
models:
  hcas:
    our-nic: {pf_id: "1017", max_vfs: 8, speeds_gbps: [100], links: [ethernet], source: "https://example.com/nic"}
"""


def test_a_site_adds_its_own_systems(tmp_path: Any) -> None:
    file = tmp_path / "systems.yaml"
    file.write_text(OWN)
    more = (
        "--catalog",
        str(file),
        "--preset",
        "our-box",
        "--hosts",
        "8",
        "--leaf",
        "msn2700",
        "--nos",
        "sonic",
    )
    status, out, err = netplan("init", *more)
    assert status == 0, err
    result = compile_texts({"site.yaml": out})
    assert [d for d in result.diagnostics if d.severity > Severity.INFO] == []
    status, out, _ = netplan("init", "--list-presets", "--catalog", str(file))
    assert status == 0
    assert "  our-box " in out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("hosts: {a: {gpus: 1}}", "'title' is a required property"),
        ("hosts: [", "expected"),
        ("- 1", "the file"),
        ("&a [*a]", "itself"),
        ("hosts: {a: &b {title: 1e999}}", "number"),
        (
            OWN.replace("    speed_gbps", "    numa: [0, 0, 1]\n    speed_gbps"),
            "hosts.our-box.numa: 3 values for a count of 4 HCAs",
        ),
    ],
)
def test_a_bad_file_of_systems_is_refused(text: str, told: str) -> None:
    systems, wrong = extended("x.yaml", text)
    assert systems == known()
    assert told in " ".join(wrong)


def test_the_command(tmp_path: Any) -> None:
    target = tmp_path / "site.yaml"
    status, out, err = netplan(
        "init", "--preset", "dgx-h100", "--hosts", "16", "--leaf", "sn5600", str(target)
    )
    assert (status, out) == (0, f"wrote {target}\n")
    assert "assumed: cables of" in err
    assert netplan("validate", "--quiet", str(target))[0] == 0
    status, out, err = netplan("init", "--preset", "hgx-h100", "--hosts", "2000", "--leaf", "sn5600")
    assert (status, out) == (2, "")
    assert err.startswith("Error: 2,000 hosts need 256 leaves")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--hosts", "4"), "--hosts requires --preset"),
        (("--catalog", "x"), "--catalog requires --preset"),
        (("--preset", "aws-p5"), "--preset needs --hosts"),
        (("--preset", "aws-p5", "--from", "iei-rocev2"), "--from and --preset exclude each other"),
        (("--preset", "aws-p5", "--from", "minimal"), "--from and --preset exclude each other"),
        (("--preset", "aws-p5", "--hosts", "4", "--catalog", "/nowhere"), "cannot be read"),
        (("--preset", "x", "--hosts", "4", "--oversubscription", "0.5"), "not a ratio from 1 to 100"),
        (("--preset", "x", "--hosts", "4", "--pci", "19:00.0"), "not a PCI address"),
        (("--preset", "x", "--hosts", "4", "--site", "A b"), "not a site name"),
        (("--preset", "x", "--hosts", "4", "--supernet", "x"), "not an IPv4 range"),
    ],
)
def test_misuse_of_the_options(arguments: tuple[str, ...], told: str) -> None:
    status, out, err = netplan("init", *arguments)
    assert (status, out) == (2, "")
    assert told in err


IDLE = {
    "--leaf": "sn5600",
    "--spine": "sn5600",
    "--spines": "2",
    "--nos": "sonic",
    "--oversubscription": "1",
    "--uplink-gbps": "400",
    "--hosts-per-leaf": "4",
    "--rails-per-leaf": "1",
    "--segment": "leaf",
    "--vfs": "4",
    "--supernet": "172.16.0.0/13",
    "--host-table": "4096",
    "--queue-bytes": "3000000",
}
"""Options about switches, each with a value that is fine beside others."""


@pytest.mark.parametrize("option", IDLE)
@pytest.mark.parametrize(
    ("beside", "told"),
    [
        (("--preset", "aws-p5"), "not with --preset aws-p5, of fabric efa"),
        (("--preset", "dgx-h100", "--fabric", "infiniband"), "not with --fabric infiniband"),
    ],
)
def test_options_of_switches_without_switches(option: str, beside: tuple[str, ...], told: str) -> None:
    status, out, err = netplan("init", *beside, "--hosts", "4", option, IDLE[option])
    assert (status, out) == (2, "")
    assert f"Error: {option} goes with --fabric roce, {told}: leave {option} out" in err


@pytest.mark.parametrize("option", ["--spines", "--oversubscription", "--uplink-gbps"])
def test_options_of_uplinks_without_spines(option: str) -> None:
    fabric = ("--preset", "dgx-h100", "--hosts", "16", "--leaf", "sn5600")
    status, out, err = netplan("init", *fabric, "--spine", "none", option, IDLE[option])
    assert (status, out) == (2, "")
    assert f"Error: {option} has no effect with --spine none: leave one of the two out" in err
    assert netplan("init", *fabric, option, IDLE[option])[0] == 0


@pytest.mark.parametrize("option", ["--spine", "--oversubscription", "--uplink-gbps"])
def test_options_of_spines_beside_one_leaf(option: str) -> None:
    one = ("--preset", "dgx-h100", "--hosts", "4", "--leaf", "sn5600", "--rails-per-leaf", "8")
    status, out, err = netplan("init", *one, option, IDLE[option])
    assert (status, out) == (2, "")
    assert f"Error: {option} has no effect with --rails-per-leaf 8 and --hosts 4: one leaf takes" in err
    assert netplan("init", *one)[0] == 0
    assert netplan("init", *one, option, IDLE[option], "--spines", "2")[0] == 0


@pytest.mark.parametrize(
    "given",
    [
        ("--preset", "dgx-h100"),
        ("--from", "minimal"),
        ("--hosts", "4"),
        ("site.yaml",),
    ],
)
def test_a_list_of_presets_is_no_inventory(given: tuple[str, ...]) -> None:
    status, out, err = netplan("init", "--list-presets", *given)
    option = given[0] if given[0].startswith("-") else "FILE"
    assert (status, out) == (2, "")
    assert f"--list-presets prints a list and nothing else: leave {option} out" in err


def test_names_of_interfaces_of_virtual_hcas() -> None:
    status, out, err = netplan("init", "--preset", "aws-p5", "--hosts", "4", "--netdev", "ens[1-32]")
    assert (status, out) == (2, "")
    assert "--netdev has no effect with --preset aws-p5, of fabric efa" in err


def test_the_list_says_what_is_not_expressible() -> None:
    status, out, _ = netplan("init", "--list-presets")
    ready, lacking = out.split("Known, but not expressible yet:")
    assert status == 0
    assert all(f"  {name} " in ready for name in READY)
    assert all(
        name in lacking for name in ("gaudi3", "gcp-a4", "oci-bm-gpu-h100-8", "n9364e-sg2", "q3400-ra")
    )
    assert lacking.count("instead: ") == 6
