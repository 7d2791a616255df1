"""``--nos-dir``: a NOS without Python, from the page's example to a traced packet, and its mistakes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from netplan import pipeline
from netplan.importing.facts import Fact
from netplan.importing.text_classes import class_facts
from netplan.importing.unreached import shipped_queues
from netplan.importing.weights import BEYOND, REST, STOCK_REST
from netplan.nos import available, switch_folder
from netplan.reading.switches import read_switch
from netplan.reading.switches.rules import rules_of
from tests.cli_runs import json_report, netplan
from tests.inventories import FOLDER
from tests.own_nos import NAME, SITE, edited, example, written


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.yaml"
    path.write_text(SITE)
    return path


@pytest.fixture
def nos(tmp_path: Path) -> Path:
    return tmp_path / "nos"


def errors(report: Any, nos: Path) -> list[str]:
    """``file:line:col code message``, files without their directory."""
    return [
        f"{d['file'].removeprefix(f'{nos}/')}:{d['line']}:{d['column']} {d['code']} {d['message']}"
        for d in report["diagnostics"]
        if d["severity"] == "error"
    ]


def found(site: Path, nos: Path) -> list[str]:
    _, out, _ = netplan("validate", "--format", "json", str(site), "--nos-dir", str(nos))
    return errors(json_report(out), nos)


def test_the_page_has_the_whole_folder() -> None:
    assert set(example()) == {"nos.yaml", "ports.txt.j2", "qos.txt.j2", "README.md.j2", "readback.yaml"}


def test_a_new_nos_is_validated_rendered_shown_read_back_and_traced(site: Path, nos: Path) -> None:
    out = site.parent / "out"
    option = ("--nos-dir", str(written(nos)))
    assert netplan("validate", "--strict", str(site), *option)[0] == 0
    assert netplan("render", str(site), "-o", str(out), *option)[0] == 0
    files = {path.name: path.read_text() for path in (out / "switches" / "leaf-1").iterdir()}
    assert set(files) == {"README.md", "cabling.csv", "ports.txt", "qos.txt"}
    library = pipeline.read_nos_dir(str(nos)).library
    read = read_switch("leaf-1", NAME, files, library)
    assert read.problems == ()
    assert {name: (sorted(p.tagged), p.ip_mtu) for name, p in read.ports.items()} == {
        "Ethernet0": ([100], 9216),
        "Ethernet4": ([100], 9216),
        "Ethernet8": ([101], 9216),
        "Ethernet12": ([101], 9216),
    }
    assert (read.trust, read.queues[26], read.queues[48], set(read.strict)) == ("dscp", 3, 6, {6})
    assert read.ecn == {3: (100_000, 400_000)}
    assert netplan("render", str(site), "-o", str(out), "--check", *option)[0] == 0
    status, shown, _ = netplan("trace", str(site), "--matrix", *option)
    open_points = [line for line in shown.splitlines() if line.startswith("  not proved: ")]
    assert (status, ["a PFC watchdog for priority 3" in line for line in open_points]) == (0, [True])
    assert netplan("trace", "--rendered", str(out), "--matrix", *option)[1] == shown
    assert "nos: acme" in netplan("show", str(site), "plan.switches", *option)[1]


def test_without_the_option_the_name_means_nothing(site: Path) -> None:
    status, _, told = netplan("validate", str(site))
    assert (status, "NP101 switch_types.leaf.nos: NOS acme does not exist" in told) == (1, True)


def test_the_name_is_known_beside_those_that_come_with_netplan(site: Path, nos: Path) -> None:
    site.write_text(SITE.replace("nos: acme", "nos: acne"))
    status, _, told = netplan("validate", str(site), "--nos-dir", str(written(nos)))
    assert (status, "did you mean acme?" in told) == (1, True)


def test_readmes_say_whose_folder_rendered_the_switch(site: Path, nos: Path) -> None:
    """Also if the folder has its own README template."""
    sentence = "Rendered by the site's own NOS folder `acme` (`--nos-dir`), not by netplan's templates."
    for page in (example()["README.md.j2"], "# mine\nby netplan\n", ""):
        result = pipeline.run(
            [str(site)], pipeline.Options(nos_dir=str(written(nos, {"README.md.j2": page})))
        )
        texts = {a.path: a.text for a in result.artifacts}
        assert texts["switches/leaf-1/README.md"].splitlines()[2] == sentence
        assert sentence in texts["switches/README.md"]


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", available())
def test_a_copy_of_a_folder_renders_the_same_as_the_original(name: str, nos: Path) -> None:
    """A site's templates may use everything that netplan's own use; only the READMEs differ."""
    shutil.copytree(switch_folder() / name, nos / name)
    inventory = str(FOLDER / "multi-vendor.yaml")
    theirs, ours = (pipeline.run([inventory], pipeline.Options(nos_dir=given)) for given in (None, str(nos)))
    assert [d for d in ours.diagnostics if d not in theirs.diagnostics] == []
    changed = {a.path for a in set(ours.artifacts) ^ set(theirs.artifacts)}
    switches = {s.name for s in ours.plan.switches if s.nos == name} if ours.plan else set()
    assert switches
    assert changed == {"switches/README.md", *(f"switches/{switch}/README.md" for switch in switches)}


def test_a_folder_of_a_known_name_replaces_it_as_a_whole(nos: Path) -> None:
    shutil.copytree(switch_folder() / "sonic", nos / "sonic")
    (nos / "sonic" / "roce.json.j2").unlink()
    result = pipeline.run([str(FOLDER / "minimal.yaml")], pipeline.Options(nos_dir=str(nos)))
    assert [(d.code, d.message) for d in result.diagnostics if d.code == "NP801"] == [
        ("NP801", "there is no template roce.json.j2")
    ]
    assert result.artifacts == ()


QUEUES = """\
trust dscp
map dscp 26 queue 3
map dscp 48 queue 6
port Ethernet0 pfc 3
queue 3 weight 90
queue 6 weight 40
"""


@pytest.mark.parametrize("stated", [False, True])
def test_a_folder_states_what_import_knows_of_its_queues(nos: Path, stated: bool) -> None:
    """The map of code points that it ships, and the most that weights add up to."""
    more = ', weights_max: 100}\nstock_map: {show: show map, source: "Acme OS 4.1, page 9"}'
    limits = "limits: {mtu_max: 9216, arp_min: 1, arp_max: 240}"
    strict = 'strict: ["queue <queue> strict"]\n'
    rules_text = edited("readback.yaml", strict, f'{strict}  weight: ["queue <queue> weight <weight>"]\n')
    written(nos, {**rules_text, **(edited("nos.yaml", limits, limits[:-1] + more) if stated else {})})
    folders = pipeline.read_nos_dir(str(nos))
    read = read_switch("leaf-1", NAME, {"qos.txt": QUEUES}, folders.library)
    rules = rules_of(NAME, folders.library)
    assert rules is not None
    fields = {
        fact.field
        for fact in class_facts(rules.nos, read, QUEUES, QUEUES, "qos.txt")
        if isinstance(fact, Fact)
    }
    assert {STOCK_REST, REST} & fields == ({STOCK_REST} if stated else {REST})
    assert (BEYOND in fields) is stated
    assert set(shipped_queues(rules.nos, read).values()) == ({"show map"} if stated else set())


BAD: dict[str, tuple[dict[str, str | None], str]] = {
    "a key": (
        edited("nos.yaml", "verified: none", "verfied: none"),
        'acme/nos.yaml:6:1 NP801 unknown key "verfied"',
    ),
    "a word": (
        edited("nos.yaml", "ecn: kilobytes", "ecn: furlongs"),
        'acme/nos.yaml:39:9 NP801 "furlongs" is not one of bytes, kilobytes, cells, percent',
    ),
    "no": (
        edited("nos.yaml", "  ecn: true", "  ecn: false"),
        "acme/nos.yaml:13:3 NP801 false is neither true nor text of at least 10 characters",
    ),
    "not YAML": ({"nos.yaml": "title: [\n"}, "acme/nos.yaml:2:1 NP801 "),
    "an expression": (
        edited("nos.yaml", '"Ethernet[0-9]+"', '"Ethernet[0-9+"'),
        "acme/nos.yaml:41:1 NP801 is not a regular expression: ",
    ),
    "a group": (
        edited("nos.yaml", "?P<lane>", ""),
        "acme/nos.yaml:42:16 NP801 has no group port or lane",
    ),
    "a template's name": (
        edited("nos.yaml", "template: qos.txt.j2", "template: qs.txt.j2"),
        "acme/nos.yaml:8:6 NP801 there is no template qs.txt.j2",
    ),
    "one file twice": (
        edited("nos.yaml", "file: qos.txt", "file: ports.txt"),
        "acme/nos.yaml:9:30 NP801 two outputs write ports.txt",
    ),
    "another's title": (
        edited("nos.yaml", "title: Acme OS", "title: Arista EOS"),
        "acme/nos.yaml:1:1 NP801 Arista EOS is also the title of NOS arista-eos",
    ),
    "no README": (
        edited("nos.yaml", "  - {template: README.md.j2, file: README.md}\n", ""),
        "acme/nos.yaml:7:1 NP801 no output writes README.md, which lists the steps left to do by hand",
    ),
    "outside": (
        edited("nos.yaml", "file: qos.txt", "file: ../../qos.txt"),
        'acme/nos.yaml:8:28 NP801 "../../qos.txt" has the wrong form',
    ),
    "releases": (
        edited("nos.yaml", 'default_release: "4.2"', 'default_release: "9"'),
        "acme/nos.yaml:5:1 NP801 9 is outside 4.1 to 4.2",
    ),
    "a feature": (
        edited("nos.yaml", "limits:", "notes: {dcbz: 'there is no such thing'}\nlimits:"),
        "acme/nos.yaml:40:9 NP801 dcbz is not a feature of supports",
    ),
    "no nos.yaml": (
        {"nos.yaml": None},
        "acme:1:1 NP020 folder acme has no nos.yaml, so the NOS cannot be used",
    ),
    "syntax": (
        edited("qos.txt.j2", "{% if queue.strict %}", "{% if queue.strict % }"),
        "acme/qos.txt.j2:5:22 NP021 template qos.txt.j2: unexpected '}'",
    ),
    "a tag": (
        edited("qos.txt.j2", "{% if queue.strict %}", "{% when queue.strict %}"),
        "acme/qos.txt.j2:5:4 NP021 template qos.txt.j2: Encountered unknown tag 'when'.",
    ),
    "a filter": (
        edited("qos.txt.j2", '| join(",")', "| wordwrap(9)"),
        "acme/qos.txt.j2:15:40 NP021 template qos.txt.j2: No filter named 'wordwrap'.",
    ),
    "a variable": (
        edited("qos.txt.j2", "{{ switch.name }}", "{{ swich.name }}"),
        "acme/qos.txt.j2:1:6 NP021 template qos.txt.j2: there is no variable 'swich': "
        "switch, page, nos, form, site",
    ),
    "a base": (
        edited("README.md.j2", '"readme.md.j2"', '"../../../secret.j2"'),
        "acme/README.md.j2:1:13 NP021 template README.md.j2: there is no template '../../../secret.j2'",
    ),
    "a field": (
        edited("qos.txt.j2", "queue.weight", "queue.wait"),
        "acme/qos.txt.j2:8:42 NP022 template qos.txt.j2 on switch leaf-1: SwitchQueue has no field 'wait'",
    ),
    "nothing": (
        edited("qos.txt.j2", "queue.weight", "switch.ports[0].optic"),
        "acme/qos.txt.j2:8:7 NP022 template qos.txt.j2 on switch leaf-1: prints nothing (None)",
    ),
    "a list": (
        edited("qos.txt.j2", "queue.weight", "queue.dscps"),
        "acme/qos.txt.j2:8:7 NP022 template qos.txt.j2 on switch leaf-1: prints a tuple",
    ),
    "no end": (
        edited(
            "qos.txt.j2",
            "trust dscp\n",
            "{% for a in range(10**9) %}{% endfor %}\n",
        ),
        "acme/qos.txt.j2:2:1 NP022 template qos.txt.j2 on switch leaf-1: it takes more than 3,000,000 steps",
    ),
    "itself": (
        edited("qos.txt.j2", "trust dscp\n", "{% include 'qos.txt.j2' %}\n"),
        "acme/qos.txt.j2:2:1 NP022 template qos.txt.j2 on switch leaf-1: it calls or includes itself",
    ),
    "memory": (
        edited("qos.txt.j2", "trust dscp\n", "{{ 'a' * 10 ** 12 }}\n"),
        "acme/qos.txt.j2:2:1 NP022 template qos.txt.j2 on switch leaf-1: it makes more than",
    ),
    "Python": (
        edited("qos.txt.j2", "trust dscp\n", "{{ switch.__class__.__mro__ }}\n"),
        "acme/qos.txt.j2:2:11 NP022 template qos.txt.j2 on switch leaf-1: access to attribute '__class__'",
    ),
    "the disk": (
        edited("qos.txt.j2", "trust dscp\n", "{{ nos.folder.path.write_text('x') }}\n"),
        "acme/qos.txt.j2:2:15 NP022 template qos.txt.j2 on switch leaf-1: access to attribute 'path'",
    ),
    "sums": (
        edited("qos.txt.j2", "trust dscp\n", "{{ 1 + 'a' }}\n"),
        "acme/qos.txt.j2:2:1 NP022 template qos.txt.j2 on switch leaf-1: unsupported operand",
    ),
    "no JSON": (
        edited("nos.yaml", "file: qos.txt,", "file: qos.txt, format: json,"),
        "acme/qos.txt.j2:1:1 NP022 template qos.txt.j2 on switch leaf-1: its output is not JSON: ",
    ),
    "a fact": (
        edited("readback.yaml", "  asn:", "  asm:"),
        'acme/readback.yaml:13:3 NP023 unknown key "asm"',
    ),
    "a pattern": (
        edited("readback.yaml", "port <port> .+", "port <port> (.+"),
        "acme/readback.yaml:4:10 NP023 cannot be used: missing )",
    ),
    "a column": (
        edited("readback.yaml", "port <port> mtu <mtu>", "port <port> mtu <size>"),
        "acme/readback.yaml:5:14 NP023 cannot be used: port-mtu: no mtu in port <port> mtu <size>",
    ),
    "a kind": (
        edited("readback.yaml", "port <port> mtu <mtu>", "port <port> mtu <mtu:text>"),
        "acme/readback.yaml:5:14 NP023 cannot be used: <mtu> has to be a number",
    ),
    "no kind": (
        edited("readback.yaml", "port <port> mtu <mtu>", "port <port> mtu <mtu:size>"),
        "acme/readback.yaml:5:14 NP023 unknown kind 'size'",
    ),
    "a file": (
        edited("readback.yaml", "qos: qos.txt", "qos: roce.txt"),
        "acme/readback.yaml:2:61 NP023 roce.txt is not an output of nos.yaml",
    ),
}


@pytest.mark.sample(15)
@pytest.mark.parametrize("case", BAD)
def test_a_mistake_is_a_finding_at_its_place(case: str, site: Path, nos: Path) -> None:
    files, wanted = BAD[case]
    out = site.parent / "out"
    arguments = (
        "render",
        "--format",
        "json",
        str(site),
        "-o",
        str(out),
        "--nos-dir",
        str(written(nos, files)),
    )
    status, text, _ = netplan(*arguments)
    told = errors(json_report(text), nos)
    assert any(text.startswith(wanted) for text in told), told
    assert {text.split()[1] for text in told} == {wanted.split()[1]}
    assert (status, out.exists()) == (1, False)


def test_one_mistake_on_many_switches_is_one_finding(nos: Path) -> None:
    shutil.copytree(switch_folder() / "sonic", nos / "sonic")
    with (nos / "sonic" / "README.md.j2").open("a") as page:
        page.write("{% block sources %}{% endblock %}")
    roce = nos / "sonic" / "interfaces.json.j2"
    roce.write_text("{{ switch.nam }}\n" + roce.read_text())
    result = pipeline.run([str(FOLDER / "iei-rocev2.yaml")], pipeline.Options(nos_dir=str(nos)))
    assert [d.code for d in result.diagnostics if "NP020" <= d.code <= "NP023"] == ["NP022"]


def test_the_line_is_shown_with_the_finding(site: Path, nos: Path) -> None:
    written(nos, edited("qos.txt.j2", "queue.weight", "queue.wait"))
    _, _, told = netplan("validate", str(site), "--nos-dir", str(nos))
    assert "    8 | queue {{ queue.number }} weight {{ queue.wait }}\n" in told
    _, out, _ = netplan("validate", "--format", "json", str(site), "--nos-dir", str(nos))
    report = json_report(out)
    (wrong,) = [d for d in report["diagnostics"] if d["severity"] == "error"]
    assert (wrong["code"], wrong["line"], wrong["column"]) == ("NP022", 8, 42)


def test_files_that_cannot_be_read(site: Path, nos: Path) -> None:
    written(nos)
    (nos / "acme" / "qos.txt.j2").write_bytes(b"ok\n  \xff\n")
    (nos / "acme" / "ports.txt.j2").unlink()
    (nos / "acme" / "ports.txt.j2").symlink_to("/etc/hostname")
    (nos / "acme" / "README.md.j2").write_text("x" * (2**20 + 1))
    (nos / "acme" / "readback.yaml").unlink()
    os.mkfifo(nos / "acme" / "readback.yaml")
    assert found(site, nos) == [
        "acme/README.md.j2:1:1 NP020 README.md.j2 is larger than 1024 KiB",
        "acme/ports.txt.j2:1:1 NP020 ports.txt.j2 is a link out of the directory",
        "acme/qos.txt.j2:2:3 NP020 qos.txt.j2 is not UTF-8",
        "acme/readback.yaml:1:1 NP020 readback.yaml is not a file",
    ]


def test_folders_that_are_none(site: Path, nos: Path) -> None:
    written(nos)
    for name in ("_shared", ".git", "Acme OS"):
        (nos / name).mkdir()
    (nos / "linked").symlink_to(site.parent)
    assert found(site, nos) == [
        "Acme OS:1:1 NP020 folder Acme OS has a name that switch_types.<type>.nos does not take",
        "linked:1:1 NP020 folder linked is a link out of the directory",
    ]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("nowhere", "is not a directory; name the one that contains the NOS folders"),
        ("site.yaml", "is not a directory; name the one that contains the NOS folders"),
        ("empty", "contains no folder; each NOS is a folder with a nos.yaml"),
        ("nos/acme", "is a NOS folder itself; name the directory above it"),
    ],
)
@pytest.mark.parametrize("command", ["validate", "trace"])
def test_a_directory_that_holds_no_nos_ends_the_run(
    command: str, given: str, why: str, site: Path, nos: Path
) -> None:
    written(nos)
    (site.parent / "empty").mkdir()
    more = ["--matrix"] if command == "trace" else []
    status, _, told = netplan(command, str(site), *more, "--nos-dir", str(site.parent / given))
    assert (status, why in told) == (2, True)


def test_folders_are_judged_without_an_inventory_too(site: Path, nos: Path) -> None:
    written(nos, edited("readback.yaml", "  asn:", "  asm:"))
    given = ("trace", "--rendered", str(site.parent), "--matrix", "--nos-dir", str(nos))
    assert netplan(*given)[0] == 2  # not rendered by netplan
    for name in ("site.json", "manifest.json"):
        (site.parent / name).write_text("{}")
    status, _, told = netplan(*given)
    assert (status, "NP023" in told) == (1, True)


def test_files_of_others_are_judged_by_no_folder(site: Path) -> None:
    for option in (["--config-db", str(site)], ["--rendered", str(site.parent)]):
        assert netplan("validate", *option, "--nos-dir", "nos")[0] == 2


@pytest.mark.parametrize("command", ["validate", "render", "show", "trace"])
def test_the_option_is_the_same_everywhere(command: str) -> None:
    _, out, _ = netplan(command, "--help")
    words = " ".join(out.split())
    assert (
        "--nos-dir DIR NOS folders of the site: DIR/<nos>/ adds a NOS or replaces the built-in one of that"
        in words
    )
    assert words.count("--nos-dir") == 2


HELD = (
    "tests/vendors",
    "tests/test_commands.py",
    "tests/test_abilities.py",
    "tests/unit/test_switch_nos.py",
    "tests/unit/test_releases.py",
    "tests/unit/test_readback_rules.py",
    "tests/unit/test_switch_bounds.py",
    "tests/unit/test_switch_features.py",
    "tests/unit/test_switch_checks.py",
)
"""Tests that every shipped NOS must pass."""


@pytest.mark.full
def test_a_nos_comes_to_netplan_without_python(tmp_path: Path) -> None:
    """The example with commands.yaml and a grammar passes the others' tests, as CONTRIBUTING says."""
    root = Path(__file__).resolve().parent.parent
    for name in ("netplan", "schemas", "templates", "inventories", "tests", "tools", "docs"):
        leave = shutil.ignore_patterns("__pycache__", "golden")
        shutil.copytree(root / name, tmp_path / name, ignore=leave)
    shutil.copy(root / "pyproject.toml", tmp_path)
    written(tmp_path / "templates" / "switch")
    shutil.copy(root / "tests/acme/commands.yaml", tmp_path / "templates/switch" / NAME)
    shutil.copy(root / "tests/acme/grammar.yaml", tmp_path / "tests/vendors" / f"{NAME}.yaml")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", "-m", "not full", *HELD]
    env = {key: value for key, value in os.environ.items() if key != "NETPLAN_REQUIRE"}  # only for this run
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
