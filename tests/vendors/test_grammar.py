"""Every rendered line of a switch is in the grammar of its NOS, in the same context."""

from __future__ import annotations

import pytest

from netplan.nos import available
from tests.switch_site import profiles
from tests.vendors.grammar import NOSES, Line, facts, grammar
from tests.vendors.sites import PORTS, VARIANTS, unsupported, variant_site

EXEMPT_NOS = {"sonic": "its JSON is held to SONiC's own YANG models by yanglint"}
UNSUPPORTED = {(nos, variant) for nos in PORTS for variant in VARIANTS if unsupported(nos, variant)}

CASES = [(nos, variant) for nos in PORTS for variant in VARIANTS if (nos, variant) not in UNSUPPORTED]


def test_every_nos_has_a_grammar() -> None:
    assert set(NOSES) == set(available()) - set(EXEMPT_NOS)


@pytest.mark.parametrize("nos", PORTS)
def test_every_output_is_held_to_something(nos: str) -> None:
    text = {output.file for output in profiles()[nos].outputs if output.file.endswith(".txt")}
    others = {output.file for output in profiles()[nos].outputs} - text - {"README.md"}
    assert others == set(facts(nos).other_files)
    assert text


def test_what_cannot_be_asked_is_little() -> None:
    assert {(nos, variant) for nos, variant in UNSUPPORTED if nos in ("onyx", "h3c-comware")} == {
        ("onyx", "pcp"),
        ("onyx", "two lossless"),
        ("h3c-comware", "pcp"),
    }


@pytest.mark.parametrize(("nos", "variant"), CASES)
@pytest.mark.parametrize("switch", ["leaf-1", "spine-1"])
def test_every_line_is_in_the_facts(nos: str, variant: str, switch: str) -> None:
    site = variant_site(nos, variant)
    files = site.files(switch)
    text = "\n".join(text for name, text in files.items() if name.endswith(".txt"))
    assert len(list(grammar(nos).lines(text))) >= 2 * len(site.switch(switch).ports)
    assert grammar(nos).refused(text) == []


@pytest.mark.parametrize("nos", PORTS)
def test_a_form_has_a_source_or_says_why_it_has_none(nos: str) -> None:
    sources = grammar(nos).sources
    for line, names, reason in grammar(nos).cited:
        assert (names == ("unconfirmed",)) == bool(reason), line
        assert reason or set(names) <= set(sources), line


@pytest.mark.parametrize("nos", PORTS)
def test_every_source_of_a_grammar_is_the_source_of_a_form(nos: str) -> None:
    assert set(grammar(nos).sources) <= {name for _, names, _ in grammar(nos).cited for name in names}


@pytest.mark.parametrize("nos", PORTS)
def test_what_is_known_beside_the_forms_has_a_source_in_nos_yaml(nos: str) -> None:
    sources = "\n".join(profiles()[nos].sources)
    assert [name for name in grammar(nos).named if name not in sources] == []


@pytest.mark.parametrize(
    ("nos", "text", "refused"),
    [
        ("arista-eos", "qos map dscp 64 to traffic-class 3", Line("qos map dscp 64 to traffic-class 3", ())),
        ("arista-eos", "priority-flow-control on", Line("priority-flow-control on", ())),
        (
            "cisco-nxos",
            "interface Ethernet1/1\n  pause pfc-cos 3",
            Line("pause pfc-cos 3", ("interface Ethernet1/1",)),
        ),
        ("cisco-nxos", "system jumbo 9216", Line("system jumbo 9216", ())),
        ("cisco-nxos", "mac address-table aging 300", Line("mac address-table aging 300", ())),
        ("arista-eos", "no dcbx mode", Line("no dcbx mode", ())),
        (
            "cumulus-nvue",
            "nv set router adaptive-routing on",
            Line("nv set router adaptive-routing on", ()),
        ),
        ("dell-os10", "wred X\n random-detect enc", Line("random-detect enc", ("wred X",))),
        ("juniper-junos", "set class-of-service typo", Line("set class-of-service typo", ())),
        ("onyx", "ip arp timeout 60", Line("ip arp timeout 60", ())),
        ("onyx", "protocol bgp 65000", Line("protocol bgp 65000", ())),
        ("onyx", "mac-address-table aging-time 5m", Line("mac-address-table aging-time 5m", ())),
        ("dell-os10", "maximum-paths ebgp 4", Line("maximum-paths ebgp 4", ())),
        ("dell-os10", "mac address-table aging-time", Line("mac address-table aging-time", ())),
        (
            "h3c-comware",
            "qos map-table dscp-dot1p\n import 64 export 3",
            Line("import 64 export 3", ("qos map-table dscp-dot1p",)),
        ),
        ("h3c-comware", "jumboframe enable 9238", Line("jumboframe enable 9238", ())),
        ("huawei-vrp", "priority 3 deadlock-detect time 2", Line("priority 3 deadlock-detect time 2", ())),
        (
            "huawei-vrp",
            "dcb pfc deadlock-detect interval 50",
            Line("dcb pfc deadlock-detect interval 50", ()),
        ),
        (
            "huawei-vrp",
            "interface 100GE1/0/1\n qos drr 0 to 8",
            Line("qos drr 0 to 8", ("interface 100GE1/0/1",)),
        ),
    ],
)
def test_a_line_that_no_fact_has_is_refused(nos: str, text: str, refused: Line) -> None:
    assert grammar(nos).refused(text) == [refused]
