"""``netplan import`` of NetBox: roles of switches that no cable to a host shows."""

from __future__ import annotations

import re

import pytest

from netplan.importing.run import Imported, import_texts
from tests.test_import_record import NetBox


def recorded(**roles: str) -> Imported:
    """Devices with these roles, each with a cable to the next one."""
    box, ports = NetBox(), []
    for name, slug in roles.items():
        if ("dcim/device-roles", slug) not in box.known:
            box.new("dcim/device-roles", slug, name=slug, slug=slug)
        role = box.brief(box.known["dcim/device-roles", slug], "name", "slug")
        kind = {"model": "SN4700" if slug != "storage" else "F900"}
        device = box.new("dcim/devices", name, name=name.replace("_", "-"), role=role, device_type=kind)
        of = box.brief(device, "name")
        for port in ("Ethernet0", "Ethernet8"):
            made = {"name": port, "device": of, "type": {"value": "400gbase-x-qsfpdd"}}
            ports.append(box.new("dcim/interfaces", name, port, **made))
    for one, other in zip(ports[1::2], ports[2::2], strict=False):
        ends = [
            [{"object_type": "dcim.interface", "object": box.brief(each, "name")}] for each in (one, other)
        ]
        box.new("dcim/cables", str(one["id"]), a_terminations=ends[0], b_terminations=ends[1])
    return import_texts(box.pages(), "site")


def lines(result: Imported) -> dict[str, str]:
    """Switch -> role and comment."""
    return dict(re.findall(r"(?m)^  ([\w-]+): \{.*?role: (.*)$", result.text))


@pytest.mark.parametrize(
    ("slug", "role"),
    [("leaf", "leaf"), ("tor-switch", "leaf"), ("spine", "spine"), ("dc1-spine-switch", "spine")],
)
def test_the_role_of_record_counts_where_no_cable_tells(slug: str, role: str) -> None:
    found = lines(recorded(a=slug, b="switch"))
    assert re.fullmatch(rf"{role}\}} # by its role of record, dcim-devices.json:\d+", found["a"])
    assert found["b"].startswith("TODO} # TODO: leaf")


@pytest.mark.parametrize("slug", ["super-spine", "border-leaf", "leaf-spine", "core-switch"])
def test_roles_of_record_that_an_inventory_lacks_are_asked(slug: str) -> None:
    assert lines(recorded(a=slug, b="leaf"))["a"].startswith("TODO} # TODO:")


def test_a_storage_device_is_no_top_of_rack_switch() -> None:
    result = recorded(a="leaf", filer="storage")
    assert "filer" not in lines(result)
    assert any("filer of role storage: neither switch nor host" in str(each) for each in result.remarks)
