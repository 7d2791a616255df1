"""The buffer patch applied to the tables of vendors' images: no overlaps, dangling references or drops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from netplan.cli import program
from netplan.config_db import Judged, judge_texts
from netplan.diagnostics import Severity
from netplan.pipeline import compile_texts
from tests.inventories import outputs, text_of
from tests.sonic_stock import SKUS, RefusedError, patched, stock, with_made_groups
from tests.sonic_yang import ConfigDb, merged, yanglint
from tests.switch_site import Site, inventory, site

pytestmark = pytest.mark.yang

MODELS = {
    "ACS-MSN2700": "msn2700",
    "ACS-MSN3700": "msn3700",
    "ACS-MSN4700": "msn4700",
    "ACS-MSN4600C": "msn4600c",
    "DellEMC-Z9332f-O32": "z9332f",
}
"""SKU of the vendor's templates -> model; for msn4600c, another SKU with the same rows."""
KINDS = [
    (sku, model) for sku in MODELS for model in ("traditional", "dynamic") if sku[0] == "A" or model[0] == "t"
]
LOSSLESS = [(3,), (4,), (5,), (1,), (7,), (3, 4), (3, 5), (5, 6), (2, 3)]
PORTS = [f"Ethernet{4 * number}" for number in range(32)]


def _site(sku: str, buffer_model: str, lossless: tuple[int, ...]) -> Site:
    classes = inventory()["fabric"]["qos"]["classes"]
    strict = next(number for number in (6, 7, 5) if number not in lossless)
    classes["cnp"]["priority"] = strict
    classes["roce"]["priority"] = lossless[0]
    for number in lossless[1:]:
        classes[f"storage{number}"] = {
            "dscp": 10,
            "priority": number,
            "lossless": True,
            "bandwidth_percent": 20,
        }
    return site(
        fabric__qos__classes=classes,
        switch_types__leaf__model=MODELS[sku],
        switch_types__leaf__buffer_model=buffer_model,
    )


@cache
def _image(sku: str, buffer_model: str) -> ConfigDb:
    dynamic = buffer_model == "dynamic"
    data = stock(sku, PORTS, dynamic=dynamic)
    return data if dynamic else with_made_groups(data)


def _applied(image: ConfigDb, files: dict[str, str]) -> ConfigDb:
    """CONFIG_DB after the README's steps: the patch, then the loaded files, then buffermgrd's changes."""
    data = patched(image, json.loads(files["buffers.patch.json"])) if "buffers.patch.json" in files else image
    for name in ("roce.json", "interfaces.json"):
        data = merged(data, json.loads(files[name]))
    dynamic = data["DEVICE_METADATA"]["localhost"]["buffer_model"] == "dynamic"
    return data if dynamic else with_made_groups(data)


def _judged(data: ConfigDb) -> Judged:
    return judge_texts({"leaf-1.json": json.dumps(data, indent=2)})


def _numbers(text: str) -> range:
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def _rows(data: ConfigDb, table: str, port: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, row) for each row with the number; independent of netplan's own reader."""
    for key, row in data[table].items():
        owner, _, numbers = key.rpartition("|")
        if owner == port:
            yield from ((number, row) for number in _numbers(numbers))


@pytest.mark.parametrize("lossless", LOSSLESS, ids=str)
@pytest.mark.parametrize(("sku", "buffer_model"), KINDS, ids=str)
def test_the_patched_tables_are_lossless_where_asked(
    sku: str, buffer_model: str, lossless: tuple[int, ...]
) -> None:
    data = _applied(_image(sku, buffer_model), _site(sku, buffer_model, lossless).files("leaf-1"))
    for port in PORTS[:24]:  # the cabled ones
        queues = dict(_rows(data, "BUFFER_QUEUE", port))
        assert len(queues) == len(list(_rows(data, "BUFFER_QUEUE", port))), "no queue twice"
        groups = dict(_rows(data, "BUFFER_PG", port))
        assert len(groups) == len(list(_rows(data, "BUFFER_PG", port))), "no priority group twice"
        for number, row in queues.items():
            profile = data["BUFFER_PROFILE"][row["profile"]]
            assert row["profile"].startswith("egress_lossless") == (number in lossless)
            assert profile["pool"] in data["BUFFER_POOL"]
            assert "lossy" not in profile["pool"] or number not in lossless
        assert set(lossless) <= queues.keys()
        assert {number for number, row in groups.items() if "lossy" not in row["profile"]} == set(lossless)
        assert data["PORT_QOS_MAP"][port]["pfc_enable"] == ",".join(map(str, lossless))
    found = {d.code for d in _judged(data).diagnostics}
    assert found & {"NP857", "NP858", "NP859", "NP874", "NP883"} == set()


@pytest.mark.parametrize(("sku", "buffer_model"), KINDS, ids=str)
def test_ports_of_others_keep_what_the_image_gave_them(sku: str, buffer_model: str) -> None:
    image = _image(sku, buffer_model)
    data = _applied(image, _site(sku, buffer_model, (5,)).files("leaf-1"))
    for table in ("BUFFER_QUEUE", "BUFFER_PG"):
        for port in PORTS[24:]:
            assert dict(_rows(data, table, port)) == dict(_rows(image, table, port))


