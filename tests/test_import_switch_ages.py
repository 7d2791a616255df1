"""``netplan import`` of ages of ARP and MAC entries, and of the PFC watchdog of EOS, from running
configurations."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from netplan.importing.run import Imported, import_texts
from netplan.pipeline import compile_texts
from tests.test_import import data
from tests.test_import_eos_classes import HEAD, MAPS, PROFILE, RANK, REST, comment, told
from tests.test_import_fabric import stretched_dumps
from tests.test_import_text import HEADS


def eos(*lines: str, name: str = "leaf-1") -> str:
    text = "\n".join((*lines, "interface Ethernet1/1", "   mtu 9214", ""))
    return HEAD.replace("leaf-1", name) + text


def nxos(*lines: str) -> str:
    return HEADS["leaf-5"] + "\n".join((*lines, "interface Ethernet1/1", "  mtu 9216", ""))


def junos(*lines: str) -> str:
    return HEADS["leaf-6"] + "\n".join(("set interfaces et-0/0/1 mtu 9216", *lines, ""))


def nvue(*lines: str) -> str:
    return "\n".join(("nv set system hostname leaf-2", "nv set interface swp1 link mtu 9216", *lines, ""))


def nvue_parts(form: str) -> str:
    own: dict[str, Any] = {
        "bridge": {"domain": {"br_default": {"ageing": 1800, "vlan": {"100": {}}}}},
        "interface": {"swp1": {"link": {"mtu": 9216}}},
        "system": {"global": {"arp": {"base-reachable-time": 300}}, "hostname": "leaf-2"},
    }
    parts = [{"header": {"model": "MSN3700"}}, {"set": own}]
    return json.dumps(parts, indent=2) if form == "json" else yaml_of(parts)


def yaml_of(parts: Any) -> str:
    return yaml.safe_dump(parts, sort_keys=False)


def arp(*texts: str) -> Any:
    """``fabric.arp`` of cards on rails whose leaves are the texts."""
    named = {f"switch-{number}.txt": text for number, text in enumerate(texts)}
    result = import_texts({**roce(), **named}, "site")
    return result, data(result)["fabric"].get("arp")


def roce() -> dict[str, str]:
    """Nodes with RoCE cards, without switches and neighbours."""
    return {file: text for file, text in stretched_dumps().items() if "apiVersion" in text}


@pytest.mark.parametrize(
    ("text", "ages"),
    [
        (eos("arp aging timeout default 900"), {"timeout_seconds": 900}),
        (
            eos("interface Vlan100", "   ip address 172.16.0.1/24", "   arp aging timeout 300"),
            {"timeout_seconds": 300},
        ),
        (eos("interface Vlan100", "   ipv6 nd cache expire 600"), {"timeout_seconds": 600}),
        (
            eos("arp aging timeout default 300", "mac address-table aging-time 600"),
            {"timeout_seconds": 300, "mac_timeout_seconds": 600},
        ),
        (nxos("interface Vlan100", "  ip arp timeout 1500"), {"timeout_seconds": 1500}),
        (junos("set system arp aging-timer 5"), {"timeout_seconds": 300}),
        (nvue("nv set system global arp base-reachable-time 300"), {"timeout_seconds": 300}),
        (nvue_parts("yaml"), {"timeout_seconds": 300, "mac_timeout_seconds": 1800}),
        (nvue_parts("json"), {"timeout_seconds": 300, "mac_timeout_seconds": 1800}),
    ],
)
def test_ages_of_arp_and_mac_entries(text: str, ages: dict[str, int]) -> None:
    result, found = arp(text)
    assert found == ages
    number = int(comment(result, " timeout_seconds:").rpartition(":")[2])
    line = text.splitlines()[number - 1]
    assert str(ages["timeout_seconds"]) in line or "aging-timer 5" in line


@pytest.mark.parametrize(
    "text",
    [eos("interface Management1", "   arp aging timeout 60"), nxos("interface mgmt0", "  ip arp timeout 60")],
)
def test_an_age_of_the_management_port_is_none_of_the_leaves(text: str) -> None:
    result, found = arp(text)
    assert found is None
    assert "no configuration of a leaf states it, so the default of its NOS holds" in result.text


def test_ages_in_sysctl_are_in_no_configuration() -> None:
    result, found = arp(nvue())
    assert found is None
    assert (
        "# fabric.arp is left out, and netplan leaves ARP ages as they run: no dump states one "
        "(sysctl -a, on a leaf); state timeout_seconds for netplan to set them.\n"
    ) in result.text


def test_a_mac_age_alone_leaves_the_arp_age_open() -> None:
    """Its default of 300 s would be on the leaves otherwise."""
    _, found = arp(eos("mac address-table aging-time 600"))
    assert found == {"timeout_seconds": "TODO", "mac_timeout_seconds": 600}


@pytest.mark.parametrize(
    ("second", "seen"),
    [
        ("arp aging timeout default 900", "leaf-1 300 s (switch-0.txt:6), leaf-9 900 s (switch-1.txt:6)"),
        ("ip routing", "leaf-1 300 s (switch-0.txt:6), leaf-9 no line, the default of the NOS"),
    ],
)
def test_leaves_of_two_ages_are_asked_about(second: str, seen: str) -> None:
    result, found = arp(eos("arp aging timeout default 300"), eos(second, name="leaf-9"))
    assert found == {"timeout_seconds": "TODO"}
    assert comment(result, "timeout_seconds: TODO").endswith(
        f"one age of an ARP entry for all leaves; {seen}"
    )


def test_a_leaf_with_its_age_in_sysctl_is_named() -> None:
    result, found = arp(eos("arp aging timeout default 300"), nvue())
    assert found == {"timeout_seconds": 300}
    assert comment(result, "timeout_seconds: 300").strip() == "switch-0.txt:6; no dump shows that of leaf-2"


def test_an_age_that_no_inventory_takes_is_told() -> None:
    result, _ = arp(eos("mac address-table aging-time 0"))
    assert told(result, "leaf-1 age of a MAC entry '0 s': the inventory allows 10 to 1,000,000")


TIMES = tuple(
    f"priority-flow-control pause watchdog default {line}"
    for line in ("timeout 0.2", "recovery-time 2", "polling-interval 0.1")
)
DROP = "priority-flow-control pause watchdog action drop"
ON = "   priority-flow-control pause watchdog"


def watched(*lines: str, profile: str = "") -> Imported:
    text = PROFILE.format(low=150, high=1500, unit="kbytes", rank=RANK, rest=REST, maps=MAPS)
    if profile:
        text = text.replace("   priority-flow-control on\n", f"   priority-flow-control on\n{profile}\n")
    return import_texts(
        {**roce(), "leaf-1.txt": HEAD + "".join(f"{line}\n" for line in lines) + text}, "site"
    )


def watchdog(result: Imported) -> Any:
    return data(result)["fabric"]["qos"].get("pfc_watchdog")


def test_the_watchdog_that_netplan_writes() -> None:
    assert watchdog(watched(*TIMES, DROP, profile=ON)) == {"detection_ms": 200, "restoration_ms": 2000}


@pytest.mark.parametrize(
    ("timeout", "poll", "taken"),
    [("0.2", "0.1", None), ("0.2", "0.2", None), ("1", "0.2", None), ("1", "0.4", 400), ("1", "0.1", 100)],
)
def test_a_polling_interval_that_follows_from_the_times_is_none(
    timeout: str, poll: str, taken: int | None
) -> None:
    """netplan writes min(200 ms, half of the shorter time): NOSes beside EOS may poll less often."""
    lines = (TIMES[0].replace("0.2", timeout), TIMES[1], TIMES[2].replace("0.1", poll))
    found = watchdog(watched(*lines, DROP, profile=ON))
    assert found.get("poll_ms") == taken


def test_no_watchdog() -> None:
    assert watchdog(watched()) is None


@pytest.mark.parametrize(
    ("lines", "profile", "unlike"),
    [
        ((), "", "no action drop, no port that has it"),
        ((DROP,), "", "no port that has it"),
        ((), ON, "no action drop"),
        ((DROP.replace("drop", "notify-only"),), ON, "action notify-only"),
    ],
)
def test_a_watchdog_unlike_netplans_is_asked_about(lines: tuple[str, ...], profile: str, unlike: str) -> None:
    """The answer that the question has is one that validate takes."""
    result = watched(*TIMES, *lines, profile=profile)
    assert watchdog(result) == "TODO"
    asked = comment(result, "pfc_watchdog: TODO")
    assert asked.endswith(f"netplan writes no watchdog; the one that runs has {unlike} (leaf-1.txt:6)")
    answer = asked.partition("TODO: ")[2].partition(", which")[0]
    line = next(each for each in result.text.splitlines() if "pfc_watchdog: TODO" in each)
    filled = result.text.replace(line, f"    pfc_watchdog: {answer}")
    found = compile_texts({"site.yaml": filled}, upto="plan").diagnostics
    assert not [each for each in found if "pfc_watchdog" in each.message]
    assert answer == "{poll_ms: 100, detection_ms: 200, restoration_ms: 2000}"


def test_switches_with_two_watchdogs_are_asked_about() -> None:
    other = eos(*TIMES, DROP, name="leaf-9")
    first = watched(*TIMES)
    texts = {**first.texts, "leaf-9.txt": other}
    result = import_texts(dict(texts), "site")
    assert "sources disagree" in comment(result, "pfc_watchdog: TODO")


@pytest.mark.parametrize(
    ("lines", "profile", "said"),
    [
        (
            (TIMES[0], f"{TIMES[1]} forced"),
            ON,
            "priority-flow-control pause watchdog default recovery-time '2 forced': "
            "netplan's watchdog restores a queue once no more pause frames come",
        ),
        (
            TIMES,
            f"{ON}\n{ON} port timer timeout 1 polling-interval 0.5 recovery-time 2",
            "pause watchdog 'port timer timeout 1 polling-interval 0.5 recovery-time 2': "
            "an inventory has one watchdog for all ports",
        ),
    ],
)
def test_what_netplans_watchdog_has_not_is_told(lines: tuple[str, ...], profile: str, said: str) -> None:
    assert told(watched(*lines, DROP, profile=profile), said)
