"""The fabric in the peers' own formats: ``python benchmarks/peer/fabric.py FILE DIR``, with EOS switches.

Writes below DIR ``avd.json`` (the data model of eos_cli_config_gen, by switch), an Ansible inventory of it
with a playbook, ``topology.yml`` of netlab, and ``netplan.json``: the lines that netplan itself writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import yaml

from netplan import pipeline
from netplan.model.plan import Plan
from tests.eos_site import lines_of
from tests.eos_structured import structured

TEMPLATE = Path(__file__).resolve().parent / "eos.j2"


def main(name: str, folder: Path) -> None:
    result = pipeline.run([name], upto="render")
    if result.plan is None:
        raise SystemExit(f"unexpected: {result.diagnostics[:3]}")
    data = {switch.name: structured(switch) for switch in result.plan.switches}
    (folder / "avd.json").write_text(json.dumps(data), encoding="utf-8")
    _ansible(data, folder / "ansible")
    (folder / "netlab").mkdir()
    (folder / "netlab" / "topology.yml").write_text(yaml.safe_dump(_topology(result.plan)), encoding="utf-8")
    lines: dict[str, list[Any]] = {switch: [] for switch in data}
    for artifact in result.artifacts:
        parts = artifact.path.split("/")
        if parts[0] == "switches" and parts[-1].endswith(".txt"):
            lines[parts[1]] += lines_of(artifact.text)
    (folder / "netplan.json").write_text(json.dumps(lines), encoding="utf-8")


def _ansible(data: dict[str, Any], folder: Path) -> None:
    (folder / "host_vars").mkdir(parents=True)
    for switch, values in data.items():
        text = json.dumps({"switch": values})
        (folder / "host_vars" / f"{switch}.json").write_text(text, encoding="utf-8")
    hosts = "".join(f"{switch} ansible_connection=local\n" for switch in data)
    (folder / "hosts.ini").write_text(hosts, encoding="utf-8")
    task = {
        "ansible.builtin.template": {
            "src": str(TEMPLATE),
            "dest": f"{folder}/{{{{ inventory_hostname }}}}.cfg",
        }
    }
    play: dict[str, Any] = {"hosts": "all", "gather_facts": False}
    (folder / "render.yml").write_text(yaml.safe_dump([play | {"tasks": [task]}]), encoding="utf-8")
    (folder / "nothing.yml").write_text(yaml.safe_dump([play | {"tasks": []}]), encoding="utf-8")


def _topology(plan: Plan) -> dict[str, Any]:
    """Host ports are access ports, because a trunk needs two ends; uplinks; BGP with the same AS numbers."""
    names = [switch.name for switch in plan.switches]
    vlans = {f"rail{vlan.id}": {"id": vlan.id} for switch in plan.switches for vlan in switch.vlans}
    nodes, links = {}, []
    for number, switch in enumerate(plan.switches, 1):
        nodes[_node(switch.name)] = {"id": number, "bgp": {"as": switch.asn}}
        vlan = next((f"rail{vlan.id}" for vlan in switch.vlans), "")
        ports = [port for port in switch.ports if not port.routed]
        links += [{_node(switch.name): {}, "vlan": {"access": vlan}} for _ in ports]
        for neighbour in switch.neighbours:
            if neighbour.name in names and names.index(neighbour.name) > names.index(switch.name):
                links.append({_node(switch.name): {}, _node(neighbour.name): {}})
    return {
        "provider": "clab",
        "defaults": {"device": "eos", "const": {"MAX_NODE_ID": 4000}},
        "module": ["vlan", "bgp"],
        "addressing": {"loopback": {"ipv4": "10.240.0.0/16"}, "p2p": {"ipv4": "10.248.0.0/14"}},
        "vlans": vlans,
        "nodes": nodes,
        "links": links,
    }


def _node(name: str) -> str:
    return name.replace("-", "_")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
