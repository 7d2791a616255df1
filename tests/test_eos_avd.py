"""Our Arista EOS lines compared with those of Arista's own generator, pyavd, for the same plan.

pyavd is a schema and templates, not a parser of EOS: it shows that a line is spelt and placed as Arista does
it, not that a switch accepts it. It ignores unknown keys, so the data is validated first.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.eos_site import eos_site, lines_of
from tests.eos_structured import structured

pytestmark = pytest.mark.avd

JERICHO = {"asic": "jericho2", "ports": 48, "speeds_gbps": [400, 800], "host_table": 65536, "source": "test"}
SECOND = {"dscp": 34, "priority": 4, "lossless": True, "bandwidth_percent": 20}
VARIANTS: dict[str, dict[str, Any]] = {
    "base": {},
    "routed hosts": {"rails__segment": "host", "rails__prefixes": [31], "rails__vlan_ids": None},
    "ipv6": {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]},
    "routed hosts, ipv6": {
        "rails__segment": "host",
        "rails__supernets": ["fd00::/48"],
        "rails__prefixes": [127],
        "rails__vlan_ids": None,
    },
    "ipv6 underlay": {"underlay__uplinks": "fd01::/112", "underlay__loopbacks": "fd02::/64"},
    "stretched": {"underlay": None, "rails__segment": "stretched", "rails__gateway": "none"},
    "pcp": {"fabric__qos__trust": "pcp"},
    "two lossless classes": {"fabric__qos__classes__storage": SECOND},
    "no watchdog": {"fabric__qos__pfc_watchdog": None},
    "no qos": {"fabric__qos": None},
    "no arp": {"fabric__arp": None},
    "mac age": {"fabric__arp": {"timeout_seconds": 300, "mac_timeout_seconds": 900}},
    "untagged": {
        "port_vlans": {("leaf-1", "Ethernet1/1"): ((), 100), ("leaf-1", "Ethernet2/1"): ((200,), 100)}
    },
    "two to a port": {"ports": "Ethernet[1-8]/[1-5/4]"},
    "eight to a port": {"ports": "Ethernet[1-2]/[1-8]", "speed": 25},
    "jericho": {"models": {"7800r3": JERICHO}, "model": "7800r3"},
}

NOT_OF_AVD = {("", "lldp run")}
"""(modes, line) that we render but pyavd does not: it writes only the opposite of this default."""
DEFAULT = "no dcbx mode"
"""A default without a key in pyavd; show running-config all prints it on every port."""


def violations(data: dict[str, Any]) -> list[str]:
    import pyavd

    return [str(found) for found in pyavd.validate_structured_config(data).validation_result.violations]


def avd_lines(data: dict[str, Any]) -> set[tuple[str, str]]:
    import pyavd

    return set(lines_of(pyavd.get_device_config(data)))


@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_arista_writes_the_same_lines(variant: str, switch: str) -> None:
    planned = eos_site(**VARIANTS[variant])
    files = planned.files(switch)
    ours = {line for name in files if name.endswith(".txt") for line in lines_of(files[name])}
    data = structured(planned.switch(switch))
    assert violations(data) == []
    theirs = avd_lines(data)
    assert {(modes, line) for modes, line in ours - theirs if line != DEFAULT} == NOT_OF_AVD
    assert theirs - ours == {("", f"hostname {switch}")}


def test_avd_knows_lldp_run_by_its_opposite() -> None:
    data = structured(eos_site().switch("leaf-1")) | {"lldp": {"run": False}}
    assert ("", "no lldp run") in avd_lines(data)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("qos_profiles/0/uc_tx_queues/1/random_detect/ecn/threshold/max_probability", 101),
        ("qos_profiles/0/uc_tx_queues/1/random_detect/ecn/threshold/units", "cells"),
        ("qos_profiles/0/priority_flow_control/no_drop", [3]),
        ("arp/aging/timeout_default", 59),
        ("priority_flow_control/watchdog/action", "forward"),
    ],
)
def test_what_the_schema_refuses(path: str, value: object) -> None:
    data = structured(eos_site().switch("leaf-1"))
    *above, last = path.split("/")
    target: Any = data
    for key in above:
        target = target[int(key) if key.isdigit() else key]
    target[last] = value
    assert len(violations(data)) == 1
