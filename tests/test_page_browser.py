"""The page in headless Chromium: questions that users can answer with it, by keyboard and by pointer."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import axe_core_python
import pytest

from netplan.page.content import content
from netplan.page.html import page
from netplan.pipeline import compile_texts
from tests.browser import Browser, browser
from tests.inventories import compiled, text_of
from tests.test_page import OTHER_MTU, changed, data_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
ENTER, DOWN, RIGHT = "\ue007", "\ue015", "\ue014"
MOST_NODES = 5_000


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


@pytest.fixture
def silent(window: Browser):
    """A browser; no test may leave a console message: an error, a blocked script, a failed request."""
    window.log()
    yield window
    assert window.log() == []


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("pages")


def shown(window: Browser, folder: Path, name: str, data=None) -> Browser:
    path = folder / f"{name}.html"
    if not path.exists():
        path.write_text(page(data_of(name) if data is None else data))
    window.open(path)
    assert window.run("return document.documentElement.dataset.ready") == "true"
    return window


def found(window: Browser, wanted: str) -> str:
    """Details of the first search result."""
    window.run("document.getElementById('find').value = ''")
    window.type("#find", wanted + ENTER)
    return window.text(".drawer")


def rows(window: Browser, selector: str) -> list[list[str]]:
    script = (
        "return [...document.querySelectorAll(arguments[0] + ' tbody tr')].map(row => "
        "[...row.children].map(cell => cell.innerText.trim()))"
    )
    return window.run(script, selector)


@cache
def line_of(text: str) -> int:
    lines = OTHER_MTU.splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.fixture
def change(silent: Browser, folder: Path) -> Browser:
    """iei-rocev2 with another MTU, compared with the shipped one: the page for the ten questions."""
    return shown(silent, folder, "change", changed())


def test_1_which_leaf_port_serves_gpu_007_rail_3(change: Browser):
    found(change, "gpu-007")
    rails = {row[0]: row[1:5] for row in rows(change, ".drawer .scroll")}
    assert rails["3"] == ["roce3", "leaf-4", "Ethernet24", "100"]


def test_2_what_dscp_cnps_have_and_in_which_queue_of_which_switch_they_travel(change: Browser):
    chain = change.run("return document.querySelector('[aria-label=\"Chain of class cnp\"]').innerText")
    assert "makes CNPs with DSCP 48" in chain
    cards = re.findall(r"(leaf-\[1-4\]|spine-\[1-2\])\s+proved\s+(.*)", chain)
    assert cards == [
        ("leaf-[1-4]", "DSCP 48 to queue 6, strict"),
        ("leaf-[1-4]", "DSCP 48 to queue 6, strict"),
        ("spine-[1-2]", "DSCP 48 to queue 6, strict"),
    ]


def test_3_how_much_headroom_is_left_on_leaf_1(change: Browser):
    plan = compiled("iei-rocev2").plan
    assert plan is not None
    buffers = next(s.buffers for s in plan.switches if s.name == "leaf-1")
    left = f"{buffers.room - buffers.reserved:,} bytes of {buffers.room:,} bytes"
    assert left == "9,172,448 bytes of 10,642,912 bytes"
    assert left in change.text('[data-switches~="leaf-1"]')
    assert left in found(change, "leaf-1")


def test_4_which_pods_restart_if_the_mtu_changes(change: Browser):
    text = change.text("#change")
    assert "Pods that restart: large-model, training" in text
    assert text.index("Effects") < text.index("Waves") < text.index("fabric.mtu")


def test_5_whether_leaf_1_marks_before_it_pauses(change: Browser):
    said = change.run(
        "return document.querySelector('[data-switches~=\"leaf-1\"] svg[aria-label*=ECN]').ariaLabel"
    )
    assert re.findall(r"Kmax ([\d,]+),|one group congested at ([\d,]+)", said) == [
        ("1,500,000", ""),
        ("", "1,651,456"),
    ]


def test_6_how_full_the_neighbour_table_of_leaf_1_is(change: Browser):
    (row,) = (row for row in rows(change, "#capacity") if row[0] == "leaf-[1-4]")
    assert row[4:6] == ["140", "32,768"]


def test_7_which_vlan_and_gateway_rail_2_has(change: Browser):
    (row,) = (row for row in rows(change, "#networks") if row[0] == "rail2-leaf-3")
    assert row[1:6] == ["2", "leaf-3", "102", "172.16.10.0/24", "172.16.10.1"]


def test_8_which_way_rail_0_takes_to_rail_3(change: Browser):
    change.click('[aria-label="other node, device-bound: rail0 to rail3, delivered"]')
    way = change.text("#reach .path")
    there = way[way.index("There") : way.index("Back")]
    assert re.findall(r"^(leaf-\d|spine-\d)", there, re.MULTILINE) == ["leaf-1", "spine-1", "leaf-4"]


def test_9_which_line_of_the_inventory_cables_rail_3(change: Browser):
    line = line_of('hosts: "gpu-[001-016]", hca')
    assert f"site.yaml:{line}" in found(change, "gpu-007")


def test_10_what_is_oversubscribed_and_what_a_person_does(change: Browser):
    assert "oversubscribed 2.50:1" in change.text("#findings")
    work = rows(change, "#hand")
    assert any(row[0] == "hosts nf5468m5" and "CNP_DSCP_P1=48" in row[1] for row in work)


@pytest.mark.parametrize(
    ("name", "dark"),
    [
        ("change", False),
        ("change", True),
        pytest.param("eks-efa", False, marks=pytest.mark.full),
        pytest.param("multi-vendor", False, marks=pytest.mark.full),
    ],
)
def test_axe_finds_nothing(silent: Browser, folder: Path, name: str, dark: bool):
    silent.dark(dark)
    shown(silent, folder, name, changed() if name == "change" else None)
    assert silent.run("return document.documentElement.dataset.theme") == ("dark" if dark else "light")
    if name != "eks-efa":
        found(silent, "leaf-1")
    silent.run((Path(axe_core_python.__file__).parent / "axe.min.js").read_text())
    result = silent.wait("const done = arguments[0]; axe.run(document).then(done, e => done(String(e)))")
    said = [(v["id"], [n["html"][:120] for n in v["nodes"][:3]]) for v in result["violations"]]
    silent.dark(False)
    assert said == []
    assert len(result["passes"]) > 20


def test_the_switch_of_colours_is_kept(silent: Browser, folder: Path):
    shown(silent, folder, "multi-vendor")
    silent.click("#theme")
    assert silent.run("return document.documentElement.dataset.theme") == "dark"
    colour = "return getComputedStyle(document.body).backgroundColor"
    assert silent.run(colour) == "rgb(18, 23, 28)"


def test_the_picture_is_walked_by_keyboard(silent: Browser, folder: Path):
    shown(silent, folder, "multi-vendor")
    focused = "return document.activeElement.dataset.name"
    silent.run("document.querySelector('svg .thing[tabindex=\"0\"]').focus()")
    assert silent.run(focused) == "spine-1"
    silent.run("document.activeElement.id = 'here'")
    silent.type("#here", RIGHT)
    assert silent.run(focused) == "spine-2"
    silent.run("document.activeElement.id = 'there'")
    silent.type("#there", ENTER)
    assert silent.text(".drawer h3").startswith("Spine spine-2")


def test_every_host_shows_its_cables(silent: Browser, folder: Path):
    """The page's script expands ranges in the same way as netplan folds them."""
    shown(silent, folder, "multi-vendor")
    plan = compiled("multi-vendor").plan
    assert plan is not None
    for host in plan.fabric.hosts:
        silent.run(
            "document.querySelector(`.thing[data-name='${arguments[0]}']`)"
            ".dispatchEvent(new MouseEvent('click', {bubbles: true}))",
            host.name,
        )
        said = {tuple(row[1:4]) for row in rows(silent, ".drawer .scroll") if len(row) == 6}
        links = (link for link in plan.fabric.host_links if link.host is host)
        assert said == {(link.hca.name, link.switch.name, link.port) for link in links}


