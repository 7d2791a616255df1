"""Properties of every inventory: order does not matter, nothing is renumbered, no value is without effect."""

from __future__ import annotations

import copy
import difflib
import json
import os
import random
import subprocess
import sys
from typing import Any

import pytest

from netplan.load import load_texts
from netplan.model.inventory_schema import inventory_schema
from netplan.model.site import PATH
from netplan.pipeline import Result, compile_texts
from netplan.resolve.defaults import entry_schema
from netplan.strict import fill
from tests.inventories import FOLDER, REFERENCES, SHIPPED, compiled, outputs, text_of
from tests.leaves import changed, leaves, others, schema_at


def data_of(name: str) -> Any:
    return load_texts({name: text_of(name)}).data


def compile_data(data: Any) -> Result:
    """Compile plain data; JSON is YAML."""
    return compile_texts({"inventory.yaml": json.dumps(data)})


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same data with the keys of every mapping shuffled; lists keep their order."""
    if isinstance(value, dict):
        keys = list(value)
        rng.shuffle(keys)
        return {key: shuffled(value[key], rng) for key in keys}
    return [shuffled(item, rng) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("seed", [1, 2])
def test_key_order_never_matters(name, seed):
    result = compile_data(shuffled(data_of(name), random.Random(seed)))
    assert outputs(result) == outputs(compiled(name))


@pytest.mark.parametrize("name", SHIPPED)
def test_file_order_never_matters(name):
    data = data_of(name)
    files = {f"{index:02}.yaml": json.dumps({key: data[key]}) for index, key in enumerate(reversed(data))}
    backwards = dict(reversed(files.items()))
    assert outputs(compile_texts(files)) == outputs(compile_texts(backwards)) == outputs(compiled(name))


@pytest.mark.parametrize("name", ["iei-rocev2", "kitchen-sink"])
def test_hash_seed_never_matters(name, tmp_path):
    trees = []
    for seed in ("0", "4242"):
        target = tmp_path / seed
        command = [sys.executable, "-m", "netplan", "render", str(FOLDER / f"{name}.yaml"), "-o", str(target)]
        subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
        trees.append({str(p.relative_to(target)): p.read_bytes() for p in target.rglob("*") if p.is_file()})
    assert trees[0] == trees[1]


def changed_files(before: Result, after: Result) -> set[str]:
    """Changed files, except the site's index, which lists everything."""
    old, new = outputs(before), outputs(after)
    return {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)} - {PATH}


def with_host(data: Any, range_key: str, longer: str, extra_links: list[dict[str, Any]]) -> Any:
    """The inventory with one more host: a longer range, and its cables."""
    out = copy.deepcopy(data)
    out["hosts"] = {longer if key == range_key else key: value for key, value in out["hosts"].items()}
    out["links"] = [*out["links"], *extra_links]
    return out


def test_a_host_more_touches_only_its_leaves():
    data = data_of("iei-rocev2")
    cable = {
        "hosts": "gpu-017",
        "hca": "roce[0-3]",
        "switch": "leaf-[1-4]",
        "ports": "Ethernet112",
        "cable_m": 5,
    }
    after = compile_data(with_host(data, "gpu-[001-016]", "gpu-[001-017]", [cable]))
    assert after.artifacts
    touched = changed_files(compiled("iei-rocev2"), after)
    assert {p.split("/")[0] + "/" + p.split("/")[1] for p in touched} == {
        f"switches/leaf-{n}" for n in range(1, 5)
    }
    old, new = (outputs(result)[PATH].splitlines() for result in (compiled("iei-rocev2"), after))
    lines = [line[2:] for line in difflib.ndiff(old, new) if line[0] in "+-"]
    assert (
        len(lines) == 13
    )  # the host, and one more cable on each of four leaves, whose last line gets a comma
    assert sum("gpu-017" in line for line in lines) == 5


def test_a_host_with_values_of_its_own_adds_its_folder():
    data = data_of("iei-rocev2")
    data["hosts"]["gpu-009"] = {"hcas": {"roce1": {"mac": "b8:59:9f:00:00:09"}}}
    touched = changed_files(compiled("iei-rocev2"), compile_data(data))
    assert {p.rsplit("/", 1)[0] for p in touched} == {"hosts/gpu-009"}


def test_a_host_less_changes_no_number_of_the_others():
    data = data_of("iei-rocev2")
    data["workloads"]["training"]["nodes"] = 15
    base = compile_data(data)
    data["hosts"]["gpu-005"] = {"absent": True}
    for link in data["links"]:
        if link.get("hosts") == "gpu-[001-016]":
            link |= {"hosts": "gpu-[001-004]", "ports": "Ethernet[0-12/4]"}
    rest = {
        "hosts": "gpu-[006-016]",
        "hca": "roce[0-3]",
        "switch": "leaf-[1-4]",
        "ports": "Ethernet[20-60/4]",
        "cable_m": 5,
    }
    data["links"].append(rest)
    after = compile_data(data)
    assert {p.split("/")[0] for p in changed_files(base, after)} == {"switches"}
    assert base.plan is not None
    assert after.plan is not None
    assert after.plan.addresses.segments == base.plan.addresses.segments
    assert after.plan.addresses.uplinks == base.plan.addresses.uplinks


