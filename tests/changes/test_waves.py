"""The waves of a change: their order, what is refuted in the others, and what is written for each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import jsonschema
import pytest
import yaml

from netplan import resources
from netplan.changes.compare import ends_of
from netplan.changes.output import wave_files
from netplan.changes.show_waves import against
from netplan.changes.states import Ends
from netplan.changes.wave import FILE, Kind, Order, rules
from netplan.changes.waves import course
from netplan.graph.subnets import shared_subnets
from tests.changes.pairs import PAIRS, pair
from tests.cli_runs import netplan
from tests.inventories import FOLDER, text_of

WAVES = Path(resources.__file__).parent / "changes" / FILE
EVERY = [(name, change) for name, changes in PAIRS.items() for change in changes]
QUICK = {("iei-rocev2", "VLANs renumbered"), ("multi-vendor", "MTU down"), ("iei-rocev2", "another DSCP")}
ORDER: dict[tuple[str, str], Order] = {
    ("iei-rocev2", "VLANs renumbered"): "window",
    ("iei-rocev2", "MTU up"): "outward",
    ("iei-rocev2", "MTU down"): "inward",
    ("iei-rocev2", "a class becomes lossless"): "outward",
    ("iei-rocev2", "a class is lossless no more"): "inward",
    ("iei-rocev2", "another DSCP"): "window",
    ("iei-rocev2", "VFs"): "window",
    ("multi-vendor", "MTU up"): "outward",
    ("multi-vendor", "MTU down"): "inward",
    ("multi-vendor", "a leaf of another NOS"): "window",
}


def ends(name: str, change: str) -> Ends:
    return ends_of(*pair(name, change))


def cases(wanted: list[tuple[str, str]]) -> list[object]:
    return [
        pytest.param(*case, id=" ".join(case), marks=[] if case in QUICK else [_later(*case)])
        for case in wanted
    ]


def _later(name: str, change: str) -> pytest.MarkDecorator:
    """The largest site takes minutes."""
    return pytest.mark.nightly if name == "superpod-h100" and change != "MTU down" else pytest.mark.full


@pytest.mark.parametrize(("name", "change"), cases(list(ORDER)))
def test_the_order_that_keeps_the_pods_connected_is_taken(name: str, change: str) -> None:
    assert course(ends(name, change)).order == ORDER[name, change]


@pytest.mark.parametrize(("name", "change"), cases(EVERY))
def test_every_change_has_waves(name: str, change: str) -> None:
    """They end in the new render, and no switch has an address twice on the way."""
    both = ends(name, change)
    found = course(both)
    assert found.waves
    states = [found.waves[0].before, *(wave.after for wave in found.waves)]
    last = states[-1]
    assert not [name for name in both.differing if both.differs(name, last.version(name), "new")]
    twice = [
        text
        for state in states
        for switch in both.differing
        for text in shared_subnets(both.read(switch, state.version(switch)))
    ]
    assert not twice
    explained = list(against(found))
    assert bool(explained) == (found.order in ("inward", "window") or bool(found.stopped))


def test_what_trace_refutes_in_the_other_orders_is_said() -> None:
    found = course(ends("multi-vendor", "MTU down"))
    assert [order for order, _ in found.against] == ["outward"]
    assert "takes IP packets of up to 4000 bytes, the pod sends up to 4200" in next(against(found))


def test_switches_are_set_from_the_spines_outward() -> None:
    found = course(ends("iei-rocev2", "a class becomes lossless"))
    kinds = [(wave.kind, wave.targets[0]) for wave in found.waves]
    assert kinds[:3] == [
        ("switches-set", "spine-1"),
        ("switches-set", "leaf-1"),
        ("hosts", "rdma-nic-qos.sh"),
    ]


def test_a_class_that_is_lossless_no_more_stops_on_the_nics_first() -> None:
    found = course(ends("iei-rocev2", "a class is lossless no more"))
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
    found = course(both)
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