def test_a_click_on_a_cable_shows_both_ends(silent: Browser, folder: Path):
    shown(silent, folder, "multi-vendor")
    silent.run(
        'document.querySelector(\'path[data-lower="leaf-9"][data-upper="spine-1"]\')'
        ".dispatchEvent(new MouseEvent('click', {bubbles: true}))"
    )
    text = silent.text(".drawer")
    assert "8 cables of 100 Gb/s" in text
    assert "100GE1/0/17" in text
    assert "Ethernet64" in text


def test_what_every_colour_means_is_said(silent: Browser, folder: Path):
    shown(silent, folder, "multi-vendor")
    for by, words in {
        "speed": ["200 Gb/s", "100 Gb/s"],
        "class": ["lossless: roce"],
        "finding": ["warning", "note", "no finding"],
    }.items():
        silent.run(
            "const pick = document.getElementById('colour'); pick.value = arguments[0];"
            "pick.dispatchEvent(new Event('change'))",
            by,
        )
        assert silent.text(".legend").splitlines() == words


HOSTILE = (
    "</script><script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "<svg onload=window.hit=1>",
    "--><script>window.hit=1</script><!--",
    "</style><script>window.hit=1</script>",
    "javascript:window.hit=1",
    "&lt;script&gt;window.hit=1&lt;/script&gt;",
    "@script@ @data@ @style@",
    "${window.hit=1} {{7*7}}",
)
"""Hostile texts, used in comments that the page quotes, in the file name and in the name of the base."""


