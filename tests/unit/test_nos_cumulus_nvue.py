"""Cumulus Linux configuration: equivalent `nv set` lines and YAML, and a sysctl file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import yaml

from netplan.model.switch_ports import PortVlans
from netplan.pipeline import compile_texts
from netplan.reading.switches import read_switch
from netplan.render.switches import laid_out_yaml
from netplan.strict import validator
from tests.inventories import outputs, text_of
from tests.nos_site import ECN, ROUTED_HOSTS, STRETCHED, TWO_LOSSLESS, commands, nos_site, with_vlans
from tests.nvue_schema import nvue_schema
from tests.split_site import split_site
from tests.switch_site import Site

CNP = {"dscp": 48, "priority": 6, "scheduling": "strict"}
ROCE = {"dscp": 26, "priority": 4, "lossless": True, "bandwidth_percent": 50, "ecn": ECN}
IPV6 = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}
NOT_3: dict[str, Any] = {"fabric__qos__classes": {"roce": ROCE, "cnp": CNP}}
LOSSY: dict[str, Any] = {
    "fabric__qos__classes": {"roce": {"dscp": 26, "priority": 3, "bandwidth_percent": 50}, "cnp": CNP}
}
VARIANTS: dict[str, dict[str, Any]] = {
    "one lossless": {},
    "two lossless": TWO_LOSSLESS,
    "no class in 3": NOT_3,
    "lossy": LOSSY,
    "pcp": {"fabric__qos__trust": "pcp"},
    "routed hosts": ROUTED_HOSTS,
    "stretched": STRETCHED,
    "ipv6": IPV6,
    "ipv6 uplinks": IPV6 | {"underlay__uplinks": "fd01::/112"},
    "mac age": {"fabric__arp": {"timeout_seconds": 60, "mac_timeout_seconds": 300}},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no QoS": {"fabric__qos": None},
    "split": {"fabric__adaptive_routing": True},
}
every_variant = pytest.mark.parametrize("variant", VARIANTS)
both_roles = pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])


def nvue(**changes: Any) -> Site:
    return nos_site("cumulus-nvue", "swp", "spectrum-3", **changes)


def variant_of(name: str, release: str = "") -> Site:
    """ "split" is a separate site, with split ports on an ASIC that supports adaptive routing."""
    changes = VARIANTS[name] | ({"switch_types__leaf__nos_version": release} if release else {})
    return split_site("cumulus-nvue", **changes) if name == "split" else nvue(**changes)


def lines(planned: Site, file: str, switch: str = "leaf-1") -> list[str]:
    return [line.removeprefix("nv set ") for line in commands(planned.files(switch)[file], "#")]


def patches(planned: Site, switch: str) -> dict[str, Any]:
    """Name of the equivalent text file -> YAML file."""
    files = planned.files(switch)
    return {
        name.replace("yaml", "txt"): yaml.safe_load(text)
        for name, text in files.items()
        if name.endswith(".yaml")
    }


def schema_says(patch: Any, release: str = "5.14") -> list[str]:
    return [error.message for error in validator(nvue_schema(release)).iter_errors(patch)]


def in_tree(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """One path of words per leaf of the tree, as in ``nv set``."""
    if not isinstance(tree, dict):
        yield (*path, str(tree))
    elif not tree:
        yield path
    for key, value in tree.items() if isinstance(tree, dict) else ():
        yield from in_tree(value, (*path, key))


def in_lines(text: str) -> set[tuple[str, ...]]:
    """The same paths from ``nv set`` lines, whose lists are expanded to one line per entry."""
    words = [line.split()[2:] for line in commands(text, "#")]
    return {path for line in words for path in product(*(word.split(",") for word in line))}


def known_from_the_name(path: tuple[str, ...]) -> bool:
    """Whether the CLI derives it from the name of an interface or neighbour, while YAML must state it."""
    return path[-2] == "type" or (path[:1] == ("interface",) and path[2:] == ("vlan", path[1][4:]))


@both_roles
@every_variant
@pytest.mark.parametrize("release", ["5.14", "5.15"])
def test_yaml_holds_what_the_schema_of_its_release_allows(release: str, variant: str, switch: str) -> None:
    found = patches(variant_of(variant, release), switch)
    other = {"5.14": "5.15", "5.15": "5.14"}[release]
    assert [message for patch in found.values() for message in schema_says(patch, release)] == []
    assert any(schema_says(patch, other) for patch in found.values())


@both_roles
@every_variant
@pytest.mark.parametrize("release", ["5.14", "5.15"])
def test_lines_and_yaml_say_the_same(release: str, variant: str, switch: str) -> None:
    planned = variant_of(variant, release)
    for name, patch in patches(planned, switch).items():
        stated, typed = set(in_tree(patch[0]["set"])), in_lines(planned.files(switch)[name])
        assert typed - stated == set()
        assert {path for path in stated - typed if not known_from_the_name(path)} == set()


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("qos", "roce", "mode"), "lossles"),
        (("qos", "roce", "enable"), True),
        (("qos", "congestion-control", "default-global", "traffic-class", "3", "min-treshold"), 1),
        (("qos", "pfc", "default-global", "switch-priority", "8"), {}),
        (("interface", "swp1", "qos", "pfc-watchdog", "state"), None),
    ],
)
def test_schema_refuses(path: tuple[str, ...], value: Any) -> None:
    patch = patches(nvue(), "leaf-1")["roce.txt"]
    *above, last = path
    target = patch[0]["set"]
    for key in above:
        target = target[key]
    target[last] = value
    assert schema_says(patch) != []


def test_schema_refuses_a_split_port_with_an_address() -> None:
    patch = patches(variant_of("split"), "leaf-1")["interfaces.txt"]
    split = patch[0]["set"]["interface"]["swp1"]
    assert split == {"type": "swp", "link": {"breakout": {"2x": {}}}}
    split["ip"] = {"address": {"172.16.0.0/31": {}}}
    assert schema_says(patch) != []


def test_schema_refuses_a_routed_port_in_a_bridge() -> None:
    patch = patches(nvue(), "leaf-1")["interfaces.txt"]
    patch[0]["set"]["interface"]["swp1"]["ip"] = {"address": {"172.16.0.0/31": {}}}
    assert schema_says(patch) != []


def test_which_files_there_are() -> None:
    both = ["interfaces.yaml", "roce.yaml", "interfaces.txt", "roce.txt"]
    assert list(nvue().files("leaf-1")) == [*both, "arp.conf", "README.md"]
    assert list(nvue().files("spine-1")) == [*both, "README.md"]
    assert list(nvue(fabric__qos=None).files("spine-1")) == ["interfaces.yaml", "interfaces.txt", "README.md"]


def test_roce() -> None:
    found = lines(nvue(), "roce.txt")
    ports = len(nvue().switch("leaf-1").lossless_ports)
    best_effort = ",".join(str(dscp) for dscp in range(64) if dscp not in (26, 48))
    assert found[: found.index("qos pfc-watchdog robustness 1") + 2] == [
        "qos roce enable on",
        "qos roce mode lossless",
        "qos roce cable-length 40",
        "qos mapping default-global trust both",
        f"qos mapping default-global dscp {best_effort} switch-priority 0",
        "qos mapping default-global dscp 26 switch-priority 3",
        "qos mapping default-global dscp 48 switch-priority 6",
        "qos egress-queue-mapping default-global switch-priority 0 traffic-class 0",
        "qos egress-queue-mapping default-global switch-priority 3 traffic-class 3",
        "qos egress-queue-mapping default-global switch-priority 6 traffic-class 6",
        "qos egress-scheduler default-global traffic-class 0 mode dwrr",
        "qos egress-scheduler default-global traffic-class 0 bw-percent 50",
        "qos egress-scheduler default-global traffic-class 3 mode dwrr",
        "qos egress-scheduler default-global traffic-class 3 bw-percent 50",
        "qos egress-scheduler default-global traffic-class 6 mode strict",
        "qos congestion-control default-global traffic-class 3 ecn enable",
        "qos congestion-control default-global traffic-class 3 min-threshold 100000",
        "qos congestion-control default-global traffic-class 3 max-threshold 1500000",
        "qos congestion-control default-global traffic-class 3 probability 100",
        "qos pfc default-global switch-priority 3",
        *(f"interface swp{n} lldp dcbx-pfc-tlv on" for n in range(1, ports + 1)),
        "qos pfc-watchdog polling-interval 200",
        "qos pfc-watchdog robustness 1",
        "interface swp1 qos pfc-watchdog state enable",
    ]


def test_cable_length_is_the_longest_of_the_switch() -> None:
    assert "qos roce cable-length 40" in lines(nvue(), "roce.txt", "spine-1")


def test_two_lossless_classes() -> None:
    found = lines(nvue(**TWO_LOSSLESS), "roce.txt")
    assert "qos pfc default-global switch-priority 3,4" in found
    assert "qos mapping default-global dscp 34 switch-priority 4" in found
    assert "qos congestion-control default-global traffic-class 4 probability 20" in found


def test_without_a_lossless_class_the_mode_is_lossy() -> None:
    found = lines(nvue(**LOSSY), "roce.txt")
    assert found[:2] == ["qos roce enable on", "qos roce mode lossy"]
    assert [line for line in found if "pfc" in line or "cable" in line] == []


@pytest.mark.parametrize("variant", [name for name in VARIANTS if name != "no QoS"])
def test_shares_of_the_profile_and_of_the_plan_are_100(variant: str) -> None:
    """The profile gives traffic classes 0 and 3 half each; classes that the plan does not name keep that."""
    qos = patches(nvue(**VARIANTS[variant]), "leaf-1")["roce.txt"][0]["set"]["qos"]
    half = {"bw-percent": 50}
    classes = {"0": half, "3": half} | qos["egress-scheduler"]["default-global"]["traffic-class"]
    assert sum(entry.get("bw-percent", 0) for entry in classes.values()) == 100


def test_pcp_trust() -> None:
    found = lines(nvue(fabric__qos__trust="pcp"), "roce.txt")
    assert "qos mapping default-global trust l2" in found
    assert [line for line in found if " pcp " in line] == [
        "qos mapping default-global pcp 0,1,2,4,5,7 switch-priority 0",
        "qos mapping default-global pcp 3 switch-priority 3",
        "qos mapping default-global pcp 6 switch-priority 6",
    ]


def test_no_watchdog() -> None:
    assert "watchdog" not in nvue(fabric__qos__pfc_watchdog=None).files("leaf-1")["roce.txt"]


@pytest.mark.parametrize(
    ("vlans", "expected"),
    [
        (PortVlans((100,), None), ["vlan 100", "untagged none"]),
        (PortVlans((100, 200), 300), ["vlan 100,200", "untagged 300"]),
        (PortVlans((), 100), ["access 100"]),
        (PortVlans((), None), []),
    ],
)
def test_vlans_of_a_port(vlans: PortVlans, expected: list[str]) -> None:
    found = lines(with_vlans(nvue(), vlans), "interfaces.txt")
    own = [line.removeprefix("interface swp1 ") for line in found if line.startswith("interface swp1 ")]
    assert own == ["link mtu 9216", *(f"bridge domain br_default {text}" for text in expected)]


def test_bridge_has_just_the_vlans_used() -> None:
    found = lines(with_vlans(nvue(), PortVlans((100, 200), 300)), "interfaces.txt")
    assert found[:4] == [
        "bridge domain br_default type vlan-aware",
        "bridge domain br_default vlan 100,200,300",
        "system forwarding hash-seed 10",
        "interface lo ip address 172.31.255.1/32",
    ]


def test_gateway_and_bgp() -> None:
    found = lines(nvue(), "interfaces.txt")
    start = found.index("interface vlan100 ip address 172.16.0.1/24")
    bgp = "vrf default router bgp"
    assert found[start + 1 : start + 6] == [
        "router bgp enable on",
        "router bgp autonomous-system 4200000100",
        "router bgp router-id 172.31.255.1",
        f"{bgp} enable on",
        f"{bgp} neighbor 172.31.0.1 remote-as 4200000001",
    ]
    assert found[-3:] == [
        f"{bgp} address-family ipv4-unicast enable on",
        f"{bgp} address-family ipv4-unicast network 172.31.255.1/32",
        f"{bgp} address-family ipv4-unicast network 172.16.0.0/24",
    ]


def test_routed_hosts() -> None:
    found = lines(nvue(**ROUTED_HOSTS), "interfaces.txt")
    assert [line for line in found if line.startswith("interface swp1 ")] == [
        "interface swp1 link mtu 9216",
        "interface swp1 ip address 172.16.0.0/31",
    ]
    assert "vrf default router bgp address-family ipv4-unicast network 172.16.0.0/31" in found
    assert [line for line in found if "bridge" in line] == []


def test_ipv6_over_an_ipv4_session() -> None:
    found = lines(nvue(**IPV6), "interfaces.txt")
    neighbour = "vrf default router bgp neighbor 172.31.0.1"
    assert f"{neighbour} address-family ipv6-unicast enable on" in found
    assert f"{neighbour} capabilities extended-nexthop on" not in found


def test_ipv4_over_an_ipv6_session_needs_the_extended_next_hop() -> None:
    found = lines(nvue(**VARIANTS["ipv6 uplinks"]), "interfaces.txt")
    neighbour = "vrf default router bgp neighbor fd01::1"
    assert f"{neighbour} address-family ipv6-unicast enable on" in found
    assert f"{neighbour} address-family ipv4-unicast enable on" in found
    assert f"{neighbour} capabilities extended-nexthop on" in found
    assert nvue(**VARIANTS["ipv6 uplinks"]).switch("leaf-1").unconfirmed == ()


def test_adaptive_routing_is_on_for_the_switch_and_its_ports() -> None:
    found = lines(variant_of("split"), "interfaces.txt")
    first = found.index("router adaptive-routing enable on")
    assert found[first + 1].endswith(" router adaptive-routing enable on")


OLD_WORDS = re.compile(r" ip address | enable on$| dcbx-pfc-tlv on$| extended-nexthop on$", re.MULTILINE)


@both_roles
@every_variant
def test_5_15_has_no_word_of_5_14(variant: str, switch: str) -> None:
    def text(release: str) -> str:
        files = variant_of(variant, release).files(switch)
        return "".join(files[name] for name in files if name.endswith(".txt"))

    assert OLD_WORDS.findall(text("5.15")) == []
    assert len(OLD_WORDS.findall(text("5.14"))) > 3
    assert text("5.14") == text("")


@both_roles
@every_variant
def test_both_releases_are_read_back_alike(variant: str, switch: str) -> None:
    read = [
        read_switch(switch, "cumulus-nvue", variant_of(variant, release).files(switch))
        for release in ("5.14", "5.15")
    ]
    assert read[0] == read[1]
    assert read[1].ports


def test_superpod_in_the_words_of_5_15() -> None:
    stated = text_of("superpod-h100").replace("nos: cumulus-nvue", 'nos: cumulus-nvue, nos_version: "5.15"')
    found = outputs(compile_texts({"superpod.yaml": stated}))
    texts = [text for path, text in found.items() if path.startswith("switches/") and path.endswith(".txt")]
    assert len(texts) == 2 * 40
    assert [word for text in texts for word in OLD_WORDS.findall(text)] == []
    yamls = [text for path, text in found.items() if path.startswith("switches/") and path.endswith(".yaml")]
    assert [error for text in yamls[:4] for error in schema_says(yaml.safe_load(text), "5.15")] == []


def test_mac_age() -> None:
    assert "bridge domain br_default ageing 300" in lines(nvue(**VARIANTS["mac age"]), "interfaces.txt")


def test_arp_conf() -> None:
    text = nvue().files("leaf-1")["arp.conf"]
    assert commands(text, "#") == [
        "net.ipv4.neigh.default.base_reachable_time_ms = 60000",
        "net.ipv6.neigh.default.base_reachable_time_ms = 60000",
        "net.ipv4.conf.all.arp_accept = 1",
    ]
    assert text.splitlines()[-1].startswith(
        "# confirm on the switch: sysctl net.ipv4.neigh.default.gc_thresh3"
    )


def test_without_a_gateway_gratuitous_arp_makes_no_entry() -> None:
    assert "arp_accept" not in nvue(**ROUTED_HOSTS).files("leaf-1")["arp.conf"]


def test_readme_of_a_switch_without_qos_is_silent_about_it() -> None:
    text, _ = nvue(fabric__qos=None).files("spine-1")["README.md"].split("## Sources")
    assert "roce" not in text.lower()


def test_yaml_keeps_its_first_comment_lines_only() -> None:
    assert laid_out_yaml('# one\n# two\n- a: {"1": {}, }\n  # three\n') == "# one\n# two\n- a:\n    '1': {}\n"


def test_yaml_with_a_key_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="twice"):
        laid_out_yaml("a: 1\na: 2\n")
