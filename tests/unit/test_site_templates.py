"""A site's own templates: their sandbox and limits; the same output in every run."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader
from netaddr import IPNetwork

from netplan.model.nos_folder import NosFolder
from netplan.render import site_filters
from netplan.render.sandbox import SiteEnvironment

GIVEN: dict[str, Any] = {
    "net": IPNetwork("fd00::/8"),
    "path": Path("/etc/passwd"),
    "names": frozenset({"b", "a", "c"}),
    "rows": [{"n": 1, "t": "x"}, {"n": 2, "t": "y"}],
    "folder": NosFolder(name="x", path=Path("/")),
}


def printed(template: str) -> str:
    return (
        SiteEnvironment(DictLoader({"a": template, "b": "{% include 'b' %}"})).get_template("a").render(GIVEN)
    )


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{ 1 }}{{ 'a' ~ 2 ~ true }}", "1a2True"),
        ("{% for i in range(3) %}{{ loop.index }}{{ ',' if not loop.last }}{% endfor %}", "1,2,3"),
        ("{% for i in range(9) if i is odd %}{{ i }}{% else %}none{% endfor %}", "1357"),
        ("{% for n in names %}{{ n }}{% endfor %} {{ names | join }} {{ names | first }}", "abc abc a"),
        ("{{ rows | map(attribute='t') | join('+') }} {{ rows | sum('n') }} {{ rows | length }}", "x+y 3 2"),
        ("{{ rows | selectattr('n', 'gt', 1) | map(attribute='t') | list | last }}", "y"),
        ("{{ 'abc' | upper | replace('A', 'zz') }} {{ ' a ' | trim }}.", "zzBC a."),
        ("{{ '{:06b} {}'.format(5, 'x') }} {{ 'a,b'.split(',')[1] }}", "000101 x b"),
        ("{{ net.ip }} {{ net.prefixlen }} {{ net }}", "fd00:: 8 fd00::/8"),
        ("{{ 'a\"b' | tojson }} {{ 5 | tojson }}", '"a\\"b" 5'),
        ("{% macro twice(x) %}{{ x }}{{ x }}{% endmacro %}{{ twice('ab') }}", "abab"),
        (
            "{% set n = namespace(x=1) %}{% for i in [1, 2] %}{% set n.x = n.x + i %}{% endfor %}{{ n.x }}",
            "4",
        ),
        ("{{ rows[0].get('z', 'none') }} {{ (rows[0] | items | list)[0][1] }} {{ 2 ** 10 }}", "none 1 1024"),
    ],
)
def test_what_templates_can_do(template: str, text: str) -> None:
    assert printed(template) == text


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("{{ net.__class__ }}", "unsafe"),
        ("{{ ''.__class__ }}", "no attribute"),
        ("{{ 'x'['__class__'] }}", "no attribute"),
        ("{{ '{0.__class__}'.format(net) }}", "format does not take"),
        ("{{ path.read_text() }}", "unsafe"),
        ("{{ folder.path.write_text('x') }}", "unsafe"),
        ("{{ rows.append(1) }}", "unsafe"),
        ("{{ (1).to_bytes(9, 'big') }}", "unsafe"),
        ("{{ net.iter_hosts() }}", "unsafe"),
        ("{{ lipsum() }}", "'lipsum' is undefined"),
        ("{{ [1, 2] | random }}", "No filter named 'random'"),
        ("{{ rows }}", "prints a list"),
        ("{{ none }}", "prints nothing"),
        ("{{ names ~ 'x' }}", "prints a frozenset"),
        ("{{ range }}", "prints a method"),
        ("{{ x.y }}", "'x' is undefined"),
        ("{% include '../a' %}", "../a"),
        ("{{ net | list }}", "does not take"),
        ("{{ 'x' | sum }}", "not a number"),
    ],
)
def test_what_they_cannot_reach(template: str, why: str) -> None:
    with pytest.raises(Exception, match=why):
        printed(template)


LONG = "{% for i in range(9999) %}{% for j in range(9999) %}"


@pytest.mark.parametrize(
    "template",
    [
        "{% for i in range(99999999) %}{% endfor %}",
        f"{LONG}x{{% endfor %}}{{% endfor %}}",
        "{% for i in range(9999) %}{% for j in range(9999) if false %}{% endfor %}{% endfor %}",
        "{% for i in range(9999) %}{{ range(9999) | sum }}{% endfor %}",
        "{% for i in net %}{% endfor %}",
        "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(99) }}",
        "{% include 'b' %}",
        "{{ 'a' * 10 ** 10 }}",
        "{{ [0] * 10 ** 10 }}",
        "{% set n = namespace(a='aa') %}{% for i in range(60) %}{% set n.a = n.a ~ n.a %}{% endfor %}",
        "{% set n = namespace(a='aa') %}{% for i in range(60) %}{% set n.a = n.a + n.a %}{% endfor %}",
        "{% set n = namespace(a='aa') %}{% for i in range(60) %}"
        "{% set n.a %}{{ n.a }}{{ n.a }}{% endset %}{% endfor %}",
        "{% set n = namespace(a=2) %}{% for i in range(60) %}{% set n.a = n.a * n.a %}{% endfor %}",
        "{% set n = namespace(a='ab') %}{% for i in range(60) %}"
        "{% set n.a = n.a | replace('a', n.a) | replace('b', n.a) %}{% endfor %}",
        "{% set a = 'x' * 10 ** 6 %}{{ ([a] * 1000) | join }}",
        "{% set n = namespace(a=[0]) %}{% for i in range(60) %}{% set n.a = n.a + n.a %}{% endfor %}",
        "{{ '{:99999999}'.format(1) }}",
        "{{ '%99999999d' % 1 }}",
        "{{ 10 ** 10 ** 10 ** 10 }}",
    ],
)
def test_what_has_no_end_is_stopped(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_filters, "MAX_STEPS", site_filters.MAX_STEPS // 10)
    begun = time.process_time()
    with pytest.raises((Exception, RecursionError)):
        printed(template)
    assert time.process_time() - begun < 20


def test_literal_text_in_a_loop_counts() -> None:
    literal = "x" * 10_000
    with pytest.raises(Exception, match="characters"):
        printed(f"{{% set a %}}{{% for i in range(9999) %}}{literal}{{% endfor %}}{{% endset %}}")


def test_an_included_text_counts() -> None:
    templates = {"a": "{% set x %}{% for i in range(9999) %}{% include 'b' %}{% endfor %}{% endset %}"}
    environment = SiteEnvironment(DictLoader({**templates, "b": "x" * 10_000}))
    with pytest.raises(Exception, match="characters"):
        environment.get_template("a").render()


def test_a_set_has_one_order_whatever_the_hash_seed() -> None:
    program = (
        "from tests.unit.test_site_templates import GIVEN, printed\n"
        "GIVEN['names'] = frozenset(map(str, range(99)))\n"
        "print(printed('{% for n in names %}{{ n }},{% endfor %}{{ names | list | join }}'))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(texts) == 1
