"""Switches that differ only in their own values share one text; filling it in gives each switch's text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from netaddr import IPAddress, IPNetwork

from netplan.model import alike as model_alike
from netplan.model.alike import stand_in
from netplan.model.switching import SwitchPlan
from netplan.model.values import InterfaceAddress
from netplan.nos import load_nos, shipped
from netplan.plan import make_plan
from netplan.render import alike, switches
from netplan.render.jinja import environment
from tests.inventories import compiled

NAMES = ["multi-vendor", "iei-rocev2", "l3-to-host", "dgx-h100-dra", "kitchen-sink"]


def _other(value: Any) -> Any:
    """Another value of the same type, with a different length."""
    if isinstance(value, InterfaceAddress):
        return InterfaceAddress(_other(value.ip), value.prefixlen)
    if isinstance(value, IPAddress):
        return IPAddress(int(value) + 1031, value.version)
    if isinstance(value, IPNetwork):
        return IPNetwork((int(value.cidr.ip) + 2**20, value.prefixlen), version=value.version)
    return value + 1031 if isinstance(value, int) else f"{value}-twin"


def _with_twins(name: str) -> list[SwitchPlan]:
    plan = compiled(name).plan
    assert plan is not None
    return [each for switch in plan.switches for each in (switch, stand_in(switch, _other))]


def _texts(plans: Sequence[SwitchPlan]) -> dict[str, str]:
    profiles, _ = load_nos({plan.nos: () for plan in plans}, shipped())
    return {a.path: a.text for a in switches.render_switches(plans, profiles, "test")}


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_is_filled_in_is_what_the_switch_would_have(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans = _with_twins(name)
    shared = _texts(plans)
    monkeypatch.setattr(alike.Shape, "text", lambda self, file, subject, made: made(subject))
    assert _texts(plans) == shared


@pytest.mark.parametrize("name", ["superpod-h100", "iei-rocev2", "l3-to-host"])
def test_what_the_plan_concludes_is_the_same_in_a_shape(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = compiled(name).plan
    assert plan is not None
    made = []

    def alone(self: Any, kind: Any, shape: Any, make: Any) -> Any:
        made.append(kind)
        return make()

    monkeypatch.setattr(model_alike.Shapes, "find", alone)
    profiles, _ = load_nos({s.type.nos: () for s in plan.fabric.switches}, shipped())
    assert make_plan(plan.fabric, profiles)[0].switches == plan.switches
    assert len(made) == len(plan.switches)


@pytest.mark.parametrize("name", ["multi-vendor", "l3-to-host"])
def test_templates_that_ship_print_own_values_as_they_stand(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = []
    found = alike.Shape._with_blanks

    def noted(*arguments: Any) -> Any:
        forms.append(found(*arguments))
        return forms[-1]

    monkeypatch.setattr(alike.Shape, "_with_blanks", noted)
    _texts(_with_twins(name))
    assert forms
    assert None not in forms


def test_switches_of_one_shape_are_printed_twice_however_many_there_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = _with_twins("iei-rocev2")[0]
    plans = [first]
    while len(plans) < 6:
        plans.append(stand_in(plans[-1], _other))
    made = []
    printed = alike.Shape.text

    def counted(shape: Any, file: str, subject: Any, make: Any) -> str:
        return printed(shape, file, subject, lambda of: made.append(file) or make(of))  # type: ignore[func-returns-value]

    monkeypatch.setattr(alike.Shape, "text", counted)
    assert sum(path.endswith("/README.md") for path in _texts(plans)) == 6
    assert made.count("README.md") == 2


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("{{ switch.arp.age }}", True),
        ("! {{ switch.name }}{% for p in switch.ports %}{{ p.name }} {{ p.peer }}{% endfor %}", True),
        ("{{ switch.name ~ '-x' }}", True),
        ("{% if switch.asn %}router bgp {{ switch.asn }}{% endif %}", True),
        ("{% for n in switch.networks %}{{ n.version }} {{ n.ip }}/{{ n.prefixlen }}{% endfor %}", True),
        ("{{ switch.name | upper }}", False),
        ("{{ switch.name | length }}", False),
        ("{% if switch.name == 'a' %}x{% endif %}", False),
        ("{% if 'a' in switch.name %}x{% endif %}", False),
        ("{{ switch.id + 1 }}", False),
        ("{% for n in switch.networks | unique %}{{ n }}{% endfor %}", False),
    ],
)
def test_a_template_that_does_more_than_print_an_own_value_prints_each_switch(
    text: str, shared: bool, tmp_path: Any
) -> None:
    (tmp_path / "one.j2").write_text(text, encoding="utf-8")
    template = environment(tmp_path).get_template("one.j2")
    plans = _with_twins("iei-rocev2")[:2]
    calls = []

    def made(of: alike.SwitchSubject) -> str:
        calls.append(of.plan)
        return template.render(switch=of.plan)

    shapes = alike.Shapes()
    for plan in plans:
        shape, subject = shapes.of(plan).drawn()
        assert shape.text("one", subject, made) == template.render(switch=plan)
    assert (calls[-1] is plans[-1]) is not shared