@pytest.mark.parametrize("lossless", [(3,), (5,)], ids=str)
@pytest.mark.parametrize(("sku", "buffer_model"), KINDS, ids=str)
def test_sonics_models_accept_the_patched_tables(
    sku: str, buffer_model: str, lossless: tuple[int, ...]
) -> None:
    """Without the stock QoS maps, which are irrelevant to the patch."""
    data = _applied(_image(sku, buffer_model), _site(sku, buffer_model, lossless).files("leaf-1"))
    assert yanglint(data) == []


def test_without_the_patch_a_priority_of_five_drops() -> None:
    files = _site("ACS-MSN2700", "traditional", (5,)).files("leaf-1")
    del files["buffers.patch.json"]
    data = _applied(_image("ACS-MSN2700", "traditional"), files)
    (problem,) = [d for d in _judged(data).diagnostics if d.code == "NP857"]
    assert "PFC pauses queue 5 of Ethernet0" in problem.message
    assert problem.path == ("BUFFER_QUEUE", "Ethernet0|5-6", "profile")


def test_without_the_patch_a_priority_of_three_overlaps() -> None:
    files = _site("ACS-MSN2700", "traditional", (3,)).files("leaf-1")
    del files["buffers.patch.json"]
    data = _applied(_image("ACS-MSN2700", "traditional"), files)
    (problem,) = [d for d in _judged(data).diagnostics if d.code == "NP858"]
    assert problem.message.startswith(
        "BUFFER_PG row 3-4 of Ethernet0, Ethernet4, Ethernet8 and 21 more overlaps"
    )


def test_priorities_of_the_image_need_no_patch() -> None:
    for sku, buffer_model in KINDS:
        assert "buffers.patch.json" not in _site(sku, buffer_model, (3, 4)).files("leaf-1")


def test_the_patch_holds_before_buffermgrd_made_its_rows() -> None:
    """A switch whose ports were never up has no BUFFER_PG row to remove."""
    files = _site("ACS-MSN2700", "traditional", (5,)).files("leaf-1")
    data = _applied(stock("ACS-MSN2700", PORTS), files)
    assert dict(_rows(data, "BUFFER_PG", "Ethernet0")).keys() == {0, 5}


@pytest.mark.parametrize(
    "image", [("Arista-7060X6-64PE", ()), ("ACS-MSN2700", PORTS[:8])], ids=["SKU", "ports"]
)
def test_a_patch_is_refused_where_rows_are_missing(image: tuple[str, list[str]]) -> None:
    sku, ports = image
    operations = json.loads(_site("ACS-MSN2700", "traditional", (5,)).files("leaf-1")["buffers.patch.json"])
    with pytest.raises(RefusedError, match="BUFFER_QUEUE"):
        patched(stock(sku, ports or PORTS), operations)


def test_a_patch_is_refused_the_second_time() -> None:
    operations = json.loads(_site("ACS-MSN2700", "traditional", (5,)).files("leaf-1")["buffers.patch.json"])
    once = patched(_image("ACS-MSN2700", "traditional"), operations)
    with pytest.raises(RefusedError, match="nothing to remove"):
        patched(once, operations)


@pytest.mark.parametrize("sku", SKUS)
def test_what_images_write_is_clean(sku: str) -> None:
    found = {d.code for d in _judged(stock(sku, PORTS)).diagnostics}
    assert found & {"NP857", "NP858", "NP859"} == set()


def test_priority_five_of_the_reference(tmp_path: Path) -> None:
    """Inventory, tree, the vendor's tables, `validate --config-db`; then a row is removed."""
    text = text_of("iei-rocev2").replace("priority: 3", "priority: 5")
    result = compile_texts({"iei-rocev2.yaml": text})
    assert not [d for d in result.diagnostics if d.severity >= Severity.WARNING]
    folder = "switches/leaf-1/"
    files = {p.removeprefix(folder): t for p, t in outputs(result).items() if p.startswith(folder)}
    data = _applied(_image("ACS-MSN2700", "traditional"), files)
    assert data["BUFFER_QUEUE"]["Ethernet0|5"] == {"profile": "egress_lossless_profile"}
    assert data["BUFFER_PROFILE"]["egress_lossless_profile"]["pool"] == "egress_lossless_pool"
    box = tmp_path / "config_db.json"
    box.write_text(json.dumps(data))
    assert "NP857" not in CliRunner().invoke(program, ["validate", "--config-db", str(box)]).stderr
    del data["BUFFER_QUEUE"]["Ethernet0|5"]
    box.write_text(json.dumps(data))
    done = CliRunner().invoke(program, ["validate", "--config-db", str(box)])
    assert done.exit_code == 1
    assert "PFC pauses queue 5 of Ethernet0, but BUFFER_QUEUE has no row for it" in done.stderr