def test_a_rail_more_changes_no_number_of_the_others():
    data = data_of("iei-rocev2")
    data["rails"] |= {"count": 5, "vlan_ids": "100-104"}
    kind = data["host_types"]["nf5468m5"]["hcas"]
    kind["roce4"] = {
        "model": "connectx-5",
        "rail": 4,
        "use": "vf",
        "vfs": 8,
        "pci": "0000:d8:00.0",
        "netdev": "ens5f0",
    }
    data["switches"]["leaf-5"] = {"type": "sn2700", "role": "leaf"}
    data["links"].append(
        {
            "hosts": "gpu-[001-016]",
            "hca": "roce4",
            "switch": "leaf-5",
            "ports": "Ethernet[0-60/4]",
            "cable_m": 5,
        }
    )
    before, after = compiled("iei-rocev2").plan, compile_data(data).plan
    assert before is not None
    assert after is not None
    old = {s.name: s for s in before.addresses.segments}
    new = {s.name: s for s in after.addresses.segments}
    assert {name: new[name] for name in old} == old
    assert set(new) - set(old) == {"rail4-leaf-5"}
    assert {k: after.addresses.loopbacks[k] for k in before.addresses.loopbacks} == before.addresses.loopbacks
    assert {r.full_name for r in before.kubernetes.resources} < {
        r.full_name for r in after.kubernetes.resources
    }
    assert {a.name for a in before.kubernetes.attachments} < {a.name for a in after.kubernetes.attachments}


def test_a_network_more_touches_no_file_of_another():
    data = data_of("iei-rocev2")
    data["networks"]["verbs"] = {
        "mode": "device-only",
        "hosts": ["nf5468m5"],
        "hcas": ["roce0"],
        "vf_range": "6-7",
    }
    data["networks"]["rail"]["vf_range"] = "0-5"
    base = copy.deepcopy(data)
    del base["networks"]["verbs"]
    touched = changed_files(compile_data(base), compile_data(data))
    assert touched == {
        "kubernetes/40-device-plugins/device-plugin/sriov-device-plugin.yaml",
        "kubernetes/README.md",
    }


def cases(name: str) -> list[Any]:
    data = data_of(name)
    return [
        pytest.param(name, path, other, id=f"{name}:{'.'.join(map(str, path))}={other}")
        for path, value in leaves(data)
        for other in others(path, value)
    ]


def effect(result: Result) -> Any:
    """Everything that a value may affect; reasons of acceptances are in reports that list them (SARIF)."""
    found = [(d.code, d.path, d.message) for d in result.diagnostics]
    reasons = [entry.reason for entry in result.fabric.accept] if result.fabric else []
    return found, reasons, outputs(result)


@pytest.mark.sample(150)
@pytest.mark.parametrize(("name", "path", "other"), [case for name in REFERENCES for case in cases(name)])
def test_no_value_is_dead(name, path, other):
    assert effect(compile_data(changed(data_of(name), path, other))) != effect(compiled(name))


def used_properties(value: Any, schema: Any) -> set[int]:
    """Identities of the schema's properties that an inventory uses."""
    found: set[int] = set()
    if isinstance(value, dict):
        for key, item in value.items():
            sub = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            found |= {id(sub)} | used_properties(item, sub)
    elif isinstance(value, list):
        for item in value:
            found |= used_properties(item, schema["items"])
    return found


def all_properties(schema: Any, path: str = "") -> dict[int, str]:
    """All properties of the schema, except pod-spec fields, which are Kubernetes' own."""
    found: dict[int, str] = {}
    if "x-netplan-own" in schema:
        return found
    for key, sub in schema.get("properties", {}).items():
        found |= {id(sub): f"{path}.{key}"} | all_properties(sub, f"{path}.{key}")
    for keyword in ("additionalProperties", "items"):
        if isinstance(schema.get(keyword), dict):
            found |= all_properties(schema[keyword], f"{path}.*")
    return found


REPLACED = {f".rails.{key}" for key in ("supernets", "rail_prefixes")}
"""The kitchen sink has ``rail_networks`` in their place; the minimal inventory has them."""


def test_kitchen_sink_uses_every_property():
    schema = inventory_schema()
    unused = all_properties(schema).keys() - used_properties(data_of("kitchen-sink"), schema)
    assert {all_properties(schema)[key] for key in unused} == REPLACED
    assert not unused & (unused - used_properties(data_of("minimal"), schema))


def test_defaults_are_values_the_schema_accepts():
    import jsonschema

    wrong = []
    for key, path in all_properties(inventory_schema()).items():
        schema = next(s for s in _subschemas(inventory_schema()) if id(s) == key)
        if "default" in schema:
            value = fill(schema["default"], schema)
            if list(jsonschema.Draft202012Validator(schema).iter_errors(value)):
                wrong.append(path)
    assert wrong == []


def _subschemas(schema: Any) -> list[Any]:
    found = [schema]
    for sub in schema.get("properties", {}).values():
        found += _subschemas(sub)
    for keyword in ("additionalProperties", "items"):
        if isinstance(schema.get(keyword), dict):
            found += _subschemas(schema[keyword])
    return found


def test_ranged_mappings_are_those_whose_names_take_brackets():
    assert "hcas" not in entry_schema(inventory_schema(), ("hosts",))["properties"].get("x", {})
    assert schema_at(("hosts", "gpu-1"))["properties"].keys() >= {"type", "absent"}
