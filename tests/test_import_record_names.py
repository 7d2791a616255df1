"""``netplan import``: devices of NetBox and Nautobot whose names have a domain that the other files lack, or
lack the one that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from netplan.importing.run import Imported, import_texts
from tests.dumped_site import cluster_dumps, config_dbs, lldpctl
from tests.test_import_record import FILES, Object, data, recorded

DOMAIN = ".dc1.example.com"
OTHERS = {**cluster_dumps(FILES), **config_dbs(FILES)}


def with_domain(name: str) -> str:
    return f"{name}{DOMAIN}"


def switches_alone(name: str) -> str:
    return with_domain(name) if name.startswith(("leaf", "spine")) else name


def in_capitals(name: str) -> str:
    return with_domain(name).upper()


def record(call: Callable[[str], str], nautobot: bool = False, second: str = "") -> Mapping[str, str]:
    """``second``: name of one more device, like the first."""
    box = recorded(nautobot)
    devices = box.models["dcim/devices"]
    for interface in box.models["dcim/interfaces"]:
        interface.pop("tagged_vlans", None)
    pages = box.pages()
    for name in [each["name"] for each in devices]:
        pages = {file: text.replace(f'"{name}"', f'"{call(name)}"') for file, text in pages.items()}
    if second:
        like: Object = {
            key: value for key, value in devices[0].items() if key not in ("id", "url", "display")
        }
        other = recorded(nautobot)
        other.models.clear()
        other.new("dcim/devices", second, **{**like, "name": second})
        pages |= {f"second-{file}": text for file, text in other.pages().items()}
    return pages


def imported(pages: Mapping[str, str]) -> Imported:
    return import_texts({**OTHERS, **pages}, "site")


@pytest.mark.parametrize("nautobot", [False, True])
@pytest.mark.parametrize("call", [with_domain, switches_alone, in_capitals])
def test_a_device_with_a_domain_is_that_of_the_other_files(
    call: Callable[[str], str], nautobot: bool
) -> None:
    plain, result = imported(record(str, nautobot)), imported(record(call, nautobot))
    assert data(result) == data(plain)
    assert result.conflicts == plain.conflicts == ()
    (note,) = (each for each in result.notes if "a domain" in each)
    assert " is leaf-1" in note or note.endswith(" more")


def test_a_device_without_the_domain_that_the_other_files_have() -> None:
    texts = {file: text.replace('"leaf-1"', f'"{with_domain("leaf-1")}"') for file, text in OTHERS.items()}
    result = import_texts({**texts, **record(str)}, "site")
    assert sorted(data(result)["switches"]) == [with_domain("leaf-1"), "leaf-[2-4]", "spine-[1-2]"]


@pytest.mark.parametrize("second", ["leaf-1", "leaf-1.dc2.example.com"])
def test_of_two_devices_with_one_name_none_is_joined(second: str) -> None:
    """Records of two sites: a device with the name itself, or with another domain."""
    result = imported(record(with_domain, second=second))
    assert with_domain("leaf-1") in data(result)["switches"]
    assert not any(f"{with_domain('leaf-1')} is leaf-1" in note for note in result.notes)


def test_a_switch_of_record_with_a_domain_is_the_one_that_hosts_hear() -> None:
    """No configuration is among the dumps: hosts say leaf-1 by LLDP."""
    heard = {f"{host}.lldp.json": lldpctl(host, FILES) for host in ("gpu-001", "gpu-002")}
    result = import_texts({**cluster_dumps(FILES), **record(with_domain), **heard}, "site")
    assert {name.partition(".")[2] for name in data(result)["switches"]} == {DOMAIN[1:]}
