"""A switch's README describes the effect of its lines, in an order that can be followed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.inventories import compiled, outputs
from tests.nos_site import nos_site
from tests.switch_site import site
from tests.vendors.sites import PORTS

DUAL: dict[str, Any] = {"rails__supernets": ["172.16.0.0/20", "fd00::/48"], "rails__prefixes": [24, 64]}


def page(nos: str, **changes: Any) -> str:
    planned = site(**changes) if nos == "sonic" else nos_site(nos, *PORTS[nos], **changes)
    return planned.files("leaf-1")["README.md"]


def rollback(nos: str, **changes: Any) -> str:
    return page(nos, **changes).partition("## Roll back")[2]


@pytest.mark.parametrize("nos", ["sonic", *PORTS])
def test_the_vlan_table_has_no_name_that_the_switch_may_not_know(nos: str) -> None:
    assert "| VLAN | rail segment or `vlans` key | interface address |" in page(nos)


@pytest.mark.parametrize("nos", ["sonic", "arista-eos"])
def test_a_session_of_one_ip_version_announces_that_version(nos: str) -> None:
    assert "It announces its loopback and the networks of its VLANs.\n" in page(nos)
    assert (
        "It announces its loopback and the networks of its VLANs. Only the IPv4 prefixes of these: "
        "its sessions carry no IPv6 prefixes.\n" in page(nos, **DUAL)
    )


def test_a_session_that_carries_both_versions_announces_both() -> None:
    assert "Only the IPv4" not in page("cumulus-nvue", **DUAL)


def test_notes_have_the_titles_of_abilities() -> None:
    text = page("cumulus-nvue")
    assert "\n## Notes\n\n" in text
    assert "- PFC independent of DCBX: the switch only sends" in text
    assert "There without lines" not in text


def test_sonic_is_applied_in_one_order_without_numbers() -> None:
    apply = page("sonic").partition("## Apply")[2].partition("## Verify")[0]
    steps = [line.split(":")[0].split(",")[0] for line in apply.splitlines() if line.startswith("- ")]
    assert steps[:4] == ["- `interfaces.json`", "- `buffers.patch.json`", "- `roce.json`", "- `arp.conf`"]
    assert steps[4].startswith("- BGP.")
    assert "step 1" not in apply


def test_sonic_says_which_ports_stay_down() -> None:
    assert "`sudo config interface startup <port>`" in page("sonic")


def test_sonic_takes_its_sysctl_file_back() -> None:
    assert "`sudo rm /etc/sysctl.d/99-netplan.conf`" in rollback("sonic")
    assert "99-netplan.conf" not in rollback("sonic", fabric__arp=None)


def test_junos_deletes_only_the_scheduler_that_it_set() -> None:
    control = {"dscp": 48, "priority": 7, "scheduling": "strict"}
    roce = {"dscp": 26, "priority": 3, "lossless": True}
    shared = rollback("juniper-junos", fabric__qos__classes={"roce": roce, "control": control})
    assert "schedulers netplan-control" in rollback("juniper-junos")
    assert "schedulers netplan-control" not in shared


def test_os10_names_its_priorities_as_a_list() -> None:
    assert "PFC counters may grow on priority 3 only." in page("dell-os10")


def test_the_host_page_names_the_hcas_without_files() -> None:
    """The HCA of a storage network has files; the front-end HCA has none."""
    text = outputs(compiled("kitchen-sink"))["hosts/gpu-server/README.md"]
    assert "No `.link` or `.network` file here for front: " in text
    assert "Front-end and storage HCAs get no file" not in text
