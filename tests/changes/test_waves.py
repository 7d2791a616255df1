"""The waves of a change: the chosen order, why other orders are rejected, and the files of each wave."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import jsonschema
import yaml

from netplan import resources
from netplan.changes.compare import ends_of
from netplan.changes.output import wave_files
from netplan.changes.show_waves import against
from netplan.changes.wave import FILE, Course, Kind, Order, rules
from netplan.changes.waves import course
from netplan.graph.subnets import shared_subnets
from tests.changes.pairs import course_of, edited, ends
from tests.cli_runs import netplan
from tests.inventories import FOLDER, text_of

WAVES = Path(resources.__file__).parent / "changes" / FILE


def test_what_trace_refutes_in_the_other_orders_is_said() -> None:
    found = course_of("multi-vendor", "MTU down")
    assert [order for order, _ in found.against] == ["outward"]
    assert "takes IP packets of up to 4,000 bytes, the pod sends up to 4,200" in next(against(found))


def test_switches_are_set_from_the_spines_outward() -> None:
    found = course_of("iei-rocev2", "a class becomes lossless")
    kinds = [(wave.kind, wave.targets[0]) for wave in found.waves]
    assert kinds[:3] == [
        ("switches-set", "spine-1"),
        ("switches-set", "leaf-1"),
        ("hosts", "rdma-nic-qos.sh"),
    ]


def test_a_class_that_is_lossless_no_more_stops_on_the_nics_first() -> None:
    found = course_of("iei-rocev2", "a class is lossless no more")
    kinds = [wave.kind for wave in found.waves]
    assert kinds.index("hosts") < kinds.index("switches-finish")
    assert "class storage is not lossless: DSCP 34" in next(against(found))


def test_the_rows_are_of_the_schema_and_every_wave_has_one() -> None:
    schema = json.loads((resources.schemas() / "waves.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(yaml.safe_load(WAVES.read_text(encoding="utf-8")), schema)
    kinds, orders = rules()
    assert set(kinds) == set(get_args(Kind))
    assert set(orders) == set(get_args(Order))


def test_the_files_of_a_window_go_both_ways() -> None:
    both = ends("iei-rocev2", "VLANs renumbered")
    found = course_of("iei-rocev2", "VLANs renumbered")
    files = {artifact.path: artifact.text for artifact in wave_files(found, both)}
    assert "README.md" in files
    number = next(n for n, wave in enumerate(found.waves, 1) if wave.kind == "objects")
    applied, back = (f"wave-{number}/{top}kubernetes/apply.yaml" for top in ("", "rollback/"))
    assert '"vlan": 300' in files[applied]
    assert '"vlan": 100' in files[back]


def test_json_is_of_the_schema_and_output_is_written(tmp_path: Path) -> None:
    old, new = tmp_path / "old.yaml", tmp_path / "new.yaml"
    old.write_text(text_of("iei-rocev2"))
    new.write_text(text_of("iei-rocev2").replace("vlan_ids: 100-103", "vlan_ids: 300-303"))
    _, out, _ = netplan("diff", str(old), str(new), "--format", "json", "-o", str(tmp_path / "out"))
    document = json.loads(out)
    schema = json.loads((resources.schemas() / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    assert document["diff"]["order"]["name"] == "window"
    assert (tmp_path / "out" / "README.md").read_text().startswith("# From ")
    again, _, _ = netplan("diff", str(old), str(new), "-q", "-o", str(tmp_path / "out"))
    assert again == 1, "something changes, and the directory is netplan's own"


def test_a_directory_of_somebody_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine\n")
    same = str(FOLDER / "minimal.yaml")
    status, _, _ = netplan("diff", same, same, "-o", str(tmp_path))
    assert status == 2
    assert (tmp_path / "mine.txt").read_text() == "mine\n"


def test_two_interfaces_with_one_network_are_seen() -> None:
    both = ends("iei-rocev2", "VLANs renumbered")
    name = both.differing[0]
    read = both.read(name, "old")
    assert not list(shared_subnets(read))


def test_no_pool_gives_an_address_that_a_switch_still_has() -> None:
    """nv-ipam excludes only the current gateway: it could give the old gateway address to a pod."""
    found = changed({"  prefixes: [24]\n": "  prefixes: [24]\n  gateway: last\n"})
    assert found.order == "window"
    assert any(
        "IPPool rail0-leaf-1 gives 172.16.0.1 to a pod, leaf-1 has it" in line for line in against(found)
    )


def test_a_pool_that_is_widened_from_its_base_takes_no_window() -> None:
    assert changed({"  prefixes: [24]\n": "  prefixes: [23]\n"}).order == "outward"


def changed(edits: dict[str, str]) -> Course:
    return course(ends_of(edited("minimal", {}), edited("minimal", edits)))