def test_hostile_text_is_text(silent: Browser, folder: Path):
    comments = iter(HOSTILE * 40)
    lines = text_of("iei-rocev2").splitlines()
    quoted = [f"{line}  # {next(comments)}" if "{" in line and "#" not in line else line for line in lines]
    name = f"{HOSTILE[1]}.yaml"
    result = compile_texts({name: "\n".join(quoted) + "\n"})
    data = content(result)
    data["change"] = {**changed()["change"], "old": HOSTILE[0]}
    shown(silent, folder, "hostile", data)
    found(silent, "gpu-007")
    counts = "return [typeof window.hit, document.images.length, document.scripts.length]"
    assert silent.run(counts) == ["undefined", 0, 2]
    quoted_lines = [text for _, _, text in data["lines"] if "window.hit" in text]
    assert len(quoted_lines) > 5
    assert HOSTILE[0] in silent.text("#change")
    assert name in silent.text(".drawer")
    assert any(text in silent.text(".drawer") for text in quoted_lines)


@pytest.mark.full
def test_a_thousand_hosts_begin_with_their_pods(silent: Browser, folder: Path):
    from benchmarks.inventory import Shape, inventory

    text = inventory(Shape(1024, workloads=1))
    shown(silent, folder, "thousand", content(compile_texts({"bench.yaml": text})))
    assert silent.run("return document.querySelectorAll('*').length") <= MOST_NODES
    assert len(silent.run("return [...document.querySelectorAll('.thing[data-kind=pod]')].map(n => 1)")) == 32
    found(silent, "gpu-00999")
    cables = {row[0]: row[1:5] for row in rows(silent, ".drawer .scroll")}
    assert cables["5"] == ["roce5", "leaf-254", "Ethernet48", "400"]
    silent.click(".tools button:not([hidden])")
    assert silent.run("return document.querySelectorAll('.thing[data-kind=pod]').length") == 32


def test_the_page_is_small(silent: Browser, folder: Path):
    shown(silent, folder, "change", changed())
    assert silent.run("return document.querySelectorAll('*').length") <= MOST_NODES
    assert len(json.dumps(changed())) < 500_000
