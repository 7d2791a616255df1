"""Switches that are alike in what a template reads share its text, and that text is the one of each."""

from __future__ import annotations

from typing import Any

import pytest

from netplan.nos import load_nos, shipped
from netplan.render import alike, switches
from netplan.render.jinja import environment
from tests.inventories import compiled


def _texts(name: str) -> dict[str, str]:
    plan = compiled(name).plan
    assert plan is not None
    profiles, _ = load_nos({s.type.nos: () for s in plan.fabric.switches}, shipped())
    return {a.path: a.text for a in switches.render_switches(plan.switches, profiles, plan.fabric.site)}


@pytest.mark.parametrize("name", ["multi-vendor", "iei-rocev2", "l3-to-host"])
def test_a_shared_text_is_what_each_switch_would_have(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(switches, "_FEW", 1)
    shared = _texts(name)
    monkeypatch.setattr(switches, "_reads", lambda *_: None)
    assert _texts(name) == shared


def test_a_text_is_printed_once_for_switches_that_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    printed = []

    def counted(plan: Any) -> Any:
        printed.append(plan.name)
        return alike.unnamed(plan)

    monkeypatch.setattr(switches, "unnamed", counted)
    found = [path for path in _texts("iei-rocev2") if "/roce." in path or "/arp." in path]
    assert printed == []  # of so few switches
    monkeypatch.setattr(switches, "_FEW", 1)
    _texts("iei-rocev2")
    assert 0 < len(set(printed)) < len(found)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("{{ switch.arp.age }}", ("arp",)),
        ("! {{ switch.name }}{% for p in switch.ports %}{{ p.name }}{% endfor %}", ("ports",)),
        ("{{ switch.name | upper }}", None),
        ("{{ switch.name ~ '-x' }}", None),
        ("{% if switch.name == 'a' %}x{% endif %}", None),
        ("{% set s = switch %}{{ s.asn }}", None),
        ("{{ switch.router_id }}", None),
        ("{{ page.ports }}", None),
        ("{% include switch.nos %}", None),
        ("{{ switch.ports['a'] }}", ("ports",)),
        ("{{ switch.qos['ecn_' ~ switch.unit] }}", None),
    ],
)
def test_what_a_template_reads(text: str, fields: tuple[str, ...] | None, tmp_path: Any) -> None:
    (tmp_path / "one.j2").write_text(text, encoding="utf-8")
    found = alike.reads(environment(tmp_path), "one.j2")
    assert (found.fields if found is not None else None) == fields
