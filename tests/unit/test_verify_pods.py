"""NP918 and NP529: conflicting attachments of a pod, and valid cases close to them."""

from __future__ import annotations

import pytest

from tests.unit.rendered_tree import POD, RAILS, ROUTES, STORAGE, both, config, nothing, put, verified


def sysctl(index: int, **values: str | None):
    """Set (None: remove) settings of a rail, named ``at__setting``."""

    def edit(chain):
        found = next(p for p in chain["plugins"] if p["type"] == "tuning")["sysctl"]
        for name, value in values.items():
            key = "net.ipv4.conf." + name.replace("__", ".")
            found.pop(key, None)
            found.update({key: value} if value is not None else {})

    return config(RAILS, edit, index)


def everywhere(**values: str | None):
    return both(*(sysctl(index, **values) for index in (0, 1)))


TABLES = [
    pytest.param(
        put(ROUTES, "interfaces", 1, "table", value=100),
        ["2 interfaces have ipv4 table 100", "rail1: table 100 is one that CNI plugins number by themselves"],
        id="table of sbr",
    ),
    pytest.param(
        put(ROUTES, "interfaces", 1, "table", value=2000),
        ["rail1: table 2000 is the kernel's own or above 1023"],
        id="too high for busybox",
    ),
    pytest.param(
        put(ROUTES, "interfaces", 1, "table", value=254),
        ["rail1: table 254 is the kernel's own or above 1023"],
        id="table main",
    ),
    pytest.param(
        put(ROUTES, "interfaces", 1, "rule", "priority", value=32766),
        ["rail1: rule priority 32766 is not before that of table main"],
        id="after table main",
    ),
    pytest.param(
        put(ROUTES, "interfaces", 0, "rule", "priority", value=701),
        ["2 ipv4 rules have priority 701"],
        id="priority twice",
    ),
]


@pytest.mark.parametrize(("change", "messages"), TABLES)
def test_tables_that_collide(change, messages):
    found = verified(change).diagnostics
    assert [(d.code, d.message) for d in found] == [("NP918", f"{ROUTES}: {m}") for m in messages]


NAMES = {"rail0": "rail-0", "rail1": "rail-1", "storage0": "storage"}
TAKES = {"arp_ignore": "1 or 2", "arp_announce": "2", "rp_filter": "0 or 2"}


def said(text: str, name: str, *interfaces: str) -> list[str]:
    """The findings about each interface, at the pod; the job's worker is on the same networks."""
    end = f"{text} in all and the interface, it takes {TAKES[name]} (and 1 more pod)"
    return [
        f"{POD}: Pod training/train: {nic} (NetworkAttachmentDefinition training/{NAMES[nic]}) {end}"
        for nic in interfaces
    ]


ANSWERS = [
    pytest.param(
        everywhere(all__arp_ignore=None, IFNAME__arp_ignore=None),
        said("does not set arp_ignore", "arp_ignore", *NAMES),
        id="not set",
    ),
    pytest.param(
        both(sysctl(0, all__arp_ignore=None, IFNAME__arp_ignore="0"), sysctl(1, all__arp_ignore=None)),
        said("sets arp_ignore to 0", "arp_ignore", "rail0")
        + said("does not set arp_ignore", "arp_ignore", "storage0"),
        id="off on one",
    ),
    pytest.param(
        everywhere(all__arp_announce="1", IFNAME__arp_announce="1"),
        said("sets arp_announce to 1", "arp_announce", *NAMES),
        id="too little",
    ),
    pytest.param(
        sysctl(1, IFNAME__rp_filter="1"),
        said("sets rp_filter to 1", "rp_filter", "rail1"),
        id="strict on one",
    ),
]


@pytest.mark.parametrize(("change", "messages"), ANSWERS)
def test_interfaces_that_answer_for_each_other(change, messages):
    found = verified(change).diagnostics
    assert {(d.code, d.message) for d in found} == {("NP529", m) for m in messages}


def test_arp_filter():
    found = verified(sysctl(0, IFNAME__arp_filter="1")).diagnostics
    end = "rail0 (NetworkAttachmentDefinition training/rail-0) sets arp_filter"
    assert [d.message for d in found] == [f"{POD}: Pod training/train: {end} (and 1 more pod)"]


LEGAL = [
    pytest.param(nothing, id="as it is"),
    pytest.param(everywhere(IFNAME__arp_ignore=None, IFNAME__arp_announce=None), id="in all only"),
    pytest.param(
        everywhere(all__arp_ignore="2", all__rp_filter="2", IFNAME__rp_filter="2"), id="stricter, loose"
    ),
    pytest.param(everywhere(IFNAME__arp_filter="0"), id="arp_filter off"),
    pytest.param(put(ROUTES, "interfaces", 1, "table", value=999), id="the last table before DRANET's"),
    pytest.param(put(ROUTES, "interfaces", 1, "family", value="ipv6"), id="another family"),
    pytest.param(config(STORAGE, lambda c: c["plugins"][0].pop("ipam")), id="no addresses"),
]


@pytest.mark.parametrize("change", LEGAL)
def test_a_legal_neighbour(change):
    assert verified(change).diagnostics == ()
