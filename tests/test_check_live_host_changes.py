"""``check-live`` of hosts: each value of a card, in each program's output, is changed once."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from netplan.live.report import live_lines
from tests.live_host_site import PCIS, live, of_gpu_001

_OF_IP = {
    "ifindex": "the kernel numbers interfaces as it finds them",
    "flags": "operstate is compared",
    "vf": "the number of a VF in the list; their count is compared",
    "parentbus": "any other bus is that of no PCI function",
}
UNCOMPARED = {
    "sysfs.txt": {
        "rate": "the speed of the interface is compared",
        "firmware": "no inventory has it",
        "psid": "no inventory has it",
        "type": "link_layer of the RDMA device says the same",
    },
    "ip-link.json": _OF_IP,
    "ip-addr.json": {
        **_OF_IP,
        "family": "the address says it",
        "local": "the address of the link itself is none of the plan's",
        "prefixlen": "as of local",
        "scope": "as of local",
    },
    "lshw.json": {
        "id": "lshw's own number",
        "class": "any other class is no network device",
        "driver": "no inventory has it",
    },
    "rdma-link.json": {
        "ifindex": "the kernel's own number",
        "port": "the second port of a device is none of the inventory's",
        "physical_state": "state is compared",
        "netdev": "another interface's device",
    },
    "devlink-port.json": {"flavour": "any other flavour is no port of a card"},
    "lspci.txt": {
        "Class": "any other class is no network device",
        "Slot": "another function's address",
    },
    "mlxconfig-1.json": {
        "device_type": "the device ID is compared",
        "device": "another card's address",
        "read_only": "of a setting, not of the link",
    },
}
"""File -> what it prints of a card besides what is compared, and why a change of it is none of the plan's."""


def changes_of(name: str, text: str) -> list[tuple[str, str]]:
    """(key, text with the value of that key changed) for every value of the second card."""
    if name.endswith(".json"):
        return _json_changes(name, json.loads(text))
    split, ends = ("=", r'(?:"[^"]*"|\S*)') if name == "sysfs.txt" else (":\t", "[^\n]*")
    start = text.index(PCIS[1]) - 8
    end = text.index(PCIS[2]) - 8
    found = []
    for match in re.finditer(rf"(\w+){split}({ends})", text[start:end]):
        value = _other(match[2])
        found.append((match[1], text[: start + match.start(2)] + value + text[start + match.end(2) :]))
    return found


_OTHER_WORDS = {"ethernet": "infiniband", "Ethernet": "InfiniBand", "ether": "infiniband", "eth": "ib",
                "UP": "DOWN", "up": "down", "yes": "no", "ACTIVE": "DOWN", "ETH(2)": "IB(1)",
                '"4: ACTIVE"': '"1: DOWN"'}  # fmt: skip


def _other(value: str) -> str:
    """Another value of the same form: another word, or another last number."""
    if value in _OTHER_WORDS:
        return _OTHER_WORDS[value]
    numbers = [*re.finditer(r"[0-9]+", value)]
    if not numbers:
        return f"{value}x"
    at, number = numbers[-1].span(), numbers[-1][0]
    other = f"4{number[1:]}" if number.endswith("000") else str(int(number) ^ 1).zfill(len(number))
    return value[: at[0]] + other + value[at[1] :]


def _json_changes(name: str, data: Any) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    holder = data["port"] if name.startswith("devlink") else data
    keys = list(holder) if isinstance(holder, dict) else range(len(holder))
    for key in keys:
        if name.startswith("mlxconfig") or any(
            PCIS[1] in json.dumps(x) or '"ens2f0"' in json.dumps(x) for x in (key, holder[key])
        ):
            _leaves(holder[key], data, found)
    return found


def _leaves(node: Any, data: Any, found: list[tuple[str, str]], under: str = "") -> None:
    for key in list(node) if isinstance(node, dict) else range(len(node)):
        value, name = node[key], key if isinstance(key, str) else under
        if isinstance(value, dict | list):
            _leaves(value, data, found, name)
        else:
            node[key] = (
                not value
                if isinstance(value, bool)
                else value + 1
                if isinstance(value, int)
                else _other(value)
            )
            found.append((name, json.dumps(data, indent=1)))
            node[key] = value


def test_broken_outputs_never_stop_it() -> None:
    """Cut off, or with a value of another form: a value may be lost or added, but never a traceback."""
    chance = random.Random(16)
    junk: tuple[Any, ...] = (None, 7, "x", [], {}, [7], [[]], {"": {}}, True, "9" * 30, "\u00b2", "-1")
    for file, text in of_gpu_001().items():
        for _ in range(6):
            found = live({file: text[: chance.randrange(len(text))]})
            assert all(line.isprintable() for line in live_lines(found, quiet=False))
        changed = changes_of(file.rpartition("/")[2], text) if not file.endswith("-0.json") else []
        for _, other in chance.sample(changed, min(4, len(changed))):
            live({file: other.replace("5", str(chance.choice(junk)))})


@pytest.mark.parametrize("name", UNCOMPARED)
def test_no_value_of_a_card_can_change_unnoticed(name: str) -> None:
    """But for those that are named with their reason."""
    files, file = of_gpu_001(), f"gpu-001.tar/gpu-001/{name}"
    survivors, seen = set[str](), set[str]()
    for key, text in changes_of(name, files[file]):
        seen.add(key)
        if not live(files | {file: text}).wrong:
            survivors.add(key)
    assert survivors == UNCOMPARED[name].keys()
    assert seen > survivors
