"""NOS folders: the shipped ones, invalid ones, and that a new one needs no Python."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from netplan.model.nos import FEATURES
from netplan.nos import NosLibrary, available, load_nos, shipped, switch_folder
from netplan.plan.switches import plan_switches
from netplan.render.switches import render_switches
from tests.switch_site import fabric_of, inventory, profiles, site

MADE_UP: dict[str, Any] = {
    "title": "Made-up OS",
    "releases": [{"name": "1", "source": "made up"}],
    "default_release": "1",
    "verified": "none",
    "outputs": [{"template": "all.txt.j2", "file": "all.txt"}],
    "supports": dict.fromkeys(FEATURES, True),
    "units": {"ecn": "cells", "arp": "min", "watchdog": "s", "mtu_overhead": 32},
    "limits": {"mtu_max": 9216, "arp_min": 1, "arp_max": 240},
    "port_name": "Ethernet[0-9]+",
    "port_numbers": {"name": "Ethernet(?P<port>[0-9]+)", "first": 0},
    "asics": {"spectrum-1": {"cell_bytes": 96, "source": "made up"}},
    "sources": ["made up"],
}
TEMPLATE = """\
{% for queue in switch.qos.queues %}{% for ecn in queue.ecn %}
ecn {{ ecn.kmin }} {{ ecn.kmax }}
{% endfor %}{% endfor %}
arp {{ switch.arp.age }} {{ switch.arp.unit }}
watchdog {{ switch.watchdog.poll }} {{ switch.watchdog.detection_polls }}
mtu {{ switch.ports[0].mtu }} {{ switch.ports[0].ip_mtu }}
"""


def folder(tmp_path: Path, template: str = TEMPLATE, **changes: Any) -> NosLibrary:
    """A library with an invented NOS folder."""
    own = tmp_path / "made-up"
    own.mkdir()
    (own / "nos.yaml").write_text(yaml.safe_dump(MADE_UP | changes))
    (own / "all.txt.j2").write_text(template)
    return shipped(tmp_path)


def test_shipped_noses_are_found_and_sound() -> None:
    assert {"onyx", "sonic"} <= set(available())
    assert list(profiles()) == list(available())


def test_only_what_is_asked_for_is_read(tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "nos.yaml").write_text("}")
    found, problems = load_nos({"made-up": ()}, folder(tmp_path))
    assert (list(found), problems) == (["made-up"], [])


def test_an_unknown_nos_lists_the_known_ones(tmp_path: Path) -> None:
    _, (problem,) = load_nos({"ios": ("switch_types", "leaf", "nos")}, folder(tmp_path))
    assert (problem.code, problem.message, problem.hint) == (
        "NP101",
        "NOS ios does not exist",
        "known: made-up",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"extra": 1},
            'made-up/nos.yaml: extra: unknown key "extra"',
        ),
        (
            {"units": {"ecn": "furlongs"}},
            'made-up/nos.yaml: units.ecn: "furlongs" is not one of bytes, kilobytes, cells, percent',
        ),
        (
            {"supports": dict.fromkeys(FEATURES, True) | {"pfc": False}},
            "made-up/nos.yaml: supports.pfc: false is neither true nor text of at least 10 characters",
        ),
    ],
)
def test_a_nos_yaml_with_mistakes(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    found, problems = load_nos({"made-up": ()}, folder(tmp_path, **changes))
    assert (found, [(p.code, p.message) for p in problems]) == ({}, [("NP801", message)])


def test_a_new_nos_is_one_folder(tmp_path: Path) -> None:
    """Thresholds in cells of 96 bytes, age in minutes, watchdog in seconds, MTU with 32 bytes of header."""
    nos, problems = load_nos({"made-up": ()}, folder(tmp_path))
    assert problems == []
    base = site()
    data = inventory(switch_types__leaf__nos="sonic", fabric__arp={"timeout_seconds": 90})
    fabric = fabric_of(data)
    as_sonic = {"sonic": nos["made-up"]}
    plans = plan_switches(fabric, base.addresses, base.qos, as_sonic, {})
    first = next(render_switches(plans, nos, "test"))
    assert first.text.splitlines() == ["ecn 1041 15625", "arp 2 min", "watchdog 0.2 1", "mtu 9216 9184"]


def test_a_template_that_names_nothing_fails(tmp_path: Path) -> None:
    nos, _ = load_nos({"made-up": ()}, folder(tmp_path, "{{ switch.nothing }}"))
    base = site()
    plans = plan_switches(base.fabric, base.addresses, base.qos, {"sonic": nos["made-up"]}, {})
    with pytest.raises(Exception, match="has no attribute 'nothing'"):
        next(render_switches(plans, nos, "test"))


def test_a_template_that_prints_none_fails(tmp_path: Path) -> None:
    nos, _ = load_nos({"made-up": ()}, folder(tmp_path, "{{ nos.dynamic_buffers }}"))
    base = site()
    plans = plan_switches(base.fabric, base.addresses, base.qos, {"sonic": nos["made-up"]}, {})
    with pytest.raises(ValueError, match="None"):
        next(render_switches(plans, nos, "test"))


TEMPLATES = sorted(switch_folder().rglob("*.j2"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_templates_only_print(path: Path) -> None:
    """No defaults, presence tests or accumulators in templates: the plan is complete."""
    text = path.read_text()
    assert re.findall(r"default\(|is (?:not )?defined|is (?:not )?none|\{%-? *set ", text) == []
    assert len(text.splitlines()) <= 100


@pytest.mark.parametrize("nos", available())
def test_an_asic_confirms_what_is_unconfirmed_elsewhere(nos: str) -> None:
    profile = profiles()[nos]
    for asic in profile.asics.values():
        assert set(asic.confirms) <= set(profile.unconfirmed), asic.name


SONIC_ONLY = {"port_settings", "frr_mode"}
"""Features that netplan renders only for SONiC, whatever commands other NOSes have."""


@pytest.mark.parametrize("nos", ["onyx", "dell-os10", "h3c-comware", "huawei-vrp"])
def test_every_gap_was_searched_for(nos: str) -> None:
    profile = profiles()[nos]
    gaps = {name for name, why in profile.supports.items() if why} | set(profile.unconfirmed)
    gaps -= SONIC_ONLY
    by_model = {name for asic in profile.asics.values() for name in asic.confirms}
    assert gaps - by_model <= set(profile.searched)
